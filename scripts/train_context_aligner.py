"""Trains the aligner `context` on sentence links and writes src/plainmark/aligners/context.json.

    python scripts/train_context_aligner.py PATH/TO/links_val.jsonl

Each line of the links has `complex` and `simple`, two lists of sentences, and `links` [i, j, label]; both labels,
aligned and partial, count as links. A logistic regression with an L2 penalty is fitted by Newton's method, once with
and once without the encoder's cosine. Printed are precision, recall and F1 by cross-validation over documents.
"""

import json
import sys
from pathlib import Path

import numpy as np

from plainmark.aligners.context import WEIGHTS, cosine, features

PENALTY, FOLDS, SEEDS = 3.0, 5, (0, 1, 2)


def examples(rows, encoder):
    """Features (pairs, k), labels and document numbers of all pairs of sentences, and the features' names."""
    xs, ys, documents = [], [], []
    for d, row in enumerate(rows):
        a, b = row["complex"], row["simple"]
        if not a or not b:
            continue
        columns = dict(features(a, b, cosine("minilm", a, b) if encoder else None))
        label = np.zeros((len(a), len(b)))
        for i, j, _ in row["links"]:
            label[i, j] = 1
        xs.append(np.stack([v.ravel() for v in columns.values()], axis=1))
        ys.append(label.ravel())
        documents.append(np.full(label.size, d))
    return np.concatenate(xs), np.concatenate(ys), np.concatenate(documents), list(columns)


def fit(x, y):
    """Weights and bias of a logistic regression on standardised features, given back for the raw ones."""
    mean, scale = x.mean(axis=0), x.std(axis=0)
    scale[scale == 0] = 1
    z = np.column_stack([(x - mean) / scale, np.ones(len(x))])
    penalty = np.full(z.shape[1], PENALTY)
    penalty[-1] = 0
    w = np.zeros(z.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-z @ w))
        step = np.linalg.solve((z.T * (p * (1 - p))) @ z + np.diag(penalty), z.T @ (y - p) - penalty * w)
        w += step
        if np.abs(step).max() < 1e-8:
            break
    weights = w[:-1] / scale
    return weights, w[-1] - weights @ mean


def scores(predicted, y):
    hits = (predicted & (y > 0)).sum()
    precision, recall = hits / predicted.sum(), hits / y.sum()
    return 100 * precision, 100 * recall, 200 * precision * recall / (precision + recall)


def cross_validate(x, y, documents, seed):
    order = np.random.default_rng(seed).permutation(np.unique(documents))
    fold = dict(zip(order, np.arange(len(order)) % FOLDS, strict=True))
    folds = np.array([fold[d] for d in documents])
    predicted = np.zeros(len(y), bool)
    for k in range(FOLDS):
        weights, bias = fit(x[folds != k], y[folds != k])
        predicted[folds == k] = x[folds == k] @ weights + bias > 0
    return scores(predicted, y)


def main(path):
    rows = [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]
    made = {"about": "Weights of the aligner `context`; see docs/models.md.", "weights": {}}
    for name in ("minilm", "none"):
        x, y, documents, names = examples(rows, name != "none")
        for seed in SEEDS:
            p, r, f = cross_validate(x, y, documents, seed)
            print(f"{name}: cross-validation {seed}: precision {p:.1f}, recall {r:.1f}, F1 {f:.1f}")
        weights, bias = fit(x, y)
        p, r, f = scores(x @ weights + bias > 0, y)
        print(f"{name}: on the training data: precision {p:.1f}, recall {r:.1f}, F1 {f:.1f}")
        made["weights"][name] = {n: float(f"{w:.6g}") for n, w in zip(names, weights, strict=True)} | {
            "bias": float(bias)
        }
    WEIGHTS.write_text(json.dumps(made, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
