"""Sensitivity: whether the scores of a metric change with a perturbation, and in the right direction.

The change of a document's score from that of its unperturbed text is regressed on the realised strength.

    slope = sum of strength x change / sum of strength^2        over documents, levels and seeds; documents are resampled

The card also has the mean change at full strength and the shape of the curve, because a metric that rises and falls again
has a slope, too. docs/testbed.md defines the verdict. In short: a metric detects a perturbation if the slope is significant
(Holm's correction over the perturbations), slope and Spearman's correlation have the sign that a measure of quality should
have, and the slope is at least a fifth of the standard deviation of the documents' own scores: a smaller effect disappears
among the differences between texts. The card also says whether the slope exceeds the median improvement that papers report
for that metric.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..metric import Floats, Metric, Wrapper, divide
from ..resampling import bootstrap_p, bootstrap_sums, holm, percentile_intervals
from .results import CaseScores, Results

Verdict = Literal[
    "detects", "ignores", "wrong way", "mixed", "reacts", "rises", "falls", "undefined", "not testable here"
]  # fmt: skip
Shape = Literal["rises", "falls", "inverted U", "U", "flat", ""]

# Median improvements over a baseline in papers of ACL 2022 (Guo et al. 2024, section 6), without their sign.
YARDSTICKS = {
    "rouge": 0.89,
    "bleu": 0.69,
    "meteor": 0.50,
    "sari": 1.71,
    "bertscore": 0.55,
    "perplexity": 2.06,
}
# A small effect according to Cohen; a smaller one counts as none.
SMALL = 0.2
LEVEL = 0.05
RESAMPLES = 2000
BINS = 10
FEW = 30  # with fewer documents, the verdict mentions their number
LIMB = 0.2  # share of a curve's range that a turn must exceed on both sides


@dataclass(frozen=True)
class StrengthBin:
    """Changes of score at strengths up to `strength`: their number, mean, and 95 % interval over documents."""

    strength: float  # mean realised strength
    points: int
    change: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class SensitivityCard:
    """The sensitivity of one metric to one perturbation."""

    metric: Metric
    case: str
    criterion: str
    documents: int  # number of eligible documents with defined scores
    baseline: float  # mean score of the unperturbed texts of these
    bins: tuple[StrengthBin, ...]
    spearman: float  # Spearman's correlation of strength and change
    change: float  # mean change at the highest level, which is strength 1 if a text allows it
    shape: Shape  # shape of the curve over levels
    slope: float
    low: float
    high: float
    p: float  # corrected over the cases of the metric
    spread: float  # standard deviation of the unperturbed texts' scores
    yardstick: float  # median improvement in papers, NaN if there is no such figure
    expected: int  # sign that the slope of a measure of quality should have; 0: none
    verdict: Verdict
    seeds: tuple[Verdict, ...]  # the verdict from each seed alone
    failures: int = 0
    reason: str = ""  # the reason why the card is empty, or the first failure
    signature: str = ""  # signature of the metric, with the number of references of these texts

    @property
    def finding(self) -> str:
        """The verdict, with the number of documents if there are few."""
        few = self.documents < FEW and self.verdict not in ("undefined", "not testable here")
        return (
            f"{self.verdict} ({self.documents} document{'s' * (self.documents != 1)})"
            if few
            else self.verdict
        )

    @property
    def agrees(self) -> bool:
        """Whether every seed alone leads to the verdict."""
        return set(self.seeds) <= {self.verdict}

    @property
    def effect(self) -> float:
        """The slope in standard deviations of the documents' scores."""
        return (
            self.slope / self.spread
            if self.spread > 0
            else math.copysign(math.inf, self.slope)
            if self.slope
            else 0.0
        )

    @property
    def observed(self) -> int:
        """The sign of the slope if it is significant, else 0."""
        return 0 if not self.p < LEVEL else int(np.sign(self.slope))


@dataclass(frozen=True)
class Contrast:
    """How much more the score changes per verb with antonyms than with synonyms."""

    metric: Metric
    synonym: float  # change of score per verb
    antonym: float
    difference: float
    low: float
    high: float
    p: float
    verdict: Literal["tells meaning", "tells form", "no difference", "undefined"]


@dataclass(frozen=True)
class Reversal:
    """The slopes of simplification, and of its reversal with source and target exchanged."""

    metric: Metric
    forward: SensitivityCard
    backward: SensitivityCard
    verdict: Literal["follows simplicity", "follows overlap", "unmoved", "undefined", "not testable here"]


def yardstick(metric: Metric) -> float:
    """The median improvement that papers report for a metric, NaN for others."""
    inner = metric
    while isinstance(inner, Wrapper):
        inner = inner.metric
    if getattr(inner, "scale", None) == "log":
        return math.nan  # the improvements are in perplexity itself, not its logarithm
    return YARDSTICKS.get(inner.name, math.nan)


