"""The context filter: predicts which words of a sentence are parts of names, and the grammatical form of each word.

The inputs of two small networks are a word and two on either side: how often each is capitalised elsewhere, its rarity, its
possible forms, and its probability under the language model. They also work on text without capitals. One was trained on
text whose capitals were removed, the other on the tags that plainmark's tagger assigns to the same text
(training/context_filter.py in the repository); neither the text nor the tagger is needed at run time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import kernels, wordlists
from ...lm import LanguageModel
from ..arrays import Flags, Floats, Hashes, Reals, look_up
from ..rules.table import RuleTable
from ..rules.word_facts import TAGS, DifficultyLexicon
from .network import Ensemble

_MARKERS = (
    "the a an of in at by for from with and or to on as is was were are be been has have had not his her its their this "
    "that who which will would can could may he she it they , . : ; -lrb- -rrb- \" ' 's ` - called named"
).split()
_MARKER = {word: k for k, word in enumerate(_MARKERS, 1)}


@dataclass(frozen=True, eq=False)
class Capitals:
    """How often words are capitalised and not capitalised: in text, in WordNet's definitions, in WordNet's entries."""

    hashes: Hashes  # sorted
    counts: NDArray[np.uint16]  # shape (words, 6)

    def look_up(self, hashes: Hashes) -> Reals:
        """The counts of words, shape (words, 6)."""
        return look_up(self.hashes, self.counts, hashes).astype(np.float32)


@dataclass(frozen=True, eq=False)
class WordContexts:
    """For each word of a batch: the probability that it is part of a name, the probability of each form of TAGS, and
    whether names were predicted because capitals are missing.
    """

    name: Reals
    forms: Reals
    guessed: Flags


@dataclass(frozen=True, eq=False)
class KnownWords:
    """A decoder's information about words."""

    table: RuleTable
    forms: NDArray[np.uint16]
    lexicon: DifficultyLexicon
    model: LanguageModel

    def forms_of(self, words: Sequence[str]) -> NDArray[np.uint16]:
        """The possible forms of words; 0 for words that are in no rule."""
        numbers = self.table.numbers
        padded = np.append(self.forms, np.uint16(0))
        return padded[[numbers.get(w, -1) for w in words]] if words else np.zeros(0, np.uint16)


@dataclass(frozen=True, eq=False)
class ContextFilter:
    """Networks that predict names and forms of words in context."""

    capitals: Capitals
    names: Ensemble
    forms: Ensemble

    def __call__(self, sentences: Sequence[Sequence[str]], known: KnownWords) -> WordContexts:
        """Predict names and forms of the words of sentences in lower case."""
        if not any(sentences):
            return WordContexts(
                np.zeros(0, np.float32), np.zeros((0, len(TAGS)), np.float32), np.zeros(0, np.bool_)
            )
        inputs = context_inputs(sentences, known, self.capitals)
        return WordContexts(self.names(inputs)[:, 0], self.forms(inputs), np.ones(len(inputs), np.bool_))

    def only_forms(self, sentences: Sequence[Sequence[str]], known: KnownWords) -> WordContexts:
        """The forms of words, without predicting names."""
        if not any(sentences):
            return self(sentences, known)
        forms = self.forms(context_inputs(sentences, known, self.capitals))
        return WordContexts(np.zeros(len(forms), np.float32), forms, np.zeros(len(forms), np.bool_))

    def arrays(self) -> dict[str, Any]:
        """The weights and counts by name, for a file."""
        counted = {"capital_hashes": self.capitals.hashes, "capital_counts": self.capitals.counts}
        return counted | self.names.arrays("named") | self.forms.arrays("form")

    @classmethod
    def from_arrays(cls, arrays: dict[str, Any]) -> ContextFilter | None:
        """The context filter in these arrays, or None."""
        if "capital_hashes" not in arrays:
            return None
        names, forms = (Ensemble.from_arrays(p, arrays) for p in ("named", "form"))
        if names is None or forms is None:
            raise ValueError("no networks")
        return cls(Capitals(arrays["capital_hashes"], arrays["capital_counts"]), names, forms)


