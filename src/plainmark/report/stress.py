"""A stress test as one self-contained page: verdicts, and for each metric its curves, score card and perturbed texts."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..meta import Consistency
from ..metric import Metric, Wrapper, __version__
from ..metrics.judge import Judge
from ..operations import operations
from ..testbed import Card, Contrast, Pairs, Record, Results, Reversal, Subject
from ..testbed.sensitivity import LEVEL, SMALL, feature
from . import html
from .axes import number
from .html import escape
from .plots import Series, lines
from .summary import digits
from .table import Cell, Table

CLASSES = {
    "detects": "detects", "ignores": "ignores", "wrong way": "wrong", "reacts": "reacts", "rises": "moves",
    "falls": "moves", "undefined": "undefined",
}  # fmt: skip
ABOUT = {
    "informativeness": "Information lost, added, explained",
    "simplification": "Sentences made simpler",
    "coherence": "Sentences out of order",
    "faithfulness": "Facts changed",
    "fluency": "Words out of order",
}
DIRECTION = {1: "up", 0: "none", -1: "down"}
RULE = (
    f"A metric detects a perturbation if its slope over the realised strength differs from 0 (documents resampled, Holm's "
    f"correction over the perturbations, p < {LEVEL}), has the direction that a measure of quality should have, and is at "
    f"least {SMALL} standard deviations of the unperturbed texts' scores; it goes the wrong way if the direction is the "
    "other one, reacts if it should not move at all, and ignores the rest."
)


@dataclass(frozen=True, eq=False)
class Stressed:
    """All that was found out about one metric."""

    metric: Metric
    cards: Sequence[Card]
    contrast: Contrast | None
    reversal: Reversal | None


def label(metric: Metric) -> str:
    """A metric as a heading: its name, and the options that were chosen; those that follow from the machine are not."""
    if isinstance(metric, Judge) and metric.rubric == "appls":
        return f"judge {metric.setting}: {metric.dimension}"
    plain = type(metric)() if not isinstance(metric, Wrapper) else None
    return metric.name if metric == plain else metric.spec


def verdict_table(stressed: Sequence[Stressed]) -> Table:
    """Perturbations by metrics: the slope and the verdict."""
    rows = []
    for i, first in enumerate(stressed[0].cards):
        cells = [Cell(first.case)]
        for s in stressed:
            c = s.cards[i]
            cells.append(Cell(f"{number(c.slope, digits(c.metric))} {c.verdict}".strip(), c.verdict))
        rows.append(cells)
    if all(s.reversal for s in stressed):
        rows.append([Cell("reversal test"), *(Cell(s.reversal.verdict) for s in stressed if s.reversal)])
    if all(s.contrast for s in stressed):
        rows.append([Cell("synonym or antonym"), *(Cell(s.contrast.verdict) for s in stressed if s.contrast)])
    notes = ["Change of score from unperturbed to strength 1 (slope), and verdict.", RULE]
    return Table(["perturbation", *(label(s.metric) for s in stressed)], rows, notes)


def long_table(stressed: Sequence[Stressed]) -> Table:
    """Every number of every card, one row each, for spreadsheets."""
    headings = [
        "metric", "signature", "perturbation", "criterion", "documents", "baseline", "slope", "low", "high", "p", "spearman",
        "effect", "yardstick", "expected", "observed", "verdict", "seeds_agree", "failures",
        *(f"bin{b}" for b in range(1, 11)),
    ]  # fmt: skip
    rows = []
    for s in stressed:
        for c in s.cards:
            bins = {min(math.ceil(b.strength * 10 - 1e-9), 10): b.change for b in c.bins}
            values: list[object] = [
                c.metric.spec, c.metric.signature(), c.case, c.criterion, c.documents, c.baseline, c.slope, c.low, c.high,
                c.p, c.spearman, c.effect, c.yardstick, c.expected, c.observed, c.verdict, c.agrees, c.failures,
                *(bins.get(b, math.nan) for b in range(1, 11)),
            ]  # fmt: skip
            rows.append(
                [Cell("", "" if isinstance(v, float) and not math.isfinite(v) else v) for v in values]
            )
    return Table(headings, rows)


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
    pairs: Sequence[Pairs],
    notes: Sequence[str],
    *,
    date: datetime.date | None = None,
) -> str:
    """The consistency table as a page, with an example of each error."""
    day = date or datetime.datetime.now(tz=datetime.UTC).astimezone().date()
    heads = "".join(f'<th scope="col">{escape(_plain(p.name))}</th>' for p in pairs)
    rows = []
    for metric, row in found:
        cells = "".join(
            f'<td>{c.strict:.1f}<span class="slope">{c.low:.0f} to {c.high:.0f}; with ties {c.released:.1f} ({c.ties})</span></td>'
            if c.pairs
            else "<td>–</td>"
            for c in row
        )
        rows.append(f'<tr><th scope="row">{escape(label(metric))}</th>{cells}</tr>')
    examples = []
    for p in (p for p in pairs if len(p.unharmed)):
        text = _difference(p.unharmed.outputs[0], p.harmed.outputs[0])
        examples.append(
            f'<details class="example"><summary>{escape(_plain(p.name))}<span class="fact">{escape(p.unharmed.ids[0])}, '
            f'{len(p.unharmed)} pairs</span></summary><p class="text">{text}</p></details>'
        )
    table = consistency_table(found, notes)
    texts = {"markdown": table.markdown(), "latex": table.latex(), "csv": consistency_rows(found).csv()}
    copies = "".join(
        f'<button type="button" class="quiet" data-text="{key}">{name}</button>'
        for key, name in (("markdown", "Markdown"), ("latex", "LaTeX"), ("csv", "CSV, every number"))
    )
    signatures = "".join(f"<li><code>{escape(m.signature('1'))}</code></li>" for m, _ in found)
    title = "Does the metric prefer the unharmed text?"
    body = f"""{_masthead(title, day, " ".join(notes), "")}
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


