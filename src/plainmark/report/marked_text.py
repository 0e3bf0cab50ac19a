"""Texts with marked words, and columns of sentences with ribbons between aligned ones.

The macros `marked`, `legend` and `columns` show them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ..operations import Op

MEANINGS = {
    "kept": "word for word",
    "rewritten": "one sentence became one other",
    "split": "one sentence became several",
    "merged": "several sentences became one",
    "regrouped": "several sentences became several others",
    "perhaps rewritten": "may say the same in other words: check",
    "deleted": "nothing in the simplification says it",
    "added": "nothing in the source says it",
    "moved": "stands at another place",
}


@dataclass(frozen=True)
class Run:
    """Words with the same operation ("" and "keep" have no mark); a flag describes a fact that differs."""

    text: str
    op: Op | Literal[""] = ""
    flag: str = ""


@dataclass(frozen=True)
class MarkedSentence:
    """A sentence in a column: its words, its group, its change, and a description for readers who cannot see the ribbons."""

    runs: Sequence[Run]
    group: int
    change: str
    moved: bool
    spoken: str = ""


@dataclass(frozen=True)
class Column:
    """A text as a column of sentences; `origin` describes its source, None if that is not shown."""

    heading: str
    sentences: Sequence[MarkedSentence]
    origin: str | None = None


@dataclass(frozen=True)
class LegendEntry:
    """A kind of change with its number of occurrences, its name and its meaning."""

    kind: str
    count: int
    name: str
    meaning: str


def legend(
    counts: Mapping[str, int], names: Mapping[str, str] | None = None, meanings: Mapping[str, str] = MEANINGS
) -> list[LegendEntry]:
    """Legend entries for the changes that occur."""
    return [LegendEntry(c, n, (names or {}).get(c, c), meanings[c]) for c, n in counts.items() if n]


def counted_sentences(indices: Sequence[int]) -> str:
    """Sentences by their numbers from 1: "sentence 2, 3"."""
    return "sentence " + ", ".join(str(i + 1) for i in indices)
