"""Precision and recall of parsed graphs: edges as in the official evaluation, and the Scenes that SAMSA uses.

An edge matches if both graphs have a unit over the same words, ignoring punctuation, with a common category (labelled) or
with any category (unlabelled); units over the same words count once. Functions that both graphs have are first moved to the
root, so that their attachment does not matter.
Reference: Hershcovich, Abend & Rappoport 2017, A transition-based directed acyclic graph parser for UCCA, ACL; the
evaluation of the package ucca 1.3.11.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ..errors import InputError
from .graph import Scene, SceneUnit, UccaGraph
from .normalization import Link, NormalizedGraph

Kind = Literal["primary", "remote", "implicit"]
Yields = dict[frozenset[int], set[str]]


@dataclass
class MatchCounts:
    """Counts behind precision and recall: correct, predicted and gold."""

    matches: int = 0
    predicted: int = 0
    gold: int = 0

    def __iadd__(self, other: MatchCounts) -> MatchCounts:
        self.matches += other.matches
        self.predicted += other.predicted
        self.gold += other.gold
        return self

    @property
    def precision(self) -> float:
        """Share of the predictions that are correct; NaN without predictions."""
        return self.matches / self.predicted if self.predicted else float("nan")

    @property
    def recall(self) -> float:
        """Share of the gold annotation that was predicted; NaN without gold."""
        return self.matches / self.gold if self.gold else float("nan")

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; NaN if both sides are empty."""
        both = self.predicted + self.gold
        return 2 * self.matches / both if both else float("nan")


@dataclass
class ParseScores:
    """Match counts summed over parsed sentences."""

    sentences: int = 0
    edges: dict[tuple[str, Kind], MatchCounts] = field(default_factory=lambda: defaultdict(MatchCounts))
    by_category: dict[str, MatchCounts] = field(default_factory=lambda: defaultdict(MatchCounts))
    scenes: MatchCounts = field(default_factory=MatchCounts)
    main_relations: MatchCounts = field(default_factory=MatchCounts)
    participants: MatchCounts = field(default_factory=MatchCounts)
    centres: MatchCounts = field(default_factory=MatchCounts)
    same_count: int = 0
    count_error: int = 0
    gold_with_implicit: int = 0

    def record(self) -> dict[str, Any]:
        """All scores as plain data, with precision, recall and F1 in percent."""

        def percent(x: MatchCounts) -> dict[str, float | int | None]:
            return {
                name: None if value != value else round(100 * value, 2)
                for name, value in (("precision", x.precision), ("recall", x.recall), ("f1", x.f1))
            } | {"matches": x.matches, "predicted": x.predicted, "gold": x.gold}

        n = max(self.sentences, 1)
        return {
            "sentences": self.sentences,
            **{
                f"{labelling}_{kind}": percent(self.edges[labelling, kind])
                for labelling in ("labelled", "unlabelled")
                for kind in ("primary", "remote")
            },
            "scenes": percent(self.scenes),
            "main_relations": percent(self.main_relations),
            "participants": percent(self.participants),
            "minimal_centres": percent(self.centres),
            "scenes_per_sentence": round(self.scenes.predicted / n, 3),
            "gold_scenes_per_sentence": round(self.scenes.gold / n, 3),
            "gold_scenes_per_sentence_with_implicit": round(self.gold_with_implicit / n, 3),
            "same_scene_count": round(100 * self.same_count / n, 2),
            "scene_count_error": round(self.count_error / n, 3),
            "by_category": {c: percent(a) for c, a in sorted(self.by_category.items())},
        }


def evaluate(parsed: Iterable[UccaGraph], gold: Iterable[UccaGraph]) -> ParseScores:
    """Score parsed sentences against gold ones, given in the same order."""
    total = ParseScores()
    for ours, theirs in zip(parsed, gold, strict=True):
        if ours.words != theirs.words:
            raise InputError(
                f"passage {ours.id}: its words are not those of the gold passage {theirs.id}; expected the same text."
            )
        _compare_edges(ours, theirs, total)
        _compare_scenes(ours, theirs, total)
    return total


