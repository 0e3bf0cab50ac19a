"""Join sentences: a control that changes the reading level and nothing else.

The full stop between two sentences becomes a semicolon if the second one does not begin with a name. Readability formulas
rate the text as harder, while its content and words stay the same. No sentence is joined twice. Strength is the share of
joined pairs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from . import Edit, EditPerturbation, EditPlan, Replacement, TextDocument, shuffled

_ENDS = re.compile(r"[^\W\d_]{3}\.$|[)\]%]\.$")  # not an abbreviation, an initial or a number
_BEGINS = re.compile(
    r"(?:We|They|He|She|It|There|This|These|Those|Our|Their|His|Her|Its|The|A|An|However|In|Of|For|With|Both|All|Some|Most|No"
    r"|Although|When|While|If)\s+[a-z]"
)


@dataclass(frozen=True)
class JoinSentences(EditPerturbation):
    """Makes one sentence of two by a semicolon."""

    criterion = "simplification"
    effect = 0
    citation = "plainmark"

    def plan(self, document: TextDocument, rng: np.random.Generator) -> EditPlan:
        text, spans = document.text, document.sentences
        edits: list[Edit] = []
        i = 0
        while i + 1 < len(spans):
            (_, end), (start, _) = spans[i], spans[i + 1]
            joins = text[end:start] == " " and _ENDS.search(text[spans[i][0] : end])
            if joins and _BEGINS.match(text, start):
                edits.append((Replacement(end - 1, start + 1, f"; {text[start].lower()}"),))
                i += 1
            i += 1
        order = shuffled(len(edits), rng)
        return EditPlan(
            [edits[k] for k in order], len(edits), "" if edits else "no sentences that can be joined"
        )