def cards(results: Results, metric: Metric, *, seed: int = 0) -> list[SensitivityCard]:
    """The cards of a metric, one for each case; p-values are corrected over them."""
    scored = [results.scored(metric, c) for c in range(len(results.testbed.cases))]
    whole = _judged([_card(s, None, seed) for s in scored])
    alone = [_judged([_card(s, k, seed) for s in scored]) for k in range(len(results.testbed.seeds))]
    testbed = results.testbed
    counts = [testbed.subjects[case.subject].corpus.reference_count for case in testbed.cases]
    return [
        replace(c, seeds=tuple(a[i].verdict for a in alone), signature=metric.signature(counts[i]))
        for i, c in enumerate(whole)
    ]


def expectation(metric: Metric, effect: int) -> int:
    """The sign that a slope should have, given the perturbation's effect on quality."""
    return 0 if metric.higher_is_better is None else effect if metric.higher_is_better else -effect


def _card(scored: CaseScores, seed: int | None, rng_seed: int) -> SensitivityCard:
    """A card without a verdict, from all seeds or one."""
    which = slice(None) if seed is None else slice(seed, seed + 1)
    strength, scores = scored.dose.realised[which, 1:], scored.scores[which]
    base = scores[:, :1]
    change = scores[:, 1:] - base
    counted = (scored.dose.eligible[which][:, None, :] > 0) & np.isfinite(change) & (strength > 0)
    change = np.where(counted, change, 0.0)
    weight = np.where(counted, strength, 0.0)
    stats = np.stack([(weight * change).sum((0, 1)), (weight * weight).sum((0, 1))], axis=1)
    held = counted.any((0, 1))
    n = int(held.sum())
    plain = base[:, 0].mean(axis=0)[held] if n else np.empty(0)
    slope, low, high, p = _slope(stats[held], rng_seed)
    why = scored.undefined.most_common(1)
    testable = int((scored.dose.eligible[which] > 0).any(axis=0).sum()) > 1
    return SensitivityCard(
        metric=scored.metric,
        case=scored.case.name,
        criterion=scored.case.perturbation.criterion,
        documents=n,
        baseline=float(plain.mean()) if n else math.nan,
        bins=_bins(
            strength[counted],
            change[counted],
            np.broadcast_to(np.arange(counted.shape[-1]), counted.shape)[counted],
        ),
        spearman=_spearman(strength[counted], change[counted]),
        change=float(change[:, -1][counted[:, -1]].mean()) if testable and counted[:, -1].any() else math.nan,
        shape=_shape(change, counted),
        slope=slope,
        low=low,
        high=high,
        p=p,
        spread=float(plain.std(ddof=1)) if n > 1 else math.nan,
        yardstick=yardstick(scored.metric),
        expected=expectation(scored.metric, scored.case.effect),
        verdict="undefined" if testable else "not testable here",
        seeds=(),
        failures=sum(scored.undefined.values()),
        reason=why[0][0] if why else "" if testable else _untestable(scored),
    )


def _untestable(scored: CaseScores) -> str:
    """The reason why there are fewer than two eligible documents, and what is missing."""
    reasons = scored.dose.reasons.most_common(1)
    reason = reasons[0][0] if reasons else "fewer than two documents are eligible"
    return f"{reason}; needs {scored.case.provider}" if scored.case.provider else reason


def _shape(change: Floats, counted: NDArray[np.bool_]) -> Shape:
    """The shape of the mean curve over levels; it turns only if both parts are significant and long enough."""
    documents = counted[:, -1].all(axis=0)
    if documents.sum() < 2:
        return ""
    curves = np.concatenate([np.zeros((1, int(documents.sum()))), change.mean(axis=0)[:, documents]])
    means = curves.mean(axis=1)
    range_ = float(np.ptp(means))
    if range_ == 0:
        return "flat"
    for turn, shape in ((int(means.argmax()), "inverted U"), (int(means.argmin()), "U")):
        limbs = [curves[turn] - curves[0], curves[turn] - curves[-1]]
        if all(abs(d.mean()) > max(3 * _standard_error(d), LIMB * range_) for d in limbs):
            return shape  # type: ignore[return-value]
    if abs(means[-1]) <= 3 * _standard_error(curves[-1]):
        return "flat"
    return "rises" if means[-1] > 0 else "falls"


def _standard_error(values: Floats) -> float:
    return float(values.std(ddof=1)) / math.sqrt(len(values))


def _judged(cards: Sequence[SensitivityCard]) -> list[SensitivityCard]:
    corrected = holm([c.p for c in cards])
    return [replace(c, p=p, verdict=_verdict(replace(c, p=p))) for c, p in zip(cards, corrected, strict=True)]


def _verdict(card: SensitivityCard) -> Verdict:
    """The rule of docs/testbed.md."""
    if card.verdict == "not testable here":
        return card.verdict
    if not math.isfinite(card.slope) or not math.isfinite(card.p):
        return "undefined"
    moved = card.p < LEVEL and abs(card.effect) >= SMALL
    if not moved:
        return "ignores"
    if math.isfinite(card.spearman) and np.sign(card.spearman) != np.sign(card.slope):
        return "mixed"
    if card.metric.higher_is_better is None:
        return "rises" if card.slope > 0 else "falls"
    if card.expected == 0:
        return "reacts"
    return "detects" if np.sign(card.slope) == card.expected else "wrong way"


