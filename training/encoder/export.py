"""Writes a checkpoint as the shipped model folder: matrices in eight bits, with one scale per row.

Word vectors, which are not trained, have a file of their own, which does not change when the encoder is retrained.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save_file

from plainmark.models._eight_bits import ARITHMETIC

FOLDER = Path(__file__).resolve().parents[2] / "src" / "plainmark" / "models" / "plain"
WORDS, LAYERS = "words.safetensors", "layers.safetensors"
_WORD_VECTORS = "embeddings.word_embeddings.weight"
_SETTINGS = (
    "hidden_act hidden_size intermediate_size layer_norm_eps max_position_embeddings model_type num_attention_heads "
    "num_hidden_layers pad_token_id position_embedding_type vocab_size"
).split()


def export(start: Path, checkpoint: Path, folder: Path = FOLDER) -> Path:
    """Write weights, settings and vocabulary to the folder."""
    folder.mkdir(exist_ok=True)
    words: dict[str, NDArray[Any]] = {}
    layers: dict[str, NDArray[Any]] = {}
    for name, tensor in torch.load(checkpoint, weights_only=True).items():
        if name.startswith("encoder.pooler.") or name.endswith("position_ids"):
            continue
        bare = name.removeprefix("encoder.") if name.startswith("encoder.") else f"plain.{name}"
        target = words if bare == _WORD_VECTORS else layers
        target |= stored(bare, tensor.numpy())
    save_file(words, folder / WORDS)
    save_file(layers, folder / LAYERS)
    weight_map = dict.fromkeys(words, WORDS) | dict.fromkeys(layers, LAYERS)
    _write_json(folder / "model.safetensors.index.json", {"weight_map": weight_map})
    config = json.loads((start / "config.json").read_text("utf-8"))
    _write_json(folder / "config.json", {k: config[k] for k in _SETTINGS} | {"arithmetic": ARITHMETIC})
    _write_json(folder / "tokenizer_config.json", {"do_lower_case": True, "model_max_length": 512})
    _write_json(folder / "sentence_bert_config.json", {"max_seq_length": 256})
    shutil.copy(start / "vocab.txt", folder / "vocab.txt")
    return folder


def stored(name: str, values: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
    if name.startswith("plain.") or "position" in name or "token_type" in name:
        return {name: values.astype(np.float16) if values.ndim == 2 else values}
    if values.ndim < 2:
        return {name: values}
    scale = np.maximum(np.abs(values).max(axis=1), 1e-12) / 127
    return {name: np.rint(values / scale[:, None]).astype(np.int8), f"{name}.scale": scale.astype(np.float32)}


def _write_json(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=1, sort_keys=True) + "\n", "utf-8")
