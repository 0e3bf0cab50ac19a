"""Trains back-off language models: interpolated modified Kneser-Ney, and pruning by relative entropy.

    P(w | h) = max(c(hw) - D(c(hw)), 0) / sum_v c(hv) + left(h) P(w | h without its first word)

For the longest n-grams and those at the beginning of a sentence, c is the count; for others it is the number of different
words before them. The discounts D(1), D(2), D(3 and more) of each order follow from its counts of counts. References: Chen
and Goodman 1999; Stolcke 1998 (pruning); Chelba et al. 2010 (how to weight histories).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, OptionError
from .tables import BEGIN, END, MAX_ORDER, SPECIAL, Floats, Ints, Level, Tables, complete

_BLOCK = 10_000
Progress = Callable[[int], None]


def read_words(lines: Iterable[str], progress: Progress | None = None) -> tuple[list[str], Ints]:
    """The different words in the order of their first occurrence, special ones first, and the text as word numbers.

    Each line is a sentence with words separated by spaces, and is followed by </s>; empty lines are skipped.
    """
    number = {word.encode(): i for i, word in enumerate(SPECIAL)}
    text = array("i")
    rows = iter(lines)
    read = 0
    while block := list(islice(rows, _BLOCK)):
        # As bytes: only ASCII spaces separate words, as in ARPA files.
        sentences = [row.encode("utf-8", "surrogatepass") for row in block if row.strip(" \t\n\r\f\v")]
        words = b" </s> ".join([*sentences, b""]).split()
        number.update(zip(set(words) - number.keys(), range(len(number), 2**31), strict=False))
        new = array("i", map(number.__getitem__, words))
        if new.count(2) != len(sentences) or new.count(1):
            bad, row = next(
                (i, row) for i, row in enumerate(block, read + 1) if {BEGIN, END} & set(row.split())
            )
            raise InputError(
                f"line {bad}, {row.strip()[:40]!r}: has {BEGIN} or {END}, which training sets itself."
            )
        text.extend(new)
        read += len(block)
        if progress:
            progress(read)
    all_words = [word.decode("utf-8", "surrogatepass") for word in number]
    return all_words, np.frombuffer(text, dtype=np.intc).astype(np.int64)


def vocabulary(words: list[str], text: Ints, limit: int, min_count: int) -> tuple[tuple[str, ...], Ints]:
    """The words of the vocabulary, most frequent first, and the text with all other words as <unk>."""
    counts = np.bincount(text, minlength=len(words))
    # Ties are broken by the word itself, so that the order of the text has no influence.
    rank = sorted(range(len(SPECIAL), len(words)), key=lambda i: (-counts[i], words[i]))
    known = [i for i in rank if counts[i] >= min_count][: limit or None]
    new = np.zeros(len(words), dtype=np.int64)
    new[: len(SPECIAL)] = range(len(SPECIAL))
    new[known] = np.arange(len(SPECIAL), len(SPECIAL) + len(known))
    return (*SPECIAL, *(words[i] for i in known)), new[text]


def train(
    lines: Iterable[str],
    *,
    order: int = 4,
    min_counts: Iterable[int] = (),
    threshold: float = 0.0,
    ngrams: int = 0,
    words: int = 0,
    min_count: int = 1,
    progress: Progress | None = None,
) -> Tables:
    """A model of sentences with words separated by spaces.

    `min_counts` are the smallest counts of n-grams of 1, 2, 3 ... words that are kept (the last also applies to longer
    ones); `threshold` is the smallest relative increase in perplexity for which an n-gram is kept; `ngrams` is the
    approximate number to keep, 0 for all; `words` is the size of the vocabulary, 0 for all; `min_count` is the smallest
    count of a word in it.
    """
    if not 1 <= order <= MAX_ORDER:
        raise OptionError(f"order {order}, expected 1 to {MAX_ORDER}.")
    all_words, text = read_words(lines, progress)
    if not len(text):
        raise InputError("no text to train a language model on; expected one sentence per line.")
    known, text = vocabulary(all_words, text, words, min_count)
    del all_words
    grams = _count(text, len(known), order)
    tables, histories = estimate(known, grams)
    least = list(min_counts) or [1]
    keep = [
        g.raw >= least[min(n, len(least) - 1)] if n else np.ones(len(known), bool)
        for n, g in enumerate(grams)
    ]
    if not all(k.all() for k in keep):
        tables, histories = _restrict(tables, histories, keep)
    if threshold > 0 or ngrams:
        tables = prune(tables, threshold, ngrams=ngrams, histories=histories)
    return tables


class _Grams:
    """The different n-grams of one order: contexts, last words, suffixes, counts in the text and adjusted counts."""

    def __init__(self, parents: Ints, words: Ints, suffixes: Ints, raw: Ints) -> None:
        self.parents, self.words, self.suffixes, self.raw = parents, words, suffixes, raw
        self.counts = raw


def _count(text: Ints, size: int, order: int) -> list[_Grams]:
    """The n-grams of every order; their counts are numbers of different preceding words if there are any."""
    # <s> precedes each sentence, and no n-gram extends across it.
    ends = np.flatnonzero(text == 2)
    stream = np.insert(text, np.concatenate([[0], ends[:-1] + 1]), 1)
    nowhere = np.zeros(size, dtype=np.int64)
    grams = [_Grams(nowhere, np.arange(size), nowhere, np.bincount(stream, minlength=size))]
    place = stream  # index of the n-gram that ends here, among those of its order
    ending = np.arange(len(stream))  # positions at which n-grams of the order end
    starts = stream == 1
    for _ in range(1, order):
        inside = ~starts[ending] & (ending > 0)
        if len(grams) > 1:
            # An n-gram needs the n-gram of the order below that ends one word earlier.
            has = np.zeros(len(stream), dtype=bool)
            has[ending] = True
            inside &= has[ending - 1]
        later = ending[inside]
        full = np.zeros(len(stream), dtype=np.int64)
        full[ending] = place
        keys = full[later - 1] * size + stream[later]
        unique, first, inverse, raw = np.unique(
            keys, return_index=True, return_inverse=True, return_counts=True
        )
        grams.append(_Grams(unique // size, unique % size, full[later[first]], raw))
        ending, place = later, inverse.astype(np.int64)
    for shorter, longer in pairwise(grams):
        before = np.bincount(longer.suffixes, minlength=len(shorter.raw))
        shorter.counts = np.where(before > 0, before, shorter.raw)
    return grams


def estimate(words: tuple[str, ...], grams: list[_Grams]) -> tuple[Tables, list[Floats]]:
    """The model for counts, and the probability of each n-gram as a history: its share of all words."""
    size = len(words)
    counts = grams[0].counts.astype(np.float64)
    counts[1] = 0.0  # the beginning of a sentence is never predicted
    total = counts.sum()
    discount = discounts(counts)[np.minimum(counts, 3).astype(int)]
    # <unk> and words without a count share the probability that the discounts free; <s> is never predicted.
    probability = np.maximum(counts - discount, 0) / total + discount.sum() / total / (size - 1)
    probability[1] = 0.0
    with np.errstate(divide="ignore"):
        logs = np.log10(probability)
    logs[1] = -99.0
    levels = [Level(grams[0].parents, grams[0].words, logs, np.zeros(size))]
    tokens = float(grams[0].raw.sum() - grams[0].raw[1])
    histories = [grams[0].raw / tokens]
    for n, g in enumerate(grams[1:], 1):
        counts = g.counts.astype(np.float64)
        below = len(grams[n - 1].raw)
        total = np.bincount(g.parents, counts, below)
        discount = discounts(counts)[np.minimum(counts, 3).astype(int)]
        with np.errstate(divide="ignore", invalid="ignore"):
            left = np.where(total > 0, np.bincount(g.parents, discount, below) / total, 1.0)
        probability = (counts - discount) / total[g.parents] + left[g.parents] * probability[g.suffixes]
        shorter = levels[-1]
        levels[-1] = Level(shorter.parents, shorter.words, shorter.logs, np.log10(left))
        levels.append(Level(g.parents, g.words, np.log10(probability), np.zeros(len(counts))))
        histories.append(g.raw / tokens)
    return Tables(words, tuple(levels)), histories


def discounts(counts: Ints | Floats) -> Floats:
    """The discounts of modified Kneser-Ney for counts of 0, 1, 2, and 3 or more."""
    counts_of_counts = [np.count_nonzero(counts == n) for n in (1, 2, 3, 4)]
    usual = np.array([0, 0.5, 1.0, 1.5])  # for texts so small that counts of counts are missing
    if not all(counts_of_counts):
        return usual
    y = counts_of_counts[0] / (counts_of_counts[0] + 2 * counts_of_counts[1])
    estimated = np.array(
        [0, *(n - (n + 1) * y * counts_of_counts[n] / counts_of_counts[n - 1] for n in (1, 2, 3))]
    )
    return np.where((estimated > 0) & (estimated < np.arange(4)), estimated, usual)


def prune(
    tables: Tables, threshold: float, *, ngrams: int = 0, histories: list[Floats] | None = None
) -> Tables:
    """The tables without the n-grams whose removal increases perplexity by less than the threshold, or least.

    `histories` are weights of histories, by default the model's own probabilities. These are poor for Kneser-Ney's shorter
    n-grams, which count contexts and not words.
    """
    histories = histories or _histories(tables)
    losses = _losses(tables, histories)
    if ngrams and sum(tables.counts[1:]) > ngrams:
        every = np.concatenate(losses[1:])
        threshold = max(threshold, float(np.partition(every, len(every) - ngrams)[len(every) - ngrams]))
    keep: list[NDArray[np.bool_]] = [np.ones(len(tables.words), dtype=bool)]
    keep += [loss >= threshold for loss in losses[1:]]
    return _restrict(tables, histories, keep)[0]


def _losses(tables: Tables, histories: list[Floats]) -> list[Floats]:
    """The relative increase in perplexity without each n-gram."""
    out = [np.full(len(tables.words), np.inf)]
    for n in range(1, tables.order):
        level, shorter = tables.levels[n], tables.levels[n - 1]
        p = 10**level.logs
        below = 10 ** shorter.logs[tables.suffixes[n]]
        size = len(shorter)
        left = np.maximum(1 - np.bincount(level.parents, p, size), 1e-12)[level.parents]
        others = np.maximum(1 - np.bincount(level.parents, below, size), 1e-12)[level.parents]
        before = np.log(left / others)
        after = np.log((left + p) / (others + below))
        history = histories[n - 1][level.parents]
        out.append(np.expm1(-history * (p * (np.log(below / p) + after) + (after - before) * left)))
    return out


def _histories(tables: Tables) -> list[Floats]:
    logs = [tables.levels[0].logs]
    for level in tables.levels[1:]:
        logs.append(logs[-1][level.parents] + level.logs)
    out: list[Floats] = [10**log for log in logs]
    out[0][1] = out[0][2]  # sentences begin as often as they end
    return out


def _restrict(
    tables: Tables, histories: list[Floats], keep: list[NDArray[np.bool_]]
) -> tuple[Tables, list[Floats]]:
    """The n-grams to keep and all others that these need, with new back-offs."""
    keep = [k.copy() for k in keep]
    for n in range(tables.order - 1, 0, -1):
        for needed in (tables.levels[n].parents, tables.suffixes[n]):
            keep[n - 1][needed[keep[n]]] = True
    levels: list[Level] = []
    place = np.zeros(1, dtype=np.int64)
    for level, keep_rows in zip(tables.levels, keep, strict=True):
        levels.append(level.only(keep_rows, place))
        place = np.cumsum(keep_rows) - 1
    left = [h[k] for h, k in zip(histories, keep, strict=True)]
    return complete(Tables(tables.words, tuple(levels))), left
