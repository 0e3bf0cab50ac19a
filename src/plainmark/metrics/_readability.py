"""Bases of the readability metrics: counts of words, added over the corpus, by the rules of several programs."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from .. import kernels
from ..data import Corpus
from ..kernels import COUNT_COLUMNS, Ints
from ..languages import COLUMNS as LANGUAGE_COLUMNS
from ..languages import language
from ..metric import Floats, Metric
from ..syllables import NO_PYPHEN, count_words, has_pyphen, syllables, textstat_words
from . import _easse_counts, _textdescriptives_counts, _textstat_counts

COLUMNS = (*COUNT_COLUMNS, "tokens")  # pieces between white space, counted by textstat 0.7.13 only
# Programs whose counting rules are implemented in Python.
_PROGRAMS = {
    "easse": _easse_counts,
    "textdescriptives": _textdescriptives_counts,
    "textstat-0.7.13": _textstat_counts,
}

# The programs that count, for formulas that TextDescriptives has as well.
Program = Annotated[
    Literal["plainmark", "textstat", "textstat-0.7.13", "textdescriptives"],
    "which program's counts: CMUdict syllables, textstat 0.7.3 or 0.7.13, or TextDescriptives 2.8.4",
]


@dataclass(frozen=True)
class Counted(Metric):
    """A metric of the counts of one side's texts; the corpus score is that of the summed counts."""

    side: Annotated[Literal["output", "source"], "whose texts to measure"] = "output"

    columns: ClassVar[tuple[str, ...]]  # names from COLUMNS, "words" first; they are the parts

    @property
    def rule(self) -> str:
        """The counting rule: one of kernels.COUNT_RULES, a program, or "language:" and the code of a language."""
        (code,) = self.spoken() or ("en",)
        return "plain" if code == "en" else f"language:{code}"

    @property
    def part_names(self) -> tuple[str, ...]:
        return (self.name, *self.columns)

    def required(self) -> frozenset[str]:
        return frozenset({"source"} if self.side == "source" else ())

    def stats(self, corpus: Corpus) -> Floats:
        return counts(corpus, self.side, self.rule, self.columns)

    def reduce(self, stats: Floats) -> Floats:
        value = np.full(stats.shape[:-1], np.nan)
        defined = stats[..., 0] > 0
        value[defined] = self.formula(dict(zip(self.columns, stats[defined].T, strict=True)))
        return np.concatenate([value[..., None], stats], axis=-1)

    def defined(self, stats: Floats) -> NDArray[np.bool_]:
        # A text that is too short for a formula on its own still adds its counts to the corpus.
        has_words: NDArray[np.bool_] = stats[..., 0] > 0
        return has_words

    @abstractmethod
    def formula(self, n: dict[str, Floats]) -> Floats:
        """The score from the counts of texts that have words."""


@dataclass(frozen=True)
class Readability(Counted):
    """A readability formula, with this package's counts or textstat's; undefined (NaN) for a text without words."""

    variant: Annotated[
        Literal["plainmark", "textstat", "textstat-0.7.13"],
        "which program's counts: CMUdict syllables, or textstat 0.7.3 or 0.7.13",
    ] = "plainmark"
    rounded: Annotated[bool, "round steps and result as textstat 0.7.3 does"] = False

    family = "readability"
    higher_is_better = False
    english_only = True

    @property
    def rule(self) -> str:
        return super().rule if self.variant == "plainmark" else self.variant

    def missing(self) -> str:
        if self.rule == "textdescriptives" and not _textdescriptives_counts.has_spacy():
            return _textdescriptives_counts.NO_SPACY
        return NO_PYPHEN if self.rule not in ("plain", "easse") and not has_pyphen() else ""

    def round(self, values: Floats, points: int) -> Floats:
        """Round like textstat: halves up, those of negative numbers down and then one lower; no rounding unless `rounded`."""
        if not self.rounded:
            return values
        scale = 10.0**points
        rounded: Floats = np.floor(values * scale + np.copysign(0.5, values)) / scale
        return rounded


@dataclass(frozen=True)
class Formula(Counted):
    """A readability formula for one language, named after its author."""

    family = "readability"


@dataclass(frozen=True)
class FleschLike(Formula):
    """constant - a * words / sentences - b * syllables / words, with an author's constants for a language."""

    higher_is_better = True
    columns = ("words", "sentences", "syllables")
    constants: ClassVar[dict[str, tuple[float, float, float]]]  # by variant: constant, a, b

    def formula(self, n: dict[str, Floats]) -> Floats:
        return flesch_like(n, self.constants[getattr(self, "variant", "")])


def flesch_like(n: dict[str, Floats], constants: tuple[float, float, float]) -> Floats:
    """The value of a formula of Flesch's form."""
    constant, per_sentence, per_word = constants
    return constant - per_sentence * n["words"] / n["sentences"] - per_word * n["syllables"] / n["words"]


def counts(corpus: Corpus, side: Literal["output", "source"], rule: str, columns: Sequence[str]) -> Floats:
    """These counts for the texts of one side; all counts are computed once for all metrics."""
    table = corpus.remember(side, ("counts", rule), lambda: _count(corpus.texts(side), rule))
    known = LANGUAGE_COLUMNS if rule.startswith("language:") else COLUMNS
    return table[:, [known.index(name) for name in columns]].astype(np.float64)


def _count(texts: list[str], rule: str) -> Ints:
    if rule.startswith("language:"):
        return language(rule.partition(":")[2]).count_words(texts)
    if rule not in _PROGRAMS:
        return count_words(texts, rule)
    rows = [[row.get(name, 0) for name in COLUMNS] for row in _PROGRAMS[rule].count_words(texts)]
    return np.array(rows, dtype=np.int64).reshape(-1, len(COLUMNS))


def words_of(text: str, rule: str) -> list[tuple[str, int]]:
    """The words of a text according to a rule, and the syllables of each."""
    if rule.startswith("language:"):
        spoken = language(rule.partition(":")[2])
        return [(word, spoken.syllables(word)) for word in spoken.words(text)]
    if rule in _PROGRAMS:
        words: list[tuple[str, int]] = _PROGRAMS[rule].words_of(text)
        return words
    if rule == "textstat":
        return textstat_words(text)
    tokens = kernels.words([text], rule, lowercase=True)[0]
    return list(zip(tokens, syllables(tokens).tolist(), strict=True))
