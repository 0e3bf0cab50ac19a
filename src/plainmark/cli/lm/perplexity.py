"""Measure how well a language model predicts texts.

example:
  plainmark lm perplexity lm.arpa.gz text.txt
Perplexity is 10 to the power of the mean of -log10 P over words and ends of sentences. You can compare two models on a
text if they have the same vocabulary.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict

from ...errors import InputError
from ...files import open_text
from ...lm import LanguageModel
from ...result import Listing
from ...table import Cell, Table
from .._arguments import add_output, output_format, texts_given, write_result


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="an ARPA file or one that `lm train` wrote (.gz, .xz)")
    parser.add_argument(
        "texts", nargs="*", metavar="TEXT", help="sentences, one per line (default: standard input)"
    )
    add_output(parser)


def run(options: argparse.Namespace) -> int:
    form = output_format(options)
    model = LanguageModel.load(options.model)
    measured = {}
    for path in texts_given(options.texts):
        with open_text(path) as rows:
            lines = [row for row in rows if row.strip()]
        if not lines:
            raise InputError(f"{path}: empty, expected sentences, one per line.")
        measured[path] = model.perplexity(lines)
    headings = ["text", "perplexity", "without unknown words", "unknown words", "words", "sentences"]
    table = [
        [
            Cell(path),
            Cell(f"{p.value:.2f}", p.value),
            Cell(f"{p.without_unknown:.2f}", p.without_unknown),
            *(Cell(f"{count:,}", count) for count in (p.unknown, p.words, p.sentences)),
        ]
        for path, p in measured.items()
    ]
    data = {path: asdict(perplexity) for path, perplexity in measured.items()}
    write_result(options, Listing.of(Table(headings, table), data=data), form)
    return 0
