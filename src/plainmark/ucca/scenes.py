"""SAMSA's matching of the Scenes of a source with the sentences of an output.

A Scene is assigned to the sentence that holds most of its leaves, according to one word alignment of source and output;
its main relation and Participants are then looked up there by their minimal centres. SAMSA is the mean over what is found:

    SAMSA     = n_out / n_inp * SAMSA_abl,   0 if n_out > n_inp
    SAMSA_abl = 1 / n_inp * sum over Scenes of (relation + mean over Participants) / 2

n_inp are the Scenes of the source, n_out the sentences of the output. A unit with several minimal centres is found if
all of them are; an implicit one scores 0.5; a Scene without Participants has the score of its main relation.
Reference: Sulem, Abend & Rappoport 2018, Semantic Structural Evaluation for Text Simplification, section 4.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from .alignment import WordLinks
from .graph import Scene, SceneUnit, UccaGraph

IMPLICIT = 0.5  # units without words count as neither preserved nor lost

Role = Literal["main relation", "participant"]
Matching = Literal["greedy", "optimal"]


@dataclass(frozen=True)
class PreservedUnit:
    """A main relation or Participant, and whether its Scene's sentence preserves it: 1, 0, or 0.5 for implicit units."""

    role: Role
    words: tuple[int, ...]  # offsets in the source
    centres: tuple[int, ...]  # words of the minimal centres
    aligned: tuple[
        int, ...
    ]  # words of the output, in the Scene's sentence, that the centres are aligned with
    score: float
    implicit: bool = False
    remote: bool = False


@dataclass(frozen=True)
class PlacedScene:
    """A Scene, the sentence it was assigned to (None if there is none), and the number of its leaves in that sentence."""

    words: tuple[int, ...]
    sentence: int | None
    leaves: int
    consistent: int
    parts: tuple[PreservedUnit, ...]

    @property
    def relation(self) -> float:
        """1 if the main relation is preserved; if there are several, 1 if all are."""
        return min(p.score for p in self.parts if p.role == "main relation")

    @property
    def participants(self) -> float:
        """The share of Participants that are preserved; NaN without any."""
        scores = [p.score for p in self.parts if p.role == "participant"]
        return sum(scores) / len(scores) if scores else float("nan")

    @property
    def score(self) -> float:
        """Half for the main relation, half for the Participants."""
        mean = self.participants
        return self.relation if mean != mean else (self.relation + mean) / 2


@dataclass(frozen=True)
class Group:
    """Aligned Scenes and sentences, by their indices."""

    scenes: tuple[int, ...]
    sentences: tuple[int, ...]


@dataclass(frozen=True)
class SamsaExplanation:
    """SAMSA's computation for one sample; offsets are indices of words in `source` and in `output`."""

    source: tuple[str, ...]
    output: tuple[str, ...]
    sentences: tuple[tuple[int, int], ...]  # start and end of each sentence of the output
    links: tuple[tuple[int, int], ...]
    repeats: tuple[tuple[int, int], ...]
    scenes: tuple[PlacedScene, ...]
    groups: tuple[Group, ...] = ()  # groups of aligned Scenes and sentences; empty if there is one group
    readings: tuple[
        SamsaExplanation, ...
    ] = ()  # numbers of Scenes of several parses, over which the scores are means

    @property
    def ablated(self) -> float:
        """SAMSA_abl from 0 to 1: what is preserved, without the splitting penalty; NaN without Scenes."""
        if self.readings:
            return _mean([reading.ablated for reading in self.readings])
        return self._weighted(_preserved_share)

    @property
    def score(self) -> float:
        """SAMSA from 0 to 1; NaN without Scenes."""
        if self.readings:
            return _mean([reading.score for reading in self.readings])
        return self._weighted(
            lambda scenes, sentences: _preserved_share(scenes, sentences) * (sentences / len(scenes))
        )

    def _weighted(self, score: Callable[[Sequence[PlacedScene], int], float]) -> float:
        """The mean of a score over the groups, weighted by their numbers of Scenes."""
        if not self.scenes:
            return float("nan")
        if not self.groups:
            return score(self.scenes, len(self.sentences))
        groups = [g for g in self.groups if g.scenes]
        total = sum(
            len(g.scenes) * score([self.scenes[k] for k in g.scenes], len(g.sentences)) for g in groups
        )
        return total / sum(len(g.scenes) for g in groups)

    @property
    def reason(self) -> str:
        """Why the score is undefined, or 0 as a whole; empty otherwise."""
        if self.score != self.score:
            return "the source has no Scene, so there is nothing to keep"
        if not self.sentences:
            return "the output has no sentence"
        if len(self.sentences) > len(self.scenes) and not self.score:
            return (
                f"{len(self.sentences)} sentences for {len(self.scenes)} "
                f"{'Scene' if len(self.scenes) == 1 else 'Scenes'}: a Scene must have been split across sentences"
            )
        return ""

    def record(self) -> dict[str, Any]:
        """The explanation as plain data."""
        return {
            "samsa": _percent(self.score),
            "samsa_abl": _percent(self.ablated),
            "reason": self.reason,
            **({"readings": [_reading(r) for r in self.readings]} if self.readings else {}),
            "source": list(self.source),
            "sentences": [list(self.output[start:end]) for start, end in self.sentences],
            "scenes": [
                {
                    "words": [self.source[i] for i in scene.words],
                    "positions": list(scene.words),
                    "sentence": None if scene.sentence is None else scene.sentence + 1,
                    "leaves": scene.leaves,
                    "consistent": scene.consistent,
                    "score": _percent(scene.score),
                    "parts": [
                        {
                            "role": part.role,
                            "words": [self.source[i] for i in part.words],
                            "centres": [self.source[i] for i in part.centres],
                            "found": [self.output[j] for j in part.aligned],
                            "score": part.score,
                            "implicit": part.implicit,
                            "remote": part.remote,
                        }
                        for part in scene.parts
                    ],
                }
                for scene in self.scenes
            ],
            "links": [list(pair) for pair in self.links],
            "repeats": [list(pair) for pair in self.repeats],
        }


