"""Tables that a reviewer asks for: survey answers, reading times, difficulty and discrimination of questions, subgroups."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from ...metric import Floats
from ...resampling import bootstrap_weights, percentile_intervals
from ..definition.loading import Study
from ..definition.pages import SurveyPage
from ..definition.questions import (
    FreeText,
    Likert,
    Matrix,
    Mcq,
    Multiselect,
    Question,
    YesNo,
    answers_of,
    chosen,
)
from .effects import Resampled, Trials
from .responses import Response

if TYPE_CHECKING:
    from ..store.answer_rows import AnswerRow

_FEWEST = 5  # answers from which a discrimination is given


@dataclass(frozen=True)
class SurveyAnswers:
    """How often each answer to a survey question was given; of numbers, their mean and median."""

    question: str
    text: str
    counts: tuple[tuple[str, int], ...]  # answer in words, participants
    answered: int
    mean: float = math.nan
    median: float = math.nan


@dataclass(frozen=True)
class Times:
    """Seconds per page, of one kind of page, or of the trials of one condition."""

    page: str
    condition: str
    pages: int
    quartiles: tuple[float, float, float]
    ratio: float = math.nan  # of geometric means, against the baseline
    ratio_interval: tuple[float, float] = (math.nan, math.nan)


@dataclass(frozen=True)
class QuestionFigures:
    """How hard one question was, and whether people who did well elsewhere answered it right."""

    item: str
    question: str
    text: str
    answers: int
    accuracy: float  # percent right
    by_condition: dict[str, tuple[float, int]]  # percent right, answers
    discrimination: (
        float  # correlation with the participant's share right of all other questions; NaN with few answers
    )


@dataclass(frozen=True)
class ItemFigures:
    """How hard one item was over all its questions, and whether people who did well elsewhere did well here."""

    item: str
    answers: int
    accuracy: float  # percent right
    by_condition: dict[str, tuple[float, int]]  # percent right, answers
    discrimination: (
        float  # over participants, with their share right in all other items; NaN with few participants
    )


@dataclass(frozen=True)
class Subgroup:
    """The contrasts of the study within those who gave one survey answer."""

    question: str
    answer: str  # in words
    people: int
    small: bool
    accuracy: dict[str, tuple[float, int]]  # condition -> percent right, answers
    differences: tuple[tuple[str, str, float, float, float], ...]  # one, other, points, low, high


def survey_answers(study: Study, rows: Sequence[AnswerRow]) -> list[SurveyAnswers]:
    """Every closed or numeric question of the survey pages; written answers are counted and not shown."""
    asked = _survey_questions(study)
    names = {name for _, name, _, _ in asked}
    given: dict[tuple[int, str], list[str]] = {}
    for row in rows:
        if row.page == "survey" and row.asked:
            name = row.question if row.question in names else row.question.partition("[")[0]
            given.setdefault((row.session, name), []).append(row.value)
    tables = []
    for session, name, text, question in asked:
        values = given.get((session, name), [])
        if isinstance(question, FreeText):
            counts: list[tuple[str, int]] = [("(written)", len(values))]
        else:
            times = Counter(x for v in values for x in chosen(question, v))
            order = answers_of(question) or sorted(times, key=_number)
            counts = [(in_words(question, v), times[v]) for v in order if times[v] or len(order) <= 12]
        numbers = [x for v in values if math.isfinite(x := _number(v))]
        scaled = numbers if not isinstance(question, (Mcq, Multiselect, YesNo, FreeText)) else []
        tables.append(
            SurveyAnswers(
                name if session == 1 else f"{name} (session {session})",
                text,
                tuple(counts[:20]),
                len(values),
                float(np.mean(scaled)) if scaled else math.nan,
                median(scaled) if scaled else math.nan,
            )
        )
    return tables


def _survey_questions(study: Study) -> list[tuple[int, str, str, Question]]:
    """Session, name, text and question; each statement of a matrix is one."""
    asked: list[tuple[int, str, str, Question]] = []
    for session in range(1, len(study.definition.sessions) + 2):
        pages = [p for p in study.definition.pages_of(session) if isinstance(p, SurveyPage)]
        for question in (q for p in pages for q in p.questions):
            if isinstance(question, Matrix):
                asked += [(session, f"{question.id}[{s.id}]", s.text, question) for s in question.statements]
            else:
                asked.append((session, question.id, question.text, question))
    return asked


def in_words(question: Question | None, value: str) -> str:
    """An answer as the participant read it."""
    texts: tuple[str, ...] = getattr(question, "options", ())
    options = dict(zip(answers_of(question) or (), texts, strict=False)) if question else {}
    if isinstance(question, YesNo) and value in ("yes", "no"):
        return question.labels[value == "no"]
    if isinstance(question, (Likert, Matrix)) and len(question.labels) == question.high - question.low + 1:
        return (
            f"{value} {question.labels[int(value) - question.low]}" if value.lstrip("-").isdigit() else value
        )
    if isinstance(question, Multiselect):
        return "; ".join(options.get(letter, letter) for letter in chosen(question, value))
    return options.get(value, value)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.inf


def times(study: Study, rows: Sequence[AnswerRow], *, resamples: int = 2000, seed: int = 0) -> list[Times]:
    """Seconds per page of each kind, and per trial of each condition with the ratio to the baseline."""
    pages = {(r.participant, r.position): r for r in rows if r.seconds is not None and r.seconds > 0}
    kinds: dict[tuple[str, str], list[AnswerRow]] = {}
    for row in pages.values():
        arm = row.arm if row.page == "block" else ""
        kinds.setdefault((row.page, arm), []).append(row)
    order = {a.id: i for i, a in enumerate(study.arms)}
    base = ("block", study.definition.baseline)
    means = _log_times([r for r in pages.values() if r.page == "block"], resamples, seed)
    tables = []
    for page, arm in sorted(kinds, key=lambda k: (k[0] != "block", k[0], order.get(k[1], 0))):
        seconds = np.array([r.seconds for r in kinds[page, arm]], dtype=np.float64)
        low, middle, high = np.percentile(seconds, [25, 50, 75]).tolist()
        ratio, interval = math.nan, (math.nan, math.nan)
        if page == "block" and arm != base[1] and base in kinds:
            (mine, drawn), (other, drawn_other) = means[arm], means[base[1]]
            ratio = math.exp(mine - other)
            bounds = np.exp(
                percentile_intervals((drawn - drawn_other)[None], study.definition.analysis.level)
            )[0]
            interval = (float(bounds[0]), float(bounds[1]))
        tables.append(Times(page, arm, len(seconds), (low, middle, high), ratio, interval))
    return tables


def _log_times(rows: Sequence[AnswerRow], resamples: int, seed: int) -> dict[str, tuple[float, Floats]]:
    """The mean log seconds of each condition, in the data and in resamples of participants."""
    people = {p: i for i, p in enumerate(dict.fromkeys(r.participant for r in rows))}
    weights = bootstrap_weights(np.random.default_rng(seed), resamples, max(len(people), 1))
    means = {}
    for arm in dict.fromkeys(r.arm for r in rows):
        total, count = np.zeros(len(people)), np.zeros(len(people))
        for r in rows:
            if r.arm == arm and r.seconds:
                total[people[r.participant]] += math.log(r.seconds)
                count[people[r.participant]] += 1
        with np.errstate(invalid="ignore", divide="ignore"):
            means[arm] = (float(total.sum() / count.sum()), (weights @ total) / (weights @ count))
    return means


def question_figures(study: Study, answers: Sequence[Response]) -> list[QuestionFigures]:
    """Difficulty and discrimination of every question of every item."""
    keyed = [r for r in answers if r.key]
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    groups: dict[tuple[str, str], list[Response]] = {}
    for r in keyed:
        total[r.rater] += 1
        right[r.rater] += r.value == r.key
        groups.setdefault((r.item, r.question), []).append(r)
    questions = {q.id: q for q in study.definition.block_questions}
    figures = []
    for (item_id, name), given in groups.items():
        correct = np.array([r.value == r.key for r in given], dtype=np.float64)
        rest = np.array(
            [
                (right[r.rater] - c) / (total[r.rater] - 1) if total[r.rater] > 1 else np.nan
                for r, c in zip(given, correct, strict=True)
            ]
        )
        by_condition: dict[str, tuple[float, int]] = {}
        for condition in study.definition.conditions:
            mine = [c for r, c in zip(given, correct, strict=True) if r.system == condition]
            if mine:
                by_condition[condition] = (100 * float(np.mean(mine)), len(mine))
        question, item = questions[name], study.find_item(item_id)
        text = question.text or (item.text_of(question.text_field) if item else "")
        discrimination = _correlation(correct, rest)
        figures.append(
            QuestionFigures(
                item_id, name, text, len(given), 100 * float(correct.mean()), by_condition, discrimination
            )
        )
    order = {item.id: i for i, item in enumerate(study.items)}
    return sorted(figures, key=lambda f: (order.get(f.item, 0), f.question))


def item_figures(study: Study, answers: Sequence[Response]) -> list[ItemFigures]:
    """Difficulty and discrimination of every item."""
    right: Counter[tuple[str, str]] = Counter()
    total: Counter[tuple[str, str]] = Counter()
    groups: dict[str, list[Response]] = {}
    for r in answers:
        if r.key:
            for key in ((r.rater, r.item), (r.rater, "")):
                total[key] += 1
                right[key] += r.value == r.key
            groups.setdefault(r.item, []).append(r)
    figures = []
    for item in sorted(groups, key=[i.id for i in study.items].index):
        given = groups[item]
        people = list(dict.fromkeys(r.rater for r in given))
        here, elsewhere = np.full(len(people), np.nan), np.full(len(people), np.nan)
        for k, person in enumerate(people):
            mine, everything = total[person, item], total[person, ""]
            here[k] = right[person, item] / mine
            if everything > mine:
                elsewhere[k] = (right[person, ""] - right[person, item]) / (everything - mine)
        by_condition = {
            c: (100 * float(np.mean(known)), len(known))
            for c in study.definition.conditions
            if (known := [r.value == r.key for r in given if r.system == c])
        }
        accuracy = 100 * sum(r.value == r.key for r in given) / len(given)
        figures.append(ItemFigures(item, len(given), accuracy, by_condition, _correlation(here, elsewhere)))
    return figures


def _correlation(correct: Floats, rest: Floats) -> float:
    known = np.isfinite(rest)
    if known.sum() < _FEWEST or correct[known].std() == 0 or rest[known].std() == 0:
        return math.nan
    return float(np.corrcoef(correct[known], rest[known])[0, 1])


def subgroups(
    study: Study,
    answers: Sequence[Response],
    rows: Sequence[AnswerRow],
    *,
    resamples: int = 2000,
    seed: int = 0,
) -> list[Subgroup]:
    """The contrasts within those who gave each answer to the questions that the definition names."""
    definition = study.definition
    between = definition.design.kind == "between"
    tables = []
    for name in definition.analysis.subgroups:
        question = definition.survey_question(name)
        given = {
            r.participant: r.value for r in rows if r.page == "survey" and r.question == name and r.asked
        }
        for value in (answers_of(question) if question is not None else None) or ():
            people = {p for p, v in given.items() if v == value}
            mine = [r for r in answers if r.key and r.rater in people]
            if not mine:
                continue
            trials = Trials.of(mine)
            systems = [c for c in definition.conditions if c in set(trials.system)]
            drawn = Resampled.of(trials, systems, by_participant=between, resamples=resamples, seed=seed)
            differences = []
            for one, other in definition.contrasts:
                if one in drawn.systems and other in drawn.systems:
                    points, sample = drawn.difference(one, other)
                    low, high = percentile_intervals(sample[None], definition.analysis.level)[0].tolist()
                    differences.append((one, other, points, low, high))
            count = len({r.rater for r in mine})
            accuracy = {s: (drawn.accuracy(s), int(drawn.counts[i])) for s, i in drawn.systems.items()}
            small = count < definition.analysis.smallest_group
            tables.append(
                Subgroup(name, in_words(question, value), count, small, accuracy, tuple(differences))
            )
    return tables
