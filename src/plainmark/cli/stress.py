"""Stress metrics: perturb texts more and more and see whether the scores notice, and which way they move.

testbeds:
  appls    eleven perturbations by four criteria at ten strengths; a verdict for each metric and perturbation
  errors   six errors; how often a metric prefers the unharmed text
examples:
  plainmark stress -m sari -m bleu -m bertscore --testbed appls -d plaba -o stress.html --workers 2
  plainmark stress outputs.txt -s source.txt -r reference.txt -m sari -m mypackage.MyMetric -o stress.html
  plainmark stress --testbed errors -d onestopqa -m sari -m dsari     (-d perturbed: the files that were released)
With -o stress.html texts and scores are kept in stress.testbed: a run that was interrupted goes on from there, and another
metric costs only its own scores.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from .. import testbed
from ..datasets import dataset
from ..datasets.perturbed import PerturbedDocuments
from ..errors import NeedsError, OptionError
from ..metric import Metric, metric
from ..perturbations import APPLS, ERRORS, Perturbation, perturbation
from ..perturbations._errors import Dosed
from ..perturbations._resources import load_function
from ..reading import read_corpus
from ..report import consistency, sensitivity
from ..report import stress as page
from ..report.table import Table
from ..writing import write_atomically
from ._arguments import add_metrics, chosen_metrics, fields_of, present_metrics
from ._progress import Progress, with_models

FEATURES = (
    "sentence_length",
    "paragraph_length",
    "familiarity",
    "specificity",
    "connectives",
    "word_classes(pipeline='rules')",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "outputs", nargs="?", metavar="OUTPUT", help="a system's outputs, instead of a data set (-d)"
    )
    parser.add_argument("-s", "--source", metavar="FILE", help="the source texts")
    parser.add_argument(
        "-r", "--references", metavar="FILE", nargs="+", action="extend", default=[], help="reference files"
    )
    parser.add_argument("--fields", metavar="NAME=FIELD,…", help="names in .jsonl, .csv and .tsv files")
    parser.add_argument(
        "-d", "--dataset", metavar="NAME", help="a data set, such as plaba; `plainmark datasets` shows all"
    )
    parser.add_argument("--system", metavar="NAME", default="", help="which system's outputs of the data set")
    add_metrics(parser, "such as sari, 'agg(sari)', mypackage.MyMetric (default: sari)")
    parser.add_argument(
        "--testbed", choices=["appls", "errors"], default="appls", help="which testbed (default: appls)"
    )
    parser.add_argument(
        "--with", metavar="PERTURBATION", action="append", default=[], dest="perturbations",
        help="only these perturbations, with options if wanted; `plainmark list perturbations` shows all",
    )  # fmt: skip
    parser.add_argument(
        "--candidate", choices=["auto", "output", "oracle", "source"], default="auto",
        help="what is perturbed: outputs, oracle extracts of the sources, or sources (default: outputs; extracts where a "
        "data set has no system)",
    )  # fmt: skip
    parser.add_argument(
        "--translator",
        metavar="PATH",
        help="package.module.function that translates sentences there and back",
    )
    parser.add_argument(
        "--simplified", metavar="FILE", action="append", default=[],
        help="simpler versions of the texts, one a document; each file becomes a curve of its own",
    )  # fmt: skip
    parser.add_argument(
        "--levels", type=int, default=10, metavar="N", help="strengths from 1/N to 1 (default: 10)"
    )
    parser.add_argument(
        "--seed", type=int, action="append", default=[], metavar="N", help="seeds (default: 1 and 2)"
    )
    parser.add_argument("--first", type=int, metavar="N", help="only the first N documents")
    parser.add_argument("--variant", choices=["paper", "released"], default="paper",
                        help="doses of the six errors: the paper's, or its program's (default: paper)")  # fmt: skip
    parser.add_argument(
        "--features", action="store_true", help="also draw lexical features over simplification"
    )
    parser.add_argument(
        "--judge",
        metavar="SPEC",
        help="a judge for APPLS's prompt settings a, b and c, such as judge(model='…', url='…')",
    )
    parser.add_argument(
        "--workers", type=int, default=1, metavar="N", help="processes to work in (default: 1)"
    )
    parser.add_argument(
        "--folder", metavar="FOLDER", help="where texts and scores are kept (default: beside -o)"
    )
    parser.add_argument("-o", "--out", metavar="FILE", help="write the report, one HTML file")
    parser.add_argument("--csv", metavar="FILE", help="also write every number as comma-separated values")
    parser.add_argument(
        "--latex", metavar="FILE", help="also write the table of verdicts (or consistency) in LaTeX"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress bar")


def run(options: argparse.Namespace) -> int:
    metrics, code = present_metrics(chosen_metrics(options.metrics))
    judged = _judges(options.judge) if options.judge else []
    if not metrics and not judged:
        return code
    return (_errors if options.testbed == "errors" else _appls)(options, metrics, judged) or code


def _appls(options: argparse.Namespace, metrics: list[Metric], judged: list[Metric]) -> int:
    chosen = [perturbation(spec) for spec in options.perturbations or APPLS]
    subject = _subject(options)
    texts = [(Path(f).stem, read_corpus(output=f).outputs) for f in options.simplified]
    if texts and not subject.documents[0].simpler:
        subject = replace(subject.with_simplified(texts[0][0], texts.pop(0)[1]), name=subject.name)
    bed = testbed.build(
        subject, chosen, levels=options.levels, seeds=options.seed or (1, 2), simplified=texts
    )
    wanted = [metric(spec) for spec in FEATURES] if options.features else []
    features = [m for m in wanted if not m.missing()]
    everything = list(dict.fromkeys([*metrics, *judged, *features]))
    with _folder(options) as folder:
        with Progress("stressing", quiet=options.quiet) as progress, with_models(progress):
            testbed.run(bed, everything, folder, workers=options.workers, progress=progress)
        results = testbed.Results(bed, everything, folder)
        main = [_stressed(results, m) for m in [*metrics, *judged]]
        table = sensitivity.verdict_table(main)
        sys.stdout.write(table.text())
        for note in subject.notes:
            print(note)
        for absent in (m for m in wanted if m.missing()):
            print(f"{absent.name} is left out: it {absent.missing()}")
        if options.out:
            write_atomically(options.out, page.render(results, main, features=features, judged=judged))
            print(f"\n{options.out}: the report; texts and scores are in {folder}")
        _export(options, table, sensitivity.long_table(main))
    return 0


def _errors(options: argparse.Namespace, metrics: list[Metric], judged: list[Metric]) -> int:
    if judged:
        raise OptionError("--judge belongs to --testbed appls; name a judge with -m to see its consistency.")
    data = dataset(options.dataset) if options.dataset else None
    if isinstance(data, PerturbedDocuments):
        pairs = testbed.released_pairs(data)
        notes = ["The texts are those that were released."]
    else:
        chosen = [_dosed(spec, options.variant) for spec in options.perturbations or ERRORS]
        subject = _subject(options, system="ChatGPT" if options.dataset and not options.system else "")
        pairs = testbed.error_pairs(subject, chosen, seed=(options.seed or [1])[0])
        made = subject.corpus.name or "the outputs"
        notes = [
            f"Errors made anew in {len(subject.documents)} texts of {made}, doses of the {options.variant}; released files: -d perturbed."
        ]
        notes += [f"{p.name}: {p.not_eligible} texts left out ({p.reason})." for p in pairs if p.not_eligible]
    found = []
    with Progress("scoring", len(metrics), quiet=options.quiet) as progress, with_models(progress):
        for done, one in enumerate(metrics, 1):
            found.append((one, testbed.consistencies(pairs, one)))
            progress(done)
    table = consistency.consistency_table(found, notes)
    sys.stdout.write(table.text())
    _export(options, table, consistency.consistency_rows(found))
    if options.out:
        write_atomically(options.out, consistency.render_consistency(found, pairs, notes))
        print(f"\n{options.out}: the report")
    return 0


def _dosed(spec: str, variant: Literal["paper", "released"]) -> Perturbation:
    made = perturbation(spec)
    return replace(made, variant=variant) if isinstance(made, Dosed) and variant != "paper" else made


def _subject(options: argparse.Namespace, system: str = "") -> testbed.Subject:
    translator = load_function(options.translator, "--translator") if options.translator else None
    if bool(options.dataset) == bool(options.outputs):
        raise OptionError("expected either a data set (-d NAME) or a file with outputs.")
    if options.dataset:
        data = dataset(options.dataset)
        wanted = options.system or (system if system in data.corpora() else "")
        subject = testbed.from_dataset(
            data, system=wanted, candidate=options.candidate, translator=translator
        )
    else:
        corpus = read_corpus(
            output=options.outputs,
            source=options.source,
            references=options.references,
            fields=fields_of(options.fields),
        )
        subject = testbed.from_corpus(
            corpus, name=Path(options.outputs).stem, candidate=options.candidate, translator=translator
        )
    if options.first is not None:
        if options.first < 1:
            raise OptionError(f"--first {options.first}: expected at least 1.")
        subject = subject.first(options.first)
    return subject


def _stressed(results: testbed.Results, one: Metric) -> sensitivity.Stressed:
    cards = testbed.cards(results, one)
    return sensitivity.Stressed(one, cards, testbed.contrast(results, one), testbed.reversal(cards))


def _judges(spec: str) -> list[Metric]:
    """The judge in APPLS's settings: each criterion by itself (a), all of them (b), all of them with an explanation (c)."""
    base = metric(spec)
    if base.name != "judge":
        raise OptionError(f"--judge {spec}: expected judge(model='…', url='…').")
    from ..metrics.judge import CRITERIA, Judge

    assert isinstance(base, Judge)
    given = {
        k: v
        for k, v in base.spec_options().items()
        if k in ("model", "url", "timeout", "per_minute", "threads", "price_in", "price_out")
    }
    made: list[Metric] = [Judge(rubric="appls", setting="a", dimension=c, **given) for c in CRITERIA]  # type: ignore[arg-type]
    made += [Judge(rubric="appls", setting=s, **given) for s in ("b", "c")]  # type: ignore[arg-type]
    for one in made:
        if reason := one.missing():
            raise NeedsError(f"judge {reason}")
    return made


@contextmanager
def _folder(options: argparse.Namespace) -> Iterator[Path]:
    if options.folder or options.out:
        yield Path(options.folder) if options.folder else Path(options.out).with_suffix(".testbed")
    else:
        with TemporaryDirectory(prefix="plainmark-") as temporary:
            yield Path(temporary)


def _export(options: argparse.Namespace, table: Table, long: Table) -> None:
    if options.csv:
        write_atomically(options.csv, long.csv())
    if options.latex:
        write_atomically(options.latex, table.latex())
