"""Renders a graph as an indented tree, as plain data for JSON, and as SVG."""

from __future__ import annotations

import html
import unicodedata
from typing import Any

from .graph import CATEGORIES, LINKAGE, PUNCTUATION, TERMINAL, UccaGraph


def tree(graph: UccaGraph) -> str:
    """One line per unit: its categories and, for a leaf, its words; remote units in brackets, implicit ones as "-".

    Categories are written as letters (A Participant, P Process, S State, …); a Scene is marked with "*".
    """
    lines: list[str] = []

    def add(name: str, categories: str, depth: int) -> None:
        unit = graph.unit[name]
        inner = [e for e in unit.edges if e.child in graph.unit]
        words = " ".join(
            graph.words[graph.position[e.child]] for e in unit.edges if e.child in graph.position
        )
        mark = "*" if graph.is_scene(name) else ""
        text = "-" if unit.implicit else words
        lines.append(f"{'  ' * depth}{categories}{mark}{'  ' + text if text else ''}".rstrip())
        for edge in sorted(inner, key=lambda e: graph.positions[e.child][:1] or (0,)):
            label = "|".join(edge.categories)
            if edge.remote:
                shared = " ".join(graph.words[p] for p in graph.positions[edge.child])
                lines.append(f"{'  ' * (depth + 1)}{label}  [{shared}]")
            else:
                add(edge.child, label, depth + 1)

    for root in graph.roots:
        add(root, graph.id or "root", 0)
    return "\n".join(lines)


def record(graph: UccaGraph) -> dict[str, Any]:
    """The graph as plain data; words are numbered from 0."""

    def part(x: Any) -> dict[str, Any]:
        return {
            "unit": x.unit,
            "words": list(x.positions),
            "centres": [list(c) for c in x.centres],
            "implicit": x.implicit,
            "remote": x.remote,
        }

    return {
        "id": graph.id,
        "words": graph.words,
        "units": [
            {
                "id": u.id,
                "words": list(graph.positions[u.id]),
                "implicit": u.implicit,
                "children": [
                    {"unit": e.child, "categories": list(e.categories), "remote": e.remote}
                    for e in u.edges
                    if e.child in graph.unit
                ],
            }
            for u in graph.units
            if u.kind != LINKAGE
        ],
        "scenes": [
            {
                "unit": s.unit,
                "words": list(s.positions),
                "main_relations": [part(m) for m in s.main_relations],
                "participants": [part(p) for p in s.participants],
            }
            for s in graph.scenes
        ],
    }


_STYLE = """
text { font: 14px system-ui, sans-serif; fill: #1a1a1a; text-anchor: middle; }
.category { font-size: 12px; font-weight: 600; }
.halo { fill: #fff; }
line, path { stroke: #8a8a8a; fill: none; stroke-width: 1.2; }
.remote { stroke: #0b6e99; stroke-dasharray: 4 3; }
.remote-label { fill: #0b6e99; }
circle { fill: #8a8a8a; }
.scene { fill: #b3450b; }
.ground { fill: #fff; }
@media (prefers-color-scheme: dark) {
  text { fill: #ececec; }
  .ground, .halo { fill: #16181c; }
  .scene { fill: #ff9a5c; }
  .remote { stroke: #6cc3ec; }
  .remote-label { fill: #6cc3ec; }
}
"""
_LEVEL, _GAP, _MARGIN = 56, 14, 24


