"""By how much conditions differ in right answers: mixed model, bootstrap, permutation test.

odds ratio     logistic mixed model with random intercepts of participants, items and questions; Wald intervals
points         difference of percentages right; interval and bootstrap p from answers drawn from the fitted mixed model
               (where the model is not determined: by resampling items, of a between design participants)
p              of the mixed model, corrected for the number of contrasts (Holm 1979)
permutation p  conditions exchanged among the readings of an item (of a between design: among participants)

Resampled items alone give intervals that are too wide where each participant reads several conditions, since persons cancel
out of the difference but not out of its resamples; drawing from the model keeps both persons and items.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...distributions import chi_square_tail
from ...errors import InputError
from ...metric import Floats
from ...resampling import (
    as_extreme,
    batches,
    bootstrap_p,
    bootstrap_weights,
    holm,
    percentile_intervals,
    permutation_p,
)
from ..definition.models import Definition
from .mixed_model import LARGEST_LOGIT, Contrast, MixedModel, fit
from .responses import Response

PERMUTATIONS = 2000
MODEL = "model"


@dataclass(frozen=True)
class Difference:
    """One condition against another, in right answers."""

    one: str
    other: str
    accuracy: tuple[float, float]  # percent right, of one and of the other
    points: float  # other minus one
    points_interval: tuple[float, float]
    effect: float  # Cohen's h
    effect_interval: tuple[float, float]
    contrast: Contrast  # log odds of other against one
    corrected: float  # p of the mixed model after Holm
    bootstrap_p: float
    permutation_p: float

    def significant(self, level: float = 0.95) -> bool:
        """Whether the mixed model finds a difference after correction."""
        return self.corrected < 1 - level


@dataclass(frozen=True, eq=False)
class Effects:
    """The mixed model of right answers, and every contrast of the definition."""

    baseline: str
    systems: tuple[str, ...]
    model: MixedModel
    statistic: float  # likelihood-ratio test of all conditions at once
    freedom: int
    p: float
    differences: tuple[Difference, ...]
    units: str  # what intervals of points resample: answers of the model, or items or participants


@dataclass(frozen=True, eq=False)
class Trials:
    """Answers with a key as arrays: one entry per answer."""

    right: Floats
    system: tuple[str, ...]
    participant: tuple[str, ...]
    item: tuple[str, ...]
    question: tuple[str, ...]

    @classmethod
    def of(cls, answers: Sequence[Response]) -> Trials:
        """The answers that can be right or wrong."""
        keyed = [r for r in answers if r.key]
        return cls(
            np.array([r.value == r.key for r in keyed], dtype=np.float64),
            tuple(r.system for r in keyed),
            tuple(r.rater for r in keyed),
            tuple(r.item for r in keyed),
            tuple(f"{r.item}\0{r.question}" for r in keyed),
        )

    def factors(self, names: Sequence[str]) -> dict[str, Sequence[str]]:
        """The grouping factors of the mixed model; questions only where an item has several."""
        texts = tuple(f"{i}\0{s}" for i, s in zip(self.item, self.system, strict=True))
        known = {"participant": self.participant, "item": self.item, "question": self.question, "text": texts}
        if len(set(self.question)) == len(set(self.item)):
            known.pop("question")
        return {n: known[n] for n in names if n in known}


def effects(
    definition: Definition, answers: Sequence[Response], *, resamples: int = 10_000, seed: int = 0
) -> Effects:
    """Compare conditions as the definition says; raises InputError where there is only one condition."""
    trials = Trials.of(answers)
    present = set(trials.system)
    systems = [c for c in definition.conditions if c in present]
    if len(systems) < 2:
        raise InputError("a comparison needs answers in at least two conditions.")
    baseline = definition.baseline if definition.baseline in present else systems[0]
    model, null = fit_conditions(
        trials, [baseline, *(s for s in systems if s != baseline)], definition.analysis.random
    )
    statistic = max(0.0, 2 * (model.log_likelihood - null.log_likelihood))
    pairs = [(a, b) for a, b in definition.contrasts if a in present and b in present]
    between = definition.design.kind == "between"
    contrasts = [pair_contrast(model, a, b, definition.analysis.level) for a, b in pairs]
    corrected = holm([c.p for c in contrasts])
    resampled = Resampled.drawn_for(
        trials,
        systems,
        model,
        definition.analysis.random,
        by_participant=between,
        resamples=resamples,
        seed=seed,
    )
    rng = np.random.default_rng([seed, 1])
    differences = []
    for (one, other), contrast, p in zip(pairs, contrasts, corrected, strict=True):
        points, drawn = resampled.difference(one, other)
        h, drawn_h = resampled.difference(one, other, arcsine=True)
        intervals = percentile_intervals(np.stack([drawn, drawn_h]), definition.analysis.level).tolist()
        differences.append(
            Difference(
                one,
                other,
                (resampled.accuracy(one), resampled.accuracy(other)),
                points,
                tuple(intervals[0]),
                h,
                tuple(intervals[1]),
                contrast,
                p,
                bootstrap_p(drawn, points),
                permuted(trials, one, other, by_participant=between, rng=rng),
            )
        )
    return Effects(
        baseline, tuple(systems), model, statistic, len(systems) - 1,
        chi_square_tail(statistic, len(systems) - 1) if model.converged else math.nan,
        tuple(differences), MODEL if resampled.centred else "participants" if between else "items",
    )  # fmt: skip


def fit_conditions(
    trials: Trials, systems: Sequence[str], random: Sequence[str], *, null: bool = True
) -> tuple[MixedModel, MixedModel]:
    """The model with conditions, the first of them as the baseline, and the one without (the same one unless `null`)."""
    labels = np.array(trials.system)
    intercept = np.ones((len(labels), 1))
    design = np.hstack([intercept, *((labels == s)[:, None].astype(float) for s in systems[1:])])
    groups = trials.factors(random)
    model = fit(trials.right, design, groups, systems)
    return model, fit(trials.right, intercept, groups, systems[:1]) if null else model


def pair_contrast(model: MixedModel, one: str, other: str, level: float = 0.95) -> Contrast:
    """The log odds of `other` against `one`; the model's first condition is its baseline."""
    weights = np.zeros(len(model.names))
    for name, sign in ((other, 1.0), (one, -1.0)):
        if name != model.names[0]:
            weights[model.names.index(name)] += sign
    return model.contrast(weights, level)


