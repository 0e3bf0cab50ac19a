"""Base of additions, deletions and exact copies: compares the words of source and output, without references."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ..metric import MeanMetric
from ..text import TokenizerName


@dataclass(frozen=True)
class SourceChange(MeanMetric):
    """The share of a change between source and output; neither direction is better."""

    tokenizer: Annotated[TokenizerName, "how text becomes words"] = "13a"
    lowercase: Annotated[bool, "ignore case"] = False

    higher_is_better = None
    needs = frozenset({"source"})
    bounds = (0.0, 1.0)
    citation = "Alva-Manchego et al. 2019, EMNLP (EASSE)"
