"""Table 4 of the SAMSA paper as far as it can be recomputed: five of its six systems, automatic columns only.

    PLAINMARK_DATA=PATH/TO/data python -m benchmarks samsa_table4 [--metric SPEC ...]

Split-Deletion's outputs and the manual UCCA annotation were never released. Printed: each measure's score of each
system with its bootstrap interval, then Spearman's correlation of the five systems' scores with human ratings, with the
interval over resampled sentences. Rows of the ratings cannot be matched with sentences (`samsa_order`), so scores and
ratings are resampled separately. Five systems: a correlation has few values, and its interval is wide.
"""

import argparse

import numpy as np

import plainmark as pm
from plainmark import datasets
from plainmark.meta.coefficients import coefficient, coefficients
from plainmark.papers.samsa import HUMAN, SCORED, SYSTEMS, TABLE_4
from plainmark.resampling import percentile_intervals
from plainmark.significance import bootstrap

MEASURES = {column: measure for column, measure in SCORED.items() if measure[0]}  # the automatic columns
# What the paper prints for six systems, automatic parses; "splits" is its number of split sentences.
PAPER = {name: [float(TABLE_4[f"{name}/{column}"]) for column in MEASURES] for name in HUMAN}
RESAMPLES = 2000


def main(arguments):
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks samsa_table4",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--metric", nargs="*", default=[], help="more measures")
    measures = MEASURES | {spec: (spec, 1) for spec in parser.parse_args(arguments).metric}
    rng = np.random.default_rng(0)
    corpora = datasets.dataset("pwkp").corpora()
    first = next(iter(corpora.values()))
    outputs = [first.with_outputs(corpora[name].outputs, name=name) for name in SYSTEMS.values()]
    ratings = datasets.dataset("samsa_human(scores='paper')").ratings()
    human = np.zeros((len(HUMAN), len(SYSTEMS), 100))
    for r in ratings:
        if r.system in SYSTEMS:
            human[HUMAN.index(r.dimension), list(SYSTEMS).index(r.system), int(r.sample) - 1] += r.value / 5
    drawn_human = []
    for values in human:
        places = rng.integers(0, 100, (RESAMPLES, 100))
        drawn_human.append(values[:, places].mean(axis=2))
    print(f"{'':10}" + "".join(f"{name:>22}" for name in SYSTEMS))
    drawn, point = {}, {}
    for name, (spec, sign) in measures.items():
        metric = pm.metric(spec)
        stats = [metric.stats(c) for c in outputs]
        point[name] = sign * np.array([metric.reduce(s.sum(axis=0))[0] for s in stats])
        drawn[name] = sign * bootstrap(metric, stats, resamples=RESAMPLES, rng=np.random.default_rng(0))
        cells = [
            f"{p:.2f} [{low:.2f}, {high:.2f}]"
            for p, (low, high) in zip(point[name], percentile_intervals(drawn[name]), strict=True)
        ]
        print(f"{name[:10]:10}" + "".join(f"{c:>22}" for c in cells))
    for name, values in zip(HUMAN, human, strict=True):
        print(f"{name:10}" + "".join(f"{v:22.2f}" for v in values.mean(axis=1)))
    print("\nSpearman's correlation over five systems [95 % interval] and the paper's over six")
    for i, name in enumerate(HUMAN):
        cells = []
        for k, measure in enumerate(measures):
            rho = coefficient("spearman", point[measure], human[i].mean(axis=1))
            spread = coefficients("spearman", drawn[measure].T, drawn_human[i].T)
            low, high = np.nanpercentile(spread, [2.5, 97.5])
            paper = f" ({PAPER[name][k]:+.2f})" if k < len(PAPER[name]) else ""
            cells.append(f"{measure} {rho:+.2f} [{low:+.2f}, {high:+.2f}]{paper}")
        print(f"{name:9}" + "; ".join(cells))
