"""Controls that change source, text and references in the same way, so that the quality of the text does not change.

A testbed scores the changed text against the changed source and references, and compares the score with that of the
unchanged sample. The difference shows how a metric depends on length or order alone.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from . import EditPerturbation, EditPlan, Replacement, TextDocument, sentence_spans


@dataclass(frozen=True)
class SampleControl(EditPerturbation):
    """Replaces the whole text; the strength is either 0 or 1."""

    effect = 0
    citation = "plainmark"
    nothing: ClassVar[str] = "fewer than two sentences"

    @abstractmethod
    def rearranged(self, sentences: Sequence[str]) -> Sequence[str]:
        """The sentences of the changed text."""

    def changed(self, text: str, spans: Sequence[tuple[int, int]] | None = None) -> str:
        """The changed text, its sentences joined by spaces; the text itself if nothing changes."""
        spans = sentence_spans(text) if spans is None else spans
        sentences = [text[a:b] for a, b in spans]
        new = self.rearranged(sentences)
        return text if list(new) == sentences else " ".join(new)

    def plan(self, document: TextDocument, rng: np.random.Generator) -> EditPlan:
        new = self.changed(document.text, document.sentences)
        if new == document.text:
            return EditPlan((), 0, self.nothing)
        return EditPlan([(Replacement(0, len(document.text), new),)], 1)
