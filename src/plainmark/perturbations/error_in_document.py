"""In-document hallucination: two sentences of the same article that do not belong in the text.

They come from other parts of the article if these are known, else from the source, and are inserted at random places;
variant="released" appends one instead. Sentences that the text already contains are not used.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from . import EditPlan, TextDocument, insertion, pick, sentence_spans
from ._errors import Dosed, some


@dataclass(frozen=True)
class ErrorInDocument(Dosed):
    """Adds two sentences of the same article."""

    criterion = "informativeness"
    english_only = False

    def plan(self, document: TextDocument, rng: np.random.Generator) -> EditPlan:
        n = len(document.sentences)
        count = 2 if self.variant == "paper" else 1
        own = {document.sentence(i) for i in range(n)}
        pool = [s for s in _of_article(document) if s not in own]
        added = some(pool, count, rng)
        gaps = [pick(n + 1, rng) if self.variant == "paper" else n for _ in range(count)]
        edits = [(insertion(document, gap, s),) for gap, s in zip(gaps, added, strict=False)]
        reason = (
            f"the article has only {len(edits)} other sentences"
            if edits
            else "no other sentences of the article"
        )
        return EditPlan(edits if n else (), count if n else 0, reason if n else "no sentences")


def _of_article(document: TextDocument) -> list[str]:
    """Sentences of other parts of the article, else of the source."""
    if document.pool and document.article:
        parts = [d.source or d.text for d in document.pool.articles[document.article] if d is not document]
        if others := [p[a:b] for p in parts if p != document.source for a, b in sentence_spans(p)]:
            return others
    return [document.source[a:b] for a, b in sentence_spans(document.source)]
