"""Add sentences from another field: a hallucination that anyone would notice.

Strength is the number of added sentences divided by the number of original sentences. Sentences come from a file
(pool=FILE) or, without one, from a small list about research on language that comes with the package.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from . import EditPerturbation, EditPlan, TextDocument
from ._resources import additions, embedded, pool_digest, sentences_of


@dataclass(frozen=True)
class AddOutOfDomain(EditPerturbation):
    """Adds sentences from another field, up to as many as the text has."""

    pool: Annotated[str, "a text file with sentences to add (default: the package's own)"] = ""

    criterion = "informativeness"

    def plan(self, document: TextDocument, rng: np.random.Generator) -> EditPlan:
        n = len(document.sentences)
        if not n:
            return EditPlan((), 0, "no sentences")
        pool = sentences_of(self.pool) if self.pool else embedded()
        edits = additions(document, len(pool), pool.__getitem__, rng, n)
        return EditPlan(edits, n, f"the pool has only {len(edits)} sentences")

    def resources(self) -> dict[str, str]:
        return {"out-of-domain pool": pool_digest(self.pool)}
