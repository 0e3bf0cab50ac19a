"""Print the log10 probability of each line of a text under a language model.

example:
  plainmark lm score lm.arpa.gz text.txt
Words are separated by spaces. Each line is one sentence, and its end counts too.
"""

from __future__ import annotations

import argparse
from itertools import islice

from ...files import open_text
from ...lm import LanguageModel
from .._arguments import texts_given

_BLOCK = 10_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="an ARPA file or one that `lm train` wrote (.gz, .xz)")
    parser.add_argument(
        "text", nargs="?", metavar="TEXT", help="one sentence per line (default: standard input)"
    )
    parser.add_argument("--each", action="store_true", help="also print every word with its log10 P")


def run(options: argparse.Namespace) -> int:
    model = LanguageModel.load(options.model)
    (text,) = texts_given([options.text] if options.text else [])
    with open_text(text) as rows:
        lines = iter(rows)
        while block := [line.rstrip("\n") for line in islice(lines, _BLOCK)]:
            logs, offsets = model.token_scores(block)
            for line, total, start, stop in zip(
                block, model.score(block), offsets, offsets[1:], strict=False
            ):
                words = [*line.encode("utf-8", "surrogatepass").split(), b"</s>"]
                each = [
                    f"{w.decode('utf-8', 'replace')} {x:.4f}"
                    for w, x in zip(words, logs[start:stop], strict=True)
                ]
                print("\t".join([f"{total:.4f}", *(each if options.each else [line])]))
    return 0
