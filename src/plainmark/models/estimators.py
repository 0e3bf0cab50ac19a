"""Estimators of the COMET family, as used by LENS and LENS-SALSA: an encoder, a mixture of its layers, a small head.

    mixture = gamma * sum over layers of softmax(w)_layer * normalised(hidden states of the layer)

Hidden states are normalised over all tokens and units of a text. Rei et al. 2020, COMET; details follow the package
lens-metric 0.2.0.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError
from ..identity import load_once
from ._batches import Floats32, Ints
from ._torch import libraries
from .checkpoints import fill, in_batches, load_base, locate, read_weights, token_ids

_KINDS = {"regression_metric_multi_ref": 7, "unified_metric": 1}  # vectors that the head reads


class Estimator:
    """A checkpoint of LENS (`pooled`) or LENS-SALSA (`first`), with the encoder's settings and tokeniser."""

    def __init__(self, folder: Path, encoder: Path, kind: str) -> None:
        torch, transformers = libraries(f"{folder}")
        self.settings = read_settings(folder, kind)
        config, self.tokenizer = load_base(encoder)
        self.longest = int(config.max_position_embeddings) - 2  # RoBERTa's positions begin at 2
        self.head_inputs = _KINDS[kind] * config.hidden_size
        path = next((p for p in _weight_files(folder) if p.is_file()), None)
        if path is None:
            raise InputError(
                f"{folder}: no checkpoints/model.ckpt and no model.safetensors; expected one of them."
            )
        tensors = read_weights(path)
        model = torch.nn.Module()
        model.encoder = torch.nn.Module()
        model.encoder.model = transformers.AutoModel.from_config(config, add_pooling_layer=False)
        model.estimator = torch.nn.Module()
        model.estimator.ff = self._head(torch)
        model.layerwise_attention = torch.nn.Module()
        layers = config.num_hidden_layers + 1
        scalars = [torch.nn.Parameter(torch.zeros(1)) for _ in range(layers)]
        model.layerwise_attention.scalar_parameters = torch.nn.ParameterList(scalars)
        model.layerwise_attention.gamma = torch.nn.Parameter(torch.ones(1))
        # Position ids are not weights: older files contain them, newer ones do not.
        known = {n: b for n, b in model.named_buffers() if n not in tensors}
        self.model = fill(model, {**known, **tensors}, path)

    def _head(self, torch: Any) -> Any:
        sizes = [self.head_inputs, *self.settings.get("hidden_sizes", [])]
        activation = _activation(torch, self.settings.get("activations", "Tanh"))
        parts: list[Any] = []
        for a, b in pairwise(sizes):
            # Dropout has no effect here, but counts in the names of weights.
            parts += [torch.nn.Linear(a, b), activation(), torch.nn.Dropout(0.0)]
        parts.append(torch.nn.Linear(sizes[-1], 1))
        if last := self.settings.get("final_activation"):
            parts.append(_activation(torch, last)())
        return torch.nn.Sequential(*parts)

    def mixture(self, ids: Any) -> Any:
        """Mixed hidden states of texts of one length: (texts, tokens, units)."""
        import torch

        hidden = self.model.encoder.model(ids, output_hidden_states=True).hidden_states
        attention = self.model.layerwise_attention
        weights = torch.softmax(torch.cat(list(attention.scalar_parameters)), dim=0)
        mixed = sum(w * _normalised(h) for w, h in zip(weights, hidden, strict=True))
        return attention.gamma * mixed

    def pooled(self, texts: Sequence[str]) -> Floats32:
        """The mean vector of each text over its tokens, including special tokens."""
        unique = list(dict.fromkeys(texts))
        ids = token_ids(self.tokenizer, unique, self.longest - 2)
        vectors = dict(zip(unique, in_batches(ids, lambda x: self.mixture(x).mean(dim=1)), strict=True))
        return np.stack([vectors[t] for t in texts])

    def compare(self, source: Floats32, output: Floats32, reference: Floats32) -> Floats32:
        """The head's value for vectors of source, output and reference, row by row."""
        import torch

        features = np.concatenate(
            [
                source,
                output,
                reference,
                output * reference,
                np.abs(output - reference),
                output * source,
                np.abs(output - source),
            ],
            axis=1,
        )
        with torch.inference_mode():
            return np.asarray(self.model.estimator.ff(torch.from_numpy(features)).numpy()[:, 0])

    def first(self, outputs: Sequence[str], sources: Sequence[str]) -> Floats32:
        """The head's value for the first vector of "output, separator, source"."""
        pieces = [self._joined(*pair) for pair in zip(*self._ids(outputs, sources), strict=True)]
        scores = in_batches(pieces, lambda x: self.model.estimator.ff(self.mixture(x)[:, 0]))
        return np.array([v[0] for v in scores], dtype=np.float32)

    def _ids(self, *sides: Sequence[str]) -> list[list[Ints]]:
        return [token_ids(self.tokenizer, side, self.longest - 2) for side in sides]

    def _joined(self, output: Ints, source: Ints) -> Ints:
        separator = [self.tokenizer.sep_token_id] * 2
        joined = np.concatenate([output[:-1], separator, source[1:]]).astype(np.int32)
        return joined[: self.longest]


