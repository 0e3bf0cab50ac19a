"""Explain a metric's score sample by sample: for SAMSA each Scene, the sentence it went to, and what is missing.

examples:
  plainmark explain samsa -s source.txt -o output.txt
  plainmark explain samsa -s source.txt -o output.txt --html page.html
  plainmark explain "samsa(parses='gold/')" -s source.txt -o output.txt --json
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Protocol, runtime_checkable

from ..data import Corpus
from ..errors import OptionError
from ..metric import METRICS, metric
from ..reading import read_corpus
from ..ucca.scenes import SamsaExplanation
from ..writing import write_atomically
from ._arguments import fields_of
from ._progress import Progress, with_models


@runtime_checkable
class Explains(Protocol):
    """A metric that can say how its scores come about."""

    def explain(self, corpus: Corpus) -> list[SamsaExplanation]: ...


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "metric", metavar="METRIC", help="samsa, with options if need be: \"samsa(parses='gold/')\""
    )
    parser.add_argument("-s", "--source", metavar="FILE", required=True, help="the source texts")
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="a system's outputs")
    parser.add_argument("--html", metavar="FILE", help="write a page that shows it")
    parser.add_argument("--json", action="store_true", help="print it as JSON, one line a sample")
    parser.add_argument(
        "--fields",
        metavar="NAME=FIELD,…",
        help="names in .jsonl, .csv and .tsv files, such as source=original,output=simplification",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress bar")


def run(options: argparse.Namespace) -> int:
    from ..report import scenes

    chosen = metric(options.metric)
    if not isinstance(chosen, Explains):
        can = [name for name in METRICS.names() if issubclass(METRICS.find(name), Explains)]
        raise OptionError(f"{chosen.name} explains nothing; these metrics do: {', '.join(can)}.")
    corpus = read_corpus(output=options.output, source=options.source, fields=fields_of(options.fields))
    with Progress("explaining", quiet=options.quiet) as progress, with_models(progress):
        found = chosen.explain(corpus)
    names = [f"sample {name}" for name in corpus.ids]
    if options.html:
        subject = f"{Path(options.output).name}, simplified from {Path(options.source).name}"
        page = scenes.render(found, names=names, subject=subject, signature=chosen.signature())
        write_atomically(options.html, page)
    if options.json:
        for name, one in zip(corpus.ids, found, strict=True):
            print(json.dumps({"id": name} | one.record(), ensure_ascii=False))
    elif options.html:
        print(f"{options.html}: {len(found)} samples")
    else:
        print("\n\n".join(scenes.text(one, name) for one, name in zip(found, names, strict=True)))
    return 0