def _slope(stats: Floats, seed: int) -> tuple[float, float, float, float]:
    """Slope, its interval and p-value; documents are resampled."""
    total = stats.sum(axis=0) if len(stats) else np.zeros(2)
    if total[1] == 0:
        return math.nan, math.nan, math.nan, math.nan
    slope = float(total[0] / total[1])
    if len(stats) < 2:
        return slope, math.nan, math.nan, math.nan
    drawn = bootstrap_sums(np.random.default_rng(seed), RESAMPLES, stats)
    values = divide(drawn[:, 0], drawn[:, 1])
    return slope, *_interval(values), bootstrap_p(values, slope)


def _interval(values: Floats) -> tuple[float, float]:
    low, high = percentile_intervals(values[None])[0]
    return float(low), float(high)


def _bins(strength: Floats, change: Floats, document: NDArray[np.int64]) -> tuple[StrengthBin, ...]:
    """Ten bins of realised strength; intervals are those of the mean over documents."""
    out = []
    number = np.minimum(np.ceil(strength * BINS - 1e-9).astype(int), BINS)
    for b in range(1, BINS + 1):
        inside = number == b
        if not inside.any():
            continue
        _, place = np.unique(document[inside], return_inverse=True)
        counts = np.bincount(place)
        means = np.bincount(place, weights=change[inside]) / counts
        # Documents are weighted by the number of their texts in the bin, as in the mean.
        mean = float(change[inside].mean())
        spread = math.sqrt(float((counts**2 * (means - mean) ** 2).sum())) / int(counts.sum())
        out.append(
            StrengthBin(
                float(strength[inside].mean()),
                int(inside.sum()),
                mean,
                mean - 1.96 * spread,
                mean + 1.96 * spread,
            )
        )
    return tuple(out)


def _spearman(x: Floats, y: Floats) -> float:
    from ..meta.coefficients import coefficient

    return coefficient("spearman", x, y) if len(x) > 2 and np.ptp(x) > 0 and np.ptp(y) > 0 else math.nan


def feature(scored: CaseScores) -> SensitivityCard:
    """A card without a verdict, for parts and features that are neither good nor bad."""
    return _card(scored, None, 0)


def contrast(results: Results, metric: Metric, *, seed: int = 0) -> Contrast | None:
    """Antonyms compared with synonyms, per changed verb, in documents that have both."""
    names = [c.perturbation.name for c in results.testbed.cases]
    if not {"verb_synonyms", "verb_antonyms"} <= set(names):
        return None
    stats = []
    for name in ("verb_synonyms", "verb_antonyms"):
        scored = results.scored(metric, names.index(name))
        change = scored.scores[:, 1:] - scored.scores[:, :1]
        counted = np.isfinite(change) & (scored.dose.changed[:, 1:] > 0)
        verbs = np.where(counted, scored.dose.changed[:, 1:], 0).astype(np.float64)
        change = np.where(counted, change, 0.0)
        stats.append(np.stack([(verbs * change).sum((0, 1)), (verbs * verbs).sum((0, 1))], axis=1))
    both = np.concatenate(stats, axis=1)
    both = both[(both[:, 1] > 0) & (both[:, 3] > 0)]
    if len(both) < 2:
        nan = math.nan
        return Contrast(metric, nan, nan, nan, nan, nan, nan, "undefined")
    total = both.sum(axis=0)
    synonym, antonym = float(total[0] / total[1]), float(total[2] / total[3])
    drawn = bootstrap_sums(np.random.default_rng(seed), RESAMPLES, both)
    values = divide(drawn[:, 2], drawn[:, 3]) - divide(drawn[:, 0], drawn[:, 1])
    difference = antonym - synonym
    p = bootstrap_p(values, difference)
    worse = expectation(metric, -1)
    verdict: Literal["tells meaning", "tells form", "no difference"] = "no difference"
    if p < LEVEL and worse:
        verdict = "tells meaning" if np.sign(difference) == worse else "tells form"
    return Contrast(metric, synonym, antonym, difference, *_interval(values), p, verdict)


def reversal(cards: Sequence[SensitivityCard]) -> Reversal | None:
    """The reversal test: a measure of simplicity changes in one direction as texts get simpler and in the other as they get
    harder.

    A metric that changes in the same direction both times depends on the overlap with the text that it is compared with.
    """
    by_case = {c.case: c for c in cards}
    forward = next((c for c in cards if c.case.startswith("simplify") and "," not in c.case), None)
    backward = by_case.get("simplify, reversed")
    if forward is None or backward is None:
        return None
    signs = (forward.observed, backward.observed)
    if "not testable here" in (forward.verdict, backward.verdict):
        return Reversal(forward.metric, forward, backward, "not testable here")
    if not math.isfinite(forward.p) or not math.isfinite(backward.p):
        verdict: Literal["follows simplicity", "follows overlap", "unmoved", "undefined"] = "undefined"
    elif 0 in signs:
        verdict = "unmoved"
    else:
        verdict = "follows overlap" if signs[0] == signs[1] else "follows simplicity"
    return Reversal(forward.metric, forward, backward, verdict)
