"""The results as one HTML page, as JSON and as a table for the terminal."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from plainmark.report import html
from plainmark.report.html import escape
from plainmark.report.svg.plots import Interval, Series, dot_intervals, lines
from plainmark.table import Cell, Table

from .growth import ENGINES, Run, slope
from .measuring import Figure, Row

_STYLE = ".bad { color: var(--deleted-line); font-weight: 640; } #speed figure { max-width: 33rem; } #speed :is(th, td) { padding-right: .7rem; }\n"


@dataclass
class Results:
    """The contents of the page."""

    machine: Mapping[str, str]
    texts: str
    counting: str  # how instructions were counted
    busy: bool
    rows: list[Row] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)

    @property
    def problems(self) -> list[str]:
        """Values that differ, which must not happen."""
        problems = [
            f"{r.task}: {r.implementation} differs by {r.difference:.1e}, more than {r.tolerance:g}"
            for r in self.rows
            if not r.agrees
        ]
        problems += [
            f"{r.samples:,} samples, {r.engine}: not the numbers of one process"
            for r in self.runs
            if not r.same
        ]
        problems += [
            f"{r.samples:,} samples, {r.engine}: {r.note}"
            for r in self.runs
            if r.note.startswith("the run ended")
        ]
        return problems

    def json(self) -> str:
        """All results."""
        rows = [
            asdict(r) | {"agrees": r.agrees, "ratio": r.ratio, "instruction_ratio": r.instruction_ratio}
            for r in self.rows
        ]
        whole = {
            "machine": dict(self.machine),
            "texts": self.texts,
            "counting": self.counting,
            "speed": rows,
            "growth": [asdict(r) for r in self.runs],
            "figures": [asdict(f) for f in self.figures],
            "problems": self.problems,
        }
        return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def speed_table(rows: Sequence[Row]) -> Table:
    """One row per case."""
    headings = [
        "task",
        "speed-up",
        "spread",
        "instructions",
        "difference",
        "reference implementation",
        "size",
    ]
    return Table(headings, [_speed_row(row) for row in rows])


def _speed_row(row):
    low, high = min(row.ratios), max(row.ratios)
    fewer = row.instruction_ratio
    said = f"{row.difference:.0e}" if row.difference else "0"
    return [
        Cell(row.task),
        Cell(_times(row.ratio), row.ratio),
        Cell(f"{_times(low)[:-1]}–{_times(high)}"),
        Cell(row.not_counted or "–" if fewer is None else _times(fewer), fewer),
        Cell(said if row.agrees else f"{said}: DIFFERS"),
        Cell(
            f"{row.implementation} {row.version}"
            if row.implementation != "plain Python"
            else row.implementation
        ),
        Cell(row.size),
    ]


def growth_table(runs: Sequence[Run]) -> Table:
    """One row per command."""
    rows = []
    for run in runs:
        alone = next(r for r in runs if r.samples == run.samples and r.engine == ENGINES[0])
        rows.append([
            Cell(f"{run.samples:,}"),
            Cell(run.engine),
            Cell(f"{run.seconds:.2f} s", run.seconds),
            Cell(f"{1000 * run.seconds / run.samples:.3f} s", 1000 * run.seconds / run.samples),
            Cell(f"{run.megabytes:.0f} MB", run.megabytes),
            Cell(_times(alone.seconds / run.seconds), alone.seconds / run.seconds),
            Cell("same bytes" if run.same else "DIFFERS"),
            Cell(run.note or "–"),
        ])  # fmt: skip
    headings = [
        "samples",
        "engine",
        "time",
        "per 1,000 samples",
        "peak memory",
        "speed-up",
        "scores",
        "worker",
    ]
    return Table(headings, rows)


def figures_table(figures: Sequence[Figure]) -> Table:
    """The figures of plainmark alone."""
    rows = [[Cell(f.what), Cell(f"{f.value:,.{f.digits}f} {f.unit}"), Cell(f.note or "–")] for f in figures]
    return Table(["what", "value", "how"], rows)


def page(results: Results) -> str:
    """One HTML file."""
    facts = "".join(
        f"<div><dt>{escape(k)}</dt><dd>{escape(v)}</dd></div>" for k, v in results.machine.items()
    )
    notices = "".join(f'<p class="notice bad">{escape(p)}</p>' for p in results.problems)
    if results.busy:
        notices += (
            '<p class="notice">Other programs were at work: read ratios and instructions, not seconds.</p>'
        )
    body = f"""<header class="masthead">
