"""What a simplification did to a text, in one object: sentences, words, facts, readability, advice and scores.

>>> from plainmark.explanation import explain
>>> found = explain("Nobody lost 12 coins. It rained.", "Nobody lost 21 coins.")
>>> [(c.before.text, c.after.text) for c in found.changed], [found.alignment.source[i].text for i in found.dropped]
([('12', '21')], ['It rained.'])
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from .. import document, faithfulness
from ..aligners import Aligner, aligner
from ..document import Change, SentenceGraph
from ..metric import Metric
from ..operations import Op, Token, operations, pieces
from .hints import Advice, Measure, advice, looks_english, measures, sentence_of, word_count
from .scored import ALONE, WITH_REFERENCES, Scored, score

FAST = "context(encoder='none')"  # needs no model
FASTEST = "jaccard"
_PERHAPS = 0.25  # similarity from which on a sentence may say the same; above 0.5 it does
_PAIRS = 60_000  # of sentences that the first of them compares

Kind = Literal["number", "negation", "name"]
_KINDS: dict[Kind, faithfulness.Kind] = {"number": "numbers", "name": "entities", "negation": "negations"}


@dataclass(frozen=True)
class Piece:
    """A run of words of one operation, or the space between ("" ); flag marks facts that the other text lacks."""

    text: str
    op: Op | Literal[""]
    flag: Literal["", "lost", "new", "changed"] = ""


@dataclass(frozen=True)
class Sentence:
    """A sentence, its place in its text, the group it belongs to, and its words by operation."""

    text: str
    start: int
    end: int
    words: int
    group: int
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Group:
    """Sentences that belong together, as indices, and what happened to them.

    For a sentence that is alone, `nearest` is the one of the other text that may say the same, if there is one.
    """

    source: tuple[int, ...]
    output: tuple[int, ...]
    change: Change
    moved: bool
    nearest: int | None = None


@dataclass(frozen=True)
class Alignment:
    """Which sentence became which."""

    aligner: str
    source: tuple[Sentence, ...]
    output: tuple[Sentence, ...]
    groups: tuple[Group, ...]

    def count(self, change: str) -> int:
        """How many groups changed in a way; "moved" counts beside the others."""
        return sum(g.moved if change == "moved" else g.change == change for g in self.groups)


@dataclass(frozen=True)
class Fact:
    """A number, name or negation, and where it stands; start and end count characters of its text."""

    kind: Kind
    text: str
    sentence: int
    start: int
    end: int


@dataclass(frozen=True)
class Changed:
    """A number or name that another one stands for."""

    kind: Kind
    before: Fact
    after: Fact


@dataclass(frozen=True)
class Explanation:
    """Everything that is known of a text and its simplification."""

    alignment: Alignment
    dropped: tuple[int, ...]  # sentences of the original
    added: tuple[int, ...]  # sentences of the simplified text
    lost: tuple[Fact, ...]
    new: tuple[Fact, ...]
    changed: tuple[Changed, ...]
    readability: tuple[Measure, ...]
    advice: tuple[Advice, ...]
    scores: tuple[Scored, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Comparison:
    """One or two simplifications of a text, and what the second has changed in the first."""

    first: Explanation
    second: Explanation | None = None
    between: Alignment | None = None

    @property
    def versions(self) -> tuple[Explanation, ...]:
        """The explanations that there are."""
        return (self.first,) if self.second is None else (self.first, self.second)


def compare(
    source: str,
    first: str,
    second: str = "",
    references: Sequence[str] = (),
    *,
    metrics: Iterable[str | Metric] | None = None,
    by: str | Aligner = FAST,
) -> Comparison:
    """What two versions of a simplification do; without a second one, what the first does."""
    chosen = None if metrics is None else list(metrics)
    one = explain(source, first, references, metrics=chosen, by=by)
    if not second.strip():
        return Comparison(one)
    other = explain(source, second, references, metrics=chosen, by=by)
    return Comparison(one, other, align(first, second, by=by))


def explain(
    source: str,
    output: str,
    references: Sequence[str] = (),
    *,
    metrics: Iterable[str | Metric] | None = None,
    by: str | Aligner = FAST,
) -> Explanation:
    """What became of the source: see Explanation. Without `metrics`, those that the texts allow."""
    found = align(source, output, by=by)
    spans = [[(s.start, s.end) for s in side] for side in (found.source, found.output)]
    lost, new, changed = _facts(source, output, found)
    chosen = [*(WITH_REFERENCES if references else ()), *ALONE] if metrics is None else list(metrics)
    return Explanation(
        _flagged(found, lost, new, changed),
        tuple(i for g in found.groups if g.change == "deleted" for i in g.source),
        tuple(i for g in found.groups if g.change == "added" for i in g.output),
        lost,
        new,
        changed,
        measures(source, output, spans),
        advice(source, output, spans[1]),
        tuple(score(source, output, references, m) for m in chosen),
        tuple(_notes(source, output, found, by)),
    )


def align(source: str, output: str, *, by: str | Aligner = FAST) -> Alignment:
    """Which sentence became which, and what became of every word."""
    spans = [document.sentence_spans(text) for text in (source, output)]
    chosen = aligner(by)
    large = len(spans[0]) * len(spans[1]) > _PAIRS
    if large:
        chosen = aligner(FASTEST)
    ((graph,),) = document.graphs([(source, output, ())], chosen)
    # Among many sentences common words alone would join all that are built alike.
    found = graph.groups(restriction="best-source" if large else "none")
    groups = tuple(
        Group(g.source, g.output, graph.change(g), bool(moved), _nearest(graph, g))
        for g, moved in zip(found, graph.moved(found), strict=True)
    )
    tokens = _tokens(graph, groups)
    sides = []
    for side, (texts, places) in enumerate(zip((graph.source, graph.output), spans, strict=True)):
        of = {i: k for k, g in enumerate(groups) for i in (g.source, g.output)[side]}
        sides.append(
            tuple(
                Sentence(
                    text,
                    *place,
                    word_count(text),
                    of[i],
                    tuple(Piece(t, op or "") for t, op in pieces(text, tokens[side].get(i, ()))),
                )
                for i, (text, place) in enumerate(zip(texts, places, strict=True))
            )
        )
    return Alignment(chosen.spec, sides[0], sides[1], groups)


def _nearest(graph: SentenceGraph, group: document.Group) -> int | None:
    if group.source and group.output:
        return None
    row = graph.to_output[group.source[0]] if group.source else graph.to_output[:, group.output[0]]
    return int(row.argmax()) if row.size and row.max() >= _PERHAPS else None


def _tokens(graph: SentenceGraph, groups: Sequence[Group]) -> list[dict[int, list[Token]]]:
    """The words of every sentence with their operations, found group by group."""
    out: list[dict[int, list[Token]]] = [{}, {}]
    for group in groups:
        rows = [(graph.source, group.source), (graph.output, group.output)]
        diff = operations(*(" ".join(texts[i] for i in chosen) for texts, chosen in rows), lowercase=True)
        for side, (tokens, (texts, chosen)) in enumerate(zip((diff.source, diff.output), rows, strict=True)):
            at = 0
            rest = list(tokens)
            for i in chosen:
                end = at + len(texts[i])
                inside = [t for t in rest if t.start < end]
                rest = rest[len(inside) :]
                out[side][i] = [t._replace(start=t.start - at, end=t.end - at) for t in inside]
                at = end + 1
    return out


def _facts(
    source: str, output: str, found: Alignment
) -> tuple[tuple[Fact, ...], tuple[Fact, ...], tuple[Changed, ...]]:
    """What was lost, what is new, and what stands for what: a lost and a new one of one group, in order."""
    spans = [[(s.start, s.end) for s in side] for side in (found.source, found.output)]
    lost: list[Fact] = []
    new: list[Fact] = []
    changed: list[Changed] = []
    for kind, rule in _KINDS.items():
        checked = faithfulness.check(rule, source, output)
        here, there = (
            [
                Fact(kind, m.text, sentence_of(spans[side], m.start), m.start, m.end)
                for m in mentions
                if not m.kept and spans[side]
            ]
            for side, mentions in enumerate(checked)
        )
        if kind == "negation":
            here = [f for f in here if not _denied_nearby(found, 0, f)]
            there = [f for f in there if not _denied_nearby(found, 1, f)]
        else:
            for before in list(here):
                group = found.source[before.sentence].group
                after = next((f for f in there if found.output[f.sentence].group == group), None)
                if after:
                    changed.append(Changed(kind, before, after))
                    here.remove(before)
                    there.remove(after)
        lost += here
        new += there
    return (
        tuple(sorted(lost, key=lambda f: f.start)),
        tuple(sorted(new, key=lambda f: f.start)),
        tuple(sorted(changed, key=lambda c: c.before.start)),
    )


def _denied_nearby(found: Alignment, side: int, fact: Fact) -> bool:
    """Whether the sentences that belong to a negation's own deny the same; in a whole text another may have taken it."""
    texts = (found.source, found.output)
    sentence = texts[side][fact.sentence]
    group = found.groups[sentence.group]
    others = " ".join(texts[1 - side][i].text for i in (group.output, group.source)[side])
    pair = (sentence.text, others) if side == 0 else (others, sentence.text)
    near = faithfulness.check("negations", *pair)[side]
    return any(m.kept and m.start == fact.start - sentence.start for m in near)


