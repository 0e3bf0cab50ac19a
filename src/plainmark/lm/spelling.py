"""The probability of unknown words by their letters, and other spellings of words that the model knows.

    P(letters of a word) = product over letters, and the end, of P(letter | the two letters before)

With this section in its file, a language model gives a word outside its vocabulary P(<unk>) times the probability of its
letters, so that long and unusual words are less likely than short and ordinary ones.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .tables import STEP, Floats

SPELLING_FORM = b"plainlms"
ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789-'.,:/éáíóöüäñ%$&+()"
# Variants of the same mark, in training texts and in the tokenizer's output.
VARIANTS = {
    "``": '"',
    "''": '"',
    "“": '"',
    "”": '"',
    "’": "'",
    "-lrb-": "(",
    "-rrb-": ")",
    "–": "-",
    "—": "-",
}
# A character that is not in the alphabet may be any.
_ANY_CHARACTER = float(np.log(1 / 0x10FFFF))
_LONGEST_HEADER = 1 << 20


@dataclass(frozen=True, eq=False)
class Spelling:
    """Natural log probabilities of a letter after two letters; letter 0 is the end, the last one any other character."""

    alphabet: str
    variants: Mapping[str, str]  # the known spelling of words that are also written in other ways
    logs: Floats  # shape (letters, letters, letters)

    @classmethod
    def of(cls, words: Mapping[str, int]) -> Spelling:
        """The spelling of words, from their counts."""
        letters = len(ALPHABET) + 2
        counts = np.zeros((letters, letters, letters))
        for word, count in words.items():
            codes = [0, 0, *_codes(word, ALPHABET), 0]
            for u, v, w in zip(codes, codes[1:], codes[2:], strict=False):
                counts[u, v, w] += min(count, 3)
        single = counts.sum((0, 1)) + 0.5
        single /= single.sum()
        pair = counts.sum(0)
        pair = (pair + 5 * single) / (pair.sum(-1, keepdims=True) + 5)
        logs = np.log((counts + 5 * pair) / (counts.sum(-1, keepdims=True) + 5))
        return cls(ALPHABET, VARIANTS, _normalized(np.clip(np.round(-logs / STEP), 0, 255) * -STEP))

    def log_probability(self, word: str) -> float:
        """Natural log probability of a word's letters and of its end."""
        codes = np.array([0, 0, *_codes(word, self.alphabet), 0])
        logs = self.logs[codes[:-2], codes[1:-1], codes[2:]]
        others = int((codes == len(self.alphabet) + 1).sum())
        return float(logs.sum()) + _ANY_CHARACTER * others

    def pack(self) -> bytes:
        """The section as bytes; probabilities are rounded to steps of 1/14 of a natural logarithm."""
        header = json.dumps({"alphabet": self.alphabet, "variants": dict(self.variants)}).encode()
        codes = np.clip(np.round(-self.logs / STEP), 0, 255).astype(np.uint8)
        return SPELLING_FORM + np.array([len(header)], "<u4").tobytes() + header + codes.tobytes()


def split_spelling(data: bytes) -> tuple[Spelling | None, bytes]:
    """The spelling section, if a file begins with one, and the model after it; ValueError if it is broken."""
    if not data.startswith(SPELLING_FORM):
        return None, data
    start = len(SPELLING_FORM) + 4
    (size,) = np.frombuffer(data[start - 4 : start], "<u4").tolist()
    if size > min(_LONGEST_HEADER, len(data)):
        raise ValueError("its spelling section is too long")
    try:
        header = json.loads(data[start : start + size])
        alphabet = str(header["alphabet"])
        variants = {str(a): str(b) for a, b in header["variants"].items()}
    except (KeyError, TypeError, AttributeError, RecursionError):
        raise ValueError("its spelling section is broken") from None
    letters = len(alphabet) + 2
    if letters > 1000 or start + size + letters**3 > len(data):
        raise ValueError("it ends too early")
    start += size
    codes = np.frombuffer(data, np.uint8, letters**3, start).reshape(letters, letters, letters)
    logs = _normalized(codes.astype(np.float64) * -STEP)
    return Spelling(alphabet, variants, logs), data[start + letters**3 :]


def _codes(word: str, alphabet: str) -> list[int]:
    return [alphabet.find(c) + 1 or len(alphabet) + 1 for c in word]


def _normalized(logs: Floats) -> Floats:
    result: Floats = logs - np.log(np.exp(logs).sum(axis=-1, keepdims=True))
    return result
