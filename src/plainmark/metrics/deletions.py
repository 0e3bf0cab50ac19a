"""Deletions: words of the source that the output does not have, as a share of the longer of the two.

    sum over words of max(0, count in source - count in output) / max(|source|, |output|)

Averaged over samples; a sample without any word has no share.

Reference: Alva-Manchego et al. 2019, EASSE: Easier Automatic Sentence Simplification Evaluation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..data import Side
from .additions import Additions


@dataclass(frozen=True)
class Deletions(Additions):
    """The proportion of words deleted."""

    family = "change"

    counted: ClassVar[Side] = "source"
