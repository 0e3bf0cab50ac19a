"""Figures of a stress test: curves over strength, the reversal test, lexical features, a judge's criteria."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..metric import Metric
from ..testbed import Results, Reversal, SensitivityCard
from ..testbed.sensitivity import feature
from .axes import number
from .html import escape
from .plots import Series, lines
from .sensitivity import ABOUT, label, plain
from .summary import digits


def criterion_figure(cards: Sequence[SensitivityCard], criterion: str) -> str:
    chosen = [c for c in cards if c.criterion == criterion and c.bins and not c.case.endswith("reversed")]
    if not chosen:
        return ""
    places = digits(chosen[0].metric)
    title = f"{criterion}: {label(chosen[0].metric)}"
    said = "; ".join(f"{plain(c.case)} {number(c.slope, places)} at strength 1, {c.verdict}" for c in chosen)
    drawn = lines(
        [_series(c, plain(c.case)) for c in chosen],
        title=title,
        description=f"Change of score over realised strength. {said}.",
        x_label="realised strength",
        y_label="change of score",
        digits=places,
        guides=_guides(chosen[0]),
    )
    return f"<figure><figcaption>{escape(ABOUT.get(criterion, criterion))}</figcaption>{drawn}</figure>"


def _series(card: SensitivityCard, name: str) -> Series:
    bins = card.bins
    return Series(
        name,
        [0.0, *(b.strength for b in bins)],
        [0.0, *(b.change for b in bins)],
        [0.0, *(b.low for b in bins)],
        [0.0, *(b.high for b in bins)],
    )


def _guides(card: SensitivityCard) -> list[tuple[float, str]]:
    if not math.isfinite(card.yardstick):
        return []
    return [(sign * card.yardstick, f"median improvement in papers: {card.yardstick:g}") for sign in (1, -1)]


def reversal_figure(reversal: Reversal | None) -> str:
    if reversal is None or not (reversal.forward.bins and reversal.backward.bins):
        return ""
    drawn = lines(
        [_series(reversal.forward, "to simple"), _series(reversal.backward, "to complex")],
        title=f"reversal: {label(reversal.metric)}",
        description=f"Change of score as texts get simpler, and as they get more complex again: {reversal.verdict}.",
        x_label="realised strength",
        y_label="change of score",
        digits=digits(reversal.metric),
        guides=_guides(reversal.forward),
    )
    return f'<figure><figcaption>Reversal test <span class="aside">{escape(reversal.verdict)}</span></figcaption>{drawn}</figure>'


def features_section(results: Results, found: Sequence[Metric]) -> str:
    """Lexical features over the strength of simplification, relative to the unperturbed text (Figure 3 of the paper)."""
    names = [c.name for c in results.testbed.cases]
    case = next(
        (i for i, n in enumerate(names) if n.startswith("simplify") and not n.endswith("reversed")), None
    )
    if case is None:
        return ""
    series, rows = [], []
    for metric in found:
        parts = metric.part_names[1:] if metric.name == "word_classes" else metric.part_names[:1]
        for part in parts:
            card = feature(results.scored(metric, case, metric.part_names.index(part)))
            if not card.bins or not card.baseline:
                continue
            relative = [100 * b.change / card.baseline for b in card.bins]
            series.append(Series(plain(part), [0.0, *(b.strength for b in card.bins)], [0.0, *relative]))
            cells = [number(card.baseline), number(card.slope), f"{number(100 * card.slope / card.baseline, 1)} %",
                     f"{number(card.low)} to {number(card.high)}"]  # fmt: skip
            rows.append(
                f'<tr><th scope="row">{escape(plain(part))}</th>{"".join(f"<td>{c}</td>" for c in cells)}<td></td></tr>'
            )
    if not series:
        return ""
    figures = [
        lines(
            chosen,
            title="Lexical features",
            description="Relative change of each feature over the realised strength of simplification, in per cent.",
            x_label="realised strength of simplification",
            y_label="change in %",
        )
        for chosen in (series[:4], series[4:])
        if chosen
    ]
    drawn = "".join(
        f"<figure><figcaption>Change as sentences are simplified</figcaption>{f}</figure>" for f in figures
    )
    heads = "".join(
        f'<th scope="col">{h}</th>'
        for h in ("Feature", "Unperturbed", "Slope", "Relative", "95 % interval", "")
    )
    return f"""<section id="features"><h2>Lexical features</h2>
<div class="grid curves">{drawn}</div>
<div class="wide"><table class="card"><thead><tr>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table></div></section>"""


def criteria_section(results: Results, judged: Sequence[Metric]) -> str:
    """What a judge says of each criterion under each perturbation, setting by setting (Figure 4 of the paper)."""
    settings: dict[str, list[tuple[Metric, int]]] = {}
    for metric in judged:
        rows = settings.setdefault(f"setting {getattr(metric, 'setting', '')}", [])
        rows += [(metric, part) for part in range(1, len(metric.part_names))]
    figures = []
    for case, dose in enumerate(results.doses):
        for name, rows in settings.items():
            series = []
            for metric, part in rows:
                bins = feature(results.scored(metric, case, part)).bins
                x, y = [0.0, *(b.strength for b in bins)], [0.0, *(b.change for b in bins)]
                series += [Series(metric.part_names[part], x, y)] if bins else []
            if series and not dose.case.name.endswith("reversed"):
                title = f"{plain(dose.case.name)}, {name}"
                drawn = lines(
                    series,
                    title=title,
                    description="Change of each criterion's score over realised strength.",
                    x_label="realised strength",
                    y_label="change of score",
                    digits=1,
                )
                figures.append(f"<figure><figcaption>{escape(title)}</figcaption>{drawn}</figure>")
    if not figures:
        return ""
    about = "Setting a asks for one criterion at a time, b for all of them, c for all of them with an explanation."
    return f"""<section id="criteria"><h2>What the judge says, criterion by criterion</h2><p class="note">{about}</p>
<div class="grid curves">{"".join(figures)}</div></section>"""
