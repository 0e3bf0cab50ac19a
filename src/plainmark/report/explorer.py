"""The part of a report in which samples are searched, sorted and read."""

from __future__ import annotations

from collections.abc import Sequence

from ..data import Corpus
from ..significance import Comparison
from .formatting import label
from .html import escape, select


def section(comparisons: Sequence[Comparison], corpora: Sequence[Corpus], shown: int) -> str:
    """The form and the list that samples.js fills; `shown` of the samples are on the page."""
    systems, n = comparisons[0].systems, len(corpora[0])
    several = len(systems) > 1
    partly = ""
    if shown < n:
        partly = (
            f'<p class="notice">This page carries {shown:,} of the {n:,} samples: the worst and the best of every metric and '
            "system, those on which systems differ most, and a random draw. Scores and plots above use all samples.</p>"
        )
    views = [("order", "In order"), ("worst", "Worst first"), ("best", "Best first")]
    if several:
        views += [("ahead", "A ahead of B"), ("behind", "B ahead of A"), ("gap", "Largest disagreement")]
    if corpora[0].sources is not None:
        views.append(("copies", "Unchanged"))
    chips = "".join(
        f'<button type="button" class="chip" data-view="{k}" aria-pressed="false">{v}</button>'
        for k, v in views
    )
    sorts = {"order": "order in the file", "score": "score of A"}
    if several:
        sorts |= {"difference": "difference A − B", "gap": "disagreement of all systems"}
    if corpora[0].sources is not None:
        sorts["source"] = "length of the source"
    sorts["output"] = "length of the output of A"
    metric = select("metric", "Metric", [label(c.metric) for c in comparisons])
    a = select(
        "a",
        "System A",
        ["mean of all", *systems] if several else systems,
        values=["mean", *range(len(systems))] if several else [0],
    )
    b = select("b", "System B", systems, comparisons[0].order()[1]) if several else ""
    toggles = "".join(
        f'<label><input type="checkbox" name="system" value="{i}" checked> {escape(s)}</label>'
        for i, s in enumerate(systems)
    )
    marks = ""
    if corpora[0].sources is not None:
        marks = """<p class="legend"><span>Marks:</span> <ins>added</ins> <del>deleted</del> <span class="replaced">replaced</span>
<span class="moved">moved</span> <label><input type="checkbox" id="inline" checked> show deleted words in the outputs</label></p>"""
    return f"""<section id="samples"><h2>Samples</h2>
{partly}<noscript><p class="notice">Reading the samples needs JavaScript; the page loads nothing from elsewhere.</p></noscript>
<form id="explorer" class="scripted" role="search" aria-label="Samples">
<div class="controls">{metric}{a}{b}</div>
<div class="chips" role="group" aria-label="Ready-made views">{chips}</div>
<div class="controls"><label class="grow">Search in all texts <input type="search" id="query" autocomplete="off" spellcheck="false"></label>
{select("sort", "Sort by", list(sorts.values()), values=list(sorts))}
{select("direction", "Direction", ["low to high", "high to low"], values=["up", "down"])}</div>
<details><summary>More filters</summary>
<div class="controls"><label>Score from <input type="number" id="low" step="any"></label><label>to <input type="number" id="high" step="any"></label>
<label class="check"><input type="checkbox" id="differ"> only samples on which outputs differ</label></div>
<fieldset><legend>Show systems</legend>{toggles}</fieldset></details>
{marks}</form>
<div class="pager scripted"><p id="status" role="status" aria-live="polite"></p>{_pager("top")}</div>
<div id="list"></div>
<div class="pager scripted">{select("size", "Samples on a page", ["10", "20", "50"], 0)}{_pager("bottom")}</div>
<p class="note scripted">Keys: <kbd>/</kbd> search, <kbd>j</kbd> <kbd>k</kbd> next and previous sample, <kbd>n</kbd> <kbd>p</kbd>
next and previous page, <kbd>Esc</kbd> clear the search.</p>
</section>"""


def _pager(where: str) -> str:
    return (
        f'<div class="pages"><button type="button" data-page="-1" aria-label="Previous page ({where})">← Previous</button>'
        f'<span class="page"></span><button type="button" data-page="1" aria-label="Next page ({where})">Next →</button></div>'
    )
