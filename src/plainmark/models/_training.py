"""Training n-gram language models: interpolated modified Kneser-Ney, pruned to the n-grams that matter most.

Words beyond the commonest are <unk> and are spelt by a model of letters. An n-gram is kept if much would be lost by leaving
it to the shorter context. References: Chen and Goodman 1999; Seymore and Rosenfeld 1996 (weighted difference).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from .. import text
from ..errors import InputError
from ..punkt import PLAIN
from ._ngram import LETTERS, NORMAL, START, UNKNOWN, Floats, Ints, pack, spell

WORDS, BIGRAMS, TRIGRAMS = 25_000, 420_000, 420_000


def train_ngram(
    texts: Sequence[str], *, words: int = WORDS, bigrams: int = BIGRAMS, trigrams: int = TRIGRAMS
) -> bytes:
    """A model of texts, packed; words that occur once teach the spelling of unknown ones."""
    sentences = [t[a:b] for t in texts for a, b in PLAIN.spans(t)]
    return train_on_words(
        text.words(sentences, "nltk-plain", lowercase=True), words=words, bigrams=bigrams, trigrams=trigrams
    )


def train_on_words(
    sentences: Sequence[Sequence[str]],
    *,
    words: int = WORDS,
    bigrams: int = BIGRAMS,
    trigrams: int = TRIGRAMS,
) -> bytes:
    """The same for sentences that are already words in lower case."""
    rows = [[NORMAL.get(w, w) for w in s] for s in sentences if len(s)]
    counts = Counter(w for row in rows for w in row)
    if len(counts) < 10:
        raise InputError(
            f"found {len(counts)} different words to train a language model on, expected at least 10."
        )
    # A model in which every word is known would have no idea of unknown ones.
    common = [w for w, c in counts.most_common(words) if c > 1 or len(counts) > words]
    known = [START, UNKNOWN, *sorted(common)]
    number = {w: i for i, w in enumerate(known)}
    rare = {w: c for w, c in counts.items() if w not in number}
    ids = np.concatenate([[0, *(number.get(w, 1) for w in row)] for row in rows]).astype(np.int64)
    one, two, three = kneser_ney(ids, len(known))
    return pack(known, one, _keep(*two, bigrams), _keep(*three, trigrams), letters(rare or counts))


Grams = tuple[Ints, Floats, Floats]


def kneser_ney(ids: Ints, size: int) -> tuple[Floats, Grams, Grams]:
    """Log probabilities of words, and (keys, log probabilities, gains) of bigrams and trigrams."""
    a, b = ids[:-1], ids[1:]
    inner = b != 0  # nothing predicts the beginning of a sentence
    pairs, _ = np.unique((a * size + b)[inner], return_counts=True)
    first, second, third = ids[:-2], ids[1:-1], ids[2:]
    inside = (second != 0) & (third != 0)
    keys3, count3 = np.unique(((first * size + second) * size + third)[inside], return_counts=True)

    # A shorter n-gram counts once for each word that it follows; one at the beginning of a sentence follows none.
    starting, count_starting = np.unique((a * size + b)[inner & (a == 0)], return_counts=True)
    following, count_following = np.unique(keys3 % (size * size), return_counts=True)
    keys2 = np.concatenate([starting, following])
    count2 = np.concatenate([count_starting, count_following])
    order = np.argsort(keys2)
    keys2, count2 = keys2[order], count2[order]
    count1 = np.bincount(pairs % size, minlength=size).astype(np.float64)
    count1[1] = max(count1[1], 1.0)  # there is always an unknown word

    p1 = interpolate(np.zeros(size, dtype=np.int64), count1, np.full(size, 1 / (size - 1)))[0]
    p1[0] = 0.0
    p2, backoff2 = interpolate(keys2 // size, count2, p1[keys2 % size])
    place = np.searchsorted(keys2, keys3 % (size * size))
    p3, backoff3 = interpolate(keys3 // size, count3, p2[place])
    gain2: Floats = count2.astype(np.float64) * np.log(p2 / (backoff2 * p1[keys2 % size]))
    gain3: Floats = count3.astype(np.float64) * np.log(p3 / (backoff3 * p2[place]))
    with np.errstate(divide="ignore"):
        logs: Floats = np.log(p1)
    return logs, (keys2, np.log(p2), gain2), (keys3, np.log(p3), gain3)


def interpolate(contexts: Ints, counts: Ints | Floats, shorter: Floats) -> tuple[Floats, Floats]:
    """Probabilities of n-grams in their contexts, and the weight that each context gives to the shorter one."""
    discount = discounts(counts)[np.minimum(counts, 3).astype(int)]
    _, group = np.unique(contexts, return_inverse=True)
    total = np.bincount(group, weights=counts)[group]
    left = np.bincount(group, weights=discount)[group] / total
    return np.maximum(counts - discount, 0) / total + left * shorter, left


def discounts(counts: Ints | Floats) -> Floats:
    """What modified Kneser-Ney takes from counts of 0, 1, 2, and 3 or more."""
    have = [np.count_nonzero(counts == n) for n in (1, 2, 3, 4)]
    usual = np.array([0, 0.5, 1.0, 1.5])  # of texts so small that counts of counts are missing
    if not all(have):
        return usual
    y = have[0] / (have[0] + 2 * have[1])
    estimated = np.array([0, *(n - (n + 1) * y * have[n] / have[n - 1] for n in (1, 2, 3))])
    return np.where((estimated > 0) & (estimated < np.arange(4)), estimated, usual)


def letters(words: Mapping[str, int]) -> Floats:
    """Log probabilities of a letter after two others, from the spelling of rare words."""
    n = len(LETTERS) + 2  # and the end of a word, and any other character
    counts = np.zeros((n, n, n))
    for word, count in words.items():
        codes = [0, 0, *spell(word), 0]
        for u, v, w in zip(codes, codes[1:], codes[2:], strict=False):
            counts[u, v, w] += min(count, 3)
    one = counts.sum((0, 1)) + 0.5
    one /= one.sum()
    two = counts.sum(0)
    two = (two + 5 * one) / (two.sum(-1, keepdims=True) + 5)
    three = (counts + 5 * two) / (counts.sum(-1, keepdims=True) + 5)
    logs: Floats = np.log(three)
    return logs


def _keep(keys: Ints, logs: Floats, gains: Floats, number: int) -> tuple[Ints, Floats]:
    """The n-grams with the largest gains, sorted."""
    chosen = np.sort(np.argsort(-gains)[:number])
    return keys[chosen], logs[chosen]
