"""Correlations with their p-values, and their bootstraps from the same random numbers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy import stats

from plainmark.meta import coefficients
from plainmark.resampling import bootstrap_weights

from ..measuring import Case
from ..texts import Texts

IMPLEMENTATIONS = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
TITLES = {"pearson": "Pearson's r", "spearman": "Spearman's rho", "kendall": "Kendall's tau"}
RESAMPLES = 200


def _ranked(a, b, axis):
    # Faster than calling spearmanr for each row, because it does not accept pairs of rows.
    return stats.pearsonr(stats.rankdata(a, axis=axis), stats.rankdata(b, axis=axis), axis=axis).statistic


STATISTICS = {
    "pearson": lambda a, b, axis: stats.pearsonr(a, b, axis=axis).statistic,
    "spearman": _ranked,
    "kendall": lambda a, b: stats.kendalltau(a, b).statistic,
}


def cases(texts: Texts) -> Iterator[Case]:
    """A coefficient with p, then resampled."""
    for name in IMPLEMENTATIONS:
        yield _once(name, texts.size(10_000, least=10_000))
    for name in IMPLEMENTATIONS:
        yield _resampled(name, texts.size(1000, least=500))


def ratings(n):
    """Scores and ratings with ties, like human ratings."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=n).round(2)
    return x, (x + rng.normal(size=n)).round(1)


def _once(name, n):
    x, y = ratings(n)

    def ours():
        value = coefficients.coefficient(name, x, y)
        return [value, coefficients.p_value(name, value, x, y)]

    def theirs():
        result = IMPLEMENTATIONS[name](x, y)
        return [result.statistic, result.pvalue]

    return Case(
        f"{TITLES[name]} and its p", f"{n:,} pairs", "scipy", "scipy", lambda: ours, lambda: theirs, 1e-9
    )


def _resampled(name, n):
    x, y = ratings(n)

    def ours():
        rng = np.random.default_rng(1)
        return lambda: coefficients.COEFFICIENTS[name](x, y, bootstrap_weights(rng, RESAMPLES, n))

    def theirs():
        rng = np.random.default_rng(1)
        options = {"paired": True, "n_resamples": RESAMPLES, "method": "percentile", "rng": rng}
        options |= {"statistic": STATISTICS[name], "vectorized": name != "kendall"}
        return lambda: stats.bootstrap((x, y), **options).bootstrap_distribution

    size = f"{n:,} pairs, {RESAMPLES} resamples"
    return Case(f"Bootstrap of {TITLES[name]}", size, "scipy", "scipy", ours, theirs, 1e-9)
