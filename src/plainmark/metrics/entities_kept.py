"""Entities kept: whether the output has the names of the source, and no others.

Names are found by their capitals (finder='rules'), or are the entities of a spaCy pipeline (finder='en_core_web_sm').
A name is kept if the other text has the name, a part of it, a longer form or its initials. A sample without names, such as
lower-cased text, is undefined. Reference for precision against the source: Nan et al. 2021, Entity-level Factual
Consistency of Abstractive Text Summarization.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from ..errors import MissingResourceError
from ..faithfulness import Entry, facts
from ..models import pipelines
from ..models.pipelines import PIPELINE
from ._kept import ComparedSample, KeptMetric

# Labels of names in spaCy's English pipelines; numbers and dates belong to the kind `number`.
_LABELS = frozenset("PERSON NORP FAC ORG GPE LOC PRODUCT EVENT WORK_OF_ART LAW LANGUAGE".split())


@dataclass(frozen=True)
class EntitiesKept(KeptMetric):
    """Names of source and output that the other has too, in percent (F1, precision or recall)."""

    finder: Annotated[str, PIPELINE, "rules, or the name of an installed spaCy pipeline"] = "rules"

    kinds = ("name",)
    family = "meaning"
    citation = "Nan et al. 2021, EACL"

    def missing(self) -> str:
        return "" if self.finder == "rules" else pipelines.missing(self.finder)

    def entries(self, sample: ComparedSample) -> Sequence[Entry]:
        if self.finder == "rules":
            return super().entries(sample)
        pair = sample.pair
        before, after = (_spans(passage.text, self.finder) for passage in (pair.source, pair.output))
        return facts(pair, kinds=self.kinds, spans={"name": (before, after)}).entries


def _spans(text: str, pipeline: str) -> list[tuple[int, int]]:
    """Start and end of each name that a spaCy pipeline finds."""
    if reason := pipelines.missing(pipeline):
        raise MissingResourceError(f"finding names {reason}.")
    return [(e.start_char, e.end_char) for e in pipelines.load(pipeline)(text).ents if e.label_ in _LABELS]
