"""Train the aligner `context` on sentence links and write src/plainmark/aligners/context.json.

    python -m training.context_aligner PATH/TO/links_val.jsonl

Each line of the links has `complex` and `simple`, two lists of sentences, and `links` [i, j, label]; both labels,
aligned and partial, count as links. A logistic regression with an L2 penalty is fitted by Newton's method, once with
and once without the encoder's cosine. Printed are precision, recall and F1 by cross-validation over documents.
"""

import json
import sys
from pathlib import Path

import numpy as np

from plainmark.aligners.context import WEIGHTS, cosine, features

from .logistic import fit, folds

FOLDS, SEEDS = 5, (0, 1, 2)


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


def scores(predicted, y):
    """Precision, recall and F1 in percent."""
    hits = (predicted & (y > 0)).sum()
    precision, recall = hits / predicted.sum(), hits / y.sum()
    return 100 * precision, 100 * recall, 200 * precision * recall / (precision + recall)


def cross_validate(x, y, documents, seed):
    """Precision, recall and F1 of predictions for documents that the regression has not seen."""
    fold = folds(documents, FOLDS, seed)
    predicted = np.zeros(len(y), bool)
    for k in range(FOLDS):
        weights, bias = fit(x[fold != k], y[fold != k])
        predicted[fold == k] = x[fold == k] @ weights + bias > 0
    return scores(predicted, y)


def main(path):
    rows = [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]
    contents = {"about": "Weights of the aligner `context`; see docs/models.md.", "weights": {}}
    for name in ("minilm", "none"):
        x, y, documents, names = examples(rows, name != "none")
        for seed in SEEDS:
            p, r, f = cross_validate(x, y, documents, seed)
            print(f"{name}: cross-validation {seed}: precision {p:.1f}, recall {r:.1f}, F1 {f:.1f}")
        weights, bias = fit(x, y)
        p, r, f = scores(x @ weights + bias > 0, y)
        print(f"{name}: on the training data: precision {p:.1f}, recall {r:.1f}, F1 {f:.1f}")
        contents["weights"][name] = {n: float(f"{w:.6g}") for n, w in zip(names, weights, strict=True)} | {
            "bias": float(bias)
        }
    WEIGHTS.write_text(json.dumps(contents, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
