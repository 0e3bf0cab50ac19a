"""The eleven perturbations on PLABA's 749 abstracts: which metric detects which, as a Markdown table.

    PLAINMARK_DATA=PATH/TO/data python -m benchmarks appls_table FOLDER [--workers 1]

FOLDER keeps texts and scores, so that an interrupted run is resumable. docs/testbed.md has the table.
"""

import argparse
import sys
import time

import plainmark as pm
from plainmark import testbed
from plainmark.datasets import dataset
from plainmark.perturbations import APPLS, perturbation
from plainmark.report.stress.tables import StressedMetric, verdict_table

METRICS = ("sari", "bleu", "rouge(kind='1')", "rouge(kind='2')", "rouge", "meteor", "numbers_kept", "negation_kept", "entities_kept")  # fmt: skip


def main(arguments):
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks appls_table",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", help="where texts and scores are kept")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    options = parser.parse_args(arguments)
    metrics = [pm.metric(m) for m in METRICS]
    subject = testbed.from_dataset(dataset("plaba"))
    bed = testbed.build(subject, [perturbation(p) for p in APPLS])
    began = time.time()
    testbed.run(bed, metrics, options.folder, workers=options.workers, progress=show)
    print(f"\n{time.time() - began:.0f} s", file=sys.stderr)
    results = testbed.Results(bed, metrics, options.folder)
    rows = []
    for metric in metrics:
        cards = testbed.cards(results, metric)
        rows.append(StressedMetric(metric, cards, testbed.contrast(results, metric), testbed.reversal(cards)))
    table = verdict_table(rows)
    print(table.markdown())
    print("| effect (slope in standard deviations) | " + " | ".join(METRICS) + " |")
    print("|---|" + "---:|" * len(METRICS))
    for i, card in enumerate(rows[0].cards):
        print(f"| {card.case} | " + " | ".join(f"{s.cards[i].effect:.2f}" for s in rows) + " |")
    disagree = [(s.metric.name, c.case) for s in rows for c in s.cards if not c.agrees]
    print(f"\nverdicts on which the two seeds alone differ: {disagree or 'none'}")
    for dose in results.doses:
        print(
            f"{dose.case.name}: {int((dose.eligible[0] > 0).sum())} of {len(subject.documents)} documents eligible"
        )


def show(done, total):
    print(f"\r{done} of {total} units", end="", file=sys.stderr, flush=True)
