"""The consistency of metrics on pairs of unharmed and harmed texts, as a table and as a page."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from ..meta import Consistency
from ..metric import Metric
from ..operations import operations
from ..testbed import ErrorPairs
from . import html
from .html import escape
from .sensitivity import label, plain
from .stress import masthead
from .table import Cell, Table


def consistency_table(
    found: Sequence[tuple[Metric, Sequence[Consistency]]], notes: Sequence[str] = ()
) -> Table:
    """Metrics by errors: consistency with ties counted as right, strictly, and the ties."""
    kinds = [c.dimension for c in found[0][1]]
    rows = [
        [
            Cell(label(metric)),
            *(Cell(_share(c), c.strict) for c in row),
        ]
        for metric, row in found
    ]
    about = "Consistency (%): ties counted as right, as the paper does / strictly (number of ties)."
    return Table(["metric", *kinds], rows, [about, *notes, *(m.signature("1") for m, _ in found)])


def _share(found: Consistency) -> str:
    return f"{found.released:.1f} / {found.strict:.1f} ({found.ties})" if found.pairs else "–"


def consistency_rows(found: Sequence[tuple[Metric, Sequence[Consistency]]]) -> Table:
    """Every number of the consistency table, one row each."""
    headings = [
        "metric",
        "signature",
        "error",
        "pairs",
        "right",
        "ties",
        "wrong",
        "released",
        "strict",
        "low",
        "high",
        "p",
    ]
    rows = [
        [
            Cell("", v)
            for v in (
                metric.spec, metric.signature("1"), c.dimension, c.pairs, c.right, c.ties, c.wrong, c.released, c.strict,
                c.low, c.high, c.p,
            )
        ]
        for metric, row in found
        for c in row
    ]  # fmt: skip
    return Table(headings, rows)


def render_consistency(
    found: Sequence[tuple[Metric, Sequence[Consistency]]],
    pairs: Sequence[ErrorPairs],
    notes: Sequence[str],
    *,
    date: datetime.date | None = None,
) -> str:
    """The consistency table as a page, with an example of each error."""
    day = date or datetime.datetime.now(tz=datetime.UTC).astimezone().date()
    heads = "".join(f'<th scope="col">{escape(plain(p.name))}</th>' for p in pairs)
    rows = []
    for metric, row in found:
        cells = "".join(
            f'<td>{c.strict:.1f}<span class="interval">{c.low:.0f} to {c.high:.0f}</span>'
            f'<span class="interval">with ties {c.released:.1f} ({c.ties})</span></td>'
            if c.pairs
            else "<td>–</td>"
            for c in row
        )
        rows.append(f'<tr><th scope="row">{escape(label(metric))}</th>{cells}</tr>')
    examples = []
    for p in (p for p in pairs if len(p.unperturbed)):
        text = _difference(p.unperturbed.outputs[0], p.perturbed.outputs[0])
        examples.append(
            f'<details class="example"><summary>{escape(plain(p.name))}<span class="fact">{escape(p.unperturbed.ids[0])}, '
            f'{len(p.unperturbed)} pairs</span></summary><p class="text">{text}</p></details>'
        )
    table = consistency_table(found, notes)
    texts = {"markdown": table.markdown(), "latex": table.latex(), "csv": consistency_rows(found).csv()}
    copies = "".join(
        f'<button type="button" class="quiet" data-text="{key}">{name}</button>'
        for key, name in (("markdown", "Markdown"), ("latex", "LaTeX"), ("csv", "CSV, every number"))
    )
    signatures = "".join(f"<li><code>{escape(m.signature('1'))}</code></li>" for m, _ in found)
    title = "Does the metric prefer the unharmed text?"
    body = f"""{masthead(title, day, " ".join(notes), "")}
<main><section id="consistency"><h2>Consistency</h2>
<div class="wide"><table><thead><tr><th scope="col">Metric</th>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>
<p class="note">Share of the pairs, in per cent, in which the unharmed text scores strictly better, with its 95 % interval; below
it the share with ties counted as right, as in the paper, and the number of ties.</p>
<p class="copies scripted">Copy the table as {copies}</p><ul class="signatures">{signatures}</ul></section>
<section id="examples"><h2>Examples</h2>{"".join(examples)}</section></main>"""
    style = html.asset("page.css") + html.asset("stress.css")
    return html.document(title, body, style=style, script=html.script("page.js"), data={"texts": texts})


def _difference(before: str, after: str) -> str:
    """The harmed text with what differs from the unharmed one, word by word."""
    out = []
    diff = operations(before, after)
    place = 0
    for token in diff.output:
        out.append(escape(after[place : token.start]))
        word = escape(after[token.start : token.end])
        out.append(
            word
            if token.op == "keep"
            else f'<span class="moved">{word}</span>'
            if token.op == "move"
            else f"<ins>{word}</ins>"
        )
        place = token.end
    gone = " ".join(before[t.start : t.end] for t in diff.source if t.op == "delete")
    return "".join([*out, escape(after[place:])]) + (f" <del>{escape(gone)}</del>" if gone else "")
