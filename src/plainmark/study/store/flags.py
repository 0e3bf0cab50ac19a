"""Flags: participants whose answers an administrator should look at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select

from ..keys import short_id
from ..straightlining import straightlining
from .steps import is_failure
from .store import Store
from .tables import answers, pages, participants


@dataclass(frozen=True)
class Flag:
    """Something about a participant that an administrator should look at."""

    participant: str  # the id
    kind: str  # attention, fast, reading, straightlining, late, resubmitted
    detail: str


def flags(store: Store) -> list[Flag]:
    """Flags of everyone who answered too fast, always alike, late, or failed an attention trial."""
    checks = store.study.definition.checks
    block = {q.id: q for q in store.study.definition.block_questions}

    def work(connection: Connection) -> list[Flag]:
        flagged: list[Flag] = []
        in_mode = participants.c.mode == store.mode
        joined = select(answers, pages.c.kind, pages.c.part).join(pages, pages.c.id == answers.c.page_id)
        ids = {p.id: short_id(p.hash) for p in connection.execute(select(participants).where(in_mode))}
        by_participant: dict[int, list[Any]] = {}
        for row in connection.execute(
            joined.join(participants, participants.c.id == answers.c.participant_id)
            .where(in_mode)
            .order_by(answers.c.id)
        ):
            by_participant.setdefault(row.participant_id, []).append(row)
        for number, rows in by_participant.items():
            participant = ids[number]
            wrong = sum(
                r.kind == "attention" and is_failure(checks.attention[-1 - r.part], r.question, r.value)
                for r in rows
            )
            if wrong:
                flagged.append(
                    Flag(
                        participant,
                        "attention",
                        f"{wrong} of {_number(len(checks.attention), 'trial')} wrong",
                    )
                )
            for question, share, count in straightlining(
                [(r.question.partition("[")[0], r.shown, r.value) for r in rows if r.kind == "block"], block
            ):
                if checks.straightlining and share >= checks.straightlining:
                    flagged.append(
                        Flag(
                            participant, "straightlining", f"{question}: {share:.0%} of {count} answers alike"
                        )
                    )
            late = len({r.assignment_id for r in rows if r.late})
            if late:
                flagged.append(Flag(participant, "late", f"{_number(late, 'trial')} after the lease ran out"))
        if checks.minimum_seconds:
            fast = connection.execute(
                select(
                    pages.c.participant_id, func.count().label("n"), func.min(pages.c.seconds).label("least")
                )
                .join(participants, participants.c.id == pages.c.participant_id)
                .where(in_mode, pages.c.kind == "block", pages.c.seconds < checks.minimum_seconds)
                .group_by(pages.c.participant_id)
            )
            flagged += [
                Flag(ids[r.participant_id], "fast", f"{_number(r.n, 'trial')}, the fastest {r.least:.1f} s")
                for r in fast
            ]
        if checks.minimum_reading_seconds:
            took = pages.c.read - pages.c.opened
            fast = connection.execute(
                select(pages.c.participant_id, func.count().label("n"), func.min(took).label("least"))
                .join(participants, participants.c.id == pages.c.participant_id)
                .where(in_mode, pages.c.kind == "block", took < checks.minimum_reading_seconds)
                .group_by(pages.c.participant_id)
            )
            flagged += [
                Flag(
                    ids[r.participant_id],
                    "reading",
                    f"{_number(r.n, 'text')}, the fastest in {r.least:.1f} s",
                )
                for r in fast
            ]
        return sorted(flagged, key=lambda f: (f.participant, f.kind, f.detail))

    return store.database.read(work)


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
