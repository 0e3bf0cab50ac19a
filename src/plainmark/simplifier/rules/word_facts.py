"""Facts about single words: length, syllables, frequency, difficulty, grammatical forms, and whether they are names.

Frequencies are the language model's unigrams. Difficulty (1 very simple .. 6 very complex) is the human rating if the
lexicon has the word, else a linear estimate from frequency, letters and syllables. Words without a common form (plural,
past tense, ...) do not fit the same context. Lexicon: Maddela and Xu 2018, A Word-Complexity Lexicon and A Neural
Readability Ranking Model for Lexical Simplification.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import kernels, wordlists
from ...errors import MissingResourceError
from ...lm import LanguageModel
from ...syllables import syllables
from ..arrays import Flags, Reals

TAGS = ("NN", "NNS", "VB", "VBP", "VBZ", "VBD", "VBN", "VBG", "JJ", "JJR", "JJS", "RB", "RBR", "RBS")
_CLASSES = {"NOUN": TAGS[:2], "VERB": TAGS[2:8], "ADJ": TAGS[8:11], "ADV": TAGS[11:]}


@dataclass(frozen=True, eq=False)
class WordForms:
    """The tags of TAGS that each word may have, one bit each; 0 for words of other classes and unknown ones."""

    bits: NDArray[np.uint16]

    @classmethod
    def of(cls, words: Sequence[str]) -> WordForms:
        """The forms of words in lower case, from lemminflect's lists."""
        if find_spec("lemminflect") is None:
            raise MissingResourceError(
                "rules need the forms of English words; pip install 'plainmark[testbeds]'"
            )
        return cls(np.array([_bits(w) for w in words], dtype=np.uint16))


def inflections(lemma: str, part: str) -> dict[str, tuple[str, ...]]:
    """The forms of a word by their tags; lemminflect lists participles of irregular verbs only."""
    from lemminflect import getAllInflections

    forms: dict[str, tuple[str, ...]] = getAllInflections(lemma, part)
    if part == "VERB" and "VBD" in forms and "VBN" not in forms:
        forms["VBN"] = forms["VBD"]
    return forms


def _bits(word: str) -> int:
    from lemminflect import getAllLemmas

    if not word.isascii() or not word.replace("-", "").isalpha():
        return 0
    bits = 0
    for part, lemmas in getAllLemmas(word).items():
        for lemma in lemmas if part in _CLASSES else ():
            inflected = inflections(lemma, part)
            for tag in _CLASSES[part]:
                if word in inflected.get(tag, ()):
                    bits |= 1 << TAGS.index(tag)
    if bits & 1 << TAGS.index("VB"):
        bits |= 1 << TAGS.index("VBP")
    return bits


_HARD = 3  # number of syllables from which on a word is hard


@dataclass(frozen=True, eq=False)
class DifficultyLexicon:
    """The difficulty of words by their hashes, the coefficients of the estimate for other words, and the words that are
    names.
    """

    hashes: NDArray[np.uint64]  # sorted
    difficulty: Reals
    guess: Reals  # coefficients of 1, frequency, letters, syllables
    names: NDArray[np.uint64]  # sorted

    @classmethod
    def fit(
        cls, words: Sequence[str], difficulty: Sequence[float], names: Sequence[str], model: LanguageModel
    ) -> DifficultyLexicon:
        """Fit the lexicon to words and their difficulty ratings."""
        lower = [w.lower() for w in words]
        columns = _columns(lower, model)
        rated = np.asarray(difficulty, np.float64)
        guess = np.linalg.lstsq(columns.astype(np.float64), rated, rcond=None)[0]
        hashes, first = np.unique(_hashes(lower), return_index=True)
        return cls(
            hashes,
            rated[first].astype(np.float32),
            guess.astype(np.float32),
            np.unique(_hashes([n.lower() for n in names])),
        )

    @classmethod
    def empty(cls, names: Sequence[str] = ()) -> DifficultyLexicon:
        """A lexicon that estimates difficulty from frequency and length only."""
        none = np.zeros(0, np.uint64)
        guess = np.array([1.2, -0.25, 0.02, 0.2], np.float32)
        return cls(none, np.zeros(0, np.float32), guess, np.unique(_hashes([n.lower() for n in names])))

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """The lexicon as arrays by name."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> DifficultyLexicon:
        """The lexicon in the arrays of `arrays`."""
        return cls(*(arrays[f.name] for f in fields(cls)))

    def is_name(self, words: Sequence[str]) -> Flags:
        """Which words, in lower case, are names."""
        return np.isin(_hashes(words), self.names)


@dataclass(frozen=True, eq=False)
class WordFacts:
    """Facts about each word of a list."""

    letters: Reals
    syllables: Reals
    frequency: Reals  # log10 of the probability
    difficulty: Reals
    rated: Flags
    alphabetic: Flags
    digits: Flags  # has a digit
    common: Flags  # among the 150 most common words, which are mostly function words
    name: Flags
    hard: Flags  # not in a list of common words, or of three or more syllables
    forms: NDArray[np.uint16]  # see WordForms; 0 if nothing is known

    @classmethod
    def of(
        cls,
        words: Sequence[str],
        model: LanguageModel,
        lexicon: DifficultyLexicon,
        forms: NDArray[np.uint16] | None = None,
        common_words: Collection[str] | None = None,
    ) -> WordFacts:
        """The facts about words in lower case; words that are not in `common_words` are hard."""
        columns = _columns(words, model)
        hashes = _hashes(words)
        place = np.minimum(np.searchsorted(lexicon.hashes, hashes), max(len(lexicon.hashes) - 1, 0))
        rated = (
            lexicon.hashes[place] == hashes if len(lexicon.hashes) else np.zeros(len(words), dtype=np.bool_)
        )
        difficulty = np.clip(columns @ lexicon.guess, 1, 6)
        if len(lexicon.hashes):
            difficulty = np.where(rated, lexicon.difficulty[place], difficulty)
        alphabetic = np.array([w[:1].isalpha() for w in words], dtype=np.bool_)
        ranks = wordlists.ranks(hashes)
        return cls(
            letters=columns[:, 2],
            syllables=columns[:, 3],
            frequency=columns[:, 1],
            difficulty=np.where(alphabetic, difficulty, 1).astype(np.float32),
            rated=rated,
            alphabetic=alphabetic,
            digits=np.array([any(map(str.isdigit, w)) for w in words], dtype=np.bool_),
            common=(ranks >= 0) & (ranks < 150),
            name=np.isin(hashes, lexicon.names),
            hard=columns[:, 3] >= _HARD
            if common_words is None
            else alphabetic & ~np.array([w in common_words for w in words], dtype=np.bool_),
            forms=np.zeros(len(words), np.uint16) if forms is None else forms,
        )

    def followed_by(self, other: WordFacts) -> WordFacts:
        """The facts of both lists of words."""
        names = [f.name for f in fields(self)]
        return WordFacts(**{n: np.concatenate([getattr(self, n), getattr(other, n)]) for n in names})


def _hashes(words: Sequence[str]) -> NDArray[np.uint64]:
    # an empty word would not be a token and would shift the others
    return kernels.tokenize([w if w.strip() else "?" for w in words], "space").hashes


def _columns(words: Sequence[str], model: LanguageModel) -> Reals:
    letters = np.array([len(w) for w in words], dtype=np.float32)
    counted = np.maximum(syllables(list(words)), 1) if len(words) else np.zeros(0)
    frequency = model.token_scores([w if w.strip() else "?" for w in words], sentence=False)[0]
    return np.stack([np.ones(len(words)), frequency, letters, counted], axis=1).astype(np.float32)