def _flagged(
    found: Alignment, lost: Sequence[Fact], new: Sequence[Fact], changed: Sequence[Changed]
) -> Alignment:
    """The alignment with the facts marked in its sentences."""
    marks: list[dict[int, list[tuple[int, int, Literal["lost", "new", "changed"]]]]] = [{}, {}]
    for side, facts, flag in (
        (0, lost, "lost"),
        (1, new, "new"),
        (0, [c.before for c in changed], "changed"),
        (1, [c.after for c in changed], "changed"),
    ):
        for fact in facts:
            marks[side].setdefault(fact.sentence, []).append((fact.start, fact.end, flag))  # type: ignore[arg-type]
    sides = [
        tuple(
            replace(s, pieces=tuple(_cut(s, sorted(marks[side].get(i, []))))) for i, s in enumerate(sentences)
        )
        for side, sentences in enumerate((found.source, found.output))
    ]
    return replace(found, source=sides[0], output=sides[1])


def _cut(
    sentence: Sentence, marks: Sequence[tuple[int, int, Literal["lost", "new", "changed"]]]
) -> Iterable[Piece]:
    """The pieces of a sentence, cut where marks begin and end."""
    at = sentence.start
    for piece in sentence.pieces:
        end = at + len(piece.text)
        edges = sorted({at, end, *(e for a, b, _ in marks for e in (a, b) if at < e < end)})
        for a, b in pairwise(edges):
            flag = next((f for x, y, f in marks if x <= a and b <= y), "")
            yield Piece(sentence.text[a - sentence.start : b - sentence.start], piece.op, flag)  # type: ignore[arg-type]
        at = end


def _notes(source: str, output: str, found: Alignment, by: str | Aligner) -> Iterable[str]:
    """What a reader must know before believing the rest."""
    for name, text in (("original", source), ("simplified text", output)):
        if not text.strip():
            yield f"The {name} is empty."
        elif not looks_english(text):
            yield (
                f"The {name} does not look like English. Sentences and words are compared all the same; numbers, names, "
                "negations, readability and advice follow rules for English and may be wrong."
            )
    if found.aligner != aligner(by).spec:
        yield f"The texts are long: their sentences were compared by a simpler rule ({found.aligner})."
    if source.strip() and source.strip() == output.strip():
        yield "The two texts are the same."
