"""Order as a feature: the probability of each link, given that sentences are mostly in the same order in both texts.

A hidden Markov model reads one text; its state is the sentence of the other text with which the current one is aligned, or
none. Steps to the same or the next sentence are likely, long jumps are not. Forward and backward sums give the posterior
probability of each link, so that a sentence with few common words is still aligned between two certain ones.
Reference: Vogel, Ney & Tillmann 1996, HMM-based word alignment, COLING; Jiang et al. 2020 for sentences.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ._evidence import competition, neighbours
from ._overlap import Floats

# The probabilities of a step of -3 to 5 sentences, of a jump anywhere, and of a sentence without a partner: roughly
# their shares in the training links.
_STEPS = np.array([0.005, 0.005, 0.01, 0.25, 0.55, 0.08, 0.03, 0.015, 0.005])
_BACK = 3
_JUMP, _NONE = 0.05, 0.1
_CERTAIN = 1e-3  # largest probability of a link
_SURE = 0.5
_FARTHEST = 4.0  # limit in sentences


def posterior(probable: Floats) -> Floats:
    """The probability (rows, columns) that each column belongs to each row; the rest up to 1 is the probability of no row.

    `probable` has probabilities that disregard the order of sentences, in at least one row and one column.
    """
    n, m = probable.shape
    sure = np.clip(probable.T, _CERTAIN, 1 - _CERTAIN)
    linked = (1 - _NONE) * sure / (1 - sure)
    ahead = len(_STEPS) - _BACK - 1
    first = np.full(n, _JUMP / n)
    first[:ahead] += _STEPS[_BACK + 1 :][:n]
    # For each state, the last linked row is known; whether the column itself is linked is stored separately.
    with_link = np.empty((m, n))
    scale = np.empty(m)
    reached, before = first, np.full(n, 1 / n)
    for j in range(m):
        if j:
            reached = np.convolve(before, _STEPS)[_BACK : _BACK + n] + _JUMP / n
        with_link[j] = reached * linked[j]
        state = with_link[j] + _NONE * before
        scale[j] = state.sum()
        with_link[j] /= scale[j]
        before = state / scale[j]
    onward = np.ones(n)
    backwards = _STEPS[::-1]
    for j in range(m - 1, 0, -1):
        value = onward * linked[j]
        with_link[j] *= onward
        onward = (
            np.convolve(value, backwards)[ahead : ahead + n] + _JUMP * value.sum() / n + _NONE * onward
        ) / scale[j]
    with_link[0] *= onward
    result: Floats = with_link.T
    return result


def order_features(probable: Floats) -> Iterator[tuple[str, Floats]]:
    """Features of every pair from the order of sentences and the other links: names and matrices."""
    n, m = probable.shape
    forward, backward = posterior(probable), posterior(probable.T).T
    yield "first", _log_odds(probable)
    yield "forward", _log_odds(forward)
    yield "backward", _log_odds(backward)
    for name, values in (("first", probable), ("forward", forward)):
        for axis, side in ((1, "row"), (0, "column")):
            yield f"{name}_margin_{side}", competition(values, axis)[0]
            yield f"{name}_others_{side}", values.sum(axis=axis, keepdims=True) - values
        yield from neighbours(name, values)
    yield "backward_row", np.broadcast_to(backward.sum(axis=1, keepdims=True), (n, m))
    yield "source_found", np.full((n, m), forward.max(axis=1).mean())
    yield "output_found", np.full((n, m), forward.sum(axis=0).mean())
    before, after = _gaps(forward)
    yield "gap_before", before
    yield "gap_after", after
    before, after = _gaps(forward.T)
    yield "gap_above", before.T
    yield "gap_below", after.T


def _gaps(values: Floats) -> tuple[Floats, Floats]:
    """The distance of each column from the columns of the nearest certain rows before and after each row."""
    n, m = values.shape
    sure = values > _SURE
    rows = np.flatnonzero(sure.any(axis=1))
    first, last = sure.argmax(axis=1)[rows], m - 1 - sure[:, ::-1].argmax(axis=1)[rows]
    place: NDArray[np.int64] = np.searchsorted(rows, np.arange(n))
    start = np.concatenate([[-1], last])[place]
    following = np.searchsorted(rows, np.arange(n), side="right")
    end = np.concatenate([first, [m]])[following]
    columns = np.arange(m)
    return tuple(  # type: ignore[return-value]
        np.clip(gap, -_FARTHEST, _FARTHEST).astype(np.float64)
        for gap in (columns[None, :] - start[:, None], end[:, None] - columns[None, :])
    )


def _log_odds(values: Floats) -> Floats:
    clipped = np.clip(values, 1e-4, 1 - 1e-4)
    result: Floats = np.log(clipped / (1 - clipped))
    return result
