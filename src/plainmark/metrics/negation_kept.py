"""Negation kept: whether what the source denies is denied in the output, and nothing else is.

The polarity of statements is compared, not the words: "not safe", "unsafe" and "dangerous" deny the same.
Compare Guo et al. 2024 (APPLS), whose testbed perturbs negation.
"""

from __future__ import annotations

from dataclasses import dataclass

from ._kept import KeptMetric


@dataclass(frozen=True)
class NegationKept(KeptMetric):
    """Negations of source and output that the other has too, in percent (F1, precision or recall)."""

    kinds = ("negation",)
    family = "meaning"
    citation = "Guo et al. 2024, EMNLP (negation errors)"
