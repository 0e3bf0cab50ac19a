"""Train an n-gram language model by modified Kneser-Ney smoothing.

examples:
  plainmark lm train text.txt --order 4 -o lm.arpa.gz
  plainmark lm train abstracts.txt --running-text --order 3 --quantized -o medical.lm.xz
  plainmark score outputs.txt -m "perplexity(model='medical.lm.xz')"
A text has one sentence per line, with words separated by spaces. Its case and punctuation must be those of the text to
be scored. With --running-text, texts are split as the metrics perplexity and pomme do, and the spelling of unknown
words is modelled. The suffix of the model's name decides its format: .arpa is the usual text format, .lm is plainmark's own and
loads faster; .gz or .xz after it compresses the file.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from ...errors import OptionError
from ...files import open_text
from ...lm.model import COMPACT_NAMES, LanguageModel, check_name
from .._arguments import texts_given
from .._progress import Progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "texts", nargs="*", metavar="TEXT", help="texts to learn from (.gz, .xz; default: standard input)"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", required=True, help="the model to write: .arpa or .lm"
    )
    parser.add_argument(
        "--order", type=int, default=4, metavar="N", help="longest n-grams, 1 to 6 (default: 4)"
    )
    parser.add_argument(
        "--words",
        type=int,
        default=0,
        metavar="N",
        help="keep only the N most frequent words; others are unknown",
    )
    parser.add_argument(
        "--min-count",
        type=int,
        metavar="N",
        help="words that occur less often are unknown (default: 1, with --running-text 2)",
    )
    parser.add_argument(
        "--min-counts",
        default="",
        metavar="A,B,...",
        help="n-grams of one, two, ... words that occur less often are left out (1,1,2: trigrams and longer that occur once)",
    )
    parser.add_argument(
        "--prune",
        type=float,
        default=0.0,
        metavar="X",
        help="leave out n-grams without which perplexity rises by less than this share, such as 1e-8",
    )
    parser.add_argument(
        "--ngrams",
        type=int,
        default=0,
        metavar="N",
        help="keep about this number of n-grams, the most informative ones",
    )
    parser.add_argument(
        "--bits", type=int, choices=(8, 32), default=32, help="bits per number in .lm files (default: 32)"
    )
    parser.add_argument(
        "--quantized",
        action="store_true",
        help="round probabilities and store no back-off weights, for the smallest .lm files",
    )
    parser.add_argument(
        "--running-text",
        action="store_true",
        help="split texts into sentences and lower-case words, and learn to spell unknown words",
    )
    parser.add_argument("--lowercase", action="store_true", help="learn from the texts in lower case")


def run(options: argparse.Namespace) -> int:
    check_name(options.output)
    least = _counts(options.min_counts)
    if options.running_text and not options.output.endswith(COMPACT_NAMES):
        raise OptionError(
            f"--running-text: {options.output} cannot hold the spelling, expected {', '.join(COMPACT_NAMES)}."
        )
    if min(options.words, options.ngrams, options.prune) < 0:
        raise OptionError("--words, --ngrams and --prune cannot be less than 0.")
    texts = texts_given(options.texts)
    read = 0

    def lines() -> Iterator[str]:
        nonlocal read
        for path in texts:
            with open_text(path) as rows:
                for row in rows:
                    read += 1
                    yield row.lower() if options.lowercase else row

    with Progress("reading lines:") as progress:
        train = LanguageModel.train_on_text if options.running_text else LanguageModel.train
        model = train(
            lines(),
            order=options.order,
            min_counts=least,
            threshold=options.prune,
            ngrams=options.ngrams,
            words=options.words,
            min_count=options.min_count or (2 if options.running_text else 1),
            bits=options.bits,
            quantized=options.quantized,
            progress=progress,
        )
    model.save(options.output)
    grams = " + ".join(f"{count:,}" for count in model.tables.counts)
    print(
        f"{options.output}: {Path(options.output).stat().st_size:,} bytes, order {model.order}, {grams} n-grams,"
        f" trained on {read:,} lines"
    )
    return 0


def _counts(text: str) -> tuple[int, ...]:
    parts = text.split(",") if text else []
    if not all(p.strip().isdecimal() for p in parts):
        raise OptionError(f"--min-counts {text}: expected whole numbers separated by commas, such as 1,1,2.")
    return tuple(map(int, parts))
