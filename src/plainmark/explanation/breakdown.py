"""The parts of an explained score: contributions of n-grams or words, in points that add up to the score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..data import Corpus, Sample
from ..metric import Metric
from ..result import finite

Gram = tuple[str, ...]


@dataclass(frozen=True)
class Contribution:
    """An n-gram or a word: the operation on it, the references that agree, and its contribution in points.

    Counts are occurrences in source and output, and the number of references that have it.
    """

    operation: str
    order: int
    text: str
    points: float
    source: int | None
    output: int | None
    references: int | None
    verdict: str


@dataclass(frozen=True)
class Share:
    """A part of the score: one operation and order, its credit and the divisor of the credit, and its points."""

    operation: str
    order: int
    precision: float | None
    recall: float | None
    points: float


@dataclass(frozen=True)
class Breakdown:
    """The score of one sample, its parts, and the contributions that add up to it."""

    sample: Sample
    score: float
    parts: dict[str, float]
    formula: str
    shares: tuple[Share, ...]
    contributions: tuple[Contribution, ...]

    def record(self) -> dict[str, Any]:
        """Plain data; undefined is None."""
        return {
            "source": self.sample.source,
            "output": self.sample.output,
            "references": list(self.sample.references),
            "score": finite(self.score),
            "parts": {name: finite(value) for name, value in self.parts.items()},
            "formula": self.formula,
            "shares": [asdict(s) for s in self.shares],
            "contributions": [asdict(c) for c in self.contributions],
        }


def break_down(
    metric: Metric,
    corpus: Corpus,
    formula: str,
    shares: Iterable[Share],
    contributions: Iterable[Contribution],
) -> Breakdown:
    values = metric.sample_parts(corpus)[0]
    parts = dict(zip(metric.part_names[1:], map(float, values[1:]), strict=True))
    return Breakdown(corpus[0], float(values[0]), parts, formula, tuple(shares), tuple(contributions))


def count_grams(tokens: Sequence[str], order: int) -> Counter[Gram]:
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def of_references(number: int, total: int) -> str:
    return f"{number} of {total} references" if total != 1 else "the reference"
