"""Answers made ready for analysis: one response for each answer that counts, with its system and its key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ...data import Corpus, Rating, Ratings
from ...errors import InputError
from ..definition.loading import Study, key_of, load
from ..definition.questions import (
    TIE,
    UNANSWERABLE,
    Count,
    Likert,
    Mcq,
    Pairwise,
    Question,
    Rank,
    Slider,
    YesNo,
)

if TYPE_CHECKING:
    from ..store.monitoring import Row

NUMERIC = (Likert, Slider, Count, Rank)
ACCURACY, ANSWERABILITY = "accuracy", "answerability"


class Answered(Protocol):
    """What an answer must have to be analysed; rows of the store have it."""

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


@dataclass(frozen=True)
class Response:
    """What one person answered to one question about one item of one system."""

    system: str  # the condition; of a pair, both as one|other
    item: str
    question: str
    rater: str
    value: str
    key: str = ""  # the right answer of a multiple-choice question


def responses(study: Study, rows: Iterable[Answered]) -> list[Response]:
    """The answers to the questions of the block that count."""
    asked = {q.id: q for q in study.definition.block.questions}
    out = []
    for row in rows:
        name = row.question.partition("[")[0]
        if row.page != "block" or not row.counted or name not in asked:
            continue
        question = asked[name]
        try:
            item = study.item(row.item)
        except KeyError:
            continue  # of an older revision, whose item is gone
        key = key_of(question, item) if isinstance(question, (Mcq, YesNo)) else ""
        out.append(Response(row.target or row.arm, row.item, name, row.participant, row.value, key))
    return out


def questions_of_kind(study: Study, *kinds: type) -> list[Question]:
    """The block's questions of these types."""
    return [q for q in study.definition.block.questions if isinstance(q, kinds)]


def has_keys(found: Sequence[Response]) -> bool:
    """Whether any answer can be right or wrong."""
    return any(r.key for r in found)


def as_ratings(study: Study, found: Sequence[Response]) -> Ratings:
    """Responses as Ratings.

    Questions with a key give accuracy and answerability (100 or 0; each question of an item is a rater of its own),
    scales their value, scores of the definition their mean for each person, pairs a preference (1, 0 or both 0.5).
    """
    asked = {q.id: q for q in study.definition.block.questions}
    out: list[Rating] = []
    for r in found:
        question = asked[r.question]
        if r.key:
            rater = f"{r.rater}/{r.question}"
            out.append(Rating(r.system, r.item, ACCURACY, rater, 100.0 * (r.value == r.key)))
            if isinstance(question, Mcq) and question.unanswerable:
                out.append(Rating(r.system, r.item, ANSWERABILITY, rater, 100.0 * (r.value != UNANSWERABLE)))
        elif isinstance(question, NUMERIC):
            out.append(Rating(r.system, r.item, r.question, r.rater, float(r.value)))
        elif isinstance(question, Pairwise):
            first, second = r.system.split("|")
            for system in (first, second):
                share = 0.5 if r.value == TIE else float(r.value == system)
                # Two pairs of one person may share a system: the pair is part of the sample's name.
                out.append(Rating(system, r.item, r.question, f"{r.rater}/{r.system}", share))
        elif isinstance(question, YesNo):
            out.append(Rating(r.system, r.item, r.question, r.rater, float(r.value == "yes")))
    return Ratings([*out, *_scores(study, found)])


def _scores(study: Study, found: Sequence[Response]) -> list[Rating]:
    """The definition's means of answers, such as SAMSA's P, for each person and output."""
    if not study.definition.scores:
        return []
    scales = {
        q.id: q.low + q.high for q in study.definition.block.questions if isinstance(q, (Likert, Slider))
    }
    given: dict[tuple[str, str, str], dict[str, float]] = {}
    numeric = {q.id for q in questions_of_kind(study, *NUMERIC)}
    for r in found:
        if r.question in numeric:
            given.setdefault((r.system, r.item, r.rater), {})[r.question] = float(r.value)
    out = []
    for (system, item, rater), values in given.items():
        known: dict[str, float] = dict(values)
        for score in study.definition.scores:
            if all(part in known for part in score.of):
                parts = [scales[p] - known[p] if score.invert else known[p] for p in score.of]
                known[score.id] = sum(parts) / len(parts)
                out.append(Rating(system, item, score.id, rater, known[score.id]))
    return out


def corpora(study: Study) -> dict[str, Corpus]:
    """Each condition's texts as a corpus, with sources, and references where the definition names some."""
    definition = study.definition
    out = {}
    for condition in definition.conditions:
        if condition == definition.original or condition in definition.references:
            continue
        items = [i for i in study.items if i.texts.get(condition, "").strip()]
        references = [[i.texts.get(r, "") for r in definition.references] for i in items]
        has_sources = all(study.source_of(i) for i in items)
        complete = bool(definition.references) and all(all(r) for r in references)
        out[condition] = Corpus(
            [study.source_of(i) for i in items] if has_sources else None,
            [i.texts[condition] for i in items],
            references if complete else None,
            ids=[i.id for i in items],
            name=condition,
        )
    return out


def stored_rows(study: Study, url: str = "") -> list[Row]:
    """All answers of a study's store, in the mode of its definition."""
    from .. import open_store
    from ..store.monitoring import rows

    with open_store(study, url, create=False) as store:
        return rows(store)


def ratings(folder: str | Path, *, url: str = "") -> Ratings:
    """The answers of a study as Ratings."""
    study = load(folder)
    found = as_ratings(study, responses(study, stored_rows(study, url)))
    if not found:
        raise InputError(f"{folder}: no answers that count in mode {study.definition.mode}.")
    return found


def by_system(found: Sequence[Response]) -> Mapping[str, list[Response]]:
    """Responses of each system."""
    out: dict[str, list[Response]] = {}
    for r in found:
        out.setdefault(r.system, []).append(r)
    return out
