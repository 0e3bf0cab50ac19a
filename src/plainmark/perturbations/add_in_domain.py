"""Add sentences from the same field: a hallucination that only readers with knowledge of the field notice.

Strength is the number of added sentences divided by the number of original sentences. They come from a file (pool=FILE) or
from the other documents, never from the same one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from . import EditPerturbation, EditPlan, TextDocument
from ._resources import additions, pool_digest, sentences_of


@dataclass(frozen=True)
class AddInDomain(EditPerturbation):
    """Adds sentences of other documents of the field, up to as many as the text has."""

    pool: Annotated[str, "a text file with sentences to add (default: the other documents)"] = ""

    criterion = "informativeness"
    english_only = False

    def plan(self, document: TextDocument, rng: np.random.Generator) -> EditPlan:
        n = len(document.sentences)
        if not n:
            return EditPlan((), 0, "no sentences")
        if self.pool:
            sentences = sentences_of(self.pool)
            edits = additions(document, len(sentences), sentences.__getitem__, rng, n)
        elif document.pool:
            others = document.pool
            edits = additions(document, len(others.sentences), lambda i: others.foreign(i, document), rng, n)
        else:
            edits = []
        reason = f"the pool has only {len(edits)} sentences" if edits else "no other documents and no pool"
        return EditPlan(edits, n, reason)

    def resources(self) -> dict[str, str]:
        return {"in-domain pool": pool_digest(self.pool)} if self.pool else {}
