"""What the metrics of kept numbers, negations and names share: counting what of one text the other has.

    recall = different mentions of the source that the output has / all of the source's;  precision the other way round
    F1 = (kept in the source + kept in the output) / (all of the source + all of the output)

Counts are added over the corpus. In percent; undefined where there is nothing to keep.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from ..data import Corpus
from ..faithfulness import Checked, Mention
from ..metric import Floats, Metric, divide


@dataclass(frozen=True)
class KeptMetric(Metric):
    """Base: a kind of mention, found in sources and outputs and compared."""

    part: Annotated[Literal["f1", "precision", "recall"], "what the score is"] = "f1"

    needs = frozenset({"source"})
    bounds = (0.0, 100.0)

    @abstractmethod
    def find(self, text: str) -> list[Mention]:
        """The mentions of a text."""

    @abstractmethod
    def match(self, source: str, of_source: list[Mention], output: str, of_output: list[Mention]) -> Checked:
        """Which of them the other text has."""

    @property
    def part_names(self) -> tuple[str, ...]:
        return (self.name, "precision", "recall", "f1")

    def checked(self, corpus: Corpus) -> list[Checked]:
        """What was found in every sample, for display."""
        key = ("mentions", replace(self, part="f1").identity())  # whatever the score is
        sources = corpus.texts("source")
        of_sources = corpus.remember("source", key, lambda: [self.find(t) for t in sources])
        of_outputs = corpus.remember("output", key, lambda: [self.find(t) for t in corpus.outputs])
        return [
            self.match(s, a, o, b)
            for s, a, o, b in zip(sources, of_sources, corpus.outputs, of_outputs, strict=True)
        ]

    def stats(self, corpus: Corpus) -> Floats:
        rows = [_count(c.source) + _count(c.output) for c in self.checked(corpus)]
        return np.array(rows, dtype=np.float64).reshape(len(corpus), 4)

    def reduce(self, stats: Floats) -> Floats:
        kept_source, source, kept_output, output = np.moveaxis(stats, -1, 0)
        parts = {
            "precision": divide(kept_output, output),
            "recall": divide(kept_source, source),
            "f1": divide(kept_source + kept_output, source + output),
        }
        return 100 * np.stack([parts[self.part], *parts.values()], axis=-1)


def _count(mentions: Iterable[Mention]) -> tuple[int, int]:
    """How many different mentions are kept, and how many there are."""
    different = {m.key: m.kept for m in mentions}
    return sum(different.values()), len(different)