def render(
    results: Results,
    stressed: Sequence[Stressed],
    *,
    title: str = "",
    features: Sequence[Metric] = (),
    judged: Sequence[Metric] = (),
    date: datetime.date | None = None,
) -> str:
    """The page as text; `features` are lexical features for their own figure, `judged` judges with several criteria."""
    testbed = results.testbed
    subject = testbed.subjects[0]
    title = title or f"Stress test on {subject.name or 'your texts'}"
    day = date or datetime.datetime.now(tz=datetime.UTC).astimezone().date()
    links = [("verdicts", "Verdicts"), *((f"m{i}", label(s.metric)) for i, s in enumerate(stressed))]
    links += [("features", "Lexical features")] if features else []
    links += [("criteria", "Criteria")] if judged else []
    nav = "".join(f'<li><a href="#{key}">{escape(name)}</a></li>' for key, name in links)
    table = verdict_table(stressed) if stressed else Table([], [])
    seeds = len(testbed.seeds)
    lede = (
        f"{len(subject.documents):,} documents, {len(testbed.cases)} perturbations at {len(testbed.strengths)} strengths, "
        f"{seeds} seed{'' if seeds == 1 else 's'}; candidates: {_CANDIDATES.get(subject.candidate, subject.candidate)}."
    )
    examples = _examples(results)
    sections = [
        _masthead(title, day, lede, nav),
        "<main>",
        _verdicts(stressed, subject) if stressed else "",
        *(_metric(i, s, results, examples) for i, s in enumerate(stressed)),
        _features(results, features) if features else "",
        _criteria(results, judged) if judged else "",
        "</main>",
        _footer(results),
    ]
    texts = (
        {"markdown": table.markdown(), "latex": table.latex(), "csv": long_table(stressed).csv()}
        if stressed
        else {}
    )
    style = html.asset("page.css") + html.asset("stress.css")
    return html.document(
        title, "\n".join(sections), style=style, script=html.script("page.js"), data={"texts": texts}
    )


_CANDIDATES = {
    "oracle": "oracle extracts of the sources",
    "output": "a system's outputs",
    "source": "the sources themselves",
}


def _masthead(title: str, day: datetime.date, lede: str, nav: str) -> str:
    return f"""<header class="masthead">
<p class="eyebrow">plainmark stress <span aria-hidden="true">·</span> <time datetime="{day.isoformat()}">{day.day} {day:%B %Y}</time></p>
<h1>{escape(title)}</h1>
<p class="lede">{escape(lede)}</p>
<nav aria-label="Sections"><ul>{nav}</ul><button type="button" id="theme" class="quiet">Theme: auto</button></nav>
</header><p id="said" class="unseen" aria-live="polite"></p>"""