@dataclass(frozen=True, eq=False)
class Resampled:
    """Right answers and answers of each condition, in the data and in every resample."""

    systems: dict[str, int]
    right: Floats  # (systems,)
    counts: Floats
    drawn: Floats  # (systems, resamples): shares right
    centred: bool = False  # whether differences are moved so that their mean is the observed one

    @classmethod
    def of(
        cls, trials: Trials, systems: Sequence[str], *, by_participant: bool, resamples: int, seed: int
    ) -> Resampled:
        """Resample items, or participants where each saw one condition only."""
        place = {s: i for i, s in enumerate(systems)}
        rows = np.array([place.get(s, len(place)) for s in trials.system])
        units = np.unique(
            np.array(trials.participant if by_participant else trials.item), return_inverse=True
        )[1]
        size = int(units.max()) + 1
        flat = rows * size + units
        counts = np.bincount(flat, minlength=(len(place) + 1) * size).reshape(-1, size)[: len(place)]
        right = np.bincount(flat, trials.right, (len(place) + 1) * size).reshape(-1, size)[: len(place)]
        weights = bootstrap_weights(np.random.default_rng(seed), resamples, size)
        with np.errstate(invalid="ignore", divide="ignore"):
            drawn = ((weights @ right.T) / (weights @ counts.T)).T
        return cls(place, right.sum(axis=1), counts.sum(axis=1).astype(np.float64), drawn)

    @classmethod
    def drawn_for(
        cls,
        trials: Trials,
        systems: Sequence[str],
        model: MixedModel,
        random: Sequence[str],
        *,
        by_participant: bool,
        resamples: int,
        seed: int,
    ) -> Resampled:
        """Draw answers from a fitted model (parametric bootstrap); resample units where it is not determined."""
        observed = cls.of(trials, systems, by_participant=by_participant, resamples=1, seed=seed)
        determined = model.converged and bool(np.all(np.abs(model.estimates) < LARGEST_LOGIT))
        if not determined or set(model.names) != set(systems):
            return cls.of(trials, systems, by_participant=by_participant, resamples=resamples, seed=seed)
        labels = np.array(trials.system)
        effect = {name: float(e) for name, e in zip(model.names, model.estimates, strict=True)}
        logit = np.array(
            [effect[model.names[0]] + (effect[s] if s != model.names[0] else 0.0) for s in trials.system]
        )
        spread = [
            (model.deviations[name], np.unique(np.asarray(levels), return_inverse=True)[1])
            for name, levels in trials.factors(random).items()
            if model.deviations[name] > 0
        ]
        member = np.stack([labels == s for s in systems], axis=1) / np.maximum(observed.counts, 1)
        rng = np.random.default_rng([seed, 2])
        shares = np.empty((len(systems), resamples))
        for start, stop in batches(resamples, len(logit)):
            drawn = np.broadcast_to(logit, (stop - start, len(logit))).copy()
            for deviation, codes in spread:
                drawn += (deviation * rng.standard_normal((stop - start, int(codes.max()) + 1)))[:, codes]
            right = rng.random(drawn.shape) < 1 / (1 + np.exp(-drawn))
            shares[:, start:stop] = (right.astype(np.float64) @ member).T
        return cls(observed.systems, observed.right, observed.counts, shares, centred=True)

    def accuracy(self, system: str) -> float:
        """Percent right."""
        i = self.systems[system]
        return 100 * float(self.right[i] / self.counts[i])

    def difference(self, one: str, other: str, *, arcsine: bool = False) -> tuple[float, Floats]:
        """Percentage points, or Cohen's h, of `other` minus `one`: observed and in every resample."""
        i, j = self.systems[one], self.systems[other]
        shares = self.right / self.counts

        def scale(share: Floats) -> Floats:
            return 2 * np.arcsin(np.sqrt(share)) if arcsine else 100 * share

        difference = float(scale(shares[j]) - scale(shares[i]))
        sample = scale(self.drawn[j]) - scale(self.drawn[i])
        return difference, sample - sample.mean() + difference if self.centred else sample


