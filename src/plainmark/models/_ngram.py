"""The embedded language model: words after two words, and letters where a word is unknown.

    P(text) = product over words of P(word | the two words before, within the sentence)

A word outside the vocabulary is <unk> times the probability of its letters, so every text has a probability. Trigrams
and bigrams are kept where they matter most; what is left out is taken from the shorter context, with weights that make
each distribution add up to 1. docs/models.md says what it was trained on.
"""

from __future__ import annotations

import lzma
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import text
from ..errors import InputError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

START, UNKNOWN = "<s>", "<unk>"
# Ways to write the same mark, in the training text and in the tokenizer's output.
NORMAL = {"``": '"', "''": '"', "“": '"', "”": '"', "’": "'", "-lrb-": "(", "-rrb-": ")", "–": "-", "—": "-"}
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789-'.,:/éáíóöüäñ%$&+()"
_OTHER = len(LETTERS) + 1
# A character that is not in LETTERS could be any.
_ANY_CHARACTER = float(np.log(1 / 0x10FFFF))
_ENDS = frozenset(".?!")
_CLOSING = frozenset("\")'")
# No model is larger; what claims to be is not unpacked.
LARGEST = 2**30
# Log probabilities are stored as whole numbers of such steps, from 0 to 255.
_STEP = 1 / 14


