"""Tests whether the rows of SAMSA's human benchmark can be matched with the sentences of PWKP's test set.

    PLAINMARK_DATA=PATH/TO/data python -m benchmarks samsa_order

The benchmark has ratings and row numbers but no texts. The changes of an output (unchanged, words added, words removed,
number of sentences, length) should be related to its ratings, so a linear model of ratings given these facts and a
one-to-one matching of rows and sentences are fitted alternately (expectation-maximisation; the matching is a doubly
stochastic matrix, computed by Sinkhorn's algorithm, which becomes sharper). Three questions are answered:
1. Is the order the same? The matching likelihood of the identity among random orders.
2. Does a matching learned from five systems predict the ratings of the sixth? Compared with the same on shuffled rows.
3. How certain is it? The largest probability of each row, and how many rows stay the same when one system is left out.
"""

import argparse
import re
from collections import Counter

import numpy as np
from scipy.optimize import linear_sum_assignment

from plainmark import datasets

SYSTEMS = {"TSM": "TSM", "RevILP": "QG+ILP", "PBMT-R": "PBMT-R", "Hybrid": "Hybrid", "UNSUP": "UNSUP"}
SYSTEMS |= {"Reference": "Reference"}
DIMENSIONS = ("grammar", "no additions", "no removals", "structural simplicity")
ROUNDS, RESTARTS = 40, 3


def words(text):
    return re.findall(r"\w+", text.lower())


def facts(source, output):
    """The changes of an output from its source."""
    a, b = Counter(words(source)), Counter(words(output))
    shared, size_a, size_b = sum((a & b).values()), max(sum(a.values()), 1), max(sum(b.values()), 1)
    sentences = len(re.findall(r" [.!?](?: |$)", output))
    same = float(words(source) == words(output))
    removed, added = (size_a - shared) / size_a, (size_b - shared) / size_b
    return [
        same,
        removed,
        added,
        sentences > 1,
        sentences,
        np.log(size_b),
        np.log(size_a),
        float(removed == 0),
    ]


def standard(values):
    """Every column of every system with mean 0 and deviation 1."""
    return (values - values.mean(axis=1, keepdims=True)) / (values.std(axis=1, keepdims=True) + 1e-9)


def load():
    ratings = datasets.dataset("samsa_human").ratings()
    names = list(SYSTEMS)
    y = np.zeros((len(names), 100, len(DIMENSIONS)))
    for r in ratings:
        if r.system in SYSTEMS:
            y[names.index(r.system), int(r.sample) - 1, DIMENSIONS.index(r.dimension)] += r.value / 5
    corpora = datasets.dataset("pwkp").corpora()
    x = np.array(
        [
            [facts(s, o) for s, o in zip(corpora[name].sources, corpora[name].outputs, strict=True)]
            for name in SYSTEMS.values()
        ]
    )
    return standard(x), standard(y)


def sinkhorn(scores, rounds=60):
    scores = scores - scores.max()
    for _ in range(rounds):
        scores = scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)
        scores = scores - np.logaddexp.reduce(scores, axis=0, keepdims=True)
    return np.exp(scores)


def likelihoods(x, y, weights, variance):
    """Log likelihood of row i's ratings as those of sentence j, summed over systems: shape (rows, sentences)."""
    expected = x @ weights
    return sum(
        -0.5 * (((y[k][:, None] - expected[k][None]) ** 2) / variance).sum(axis=2) for k in range(len(x))
    )


def fit(x, y, rng):
    """Matching and model by expectation-maximisation, starting from the assumption that ratings show removals and
    additions.
    """
    n = x.shape[1]
    weights = np.zeros((x.shape[2], y.shape[2]))
    weights[1, 2] = weights[2, 1] = -0.4
    weights[0, 2] = weights[0, 1] = 0.3
    weights[3, 3] = 0.3
    weights += rng.normal(0, 0.02, weights.shape)
    variance = np.full(y.shape[2], 0.8)
    for step in range(ROUNDS):
        heat = 1 + 4 * (1 - step / (ROUNDS - 1))
        matching = sinkhorn(likelihoods(x, y, weights, variance) / heat)
        inner = np.einsum("kja,kjb->ab", x, x) + 10 * np.eye(x.shape[2])
        weights = np.linalg.solve(inner, np.einsum("kja,ij,kib->ab", x, matching, y))
        expected = x @ weights
        cross = np.einsum("kib,ij,kjb->b", y, matching, expected)
        total = (y**2).sum(axis=(0, 1)) - 2 * cross + (expected**2).sum(axis=(0, 1))
        variance = np.maximum(total / (len(x) * n), 0.05)
    score = likelihoods(x, y, weights, variance)
    rows, assignment = linear_sum_assignment(-score)
    return assignment, matching, weights, variance, score[rows, assignment].sum()


def best_fit(x, y, rng):
    return max((fit(x, y, rng) for _ in range(RESTARTS)), key=lambda fitted: fitted[-1])


def held_out(x, y, rng):
    """Correlation of the ratings that the model predicts for the left-out system with its real ones, over questions."""
    correlations = []
    for k in range(len(x)):
        others = [i for i in range(len(x)) if i != k]
        assignment, _, weights, _, _ = best_fit(x[others], y[others], rng)
        expected = (x[k] @ weights)[assignment]
        correlations.append([np.corrcoef(expected[:, d], y[k][:, d])[0, 1] for d in range(y.shape[2])])
    return np.array(correlations)


def main(arguments):
    argparse.ArgumentParser(
        prog="python -m benchmarks samsa_order",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    ).parse_args(arguments)
    rng = np.random.default_rng(0)
    x, y = load()
    assignment, matching, weights, variance, _ = best_fit(x, y, rng)
    score = likelihoods(x, y, weights, variance)
    random = [score[np.arange(100), rng.permutation(100)].sum() for _ in range(2000)]
    place = (score[np.arange(100), np.arange(100)].sum() - np.mean(random)) / np.std(random)
    print(
        f"the same order: {place:+.1f} deviations from random orders; rows left in place: {(assignment == np.arange(100)).sum()}"
    )
    real = held_out(x, y, rng)
    print(
        f"left-out system, real rows:     mean correlation {real.mean():.3f}; by question {real.mean(axis=0).round(2)}"
    )
    shuffled = []
    for _ in range(3):
        mixed = np.stack(
            [rng.permutation(rows) for rows in y]
        )  # rows of each system in an order of their own
        shuffled.append(held_out(x, mixed, rng).mean())
    print(
        f"left-out system, shuffled rows: mean correlation {np.mean(shuffled):.3f} ({np.round(shuffled, 3)})"
    )
    sure = matching.max(axis=1)
    print(f"rows with a probability over .9: {(sure > 0.9).sum()}, over .5: {(sure > 0.5).sum()}")
    stable = np.zeros(100)
    for k in range(len(x)):
        others = [i for i in range(len(x)) if i != k]
        stable += best_fit(x[others], y[others], rng)[0] == assignment
    print(
        f"rows matched alike without any one system: {(stable == len(x)).sum()} of 100, mean {stable.mean() / len(x):.2f}"
    )
