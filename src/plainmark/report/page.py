"""A comparison of systems as one self-contained HTML page: summary, scores, plots, and every sample with its edits."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Mapping, Sequence
from os import PathLike

import numpy as np

from ..data import Corpus
from ..errors import InputError
from ..metric import __version__
from ..significance import Comparison
from ..table import Cell, Table
from ..writing import write_atomically
from . import explorer, figures, html
from .axes import number, short
from .facts import Facts, gather
from .html import escape, select
from .samples import Indices, choose, payload
from .summary import digits, findings, label, names

LIMIT = 5000  # samples that a page carries
TESTS = {"bootstrap": "paired bootstrap", "randomisation": "approximate randomisation"}


def render(
    comparisons: Sequence[Comparison],
    corpora: Sequence[Corpus],
    *,
    title: str = "",
    files: Mapping[str, str] | None = None,
    date: datetime.date | None = None,
    limit: int = LIMIT,
    rng: np.random.Generator | int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> str:
    """The page as text.

    `comparisons` has one entry a metric and `corpora` one a system, in the same order; `files` says where each
    side came from; of more than `limit` samples the page carries the most telling ones.
    """
    if not comparisons or not corpora:
        raise InputError("nothing to report: expected at least one metric and one system.")
    for c in comparisons:
        if c.samples.shape != (len(corpora), len(corpora[0])):
            raise InputError(
                f"{c.metric.spec}: compared {c.samples.shape[0]} systems on {c.samples.shape[1]} samples, "
                f"but {len(corpora)} corpora of {len(corpora[0])} samples are given."
            )
    if limit < 1:
        raise InputError(f"limit: {limit} given, expected at least 1 sample.")
    systems = comparisons[0].systems
    title = title or (
        f"{systems[0]}: scores and samples" if len(systems) == 1 else "Text simplification, compared"
    )
    facts = gather(corpora)
    chosen, random = choose(comparisons, limit, np.random.default_rng(rng))
    drawn = figures.drawn_points(comparisons, facts, random)
    pairs = [figures.Pairs.of(c) for c in comparisons] if len(systems) > 1 else []
    table = score_table(comparisons)
    data = {
        "systems": systems,
        "metrics": [
            {"name": label(c.metric), "better": _direction(c), "digits": digits(c.metric)}
            for c in comparisons
        ],
        "pairs": [p.as_data(c) for p, c in zip(pairs, comparisons, strict=bool(pairs))],
        "order": [c.order() for c in comparisons],
        "texts": {"markdown": table.markdown(), "latex": table.latex(), "csv": table.csv()},
        "drawn": np.searchsorted(chosen, drawn).tolist(),
        **payload(comparisons, corpora, facts, chosen, progress),
    }
    body = "\n".join(
        [
            _masthead(
                title,
                date or datetime.datetime.now(tz=datetime.UTC).astimezone().date(),
                comparisons,
                corpora,
            ),
            "<main>",
            _summary(comparisons, facts),
            _scores(comparisons, facts),
            _plots(comparisons, facts),
            _pairs(comparisons, pairs),
            _relations(comparisons, facts, drawn),
            explorer.section(comparisons, corpora, len(chosen)),
            "</main>",
            _footer(files or {}),
        ]
    )
    script = html.script("page.js", "figures.js", "samples.js")
    return html.document(title, body, style=html.asset("page.css"), script=script, data=data)


def write(path: str | PathLike[str], page: str) -> None:
    """Write a rendered page, or nothing."""
    write_atomically(path, page)


def score_table(comparisons: Sequence[Comparison]) -> Table:
    """Scores with intervals and letters, one row a system, in the order of the first metric."""
    rows = []
    for i in comparisons[0].order():
        cells = [
            Cell(f"{_score(c, i)} {_interval(c, i)} {_letters(c, i)}".strip(), c.scores[i].value, _best(c, i))
            for c in comparisons
        ]
        rows.append([Cell(comparisons[0].systems[i]), *cells])
    headings = ["system", *(f"{label(c.metric)}{figures.arrow(c)}" for c in comparisons)]
    return Table(headings, rows, _signatures(comparisons))


def _masthead(
    title: str, date: datetime.date, comparisons: Sequence[Comparison], corpora: Sequence[Corpus]
) -> str:
    count, n = len(corpora), len(corpora[0])
    references = corpora[0].reference_count
    given = "no references" if references == "0" else _count(references, "reference")
    each = " each" if n > 1 and references != "0" else ""
    scored = names([label(c.metric) for c in comparisons])
    compared = f"{_count(count, 'system')} on {_count(n, 'sample')}, {given}{each}, scored by {scored}"
    links = ["summary", "scores", "plots", *(["pairs"] if count > 1 else []), "relations", "samples"]
    return f"""<a class="skip" href="#samples">Skip to the samples</a>
