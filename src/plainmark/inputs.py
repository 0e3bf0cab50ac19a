"""One side of a corpus as records: from a text, JSON lines, a table, a folder, standard input, or a list in memory.

Plain files and folders can be read from the middle, so that several processes share the work. Each range carries the size
and the digest of its content when the work began; every reader checks them.
"""

from __future__ import annotations

import dataclasses
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from .errors import InputError
from .files import (
    STANDARD_INPUT,
    absolute,
    bounded_lines,
    changed,
    decode_lines,
    is_remote,
    json_object,
    json_objects,
    label,
    open_bytes,
    table_rows,
    too_long,
    without_packing,
)
from .limits import limits

FIELDS = ("source", "output", "references", "id")
_CHUNK = 1 << 20

Fields = dict[str, Any]
Record = str | Fields  # the type of a record: a line of plain text, or named fields


@dataclass(frozen=True)
class RecordRange:
    """Consecutive records of an input: the byte (or document) they start at, how many precede them, and their number.

    `total` is the number of bytes (or documents) of the whole input, `digest` that of the range.
    """

    start: int
    before: int
    size: int
    end: int = 0
    total: int = 0
    digest: bytes = b""


@dataclass(frozen=True)
class Input:
    """One file, folder or list, read as records."""

    path: str  # for texts in memory: their name in messages
    kind: str  # lines, jsonl, table, folder, memory
    fields: Mapping[str, str] = dataclasses.field(default_factory=dict, hash=False)
    records: Sequence[Record] = dataclasses.field(default=(), hash=False, repr=False)  # for texts in memory

    @classmethod
    def open(cls, path: Any, fields: Mapping[str, str] | None, name: str = "texts") -> Input:
        """The input at a path, whose suffix says its kind, or texts in memory, which messages call `name`."""
        if not isinstance(path, (str, PathLike)):
            return cls(name, "memory", records=_records(path, name))
        text = str(path)
        for field in fields or ():
            if field not in FIELDS:
                raise InputError(f"unknown field {field!r}; expected one of {', '.join(FIELDS)}.")
        file = Path(text)
        if text != STANDARD_INPUT and not is_remote(text) and not file.exists():
            raise InputError(f"{text}: no such file.")
        file_name = without_packing(file.name).lower()
        if text != STANDARD_INPUT and file.is_dir():
            kind = "folder"
        elif file_name.endswith((".jsonl", ".ndjson")):
            kind = "jsonl"
        elif file_name.endswith((".csv", ".tsv")):
            kind = "table"
        else:
            kind = "lines"
        return cls(text, kind, fields or {})

    @property
    def label(self) -> str:
        """The name in error messages."""
        return label(self.path)

    @property
    def unit(self) -> str:
        """What error messages call its records."""
        units = {"table": "rows", "folder": "documents", "memory": "texts"}
        return units.get(self.kind, "lines")

    @property
    def seekable(self) -> bool:
        """Whether it can be read from the middle."""
        plain = self.kind in ("lines", "jsonl") and self.path == without_packing(self.path)
        return self.kind == "folder" or (plain and Path(self.path).is_file())

    def ranges(self, size: int) -> list[RecordRange]:
        """The ranges of blocks of `size` records, for inputs that are seekable."""
        if self.kind == "folder":
            files = self.documents()
            n = len(files)
            blocks = [(i, min(i + size, n)) for i in range(0, n, size)]
            return [
                RecordRange(i, i, end - i, end, n, self._read_documents(files[i:end])[1]) for i, end in blocks
            ]
        starts, digests, lines, at, last = [0], [hashlib.sha256()], 0, 0, b"\n"
        with open_bytes(self.path) as raw:
            while chunk := raw.read(_CHUNK):
                ends = np.flatnonzero(np.frombuffer(chunk, np.uint8) == ord("\n"))
                last_of_block = np.arange(size - lines % size - 1, len(ends), size)
                cuts = (ends[last_of_block] + 1).tolist()
                for begin, cut in zip([0, *cuts], cuts, strict=False):
                    digests[-1].update(chunk[begin:cut])
                    digests.append(hashlib.sha256())
                digests[-1].update(chunk[cuts[-1] if cuts else 0 :])
                starts += [at + cut for cut in cuts]
                lines += len(ends)
                at += len(chunk)
                last = chunk[-1:]
        lines += last != b"\n"
        return [
            RecordRange(start, i * size, min(size, lines - i * size), end, at, digest.digest())
            for i, (start, end, digest) in enumerate(zip(starts, [*starts[1:], at], digests, strict=False))
            if i * size < lines
        ]

    def read(self, part: RecordRange) -> list[Record]:
        """The records of a range; an error if they have changed."""
        if self.kind == "folder":
            files = self.documents()
            if len(files) != part.total:
                raise changed(self.path, f"{part.total} files at first, {len(files)} now")
            records, digest = self._read_documents(files[part.start : part.end])
            self._check(digest, part)
            return records
        with open_bytes(self.path) as raw:
            raw.seek(part.start)
            data = raw.read(part.end - part.start)
            total = raw.seek(0, 2)
        if total != part.total:
            raise changed(self.path, f"{part.total:,} bytes at first, {total:,} now")
        self._check(hashlib.sha256(data).digest(), part)
        lines = data.split(b"\n")[: part.size]
        longest = max(lines, key=len)
        if len(longest) >= limits().line_bytes:
            raise too_long(self.label, part.before + lines.index(longest) + 1)
        texts = decode_lines([line + b"\n" for line in lines], self.label, part.before)
        if self.kind == "lines":
            return list(texts)
        places = (f"{self.label}, line {n}" for n in range(part.before + 1, part.before + part.size + 1))
        return [
            self._record(json_object(text, place), place) for text, place in zip(texts, places, strict=True)
        ]

    def _check(self, digest: bytes, part: RecordRange) -> None:
        if digest != part.digest:
            unit = "file" if self.kind == "folder" else "line"
            raise changed(self.path, f"another content from {unit} {part.before + 1} on")

    def absolute(self) -> Input:
        """The same input for a process that works in another folder."""
        return dataclasses.replace(self, path=absolute(self.path)) if self.kind != "memory" else self

    def without_records(self) -> Input:
        """The same input without its texts, so that it is cheap to send to another process."""
        return dataclasses.replace(self, records=()) if self.records else self

    def ends_blank(self) -> bool:
        """Whether the last line of a plain text is empty, a frequent cause of one line too many."""
        if self.kind != "lines" or self.path == STANDARD_INPUT:
            return False
        with open_bytes(self.path) as raw:
            tail = b""
            for line in bounded_lines(raw, self.label):
                tail = line
        return not tail.strip()

    def blocks(self, size: int) -> Iterator[list[Record]]:
        """All records from the start, `size` at a time."""
        if self.kind == "lines":
            yield from self._line_blocks(size)
            return
        rows = self._all_records()
        while batch := list(islice(rows, size)):
            yield batch

    def _all_records(self) -> Iterator[Record]:
        if self.kind == "memory":
            return iter(self.records)
        if self.kind == "folder":
            return (record for path in self.documents() for record in self._read_documents([path])[0])
        rows = json_objects(self.path) if self.kind == "jsonl" else table_rows(self.path)
        return (self._record(row, place) for place, row in rows)

    def _line_blocks(self, size: int) -> Iterator[list[Record]]:
        with open_bytes(self.path) as raw:
            start = 0
            lines = bounded_lines(raw, self.label)
            while batch := list(islice(lines, size)):
                yield list(decode_lines(batch, self.label, start))
                start += len(batch)

    def _read_documents(self, files: Sequence[Path]) -> tuple[list[Record], bytes]:
        """The records of documents, and the digest of their names and contents."""
        records, digest = [], hashlib.sha256()
        for path in files:
            with open_bytes(str(path)) as raw:
                data = raw.read()
            digest.update(
                hashlib.sha256(path.name.encode("utf-8", "surrogateescape") + b"\0" + data).digest()
            )
            records.append(self._document(path, data))
        return records, digest.digest()

    def _document(self, path: Path, data: bytes) -> Record:
        text = "\n".join(decode_lines(data.splitlines(keepends=True), str(path), 0)).strip("\n")
        return {"text": text, "id": path.name}

    def documents(self) -> list[Path]:
        """The files of a folder."""
        files = sorted(p for p in Path(self.path).iterdir() if p.is_file() and not p.name.startswith("."))
        if not files:
            raise InputError(f"{self.path}: an empty folder, expected one file per document.")
        return files

    def _record(self, row: Mapping[str, Any], place: str) -> Fields:
        out: Fields = {}
        for field in FIELDS:
            name = self.fields.get(field, field)
            if name in row:
                out[field] = row[name]
            elif field in self.fields:
                raise InputError(f"{place}: no field {name!r}; it has {', '.join(map(str, row))}.")
        if "references" not in out and "references" not in self.fields:
            numbered = sorted((k for k in row if re.fullmatch(r"references?[ _.-]?\d*", k)), key=_natural)
            if numbered:
                out["references"] = [row[k] for k in numbered]
        for field in ("source", "output"):
            if field in out and not isinstance(out[field], str):
                raise InputError(f"{place}: {field} is {type(out[field]).__name__}, expected text.")
        if "references" in out:
            refs = [out["references"]] if isinstance(out["references"], str) else out["references"]
            if not isinstance(refs, list) or not refs or not all(isinstance(r, str) for r in refs):
                raise InputError(f"{place}: references must be a text or a non-empty list of texts.")
            out["references"] = refs
        if len(out) == 0 or set(out) == {"id"}:
            raise InputError(
                f"{place}: none of the fields source, output, references; it has {', '.join(map(str, row))}."
                " Say which is which: --fields output=NAME,source=NAME."
            )
        return out


def _natural(name: str) -> tuple[int, str]:
    digits = re.sub(r"\D", "", name)
    return (int(digits) if digits else -1, name)


def _records(texts: Any, name: str) -> list[Record]:
    """The records of texts in memory: a corpus, texts, or lists of references."""
    if not isinstance(texts, Sequence):
        raise InputError(f"{name}: found {type(texts).__name__}, expected a path or a list of texts.")
    corpus: Any = texts
    if hasattr(corpus, "outputs"):  # a Corpus, which this module may not import
        return [
            {"output": output, "id": key}
            | ({} if corpus.sources is None else {"source": corpus.sources[i]})
            | ({} if corpus.references is None else {"references": list(corpus.references[i])})
            for i, (output, key) in enumerate(zip(corpus.outputs, corpus.ids, strict=True))
        ]
    records: list[Record] = []
    for number, text in enumerate(texts, 1):
        if isinstance(text, str):
            records.append(text)
        elif isinstance(text, (list, tuple)) and text and all(isinstance(t, str) for t in text):
            records.append({"references": list(text)})
        else:
            raise InputError(
                f"{name}: item {number} is {type(text).__name__}, expected a text (or a list of references)."
            )
    return records
