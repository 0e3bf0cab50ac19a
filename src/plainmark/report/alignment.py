"""The page of `plainmark align`: a document beside its simplification, with ribbons between aligned sentences."""

from __future__ import annotations

from collections.abc import Sequence

from ..document import Group, SentenceGraph
from ..metrics._agg_explanation import AggExplanation
from . import html
from .groups import shown
from .marked_text import Column, MarkedSentence, Run, counted_sentences, legend


def render(
    graph: SentenceGraph,
    groups: Sequence[Group],
    *,
    names: Sequence[str] = (),
    scored: AggExplanation | None = None,
) -> str:
    """The page as text; `names` are those of the texts, `scored` has the scores of the groups."""
    sides = [("Source", graph.source), ("Simplification", graph.output)]
    if graph.reference:
        sides.append(("Reference", graph.reference))
    counts: dict[str, int] = {}
    for group, moved in zip(groups, graph.moved(groups), strict=True):
        if group.source or group.output:
            counts[graph.change(group)] = counts.get(graph.change(group), 0) + 1
            counts["moved"] = counts.get("moved", 0) + moved
    columns = [
        Column(heading, _sentences(graph, groups, i, texts), names[i] if i < len(names) else "")
        for i, (heading, texts) in enumerate(sides)
    ]
    return html.page(
        "alignment.html",
        title="What became of each sentence",
        styles=("page.css", "ribbons.css", "groups.css"),
        scripts=("ribbons.js",),
        data={},
        changes=legend(counts),
        columns=columns,
        documents=[shown(scored, "Scores of the groups")] if scored else [],
    )


def _sentences(
    graph: SentenceGraph, groups: Sequence[Group], side: int, texts: Sequence[str]
) -> list[MarkedSentence]:
    moved = graph.moved(groups)
    numbers: dict[int, int] = {}
    for k, group in enumerate(groups):
        for i in (group.source, group.output, group.reference)[side]:
            numbers[i] = k
    sentences = []
    for i, text in enumerate(texts):
        k = numbers[i]
        change = graph.change(groups[k]) if groups[k].source or groups[k].output else "added"
        spoken = f"{change}{', moved' if moved[k] else ''}{_partners(graph, groups[k], side)}"
        sentences.append(MarkedSentence([Run(text)], k, change, bool(moved[k]), spoken))
    return sentences


def _partners(graph: SentenceGraph, group: Group, side: int) -> str:
    """A description for readers who cannot see the ribbons: the sentences of the other text that belong to this one, or
    may.
    """
    other = "source" if side else "simplification"
    if partners := group.source if side else group.output:
        return f"; {other} {counted_sentences(partners)}"
    if side < 2 and (candidates := graph.candidates(group)):
        return f"; compare {other} {counted_sentences(candidates)}"
    return ""
