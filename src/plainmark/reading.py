"""Reading corpora: plain text, JSON lines, CSV/TSV, folders of documents, standard input, lists in memory.

Plain text has one segment per line; further references are further files. JSON lines and CSV/TSV have the
fields source, output, references (or reference_1, reference_2, ...) and id; `fields` maps these to other
names. A folder has one file per document, and the same file names on every side. Files ending in .gz or .xz
are unpacked while they are read. Everything is read block by block, so a stream of a million samples needs
the memory of a few thousand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from os import PathLike
from pathlib import Path
from typing import Any, cast

from .data import BLOCK, Corpus
from .errors import InputError
from .files import STANDARD_INPUT, without_packing
from .inputs import FIELDS, Input, Record, RecordRange


def read_corpus(
    *,
    output: Any,
    source: Any = None,
    references: Sequence[Any] = (),
    fields: Mapping[str, str] | None = None,
) -> Corpus:
    """Read the whole corpus of one system."""
    (corpus,) = read_systems([output], source=source, references=references, fields=fields)
    return corpus


def read_systems(
    outputs: Sequence[Any],
    *,
    source: Any = None,
    references: Sequence[Any] = (),
    fields: Mapping[str, str] | None = None,
    names: Sequence[str] = (),
) -> list[Corpus]:
    """Read several systems on one whole test set; sources and references are shared."""
    blocks = read_blocks(outputs, source=source, references=references, fields=fields, names=names)
    return join_blocks([block.read() for block in blocks])


def join_blocks(blocks: Sequence[Sequence[Corpus]]) -> list[Corpus]:
    """One whole corpus per system, from blocks [block][system]."""
    if len(blocks) == 1:
        return list(blocks[0])
    base: Corpus | None = None
    whole: list[Corpus] = []
    for corpora in zip(*blocks, strict=True):
        texts = [text for corpus in corpora for text in corpus.outputs]
        first = corpora[0]
        if base is None or first.references is not blocks[0][0].references:
            sources = None if first.sources is None else [s for c in corpora for s in c.sources or ()]
            refs = None if first.references is None else [r for c in corpora for r in c.references or ()]
            base = Corpus(sources, texts, refs, ids=[i for c in corpora for i in c.ids], name=first.name)
            base.language = first.language
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
    """Read several systems in blocks: each item holds one corpus per system, of at most `block` samples."""
    for part in read_blocks(outputs, source=source, references=references, fields=fields, block=block):
        yield part.read()


@dataclass(frozen=True)
class SampleBlock:
    """Some samples of every system, which any process that sees the files can read."""

    names: tuple[str, ...]
    inputs: tuple[Input, ...]  # the systems' outputs, the source if there is one, the references
    parts: tuple[RecordRange | list[Record], ...]  # the ranges of the records, or the records themselves
    has_source: bool
    n_refs: int
    start: int
    size: int

    def absolute(self) -> SampleBlock:
        """The same block for a process that works in another folder."""
        return replace(self, inputs=tuple(side.absolute() for side in self.inputs))

    def read(self) -> list[Corpus]:
        """One corpus per system."""
        parts = [
            side.read(part) if isinstance(part, RecordRange) else part
            for side, part in zip(self.inputs, self.parts, strict=True)
        ]
        return _assemble(parts, self.names, has_source=self.has_source, n_refs=self.n_refs, start=self.start)


def read_blocks(
    outputs: Sequence[Any],
    *,
    source: Any = None,
    references: Sequence[Any] = (),
    fields: Mapping[str, str] | None = None,
    block: int = BLOCK,
    names: Sequence[str] = (),
) -> Iterator[SampleBlock]:
    """Blocks of at most `block` samples; if possible, sides of different lengths raise an error before the first block.

    Outputs, source and references are paths, texts in memory, or (as outputs) corpora.
    """
    if not outputs:
        raise InputError("no outputs given; expected at least one file with a system's outputs.")
    system_labels = tuple(names or system_names(outputs))
    systems = [
        Input.open(path, fields, f"outputs of {name}")
        for path, name in zip(outputs, system_labels, strict=True)
    ]
    sides = [*systems, *([] if source is None else [Input.open(source, fields, "source")])]
    refs = [Input.open(path, fields, f"references {i}") for i, path in enumerate(references, 1)]
    inputs = (*sides, *refs)
    if sum(side.path == STANDARD_INPUT for side in inputs) > 1:
        raise InputError("standard input (-) can be read only once; give files for the other sides.")
    ranges = {side: side.ranges(block) for side in dict.fromkeys(inputs) if side.seekable}
    counts = {side: sum(part.size for part in parts) for side, parts in ranges.items()}
    counts |= {side: len(side.records) for side in inputs if side.kind == "memory"}
    _check_counts(sides, refs, counts)
    if len(ranges) == len(set(inputs)):
        rows: Iterator[tuple[RecordRange | list[Record] | None, ...]] = zip(
            *(ranges[side] for side in inputs), strict=True
        )
    else:
        rows = zip_longest(*(side.blocks(block) for side in inputs))
    light = tuple(side.without_records() for side in inputs)
    start = 0
    for row in rows:
        lengths = [0 if p is None else p.size if isinstance(p, RecordRange) else len(p) for p in row]
        if len(set(lengths)) > 1:
            raise InputError(_different_lengths(inputs, [start + n for n in lengths]))
        parts = tuple(part for part in row if part is not None)
        yield SampleBlock(system_labels, light, parts, source is not None, len(refs), start, lengths[0])
        start += lengths[0]
    if start == 0:
        raise InputError(f"{sides[0].label}: empty, expected one text per sample.")


def system_names(paths: Sequence[Any]) -> list[str]:
    """Short names for systems: the file names without suffix, with as many of their folders as are needed to
    make all names different.

    >>> system_names(["runs/a.txt", "runs/b.txt"]), system_names(["in/x/run1.txt", "in/y/run1.txt", "in/y/best.txt"])
    (['a', 'b'], ['x/run1', 'y/run1', 'y/best'])
    """
    whole = [_file_name(path, i) for i, path in enumerate(paths, 1)]
    files = [Path(name) for name in whole]
    short = [re.sub(r"\.(txt|jsonl|ndjson|csv|tsv|tok|out)$", "", without_packing(f.name)) for f in files]
    for depth in range(max((len(f.parts) for f in files), default=1)):
        folders = [f.parent.parts[-depth:] if depth else () for f in files]
        names = ["/".join((*parts, name)) for parts, name in zip(folders, short, strict=True)]
        if len(set(names)) == len(names):
            return names
    return whole


def _file_name(path: Any, number: int) -> str:
    """The path as text; for texts in memory the name of the corpus, or a number."""
    if isinstance(path, (str, PathLike)):
        return "stdin" if str(path) == STANDARD_INPUT else str(path)
    return getattr(path, "name", "") or (f"system {number}")


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
        # A plain file holds one reference per sample, a structured one may hold several: put all of them together.
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


def _pick(record: Record, field: str, owner: str) -> str:
    if isinstance(record, str):
        return record
    if "text" in record:
        return cast(str, record["text"])
    if field not in record:
        raise InputError(f"{owner}: no field {field!r}; say which it is: --fields {field}=NAME.")
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


def _check_counts(sides: Sequence[Input], refs: Sequence[Input], known_counts: Mapping[Input, int]) -> None:
    """Compare the numbers of records before any work is done."""
    everything = [*sides, *refs]
    counts = [known_counts.get(side) for side in everything]
    for side, count in zip(everything, counts, strict=True):
        if count == 0:
            raise InputError(f"{side.label}: empty, expected one text per line.")
    if len({count for count in counts if count is not None}) > 1:
        raise InputError(_different_lengths(everything, counts, n_refs=len(refs)))
    folders = [side for side in everything if side.kind == "folder"]
    for other in folders[1:]:
        names = ({p.name for p in folders[0].documents()}, {p.name for p in other.documents()})
        if names[0] != names[1]:
            odd = sorted(names[0] ^ names[1])[0]
            raise InputError(f"{folders[0].path} and {other.path}: {odd} is in only one of them.")


def _different_lengths(sides: Sequence[Input], counts: Sequence[int | None], n_refs: int = 0) -> str:
    """A message that names the file with the different length, the difference, and the probable cause."""
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


__all__ = [
    "FIELDS",
    "SampleBlock",
    "join_blocks",
    "read_blocks",
    "read_corpus",
    "read_systems",
    "stream_systems",
    "system_names",
]
