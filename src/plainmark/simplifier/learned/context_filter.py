"""Words in their place: whether one is part of a name, and in which form it stands there, in text without capitals, too.

Two small networks look at a word and two on either side: how often each is written with a capital elsewhere, how rare it
is, which forms it may have, what the language model thinks of it. One learns from text whose capitals were taken away,
the other from the tags that plainmark's tagger gives the same text. Neither the text nor the tagger is needed later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import kernels, tagger, wordlists, wordnet
from ...kernels import Ints
from ...lm import LanguageModel
from ..rules.table import RuleTable
from ..rules.word_facts import TAGS, DifficultyLexicon
from ..surface import split
from .network import Ensemble, train_ensemble

Reals = NDArray[np.float32]
Flags = NDArray[np.bool_]
Hashes = NDArray[np.uint64]

_OPENING = frozenset(". ! ? : \" ' -lrb-".split())  # a capital after these proves nothing
_MARKERS = (
    "the a an of in at by for from with and or to on as is was were are be been has have had not his her its their this "
    "that who which will would can could may he she it they , . : ; -lrb- -rrb- \" ' 's ` - called named"
).split()
_COMPARED = {"JJ": ("JJ", "JJR", "JJS"), "RB": ("RB", "RBR", "RBS")}  # the tagger has one tag for three
_MARKER = {word: k for k, word in enumerate(_MARKERS, 1)}


@dataclass(frozen=True, eq=False)
class CasedSentence:
    """A sentence whose capitals are known: words in lower case, which have a capital, and where that says something."""

    words: tuple[str, ...]
    capital: Flags
    sure: Flags

    @classmethod
    def of(cls, text: str) -> CasedSentence:
        """A sentence as written."""
        found = split(text)
        capital = np.array([text[s].isupper() for s in found.starts], dtype=np.bool_)
        return cls(found.words, capital, _sure(found.words))

    @classmethod
    def aligned(cls, words: Sequence[str], text: str) -> CasedSentence:
        """A sentence of words in lower case whose capitals another spelling of it tells."""
        from difflib import SequenceMatcher

        other = cls.of(text)
        capital, sure = (np.zeros(len(words), dtype=np.bool_) for _ in range(2))
        for a, b, n in SequenceMatcher(None, other.words, words, autojunk=False).get_matching_blocks():
            capital[b : b + n], sure[b : b + n] = other.capital[a : a + n], other.sure[a : a + n]
        return cls(tuple(words), capital, sure)

    def cut(self, start: int) -> CasedSentence:
        """The sentence from a word on: its capital is known, though it now stands first."""
        sure = np.zeros(len(self.words) - start, dtype=np.bool_)
        sure[0] = True
        return CasedSentence(self.words[start:], self.capital[start:], sure)


@dataclass(frozen=True, eq=False)
class Capitals:
    """How often words are written with a capital and without: in text, in WordNet's definitions, in WordNet's entries."""

    hashes: Hashes  # sorted
    counts: NDArray[np.uint16]  # shape (words, 6)

    @classmethod
    def of(cls, sentences: Iterable[CasedSentence]) -> Capitals:
        """The counts of sentences, and of WordNet if it is on the machine."""
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
        hashes, first = np.unique(_hashes(words), return_index=True)
        return cls(hashes, table[first])

    def look_up(self, hashes: Hashes) -> Reals:
        """The counts of words, shape (words, 6)."""
        if not len(self.hashes):
            return np.zeros((len(hashes), 6), np.float32)
        at = np.minimum(np.searchsorted(self.hashes, hashes), len(self.hashes) - 1)
        return np.where((self.hashes[at] == hashes)[:, None], self.counts[at], 0).astype(np.float32)


@dataclass(frozen=True, eq=False)
class WordContexts:
    """For each word of a batch: how likely it is part of a name, how likely it stands in each form of TAGS, and whether
    names were guessed where it stands (there are no capitals to tell them).
    """

    name: Reals
    forms: Reals
    guessed: Flags


@dataclass(frozen=True, eq=False)
class KnownWords:
    """What a model knows of words."""

    table: RuleTable
    forms: NDArray[np.uint16]
    lexicon: DifficultyLexicon
    model: LanguageModel

    def forms_of(self, words: Sequence[str]) -> NDArray[np.uint16]:
        """The forms of words; 0 for those that no rule has."""
        numbers = self.table.numbers
        padded = np.append(self.forms, np.uint16(0))
        return padded[[numbers.get(w, -1) for w in words]] if words else np.zeros(0, np.uint16)


@dataclass(frozen=True, eq=False)
class ContextFilter:
    """Reads words in their place."""

    capitals: Capitals
    names: Ensemble
    forms: Ensemble

    def __call__(self, sentences: Sequence[Sequence[str]], known: KnownWords) -> WordContexts:
        """What stands in sentences in lower case."""
        if not any(sentences):
            return WordContexts(
                np.zeros(0, np.float32), np.zeros((0, len(TAGS)), np.float32), np.zeros(0, np.bool_)
            )
        inputs = _inputs(sentences, known, self.capitals)
        return WordContexts(self.names(inputs)[:, 0], self.forms(inputs), np.ones(len(inputs), np.bool_))

    def arrays(self) -> dict[str, Any]:
        """The weights and counts by name, for a file."""
        counted = {"capital_hashes": self.capitals.hashes, "capital_counts": self.capitals.counts}
        return counted | self.names.arrays("named") | self.forms.arrays("form")

    @classmethod
    def from_arrays(cls, arrays: dict[str, Any]) -> ContextFilter | None:
        """The reader that `arrays` named, if there is one."""
        if "capital_hashes" not in arrays:
            return None
        names, forms = (Ensemble.from_arrays(p, arrays) for p in ("named", "form"))
        if names is None or forms is None:
            raise ValueError("no networks")
        return cls(Capitals(arrays["capital_hashes"], arrays["capital_counts"]), names, forms)


def fit_context_filter(
    documents: Sequence[Sequence[CasedSentence]],
    tuned: Sequence[CasedSentence],
    known: KnownWords,
    rng: np.random.Generator,
    *,
    folds: int = 3,
    epochs: int = 4,
) -> tuple[ContextFilter, WordContexts]:
    """A reader, and what readers that never saw them say of the sentences that will be tuned on.

    Capitals are counted in `documents` only, and for a word of one of them in the others.
    """
    capitals = Capitals.of(s for d in documents for s in d)
    rows = [(s, d) for d, document in enumerate(documents) for s in document if len(s.words) > 2]
    first_tuned = len(rows)
    rows += [(s, len(documents) + i) for i, s in enumerate(tuned)]
    whole = len(rows)
    # Half of the words that begin a sentence here stood in the middle of one.
    for s, d in rows[:whole]:
        starts = np.flatnonzero(s.sure[: max(len(s.words) - 3, 0)])
        if len(starts):
            rows.append((s.cut(int(rng.choice(starts))), d))
    lengths = np.array([len(s.words) for s, _ in rows])
    begins = np.concatenate([[0], np.cumsum(lengths)])
    document = np.repeat([d for _, d in rows], lengths)
    capital, sure = (np.concatenate([getattr(s, n) for s, _ in rows]) for n in ("capital", "sure"))
    hashes = _hashes([w for s, _ in rows for w in s.words])
    own = _own_counts(
        hashes, document, capital, sure & (np.arange(len(sure)) < begins[whole]), len(documents)
    )
    inputs = _inputs([s.words for s, _ in rows], known, capitals, own)
    tags, told = _tags([s for s, _ in rows[:whole]], known)
    told_rows = np.flatnonzero(told)
    fold = np.where(document >= len(documents), document % folds, -1)
    mine = slice(int(begins[first_tuned]), int(begins[whole]))

    def networks(seen: Flags) -> tuple[Ensemble, Ensemble]:
        named = np.flatnonzero(sure & seen)
        formed = told_rows[seen[told_rows]]
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


def agreement(context: Reals, source: NDArray[np.uint16], target: NDArray[np.uint16]) -> Reals:
    """How likely a word stands in one of the forms that it shares with another; 1 if nothing is known or none is shared.

    `context` are the forms of the word in its place, `source` and `target` the forms that both words may have. Words that
    share no form are another matter: "additional" and "more" fit the same places.
    """
    bits = np.arange(len(TAGS), dtype=np.uint16)
    own, other = ((f[:, None] >> bits & 1).astype(np.float32) for f in (source, target))
    possible = (context * own).sum(axis=1)
    shared = (context * own * other).sum(axis=1)
    known = ((source & target) > 0) & (possible > 0)
    result: Reals = np.where(known, shared / np.maximum(possible, 1e-6), 1).astype(np.float32)
    return result


def _sure(words: Sequence[str]) -> Flags:
    before = [".", *words[:-1]]
    return np.array(
        [b not in _OPENING and w[:1].isalpha() for b, w in zip(before, words, strict=False)], dtype=np.bool_
    )


def _hashes(words: Sequence[str]) -> Hashes:
    return kernels.tokenize([" ".join(words)], "space").hashes


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
    """What the document of each word adds to the word's counts."""
    _, word = np.unique(hashes, return_inverse=True)
    _, pair = np.unique(document * (word.max(initial=0) + 1) + word, return_inverse=True)
    counted = counted & (document < documents)
    columns = [
        np.bincount(pair[counted & f], minlength=pair.max(initial=-1) + 1)[pair] for f in (capital, ~capital)
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def _tags(sentences: Sequence[CasedSentence], known: KnownWords) -> tuple[Reals, Flags]:
    """The tagger's tags of words, and where they tell something: of words that may have several forms."""
    many = sum(len(s.words) for s in sentences)
    tags, told = np.zeros((many, len(TAGS)), np.float32), np.zeros(many, dtype=np.bool_)
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
                tags[at + i, k], told[at + i] = 1, True
        at += len(s.words)
    return tags, told


def _inputs(
    sentences: Sequence[Sequence[str]], known: KnownWords, capitals: Capitals, own: Reals | None = None
) -> Reals:
    """What the networks see of each word; `own` is taken from the counts in text."""
    words = [w for s in sentences for w in s]
    n = len(words)
    sentence = np.repeat(np.arange(len(sentences)), [len(s) for s in sentences])
    hashes = _hashes(words)
    counts = capitals.look_up(hashes)
    if own is not None:
        counts[:, :2] = np.maximum(counts[:, :2] - own, 0)
    upper, lower = counts[:, 0::2], counts[:, 1::2]
    ranks = wordlists.ranks(hashes)
    scores, ends = known.model.token_scores([" ".join(s) for s in sentences])
    inside = np.ones(len(scores), dtype=np.bool_)
    inside[ends[1:] - 1] = False
    single = np.stack(
        [
            known.model.token_scores(words, sentence=False)[0] if n else np.zeros(0),
            scores[inside],
            np.array([min(len(w), 12) for w in words]),
            np.array([w[:1].isalpha() for w in words]),
            np.array([any(map(str.isdigit, w)) for w in words]),
            (ranks >= 0) & (ranks < 150),
            ranks >= 0,
            np.log1p(np.where(ranks < 0, 1e5, ranks)),
            known.lexicon.is_name(words),
            (upper.sum(axis=1) + 0.1) / (counts.sum(axis=1) + 0.5),
        ],
        axis=1,
    )
    bits = known.forms_of(words)[:, None] >> np.arange(len(TAGS), dtype=np.uint16) & 1
    facts = np.concatenate(
        [single, np.log1p(counts), (upper + 0.1) / (upper + lower + 0.5), bits], axis=1
    ).astype(np.float32)
    marker = np.array([_MARKER.get(w, 0) for w in words], dtype=np.int64)
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