def _verdicts(stressed: Sequence[Stressed], subject: Subject) -> str:
    heads = "".join(
        f'<th scope="col"><a href="#m{i}">{escape(label(s.metric))}</a></th>' for i, s in enumerate(stressed)
    )
    rows = []
    last = ""
    for i, first in enumerate(stressed[0].cards):
        if first.criterion != last:
            last = first.criterion
            rows.append(
                f'<tr class="group"><th colspan="{len(stressed) + 1}">{escape(ABOUT.get(last, last))}</th></tr>'
            )
        cells = "".join(f"<td>{_verdict(s.cards[i])}</td>" for s in stressed)
        rows.append(f'<tr><th scope="row">{escape(_plain(first.case))}</th>{cells}</tr>')
    extra = []
    if any(s.contrast for s in stressed):
        cells = "".join(f"<td>{escape(s.contrast.verdict if s.contrast else '–')}</td>" for s in stressed)
        extra.append(f'<tr><th scope="row">synonym or antonym</th>{cells}</tr>')
    if any(s.reversal for s in stressed):
        cells = "".join(f"<td>{escape(s.reversal.verdict if s.reversal else '–')}</td>" for s in stressed)
        extra.append(f'<tr><th scope="row">reversal test</th>{cells}</tr>')
    if extra:
        rows.append(
            f'<tr class="group"><th colspan="{len(stressed) + 1}">Contrasts</th></tr>{"".join(extra)}'
        )
    notices = "".join(f'<p class="notice">{escape(n)}</p>' for n in subject.notes if "degenerates" in n)
    others = " ".join(n for n in subject.notes if "degenerates" not in n)
    copies = "".join(
        f'<button type="button" class="quiet" data-text="{key}">{name}</button>'
        for key, name in (("markdown", "Markdown"), ("latex", "LaTeX"), ("csv", "CSV, every number"))
    )
    return f"""<section id="verdicts"><h2>Verdicts</h2>{notices}
<div class="wide"><table><thead><tr><th scope="col">Perturbation</th>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>
<p class="note">Below each verdict the slope: how much the score changes from the unperturbed text to strength 1. {escape(RULE)} {escape(others)}</p>
<p class="copies scripted">Copy the table as {copies}</p></section>"""


def _verdict(card: Card) -> str:
    mark = (
        ""
        if card.agrees
        else ' <abbr title="the seeds alone lead to different verdicts">(seeds differ)</abbr>'
    )
    why = (
        f' <abbr title="{escape(card.reason)}">why?</abbr>'
        if card.verdict == "undefined" and card.reason
        else ""
    )
    return (
        f'<span class="verdict {CLASSES[card.verdict]}">{card.verdict}</span>{mark}{why}'
        f'<span class="slope">{number(card.slope, digits(card.metric))}</span>'
    )


def _metric(index: int, stressed: Stressed, results: Results, examples: Sequence[tuple[int, Record]]) -> str:
    metric = stressed.metric
    better = {True: "higher is better", False: "lower is better", None: "neither direction is better"}[
        metric.higher_is_better
    ]
    signature = metric.signature(results.testbed.subjects[0].corpus.reference_count)
    figures = "".join(
        _figure(stressed.cards, criterion) for criterion in dict.fromkeys(c.criterion for c in stressed.cards)
    )
    failures = max((c.failures for c in stressed.cards), default=0)
    failed = ""
    if failures:
        first = next(c.reason for c in stressed.cards if c.failures)
        count = sum(c.failures for c in stressed.cards)
        failed = f'<p class="notice">{count:,} scores are undefined because the metric failed, first with: {escape(first)}</p>'
    return f"""<section id="m{index}" class="metric"><h2>{escape(label(metric))}</h2>
<p class="note">{better}; <code>{escape(signature)}</code></p>{failed}
<div class="grid curves">{figures}{_reversal_figure(stressed.reversal)}</div>
<p class="note">{_yardstick_note(stressed)}</p>
<h3>Score card</h3>{_card_table(stressed.cards)}
{_contrast_note(stressed.contrast)}{_reversal_note(stressed.reversal)}
<h3>Examples</h3>{_example_list(results, metric, examples)}</section>"""


