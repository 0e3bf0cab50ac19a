"""Swap verbs for antonyms: the text says the opposite.

Antonyms are WordNet's direct ones, which only some 900 verbs have, in the form of the verb that they replace. Be, have, do,
get, let and modals are not changed. Strength is the share of the verbs with an antonym that were swapped; most texts have
few.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..tagger import missing, resources
from . import EditPerturbation, EditPlan, TextDocument
from ._verbs import antonyms, swaps


@dataclass(frozen=True)
class VerbAntonyms(EditPerturbation):
    """Replaces verbs by antonyms in the same form."""

    criterion = "faithfulness"

    def plan(self, document: TextDocument, rng: np.random.Generator) -> EditPlan:
        return swaps(document, antonyms, rng, "no verb that has an antonym")

    def missing(self) -> str:
        return missing()

    def resources(self) -> dict[str, str]:
        return resources()
