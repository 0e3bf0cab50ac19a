"""One side of a corpus, read as records: a text, JSON lines, a table, a folder of documents, standard input.

What lies in a plain file or folder can be read from the middle, so that several processes share the work.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from .errors import InputError
from .files import (
    STANDARD_INPUT,
    decode_lines,
    is_remote,
    json_object,
    json_objects,
    label,
    open_bytes,
    table_rows,
    without_packing,
)

FIELDS = ("source", "output", "references", "id")
_CHUNK = 1 << 20

Fields = dict[str, Any]
Record = str | Fields  # a line of plain text, or named fields


@dataclass(frozen=True)
class Piece:
    """Some records of an input: the byte (or document) that they start at, how many are before them, and their number."""

    start: int
    before: int
    size: int


@dataclass(frozen=True)
class Input:
    """One file or folder, read as records."""

    path: str
    kind: str  # lines, jsonl, table, folder
    fields: Mapping[str, str] = dataclasses.field(default_factory=dict, hash=False)

    @classmethod
    def open(cls, path: Any, fields: Mapping[str, str] | None) -> Input:
        """The input that a path stands for; its name says of which kind."""
        text = str(path)
        for field in fields or ():
            if field not in FIELDS:
                raise InputError(f"unknown field {field!r}; expected one of {', '.join(FIELDS)}.")
        where = Path(text)
        if text != STANDARD_INPUT and not is_remote(text) and not where.exists():
            raise InputError(f"{text}: no such file.")
        name = without_packing(where.name).lower()
        if text != STANDARD_INPUT and where.is_dir():
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
        """What it is called in complaints."""
        return label(self.path)

    @property
    def unit(self) -> str:
        """What its records are called in complaints."""
        return {"lines": "lines", "jsonl": "lines", "table": "rows", "folder": "documents"}[self.kind]

    @property
    def seekable(self) -> bool:
        """Whether it can be read from the middle."""
        plain = self.kind in ("lines", "jsonl") and self.path == without_packing(self.path)
        return self.kind == "folder" or (plain and Path(self.path).is_file())

    def pieces(self, size: int) -> list[Piece]:
        """Where each `size` records are; of inputs that are seekable."""
        if self.kind == "folder":
            n = len(self.documents())
            return [Piece(i, i, min(size, n - i)) for i in range(0, n, size)]
        starts, lines, at, last = [0], 0, 0, b"\n"
        with open_bytes(self.path) as raw:
            while chunk := raw.read(_CHUNK):
                ends = np.flatnonzero(np.frombuffer(chunk, np.uint8) == ord("\n"))
                wanted = np.arange(size - lines % size - 1, len(ends), size)
                starts += (at + ends[wanted] + 1).tolist()
                lines += len(ends)
                at += len(chunk)
                last = chunk[-1:]
        lines += last != b"\n"
        return [
            Piece(start, i * size, min(size, lines - i * size))
            for i, start in enumerate(starts)
            if i * size < lines
        ]

    def piece(self, piece: Piece) -> list[Record]:
        """The records of a piece."""
        if self.kind == "folder":
            return [self._document(p) for p in self.documents()[piece.start : piece.start + piece.size]]
        with open_bytes(self.path) as raw:
            raw.seek(piece.start)
            texts = decode_lines(list(islice(raw, piece.size)), self.label, piece.before)
        if self.kind == "lines":
            return list(texts)
        places = (f"{self.label}, line {n}" for n in range(piece.before + 1, piece.before + piece.size + 1))
        return [
            self._record(json_object(text, where), where) for text, where in zip(texts, places, strict=True)
        ]

    def ends_blank(self) -> bool:
        """Whether the last line of a plain text is empty, a frequent cause of one line too many."""
        if self.kind != "lines" or self.path == STANDARD_INPUT:
            return False
        with open_bytes(self.path) as raw:
            tail = b""
            for line in raw:
                tail = line
        return not tail.strip()

    def blocks(self, size: int) -> Iterator[list[Record]]:
        """All records, from the start, `size` at a time."""
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
                yield list(decode_lines(batch, self.label, start))
                start += len(batch)

    def _json_records(self) -> Iterator[Record]:
        for where, row in json_objects(self.path):
            yield self._record(row, where)

    def _table_records(self) -> Iterator[Record]:
        for where, row in table_rows(self.path):
            yield self._record(row, where)

    def _folder_records(self) -> Iterator[Record]:
        return map(self._document, self.documents())

    def _document(self, path: Path) -> Record:
        with open_bytes(str(path)) as raw:
            data = raw.read()
        text = "\n".join(decode_lines(data.splitlines(keepends=True), str(path), 0)).strip("\n")
        return {"text": text, "id": path.name}

    def documents(self) -> list[Path]:
        """The files of a folder."""
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


def _natural(name: str) -> tuple[int, str]:
    digits = re.sub(r"\D", "", name)
    return (int(digits) if digits else -1, name)
