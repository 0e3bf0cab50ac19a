"""The groups of sentences behind the score of a document, as text, as a page, and as a section of a report."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..data import Corpus
from ..metrics._agg_explanation import AggExplanation, ScoredGroup
from ..metrics.agg import Agg
from ..significance import Comparison
from . import html
from .formatting import count

WORST = 2  # documents shown per system in a report
SIGNS = {"source": "-", "output": "+", "reference": "="}


@dataclass(frozen=True)
class ShownGroup:
    """A row of the table of groups: the sentences of each side, the score, the cost, and the cost as a share of the highest."""

    change: str
    sides: Sequence[Sequence[tuple[int, str]]]
    score: str
    cost: str
    width: float


@dataclass(frozen=True)
class ShownDocument:
    """A document with its groups, those that cost most first."""

    name: str
    summary: str
    sides: Sequence[str]
    groups: Sequence[ShownGroup]
    reason: str = ""


def shown(explanation: AggExplanation, name: str) -> ShownDocument:
    """The data of a document for templates."""
    names = ["source", "output", *(["reference"] if explanation.graph.reference else [])]
    highest = max((g.cost for g in explanation.groups if g.cost > 0), default=math.inf)
    groups = []
    for g in explanation.by_cost:
        sentences = explanation.sentences(g.group)
        sides = [[(i + 1, text) for text_side, i, text in sentences if text_side == side] for side in names]
        width = 100 * g.cost / highest if g.cost > 0 else 0.0
        groups.append(ShownGroup(described(g), sides, number(g.score), number(g.cost), width))
    return ShownDocument(name, summary(explanation), names, groups, explanation.reason)


def described(group: ScoredGroup) -> str:
    """What became of the sentences of a group."""
    return f"{group.change}{', moved' if group.moved else ''}"


def summary(explanation: AggExplanation) -> str:
    """The score of a document and the numbers that it is the mean of."""
    if explanation.reason:
        return f"undefined: {explanation.reason}"
    counted = [g for g in explanation.groups if math.isfinite(g.score)]
    text = f"{number(explanation.score)}, the mean of {count(len(counted), 'group')}"
    if undefined := len(explanation.groups) - len(counted):
        text += f"; {undefined} undefined and not counted"
    if explanation.reference:
        text += f"; reference {explanation.reference + 1} scores best"
    return text


def number(value: float) -> str:
    """A score or a cost; empty if it is undefined."""
    return f"{value:.2f}" if math.isfinite(value) else "–"


def text(explanation: AggExplanation, name: str) -> str:
    """Text for the terminal: one paragraph per group, those that cost most first."""
    blocks = [f"{name}: {summary(explanation)}"]
    for g in explanation.by_cost:
        cost = f", costs {number(g.cost)}" if math.isfinite(g.cost) else ""
        lines = [f"{described(g)}: {number(g.score)}{cost}"]
        lines += [
            f"  {SIGNS[side]} {i + 1:3} {sentence}" for side, i, sentence in explanation.sentences(g.group)
        ]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def render(
    explanations: Sequence[AggExplanation], *, names: Sequence[str], metric: str, signature: str
) -> str:
    """The page as text."""
    return html.page(
        "groups.html",
        title=f"Scores of the groups of sentences: {metric}",
        styles=("page.css", "groups.css"),
        data={},
        signature=signature,
        documents=[shown(e, name) for e, name in zip(explanations, names, strict=True)],
    )


def worst(comparisons: Sequence[Comparison], corpora: Sequence[Corpus]) -> list[ShownDocument]:
    """The documents of each system with the lowest score, if one of the metrics is an aggregated one."""
    aggregated = [(c, c.metric) for c in comparisons if isinstance(c.metric, Agg)]
    if not aggregated:
        return []
    comparison, metric = aggregated[0]
    sign = -1 if metric.higher_is_better is False else 1
    out = []
    for system, scores, corpus in zip(comparison.systems, comparison.samples, corpora, strict=True):
        lowest = np.argsort(sign * scores, kind="stable")[: min(WORST, int(np.isfinite(scores).sum()))]
        selected = corpus.subset(lowest)
        out += [
            shown(e, f"{system}, sample {sample}")
            for e, sample in zip(metric.explain(selected), selected.ids, strict=True)
        ]
    return out