def _figure(cards: Sequence[Card], criterion: str) -> str:
    chosen = [c for c in cards if c.criterion == criterion and c.bins and not c.case.endswith("reversed")]
    if not chosen:
        return ""
    places = digits(chosen[0].metric)
    title = f"{criterion}: {label(chosen[0].metric)}"
    said = "; ".join(f"{_plain(c.case)} {number(c.slope, places)} at strength 1, {c.verdict}" for c in chosen)
    drawn = lines(
        [_series(c, _plain(c.case)) for c in chosen],
        title=title,
        description=f"Change of score over realised strength. {said}.",
        x_label="realised strength",
        y_label="change of score",
        digits=places,
        guides=_guides(chosen[0]),
    )
    return f"<figure><figcaption>{escape(ABOUT.get(criterion, criterion))}</figcaption>{drawn}</figure>"


def _series(card: Card, name: str) -> Series:
    bins = card.bins
    return Series(
        name,
        [0.0, *(b.strength for b in bins)],
        [0.0, *(b.change for b in bins)],
        [0.0, *(b.low for b in bins)],
        [0.0, *(b.high for b in bins)],
    )


def _guides(card: Card) -> list[tuple[float, str]]:
    if not math.isfinite(card.yardstick):
        return []
    return [(sign * card.yardstick, f"median improvement in papers: {card.yardstick:g}") for sign in (1, -1)]


def _reversal_figure(reversal: Reversal | None) -> str:
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


def _yardstick_note(stressed: Stressed) -> str:
    size = next((c.yardstick for c in stressed.cards), math.nan)
    if not math.isfinite(size):
        return "Points are means of the changes in ten bins of realised strength, bands their 95 % intervals over documents."
    return (
        "Points are means of the changes in ten bins of realised strength, bands their 95 % intervals over documents. Dashed "
        f"lines: ±{size:g}, the median improvement over a baseline that papers of ACL 2022 report for this metric (Guo et al. "
        "2024). A metric that moves less when a text really gets worse cannot carry such a claim."
    )


def _card_table(cards: Sequence[Card]) -> str:
    yard = any(math.isfinite(c.yardstick) for c in cards)
    heads = ["Perturbation", "Texts", "Baseline", "Slope", "95 % interval", "p", "ρ", "Effect", *(["× papers'"] if yard else []),
             "Expected", "Verdict"]  # fmt: skip
    rows = []
    for c in cards:
        places = digits(c.metric)
        cells = [
            f"{c.documents:,}",
            number(c.baseline, places),
            number(c.slope, places),
            f"{number(c.low, places)} to {number(c.high, places)}" if math.isfinite(c.low) else "–",
            f"{c.p:.3f}" if math.isfinite(c.p) and c.p >= 0.001 else ("–" if math.isnan(c.p) else "<0.001"),
            number(c.spearman, 2),
            number(c.effect, 2),
            *([number(abs(c.slope) / c.yardstick, 1)] if yard else []),
            DIRECTION[c.expected],
        ]
        row = "".join(f"<td>{escape(v)}</td>" for v in cells)
        rows.append(
            f'<tr><th scope="row">{escape(_plain(c.case))}</th>{row}<td><span class="verdict {CLASSES[c.verdict]}">{c.verdict}</span></td></tr>'
        )
    head = "".join(f'<th scope="col">{escape(h)}</th>' for h in heads)
    note = (
        "ρ: Spearman's correlation of strength and change. Effect: slope in standard deviations of the unperturbed texts' scores."
        + (" × papers': the slope in units of the median improvement that papers report." if yard else "")
    )
    return f"""<div class="wide"><table class="card"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>
<p class="note">{escape(note)}</p>"""


def _contrast_note(found: Contrast | None) -> str:
    if found is None or not math.isfinite(found.difference):
        return ""
    text = (
        f"A verb swapped for a synonym changes the score by {number(found.synonym, 3)}, one swapped for an antonym by "
        f"{number(found.antonym, 3)}: difference {number(found.difference, 3)} ({number(found.low, 3)} to "
        f"{number(found.high, 3)}, p = {found.p:.3f}), {found.verdict}."
    )
    return f'<p class="note"><b>Synonym or antonym.</b> {escape(text)}</p>'


