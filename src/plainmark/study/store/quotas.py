"""Quotas by survey answer: whether enough people with the same answer take part already."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from ..definition.loading import Study
from ..definition.models import Quota
from ..definition.questions import chosen
from . import allocation
from .tables import answers, pages, participants


@dataclass(frozen=True)
class QuotaCount:
    """How full a quota is."""

    question: str
    equals: tuple[str, ...]
    people: int  # places
    finished: int
    working: int  # active within the lease
    turned_away: int

    @property
    def full(self) -> bool:
        """Whether nobody else with this answer is let in."""
        return self.finished + self.working >= self.people


def filled(study: Study, connection: Connection, participant: int, now: float) -> Quota | None:
    """A quota that a participant's answers fall under and that others fill.

    Those count who finished, or are at work and were active within the lease. One decision at a time, so that two people
    who answer at once cannot both take the last place.
    """
    if not study.definition.quotas:
        return None
    allocation.take_turn(connection)
    for quota in study.definition.quotas:
        alike = _alike(study, connection, quota)
        taking_part = sum(_takes_part(study, p, now) for p in alike.values() if p.id != participant)
        if participant in alike and taking_part >= quota.people:
            return quota
    return None


def counts(study: Study, connection: Connection, now: float) -> list[QuotaCount]:
    """How full every quota is."""
    counted = []
    for quota in study.definition.quotas:
        people = _alike(study, connection, quota).values()
        finished = sum(p.outcome == "complete" for p in people)
        working = sum(_takes_part(study, p, now) for p in people) - finished
        turned_away = sum(p.outcome == "full" and bool(p.reason) for p in people)
        counted.append(QuotaCount(quota.question, quota.equals, quota.people, finished, working, turned_away))
    return counted


def _takes_part(study: Study, person: Any, now: float) -> bool:
    active = person.outcome == "" and abs(now - person.last_seen) <= 60 * study.definition.lease
    return bool(person.outcome == "complete" or active)


def _alike(study: Study, connection: Connection, quota: Quota) -> dict[int, Any]:
    """Everyone who gave an answer of a quota, by number."""
    question = study.definition.survey_question(quota.question)
    given = (
        select(participants, answers.c.value)
        .join(answers, answers.c.participant_id == participants.c.id)
        .join(pages, pages.c.id == answers.c.page_id)
        .where(
            participants.c.mode == study.definition.mode,
            answers.c.question == quota.question,
            pages.c.kind == "survey",
            pages.c.session == 1,
            answers.c.asked.is_(True),
        )
    )
    return {r.id: r for r in connection.execute(given) if set(chosen(question, r.value)) & set(quota.equals)}
