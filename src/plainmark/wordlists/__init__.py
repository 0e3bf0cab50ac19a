"""Small tables of words that come with the package; docs/wordlists.md describes their contents and sources."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..kernels import Ints, WordTable, tokenize

FOLDER = Path(__file__).parent


@cache
def table(name: str) -> WordTable:
    """A table of numbers by word: "syllables" or "familiar"."""
    return WordTable.read(FOLDER / f"{name}.bin")


def are_pronounced(words: Sequence[str]) -> NDArray[np.bool_]:
    """Whether each word is in CMUdict 0.7a; there is one false positive in 35,000 other words."""
    listed = _pronounced()
    hashes = (tokenize(words, "space").hashes >> np.uint64(32)).astype(np.uint32)
    place = np.minimum(np.searchsorted(listed, hashes), len(listed) - 1)
    matches: NDArray[np.bool_] = listed[place] == hashes
    return matches


@cache
def _pronounced() -> NDArray[np.uint32]:
    return np.fromfile(FOLDER / "pronounced.bin", dtype="<u4").astype(np.uint32)


def ranks(hashes: NDArray[np.uint64]) -> Ints:
    """The frequency rank of each word, from 0; -1 for words that are not listed."""
    listed, order = _ranked()
    place = np.minimum(np.searchsorted(listed, hashes), len(listed) - 1)
    return np.where(listed[place] == hashes, order[place], -1)


@cache
def _ranked() -> tuple[NDArray[np.uint64], Ints]:
    by_rank = np.fromfile(FOLDER / "ranks.bin", dtype="<u8").astype(np.uint64)
    order = np.argsort(by_rank)
    return by_rank[order], order.astype(np.int64)
