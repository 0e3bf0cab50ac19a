"""Swap verbs for synonyms: the meaning stays the same, and the score of a faithfulness metric should hardly change.

Synonyms are those of the commonest sense in WordNet that has any, in the form of the verb that they replace. Be, have, do,
get, let and modals are not changed. Strength is the share of the verbs with a synonym that were swapped.
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
