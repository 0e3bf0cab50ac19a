"""Words of sentences, their likely grammatical forms, and the plain phrases that fit in their context.

All of this comes from the simplifier that ships with plainmark: its tokens, the network that predicts the form of a word
from its context, and its list of plain phrases with the contexts that each fits.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from .. import kernels
from ..simplifier.lattice.decoder import LatticeDecoder
from ..simplifier.lattice.lattice import KEEP, build_lattice
from ..simplifier.learned.context_filter import WordContexts
from ..simplifier.model import load_simplifier
from ..simplifier.rules.constraints import PROTECTED_KINDS, protected
from ..simplifier.rules.word_facts import TAGS
from ..simplifier.surface import SplitText, split
from ._findings import Phrase, Sentence
from ._plain_words import plain_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..kernels import Ints
    from ..simplifier.arrays import Reals
    from ..simplifier.decoding import Weights

_LIKELY = 0.5
_SURROGATE = re.compile("[\ud800-\udfff]")  # padding, which is no character; no compiled function receives it
_BLOCK = 256  # sentences analysed together
_LONGEST = 400  # longest sentence whose word forms are predicted, in words; a longer one is a table or no text at all
_TAG = {tag: k for k, tag in enumerate(TAGS)}
_NOUN = (_TAG["NN"], _TAG["NNS"])


@dataclass(frozen=True, eq=False)
class Words:
    """The words of a sentence: lower case, with their offsets and the probability of each form of TAGS."""

    text: str
    lower: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    forms: Reals

    def __len__(self) -> int:
        return len(self.lower)

    def written(self, i: int) -> str:
        """A word with its original capitals."""
        return self.text[self.starts[i] : self.ends[i]]

    def is_form(self, i: int, *tags: str) -> bool:
        """Whether a word probably has one of these forms."""
        return 0 <= i < len(self) and float(sum(self.forms[i, _TAG[t]] for t in tags)) >= _LIKELY

    @cached_property
    def count(self) -> int:
        """The number of words except marks; a clitic belongs to the word before it."""
        return sum(w[:1].isalnum() for w in self.lower)

    @cached_property
    def nouns(self) -> Reals:
        """The probability that each word is a noun."""
        result: Reals = self.forms[:, _NOUN].sum(axis=1)
        return result


def analyse(texts: Sequence[str], *, english: bool = True) -> list[Sentence]:
    """Analyse sentences with the forms of their words; plain phrases are searched in English ones only."""
    out: list[Sentence] = []
    texts = [_SURROGATE.sub("\ufffd", t) for t in texts]
    for start in range(0, len(texts), _BLOCK):
        out += _analysed([split(t) for t in texts[start : start + _BLOCK]], english)
    return out


def _analysed(texts: list[SplitText], english: bool) -> list[Sentence]:
    if not english:
        return [Sentence(t.text, _words(t, np.zeros((len(t.words), len(TAGS)), np.float32))) for t in texts]
    short = [t if len(t.words) <= _LONGEST else SplitText(t.text, (), (), ()) for t in texts]
    offsets = np.concatenate([[0], np.cumsum([len(t.words) for t in short])]).astype(np.int64)
    context = _decoder()[0].forms_of([t.words for t in short])
    if context is None:  # the default simplifier has a context filter
        raise TypeError("the default simplifier does not tell the forms of words")
    phrases = _phrases(short, context, offsets)
    out = []
    for k, text in enumerate(short):
        words = _words(text, context.forms[offsets[k] : offsets[k + 1]])
        own = phrases.get(k, [])
        more = [p for p in plain_words(words) if all(p.end <= o.start or o.end <= p.start for o in own)]
        out.append(Sentence(text.text, words, (*own, *more)))
    return out


def _words(text: SplitText, forms: Reals) -> Words:
    return Words(text.text, text.words, text.starts, text.ends, forms)


@cache
def _decoder() -> tuple[LatticeDecoder, Weights, float]:
    """The decoder of the default simplifier, its weights, and the lowest probability at which it makes a rewrite."""
    simplifier = load_simplifier("default")
    decoder = simplifier.decoder
    if not isinstance(decoder, LatticeDecoder):  # the default is one
        raise TypeError(f"the default simplifier has a {decoder.kind} decoder")
    return decoder, simplifier.weights, simplifier.caution or 0.5


def difficulty(word: str) -> float | None:
    """The difficulty of a word in lower case as people rate it, from 1 to 6; None if nobody has rated it."""
    lexicon = _decoder()[0].lexicon
    place = _place(word, lexicon.hashes)
    return None if place is None else float(lexicon.difficulty[place])


@lru_cache(1 << 16)
def is_name(word: str) -> bool:
    """Whether a word in lower case is a name whatever its case."""
    return _place(word, _decoder()[0].lexicon.names) is not None


def _place(word: str, hashes: NDArray[np.uint64]) -> int | None:
    """The index of a word in sorted hashes, or -1."""
    own = kernels.tokenize([word], "space").hashes[0]
    place = int(np.searchsorted(hashes, own))
    return place if place < len(hashes) and hashes[place] == own else None


def _phrases(texts: Sequence[SplitText], context: WordContexts, offsets: Ints) -> dict[int, list[Phrase]]:
    """The plain phrases that fit in each sentence, by the number of the sentence."""
    decoder, weights, least = _decoder()
    lattice = build_lattice([t.words for t in texts], decoder.table, decoder.model)
    fits = decoder.fitting(lattice, None, context) & (lattice.rules != KEEP)
    some = np.unique(lattice.sentence[fits]).tolist()  # the steps below are slower
    if not some:
        return {}
    names = decoder.are_names([w for k in some for w in texts[k].words])
    ends = np.cumsum([len(texts[k].words) for k in some])
    flags = [
        protected(texts[k], PROTECTED_KINDS, own)
        for k, own in zip(some, np.split(names, ends[:-1]), strict=True)
    ]
    forms = np.concatenate([context.forms[offsets[k] : offsets[k + 1]] for k in some])
    own = WordContexts(np.zeros(len(forms), np.float32), forms, np.zeros(len(forms), np.bool_))
    prepared = decoder.prepare([texts[k].words for k in some], flags, context=own)
    vector = np.array([weights.get(name, 0.0) for name in decoder.names])
    scores = prepared.features @ vector[:-1] + vector[-1] * prepared.hints.gains
    lattice = prepared.lattice
    out: dict[int, list[Phrase]] = {}
    for edge in np.flatnonzero(lattice.rules != KEEP).tolist():
        probability = 1 / (1 + math.exp(-max(float(scores[edge]), -500.0)))
        if probability < least:
            continue
        k = some[int(lattice.sentence[edge])]
        start, end = int(lattice.starts[edge]), int(lattice.ends[edge])
        phrase = Phrase(
            texts[k].starts[start],
            texts[k].ends[end - 1],
            decoder.table.text(int(lattice.rules[edge]))[1],
            probability,
            end - start,
        )
        out.setdefault(k, []).append(phrase)
    return out
