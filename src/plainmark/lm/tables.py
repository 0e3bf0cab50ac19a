"""The n-grams of a back-off language model as flat arrays, and the bytes of the compact file that hold them.

An n-gram of order n is stored as the index of its first n-1 words among the n-grams of order n-1, and its last word; the
rows of an order are sorted by both. For every n-gram, the tables also contain its first n-1 and its last n-1 words.

The file has one of two forms. The plain form ("plainlm1") holds probabilities and back-offs as 32-bit numbers, or as one
of 256 values; compiled code reads it as it is. The quantized form ("plainlmq") holds probabilities in steps of 1/14 of a
natural logarithm and no back-offs, which follow from the probabilities when it is read; it is about half as large.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

UNKNOWN, BEGIN, END = "<unk>", "<s>", "</s>"
SPECIAL = (UNKNOWN, BEGIN, END)
MAX_ORDER = 6
PLAIN_FORM, QUANTIZED_FORM = b"plainlm1", b"plainlmq"
STEP = 1 / 14  # of a natural logarithm, in the quantized form
NEVER = -99.0  # log10 probability of <s>, which is never predicted
_IMPLIED = 255  # the code of an n-gram with its back-off probability
_LN10 = math.log(10)
# Rounded probabilities may add up to more than 1, so the listed words of a context get at most this share.
_MOST_LISTED = 0.999


@dataclass(frozen=True, eq=False)
class Level:
    """The n-grams of one order; log10 probabilities and back-offs."""

    parents: Ints
    words: Ints
    logs: Floats
    backs: Floats

    def __len__(self) -> int:
        return len(self.words)

    def only(self, keep: NDArray[np.bool_], parents: Ints) -> Level:
        """The rows to keep, with new indices of their contexts."""
        return Level(parents[self.parents[keep]], self.words[keep], self.logs[keep], self.backs[keep])


@dataclass(frozen=True, eq=False)
class Tables:
    """All n-grams: words[0:3] are <unk>, <s> and </s>, and level 0 has every word once, in order."""

    words: tuple[str, ...]
    levels: tuple[Level, ...]

    @property
    def order(self) -> int:
        return len(self.levels)

    @property
    def counts(self) -> list[int]:
        return [len(level) for level in self.levels]

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The index of each word."""
        return {word: i for i, word in enumerate(self.words)}

    @cached_property
    def keys(self) -> list[Ints]:
        """For each order, the n-grams as sorted numbers: index of the context times size of the vocabulary, plus word."""
        size = len(self.words)
        return [level.parents * size + level.words for level in self.levels]

    @cached_property
    def suffixes(self) -> list[Ints]:
        """For each order, the index of an n-gram's last n-1 words in the order below."""
        size = len(self.words)
        out = [np.zeros(size, dtype=np.int64)]
        for n in range(1, self.order):
            level = self.levels[n]
            if n == 1:
                out.append(level.words)
                continue
            # The suffix without its last word is the suffix of the context.
            places = find(self.keys[n - 1], out[n - 1][level.parents] * size + level.words)
            if (places < 0).any():
                raise ValueError("it lacks the last words of an n-gram")
            out.append(places)
        return out

    def ids(self, n: int, start: int = 0, stop: int | None = None) -> Ints:
        """The words of n-grams of order n, shape (rows, n)."""
        rows = np.arange(len(self.levels[n - 1]))[start:stop]
        out = np.empty((len(rows), n), dtype=np.int64)
        for k in range(n - 1, -1, -1):
            out[:, k] = self.levels[k].words[rows]
            rows = self.levels[k].parents[rows]
        return out

    def log_probabilities(self, stream: Ints) -> Floats:
        """log10 P of every word of a text after the words before it, in double precision.

        The text consists of word indices with <s> before each sentence; no n-gram extends across <s>, whose own value is
        NaN.
        """
        size = len(self.words)
        begins = stream == SPECIAL.index(BEGIN)
        logs = self.levels[0].logs[stream]
        places = stream  # index of the n-gram that ends at each word, -1 if the model does not have it
        for shorter, level, keys in zip(self.levels, self.levels[1:], self.keys[1:], strict=False):
            contexts = np.concatenate([[-1], places[:-1]])
            contexts[begins] = -1
            places = np.where(contexts < 0, -1, find(keys, contexts * size + stream))
            backed_off = logs + np.where(contexts < 0, 0.0, shorter.backs[contexts])
            logs = np.where(places < 0, backed_off, level.logs[places]) if len(level) else backed_off
        return np.where(begins, np.nan, logs)