def explain(
    graph: UccaGraph,
    sentences: Sequence[Sequence[str]],
    links: WordLinks,
    *,
    scenes: Sequence[Scene] | None = None,
    matching: Matching = "greedy",
    blocks: Sequence[tuple[Collection[int], Sequence[int]]] = (),
) -> SamsaExplanation:
    """Assign the Scenes of a graph to sentences, by the alignment of its words with all words of the sentences.

    `scenes` replaces the graph's own Scenes. A block has words of the source and the sentences to which Scenes that begin
    there may be assigned; without blocks, every Scene may be assigned to every sentence.
    """
    ends = np.cumsum([0, *map(len, sentences)])
    spans = tuple((int(a), int(b)) for a, b in pairwise(ends))
    sentence_of = np.repeat(np.arange(len(sentences)), np.diff(ends))
    pairs = (*links.pairs, *links.repeats)
    reached = np.zeros((len(graph.terminals), len(sentences)), dtype=bool)
    for i, j in pairs:
        reached[i, sentence_of[j]] = True
    partners: dict[tuple[int, int], list[int]] = {}
    for i, j in pairs:
        partners.setdefault((i, int(sentence_of[j])), []).append(j)
    scenes = graph.scenes if scenes is None else scenes
    leaves = [_leaves(graph, scene) for scene in scenes]
    counts = np.array([reached[rows].sum(axis=0) for rows in leaves], dtype=np.int64)
    counts = counts.reshape(len(scenes), len(sentences))

    def placed(k: int, at: int | None) -> PlacedScene:
        return PlacedScene(
            words=scenes[k].positions,
            sentence=at,
            leaves=len(leaves[k]),
            consistent=0 if at is None else int(counts[k, at]),
            parts=tuple(_preserved(graph, part, role, at, partners) for role, part in _parts(scenes[k])),
        )

    groups = _groups(scenes, len(sentences), blocks)
    sentence_of_scene: list[int | None] = [None] * len(scenes)
    for group in groups:
        columns = list(group.sentences)
        if matching == "greedy":
            places = place(counts[np.ix_(group.scenes, columns)])
        else:
            scores = np.array([[placed(k, at).score for at in columns] for k in group.scenes])
            scores = scores.reshape(len(group.scenes), len(columns))
            # If several are equal, the sentence with most of the Scene's leaves.
            places = place_best(scores + 1e-6 * counts[np.ix_(group.scenes, columns)])
        for k, at in zip(group.scenes, places, strict=True):
            sentence_of_scene[k] = None if at is None else columns[at]
    return SamsaExplanation(
        source=tuple(graph.words),
        output=tuple(word for sentence in sentences for word in sentence),
        sentences=spans,
        links=links.pairs,
        repeats=links.repeats,
        scenes=tuple(placed(k, at) for k, at in enumerate(sentence_of_scene)),
        groups=tuple(groups) if blocks else (),
    )


def _groups(
    scenes: Sequence[Scene], sentences: int, blocks: Sequence[tuple[Collection[int], Sequence[int]]]
) -> list[Group]:
    """Scenes and sentences of each block; a Scene outside all blocks, or one without words, has no sentence."""
    if not blocks:
        return [Group(tuple(range(len(scenes))), tuple(range(sentences)))]
    groups = []
    left = set(range(len(scenes)))
    for words, some in blocks:
        own = [k for k in sorted(left) if scenes[k].positions and scenes[k].positions[0] in words]
        left -= set(own)
        groups.append(Group(tuple(own), tuple(some)))
    return [*groups, Group(tuple(sorted(left)), ())] if left else groups


