"""What the readability metrics share: counts of words, added up over the corpus, and textstat's way to round."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from ..data import Corpus
from ..kernels import COUNT_COLUMNS, Ints
from ..metric import Floats, Metric
from ..syllables import NO_PYPHEN, count_words, has_pyphen
from . import _easse_counts


@dataclass(frozen=True)
class Counted(Metric):
    """A metric of the counts of one side's texts; the corpus score is that of the summed counts."""

    side: Annotated[Literal["output", "source"], "whose texts to measure"] = "output"

    columns: ClassVar[tuple[str, ...]]  # of kernels.COUNT_COLUMNS, "words" first; they are the parts

    @property
    def part_names(self) -> tuple[str, ...]:
        return (self.name, *self.columns)

    def required(self) -> frozenset[str]:
        return frozenset({"source"} if self.side == "source" else ())

    def stats(self, corpus: Corpus) -> Floats:
        columns = [COUNT_COLUMNS.index(name) for name in self.columns]
        return counts(corpus, self.side, "plain")[:, columns].astype(np.float64)

    def reduce(self, stats: Floats) -> Floats:
        value = np.full(stats.shape[:-1], np.nan)
        defined = stats[..., 0] > 0
        value[defined] = self.formula(dict(zip(self.columns, stats[defined].T, strict=True)))
        return np.concatenate([value[..., None], stats], axis=-1)

    def defined(self, stats: Floats) -> NDArray[np.bool_]:
        # A text that is too short for a formula of its own still adds its counts to the corpus.
        has_words: NDArray[np.bool_] = stats[..., 0] > 0
        return has_words

    @abstractmethod
    def formula(self, n: dict[str, Floats]) -> Floats:
        """The score from the counts of texts that have words."""


@dataclass(frozen=True)
class Readability(Counted):
    """A readability formula, with this package's counts or textstat's; undefined (NaN) for a text without words."""

    variant: Annotated[
        Literal["plainmark", "textstat"], "who counts: CMUdict syllables, or textstat 0.7.3 with Pyphen"
    ] = "plainmark"
    rounded: Annotated[bool, "round steps and result as textstat does"] = False

    family = "readability"
    higher_is_better = False
    english_only = True

    def missing(self) -> str:
        return NO_PYPHEN if self.variant == "textstat" and not has_pyphen() else ""

    def stats(self, corpus: Corpus) -> Floats:
        rule = "plain" if self.variant == "plainmark" else self.variant
        columns = [COUNT_COLUMNS.index(name) for name in self.columns]
        return counts(corpus, self.side, rule)[:, columns].astype(np.float64)

    def round(self, values: Floats, points: int) -> Floats:
        """Half up, negative numbers half down and then one lower, as textstat has it; nothing unless `rounded`."""
        if not self.rounded:
            return values
        scale = 10.0**points
        rounded: Floats = np.floor(values * scale + np.copysign(0.5, values)) / scale
        return rounded


def counts(corpus: Corpus, side: Literal["output", "source"], rule: str) -> Ints:
    """All counts of one side's texts, made once for all metrics."""
    texts = corpus.texts(side)
    return corpus.remember(
        side,
        ("counts", rule),
        lambda: _easse_counts.count_words(texts) if rule == "easse" else count_words(texts, rule),
    )
