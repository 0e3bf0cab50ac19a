"""Logistic regression with an L2 penalty on standardised features, fitted by Newton's method."""

import numpy as np


def fit(x, y, sample_weight=None, *, penalty=3.0, rounds=50, tolerance=1e-8):
    """Weights and bias for the raw features; (n, k) features, n labels from 0 to 1, n weights of the rows."""
    sample_weight = np.ones(len(x)) if sample_weight is None else sample_weight
    mean, scale = x.mean(axis=0), x.std(axis=0)
    scale[scale == 0] = 1
    z = np.column_stack([(x - mean) / scale, np.ones(len(x))])
    ridge = np.full(z.shape[1], penalty)
    ridge[-1] = 0  # the bias is not penalised
    w = np.zeros(z.shape[1])
    for _ in range(rounds):
        p = 1 / (1 + np.exp(-z @ w))
        gradient = z.T @ (sample_weight * (y - p)) - ridge * w
        step = np.linalg.solve((z.T * (sample_weight * p * (1 - p))) @ z + np.diag(ridge), gradient)
        w += step
        if np.abs(step).max() < tolerance:
            break
    weights = w[:-1] / scale
    return weights, float(w[-1] - weights @ mean)


def folds(groups, count, seed):
    """The number of the fold of each row; rows of one group stay together."""
    names = np.unique(groups)
    order = np.random.default_rng(seed).permutation(names)
    fold = dict(zip(order.tolist(), np.arange(len(order)) % count, strict=True))
    return np.array([fold[g] for g in np.asarray(groups).tolist()])
