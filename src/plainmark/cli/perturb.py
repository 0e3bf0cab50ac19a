"""Perturb texts by a known amount, for example by negating sentences or changing numbers.

The command prints one JSON line per text: id, perturbation, criterion, level, seed, requested and realised strength,
eligible places, changed spans [start, end, start before, end before] and the text. The same seed gives the same texts on
every machine.
examples:
  plainmark perturb texts.jsonl --with negate --strength 0.5 --seed 1
  plainmark perturb texts.txt --with delete --strength 0.3 --format text
  plainmark perturb texts.txt --with "entities(table='drugs.csv')" --levels 10 -o levels.jsonl
`plainmark list perturbations` shows all perturbations.
"""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import nullcontext

from ..data import Corpus
from ..errors import InputError, MissingResourceError, OptionError
from ..languages import check_code
from ..perturbations import check_language, generator, perturbation
from ..reading import read_corpus
from ..testbed import from_corpus
from ..writing import writing
from ._arguments import (
    add_fields,
    add_language,
    add_output,
    add_quiet,
    add_seed,
    check_share,
    output_format,
    parse_fields,
    texts_given,
)

FORMS = ("jsonl", "text")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "texts",
        nargs="?",
        metavar="TEXTS",
        help="the texts: one per line, .jsonl, .csv, .tsv, a folder (default: standard input)",
    )
    parser.add_argument(
        "--with",
        dest="perturbations",
        metavar="PERTURBATION",
        action="append",
        required=True,
        help="what to do, such as negate or \"delete(order='salience')\"; may be given several times",
    )
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument(
        "--strength", type=float, metavar="X", help="from 0 (nothing) to 1 (everything) (default: 1)"
    )
    amount.add_argument(
        "--levels", type=int, metavar="N", help="N equal steps up to strength 1 instead of one"
    )
    add_seed(parser, "the random choices")
    parser.add_argument(
        "-s", "--source", metavar="FILE", help="the source texts, for error_copy and error_in_document"
    )
    parser.add_argument("--simplified", metavar="FILE", help="simpler versions of the texts, for simplify")
    add_fields(parser)
    add_language(parser)
    add_output(parser, FORMS)
    add_quiet(parser)


def run(options: argparse.Namespace) -> int:
    form = output_format(options, FORMS, {".jsonl": "jsonl", ".ndjson": "jsonl", ".txt": "text"})
    strengths = _strengths(options)
    perturbations = [perturbation(spec) for spec in options.perturbations]
    corpus = _read(options)
    check_language(perturbations, corpus.outputs, options.language and check_code(options.language))
    for change in perturbations:
        if reason := change.missing():
            raise MissingResourceError(f"perturbation {change.name} {reason}")
    simplified = read_corpus(output=options.simplified).outputs if options.simplified else None
    if simplified is not None and len(simplified) != len(corpus):
        raise InputError(
            f"{options.simplified}: {len(simplified)} texts, but there are {len(corpus)} texts to perturb."
        )
    documents = from_corpus(corpus, simplified=simplified).documents
    with writing(options.output) if options.output else nullcontext(sys.stdout) as out:
        for change in perturbations:
            eligible, realised = 0, 0.0
            for document in documents:
                results = change.levels(document, strengths, generator(options.seed, change, document.id))
                for level, (strength, p) in enumerate(zip(strengths, results, strict=True), 1):
                    row = {
                        "id": document.id, "perturbation": change.spec, "criterion": change.criterion, "level": level,
                        "seed": options.seed, "requested": strength, "realised": p.realised, "eligible": p.eligible,
                        "spans": [list(s) for s in p.spans], "text": p.text, "reason": p.reason,
                    }  # fmt: skip
                    line = (
                        " ".join(p.text.splitlines())
                        if form == "text"
                        else json.dumps(row, ensure_ascii=True)
                    )
                    out.write(line + "\n")
                eligible += bool(results[-1].eligible)
                realised += results[-1].realised
            if not options.quiet:
                mean = f"{realised / eligible:.2f}" if eligible else "–"
                print(
                    f"plainmark: {change.spec}: {eligible} of {len(documents)} texts eligible, mean realised strength {mean}",
                    file=sys.stderr,
                )
    return 0


def _strengths(options: argparse.Namespace) -> list[float]:
    if options.levels is not None:
        if not 1 <= options.levels <= 1000:
            raise OptionError(f"--levels {options.levels}: expected a number from 1 to 1000.")
        return [(i + 1) / options.levels for i in range(options.levels)]
    strength = 1.0 if options.strength is None else options.strength
    check_share("--strength", strength)
    return [strength]


def _read(options: argparse.Namespace) -> Corpus:
    fields = parse_fields(options.fields)
    (texts,) = texts_given([options.texts] if options.texts else [])
    try:
        return read_corpus(output=texts, source=options.source, fields=fields)
    except InputError as problem:
        # A file of texts that are no system's outputs may name its field "text".
        if fields or "none of the fields" not in str(problem):
            raise
        try:
            return read_corpus(output=texts, source=options.source, fields={"output": "text"})
        except InputError:
            raise problem from None
