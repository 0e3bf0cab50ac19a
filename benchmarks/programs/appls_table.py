"""Perturbations by metrics on a data set, as the Markdown table of docs/testbed-card.md.

    PLAINMARK_DATA=PATH/TO/data python -m benchmarks appls_table FOLDER [--workers 1] [--dataset plaba] [--testbed appls]

FOLDER stores texts and scores, so that an interrupted run is resumable. Each cell has the verdict, the mean change at full
strength, and the effect: the slope in standard deviations of the unperturbed texts' scores.
"""

import argparse
import math
import sys
import time
from dataclasses import replace

import plainmark as pm
from plainmark import testbed
from plainmark.api._metrics import parse_metrics
from plainmark.datasets import dataset
from plainmark.perturbations import APPLS, CONTROLS, FACTS, perturbation, pooled
from plainmark.report.stress.tables import label

PAPER = "sari,bleu,rouge(kind='1'),rouge(kind='2'),rouge,meteor,fkgl"
# Metrics that need no installation and take milliseconds per text.
LIGHT = "sari,bleu,rouge(kind='mean'),meteor,facts_kept,numbers_kept,negation_kept,entities_kept,fkgl,cefr,perplexity(scale='log')"
# Metrics with embedded or installed models, up to half a second of processor time per text.
MODELS = "bertscore,coverage,entailment,quality,perplexity(model='smollm2', scale='log')"
METRICS = {"paper": PAPER, "light": LIGHT, "models": MODELS}
TESTBEDS = {"appls": APPLS, "facts": FACTS, "controls": CONTROLS}
MARKS = {
    "detects": "✓", "ignores": "○", "wrong way": "✗", "reacts": "✗", "mixed": "≈", "rises": "↑", "falls": "↓",
    "undefined": "–",
}  # fmt: skip
SHAPES = {"inverted U": " ∩", "U": " ∪"}


def main(arguments):
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks appls_table",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", help="where texts and scores are kept")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument("--dataset", default="plaba", help="the data set (default: plaba)")
    parser.add_argument("--candidate", default="oracle", help="what is perturbed (default: oracle)")
    parser.add_argument("--testbed", choices=TESTBEDS, default="appls", help="which perturbations")
    parser.add_argument("--first", type=int, help="only the first N documents")
    parser.add_argument(
        "--simpler-only",
        action="store_true",
        help="only documents with a simpler version besides the references",
    )
    parser.add_argument("--levels", type=int, default=10, help="strengths")
    parser.add_argument("--seeds", type=int, default=2, help="how many seeds")
    parser.add_argument(
        "--metrics",
        help=f"{', '.join(METRICS)}, or metrics separated by commas (default: paper for appls, light for others)",
    )
    options = parser.parse_args(arguments)
    selection = options.metrics or ("paper" if options.testbed == "appls" else "light")
    metrics = parse_metrics(METRICS.get(selection, selection))
    subject = testbed.from_dataset(dataset(options.dataset), candidate=options.candidate)
    subject = selected(subject, options.first, options.simpler_only)
    perturbations = [perturbation(p) for p in TESTBEDS[options.testbed]]
    bed = testbed.build(subject, perturbations, levels=options.levels, seeds=range(1, options.seeds + 1))
    began = time.time()
    testbed.run(bed, metrics, options.folder, workers=options.workers, progress=show)
    print(f"\n{time.time() - began:.0f} s", file=sys.stderr)
    results = testbed.Results(bed, metrics, options.folder)
    cards = [testbed.cards(results, metric) for metric in metrics]
    print(f"| perturbation | documents | {' | '.join(label(m) for m in metrics)} |")
    print("|---|---:|" + "---:|" * len(metrics))
    for row in zip(*cards, strict=True):
        documents = max(card.documents for card in row)
        print(f"| `{row[0].case}` | {documents} | {' | '.join(map(cell, row))} |")
    disagree = [(c.metric.name, c.case) for column in cards for c in column if not c.agrees]
    print(f"\nverdicts on which the seeds alone differ: {disagree or 'none'}")
    for column in cards:
        if turned := testbed.reversal(column):
            print(f"reversal test, {label(turned.metric)}: {turned.verdict}")
    for metric in metrics:
        if contrast := testbed.contrast(results, metric):
            print(f"synonym or antonym, {label(metric)}: {contrast.verdict}")
    print(f"plainmark {pm.__version__}, {len(subject.documents)} documents")


def selected(subject, first, simpler_only):
    """The first documents of a subject, or the first of those that have a simpler version."""
    places = [
        i for i, d in enumerate(subject.documents) if not simpler_only or any(d.simpler) or d.simplified
    ]
    places = places[:first]
    documents = pooled([subject.documents[i] for i in places])
    return replace(subject, corpus=subject.corpus.subset(places), documents=documents)


def cell(card):
    """A verdict with the change at full strength, the effect and the shape of the curve."""
    if card.verdict == "not testable here":
        return "not testable"
    if not math.isfinite(card.change):
        return "–"
    effect = f"{card.effect:.2f}".replace("inf", "∞")
    digits = 2 if getattr(card.metric, "scale", "") == "log" else 1
    return f"{MARKS[card.verdict]} {card.change:.{digits}f} ({effect}){SHAPES.get(card.shape, '')}".replace(
        "-", "−"
    )


def show(done, total):
    print(f"\r{done} of {total} units", end="", file=sys.stderr, flush=True)
