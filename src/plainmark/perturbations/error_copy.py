"""Copying: the source itself, with 10 % of its sentences paraphrased, instead of a simplification.

The paraphraser is a function of the user's, or else swaps every verb that has one for a synonym. variant="released"
paraphrases 20 % and at least two. All strengths of a half and more are the whole error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from .. import tagger
from . import Document, Piece, Plan, render, shuffled
from ._errors import Dosed
from ._tables import function
from ._verbs import swaps, synonyms


@dataclass(frozen=True)
class ErrorCopy(Dosed):
    """Replaces the text by its source, slightly paraphrased."""

    paraphraser: Annotated[
        str, "package.module.function(sentences) -> sentences (default: synonyms of verbs from WordNet)"
    ] = ""

    criterion = "simplification"
    doses = {"paper": 0.1, "released": 0.2}  # noqa: RUF012

    def plan(self, document: Document, rng: np.random.Generator) -> Plan:
        if not document.source.strip():
            return Plan((), 0, "no source to copy")
        source = Document(document.source)
        n = len(source.sentences)
        count = self.dose(n, 2 if self.variant == "released" else 1)
        chosen = sorted(shuffled(n, rng)[:count])
        new = self._paraphrased([source.sentence(i) for i in chosen], rng)
        edits = [(Piece(*source.sentences[i], s),) for i, s in zip(chosen, new, strict=True)]
        copy, _ = render(document.source, edits)
        if copy == document.text:
            return Plan((), 0, "the text is its source already")
        return Plan([(Piece(0, len(document.text), copy),)], 1)

    def _paraphrased(self, sentences: list[str], rng: np.random.Generator) -> list[str]:
        if self.paraphraser:
            return [str(s) for s in function(self.paraphraser, "paraphraser")(sentences)]
        return [render(s, swaps(Document(s), synonyms, rng, "").edits)[0] for s in sentences]

    def missing(self) -> str:
        return "" if self.paraphraser else tagger.missing()

    def resources(self) -> dict[str, str]:
        return {} if self.paraphraser else tagger.resources()