def agreement(context: Reals, source: NDArray[np.uint16], target: NDArray[np.uint16]) -> Reals:
    """The probability that a word has a form in common with another one; 1 if nothing is known or no form is shared.

    `context` are the forms of the word in its context, `source` and `target` the forms that both words may have. Words that
    share no form are not judged: "additional" and "more" fit the same contexts.
    """
    bits = np.arange(len(TAGS), dtype=np.uint16)
    own, other = ((f[:, None] >> bits & 1).astype(np.float32) for f in (source, target))
    possible = (context * own).sum(axis=1)
    shared = (context * own * other).sum(axis=1)
    known = ((source & target) > 0) & (possible > 0)
    result: Reals = np.where(known, shared / np.maximum(possible, 1e-6), 1).astype(np.float32)
    return result


def word_hashes(words: Sequence[str]) -> Hashes:
    """The hash of each word."""
    return kernels.tokenize([" ".join(words)], "space").hashes


def context_inputs(
    sentences: Sequence[Sequence[str]], known: KnownWords, capitals: Capitals, own: Reals | None = None
) -> Reals:
    """The inputs of the networks for each word; `own` is subtracted from the counts in text."""
    words = [w for s in sentences for w in s]
    number: dict[str, int] = {}
    numbers = np.array([number.setdefault(w, len(number)) for w in words], dtype=np.int64)
    sentence = np.repeat(np.arange(len(sentences)), [len(s) for s in sentences])
    counts = capitals.look_up(word_hashes(list(number)))[numbers]
    if own is not None:
        counts[:, :2] = np.maximum(counts[:, :2] - own, 0)
    upper, lower = counts[:, 0::2], counts[:, 1::2]
    scores, ends = known.model.token_scores([" ".join(s) for s in sentences])
    inside = np.ones(len(scores), dtype=np.bool_)
    inside[ends[1:] - 1] = False
    single = _facts(list(number), known)[numbers]
    single[:, 1] = scores[inside]
    single[:, -1] = (upper.sum(axis=1) + 0.1) / (counts.sum(axis=1) + 0.5)
    bits = known.forms_of(list(number))[:, None] >> np.arange(len(TAGS), dtype=np.uint16) & 1
    facts = np.concatenate(
        [single, np.log1p(counts), (upper + 0.1) / (upper + lower + 0.5), bits[numbers]], axis=1
    ).astype(np.float32)
    marker = np.array([_MARKER.get(w, 0) for w in number], dtype=np.int64)[numbers]
    shapes = np.eye(len(_MARKERS) + 2, dtype=np.float32)
    columns = [facts]
    for step in (1, -1, 2, -2):
        other = np.roll(sentence, step) != sentence
        other[slice(0, step) if step > 0 else slice(step, None)] = True
        moved = np.roll(facts, step, axis=0)
        moved[other] = 0
        columns.append(moved)
        if abs(step) == 1:
            columns.append(shapes[np.where(other, len(_MARKERS) + 1, np.roll(marker, step))])
    return np.concatenate(columns, axis=1)


def _facts(words: Sequence[str], known: KnownWords) -> Floats:
    """The inputs that do not depend on context; the second and the last column are left for those that do."""
    ranks = wordlists.ranks(word_hashes(words))
    none = np.zeros(len(words))
    return np.stack(
        [
            known.model.token_scores(words, sentence=False)[0] if words else none,
            none,
            np.array([min(len(w), 12) for w in words]),
            np.array([w[:1].isalpha() for w in words]),
            np.array([any(map(str.isdigit, w)) for w in words]),
            (ranks >= 0) & (ranks < 150),
            ranks >= 0,
            np.log1p(np.where(ranks < 0, 1e5, ranks)),
            known.lexicon.is_name(words),
            none,
        ],
        axis=1,
    )
