"""The n-grams of a back-off language model as flat arrays, and the one file that holds them.

An n-gram of order n is the place of its first n-1 words among the n-grams of order n-1, and its last word; the rows of an
order are sorted by both. With every n-gram its first n-1 and its last n-1 words are in the tables too.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

UNKNOWN, BEGIN, END = "<unk>", "<s>", "</s>"
SPECIAL = (UNKNOWN, BEGIN, END)
MAX_ORDER = 6
_MAGIC = b"plainlm1"
_HEADER = 8 + 4 + 4 + 8 + 8 * MAX_ORDER


@dataclass(frozen=True, eq=False)
class Level:
    """The n-grams of one order; log10 probabilities and back-offs."""

    parents: Ints
    words: Ints
    logs: Floats
    backs: Floats

    def __len__(self) -> int:
        return len(self.words)

    def only(self, chosen: NDArray[np.bool_], parents: Ints) -> Level:
        """The chosen rows, whose contexts have new places."""
        return Level(parents[self.parents[chosen]], self.words[chosen], self.logs[chosen], self.backs[chosen])


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
    def keys(self) -> list[Ints]:
        """For each order the n-grams as sorted numbers: place of the context times size of the vocabulary, plus word."""
        size = len(self.words)
        return [level.parents * size + level.words for level in self.levels]

    @cached_property
    def suffixes(self) -> list[Ints]:
        """For each order the place of an n-gram's last n-1 words in the order below."""
        size = len(self.words)
        out = [np.zeros(size, dtype=np.int64)]
        for n in range(1, self.order):
            level = self.levels[n]
            if n == 1:
                out.append(level.words)
            else:
                # The last words without the very last are the suffix of the context.
                out.append(np.searchsorted(self.keys[n - 1], out[n - 1][level.parents] * size + level.words))
        return out

    def ids(self, n: int, start: int = 0, stop: int | None = None) -> Ints:
        """The words of n-grams of order n, shape (rows, n)."""
        rows = np.arange(len(self.levels[n - 1]))[start:stop]
        out = np.empty((len(rows), n), dtype=np.int64)
        for k in range(n - 1, -1, -1):
            out[:, k] = self.levels[k].words[rows]
            rows = self.levels[k].parents[rows]
        return out


def find(keys: Ints, wanted: Ints) -> Ints:
    """The places of numbers among sorted ones, -1 for those that are not there."""
    if not len(keys):
        return np.full(len(wanted), -1, dtype=np.int64)
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[place] == wanted, place, -1)


def complete(tables: Tables) -> Tables:
    """The same with back-offs such that the probabilities after each context add up to 1."""
    levels = list(tables.levels)
    for n in range(1, tables.order):
        level, shorter = levels[n], levels[n - 1]
        size = len(shorter)
        listed = np.bincount(level.parents, 10**level.logs, size)
        covered = np.bincount(level.parents, 10 ** shorter.logs[tables.suffixes[n]], size)
        has = np.bincount(level.parents, minlength=size) > 0
        # Rounding may leave nothing where a context lists all there is.
        left, others = np.maximum(1 - listed, 1e-12), np.maximum(1 - covered, 1e-12)
        backs = np.where(has, np.log10(left) - np.log10(others), 0.0)
        levels[n - 1] = Level(shorter.parents, shorter.words, shorter.logs, backs)
    return Tables(tables.words, tuple(levels))


def pack(tables: Tables, bits: int = 32) -> bytes:
    """The tables as bytes; with 8 bits the numbers of longer n-grams are rounded to 256 values for each order."""
    if bits not in (8, 32):
        raise ValueError(f"numbers of {bits} bits, expected 8 or 32")
    text = "".join(word + "\n" for word in tables.words).encode("utf-8", "surrogatepass")
    counts = [*tables.counts, *[0] * (MAX_ORDER - tables.order)]
    parts = [
        _MAGIC,
        np.array([tables.order, bits], dtype="<u4").tobytes(),
        np.array([len(text), *counts], dtype="<u8").tobytes(),
        text,
    ]
    for n, level in enumerate(tables.levels):
        if n:
            parts.append(_planes(np.bincount(level.parents, minlength=counts[n - 1])))
            first = np.diff(level.parents, prepend=-1) != 0
            parts.append(_planes(np.where(first, level.words, np.diff(level.words, prepend=0))))
        for values in (level.logs, level.backs)[: 1 if n + 1 == tables.order else 2]:
            rounded = n > 0 and bits == 8
            parts += [_rounded(values) if rounded else _planes(values.astype("<f4").view("<u4"))]
    return b"".join(parts)


def unpack(data: bytes) -> Tables:
    """What `pack` packed; the kernels have checked the bytes before."""
    order, bits = (int(x) for x in np.frombuffer(data, "<u4", 2, len(_MAGIC)))
    text_size, *counts = (int(x) for x in np.frombuffer(data, "<u8", 1 + MAX_ORDER, len(_MAGIC) + 8))
    at = _HEADER
    words = tuple(data[at : at + text_size].decode("utf-8", "surrogatepass").split("\n")[:-1])
    at += text_size

    def numbers(count: int) -> Ints:
        nonlocal at
        planes = np.frombuffer(data, np.uint8, 4 * count, at).reshape(4, count)
        at += 4 * count
        return np.ascontiguousarray(planes.T).view("<u4").ravel().astype(np.int64)

    def floats(count: int, rounded: bool) -> Floats:
        nonlocal at
        if not rounded:
            return numbers(count).astype("<u4").view("<f4").astype(np.float64)
        book = floats(256, False)
        codes = np.frombuffer(data, np.uint8, count, at)
        at += count
        return book[codes]

    levels: list[Level] = []
    for n, count in enumerate(counts[:order]):
        parents, own = np.zeros(count, dtype=np.int64), np.arange(count)
        if n:
            children = numbers(counts[n - 1])
            parents = np.repeat(np.arange(counts[n - 1]), children)
            steps = np.cumsum(numbers(count))
            starts = (np.cumsum(children) - children)[children > 0]
            before = np.where(starts > 0, steps[starts - 1], 0)
            own = steps - np.repeat(before, children[children > 0])
        logs = floats(count, n > 0 and bits == 8)
        backs = floats(count, n > 0 and bits == 8) if n + 1 < order else np.zeros(count)
        levels.append(Level(parents, own, logs, backs))
    return Tables(words, tuple(levels))


def _planes(values: NDArray[np.integer]) -> bytes:
    """Numbers of four bytes, first all their lowest bytes, and so on."""
    return np.ascontiguousarray(values.astype("<u4").view(np.uint8).reshape(-1, 4).T).tobytes()


def _rounded(values: Floats) -> bytes:
    """256 values and for each number the nearest of them; 0 stays 0."""
    chosen = np.unique(values[values != 0])
    if len(chosen) > 255:
        # As many numbers for one value as for the other, which suits the frequent ones; the mean of each group.
        groups = np.array_split(np.sort(values[values != 0]), 255)
        chosen = np.unique([g.mean() for g in groups if len(g)])
    book = np.unique(np.concatenate([[0.0], chosen])).astype("<f4").astype(np.float64)
    middle = (book[1:] + book[:-1]) / 2
    codes = np.searchsorted(middle, values).astype(np.uint8)
    codes[values == 0] = np.searchsorted(book, 0.0)
    padded = np.zeros(256)
    padded[: len(book)] = book
    return _planes(padded.astype("<f4").view("<u4")) + codes.tobytes()
