"""The prose of a document as one text, and the place of each of its characters in the file.

Checks read paragraphs, headings, list items and cells, with an empty line between them, but no code, addresses or markup.
Places are lines and columns from 1; in a Word document lines are its paragraphs, in a PDF file lines of its text.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

_COMMENT = re.compile(r"<!--\s*plainmark:\s*(ignore-file|ignore)\b([^>]*?)-->")
_IDS = re.compile(r"[A-Z]{2}\d{3}")
ALL = frozenset({"*"})


class Location(NamedTuple):
    """Line and column from 1, and the page of a PDF file (else 0)."""

    line: int
    column: int
    page: int = 0


@dataclass(frozen=True)
class Suppressions:
    """Rules that comments in a file switch off, for the whole file or for some of its lines."""

    everywhere: frozenset[str] = frozenset()
    lines: dict[int, frozenset[str]] = field(default_factory=dict)

    def covers(self, rule: str, line: int) -> bool:
        """Whether findings of a rule in a line are suppressed."""
        rules = self.everywhere | self.lines.get(line, frozenset())
        return rule in rules or "*" in rules


@dataclass(frozen=True, eq=False)
class Prose:
    """A text, its source, and the place of each of its characters in the source."""

    text: str
    source: str
    places: Sequence[int]  # one per character of the text, and the end
    links: tuple[tuple[int, int], ...] = ()
    suppressions: Suppressions = Suppressions()
    pages: tuple[int, ...] = ()  # start of each page of a PDF file in the source

    @classmethod
    def plain(cls, text: str) -> Prose:
        """A text without markup."""
        blanked = _COMMENT.sub(lambda m: " " * len(m.group()), text)
        return cls(blanked, text, range(len(text) + 1), suppressions=suppressions(text))

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """The place of characters of the text in the source."""
        first = self.places[start]
        return first, (self.places[end - 1] + 1 if end > start else first)

    def locate(self, offset: int) -> Location:
        """Line and column of a character of the text."""
        place = self.places[min(offset, len(self.text))]
        line = bisect_right(self._lines, place)
        page = bisect_right(self.pages, place) if self.pages else 0
        first = self._lines[line - 1]
        return Location(line, place - first + 1, page)

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(m.end() for m in re.finditer("\n", self.source))]


class ProseBuilder:
    """Builds a text from parts of a source."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._parts: list[str] = []
        self._places = array("q")
        self._length = 0
        self._links: list[tuple[int, int]] = []

    def __len__(self) -> int:
        return self._length

    def add(self, start: int, end: int) -> None:
        """Add characters of the source unchanged."""
        if start < end:
            self._parts.append(self._source[start:end])
            self._places.extend(range(start, end))
            self._length += end - start

    def put(self, text: str, place: int) -> None:
        """Add other characters, all at one place of the source."""
        self._parts.append(text)
        self._places.extend([place] * len(text))
        self._length += len(text)

    def end_paragraph(self, place: int) -> None:
        """End a paragraph with an empty line, unless it already ends with one."""
        if self._parts and not self._parts[-1].endswith("\n\n"):
            self.put("\n\n", place)

    def link(self, start: int) -> None:
        """Mark the text from a place to its current end as a link text."""
        if start < self._length:
            self._links.append((start, self._length))

    def build(self) -> Prose:
        """The prose."""
        self._places.append(len(self._source))
        return Prose(
            "".join(self._parts), self._source, self._places, tuple(self._links), suppressions(self._source)
        )


def suppressions(source: str) -> Suppressions:
    """The suppressions in comments such as <!-- plainmark: ignore PM101 -->.

    A comment on a line of its own applies to the paragraph after it, any other comment to its line; without ids, it applies
    to all rules.
    """
    everywhere: set[str] = set()
    lines: dict[int, frozenset[str]] = {}
    if "plainmark:" not in source:
        return Suppressions()
    rows = source.split("\n")
    for number, row in enumerate(rows, 1):
        for match in _COMMENT.finditer(row):
            rules = frozenset(_IDS.findall(match[2].upper())) or ALL
            if match[1] == "ignore-file":
                everywhere |= rules
                continue
            for line in _paragraph_after(rows, number) if not _COMMENT.sub("", row).strip() else [number]:
                lines[line] = lines.get(line, frozenset()) | rules
    return Suppressions(frozenset(everywhere), lines)


def _paragraph_after(rows: Sequence[str], number: int) -> Iterator[int]:
    started = False
    for line in range(number + 1, len(rows) + 1):
        if rows[line - 1].strip():
            started = True
            yield line
        elif started:
            return
