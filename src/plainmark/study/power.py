"""How many people a study needs: the analysis of the definition on simulated answers.

A simulated study gives the blocks of the design to n people and draws right and wrong answers from
    logit P(right) = condition + person + item + question,     each of the last three normal
with a difference of so many percentage points between the first contrast's conditions, and none between all others. It is
analysed as the report would: logistic mixed model, bootstrap, Holm's correction over all contrasts. Power is the share of
simulated studies in which the first contrast is significant.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..distributions import normal_quantile, share_interval
from ..errors import InputError
from ..metric import Floats
from ..resampling import bootstrap_p, holm
from .analysis.effects import Resampled, Trials, fit_conditions, pair_contrast
from .analysis.responses import Collected, Response, has_keys, responses
from .assignment import plan
from .definition.items import key_of
from .definition.loading import Study
from .definition.questions import Mcq, YesNo

TARGETS = (0.8, 0.9)
MOST_PEOPLE = 2000
TESTS = ("model", "bootstrap")
_RESAMPLES = 400
_COARSE, _FINE = 25, 25  # simulated studies at a time: for the search, and where it matters
_ROUNDS, _NULL = 30, 500  # most rounds where it matters; most studies without a difference
_NEAR = 1.8  # studies of sizes within this factor are on one straight line


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
class PowerPoint:
    """Simulated studies with so many people, and in how many of them each test found the difference."""

    people: int
    studies: int
    model: int
    bootstrap: int
    margins: tuple[
        tuple[float, float], ...
    ] = ()  # of each study: by how much z passes what is needed, for both tests

    def share(self, test: str) -> float:
        """The power of a test."""
        return float(getattr(self, test)) / self.studies

    def interval(self, test: str) -> tuple[float, float]:
        """The 95 % interval of the power, from the number of simulated studies."""
        return share_interval(getattr(self, test), self.studies, 0.95)

    def joined(self, more: PowerPoint) -> PowerPoint:
        """These studies and more with as many people."""
        return PowerPoint(
            self.people,
            self.studies + more.studies,
            self.model + more.model,
            self.bootstrap + more.bootstrap,
            self.margins + more.margins,
        )


@dataclass(frozen=True)
class Outcome:
    """What mixed model and bootstrap say of one simulated study: significant or not, and by what margin."""

    significant: tuple[bool, bool]
    margins: tuple[float, float]


@dataclass(frozen=True)
class Power:
    """Power by the number of people; what 80 and 90 percent need; how often there is a false alarm."""

    assumptions: Assumptions
    contrast: tuple[str, str]
    contrasts: int
    points: tuple[PowerPoint, ...]
    needed: dict[str, dict[float, int | None]]  # test -> target -> people; None: more than were tried
    null: PowerPoint | None  # the same without any difference, at the people that 80 % need
    seconds: float
    seed: int


class Simulator:
    """Draws and analyses studies of one definition."""

    def __init__(self, study: Study, assumptions: Assumptions, *, most_people: int = MOST_PEOPLE) -> None:
        definition = study.definition
        self.study, self.assumptions, self.most_people = study, assumptions, most_people
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
        spread = math.sqrt(assumptions.person**2 + assumptions.item**2 + self._question_deviation**2)
        self.base, self.shifted = (_logit_of(s, spread) for s in (assumptions.accuracy, share))
        self._blocks: list[tuple[list[int], list[int]]] = []

    @property
    def _question_deviation(self) -> float:
        return self.assumptions.question if len(self.questions) > 1 else 0.0

    def blocks(self, people: int) -> list[tuple[list[int], list[int]]]:
        """Items and arms of so many people, as the design gives them out."""
        if len(self._blocks) < people:
            design = self.study.definition.design
            items, arms = [i.id for i in self.study.items], [a.id for a in self.study.arms]
            cells = max(1, len(items) * len(arms) - len(self.study.absent))
            replicates = max(1, math.ceil(1.3 * people * design.per_participant / cells))
            larger = design.model_copy(update={"replicates": replicates, "overlap": 0})
            item, arm = {s: k for k, s in enumerate(items)}, {s: k for k, s in enumerate(arms)}
            blocks = plan(items, arms, larger, self.study.absent)
            self._blocks = [([item[c.item] for c in b], [arm[c.arm] for c in b]) for b in blocks]
        return self._blocks[:people]

    def draw(self, people: int, rng: np.random.Generator, *, null: bool = False) -> Trials:
        """The answers of one simulated study."""
        blocks = self.blocks(people)
        count, a = len(self.questions), self.assumptions
        person = np.repeat(np.arange(len(blocks)), [len(b[0]) * count for b in blocks])
        item = np.repeat(np.array([i for b in blocks for i in b[0]]), count)
        arm = np.repeat(np.array([c for b in blocks for c in b[1]]), count)
        question = item * count + np.tile(np.arange(count), len(item) // count)
        names = [x.id for x in self.study.arms]
        target = names.index(self.contrasts[0][1])
        logit = np.where((arm == target) & (not null), self.shifted, self.base)
        logit = logit + rng.normal(0, a.person, len(blocks))[person]
        logit = logit + rng.normal(0, a.item, len(self.study.items))[item]
        if count > 1:
            logit = logit + rng.normal(0, a.question, len(self.study.items) * count)[question]
        right = (rng.random(len(logit)) < 1 / (1 + np.exp(-logit))).astype(np.float64)
        return Trials(
            right,
            tuple(names[k] for k in arm),
            tuple(f"p{k}" for k in person),
            tuple(f"i{k}" for k in item),
            tuple(f"i{k // count}/q{k % count}" for k in question),
        )

    def analyse(self, trials: Trials, rng: np.random.Generator) -> Outcome:
        """Test the first contrast with mixed model and bootstrap, after Holm's correction."""
        definition = self.study.definition
        limit = 1 - definition.analysis.level
        systems = [definition.baseline, *(c for c in definition.conditions if c != definition.baseline)]
        random = definition.analysis.random
        model, _ = fit_conditions(trials, systems, random, null=False)
        contrasts = [pair_contrast(model, one, other) for one, other in self.contrasts]
        drawn = Resampled.drawn_for(
            trials, systems, model, random, by_participant=definition.design.kind == "between",
            resamples=_RESAMPLES, seed=int(rng.integers(2**31)),
        )  # fmt: skip
        tests = [drawn.difference(one, other) for one, other in self.contrasts]
        by_model, by_bootstrap = (
            [c.p for c in contrasts],
            [bootstrap_p(sample, points) for points, sample in tests],
        )
        points, sample = tests[0]
        spread = float(np.nanstd(sample))
        return Outcome(
            (holm(by_model)[0] < limit, holm(by_bootstrap)[0] < limit),
            (
                _margin(contrasts[0].estimate / contrasts[0].error, by_model[1:], limit),
                _margin(points / spread if spread > 0 else math.nan, by_bootstrap[1:], limit),
            ),
        )

    def run(self, people: int, studies: int, rng: np.random.Generator, *, null: bool = False) -> PowerPoint:
        """Simulate so many studies."""
        outcomes = [self.analyse(self.draw(people, rng, null=null), rng) for _ in range(studies)]
        return PowerPoint(
            people,
            studies,
            sum(o.significant[0] for o in outcomes),
            sum(o.significant[1] for o in outcomes),
            tuple(o.margins for o in outcomes),
        )


