"""Omit clauses: subordinate clauses at the end of sentences (reasons, times, concessions, relative clauses) and remarks in
brackets are deleted.

Sentences remain grammatical and true. Brackets that contain only an abbreviation or figures are not remarks. Strength is
the share of such clauses that were omitted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from . import EditPerturbation, EditPlan, Replacement, TextDocument, shuffled
from ._clauses import OMISSIBLE, stands_alone

_REMARK = re.compile(r"\s\((?=(?:[^()]*\b[a-z]{3,}\b){3})[^()]{12,}\)")


@dataclass(frozen=True)
class OmitClause(EditPerturbation):
    """Deletes subordinate clauses at the ends of sentences, and remarks in brackets."""

    criterion = "informativeness"
    citation = "plainmark"

    def plan(self, document: TextDocument, rng: np.random.Generator) -> EditPlan:
        edits = []
        for i, (start, _) in enumerate(document.sentences):
            sentence = document.sentence(i)
            clause = OMISSIBLE.search(sentence)
            if clause and not stands_alone(re.findall(r"\w+", sentence[: clause.start()].lower())):
                clause = None  # the rest would not be a sentence
            places = [m for m in (clause, *_REMARK.finditer(sentence)) if m is not None]
            places = [m for m in places if m is clause or clause is None or m.end() <= clause.start()]
            edits += [(Replacement(start + m.start(), start + m.end(), ""),) for m in places]
        order = shuffled(len(edits), rng)
        return EditPlan(
            [edits[i] for i in order], len(edits), "" if edits else "no clause that can be omitted"
        )
