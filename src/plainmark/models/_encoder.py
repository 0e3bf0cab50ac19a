"""Texts as vectors: tokens after any layer, or one vector per text."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, OptionError, TruncationWarning
from ..identity import sha256
from . import _batches, _eight_bits
from ._cache import DiskCache, MemoryCache
from ._folder import load_tokenizer, read_json
from ._locate import ModelFiles
from ._safetensors import read_stored, read_tensors
from ._settings import settings
from ._torch import TorchEncoder
from ._transformer import Transformer, supported

Floats32 = NDArray[np.float32]
Ints = NDArray[np.int32]
Long = Literal["split", "truncate"]
T = TypeVar("T")

# Tokens per batch: enough to keep a core busy, few enough to stay in its cache.
BATCH_TOKENS = 1024


class EncoderBackend(Protocol):
    """Runs a model."""

    layers: int
    size: int
    max_tokens: int

    def hidden(self, ids: Ints, layer: int) -> Floats32: ...


@dataclass(frozen=True, eq=False)
class TokenVectors:
    """The tokens of one text: their ids, their vectors, and which of them are special tokens such as [CLS]."""

    ids: Ints
    vectors: Floats32
    marks: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True)
class _Windows:
    """A text's tokens, cut into pieces that fit the model."""

    pieces: tuple[Ints, ...]
    cut: bool  # whether tokens at the end were dropped


