"""Answers for analysis: counted answers with their system and key, as responses, as Ratings, and as a data set."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol

from ...data import Corpus, Rating, Ratings
from ...datasets import Card, Dataset
from ...errors import InputError
from ..definition.items import key_of
from ..definition.loading import Study, load
from ..definition.questions import (
    TIE,
    UNANSWERABLE,
    Count,
    Likert,
    Matrix,
    Mcq,
    Pairwise,
    Question,
    Rank,
    Slider,
    YesNo,
)

if TYPE_CHECKING:
    from ..store.answer_rows import AnswerRow, PersonRow
    from ..store.store import Store

NUMERIC = (Likert, Matrix, Slider, Count, Rank)
ACCURACY, ANSWERABILITY = "accuracy", "answerability"


class Answered(Protocol):
    """What an answer must have to be analysed; rows of the store do."""

    @property
    def page(self) -> str: ...
    @property
    def item(self) -> str: ...
    @property
    def arm(self) -> str: ...
    @property
    def question(self) -> str: ...
    @property
    def target(self) -> str: ...
    @property
    def value(self) -> str: ...
    @property
    def participant(self) -> str: ...
    @property
    def counted(self) -> bool: ...
    @property
    def order(self) -> int: ...
    @property
    def seconds(self) -> float | None: ...


@dataclass(frozen=True)
class Response:
    """One participant's answer to one question about one item of one system."""

    system: str  # the condition; of a pair, both as one|other
    item: str
    question: str
    rater: str
    value: str
    key: str = ""  # the correct answer of a multiple-choice question
    order: int = 0  # of the trial among the participant's, 1 for the first; 0 if unknown
    seconds: float | None = None  # that the trial took


def block_questions(study: Study) -> dict[str, Question]:
    """What blocks ask, by the name of the answers; each statement of a matrix has a name of its own."""
    return by_answer(study.definition.block_questions)


def by_answer(asked: Iterable[Question]) -> dict[str, Question]:
    """Questions by the name of their answers."""
    questions: dict[str, Question] = {}
    for question in asked:
        if isinstance(question, Matrix):
            questions |= {f"{question.id}[{s.id}]": question for s in question.statements}
        else:
            questions[question.id] = question
    return questions


def responses(study: Study, rows: Iterable[Answered]) -> list[Response]:
    """The counted answers to the questions of the blocks, in the first session."""
    questions = block_questions(study)
    counted = []
    for row in rows:
        name = row.question if row.question in questions else row.question.partition("[")[0]
        if row.page != "block" or not row.counted or name not in questions:
            continue
        question = questions[name]
        try:
            item = study.item(row.item)
        except KeyError:
            continue  # of an older revision, whose item is gone
        key = key_of(question, item) if isinstance(question, (Mcq, YesNo)) else ""
        system = row.arm if isinstance(question, Matrix) else row.target or row.arm
        counted.append(
            Response(system, row.item, name, row.participant, row.value, key, row.order, row.seconds)
        )
    return counted


@dataclass(frozen=True)
class Collected:
    """All that a study has collected in its mode, without the database."""

    rows: tuple[AnswerRow, ...]
    people: tuple[PersonRow, ...]
    anonymous: bool = False  # the answers were imported, and nobody knows who gave them
    answered_digests: tuple[str, ...] = ()  # of the definitions that these answers were given to


def collect(store: Store) -> Collected:
    """Read everything from a study's store."""
    from ..store import answer_rows, monitoring

    return Collected(
        tuple(answer_rows.answer_rows(store)),
        tuple(answer_rows.person_rows(store)),
        monitoring.is_anonymous(store),
        tuple(monitoring.answered_digests(store)),
    )


def questions_of_kind(study: Study, *kinds: type) -> list[Question]:
    """The blocks' questions of these types."""
    return [q for q in study.definition.block_questions if isinstance(q, kinds)]


def has_keys(answers: Sequence[Response]) -> bool:
    """Whether any answer can be correct or wrong."""
    return any(r.key for r in answers)


