"""A document beside its simplification, with ribbons between the sentences that belong together."""

from __future__ import annotations

from collections.abc import Sequence

from ..document import Graph, Group
from . import html

ABOUT = {
    "kept": "word for word",
    "rewritten": "one sentence became one other",
    "split": "one sentence became several",
    "merged": "several sentences became one",
    "regrouped": "several sentences became several others",
    "deleted": "nothing in the simplification says it",
    "added": "nothing in the source says it",
    "moved": "stands at another place",
}


def render(graph: Graph, groups: Sequence[Group], *, names: Sequence[str] = ()) -> str:
    """A self-contained page."""
    sides = [("Source", graph.source), ("Simplification", graph.output)]
    if graph.reference:
        sides.append(("Reference", graph.reference))
    counts: dict[str, int] = {}
    for group, moved in zip(groups, graph.moved(groups), strict=True):
        if group.source or group.output:
            counts[graph.change(group)] = counts.get(graph.change(group), 0) + 1
            counts["moved"] = counts.get("moved", 0) + moved
    legend = "".join(
        f'<li class="{c}"><b>{n} {c}</b> {html.escape(ABOUT[c])}</li>' for c, n in counts.items() if n
    )
    headings = "".join(
        f"<h2>{label}<small>{html.escape(names[i]) if i < len(names) else ''}</small></h2>"
        for i, (label, _) in enumerate(sides)
    )
    columns = "".join(
        f'<ol class="column" data-side="{i}">{_column(graph, groups, i, texts)}</ol>'
        for i, (_, texts) in enumerate(sides)
    )
    title = "Which sentence became which"
    body = f"""<div class="masthead"><p class="eyebrow">plainmark align</p><h1>{title}</h1>
<ul class="legend">{legend}</ul></div>
<button id="theme" class="unseen" hidden></button><p id="said" class="unseen" aria-live="polite"></p>
<main><div class="heads sides-{len(sides)}">{headings}</div>
<div class="ribbons sides-{len(sides)}"><svg aria-hidden="true"></svg>{columns}</div></main>"""
    links = [
        {
            "change": graph.change(g),
            "moved": bool(m),
            "members": [list(g.source), list(g.output), list(g.reference)],
        }
        for g, m in zip(groups, graph.moved(groups), strict=True)
    ]
    style = html.asset("page.css") + html.asset("ribbons.css")
    return html.document(title, body, style=style, script=html.script("ribbons.js"), data={"groups": links})


def _column(graph: Graph, groups: Sequence[Group], side: int, texts: Sequence[str]) -> str:
    moved = graph.moved(groups)
    where: dict[int, int] = {}
    for k, group in enumerate(groups):
        for i in (group.source, group.output, group.reference)[side]:
            where[i] = k
    items = []
    for i, text in enumerate(texts):
        group = groups[where[i]]
        change = graph.change(group) if group.source or group.output else "added"
        partners = _partners(group, side)
        spoken = f'<span class="unseen">{change}{", moved" if moved[where[i]] else ""}{partners}</span>'
        items.append(
            f'<li id="s{side}-{i}" class="{change}{" moved" if moved[where[i]] else ""}" data-group="{where[i]}"'
            f' tabindex="0">{html.escape(text)} {spoken}</li>'
        )
    return "".join(items)


def _partners(group: Group, side: int) -> str:
    """For those who do not see the ribbons: which sentences of the other text belong to this one."""
    if side == 0 and group.output:
        return f"; simplification {_numbers(group.output)}"
    if side > 0 and group.source:
        return f"; source {_numbers(group.source)}"
    return ""


def _numbers(indices: Sequence[int]) -> str:
    return "sentence " + ", ".join(str(i + 1) for i in indices)
