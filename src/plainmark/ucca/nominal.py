"""Events that a noun evokes and the parse lacks: "John's kick towards the gate".

The centre of a unit that is not a Scene evokes one if in WordNet its most frequent sense is a hyponym of "event" and is
derived from a verb, and if the unit names a participant: an Elaborator with a possessive or after a preposition. The noun
is the main relation, these Elaborators are the Participants.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from .. import wordnet
from .graph import Edge, Scene, UccaGraph

_POSSESSIVES = frozenset("'s ' ’s ’ my your his her its our their whose".split())
_FARTHEST = 12  # hypernyms between a noun and "event"


def scenes(graph: UccaGraph) -> tuple[Scene, ...]:
    """The Scenes of a graph and those that its nouns evoke, in the order of the text."""
    known = {c for s in graph.scenes for relation in s.main_relations for c in relation.centres}
    more = []
    for unit in graph.units:
        if unit.kind != "FN" or graph.is_scene(unit.id) or unit.id in graph.roots:
            continue
        centres = graph.children(unit.id, "C", remote=False)
        arguments = [e for e in graph.children(unit.id, "E", remote=False) if _takes_part(graph, e)]
        if len(centres) != 1 or not arguments:
            continue
        noun = graph.part(centres[0])
        if len(noun.centres) != 1 or len(noun.centres[0]) != 1 or noun.centres[0] in known:
            continue
        if is_event(graph.words[noun.centres[0][0]]):
            participants = tuple(graph.part(e) for e in arguments)
            more.append(Scene(unit.id, graph.positions[unit.id], (noun,), participants))
    return tuple(sorted((*graph.scenes, *more), key=_place))


def _place(scene: Scene) -> tuple[float, int]:
    return (scene.positions[0] if scene.positions else float("inf"), -len(scene.positions))


def _takes_part(graph: UccaGraph, edge: Edge) -> bool:
    """Whether an Elaborator is a possessive or follows a preposition."""
    if graph.is_scene(edge.child):
        return False
    words: Sequence[str] = [graph.words[i].lower() for i in graph.positions[edge.child]]
    return not _POSSESSIVES.isdisjoint(words) or bool(graph.children(edge.child, "R", remote=False))


@lru_cache(65536)
def is_event(word: str) -> bool:
    """Whether the most frequent sense of a noun is an event and the noun is derived from a verb."""
    database = wordnet.load()
    senses = [s for form in database.base_forms(word.lower(), "n") for s in database.synsets(form, "n")]
    if not senses:
        return False
    derived = any(
        other.pos == "v"
        for form in database.base_forms(word.lower(), "n")
        for other, _ in database.related_words(senses[0], form, "+")
    )
    level = [senses[0]] if derived else []
    for _ in range(_FARTHEST):
        if any("event" in s.words for s in level):
            return True
        level = [above for s in level for above in database.hypernyms(s)]
    return False
