"""Arguments that several commands share, and the functions that read them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from ..api._metrics import parse_metrics
from ..api.test_sets import systems_of
from ..cautions import Cautions, lines_about
from ..errors import OptionError
from ..files import STANDARD_INPUT
from ..languages.choice import Choice
from ..metric import Metric
from ..result import FORMATS, SUFFIXES, Result, format_of
from ..systems import Systems
from ..writing import write_atomically


def add_inputs(parser: argparse.ArgumentParser) -> None:
    """Add the outputs, the source, the references and --metric."""
    parser.add_argument(
        "outputs",
        nargs="*",
        metavar="OUTPUT",
        help="a system's outputs: text, .jsonl, .csv, .tsv, a folder, or - for standard input; NAME=FILE names the"
        " system, a pattern stands for one system per file, NAME='PATTERN' for one system in several files",
    )
    add_test_set(parser)
    add_dataset(parser)
    add_metrics(
        parser,
        "such as sari, bleu, \"sari(variant='hf')\" (default: sari), separated by commas or given several times;"
        " `plainmark list metrics` shows all",
    )
    add_language(parser)
    add_quiet(parser)


def add_language(parser: argparse.ArgumentParser) -> None:
    """Add --language."""
    parser.add_argument(
        "--language",
        metavar="CODE",
        default="",
        help="the language of the outputs, such as de (default: the language of the data set, or the one detected in the texts)",
    )


def add_test_set(parser: argparse.ArgumentParser) -> None:
    """Add source, references and the names of their fields."""
    parser.add_argument("-s", "--source", metavar="FILE", help="the source texts")
    parser.add_argument(
        "-r",
        "--references",
        metavar="FILE",
        nargs="+",
        action="extend",
        default=[],
        help="reference files, each with one reference per sample; a pattern names several files",
    )
    add_fields(parser)


def add_dataset(parser: argparse.ArgumentParser) -> None:
    """Add --dataset and --baselines."""
    parser.add_argument(
        "-d",
        "--dataset",
        metavar="NAME",
        default="",
        help="a test set by name, such as asset or asset/valid, or a folder with source.txt and reference.*: its sources"
        " and references, and its systems by name as OUTPUT (default: all of them)",
    )
    parser.add_argument(
        "--baselines",
        metavar="NAMES",
        default="",
        help="rows for baselines: copy (of the source), references (each against the others of its sample)",
    )


def add_fields(parser: argparse.ArgumentParser) -> None:
    """Add --fields."""
    parser.add_argument(
        "--fields",
        metavar="NAME=FIELD,…",
        help="names of fields in .jsonl, .csv and .tsv files, such as source=original,output=simplification",
    )


def add_quiet(parser: argparse.ArgumentParser) -> None:
    """Add --quiet."""
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress bar and no notices")


def add_seed(parser: argparse.ArgumentParser, purpose: str) -> None:
    """Add --seed."""
    parser.add_argument("--seed", type=int, default=0, metavar="N", help=f"seed of {purpose} (default: 0)")


def add_metrics(parser: argparse.ArgumentParser, purpose: str) -> None:
    """Add --metric."""
    parser.add_argument(
        "-m", "--metric", metavar="METRIC", action="append", default=[], dest="metrics", help=purpose
    )


def add_resamples(parser: argparse.ArgumentParser) -> None:
    """Add --resamples and --seed."""
    parser.add_argument(
        "--resamples", type=int, default=10_000, metavar="N", help="number of resamples (default: 10,000)"
    )
    add_seed(parser, "the resampling")


def add_test(parser: argparse.ArgumentParser) -> None:
    """Add --test and --level, the options of significance tests."""
    parser.add_argument(
        "--test",
        choices=["bootstrap", "randomisation"],
        default="bootstrap",
        help="paired bootstrap or approximate randomisation (default: bootstrap)",
    )
    parser.add_argument(
        "--level",
        type=float,
        default=0.95,
        metavar="P",
        help="confidence level of intervals and letters (default: 0.95)",
    )
    add_resamples(parser)


def test_settings(options: argparse.Namespace) -> dict[str, Any]:
    """The options of significance tests, as arguments of `compare` and `report`."""
    return {name: getattr(options, name) for name in ("test", "resamples", "level", "seed")}


def add_address(parser: argparse.ArgumentParser, port: int) -> None:
    """Add the address that a server listens at."""
    parser.add_argument("--host", default="127.0.0.1", help="address to listen at (default: 127.0.0.1)")
    parser.add_argument(
        "--port", type=int, default=port, help=f"port; 0 is any that is free (default: {port})"
    )


def add_proxies(parser: argparse.ArgumentParser, default: str) -> None:
    """Add the addresses of proxies that are trusted to name a client's address."""
    parser.add_argument(
        "--trusted-proxy",
        metavar="ADDRESS",
        action="append",
        default=[],
        dest="trusted_proxies",
        help=f"address or network of a proxy whose X-Forwarded-For is trusted (default: {default}); may be repeated",
    )


def add_aligner(parser: argparse.ArgumentParser, default: str, purpose: str) -> None:
    """Add --aligner."""
    parser.add_argument(
        "--aligner", default=default, metavar="ALIGNER", help=f"{purpose} (default: {default})"
    )


def add_threads(parser: argparse.ArgumentParser) -> None:
    """Add --threads."""
    parser.add_argument(
        "--threads", type=int, default=1, metavar="N", help="processor cores to decode on (default: 1)"
    )


