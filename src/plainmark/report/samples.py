"""The samples on a page: facts about the outputs, the choice of samples, their texts, scores and marked words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..aligners import aligner
from ..data import Corpus
from ..document import graphs, sentence_spans
from ..metric import METRICS, Floats, divide
from ..operations import Diff, Op, Token, operations
from ..significance import Comparison
from ..text import tokens

Indices = NDArray[np.int64]
Gone = tuple[int, int, Op, int]  # start and end in the source, operation, place in the output
Changed = tuple[int, int, Op]  # start and end in the output, operation

# The script has the same numbers; kept words are not marked.
CODES = {"add": 1, "delete": 2, "replace": 3, "move": 4}


@dataclass(frozen=True, eq=False)
class OutputFacts:
    """Properties of the outputs apart from any score; arrays have the shape (systems, samples)."""

    source_words: NDArray[np.int64] | None  # (samples,)
    words: NDArray[np.int64]
    ratio: Floats | None  # characters of the output over those of the source
    copied: NDArray[np.bool_] | None
    empty: NDArray[np.bool_]
    grade: Floats | None  # Flesch-Kincaid grade level, if that metric is available


def output_facts(corpora: Sequence[Corpus]) -> OutputFacts:
    """The properties of the outputs of all systems on one test set."""
    first = corpora[0]
    sources = first.sources
    ratio = copied = None
    if sources is not None:
        lengths = np.array([len(t) for t in sources], dtype=np.float64)
        ratio = np.stack(
            [divide(np.array([len(t) for t in c.outputs], dtype=np.float64), lengths) for c in corpora]
        )
        bare = [t.strip() for t in sources]
        copied = np.array([[o.strip() == s for o, s in zip(c.outputs, bare, strict=True)] for c in corpora])
    grade = None
    if "fkgl" in METRICS.names():
        fkgl = METRICS.find("fkgl")()
        grade = np.stack([fkgl.sample_scores(c) for c in corpora])
    return OutputFacts(
        source_words=None if sources is None else tokens(first, "source", "none").lengths,
        words=np.stack([tokens(c, "output", "none").lengths for c in corpora]),
        ratio=ratio,
        copied=copied,
        empty=np.array([[not t.strip() for t in c.outputs] for c in corpora]),
        grade=grade,
    )


def choose(
    comparisons: Sequence[Comparison], limit: int, rng: np.random.Generator
) -> tuple[Indices, Indices]:
    """Indices of the samples to show, and those of them that were drawn at random.

    If there are more than `limit` samples, half are the worst and best of every metric and system and those on which systems
    differ most; the other half is random.
    """
    n = comparisons[0].samples.shape[1]
    if n <= limit:
        return np.arange(n), np.arange(n)
    rankings = []
    for comparison in comparisons:
        for scores in comparison.samples:
            order = np.argsort(np.where(np.isnan(scores), np.inf, scores), kind="stable")
            defined = order[: np.isfinite(scores).sum()]
            rankings += [defined, defined[::-1]]
        if len(comparison.systems) > 1:
            rankings.append(np.argsort(-gaps(comparison.samples), kind="stable"))
    share = max(limit // 2 // len(rankings), 1)
    telling = np.unique(np.concatenate([r[:share] for r in rankings]))[:limit]
    # Drawn from all samples, so that the random ones are representative.
    order = rng.permutation(n)
    new = np.cumsum(~np.isin(order, telling))
    drawn = order[: np.searchsorted(new, limit - len(telling), side="right")]
    return np.union1d(telling, drawn), np.sort(drawn)


def gaps(samples: Floats) -> Floats:
    """The difference between the best and the worst system on each sample; 0 if fewer than two are defined."""
    high = np.where(np.isnan(samples), -np.inf, samples).max(axis=0)
    low = np.where(np.isnan(samples), np.inf, samples).min(axis=0)
    return np.where(np.isfinite(high) & np.isfinite(low), high - low, 0.0)


def payload(
    comparisons: Sequence[Comparison],
    corpora: Sequence[Corpus],
    facts: OutputFacts,
    shown: Indices,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Texts, scores and marks of the shown samples, column by column, as the script reads them."""
    first = corpora[0]
    rows = shown.tolist()
    sources = None if first.sources is None else [first.sources[i] for i in rows]
    return {
        "ids": [first.ids[i] for i in rows],
        "sources": sources,
        "references": None if first.references is None else [list(first.references[i]) for i in rows],
        "outputs": [[c.outputs[i] for i in rows] for c in corpora],
        "scores": [[column(s[shown], 3) for s in c.samples] for c in comparisons],
        "sourceWords": None if facts.source_words is None else facts.source_words[shown].tolist(),
        "words": facts.words[:, shown].tolist(),
        "ratio": None if facts.ratio is None else [column(r[shown], 3) for r in facts.ratio],
        "grade": None if facts.grade is None else [column(g[shown], 2) for g in facts.grade],
        "marks": None if sources is None else _marks(sources, corpora, rows, progress),
    }