<p class="eyebrow">plainmark {escape(results.machine["plainmark"])}, {escape(results.machine["measured"])}</p>
<h1>Benchmarks</h1>
<p class="lede">{escape(_summary(results))}</p>
<nav aria-label="Sections"><ul><li><a href="#speed">Speed-up over reference implementations</a></li><li><a href="#growth">Growth</a></li>
<li><a href="#own">Own figures</a></li><li><a href="#machine">Machine</a></li></ul>
<button type="button" id="theme" class="quiet">Theme: auto</button></nav>
</header><p id="said" class="unseen" aria-live="polite"></p>
<main>
<section id="speed"><h2>Speed-up over reference implementations</h2>{notices}
<p>The same work done by plainmark and by the program that people use, in turn, in one process and one thread. A ratio of 20
means that the reference implementation took 20 times the CPU time; the spread is that of the repeats. Values of both are compared in the same
run. {escape(results.counting)} Texts: {escape(results.texts)}.</p>
{html.table(speed_table(results.rows))}
{_ratio_plot(results.rows) if results.rows else ""}</section>
<section id="growth"><h2>Growth</h2>
<p>{escape(_growth_words(results.runs))}</p>
{html.table(growth_table(results.runs)) if results.runs else ""}
<div class="grid">{"".join(_growth_plots(results.runs)) if results.runs else ""}</div></section>
<section id="own"><h2>Own figures</h2>{html.table(figures_table(results.figures))}</section>
<section id="machine"><h2>Machine</h2><dl class="files">{facts}</dl></section>
</main>"""
    return html.document(
        "plainmark: benchmarks",
        body,
        style=html.asset("page.css") + _STYLE,
        script=html.script("page.js"),
        data={"texts": {}},
    )


def _summary(results):
    faster = sum(r.ratio > 1 for r in results.rows)
    agreeing = sum(r.agrees for r in results.rows)
    return (
        f"{len(results.rows)} tasks beside {len({r.implementation for r in results.rows})} reference implementations: values agree in {agreeing},"
        f" plainmark is faster in {faster}."
    )


def _ratio_plot(rows):
    intervals = [Interval(_short(r), r.ratio, min(r.ratios), max(r.ratios)) for r in rows]
    plot = dot_intervals(
        intervals,
        title="Speed-up over the reference implementation (CPU time)",
        description="; ".join(f"{c.label} {_times(c.value)}" for c in intervals),
        label="times plainmark's CPU time",
        digits=1,
        ratios=True,
    )
    return f"<figure><figcaption>Speed-up over the reference implementation (CPU time)</figcaption>{plot}</figure>"


def _short(row):
    """A task's name, shortened except for its end."""
    return (
        row.task.replace("Bootstrap of", "Boot.").replace(" and its p", "").replace("Language model of", "LM")
    )


def _growth_words(runs):
    if not runs:
        return "Not measured."
    said = [
        "SARI and BLEU of JSON lines with 2 references, the whole command with the start of Python.",
    ]
    alone = [r for r in runs if r.engine == ENGINES[0]]
    if len(alone) > 1:
        a, b = sorted(alone, key=lambda r: r.samples)[-2:]
        said.append(
            f"From {a.samples:,} to {b.samples:,} samples time grows with exponent {slope(alone):.2f} (1 is linear)"
            f" and the parent's peak memory from {a.megabytes:.0f} to {b.megabytes:.0f} MB."
        )
    workers_run = max((r for r in runs if r.engine == ENGINES[1]), key=lambda r: r.samples)
    alone_run = next(r for r in alone if r.samples == workers_run.samples)
    said.append(
        f"Two workers are {alone_run.seconds / workers_run.seconds:.2f} times as fast as one at {workers_run.samples:,}."
    )
    dask = [r for r in runs if r.engine == ENGINES[2]]
    if dask and all(r.same for r in runs):
        said.append("A Dask cluster with a worker killed in mid-run prints the same bytes.")
    return " ".join(said)


def _growth_plots(runs):
    engines = [e for e in ENGINES if any(r.engine == e for r in runs)]

    def series(value):
        for engine in engines:
            engine_runs = [r for r in runs if r.engine == engine]
            yield Series(engine, [r.samples for r in engine_runs], [value(r) for r in engine_runs])

    sizes = sorted({r.samples for r in runs})
    last = next(r for r in runs if r.samples == sizes[-1] and r.engine == ENGINES[0])
    linear = Series("slope 1", sizes, [last.seconds * n / sizes[-1] for n in sizes], guide=True)
    plots = (
        ("Time", "seconds", [*series(lambda r: r.seconds), linear], "xy", "The dotted line grows in proportion."),
        ("Time per 1,000 samples", "seconds", list(series(lambda r: 1000 * r.seconds / r.samples)), "xy",
         "What is left of the start of Python falls with size."),
        ("Peak memory of the parent", "MB", list(series(lambda r: r.megabytes)), "x", "Flat when it does not grow with the file."),
    )  # fmt: skip
    for title, unit, curves, log, note in plots:
        plot = lines(
            curves,
            title=title,
            description=f"{title} in {unit} by number of samples, one line per engine. {note}",
            x_label="samples",
            y_label=unit,
            log=log,
            least=0.0 if log == "x" else float("nan"),
        )
        yield f'<figure><figcaption>{title}</figcaption>{plot}<p class="note">{note}</p></figure>'


def _times(value):
    return f"{value:.0f}×" if value >= 9.95 else f"{value:.1f}×"