def check_threads(options: argparse.Namespace) -> None:
    """Raise OptionError for an impossible number of threads."""
    if not 1 <= options.threads <= 256:
        raise OptionError(f"--threads {options.threads}: expected 1 to 256.")


def check_share(option: str, value: float) -> None:
    """Raise OptionError for anything but a number from 0 to 1."""
    if not 0 <= value <= 1:
        raise OptionError(f"{option} {value:g}: expected a number from 0 to 1.")


def add_output(
    parser: argparse.ArgumentParser, formats: Sequence[str] = FORMATS, purpose: str = "the file to write"
) -> None:
    """Add --output and --format."""
    parser.add_argument("-o", "--output", metavar="FILE", help=f"{purpose} (default: standard output)")
    parser.add_argument(
        "--format",
        choices=formats,
        help=f"the form of the output (default: by the suffix of -o, else {formats[0]})",
    )


def add_layout(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how tables of scores are printed."""
    parser.add_argument(
        "--digits", type=int, default=2, metavar="N", help="decimals of printed scores (default: 2)"
    )
    parser.add_argument(
        "--parts",
        action="store_true",
        help="a column for each part of a score, such as add, keep and del of SARI",
    )
    parser.add_argument(
        "--long", action="store_true", help="one row per system and metric, with the signature in a column"
    )


def layout_given(options: argparse.Namespace) -> dict[str, Any]:
    """The options of `add_layout`, as arguments of `with_layout`."""
    if not 0 <= options.digits <= 12:
        raise OptionError(f"--digits {options.digits}: expected 0 to 12.")
    return {name: getattr(options, name) for name in ("digits", "parts", "long")}


def output_format(
    options: argparse.Namespace,
    formats: Sequence[str] = FORMATS,
    suffixes: Mapping[str, str] = SUFFIXES,
) -> str:
    """The output format: that of --format, else the suffix of -o, else that of the configuration, else the first one."""
    if options.format:
        if options.format not in formats:
            raise OptionError(f"--format {options.format}: expected one of {', '.join(formats)} here.")
        return str(options.format)
    if options.output:
        return format_of(options.output, {s: f for s, f in suffixes.items() if f in formats})
    configured = configuration(options).get("format", "")
    return str(configured) if configured in formats else formats[0]


def write_result(options: argparse.Namespace, result: Result, format: str = "", summary: str = "") -> None:  # noqa: A002
    """Print a result, or write it to the file of -o and print a summary."""
    form = format or output_format(options)
    if options.output is None:
        sys.stdout.write(result.render(form, bold=sys.stdout.isatty()))
        return
    write_atomically(options.output, result.render(form))
    print(f"{options.output}: {summary or form}")


def print_language(options: argparse.Namespace, language: Choice) -> None:
    """Print the detected language on standard error if it is not English, unless --quiet."""
    if language.note and not options.quiet:
        print(f"plainmark: {language.note}", file=sys.stderr)


def print_cautions(options: argparse.Namespace, lines: Cautions) -> None:
    """Print warnings about the texts on standard error, unless --quiet."""
    if not options.quiet:
        for line in lines_about(lines, *(name for name in lines if name)):
            print(f"plainmark: warning: {line}", file=sys.stderr)


def configuration(options: argparse.Namespace) -> Mapping[str, object]:
    """The settings of the configuration file."""
    settings: Mapping[str, object] = getattr(options, "configuration", {})
    return settings


def texts_given(paths: Sequence[str]) -> list[str]:
    """The paths, or standard input if no path is given and something is piped in."""
    return list(paths) or _standard_input("no texts given; expected a file, or texts on standard input")


def systems_given(options: argparse.Namespace) -> Systems:
    """The systems and the test set of a command."""
    advice = "no outputs given (name them before -r, which takes all files that follow it)"
    outputs = list(options.outputs)
    if not outputs and not options.dataset:
        outputs = _standard_input(advice)
    return systems_of(
        outputs,
        options.source,
        options.references,
        parse_fields(options.fields),
        data=options.dataset,
        baselines=getattr(options, "baselines", ""),
        paths=True,
    )


def _standard_input(advice: str) -> list[str]:
    """The path of standard input; an error with this advice if it is a terminal, closed or empty."""
    try:
        if not sys.stdin.isatty() and sys.stdin.buffer.peek(1):  # type: ignore[union-attr]
            return [STANDARD_INPUT]
    except (OSError, ValueError, AttributeError):  # it is closed, or not a stream that can be read
        pass
    raise OptionError(f"{advice}.")


def selected_metrics(options: argparse.Namespace) -> tuple[list[Metric], int]:
    """The metrics that this machine can compute, and the exit code: 2 where some cannot, each named on standard error."""
    metrics = parse_metrics(options.metrics or ["sari"])
    missing = {m: reason for m in metrics if (reason := m.missing())}
    for metric, reason in missing.items():
        print(f"plainmark: {metric.name} {' '.join(reason.split())}", file=sys.stderr)
    return [m for m in metrics if m not in missing], 2 if missing else 0


def parse_fields(text: str | None) -> dict[str, str]:
    """The dictionary of source=original,output=simplification."""
    if not text:
        return {}
    pairs = [pair.partition("=") for pair in text.split(",")]
    for name, equals, field in pairs:
        if not (name and equals and field):
            raise OptionError(
                f"--fields {text}: expected NAME=FIELD pairs, such as source=original,output=simplification."
            )
    return {name.strip(): field.strip() for name, _, field in pairs}
