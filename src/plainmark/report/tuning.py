"""The page of a tuning run: the metric in each round, the weights of the best round, and the accuracy of the networks."""

from __future__ import annotations

from collections.abc import Mapping

from ..simplifier.tuning.tune import Tuned
from . import html
from .svg.plots import Series, bars, lines

LARGEST = 25  # number of weights shown on the page


def page(tuned: Tuned, objective: str, method: str, losses: Mapping[str, float]) -> str:
    """The page as text; `losses` are cross-entropies of the networks' outputs, and of their means as "NAME (mean)"."""
    best = tuned.rounds[tuned.best]
    numbers = [r.number + 1 for r in tuned.rounds]
    weights = sorted(((n, w) for n, w in best.weights.items() if w), key=lambda p: -abs(p[1]))[:LARGEST]
    predictions = [(n, v, losses[f"{n} (mean)"]) for n, v in losses.items() if f"{n} (mean)" in losses]
    return html.page(
        "tuning.html",
        title="Tuning a simplifier",
        data={"texts": {}},
        lede=(
            f"{objective}, method {method}. Round {tuned.best + 1} of {len(tuned.rounds)} is kept: {best.held_out:.2f} on "
            f"the held-out part, {best.train:.2f} on the rest. The run ended: {tuned.stopped}."
        ),
        objective=lines(
            [
                Series("tuned on", numbers, [r.train for r in tuned.rounds]),
                Series("held out", numbers, [r.held_out for r in tuned.rounds]),
            ],
            title="Objective by round",
            description=f"{objective} of the best outputs after each round.",
            x_label="round",
            y_label="objective",
        ),
        unchanged=lines(
            [Series("unchanged", numbers, [100 * r.unchanged for r in tuned.rounds])],
            title="Unchanged sentences by round",
            description="Percentage of sentences that the model leaves unchanged.",
            x_label="round",
            y_label="%",
            digits=0,
        ),
        weights=bars(
            weights,
            title="Weights",
            description=f"The {LARGEST} largest weights of the best round.",
        ),
        predictions=predictions,
    )
