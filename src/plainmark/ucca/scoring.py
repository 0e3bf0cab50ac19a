"""How far parsed graphs agree with gold ones: edges as the official evaluation counts them, and what SAMSA sees.

An edge counts as found if both graphs have a unit over the same words, punctuation aside, with a category in common
(labelled) or with any (unlabelled); units over the same words count once. Functions that both graphs have are first
moved to the root, so that where they hang does not matter.
Reference: Hershcovich, Abend & Rappoport 2017, A transition-based directed acyclic graph parser for UCCA, ACL; the
evaluation of the package ucca 1.3.11.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ..errors import InputError
from .graph import Graph, Part, Scene
from .normal import Link, Normal

Kind = Literal["primary", "remote", "implicit"]
Yields = dict[frozenset[int], set[str]]


@dataclass
class Agreement:
    """How many were found, how many of them are right, and how many there are."""

    matches: int = 0
    found: int = 0
    gold: int = 0

    def __iadd__(self, other: Agreement) -> Agreement:
        self.matches += other.matches
        self.found += other.found
        self.gold += other.gold
        return self

    @property
    def precision(self) -> float:
        """Share of what was found that is right; NaN if nothing was found."""
        return self.matches / self.found if self.found else float("nan")

    @property
    def recall(self) -> float:
        """Share of what there is that was found; NaN if there is nothing."""
        return self.matches / self.gold if self.gold else float("nan")

    @property
    def f1(self) -> float:
        """Their harmonic mean; NaN if there is nothing on both sides."""
        both = self.found + self.gold
        return 2 * self.matches / both if both else float("nan")


@dataclass
class Scores:
    """The agreement of parsed sentences with gold ones, added up."""

    sentences: int = 0
    edges: dict[tuple[str, Kind], Agreement] = field(default_factory=lambda: defaultdict(Agreement))
    by_category: dict[str, Agreement] = field(default_factory=lambda: defaultdict(Agreement))
    scenes: Agreement = field(default_factory=Agreement)
    main_relations: Agreement = field(default_factory=Agreement)
    participants: Agreement = field(default_factory=Agreement)
    centres: Agreement = field(default_factory=Agreement)
    same_count: int = 0
    count_error: int = 0
    gold_with_implicit: int = 0

    def record(self) -> dict[str, Any]:
        """All scores as plain data, F1 and its like in percent."""

        def percent(x: Agreement) -> dict[str, float | int | None]:
            return {
                name: None if value != value else round(100 * value, 2)
                for name, value in (("precision", x.precision), ("recall", x.recall), ("f1", x.f1))
            } | {"matches": x.matches, "found": x.found, "gold": x.gold}

        n = max(self.sentences, 1)
        return {
            "sentences": self.sentences,
            **{
                f"{how}_{kind}": percent(self.edges[how, kind])
                for how in ("labelled", "unlabelled")
                for kind in ("primary", "remote")
            },
            "scenes": percent(self.scenes),
            "main_relations": percent(self.main_relations),
            "participants": percent(self.participants),
            "minimal_centres": percent(self.centres),
            "scenes_per_sentence": round(self.scenes.found / n, 3),
            "gold_scenes_per_sentence": round(self.scenes.gold / n, 3),
            "gold_scenes_per_sentence_with_implicit": round(self.gold_with_implicit / n, 3),
            "same_scene_count": round(100 * self.same_count / n, 2),
            "scene_count_error": round(self.count_error / n, 3),
            "by_category": {c: percent(a) for c, a in sorted(self.by_category.items())},
        }


def evaluate(parsed: Iterable[Graph], gold: Iterable[Graph]) -> Scores:
    """Scores of parsed sentences against gold ones, in the same order."""
    total = Scores()
    for ours, theirs in zip(parsed, gold, strict=True):
        if ours.words != theirs.words:
            raise InputError(
                f"passage {ours.id}: its words are not those of the gold passage {theirs.id}; expected the same text."
            )
        _compare_edges(ours, theirs, total)
        _compare_scenes(ours, theirs, total)
    return total


def _compare_edges(ours: Graph, theirs: Graph, total: Scores) -> None:
    one, two = Normal(ours), Normal(theirs)
    _move_functions(one, two)
    found, gold = _yields(one), _yields(two)
    for kind in ("primary", "remote", "implicit"):
        a, b = found[kind], gold[kind]
        common = a.keys() & b.keys()
        right = [y for y in common if a[y] & b[y]]
        total.edges["unlabelled", kind] += Agreement(len(common), len(a), len(b))
        total.edges["labelled", kind] += Agreement(len(right), len(a), len(b))
        if kind == "primary":
            for side, yields in (("found", a), ("gold", b)):
                for category, n in Counter(c for tags in yields.values() for c in tags).items():
                    total.by_category[category] += Agreement(**{side: n})
            for category, n in Counter(c for y in right for c in a[y] & b[y]).items():
                total.by_category[category].matches += n


def _move_functions(one: Normal, two: Normal) -> None:
    """Functions over the same words in both graphs move to the roots."""
    functions: list[dict[frozenset[int], Link]] = []
    for graph in (one, two):
        found = {}
        for node in graph.nodes:
            link = node.primary
            if node.kind == "FN" and link is not None and link.categories[0] == "F":
                found[node.words()] = link
        functions.append(found)
    for words in functions[0].keys() & functions[1].keys():
        for graph, own in zip((one, two), functions, strict=True):
            link = own[words]
            link.parent.out.remove(link)
            link.parent, link.categories = graph.root, ("F",)
            graph.root.out.append(link)


def _yields(graph: Normal) -> dict[Kind, Yields]:
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


def _compare_scenes(ours: Graph, theirs: Graph, total: Scores) -> None:
    """Scenes whose main relation is a word of the text; implicit and remote ones are counted apart."""
    marks = {i for i, t in enumerate(theirs.terminals) if t.punctuation}
    found, gold = explicit_scenes(ours), explicit_scenes(theirs)
    total.sentences += 1
    total.gold_with_implicit += len(theirs.scenes)
    total.same_count += len(found) == len(gold)
    total.count_error += abs(len(found) - len(gold))

    def words(part: Scene | Part) -> tuple[int, ...]:
        return tuple(p for p in part.positions if p not in marks)

    total.scenes += _overlap([words(s) for s in found], [words(s) for s in gold])
    total.main_relations += _overlap(
        [words(m) for s in found for m in s.main_relations],
        [words(m) for s in gold for m in s.main_relations],
    )
    total.centres += _overlap(
        [m.centres for s in found for m in s.main_relations],
        [m.centres for s in gold for m in s.main_relations],
    )
    # A Participant is right only in the right Scene, which its main relation's centres name.
    total.participants += _overlap(
        [(s.main_relations[0].centres, words(p)) for s in found for p in s.participants if p.positions],
        [(s.main_relations[0].centres, words(p)) for s in gold for p in s.participants if p.positions],
    )


def explicit_scenes(graph: Graph) -> list[Scene]:
    """Scenes whose main relation is in the text, and their own."""
    return [s for s in graph.scenes if not any(m.implicit or m.remote for m in s.main_relations)]


def _overlap(found: Sequence[Hashable], gold: Sequence[Hashable]) -> Agreement:
    matches = sum((Counter(found) & Counter(gold)).values())
    return Agreement(matches, len(found), len(gold))
