"""Show what became of each sentence: kept, rewritten, split, merged, moved, deleted or added.

examples:
  plainmark align article.txt simple.txt
  plainmark align article.txt simple.txt -o graph.html
  plainmark align article.txt simple.txt reference.txt --format json
  plainmark align article.txt simple.txt reference.txt --metric sari -o graph.html
  plainmark align --evaluate links.jsonl --aligner context
Each file is one document; graph.html draws the sentences with ribbons between them. With --metric, every
group is shown with its score under `agg` and the points it costs the document. Links are JSON lines with
"complex" and "simple", two lists of sentences, and "links", a list of [i, j, label].
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..aligners import Aligner, aligner
from ..api._metrics import parse_metrics
from ..data import Corpus
from ..document import Group, SentenceGraph, align
from ..errors import InputError, OptionError
from ..files import open_text
from ..metrics._agg_explanation import AggExplanation
from ..metrics.agg import Agg
from ..reading import read_corpus
from ..result import Listing, Result, Row, Titled, finite
from ..table import Cell, Table
from ._arguments import add_aligner, add_output, add_quiet, check_share, output_format, write_result
from ._progress import Progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="the article, its simplification, and perhaps a reference"
    )
    add_aligner(parser, "context", "context, jaccard, tfidf, embedding, bertscore or bert")
    parser.add_argument(
        "--threshold",
        type=float,
        default=0.5,
        metavar="X",
        help="similarity above which sentences are joined (default: 0.5)",
    )
    parser.add_argument(
        "--metric",
        metavar="METRIC",
        default="",
        help="also score every group with this metric, as agg(METRIC) does",
    )
    parser.add_argument(
        "--evaluate", metavar="LINKS", help="compare the aligner with gold links in a JSON lines file"
    )
    add_output(parser)
    add_quiet(parser)


def run(options: argparse.Namespace) -> int:
    form = output_format(options)
    selected = aligner(options.aligner)
    check_share("--threshold", options.threshold)
    if options.evaluate:
        result, summary = _evaluate(options, selected)
        write_result(options, result, form, summary)
        return 0
    if not 2 <= len(options.files) <= 3:
        raise OptionError(
            f"found {len(options.files)} files, expected an article, its simplification and perhaps a reference."
        )
    source, output, *reference = (_document(path) for path in options.files)
    (graph,) = align(source, output, reference, by=selected)
    groups = graph.groups(threshold=options.threshold)
    names = tuple(Path(file).name for file in options.files)
    scored = _scored(options, selected, (source, output, reference)) if options.metric else None
    document = AlignedDocument(graph, groups, names, scored)
    write_result(options, document, form, f"{len(groups)} groups of sentences")
    return 0


def _scored(
    options: argparse.Namespace, selected: Aligner, texts: tuple[str, str, list[str]]
) -> AggExplanation:
    """The score of every group; the metric must be able to run on these texts."""
    source, output, references = texts
    (inner,) = parse_metrics(options.metric)
    metric = Agg(inner, aligner=selected, threshold=options.threshold)
    corpus = Corpus([source], [output], [references] if references else None)
    if "references" in metric.required() and not references:
        raise OptionError(f"{inner.spec} needs a reference; give it as the third file.")
    return metric.explain(corpus)[0]


@dataclass(frozen=True, eq=False)
class AlignedDocument(Result):
    """The sentences of a document and its simplification, in groups; a row is a sentence."""

    graph: SentenceGraph
    groups: list[Group]
    names: tuple[str, ...]
    scored: AggExplanation | None = None

    def tables(self) -> list[Titled]:
        headings = ["group", "change", "side", "number", "sentence"]
        return [
            ("", Table(headings, [[Cell(str(row[h]), row[h]) for h in headings] for row in self.records()]))
        ]

    def records(self) -> list[Row]:
        scores = self._scores()
        return [
            {
                "group": number,
                "change": self.graph.change(group),
                "moved": moved,
                "side": side,
                "number": i + 1,
                "sentence": sentences[i],
                **scores.get(group, {}),
            }
            for number, (group, moved) in enumerate(
                zip(self.groups, self.graph.moved(self.groups), strict=True), 1
            )
            for side, indices, sentences in (
                ("source", group.source, self.graph.source),
                ("output", group.output, self.graph.output),
                ("reference", group.reference, self.graph.reference),
            )
            for i in indices
        ]

    def to_dict(self) -> dict[str, Any]:
        record, scores = as_record(self.graph, self.groups), self._scores()
        for group, entry in zip(self.groups, record["groups"], strict=True):
            entry |= scores.get(group, {})
        return record | ({"score": finite(self.scored.score)} if self.scored else {})

    def to_text(self, *, bold: bool = False) -> str:
        text = describe(self.graph, self.groups) + "\n"
        if self.scored is None:
            return text
        from ..report import groups

        return f"{text}\n{groups.text(self.scored, 'score')}\n"

    def to_html(self) -> str:
        from ..report import alignment

        return alignment.render(self.graph, self.groups, names=self.names, scored=self.scored)

    def _scores(self) -> dict[Group, dict[str, float | None]]:
        """The score and the cost of each group, if --metric asks for them."""
        groups = self.scored.groups if self.scored else ()
        return {g.group: {"score": finite(g.score), "cost": finite(g.cost)} for g in groups}


def describe(graph: SentenceGraph, groups: list[Group]) -> str:
    """One paragraph per group: what happened, and to which sentences."""
    out = []
    for group, moved in zip(groups, graph.moved(groups), strict=True):
        change = graph.change(group) + (", moved" if moved else "")
        if not group.source and not group.output:
            change = "in the reference only"
        if candidates := graph.candidates(group):
            side = graph.output if group.source else graph.source
            change += ": check"
        lines = [change]
        lines += [f"  - {i + 1:3} {graph.source[i]}" for i in group.source]
        lines += [f"  + {i + 1:3} {graph.output[i]}" for i in group.output]
        lines += [f"  = {i + 1:3} {graph.reference[i]}" for i in group.reference]
        if candidates:
            lines += [f"  ? {i + 1:3} {side[i]}" for i in candidates]
        out.append("\n".join(lines))
    return "\n\n".join(out)


def as_record(graph: SentenceGraph, groups: list[Group]) -> dict[str, Any]:
    """The graph as plain data."""
    return {
        "source": graph.source,
        "output": graph.output,
        "reference": graph.reference,
        "groups": [
            {
                "source": g.source,
                "output": g.output,
                "reference": g.reference,
                "change": graph.change(g),
                "moved": m,
                "candidates": graph.candidates(g),
            }
            for g, m in zip(groups, graph.moved(groups), strict=True)
        ],
        "similarity": {
            "output": graph.to_output.round(4).tolist(),
            "reference": graph.to_reference.round(4).tolist(),
        },
    }


def _document(path: str) -> str:
    return "\n".join(read_corpus(output=path).outputs)


def _evaluate(options: argparse.Namespace, selected: Aligner) -> tuple[Listing, str]:
    """Precision and recall of an aligner on gold links."""
    rows = list(_links(options.evaluate))
    with Progress("aligning", quiet=options.quiet) as progress:
        matrices = selected.align_many([(a, b) for a, b, _ in rows], progress)
    hits = predictions = gold = full_hits = full_gold = 0
    for (_, _, links), matrix in zip(rows, matrices, strict=True):
        predicted = matrix > options.threshold
        linked, full = np.zeros(predicted.shape, bool), np.zeros(predicted.shape, bool)
        for i, j, label in links:
            linked[i, j] = True
            full[i, j] = label == "aligned"
        hits += int((predicted & linked).sum())
        predictions += int(predicted.sum())
        gold += int(linked.sum())
        full_hits += int((predicted & full).sum())
        full_gold += int(full.sum())
    precision, recall = hits / max(predictions, 1), hits / max(gold, 1)
    record = {
        "aligner": selected.spec,
        "threshold": options.threshold,
        "documents": len(rows),
        "links": gold,
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / max(precision + recall, 1e-12),
        "recall_of_full_links": full_hits / max(full_gold, 1),
    }
    cells = [
        Cell(selected.spec),
        *(Cell(f"{100 * float(record[k]):.1f}", record[k]) for k in ("precision", "recall", "f1")),
    ]
    note = f"{len(rows)} documents, {gold} links, {full_hits} of {full_gold} full links found, threshold {options.threshold:g}"
    table = Table(["aligner", "precision", "recall", "F1"], [cells], [note])
    return Listing.of(table, flat=[record], data=record), note


def _links(path: str) -> Iterator[tuple[list[str], list[str], list[tuple[int, int, str]]]]:
    with open_text(path) as lines:
        for number, line in enumerate(lines, 1):
            place = f"{path}, line {number}"
            try:
                row = json.loads(line)
                a, b, links = row["complex"], row["simple"], row["links"]
            except (ValueError, KeyError, TypeError, RecursionError):
                raise InputError(
                    f'{place}: expected a JSON object with "complex", "simple" and "links".'
                ) from None
            if not all(isinstance(side, list) and all(isinstance(s, str) for s in side) for side in (a, b)):
                raise InputError(f'{place}: "complex" and "simple" must be lists of sentences.')
            for link in links:
                valid = isinstance(link, list) and len(link) >= 2 and all(type(x) is int for x in link[:2])
                if not valid or not (0 <= link[0] < len(a) and 0 <= link[1] < len(b)):
                    raise InputError(f"{place}: link {link} does not name a sentence of each side.")
            yield a, b, [(i, j, str(label[0]) if label else "aligned") for i, j, *label in links]
