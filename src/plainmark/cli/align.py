"""Show which sentence became which: kept, rewritten, split, merged, moved, deleted, added.

examples:
  plainmark align article.txt simple.txt --html graph.html
  plainmark align article.txt simple.txt reference.txt --json
  plainmark align --evaluate links.jsonl --aligner context
Each file is one document. Links are JSON lines with "complex" and "simple", two lists of sentences, and "links",
a list of [i, j, label].
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ..aligners import Aligner, aligner
from ..document import Group, SentenceGraph, align
from ..errors import InputError, OptionError
from ..files import open_text
from ..reading import read_corpus
from ..report.table import Cell, Table
from ..writing import write_atomically
from ._progress import Progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="the article, its simplification, and perhaps a reference"
    )
    parser.add_argument(
        "--aligner",
        default="context",
        metavar="ALIGNER",
        help="context (default), jaccard, tfidf, embedding, bertscore, bert",
    )
    parser.add_argument(
        "--threshold",
        type=float,
        default=0.5,
        metavar="X",
        help="similarity above which sentences are joined (default: 0.5)",
    )
    parser.add_argument("--html", metavar="FILE", help="also draw the sentences with ribbons between them")
    parser.add_argument("--json", action="store_true", help="sentences, groups and similarities as JSON")
    parser.add_argument(
        "--evaluate", metavar="LINKS", help="compare the aligner with gold links in a JSON lines file"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress bar")


def run(options: argparse.Namespace) -> int:
    by = aligner(options.aligner)
    if not 0 <= options.threshold <= 1:
        raise OptionError(f"--threshold {options.threshold}: expected a number from 0 to 1.")
    if options.evaluate:
        return _evaluate(options, by)
    if not 2 <= len(options.files) <= 3:
        raise OptionError(
            f"found {len(options.files)} files, expected an article, its simplification and perhaps a reference."
        )
    source, output, *reference = (_document(path) for path in options.files)
    (graph,) = align(source, output, reference, by=by)
    groups = graph.groups(threshold=options.threshold)
    if options.html:
        from ..report import alignment

        write_atomically(
            options.html, alignment.render(graph, groups, names=[Path(f).name for f in options.files])
        )
    if options.json:
        print(json.dumps(as_record(graph, groups), indent=2, ensure_ascii=False))
    else:
        print(describe(graph, groups))
        if options.html:
            print(f"\n{options.html}: the picture")
    return 0


def describe(graph: SentenceGraph, groups: list[Group]) -> str:
    """One paragraph a group: what happened, and to which sentences."""
    out = []
    for group, moved in zip(groups, graph.moved(groups), strict=True):
        change = graph.change(group) + (", moved" if moved else "")
        if not group.source and not group.output:
            change = "in the reference only"
        lines = [change]
        lines += [f"  - {i + 1:3} {graph.source[i]}" for i in group.source]
        lines += [f"  + {i + 1:3} {graph.output[i]}" for i in group.output]
        lines += [f"  = {i + 1:3} {graph.reference[i]}" for i in group.reference]
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


def _evaluate(options: argparse.Namespace, by: Aligner) -> int:
    rows = list(_links(options.evaluate))
    with Progress("aligning", quiet=options.quiet) as progress:
        matrices = by.align_many([(a, b) for a, b, _ in rows], progress)
    hits = found = gold = aligned_found = aligned_gold = 0
    for (_, _, links), matrix in zip(rows, matrices, strict=True):
        predicted = matrix > options.threshold
        wanted, full = np.zeros(predicted.shape, bool), np.zeros(predicted.shape, bool)
        for i, j, label in links:
            wanted[i, j] = True
            full[i, j] = label == "aligned"
        hits += int((predicted & wanted).sum())
        found += int(predicted.sum())
        gold += int(wanted.sum())
        aligned_found += int((predicted & full).sum())
        aligned_gold += int(full.sum())
    precision, recall = hits / max(found, 1), hits / max(gold, 1)
    record = {
        "aligner": by.spec,
        "threshold": options.threshold,
        "documents": len(rows),
        "links": gold,
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / max(precision + recall, 1e-12),
        "recall_of_full_links": aligned_found / max(aligned_gold, 1),
    }
    if options.json:
        print(json.dumps(record, indent=2))
        return 0
    cells = [
        Cell(by.spec),
        *(Cell(f"{100 * float(record[k]):.1f}", record[k]) for k in ("precision", "recall", "f1")),
    ]
    note = f"{len(rows)} documents, {gold} links, {aligned_found} of {aligned_gold} full links found, threshold {options.threshold:g}"
    sys.stdout.write(Table(["aligner", "precision", "recall", "F1"], [cells], [note]).text())
    return 0


def _links(path: str) -> Iterator[tuple[list[str], list[str], list[tuple[int, int, str]]]]:
    with open_text(path) as lines:
        for number, line in enumerate(lines, 1):
            where = f"{path}, line {number}"
            try:
                row = json.loads(line)
                a, b, links = row["complex"], row["simple"], row["links"]
            except (ValueError, KeyError, TypeError, RecursionError):
                raise InputError(
                    f'{where}: expected a JSON object with "complex", "simple" and "links".'
                ) from None
            if not all(isinstance(side, list) and all(isinstance(s, str) for s in side) for side in (a, b)):
                raise InputError(f'{where}: "complex" and "simple" must be lists of sentences.')
            for link in links:
                fits = isinstance(link, list) and len(link) >= 2 and all(type(x) is int for x in link[:2])
                if not fits or not (0 <= link[0] < len(a) and 0 <= link[1] < len(b)):
                    raise InputError(f"{where}: link {link} does not name a sentence of each side.")
            yield a, b, [(i, j, str(label[0]) if label else "aligned") for i, j, *label in links]