class Encoder:
    """A loaded encoder, created and cached by plainmark.models.encoder."""

    def __init__(self, files: ModelFiles) -> None:
        self.name = files.name
        self.folder = files.path
        config = read_json(files.path / "config.json", required=True)
        self.backend: EncoderBackend
        if _eight_bits.supported(config):
            self.backend = _eight_bits.EightBitBackend(config, read_stored(files.path))
        elif supported(config):
            self.backend = Transformer(config, read_tensors(files.path))
        else:
            self.backend = TorchEncoder(files.path, str(config.get("model_type", "unknown")))
        self._tokenizer = load_tokenizer(files.path)
        self.marks = len(self._tokenizer.encode("").ids)
        if self.marks != 2:
            raise InputError(f"{files.path}: the tokeniser adds {self.marks} marks to a text, expected 2.")
        settings = read_json(files.path / "tokenizer_config.json")
        longest = settings.get("model_max_length", self.backend.max_tokens)
        # Token vectors use the model's full length, sentence vectors the length that the model was trained for.
        self.max_tokens = int(min(longest, self.backend.max_tokens))
        pooled = read_json(files.path / "sentence_bert_config.json").get("max_seq_length")
        self.max_pooled_tokens = int(min(pooled or self.max_tokens, self.max_tokens))
        self.fingerprint = _fingerprint(files.path)
        # Byte-level vocabularies have two tokens for each word; a text's first word should be the one after a space.
        self.word_start = " " if config.get("model_type") in ("roberta", "camembert") else ""
        self.memory = MemoryCache()

    @property
    def layers(self) -> int:
        """Number of the last layer; layer 0 is the embeddings."""
        return self.backend.layers

    @property
    def size(self) -> int:
        """The number of dimensions of a vector."""
        return self.backend.size

    @property
    def vocabulary_size(self) -> int:
        """The number of different tokens."""
        return int(self._tokenizer.get_vocab_size())

    def sentence_vectors(
        self,
        texts: Sequence[str],
        *,
        long: Long = "split",
    ) -> Floats32:
        """One vector of length 1 per text: the mean over its tokens after the last layer. Shape (texts, size)."""
        windows = self._windows(texts, self.max_pooled_tokens, long, prefix="")
        rows = self._rows(windows, self.layers, pooled=True)
        out = np.empty((len(texts), self.size), dtype=np.float32)
        for i, row in enumerate(rows):
            out[i] = row[0]
        return out

    def token_vectors(
        self,
        texts: Sequence[str],
        *,
        layer: int | None = None,
        long: Long = "split",
        prefix: str = "",
    ) -> list[TokenVectors]:
        """The tokens of each text with their vectors after a layer (default: the last), including special tokens."""
        layer_number = self.layers if layer is None else layer
        if not 0 <= layer_number <= self.layers:
            raise OptionError(f"{self.name}: no layer {layer}; expected 0 to {self.layers}.")
        windows = self._windows(texts, self.max_tokens, long, prefix)
        rows = self._rows(windows, layer_number, pooled=False)
        out = []
        for text, vectors in zip(windows, rows, strict=True):
            marks = [np.isin(np.arange(len(p)), (0, len(p) - 1)) for p in text.pieces]
            out.append(TokenVectors(np.concatenate(text.pieces), vectors, np.concatenate(marks)))
        return out

    def pieces(self, texts: Sequence[str]) -> list[tuple[Ints, ...]]:
        """The token ids of each text, cut into pieces of the length that sentence vectors use."""
        return [w.pieces for w in self._windows(texts, self.max_pooled_tokens, "split", "")]

    def token_ids(self, texts: Sequence[str], *, prefix: str = "", long: Long = "split") -> list[Ints]:
        """The ids of the tokens of each text, including special tokens."""
        return [np.concatenate(w.pieces) for w in self._windows(texts, self.max_tokens, long, prefix)]

    def _windows(self, texts: Sequence[str], longest: int, long: Long, prefix: str) -> list[_Windows]:
        seen: dict[str, _Windows] = {}
        for text in texts:
            if text not in seen:
                seen[text] = self._window(text, longest, long, prefix)
        if any(w.cut for w in seen.values()):
            warnings.warn(
                f"texts longer than the {longest} tokens that {self.name} takes are cut there; "
                "long='split' keeps all of them.",
                TruncationWarning,
                stacklevel=4,
            )
        return [seen[text] for text in texts]

    def _window(self, text: str, longest: int, long: Long, prefix: str) -> _Windows:
        # Half of a surrogate pair is not a character; a tokeniser would reject the whole text because of it.
        clean = text.strip().encode("utf-8", "replace").decode()
        ids = np.array(self._tokenizer.encode(prefix + clean if clean else "").ids, dtype=np.int32)
        if len(ids) <= longest:
            return _Windows((ids,), cut=False)
        first, body, last = ids[:1], ids[1:-1], ids[-1:]
        room = longest - self.marks
        if long == "truncate":
            return _Windows((np.concatenate([first, body[:room], last]),), cut=True)
        # Pieces of about equal size, so that the last one is not too short to have context.
        pieces = np.array_split(body, -(-len(body) // room))
        return _Windows(tuple(np.concatenate([first, p, last]) for p in pieces), cut=False)

    def summaries(
        self, pieces: Sequence[Ints], name: str, summary: Callable[[Ints, Floats32], Floats32]
    ) -> Floats32:
        """A function's result for each piece's tokens after the last layer, one row per piece; `name` is that of its cache."""
        kind = f"{self.fingerprint}|{name}|".encode()
        keys = [_key(kind, (piece,)) for piece in pieces]

        def compute(missing: Mapping[bytes, Ints]) -> list[Floats32]:
            rows: list[Floats32] = [np.empty(0, np.float32)] * len(missing)

            def model(ids: Ints) -> Floats32:
                return summary(ids, self.backend.hidden(ids, self.layers))

            for i, row in _batches.run(list(missing.values()), model, BATCH_TOKENS):
                rows[i] = row.copy()  # a view would keep the whole batch in memory
            return rows

        return np.stack(self._cached(dict(zip(keys, pieces, strict=True)), keys, compute))

    def _rows(self, windows: Sequence[_Windows], layer: int, *, pooled: bool) -> list[Floats32]:
        """Vectors of each text, from the caches if they are there."""
        kind = f"{self.fingerprint}|{layer}|{'mean' if pooled else 'tokens'}|".encode()
        keys = [_key(kind, w.pieces) for w in windows]
        return self._cached(
            dict(zip(keys, windows, strict=True)),
            keys,
            lambda missing: self._compute(list(missing.values()), layer, pooled=pooled),
        )

    def _cached(
        self,
        items: Mapping[bytes, T],
        keys: Sequence[bytes],
        compute: Callable[[Mapping[bytes, T]], list[Floats32]],
    ) -> list[Floats32]:
        """The array of each key: from memory, from the disk, or computed from its item."""
        known = self.memory.get(set(keys))
        cache = settings().cache
        disk = DiskCache(cache) if cache is not None else None
        if disk is not None:
            stored = disk.get(set(keys) - set(known))
            self.memory.put(stored)
            known |= stored
        missing = {k: items[k] for k in dict.fromkeys(keys) if k not in known}
        if missing:
            computed = dict(zip(missing, compute(missing), strict=True))
            self.memory.put(computed)
            if disk is not None:
                disk.put(computed)
            known |= computed
        return [known[k] for k in keys]

    def _compute(self, windows: Sequence[_Windows], layer: int, *, pooled: bool) -> list[Floats32]:
        pieces = [p for w in windows for p in w.pieces]

        def model(ids: Ints) -> Floats32:
            vectors = self.backend.hidden(ids, layer)
            # Sums, so that the pieces of a long text can be added.
            return vectors.sum(axis=1, keepdims=True) if pooled else vectors

        out: list[Floats32] = [np.empty(0, np.float32)] * len(pieces)
        for i, vectors in _batches.run(pieces, model, BATCH_TOKENS):
            out[i] = vectors.copy()  # a view would keep the whole batch in memory
        texts: list[Floats32] = []
        start = 0
        for w in windows:
            rows = np.concatenate(out[start : start + len(w.pieces)])
            start += len(w.pieces)
            if pooled:
                total = rows.sum(axis=0, keepdims=True)
                rows = total / np.maximum(np.linalg.norm(total), 1e-12)
            texts.append(rows)
        return texts


def _key(kind: bytes, pieces: Sequence[Ints]) -> bytes:
    # The token ids are everything that the model receives of a text.
    digest = hashlib.sha256(kind)
    for piece in pieces:
        digest.update(len(piece).to_bytes(4, "little") + piece.astype("<i4").tobytes())
    return digest.digest()


def _fingerprint(folder: Path) -> str:
    """A hash of everything that vectors depend on: weights, in any format, and configuration."""
    return sha256(folder)
