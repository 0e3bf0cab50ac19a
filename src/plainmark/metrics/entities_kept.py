"""Entities kept: whether the names in the source are those of the output.

Names are runs of capitalised words (finder='rules'), or the entities of a spaCy pipeline (finder='en_core_web_sm').
A name is kept if the other text has it, part of it, more of it or its initials. Counts of different names are added over
the corpus; a sample without names, as in lower-cased text, is undefined.
Reference for precision against the source: Nan et al. 2021, Entity-level Factual Consistency of Abstractive Text
Summarization.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ..faithfulness import Checked, Mention, match
from ..faithfulness.entities import entities, missing
from ..models.pipelines import PIPELINE
from ._kept import KeptMetric


@dataclass(frozen=True)
class EntitiesKept(KeptMetric):
    """Names of source and output that the other has too, in percent (F1, precision or recall)."""

    finder: Annotated[str, PIPELINE, "rules, or the name of an installed spaCy pipeline"] = "rules"

    citation = "Nan et al. 2021, EACL"

    def missing(self) -> str:
        return missing(self.finder)

    def find(self, text: str) -> list[Mention]:
        return entities(text, self.finder)

    def match(self, source: str, of_source: list[Mention], output: str, of_output: list[Mention]) -> Checked:
        return match("entities", source, of_source, output, of_output)
