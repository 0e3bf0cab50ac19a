"""Normalizes graphs as in the official evaluation (ucca 1.3.11).

Before edges are compared, punctuation is attached to the lowest unit around it. A root that is a Scene, or has Scenes
beside Participants, gets a Parallel Scene for its other children. A Center that is the only Center inside another, or an
only child, is merged with the unit above, and so are a Function or a Participant that is an only child, and a Parallel
Scene that contains only Parallel Scenes, Linkers and similar units. Functions with structure pass it to their parents.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from .graph import MAIN_RELATIONS, PUNCTUATION, TERMINAL, UccaGraph

# Categories that may be beside Parallel Scenes, and those that stay when a Scene is separated from them.
_BESIDE_SCENES = frozenset(("H", "L", "F", "G", "U", "R", "LR", "LA", "N"))
_LEFT_BEHIND = frozenset(("H", "U", "L", "G"))


@dataclass(eq=False)
class Node:
    """A unit or a word that can be moved; `position` is -1 for units."""

    kind: str
    implicit: bool = False
    position: int = -1
    punctuation: bool = False
    out: list[Link] = field(default_factory=list)
    into: list[Link] = field(default_factory=list)

    def having(self, category: str) -> list[Link]:
        return [link for link in self.out if category in link.categories]

    @property
    def is_scene(self) -> bool:
        return any(not MAIN_RELATIONS.isdisjoint(link.categories) for link in self.out)

    @property
    def primary(self) -> Link | None:
        return next((x for x in self.into if not x.remote and x.parent.kind == "FN"), None)

    def below(self) -> Iterator[Node]:
        """The node and all its descendants."""
        seen = {self}
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            for link in node.out:
                if link.child not in seen:
                    seen.add(link.child)
                    waiting.append(link.child)

    def words(self) -> frozenset[int]:
        """Positions of the words below except punctuation, along primary edges."""
        positions = []
        waiting = [self]
        while waiting:
            node = waiting.pop()
            if node.position >= 0:
                positions.append(node.position)
            elif node.kind != PUNCTUATION:
                waiting.extend(x.child for x in node.out if not x.remote and not x.child.punctuation)
        return frozenset(positions)


@dataclass(eq=False)
class Link:
    """An edge between nodes."""

    categories: tuple[str, ...]
    parent: Node
    child: Node
    remote: bool = False


class NormalizedGraph:
    """A normalized graph; the root comes first among `nodes`."""

    def __init__(self, graph: UccaGraph) -> None:
        self.terminals = [
            Node("Word", position=i, punctuation=t.punctuation) for i, t in enumerate(graph.terminals)
        ]
        nodes = {t.id: n for t, n in zip(graph.terminals, self.terminals, strict=True)}
        nodes |= {u.id: Node(u.kind, u.implicit) for u in graph.units}
        self.nodes = [nodes[u.id] for u in graph.units]
        for unit in graph.units:
            for edge in unit.edges:
                _connect(nodes[unit.id], nodes[edge.child], edge.categories, remote=edge.remote)
        self.root = nodes[graph.roots[0]]
        self._hang_punctuation()
        self._visit()
        self._hang_punctuation()

    def edges(self) -> Iterator[Link]:
        """All edges that are compared."""
        for node in self.nodes:
            for link in node.out:
                if not {"LA", "LR", TERMINAL}.intersection(link.categories) and link.child.position < 0:
                    yield link

    def _visit(self) -> None:
        """Visit every unit once, top down, including units that a change moves below the current one."""
        seen: set[Node] = set()
        path = [self.root]
        self._flatten(self.root)
        seen.add(self.root)
        while path:
            for link in path[-1].out:
                if any(link.child is node for node in path):  # a cycle through a remote edge
                    self._drop_link(link)
                    break
                if link.child not in seen:
                    seen.add(link.child)
                    path.append(link.child)
                    self._flatten(link.child)
                    break
            else:
                path.pop()

    def _flatten(self, node: Node) -> None:
        if node.kind != "FN":
            return
        self._separate_scene(node)
        # If a step removes the unit, the next steps continue with the unit above.
        at = self._merge_centre(node)
        at = self._merge_functions(at) if at else None
        at = self._merge_participant(at) if at else None
        if at:
            self._merge_scenes(at)

    def _separate_scene(self, node: Node) -> None:
        may_hold_scenes = node is self.root or node.having("H")
        if not may_hold_scenes or not (node.is_scene or node.having("A")):
            return
        loose = [x for x in node.out if x.categories[0] not in _LEFT_BEHIND]
        scene = Node("FN")
        self.nodes.append(scene)
        _connect(node, scene, ("H",))
        for link in loose:
            if _copy(link, parent=scene):
                self._drop_link(link)

    def _merge_centre(self, node: Node) -> Node | None:
        centres = node.having("C")
        if len(centres) != 1:
            return node
        above = node.primary
        if above is not None and above.categories[0] == "C" and len(above.parent.having("C")) == 1:
            for link in list(node.into):
                if link.remote:
                    _copy(link, child=centres[0].child)
            for link in list(node.out):
                _copy(link, parent=above.parent)
            return self._destroy(node)
        if len(node.out) == 1:
            for link in list(node.into):
                _copy(link, child=centres[0].child, remote=link.remote or node.out[0].remote)
            if node is self.root:
                self.root = centres[0].child
            return self._destroy(node)
        return node

    def _merge_functions(self, node: Node) -> Node | None:
        if not node.into:
            return node
        for function in [x.child for x in node.having("F")]:
            if any(TERMINAL not in x.categories for x in function.out):
                for link in list(function.out):
                    _copy(link, parent=node, categories=("F",) if link.categories[0] == "C" else None)
                self._destroy(function)
        if len(node.out) == 1 and "F" in node.out[0].categories:
            return self._replace_by_child(node)
        return node

    def _merge_participant(self, node: Node) -> Node | None:
        participants = node.having("A")
        if len(participants) == len(node.out) == 1:
            own = participants[0].child.primary
            if own is not None and len(own.categories) == 1:
                return self._replace_by_child(node)
        if participants and not node.is_scene:
            for link in participants:
                if link.child.implicit:
                    self._destroy(link.child)
        return node

    def _merge_scenes(self, node: Node) -> None:
        for scene in [x.child for x in node.having("H")]:
            if scene.out and all(_BESIDE_SCENES.intersection(x.categories) for x in scene.out):
                for link in list(scene.out):
                    _copy(link, parent=node)
                    self._drop_link(link)

    def _replace_by_child(self, node: Node) -> Node | None:
        child = node.out[0].child
        for link in list(node.into):
            _copy(link, child=child)
        if node is self.root:
            self.root = child
        return self._destroy(node)

    def _destroy(self, node: Node) -> Node | None:
        """Remove a node, and ancestors that are left without children; return its former parent."""
        above = node.primary.parent if node.primary else None
        for link in [*node.into, *node.out]:
            _disconnect(link)
        if node in self.nodes:
            self.nodes.remove(node)
        if above is not None:
            self._drop_empty(above)
        return above

    def _drop_link(self, link: Link) -> None:
        _disconnect(link)
        self._drop_empty(link.parent)

    def _drop_empty(self, node: Node | None) -> None:
        while node is not None and not node.out and not node.implicit and node.primary is not None:
            above = node.primary.parent
            for link in list(node.into):
                _disconnect(link)
            if node in self.nodes:
                self.nodes.remove(node)
            node = above

    def _hang_punctuation(self) -> None:
        for node in [n for n in self.nodes if n.kind == PUNCTUATION]:
            self._destroy(node)
        for word in self.terminals:
            if word.punctuation and not word.into:
                mark = Node(PUNCTUATION)
                self.nodes.append(mark)
                _connect(self._around(word.position), mark, ("U",))
                _connect(mark, word, (TERMINAL,))

    def _around(self, position: int) -> Node:
        """The lowest unit that has the nearest words on both sides."""
        before = next((w for w in self.terminals[:position][::-1] if not w.punctuation), None)
        after = next((w for w in self.terminals[position + 1 :] if not w.punctuation), None)
        known = [w for w in (before, after) if w is not None]
        level = known[:1]
        while level:
            for node in level:
                if node.kind != "FN":
                    continue
                if len(known) == 1 and not any(TERMINAL in x.categories for x in node.out):
                    return node
                if len(known) == 2 and any(n is known[1] for n in node.below()):
                    return node
            level = [x.parent for node in level for x in node.into]
        return self.root


def _connect(parent: Node, child: Node, categories: tuple[str, ...], *, remote: bool = False) -> None:
    link = Link(categories, parent, child, remote)
    parent.out.append(link)
    child.into.append(link)


def _disconnect(link: Link) -> None:
    if link in link.parent.out:
        link.parent.out.remove(link)
    if link in link.child.into:
        link.child.into.remove(link)


def _copy(
    link: Link,
    *,
    parent: Node | None = None,
    child: Node | None = None,
    categories: tuple[str, ...] | None = None,
    remote: bool | None = None,
) -> bool:
    """Copy an edge to another parent or child; False if that would create a cycle."""
    parent, child = parent or link.parent, child or link.child
    if any(n is parent for n in child.below()):
        return False
    far = link.remote if remote is None else remote
    _connect(parent, child, categories or link.categories, remote=far)
    return True
