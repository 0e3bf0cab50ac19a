"""A stress test as one self-contained page: verdicts, and for each metric its curves, score card and perturbed texts."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence

import numpy as np

from ..metric import Metric, __version__
from ..testbed import Contrast, Record, Results, Reversal, SensitivityCard, Subject
from . import html
from .axes import number
from .curves import criteria_section, criterion_figure, features_section, reversal_figure
from .html import escape
from .sensitivity import ABOUT, CLASSES, DIRECTION, RULE, Stressed, label, long_table, plain, verdict_table
from .summary import digits
from .table import Table


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
        masthead(title, day, lede, nav),
        "<main>",
        _verdicts(stressed, subject) if stressed else "",
        *(_metric(i, s, results, examples) for i, s in enumerate(stressed)),
        features_section(results, features) if features else "",
        criteria_section(results, judged) if judged else "",
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


def masthead(title: str, day: datetime.date, lede: str, nav: str) -> str:
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
        reversed_ = first.case.endswith("reversed")
        about = "Sentences made harder" if reversed_ else ABOUT.get(first.criterion, first.criterion)
        if about != last:
            last = about
            rows.append(f'<tr class="group"><th colspan="{len(stressed) + 1}">{escape(about)}</th></tr>')
        cells = "".join(f"<td>{_verdict(s.cards[i])}</td>" for s in stressed)
        rows.append(f'<tr><th scope="row">{escape(plain(first.case))}</th>{cells}</tr>')
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


def _verdict(card: SensitivityCard) -> str:
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
        criterion_figure(stressed.cards, criterion)
        for criterion in dict.fromkeys(c.criterion for c in stressed.cards)
    )
    failures = max((c.failures for c in stressed.cards), default=0)
    failed = ""
    if failures:
        first = next(c.reason for c in stressed.cards if c.failures)
        count = sum(c.failures for c in stressed.cards)
        failed = f'<p class="notice">{count:,} scores are undefined because the metric failed, first with: {escape(first)}</p>'
    return f"""<section id="m{index}" class="metric"><h2>{escape(label(metric))}</h2>
<p class="note">{better}; <code>{escape(signature)}</code></p>{failed}
<div class="grid curves">{figures}{reversal_figure(stressed.reversal)}</div>
<p class="note">{_yardstick_note(stressed)}</p>
<h3>Score card</h3>{_card_table(stressed.cards)}
{_contrast_note(stressed.contrast)}{_reversal_note(stressed.reversal)}
<h3>Examples</h3>{_example_list(results, metric, examples)}</section>"""


def _yardstick_note(stressed: Stressed) -> str:
    size = next((c.yardstick for c in stressed.cards), math.nan)
    if not math.isfinite(size):
        return "Points are means of the changes in ten bins of realised strength, bands their 95 % intervals over documents."
    return (
        "Points are means of the changes in ten bins of realised strength, bands their 95 % intervals over documents. Dashed "
        f"lines: ±{size:g}, the median improvement over a baseline that papers of ACL 2022 report for this metric (Guo et al. "
        "2024). A metric that moves less when a text really gets worse cannot carry such a claim."
    )


def _card_table(cards: Sequence[SensitivityCard]) -> str:
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
            f'<tr><th scope="row">{escape(plain(c.case))}</th>{row}<td><span class="verdict {CLASSES[c.verdict]}">{c.verdict}</span></td></tr>'
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
            f'<details class="example"><summary>{escape(plain(record.perturbation))}'
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
