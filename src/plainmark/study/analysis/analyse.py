"""Everything that a study's report says: comprehension, means of scales and scores, preferences, agreement, metrics.

Statistics only: no database and no pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ...data import Ratings
from ...errors import InputError, PlainmarkError
from ...meta.agreement import Agreement, agreement
from ...meta.correlation import Correlation, correlate
from ...meta.preferences import Wins
from ...meta.ratings import dimensions
from ...meta.task import Task
from ...metric import Floats
from ...resampling import (
    bootstrap_weights,
    compact_letters,
    highest_first,
    paired_bootstrap,
    percentile_intervals,
)
from ..definition.loading import Study
from ..definition.questions import TIE, FreeText, Pairwise, Rank
from ..rewriting import Rewritten, summary
from .comprehension import (
    AnswerAgreement,
    Comprehension,
    PassageStability,
    Support,
    answer_agreement,
    answerable_elsewhere,
    comprehension,
    rank_stability,
    support,
)
from .descriptives import (
    ItemFigures,
    QuestionFigures,
    Subgroup,
    SurveyAnswers,
    Times,
    item_figures,
    question_figures,
    subgroups,
    survey_answers,
    times,
)
from .design_checks import DesignCheck, design_checks
from .effects import Effects, effects
from .exclusions import Exclusion, exclude
from .model_agreement import ModelAgreement, agreement_with
from .model_reader import Reader, all_answers, chance
from .responses import (
    ACCURACY,
    ANSWERABILITY,
    Collected,
    Response,
    as_ratings,
    by_answer,
    corpora,
    has_keys,
    questions_of_kind,
)
from .sessions import Sessions, sessions

RESAMPLES = 10_000


@dataclass(frozen=True, eq=False)
class Means:
    """Every system's mean of one dimension: mean over items of the mean over raters, with intervals resampled by item."""

    dimension: str
    systems: tuple[str, ...]
    values: Floats
    intervals: Floats
    letters: tuple[str, ...]
    ratings: int
    agreement: Agreement | None
    lower: bool = False  # whether less is better, as of ranks

    def order(self) -> list[int]:
        """Indices of the systems, best first."""
        return sorted(
            range(len(self.systems)), key=lambda i: self.values[i] if self.lower else -self.values[i]
        )


@dataclass(frozen=True, eq=False)
class Details:
    """Survey answers, times, questions, subgroups and checks of the design, after exclusions."""

    surveys: tuple[SurveyAnswers, ...]
    times: tuple[Times, ...]
    items: tuple[ItemFigures, ...]
    questions: tuple[QuestionFigures, ...]
    subgroups: tuple[Subgroup, ...]
    checks: tuple[DesignCheck, ...]


@dataclass(frozen=True, eq=False)
class Analysis:
    """What a study found."""

    study: Study
    responses: tuple[Response, ...]
    ratings: Ratings
    comprehension: Comprehension | None
    stability: PassageStability | None
    elsewhere: dict[str, tuple[float, int]]  # answerability on what people's versions answer
    support: Support | None
    answer_agreement: AnswerAgreement | None
    means: tuple[Means, ...]
    preferences: dict[str, Wins]
    rewritten: tuple[Rewritten, ...]
    correlations: tuple[tuple[str, Correlation], ...]  # metric and all, metric and all but one system
    model: ModelAgreement | None  # the same questions, answered by a model
    notes: tuple[str, ...]
    effects: Effects | None = None  # conditions compared, after exclusions
    exclusion: Exclusion | None = None  # who was left out, if the database was read
    effects_everyone: Effects | None = None  # the same without exclusions, where there are any
    details: Details | None = None
    anonymous: bool = False  # nobody knows who gave the answers
    blocks: Mapping[str, Comprehension] = field(default_factory=dict)  # each block's, where there are several
    sessions: Sessions | None = None


