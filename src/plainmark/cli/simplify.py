"""Simplify texts or documents, with a rule for every change and a reason for every choice.

examples:
  plainmark simplify text.txt
  plainmark simplify text.txt --caution 0.8 --explain
  plainmark simplify text.txt --n-best 5 --format json
  plainmark simplify text.txt --split --operations default,parentheses
  plainmark simplify text.txt --grade 8 --explain
  plainmark simplify report.docx --split -o simple.docx
  plainmark simplify text.txt --backend openai --model NAME --choose 'facts_kept >= 90, quality' --explain
  plainmark simplify text.txt --outputs a.txt b.txt --choose quality
  plainmark simplify names.txt --language en
  plainmark simplify tokens.txt --tokenized --model models/simplifier -o simpler.txt
Text files give one output line per input line; .docx and .md files keep everything but the words of their
paragraphs. Numbers, names and quotations are left alone (--protect says which). The default model takes back
rewrites that the fact ledger objects to, and leaves texts alone that do not look like English, unless
--language en insists. The key of an endpoint is read from PLAINMARK_API_KEY, and its replies are stored, so
that the same command resumes after an interruption.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from itertools import islice
from typing import TYPE_CHECKING

from ..errors import OptionError
from ..files import open_text
from ..writing import write_bytes_atomically, writing
from ._arguments import add_quiet, add_threads, check_threads, texts_given
from ._candidates import write_choice
from ._progress import Progress

if TYPE_CHECKING:
    from ..simplifier.backends import Backend
    from ..simplifier.choosing import Choice

_BLOCK = 512
Simplify = Callable[[Sequence[str]], "list[Choice]"]


def add_arguments(arguments: argparse.ArgumentParser) -> None:
    arguments.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="texts, one per line (default: standard input), or one .docx or .md document",
    )
    arguments.add_argument(
        "--model", metavar="NAME", help="default, a model's folder, or the name of a model at an endpoint"
    )
    arguments.add_argument(
        "--explain", action="store_true", help="below each line, show what changed it and why"
    )
    arguments.add_argument(
        "--caution",
        type=float,
        metavar="P",
        help="make only rewrites whose estimated probability of being right is at least this, from 0 to 1 (default: the model's)",
    )
    arguments.add_argument(
        "--n-best",
        type=int,
        default=1,
        metavar="N",
        help="write the N best different outputs of each text: number of the text, score (or origin, with --choose) and"
        " output between tabs",
    )
    arguments.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="json: one object per text, with all candidates, their scores, rewrites and reasons",
    )
    arguments.add_argument(
        "--protect",
        metavar="KINDS",
        help="what no rule may change: names, numbers, quotes, separated by commas, or none (default: the model's)",
    )
    arguments.add_argument(
        "--tokenized", action="store_true", help="texts are already split at spaces, and stay so"
    )
    arguments.add_argument(
        "--split",
        action="store_true",
        help="split long sentences before words are replaced",
    )
    arguments.add_argument(
        "--delete",
        action="store_true",
        help="after words are replaced, delete empty phrases such as 'It should be noted that' or '(and so on)'",
    )
    arguments.add_argument(
        "--operations",
        metavar="NAMES",
        help="which operations --split may use, separated by commas: default, or names such as relative, passive, parentheses",
    )
    arguments.add_argument(
        "--grade",
        type=float,
        metavar="N",
        help="change and split only as much as is needed to bring the Flesch-Kincaid grade of each text to N or below",
    )
    arguments.add_argument(
        "--language",
        metavar="CODE",
        default="",
        help="en: simplify also texts that do not look like English; other languages are refused",
    )
    _add_candidates(arguments)
    add_threads(arguments)
    arguments.add_argument(
        "-o", "--output", metavar="FILE", help="the file to write (default: standard output)"
    )
    add_quiet(arguments)


def _add_candidates(arguments: argparse.ArgumentParser) -> None:
    group = arguments.add_argument_group("candidates")
    group.add_argument(
        "--backend",
        metavar="NAMES",
        help="what writes candidates: lattice, scfg, structure, openai, or several separated by commas; options as in"
        ' "openai(temperature=1, per_minute=60)"; `plainmark list backends` shows all',
    )
    group.add_argument(
        "--choose",
        metavar="METRICS",
        help="what to choose by, in order, such as 'facts_kept >= 90, quality', 'quality within 3, samsa' or"
        " '0.7*quality + 0.3*facts_kept'",
    )
    group.add_argument(
        "--candidates", type=int, metavar="N", help="number of candidates per text (openai: 8)"
    )
    group.add_argument("--url", metavar="URL", help="base URL of the endpoint (default: OpenAI's)")
    group.add_argument(
        "--temperature", type=float, metavar="T", help="how much the candidates vary (default: 0.8)"
    )
    group.add_argument("--prompt", metavar="FILE", help="another prompt, with a place {text}")
    group.add_argument(
        "--cache",
        metavar="FOLDER",
        help="folder for the replies of an endpoint (default: PLAINMARK_CACHE, else your cache folder)",
    )
    group.add_argument(
        "--outputs",
        metavar="FILE",
        nargs="+",
        help="outputs of systems as candidates, one line per text; NAME=FILE names a system",
    )


def run(options: argparse.Namespace) -> int:
    from ..languages import check_code
    from ..languages.choice import require_english
    from ..lexicon.language import insisting_on_english

    check_threads(options)
    if options.language:
        require_english("the simplifier is", [], check_code(options.language))
    with insisting_on_english() if options.language else nullcontext():
        return _run(options)


def _run(options: argparse.Namespace) -> int:
    from .. import documents
    from ..simplifier.choosing import simplify

    if options.n_best < 1:
        raise OptionError(f"--n-best {options.n_best}: expected 1 or more.")
    backends = _backends(options)
    whole = bool(options.choose) or len(backends) > 1 or not backends[0].ranked

    def work(texts: Sequence[str]) -> list[Choice]:
        if options.grade is not None and not whole:
            return _graded(texts, options.grade, backends[0])
        return simplify(texts, backends, _criteria(options) if whole else "")

    paths = texts_given(options.files)
    with _running(options) as progress:
        if any(documents.is_document(path) for path in paths):
            choices = _simplify_document(paths, options, work)
        else:
            at_once = whole or options.grade is not None or options.backend is not None
            choices = _simplify_lines(paths, options, work, progress, at_once=at_once)
    if not options.quiet:
        _summarise(choices, options, whole)
    return 0


def _backends(options: argparse.Namespace) -> list[Backend]:
    """The backends named on the command line, with the options that belong to them."""
    from ..registry import split_specs
    from ..simplifier.backends import BACKENDS, simplifier

    own = {
        "caution": options.caution,
        "protect": options.protect,
        "tokenized": options.tokenized or None,
        "split": options.split or None,
        "delete": options.delete or None,
        "operations": options.operations,
        "url": options.url,
        "temperature": options.temperature,
        "prompt": options.prompt,
        "outputs": tuple(options.outputs) if options.outputs else None,
    }
    values = {name: value for name, value in own.items() if value is not None}
    if options.operations is not None and not options.split and options.grade is None and not options.backend:
        raise OptionError("--operations without --split; add --split, or leave --operations out.")
    if options.grade is not None and options.split and not options.backend and not options.choose:
        raise OptionError("--grade splits as far as it needs to; leave --split out.")
    if options.grade is not None and options.delete:
        raise OptionError("--grade deletes nothing; leave --delete or --grade out.")
    if options.backend:
        backends = [BACKENDS.parse(spec) for spec in split_specs(options.backend)]
    else:
        backends = [] if options.outputs else [simplifier(options.model or "default")]
    if options.outputs and not any(b.name == "files" for b in backends):
        backends.append(BACKENDS.parse("files"))
    if options.model is not None and (options.backend or options.outputs):
        values["model"] = options.model
    if options.candidates is not None or options.n_best > 1 or options.choose:
        many = 8 if options.choose else options.n_best
        values["count"] = options.candidates if options.candidates is not None else many
    if options.grade is not None and "operations" in values:
        values["split"] = True
    unused = set(values)
    for k, backend in enumerate(backends):
        fitting = {n: v for n, v in values.items() if n in backend.__dataclass_fields__}
        unused -= set(fitting)
        if "threads" in backend.__dataclass_fields__ and backend.name != "openai":
            fitting["threads"] = options.threads
        backends[k] = backend.with_options(fitting)
    unused -= {"count"}
    if unused:
        names = ", ".join(f"--{name}" for name in sorted(unused))
        raise OptionError(f"{names}: not an option of the backend {', '.join(b.name for b in backends)}.")
    return backends


def _criteria(options: argparse.Namespace) -> str:
    """The criteria of --choose; a grade comes first."""
    from ..simplifier.choosing import DEFAULT
    from ..simplifier.grade import MEASURE, check_target

    criteria = options.choose or DEFAULT
    if options.grade is None:
        return str(criteria)
    check_target(options.grade)
    return f"{MEASURE} <= {options.grade:g}, {criteria}"


def _graded(texts: Sequence[str], target: float, backend: Backend) -> list[Choice]:
    from ..simplifier.backends._model import ModelBackend
    from ..simplifier.grade import simplify_to

    if not isinstance(backend, ModelBackend):
        raise OptionError(f"--grade with the backend {backend.name} needs --choose.")
    return simplify_to(texts, target, backend)


@contextmanager
def _running(options: argparse.Namespace) -> Iterator[Progress]:
    """A context that shows progress and stores an endpoint's replies while texts are simplified."""
    compared = bool(options.backend or options.choose or options.outputs)
    # Lines written as they are finished would mix with a progress bar on the same terminal.
    quiet = options.quiet or (options.output is None and not compared)
    with Progress("simplifying", quiet=quiet) as progress:
        if not compared:
            yield progress
            return
        from .. import models

        folder = options.cache or models.settings().cache
        if folder is None and "openai" in (options.backend or ""):
            folder = models.user_cache()  # replies have been paid for, so they are stored
        with models.using(progress=progress, cache=folder):
            yield progress


