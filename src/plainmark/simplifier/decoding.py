"""The interface of decoders, which tuning and simplifying use: one decodes a lattice of phrases, one synchronous grammars.

A decoder prepares texts once; the prepared texts can be decoded with any weights; the resulting hypotheses have features,
words and derivations.
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

WORDS = "what a simplifier needs"  # description of words.npz in error messages
LM = "lm"  # the last of every decoder's features
AS_IT_IS = ("as it is",)  # the origin of a phrase that stays unchanged
# Sentences into which a phrase is inserted when its rules are ranked, because networks and the language model need context.
# They are neutral, and scores are means over all of them.
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
        """The limits with other values, such as those from a file."""
        return replace(self, **{name: type(getattr(self, name))(value) for name, value in values.items()})


@dataclass(frozen=True)
class Rewrite:
    """One application of a rule: its place in the source, source, target, score, and the parts of the score."""

    start: int  # index of the first word
    end: int
    source: str
    target: str
    score: float
    origins: tuple[str, ...]
    reasons: tuple[
        tuple[str, float], ...
    ]  # the part of each feature in the score, largest first; the parts add up to the score
    rule: str = ""  # the rule itself, if it has nonterminals
    probability: float | None = None  # probability that it is right at this place, if the model estimates it

    def to_dict(self) -> dict[str, Any]:
        """The rewrite as a dictionary for JSON; start and end count words, `parts` add up to the score."""
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
    """An output as pieces of the source, and the rules that produced them."""

    pieces: Sequence[OutputPiece]
    rewrites: Sequence[Rewrite]
    unchanged: float = 0.0  # the part of rules that change nothing in the score


@dataclass(frozen=True)
class Ranked:
    """A target, its part in an output's score, and the origin of the rule; the unchanged phrase is one of the targets."""

    target: str
    score: float
    origins: tuple[str, ...]
    lm: float = 0.0  # the language model's part of the score, compared with the unchanged phrase


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
        """The features of each output's score: one column for each of the decoder's names."""

    @abstractmethod
    def words(self) -> list[tuple[str, ...]]:
        """The words of each output."""

    def texts(self) -> list[str]:
        """The words of each output with spaces between them."""
        return [" ".join(words) for words in self.words()]

    @abstractmethod
    def derivation(self, hypothesis: int, source: SplitText, weights: Weights) -> Derivation:
        """The derivation of an output; those of text i are offsets[i]..offsets[i + 1]."""


class Prepared(ABC):
    """Texts and the rules that fit them, ready to decode with any weights."""

    @abstractmethod
    def __len__(self) -> int:
        """The number of rule applications that the search may choose from, or of rules."""

    @abstractmethod
    def decode(
        self, weights: Weights, *, width: int | None = None, paths: int = 1, threads: int = 1
    ) -> Hypotheses:
        """The best different outputs of each text; `width` is the number of hypotheses kept at each position."""


class Decoder(ABC):
    """Rules and a language model, ready to decode."""

    kind: ClassVar[str]
    start: ClassVar[Weights]  # initial weights for tuning
    more_rewrites: ClassVar[Weights]  # increments of weights that increase the number of rewrites
    model: LanguageModel
    limits: SearchLimits

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The names of the features; the language model is the last."""

    @abstractmethod
    def __len__(self) -> int:
        """The number of rules."""

    @abstractmethod
    def prepare_texts(self, texts: Sequence[SplitText], kinds: Sequence[str]) -> Prepared:
        """Texts ready to decode; no rule may drop a word of these kinds (constraints.PROTECTED_KINDS)."""

    @abstractmethod
    def rank(self, phrase: tuple[str, ...], weights: Weights) -> list[Ranked]:
        """The rules for a phrase and the unchanged phrase, with their parts in an output's score, in any order."""

    @abstractmethod
    def save(self, folder: Path, *, evidence: bool = False) -> None:
        """Write everything except weights and language model; `evidence` keeps the sentences that rules come from."""

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
    """The change of log10 P of a sentence by each of several replacements (first word, end, new words), from left to right."""
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
    """The sum of the features' parts of a score, and each feature with its part, the largest first."""
    return summed((n, float(v * weights.get(n, 0.0))) for n, v in zip(names, values, strict=False))


def summed(parts: Iterable[tuple[str, float]]) -> tuple[float, tuple[tuple[str, float], ...]]:
    """The sum of the parts of a score, and the parts that are not 0, the largest first."""
    used = tuple(sorted((p for p in parts if p[1]), key=lambda p: -abs(p[1])))
    return sum(p[1] for p in used), used
