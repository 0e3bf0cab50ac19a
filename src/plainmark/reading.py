"""Reading corpora from files: plain text, JSON lines, CSV/TSV, folders of documents, standard input.

Plain text has one segment a line; further references are further files. JSON lines and CSV/TSV have the fields
source, output, references (or reference_1, reference_2, ...) and id; `fields` maps these to other names. A folder has one
document a file, and the same file names on every side. Files ending in .gz or .xz are unpacked on the way.
Everything is read block by block, so a stream of a million samples needs the memory of a few thousand.
"""

from __future__ import annotations

import csv
import gzip
import json
import lzma
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any, BinaryIO, cast

from .data import BLOCK, Corpus
from .errors import InputError

FIELDS = ("source", "output", "references", "id")
_STANDARD_INPUT = "-"
_UNPACK: dict[str, Callable[[Any], Any]] = {".gz": gzip.open, ".xz": lzma.open}
_PACKED = re.compile(r"\.(gz|xz)$")


def read_corpus(
    *,
    output: Any,
    source: Any = None,
    references: Sequence[Any] = (),
    fields: Mapping[str, str] | None = None,
) -> Corpus:
    """One system's corpus, whole."""
    (corpus,) = read_systems([output], source=source, references=references, fields=fields)
    return corpus


def read_systems(
    outputs: Sequence[Any],
    *,
    source: Any = None,
    references: Sequence[Any] = (),
    fields: Mapping[str, str] | None = None,
) -> list[Corpus]:
    """Several systems on one test set, whole; sources and references are shared."""
    blocks = list(stream_systems(outputs, source=source, references=references, fields=fields))
    if len(blocks) == 1:
        return blocks[0]
    base: Corpus | None = None
    whole: list[Corpus] = []
    for pieces in zip(*blocks, strict=True):
        texts = [text for piece in pieces for text in piece.outputs]
        first = pieces[0]
        if base is None or first.references is not blocks[0][0].references:
            sources = None if first.sources is None else [s for p in pieces for s in p.sources or ()]
            refs = None if first.references is None else [r for p in pieces for r in p.references or ()]
            base = Corpus(sources, texts, refs, ids=[i for p in pieces for i in p.ids], name=first.name)
            whole.append(base)
        else:
            whole.append(base.with_outputs(texts, name=first.name))
    return whole


def stream_systems(
    outputs: Sequence[Any],
    *,
    source: Any = None,
    references: Sequence[Any] = (),
    fields: Mapping[str, str] | None = None,
    block: int = BLOCK,
) -> Iterator[list[Corpus]]:
    """The same in blocks: each item holds one corpus per system, of at most `block` samples."""
    systems = [_Input.open(path, fields) for path in outputs]
    if not systems:
        raise InputError("no outputs given; expected at least one file with a system's outputs.")
    sides = [*systems, *([] if source is None else [_Input.open(source, fields)])]
    refs = [_Input.open(path, fields) for path in references]
    if sum(side.path == _STANDARD_INPUT for side in [*sides, *refs]) > 1:
        raise InputError("standard input (-) can be read only once; give files for the other sides.")
    _check_counts(sides, refs)
    names = system_names(outputs)
    start = 0
    records = zip_longest(*(side.blocks(block) for side in [*sides, *refs]))
    for parts in records:
        lengths = {len(part or ()) for part in parts}
        if len(lengths) > 1:
            raise InputError(_different_lengths([*sides, *refs], [start + len(part or ()) for part in parts]))
        yield _assemble(parts, names, has_source=source is not None, n_refs=len(refs), start=start)
        start += lengths.pop()
    if start == 0:
        raise InputError(f"{sides[0].label}: empty, expected one text per sample.")


def system_names(paths: Sequence[Any]) -> list[str]:
    """Short names for files, unique among them."""
    stems = [_PACKED.sub("", Path(str(p)).name) for p in paths]
    short = [re.sub(r"\.(txt|jsonl|ndjson|csv|tsv|tok|out)$", "", stem) for stem in stems]
    return [s if short.count(s) == 1 else str(p) for s, p in zip(short, paths, strict=True)]


@contextmanager
def open_text(path: str) -> Iterator[Iterable[str]]:
    """The decoded lines of a file, with a clear error for undecodable bytes and missing files."""
    with open_bytes(path) as raw:
        yield _decoded(raw, path)


