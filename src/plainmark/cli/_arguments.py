"""Arguments that several verbs share, and what becomes of them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from ..errors import OptionError
from ..metric import Metric, Wrapper, metric


def add_inputs(parser: argparse.ArgumentParser) -> None:
    """Outputs, source, references, metrics."""
    parser.add_argument(
        "outputs",
        nargs="+",
        metavar="OUTPUT",
        help="a system's outputs: text, .jsonl, .csv, .tsv, a folder, or - for standard input",
    )
    parser.add_argument("-s", "--source", metavar="FILE", help="the source texts")
    parser.add_argument(
        "-r",
        "--references",
        metavar="FILE",
        nargs="+",
        action="extend",
        default=[],
        help="reference files, one reference of every sample each",
    )
    add_metrics(
        parser,
        "such as sari, bleu, \"sari(variant='hf')\" (default: sari); `plainmark list metrics` shows all",
    )
    parser.add_argument(
        "--fields",
        metavar="NAME=FIELD,…",
        help="names in .jsonl, .csv and .tsv files, such as source=original,output=simplification",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress bar")


def add_metrics(parser: argparse.ArgumentParser, about: str) -> None:
    """Which metrics."""
    parser.add_argument(
        "-m", "--metric", metavar="METRIC", action="append", default=[], dest="metrics", help=about
    )


def add_test(parser: argparse.ArgumentParser) -> None:
    """How differences are tested."""
    parser.add_argument(
        "--test",
        choices=["bootstrap", "randomisation"],
        default="bootstrap",
        help="paired bootstrap or approximate randomisation (default: bootstrap)",
    )
    parser.add_argument(
        "--resamples", type=int, default=10_000, metavar="N", help="number of resamples (default: 10,000)"
    )
    parser.add_argument(
        "--level",
        type=float,
        default=0.95,
        metavar="P",
        help="level of intervals and letters (default: 0.95)",
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of the resampling (default: 0)"
    )


def chosen_metrics(specs: Sequence[str]) -> list[Metric]:
    """The metrics of a command, SARI if none is named."""
    found = [metric(spec) for spec in specs or ["sari"]]
    return list(dict.fromkeys(found))


def present_metrics(metrics: Sequence[Metric]) -> tuple[list[Metric], int]:
    """The metrics that this machine can compute, and the exit code: 2 where some cannot, each named on standard error."""
    absent = {m: reason for m in metrics if (reason := m.missing())}
    for one, reason in absent.items():
        print(f"plainmark: {one.name} {' '.join(reason.split())}", file=sys.stderr)
    return [m for m in metrics if m not in absent], 2 if absent else 0


def fields_of(text: str | None) -> dict[str, str]:
    """source=original,output=simplification as a dictionary."""
    if not text:
        return {}
    pairs = [pair.partition("=") for pair in text.split(",")]
    for name, equals, field in pairs:
        if not (name and equals and field):
            raise OptionError(
                f"--fields {text}: expected NAME=FIELD pairs, such as source=original,output=simplification."
            )
    return {name.strip(): field.strip() for name, _, field in pairs}


def labels(metrics: Sequence[Metric]) -> list[str]:
    """Column headings: the name, or the specification of wrappers and where a name occurs twice, and which way is better."""
    names = [m.name for m in metrics]
    arrow = {True: " ↑", False: " ↓", None: ""}
    return [
        (m.spec if isinstance(m, Wrapper) or names.count(m.name) > 1 else m.name) + arrow[m.higher_is_better]
        for m in metrics
    ]
