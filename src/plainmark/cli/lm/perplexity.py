"""How well a language model knows texts: `plainmark lm perplexity lm.arpa.gz text.txt`.

10 to the mean of -log10 P over words and ends of sentences; models are comparable on one text if they know the same words.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from ...errors import InputError
from ...files import open_text
from ...lm import LanguageModel


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="an ARPA file or one that `lm train` wrote (.gz, .xz)")
    parser.add_argument(
        "texts", nargs="+", metavar="TEXT", help="sentences, one a line (- for standard input)"
    )
    parser.add_argument("--json", action="store_true", help="the numbers as plain data")


def run(options: argparse.Namespace) -> int:
    model = LanguageModel.load(options.model)
    found = {}
    for path in options.texts:
        with open_text(path) as rows:
            lines = [row for row in rows if row.strip()]
        if not lines:
            raise InputError(f"{path}: empty, expected sentences, one a line.")
        found[path] = model.perplexity(lines)
    if options.json:
        print(json.dumps({path: asdict(one) for path, one in found.items()}, indent=2))
        return 0
    for path, one in found.items():
        print(
            f"{path}: perplexity {one.value:.2f} ({one.without_unknown:.2f} without the {one.unknown:,} unknown of"
            f" {one.words:,} words), {one.sentences:,} sentences"
        )
    return 0
