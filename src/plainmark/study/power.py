"""How many people a study needs: the analysis of the definition on simulated answers.

A simulated study gives the first n blocks of the design to n people and draws right and wrong answers from
    logit P(right) = condition + person + item + question,     each of the last three normal
with a difference of so many percentage points between the first contrast's conditions, and none between all others. It is
analysed as the report does: logistic mixed model, and bootstrap that draws from that model, Holm's correction over all
contrasts. Power is the share of simulated studies in which the first contrast is significant.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..distributions import normal_tail
from ..errors import InputError
from ..metric import Floats
from ..resampling import bootstrap_p, holm
from .analysis.effects import Resampled, Trials, fit_conditions, pair_contrast
from .analysis.mixed_model import MixedModel, fit
from .analysis.responses import Collected, Response, has_keys, responses
from .assignment import plan_blocks
from .definition.items import key_of
from .definition.loading import Study
from .definition.questions import Mcq, YesNo
from .power_curve import TESTS, Needed, PowerPoint, needed_people

TARGETS = (0.8, 0.9)
MOST_PEOPLE = 2000
_DRAWS = 200  # of the bootstrap
_FIRST, _FEWEST = 12, 4  # people: where the search begins, and its end
_COARSE, _FINE = 40, 50  # simulated studies of one size: for the search, and where a power is reached
_NULL = 300  # studies without a difference
_ANSWERS = 1_200_000  # that are simulated near the target, so that the same seed gives the same plan on every machine
_MOST_STUDIES = 2000
_AT_A_TIME = 10  # studies between two looks at the clock
_SECONDS = 90.0  # a slow machine stops here; the plan says so


@dataclass(frozen=True)
class Assumptions:
    """What the simulation takes for granted; deviations are on the logit scale."""

    accuracy: float = 0.7  # share right in every condition but one
    difference: float = 10.0  # percentage points by which that one differs
    person: float = 0.8
    item: float = 0.6
    question: float = 0.6
    source: str = "assumed"  # or where they were estimated


@dataclass(frozen=True)
class Power:
    """Power by the number of people; what 80 and 90 percent need; how often there is a false alarm."""

    assumptions: Assumptions
    contrast: tuple[str, str]
    contrasts: int
    points: tuple[PowerPoint, ...]
    needed: dict[str, dict[float, Needed | None]]  # test -> target -> people; None: more than were tried
    null: PowerPoint | None  # the same without any difference, at the people that 80 % need
    seconds: float
    seed: int
    cut_short: bool = False  # whether time ran out before all studies were simulated
    replicates: Mapping[float, int] = field(
        default_factory=dict
    )  # target -> design.replicates for both tests


@dataclass(frozen=True, eq=False)
class _Layout:
    """Who reads and answers what, with a given number of people: one entry per answer."""

    trials: Trials  # without answers
    systems: tuple[str, ...]
    shifted: NDArray[np.bool_]
    person: NDArray[np.int64]
    item: NDArray[np.int64]
    question: NDArray[np.int64]
    design: Floats
    groups: dict[str, NDArray[np.int64]]
    weights: Floats  # (contrasts, answers): right answers times these are differences of shares


class Simulator:
    """Draws and analyses studies of one definition."""

    def __init__(self, study: Study, assumptions: Assumptions) -> None:
        definition = study.definition
        self.study, self.assumptions = study, assumptions
        if len(definition.blocks) > 1:
            raise InputError("power is simulated for studies with one block; this one has several.")
        if any(len(arm.conditions) > 1 for arm in study.arms):
            raise InputError("power is simulated for blocks that show one condition at a time.")
        self.questions = [
            q.id
            for q in definition.block_questions
            if isinstance(q, (Mcq, YesNo)) and any(key_of(q, i) for i in study.items)
        ]
        if not self.questions:
            raise InputError("power is simulated for questions with a right answer; the block has none.")
        self.contrasts = definition.contrasts
        if not self.contrasts:
            raise InputError("power needs at least two conditions.")
        share = assumptions.accuracy + assumptions.difference / 100
        if not 0.01 <= assumptions.accuracy <= 0.99 or not 0.01 <= share <= 0.99:
            raise InputError(
                f"an accuracy of {100 * assumptions.accuracy:g} % and a difference of {assumptions.difference:g} points give"
                f" {100 * share:g} %; expected 1 to 99 % in both conditions."
            )
        question = assumptions.question if len(self.questions) > 1 else 0.0
        spread = math.sqrt(assumptions.person**2 + assumptions.item**2 + question**2)
        self.base, self.shifted = (_logit_of(s, spread) for s in (assumptions.accuracy, share))
        self.layout = lru_cache(maxsize=None)(self._layout)
        self._like: MixedModel | None = None

    def blocks(self, people: int) -> list[tuple[list[int], list[int]]]:
        """Items and arms of so many people: the first blocks of a plan with as many replicates as they need."""
        design, (shape,) = self.study.definition.design, self.study.shapes
        replicates = self.replicates(people)
        item, arm = ({s: k for k, s in enumerate(names)} for names in (shape.items, shape.arms))
        while True:
            larger = design.model_copy(update={"replicates": replicates, "overlap": 0})
            blocks = plan_blocks([shape], larger, self.study.absent)
            if len(blocks) >= people:
                return [([item[c.item] for c in b], [arm[c.arm] for c in b]) for b in blocks[:people]]
            replicates += 1

    def replicates(self, people: int) -> int:
        """How often each text must be read in each condition to give so many people work."""
        (shape,) = self.study.shapes
        cells = max(1, len(shape.items) * len(shape.arms) - len(self.study.absent))
        return max(1, math.ceil(people * shape.size / cells))

    def _layout(self, people: int) -> _Layout:
        definition, count = self.study.definition, len(self.questions)
        blocks = self.blocks(people)
        person = np.repeat(np.arange(len(blocks)), [len(b[0]) * count for b in blocks])
        item = np.repeat(np.array([i for b in blocks for i in b[0]]), count)
        arm = np.repeat(np.array([c for b in blocks for c in b[1]]), count)
        question = item * count + np.tile(np.arange(count), len(item) // count)
        names = [x.id for x in self.study.arms]
        systems = (definition.baseline, *(c for c in definition.conditions if c != definition.baseline))
        trials = Trials(
            np.zeros(len(arm)),
            tuple(names[k] for k in arm),
            tuple(f"p{k}" for k in person),
            tuple(f"i{k}" for k in item),
            tuple(f"i{k // count}/q{k % count}" for k in question),
        )
        groups = {
            name: np.unique(np.asarray(levels), return_inverse=True)[1].astype(np.int64)
            for name, levels in trials.factors(definition.analysis.random).items()
        }
        member = np.stack([arm == names.index(s) for s in systems]).astype(np.float64)
        design = member.T.copy()
        design[:, 0] = 1
        with np.errstate(invalid="ignore", divide="ignore"):
            shares = dict(zip(systems, member / member.sum(axis=1, keepdims=True), strict=True))
        return _Layout(
            trials, systems, arm == names.index(self.contrasts[0][1]), person, item, question, design, groups,
            np.stack([shares[other] - shares[one] for one, other in self.contrasts]),
        )  # fmt: skip

    def draw(self, people: int, rng: np.random.Generator, *, null: bool = False) -> Trials:
        """The answers of one simulated study."""
        layout, a = self.layout(people), self.assumptions
        count = len(self.questions)
        logit = np.where(layout.shifted & (not null), self.shifted, self.base)
        logit = logit + rng.normal(0, a.person, people)[layout.person]
        logit = logit + rng.normal(0, a.item, len(self.study.items))[layout.item]
        if count > 1:
            logit = logit + rng.normal(0, a.question, len(self.study.items) * count)[layout.question]
        right = (rng.random(len(logit)) < 1 / (1 + np.exp(-logit))).astype(np.float64)
        return replace(layout.trials, right=right)

    def p_values(
        self, people: int, right: Floats, rng: np.random.Generator
    ) -> tuple[list[float], list[float]]:
        """P-values of all contrasts, before Holm's correction, with mixed model and bootstrap."""
        layout = self.layout(people)
        trials = replace(layout.trials, right=right)
        if (layout.design.sum(axis=0) == 0).any():  # too few people for all conditions
            return [math.nan] * len(self.contrasts), [math.nan] * len(self.contrasts)
        model = fit(right, layout.design, layout.groups, layout.systems, like=self._like)
        if self._like is None and model.converged and all(d > 0 for d in model.deviations.values()):
            self._like = model
        by_model = [pair_contrast(model, one, other).p for one, other in self.contrasts]
        if all(map(math.isfinite, by_model)):
            return by_model, _drawn_p(layout, model, right, rng)
        definition = self.study.definition
        resampled = Resampled.of(
            trials, layout.systems, by_participant=definition.design.kind == "between",
            resamples=_DRAWS, seed=int(rng.integers(2**31)),
        )  # fmt: skip
        differences = [resampled.difference(one, other) for one, other in self.contrasts]
        return by_model, [bootstrap_p(sample, points) for points, sample in differences]

    def run(self, people: int, studies: int, rng: np.random.Generator, *, null: bool = False) -> PowerPoint:
        """Simulate so many studies; without a difference, what counts is the first contrast's p-value before correction."""
        limit = 1 - self.study.definition.analysis.level
        significant = np.zeros(2, dtype=int)
        for _ in range(studies):
            right = self.draw(people, rng, null=null).right
            significant += [(p[0] if null else holm(p)[0]) < limit for p in self.p_values(people, right, rng)]
        return PowerPoint(people, studies, int(significant[0]), int(significant[1]))


