"""Explains what a simplification changed in a text, in one object: sentences, words, facts, readability, findings and
scores.

>>> from plainmark.explanation import explain
>>> explanation = explain("Nobody lost 12 coins. It rained.", "Nobody lost 21 coins.")
>>> [(e.kind, e.before.text, e.after.text) for e in explanation.ledger.entries if e.verdict == "changed"]
[('number', '12', '21')]
>>> [explanation.alignment.source[i].text for i in explanation.dropped]
['It rained.']
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from .. import document
from ..aligners import Aligner
from ..aligners import aligner as load_aligner
from ..checks import Checker, Finding
from ..data import Corpus
from ..document import Change, SentenceGraph
from ..faithfulness import Ledger, Pair, facts
from ..lexicon.language import looks, looks_english
from ..metric import Metric
from ..metrics._kept import ComparedSample, compared_samples
from ..operations import Op, Token, operations, pieces
from .readability import Measure, measures, sentence_of, word_count
from .scores import ALONE, WITH_REFERENCES, ExplainedScore, score

FAST = "context"  # needs no model

Flag = Literal["changed", "check", "gone", "new"]


@dataclass(frozen=True)
class WordRun:
    """Words of one operation, or the space between words (""); flag marks facts that differ in the other text."""

    text: str
    op: Op | Literal[""]
    flag: Flag | Literal[""] = ""


@dataclass(frozen=True)
class Sentence:
    """A sentence, its position in its text, the group it belongs to, and its words by operation."""

    text: str
    start: int
    end: int
    words: int
    group: int
    runs: tuple[WordRun, ...]


@dataclass(frozen=True)
class SentenceGroup:
    """Aligned sentences, as indices, and the change in them.

    For a sentence without a partner, `candidates` are the sentences of the other text that may say the same, the likeliest
    first; it is "perhaps rewritten" if there are any, else "deleted" or "added".
    """

    source: tuple[int, ...]
    output: tuple[int, ...]
    change: Change
    moved: bool
    candidates: tuple[int, ...] = ()


@dataclass(frozen=True)
class Alignment:
    """The alignment of the sentences of two texts."""

    aligner: str
    source: tuple[Sentence, ...]
    output: tuple[Sentence, ...]
    groups: tuple[SentenceGroup, ...]

    def count(self, change: str) -> int:
        """The number of groups with a change; "moved" is counted in addition to the other change."""
        return sum(g.moved if change == "moved" else g.change == change for g in self.groups)


@dataclass(frozen=True)
class Explanation:
    """All findings about a text and its simplification."""

    alignment: Alignment
    dropped: tuple[int, ...]  # sentences of the original
    added: tuple[int, ...]  # sentences of the simplified text
    perhaps_dropped: tuple[
        int, ...
    ]  # sentences of the original that were dropped, or rewritten in other words
    perhaps_added: tuple[
        int, ...
    ]  # sentences of the simplified text that were added, or rewritten from others
    ledger: Ledger
    readability: tuple[Measure, ...]
    findings: tuple[
        Finding, ...
    ]  # findings of `plainmark check` in the simplified text; sentences are numbered as above
    scores: tuple[ExplainedScore, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class VersionComparison:
    """One or two simplifications of a text, and the changes from the first to the second."""

    first: Explanation
    second: Explanation | None = None
    between: Alignment | None = None

    @property
    def versions(self) -> tuple[Explanation, ...]:
        """One explanation per version."""
        return (self.first,) if self.second is None else (self.first, self.second)


def compare(
    source: str,
    first: str,
    second: str = "",
    references: Sequence[str] = (),
    *,
    metrics: Iterable[str | Metric] | None = None,
    aligner: str | Aligner = FAST,
) -> VersionComparison:
    """Explain two versions of a simplification, or only the first."""
    metrics = None if metrics is None else list(metrics)
    explanation = explain(source, first, references, metrics=metrics, aligner=aligner)
    if not second.strip():
        return VersionComparison(explanation)
    other = explain(source, second, references, metrics=metrics, aligner=aligner)
    return VersionComparison(explanation, other, align(first, second, aligner=aligner))


def explain(
    source: str,
    output: str,
    references: Sequence[str] = (),
    *,
    metrics: Iterable[str | Metric] | None = None,
    aligner: str | Aligner = FAST,
) -> Explanation:
    """Explain a simplification. Without `metrics`, the scores are those that the texts allow."""
    alignment = align(source, output, aligner=aligner)
    corpus = Corpus([source], [output], [list(references)] if references else None)
    spans = [[(s.start, s.end) for s in side] for side in (alignment.source, alignment.output)]
    ledger = _ledger(alignment, *compared_samples(corpus))
    specs = [*(WITH_REFERENCES if references else ()), *ALONE] if metrics is None else metrics
    return Explanation(
        _flagged(alignment, ledger),
        tuple(i for g in alignment.groups if g.change == "deleted" for i in g.source),
        tuple(i for g in alignment.groups if g.change == "added" for i in g.output),
        tuple(i for g in alignment.groups if g.change == "perhaps rewritten" for i in g.source),
        tuple(i for g in alignment.groups if g.change == "perhaps rewritten" for i in g.output),
        ledger,
        measures(source, output, spans),
        _findings(output, spans[1]),
        tuple(score(corpus, m) for m in specs),
        tuple(_notes(source, output)),
    )


def _findings(output: str, spans: Sequence[tuple[int, int]]) -> tuple[Finding, ...]:
    """The findings of the rules for writers, with the numbers of the sentences in `spans`."""
    findings = Checker().check(output).findings
    return tuple(replace(f, sentence=sentence_of(spans, f.start)) for f in findings)


def _ledger(alignment: Alignment, sample: ComparedSample) -> Ledger:
    """The facts, compared within the alignment's groups; the metrics' own ledger if that has the same groups."""
    groups = [(g.source, g.output) for g in alignment.groups]
    pair = Pair(sample.pair.source, sample.pair.output, groups)
    return sample.ledger if pair.groups == sample.pair.groups else facts(pair)


def align(source: str, output: str, *, aligner: str | Aligner = FAST) -> Alignment:
    """Align the sentences and words of two texts."""
    spans = [document.sentence_spans(text) for text in (source, output)]
    used = load_aligner(aligner)
    ((graph,),) = document.graphs([(source, output, ())], used)
    grouped = graph.groups()
    groups = tuple(
        SentenceGroup(g.source, g.output, graph.change(g), bool(moved), graph.candidates(g))
        for g, moved in zip(grouped, graph.moved(grouped), strict=True)
    )
    tokens = _tokens(graph, groups)
    sides = []
    for side, (texts, places) in enumerate(zip((graph.source, graph.output), spans, strict=True)):
        group_of = {i: k for k, g in enumerate(groups) for i in (g.source, g.output)[side]}
        sides.append(
            tuple(
                Sentence(
                    text,
                    *place,
                    word_count(text),
                    group_of[i],
                    tuple(WordRun(t, op or "") for t, op in pieces(text, tokens[side].get(i, ()))),
                )
                for i, (text, place) in enumerate(zip(texts, places, strict=True))
            )
        )
    return Alignment(used.spec, sides[0], sides[1], groups)


def _tokens(graph: SentenceGraph, groups: Sequence[SentenceGroup]) -> list[dict[int, list[Token]]]:
    """The words of every sentence with their operations, computed group by group."""
    out: list[dict[int, list[Token]]] = [{}, {}]
    for group in groups:
        rows = [(graph.source, group.source), (graph.output, group.output)]
        diff = operations(*(" ".join(texts[i] for i in members) for texts, members in rows), lowercase=True)
        for side, (tokens, (texts, members)) in enumerate(zip((diff.source, diff.output), rows, strict=True)):
            start = 0
            rest = list(tokens)
            for i in members:
                end = start + len(texts[i])
                inside = [t for t in rest if t.start < end]
                rest = rest[len(inside) :]
                out[side][i] = [t._replace(start=t.start - start, end=t.end - start) for t in inside]
                start = end + 1
    return out


def _flagged(alignment: Alignment, ledger: Ledger) -> Alignment:
    """The alignment with the facts that differ marked in its sentences."""
    marks: list[dict[int, list[tuple[int, int, Flag]]]] = [{}, {}]
    for entry in ledger.entries:
        if entry.verdict != "same":
            for side, place in enumerate((entry.before, entry.after)):
                if place:
                    marks[side].setdefault(place.sentence, []).append((place.start, place.end, entry.verdict))
    sides = [
        tuple(
            replace(s, runs=tuple(_cut(s, sorted(marks[side].get(i, []))))) for i, s in enumerate(sentences)
        )
        for side, sentences in enumerate((alignment.source, alignment.output))
    ]
    return replace(alignment, source=sides[0], output=sides[1])


def _cut(sentence: Sentence, marks: Sequence[tuple[int, int, Flag]]) -> Iterable[WordRun]:
    """The runs of a sentence, cut at the boundaries of marks, which are in order."""
    start = sentence.start
    ahead = deque(marks)
    near: list[tuple[int, int, Flag]] = []  # open marks
    for run in sentence.runs:
        end = start + len(run.text)
        while ahead and ahead[0][0] < end:
            near.append(ahead.popleft())
        near = [mark for mark in near if mark[1] > start]
        edges = sorted({start, end, *(e for a, b, _ in near for e in (a, b) if start < e < end)})
        for a, b in pairwise(edges):
            flag = next((f for x, y, f in near if x <= a and b <= y), "")
            yield WordRun(sentence.text[a - sentence.start : b - sentence.start], run.op, flag)  # type: ignore[arg-type]
        start = end


def _notes(source: str, output: str) -> Iterable[str]:
    """Notes to read before trusting the rest."""
    for name, text in (("original", source), ("simplified text", output)):
        if not text.strip():
            yield f"The {name} is empty."
        elif not looks_english(text):
            yield (
                f"The {name} {looks(text)}. Sentences, words and numbers are compared anyway; names, negations and other "
                "facts, readability and findings follow rules for English and were not checked."
            )
    if source.strip() and source.strip() == output.strip():
        yield "The two texts are the same."
