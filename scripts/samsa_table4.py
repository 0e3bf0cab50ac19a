"""Table 4 of the SAMSA paper as far as it can be recomputed: five of its six systems, automatic columns only.

    PLAINMARK_DATA=PATH/TO/data python scripts/samsa_table4.py [--metric SPEC ...]

Split-Deletion's outputs and the manual UCCA annotation were never released. Printed: each measure's score of each
system with its bootstrap interval, then Spearman's correlation of the five systems' scores with people's, with the
interval over resampled sentences. Rows of the ratings cannot be matched with sentences (recover_samsa_order.py), so
scores and ratings are resampled apart. Five systems: a correlation has few values, and its interval is wide.
"""

import argparse

import numpy as np

import plainmark as pm
from plainmark import datasets
from plainmark.resampling import percentile_intervals
from plainmark.significance import bootstrap

SYSTEMS = {"TSM": "TSM", "RevILP": "QG+ILP", "PBMT-R": "PBMT-R", "Hybrid": "Hybrid", "UNSUP": "UNSUP"}
MEASURES = {
    "SAMSA": ("samsa", 1),
    "SAMSA_abl": ("samsa(ablated=True)", 1),
    "BLEU": ("bleu(lowercase=True)", 1),
    "SARI": ("sari", 1),
    "-LD_SR": ("levenshtein(normalise='distance', against='references', lowercase=True)", -1),
    "-LD_SC": ("levenshtein(normalise='distance', lowercase=True)", -1),
    "splits": ("sentence_splits", 1),
}
HUMAN = ("G", "P", "S", "AvgHuman")
# What the paper prints for six systems, automatic parses; "splits" is its number of split sentences.
PAPER = {
    "G": (0.37, 0.14, 0.09, -0.77, -0.43, -0.09, 0.09),
    "P": (-0.37, 0.54, 0.37, -0.14, 0.03, 0.37, -0.49),
    "S": (0.71, -0.71, -0.60, -0.43, -0.43, -0.54, 0.83),
    "AvgHuman": (0.35, 0.09, 0.06, -0.81, -0.46, -0.12, 0.14),
}
RESAMPLES = 2000


def ranks(values):
    """Ranks along the first axis, ties shared."""
    less = (values[:, None] > values[None, :]).sum(axis=1)
    equal = (values[:, None] == values[None, :]).sum(axis=1)
    return less + (equal + 1) / 2


def spearman(a, b):
    """Over the first axis, for every resample."""
    x, y = ranks(a), ranks(b)
    x, y = x - x.mean(axis=0), y - y.mean(axis=0)
    return (x * y).sum(axis=0) / np.sqrt((x**2).sum(axis=0) * (y**2).sum(axis=0))


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--metric", nargs="*", default=[], help="more measures")
    extra = options.parse_args().metric
    measures = MEASURES | {spec: (spec, 1) for spec in extra}
    rng = np.random.default_rng(0)
    corpora = datasets.dataset("pwkp").corpora()
    first = next(iter(corpora.values()))
    chosen = [first.with_outputs(corpora[name].outputs, name=name) for name in SYSTEMS.values()]
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
        stats = [metric.stats(c) for c in chosen]
        found = bootstrap(metric, stats, resamples=RESAMPLES, rng=np.random.default_rng(0))
        point[name] = sign * np.array([metric.reduce(s.sum(axis=0))[0] for s in stats])
        drawn[name] = sign * found
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
            rho = spearman(point[measure][:, None], human[i].mean(axis=1)[:, None])[0]
            spread = spearman(drawn[measure], drawn_human[i])
            low, high = np.nanpercentile(spread, [2.5, 97.5])
            paper = f" ({PAPER[name][k]:+.2f})" if k < len(PAPER[name]) else ""
            cells.append(f"{measure} {rho:+.2f} [{low:+.2f}, {high:+.2f}]{paper}")
        print(f"{name:9}" + "; ".join(cells))


if __name__ == "__main__":
    main()
