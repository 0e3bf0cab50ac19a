"""Printed values of papers beside recomputed ones, for a terminal, as Markdown, LaTeX, CSV and as an HTML page."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from ..papers import Claim, Figure, Paper, PublishedCell, Recomputed
from ..table import Cell, Table
from . import html

LEGEND = "printed | ours; * differs (in the notes: * for a known reason, ? open)"
DETAILS = (
    "stand-in: what comes with plainmark instead of a model that is not available; strict: ties count as wrong; baseline: the"
    " best of length, copying and edit distance, in either direction"
)
MARKS = {"as printed": "", "explained": " *", "open": " ?", "not computed": " –"}
WIDE = 100  # width of a terminal in columns


def table_of(cells: Sequence[PublishedCell]) -> Table:
    """The cells of one table, with rows and columns as in the paper, or transposed if that is too wide.

    A table with intervals, stand-ins or baselines has one line per cell instead, column by column.
    """
    if any(map(_is_detailed, cells)):
        return _detailed(cells)
    # A cell is row/column; a table with names that have no slash is one column.
    split = [c.cell.partition("/") for c in cells]
    places = {(row, column): c for (row, _, column), c in zip(split, cells, strict=True)}
    rows, columns = (list(dict.fromkeys(p[k] for p in places)) for k in (0, 1))
    upright, turned = (_side_by_side(rows, columns, places, flip) for flip in (False, True))
    return upright if _width(upright) <= WIDE else min(upright, turned, key=_width)


def _is_detailed(cell: PublishedCell) -> bool:
    return any((cell.interval, cell.stand_in, cell.strict, cell.baseline)) or cell.status == "not computed"


def _detailed(cells: Sequence[PublishedCell]) -> Table:
    """One line per cell: the printed value, ours with its interval, and other known values."""
    columns = dict.fromkeys(c.cell.partition("/")[2] for c in cells)
    ordered = sorted(cells, key=lambda c: list(columns).index(c.cell.partition("/")[2]))
    headings = ["", "", "printed", "ours", "stand-in", "strict", "baseline"]
    rows = []
    for c in ordered:
        row, _, column = c.cell.partition("/")
        ours = Figure(c.ours, *(c.interval or (math.nan, math.nan)))
        texts = [
            _figure(ours, c),
            _figure(c.stand_in, c),
            _figure(c.strict, c),
            _figure(c.baseline, c, named=True),
        ]
        differs = c.status in ("explained", "open")
        rows.append([Cell(column), Cell(row), Cell(c.printed, c.published, differs), *map(Cell, texts)])
    used = [k for k in range(len(headings)) if k < 4 or any(row[k].text for row in rows)]
    return Table(
        [headings[k] for k in used],
        [[row[k] for k in used] for row in rows],
        text_columns=(0, 1),
        bold="a figure that ours differs from, or that these data cannot give",
    )


def _figure(figure: Figure | None, cell: PublishedCell, *, named: bool = False) -> str:
    """A figure with its interval, with the number of digits that the paper prints."""
    if figure is None or not math.isfinite(figure.value):
        return ""
    digits = max(cell.digits, 1 if abs(figure.value) > 1 else 2)
    text = cell.shown if figure.value == cell.ours else f"{figure.value:.{digits}f}"
    interval = f" [{figure.low:.{digits}f}, {figure.high:.{digits}f}]" if math.isfinite(figure.low) else ""
    return f"{f'{figure.name} ' if named else ''}{text}{interval}"


def stand_ins_of(cells: Sequence[PublishedCell]) -> list[tuple[str, str]]:
    """The substitutes: (rows or columns, specification)."""
    places: dict[str, list[tuple[str, str]]] = {}
    for cell in cells:
        if cell.stand_in:
            row, _, column = cell.cell.partition("/")
            places.setdefault(cell.stand_in.name, []).append((row, column))
    rows = {row for same in places.values() for row, _ in same}
    by_column = len(places) > 1 and all({row for row, _ in same} == rows for same in places.values())
    return [
        (", ".join(dict.fromkeys(place[by_column] for place in same)), f"stand-in {name}")
        for name, same in places.items()
    ]


def _claim(claim: Claim) -> str:
    return f"{claim.verdict}: {claim.text} {claim.evidence}"


def _width(table: Table) -> int:
    return max(map(len, table.text().splitlines()))


def _side_by_side(
    rows: list[str], columns: list[str], places: dict[tuple[str, str], PublishedCell], flip: bool
) -> Table:
    first, second = (columns, rows) if flip else (rows, columns)
    lines = []
    for a in first:
        cells = [places.get((b, a) if flip else (a, b)) for b in second]
        lines.append([Cell(a), *(Cell("") if c is None else _pair(c) for c in cells)])
    headings = ["", *(["printed | ours"] if second == [""] else second)]
    return Table(headings, lines, bold="ours differs from what is printed")


def _pair(cell: PublishedCell) -> Cell:
    return Cell(f"{cell.printed} | {cell.shown}", cell.ours, not cell.agrees)


def notes_of(cells: Sequence[PublishedCell]) -> list[tuple[str, str]]:
    """Notes on cells: (names of the cells with this note, note)."""
    by_note: dict[tuple[str, str], list[PublishedCell]] = {}
    for cell in cells:
        if cell.note:
            by_note.setdefault((cell.note, cell.status), []).append(cell)
    return [*((_named(same), note) for (note, _), same in by_note.items()), *stand_ins_of(cells)]


def _named(cells: Sequence[PublishedCell]) -> str:
    """The names of cells with their common part once, with * if they differ from the printed value."""
    pairs = [c.cell.partition("/")[::2] for c in cells]
    rows, columns = (list(dict.fromkeys(p[k] for p in pairs)) for k in (0, 1))
    mark = MARKS[cells[0].status]
    if len(rows) * len(columns) == len(pairs):
        return f"{', '.join(rows)}{'/' if any(columns) else ''}{', '.join(columns)}{mark}"
    return f"{', '.join(c.cell for c in cells)}{mark}"


def count(recomputed: Recomputed) -> str:
    """The number of values that are as printed, as a phrase."""
    if not recomputed.cells:
        return "nothing could be computed"
    explained, unsolved = recomputed.count("explained"), recomputed.count("open")
    others = (
        f"; {explained} differ for a known reason, {unsolved} {'is' if unsolved == 1 else 'are'} open"
        if explained or unsolved
        else ""
    )
    if absent := recomputed.count("not computed"):
        others += f", {absent} need models or data that are not released"
    return f"{recomputed.count('as printed')} of {len(recomputed.cells)} as printed{others}"


def text(recomputed: Recomputed) -> str:
    """All tables with their notes, and missing values, for a terminal."""
    blocks = []
    for paper, tables in _by_paper(recomputed):
        blocks.append(f"{paper.id}: {paper.citation}")
        for name, cells in tables:
            notes = [f"  {named}: {note}" for named, note in notes_of(cells)]
            blocks.append("\n".join([name, table_of(cells).text().rstrip("\n"), *notes]))
        if claims := recomputed.claims(paper):
            blocks.append(
                "\n".join(
                    [
                        "what the paper concludes or implies, on its own data:",
                        *(f"  {_claim(c)}" for c in claims),
                    ]
                )
            )
    detailed = any(map(_is_detailed, recomputed.cells))
    legend = f"{LEGEND}\n{DETAILS}\n" if detailed else f"{LEGEND}\n"
    blocks.append(f"{legend}{count(recomputed)}" if recomputed.cells else count(recomputed))
    gaps = [f"  {p.id} {gap.what}: {gap.reason}" for p in recomputed.papers for gap in p.gaps]
    if gaps:
        blocks.append("\n".join(["not computed:", *gaps]))
    return "\n\n".join(blocks) + "\n"


def markdown(recomputed: Recomputed) -> str:
    """A Markdown document with all tables and their notes."""
    by_paper = _by_paper(recomputed)
    lines = ["# Papers, recomputed", "", *_opening(recomputed), "", *_contents(recomputed, by_paper), ""]
    for paper, tables in by_paper:
        lines += [f"## {_heading(paper)}", "", f"{paper.citation} (`plainmark papers {paper.id}`).", ""]
        if values := [c for _, cells in tables for c in cells]:
            lines += [f"{count(replace(recomputed, cells=tuple(values)))}.".capitalize(), ""]
        if claims := recomputed.claims(paper):
            lines += ["### What the paper concludes or implies, on its own data", ""]
            for c in claims:
                verdict = f"**{c.verdict.capitalize()}**" if c.holds is False else c.verdict.capitalize()
                lines += [f"- {verdict}: {_plain(c.text)} {_plain(c.evidence)}"]
            lines += [""]
        for name, cells in tables:
            lines += [f"### {name}", "", *_markdown_tables(cells)]
            notes = notes_of(cells)
            lines += [f"- {_plain(named)}: {_plain(note)}" for named, note in notes] + [""] * bool(notes)
        if paper.gaps:
            lines += ["Not computed:", ""]
            lines += [f"- {_plain(gap.what)}: {_plain(gap.reason)}" for gap in paper.gaps] + [""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _heading(paper: Paper) -> str:
    """Authors and year."""
    match = re.match(r".*?\d{4}", paper.citation)
    return match[0] if match else paper.id


def _opening(recomputed: Recomputed) -> list[str]:
    """What the document answers, and how to read it."""
    return [
        "Can the figures that papers print be recomputed from the data they released, and do their conclusions hold on these data? This page",
        "puts every such figure beside plainmark's. The result: " + count(recomputed) + ".",
        "",
        "    plainmark papers               all tables on the terminal; needs the data sets",
        "    plainmark papers sari          one paper",
        "    plainmark papers -o papers.md  this page",
        "",
        "How to read the tables:",
        "",
        "- A cell is printed | ours. A figure is as printed when it is the same after rounding at the last printed digit (a tie either way) or",
        "  after cutting it off there. Where it is not, the cell is bold, and the list below the table says why. \\* means that the reason is known:",
        "  repeating a fault gives the printed figure, or these data cannot give it. ? means that the reason is not known.",
        "- Tables with figures that nobody can recompute have one line per cell and 95 % intervals in brackets. Their printed figures follow in a",
        "  table of their own. The column *stand-in* has what comes with plainmark instead of a model that is not available",
        "  (`plainmark papers --stand-ins` computes more of them), and *strict* counts ties as wrong.",
        "- A *baseline* is the best of length, copying and edit distance, in either direction.",
    ]


def _contents(
    recomputed: Recomputed, by_paper: list[tuple[Paper, list[tuple[str, list[PublishedCell]]]]]
) -> list[str]:
    """A table of the papers, with links."""
    lines = ["| paper | figures | as printed |", "|---|---:|---:|"]
    for paper, tables in by_paper:
        cells = tuple(c for _, cells in tables for c in cells)
        own = replace(recomputed, cells=cells)
        heading = _heading(paper)
        anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        lines.append(f"| [{heading}](#{anchor}) | {len(cells)} | {own.count('as printed')} |")
    return lines


def _markdown_tables(cells: Sequence[PublishedCell]) -> list[str]:
    """The tables for the cells of one table: computed ones, baselines, and those that are only printed."""
    if not any(map(_is_detailed, cells)):
        return [replace(table_of(cells), bold="").markdown().rstrip("\n"), ""]
    lines = []
    computed = [replace(c, baseline=None) for c in cells if math.isfinite(c.ours) or c.stand_in]
    if computed:
        table = _detailed(computed)
        headings = ["column", "row", *table.headings[2:]]
        lines += [replace(table, headings=headings, bold="").markdown().rstrip("\n"), ""]
    baselines = {
        c.cell.partition("/")[2]: _figure(c.baseline, c, named=True) for c in cells if c.baseline is not None
    }
    if baselines:
        lines += ["| column | best baseline |", "|---|---|"]
        lines += [f"| {column} | {baseline} |" for column, baseline in baselines.items()] + [""]
    absent = [c for c in cells if math.isnan(c.ours) and not c.stand_in]
    if absent:
        lines += ["Only printed; the models or data are not released:", "", *_printed_only(absent), ""]
    return lines


def _printed_only(cells: Sequence[PublishedCell]) -> list[str]:
    """Printed figures, rows and columns as in the paper."""
    split = {c.cell.partition("/")[::2]: c for c in cells}
    rows, columns = (list(dict.fromkeys(names)) for names in zip(*split, strict=True))
    lines = [f"| row | {' | '.join(column or 'printed' for column in columns)} |"]
    lines += ["|---|" + "---:|" * len(columns)]
    for row in rows:
        found = [split.get((row, column)) for column in columns]
        texts = ["" if c is None else f"**{c.printed}**" if c.explained else c.printed for c in found]
        lines.append(f"| {row} | {' | '.join(texts)} |")
    return lines


def page(recomputed: Recomputed) -> str:
    """A self-contained HTML file."""
    papers = [
        (
            paper,
            [(name, table_of(cells), notes_of(cells)) for name, cells in tables],
            recomputed.claims(paper),
        )
        for paper, tables in _by_paper(recomputed)
    ]
    return html.page(
        "papers.html",
        title="Papers, recomputed",
        scripts=(),
        lede=f"{_introduction(recomputed)[-1]} Cells are {LEGEND}. In tables with one line per cell, {DETAILS}.",
        papers=papers,
    )


def _introduction(recomputed: Recomputed) -> list[str]:
    return [
        "Every figure that the papers print and that can be recomputed from released data, as `plainmark papers` gives",
        "it. Each cell is printed | ours; ours is as printed when it is the same after rounding at the last printed digit (a",
        "tie either way) or after cutting it off there. Where it is not, the cell is bold, and the list below its table says",
        "why (\\*: repeating a fault gives the printed figure, or these data cannot give it) or what is known (?).",
        "",
        "Tables with figures that nobody can recompute have one line per cell, with 95 % intervals in brackets; in them,",
        f"{DETAILS}. Stand-ins are computed by `plainmark papers --stand-ins`.",
        "",
        f"In all, {count(recomputed)}.",
    ]


def _by_paper(recomputed: Recomputed) -> list[tuple[Paper, list[tuple[str, list[PublishedCell]]]]]:
    tables = recomputed.tables()
    return [(p, [(name, f) for (id_, name), f in tables.items() if id_ == p.id]) for p in recomputed.papers]


def _plain(words: str) -> str:
    """Text for Markdown, with * and < escaped."""
    return words.replace("*", r"\*").replace("<", "&lt;")
