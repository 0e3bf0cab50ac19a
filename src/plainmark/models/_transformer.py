"""Transformer encoders as fused graphs for onnxruntime, in 32-bit floats, without torch.

BERT, RoBERTa (and XLM-R, CamemBERT), DistilBERT and MPNet differ in the names of their weights, in the first position, and
in MPNet's attention bias by distance; one builder covers all of them. All texts of a batch have the same length, so there
is no padding and no mask, and a text's vectors are bit-identical whatever else is in the batch.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ._onnx import OnnxGraph, session

Array = NDArray[Any]
Floats32 = NDArray[np.float32]


@dataclass(frozen=True)
class Family:
    """The names of weights in a family of encoders; {} is the number of the layer."""

    query: str
    key: str
    value: str
    after_attention: str
    attention_norm: str
    widen: str
    narrow: str
    output_norm: str
    padded_positions: bool = False  # whether positions begin after the id of the padding token
    relative_bias: str = ""


_BERT = Family(
    query="encoder.layer.{}.attention.self.query",
    key="encoder.layer.{}.attention.self.key",
    value="encoder.layer.{}.attention.self.value",
    after_attention="encoder.layer.{}.attention.output.dense",
    attention_norm="encoder.layer.{}.attention.output.LayerNorm",
    widen="encoder.layer.{}.intermediate.dense",
    narrow="encoder.layer.{}.output.dense",
    output_norm="encoder.layer.{}.output.LayerNorm",
)
_ROBERTA = Family(**(vars(_BERT) | {"padded_positions": True}))
_DISTILBERT = Family(
    query="transformer.layer.{}.attention.q_lin",
    key="transformer.layer.{}.attention.k_lin",
    value="transformer.layer.{}.attention.v_lin",
    after_attention="transformer.layer.{}.attention.out_lin",
    attention_norm="transformer.layer.{}.sa_layer_norm",
    widen="transformer.layer.{}.ffn.lin1",
    narrow="transformer.layer.{}.ffn.lin2",
    output_norm="transformer.layer.{}.output_layer_norm",
)
_MPNET = Family(
    query="encoder.layer.{}.attention.attn.q",
    key="encoder.layer.{}.attention.attn.k",
    value="encoder.layer.{}.attention.attn.v",
    after_attention="encoder.layer.{}.attention.attn.o",
    attention_norm="encoder.layer.{}.attention.LayerNorm",
    widen="encoder.layer.{}.intermediate.dense",
    narrow="encoder.layer.{}.output.dense",
    output_norm="encoder.layer.{}.output.LayerNorm",
    padded_positions=True,
    relative_bias="encoder.relative_attention_bias.weight",
)
FAMILIES = {
    "bert": _BERT,
    "roberta": _ROBERTA,
    "xlm-roberta": _ROBERTA,
    "camembert": _ROBERTA,
    "distilbert": _DISTILBERT,
    "mpnet": _MPNET,
}


def supported(config: Mapping[str, Any]) -> bool:
    """Whether the builder supports this model; others are run by transformers."""
    return (
        config.get("model_type") in FAMILIES
        and config.get("hidden_act", config.get("activation")) == "gelu"
        and config.get("position_embedding_type", "absolute") == "absolute"
    )


class Transformer:
    """An encoder's weights, from which a graph up to any layer is built and run."""

    def __init__(self, config: Mapping[str, Any], tensors: Mapping[str, Array]) -> None:
        self.config = config
        self.family = FAMILIES[config["model_type"]]
        self.tensors = _bare_names(tensors)
        self.layers: int = config.get("num_hidden_layers") or config["n_layers"]
        self.size: int = config.get("hidden_size") or config["dim"]
        self.heads: int = config.get("num_attention_heads") or config["n_heads"]
        self.positions = self._get("embeddings.position_embeddings.weight")
        if self.family.padded_positions:
            # The table's first rows belong to padding; the first token has the next row.
            self.positions = self.positions[config.get("pad_token_id", 1) + 1 :]
        self.max_tokens = len(self.positions)
        self._sessions: dict[tuple[int, ...], Any] = {}
        self._lock = Lock()

    def hidden(self, ids: NDArray[np.int32], *layers: int) -> Floats32:
        """Vectors of a batch of texts of one length after a layer (0: the embeddings): shape (texts, tokens, size).

        For several layers, the vectors are concatenated, from one run.
        """
        with self._lock:
            if layers not in self._sessions:
                self._sessions[layers] = session(self._graph(layers))
        feeds = {"ids": ids}
        if self.family.relative_bias:
            feeds["bias"] = self._relative_bias(ids.shape[1])  # type: ignore[assignment]
        vectors = self._sessions[layers].run([f"hidden_{layer}" for layer in layers], feeds)
        return np.asarray(np.concatenate(vectors, axis=2) if len(layers) > 1 else vectors[0], np.float32)

    def _graph(self, layers: Sequence[int]) -> OnnxGraph:
        graph = OnnxGraph()
        epsilon = float(self.config.get("layer_norm_eps", 1e-12))
        ids = graph.input("ids", np.int32, ["texts", "tokens"])
        bias = ""
        if self.family.relative_bias:
            bias = graph.input("bias", np.float32, [1, self.heads, "tokens", "tokens"])
        positions = self.positions
        if (
            "embeddings.token_type_embeddings.weight" in self.tensors
        ):  # one segment, whose vector is always added
            positions = positions + self._get("embeddings.token_type_embeddings.weight")[0]
        state = graph.microsoft(
            "EmbedLayerNormalization",
            ids,
            "",
            graph.weight("words", self._get("embeddings.word_embeddings.weight")),
            graph.weight("positions", positions),
            "",
            *self._norm(graph, "embeddings.LayerNorm"),
            name="hidden_0",
            extra=("no_mask",),
            epsilon=epsilon,
        )
        for i in range(max(layers)):
            state = self._layer(graph, i, state, bias, epsilon, name=f"hidden_{i + 1}")
        for layer in layers:
            graph.output(f"hidden_{layer}", ["texts", "tokens", self.size])
        return graph

    def _layer(self, graph: OnnxGraph, i: int, state: str, bias: str, epsilon: float, *, name: str) -> str:
        part = {k: v.format(i) for k, v in vars(self.family).items() if isinstance(v, str)}
        three = [part[k] for k in ("query", "key", "value")]
        attended = graph.microsoft(
            "Attention",
            state,
            graph.weight(f"qkv_{i}", np.concatenate([self._get(f"{t}.weight").T for t in three], axis=1)),
            graph.weight(f"qkv_bias_{i}", np.concatenate([self._get(f"{t}.bias") for t in three])),
            *(["", "", bias] if bias else []),
            num_heads=self.heads,
        )
        mixed = graph.microsoft(
            "SkipLayerNormalization",
            self._times(graph, attended, part["after_attention"]),
            state,
            *self._norm(graph, part["attention_norm"]),
            self._bias(graph, part["after_attention"]),
            epsilon=epsilon,
        )
        wide = self._times(graph, mixed, part["widen"])
        wide = graph.microsoft("BiasGelu", wide, self._bias(graph, part["widen"]))
        return graph.microsoft(
            "SkipLayerNormalization",
            self._times(graph, wide, part["narrow"]),
            mixed,
            *self._norm(graph, part["output_norm"]),
            self._bias(graph, part["narrow"]),
            name=name,
            epsilon=epsilon,
        )

    def _times(self, graph: OnnxGraph, state: str, name: str) -> str:
        return graph.times_transposed(state, graph.weight(f"{name}.weight", self._get(f"{name}.weight")))

    def _bias(self, graph: OnnxGraph, name: str) -> str:
        return graph.weight(f"{name}.bias", self._get(f"{name}.bias"))

    def _norm(self, graph: OnnxGraph, name: str) -> tuple[str, str]:
        scale = graph.weight(f"{name}.weight", self._get(f"{name}.weight"))
        return scale, self._bias(graph, name)

    def _get(self, name: str) -> Array:
        if name not in self.tensors:
            raise InputError(
                f"the weights of this {self.config['model_type']} model have no tensor {name!r}; "
                "expected the layout that transformers' save_pretrained writes."
            )
        return self.tensors[name]

    def _relative_bias(self, tokens: int) -> Floats32:
        """The attention bias for the distance of two tokens, of shape (1, heads, tokens, tokens)."""
        table = self._get(self.family.relative_bias)
        distance = np.arange(tokens)[None, :] - np.arange(tokens)[:, None]
        bias: Floats32 = table[distance_buckets(distance, len(table))].transpose(2, 0, 1)[None]
        return np.ascontiguousarray(bias, dtype=np.float32)


def distance_buckets(distance: NDArray[np.int64], buckets: int, farthest: int = 128) -> NDArray[np.int64]:
    """The buckets of signed distances: half of them for each direction, near ones exact, far ones logarithmic."""
    side = buckets // 2
    exact = side // 2
    far = np.abs(distance)
    logarithmic = exact + (
        np.log(np.maximum(far, 1).astype(np.float32) / exact) / math.log(farthest / exact) * (side - exact)
    ).astype(np.int64)
    bucket = np.where(far < exact, far, np.minimum(logarithmic, side - 1))
    return np.where(distance > 0, side, 0) + bucket


def _bare_names(tensors: Mapping[str, Array]) -> dict[str, Array]:
    """Tensors without prefixes such as "bert.", and with current names of normalisation."""
    out = {}
    for name, values in tensors.items():
        first, _, rest = name.partition(".")
        bare = rest if first in (*FAMILIES, "roberta", "model") else name
        bare = bare.replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias")
        out[bare] = values
    return out