def _drawn_p(layout: _Layout, model: MixedModel, right: Floats, rng: np.random.Generator) -> list[float]:
    """P-values of the report's bootstrap, which draws answers from the fitted model, by the spread of its draws.

    Chances are drawn, and the variance of answers given the chances is computed: as exact as many more draws.
    """
    logit = np.broadcast_to(layout.design @ model.estimates, (_DRAWS, len(right))).copy()
    for name, codes in layout.groups.items():
        if model.deviations[name] > 0:
            logit += (model.deviations[name] * rng.standard_normal((_DRAWS, int(codes.max()) + 1)))[:, codes]
    chance = 1 / (1 + np.exp(-logit))
    drawn = chance @ layout.weights.T
    given = (chance * (1 - chance)).mean(axis=0) @ (layout.weights**2).T
    spread = np.sqrt(drawn.var(axis=0, ddof=1) + given)
    return [2 * normal_tail(abs(z)) for z in (layout.weights @ right / spread).tolist()]


def power(
    study: Study,
    assumptions: Assumptions,
    *,
    seed: int = 0,
    answers: int = _ANSWERS,
    seconds: float = _SECONDS,
    most_people: int = MOST_PEOPLE,
    clock: Callable[[], float] = time.monotonic,
) -> Power:
    """Simulate studies of growing size until the tests find the difference, then many of the sizes that 80 and 90 % need.

    `answers` limits how many answers are simulated for the second; when the time is spent, what was simulated is used.
    """
    simulator = Simulator(study, assumptions)
    rng = np.random.default_rng([seed, 24])
    began = clock()
    end = began + seconds
    points: dict[int, PowerPoint] = {}

    def simulated(people: int, studies: int, until: float, *, null: bool = False) -> PowerPoint:
        point = simulator.run(people, _AT_A_TIME, rng, null=null)
        while point.studies < studies and clock() < until:
            point = point.joined(simulator.run(people, _AT_A_TIME, rng, null=null))
        return point

    def simulate(people: int, studies: int) -> None:
        point = simulated(people, studies, end)
        points[people] = points[people].joined(point) if people in points else point

    size = _FIRST
    simulate(size, _COARSE)
    while min(map(points[size].share, TESTS)) > 0.6 and size > _FEWEST:
        size = max(_FEWEST, math.floor(size / 1.6))
        simulate(size, _COARSE)
    size = max(points)
    while min(map(points[size].share, TESTS)) < 0.95 and size < most_people and clock() < end:
        size = min(most_people, math.ceil(size * 1.6))
        simulate(size, _COARSE)
    spent = studies = 0
    while spent < answers and studies < _MOST_STUDIES and clock() < end:
        aims = _aims(points, most_people)
        for people, times in zip(aims, (2, 1), strict=False):
            simulate(people, times * _FINE)
            studies += times * _FINE
            spent += times * _FINE * len(simulator.layout(people).person)
        if not aims:
            break
    needed = {t: {target: needed_people(points, t, target, most_people) for target in TARGETS} for t in TESTS}
    most = {target: [needed[test][target] for test in TESTS] for target in TARGETS}
    replicates = {
        target: simulator.replicates(max(n.people for n in known if n))
        for target, known in most.items()
        if all(known)
    }
    reached = needed["model"][TARGETS[0]]
    cut_short = clock() >= end
    null = simulated(reached.people, _NULL, end + 0.2 * seconds, null=True) if reached else None
    return Power(
        assumptions, simulator.contrasts[0], len(simulator.contrasts), tuple(points[n] for n in sorted(points)),
        needed, null, clock() - began, seed, cut_short, replicates,
    )  # fmt: skip


