"""Converts UCCA graphs to labelled spans and back.

Remote edges, implicit units and punctuation are left out. Units in the gap of a discontinuous unit are moved into it with a
label that says how many levels up they belong ("A^" one, "A^^" two); a unit with one child shares a label with it ("H>P").
The inverse conversion undoes this and attaches punctuation to the lowest unit around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from .graph import LINKAGE, PUNCTUATION, TERMINAL, Edge, Terminal, UccaGraph, Unit

CHAIN, LIFT = ">", "^"

Spans = dict[tuple[int, int], str]


@dataclass
class _Node:
    """A unit of the tree over words except punctuation, which has no numbers."""

    category: str
    words: set[int]  # all words below, after units in the gaps have been moved in
    children: list[_Node] = field(default_factory=list)
    lift: int = 0

    @property
    def start(self) -> int:
        return min(self.words)

    @property
    def end(self) -> int:
        return max(self.words) + 1

    @property
    def label(self) -> str:
        return self.category + LIFT * self.lift


def in_chart(graph: UccaGraph) -> list[int]:
    """Positions of the words that are not below a unit of punctuation."""
    return [
        i
        for i, t in enumerate(graph.terminals)
        if t.id in graph.parent and graph.unit[graph.parent[t.id][0]].kind != PUNCTUATION
    ]


def spans(graph: UccaGraph) -> Spans:
    """Labels of spans (start, end) of words, not counting punctuation; the root has none.

    Units that interleave with a sibling cannot be spans of one tree; the shorter of the two loses the words that are in
    the way.
    """
    number = {position: i for i, position in enumerate(in_chart(graph))}
    tops = [node for root in graph.roots for node in _nodes(graph, root, number)]
    words = {w for n in tops for w in n.words}
    root = _Node("", words, tops)
    _close_gaps(root)
    labelled: Spans = {}
    for node in root.children:
        _collect(node, "", labelled)
    return labelled


def _nodes(graph: UccaGraph, unit: str, number: Mapping[int, int]) -> list[_Node]:
    """The children of a unit that contain words."""
    out = []
    for edge in graph.unit[unit].edges:
        if (
            edge.remote
            or edge.child not in graph.unit
            or graph.unit[edge.child].kind in (PUNCTUATION, LINKAGE)
        ):
            continue
        words = {number[p] for p in graph.positions[edge.child] if p in number}
        if words:
            out.append(_Node(edge.category, words, _nodes(graph, edge.child, number)))
    return out


def _close_gaps(parent: _Node) -> None:
    """Move units in the gaps of discontinuous children into them, from the top down."""
    # The longest first: the moved units may have gaps that are closed one level further down.
    for child in sorted(parent.children, key=lambda n: n.start - n.end):
        if child not in parent.children or child.end - child.start == len(child.words):
            continue
        gap = set(range(child.start, child.end)) - child.words
        for other in list(parent.children):
            if other is not child and gap & other.words:
                inside = other if other.words <= gap else _cut(other, gap)
                if inside is other:
                    parent.children.remove(other)
                inside.lift += 1
                child.children.append(inside)
        child.words |= gap
    for child in parent.children:
        _close_gaps(child)


def _cut(node: _Node, words: set[int]) -> _Node:
    """A copy of a node with some of its words, which the node then lacks."""
    taken = _Node(node.category, node.words & words, [], node.lift)
    remaining = []
    for child in node.children:
        if child.words <= words:
            taken.children.append(child)
            continue
        if child.words & words:
            taken.children.append(_cut(child, words))
        remaining.append(child)
    node.words -= words
    node.children = remaining
    return taken


def _collect(node: _Node, above: str, labelled: Spans) -> None:
    label = above + (CHAIN if above else "") + node.label
    if len(node.children) == 1 and node.children[0].words == node.words:
        _collect(node.children[0], label, labelled)
        return
    labelled[node.start, node.end] = label
    for child in node.children:
        _collect(child, "", labelled)


def graph(
    words: Sequence[Terminal], chart: Sequence[int], labels: Mapping[tuple[int, int], str], name: str = ""
) -> UccaGraph:
    """The graph of labelled spans over words; `chart` has the positions of words that are not punctuation."""
    root = _Node("", set(range(len(chart))))
    stack = [root]
    for (start, end), label in sorted(labels.items(), key=lambda s: (s[0][0], -s[0][1])):
        while not start < stack[-1].end or stack[-1].end < end:
            stack.pop()
        for part in label.split(CHAIN):
            node = _Node(part.rstrip(LIFT), set(range(start, end)), lift=len(part) - len(part.rstrip(LIFT)))
            stack[-1].children.append(node)
            stack.append(node)
    _lift(root, [])
    units: list[list[Edge]] = [[]]
    kinds = ["FN"]
    covered: list[tuple[set[int], int]] = []  # for each unit its words by position, and its index

    def add(node: _Node, at: int) -> None:
        positions = {chart[w] for w in node.words}
        covered.append((positions, at))
        loose = set(node.words)
        edges: list[tuple[int, Edge]] = []
        for child in node.children:
            loose -= child.words
            units.append([])
            kinds.append("FN")
            edges.append((child.start, Edge(child.category, f"1.{len(units)}")))
            add(child, len(units) - 1)
        edges += [(w, Edge(TERMINAL, words[chart[w]].id)) for w in loose]
        units[at] = [edge for _, edge in sorted(edges, key=lambda e: e[0])]

    if chart:
        add(root, 0)
    for position in sorted(set(range(len(words))) - set(chart)):
        around = [(len(p), at) for p, at in covered if min(p) < position < max(p)]
        units.append([Edge(TERMINAL, words[position].id)])
        kinds.append(PUNCTUATION)
        units[min(around, default=(0, 0))[1]].append(Edge("U", f"1.{len(units)}"))
    return UccaGraph(
        name,
        tuple(words),
        tuple(Unit(f"1.{i}", tuple(e), k) for i, (e, k) in enumerate(zip(units, kinds, strict=True), 1)),
    )


def _lift(node: _Node, above: list[_Node]) -> None:
    """Move nodes with a lift that many levels up, from the bottom up."""
    for child in list(node.children):
        _lift(child, [*above, node])
    for child in list(node.children):
        if child.lift and above and node.words - child.words:
            levels = min(child.lift, len(above))
            target = above[-levels]
            node.children.remove(child)
            child.lift = 0
            target.children.append(child)
            for passed in [node, *above[::-1][: levels - 1]]:
                passed.words -= child.words


def punctuation(words: Iterable[str]) -> list[bool]:
    """Which words are punctuation: they have no letter, no digit and no currency sign."""
    return [not any(c.isalnum() or c in "$£€¥" for c in word) for word in words]
