"""Split sentences: a control that changes the reading level and nothing else.

A semicolon, or a comma with "and" or "but" before a new subject, becomes a full stop. Readability formulas rate the text as
easier, while its content and words stay the same. Strength is the share of such places that were split.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from . import EditPerturbation, EditPlan, Replacement, TextDocument, shuffled

_SUBJECT = (
    r"(?:we|they|he|she|it|there|this|these|the\s+\w+\s+(?:is|are|was|were|has|have|had|can|may|will))\b"
)
_JOINT = re.compile(rf"(?:;\s+|,\s+(?P<word>and|but)\s+)(?={_SUBJECT})", re.IGNORECASE)


@dataclass(frozen=True)
class SplitSentences(EditPerturbation):
    """Splits sentences in two if nothing else has to change."""

    criterion = "simplification"
    effect = 0
    citation = "plainmark"

    def plan(self, document: TextDocument, rng: np.random.Generator) -> EditPlan:
        edits = []
        for match in _JOINT.finditer(document.text):
            follows = document.text[match.end()].upper()
            word = "But " if (match["word"] or "").lower() == "but" else ""
            first = follows.lower() if word else follows
            edits.append((Replacement(match.start(), match.end() + 1, f". {word}{first}"),))
        order = shuffled(len(edits), rng)
        return EditPlan(
            [edits[i] for i in order], len(edits), "" if edits else "no sentence that can be split"
        )
