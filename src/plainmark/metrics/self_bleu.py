"""Self-BLEU: BLEU of the output against the source, which shows how much was left unchanged.

Reference: Sun and Zhou 2012 subtract it in iBLEU; the numbers are sacreBLEU's with the source as reference.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..data import Side
from .bleu import BLEU


@dataclass(frozen=True)
class SelfBLEU(BLEU):
    """BLEU of the output against the source, 100 for a copy."""

    family = "change"
    higher_is_better = None
    needs = frozenset({"source"})
    citation = "Sun and Zhou 2012, ACL"

    against: ClassVar[Side] = "source"
