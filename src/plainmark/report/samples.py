"""The samples that a page carries: all of them, or the most telling ones of a very large corpus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data import Corpus
from ..metric import Floats
from ..significance import Comparison
from .facts import Facts
from .marks import marks

Indices = NDArray[np.int64]


def choose(
    comparisons: Sequence[Comparison], limit: int, rng: np.random.Generator
) -> tuple[Indices, Indices]:
    """Indices of the samples to show, and those of them that were drawn at random.

    Of more than `limit` samples half are the worst and best of every metric and system and those on which systems
    differ most; the other half is random.
    """
    n = comparisons[0].samples.shape[1]
    if n <= limit:
        return np.arange(n), np.arange(n)
    rankings = []
    for comparison in comparisons:
        for scores in comparison.samples:
            order = np.argsort(np.where(np.isnan(scores), np.inf, scores), kind="stable")
            defined = order[: np.isfinite(scores).sum()]
            rankings += [defined, defined[::-1]]
        if len(comparison.systems) > 1:
            rankings.append(np.argsort(-gaps(comparison.samples), kind="stable"))
    share = max(limit // 2 // len(rankings), 1)
    telling = np.unique(np.concatenate([r[:share] for r in rankings]))[:limit]
    # Drawn from all samples, telling or not, so that the random ones are a fair picture.
    order = rng.permutation(n)
    new = np.cumsum(~np.isin(order, telling))
    drawn = order[: np.searchsorted(new, limit - len(telling), side="right")]
    return np.union1d(telling, drawn), np.sort(drawn)


def gaps(samples: Floats) -> Floats:
    """How far the best and the worst system are apart on each sample; 0 where fewer than two are defined."""
    high = np.where(np.isnan(samples), -np.inf, samples).max(axis=0)
    low = np.where(np.isnan(samples), np.inf, samples).min(axis=0)
    return np.where(np.isfinite(high) & np.isfinite(low), high - low, 0.0)


def payload(
    comparisons: Sequence[Comparison],
    corpora: Sequence[Corpus],
    facts: Facts,
    chosen: Indices,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Texts, scores and marks of the chosen samples, column by column, as the script reads them."""
    first = corpora[0]
    rows = chosen.tolist()
    sources = None if first.sources is None else [first.sources[i] for i in rows]
    return {
        "ids": [first.ids[i] for i in rows],
        "sources": sources,
        "references": None if first.references is None else [list(first.references[i]) for i in rows],
        "outputs": [[c.outputs[i] for i in rows] for c in corpora],
        "scores": [[column(s[chosen], 3) for s in c.samples] for c in comparisons],
        "sourceWords": None if facts.source_words is None else facts.source_words[chosen].tolist(),
        "words": facts.words[:, chosen].tolist(),
        "ratio": None if facts.ratio is None else [column(r[chosen], 3) for r in facts.ratio],
        "grade": None if facts.grade is None else [column(g[chosen], 2) for g in facts.grade],
        "marks": None if sources is None else _marks(sources, corpora, rows, progress),
    }


def column(values: Floats, digits: int) -> list[float | None]:
    """Numbers for JSON, rounded; undefined is null."""
    return [
        None if not np.isfinite(v) else int(r) if r == int(r) else r
        for v, r in ((v, round(v, digits)) for v in values.tolist())
    ]


def _marks(
    sources: Sequence[str],
    corpora: Sequence[Corpus],
    rows: Sequence[int],
    progress: Callable[[int, int], None] | None,
) -> list[list[list[list[int]]]]:
    """What became of the words, for every system and sample."""
    out = []
    for done, corpus in enumerate(corpora):
        of_system = []
        for k, (source, i) in enumerate(zip(sources, rows, strict=True)):
            of_system.append(marks(source, corpus.outputs[i]))
            if progress:
                progress(done * len(rows) + k + 1, len(corpora) * len(rows))
        out.append(of_system)
    return out