def place_best(values: NDArray[np.float64]) -> list[int | None]:
    """The sentences of all Scenes with the largest sum of values; with as many Scenes as sentences, each sentence once."""
    n_scenes, n_sentences = values.shape
    if n_sentences == 0:
        return [None] * n_scenes
    if n_scenes != n_sentences:
        return [int(i) for i in values.argmax(axis=1)]
    # Kuhn's method with potentials: Scenes are added one by one along the cheapest alternating path.
    cost = np.pad(-values, ((1, 0), (1, 0)))
    of_scene, of_sentence = np.zeros(n_scenes + 1), np.zeros(n_scenes + 1)
    owner = np.zeros(n_scenes + 1, dtype=np.int64)
    for scene in range(1, n_scenes + 1):
        owner[0], at = scene, 0
        least = np.full(n_scenes + 1, np.inf)
        previous, used = np.zeros(n_scenes + 1, dtype=np.int64), np.zeros(n_scenes + 1, dtype=bool)
        while owner[at]:
            used[at] = True
            row = cost[owner[at]] - of_scene[owner[at]] - of_sentence
            better = ~used & (row < least)
            least[better], previous[better] = row[better], at
            following = int(np.where(used, np.inf, least).argmin())
            step = least[following]
            of_scene[owner[used]] += step
            of_sentence[used] -= step
            least[~used] -= step
            at = following
        while at:
            owner[at] = owner[previous[at]]
            at = int(previous[at])
    places: list[int | None] = [None] * n_scenes
    for sentence in range(1, n_scenes + 1):
        places[owner[sentence] - 1] = sentence - 1
    return places


def place(counts: NDArray[np.int64]) -> list[int | None]:
    """The sentence of each Scene: the one with most of its leaves, or the first of several.

    `counts` has one row per Scene and one column per sentence. If there are as many Scenes as sentences, each sentence is
    used once.
    """
    n_scenes, n_sentences = counts.shape
    if n_sentences == 0:
        return [None] * n_scenes
    if n_scenes != n_sentences:
        return [int(i) for i in counts.argmax(axis=1)]
    free = np.ones(n_sentences, dtype=bool)
    places: list[int | None] = []
    for row in counts:
        best = int(np.where(free, row, -1).argmax())
        free[best] = False
        places.append(best)
    return places


def _leaves(graph: UccaGraph, scene: Scene) -> list[int]:
    """Words of a Scene and of its remote units, without punctuation."""
    shared = [part.positions for part in (*scene.main_relations, *scene.participants) if part.remote]
    positions = set(scene.positions).union(*shared)
    return sorted(i for i in positions if not graph.terminals[i].punctuation)


def _parts(scene: Scene) -> list[tuple[Role, SceneUnit]]:
    return [
        *(("main relation", part) for part in scene.main_relations),
        *(("participant", part) for part in scene.participants),
    ]


def _preserved(
    graph: UccaGraph,
    part: SceneUnit,
    role: Role,
    sentence: int | None,
    partners: dict[tuple[int, int], list[int]],
) -> PreservedUnit:
    centres = tuple(
        i for centre in part.centres for i in centre if not graph.terminals[i].punctuation
    ) or tuple(i for centre in part.centres for i in centre)
    partners_of_centres = [partners.get((i, sentence), []) for i in centres] if sentence is not None else []
    score = IMPLICIT if part.implicit else float(bool(partners_of_centres) and all(partners_of_centres))
    return PreservedUnit(
        role,
        part.positions,
        centres,
        tuple(sorted({j for some in partners_of_centres for j in some})),
        score,
        part.implicit,
        part.remote,
    )


def _preserved_share(scenes: Sequence[PlacedScene], sentences: int) -> float:
    """The mean of the Scenes' scores; 0 if there are more sentences, because a Scene must have been split."""
    return 0.0 if sentences > len(scenes) else sum(s.score for s in scenes) / len(scenes)


def _mean(values: Sequence[float]) -> float:
    """The mean of the values that are defined; NaN without any."""
    defined = [v for v in values if v == v]
    return sum(defined) / len(defined) if defined else float("nan")


def _reading(reading: SamsaExplanation) -> dict[str, Any]:
    return {
        "scenes": len(reading.scenes),
        "samsa": _percent(reading.score),
        "samsa_abl": _percent(reading.ablated),
    }


def _percent(value: float) -> float | None:
    return None if value != value else round(100 * value, 4)