def _reversal_note(found: Reversal | None) -> str:
    if found is None:
        return ""
    places = digits(found.metric)
    text = (
        f"Simplifying moves the score by {number(found.forward.slope, places)}; making the simple text complex again, with "
        f"source and target exchanged, by {number(found.backward.slope, places)}: {found.verdict}. A measure of simplicity "
        "would move in opposite directions."
    )
    return f'<p class="note"><b>Reversal test.</b> {escape(text)}</p>'


def _examples(results: Results) -> list[tuple[int, Record]]:
    """One text for each case at a middle strength: of the document that most cases could perturb, a short one if possible."""
    eligible = np.stack([d.eligible[0] > 0 for d in results.doses])
    lengths = np.array([len(d.text) for d in results.testbed.subjects[0].documents])
    order = np.lexsort((np.abs(lengths - 900), -eligible.sum(axis=0)))
    level = (len(results.testbed.strengths) + 1) // 2
    out = []
    for case in range(len(results.doses)):
        able = [int(i) for i in order if eligible[case, i] and results.doses[case].realised[0, level, i] > 0]
        if able:
            out.append((case, results.record(case, results.testbed.seeds[0], able[0], level)))
    return out


def _example_list(results: Results, metric: Metric, examples: Sequence[tuple[int, Record]]) -> str:
    out = []
    places = digits(metric)
    for case, record in examples:
        subject = results.testbed.subjects[results.testbed.cases[case].subject]
        place = next(i for i, d in enumerate(subject.documents) if d.id == record.id)
        scores = results.scored(metric, case).scores[0, :, place]
        before, after = number(scores[0], places), number(scores[record.level], places)
        text = marked(subject.documents[place].text, record)
        out.append(
            f'<details class="example"><summary>{escape(_plain(record.perturbation))}'
            f'<span class="fact">{escape(record.id)}, strength {record.realised:.2f}: {before} → {after}</span></summary>'
            f'<p class="text">{text}</p></details>'
        )
    return "".join(out)


def marked(original: str, record: Record) -> str:
    """A perturbed text with its changes: what is gone, what is new, and what stands elsewhere."""
    out = []
    here = 0
    for start, end, was_start, was_end in sorted(record.spans):
        new, old = record.text[start:end], original[was_start:was_end]
        out.append(escape(record.text[here:start]))
        if new == old:
            out.append(f'<span class="moved">{escape(new)}</span>')
        else:
            out.append(
                f"<del>{escape(old)}</del> "
                if old.strip() and new
                else f"<del>{escape(old)}</del>"
                if old.strip()
                else ""
            )
            out.append(f"<ins>{escape(new)}</ins>" if new else "")
        here = end
    return "".join([*out, escape(record.text[here:])])


def _features(results: Results, found: Sequence[Metric]) -> str:
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
            series.append(Series(_plain(part), [0.0, *(b.strength for b in card.bins)], [0.0, *relative]))
            cells = [number(card.baseline), number(card.slope), f"{number(100 * card.slope / card.baseline, 1)} %",
                     f"{number(card.low)} to {number(card.high)}"]  # fmt: skip
            rows.append(
                f'<tr><th scope="row">{escape(_plain(part))}</th>{"".join(f"<td>{c}</td>" for c in cells)}<td></td></tr>'
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


def _criteria(results: Results, judged: Sequence[Metric]) -> str:
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
                title = f"{_plain(dose.case.name)}, {name}"
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


def _footer(results: Results) -> str:
    known = results.testbed.provenance()
    facts = {
        "data": ", ".join(
            f"{d['name']} ({d['documents']} documents, sha256 {d['sha256']})" for d in known["data"]
        ),
        "perturbations": ", ".join(dict.fromkeys(p["spec"] for p in known["perturbations"])),
        "seeds": ", ".join(map(str, known["seeds"])),
        "resources": ", ".join(f"{k} {v}" for k, v in known["resources"].items()),
        "plainmark": __version__,
    }
    rows = "".join(f"<div><dt>{escape(k)}</dt><dd>{escape(v)}</dd></div>" for k, v in facts.items() if v)
    return f'<footer><h2>What this was made of</h2><dl class="files">{rows}</dl></footer>'


def _plain(name: str) -> str:
    return name.replace("_", " ")
