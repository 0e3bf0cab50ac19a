"""Quotas by survey answer: whether enough people with the same answer take part already."""

from __future__ import annotations

from sqlalchemy import Connection, and_, or_, select

from ..definition.loading import Study
from ..definition.questions import chosen
from . import allocation
from .tables import answers, pages, participants


def is_full(study: Study, connection: Connection, participant: int, now: float) -> bool:
    """Whether a quota that a participant's answers fall under is filled by others.

    Those count who finished, or are at work and were active within the lease. One decision at a time, so that two people
    who answer at once cannot both take the last place.
    """
    if not study.definition.quotas:
        return False
    allocation.take_turn(connection)
    taking_part = or_(
        participants.c.outcome == "complete",
        and_(participants.c.outcome == "", allocation.is_recent(study, now)),
    )
    for quota in study.definition.quotas:
        question = study.definition.survey_question(quota.question)
        given = (
            select(answers.c.participant_id, answers.c.value)
            .join(participants, participants.c.id == answers.c.participant_id)
            .join(pages, pages.c.id == answers.c.page_id)
            .where(
                participants.c.mode == study.definition.mode,
                answers.c.question == quota.question,
                pages.c.kind == "survey",
                answers.c.asked.is_(True),
                or_(participants.c.id == participant, taking_part),
            )
        )
        alike = {
            r.participant_id
            for r in connection.execute(given)
            if set(chosen(question, r.value)) & set(quota.equals)
        }
        if participant in alike and len(alike) > quota.people:
            return True
    return False
