"""The power of a planned study: lines for the terminal, and a page with the curves."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence

from ..study.definition.loading import Study
from ..study.power import TARGETS, Power
from ..study.power_curve import PowerPoint
from ..table import Cell, Table
from . import html
from .formatting import today
from .study import StudySection
from .svg import plots
from .svg.plots import Series

NAMES = {"model": "mixed model", "bootstrap": "bootstrap"}


def lines(power: Power) -> list[tuple[str, str, float, str]]:
    """Name, printed number, number and explanation of every figure, as the plan prints them."""
    a = power.assumptions
    printed = []
    for target in power.needed["model"]:
        for test, name in NAMES.items():
            needed = power.needed[test][target]
            number, value = (f"{needed.people:,}", float(needed.people)) if needed else ("–", math.nan)
            why = f" [{needed.low:,}, {needed.high:,}]" if needed else "; more than were simulated"
            printed.append(
                (f"power {target:.0%}", number, value, f"people for {target:.0%} power with the {name}{why}")
            )
        if target in power.replicates:
            wanted = power.replicates[target]
            why = f"design.replicates that gives so many people work ({target:.0%} power with both tests)"
            printed.append(("replicates", f"{wanted:,}", float(wanted), why))
    if power.null:
        for test, name in NAMES.items():
            low, high = power.null.interval(test)
            about = f"of {power.null.studies} studies without a difference, {name}, one contrast [{low:.1%}, {high:.1%}]"
            printed.append(("false alarms", f"{power.null.share(test):.1%}", power.null.share(test), about))
    total = sum(p.studies for p in power.points)
    about = (
        f"points between {power.contrast[0]} and {power.contrast[1]}, {100 * a.accuracy:.0f}% right; sd of persons {a.person:.2f},"
        f" items {a.item:.2f}, questions {a.question:.2f} ({a.source}); {total:,} simulated studies, seed {power.seed}{'; time ran out before all were simulated' if power.cut_short else ''}"
    )
    return [("difference", f"{a.difference:+g}", a.difference, about), *printed]


def render(study: Study, power: Power, *, date: datetime.date | None = None) -> str:
    """The page as text."""
    points = merged(power.points)
    people = [p.people for p in points]
    curves = plots.lines(
        [
            Series(
                name,
                people,
                [100 * p.share(test) for p in points],
                [100 * p.interval(test)[0] for p in points],
                [100 * p.interval(test)[1] for p in points],
            )
            for test, name in NAMES.items()
        ],
        title="Power by the number of people",
        description="; ".join(f"{p.people} people {100 * p.share('model'):.0f}%" for p in points),
        guides=[(100 * target, f"{target:.0%} power") for target in TARGETS],
        x_label="people",
        y_label="power, percent",
    )
    table = Table(
        ["people", "simulated studies", "mixed model", "bootstrap"],
        [
            [
                Cell(str(p.people), float(p.people)),
                Cell(str(p.studies), float(p.studies)),
                *(_share(p, t) for t in NAMES),
            ]
            for p in points
        ],
        [
            f"Share of simulated studies in which the contrast is significant, with its 95% interval; p-values are corrected for"
            f" {power.contrasts} contrast{'s' * (power.contrasts > 1)} (Holm). Studies whose sizes differ by less than a tenth are in one row, with their mean"
            " size."
        ],
    )
    section = StudySection("part-0", "Power", table, [curves])
    return html.page(
        "study.html",
        title=f"Plan: {study.definition.title}",
        data={"texts": {"markdown": table.markdown(), "latex": table.latex(), "csv": table.csv()}},
        date=date or today(),
        lede=f"How many people it takes to find {abs(power.assumptions.difference):g} percentage points.",
        links=[("summary", "Summary"), ("part-0", "Power"), ("method", "Method")],
        findings=_findings(power),
        parts=[section],
        unanswered="",
        participants=[],
        method=[
            "Each simulated study gives the first blocks of the design to its people, draws right and wrong answers from normal"
            " deviations of persons, items and questions on the logit scale, and is analysed as the report analyses it: mixed"
            " model, and bootstrap that draws answers from the fitted model.",
            "People needed: a probit regression of significant studies on the square root of the number of people, from studies of"
            " about that size; the interval is what the number of simulated studies leaves open.",
            "New simulated studies of three designs, with the people planned for 80% power, had 77% to 85% power. All of this holds"
            " if real answers spread as the assumptions say.",
        ],
        origin=f" from study {study.definition.id}, revision {study.digest[:12]}",
    )


def _findings(power: Power) -> list[tuple[str, str]]:
    """How many people, on what assumptions, and how often there is a false alarm."""
    findings = []
    for target in power.needed["model"]:
        known = {name: power.needed[test][target] for test, name in NAMES.items()}
        people = " and ".join(
            f"{n.people:,} people [{n.low:,}, {n.high:,}] with the {name}"
            if n
            else f"more people than were simulated with the {name}"
            for name, n in known.items()
        )
        enough = power.replicates.get(target)
        advice = f" Set design.replicates to {enough:,} for both." if enough else ""
        findings.append((f"{target:.0%} power", f"{people}.{advice}"))
    (_, number, _, about), *_ = lines(power)
    findings.append(("Assumptions", f"{number} {about}."))
    if power.null:
        null, parts = power.null, []
        for test, name in NAMES.items():
            low, high = null.interval(test)
            parts.append(f"{null.share(test):.1%} [{low:.1%}, {high:.1%}] with the {name}")
        studies = f"in {null.studies:,} studies without a difference; one contrast."
        findings.append(("False alarms", f"{' and '.join(parts)}, {studies}"))
    return findings


def merged(points: Sequence[PowerPoint]) -> list[PowerPoint]:
    """Studies of nearly the same size as one point, with their mean size."""
    groups: list[list[PowerPoint]] = []
    for point in sorted(points, key=lambda p: p.people):
        if groups and point.people < 1.1 * groups[-1][0].people:
            groups[-1].append(point)
        else:
            groups.append([point])
    return [
        PowerPoint(
            round(sum(p.people * p.studies for p in g) / sum(p.studies for p in g)),
            *(sum(getattr(p, name) for p in g) for name in ("studies", *NAMES)),
        )
        for g in groups
    ]


def _share(point: PowerPoint, test: str) -> Cell:
    low, high = point.interval(test)
    return Cell(f"{100 * point.share(test):.0f} [{100 * low:.0f}, {100 * high:.0f}]", point.share(test))
