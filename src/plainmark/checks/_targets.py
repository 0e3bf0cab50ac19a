"""Targets that a text should meet, and what is measured against them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..errors import OptionError
from ..models.plain_encoder import LEVELS

CEFR_LEVELS = LEVELS


@dataclass(frozen=True)
class Targets:
    """Upper limits for a text: school grade, CEFR level, words per sentence, percentage of sentences with a passive.

    >>> Targets(grade=8, cefr="B1").cefr
    'B1'
    """

    grade: float | None = None
    cefr: str | None = None
    max_sentence: int | None = None
    max_passive: float | None = None

    def __post_init__(self) -> None:
        if self.cefr is not None and self.cefr not in LEVELS:
            raise OptionError(f"the CEFR level is {self.cefr!r}, expected one of {', '.join(LEVELS)}.")
        for name, least, most in (("grade", 0, 30), ("max_sentence", 1, 1000), ("max_passive", 0, 100)):
            value = getattr(self, name)
            if value is not None and not least <= value <= most:
                raise OptionError(f"{name} is {value:g}, expected a number from {least} to {most}.")

    def to_dict(self) -> dict[str, Any]:
        """The targets as a dictionary for JSON."""
        return dict(vars(self))


@dataclass(frozen=True)
class Measures:
    """Measures of a text; None if there is nothing to count or no model.

    `grade` is Flesch-Kincaid's, `passive` the percentage of sentences with a passive, `cefr` the mean level of sentences
    from 1 (A1) to 6 (C2) and `cefr_level` its name.
    """

    words: int
    sentences: int
    grade: float | None
    longest: int
    passive: float | None
    cefr: float | None = None

    @property
    def cefr_level(self) -> str | None:
        """The name of the level."""
        return None if self.cefr is None else LEVELS[min(max(int(self.cefr + 0.5), 1), 6) - 1]

    def to_dict(self) -> dict[str, Any]:
        """The measures as a dictionary for JSON."""
        return vars(self) | {"cefr_level": self.cefr_level}


@dataclass(frozen=True)
class TargetResult:
    """One target: the value of the text, the limit, and whether it is met."""

    name: str
    value: float | str | None
    limit: float | str
    met: bool


@dataclass(frozen=True)
class CostlySentence:
    """A sentence that raises the grade of the text: by how much, and what would help."""

    sentence: int
    start: int
    end: int
    cost: float
    help: tuple[str, ...]


def grade(words: float, sentences: float, syllables: float) -> float | None:
    """Flesch-Kincaid's grade of counts; None without words."""
    if not words or not sentences:
        return None
    return 0.39 * words / sentences + 11.8 * syllables / words - 15.59


def results(targets: Targets, measures: Measures) -> tuple[TargetResult, ...]:
    """Each target that was set, with whether the text meets it; a text that cannot be measured meets it."""
    rows: list[TargetResult] = []
    if targets.grade is not None:
        value = measures.grade
        rows.append(
            TargetResult("grade", value, targets.grade, value is None or round(value, 1) <= targets.grade)
        )
    if targets.cefr is not None:
        level = measures.cefr_level
        met = level is None or LEVELS.index(level) <= LEVELS.index(targets.cefr)
        rows.append(TargetResult("cefr", level, targets.cefr, met))
    if targets.max_sentence is not None:
        rows.append(
            TargetResult(
                "max_sentence",
                measures.longest,
                targets.max_sentence,
                measures.longest <= targets.max_sentence,
            )
        )
    if targets.max_passive is not None:
        share = measures.passive
        rows.append(
            TargetResult(
                "max_passive",
                share,
                targets.max_passive,
                share is None or round(share, 1) <= targets.max_passive,
            )
        )
    return tuple(rows)
