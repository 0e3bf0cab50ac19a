"""Shared by additions, deletions and exact copies: the words of source and output, compared without references."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ..metric import MeanMetric
from ..text import TokenizerName


@dataclass(frozen=True)
class SourceChange(MeanMetric):
    """Base: a share of what changed between source and output, neither good nor bad."""

    tokenizer: Annotated[TokenizerName, "how text becomes words"] = "13a"
    lowercase: Annotated[bool, "ignore case"] = False

    higher_is_better = None
    needs = frozenset({"source"})
    bounds = (0.0, 1.0)
    citation = "Alva-Manchego et al. 2019, EMNLP (EASSE)"