def _margin(z: float, others: Sequence[float], limit: float) -> float:
    """By how much |z| passes the value that Holm's correction asks of it, given the p-values of the other contrasts."""
    rejected, count = 0, len(others) + 1
    for p in sorted(p for p in others if math.isfinite(p)):
        if p >= limit / (count - rejected):
            break
        rejected += 1
    needed = normal_quantile(1 - limit / (count - rejected) / 2)
    return (abs(z) if math.isfinite(z) else 0.0) - needed


@dataclass
class _Curve:
    """Simulated studies by the number of people, and a curve through how clearly their tests passed.

    A test statistic grows with the square root of n. A straight line through the margins of all studies, and their spread
    around it, say far more about power than counting the studies that passed.
    """

    points: dict[int, PowerPoint] = field(default_factory=dict)

    def add(self, point: PowerPoint) -> None:
        old = self.points.get(point.people)
        self.points[point.people] = old.joined(point) if old else point

    def needed(self, test: str, target: float) -> int | None:
        """Where the curve passes the target; None if beyond what was tried."""
        people = self._crossing(test, target, list(self.points.values()))
        if people is None:
            return None
        # The line is straight only nearby: once more with studies of about that size.
        near = [p for p in self.points.values() if people / _NEAR <= p.people <= people * _NEAR]
        again = self._crossing(test, target, near) if len(near) > 1 else people
        people = again or people
        return people if people <= 1.5 * max(self.points) else None

    @staticmethod
    def _crossing(test: str, target: float, points: Sequence[PowerPoint]) -> int | None:
        place = TESTS.index(test)
        root = np.array([math.sqrt(p.people) for p in points for _ in p.margins])
        margin = np.array([m[place] for p in points for m in p.margins])
        if len(set(root.tolist())) < 2:
            return None
        slope, start = np.polyfit(root, margin, 1)
        spread = float((margin - start - slope * root).std(ddof=2))
        if slope <= 0 or not spread > 0:
            return None
        crossing = (normal_quantile(target) * spread - float(start)) / float(slope)
        return max(2, math.ceil(crossing**2)) if crossing > 0 else 2


def power(
    study: Study,
    assumptions: Assumptions,
    *,
    seed: int = 0,
    budget: float = 90.0,
    most_people: int = MOST_PEOPLE,
    clock: Callable[[], float] = time.monotonic,
) -> Power:
    """Simulate studies of growing size until the tests find the difference, then more where 80 and 90 % are reached.

    `budget` is in seconds: when it is spent, what was simulated so far is used.
    """
    simulator = Simulator(study, assumptions, most_people=most_people)
    rng = np.random.default_rng([seed, 24])
    began = clock()
    curve = _Curve()
    size = 12
    while True:
        curve.add(simulator.run(size, _COARSE, rng))
        enough = all(curve.points[size].share(t) > 0.9 for t in TESTS)
        if enough or size >= most_people or clock() - began > 0.5 * budget:
            break
        size = min(most_people, math.ceil(size * 1.6))
    for _ in range(_ROUNDS):
        # Where 80 and 90 % are reached by what is known so far; both tests need about the same number of people.
        aims = [
            round(sum(known) / len(known))
            for target in TARGETS
            if (
                known := [n for t in TESTS if (n := curve.needed(t, target)) is not None and n <= most_people]
            )
        ]
        for people in aims:
            if clock() - began < 0.75 * budget:
                curve.add(simulator.run(people, _FINE, rng))
        if not aims or clock() - began >= 0.75 * budget:
            break
    needed = {t: {target: curve.needed(t, target) for target in TARGETS} for t in TESTS}
    null: PowerPoint | None = None
    reached = needed["model"][TARGETS[0]]
    while reached and clock() - began < budget and (null is None or null.studies < _NULL):
        more = simulator.run(reached, 20, rng, null=True)
        null = null.joined(more) if null else more
    points = tuple(sorted(curve.points.values(), key=lambda p: p.people))
    return Power(
        assumptions,
        simulator.contrasts[0],
        len(simulator.contrasts),
        points,
        needed,
        null,
        clock() - began,
        seed,
    )


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
