"""Omit clauses: what a sentence says after a comma about why, when, although or which is gone, and so are brackets.

Strength is the share of such clauses that were omitted. Sentences stay grammatical, and nothing that they say becomes wrong.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from . import EditPerturbation, EditPlan, Replacement, TextDocument, shuffled

_CLAUSE = re.compile(
    r",\s+(?:which|who|whose|where|because|although|though|whereas|while|since|unless|if|when|until)\s[^,;:()]{12,}(?=[.!?]$)"
    r"|\s\([^()]{4,}\)",
)


@dataclass(frozen=True)
class OmitClause(EditPerturbation):
    """Deletes subordinate clauses at the ends of sentences, and what stands in brackets."""

    criterion = "informativeness"
    citation = "plainmark"

    def plan(self, document: TextDocument, rng: np.random.Generator) -> EditPlan:
        edits = [
            (Replacement(start + match.start(), start + match.end(), ""),)
            for i, (start, _) in enumerate(document.sentences)
            for match in _CLAUSE.finditer(document.sentence(i))
        ]
        order = shuffled(len(edits), rng)
        return EditPlan(
            [edits[i] for i in order], len(edits), "" if edits else "no clause that can be omitted"
        )
