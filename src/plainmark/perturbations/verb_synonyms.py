"""Swap verbs for synonyms: the meaning stays, and a metric of faithfulness should hardly move.

Synonyms share WordNet's commonest sense of the verb that has any and take the form of the verb that they replace. Be,
have, do, get, let and modals stay. Strength is the share of the verbs with a synonym that were swapped.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..tagger import missing, resources
from . import EditPerturbation, EditPlan, TextDocument
from ._verbs import swaps, synonyms


@dataclass(frozen=True)
class VerbSynonyms(EditPerturbation):
    """Replaces verbs by synonyms in the same form."""

    criterion = "faithfulness"
    effect = 0

    def plan(self, document: TextDocument, rng: np.random.Generator) -> EditPlan:
        return swaps(document, synonyms, rng, "no verb that has a synonym")

    def missing(self) -> str:
        return missing()

    def resources(self) -> dict[str, str]:
        return resources()