def read_table(path: str, columns: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Every row of a CSV file that has at least these columns, with the number of its line."""
    csv.field_size_limit(2**31 - 1)
    with open_text(path) as lines:
        rows = csv.DictReader(lines, strict=True)
        try:
            missing = [c for c in columns if c not in (rows.fieldnames or ())]
            if missing:
                raise InputError(f"{path}: no column {', '.join(missing)}; expected {', '.join(columns)}.")
            for row in rows:
                if None in row or None in row.values():
                    raise InputError(
                        f"{path}, line {rows.line_num}: not as many values as the {len(rows.fieldnames or ())} columns."
                    )
                yield rows.line_num, row
        except csv.Error as problem:
            raise InputError(f"{path}, line {rows.line_num + 1}: not CSV ({problem}).") from None


Fields = dict[str, Any]
Record = str | Fields  # a line of plain text, or named fields


@dataclass
class _Input:
    """One file or folder, read as records."""

    path: str
    kind: str  # lines, jsonl, table, folder
    fields: Mapping[str, str]

    @classmethod
    def open(cls, path: Any, fields: Mapping[str, str] | None) -> _Input:
        text = str(path)
        for field in fields or ():
            if field not in FIELDS:
                raise InputError(f"unknown field {field!r}; expected one of {', '.join(FIELDS)}.")
        where = Path(text)
        if text != _STANDARD_INPUT and not where.exists():
            raise InputError(f"{text}: no such file.")
        name = _PACKED.sub("", where.name).lower()
        if text != _STANDARD_INPUT and where.is_dir():
            kind = "folder"
        elif name.endswith((".jsonl", ".ndjson")):
            kind = "jsonl"
        elif name.endswith((".csv", ".tsv")):
            kind = "table"
        else:
            kind = "lines"
        return cls(text, kind, fields or {})

    @property
    def label(self) -> str:
        return "standard input" if self.path == _STANDARD_INPUT else self.path

    @property
    def unit(self) -> str:
        return {"lines": "lines", "jsonl": "lines", "table": "rows", "folder": "documents"}[self.kind]

    def count(self) -> int | None:
        """How many texts there are, if that is quick to find out."""
        if self.kind == "folder":
            return len(self._documents())
        if self.kind != "lines" or self.path == _STANDARD_INPUT or _PACKED.search(self.path):
            return None
        lines, last = 0, b"\n"
        with open_bytes(self.path) as raw:
            while piece := raw.read(1 << 20):
                lines += piece.count(b"\n")
                last = piece[-1:]
        return lines + (last != b"\n")

    def ends_blank(self) -> bool:
        """Whether the last line of a plain text is empty, a frequent cause of one line too many."""
        if self.kind != "lines" or self.path == _STANDARD_INPUT:
            return False
        with open_bytes(self.path) as raw:
            tail = b""
            for line in raw:
                tail = line
        return not tail.strip()

    def blocks(self, size: int) -> Iterator[list[Record]]:
        if self.kind == "lines":
            yield from self._line_blocks(size)
            return
        records = {"jsonl": self._json_records, "table": self._table_records, "folder": self._folder_records}
        rows = records[self.kind]()
        while batch := list(islice(rows, size)):
            yield batch

    def _line_blocks(self, size: int) -> Iterator[list[Record]]:
        with open_bytes(self.path) as raw:
            start = 0
            while batch := list(islice(raw, size)):
                yield list(_decode_lines(batch, self.label, start))
                start += len(batch)

    def _json_records(self) -> Iterator[Record]:
        with open_text(self.path) as lines:
            for number, line in enumerate(lines, 1):
                where = f"{self.label}, line {number}"
                if not line.strip():
                    raise InputError(f"{where}: empty, expected a JSON object.")
                try:
                    row = json.loads(line)
                except (ValueError, RecursionError) as problem:
                    raise InputError(f"{where}: not JSON ({problem}).") from None
                if not isinstance(row, dict):
                    raise InputError(f"{where}: found {type(row).__name__}, expected a JSON object.")
                yield self._record(row, where)

    def _table_records(self) -> Iterator[Record]:
        csv.field_size_limit(2**31 - 1)
        separator = "\t" if _PACKED.sub("", self.path).lower().endswith(".tsv") else ","
        with open_text(self.path) as lines:
            rows = csv.DictReader(lines, delimiter=separator, strict=True)
            try:
                for row in rows:
                    where = f"{self.label}, line {rows.line_num}"
                    if None in row or None in row.values():
                        raise InputError(
                            f"{where}: not as many cells as the {len(rows.fieldnames or ())} columns."
                        )
                    yield self._record(cast(Fields, row), where)
            except csv.Error as problem:
                raise InputError(f"{self.label}, line {rows.line_num}: {problem}.") from None

    def _folder_records(self) -> Iterator[Record]:
        for path in self._documents():
            with open_bytes(str(path)) as raw:
                data = raw.read()
            text = "\n".join(_decode_lines(data.splitlines(keepends=True), str(path), 0)).strip("\n")
            yield {"text": text, "id": path.name}

    def _documents(self) -> list[Path]:
        found = sorted(p for p in Path(self.path).iterdir() if p.is_file() and not p.name.startswith("."))
        if not found:
            raise InputError(f"{self.path}: an empty folder, expected one file per document.")
        return found

    def _record(self, row: Fields, where: str) -> Fields:
        out: Fields = {}
        for field in FIELDS:
            name = self.fields.get(field, field)
            if name in row:
                out[field] = row[name]
            elif field in self.fields:
                raise InputError(f"{where}: no field {name!r}; it has {', '.join(map(str, row))}.")
        if "references" not in out and "references" not in self.fields:
            numbered = sorted((k for k in row if re.fullmatch(r"references?[ _.-]?\d*", k)), key=_natural)
            if numbered:
                out["references"] = [row[k] for k in numbered]
        for field in ("source", "output"):
            if field in out and not isinstance(out[field], str):
                raise InputError(f"{where}: {field} is {type(out[field]).__name__}, expected text.")
        if "references" in out:
            refs = [out["references"]] if isinstance(out["references"], str) else out["references"]
            if not isinstance(refs, list) or not refs or not all(isinstance(r, str) for r in refs):
                raise InputError(f"{where}: references must be a text or a non-empty list of texts.")
            out["references"] = refs
        if len(out) == 0 or set(out) == {"id"}:
            raise InputError(
                f"{where}: none of the fields source, output, references; it has {', '.join(map(str, row))}."
                " Say which is which: --fields output=NAME,source=NAME."
            )
        return out


def _assemble(
    parts: Sequence[Sequence[Record] | None],
    names: Sequence[str],
    *,
    has_source: bool,
    n_refs: int,
    start: int,
) -> list[Corpus]:
    n = len(names)
    first = parts[0] or ()
    sources = [_pick(r, "source", "the source file") for r in parts[n] or ()] if has_source else None
    references = None
    if n_refs:
        # A plain file holds one reference a sample, a structured one may hold several: put all of them together.
        rows_of_references = zip(*(part or () for part in parts[-n_refs:]), strict=True)
        references = [
            row if set(map(type, row)) == {str} else tuple(text for record in row for text in _picks(record))
            for row in rows_of_references
        ]
    corpora: list[Corpus] = []
    for name, part in zip(names, parts[:n], strict=True):
        rows = part or ()
        outputs = [_pick(r, "output", name) for r in rows]
        own_sources = sources
        if own_sources is None and _has(rows, "source"):
            own_sources = [_pick(r, "source", name) for r in rows]
        own_references = references
        if own_references is None and _has(rows, "references"):
            own_references = [_picks(r) for r in rows]
        if corpora and own_sources == corpora[0].sources and _same(own_references, corpora[0].references):
            corpora.append(corpora[0].with_outputs(outputs, name=name))
            continue
        ids = [_id(record, start + i + 1) for i, record in enumerate(first)]
        corpora.append(Corpus(own_sources, outputs, own_references, ids=ids, name=name))
    if any(c.sources != corpora[0].sources for c in corpora):
        raise InputError(
            f"{names[0]} and {names[1]} do not have the same sources; compare systems on one test set."
        )
    return corpora


def _same(a: Sequence[Sequence[str]] | None, b: Sequence[Sequence[str]] | None) -> bool:
    if a is None or b is None:
        return a is b
    return len(a) == len(b) and all(tuple(x) == tuple(y) for x, y in zip(a, b, strict=True))


def _has(rows: Sequence[Record], field: str) -> bool:
    return bool(rows) and not isinstance(rows[0], str) and field in rows[0]


def _id(record: Record, number: int) -> str:
    return str(number) if isinstance(record, str) else str(record.get("id", number))


def _pick(record: Record, field: str, where: str) -> str:
    if isinstance(record, str):
        return record
    if "text" in record:
        return cast(str, record["text"])
    if field not in record:
        raise InputError(f"{where}: no field {field!r}; say which it is: --fields {field}=NAME.")
    return cast(str, record[field])


def _picks(record: Record) -> tuple[str, ...]:
    if isinstance(record, str):
        return (record,)
    if "text" in record:
        return (record["text"],)
    if "references" not in record:
        raise InputError(
            "the references file has no field 'references'; say which it is: --fields references=NAME."
        )
    return tuple(record["references"])


def _check_counts(sides: Sequence[_Input], refs: Sequence[_Input]) -> None:
    """Compare line counts before any work is done."""
    everything = [*sides, *refs]
    counts = [side.count() for side in everything]
    for side, count in zip(everything, counts, strict=True):
        if count == 0:
            raise InputError(f"{side.label}: empty, expected one text per line.")
    known = {c for c in counts if c is not None}
    if len(known) > 1:
        raise InputError(_different_lengths(everything, counts, n_refs=len(refs)))
    folders = [side for side in everything if side.kind == "folder"]
    for other in folders[1:]:
        names = ({p.name for p in folders[0]._documents()}, {p.name for p in other._documents()})
        if names[0] != names[1]:
            odd = sorted(names[0] ^ names[1])[0]
            raise InputError(f"{folders[0].path} and {other.path}: {odd} is in only one of them.")


def _different_lengths(sides: Sequence[_Input], counts: Sequence[int | None], n_refs: int = 0) -> str:
    """Which file is out of step, by how much, and what is probably wrong."""
    n_sides = len(sides) - n_refs
    expected = _most_common(
        [c for c in counts[:n_sides] if c is not None] or [c for c in counts if c is not None]
    )
    if n_refs == expected and n_refs > 1 and len(set(counts[n_sides:])) == 1:
        return (
            f"references look transposed: found {n_refs} files of {counts[-1]} lines, expected {counts[-1]} files of"
            f" {expected} lines, one file for each reference. Transpose them with: paste FILES"
        )
    agreed = _most_common([c for c in counts if c is not None])
    good = next(side for side, count in zip(sides, counts, strict=True) if count == agreed)
    bad, count = next((s, c) for s, c in zip(sides, counts, strict=True) if c is not None and c != agreed)
    hint = " Its last line is empty; remove it." if count == agreed + 1 and bad.ends_blank() else ""
    return f"{bad.label}: {count} {bad.unit}, but {good.label} has {agreed}.{hint}"


def _most_common(values: Sequence[int]) -> int:
    return max(values, key=lambda v: (values.count(v), v))


@contextmanager
def open_bytes(path: str) -> Iterator[BinaryIO]:
    """The bytes of a file, unpacked if its name ends in .gz or .xz, or of standard input (-)."""
    if path == _STANDARD_INPUT:
        yield sys.stdin.buffer
        return
    try:
        with Path(path).open("rb") as packed, _UNPACK.get(path[-3:], nullcontext)(packed) as raw:
            yield cast(BinaryIO, raw)
    except (OSError, EOFError, lzma.LZMAError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise InputError(f"{path}: cannot be read ({reason}).") from None


def _decode_lines(lines: Sequence[bytes], label: str, start: int) -> list[str]:
    """Lines without their ends; `start` lines came before them."""
    if start == 0 and lines:
        if lines[0].startswith((b"\xff\xfe", b"\xfe\xff")):
            raise InputError(
                f"{label}: looks like UTF-16, expected UTF-8. Convert it: iconv -f UTF-16 -t UTF-8."
            )
        lines = [lines[0].removeprefix(b"\xef\xbb\xbf"), *lines[1:]]
    try:
        text = b"".join(lines).decode("utf-8").removesuffix("\n")
        rows = text.split("\n")
        return [row.removesuffix("\r") for row in rows] if "\r" in text else rows
    except UnicodeDecodeError:
        for number, line in enumerate(lines, start + 1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as problem:
                byte = line[problem.start]
                raise InputError(
                    f"{label}, line {number}: byte 0x{byte:02x} is not UTF-8. Convert the file to UTF-8 first."
                ) from None
        raise


def _decoded(raw: BinaryIO, label: str) -> Iterator[str]:
    number = 0
    while batch := list(islice(raw, 4096)):
        for text in _decode_lines(batch, label, number):
            yield text + "\n"
        number += len(batch)


def _natural(name: str) -> tuple[int, str]:
    digits = re.sub(r"\D", "", name)
    return (int(digits) if digits else -1, name)


__all__ = [
    "FIELDS",
    "open_bytes",
    "open_text",
    "read_corpus",
    "read_systems",
    "read_table",
    "stream_systems",
    "system_names",
]
