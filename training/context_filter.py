"""Trains the context filter: networks that predict names and grammatical forms in text without capitals.

One network is trained on text whose capitals are removed, the other on the tags of plainmark's tagger.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

import numpy as np

from plainmark import tagger, wordnet
from plainmark.kernels import Ints
from plainmark.simplifier.learned.context_filter import (
    Capitals,
    ContextFilter,
    Flags,
    Hashes,
    KnownWords,
    Reals,
    WordContexts,
    context_inputs,
    word_hashes,
)
from plainmark.simplifier.learned.network import Ensemble, train_ensemble
from plainmark.simplifier.rules.word_facts import TAGS
from plainmark.simplifier.surface import split

_OPENING = frozenset(". ! ? : \" ' -lrb-".split())  # a capital after these words proves nothing
_COMPARED = {"JJ": ("JJ", "JJR", "JJS"), "RB": ("RB", "RBR", "RBS")}  # the tagger has one tag for three


@dataclass(frozen=True, eq=False)
class CasedSentence:
    """A sentence with known capitals: words in lower case, which are capitalised, and where that is informative."""

    words: tuple[str, ...]
    capital: Flags
    sure: Flags

    @classmethod
    def of(cls, text: str) -> CasedSentence:
        """A sentence as written."""
        sentence = split(text)
        capital = np.array([text[s].isupper() for s in sentence.starts], dtype=np.bool_)
        return cls(sentence.words, capital, _sure(sentence.words))

    @classmethod
    def aligned(cls, words: Sequence[str], text: str) -> CasedSentence:
        """A sentence of words in lower case whose capitals come from another spelling of it."""
        other = cls.of(text)
        capital, sure = (np.zeros(len(words), dtype=np.bool_) for _ in range(2))
        for a, b, n in SequenceMatcher(None, other.words, words, autojunk=False).get_matching_blocks():
            capital[b : b + n], sure[b : b + n] = other.capital[a : a + n], other.sure[a : a + n]
        return cls(tuple(words), capital, sure)

    def cut(self, start: int) -> CasedSentence:
        """The rest of the sentence from a word on; its capitals are known although the word is now the first one."""
        sure = np.zeros(len(self.words) - start, dtype=np.bool_)
        sure[0] = True
        return CasedSentence(self.words[start:], self.capital[start:], sure)


def count_capitals(sentences: Iterable[CasedSentence]) -> Capitals:
    """The counts in sentences, and in WordNet if it is installed."""
    counts = [Counter[str]() for _ in range(6)]
    for s in sentences:
        for word, capital in zip(
            np.array(s.words, dtype=object)[s.sure], s.capital[s.sure].tolist(), strict=True
        ):
            counts[0 if capital else 1][word] += 1
    if wordnet.find() is not None:
        _count_wordnet(counts[2:])
    words = sorted({w for c in counts for w in c})
    table = np.array([[min(c[w], 65535) for c in counts] for w in words], dtype=np.uint16).reshape(-1, 6)
    hashes, first = np.unique(word_hashes(words), return_index=True)
    return Capitals(hashes, table[first])


def fit_context_filter(
    documents: Sequence[Sequence[CasedSentence]],
    tuned: Sequence[CasedSentence],
    known: KnownWords,
    rng: np.random.Generator,
    *,
    folds: int = 3,
    epochs: int = 4,
) -> tuple[ContextFilter, WordContexts]:
    """A context filter, and predictions for the tuning sentences by filters that were not trained on them.

    Capitals are counted only in `documents`, and for a word in one of them only in the others.
    """
    capitals = count_capitals(s for d in documents for s in d)
    rows = [(s, d) for d, document in enumerate(documents) for s in document if len(s.words) > 2]
    first_tuned = len(rows)
    rows += [(s, len(documents) + i) for i, s in enumerate(tuned)]
    whole = len(rows)
    # Half of the words that begin a sentence here were in the middle of one.
    for s, d in rows[:whole]:
        starts = np.flatnonzero(s.sure[: max(len(s.words) - 3, 0)])
        if len(starts):
            rows.append((s.cut(int(rng.choice(starts))), d))
    lengths = np.array([len(s.words) for s, _ in rows])
    begins = np.concatenate([[0], np.cumsum(lengths)])
    document = np.repeat([d for _, d in rows], lengths)
    capital, sure = (np.concatenate([getattr(s, n) for s, _ in rows]) for n in ("capital", "sure"))
    hashes = word_hashes([w for s, _ in rows for w in s.words])
    own = _own_counts(
        hashes, document, capital, sure & (np.arange(len(sure)) < begins[whole]), len(documents)
    )
    inputs = context_inputs([s.words for s, _ in rows], known, capitals, own)
    tags, is_tagged = _tags([s for s, _ in rows[:whole]], known)
    tagged_rows = np.flatnonzero(is_tagged)
    fold = np.where(document >= len(documents), document % folds, -1)
    mine = slice(int(begins[first_tuned]), int(begins[whole]))

    def networks(seen: Flags) -> tuple[Ensemble, Ensemble]:
        named = np.flatnonzero(sure & seen)
        formed = tagged_rows[seen[tagged_rows]]
        return (
            train_ensemble(inputs[named], capital[named, None].astype(np.float32), rng, 1, epochs),
            train_ensemble(inputs[formed], tags[formed], rng, 1, epochs),
        )

    name = np.zeros(len(inputs), np.float32)
    forms = np.zeros((len(inputs), len(TAGS)), np.float32)
    for k in range(folds):
        by_name, by_form = networks(fold != k)
        at = np.flatnonzero(fold[: begins[whole]] == k)
        name[at], forms[at] = by_name(inputs[at])[:, 0], by_form(inputs[at])
    return ContextFilter(capitals, *networks(np.ones(len(inputs), np.bool_))), WordContexts(
        name[mine], forms[mine], np.ones(mine.stop - mine.start, np.bool_)
    )


def _sure(words: Sequence[str]) -> Flags:
    before = [".", *words[:-1]]
    return np.array(
        [b not in _OPENING and w[:1].isalpha() for b, w in zip(before, words, strict=False)], dtype=np.bool_
    )


def _count_wordnet(counts: Sequence[Counter[str]]) -> None:
    net = wordnet.load()
    for pos in ("n", "v", "a", "r"):
        for lemma in net.lemmas(pos):
            for synset in net.synsets(lemma, pos):
                if synset.words[0].lower() != lemma:  # each once
                    continue
                for entry in synset.words:
                    for word in entry.split("_"):
                        counts[2 if word[:1].isupper() else 3][word.lower()] += 1
                gloss = split(synset.gloss)
                for before, (word, start) in pairwise(
                    [("", 0), *zip(gloss.words, gloss.starts, strict=True)]
                ):
                    if word[:1].isalpha() and before[0] not in _OPENING:
                        counts[0 if gloss.text[start].isupper() else 1][word] += 1


def _own_counts(hashes: Hashes, document: Ints, capital: Flags, counted: Flags, documents: int) -> Reals:
    """The part of each word's counts that comes from its own document."""
    _, word = np.unique(hashes, return_inverse=True)
    _, pair = np.unique(document * (word.max(initial=0) + 1) + word, return_inverse=True)
    counted = counted & (document < documents)
    columns = [
        np.bincount(pair[counted & f], minlength=pair.max(initial=-1) + 1)[pair] for f in (capital, ~capital)
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def _tags(sentences: Sequence[CasedSentence], known: KnownWords) -> tuple[Reals, Flags]:
    """The tagger's tags of words, and where they are informative, that is, for words that may have several forms."""
    many = sum(len(s.words) for s in sentences)
    tags, is_tagged = np.zeros((many, len(TAGS)), np.float32), np.zeros(many, dtype=np.bool_)
    at = 0
    column = {tag: k for k, tag in enumerate(TAGS)}
    plain = {"-lrb-": "(", "-rrb-": ")"}
    for s in sentences:
        spelled = [
            plain.get(w, w[:1].upper() + w[1:] if c else w)
            for w, c in zip(s.words, s.capital.tolist(), strict=True)
        ]
        places = dict(
            zip(
                np.cumsum([0, *(len(w) + 1 for w in spelled[:-1])]).tolist(), range(len(spelled)), strict=True
            )
        )
        bits = known.forms_of(s.words)
        for token in tagger.tag(" ".join(spelled)):
            i = places.get(token.start, -1)
            if i < 0 or token.text != spelled[i] or int(bits[i]).bit_count() < 2:
                continue
            same = [column[t] for t in _COMPARED.get(token.tag, (token.tag,)) if t in column]
            for k in [k for k in same if int(bits[i]) >> k & 1][:1]:
                tags[at + i, k], is_tagged[at + i] = 1, True
        at += len(s.words)
    return tags, is_tagged
