"""Columns of sentences with ribbons between those that belong together; ribbons.css and ribbons.js draw them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True)
class Entry:
    """A sentence in a column: its HTML, its group, what happened to it, and what those hear who see no ribbons."""

    html: str
    group: int
    change: str
    moved: bool
    spoken: str = ""


def columns(sides: Sequence[Sequence[Entry]], headings: Sequence[str], key: str = "s") -> str:
    """The columns under their headings (HTML); sentence i of side k has the id KEYk-i."""
    heads = "".join(f"<h2>{heading}</h2>" for heading in headings)
    lists = "".join(
        f'<ol class="column" data-side="{side}">{"".join(_item(e, f"{key}{side}-{i}") for i, e in enumerate(entries))}</ol>'
        for side, entries in enumerate(sides)
    )
    return (
        f'<div class="heads sides-{len(sides)}">{heads}</div>'
        f'<div class="ribbons sides-{len(sides)}"><svg aria-hidden="true"></svg>{lists}</div>'
    )


def legend(
    counts: Mapping[str, int], names: Mapping[str, str] | None = None, about: Mapping[str, str] = ABOUT
) -> str:
    """What the colours mean, and how often each occurs."""
    items = "".join(
        f'<li class="{c}"><b>{n} {html.escape((names or {}).get(c, c))}</b> {html.escape(about[c])}</li>'
        for c, n in counts.items()
        if n
    )
    return f'<ul class="legend">{items}</ul>'


def _item(entry: Entry, key: str) -> str:
    spoken = f'<span class="unseen">{html.escape(entry.spoken)}</span>' if entry.spoken else ""
    return (
        f'<li id="{key}" class="{entry.change}{" moved" if entry.moved else ""}" data-group="{entry.group}"'
        f' tabindex="0">{entry.html} {spoken}</li>'
    )