@load_once
def estimator(folder: Path, encoder: Path, kind: str) -> Estimator:
    """The estimator of these folders, loaded once."""
    return Estimator(folder, encoder, kind)


def encoder_of(folder: Path, kind: str, wish: str) -> str:
    """The name of the encoder whose settings and tokeniser a checkpoint needs."""
    name = wish or str(read_settings(folder, kind).get("pretrained_model", ""))
    short = {"roberta-base", "roberta-large"}
    return f"FacebookAI/{name}" if name in short and locate(name) is None else name


def read_settings(folder: Path, kind: str) -> dict[str, Any]:
    """The hparams.yaml of a checkpoint; an error if it has settings that are not supported."""
    import yaml

    path = folder / "hparams.yaml"
    try:
        content = yaml.safe_load(path.read_text("utf-8"))
    except OSError:
        raise InputError(
            f"{folder}: no hparams.yaml; expected a folder as the package lens-metric uses it."
        ) from None
    except (yaml.YAMLError, ValueError):
        raise InputError(f"{path}: is not YAML.") from None
    if not isinstance(content, dict) or content.get("class_identifier") != kind:
        name = content.get("class_identifier") if isinstance(content, dict) else None
        raise InputError(
            f"{path}: class_identifier is {name!r}, expected {kind!r}; it is another metric's checkpoint."
        )
    layer = content.get("sent_layer" if kind == "unified_metric" else "layer", "mix")
    # layer_transformation is not read: the package's program ignores it, too, and uses softmax.
    for option, value, expected in (
        ("layer", layer, "mix"),
        ("layer_norm", content.get("layer_norm", True), True),
        ("encoder_model", content.get("encoder_model"), "RoBERTa"),
        ("pool", content.get("pool", "avg"), "avg"),
    ):
        if value != expected:
            raise InputError(
                f"{path}: {option} is {value!r}; only {expected!r} can be run, as in the published model."
            )
    return content


def _normalised(hidden: Any) -> Any:
    mean = hidden.mean(dim=(1, 2), keepdim=True)
    variance = ((hidden - mean) ** 2).mean(dim=(1, 2), keepdim=True)
    return (hidden - mean) / (variance + 1e-12).sqrt()


def _activation(torch: Any, name: str) -> Any:
    known = ("Tanh", "Sigmoid", "ReLU", "GELU")
    if name not in known:
        raise InputError(
            f"hparams.yaml: activation {name!r} is not known; expected one of {', '.join(known)}."
        )
    return getattr(torch.nn, name)


def _weight_files(folder: Path) -> list[Path]:
    return [folder / "model.safetensors", folder / "checkpoints" / "model.ckpt", folder / "model.ckpt"]
