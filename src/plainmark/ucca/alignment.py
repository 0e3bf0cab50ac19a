"""Monolingual word alignment by identity, base forms, WordNet, vectors and neighbours.

Every pair of words gets a probability from a logistic regression; a second regression also uses the first one's
probabilities of competing and neighbouring pairs. Two words are linked if each is the other's most probable partner, above
a threshold, so that a word has one partner or none. docs/samsa.md has the card, training/word_aligner.py the training.

>>> aligner = WordAligner(encoder="none", wordnet="none")
>>> aligner.align([(["They", "bought", "a", "house"], ["A", "house", "was", "bought"])])[0].pairs
((1, 3), (2, 0), (3, 1))

Reference: Sultan, Bethard & Sumner 2014, Back to Basics for Monolingual Alignment, TACL, for the features; Thadani, Martin
& White 2012, COLING, for the training links.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice, pairwise
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from .. import kernels, models, wordnet
from ..errors import MissingResourceError
from ..models import MODEL
from ..models._blas import one_thread
from ..options import FILE, Between, Content
from ..registry import Named
from .parser import missing as parser_missing
from .parser import parser
from .word_features import Floats, WordLexicon, features, neighbourhood, read_lexicon

Progress = Callable[[int, int], None]
Pair = tuple[Sequence[str], Sequence[str]]

WEIGHTS = Path(__file__).with_name("alignment.json")
LAYER = 3  # layer of minilm; higher ones represent more of the sentence and less of the word
VECTORS = Content(
    lambda name: MODEL.digest(name) if name == "minilm" else ""
)  # the parser is part of plainmark

_ENDS, _CLOSING = frozenset(".!?"), frozenset({*".!?)\"'", "''", "”", "’"})
_WORDS_AT_ONCE = 40_000  # words whose vectors are in memory at a time


@dataclass(frozen=True)
class WordLinks:
    """Aligned words (i, j) of two texts, and further words j that repeat i."""

    pairs: tuple[tuple[int, int], ...]
    repeats: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class WordAligner(Named):
    """Aligns each word with one word or none; trained on paraphrases."""

    encoder: Annotated[
        Literal["minilm", "ucca", "none"],
        VECTORS,
        "vectors of words; ucca uses the parser's encoder, none uses no vectors",
    ] = "minilm"
    wordnet: Annotated[str, "the version of WordNet; none uses no WordNet, empty uses the installed one"] = ""
    lexicon: Annotated[
        str | None, FILE, "a file of synonym pairs such as PPDB's: two words per line, separated by a tab"
    ] = None
    threshold: Annotated[float, Between(0, 1), "the probability above which words are linked"] = 0.42
    shared: Annotated[bool, "several words may have the same partner"] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.wordnet:
            path = wordnet.find()
            object.__setattr__(self, "wordnet", wordnet.load(path).version if path else "none")

    def missing(self) -> str:
        """What this aligner needs that is not installed, and how to get it; empty if it can run."""
        if self.encoder == "none":
            reason = ""
        else:
            reason = parser_missing() if self.encoder == "ucca" else models.missing(self.encoder)
        if reason:
            return f"{reason}, or use encoder='none'"
        if self.wordnet != "none":
            if not wordnet.find():
                return f"needs WordNet {self.wordnet}: {wordnet.missing()}"
            if (version := wordnet.load().version) != self.wordnet:
                return f"needs WordNet {self.wordnet}, but found {version}; set WORDNET_DIR to its folder."
        return ""

    def align(self, pairs: Sequence[Pair], progress: Progress | None = None) -> list[WordLinks]:
        """The links of many pairs of texts, each a list of words."""
        out: list[WordLinks] = []
        with one_thread():
            for chances, (a, b) in zip(self.probabilities(pairs, progress), pairs, strict=True):
                links = self._linked(chances)
                out.append(WordLinks(links, _repeats(a, b, links)))
        return out

    def probabilities(self, pairs: Sequence[Pair], progress: Progress | None = None) -> Iterator[Floats]:
        """Alignment probabilities: for each pair of texts a matrix (len(a), len(b))."""
        if reason := self.missing():
            raise MissingResourceError(f"word aligner {reason}")
        first, second = weights(self.model)
        for done, columns in enumerate(self.features(pairs), 1):
            seen = list(columns.values())
            yield second([*seen, *neighbourhood(first(seen))])
            if progress:
                progress(done, len(pairs))

    @property
    def model(self) -> str:
        """The name of the weights for the available features."""
        return f"{self.encoder}{'' if self.wordnet == 'none' else '+wordnet'}"

    def features(self, pairs: Sequence[Pair]) -> Iterator[dict[str, Floats]]:
        """For each pair of texts the features of every pair of words: names and matrices (len(a), len(b))."""
        lexicon = word_lexicon(self.wordnet, self.lexicon, FILE.digest(self.lexicon) if self.lexicon else "")
        for some in _batches(pairs):
            for (a, b), cosine in zip(some, self._cosines(some), strict=True):
                yield features(a, b, cosine, lexicon)

    def _cosines(self, pairs: Sequence[Pair]) -> list[Floats | None]:
        if self.encoder == "none":
            return [None] * len(pairs)
        vectors = word_vectors(self.encoder, [side for pair in pairs for side in pair])
        return [
            np.asarray(a @ b.T, dtype=np.float64) for a, b in zip(vectors[::2], vectors[1::2], strict=True)
        ]

    def _linked(self, chances: Floats) -> tuple[tuple[int, int], ...]:
        if not chances.size:
            return ()
        rows = np.arange(len(chances))
        best = chances.argmax(axis=1)
        accepted = chances[rows, best] > self.threshold
        if not self.shared:
            accepted &= chances.argmax(axis=0)[best] == rows
        return tuple((int(i), int(best[i])) for i in np.flatnonzero(accepted))


def word_vectors(encoder: str, texts: Sequence[Sequence[str]]) -> list[NDArray[np.float32]]:
    """Vectors of length 1 of the words of each text: the sums over their tokens."""
    if encoder == "ucca":
        split = [list(_sentences(text)) for text in texts]
        parts = iter(parser().word_vectors([s for text in split for s in text]))
        nothing = np.zeros((0, parser().encoder.size), np.float32)
        return [np.concatenate([nothing, *islice(parts, len(text))]) for text in split]
    loaded = models.encoder(encoder)
    vocabulary = sorted({word for text in texts for word in text})
    sizes = dict(
        zip(vocabulary, (len(ids) - loaded.marks for ids in loaded.token_ids(vocabulary)), strict=True)
    )
    out = []
    tokens = loaded.token_vectors([" ".join(text) for text in texts], layer=LAYER)
    for text, vectors in zip(texts, tokens, strict=True):
        inner = vectors.vectors[~vectors.marks]
        owner = np.repeat(np.arange(len(text)), [sizes[word] for word in text])[: len(inner)]
        sums = np.zeros((len(text), loaded.size), dtype=np.float32)
        np.add.at(sums, owner, inner[: len(owner)])
        norms = np.linalg.norm(sums, axis=1, keepdims=True)
        out.append(sums / np.maximum(norms, 1e-12))
    return out


def _sentences(words: Sequence[str]) -> Iterator[Sequence[str]]:
    """The sentences of a text: up to a full stop, a question mark or an exclamation mark, and the closing marks after it."""
    start, ended = 0, False
    for end, (word, after) in enumerate(pairwise([*words, ""]), 1):
        ended = word in _ENDS or (ended and word in _CLOSING)
        if end == len(words) or (ended and after not in _CLOSING):
            yield words[start:end]
            start, ended = end, False


def _repeats(
    a: Sequence[str], b: Sequence[str], pairs: Iterable[tuple[int, int]]
) -> tuple[tuple[int, int], ...]:
    """Unaligned words of b that repeat a word of a that is aligned elsewhere."""
    stems: dict[str, list[int]] = {}
    taken = set()
    for i, j in pairs:
        taken.add(j)
        for form in {a[i].lower(), f"{kernels.stem(a[i].lower())}~"}:
            stems.setdefault(form, []).append(i)
    out: list[tuple[int, int]] = []
    for j, word in enumerate(b):
        if j not in taken:
            low = word.lower()
            again = stems.get(low) or stems.get(f"{kernels.stem(low)}~") or ()
            out.extend((i, j) for i in again)
    return tuple(out)


def _batches(pairs: Sequence[Pair]) -> Iterator[Sequence[Pair]]:
    """Runs of pairs with a limited number of words, so that the vectors of a run fit in memory."""
    start = words = 0
    for end, (a, b) in enumerate(pairs):
        if words and words + len(a) + len(b) > _WORDS_AT_ONCE:
            yield pairs[start:end]
            start, words = end, 0
        words += len(a) + len(b)
    if start < len(pairs):
        yield pairs[start:]


@dataclass(frozen=True, eq=False)
class Regression:
    """A logistic regression."""

    weights: Floats
    bias: float

    def __call__(self, columns: Sequence[Floats]) -> Floats:
        """Probabilities from one matrix per feature, added without copying all of them."""
        total = np.full(columns[0].shape, self.bias)
        for weight, column in zip(self.weights, columns, strict=True):
            total += weight * column
        result: Floats = 1 / (1 + np.exp(-np.clip(total, -30, 30)))
        return result


@lru_cache(4)
def word_lexicon(version: str, path: str | None, digest: str) -> WordLexicon:
    """A cached lexicon: WordNet unless the version is "none", and a file's synonyms.

    The file's digest is an argument so that a changed file is read again.
    """
    return WordLexicon(None if version == "none" else wordnet.load(), read_lexicon(path))


@cache
def weights(model: str) -> tuple[Regression, Regression]:
    """Both regressions of a model."""
    known = json.loads(WEIGHTS.read_text("utf-8"))["models"][model]
    first, second = (Regression(np.array(x["weights"]), x["bias"]) for x in known["stages"])
    return first, second
