"""Perturb texts by a known amount: `plainmark perturb texts.jsonl --with negate --strength 0.5 --seed 1`.

Prints one JSON line a text: id, perturbation, criterion, level, seed, requested and realised strength, eligible places,
changed spans [start, end, start before, end before] and the text. The same seed gives the same texts on every machine.
examples:
  plainmark perturb texts.txt --with delete --strength 0.3 --text
  plainmark perturb texts.txt --with "entities(table='drugs.csv')" --levels 10 > levels.jsonl
`plainmark list perturbations` shows all.
"""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import nullcontext

from ..data import Corpus
from ..errors import InputError, MissingResourceError, OptionError
from ..perturbations import generator, perturbation
from ..reading import read_corpus
from ..testbed import from_corpus
from ..writing import writing
from ._arguments import fields_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "texts",
        metavar="TEXTS",
        help="the texts: one a line, .jsonl, .csv, .tsv, a folder, or - for standard input",
    )
    parser.add_argument(
        "--with",
        dest="perturbations",
        metavar="PERTURBATION",
        action="append",
        required=True,
        help="what to do, such as negate or \"delete(order='salience')\"; may be given several times",
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--strength", type=float, metavar="X", help="from 0, nothing, to 1, all (default: 1)")
    how.add_argument("--levels", type=int, metavar="N", help="N equal steps up to strength 1 instead of one")
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="seed of all that is random (default: 1)"
    )
    parser.add_argument(
        "-s", "--source", metavar="FILE", help="the source texts, for error_copy and error_in_document"
    )
    parser.add_argument("--simplified", metavar="FILE", help="simpler versions of the texts, for simplify")
    parser.add_argument(
        "--fields", metavar="NAME=FIELD,…", help="names in .jsonl, .csv and .tsv files, such as output=body"
    )
    parser.add_argument("--text", action="store_true", help="print the texts alone, one a line")
    parser.add_argument("-o", "--out", metavar="FILE", help="write to a file instead of standard output")
    parser.add_argument("-q", "--quiet", action="store_true", help="no summary on standard error")


def run(options: argparse.Namespace) -> int:
    strengths = _strengths(options)
    chosen = [perturbation(spec) for spec in options.perturbations]
    for one in chosen:
        if reason := one.missing():
            raise MissingResourceError(f"perturbation {one.name} {reason}")
    corpus = _read(options)
    simplified = read_corpus(output=options.simplified).outputs if options.simplified else None
    if simplified is not None and len(simplified) != len(corpus):
        raise InputError(
            f"{options.simplified}: {len(simplified)} texts, but there are {len(corpus)} texts to perturb."
        )
    documents = from_corpus(corpus, simplified=simplified).documents
    with writing(options.out) if options.out else nullcontext(sys.stdout) as out:
        for one in chosen:
            eligible, realised = 0, 0.0
            for document in documents:
                made = one.levels(document, strengths, generator(options.seed, one, document.id))
                for level, (strength, p) in enumerate(zip(strengths, made, strict=True), 1):
                    row = {
                        "id": document.id, "perturbation": one.spec, "criterion": one.criterion, "level": level,
                        "seed": options.seed, "requested": strength, "realised": p.realised, "eligible": p.eligible,
                        "spans": [list(s) for s in p.spans], "text": p.text, "reason": p.reason,
                    }  # fmt: skip
                    line = (
                        " ".join(p.text.splitlines()) if options.text else json.dumps(row, ensure_ascii=True)
                    )
                    out.write(line + "\n")
                eligible += bool(made[-1].eligible)
                realised += made[-1].realised
            if not options.quiet:
                mean = f"{realised / eligible:.2f}" if eligible else "–"
                print(
                    f"plainmark: {one.spec}: {eligible} of {len(documents)} texts eligible, mean realised strength {mean}",
                    file=sys.stderr,
                )
    return 0


def _strengths(options: argparse.Namespace) -> list[float]:
    if options.levels is not None:
        if not 1 <= options.levels <= 1000:
            raise OptionError(f"--levels {options.levels}: expected a number from 1 to 1000.")
        return [(i + 1) / options.levels for i in range(options.levels)]
    strength = 1.0 if options.strength is None else options.strength
    if not 0 <= strength <= 1:
        raise OptionError(f"--strength {strength:g}: expected a number from 0 to 1.")
    return [strength]


def _read(options: argparse.Namespace) -> Corpus:
    fields = fields_of(options.fields)
    try:
        return read_corpus(output=options.texts, source=options.source, fields=fields)
    except InputError as problem:
        # A file of texts that are nobody's output may call them just that.
        if fields or "none of the fields" not in str(problem):
            raise
        try:
            return read_corpus(output=options.texts, source=options.source, fields={"output": "text"})
        except InputError:
            raise problem from None