def find(keys: Ints, queries: Ints) -> Ints:
    """The indices of numbers in a sorted array, -1 for missing ones."""
    if not len(keys):
        return np.full(len(queries), -1, dtype=np.int64)
    place = np.minimum(np.searchsorted(keys, queries), len(keys) - 1)
    return np.where(keys[place] == queries, place, -1)


def complete(tables: Tables, most_listed: float = 1 - 1e-12) -> Tables:
    """The same tables with back-offs such that the probabilities after each context add up to 1.

    A probability of NaN means the back-off probability. The n-grams of a context keep at most a share of
    `most_listed`, so that something is always left for other words.
    """
    levels = list(tables.levels)
    for n in range(1, tables.order):
        level, shorter = levels[n], levels[n - 1]
        size = len(shorter)
        implied = np.isnan(level.logs)
        backed_off = shorter.logs[tables.suffixes[n]]
        parents = level.parents[~implied]
        listed = np.bincount(parents, 10 ** level.logs[~implied], size)
        covered = np.bincount(parents, 10 ** backed_off[~implied], size)
        left = 1 - np.minimum(listed, most_listed)
        others = np.maximum(1 - covered, 1e-12)
        backs = np.where(listed > 0, np.log10(left / others), 0.0)
        scale = np.log10(np.maximum(listed, most_listed) / most_listed)
        logs = np.where(implied, backs[level.parents] + backed_off, level.logs - scale[level.parents])
        levels[n - 1] = Level(shorter.parents, shorter.words, shorter.logs, backs)
        levels[n] = Level(level.parents, level.words, logs, level.backs)
    return Tables(tables.words, tuple(levels))


def pack(tables: Tables, bits: int = 32) -> bytes:
    """The plain form; with 8 bits the numbers of longer n-grams are rounded to 256 values for each order."""
    if bits not in (8, 32):
        raise ValueError(f"numbers of {bits} bits, expected 8 or 32")
    parts = [_header(PLAIN_FORM, tables, bits)]
    for n, level in enumerate(tables.levels):
        parts.append(_structure(tables, n))
        for values in (level.logs, level.backs)[: 1 if n + 1 == tables.order else 2]:
            rounded = n > 0 and bits == 8
            parts.append(_rounded(values) if rounded else _planes(values.astype("<f4").view("<u4")))
    return b"".join(parts)


def pack_quantized(tables: Tables) -> bytes:
    """The quantized form; n-grams whose probability is NaN, or the back-off probability, take hardly any space."""
    unigrams = tables.levels[0].logs * _LN10
    parts = [_header(QUANTIZED_FORM, tables, 8), _planes(unigrams.astype("<f4").view("<u4"))]
    for n in range(1, tables.order):
        level, shorter = tables.levels[n], tables.levels[n - 1]
        backed_off = shorter.backs[level.parents] + shorter.logs[tables.suffixes[n]]
        with np.errstate(invalid="ignore"):
            codes = np.clip(np.round(-level.logs * _LN10 / STEP), 0, _IMPLIED - 1)
        implied = np.isnan(level.logs) | (np.abs(level.logs - backed_off) < 1e-6)
        parts.append(_structure(tables, n))
        parts.append(np.where(implied, _IMPLIED, codes).astype(np.uint8).tobytes())
    return b"".join(parts)


def unpack(data: bytes) -> Tables:
    """The tables of either form; ValueError says what is wrong with the bytes."""
    reader = _SectionReader(data)
    quantized = reader.take(len(PLAIN_FORM)) == QUANTIZED_FORM
    order, bits = np.frombuffer(reader.take(8), "<u4").tolist()
    text_size, *counts = np.frombuffer(reader.take(8 + 8 * MAX_ORDER), "<u8").tolist()
    if not 1 <= order <= MAX_ORDER or counts[0] < len(SPECIAL) or max(counts) > len(data):
        raise ValueError("its counts do not fit its size")
    words = tuple(reader.take(text_size).decode("utf-8", "surrogatepass").split("\n")[:-1])
    if len(words) != counts[0] or words[: len(SPECIAL)] != SPECIAL:
        raise ValueError("its words do not fit its counts")
    levels: list[Level] = []
    for n, count in enumerate(counts[:order]):
        parents, own = np.zeros(count, dtype=np.int64), np.arange(count)
        if n:
            parents, own = reader.structure(counts[n - 1], count, len(words))
        if quantized:
            logs, backs = reader.steps(count) if n else reader.floats(count) / _LN10, np.zeros(count)
        else:
            rounded = n > 0 and bits == 8
            logs = reader.floats(count, rounded)
            backs = reader.floats(count, rounded) if n + 1 < order else np.zeros(count)
        levels.append(Level(parents, own, logs, backs))
    if reader.rest:
        raise ValueError("it goes on after its end")
    if not quantized:
        return Tables(words, tuple(levels))
    levels[0].logs[:] -= np.log10((10 ** levels[0].logs).sum())
    return complete(Tables(words, tuple(levels)), _MOST_LISTED)


