"""SLE: how simple a sentence is, estimated by a RoBERTa model trained on reading levels; delta is the gain over the source.

    sle = regression(output)                 about 0 (hardest) to 4 (simplest); not bounded
    delta = sle(output) - sle(source)

As in the program of the authors, the model sees the first 128 tokens. Cripwell et al. 2023, Simplicity Level Estimate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np

from ..data import Corpus
from ..errors import InputError
from ..identity import load_once
from ..metric import Floats, MeanMetric
from ..models import checkpoints
from ..models.checkpoints import CHECKPOINT

LONGEST = 128


@dataclass(frozen=True)
class SLE(MeanMetric):
    """Simplicity of the output, or its gain over the source, by a regression on reading levels."""

    part: Annotated[Literal["sle", "delta"], "the output's simplicity, or its gain over the source's"] = (
        "delta"
    )
    model: Annotated[str, CHECKPOINT, "the checkpoint: a folder or a name in the hub's cache"] = (
        "liamcripwell/sle-base"
    )

    family = "learned"
    citation = "Cripwell et al. 2023, EMNLP"
    english_only = True

    @property
    def part_names(self) -> tuple[str, ...]:
        return ("sle",) if self.part == "sle" else ("sle", "output", "source")

    def required(self) -> frozenset[str]:
        return frozenset({"source"} if self.part == "delta" else ())

    def missing(self) -> str:
        return checkpoints.missing("model", self.model)

    def values(self, corpus: Corpus) -> Floats:
        return corpus.remember("output", self.identity(), lambda: self._values(corpus))

    def _values(self, corpus: Corpus) -> Floats:
        output = estimates(self.model, corpus.outputs)
        if self.part == "sle":
            return output
        source = corpus.remember(
            "source",
            ("sle", self.model, self.contents().get("model")),
            lambda: estimates(self.model, corpus.texts("source")),
        )
        return np.column_stack([output - source, output, source])


def estimates(name: str, texts: Sequence[str]) -> Floats:
    """The simplicity of each text."""
    model, tokenizer = _load(checkpoints.find("model", name))
    ids = checkpoints.token_ids(tokenizer, texts, min(LONGEST, tokenizer.model_max_length))
    values = checkpoints.in_batches(ids, lambda x: model(x).logits[:, 0])
    return np.array(values, dtype=np.float64)


@load_once
def _load(folder: Path) -> tuple[Any, Any]:
    model, tokenizer = checkpoints.load(folder, "AutoModelForSequenceClassification")
    if model.config.num_labels != 1:
        raise InputError(
            f"{folder}: a classifier with {model.config.num_labels} labels; expected a regression with 1."
        )
    return model, tokenizer
