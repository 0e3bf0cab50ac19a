"""An encoder whose matrix products use eight-bit integers (native/encoder/eight_bits.hpp has the formula).

A folder selects it with `"arithmetic": "int8-128"` in its config.json. Matrices are stored as integers with one scale per
row; of each token, 128 numbers at a time are rounded to integers with a scale of their own. Vectors are bit-identical
whatever else is in the batch, and whatever instructions the processor has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..kernels import ENCODER_LEVEL, EightBitEncoder

ARITHMETIC = "int8-128"

Array = NDArray[Any]
Floats32 = NDArray[np.float32]

_PARTS = (
    *("attention.self.query", "attention.self.key", "attention.self.value"),
    *("attention.output.dense", "attention.output.LayerNorm"),
    *("intermediate.dense", "output.dense", "output.LayerNorm"),
)


def supported(config: Mapping[str, Any]) -> bool:
    """Whether the folder's settings select this arithmetic."""
    return config.get("arithmetic") == ARITHMETIC


class EightBitBackend:
    """A BERT whose matrices are stored in eight bits, ready to run."""

    def __init__(self, config: Mapping[str, Any], tensors: Mapping[str, Array]) -> None:
        self._tensors = tensors
        self.layers: int = config["num_hidden_layers"]
        self.size: int = config["hidden_size"]
        positions = self._get("embeddings.position_embeddings.weight").astype(np.float32)
        positions = positions + self._get("embeddings.token_type_embeddings.weight").astype(np.float32)[0]
        self.max_tokens = len(positions)
        layers = [f"encoder.layer.{i}.{part}" for i in range(self.layers) for part in _PARTS]
        names = ["embeddings.word_embeddings", *(name for name in layers if not name.endswith("LayerNorm"))]
        matrices = [self._get(f"{name}.weight") for name in names]
        if any(matrix.dtype != np.int8 for matrix in matrices):
            raise InputError(
                f"a model whose arithmetic is {ARITHMETIC} has matrices of other types; expected int8."
            )
        self._encoder = EightBitEncoder(
            self.size,
            config["intermediate_size"],
            config["num_attention_heads"],
            self.layers,
            len(matrices[0]),
            self.max_tokens,
            np.concatenate([matrix.reshape(-1) for matrix in matrices]),
            np.concatenate([self._get(f"{name}.weight.scale") for name in names]).astype(np.float32),
            np.concatenate([positions.reshape(-1), *self._floats(["embeddings.LayerNorm", *layers])]),
            float(config.get("layer_norm_eps", 1e-12)),
        )

    def hidden(self, ids: NDArray[np.int32], layer: int) -> Floats32:
        """Vectors of a batch of texts of one length after a layer (0: the embeddings): shape (texts, tokens, size)."""
        flat = np.ascontiguousarray(ids, np.int32).reshape(-1)
        vectors = self._encoder.hidden(flat, ids.shape[1], layer, ENCODER_LEVEL)
        return vectors.reshape(*ids.shape, self.size)

    def _floats(self, names: list[str]) -> Iterator[Floats32]:
        """Biases of matrices; scales and shifts of normalisations."""
        for name in names:
            if name.endswith("LayerNorm"):
                yield self._get(f"{name}.weight").astype(np.float32)
            yield self._get(f"{name}.bias").astype(np.float32)

    def _get(self, name: str) -> Array:
        if name not in self._tensors:
            raise InputError(
                f"the weights of this model have no tensor {name!r}; its arithmetic is {ARITHMETIC}."
            )
        return self._tensors[name]