def _compare_edges(ours: UccaGraph, theirs: UccaGraph, total: ParseScores) -> None:
    graphs = NormalizedGraph(ours), NormalizedGraph(theirs)
    _move_functions(*graphs)
    parsed, gold = map(_yields, graphs)
    for kind in ("primary", "remote", "implicit"):
        a, b = parsed[kind], gold[kind]
        common = a.keys() & b.keys()
        right = [y for y in common if a[y] & b[y]]
        total.edges["unlabelled", kind] += MatchCounts(len(common), len(a), len(b))
        total.edges["labelled", kind] += MatchCounts(len(right), len(a), len(b))
        if kind == "primary":
            for side, yields in (("predicted", a), ("gold", b)):
                for category, n in Counter(c for tags in yields.values() for c in tags).items():
                    total.by_category[category] += MatchCounts(**{side: n})
            for category, n in Counter(c for y in right for c in a[y] & b[y]).items():
                total.by_category[category].matches += n


def _move_functions(parsed: NormalizedGraph, gold: NormalizedGraph) -> None:
    """Move Functions that cover the same words in both graphs to the roots."""
    functions: list[dict[frozenset[int], Link]] = []
    for graph in (parsed, gold):
        by_words = {}
        for node in graph.nodes:
            link = node.primary
            if node.kind == "FN" and link is not None and link.categories[0] == "F":
                by_words[node.words()] = link
        functions.append(by_words)
    for words in functions[0].keys() & functions[1].keys():
        for graph, own in zip((parsed, gold), functions, strict=True):
            link = own[words]
            link.parent.out.remove(link)
            link.parent, link.categories = graph.root, ("F",)
            graph.root.out.append(link)


def _yields(graph: NormalizedGraph) -> dict[Kind, Yields]:
    out: dict[Kind, Yields] = {"primary": {}, "remote": {}, "implicit": {}}
    for link in graph.edges():
        if link.child.implicit:
            kind: Kind = "implicit"
        elif "U" in link.categories or link.child.kind == "PNCT":
            continue
        else:
            kind = "remote" if link.remote else "primary"
        if kind == "implicit" and link.remote:
            continue
        words = (link.parent if kind == "implicit" else link.child).words()
        out[kind].setdefault(words, set()).update(link.categories)
    return out


def _compare_scenes(ours: UccaGraph, theirs: UccaGraph, total: ParseScores) -> None:
    """Compare Scenes whose main relation is a word of the text; implicit and remote ones are counted separately."""
    marks = {i for i, t in enumerate(theirs.terminals) if t.punctuation}
    parsed, gold = explicit_scenes(ours), explicit_scenes(theirs)
    total.sentences += 1
    total.gold_with_implicit += len(theirs.scenes)
    total.same_count += len(parsed) == len(gold)
    total.count_error += abs(len(parsed) - len(gold))

    def words(part: Scene | SceneUnit) -> tuple[int, ...]:
        return tuple(p for p in part.positions if p not in marks)

    total.scenes += _overlap([words(s) for s in parsed], [words(s) for s in gold])
    total.main_relations += _overlap(
        [words(m) for s in parsed for m in s.main_relations],
        [words(m) for s in gold for m in s.main_relations],
    )
    total.centres += _overlap(
        [m.centres for s in parsed for m in s.main_relations],
        [m.centres for s in gold for m in s.main_relations],
    )
    # A Participant is right only in the right Scene, which is identified by its main relation's centres.
    total.participants += _overlap(
        [(s.main_relations[0].centres, words(p)) for s in parsed for p in s.participants if p.positions],
        [(s.main_relations[0].centres, words(p)) for s in gold for p in s.participants if p.positions],
    )


def explicit_scenes(graph: UccaGraph) -> list[Scene]:
    """Scenes whose main relation is in the text and not remote."""
    return [s for s in graph.scenes if not any(m.implicit or m.remote for m in s.main_relations)]


def _overlap(parsed: Sequence[Hashable], gold: Sequence[Hashable]) -> MatchCounts:
    matches = sum((Counter(parsed) & Counter(gold)).values())
    return MatchCounts(matches, len(parsed), len(gold))
