"""What tuning, simplifying and ranking ask of a decoder: the lattice of phrases is one, synchronous grammars another."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..kernels import Ints
from ..lm import LanguageModel
from ..writing import write_bytes_atomically
from .surface import Piece, Words

Reals = NDArray[np.float32]
Flags = NDArray[np.bool_]

DAMAGED = "{}: not what a simplifier needs (or damaged); build it anew."
LM = "lm"  # the last of every decoder's features
# Advice and language model need something to look at when rules are ranked; these say little, and no one of them decides.
CARRIERS = (
    (("they", "are", "the"), ("ones", "in", "the", "area", ".")),
    (("it", "has", "a"), ("part", "in", "this", ".")),
    (("the",), ("people", "live", "there", ".")),
    (("he", "was"), (".",)),
    (("this", "is", "a"), ("one", ".")),
)


@dataclass(frozen=True)
class Rewrite:
    """One rule at work: where in the source, from what to what, its score and what it is made of."""

    start: int  # first word
    end: int
    source: str
    target: str
    score: float
    origins: tuple[str, ...]
    reasons: tuple[tuple[str, float], ...]  # the features that weigh most, with what each adds to the score
    rule: str = ""  # as it is written, if it has nonterminals


@dataclass(frozen=True)
class Ranked:
    """A target, what it adds to an output's score, and where the rule comes from."""

    target: str
    score: float
    origins: tuple[str, ...]


class Hypotheses(Protocol):
    """Outputs of a batch, best first: those of sentence i are offsets[i]..offsets[i + 1]."""

    @property
    def offsets(self) -> Ints: ...

    @property
    def sentence(self) -> Ints:
        """The sentence of each output."""

    def features(self) -> Reals:
        """What an output's score is made of: a column for each of the decoder's names."""

    def texts(self) -> list[str]:
        """The outputs' words with spaces between."""


class Decoder(Protocol):
    """Rules and a language model, ready to decode; `Prepared` and `Search` are each decoder's own."""

    kind: ClassVar[str]
    default_search: ClassVar[Any]

    @property
    def model(self) -> LanguageModel: ...

    @property
    def names(self) -> tuple[str, ...]:
        """The features by name; the language model is the last."""

    @property
    def start(self) -> Mapping[str, float]:
        """The weights that tuning begins with."""

    @property
    def bolder(self) -> Mapping[str, float]:
        """What to add to weights so that more is rewritten."""

    def __len__(self) -> int:
        """The number of rules."""

    def search(self, width: int) -> Any:
        """A search that looks at so many hypotheses in each place."""

    def prepare_for(self, texts: Sequence[Words], kinds: Sequence[str], search: Any) -> Any:
        """Texts ready to decode; no rule may drop a word of these kinds (guards.KINDS)."""

    def decode(
        self, prepared: Any, weights: Mapping[str, float], search: Any, *, paths: int = 1, threads: int = 1
    ) -> Any:
        """The best different outputs of each sentence, as Hypotheses."""

    def rewriting(
        self, words: Words, found: Any, sentence: int, weights: Mapping[str, float]
    ) -> tuple[list[Piece], list[Rewrite]]:
        """The best output of a sentence as pieces of the source, and the rules that made them."""

    def rank(self, phrase: tuple[str, ...], weights: Mapping[str, float]) -> list[Ranked]:
        """The rules for a phrase with what each adds to an output's score, in any order."""

    def save(self, folder: Path, *, evidence: bool = False) -> None:
        """Write all but weights and language model; `load` of the class reads it."""


def reasons(
    names: Sequence[str], values: NDArray[Any], weights: Mapping[str, float]
) -> tuple[float, tuple[tuple[str, float], ...]]:
    """What features add to a score, and the three that add most."""
    parts = [(n, float(v * weights.get(n, 0.0))) for n, v in zip(names, values, strict=False)]
    strongest = sorted((p for p in parts if p[1]), key=lambda p: -abs(p[1]))[:3]
    return sum(p[1] for p in parts), tuple(strongest)


def write_arrays(path: Path, arrays: Mapping[str, Any]) -> None:
    """Write arrays by name, packed."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **dict(arrays))
    write_bytes_atomically(path, buffer.getvalue())


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """What `write_arrays` wrote."""
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as held:
            return {n: held[n] for n in held.files}
    except (OSError, ValueError, EOFError, zipfile.BadZipFile):
        raise InputError(DAMAGED.format(path)) from None
