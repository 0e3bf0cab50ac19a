"""Splits passages into sentences, and joins sentences into passages.

A sentence ends after a full stop, question or exclamation mark (and the quotes and brackets that close after it) or
with its paragraph, unless a unit below the root has words on both sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..errors import InputError
from .graph import LINKAGE, Edge, Terminal, UccaGraph, Unit

ENDS = frozenset((".", "?", "!", "...", "…"))
_CLOSES = frozenset(("''", "”", "’", "»", ")", "]"))
_EITHER = frozenset(('"', "'"))  # opens or closes


def split(graph: UccaGraph, *, like: UccaGraph | None = None) -> list[UccaGraph]:
    """The sentences of a passage as passages of their own, called ID.1, ID.2, …; empty units stay with the first.

    With `like`, split at the boundaries of that other annotation of the same text.
    """
    if like is not None and like.words != graph.words:
        raise InputError(f"passages {graph.id} and {like.id} are not the same text.")
    bounds = boundaries(like or graph)
    if len(bounds) == 1:
        return [graph]
    starts = [0, *bounds[:-1]]
    return [
        _cut(graph, start, end, f"{graph.id}.{i}")
        for i, (start, end) in enumerate(zip(starts, bounds, strict=True), 1)
    ]


def boundaries(graph: UccaGraph) -> list[int]:
    """Sentence boundaries: positions after the last word of each sentence."""
    words = graph.terminals
    if not words:
        return [0]
    inside = [False] * (len(words) + 1)
    for root in graph.roots:
        for edge in graph.unit[root].edges:
            below = graph.positions.get(edge.child, ()) if not edge.remote else ()
            if below:
                inside[below[0] + 1 : below[-1] + 1] = [True] * (below[-1] - below[0])
    ends = []
    start = 0
    for i in range(1, len(words)):
        new_paragraph = words[i].paragraph != words[i - 1].paragraph
        if inside[i] or not (new_paragraph or _closed(words, start, i)):
            continue
        if all(t.punctuation for t in words[start:i]) and not new_paragraph:
            continue
        ends.append(i)
        start = i
    if (
        ends
        and all(t.punctuation for t in words[start:])
        and words[start].paragraph == words[start - 1].paragraph
    ):
        ends.pop()
    return [*ends, len(words)]


def _closed(words: Sequence[Terminal], start: int, end: int) -> bool:
    """Whether words[start:end] end in a mark, followed only by closing marks."""
    if _closes(words, start, end):
        return False
    last = end - 1
    while last > start and words[last].text in _CLOSES | _EITHER:
        last -= 1
    return words[last].text in ENDS


def _closes(words: Sequence[Terminal], start: int, at: int) -> bool:
    text = words[at].text
    if text in _EITHER:
        return sum(t.text == text for t in words[start:at]) % 2 == 1
    return text in _CLOSES


def _cut(graph: UccaGraph, start: int, end: int, name: str) -> UccaGraph:
    """The part of a graph over some words, renumbered; remote edges that lead out of it are dropped."""
    first = start == 0
    root = graph.roots[0]
    kept_units = {
        unit.id
        for unit in graph.units
        if unit.kind != LINKAGE
        and (
            unit.id == root
            or any(start <= p < end for p in graph.positions[unit.id][:1])
            or (not graph.positions[unit.id] and _anchor(graph, unit.id, start, end, first=first))
        )
    }
    words = {t.id: f"0.{i}" for i, t in enumerate(graph.terminals[start:end], 1)}
    units = [
        replace(u, edges=tuple(e for e in u.edges if e.child in kept_units or e.child in words))
        for u in graph.units
        if u.id in kept_units
    ]
    units += [u for u in graph.units if u.kind == LINKAGE and all(e.child in kept_units for e in u.edges)]
    paragraphs = [t.paragraph for t in graph.terminals[start:end]]
    renamed = words | {u.id: f"1.{i}" for i, u in enumerate(units, 1)}
    terminals = tuple(
        replace(
            t,
            id=words[t.id],
            paragraph=t.paragraph - paragraphs[0] + 1,
            attributes=dict(t.attributes)
            | {"paragraph": str(t.paragraph - paragraphs[0] + 1), "paragraph_position": str(i)},
        )
        for i, t in enumerate(graph.terminals[start:end], 1)
    )
    return UccaGraph(name, terminals, _renamed(units, renamed), graph.annotation, graph.attributes)


def _anchor(graph: UccaGraph, name: str, start: int, end: int, *, first: bool) -> bool:
    """Whether a unit without words is attached to a unit of this sentence."""
    while name in graph.parent:
        name = graph.parent[name][0]
        if graph.positions[name] and name not in graph.roots:
            return start <= graph.positions[name][0] < end
    return first


def _renamed(units: Iterable[Unit], names: dict[str, str]) -> tuple[Unit, ...]:
    return tuple(
        replace(
            u,
            id=names.get(u.id, u.id),
            edges=tuple(replace(e, child=names[e.child]) for e in u.edges if e.child in names),
        )
        for u in units
    )


def join(graphs: Sequence[UccaGraph], name: str) -> UccaGraph:
    """Join sentences into one passage under a common root."""
    words: list[Terminal] = []
    units: list[Unit] = [Unit("1.1")]
    top: list[Edge] = []
    for graph in graphs:
        renamed = {t.id: f"0.{len(words) + i}" for i, t in enumerate(graph.terminals, 1)}
        inner = [u for u in graph.units if u.id not in graph.roots or u.kind == LINKAGE]
        renamed |= {u.id: f"1.{len(units) + i}" for i, u in enumerate(inner, 1)}
        roots = _renamed((graph.unit[r] for r in graph.roots if graph.unit[r].kind != LINKAGE), renamed)
        top += [e for r in roots for e in r.edges]
        units += _renamed(inner, renamed)
        words += [
            replace(
                t, id=renamed[t.id], attributes={**t.attributes, "paragraph_position": str(len(words) + i)}
            )
            for i, t in enumerate(graph.terminals, 1)
        ]
    units[0] = replace(units[0], edges=tuple(top))
    return UccaGraph(name, tuple(words), tuple(units))
