"""Insert factual errors into a text: statements that the source supports are changed.

The errors are those that the fact ledger is evaluated with: another value or unit, a negation inserted or removed, the
opposite direction, another name, term or role, an added reason or event. Each is inserted where source and text say the
same, so that it contradicts the source. Strength is the share of the possible places of this kind of error that have one.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from ..tagger import missing, resources
from . import Edit, EditPerturbation, EditPlan, Replacement, TextDocument, shuffled

Kind = Literal[
    "value", "borrowed value", "unit", "exchanged", "negation out", "negation in", "direction", "modal", "quantifier",
    "condition", "quotation", "name", "term", "role", "added reason", "added event", "added sentence", "added number",
]  # fmt: skip
_OTHERS = 40  # number of other documents from which names and numbers are borrowed


@dataclass(frozen=True)
class InjectedFact(EditPerturbation):
    """Contradicts the source at places where the text agrees with it."""

    kind: Annotated[Kind, "which error"] = "value"

    criterion = "faithfulness"
    citation = "the fact ledger of plainmark"

    def plan(self, document: TextDocument, rng: np.random.Generator) -> EditPlan:
        from ._injection.anchors import Pair
        from ._injection.kinds import ERRORS

        seed = random.Random(int(rng.random() * 2**53))
        if not document.source:
            return EditPlan((), 0, "no source text")
        errors = ERRORS[self.kind](Pair(document.source, document.text, self._others(document)), seed)
        edits: list[Edit] = []
        taken: list[tuple[int, int]] = []
        for error in errors:
            places = [(start, end) for start, end, _ in error.replacements]
            if any((a < d and c < b) or a == c for a, b in places for c, d in taken):
                continue
            taken += places
            edits.append(tuple(Replacement(*piece) for piece in error.replacements))
        order = shuffled(len(edits), rng)
        nothing = f"no place for an error of the kind {self.kind}"
        return EditPlan([edits[i] for i in order], len(edits), "" if edits else nothing)

    def _others(self, document: TextDocument) -> list[str]:
        if document.pool is None:
            return []
        key = "first texts"
        if key not in document.pool.known:
            document.pool.known[key] = [d.text for d in document.pool.documents[: _OTHERS + 1]]
        return [text for text in document.pool.known[key] if text != document.text]

    def missing(self) -> str:
        return missing()

    def resources(self) -> dict[str, str]:
        return resources()
