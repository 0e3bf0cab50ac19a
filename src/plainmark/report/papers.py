"""Printed figures of papers beside ours: for a terminal, as Markdown, LaTeX, CSV and as an HTML page."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from ..metric import __version__
from ..papers import Cell as Figure
from ..papers import Paper, Recomputed
from ..table import Cell, Table
from . import html
from .html import escape

LEGEND = "printed | ours; * differs"
WIDE = 100  # columns of a terminal


def table_of(figures: Sequence[Figure]) -> Table:
    """The cells of one table, rows and columns as in the paper, or turned round where that is too wide."""
    # A cell is row/column; a table with names that have no slash is one column.
    split = [f.cell.partition("/") for f in figures]
    places = {(row, column): f for (row, _, column), f in zip(split, figures, strict=True)}
    rows, columns = (list(dict.fromkeys(p[k] for p in places)) for k in (0, 1))
    upright, turned = (_side_by_side(rows, columns, places, flip) for flip in (False, True))
    return upright if _width(upright) <= WIDE else min(upright, turned, key=_width)


def _width(table: Table) -> int:
    return max(map(len, table.text().splitlines()))


def _side_by_side(
    rows: list[str], columns: list[str], places: dict[tuple[str, str], Figure], flip: bool
) -> Table:
    first, second = (columns, rows) if flip else (rows, columns)
    lines = []
    for a in first:
        found = [places.get((b, a) if flip else (a, b)) for b in second]
        lines.append([Cell(a), *(Cell("") if f is None else _pair(f) for f in found)])
    return Table(["", *(["printed | ours"] if second == [""] else second)], lines)


def _pair(figure: Figure) -> Cell:
    return Cell(f"{figure.printed} | {figure.shown}", figure.ours, not figure.agrees)


def notes_of(figures: Sequence[Figure]) -> list[tuple[str, str]]:
    """What is to be said of cells, those with the same note together: (cells, note)."""
    found: dict[str, list[Figure]] = {}
    for f in figures:
        if f.note:
            found.setdefault(f.note, []).append(f)
    return [(_named(same), note) for note, same in found.items()]


def _named(figures: Sequence[Figure]) -> str:
    """The names of cells, what they share said once; * where they differ from the print."""
    pairs = [f.cell.partition("/")[::2] for f in figures]
    rows, columns = (list(dict.fromkeys(p[k] for p in pairs)) for k in (0, 1))
    mark = "" if figures[0].agrees else " *"
    if len(rows) * len(columns) == len(pairs):
        return f"{', '.join(rows)}{'/' if any(columns) else ''}{', '.join(columns)}{mark}"
    return f"{', '.join(f.cell for f in figures)}{mark}"


def count(found: Recomputed) -> str:
    """How many figures are as printed, in a phrase."""
    total, agreeing = len(found.cells), found.agreeing
    others = total - agreeing
    if not total:
        return "nothing could be computed"
    bare = len(found.unexplained)
    explained = f"; {others} other{'s' if others != 1 else ''} explained" if others and not bare else ""
    open_ones = f"; of {others} others {bare} have no explanation" if bare else ""
    return f"{agreeing} of {total} as printed{explained}{open_ones}"


def text(found: Recomputed) -> str:
    """For a terminal."""
    blocks = []
    for paper, tables in _by_paper(found):
        blocks.append(f"{paper.id}: {paper.citation}")
        for name, figures in tables:
            notes = [f"  {cells}: {note}" for cells, note in notes_of(figures)]
            blocks.append("\n".join([name, table_of(figures).text().rstrip("\n"), *notes]))
    blocks.append(f"{LEGEND}\n{count(found)}" if found.cells else count(found))
    gaps = [f"  {p.id} {gap.what}: {gap.reason}" for p in found.papers for gap in p.gaps]
    if gaps:
        blocks.append("\n".join(["not computed:", *gaps]))
    return "\n\n".join(blocks) + "\n"


def markdown(found: Recomputed) -> str:
    """A page of its own."""
    lines = ["# Papers, recomputed", "", *_introduction(found), ""]
    for paper, tables in _by_paper(found):
        own = [f for _, figures in tables for f in figures]
        lines += [f"## {paper.id}", "", f"{paper.citation}.", ""]
        if own:
            lines += [f"{sum(f.agrees for f in own)} of {len(own)} as printed.", ""]
        for name, figures in tables:
            lines += [f"### {name}", "", table_of(figures).markdown().rstrip("\n"), ""]
            notes = notes_of(figures)
            lines += [f"- {_plain(cells)}: {_plain(note)}" for cells, note in notes] + [""] * bool(notes)
        if paper.gaps:
            lines += ["Not computed:", ""]
            lines += [f"- {_plain(gap.what)}: {_plain(gap.reason)}" for gap in paper.gaps] + [""]
    return "\n".join(lines).rstrip("\n") + "\n"


def latex(found: Recomputed) -> str:
    """All tables, one after the other."""
    return "\n".join(
        f"% {paper}, {name}\n{table_of(figures).latex()}" for (paper, name), figures in found.tables().items()
    )


def as_csv(found: Recomputed) -> str:
    """One row a cell, in full precision."""
    out = io.StringIO()
    columns = ("paper", "table", "cell", "published", "ours", "agrees", "note")
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(f.as_record() for f in found.cells)
    return out.getvalue()


def page(found: Recomputed) -> str:
    """One HTML file that needs nothing else."""
    sections = []
    for paper, tables in _by_paper(found):
        parts = [f"<h2>{escape(paper.id)}</h2><p>{escape(paper.citation)}.</p>"]
        parts += [f"<h3>{escape(name)}</h3>{_table(table_of(f))}{_notes(notes_of(f))}" for name, f in tables]
        if paper.gaps:
            parts.append(f"<h3>Not computed</h3>{_notes([(g.what, g.reason) for g in paper.gaps])}")
        sections.append(f'<section id="{escape(paper.id)}">{"".join(parts)}</section>')
    links = "".join(f'<li><a href="#{escape(p.id)}">{escape(p.id)}</a></li>' for p, _ in _by_paper(found))
    body = f"""<header class="masthead"><p class="eyebrow">plainmark {escape(__version__)}</p>
