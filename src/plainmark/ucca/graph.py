"""UCCA graphs: words, units over them and categorised edges; Scenes, their units and minimal centres.

A unit's primary edges form a tree over the words; remote edges add further parents. A Scene is a unit with a main
relation, that is, a child of category Process (P) or State (S).
Reference: Abend & Rappoport 2013, Universal Conceptual Cognitive Annotation (UCCA), ACL.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ..errors import InputError

CATEGORIES = {
    "H": "Parallel Scene",
    "P": "Process",
    "S": "State",
    "A": "Participant",
    "D": "Adverbial",
    "T": "Time",
    "C": "Center",
    "E": "Elaborator",
    "Q": "Quantifier",
    "N": "Connector",
    "R": "Relator",
    "L": "Linker",
    "G": "Ground",
    "F": "Function",
    "U": "Punctuation",
    "LA": "Link argument",
    "LR": "Link relation",
    "Terminal": "word",
}
TERMINAL, PUNCTUATION, LINKAGE = "Terminal", "PNCT", "LKG"
MAIN_RELATIONS = frozenset("PS")


@dataclass(frozen=True)
class Terminal:
    """A word or a punctuation mark of the text."""

    id: str
    text: str
    punctuation: bool = False
    paragraph: int = 1
    attributes: Mapping[str, str] = field(default_factory=dict, hash=False)
    extra: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Edge:
    """An edge from a unit to a child: another unit or, with category Terminal, a word."""

    category: str
    child: str
    remote: bool = False
    tags: tuple[Mapping[str, str], ...] = field(default=(), hash=False)  # as in the file, if it has any
    attributes: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def categories(self) -> tuple[str, ...]:
        """All categories of the edge; the first is `category`."""
        others = (tag["tag"] for tag in self.tags if "tag" in tag)
        return tuple(dict.fromkeys((self.category, *others)))


@dataclass(frozen=True)
class Unit:
    """A node above the words."""

    id: str
    edges: tuple[Edge, ...] = ()
    kind: str = "FN"  # FN, PNCT for punctuation, LKG for linkage
    implicit: bool = False  # represents something that the text leaves out
    attributes: Mapping[str, str] = field(default_factory=dict, hash=False)
    extra: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class SceneUnit:
    """A main relation or a Participant of a Scene, by positions of words in the text.

    Each minimal centre consists of the words of one leaf, usually one word. An implicit part has no centre in the text: it,
    or its centre, is an implicit unit.
    """

    unit: str
    positions: tuple[int, ...]
    centres: tuple[tuple[int, ...], ...]
    implicit: bool = False
    remote: bool = False


@dataclass(frozen=True)
class Scene:
    """A unit with a main relation; several only if the annotation has several."""

    unit: str
    positions: tuple[int, ...]
    main_relations: tuple[SceneUnit, ...]
    participants: tuple[SceneUnit, ...]


@dataclass(frozen=True)
class UccaGraph:
    """The annotation of one text: `terminals` in the order of the text, `units` in the order of the file."""

    id: str
    terminals: tuple[Terminal, ...]
    units: tuple[Unit, ...]
    annotation: str = "0"
    attributes: Mapping[str, str] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        _check(self)

    @cached_property
    def unit(self) -> Mapping[str, Unit]:
        """Units by their ids."""
        return {u.id: u for u in self.units}

    @cached_property
    def position(self) -> Mapping[str, int]:
        """Positions of the words by their ids; the first is 0."""
        return {t.id: i for i, t in enumerate(self.terminals)}

    @cached_property
    def parent(self) -> Mapping[str, tuple[str, Edge]]:
        """The primary parent of each unit and word, and the edge from it; roots have none."""
        return {e.child: (u.id, e) for u in self._nodes() for e in u.edges if not e.remote}

    @cached_property
    def roots(self) -> tuple[str, ...]:
        """Units without a primary parent; a well-formed passage has one."""
        return tuple(u.id for u in self._nodes() if u.id not in self.parent)

    @property
    def words(self) -> list[str]:
        """The text, word by word."""
        return [t.text for t in self.terminals]

    def _nodes(self) -> Iterator[Unit]:
        return (u for u in self.units if u.kind != LINKAGE)

    @cached_property
    def positions(self) -> Mapping[str, tuple[int, ...]]:
        """The words below each unit along primary edges, as sorted positions."""
        positions: dict[str, tuple[int, ...]] = {}
        for name in self._bottom_up():
            below: list[int] = []
            for edge in self.unit[name].edges:
                if edge.child in self.position:
                    below.append(self.position[edge.child])
                elif not edge.remote:
                    below.extend(positions[edge.child])
            positions[name] = tuple(sorted(below))
        return positions

    def _bottom_up(self) -> list[str]:
        order = list(self.roots)
        for name in order:  # is extended while it is read
            order.extend(e.child for e in self.unit[name].edges if not e.remote and e.child in self.unit)
        return order[::-1]

    def children(self, name: str, *categories: str, remote: bool = True) -> list[Edge]:
        """Edges from a unit with one of these categories, or all edges."""
        selected = set(categories)
        return [
            e
            for e in self.unit[name].edges
            if (remote or not e.remote) and (not selected or not selected.isdisjoint(e.categories))
        ]

    def is_scene(self, name: str) -> bool:
        """Whether a unit has a main relation, including remote ones."""
        unit = self.unit.get(name)
        return unit is not None and any(not MAIN_RELATIONS.isdisjoint(e.categories) for e in unit.edges)

    def centres(self, name: str) -> tuple[tuple[int, ...], ...]:
        """The minimal centres of a unit, each as positions of words, in the order of the text.

        They are found by descending from the unit to every child that is a Center, or to the main relation if the unit is a
        Scene, down to a leaf. A unit of parallel Scenes has the centres of all of them; a unit without any of these has the
        centres of all its children except functions, relators, linkers and punctuation.
        """
        leaves: set[tuple[int, ...]] = set()
        seen = set()
        waiting = [name]
        while waiting:
            at = waiting.pop()
            if at in seen:
                continue
            seen.add(at)
            next_down = self._towards_centre(at)
            if next_down:
                waiting.extend(next_down)
            else:
                leaves.add(tuple(sorted(self.position[e.child] for e in self.children(at, TERMINAL))))
        return tuple(sorted(leaf for leaf in leaves if leaf))

    def _towards_centre(self, name: str) -> list[str]:
        for categories in (("P", "S"), ("C",), ("H",)):
            centres = [e.child for e in self.children(name, *categories)]
            if centres:
                return centres
        minor = {"F", "R", "L", "N", "U", TERMINAL}
        others = [e.child for e in self.unit[name].edges if e.category not in minor and not e.remote]
        if others or self.children(name, TERMINAL):
            return others
        return [e.child for e in self.unit[name].edges if e.child in self.unit]

    def part(self, edge: Edge) -> SceneUnit:
        """A child of a Scene as a unit of that Scene."""
        name = edge.child
        centres = self.centres(name)
        return SceneUnit(name, self.positions[name], centres, implicit=not centres, remote=edge.remote)

    @cached_property
    def scenes(self) -> tuple[Scene, ...]:
        """All Scenes in the order of the text; of two that begin at the same word, the longer first."""
        scenes = [
            Scene(
                u.id,
                self.positions[u.id],
                tuple(self.part(e) for e in self.children(u.id, "P", "S")),
                tuple(
                    self.part(e)
                    for e in self.children(u.id, "A")
                    if MAIN_RELATIONS.isdisjoint(e.categories)  # a main relation that is also a Participant
                ),
            )
            for u in self._nodes()
            if self.is_scene(u.id)
        ]
        end = len(self.terminals)
        return tuple(
            sorted(scenes, key=lambda s: (s.positions[0] if s.positions else end, -len(s.positions)))
        )


def _check(graph: UccaGraph) -> None:
    """Raise InputError unless ids are unique, edges lead somewhere, and primary edges form trees."""
    words = {t.id for t in graph.terminals}
    units = {u.id for u in graph.units}
    passage = f"passage {graph.id}"
    if len(words) + len(units) != len(graph.terminals) + len(graph.units) or words & units:
        raise InputError(f"{passage}: an ID is used twice, expected each once.")
    parents: dict[str, str] = {}
    for unit in graph.units:
        for edge in unit.edges:
            if edge.child not in units and edge.child not in words:
                raise InputError(
                    f"{passage}: an edge leads from {unit.id} to {edge.child}, which does not exist."
                )
            if edge.remote or unit.kind == LINKAGE:
                continue
            if edge.child in parents:
                raise InputError(
                    f"{passage}: {edge.child} has two primary parents, {parents[edge.child]} and {unit.id}; "
                    "expected one."
                )
            parents[edge.child] = unit.id
    cleared: set[str] = set()
    for name in (u.id for u in graph.units):
        path: list[str] = []
        on_path: set[str] = set()
        at: str | None = name
        while at is not None and at not in cleared:
            if at in on_path:
                raise InputError(f"{passage}: {at} is below itself, expected a tree of primary edges.")
            path.append(at)
            on_path.add(at)
            at = parents.get(at)
        cleared.update(path)


def terminals(words: Iterable[str], punctuation: Sequence[bool]) -> tuple[Terminal, ...]:
    """Words of one paragraph as terminals."""
    return tuple(
        Terminal(
            f"0.{i}",
            word,
            mark,
            1,
            {"paragraph": "1", "paragraph_position": str(i), "text": word},
        )
        for i, (word, mark) in enumerate(zip(words, punctuation, strict=True), 1)
    )
