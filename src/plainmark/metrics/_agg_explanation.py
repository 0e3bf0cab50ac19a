"""Explains the score of a document by its groups of sentences, each with its score and its cost.

The document's score is the mean over n groups, so a group contributes score / n points; its cost is the distance from the
metric's best value, (best - score) / n. Points add up to the score, and costs to the document's distance from the best
value. A metric without a best value has no costs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ..document import Group, SentenceGraph
from ..result import finite

NO_SENTENCES = "there is no sentence to score"


@dataclass(frozen=True)
class ScoredGroup:
    """A group of sentences: its change, its score, the points it contributes and those it costs; NaN if undefined."""

    group: Group
    change: str
    moved: bool
    score: float
    points: float
    cost: float


@dataclass(frozen=True, eq=False)
class AggExplanation:
    """The groups of a document in the order of the texts, against the reference that gives the best score."""

    graph: SentenceGraph
    score: float
    groups: tuple[ScoredGroup, ...]
    reference: int | None  # index of the reference that counts
    reason: str = ""  # the reason if there is no score

    @property
    def by_cost(self) -> list[ScoredGroup]:
        """The groups, those that cost most first; groups without a cost come last, in the order of the texts."""
        return sorted(self.groups, key=lambda g: -g.cost if math.isfinite(g.cost) else math.inf)

    def sentences(self, group: Group) -> list[tuple[str, int, str]]:
        """The sentences of a group: side, number from 0, text."""
        sides = (
            ("source", group.source, self.graph.source),
            ("output", group.output, self.graph.output),
            ("reference", group.reference, self.graph.reference),
        )
        return [(side, i, texts[i]) for side, members, texts in sides for i in members]

    def record(self) -> dict[str, Any]:
        """The explanation as a dictionary for JSON; numbers of sentences begin at 1."""
        return {
            "score": finite(self.score),
            "reason": self.reason,
            "reference": None if self.reference is None else self.reference + 1,
            "groups": [
                {
                    "change": g.change,
                    "moved": g.moved,
                    "score": finite(g.score),
                    "points": finite(g.points),
                    "cost": finite(g.cost),
                    "sentences": [
                        {"side": side, "number": i + 1, "text": text}
                        for side, i, text in self.sentences(g.group)
                    ],
                }
                for g in self.groups
            ],
        }


def explain_document(
    graph: SentenceGraph,
    groups: list[Group],
    scores: list[float],
    *,
    score: float,
    reference: int | None,
    best: float,
) -> AggExplanation:
    """The explanation of a document; `best` is the metric's best value, infinite if it has none."""
    counted = sum(map(math.isfinite, scores))
    moved = graph.moved(groups)
    scored = []
    for group, has_moved, value in zip(groups, moved, scores, strict=True):
        change = graph.change(group) if group.source or group.output else "in the reference only"
        defined = math.isfinite(value)
        points = value / counted if defined else math.nan
        cost = abs(best - value) / counted if defined and math.isfinite(best) else math.nan
        scored.append(ScoredGroup(group, change, bool(has_moved), value, points, cost))
    reason = NO_SENTENCES if not groups else "" if counted else "the metric is undefined on every group"
    return AggExplanation(graph, score, tuple(scored), reference, reason)
