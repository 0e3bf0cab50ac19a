"""Incoherence: 20 % of the sentences, at least two, change places with each other.

variant="released" moves 30 % of them. All strengths of 0.5 and more apply the whole error.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from . import EditPlan, TextDocument, shuffled
from ._errors import Dosed, deranged, exchanged


@dataclass(frozen=True)
class ErrorCoherence(Dosed):
    """Swaps a fifth of the sentences."""

    criterion = "coherence"
    doses = {"paper": 0.2, "released": 0.3}  # noqa: RUF012

    def plan(self, document: TextDocument, rng: np.random.Generator) -> EditPlan:
        n = len(document.sentences)
        places = sorted(shuffled(n, rng)[: self.dose(n, 2)])
        cycle = deranged(len(places), rng)
        if n < 2:
            return EditPlan((), 0, f"{n or 'no'} sentence{'' if n == 1 else 's'}, nothing to reorder")
        return EditPlan([tuple(exchanged(document, places, cycle))], 1)
