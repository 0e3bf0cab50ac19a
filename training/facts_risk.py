"""Fits the word risk of the fact ledger to human ratings and error labels, and writes faithfulness/risk.json.

    python -m training.facts_risk DATA [--output FILE]

A logistic regression with an L2 penalty is fitted to sentence pairs: error labels and ratings of meaning of Wu and Arase
2025 (half a label, half a rating where an output has both), and labels of insertion and substitution of Devaraj et al.
2022. Every system has a bias of its own that is discarded afterwards, so that the weights distinguish worse outputs of a
system, not the styles of worse systems. Slope and bias are then chosen to predict the error labels of unseen sentences best
(Platt 1999).

The program prints areas under the ROC curve on the error labels by cross-validation over source sentences, with one system
left out of the training, and for simple measures; the reliability; and areas on plainmark's own sentence pairs.
"""

import argparse
import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
from evaluation.intervals import auc
from evaluation.own import read_pairs
from evaluation.people import factuality_items, wu2025_items

from plainmark.datasets.wu2025 import SYSTEMS, Wu2025
from plainmark.faithfulness import facts
from plainmark.faithfulness.alignment import Pair
from plainmark.faithfulness.risk import FEATURES, FILE, Weights, by_entries, by_words, evidence

from . import logistic

FOLDS, SEED, PENALTY = 8, 0, 100.0
RATED, OTHER = 0.7, 0.5  # weights of items with a rating only, and of those of the other data set
DIGITS = 5
NOT_INVENTED = (0.0, -100.0)
TIMES = 20  # number of faithful outputs for each one with an invented sentence


class Item(NamedTuple):
    """A sentence pair: who wrote the output, how far the meaning was altered (0 to 1), and people's labels if known."""

    system: str
    source: str
    output: str
    target: float
    weight: float
    altered: int | None
    meaning: float | None


class Measured(NamedTuple):
    """Items with their measurements: evidence of words by group, and the risk by entries."""

    items: list[Item]
    evidence: list
    entries: np.ndarray

    def column(self, name):
        return np.array([getattr(item, name) for item in self.items])

    def scores(self, keep, model):
        return np.array([by_words(*self.evidence[k], model) for k in keep])


def wu2025(data):
    """Outputs of three systems; the target of one with label and rating is the mean of both."""
    labels = [((i.system, i.source, i.output), i.labels["altered"]) for i in wu2025_items(data)]
    rated = Wu2025(folder=str(data))
    grades = {}
    for r in rated.ratings():
        if r.dimension == "meaning":
            grades.setdefault((r.system, r.sample), []).append(r.value)
    ratings = {
        (system, sample.source, sample.output): float(np.mean(grades[system, sample.id]))
        for system, corpus in rated.corpora().items()
        for sample in corpus
    }
    labelled = {key for key, _ in labels}
    for key, label in [*labels, *((key, None) for key in ratings if key not in labelled)]:
        rating = ratings.get(key)
        targets = [float(label)] if label is not None else []
        if rating is not None:
            targets.append(min((3 - rating) / 1.5, 1.0))
        yield Item(*key, float(np.mean(targets)), 1.0 if label is not None else RATED, label, rating)


def others(data):
    """Sentence pairs of WikiLarge with labels, as additional training data."""
    for item in factuality_items(data):
        level = max(item.labels.get("substitution", 0), item.labels.get("insertion", 0))
        yield Item(f"factuality {item.system}", item.source, item.output, float(level > 0), OTHER, None, None)


def measure(items):
    """The measurements of items."""
    words, entries = [], []
    for item in items:
        pair = Pair(item.source, item.output)
        words.append(evidence(pair))
        entries.append(by_entries(facts(pair).entries))
    return Measured(items, words, np.array(entries))


