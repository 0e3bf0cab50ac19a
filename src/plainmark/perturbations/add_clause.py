"""Add clauses that the source does not have: a hallucination inside a sentence.

"... was reduced" becomes "... was reduced, because blood flow is impaired". Clauses come from other documents,
share words of the topic with this one and refer to nothing outside themselves; no clause of the source is added. Strength is the share of
the sentences that can take one.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

import numpy as np

from . import EditPerturbation, EditPlan, Replacement, TextDocument, akin, shuffled
from ._clauses import clauses, stands_alone

_NEAREST = 4  # of so many clauses one is drawn
_COMMON = 0.1  # words that more than this share of the documents have say nothing about a topic
_HOST = re.compile(r"[^,;:?!]*[\w)]\.$")
_TAKEN = re.compile(r"\b(?:because|although|whereas|while|due to|leading to|resulting in|that)\b")


@dataclass(frozen=True)
class AddClause(EditPerturbation):
    """Adds clauses of other documents to the ends of sentences."""

    criterion = "faithfulness"
    citation = "plainmark"

    def plan(self, document: TextDocument, rng: np.random.Generator) -> EditPlan:
        nearest = self._nearest(document)
        edits = []
        for i, (_, end) in enumerate(document.sentences):
            sentence = document.sentence(i)
            draw = rng.random()
            if not nearest or not _HOST.match(sentence) or _TAKEN.search(sentence):
                continue
            if not stands_alone(re.findall(r"\w+", sentence.lower())):
                continue
            clause = nearest.pop(min(int(draw * min(_NEAREST, len(nearest))), len(nearest) - 1))
            edits.append((Replacement(end - 1, end - 1, f", {clause}"),))
        order = shuffled(len(edits), rng)
        nothing = (
            "no sentence that can take a clause" if nearest else "no other documents with clauses to add"
        )
        return EditPlan([edits[i] for i in order], len(edits), "" if edits else nothing)

    def _nearest(self, document: TextDocument) -> list[str]:
        """Clauses of other documents that share rarer words with this one, those that share most first."""
        if document.pool is None:
            return []
        known = document.pool.known
        if "clauses" not in known:
            texts = document.pool.documents
            counts = Counter(word for d in texts for word in _content(d.text))
            rare = {word for word, count in counts.items() if count <= max(_COMMON * len(texts), 2)}
            known["clauses"] = [
                (clause, _content(clause) & rare, d)
                for d in texts
                for i in range(len(d.sentences))
                for clause in clauses(d.sentence(i))
            ]
        said = f"{document.text} {document.source}".lower()
        own = _content(said)
        rows = [
            (-len(own & words), clause)
            for clause, words, d in known["clauses"]
            if own & words and not akin(d, document) and clause.lower() not in said
        ]
        return list(dict.fromkeys(clause for _, clause in sorted(rows)))


def _content(text: str) -> set[str]:
    return set(re.findall(r"[a-z]{5,}", text.lower()))