def _aims(points: dict[int, PowerPoint], most_people: int) -> list[int]:
    """Sizes at which to simulate next: where each test reaches each power, by what is known so far."""
    aims = []
    for target in TARGETS:
        reached = [r.people for t in TESTS if (r := needed_people(points, t, target, most_people))]
        if reached:
            aims.append(round(sum(reached) / len(reached)))
    return aims


def from_pilot(study: Study, collected: Collected, difference: float) -> Assumptions:
    """Accuracy and deviations estimated from answers: of all conditions together, with their differences in the model."""
    answers: Sequence[Response] = responses(study, collected.rows)
    if not has_keys(answers):
        raise InputError(
            f"{study.folder}: no counted answers in mode {study.definition.mode} to estimate from."
        )
    trials = Trials.of(answers)
    present = set(trials.system)
    base = study.definition.baseline if study.definition.baseline in present else trials.system[0]
    model, _ = fit_conditions(
        trials, [base, *sorted(present - {base})], study.definition.analysis.random, null=False
    )
    labels = np.array(trials.system)
    accuracy = float(trials.right[labels == base].mean())
    deviations = model.deviations
    people = len(set(trials.participant))
    return Assumptions(
        accuracy=min(max(accuracy, 0.02), 0.98),
        difference=difference,
        person=deviations.get("participant", 0.0),
        item=deviations.get("item", 0.0),
        question=deviations.get("question", 0.0),
        source=f"estimated from {len(trials.right)} answers of {people} people",
    )


def with_changes(assumptions: Assumptions, **changes: float | None) -> Assumptions:
    """The assumptions with those replaced that are given."""
    stated = {name: value for name, value in changes.items() if value is not None}
    return replace(assumptions, **stated)  # type: ignore[arg-type]


def _logit_of(share: float, spread: float) -> float:
    """The logit whose mean over normal deviations of that spread is the share of right answers."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(40)
    weights = weights / weights.sum()

    def mean(logit: float) -> float:
        chances: Floats = 1 / (1 + np.exp(-(logit + spread * nodes)))
        return float(weights @ chances)

    low, high = -30.0, 30.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if mean(middle) < share else (low, middle)
    return (low + high) / 2
