"""Repeat sentences: a control of length. Nothing is lost and nothing is added, but the text repeats sentences at its end.

Strength is the number of repeated sentences divided by the number of original sentences.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from . import EditPerturbation, EditPlan, TextDocument, insertion, shuffled


@dataclass(frozen=True)
class RepeatSentences(EditPerturbation):
    """Appends sentences of the text to it, up to all of them."""

    criterion = "fluency"
    english_only = False
    citation = "plainmark"

    def plan(self, document: TextDocument, rng: np.random.Generator) -> EditPlan:
        n = len(document.sentences)
        order = shuffled(n, rng)
        edits = [(insertion(document, n, document.sentence(i)),) for i in order]
        return EditPlan(edits, n, "" if edits else "no sentences")
