"""Gradient boosting of symmetric decision trees for a probability or a number, in numpy and without random numbers.

In a symmetric tree, all nodes of one depth ask the same question (feature > threshold), so that a tree of depth d consists
of d questions and 2^d values. Features are binned at quantiles; each question is the one that reduces the loss most, by its
second-order approximation. Reference: Chen & Guestrin 2016; Prokhorenkova et al. 2018 for the trees.
"""

import numpy as np

DIGITS = 6  # digits of thresholds and values, so that the written model equals the fitted one


def fit(x, y, sample_weight, *, loss="logistic", trees=100, depth=4, rate=0.15, penalty=5.0, bins=32):
    """Features (trees, depth), thresholds (trees, depth) and values (trees, 2^depth) as lists, and the bias.

    The loss is "logistic" for the log-odds of labels 0 and 1, or "squared" for numbers.
    """
    edges = [_edges(column, bins) for column in x.T]
    binned = np.stack(
        [np.searchsorted(e, column, side="left") for e, column in zip(edges, x.T, strict=True)]
    ).astype(np.int64)
    mean = (sample_weight * y).sum() / sample_weight.sum()
    bias = _short(np.log(mean / (1 - mean)) if loss == "logistic" else mean)
    score = np.full(len(y), bias)
    features, thresholds, values = [], [], []
    for _ in range(trees):
        if loss == "logistic":
            p = 1 / (1 + np.exp(-score))
            gradient, curvature = sample_weight * (y - p), sample_weight * p * (1 - p)
        else:
            gradient, curvature = sample_weight * (y - score), sample_weight
        leaf = np.zeros(len(y), np.int64)
        asked = []
        for level in range(depth):
            asked.append(_question(binned, edges, leaf, 2**level, gradient, curvature, penalty, bins))
            feature, cut = asked[-1]
            leaf = 2 * leaf + (binned[feature] > cut)
        total = [np.bincount(leaf, v, minlength=2**depth) for v in (gradient, curvature)]
        value = np.array([_short(v) for v in rate * total[0] / (total[1] + penalty)])
        score += value[leaf]
        features.append([f for f, _ in asked])
        thresholds.append([float(edges[f][c]) for f, c in asked])
        values.append(value.tolist())
    return features, thresholds, values, bias


def _question(binned, edges, leaf, leaves, gradient, curvature, penalty, bins):
    """The feature and bin whose question has the largest gain over all leaves."""
    best = (-1.0, 0, 0)
    offset = leaf * bins
    for feature, row in enumerate(binned):
        cuts = len(edges[feature])
        if not cuts:
            continue
        place = offset + row
        g, h = (
            np.bincount(place, v, minlength=leaves * bins).reshape(leaves, bins).cumsum(axis=1)
            for v in (gradient, curvature)
        )
        left_g, left_h = g[:, :cuts], h[:, :cuts]
        right_g, right_h = g[:, -1:] - left_g, h[:, -1:] - left_h
        gain = (left_g**2 / (left_h + penalty) + right_g**2 / (right_h + penalty)).sum(axis=0)
        cut = int(gain.argmax())
        if gain[cut] > best[0]:
            best = (float(gain[cut]), feature, cut)
    return best[1:]


def _edges(column, bins):
    """Thresholds at quantiles, halfway between different values, so that no value equals a threshold."""
    values = np.unique(np.round(column, 7))
    cuts = np.quantile(column, np.linspace(0, 1, bins + 1)[1:-1])
    place = (
        np.unique(np.minimum(np.searchsorted(values, cuts - 1e-7), len(values) - 2))
        if len(values) > 1
        else []
    )
    return np.unique([_short((values[k] + values[k + 1]) / 2) for k in place])


def _short(value):
    return float(f"{value:.{DIGITS}g}")