class NGram:
    """A pruned trigram model; log probabilities are natural."""

    def __init__(self, data: bytes) -> None:
        words, self.unigrams, bigrams, trigrams, self.spelling = unpack(data)
        self.number = {w: i for i, w in enumerate(words)}
        size = len(words)
        self.size = size
        self.keys2, self.logs2 = bigrams
        self.keys3, self.logs3 = trigrams
        # The weights of shorter contexts follow from the probabilities, so that all of them add up to 1.
        self.unigrams -= np.log(np.exp(self.unigrams).sum())
        shorter = self.unigrams[self.keys2 % size]
        self.contexts2, self.logs2, self.weights2 = _complete(self.keys2 // size, self.logs2, shorter)
        shorter = self._after_one(self.keys3 // size % size, self.keys3 % size)
        self.contexts3, self.logs3, self.weights3 = _complete(self.keys3 // size, self.logs3, shorter)

    def log_likelihood(self, texts: Sequence[str]) -> tuple[Floats, Floats]:
        """Negative log probability of each text, and its number of words."""
        return self.of_words(text.words(list(texts), "nltk-plain", lowercase=True))

    def of_words(self, rows: Sequence[Sequence[str]]) -> tuple[Floats, Floats]:
        """The same for texts that are already words in lower case."""
        words = [NORMAL.get(w, w) for row in rows for w in row]
        lengths = np.array([len(row) for row in rows], dtype=np.int64)
        ids = np.array([self.number.get(w, 1) for w in words], dtype=np.int64)
        if not len(ids):
            return np.zeros(len(rows)), np.zeros(len(rows))
        begins = np.zeros(len(ids), dtype=bool)
        begins[(np.cumsum(lengths) - lengths)[lengths > 0]] = True
        begins |= _after_sentence(words)
        previous = np.where(begins, 0, np.roll(ids, 1))
        # The word before the last is not there at a sentence's first word, and is its beginning at the second.
        before = np.where(begins, 0, np.where(np.roll(begins, 1), 0, np.roll(ids, 2)))
        logs = self._after_two(before, previous, ids)
        unknown = np.flatnonzero(ids == 1)
        logs[unknown] += [self._spelt(words[i]) for i in unknown]
        row = np.repeat(np.arange(len(rows)), lengths)
        losses: Floats = np.bincount(row, weights=-logs, minlength=len(rows)).astype(np.float64)
        return losses, lengths.astype(np.float64)

    def _after_two(self, u: Ints, v: Ints, w: Ints) -> Floats:
        context = u * self.size + v
        weight = _find(self.contexts3, self.weights3, context, 0.0)
        return _find(self.keys3, self.logs3, context * self.size + w, weight + self._after_one(v, w))

    def _after_one(self, v: Ints, w: Ints) -> Floats:
        weight = _find(self.contexts2, self.weights2, v, 0.0)
        return _find(self.keys2, self.logs2, v * self.size + w, weight + self.unigrams[w])

    def _spelt(self, word: str) -> float:
        codes = np.array([0, 0, *spell(word), 0])
        logs = self.spelling[codes[:-2], codes[1:-1], codes[2:]]
        return float(logs.sum()) + _ANY_CHARACTER * int((codes == _OTHER).sum())


@cache
def embedded() -> NGram:
    """The model that comes with the package."""
    return NGram(Path(__file__).with_name("ngram.xz").read_bytes())


def read_ngram(path: str) -> NGram:
    """A model that `pack` wrote to a file."""
    try:
        return NGram(Path(path).read_bytes())
    except (OSError, ValueError, IndexError, KeyError, EOFError, lzma.LZMAError, MemoryError):
        raise InputError(
            f"{path}: no n-gram model; make one with: plainmark models train TEXTS -o {Path(path).name}."
        ) from None


def spell(word: str) -> list[int]:
    """The letters of a word as numbers; 0 is the end of a word."""
    return [LETTERS.find(c) + 1 or _OTHER for c in word]


def pack(
    words: Sequence[str],
    unigrams: Floats,
    bigrams: tuple[Ints, Floats],
    trigrams: tuple[Ints, Floats],
    spelling: Floats,
) -> bytes:
    """The model as bytes: words, then arrays; sorted keys as differences, log probabilities in steps."""
    parts = ["\n".join(words).encode(), unigrams.astype("<f4").tobytes()]
    for keys, logs in (bigrams, trigrams):
        # Bytes of equal weight side by side: they compress better.
        steps = np.diff(keys, prepend=0).astype("<u8")
        parts.append(np.ascontiguousarray(steps.view(np.uint8).reshape(-1, 8)[:, :6].T).tobytes())
        parts.append(np.clip(np.round(-logs / _STEP), 0, 255).astype(np.uint8).tobytes())
    parts.append(np.clip(np.round(-spelling / _STEP), 0, 255).astype(np.uint8).tobytes())
    sizes = np.array([len(p) for p in parts], dtype="<u8").tobytes()
    return lzma.compress(sizes + b"".join(parts), preset=9 | lzma.PRESET_EXTREME)


def unpack(data: bytes) -> tuple[list[str], Floats, Any, Any, Floats]:
    """What `pack` packed."""
    reader = lzma.LZMADecompressor()
    raw = reader.decompress(data, LARGEST)
    if not reader.eof:
        raise ValueError("broken, or too large to be a model")
    parts = []
    start = 7 * 8
    for size in np.frombuffer(raw, dtype="<u8", count=7).astype(int):
        parts.append(raw[start : start + size])
        start += size
    words = parts[0].decode().split("\n")
    unigrams = np.frombuffer(parts[1], dtype="<f4").astype(np.float64)
    tables = []
    for keys, logs in (parts[2:4], parts[4:6]):
        steps = np.zeros((len(logs), 8), dtype=np.uint8)
        steps[:, :6] = np.frombuffer(keys, dtype=np.uint8).reshape(6, -1).T
        tables.append((np.cumsum(steps.view("<u8").ravel().astype(np.int64)), _logs(logs)))
    n = len(LETTERS) + 2
    return words, unigrams, tables[0], tables[1], _normalised(_logs(parts[6]).reshape(n, n, n))


def _logs(data: bytes) -> Floats:
    return -_STEP * np.frombuffer(data, dtype=np.uint8).astype(np.float64)


def _normalised(logs: Floats) -> Floats:
    rounded: Floats = logs - np.log(np.exp(logs).sum(axis=-1, keepdims=True))
    return rounded


def _complete(contexts: Ints, logs: Floats, shorter: Floats) -> tuple[Ints, Floats, Floats]:
    """Contexts, their log probabilities, and the log weight that each gives to the shorter context for other words."""
    starts = np.flatnonzero(np.diff(contexts, prepend=-1))
    sizes = np.diff(starts, append=len(contexts))
    listed = np.add.reduceat(np.exp(logs), starts)
    # Rounding may have used up all of a context's probability; some always stays for words that are not listed.
    allowed = np.minimum(listed, 0.999)
    logs = logs + np.repeat(np.log(allowed / listed), sizes)
    others = np.maximum(1 - np.add.reduceat(np.exp(shorter), starts), 1e-12)
    return contexts[starts], logs, np.log((1 - allowed) / others)


def _find(keys: Ints, values: Floats, wanted: Ints, otherwise: Floats | float) -> Floats:
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[place] == wanted, values[place], otherwise)


def _after_sentence(words: Sequence[str]) -> NDArray[np.bool_]:
    """Which words begin a sentence: those after a full stop and the quotes and brackets that close with it."""
    out = np.zeros(len(words), dtype=bool)
    ended = False
    for i, word in enumerate(words):
        if ended and word not in _CLOSING:
            out[i], ended = True, False
        ended = word in _ENDS or (ended and word in _CLOSING)
    return out