def permuted(
    trials: Trials,
    one: str,
    other: str,
    *,
    by_participant: bool,
    rng: np.random.Generator,
    permutations: int = PERMUTATIONS,
) -> float:
    """P-value of the difference when conditions are exchanged among readings of an item, or among participants."""
    readings: dict[tuple[str, str, str], list[float]] = {}
    for right, system, person, item in zip(
        trials.right.tolist(), trials.system, trials.participant, trials.item, strict=True
    ):
        if system in (one, other):
            key = (system, person, "" if by_participant else item)
            total = readings.setdefault(key, [0.0, 0.0])
            total[0] += right
            total[1] += 1
    labels = np.array([float(key[0] == other) for key in readings])
    right, counts = np.array(list(readings.values())).T
    strata = np.unique([key[2] for key in readings], return_inverse=True)[1].astype(np.float64)
    order = np.argsort(strata, kind="stable")
    labels, right, counts, strata = labels[order], right[order], counts[order], strata[order]

    def difference(second: Floats) -> Floats:
        with np.errstate(invalid="ignore", divide="ignore"):
            shares = (second @ right) / (second @ counts) - ((1 - second) @ right) / ((1 - second) @ counts)
        return np.asarray(shares, dtype=np.float64)

    observed = float(difference(labels))
    if not math.isfinite(observed):
        return math.nan
    extreme = 0
    for start in range(0, permutations, 200):
        keys = strata + rng.random((min(200, permutations - start), len(labels)))
        moved = difference(labels[np.argsort(keys, axis=1)])
        extreme += as_extreme(moved[np.isfinite(moved)], observed)
    return permutation_p(extreme, permutations)
