"""Figures of a stress test: curves over strength, the reversal test, lexical features, a judge's criteria."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ...metric import Metric
from ...testbed import Results, Reversal, SensitivityCard
from ...testbed.sensitivity import feature
from ..formatting import digits, number
from ..svg.elements import Figure
from ..svg.plots import Series, lines
from .tables import ABOUT, label, plain


def criterion_figure(cards: Sequence[SensitivityCard], criterion: str) -> Figure | None:
    """The change of a metric's score under every perturbation of a criterion."""
    shown = [c for c in cards if c.criterion == criterion and c.bins and not c.case.endswith("reversed")]
    if not shown:
        return None
    places = digits(shown[0].metric)
    changes = [f"{plain(c.case)} {number(c.change, places)} at full strength, {c.finding}" for c in shown]
    drawing = lines(
        [_series(c, plain(c.case)) for c in shown],
        title=f"{criterion}: {label(shown[0].metric)}",
        description=f"Change of score over realised strength. {'; '.join(changes)}.",
        x_label="realised strength",
        y_label="change of score",
        digits=places,
        guides=_guides(shown[0]),
    )
    return Figure(drawing, ABOUT.get(criterion, criterion))


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


def reversal_figure(reversal: Reversal | None) -> Figure | None:
    """The change of a metric's score as texts get simpler, and as they get more complex again."""
    if reversal is None or not (reversal.forward.bins and reversal.backward.bins):
        return None
    drawing = lines(
        [_series(reversal.forward, "to simple"), _series(reversal.backward, "to complex")],
        title=f"reversal: {label(reversal.metric)}",
        description=f"Change of score as texts get simpler, and as they get more complex again: {reversal.verdict}.",
        x_label="realised strength",
        y_label="change of score",
        digits=digits(reversal.metric),
        guides=_guides(reversal.forward),
    )
    return Figure(drawing, "Reversal test", reversal.verdict)


@dataclass(frozen=True)
class LexicalFeatures:
    """Lexical features over the strength of simplification: figures, and the rows of a table."""

    figures: Sequence[Figure]
    rows: Sequence[Sequence[str]]


def lexical_features(results: Results, metrics: Sequence[Metric]) -> LexicalFeatures | None:
    """Features relative to the unperturbed text (Figure 3 of the paper); None if nothing was simplified."""
    names = [c.name for c in results.testbed.cases]
    case = next(
        (i for i, n in enumerate(names) if n.startswith("simplify") and not n.endswith("reversed")), None
    )
    if case is None:
        return None
    series, rows = [], []
    for metric in metrics:
        parts = metric.part_names[1:] if metric.name == "word_classes" else metric.part_names[:1]
        for part in parts:
            card = feature(results.scored(metric, case, metric.part_names.index(part)))
            if not card.bins or not card.baseline:
                continue
            relative = [100 * b.change / card.baseline for b in card.bins]
            series.append(Series(plain(part), [0.0, *(b.strength for b in card.bins)], [0.0, *relative]))
            rows.append(
                [
                    plain(part),
                    number(card.baseline),
                    number(card.slope),
                    f"{number(100 * card.slope / card.baseline, 1)} %",
                    f"{number(card.low)} to {number(card.high)}",
                ]
            )
    if not series:
        return None
    figures = [
        Figure(
            lines(
                part,
                title="Lexical features",
                description="Relative change of each feature over the realised strength of simplification, in per cent.",
                x_label="realised strength of simplification",
                y_label="change in %",
            ),
            "Change as sentences are simplified",
        )
        for part in (series[:4], series[4:])
        if part
    ]
    return LexicalFeatures(figures, rows)


def criteria_figures(results: Results, judges: Sequence[Metric]) -> list[Figure]:
    """What judges say about each criterion under each perturbation, setting by setting (Figure 4 of the paper)."""
    settings: dict[str, list[tuple[Metric, int]]] = {}
    for judge in judges:
        rows = settings.setdefault(f"setting {getattr(judge, 'setting', '')}", [])
        rows += [(judge, part) for part in range(1, len(judge.part_names))]
    figures = []
    for case, dose in enumerate(results.doses):
        for name, rows in settings.items():
            series = []
            for judge, part in rows:
                bins = feature(results.scored(judge, case, part)).bins
                x, y = [0.0, *(b.strength for b in bins)], [0.0, *(b.change for b in bins)]
                series += [Series(judge.part_names[part], x, y)] if bins else []
            if series and not dose.case.name.endswith("reversed"):
                title = f"{plain(dose.case.name)}, {name}"
                drawing = lines(
                    series,
                    title=title,
                    description="Change of each criterion's score over realised strength.",
                    x_label="realised strength",
                    y_label="change of score",
                    digits=1,
                )
                figures.append(Figure(drawing, title))
    return figures
