"""Copying: the source itself, with 10 % of its sentences paraphrased, instead of a simplification.

The paraphraser is your function, or by default replaces every verb that has a synonym. variant="released"
paraphrases 20 % and at least two. All strengths of 0.5 and more apply the whole error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from .. import tagger
from . import EditPlan, Replacement, TextDocument, render, shuffled
from ._errors import Dosed
from ._resources import load_function
from ._verbs import swaps, synonyms


@dataclass(frozen=True)
class ErrorCopy(Dosed):
    """Replaces the text by its source, slightly paraphrased."""

    paraphraser: Annotated[
        str, "package.module.function(sentences) -> sentences (default: synonyms of verbs from WordNet)"
    ] = ""

    criterion = "simplification"
    doses = {"paper": 0.1, "released": 0.2}  # noqa: RUF012

    def plan(self, document: TextDocument, rng: np.random.Generator) -> EditPlan:
        if not document.source.strip():
            return EditPlan((), 0, "no source to copy")
        source = TextDocument(document.source)
        n = len(source.sentences)
        count = self.dose(n, 2 if self.variant == "released" else 1)
        picked = sorted(shuffled(n, rng)[:count])
        new = self._paraphrased([source.sentence(i) for i in picked], rng)
        edits = [(Replacement(*source.sentences[i], s),) for i, s in zip(picked, new, strict=True)]
        copy, _ = render(document.source, edits)
        if copy == document.text:
            return EditPlan((), 0, "the text is its source already")
        return EditPlan([(Replacement(0, len(document.text), copy),)], 1)

    def _paraphrased(self, sentences: list[str], rng: np.random.Generator) -> list[str]:
        if self.paraphraser:
            return [str(s) for s in load_function(self.paraphraser, "paraphraser")(sentences)]
        return [render(s, swaps(TextDocument(s), synonyms, rng, "").edits)[0] for s in sentences]

    def missing(self) -> str:
        return "" if self.paraphraser else tagger.missing()

    def resources(self) -> dict[str, str]:
        return {} if self.paraphraser else tagger.resources()
