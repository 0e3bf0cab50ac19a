"""REFeREE: a DeBERTa with linear heads that reads source and output, and was trained on metrics, then on ratings.

    referee = last of the 13 heads on the first vector of DeBERTa for "source [SEP] output"

As in the authors' program: the pair is one text with the separator between, cut at 512 tokens; the last head is the one
trained on human ratings of overall quality (SimpEval). Not bounded. Huang & Kochmar 2024, REFeREE.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from ..data import Corpus
from ..errors import InputError
from ..identity import load_once
from ..metric import Floats, MeanMetric
from ..models import checkpoints
from ..models.checkpoints import CHECKPOINT

LONGEST = 512


@dataclass(frozen=True)
class REFeREE(MeanMetric):
    """Learned rating of the output against the source alone, by the head for overall quality."""

    model: Annotated[str, CHECKPOINT, "a folder with the authors' pretrained.bin (or model.safetensors)"] = ""
    encoder: Annotated[
        str, CHECKPOINT, "DeBERTa's settings and tokeniser: a folder or a name in the hub's cache"
    ] = "microsoft/deberta-v3-base"

    family = "learned"
    needs = frozenset({"source"})
    citation = "Huang & Kochmar 2024, LREC-COLING"
    english_only = True

    def missing(self) -> str:
        hint = " (the authors' repository i-need-sleep/referee links to it)"
        return checkpoints.missing("model", self.model, hint=hint) or checkpoints.missing(
            "encoder", self.encoder
        )

    def values(self, corpus: Corpus) -> Floats:
        return corpus.remember("output", self.identity(), lambda: self._values(corpus))

    def _values(self, corpus: Corpus) -> Floats:
        folders = checkpoints.find("model", self.model), checkpoints.find("encoder", self.encoder)
        encoder, head, tokenizer = _load(*folders)
        pairs = zip(corpus.texts("source"), corpus.outputs, strict=True)
        texts = [f"{source} {tokenizer.sep_token} {output}" for source, output in pairs]
        ids = checkpoints.token_ids(tokenizer, texts, LONGEST)
        ratings = checkpoints.in_batches(ids, lambda x: head(encoder(x)[0][:, 0])[:, 0])
        return np.array(ratings, dtype=np.float64)


@load_once
def _load(folder: Path, base: Path) -> tuple[Any, Any, Any]:
    """The encoder with the checkpoint's weights, its last head, and the tokeniser."""
    import torch
    import transformers

    path = next((p for p in (folder / "model.safetensors", folder / "pretrained.bin") if p.is_file()), None)
    if path is None:
        raise InputError(f"{folder}: no pretrained.bin and no model.safetensors; expected one of them.")
    tensors = checkpoints.read_weights(path)
    heads = sorted(
        int(k.split(".")[1]) for k in tensors if k.startswith("linear_out.") and k.endswith(".weight")
    )
    if not heads:
        raise InputError(f"{path}: no linear heads (linear_out.0.weight ...); it is another kind of model.")
    config, tokenizer = checkpoints.load_base(base)
    encoder = transformers.AutoModel.from_config(config)
    own = {k.removeprefix("deberta."): v for k, v in tensors.items() if k.startswith("deberta.")}
    known = {n: b for n, b in encoder.named_buffers() if n not in own}
    head = torch.nn.Linear(config.hidden_size, 1)
    last = f"linear_out.{heads[-1]}."
    weights = {k.removeprefix(last): v for k, v in tensors.items() if k.startswith(last)}
    return checkpoints.fill(encoder, {**known, **own}, path), checkpoints.fill(head, weights, path), tokenizer
