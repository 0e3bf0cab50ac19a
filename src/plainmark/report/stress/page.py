"""A stress test as one self-contained page: verdicts, and for each metric its curves, score card and perturbed texts."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...metric import Metric, __version__
from ...testbed import Contrast, Record, Results, Reversal, SensitivityCard
from .. import html
from ..formatting import count, digits, number, today
from ..marked_text import Run
from ..svg.elements import Figure
from .curves import criteria_figures, criterion_figure, lexical_features, reversal_figure
from .tables import (
    ABOUT,
    CLASSES,
    DIRECTION,
    RULE,
    StressedMetric,
    label,
    long_table,
    plain,
    verdict_table,
)

_CANDIDATES = {
    "oracle": "oracle extracts of the sources",
    "output": "a system's outputs",
    "source": "the sources themselves",
    "target": "the targets, translated there and back",
}
_BETTER = {True: "higher is better", False: "lower is better", None: "neither direction is better"}
_POINTS = "Points are means of the changes in ten bins of realised strength, bands their 95 % intervals over documents."


@dataclass(frozen=True)
class ShownVerdict:
    """A verdict with its class, the change at full strength, whether all seeds agree on it, and why it is undefined."""

    verdict: str
    kind: str
    change: str
    agrees: bool
    reason: str


@dataclass(frozen=True)
class VerdictRow:
    """A perturbation and its verdicts, one per metric; `group` is the heading that the row begins, if any."""

    group: str
    name: str
    verdicts: Sequence[ShownVerdict]


@dataclass(frozen=True)
class CardTable:
    """The score card of one metric: headings, rows of a name, cells and a verdict, and a note."""

    headings: Sequence[str]
    rows: Sequence[tuple[str, Sequence[str], ShownVerdict]]
    note: str


@dataclass(frozen=True)
class PerturbedExample:
    """A perturbed text with its changes marked, and a sentence that describes it."""

    name: str
    about: str
    runs: Sequence[Run]


@dataclass(frozen=True)
class MetricSection:
    """The sections of the page for one metric."""

    name: str
    better: str
    signature: str
    failures: str
    figures: Sequence[Figure]
    yardstick: str
    card: CardTable
    contrast: str
    reversal: str
    examples: Sequence[PerturbedExample]


def render(
    results: Results,
    stressed: Sequence[StressedMetric],
    *,
    title: str = "",
    features: Sequence[Metric] = (),
    judged: Sequence[Metric] = (),
    date: datetime.date | None = None,
) -> str:
    """The page as text; `features` are lexical features for their own figure, `judged` the judges with several criteria."""
    testbed = results.testbed
    subject = testbed.subjects[0]
    links = [("verdicts", "Verdicts"), *((f"m{i}", label(s.metric)) for i, s in enumerate(stressed))]
    links += [("features", "Lexical features")] if features else []
    links += [("criteria", "Criteria")] if judged else []
    texts = {}
    if stressed:
        table = verdict_table(stressed)
        texts = {"markdown": table.markdown(), "latex": table.latex(), "csv": long_table(stressed).csv()}
    examples = _examples(results)
    return html.page(
        "stress.html",
        title=title or f"Stress test on {subject.name or 'your texts'}",
        styles=("page.css", "stress.css"),
        data={"texts": texts},
        date=date or today(),
        links=links,
        lede=(
            f"{len(subject.documents):,} documents, {len(testbed.cases)} perturbations at {len(testbed.strengths)} "
            f"strengths, {count(len(testbed.seeds), 'seed')}; candidates: "
            f"{_CANDIDATES.get(subject.candidate, subject.candidate)}."
        ),
        metrics=[label(s.metric) for s in stressed],
        verdicts=list(_verdicts(stressed)),
        contrasts=_contrasts(stressed),
        rule=RULE,
        notices=[n for n in subject.notes if "degenerates" in n],
        notes=" ".join(n for n in subject.notes if "degenerates" not in n),
        sections=[_section(s, results, examples) for s in stressed],
        features=lexical_features(results, features) if features else None,
        criteria=criteria_figures(results, judged) if judged else [],
        facts=[(k, v) for k, v in _provenance(results).items() if v],
    )


def _verdicts(stressed: Sequence[StressedMetric]) -> Iterator[VerdictRow]:
    last = ""
    for i, first in enumerate(stressed[0].cards if stressed else ()):
        harder = first.case.endswith("reversed")
        group = "Sentences made harder" if harder else ABOUT.get(first.criterion, first.criterion)
        verdicts = [_verdict(s.cards[i]) for s in stressed]
        yield VerdictRow("" if group == last else group, plain(first.case), verdicts)
        last = group


def _verdict(card: SensitivityCard) -> ShownVerdict:
    reason = card.reason if card.verdict in ("undefined", "not testable here") else ""
    change = number(card.change, digits(card.metric)) if math.isfinite(card.change) else ""
    return ShownVerdict(card.finding, CLASSES[card.verdict], change, card.agrees, reason)


def _contrasts(stressed: Sequence[StressedMetric]) -> list[tuple[str, list[str]]]:
    rows = []
    if any(s.contrast for s in stressed):
        rows.append(("synonym or antonym", [s.contrast.verdict if s.contrast else "–" for s in stressed]))
    if any(s.reversal for s in stressed):
        rows.append(("reversal test", [s.reversal.verdict if s.reversal else "–" for s in stressed]))
    return rows


def _section(
    stressed: StressedMetric, results: Results, examples: Sequence[tuple[int, Record]]
) -> MetricSection:
    metric, cards = stressed.metric, stressed.cards
    figures = [criterion_figure(cards, criterion) for criterion in dict.fromkeys(c.criterion for c in cards)]
    failures = ""
    if failed := [c for c in cards if c.failures]:
        failures = (
            f"{sum(c.failures for c in failed):,} scores are undefined because the metric failed, first with: "
            f"{failed[0].reason}"
        )
    return MetricSection(
        label(metric),
        _BETTER[metric.higher_is_better],
        metric.signature(results.testbed.subjects[0].corpus.reference_count),
        failures,
        [f for f in (*figures, reversal_figure(stressed.reversal)) if f],
        _yardstick_note(cards),
        _card_table(cards),
        _contrast_note(stressed.contrast),
        _reversal_note(stressed.reversal),
        [_example(results, metric, case, record) for case, record in examples],
    )


def _yardstick_note(cards: Sequence[SensitivityCard]) -> str:
    size = next((c.yardstick for c in cards), math.nan)
    if not math.isfinite(size):
        return _POINTS
    return (
        f"{_POINTS} Dashed lines: ±{size:g}, the median improvement over a baseline that papers of ACL 2022 report for this "
        "metric (Guo et al. 2024). A metric that moves less when a text really gets worse cannot support such a claim."
    )


def _card_table(cards: Sequence[SensitivityCard]) -> CardTable:
    yard = any(math.isfinite(c.yardstick) for c in cards)
    headings = ["Perturbation", "Texts", "Baseline", "Change", "Shape", "Slope", "95 % interval", "p", "ρ", "Effect", *(["× papers'"] if yard else []),
             "Expected", "Verdict"]  # fmt: skip
    rows = []
    for c in cards:
        places = digits(c.metric)
        cells = [
            f"{c.documents:,}",
            number(c.baseline, places),
            number(c.change, places),
            c.shape or "–",
            number(c.slope, places),
            f"{number(c.low, places)} to {number(c.high, places)}" if math.isfinite(c.low) else "–",
            f"{c.p:.3f}" if math.isfinite(c.p) and c.p >= 0.001 else ("–" if math.isnan(c.p) else "<0.001"),
            number(c.spearman, 2),
            number(c.effect, 2),
            *([number(abs(c.slope) / c.yardstick, 1)] if yard else []),
            DIRECTION[c.expected],
        ]
        rows.append((plain(c.case), cells, _verdict(c)))
    note = (
        "Change: mean change at full strength. Shape: of the mean curve over levels. ρ: Spearman's correlation of strength and change. Effect: slope in standard deviations of the unperturbed texts' scores."
        + (" × papers': the slope in units of the median improvement that papers report." if yard else "")
    )
    return CardTable(headings, rows, note)


def _contrast_note(contrast: Contrast | None) -> str:
    if contrast is None or not math.isfinite(contrast.difference):
        return ""
    return (
        f"A verb swapped for a synonym changes the score by {number(contrast.synonym, 3)}, one swapped for an antonym by "
        f"{number(contrast.antonym, 3)}: difference {number(contrast.difference, 3)} ({number(contrast.low, 3)} to "
        f"{number(contrast.high, 3)}, p = {contrast.p:.3f}), {contrast.verdict}."
    )


def _reversal_note(reversal: Reversal | None) -> str:
    if reversal is None:
        return ""
    places = digits(reversal.metric)
    return (
        f"Simplifying moves the score by {number(reversal.forward.slope, places)}; making the simple text complex again, with "
        f"source and target exchanged, by {number(reversal.backward.slope, places)}: {reversal.verdict}. A measure of "
        "simplicity would move in opposite directions."
    )


def _examples(results: Results) -> list[tuple[int, Record]]:
    """One text per case at a middle strength, from the document that most cases could perturb, a short one if possible."""
    eligible = np.stack([d.eligible[0] > 0 for d in results.doses])
    lengths = np.array([len(d.text) for d in results.testbed.subjects[0].documents])
    order = np.lexsort((np.abs(lengths - 900), -eligible.sum(axis=0)))
    level = (len(results.testbed.strengths) + 1) // 2
    records = []
    for case in range(len(results.doses)):
        able = [int(i) for i in order if eligible[case, i] and results.doses[case].realised[0, level, i] > 0]
        if able:
            records.append((case, results.record(case, results.testbed.seeds[0], able[0], level)))
    return records


def _example(results: Results, metric: Metric, case: int, record: Record) -> PerturbedExample:
    subject = results.testbed.subjects[results.testbed.cases[case].subject]
    place = next(i for i, d in enumerate(subject.documents) if d.id == record.id)
    scores = results.scored(metric, case).scores[0, :, place]
    before, after = (number(scores[level], digits(metric)) for level in (0, record.level))
    about = f"{record.id}, strength {record.realised:.2f}: {before} → {after}"
    return PerturbedExample(plain(record.perturbation), about, marked(subject.documents[place].text, record))


def marked(original: str, record: Record) -> list[Run]:
    """A perturbed text with its deletions, insertions and moved words marked."""
    runs = []
    position = 0
    for start, end, old_start, old_end in sorted(record.spans):
        new, old = record.text[start:end], original[old_start:old_end]
        runs.append(Run(record.text[position:start]))
        if new == old:
            runs.append(Run(new, "move"))
        else:
            runs += [Run(old, "delete"), Run(" " if new else "")] if old.strip() else []
            runs += [Run(new, "add")] if new else []
        position = end
    return [*runs, Run(record.text[position:])]


def _provenance(results: Results) -> dict[str, str]:
    known = results.testbed.provenance()
    return {
        "data": ", ".join(
            f"{d['name']} ({d['documents']} documents, sha256 {d['sha256']})" for d in known["data"]
        ),
        "perturbations": ", ".join(dict.fromkeys(p["spec"] for p in known["perturbations"])),
        "seeds": ", ".join(map(str, known["seeds"])),
        "resources": ", ".join(f"{k} {v}" for k, v in known["resources"].items()),
        "plainmark": __version__,
    }
