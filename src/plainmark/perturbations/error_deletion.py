"""Deletion of salient information: the longest 20 % of the sentences are deleted.

variant="released" drops the last 20 % instead, like the published program.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from . import EditPlan, TextDocument, without
from ._errors import Dosed


@dataclass(frozen=True)
class ErrorDeletion(Dosed):
    """Deletes the longest fifth of the sentences."""

    criterion = "informativeness"
    english_only = False
    doses = {"paper": 0.2, "released": 0.2}  # noqa: RUF012

    def plan(self, document: TextDocument, rng: np.random.Generator) -> EditPlan:
        n = len(document.sentences)
        if n < 2:
            return EditPlan((), 0, f"{n or 'no'} sentence{'' if n == 1 else 's'}, and one always stays")
        if self.variant == "paper":
            order = sorted(range(n), key=lambda i: (-len(document.sentence(i).split()), i))
        else:
            order = list(range(n))[::-1]
        gone = order[: min(self.dose(n), n - 1)]
        return EditPlan([(without(document, i, order[-1]),) for i in gone], len(gone))