def _simplify_document(paths: Sequence[str], options: argparse.Namespace, work: Simplify) -> list[Choice]:
    from .. import documents

    if len(paths) > 1:
        raise OptionError(f"{len(paths)} files, of which one is a document; expected one document at a time.")
    (path,) = paths
    document = documents.read(path)
    suffix = path.lower().rpartition(".")[2]
    if options.output is None and suffix == "docx":
        raise OptionError(f"{path}: name the document to write with -o, such as -o simple.docx.")
    if options.output is not None and not options.output.lower().endswith(f".{suffix}"):
        raise OptionError(f"-o {options.output}: expected a name that ends in .{suffix}, as that of {path}.")
    choices = work(document.texts)
    data = document.render([choice.output for choice in choices])
    if options.output is None:
        sys.stdout.write(data.decode("utf-8"))
    else:
        write_bytes_atomically(options.output, data)
        if options.explain or options.format == "json":
            for number, choice in enumerate(choices, 1):
                if choice.output != choice.source or options.format == "json":
                    write_choice(sys.stdout, choice, number, options)
    if not options.quiet:
        changed = sum(choice.output != choice.source for choice in choices) - document.left_alone
        print(f"plainmark: {path}: {changed} of {len(choices)} paragraphs changed", file=sys.stderr)
        if document.left_alone:
            print(
                f"plainmark: {document.left_alone} paragraphs stay as they are, because a change would move a link, a note,"
                " a break or code in them",
                file=sys.stderr,
            )
    return choices


