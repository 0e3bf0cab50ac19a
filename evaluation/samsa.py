"""SAMSA plus compared with SAMSA as printed: correlation with human ratings, and the effect of each switch.

    python -m evaluation.samsa [--part choose] [--part check]

choose  the data on which the switches were chosen: Simplicity-DA (600 outputs, one by one) and SAMSA's own human evaluation
(five
        systems' means: its rows cannot be matched with sentences, and one system's outputs were never released)
check   data on which nothing was chosen: structural simplicity (outputs one by one)

Each switch is added alone to SAMSA as printed, and removed alone from SAMSA plus. Correlations are Pearson's for outputs
and Spearman's for systems; intervals are 95 %, by resampling whole source sentences (for the systems: sentences and ratings
separately). QATS is not among the data sets.
"""

import argparse
from collections import defaultdict

import numpy as np

from plainmark.data import Corpus
from plainmark.datasets import DATASETS
from plainmark.meta.coefficients import coefficient, coefficients
from plainmark.metric import metric
from plainmark.metrics.samsa import SWITCHES
from plainmark.significance import bootstrap

from .quality import correlation, pearson
from .tables import Table
from .texts import data_folder

PLUS = "samsa(variant='plus')"
MEASURES = {
    "SAMSA as printed": "samsa",
    **{f"  with {name}": f"samsa({name}=True)" for name in SWITCHES},
    "SAMSA plus": PLUS,
    **{f"  without {name}": f"samsa(variant='plus', {name}=False)" for name in SWITCHES},
    "SAMSA_abl as printed": "samsa(ablated=True)",
    "SAMSA_abl plus": "samsa(variant='plus', ablated=True)",
}
BASELINES = {"sentences": "sentence_splits", "length": "compression", "Levenshtein": "levenshtein"}
DIMENSIONS = {
    "simplicity_da": ("simplicity", "fluency", "meaning"),
    "structural_simplicity": ("structural simplicity",),
}
SYSTEMS = {"TSM": "TSM", "RevILP": "QG+ILP", "PBMT-R": "PBMT-R", "Hybrid": "Hybrid", "UNSUP": "UNSUP"}
HUMAN = ("G", "P", "S", "AvgHuman")
DRAWS = 1000


def outputs_table(name, data, measures):
    """Correlation with the mean rating of each output."""
    rated = DATASETS.find(name)(folder=str(data))
    values = defaultdict(list)
    for r in rated.ratings():
        values[r.system, r.sample, r.dimension].append(r.value)
    dimensions = DIMENSIONS[name]
    items = [
        (sample, [np.mean(values[system, sample.id, d]) for d in dimensions])
        for system, corpus in rated.corpora().items()
        for sample in corpus
        if all((system, sample.id, d) in values for d in dimensions)
    ]
    corpus = Corpus([s.source for s, _ in items], [s.output for s, _ in items])
    ratings = np.array([row for _, row in items])
    rows, by_label = [], {}
    for label, spec in measures.items():
        scores = by_label[label] = metric(spec).sample_scores(corpus)
        cells = [correlation(scores, ratings[:, k], corpus.sources) for k in range(len(dimensions))]
        zeros = f"{100 * np.mean(scores[np.isfinite(scores)] == 0):.0f}" if "SAMSA" in label else ""
        rows.append([label, *cells, zeros])
    for a, b in (("SAMSA plus", "SAMSA as printed"), ("SAMSA_abl plus", "SAMSA_abl as printed")):
        cells = [
            difference(by_label[a], by_label[b], ratings[:, k], corpus.sources)
            for k in range(len(dimensions))
        ]
        rows.append([f"{a} less printed", *cells, ""])
    title = f"{name}: Pearson's r with the mean rating of {len(items)} outputs"
    return Table(title, ["measure", *dimensions, "scores of 0, %"], rows)


def difference(first, second, ratings, groups):
    """The difference of two correlations with its interval, by resampling whole source sentences."""
    usable = np.isfinite(first) & np.isfinite(second)
    x, y, z = first[usable], second[usable], ratings[usable]
    _, group = np.unique(np.asarray(groups)[usable], return_inverse=True)
    members = [np.flatnonzero(group == g) for g in range(group.max() + 1)]
    rng = np.random.default_rng(0)
    drawn = []
    for _ in range(DRAWS):
        rows = np.concatenate([members[g] for g in rng.integers(len(members), size=len(members))])
        drawn.append(pearson(x[rows], z[rows]) - pearson(y[rows], z[rows]))
    low, high = np.nanpercentile(drawn, [2.5, 97.5])
    return f"{pearson(x, z) - pearson(y, z):.3f} ({low:.3f} to {high:.3f})"


def systems_table(data):
    """Spearman's correlation over the five systems of SAMSA's human evaluation whose outputs are known."""
    corpora = DATASETS.find("pwkp")(folder=str(data)).corpora()
    first = next(iter(corpora.values()))
    outputs = [first.with_outputs(corpora[name].outputs, name=name) for name in SYSTEMS.values()]
    human = np.zeros((len(HUMAN), len(SYSTEMS), 100))
    for r in DATASETS.find("samsa_human")(folder=str(data), scores="paper").ratings():
        if r.system in SYSTEMS:
            human[HUMAN.index(r.dimension), list(SYSTEMS).index(r.system), int(r.sample) - 1] += r.value / 5
    rng = np.random.default_rng(0)
    drawn_human = [values[:, rng.integers(0, 100, (DRAWS, 100))].mean(axis=2) for values in human]
    rows = []
    for label, spec in (MEASURES | BASELINES).items():
        measure = metric(spec)
        stats = [measure.stats(c) for c in outputs]
        point = np.array([measure.reduce(s.sum(axis=0))[0] for s in stats])
        drawn = bootstrap(measure, stats, resamples=DRAWS, rng=np.random.default_rng(0))
        cells = []
        for values, spread in zip(human, drawn_human, strict=True):
            rho = coefficient("spearman", point, values.mean(axis=1))
            low, high = np.nanpercentile(coefficients("spearman", drawn.T, spread.T), [2.5, 97.5])
            cells.append(f"{rho:.2f} ({low:.2f}-{high:.2f})")
        rows.append([label, *cells])
    title = "samsa_human: Spearman's rho over five systems"
    return Table(title, ["measure", *HUMAN], rows)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--part", action="append", choices=("choose", "check"))
    parts = parser.parse_args().part or ("choose", "check")
    data = data_folder()
    if "choose" in parts:
        print(outputs_table("simplicity_da", data, MEASURES | BASELINES), flush=True)
        print(systems_table(data), flush=True)
    if "check" in parts:
        whole = {label: spec for label, spec in MEASURES.items() if not label.startswith(" ")}
        print(outputs_table("structural_simplicity", data, whole | BASELINES), flush=True)


if __name__ == "__main__":
    main()