<h1>Papers, recomputed</h1><p class="lede">{escape(_introduction(found)[-1])} Cells are {LEGEND}.</p></header>
<main><nav aria-label="Papers"><ul>{links}</ul></nav>{"".join(sections)}</main>"""
    return html.document("Papers, recomputed", body, style=html.asset("page.css"), script="", data=None)


def _table(table: Table) -> str:
    heads = "".join(f'<th scope="col" class="number">{escape(h)}</th>' for h in table.headings[1:])
    rows = []
    for first, *cells in table.rows:
        shown = "".join(
            f'<td class="number">{f"<strong>{escape(c.text)} *</strong>" if c.best else escape(c.text)}</td>'
            for c in cells
        )
        rows.append(f'<tr><th scope="row">{escape(first.text)}</th>{shown}</tr>')
    return (
        f'<div class="wide"><table><thead><tr><th scope="col"></th>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _notes(notes: Sequence[tuple[str, str]]) -> str:
    items = "".join(f"<li><strong>{escape(a)}</strong>: {escape(b)}</li>" for a, b in notes)
    return f'<ul class="note">{items}</ul>' if items else ""


def _introduction(found: Recomputed) -> list[str]:
    return [
        "Every figure that the papers print and that can be computed again from released data, as `plainmark papers` gives",
        "it. Each cell is printed | ours; ours is as printed when it is the same after rounding at the last printed digit (a",
        "tie either way) or after cutting it off there. Where it is not, the cell is marked and the list below its table says",
        "why.",
        "",
        f"In all, {count(found)}.",
    ]


def _by_paper(found: Recomputed) -> list[tuple[Paper, list[tuple[str, list[Figure]]]]]:
    tables = found.tables()
    return [(p, [(name, f) for (id_, name), f in tables.items() if id_ == p.id]) for p in found.papers]


def _plain(words: str) -> str:
    """Words for Markdown, where * and < mean something."""
    return words.replace("*", r"\*").replace("<", "&lt;")