def analyse(
    study: Study,
    answers: Sequence[Response],
    *,
    collected: Collected | None = None,
    metrics: Sequence[str] = (),
    reader: Reader | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Analysis:
    """Analyse the responses of a study; `metrics` are correlated with them, and a `reader` answers the same questions.

    With all that was `collected`, the definition's exclusions are applied, and surveys, times and subgroups are known.
    """
    if not answers:
        mode = study.definition.mode
        other = "live" if mode == "pilot" else "pilot"
        raise InputError(
            f"{study.folder}: no counted answers in mode {mode}; --{other} reads those of mode {other}."
        )
    definition = study.definition
    everyone = answers
    exclusion = exclude(study, collected.rows, collected.people) if collected else None
    if exclusion and exclusion.out and not exclusion.everyone:
        answers = [r for r in everyone if r.rater not in exclusion.out]
    ratings = as_ratings(study, answers)
    humans = [c for c in (definition.original, *definition.references) if c]
    notes: list[str] = _announcements(study, collected, exclusion)
    read: Comprehension | None = None
    stability: PassageStability | None = None
    supported: Support | None = None
    elsewhere: dict[str, tuple[float, int]] = {}
    if has_keys(answers):
        read = comprehension(answers, systems=definition.conditions, resamples=resamples, rng=seed)
        if len(read.systems) > 2 and len(read.items) >= 20:
            stability = rank_stability(read, rng=seed)
        if humans:
            elsewhere = {s: answerable_elsewhere(answers, humans, s) for s in read.systems if s not in humans}
        try:
            supported = support(study, answers, without=humans)
        except InputError as error:
            notes.append(str(error))
    paired = {q.id for q in questions_of_kind(study, Pairwise)}
    ranked = {q.id for q in questions_of_kind(study, Rank)}
    means = [
        replace(mean_of(ratings, d, definition.conditions, resamples=resamples, seed=seed), lower=d in ranked)
        for d in dimensions(ratings)
        if d not in (ACCURACY, ANSWERABILITY) and d not in paired
    ]
    preferences = {d: head_to_head(answers, d) for d in dimensions(ratings) if d in paired}
    correlations, problems = _correlations(study, ratings, metrics, read)
    compared = compared_everyone = None
    if read and len(read.systems) > 1:
        compared = effects(definition, answers, resamples=resamples, seed=seed)
        if len(answers) < len(everyone):
            compared_everyone = effects(definition, everyone, resamples=resamples, seed=seed)
    return Analysis(
        study=study,
        responses=tuple(answers),
        ratings=ratings,
        comprehension=read,
        stability=stability,
        elsewhere=elsewhere,
        support=supported,
        answer_agreement=answer_agreement(answers) if read else None,
        means=tuple(means),
        preferences=preferences,
        rewritten=tuple(_rewritten(study, answers)),
        correlations=tuple(correlations),
        model=_by_model(study, answers, reader, seed) if reader and read else None,
        notes=(*notes, *problems),
        effects=compared,
        exclusion=exclusion,
        effects_everyone=compared_everyone,
        details=_details(study, answers, collected, seed) if collected else None,
        anonymous=bool(collected and collected.anonymous),
        blocks=_by_block(study, answers, resamples, seed),
        sessions=sessions(study, answers, collected.rows, collected.people, resamples=resamples, seed=seed)
        if collected and definition.sessions
        else None,
    )


def _by_block(
    study: Study, answers: Sequence[Response], resamples: int, seed: int
) -> dict[str, Comprehension]:
    """What readers understood in each of several blocks."""
    understood = {}
    for block in study.definition.blocks if len(study.definition.blocks) > 1 else ():
        mine = [r for r in answers if r.question in by_answer(block.questions)]
        if has_keys(mine):
            conditions = study.definition.conditions
            understood[block.id] = comprehension(mine, systems=conditions, resamples=resamples, rng=seed)
    return understood


def _announcements(study: Study, collected: Collected | None, exclusion: Exclusion | None) -> list[str]:
    """What a reader must know before the figures: a changed definition, rules that leave nobody."""
    notes = []
    if collected and any(d != study.digest for d in collected.answered_digests):
        given = ", ".join(d[:12] for d in collected.answered_digests)
        notes.append(
            f"The definition changed after answers were given: they belong to revision {given}; this analysis uses"
            f" {study.digest[:12]}. Exclusions and contrasts that were changed after the answers are exploratory."
        )
    if exclusion and exclusion.everyone:
        rules = ", ".join(f"{name} ({n})" for name, (n, _) in exclusion.counts().items() if n)
        notes.append(
            f"The exclusion rules leave nobody of {len(exclusion.participants)} participants: {rules}. All results below are of"
            " everyone. Check the rules in study.yaml."
        )
    return notes


def _details(study: Study, answers: Sequence[Response], collected: Collected, seed: int) -> Details:
    raters = {r.rater for r in answers}
    everything = [r for r in collected.rows if r.participant in raters]
    rows = [r for r in everything if r.session == 1]
    people = [p for p in collected.people if p.participant in raters]
    return Details(
        tuple(survey_answers(study, everything)),
        tuple(times(study, [r for r in everything if r.counted], seed=seed)),
        tuple(item_figures(study, answers)),
        tuple(question_figures(study, answers)),
        tuple(subgroups(study, answers, rows, seed=seed)),
        tuple(design_checks(study, answers, [r for r in rows if r.counted], people)),
    )


def _rewritten(study: Study, answers: Sequence[Response]) -> Iterator[Rewritten]:
    for question in questions_of_kind(study, FreeText):
        mine = [r for r in answers if r.question == question.id]
        if not getattr(question, "rewrite", None) or not mine:
            continue
        written: dict[str, list[tuple[str, str]]] = {item.id: [] for item in study.items}
        for r in mine:
            item = study.item(r.item)
            written[r.item].append((study.source_of(item) or item.texts[r.system], r.value))
        yield summary(question.id, written, len({r.rater for r in mine}))


def head_to_head(answers: Sequence[Response], question: str) -> Wins:
    """How often participants preferred each system to each other when they saw these two; a tie is half a win."""
    mine = [r for r in answers if r.question == question]
    systems = list(dict.fromkeys(s for r in mine for s in r.system.split("|")))
    place = {s: i for i, s in enumerate(systems)}
    won, met, ties = (np.zeros((len(systems), len(systems))) for _ in range(3))
    for r in mine:
        i, j = (place[s] for s in r.system.split("|"))
        half = r.value == TIE
        first = 0.5 if half else float(r.value == systems[i])
        won[i, j] += first
        won[j, i] += 1 - first
        for a, b in ((i, j), (j, i)):
            met[a, b] += 1
            ties[a, b] += half
    shares = np.where(met > 0, won / np.maximum(met, 1), np.nan)
    return Wins(tuple(systems), shares, met, ties)


def _by_model(study: Study, answers: Sequence[Response], reader: Reader, seed: int) -> ModelAgreement:
    definition = study.definition
    return agreement_with(
        answers,
        all_answers(study, reader),
        definition.conditions,
        chance=chance(study),
        seed=seed,
        level=definition.analysis.level,
    )


def _ratings_of(ratings: Ratings, dimension: str) -> Ratings:
    return Ratings([r for r in ratings if r.dimension == dimension])


def mean_of(
    ratings: Ratings,
    dimension: str,
    systems: Sequence[str],
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = 0.95,
) -> Means:
    """Means of one dimension with intervals, letters and the agreement of its raters."""
    mine = _ratings_of(ratings, dimension)
    names = [s for s in systems if any(r.system == s for r in mine)]
    names += sorted({r.system for r in mine} - set(names))
    items = sorted({r.sample for r in mine})
    row, column = {s: i for i, s in enumerate(names)}, {s: i for i, s in enumerate(items)}
    total, count = np.zeros((len(names), len(items))), np.zeros((len(names), len(items)))
    for r in mine:
        total[row[r.system], column[r.sample]] += r.value
        count[row[r.system], column[r.sample]] += 1
    present = (count > 0).astype(np.float64)
    cell = total / np.maximum(count, 1)
    values = (cell * present).sum(axis=1) / present.sum(axis=1)
    weights = bootstrap_weights(np.random.default_rng(seed), resamples, len(items))
    with np.errstate(invalid="ignore", divide="ignore"):
        drawn = ((weights @ (cell * present).T) / (weights @ present.T)).T
    marks = compact_letters(paired_bootstrap(drawn, values) < 1 - level, highest_first(values))
    raters = {r.rater for r in mine}
    agreed = agreement(Task(dimension=dimension), mine) if 2 <= len(raters) <= 60 else None
    return Means(
        dimension, tuple(names), values, percentile_intervals(drawn, level), marks, len(mine), agreed
    )


def _correlations(
    study: Study, ratings: Ratings, metrics: Sequence[str], read: Comprehension | None
) -> tuple[list[tuple[str, Correlation]], list[str]]:
    """Every metric against every dimension at the level of systems; a metric that cannot run is a note."""
    if not metrics:
        return [], []
    texts = corpora(study)
    correlations: list[tuple[str, Correlation]] = []
    notes: list[str] = []
    if len(texts) < 3:
        return [], [
            "correlating metrics needs at least three systems; the definition has fewer besides human versions."
        ]
    for dimension in dimensions(ratings):
        rated = {r.system for r in _ratings_of(ratings, dimension)}
        some = {s: c for s, c in texts.items() if s in rated}
        for spec in metrics:
            try:
                mine = Ratings([r for r in ratings if r.dimension == dimension and r.system in some])
                task = Task(level="system", coefficient="spearman", dimension=dimension)
                correlations.append((spec, correlate(task, spec, mine, corpora=some)))
            except PlainmarkError as error:
                notes.append(f"{spec}: {error}")
    return correlations, list(dict.fromkeys(notes))
