"""The interface of decoders, which tuning and simplifying use: one decodes a lattice of phrases, one synchronous grammars.

A decoder prepares texts once; the prepared texts are decoded under any weights; the hypotheses that this gives know their
features, their words and how they were derived.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ..kernels import Ints
from ..lm import LanguageModel
from .arrays import Reals
from .surface import OutputPiece, SplitText

Weights = Mapping[str, float]

WORDS = "what a simplifier needs"  # the content of words.npz, for errors
LM = "lm"  # the last of every decoder's features
AS_IT_IS = ("as it is",)  # where a phrase that stays comes from
# Sentences to put a phrase into when its rules are ranked: networks and language model need some context. These say little,
# and scores are means over all of them.
CONTEXT_TEMPLATES = (
    (("they", "are", "the"), ("ones", "in", "the", "area", ".")),
    (("it", "has", "a"), ("part", "in", "this", ".")),
    (("the",), ("people", "live", "there", ".")),
    (("he", "was"), (".",)),
    (("this", "is", "a"), ("one", ".")),
)


@dataclass(frozen=True)
class SearchLimits:
    """Limits of a decoder's search; each decoder has its own."""

    def changed(self, values: Mapping[str, Any]) -> Self:
        """The limits with other values, such as those of a file."""
        return replace(self, **{name: type(getattr(self, name))(value) for name, value in values.items()})


@dataclass(frozen=True)
class Rewrite:
    """One application of a rule: where in the source, from what to what, its score and what the score is made of."""

    start: int  # first word
    end: int
    source: str
    target: str
    score: float
    origins: tuple[str, ...]
    reasons: tuple[
        tuple[str, float], ...
    ]  # what each feature adds to the score, largest first; they add up to it
    rule: str = ""  # as it is written, if it has nonterminals
    probability: float | None = None  # that it is right here, if the model has an estimate

    def to_dict(self) -> dict[str, Any]:
        """The rewrite as JSON has it; start and end count words, `parts` add up to the score."""
        return {
            "start": self.start,
            "end": self.end,
            "source": self.source,
            "target": self.target,
            "score": self.score,
            "probability": self.probability,
            "origins": list(self.origins),
            "rule": self.rule,
            "parts": dict(self.reasons),
        }


@dataclass(frozen=True)
class Derivation:
    """An output as pieces of the source, and the rules that made them."""

    pieces: Sequence[OutputPiece]
    rewrites: Sequence[Rewrite]
    unchanged: float = 0.0  # what rules that change nothing add to the score


@dataclass(frozen=True)
class Ranked:
    """A target, what it adds to an output's score, and where the rule comes from; a phrase that stays is among them."""

    target: str
    score: float
    origins: tuple[str, ...]
    lm: float = 0.0  # the language model's part of the score, beside the phrase as it is


class Hypotheses(ABC):
    """Outputs of prepared texts, best first: those of text i are offsets[i]..offsets[i + 1]."""

    @property
    @abstractmethod
    def offsets(self) -> Ints: ...

    @property
    def sentence(self) -> Ints:
        """The text of each output."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    @abstractmethod
    def features(self) -> Reals:
        """What an output's score is made of: one column for each of the decoder's names."""

    @abstractmethod
    def words(self) -> list[tuple[str, ...]]:
        """The words of each output."""

    def texts(self) -> list[str]:
        """The words of each output with spaces between them."""
        return [" ".join(words) for words in self.words()]

    @abstractmethod
    def derivation(self, hypothesis: int, source: SplitText, weights: Weights) -> Derivation:
        """How an output came about; those of text i are offsets[i]..offsets[i + 1]."""


class Prepared(ABC):
    """Texts and the rules that fit them, ready to decode under any weights."""

    @abstractmethod
    def __len__(self) -> int:
        """The number of rule applications that the search may choose from, or of rules."""

    @abstractmethod
    def decode(
        self, weights: Weights, *, width: int | None = None, paths: int = 1, threads: int = 1
    ) -> Hypotheses:
        """The best different outputs of each text; `width` is how many hypotheses to keep in each place."""


class Decoder(ABC):
    """Rules and a language model, ready to decode."""

    kind: ClassVar[str]
    start: ClassVar[Weights]  # the weights that tuning begins with
    more_rewrites: ClassVar[Weights]  # what to add to weights so that more is rewritten
    model: LanguageModel
    limits: SearchLimits

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The features by name; the language model is the last."""

    @abstractmethod
    def __len__(self) -> int:
        """The number of rules."""

    @abstractmethod
    def prepare_texts(self, texts: Sequence[SplitText], kinds: Sequence[str]) -> Prepared:
        """Texts ready to decode; no rule may drop a word of these kinds (constraints.PROTECTED_KINDS)."""

    @abstractmethod
    def rank(self, phrase: tuple[str, ...], weights: Weights) -> list[Ranked]:
        """The rules for a phrase and the phrase as it is, with what each adds to an output's score, in any order."""

    @abstractmethod
    def save(self, folder: Path, *, evidence: bool = False) -> None:
        """Write all but weights and language model; `evidence` keeps which sentences rules come from."""

    @classmethod
    @abstractmethod
    def load(cls, folder: Path, model: LanguageModel) -> Self:
        """The decoder that `save` wrote."""

    def with_limits(self, values: Mapping[str, Any]) -> Self:
        """The same decoder with other limits of its search."""
        other = copy.copy(self)
        other.limits = self.limits.changed(values)
        return other


def lm_gains(
    words: Sequence[str], replaced: Sequence[tuple[int, int, Sequence[str]]], model: LanguageModel
) -> list[float]:
    """What each of several replacements (first word, end, new words), from left to right, adds to log10 P of a sentence."""
    texts = [" ".join(words)]
    done: list[str] = []
    at = 0
    for start, end, new in replaced:
        done += [*words[at:start], *new]
        at = end
        texts.append(" ".join([*done, *words[end:]]))
    gains: list[float] = np.diff(model.score(texts)).tolist()
    return gains


def reasons(
    names: Sequence[str], values: NDArray[Any], weights: Weights
) -> tuple[float, tuple[tuple[str, float], ...]]:
    """What features add to a score, and each of them with its part, the largest first."""
    return summed((n, float(v * weights.get(n, 0.0))) for n, v in zip(names, values, strict=False))


def summed(parts: Iterable[tuple[str, float]]) -> tuple[float, tuple[tuple[str, float], ...]]:
    """The sum of parts of a score, and those that are not 0, the largest first."""
    used = tuple(sorted((p for p in parts if p[1]), key=lambda p: -abs(p[1])))
    return sum(p[1] for p in used), used
