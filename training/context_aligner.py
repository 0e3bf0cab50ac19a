"""Train the aligner `context` on sentence links and write src/plainmark/aligners/context.json.

    python -m training.context_aligner PATH/TO/links_val.jsonl PATH/TO/plaba/data.json

A logistic regression is fitted to single pairs of sentences, and boosted trees to its probabilities and order features,
once with and once without the encoder's cosine (--encoder none or minilm for one of them). Trees are fitted to
probabilities of regressions that were not trained on the document. The program prints the results on documents that neither
was trained on, by cross-validation over documents: links, and the sentences reported as dropped or added.
"""

import argparse
import json

import numpy as np

from plainmark.aligners._evidence import features
from plainmark.aligners.context import (
    SEEN_AGAIN,
    WEIGHTS,
    ContextAligner,
    cosine,
    read_model,
    second_look,
    sigmoid,
)

from . import boosting, logistic, sentence_links

FOLDS, SEEDS = 5, (0, 1, 2)
LINKED = 0.5


class Examples:
    """Texts with links, the features of all their pairs, and the fold of each text."""

    def __init__(self, documents, encoder, seed):
        fold = logistic.folds([d.group for d in documents], FOLDS, seed)
        more = list(sentence_links.made(documents, fold, np.random.default_rng(seed)))
        self.texts = [*documents, *(text for text, _ in more)]
        self.fold = np.array([*fold, *(k for _, k in more)])
        self.labels = [text.labels for text in self.texts]
        self.x = []
        for text in self.texts:
            a, b = list(text.source), list(text.output)
            columns = dict(features(a, b, None if encoder == "none" else cosine(encoder, a, b)))
            self.x.append(np.stack(list(columns.values()), axis=-1))
        self.names = list(columns)

    def together(self, indices, matrices):
        """Rows, labels and weights of the pairs of some texts; `matrices` are their features."""
        rows = [matrices[d] for d in indices]
        weight = [
            np.full(len(r), sentence_links.WEIGHTS[self.texts[d].data])
            for d, r in zip(indices, rows, strict=True)
        ]
        return np.concatenate(rows), np.concatenate(weight)

    def fit(self, indices):
        """The contents of the file of weights for a model of some texts."""
        indices = np.asarray(indices)
        unseen = {}
        for k in np.unique(self.fold[indices]):
            first = self.fit_first(indices[self.fold[indices] != k])
            unseen |= {d: self._first(first, d) for d in indices[self.fold[indices] == k]}
        first = self.fit_first(indices)
        looks = {d: self._second(p, d) for d, p in unseen.items()}
        x, weight = self.together(indices, {d: look[1] for d, look in looks.items()})
        y = np.concatenate([self.labels[d][looks[d][0]] for d in indices])
        trees = boosting.fit(x, y, weight)
        return {
            "first": {
                "names": self.names,
                "weights": [float(f"{w:.6g}") for w in first[0]],
                "bias": float(f"{first[1]:.6g}"),
            },
            "second": dict(zip(("features", "thresholds", "values", "bias"), trees, strict=True)),
        }

    def probabilities(self, contents, d):
        """A model's probabilities for a text."""
        model = read_model(contents)
        out = self._first((np.array(contents["first"]["weights"]), model.bias), d)
        candidates, x, _ = self._second(out, d)
        out[candidates] = sigmoid(model.trees.scores(x))
        return out

    def fit_first(self, indices):
        """Weights and bias of the regression on the pairs of some texts."""
        x, weight = self.together(indices, [x.reshape(-1, len(self.names)) for x in self.x])
        y = np.concatenate([self.labels[d].ravel() for d in indices])
        return logistic.fit(x, y, weight)

    def _first(self, weights, d):
        return sigmoid(self.x[d] @ weights[0] + weights[1])

    def _second(self, first, d):
        return second_look(first, {n: self.x[d][:, :, self.names.index(n)] for n in SEEN_AGAIN})


def cross_validate(examples):
    """The probabilities of all texts, each by a model that was not trained on its fold."""
    out = [None] * len(examples.texts)
    for k in range(FOLDS):
        contents = examples.fit(np.flatnonzero(examples.fold != k))
        for d in np.flatnonzero(examples.fold == k):
            out[d] = examples.probabilities(contents, d)
    return out


def evaluate(probabilities, labels, doubtful=ContextAligner.doubtful):
    """Precision, recall and F1 of links; sentences reported as dropped or added, how many of them are wrong, and the
    recall.
    """
    predicted = np.concatenate([p.ravel() > LINKED for p in probabilities])
    gold = np.concatenate([y.ravel() > 0 for y in labels])
    hits = (predicted & gold).sum()
    out = {
        "precision": hits / predicted.sum(),
        "recall": hits / gold.sum(),
        "f1": 2 * hits / (predicted.sum() + gold.sum()),
    }
    for name, axis in (("dropped", 1), ("added", 0)):
        best = np.concatenate([p.max(axis=axis) for p in probabilities])
        alone = np.concatenate([y.max(axis=axis) == 0 for y in labels])
        called = best < doubtful
        out |= {
            f"{name} called": int(called.sum()),
            f"{name} false": int((called & ~alone).sum()),
            f"{name} in truth": int(alone.sum()),
            f"{name} linked": int((alone & (best > LINKED)).sum()),
            f"{name} in doubt": int(((best >= doubtful) & (best <= LINKED)).sum()),
        }
    return out


def report(label, examples, probabilities):
    """Print one line per data set."""
    for data in sentence_links.WEIGHTS:
        indices = [d for d, text in enumerate(examples.texts) if text.data == data]
        row = evaluate([probabilities[d] for d in indices], [examples.labels[d] for d in indices])
        shares = ", ".join(f"{n} {100 * row.pop(n):.1f}" for n in ("precision", "recall", "f1"))
        print(f"{label}: {data}: {shares}; " + ", ".join(f"{n} {v}" for n, v in row.items()), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("swipe")
    parser.add_argument("plaba")
    parser.add_argument("--encoder", choices=("none", "minilm"), action="append")
    parser.add_argument("--no-cross-validation", action="store_true")
    options = parser.parse_args()
    documents = [*sentence_links.swipe(options.swipe), *sentence_links.plaba(options.plaba)]
    contents = {"about": "The aligner `context`; see docs/document.md.", "models": {}}
    if options.encoder and WEIGHTS.exists():
        contents["models"] = json.loads(WEIGHTS.read_text("utf-8")).get("models", {})
    for encoder in options.encoder or ("none", "minilm"):
        for seed in () if options.no_cross_validation else SEEDS:
            examples = Examples(documents, encoder, seed)
            report(f"{encoder}, cross-validation {seed}", examples, cross_validate(examples))
        examples = Examples(documents, encoder, SEEDS[0])
        contents["models"][encoder] = model = examples.fit(np.arange(len(examples.texts)))
        seen = [examples.probabilities(model, d) for d in range(len(examples.texts))]
        report(f"{encoder}, training data", examples, seen)
    WEIGHTS.write_text(json.dumps(contents) + "\n", "utf-8")


if __name__ == "__main__":
    main()
