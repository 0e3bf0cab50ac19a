"""The power of a planned study: lines for the terminal, and a page with the curves."""

from __future__ import annotations

import datetime
import math

from ..study.definition.loading import Study
from ..study.power import Power, PowerPoint
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
            people = power.needed[test][target]
            number = f"{people:,}" if people else "–"
            why = "" if people else "; more than were simulated"
            about = f"people for {target:.0%} power with the {name}{why}"
            printed.append((f"power {target:.0%}", number, float(people) if people else math.nan, about))
    if power.null:
        for test, name in NAMES.items():
            low, high = power.null.interval(test)
            about = f"of {power.null.studies} studies without a difference, {name} [{low:.1%}, {high:.1%}]"
            printed.append(("false alarms", f"{power.null.share(test):.1%}", power.null.share(test), about))
    total = sum(p.studies for p in power.points)
    about = (
        f"points between {power.contrast[0]} and {power.contrast[1]}, {100 * a.accuracy:.0f}% right; sd of persons {a.person:.2f},"
        f" items {a.item:.2f}, questions {a.question:.2f} ({a.source}); {total:,} simulated studies, seed {power.seed}"
    )
    return [("difference", f"{a.difference:+g}", a.difference, about), *printed]


def render(study: Study, power: Power, *, date: datetime.date | None = None) -> str:
    """The page as text."""
    people = [p.people for p in power.points]
    curves = plots.lines(
        [Series(name, people, [100 * p.share(test) for p in power.points]) for test, name in NAMES.items()],
        title="Power by the number of people",
        description="; ".join(f"{p.people} people {100 * p.share('model'):.0f}%" for p in power.points),
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
            for p in power.points
        ],
        [
            f"Share of simulated studies in which the contrast is significant, with its 95% interval; p-values are corrected for"
            f" {power.contrasts} contrasts (Holm)."
        ],
    )
    section = StudySection("part-0", "Power", table, [curves])
    findings = [(name, f"{number}: {about}") for name, number, _, about in lines(power)]
    return html.page(
        "study.html",
        title=f"Plan: {study.definition.title}",
        data={"texts": {"markdown": table.markdown(), "latex": table.latex(), "csv": table.csv()}},
        date=date or today(),
        lede=f"How many people it takes to find {abs(power.assumptions.difference):g} percentage points.",
        links=[("summary", "Summary"), ("part-0", "Power"), ("method", "Method")],
        findings=findings,
        parts=[section],
        unanswered="",
        participants=[],
        method=[
            "Each simulated study gives the blocks of the design to its people, draws right and wrong answers from normal"
            " deviations of persons, items and questions on the logit scale, and is analysed as the report analyses it.",
            "People needed: the margin by which a test statistic passes what significance asks grows with the square root of the"
            " number of people; a straight line through the margins of all simulated studies, and their spread, give the power.",
        ],
        origin=f" from study {study.definition.id}, revision {study.digest[:12]}",
    )


def _share(point: PowerPoint, test: str) -> Cell:
    low, high = point.interval(test)
    return Cell(f"{100 * point.share(test):.0f} [{100 * low:.0f}, {100 * high:.0f}]", point.share(test))