class _SectionReader:
    """Reads the sections of a file one after another."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    @property
    def rest(self) -> int:
        return len(self.data) - self.at

    def take(self, size: int) -> bytes:
        if size > self.rest:
            raise ValueError("it ends too early")
        self.at += size
        return self.data[self.at - size : self.at]

    def numbers(self, count: int) -> Ints:
        planes = np.frombuffer(self.take(4 * count), np.uint8).reshape(4, count)
        return np.ascontiguousarray(planes.T).view("<u4").ravel().astype(np.int64)

    def floats(self, count: int, rounded: bool = False) -> Floats:
        if rounded:
            book = self.floats(256)
            return book[np.frombuffer(self.take(count), np.uint8)]
        values = self.numbers(count).astype("<u4").view("<f4").astype(np.float64)
        if not np.isfinite(values).all():
            raise ValueError("it has a probability that is not a number")
        return values

    def steps(self, count: int) -> Floats:
        codes = np.frombuffer(self.take(count), np.uint8)
        return np.where(codes == _IMPLIED, np.nan, codes * (-STEP / _LN10))

    def structure(self, contexts: int, count: int, vocabulary: int) -> tuple[Ints, Ints]:
        """The contexts and last words of n-grams."""
        children, steps = self.numbers(contexts), np.cumsum(self.numbers(count))
        if children.sum() != count:
            raise ValueError("its n-grams do not fit their contexts")
        starts = (np.cumsum(children) - children)[children > 0]
        before = np.where(starts > 0, steps[starts - 1], 0)
        words = steps - np.repeat(before, children[children > 0])
        if words.max(initial=0) >= vocabulary:
            raise ValueError("it names a word that it does not have")
        return np.repeat(np.arange(contexts), children), words


def _header(form: bytes, tables: Tables, bits: int) -> bytes:
    text = "".join(word + "\n" for word in tables.words).encode("utf-8", "surrogatepass")
    counts = [*tables.counts, *[0] * (MAX_ORDER - tables.order)]
    numbers = np.array([tables.order, bits], dtype="<u4").tobytes()
    return form + numbers + np.array([len(text), *counts], dtype="<u8").tobytes() + text


def _structure(tables: Tables, n: int) -> bytes:
    """The number of n-grams of each context, and their last words as differences."""
    if not n:
        return b""
    level = tables.levels[n]
    first = np.diff(level.parents, prepend=-1) != 0
    children = np.bincount(level.parents, minlength=len(tables.levels[n - 1]))
    return _planes(children) + _planes(np.where(first, level.words, np.diff(level.words, prepend=0)))


def _planes(values: NDArray[np.integer]) -> bytes:
    """Numbers of four bytes, all lowest bytes first, and so on, which compress better."""
    return np.ascontiguousarray(values.astype("<u4").view(np.uint8).reshape(-1, 4).T).tobytes()


def _rounded(values: Floats) -> bytes:
    """256 values, and for each number the index of the nearest one; 0 stays 0."""
    levels = np.unique(values[values != 0])
    if len(levels) > 255:
        # Each value represents the same number of numbers, which suits frequent ones; it is the mean of its group.
        groups = np.array_split(np.sort(values[values != 0]), 255)
        levels = np.unique([g.mean() for g in groups if len(g)])
    book = np.unique(np.concatenate([[0.0], levels])).astype("<f4").astype(np.float64)
    middle = (book[1:] + book[:-1]) / 2
    codes = np.searchsorted(middle, values).astype(np.uint8)
    codes[values == 0] = np.searchsorted(book, 0.0)
    padded = np.zeros(256)
    padded[: len(book)] = book
    return _planes(padded.astype("<f4").view("<u4")) + codes.tobytes()
