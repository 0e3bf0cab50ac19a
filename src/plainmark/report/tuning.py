"""A tuning run as a page: the metric round by round, the weights that were kept, how good the advice is."""

from __future__ import annotations

from collections.abc import Mapping

from ..smt.tuning import Tuned
from . import html
from .html import escape
from .svg.plots import Series, bars, lines


def page(tuned: Tuned, objective: str, method: str, losses: Mapping[str, float]) -> str:
    """The run as one HTML file."""
    best = tuned.rounds[tuned.best]
    numbers = [r.number + 1 for r in tuned.rounds]
    curve = lines(
        [
            Series("tuned on", numbers, [r.train for r in tuned.rounds]),
            Series("held out", numbers, [r.held_out for r in tuned.rounds]),
        ],
        title="Objective by round",
        description=f"{objective} of the best outputs after each round.",
        x_label="round",
        y_label="objective",
    )
    copied = lines(
        [Series("unchanged", numbers, [100 * r.unchanged for r in tuned.rounds])],
        title="Unchanged sentences by round",
        description="Share of sentences that come out as they went in, in per cent.",
        x_label="round",
        y_label="%",
        digits=0,
    )
    heaviest = sorted(((n, w) for n, w in best.weights.items() if w), key=lambda p: -abs(p[1]))[:25]
    weights = bars(
        heaviest, title="Weights", description="The 25 largest weights of the round that was kept."
    )
    body = f"""<header class="masthead">
<p class="eyebrow">plainmark tune</p>
<h1>Tuning a simplifier</h1>
<p class="lede">{escape(objective)}, method {escape(method)}. Round {tuned.best + 1} of {len(tuned.rounds)} is kept:
{best.held_out:.2f} on the held-out part, {best.train:.2f} on the rest. The run ended: {escape(tuned.stopped)}.</p>
<nav aria-label="Sections"><ul><li><a href="#objective">Objective</a></li><li><a href="#unchanged">Unchanged</a></li>
<li><a href="#weights">Weights</a></li></ul><button type="button" id="theme" class="quiet">Theme: auto</button></nav>
</header><p id="said" class="unseen" aria-live="polite"></p>
<main>
<section id="objective"><h2>Objective</h2>{curve}</section>
<section id="unchanged"><h2>How much is left as it was</h2>{copied}</section>
<section id="weights"><h2>Weights</h2><p class="note">In the features' own units; features differ in how much they vary.</p>{weights}</section>
{_advice(losses)}
</main>"""
    return html.document(
        "Tuning a simplifier",
        body,
        style=html.asset("page.css"),
        script=html.script("page.js"),
        data={"texts": {}},
    )


def _advice(losses: Mapping[str, float]) -> str:
    rows = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{value:.4f}</td><td>{losses[f"{name} (mean)"]:.4f}</td></tr>'
        for name, value in losses.items()
        if f"{name} (mean)" in losses
    )
    if not rows:
        return ""
    return (
        '<section id="advice"><h2>Advice</h2><p class="note">Cross-entropy of what the networks foretell of sentences '
        "they did not see, and of "
        'always saying the mean.</p><div class="wide"><table><thead><tr><th scope="col">output</th>'
        f'<th scope="col">networks</th><th scope="col">mean</th></tr></thead><tbody>{rows}</tbody></table></div></section>'
    )
