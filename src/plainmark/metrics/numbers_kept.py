"""Numbers kept: whether the output has the numbers and dates of the source, with their units, and no others.

A number is the same however it is written ("1,200", "twelve hundred"; "24 months", "two years"); docs/faithfulness.md lists
what counts as a number. Recall falls with every number left out, precision with every number that is changed or new.
Compare Nan et al. 2021 and Zhao et al. 2020, who find in numbers and names the commonest errors of fact in summaries.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ..languages import LanguageCode
from ._kept import KeptMetric


@dataclass(frozen=True)
class NumbersKept(KeptMetric):
    """Numbers and dates of source and output that the other has too, in percent (F1, precision or recall)."""

    language: Annotated[LanguageCode, "the language of the outputs"] = "en"

    kinds = ("number",)
    family = "meaning"
    citation = "Zhao et al. 2020, Findings of EMNLP (quantity errors)"
