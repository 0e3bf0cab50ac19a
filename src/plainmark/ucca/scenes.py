"""SAMSA's matching of the Scenes of a source with the sentences of an output.

A Scene is assigned to the sentence that holds most of its leaves, according to one word alignment of source and output;
its main relation and Participants are then looked up there by their minimal centres. SAMSA is the mean of what is found:

    SAMSA     = n_out / n_inp * SAMSA_abl,   0 if n_out > n_inp
    SAMSA_abl = 1 / n_inp * sum over Scenes of (relation + mean over Participants) / 2

n_inp are the Scenes of the source, n_out the sentences of the output. A unit with several minimal centres is found if
all of them are; an implicit one scores 0.5; a Scene without Participants has the score of its main relation.
Reference: Sulem, Abend & Rappoport 2018, Semantic Structural Evaluation for Text Simplification, section 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from .alignment import WordLinks
from .graph import Scene, SceneUnit, UccaGraph

IMPLICIT = 0.5  # units without words count as neither preserved nor lost

Role = Literal["main relation", "participant"]


@dataclass(frozen=True)
class PreservedUnit:
    """A main relation or Participant, and whether its Scene's sentence preserves it: 1, 0, or 0.5 for implicit units."""

    role: Role
    words: tuple[int, ...]  # of the source
    centres: tuple[int, ...]  # words of the minimal centres
    aligned: tuple[
        int, ...
    ]  # words of the output, in the Scene's sentence, that the centres are aligned with
    score: float
    implicit: bool = False
    remote: bool = False


@dataclass(frozen=True)
class PlacedScene:
    """A Scene, the sentence it was assigned to (None if there is none), and how many of its leaves are there."""

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
class SamsaExplanation:
    """How SAMSA scores one sample; offsets are indices of words in `source` and in `output`."""

    source: tuple[str, ...]
    output: tuple[str, ...]
    sentences: tuple[tuple[int, int], ...]  # where each sentence of the output begins and ends
    links: tuple[tuple[int, int], ...]
    repeats: tuple[tuple[int, int], ...]
    scenes: tuple[PlacedScene, ...]

    @property
    def ablated(self) -> float:
        """SAMSA_abl from 0 to 1: what is preserved, without the splitting penalty; NaN without Scenes."""
        if not self.scenes:
            return float("nan")
        if len(self.sentences) > len(self.scenes):
            return 0.0
        return sum(s.score for s in self.scenes) / len(self.scenes)

    @property
    def split(self) -> float:
        """n_out / n_inp, the penalty for sentences that hold several Scenes; NaN without Scenes."""
        return len(self.sentences) / len(self.scenes) if self.scenes else float("nan")

    @property
    def score(self) -> float:
        """SAMSA from 0 to 1; NaN without Scenes."""
        return self.ablated * self.split if self.ablated else self.ablated

    @property
    def reason(self) -> str:
        """Why the score is undefined or 0 as a whole; empty otherwise."""
        if not self.scenes:
            return "the source has no Scene, so there is nothing to keep"
        if not self.sentences:
            return "the output has no sentence"
        if len(self.sentences) > len(self.scenes):
            return (
                f"{len(self.sentences)} sentences for {len(self.scenes)} "
                f"{'Scene' if len(self.scenes) == 1 else 'Scenes'}: a Scene must have been torn apart"
            )
        return ""

    def record(self) -> dict[str, Any]:
        """The explanation as plain data."""
        return {
            "samsa": _percent(self.score),
            "samsa_abl": _percent(self.ablated),
            "reason": self.reason,
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


def explain(graph: UccaGraph, sentences: Sequence[Sequence[str]], links: WordLinks) -> SamsaExplanation:
    """Assign the Scenes of a graph to sentences, by the alignment of its words with all words of the sentences."""
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
    scenes = graph.scenes
    leaves = [_leaves(graph, scene) for scene in scenes]
    counts = np.array([reached[rows].sum(axis=0) for rows in leaves], dtype=np.int64)
    sentence_of_scene = place(counts.reshape(len(scenes), len(sentences)))
    return SamsaExplanation(
        source=tuple(graph.words),
        output=tuple(word for sentence in sentences for word in sentence),
        sentences=spans,
        links=links.pairs,
        repeats=links.repeats,
        scenes=tuple(
            PlacedScene(
                words=scene.positions,
                sentence=at,
                leaves=len(rows),
                consistent=0 if at is None else int(counts[k, at]),
                parts=tuple(_preserved(graph, part, role, at, partners) for role, part in _parts(scene)),
            )
            for k, (scene, rows, at) in enumerate(zip(scenes, leaves, sentence_of_scene, strict=True))
        ),
    )


def place(counts: NDArray[np.int64]) -> list[int | None]:
    """The sentence of each Scene: the one with most of its leaves, or the first of several.

    `counts` has a row for each Scene and a column for each sentence. Where there are as many Scenes as sentences, each
    sentence is taken once.
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


def _percent(value: float) -> float | None:
    return None if value != value else round(100 * value, 4)