def as_ratings(study: Study, answers: Sequence[Response]) -> Ratings:
    """Responses as Ratings.

    Questions with a key give accuracy and answerability (100 or 0; each question of an item is a rater of its own),
    scales their value, scores of the definition their mean for each person, pairs a preference (1, 0 or both 0.5).
    """
    questions = block_questions(study)
    rated: list[Rating] = []
    for r in answers:
        question = questions[r.question]
        if r.key:
            rater = f"{r.rater}/{r.question}"
            rated.append(Rating(r.system, r.item, ACCURACY, rater, 100.0 * (r.value == r.key)))
            if isinstance(question, Mcq) and question.unanswerable:
                rated.append(
                    Rating(r.system, r.item, ANSWERABILITY, rater, 100.0 * (r.value != UNANSWERABLE))
                )
        elif isinstance(question, NUMERIC):
            rated.append(Rating(r.system, r.item, r.question, r.rater, float(r.value)))
        elif isinstance(question, Pairwise):
            first, second = r.system.split("|")
            for system in (first, second):
                share = 0.5 if r.value == TIE else float(r.value == system)
                # Two pairs of one person may share a system: the pair is part of the sample's name.
                rated.append(Rating(system, r.item, r.question, f"{r.rater}/{r.system}", share))
        elif isinstance(question, YesNo):
            rated.append(Rating(r.system, r.item, r.question, r.rater, float(r.value == "yes")))
    return Ratings([*rated, *_scores(study, answers)])


def _scores(study: Study, answers: Sequence[Response]) -> list[Rating]:
    """The definition's means of answers, such as SAMSA's P, for each participant and output."""
    if not study.definition.scores:
        return []
    questions = block_questions(study)
    scales = {
        name: q.low + q.high for name, q in questions.items() if isinstance(q, (Likert, Matrix, Slider))
    }
    by_rater: dict[tuple[str, str, str], dict[str, float]] = {}
    numeric = {name for name, q in questions.items() if isinstance(q, NUMERIC)}
    for r in answers:
        if r.question in numeric:
            by_rater.setdefault((r.system, r.item, r.rater), {})[r.question] = float(r.value)
    scores = []
    for (system, item, rater), values in by_rater.items():
        known: dict[str, float] = dict(values)
        for score in study.definition.scores:
            if all(part in known for part in score.of):
                parts = [scales[p] - known[p] if score.invert else known[p] for p in score.of]
                known[score.id] = sum(parts) / len(parts)
                scores.append(Rating(system, item, score.id, rater, known[score.id]))
    return scores


def corpora(study: Study) -> dict[str, Corpus]:
    """Each condition's texts as a corpus, with sources, and references where the definition names some."""
    definition = study.definition
    systems = {}
    for condition in definition.conditions:
        if condition == definition.original or condition in definition.references:
            continue
        items = [i for i in study.items if i.texts.get(condition, "").strip()]
        references = [[i.texts.get(r, "") for r in definition.references] for i in items]
        has_sources = all(study.source_of(i) for i in items)
        complete = bool(definition.references) and all(all(r) for r in references)
        systems[condition] = Corpus(
            [study.source_of(i) for i in items] if has_sources else None,
            [i.texts[condition] for i in items],
            references if complete else None,
            ids=[i.id for i in items],
            name=condition,
        )
    return systems


def stored_rows(study: Study, url: str = "") -> list[AnswerRow]:
    """All answers of a study's store, in the mode of its definition."""
    from .. import open_store
    from ..store.answer_rows import answer_rows

    with open_store(study, url, create=False) as store:
        return answer_rows(store)


def ratings(folder: str | Path, *, url: str = "") -> Ratings:
    """The answers of a study as Ratings."""
    study = load(folder)
    rated = as_ratings(study, responses(study, stored_rows(study, url)))
    if not rated:
        raise InputError(f"{folder}: no counted answers in mode {study.definition.mode}.")
    return rated


@dataclass(frozen=True)
class StudyData(Dataset):
    """A study as a data set, so that `plainmark correlate --study FOLDER` takes it like any other."""

    name: ClassVar[str] = "study"

    @cached_property
    def study(self) -> Study:
        """The study of the folder."""
        return load(self.folder)

    @cached_property
    def card(self) -> Card:  # type: ignore[override]
        """Its title, size and licence."""
        definition = self.study.definition
        return Card(
            title=definition.title,
            about=f"answers of study {definition.id}, {definition.mode}",
            level="document",
            samples=len(self.study.items),
            systems=len(definition.conditions),
            licence="the study's own",
            citation="",
        )

    def files(self) -> Sequence[str]:
        return ()

    def corpora(self) -> dict[str, Corpus]:
        return corpora(self.study)

    def ratings(self) -> Ratings:
        known = self.corpora()
        rated = as_ratings(self.study, responses(self.study, stored_rows(self.study)))
        return Ratings([r for r in rated if r.system in known])