def _simplify_lines(
    paths: Sequence[str], options: argparse.Namespace, work: Simplify, progress: Progress, *, at_once: bool
) -> list[Choice]:
    """Simplify line by line: all lines at once if candidates are compared or a summary is printed, else in blocks."""
    target = nullcontext(sys.stdout) if options.output is None else writing(options.output)
    summarised: list[Choice] = []
    done = 0
    blocks = _blocks(paths)
    if at_once:
        blocks = iter([[text for block in blocks for text in block]])
    with target as file:
        for block in blocks:
            choices = work(block)
            for number, choice in enumerate(choices, done + 1):
                write_choice(file, choice, number, options)
            done += len(block)
            summarised += choices if at_once else ()
            progress(done, 0)
    return summarised


def _blocks(paths: Sequence[str]) -> Iterator[list[str]]:
    for path in paths:
        with open_text(path) as lines:
            stream = (line.rstrip("\r\n") for line in lines)
            while block := list(islice(stream, _BLOCK)):
                yield block


def _summarise(choices: Sequence[Choice], options: argparse.Namespace, by_metrics: bool) -> None:
    """Print on standard error which backends' candidates were chosen and which grade was reached."""
    from ..simplifier.grade import Summary

    if by_metrics and choices:
        counts = Counter(choice.candidates[0].origin.split(", ")[0] for choice in choices)
        said = ", ".join(f"{name} {number}" for name, number in counts.most_common())
        hint = "" if options.explain or options.format == "json" else "; --explain shows the reasons"
        print(f"plainmark: chosen by {_criteria(options)}: {said}{hint}", file=sys.stderr)
    if options.grade is not None:
        print(f"plainmark: {Summary.of(choices, options.grade)}", file=sys.stderr)
