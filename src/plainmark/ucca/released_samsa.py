"""SAMSA as computed by the released programs (the authors' own and EASSE's), for comparison with their figures.

They differ from the paper: every Scene is aligned separately with every sentence; words are matched by their letters, not
their positions; of two equal words in a row, one is dropped; the chain of centres follows the last of several, and only the
last of a main relation's centres counts; a Scene with two main relations shifts those of all later Scenes; Participants
with several centres are counted more than once; a Scene without Participants scores 0.5 for them. Only the word aligner is
plainmark's own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .alignment import WordAligner
from .graph import UccaGraph

_HALF = 0.5


def scores(
    graphs: Sequence[UccaGraph],
    outputs: Sequence[Sequence[Sequence[str]]],
    aligner: WordAligner,
    *,
    ablated: bool = False,
) -> NDArray[np.float64]:
    """The score of each sample from 0 to 1; outputs are sentences of words."""
    scenes = [[_text(graph, name) for name in _scenes(graph)] for graph in graphs]
    pairs = [(s, o) for some, output in zip(scenes, outputs, strict=True) for s in some for o in output]
    links = iter(aligner.align(pairs))
    out = np.full(len(graphs), np.nan)
    for k, (graph, some, output) in enumerate(zip(graphs, scenes, outputs, strict=True)):
        matched = [[[scene[i] for i, _ in next(links).pairs] for _ in output] for scene in some]
        if some:
            out[k] = _score(graph, matched, len(output), ablated=ablated)
    return out


def _score(
    graph: UccaGraph, matched: Sequence[Sequence[Sequence[str]]], n_output: int, *, ablated: bool
) -> float:
    """The score of a sample; `matched` has the words of each Scene that have a partner in each sentence."""
    n_scenes = len(matched)
    if n_scenes < n_output:
        return 0.0
    relations, participants = main_relations(graph), participant_centres(graph)
    total = 0.0
    used: list[int] = []
    for k, by_sentence in enumerate(matched):
        free = [j for j in range(n_output) if n_scenes != n_output or j not in used]
        best = max(free, key=lambda j: (len(by_sentence[j]), -j), default=None)
        words = by_sentence[best] if best is not None else []
        if words and best is not None:
            used.append(best)
        own = participants[k] or [[]]
        total += 0.5 * _held(relations[k], words) + 0.5 * sum(_held(p, words) for p in own) / len(own)
    return total / n_scenes if ablated else n_output / n_scenes**2 * total


def _held(centre: Sequence[str], words: Sequence[str]) -> float:
    if not centre:
        return _HALF
    return float(all(word in words for word in centre))


def main_relations(graph: UccaGraph) -> list[list[str]]:
    """Words of the main relations' centres, one entry per relation, not per Scene."""
    out = []
    for scene in _scenes(graph):
        relations = _children(graph, scene, "P", "S")
        for relation in relations:
            centres = _last_centres(graph, relation, "C") or relations
            out.append(_text(graph, centres[-1]))
    return out


def participant_centres(graph: UccaGraph) -> list[list[list[str]]]:
    """For each Scene, the words of its Participants' centres; several centres are first separated, then joined."""
    nodes: list[list[list[str]]] = []
    for scene in _scenes(graph):
        groups: list[list[str]] = []
        for participant in _children(graph, scene, "A"):
            if centres := _last_centres(graph, participant, "C", below=("C", "P", "S")):
                groups.append(centres)
            elif relations := _children(graph, participant, "P", "S"):
                groups.extend(_last_centres(graph, r, "C") or relations for r in relations)
            elif parallel := _children(graph, participant, "H"):
                inner = [(h, r) for h in parallel for r in _children(graph, h, "P", "S")]
                groups.append(
                    [(_last_centres(graph, r, "C") or _children(graph, h, "P", "S"))[0] for h, r in inner]
                )
            else:
                groups.append([participant])
        nodes.append(groups)
    apart = [[_text(graph, node) for centres in scene for node in centres] for scene in nodes]
    several = [
        (k, i, len(centres))
        for k, scene in enumerate(nodes)
        for i, centres in enumerate(scene)
        if len(centres) > 1
    ]
    if not several:
        return apart
    # The programs search for the first of several centres by its words, in every Scene and once for each Participant
    # with several centres in the passage; positions are counted before the separation.
    out = []
    for own in apart:
        joined: list[list[str]] = []
        for words in own:
            for k, i, size in several:
                others = [apart[k][i + n] for n in range(1, size) if i + n < len(apart[k])]
                if i < len(apart[k]) and words == apart[k][i]:
                    joined.append([*words, *(w[0] for w in others if w)])
                elif all(words != other for other in others):
                    joined.append(words)
        out.append(joined)
    return out


def _scenes(graph: UccaGraph) -> list[str]:
    """Scenes in the order of the file."""
    return [u.id for u in graph.units if u.kind == "FN" and graph.is_scene(u.id)]


def _children(graph: UccaGraph, name: str, *categories: str) -> list[str]:
    return [e.child for e in graph.unit[name].edges if e.category in categories and e.child in graph.unit]


def _last_centres(graph: UccaGraph, name: str, first: str, below: tuple[str, ...] = ("C",)) -> list[str]:
    """The centres reached by following, level by level, those of the last centre."""
    level = _children(graph, name, first)
    last = level
    seen = set()
    while level and level[-1] not in seen:
        last = level
        seen.add(level[-1])
        level = _children(graph, level[-1], *below)
    return last


def _text(graph: UccaGraph, name: str) -> list[str]:
    """The words below a unit, including remote ones, without marks and without immediate repetitions."""
    below: list[int] = []
    waiting, seen = [name], set()
    while waiting:
        at = waiting.pop()
        if at in graph.position:
            below.append(graph.position[at])
        elif at not in seen:
            seen.add(at)
            waiting.extend(e.child for e in graph.unit[at].edges)
    terminals = [graph.terminals[i] for i in sorted(set(below))]
    words = [t.text for t in terminals if not t.punctuation]
    return [w for k, w in enumerate(words) if k == 0 or w != words[k - 1]]