def fit(measured, keep):
    """Weights fitted to the items with these indices; those whose sentences are in several groups are not used."""
    keep = [
        k for k in keep if len(measured.evidence[k][0]) == 1 and not np.isnan(measured.evidence[k][0]).any()
    ]
    rows = np.concatenate([measured.evidence[k][0] for k in keep])
    items = [measured.items[k] for k in keep]
    limit = np.round(np.quantile(rows, 0.99, axis=0), 3)
    rows = np.minimum(rows, limit)
    scale = rows.std(axis=0)
    scale[scale == 0] = 1
    _, system = np.unique([item.system for item in items], return_inverse=True)
    x = np.column_stack([(rows - rows.mean(axis=0)) / scale, np.eye(system.max() + 1)[system]])
    target, weight = (np.array([getattr(item, name) for item in items]) for name in ("target", "weight"))
    ridge = np.full(x.shape[1], PENALTY)
    ridge[len(FEATURES) :] = 0.01
    beta = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ beta))
        gradient = x.T @ (weight * (target - p)) - ridge * beta
        step = np.linalg.solve((x.T * (weight * p * (1 - p))) @ x + np.diag(ridge), gradient)
        beta += step
        if np.abs(step).max() < 1e-7:
            break
    return Weights(beta[: len(FEATURES)] / scale, limit, 0.0, 0.5, NOT_INVENTED)


def invention(measured):
    """Weight and bias of the newest sentence, from outputs with good meaning and the same with an unrelated sentence
    appended.
    """
    good = [k for k, item in enumerate(measured.items) if item.target < 0.1 and item.meaning is not None]
    rng = np.random.default_rng(SEED)
    rows = []
    for k, other in zip(good, rng.permutation(good), strict=True):
        item, strange = measured.items[k], measured.items[other]
        if item.source != strange.source:
            rows += [measured.evidence[k], evidence(Pair(item.source, f"{item.output} {strange.output}"))]
    place = FEATURES.index("newest sentence")
    share = np.array([np.nan_to_num(features[:, place]).max(initial=0.0) for features, _ in rows])
    strange = np.arange(len(rows)) % 2
    weight, bias = logistic.fit(share[:, None], strange, np.where(strange, 1.0, TIMES), penalty=1.0)
    return float(weight[0]), bias


def platt(p, altered):
    """Slope and bias of the logit of p that predict the labels best."""
    x = np.column_stack([_logit(p), np.ones(len(p))])
    beta = np.array([1.0, -2.0])
    for _ in range(30):
        q = 1 / (1 + np.exp(-x @ beta))
        beta += np.linalg.solve((x.T * (q * (1 - q))) @ x, x.T @ (altered - q))
    return beta


def out_of_fold(measured, tests):
    """Word risks before calibration, by weights trained neither on the source sentence nor on the test's left-out part."""
    sentences = np.array([_letters(item.source) for item in measured.items])
    systems = measured.column("system")
    scores = np.full(len(sentences), np.nan)
    for rows, left_out in tests:
        seen = ~np.isin(sentences, sentences[rows]) & (systems != left_out)
        scores[rows] = measured.scores(rows, fit(measured, np.flatnonzero(seen)))
    return scores


def calibrated(scores, slope, bias):
    """Probabilities by Platt's slope and bias."""
    return 1 / (1 + np.exp(-(slope * _logit(scores) + bias)))


