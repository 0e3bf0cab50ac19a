"""Readability of a text and of its simplification, side by side."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np

from .. import kernels
from ..data import Corpus
from ..metric import Metric, metric
from ..syllables import count_words

Verdict = Literal["easier", "harder", "same", ""]

LONG = 20  # words; plain-language guides ask for 15 to 20 on average


@dataclass(frozen=True)
class Measure:
    """One property of the original and of the simplified text; None is undefined."""

    name: str
    label: str
    before: float | None
    after: float | None
    better: Literal["lower", "higher", ""]
    verdict: Verdict
    meaning: str


def measures(source: str, output: str, spans: Sequence[Sequence[tuple[int, int]]]) -> tuple[Measure, ...]:
    """Readability before and after; `spans` are the sentences of either text."""
    both = Corpus([source], [output], language="en")  # the notes mention it if a text is not English
    columns = kernels.COUNT_COLUMNS
    counts = count_words([source, output])
    letters = [_share(row[columns.index("letters")], row[columns.index("words")]) for row in counts]
    longest = [
        max((word_count(text[a:b]) for a, b in rows), default=0) or None
        for text, rows in zip((source, output), spans, strict=True)
    ]

    def scored(name: str) -> tuple[float | None, float | None]:
        before, after = (_metric(name, side).score(both).value for side in ("source", "output"))
        return _number(before), _number(after)

    rows: list[tuple[str, str, tuple[float | None, float | None], Literal["lower", "higher", ""], str]] = [
        (
            "fkgl",
            "School grade (Flesch-Kincaid)",
            scored("fkgl"),
            "lower",
            "Years of school, in the United States, that the lengths of sentences and words require.",
        ),
        (
            "smog",
            "School grade (SMOG)",
            scored("smog"),
            "lower",
            "The same, estimated from words of three or more syllables; made for 30 sentences, imprecise for fewer.",
        ),
        (
            "sentence_length",
            "Words in a sentence",
            scored("sentence_length"),
            "lower",
            f"On average. Plain-language guides ask for 15 to {LONG}.",
        ),
        ("longest", "Words in the longest sentence", (longest[0], longest[1]), "lower", "One long sentence is enough to lose a reader."),
        ("word_length", "Letters in a word", (letters[0], letters[1]), "lower", "On average."),
        (
            "familiarity",
            "Familiar words, %",
            scored("familiarity"),
            "higher",
            "How many of the words are among the 1,000 commonest of English.",
        ),
        (
            "words",
            "Words",
            (float(counts[0][0]), float(counts[1][0])),
            "",
            "Shorter is not simpler: it may be that something is missing.",
        ),
        ("sentences", "Sentences", (float(len(spans[0])), float(len(spans[1]))), "", ""),
    ]  # fmt: skip
    return tuple(
        Measure(name, label, before, after, better, _verdict(before, after, better), meaning)
        for name, label, (before, after), better, meaning in rows
    )


def word_count(text: str) -> int:
    """The number of words of a sentence; in a script without spaces, the number of runs."""
    return len(re.findall(r"\w+(?:['’.,-]\w+)*", text))


def sentence_of(spans: Sequence[tuple[int, int]], position: int) -> int:
    """The index of the sentence that contains a character."""
    starts = [a for a, _ in spans]
    return max(int(np.searchsorted(starts, position, side="right")) - 1, 0)


@cache
def _metric(name: str, side: str) -> Metric:
    return metric(f"{name}(side='{side}')")


def _share(part: float, whole: float) -> float | None:
    return float(part) / float(whole) if whole else None


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _verdict(before: float | None, after: float | None, better: str) -> Verdict:
    if before is None or after is None or not better:
        return ""
    if abs(after - before) < 0.05:
        return "same"
    return "easier" if (after < before) == (better == "lower") else "harder"
