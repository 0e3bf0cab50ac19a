"""Train the word aligner on Edinburgh++ and write src/plainmark/ucca/alignment.json.

    python -m training.word_aligner PATH/TO/gold.train.sure.json [PATH/TO/gold.train.sure+poss.json]

Two logistic regressions with an L2 penalty are fitted by Newton's method, the second on probabilities that the first
gives to sentence pairs it has not seen. Of the pairs of words that nothing speaks for, one in twelve is kept, with the
weight of twelve. Printed are figures by cross-validation over sentence pairs (those of one original sentence stay
together): precision, recall and F1 of all links and of those between different words, against the sure links and, with
the second file, precision against sure and possible links. A lexicon of synonyms is named with --lexicon FILE.
"""

import argparse
import json

import numpy as np

from plainmark.cli.align_words import Counts, read_gold
from plainmark.ucca.alignment import WEIGHTS, Regression, WordAligner
from plainmark.ucca.word_features import neighbourhood

from .logistic import fit, folds

FOLDS, RARE = 5, 12
THRESHOLDS = (0.35, 0.4, 0.42, 0.45, 0.5)


def fit_pairs(xs, ys, keeps):
    """A logistic regression on the weighted pairs of words of all sentence pairs."""
    x = np.concatenate([v[k > 0] for v, k in zip(xs, keeps, strict=True)])
    y = np.concatenate([v[k > 0] for v, k in zip(ys, keeps, strict=True)]).astype(float)
    weight = np.concatenate([k[k > 0] for k in keeps])
    return Regression(*fit(x, y, weight, rounds=25, tolerance=1e-5))


def candidates(names, x, rng):
    """Weights of the pairs of words of one sentence pair: 1 for what competes, 12 or 0 for the rest."""
    feature = {n: x[..., i] for i, n in enumerate(names)}
    score = sum(feature[n] for n in ("same", "form", "synonym", "letters", "words_before", "words_after"))
    score = score + 3 * feature.get("cosine", 0)
    ranks = [np.argsort(np.argsort(-score, axis=axis), axis=axis) for axis in (0, 1)]
    near = (np.minimum(*ranks) < 3) | (feature["same"] > 0)
    return np.where(near, 1.0, RARE * (rng.random(near.shape) < 1 / RARE))


def out_of_fold(xs, ys, keeps, fold):
    """Probabilities of each sentence pair from a regression that has not seen it."""
    out = [None] * len(xs)
    for k in range(FOLDS):
        inside = [i for i in range(len(xs)) if fold[i] != k]
        model = fit_pairs(*([v[i] for i in inside] for v in (xs, ys, keeps)))
        for i in np.flatnonzero(fold == k):
            out[i] = applied(model, xs[i])
    return out


def applied(model, x):
    """The model's probabilities for a stack of features, the last axis."""
    return model(np.moveaxis(x, -1, 0))


def second_stage(xs, chances):
    return [
        np.concatenate([x, np.stack(neighbourhood(p), axis=-1)], axis=-1)
        for x, p in zip(xs, chances, strict=True)
    ]


def train(xs, ys, keeps, groups, seed):
    first = fit_pairs(xs, ys, keeps)
    inner = out_of_fold(xs, ys, keeps, folds(groups, FOLDS, seed))
    return first, fit_pairs(second_stage(xs, inner), ys, keeps)


def without_limits(rows, ys, chances):
    """Pairs of different words in the order of their probabilities: precision at recall 50 %, recall at precision 70 %."""
    different = [np.array([[x.lower() != y.lower() for y in r.b] for x in r.a]) for r in rows]
    p, y = (np.concatenate([v[d] for v, d in zip(some, different, strict=True)]) for some in (chances, ys))
    hits = np.cumsum(y[np.argsort(-p)])
    precision, recall = hits / np.arange(1, len(hits) + 1), hits / y.sum()
    return (
        f"different words, any pair: P {100 * precision[np.searchsorted(recall, 0.5)]:.1f} at R 50, "
        f"R {100 * recall[np.flatnonzero(precision >= 0.7)[-1]]:.1f} at P 70"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sure")
    parser.add_argument("possible", nargs="?")
    parser.add_argument("--lexicon")
    parser.add_argument(
        "--models",
        nargs="*",
        default=[f"{e}{w}" for e in ("minilm", "ucca", "none") for w in ("+wordnet", "")],
    )
    options = parser.parse_args()
    rows = list(read_gold(options.sure))
    possible = {}
    if options.possible:
        possible = {(r.a, r.b): r.sure for r in read_gold(options.possible)}
    ys = []
    for row in rows:
        y = np.zeros((len(row.a), len(row.b)), bool)
        if row.sure:
            y[tuple(np.array(sorted(row.sure)).T)] = True
        ys.append(y)
    groups = [row.name.rpartition(":")[2] for row in rows]
    contents = json.loads(WEIGHTS.read_text("utf-8")) if WEIGHTS.exists() else {}
    contents = {
        "about": "Weights of the word aligner; docs/samsa.md has the card.",
        "models": contents.get("models", {}),
    }
    for name in options.models:
        encoder, _, database = name.partition("+")
        aligner = WordAligner(encoder=encoder, wordnet="" if database else "none", lexicon=options.lexicon)
        seen = list(aligner.features([(row.a, row.b) for row in rows]))
        names, xs = list(seen[0]), [np.stack(list(columns.values()), axis=-1) for columns in seen]
        rng = np.random.default_rng(0)
        keeps = [candidates(names, x, rng) for x in xs]
        fold = folds(groups, FOLDS, 0)
        chances = [None] * len(xs)
        for k in range(FOLDS):
            inside = [i for i in range(len(xs)) if fold[i] != k]
            first, second = train(*([v[i] for i in inside] for v in (xs, ys, keeps, groups)), seed=1)
            for i in np.flatnonzero(fold == k):
                (both,) = second_stage([xs[i]], [applied(first, xs[i])])
                chances[i] = applied(second, both)
        print(f"{name}, {without_limits(rows, ys, chances)}", flush=True)
        for threshold in THRESHOLDS:
            for shared in (False, True):
                linker = WordAligner(encoder=encoder, threshold=threshold, shared=shared)
                sure, sure_or_possible = Counts(), Counts()
                for row, p in zip(rows, chances, strict=True):
                    links = linker._linked(p)
                    sure.add(row, links)
                    sure_or_possible.add(row, links, possible.get((row.a, row.b)))
                label = f"{name} {threshold} {'shared' if shared else 'one-to-one'}"
                print(f"{label}, sure links: {sure}", flush=True)
                if possible:
                    print(f"{label}, sure and possible links: {sure_or_possible}", flush=True)
        stages = train(xs, ys, keeps, groups, seed=1)
        contents["models"][name] = {
            "features": names,
            "stages": [
                {"weights": [float(f"{w:.5g}") for w in s.weights], "bias": round(s.bias, 5)} for s in stages
            ],
        }
    if not options.lexicon:
        WEIGHTS.write_text(json.dumps(contents) + "\n", "utf-8")


if __name__ == "__main__":
    main()
