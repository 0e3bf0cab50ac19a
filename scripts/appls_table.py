"""The eleven perturbations on PLABA's 749 abstracts: which metric notices what, as a Markdown table.

PLAINMARK_DATA=folder-of-data python scripts/appls_table.py FOLDER [workers]

FOLDER keeps texts and scores; an interrupted run goes on from there. docs/testbed.md has the table.
"""

import sys
import time

import plainmark as pm
from plainmark import testbed
from plainmark.datasets import dataset
from plainmark.perturbations import APPLS, perturbation
from plainmark.report.stress.tables import StressedMetric, verdict_table

METRICS = ("sari", "bleu", "rouge(kind='1')", "rouge(kind='2')", "rouge", "meteor", "numbers_kept", "negation_kept", "entities_kept")  # fmt: skip


def main(folder, workers=1):
    metrics = [pm.metric(m) for m in METRICS]
    subject = testbed.from_dataset(dataset("plaba"))
    bed = testbed.build(subject, [perturbation(p) for p in APPLS])
    began = time.time()
    testbed.run(bed, metrics, folder, workers=int(workers), progress=show)
    print(f"\n{time.time() - began:.0f} s", file=sys.stderr)
    results = testbed.Results(bed, metrics, folder)
    found = []
    for metric in metrics:
        cards = testbed.cards(results, metric)
        found.append(
            StressedMetric(metric, cards, testbed.contrast(results, metric), testbed.reversal(cards))
        )
    table = verdict_table(found)
    print(table.markdown())
    print("| effect (slope in standard deviations) | " + " | ".join(METRICS) + " |")
    print("|---|" + "---:|" * len(METRICS))
    for i, card in enumerate(found[0].cards):
        print(f"| {card.case} | " + " | ".join(f"{s.cards[i].effect:.2f}" for s in found) + " |")
    disagree = [(s.metric.name, c.case) for s in found for c in s.cards if not c.agrees]
    print(f"\nverdicts on which the two seeds alone differ: {disagree or 'none'}")
    for dose in results.doses:
        print(
            f"{dose.case.name}: {int((dose.eligible[0] > 0).sum())} of {len(subject.documents)} documents eligible"
        )


def show(done, total):
    print(f"\r{done} of {total} units", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
