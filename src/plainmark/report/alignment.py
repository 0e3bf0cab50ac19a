"""A document beside its simplification, with ribbons between the sentences that belong together."""

from __future__ import annotations

from collections.abc import Sequence

from ..document import Group, SentenceGraph
from . import html
from .ribbons import Entry, columns, legend


def render(graph: SentenceGraph, groups: Sequence[Group], *, names: Sequence[str] = ()) -> str:
    """A self-contained page."""
    sides = [("Source", graph.source), ("Simplification", graph.output)]
    if graph.reference:
        sides.append(("Reference", graph.reference))
    counts: dict[str, int] = {}
    for group, moved in zip(groups, graph.moved(groups), strict=True):
        if group.source or group.output:
            counts[graph.change(group)] = counts.get(graph.change(group), 0) + 1
            counts["moved"] = counts.get("moved", 0) + moved
    headings = [
        f"{label}<small>{html.escape(names[i]) if i < len(names) else ''}</small>"
        for i, (label, _) in enumerate(sides)
    ]
    entries = [_entries(graph, groups, i, texts) for i, (_, texts) in enumerate(sides)]
    title = "Which sentence became which"
    body = f"""<div class="masthead"><p class="eyebrow">plainmark align</p><h1>{title}</h1>
{legend(counts)}</div>
<button id="theme" class="unseen" hidden></button><p id="said" class="unseen" aria-live="polite"></p>
<main>{columns(entries, headings)}</main>"""
    style = html.asset("page.css") + html.asset("ribbons.css")
    return html.document(title, body, style=style, script=html.script("ribbons.js"), data={})


def _entries(graph: SentenceGraph, groups: Sequence[Group], side: int, texts: Sequence[str]) -> list[Entry]:
    moved = graph.moved(groups)
    where: dict[int, int] = {}
    for k, group in enumerate(groups):
        for i in (group.source, group.output, group.reference)[side]:
            where[i] = k
    out = []
    for i, text in enumerate(texts):
        group = groups[where[i]]
        change = graph.change(group) if group.source or group.output else "added"
        spoken = f"{change}{', moved' if moved[where[i]] else ''}{_partners(group, side)}"
        out.append(Entry(html.escape(text), where[i], change, moved[where[i]], spoken))
    return out


def _partners(group: Group, side: int) -> str:
    """For those who do not see the ribbons: which sentences of the other text belong to this one."""
    if side == 0 and group.output:
        return f"; simplification {_numbers(group.output)}"
    if side > 0 and group.source:
        return f"; source {_numbers(group.source)}"
    return ""


def _numbers(indices: Sequence[int]) -> str:
    return "sentence " + ", ".join(str(i + 1) for i in indices)