def report(name, scores, labelled, altered):
    """One row: areas by system and over all, with an interval over source sentences."""
    systems, sentences = labelled.column("system"), labelled.column("source")
    cells = []
    for system in (*SYSTEMS, "all"):
        own = (systems == system) | (system == "all")
        area, low, high = auc(scores[own], altered[own], sentences[own])
        cells.append(f"{area:.3f} ({low:.3f}-{high:.3f})")
    print(f"| {name} | " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(
        prog="python -m training.facts_risk", description=__doc__.splitlines()[0]
    )
    parser.add_argument("data", type=Path, help="folder with ratings/ and factuality/")
    parser.add_argument("--output", type=Path, default=FILE)
    options = parser.parse_args()
    measured = measure([*wu2025(options.data), *others(options.data)])
    known = np.flatnonzero([item.altered is not None for item in measured.items])
    labelled = Measured(
        [measured.items[k] for k in known], [measured.evidence[k] for k in known], measured.entries[known]
    )
    altered = labelled.column("altered").astype(int)
    systems = labelled.column("system")
    fold = _folds([_letters(item.source) for item in labelled.items])
    by_fold = [(known[fold == k], None) for k in range(FOLDS)]
    by_system = [(known[(fold == k) & (systems == s)], s) for k in range(FOLDS) for s in SYSTEMS]
    scores = out_of_fold(measured, by_fold)[known]
    unseen = out_of_fold(measured, by_system)[known]
    slope, bias = platt(scores, altered)
    total, total_unseen = (
        1 - (1 - calibrated(values, slope, bias)) * (1 - labelled.entries) for values in (scores, unseen)
    )

    print(f"{len(known)} labelled, {altered.sum()} altered; {len(measured.items)} items to train on")
    print("| measure | " + " | ".join((*SYSTEMS, "all")) + " |")
    report("risk, cross-validated", total, labelled, altered)
    report("risk, system left out", total_unseen, labelled, altered)
    report("word risk alone", scores, labelled, altered)
    report("word risk alone, system left out", unseen, labelled, altered)
    report("entries alone", labelled.entries, labelled, altered)
    sums = np.array([np.nansum(rows, axis=0) for rows, _ in labelled.evidence])
    for name in ("new", "rarest new", "lost"):
        report(name, sums[:, FEATURES.index(name)], labelled, altered)
    report(
        "length ratio", np.array([len(i.output) / len(i.source) for i in labelled.items]), labelled, altered
    )
    rate = {s: altered[systems == s].mean() for s in SYSTEMS}
    report("knowing the system", np.array([rate[s] for s in systems]), labelled, altered)
    report(
        "three raters of meaning",
        -np.array([np.nan if i.meaning is None else i.meaning for i in labelled.items]),
        labelled,
        altered,
    )
    print(f"Brier score {np.mean((total - altered) ** 2):.4f}; of the share {altered.var():.4f}")
    for part in np.array_split(np.argsort(total, kind="stable"), 5):
        print(f"  predicted {total[part].mean():.3f}  altered {altered[part].mean():.3f}  n {len(part)}")

    final = fit(measured, range(len(measured.items)))
    final = Weights(
        final.weight * slope, final.limit, float(bias), float(altered.mean()), invention(measured)
    )
    write(final, options.output)
    pairs = read_pairs("development")
    ours = measure([Item("own", p.source, p.output, 0.0, 0.0, int(p.distorted), None) for p in pairs])
    risks = 1 - (1 - ours.scores(range(len(pairs)), final)) * (1 - ours.entries)
    truth = ours.column("altered").astype(int)
    for name, values in (("risk", risks), ("entries alone", ours.entries)):
        area, low, high = auc(values, truth, range(len(pairs)))
        print(f"our own pairs, {name}: {area:.3f} ({low:.3f}-{high:.3f})")
    print(f"  mean risk: distorted {risks[truth == 1].mean():.2f}, harmless {risks[truth == 0].mean():.2f}")


def write(model, path):
    """Write the weights, with few digits."""
    rows = {
        name: {"weight": float(f"{weight:.{DIGITS}g}"), "limit": float(limit)}
        for name, weight, limit in zip(FEATURES, model.weight, model.limit, strict=True)
    }
    content = {"features": rows, "bias": round(model.bias, DIGITS), "prior": round(model.prior, 3)}
    content["invented"] = [round(v, 3) for v in model.invented]
    path.write_text(json.dumps(content, indent=1) + "\n", "utf-8")
    print(f"{path.name}: {json.dumps(content)}")


def _folds(sentences):
    """The number of the fold of each sentence; equal ones stay together."""
    names, group = np.unique(sentences, return_inverse=True)
    return (np.random.default_rng(SEED).permutation(len(names)) % FOLDS)[group]


def _letters(text):
    return "".join(c for c in text.lower() if c.isalnum())


def _logit(p):
    p = np.clip(p, 1e-6, 1 - 1e-6)
    return np.log(p / (1 - p))


if __name__ == "__main__":
    main()
