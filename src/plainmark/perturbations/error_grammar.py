"""Grammatical errors: four or five words of a sentence change places, in 20 % of the sentences.

variant="released" does so in 50 % of them. Sentences of fewer than four words are not eligible.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from . import Edit, EditPlan, Replacement, TextDocument, pick, shuffled
from ._errors import Dosed, deranged

_WORD = re.compile(r"\w+(?:['’-]\w+)*")


@dataclass(frozen=True)
class ErrorGrammar(Dosed):
    """Swaps four or five words in a fifth of the sentences."""

    criterion = "fluency"
    doses = {"paper": 0.2, "released": 0.5}  # noqa: RUF012

    def plan(self, document: TextDocument, rng: np.random.Generator) -> EditPlan:
        n = len(document.sentences)
        edits = [_mixed(document, i, rng) for i in range(n)]
        able = [i for i in shuffled(n, rng) if edits[i]]
        picked = able[: self.dose(n)] if able else []
        reason = "" if picked else "no sentence of four different words"
        return EditPlan([edits[i] for i in picked], len(picked), reason)


def _mixed(document: TextDocument, i: int, rng: np.random.Generator) -> Edit:
    """Four or five words of a sentence in another order, in which none keeps its place."""
    start, end = document.sentences[i]
    words = list(_WORD.finditer(document.text, start, end))
    count = 4 + pick(2, rng)
    places = sorted(shuffled(len(words), rng)[: min(count, len(words))])
    cycle = deranged(len(places), rng)
    if len({w.group().lower() for w in words}) < 4:
        return ()
    return tuple(
        Replacement(words[p].start(), words[p].end(), words[places[c]].group())
        for p, c in zip(places, cycle, strict=True)
        if words[p].group() != words[places[c]].group()
    )