def svg(graph: UccaGraph) -> str:
    """The graph drawn above its words: Scenes as large dots, remote edges dashed."""
    centres, width = _word_places(graph)
    x: dict[str, float] = {}
    depth: dict[str, int] = {}
    drawn = [u for u in graph.units if u.kind not in (PUNCTUATION, LINKAGE)]
    for unit in drawn:
        depth[unit.id], at = 0, unit.id
        while at in graph.parent:
            at = graph.parent[at][0]
            depth[unit.id] += 1
        below = [centres[p] for p in graph.positions[unit.id]]
        x[unit.id] = (min(below) + max(below)) / 2 if below else 0
    implicit = 0
    for unit in drawn:
        if unit.implicit and unit.id in graph.parent:  # beside its parent, because it has no words
            implicit += 1
            x[unit.id] = x[graph.parent[unit.id][0]] + 34 * (1 if implicit % 2 else -1)
    floor = _MARGIN + _LEVEL * (max(depth.values(), default=0) + 1)
    y = {name: _MARGIN + _LEVEL * level for name, level in depth.items()}
    lines, labels = [], []
    for unit in drawn:
        for edge in unit.edges:
            a = x[unit.id], y[unit.id]
            if edge.category == TERMINAL:
                b = centres[graph.position[edge.child]], floor - 16.0
                lines.append(_line(a, b))
            elif edge.child in x:
                b = x[edge.child], y[edge.child]
                text = html.escape("|".join(edge.categories))
                name = html.escape(" or ".join(CATEGORIES.get(c, c) for c in edge.categories))
                if edge.remote:
                    bend = (a[0] + b[0]) / 2, max(a[1], b[1]) + _LEVEL * 0.6
                    lines.append(
                        f'<path class="remote" d="M{a[0]:.1f} {a[1]:.1f} '
                        f'Q{bend[0]:.1f} {bend[1]:.1f} {b[0]:.1f} {b[1]:.1f}"/>'
                    )
                    # The point of the curve halfway along.
                    middle = (a[0] + 2 * bend[0] + b[0]) / 4, (a[1] + 2 * bend[1] + b[1]) / 4
                    labels.append(_label(middle, text, name, remote=True))
                else:
                    lines.append(_line(a, b))
                    labels.append(_label((a[0] * 0.4 + b[0] * 0.6, a[1] * 0.4 + b[1] * 0.6), text, name))
    dots = [
        f'<circle class="{"scene" if graph.is_scene(u.id) else "unit"}" cx="{x[u.id]:.1f}" cy="{y[u.id]:.1f}" '
        f'r="{6 if graph.is_scene(u.id) else 3}"/>'
        for u in drawn
    ]
    words = [
        f'<text x="{centre:.1f}" y="{floor}">{html.escape(_printable(word))}</text>'
        for centre, word in zip(centres, graph.words, strict=True)
    ]
    height = floor + _MARGIN
    title = html.escape(_printable(" ".join(graph.words)))
    body = "\n".join([*lines, *labels, *dots, *words])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width:.0f}" height="{height}" '
        f'viewBox="0 0 {width:.0f} {height}">\n<title>{title}</title>\n<style>{_STYLE}</style>\n'
        f'<rect class="ground" width="100%" height="100%"/>\n{body}\n</svg>\n'
    )


def _word_places(graph: UccaGraph) -> tuple[list[float], float]:
    """The middle of each word and the total width."""
    centres = []
    right = float(_MARGIN)
    for word in graph.words:
        wide = sum(1.9 if unicodedata.east_asian_width(c) in "WF" else 1.0 for c in word)
        size = max(7.6 * wide, 22)
        centres.append(right + size / 2)
        right += size + _GAP
    return centres, max(right - _GAP + _MARGIN, 80)


def _line(a: tuple[float, float], b: tuple[float, float]) -> str:
    return f'<line x1="{a[0]:.1f}" y1="{a[1]:.1f}" x2="{b[0]:.1f}" y2="{b[1]:.1f}"/>'


def _label(at: tuple[float, float], text: str, name: str, *, remote: bool = False) -> str:
    size = 8 * len(text) + 6
    kind = "category remote-label" if remote else "category"
    return (
        f'<g><title>{name}</title><rect class="halo" x="{at[0] - size / 2:.1f}" y="{at[1] - 8:.1f}" '
        f'width="{size}" height="16" rx="3"/><text class="{kind}" x="{at[0]:.1f}" y="{at[1] + 4:.1f}">{text}</text></g>'
    )


def _printable(text: str) -> str:
    """The text without characters that XML does not allow."""
    return "".join(c if c.isprintable() or c == " " else "\ufffd" for c in text)