def column(values: Floats, digits: int) -> list[float | None]:
    """Numbers for JSON, rounded; undefined is null."""
    return [
        None if not np.isfinite(v) else int(r) if r == int(r) else r
        for v, r in ((v, round(v, digits)) for v in values.tolist())
    ]


def _marks(
    sources: Sequence[str],
    corpora: Sequence[Corpus],
    rows: Sequence[int],
    progress: Callable[[int, int], None] | None,
) -> list[list[list[list[int]]]]:
    """The marked words of every system and sample."""
    out = []
    for done, corpus in enumerate(corpora):
        system_marks = []
        for k, (source, i) in enumerate(zip(sources, rows, strict=True)):
            system_marks.append(marks(source, corpus.outputs[i]))
            if progress:
                progress(done * len(rows) + k + 1, len(corpora) * len(rows))
        out.append(system_marks)
    return out


def marks(source: str, output: str) -> list[list[int]]:
    """Runs of changed words: [start, end, code, place, ...] in the source and [start, end, code, ...] in the output.

    `place` is the position in the output of a deleted run: after the last kept word before it. Offsets count UTF-16
    units, as the script does. A change of case alone is no change.
    """
    in_source, in_output = _units(source), _units(output)
    several = source != output and len(sentence_spans(source)) > 1
    gone, changed = (
        _document_runs(source, output) if several else _word_runs(operations(source, output, lowercase=True))
    )
    left = [n for a, b, op, place in gone for n in (in_source(a), in_source(b), CODES[op], in_output(place))]
    right = [n for a, b, op in changed for n in (in_output(a), in_output(b), CODES[op])]
    return [left, right]


def _word_runs(diff: Diff) -> tuple[list[Gone], list[Changed]]:
    gone = [
        (run[0].start, run[-1].end, run[0].op, diff.output[before.partner].end if before else 0)
        for run, before in _runs(diff.source)
    ]
    return gone, [(run[0].start, run[-1].end, run[0].op) for run, _ in _runs(diff.output)]


def _document_runs(source: str, output: str) -> tuple[list[Gone], list[Changed]]:
    """Variant of `marks` for texts of several sentences: words are compared within aligned sentences."""
    ((graph,),) = graphs([(source, output, ())], aligner("context"))
    spans = [sentence_spans(source), sentence_spans(output)]
    gone: list[Gone] = []
    changed: list[Changed] = []
    end = 0  # the end, in the output, of the last aligned source sentence
    for group in sorted(graph.groups(), key=lambda g: g.source or (len(spans[0]),)):
        own = [
            [side[i] for i in members]
            for side, members in zip(spans, (group.source, group.output), strict=True)
        ]
        if group.source and group.output:
            joined = [
                " ".join(text[a:b] for a, b in places)
                for text, places in zip((source, output), own, strict=True)
            ]
            words = _word_runs(operations(joined[0], joined[1], lowercase=True))
            start = own[1][0][0]
            start -= bool(
                output[max(start - 1, 0) : start].isspace()
            )  # a deleted run includes the space before it
            for a, b, op, place in words[0]:
                at = _outside(place, own[1]) if place else start
                gone += [(x, y, op, at) for x, y in _pieces(a, b, own[0])]
            changed += [(x, y, op) for a, b, op in words[1] for x, y in _pieces(a, b, own[1])]
            end = own[1][-1][1]
        elif (
            graph.change(group) == "perhaps rewritten"
        ):  # its words may be anywhere, so no word is marked as deleted or added
            continue
        else:
            gone += [(a, b, "delete", end) for a, b in own[0]]
            changed += [(a, b, "add") for a, b in own[1]]
    return sorted(gone), sorted(changed)


def _outside(place: int, spans: Sequence[tuple[int, int]]) -> int:
    """The position in a text of a position in some of its sentences, which are joined by single spaces."""
    for a, b in spans:
        if place <= b - a:
            return a + place
        place -= b - a + 1
    return spans[-1][1]


def _pieces(start: int, end: int, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The parts of a text that a run in some of its sentences, joined by single spaces, covers."""
    pieces, offset = [], 0
    for a, b in spans:
        low, high = max(start - offset, 0), min(end - offset, b - a)
        if low < high:
            pieces.append((a + low, a + high))
        offset += b - a + 1
    return pieces


def _runs(tokens: Sequence[Token]) -> list[tuple[list[Token], Token | None]]:
    """Neighbouring changed tokens of one operation, each run with the last kept token before it."""
    runs: list[tuple[list[Token], Token | None]] = []
    last_kept: Token | None = None
    for i, token in enumerate(tokens):
        if token.op == "keep":
            last_kept = token
        elif i and token.op == tokens[i - 1].op:
            runs[-1][0].append(token)
        else:
            runs.append(([token], last_kept))
    return runs


def _units(text: str) -> Callable[[int], int]:
    """A function that converts an index of characters to one of UTF-16 units."""
    wide = [] if text.isascii() else [i for i, c in enumerate(text) if ord(c) > 0xFFFF]
    return (lambda index: index + sum(i < index for i in wide)) if wide else int
