"""plainmark's own encoder: sentence vectors, reading levels, and four questions about a source and an output.

    encoder = plain_encoder.load()
    encoder.embed(texts)                  (n, 384)   vectors of length 1, near those of minilm
    encoder.levels(texts)                 (n, 6)     probabilities of the CEFR levels A1 to C2; texts of about a sentence
    encoder.pairs(sources, outputs)       {"entailed", "altered", "simpler", "fluency"}, each (n,), probabilities
    encoder.pooled(sources, outputs)      (n, 384)   the vectors that `pairs` reads, for models on top

entailed: the source supports the output. altered: the output says something that the source does not say or contradicts.
simpler: the output is easier to read. fluency: the output is well-formed English. All were trained on one or two sentences:
each side of a pair is cut after 126 tokens, with a TruncationWarning. English only. docs/encoder-card.md says what it was
trained on and how often it is right.

The weights come with the package. They are stored in eight bits, and so are matrix products computed, so that the results
for a text depend neither on other texts nor on the processor. It needs onnxruntime and tokenizers: pip install
'plainmark[models]'.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import TruncationWarning
from ..identity import load_once
from . import encoder as load_encoder
from . import find, missing
from ._encoder import Encoder
from ._safetensors import read_tensors

NAME = "plain"
LEVELS = ("A1", "A2", "B1", "B2", "C1", "C2")
QUESTIONS = ("entailed", "altered", "simpler", "fluency")
LONGEST_SIDE = 126  # length of each side of a pair in tokens

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Ints = NDArray[np.int32]

_UNKNOWN, _FIRST, _END = 100, 101, 102  # ids of the tokens [UNK], [CLS] and [SEP]
_MARKS = (0, _FIRST, _END, 103)


class PlainEncoder:
    """The encoder with its heads, created and cached by `load`."""

    def __init__(self, encoder: Encoder, heads: dict[str, Floats]) -> None:
        self.encoder = encoder
        self._heads = heads

    def embed(self, texts: Sequence[str]) -> Floats32:
        """One vector of length 1 per text: the mean over its tokens. Shape (texts, 384)."""
        means = self._texts(texts)[:, self.encoder.size :]
        lengths = np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-12)
        return np.asarray(means / lengths, np.float32)

    def levels(self, texts: Sequence[str]) -> Floats:
        """The probabilities of A1, A2, B1, B2, C1 and C2 for each text. Shape (texts, 6)."""
        return _softmax(self._linear("level", self.level_numbers(texts)))

    def level_numbers(self, texts: Sequence[str]) -> Floats:
        """The numbers from -1 to 1 that `levels` uses, for models on top. Shape (texts, 384)."""
        return np.tanh(self._linear("level_layer", self._texts(texts)))

    def pooled(self, sources: Sequence[str], outputs: Sequence[str]) -> Floats:
        """One vector per pair, from which `pairs` computes its answers. Shape (pairs, 384)."""
        pieces = self._pair_ids(sources, outputs)
        if not pieces:
            return np.empty((0, self.encoder.size))
        return np.tanh(self._linear("pair_layer", self.encoder.summaries(pieces, "pair", _pair_summary)))

    def pairs(self, sources: Sequence[str], outputs: Sequence[str]) -> dict[str, Floats]:
        """Four probabilities for each source and its output."""
        pooled = self.pooled(sources, outputs)
        answers = {"entailed": _softmax(self._linear("heads.entailment", pooled))[:, 0]}
        for name in QUESTIONS[1:]:
            logits = self._linear(f"heads.{name}", pooled)[:, 0]
            answers[name] = 1 / (1 + np.exp(-logits))
        return answers

    def _texts(self, texts: Sequence[str]) -> Floats32:
        """The vector of each text's first token and the mean over its tokens; for a long text, means over its pieces."""
        pieces = self.encoder.pieces(texts)
        flat = [piece for own in pieces for piece in own]
        if not flat:
            return np.empty((0, 2 * self.encoder.size), np.float32)
        rows = self.encoder.summaries(flat, "text", _text_summary)
        weights = np.array([len(piece) for piece in flat], np.float32)[:, None]
        starts = np.cumsum([0, *(len(own) for own in pieces)])[:-1]
        means = np.add.reduceat(rows * weights, starts) / np.add.reduceat(weights, starts)
        return np.asarray(means, np.float32)

    def _pair_ids(self, sources: Sequence[str], outputs: Sequence[str]) -> list[Ints]:
        """[CLS] source [SEP] output [SEP], with both sides cut."""
        sides = [
            [self._side(ids) for ids in self.encoder.token_ids(texts, long="split")]
            for texts in (sources, outputs)
        ]
        if any(len(ids) > LONGEST_SIDE for side in sides for ids in side):
            warnings.warn(
                f"sentences longer than {LONGEST_SIDE} tokens are cut there; split the text into sentences.",
                TruncationWarning,
                stacklevel=4,
            )
        first, end = (np.array([mark], np.int32) for mark in (_FIRST, _END))
        return [
            np.concatenate([first, a[:LONGEST_SIDE], end, b[:LONGEST_SIDE], end])
            for a, b in zip(*sides, strict=True)
        ]

    def _side(self, ids: Ints) -> Ints:
        """The tokens of a text without special tokens; one that the text itself contains ("[SEP]") is an unknown word."""
        body = ids[1:-1]
        return np.where(np.isin(body, _MARKS), np.int32(_UNKNOWN), body)

    def _linear(self, name: str, values: NDArray[Any]) -> Floats:
        # In 64 bits, so that the number of texts in a product has no visible effect.
        product = values.astype(np.float64) @ self._heads[f"{name}.weight"].T
        return np.asarray(product + self._heads[f"{name}.bias"], np.float64)


def load() -> PlainEncoder:
    """The encoder, loaded once; MissingResourceError says what to install."""
    return _load(find(NAME).path)


@load_once
def _load(folder: Path) -> PlainEncoder:
    heads = {
        name.removeprefix("plain."): np.array(values, np.float64)
        for name, values in read_tensors(folder).items()
        if name.startswith("plain.")
    }
    return PlainEncoder(load_encoder(NAME), heads)


def _text_summary(ids: Ints, hidden: Floats32) -> Floats32:
    return np.concatenate([hidden[:, 0], hidden.mean(axis=1)], axis=1)


def _pair_summary(ids: Ints, hidden: Floats32) -> Floats32:
    place = np.arange(ids.shape[1])
    middle = np.argmax(ids == _END, axis=1)[:, None]
    of_source = (place > 0) & (place < middle)
    of_output = (place > middle) & (place < ids.shape[1] - 1)
    return np.concatenate([hidden[:, 0], _mean(hidden, of_source), _mean(hidden, of_output)], axis=1)


def _mean(hidden: Floats32, mask: NDArray[np.bool_]) -> Floats32:
    weights = mask.astype(np.float32)
    weights /= np.maximum(weights.sum(axis=1, keepdims=True), 1)
    return np.asarray(np.matmul(weights[:, None, :], hidden)[:, 0], np.float32)


def _softmax(logits: Floats) -> Floats:
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


__all__ = ["LEVELS", "NAME", "QUESTIONS", "PlainEncoder", "load", "missing"]
