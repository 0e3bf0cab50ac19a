"""Out-document hallucination: two sentences of another article, at the end of the text.

They come from a file (pool=FILE) or from one other document, drawn at random; variant="released" appends one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from . import EditPlan, TextDocument, akin, insertion, pick
from ._errors import Dosed, some
from ._resources import pool_digest, sentences_of


@dataclass(frozen=True)
class ErrorOutDocument(Dosed):
    """Appends two sentences of another article."""

    pool: Annotated[str, "a text file with sentences to add (default: the other documents)"] = ""

    criterion = "informativeness"

    def plan(self, document: TextDocument, rng: np.random.Generator) -> EditPlan:
        n = len(document.sentences)
        count = 2 if self.variant == "paper" else 1
        pool = list(sentences_of(self.pool)) if self.pool else _one_other(document, rng)
        edits = [(insertion(document, n, s),) for s in some(pool, count, rng)]
        if not n:
            return EditPlan((), 0, "no sentences")
        reason = (
            f"the other text has only {len(edits)} sentences" if edits else "no other documents and no pool"
        )
        return EditPlan(edits, count, reason)

    def resources(self) -> dict[str, str]:
        return {"out-of-document pool": pool_digest(self.pool)} if self.pool else {}


def _one_other(document: TextDocument, rng: np.random.Generator) -> list[str]:
    """The sentences of the source (or of the text, if there is no source) of one document of another article."""
    known = document.pool.documents if document.pool else []
    first = pick(max(len(known), 1), rng)
    for k in range(len(known)):
        other = known[(first + k) % len(known)]
        if not akin(document, other) and not (other.source and other.source == document.source):
            donor = TextDocument(other.source or other.text)
            return [donor.sentence(i) for i in range(len(donor.sentences))]
    return []