<header class="masthead">
<p class="eyebrow">plainmark report <span aria-hidden="true">·</span> <time datetime="{date.isoformat()}">{date.day} {date:%B %Y}</time></p>
<h1>{escape(title)}</h1>
<p class="lede">{escape(compared)}.</p>
<nav aria-label="Sections"><ul>{"".join(f'<li><a href="#{k}">{k.capitalize()}</a></li>' for k in links)}</ul>
<button type="button" id="theme" class="quiet">Theme: auto</button></nav>
</header>"""


def _summary(comparisons: Sequence[Comparison], facts: Facts) -> str:
    items = "".join(
        f"<div><dt>{escape(head)}</dt><dd>{escape(text)}</dd></div>"
        for head, text in findings(comparisons, facts)
    )
    return f'<section id="summary"><h2>In short</h2><dl class="findings">{items}</dl></section>'


def _scores(comparisons: Sequence[Comparison], facts: Facts) -> str:
    first = comparisons[0]
    several = len(first.systems) > 1
    heads = "".join(
        f'<th scope="col" class="number" aria-sort="none" data-better="{_direction(c)}">'
        f'<button type="button">{escape(label(c.metric))}{_arrow(c)}</button></th>'
        for c in comparisons
    )
    rows = []
    for i in first.order():
        cells = []
        for c in comparisons:
            strong = ("<strong>", "</strong>") if _best(c, i) else ("", "")
            letters = f' <span class="letters">{escape(_letters(c, i))}</span>' if several else ""
            value = c.scores[i].value
            key = f'data-value="{value:.12g}"' if math.isfinite(value) else 'data-value=""'
            cells.append(
                f'<td class="number" {key}>{strong[0]}{_score(c, i)}{strong[1]}{letters}'
                f'<span class="interval">{_interval(c, i)}</span></td>'
            )
        rows.append(f"<tr>{_row_head(first.systems[i])}{''.join(cells)}</tr>")
    notes = [f"Below each score its {first.level:.0%} bootstrap interval ({first.resamples:,} resamples)."]
    if several:
        notes.append(
            f"Systems that share a letter do not differ significantly ({TESTS[first.test]}, Holm-corrected, "
            f"p\u00a0<\u00a0{1 - first.level:.2g}). The best score of a column is bold."
        )
    arrows = {c.metric.higher_is_better for c in comparisons}
    if True in arrows:
        notes.append("↑ higher is better.")
    if False in arrows:
        notes.append("↓ lower is better.")
    signatures = "".join(
        f'<li><code>{escape(s)}</code><button type="button" class="quiet" data-copy="{escape(s)}">Copy</button></li>'
        for s in _signatures(comparisons)
    )
    copies = "".join(
        f'<button type="button" class="quiet" data-text="{key}">{name}</button>'
        for key, name in (("markdown", "Markdown"), ("latex", "LaTeX"), ("csv", "CSV"))
    )
    return f"""<section id="scores"><h2>Scores</h2>
<div class="beside"><div><div class="wide"><table class="scores"><thead><tr><th scope="col">System</th>{heads}</tr></thead>
<tbody>{"".join(rows)}</tbody></table></div>
<p class="note">{escape(" ".join(notes))}</p>
<p class="copies scripted">Copy the table as {copies}</p></div>
<div>{_shape(first.systems, first.order(), facts)}</div></div>
<h3>Signatures</h3>
<p class="note">A signature says exactly which version of a metric gave a number. Quote it with the score.</p>
<ul class="signatures">{signatures}</ul>
</section>"""


def _shape(systems: Sequence[str], order: Sequence[int], facts: Facts) -> str:
    heads = ["Words per output"]
    columns = [[f"{facts.words[i].mean():.1f}" for i in order]]
    if facts.ratio is not None and facts.copied is not None:
        heads += ["Length / source", "Same as source"]
        ratios = [row[np.isfinite(row)] for row in facts.ratio]
        columns.append([f"{ratios[i].mean():.0%}" if len(ratios[i]) else "–" for i in order])
        columns.append([f"{facts.copied[i].mean():.0%}" for i in order])
    heads.append("Empty")
    columns.append([f"{facts.empty[i].sum():,}" for i in order])
    rows = "".join(
        f"<tr>{_row_head(systems[i])}" + "".join(f'<td class="number">{c[k]}</td>' for c in columns) + "</tr>"
        for k, i in enumerate(order)
    )
    source = (
        ""
        if facts.source_words is None
        else f" The sources have {facts.source_words.mean():.1f} words on average."
    )
    head = "".join(f'<th scope="col" class="number">{h}</th>' for h in heads)
    return (
        f'<h3>What the outputs look like</h3><div class="wide"><table class="shape"><thead><tr><th scope="col">System</th>{head}</tr>'
        f'</thead><tbody>{rows}</tbody></table></div><p class="note">Lengths are means over samples; length / source '
        f"compares characters.{source}</p>"
    )


def _plots(comparisons: Sequence[Comparison], facts: Facts) -> str:
    first = comparisons[0]
    parts = [
        '<section id="plots"><h2>Plots</h2>',
        f'<h3>Scores and how sure they are</h3><p class="note">Dot: score of the whole corpus. Line: {first.level:.0%} '
        "interval, where so many of the scores of resampled test sets lie.</p>",
        figures.interval_plots(comparisons),
        '<h3>Scores of single samples</h3><p class="note">The height of a curve is the share of samples; dot: median; '
        "line: the middle half. Values beyond the axis stand at its ends.</p>",
        figures.distribution_plots(comparisons),
    ]
    if len(first.systems) > 1 and len(comparisons) > 1:
        drawn = [figures.trade_off_plot(first, other) for other in comparisons[1:]]
        parts += [
            f'<h3>Systems between two metrics</h3><div class="grid">{"".join(drawn)}</div>',
        ]
    return "".join(parts) + "</section>"


def _pairs(comparisons: Sequence[Comparison], pairs: Sequence[figures.Pairs]) -> str:
    if not pairs:
        return ""
    panels = "".join(
        f'<div class="panel" data-panel="pairs {m}"><h3 class="unscripted">{escape(label(c.metric))}</h3>{figures.pair_plots(c, p)}</div>'
        for m, (c, p) in enumerate(zip(comparisons, pairs, strict=True))
    )
    first = comparisons[0]
    best, second = first.order()[:2]
    return f"""<section id="pairs"><h2>Pairs of systems</h2>
