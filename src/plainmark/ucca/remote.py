"""Remote Participants: words that take part in a Scene without being inside it, such as "John" in "John came and [left]".

A logistic model of pairs (Scene, unit outside of it that is a Participant or a Center), with features of their positions in
the tree, of what the Scene lacks, and of a few function words. Trained by training/ucca.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ..errors import InputError
from .graph import MAIN_RELATIONS, Edge, UccaGraph

_NEAR = 4  # levels of the tree that are distinguished
_ENDINGS = ("ing", "ed", "s", "ly")


@dataclass(frozen=True)
class Pair:
    """A Scene and a unit that may participate in it."""

    scene: str
    unit: str
    features: tuple[str, ...]


@dataclass(frozen=True)
class RemoteModel:
    """Weights of features; pairs with a probability above the threshold become remote edges."""

    weights: Mapping[str, float]
    threshold: float = 0.5

    @classmethod
    def read(cls, path: Path) -> RemoteModel:
        """Read the model from a JSON file."""
        try:
            content = json.loads(path.read_text("utf-8"))
            weights = {str(k): float(v) for k, v in content["weights"].items()}
            return cls(weights, float(content["threshold"]))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InputError(
                f'{path}: expected a JSON object with "weights" and "threshold"; training/ucca writes it.'
            ) from None

    def probability(self, pair: Pair) -> float:
        """The probability that the unit takes part in the Scene."""
        score = sum(self.weights.get(f, 0.0) for f in pair.features)
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))

    def add(self, graph: UccaGraph) -> UccaGraph:
        """The graph with the remote Participants that the model finds."""
        more: dict[str, list[Edge]] = {}
        for pair in pairs(graph):
            if self.probability(pair) > self.threshold:
                more.setdefault(pair.scene, []).append(Edge("A", pair.unit, remote=True))
        if not more:
            return graph
        units = tuple(replace(u, edges=(*u.edges, *more.get(u.id, ()))) for u in graph.units)
        return replace(graph, units=units)


def pairs(graph: UccaGraph) -> Iterator[Pair]:
    """Every Scene with every unit outside of it that could participate, and the features of the pair."""
    path = {u.id: _path(graph, u.id) for u in graph.units if u.kind == "FN"}
    candidates = [
        name
        for name in path
        if graph.positions[name] and graph.parent.get(name, ("", _NONE))[1].category in "AC"
    ]
    for scene in path:
        if not graph.is_scene(scene) or not graph.positions[scene] or scene not in graph.parent:
            continue
        own = _scene_features(graph, scene)
        above = set(path[scene])
        rank: dict[str, int] = {}
        start = graph.positions[scene][0]
        for unit in sorted(candidates, key=lambda n: abs(graph.positions[n][0] - start)):
            if unit in above or unit == scene or scene in path[unit]:
                continue
            place = _place(graph, scene, unit, path)
            rank[place] = rank.get(place, 0) + 1
            yield Pair(scene, unit, _features(graph, own, place, min(rank[place], 3), unit))


_NONE = Edge("?", "")


def _path(graph: UccaGraph, name: str) -> list[str]:
    """The units above, the nearest one first."""
    out = []
    while name in graph.parent:
        name = graph.parent[name][0]
        out.append(name)
    return out


def _place(graph: UccaGraph, scene: str, unit: str, path: Mapping[str, list[str]]) -> str:
    """The position of the unit relative to the Scene: levels up to the common ancestor, levels down, categories, order."""
    common = next(a for a in path[scene] if a in path[unit])
    up, down = path[scene].index(common), path[unit].index(common)
    before = "<" if graph.positions[unit][0] < graph.positions[scene][0] else ">"
    chain = graph.parent[scene][1].category
    inner = graph.parent[unit][1].category
    outer = graph.parent[path[unit][0]][1].category if path[unit][0] in graph.parent else "-"
    return f"{chain}{min(up, _NEAR)}{before}{min(down, _NEAR)}{outer if down else ''}{inner}"


def _scene_features(graph: UccaGraph, scene: str) -> list[str]:
    edges = [e for e in graph.unit[scene].edges if e.child in graph.unit]
    positions = graph.positions
    relation = next((e for e in edges if not MAIN_RELATIONS.isdisjoint(e.categories)), _NONE)
    at = positions.get(relation.child, ()) or positions[scene]
    participants = [e for e in edges if "A" in e.categories and not e.remote and positions[e.child]]
    before = sum(positions[e.child][0] < at[0] for e in participants)
    words = graph.words
    first, head = _written(words[positions[scene][0]]), _written(words[at[0]])
    ending = next((x for x in _ENDINGS if head.endswith(x)), "")
    prior = _written(words[at[0] - 1]) if at[0] else ""
    return [
        f"n{min(len(participants), 3)}b{min(before, 2)}",
        f"first={first}",
        f"b{min(before, 2)}end={ending}",
        f"b{min(before, 2)}prior={prior}",
        f"n{min(len(participants), 3)}{relation.category}b{min(before, 2)}{ending}",
        f"head={head}",
    ]


def _features(graph: UccaGraph, own: list[str], place: str, rank: int, unit: str) -> tuple[str, ...]:
    above = graph.parent[unit][0]
    main = [e for e in graph.unit[above].edges if not MAIN_RELATIONS.isdisjoint(e.categories)]
    start = graph.positions[unit][0]
    of_scene = (
        bool(main) and bool(graph.positions[main[0].child]) and start < graph.positions[main[0].child][0]
    )
    first = start == min(
        graph.positions[e.child][0]
        for e in graph.unit[above].edges
        if e.child in graph.unit and "A" in (*e.categories, "A") and not e.remote and graph.positions[e.child]
    )
    kind = f"{place}r{rank}{'s' if of_scene else ''}{'f' if first else ''}"
    word = _written(graph.words[start])
    width = min(len(graph.positions[unit]), 4)
    return ("1", place, kind, f"{kind}w{width}", f"{place}:{word}", *(f"{kind}|{x}" for x in own), own[0])


def _written(word: str) -> str:
    """The word, or a placeholder for names, which the model does not use."""
    return word if word.islower() or not word[:1].isalpha() else "Name"
