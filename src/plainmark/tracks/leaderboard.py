"""The leaderboard of a shared task: scores, an overall score for the ranking, rank intervals and clusters.

    scaled   each metric is scaled so that the best submission has 1 and the worst as many as there are submissions; the
             overall score is the weighted mean, lower is better (AutoRank of WMT 2024)
    metric   the overall score is one metric's

Items are drawn with replacement, the same for all submissions, and all scores are recomputed from their statistics. Two
submissions differ significantly if the centred difference of their overall scores is that large in fewer than 5% of the
resamples; p-values are not corrected for the number of pairs. A cluster ends where every submission above differs
significantly from every one below.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..data import Corpus
from ..errors import InputError
from ..metric import Floats, Metric, Score, add_up
from ..resampling import batches, bootstrap_weights
from . import Item, Track, TrackMetric
from .submissions import Submission

LEVEL = 0.95


@dataclass(frozen=True, eq=False)
class Entry:
    """A row of the leaderboard; a submission with problems has scores, on the items that it has, and no rank."""

    submission: Submission
    scores: tuple[Score | None, ...]  # of the track's metrics; None where one is not available
    intervals: tuple[tuple[float, float] | None, ...]
    overall: float = np.nan
    rank: int | None = None
    ranks: tuple[int, int] | None = None  # interval
    cluster: int | None = None


@dataclass(frozen=True, eq=False)
class Leaderboard:
    """All entries, best first, those without a rank last."""

    track: Track
    items: int
    entries: tuple[Entry, ...]
    resamples: int
    seed: int

    @property
    def unavailable(self) -> list[TrackMetric]:
        """Metrics that count for the track and are not in these scores."""
        return [m for m in self.track.metrics if m.metric is None]


def rank(
    track: Track,
    items: Sequence[Item],
    submissions: Sequence[Submission],
    *,
    resamples: int = 1000,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Leaderboard:
    """Score all submissions and rank those that have no problems."""
    columns = [m for m in track.metrics if m.metric is not None]
    if not any(m.weight for m in columns):
        reasons = "; ".join(f"{m.title}: {m.unavailable}" for m in track.metrics if m.metric is None)
        raise InputError(f"{track.name}: none of the metrics that count can be computed here. {reasons}")
    for column in columns:
        if column.weight and column.metric is not None and column.metric.higher_is_better is None:
            raise InputError(
                f"{track.name}: {column.key} describes texts and is neither good nor bad; expected weight = 0."
            )
    if track.rule == "metric" and track.by not in [m.key for m in columns]:
        raise InputError(f"{track.name}: the ranking is by {track.by!r}, which cannot be computed here.")
    complete = [s for s in submissions if s.complete]
    scores: dict[str, list[Score | None]] = {}
    stats: dict[str, list[Floats]] = {}
    for done, submission in enumerate(submissions, 1):
        corpus = submission.corpus(items)
        scores[submission.name], stats[submission.name] = _scored(track, columns, items, corpus)
        if progress:
            progress(done)
    drawn, overall, draws = _resampled(
        track, columns, items, [stats[s.name] for s in complete], resamples, seed
    )
    order = [int(i) for i in np.argsort(overall, kind="stable")]
    clusters = _clusters(overall, draws, order)
    ranks = draws.argsort(axis=0).argsort(axis=0) + 1 if len(complete) else draws
    entries = []
    for position, i in enumerate(order):
        low, high = np.percentile(ranks[i], [100 * (1 - LEVEL) / 2, 100 * (1 + LEVEL) / 2], method="nearest")
        best = 1 + int(np.sum(overall < overall[i]))
        intervals = _intervals(track, columns, drawn[i])
        submission = complete[i]
        entries.append(
            Entry(
                submission,
                tuple(scores[submission.name]),
                intervals,
                float(overall[i]),
                best,
                (int(low), int(high)),
                clusters[position],
            )
        )
    none: tuple[None, ...] = (None,) * len(track.metrics)
    entries += [Entry(s, tuple(scores[s.name]), none) for s in submissions if not s.complete]
    return Leaderboard(track, len(items), tuple(entries), resamples, seed)


def _scored(
    track: Track, columns: Sequence[TrackMetric], items: Sequence[Item], corpus: Corpus
) -> tuple[list[Score | None], list[Floats]]:
    """The scores by all metrics, and the statistics of those that are available."""
    scores: list[Score | None] = []
    stats = []
    known = {item.id: item for item in items}
    # One for all metrics on the same items, which share what they compute.
    parts: dict[tuple[int, ...], Corpus] = {}
    for column in track.metrics:
        if column.metric is None:
            scores.append(None)
            continue
        places = tuple(i for i, sample in enumerate(corpus.ids) if column.counts(known[sample]))
        part = parts.setdefault(places, corpus.subset(places))
        if not len(part):
            scores.append(None)
            stats.append(np.zeros((0, 1)))
            continue
        column.metric.check(part)
        rows = column.metric.stats(part)
        scores.append(column.metric.score_of(column.metric.total(rows), part.reference_count))
        stats.append(rows)
    return scores, stats


def _resampled(
    track: Track,
    columns: Sequence[TrackMetric],
    items: Sequence[Item],
    stats: Sequence[Sequence[Floats]],
    resamples: int,
    seed: int,
) -> tuple[Floats, Floats, Floats]:
    """Scores of resamples (submissions, metrics, resamples), the overall scores, and those of resamples."""
    rng = np.random.default_rng(seed)
    drawn = np.full((len(stats), len(columns), resamples), np.nan)
    values = np.full((len(stats), len(columns)), np.nan)
    places = [[i for i, item in enumerate(items) if column.counts(item)] for column in columns]
    for start, stop in batches(resamples, len(items)):
        weights = bootstrap_weights(rng, stop - start, len(items))
        for k, (column, own) in enumerate(zip(columns, places, strict=True)):
            for i, rows in enumerate(stats):
                drawn[i, k, start:stop] = _reduced(column.metric, weights[:, own] @ rows[k])
    for k, column in enumerate(columns):
        for i, rows in enumerate(stats):
            values[i, k] = _reduced(column.metric, add_up(rows[k]))
    return drawn, _overall(track, columns, values[..., None])[:, 0], _overall(track, columns, drawn)


def _reduced(metric: Metric | None, sums: Floats) -> Floats:
    assert metric is not None
    result: Floats = metric.reduce(sums)[..., 0]
    return result


def _overall(track: Track, columns: Sequence[TrackMetric], values: Floats) -> Floats:
    """(submissions, metrics, resamples) -> (submissions, resamples); lower is better."""
    signs = np.array(
        [1.0 if c.metric is not None and c.metric.higher_is_better is False else -1.0 for c in columns]
    )
    cost = values * signs[None, :, None]
    count = len(values)
    if not count:
        return np.zeros((0, values.shape[-1]))
    # An undefined score is no better than the worst; where none is defined, all are equal.
    worst = np.where(np.isnan(cost), -np.inf, cost).max(axis=0, keepdims=True)
    cost = np.where(np.isnan(cost), np.where(np.isfinite(worst), worst, 0.0), cost)
    if track.rule == "metric":
        column_costs: Floats = cost[:, [c.key for c in columns].index(track.by)]
        return column_costs
    weights = np.array([c.weight for c in columns])
    low, high = cost.min(axis=0, keepdims=True), cost.max(axis=0, keepdims=True)
    scaled = np.where(high > low, 1 + (count - 1) * (cost - low) / np.where(high > low, high - low, 1.0), 1.0)
    total: Floats = (scaled * weights[None, :, None]).sum(axis=1) / weights.sum()
    return total


def _clusters(overall: Floats, draws: Floats, order: Sequence[int]) -> list[int]:
    """The number of the cluster of each position of the ranking."""
    count = len(order)
    different = np.zeros((count, count), dtype=bool)
    for a, b in combinations(range(count), 2):
        i, j = order[a], order[b]
        observed = overall[j] - overall[i]
        centred = np.abs(draws[j] - draws[i] - observed)
        different[a, b] = (1 + np.sum(centred >= abs(observed))) / (1 + draws.shape[1]) < 1 - LEVEL
    clusters, number = [], 1
    for position in range(count):
        if position and different[:position, position:].all():
            number += 1
        clusters.append(number)
    return clusters


def _intervals(
    track: Track, columns: Sequence[TrackMetric], drawn: Floats
) -> tuple[tuple[float, float] | None, ...]:
    bounds = {}
    for column, values in zip(columns, drawn, strict=True):
        if np.isfinite(values).any():
            low, high = np.nanpercentile(values, [100 * (1 - LEVEL) / 2, 100 * (1 + LEVEL) / 2])
            bounds[column.key] = (float(low), float(high))
    return tuple(bounds.get(m.key) for m in track.metrics)