<p class="note">Each cell: the row's score minus the column's, and the corrected p-value. Blue: the row is better; orange:
worse. Faint cells are not significant. Choose a cell to see the differences sample by sample.</p>
<div class="controls scripted">{select("pair-metric", "Metric", [label(c.metric) for c in comparisons])}
{select("pair-a", "System", first.systems, best)}{select("pair-b", "compared with", first.systems, second)}
<button type="button" id="pair-samples">Show these samples</button></div>
<p id="pair-text" class="scripted" aria-live="polite"></p>
{panels}</section>"""


def _relations(comparisons: Sequence[Comparison], facts: Facts, drawn: Indices) -> str:
    panels = []
    others = {o.key: o.name for o in figures.companions(facts)}
    for m, key, grid in figures.scatter_panels(comparisons, facts, drawn):
        heading = f"{label(comparisons[m].metric)} against {others[key]}"
        panels.append(
            f'<div class="panel" data-panel="relations {m} {key}"><h3 class="unscripted">{escape(heading)}</h3>{grid}</div>'
        )
    n = facts.words.shape[1]
    partly = "" if len(drawn) == n else f" Of the {n:,} samples {len(drawn):,} drawn at random are shown."
    kinds = select("relation-kind", "against", list(others.values()), values=list(others))
    return f"""<section id="relations"><h2>What goes along with a score</h2>
<p class="note">Each point is a sample; the line joins the means of equal groups of samples, and r is Pearson's correlation,
both over all samples. Points beyond the axes stand at the rim.{partly} Choose a point to read the sample.</p>
<div class="controls scripted">{select("relation-metric", "Score", [label(c.metric) for c in comparisons])}{kinds}</div>
{"".join(panels)}</section>"""


def _footer(files: Mapping[str, str]) -> str:
    rows = "".join(
        f"<div><dt>{escape(k)}</dt><dd><code>{escape(v)}</code></dd></div>" for k, v in files.items()
    )
    listed = f'<h2>Files</h2><dl class="files">{rows}</dl>' if rows else ""
    return f"""<footer>{listed}
<p class="note">Made by plainmark {escape(__version__)}. This file is complete: it loads nothing and sends nothing.</p></footer>
<div id="tip" role="presentation" hidden></div><p id="said" class="unseen" role="status" aria-live="polite"></p>"""


def _row_head(name: str) -> str:
    return f'<th scope="row" title="{escape(name)}">{escape(short(name, 26))}</th>'


def _direction(c: Comparison) -> int:
    return {True: 1, False: -1, None: 0}[c.metric.higher_is_better]


def _arrow(c: Comparison) -> str:
    said = {True: ("↑", "higher is better"), False: ("↓", "lower is better"), None: ("", "")}
    sign, meaning = said[c.metric.higher_is_better]
    return f' <span aria-label="{meaning}" role="img">{sign}</span>' if sign else ""


def _score(c: Comparison, i: int) -> str:
    return number(c.scores[i].value, digits(c.metric))


def _interval(c: Comparison, i: int) -> str:
    low, high = c.intervals[i]
    places = digits(c.metric)
    return f"[{number(low, places)}, {number(high, places)}]" if math.isfinite(low) else ""


def _letters(c: Comparison, i: int) -> str:
    return c.letters[i] if len(c.systems) > 1 else ""


def _best(c: Comparison, i: int) -> bool:
    """Whether a score is the best as printed."""
    defined = [v for v in c.values if math.isfinite(v)]
    if c.metric.higher_is_better is None or len(c.systems) < 2 or not defined:
        return False
    top = max(defined) if c.metric.higher_is_better else min(defined)
    return _score(c, i) == number(top, digits(c.metric))


def _signatures(comparisons: Sequence[Comparison]) -> list[str]:
    return list(dict.fromkeys(s.signature for c in comparisons for s in c.scores))


def _count(amount: int | str, noun: str) -> str:
    shown = f"{amount:,}" if isinstance(amount, int) else amount.replace("-", " to ")
    return f"{shown} {noun}" if shown == "1" else f"{shown} {noun}s"
