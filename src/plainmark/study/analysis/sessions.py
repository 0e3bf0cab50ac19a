"""What a study with later sessions found: results by session, the change between sessions, and who came back.

    change    mean over answers in the later session minus the mean over the same questions of the same people about the
              same items in the first one; answers that one of the two sessions lacks are left out

Intervals resample participants, as the answers of one person go together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from ...resampling import bootstrap_weights, percentile_intervals
from ..definition.items import key_of
from ..definition.loading import Study
from ..definition.pages import RecallPage
from ..definition.questions import Likert, Matrix, Mcq, Multiselect, Question, Slider, YesNo
from .responses import Response, by_answer

if TYPE_CHECKING:
    from ..store.answer_rows import AnswerRow, PersonRow

RIGHT = "right"
_SCALES = (Likert, Matrix, Slider)
Interval = tuple[float, float]


@dataclass(frozen=True)
class SessionResult:
    """One measure of one condition in a later session, and how it changed."""

    session: int
    measure: str  # right (percent of right answers), or the name of a question on a scale
    system: str
    people: int
    answers: int
    mean: float
    interval: Interval
    paired: int  # answers that both sessions have
    first: float  # their mean in the first session
    change: float
    change_interval: Interval


@dataclass(frozen=True)
class Return:
    """Who came back for a later session."""

    session: int
    expected: int  # finished the session before
    began: int
    finished: int
    delay_hours: float  # median, between the sessions
    right_returned: float  # percent right in the first session, of those who began this one
    right_lost: float  # of those who did not

    @property
    def lost(self) -> float:
        """Percent of those expected who did not finish this session."""
        return 100 * (1 - self.finished / self.expected) if self.expected else math.nan


@dataclass(frozen=True)
class Sessions:
    """Everything about later sessions."""

    results: tuple[SessionResult, ...]
    returns: tuple[Return, ...]


def sessions(
    study: Study,
    first: Sequence[Response],
    rows: Sequence[AnswerRow],
    people: Sequence[PersonRow],
    *,
    resamples: int = 10_000,
    seed: int = 0,
) -> Sessions:
    """Results by session; `first` are the analysed responses of the first one, and later answers of others are left out."""
    analysed = {r.rater for r in first}
    results: list[SessionResult] = []
    returns: list[Return] = []
    expected = {p.participant for p in people if p.sessions >= 1} & analysed
    for number in range(2, len(study.definition.sessions) + 2):
        later = _recalled(study, [r for r in rows if r.participant in analysed], number)
        results += _results(study, first, later, number, resamples, seed)
        began = {r.participant for r in rows if r.session == number} & expected
        finished = {p.participant for p in people if p.sessions >= number} & expected
        delays = [p.delay_hours for p in people if p.participant in began and p.delay_hours is not None]
        right = [_share_right([r for r in first if r.rater in some]) for some in (began, expected - began)]
        middle = median(delays) if delays else math.nan
        returns.append(Return(number, len(expected), len(began), len(finished), middle, *right))
        expected = finished
    return Sessions(tuple(results), tuple(returns))


def _share_right(answers: Sequence[Response]) -> float:
    keyed = [r for r in answers if r.key]
    return 100 * sum(r.value == r.key for r in keyed) / len(keyed) if keyed else math.nan


def _recalled(study: Study, rows: Sequence[AnswerRow], session: int) -> list[tuple[Response, Question]]:
    """The counted answers about items in a later session."""
    definition = study.definition
    questions: dict[str, Question] = {}
    for page in definition.pages_of(session):
        if isinstance(page, RecallPage):
            questions |= by_answer(definition.recalled(page).questions)
    answers = []
    for row in rows:
        name = row.question if row.question in questions else row.question.partition("[")[0]
        item = study.find_item(row.item)
        if row.page == "recall" and row.session == session and row.counted and name in questions and item:
            question = questions[name]
            keyed = isinstance(question, (Mcq, Multiselect, YesNo))
            key = key_of(question, item) if keyed else ""  # type: ignore[arg-type]
            system = row.arm if isinstance(question, Matrix) else row.target or row.arm
            response = Response(
                system, row.item, name, row.participant, row.value, key, row.order, row.seconds
            )
            answers.append((response, question))
    return answers


def _results(
    study: Study,
    first: Sequence[Response],
    later: Sequence[tuple[Response, Question]],
    session: int,
    resamples: int,
    seed: int,
) -> list[SessionResult]:
    before = {(r.rater, r.item, r.question, r.system): r for r in first}
    measured: dict[tuple[str, str], list[tuple[str, float, float]]] = {}  # rater, in the first session, now
    for response, question in later:
        earlier = before.get((response.rater, response.item, response.question, response.system))
        if response.key:
            measure, now = RIGHT, 100.0 * (response.value == response.key)
            then = 100.0 * (earlier.value == earlier.key) if earlier and earlier.key else math.nan
        elif isinstance(question, _SCALES):
            measure, now = response.question, float(response.value)
            then = float(earlier.value) if earlier else math.nan
        else:
            continue
        measured.setdefault((measure, response.system), []).append((response.rater, then, now))
    order = {c: i for i, c in enumerate(study.definition.conditions)}
    results = []
    for measure, system in sorted(measured, key=lambda k: (k[0] != RIGHT, k[0], order.get(k[1], 0))):
        level = study.definition.analysis.level
        results.append(_result(session, measure, system, measured[measure, system], level, resamples, seed))
    return results


def _result(
    session: int,
    measure: str,
    system: str,
    values: Sequence[tuple[str, float, float]],
    level: float,
    resamples: int,
    seed: int,
) -> SessionResult:
    raters = {r: i for i, r in enumerate(dict.fromkeys(r for r, _, _ in values))}
    weights = bootstrap_weights(np.random.default_rng(seed), resamples, len(raters))
    person = np.array([raters[r] for r, _, _ in values])
    then, now = (np.array([v[i] for v in values]) for i in (1, 2))

    def mean(numbers: np.ndarray, known: np.ndarray) -> tuple[float, Interval]:
        if not known.any():
            return math.nan, (math.nan, math.nan)
        total = np.bincount(person[known], numbers[known], len(raters))
        count = np.bincount(person[known], minlength=len(raters))
        with np.errstate(invalid="ignore", divide="ignore"):
            drawn = (weights @ total) / (weights @ count)
        low, high = percentile_intervals(drawn[np.isfinite(drawn)][None], level)[0].tolist()
        return float(numbers[known].mean()), (low, high)

    paired = np.isfinite(then)
    average, interval = mean(now, np.ones(len(now), dtype=bool))
    change, change_interval = mean(now - then, paired)
    return SessionResult(
        session,
        measure,
        system,
        len(raters),
        len(values),
        average,
        interval,
        int(paired.sum()),
        float(then[paired].mean()) if paired.any() else math.nan,
        change,
        change_interval,
    )
