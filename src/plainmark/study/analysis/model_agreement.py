"""How a model's answers compare with people's: by condition, by question, with and without the text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...meta.coefficients import coefficient
from ...metric import Floats
from ...resampling import bootstrap_weights, percentile_intervals
from .model_reader import ModelAnswers
from .responses import Response

Estimate = tuple[float, float, float]  # value, low, high
Cell = tuple[str, str, str]  # condition, item, question


@dataclass(frozen=True)
class ConditionAgreement:
    """One condition: percent right of people and of the model, and how often they gave the same answer."""

    condition: str
    people: Estimate
    model: Estimate
    without_text: Estimate
    own_words: Estimate  # NaN if the model cannot write
    same: Estimate  # percent of people's answers that are the model's
    answers: int


@dataclass(frozen=True)
class QuestionAgreement:
    """One question: percent of people's answers that were right, and of the model's over the conditions."""

    item: str
    question: str
    people: float
    model: float
    without_text: float
    answers: int


@dataclass(frozen=True)
class ModelAgreement:
    """A model in place of people."""

    name: str
    conditions: tuple[ConditionAgreement, ...]
    questions: tuple[QuestionAgreement, ...]
    across_questions: Estimate  # Pearson correlation of percent right, over questions
    chance: float  # percent right by guessing
    guesses: bool  # without the text the model has no opinion


def agreement_with(
    people: Sequence[Response],
    model: ModelAnswers,
    conditions: Sequence[str],
    *,
    chance: float,
    resamples: int = 2000,
    seed: int = 0,
    level: float = 0.95,
) -> ModelAgreement:
    """Compare on the questions that people answered; intervals resample items."""
    keyed = [r for r in people if r.key]
    chosen, blind, free = (
        {(r.system, r.item, r.question): r for r in answers}
        for answers in (model.with_text, model.without_text, model.own_words)
    )
    keyed = [r for r in keyed if (r.system, r.item, r.question) in chosen]
    items = {item: k for k, item in enumerate(sorted({r.item for r in keyed}))}
    weights = bootstrap_weights(np.random.default_rng(seed), resamples, max(len(items), 1))

    def estimate(values: Sequence[tuple[str, bool]]) -> Estimate:
        """Percent of true values, each of an item."""
        total, count = np.zeros(len(items)), np.zeros(len(items))
        for item, value in values:
            total[items[item]] += value
            count[items[item]] += 1
        if not count.sum():
            return (math.nan,) * 3
        with np.errstate(invalid="ignore", divide="ignore"):
            drawn = 100 * (weights @ total) / (weights @ count)
        low, high = percentile_intervals(drawn[None], level)[0].tolist()
        return 100 * float(total.sum() / count.sum()), low, high

    def right(answers: dict[Cell, Response], cells: Sequence[Cell]) -> Estimate:
        return estimate([(c[1], answers[c].value == answers[c].key) for c in cells if c in answers])

    rows = []
    for condition in conditions:
        mine = [r for r in keyed if r.system == condition]
        if not mine:
            continue
        cells = list(dict.fromkeys((r.system, r.item, r.question) for r in mine))
        rows.append(
            ConditionAgreement(
                condition,
                estimate([(r.item, r.value == r.key) for r in mine]),
                right(chosen, cells),
                right(blind, cells),
                right(free, cells),
                estimate([(r.item, r.value == chosen[r.system, r.item, r.question].value) for r in mine]),
                len(mine),
            )
        )
    questions = _by_question(keyed, chosen, blind)
    return ModelAgreement(
        model.name,
        tuple(rows),
        questions,
        _correlation(questions, weights, items, level),
        chance,
        model.guesses,
    )


def _by_question(
    keyed: Sequence[Response], chosen: dict[Cell, Response], blind: dict[Cell, Response]
) -> tuple[QuestionAgreement, ...]:
    groups: dict[tuple[str, str], list[Response]] = {}
    for r in keyed:
        groups.setdefault((r.item, r.question), []).append(r)
    figures = []
    for (item, question), mine in sorted(groups.items()):
        cells = dict.fromkeys((r.system, r.item, r.question) for r in mine)
        model, without = (
            100 * sum(answers[c].value == answers[c].key for c in cells) / len(cells)
            for answers in (chosen, blind)
        )
        people = 100 * sum(r.value == r.key for r in mine) / len(mine)
        figures.append(QuestionAgreement(item, question, people, model, without, len(mine)))
    return tuple(figures)


def _correlation(
    questions: Sequence[QuestionAgreement], weights: Floats, items: dict[str, int], level: float
) -> Estimate:
    """Whether the questions that are hard for people are hard for the model."""
    x, y = (np.array([getattr(q, name) for q in questions]) for name in ("people", "model"))
    if len(questions) < 3 or x.std() == 0 or y.std() == 0:
        return (math.nan,) * 3
    mine = weights[:, [items[q.item] for q in questions]]
    total = mine.sum(axis=1)
    mean_x, mean_y = (mine @ x) / total, (mine @ y) / total
    spread_x, spread_y = (mine @ x**2) / total - mean_x**2, (mine @ y**2) / total - mean_y**2
    with np.errstate(invalid="ignore", divide="ignore"):
        drawn = ((mine @ (x * y)) / total - mean_x * mean_y) / np.sqrt(spread_x * spread_y)
    low, high = percentile_intervals(drawn[None], level)[0].tolist()
    return float(coefficient("pearson", x, y)), low, high
