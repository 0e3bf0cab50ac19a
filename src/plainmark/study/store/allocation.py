"""Assigning cells to participants inside a transaction: leases, reclaiming, repair blocks and admission.

Every function takes an open connection; on PostgreSQL `take_turn` lets only one allocation run at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, and_, delete, func, insert, or_, select, update

from ..assignment import TrialCell, admits, ordered, plan_blocks, repair_blocks, top_up
from ..definition.loading import Study
from .tables import answers, assignments, cells, pages, participants, settings

_TURN = "allocation"
_CLOCKS_DIFFER = 60.0  # seconds between the clocks of two servers that are no cause for doubt


def take_turn(connection: Connection) -> None:
    """One allocation at a time; SQLite's writers take turns anyway."""
    row = connection.execute(select(settings).where(settings.c.name == _TURN).with_for_update()).first()
    if row is None:
        connection.execute(insert(settings).values(name=_TURN, value=""))


def lay_out_cells(connection: Connection, study: Study) -> None:
    """Create the cells of the design; those of an older revision that it no longer has are retired, not removed."""
    mode = study.definition.mode
    booklets = plan_blocks(study.shapes, study.definition.design, study.absent)
    planned = {cell: (n, len(b)) for n, b in enumerate(booklets) for cell in b}
    mine = and_(cells.c.mode == mode, cells.c.surplus.is_(False))
    existing = {_cell(r): r for r in connection.execute(select(cells).where(mine))}
    untouched = all(r.state == "free" for r in existing.values()) and not _any_assignment(connection, mode)
    if untouched:  # nobody has started: the new plan replaces the old one entirely
        connection.execute(delete(cells).where(mine))
        existing = {}
    others = and_(cells.c.mode == mode, cells.c.surplus.is_(True))
    taken = {_cell(r) for r in connection.execute(select(cells).where(others))}
    new = [
        {
            "mode": mode,
            "block_id": c.block,
            "item": c.item,
            "arm": c.arm,
            "replicate": c.replicate,
            "block": n,
            "block_size": size,
            "state": "free",
            "surplus": False,
            "retired": False,
        }
        for c, (n, size) in planned.items()
        if c not in existing and c not in taken
    ]
    for start in range(0, len(new), 1000):
        connection.execute(insert(cells), new[start : start + 1000])
    changed = [r.id for key, r in existing.items() if (key not in planned) != r.retired]
    for start in range(0, len(changed), 500):
        some = cells.c.id.in_(changed[start : start + 500])
        connection.execute(update(cells).where(some).values(retired=~cells.c.retired))
    # What is no longer part of the study is not shown to anyone.
    retired = select(cells.c.id).where(cells.c.mode == mode, cells.c.retired.is_(True))
    taken_back = and_(assignments.c.state == "leased", assignments.c.cell_id.in_(retired))
    connection.execute(update(assignments).where(taken_back).values(state="released"))
    connection.execute(
        update(cells).where(cells.c.id.in_(retired), cells.c.state == "leased").values(state="free")
    )


def _cell(row: Row[Any]) -> TrialCell:
    return TrialCell(row.item, row.arm, row.replicate, row.block_id)


def _same_trial(row: Row[Any]) -> Any:
    """The condition that selects cells of the same block, item and arm."""
    return and_(cells.c.block_id == row.block_id, cells.c.item == row.item, cells.c.arm == row.arm)


def _any_assignment(connection: Connection, mode: str) -> bool:
    query = select(assignments.c.id).join(cells, cells.c.id == assignments.c.cell_id)
    return connection.execute(query.where(cells.c.mode == mode).limit(1)).first() is not None


def is_recent(study: Study, now: float) -> Any:
    """The condition under which a participant was active within the lease; a later time is of a clock that was wrong."""
    lease = 60 * study.definition.lease
    return participants.c.last_seen.between(now - lease, now + lease)


def reclaim(connection: Connection, study: Study, now: float) -> int:
    """Free the cells of leases that ran out; returns how many.

    A lease that ends later than any given now was given before the clock was set back: it begins again.
    """
    mode, longest = study.definition.mode, 60 * study.definition.lease
    ahead = and_(assignments.c.state == "leased", assignments.c.leased_until > now + longest + _CLOCKS_DIFFER)
    connection.execute(update(assignments).where(ahead).values(leased_until=now + longest))
    expired = connection.execute(
        select(assignments.c.id, assignments.c.cell_id)
        .join(participants, participants.c.id == assignments.c.participant_id)
        .where(participants.c.mode == mode, assignments.c.state == "leased", assignments.c.leased_until < now)
    ).all()
    freed = 0
    for row in expired:
        # Checked again, as the participant may have answered while this transaction waited for theirs.
        still = and_(
            assignments.c.id == row.id, assignments.c.state == "leased", assignments.c.leased_until < now
        )
        if connection.execute(update(assignments).where(still).values(state="released")).rowcount:
            free_cell(connection, row.cell_id)
            freed += 1
    return freed


def free_cell(connection: Connection, cell_id: int) -> None:
    """Free a cell; a surplus answer to the same item and arm takes its place if there is one."""
    cell = connection.execute(select(cells).where(cells.c.id == cell_id)).one()
    same = and_(cells.c.mode == cell.mode, _same_trial(cell))
    if not cell.surplus and not cell.retired:
        spare = connection.execute(
            select(cells.c.id).where(same, cells.c.surplus.is_(True), cells.c.state == "done").limit(1)
        ).scalar()
        if spare is not None:
            connection.execute(update(cells).where(cells.c.id == spare).values(surplus=False))
            connection.execute(update(cells).where(cells.c.id == cell_id).values(state="free", surplus=True))
            return
    connection.execute(update(cells).where(cells.c.id == cell_id).values(state="free"))


def settle(connection: Connection, cell_id: int) -> None:
    """Mark a cell as answered; a surplus answer takes the place of a free cell of the same item and arm."""
    mine = update(cells).where(cells.c.id == cell_id).values(state="done")
    if connection.execute(mine.where(cells.c.surplus.is_(False))).rowcount:
        return
    cell = connection.execute(mine.returning(cells)).one()
    same = and_(open_cells(cell.mode), _same_trial(cell))
    open_one = connection.execute(select(cells.c.id).where(same).limit(1)).scalar()
    if open_one is not None:
        connection.execute(update(cells).where(cells.c.id == open_one).values(surplus=True))
        connection.execute(update(cells).where(cells.c.id == cell_id).values(surplus=False))


def open_cells(mode: str) -> Any:
    """The condition under which a cell waits for a participant."""
    return and_(
        cells.c.mode == mode, cells.c.state == "free", cells.c.surplus.is_(False), cells.c.retired.is_(False)
    )


def whole_booklet(connection: Connection, mode: str) -> list[Row[Any]]:
    """The first planned booklet of which nothing is assigned."""
    first = connection.execute(_whole_booklets(mode).order_by(cells.c.block).limit(1)).scalar()
    if first is None:
        return []
    return list(connection.execute(select(cells).where(open_cells(mode), cells.c.block == first)))


def _whole_booklets(mode: str) -> Any:
    return (
        select(cells.c.block)
        .where(open_cells(mode))
        .group_by(cells.c.block)
        .having(func.count() == func.max(cells.c.block_size))
    )


def best_booklet(
    connection: Connection,
    study: Study,
    rng: np.random.Generator,
    *,
    avoid: Sequence[str] = (),
    missing: Mapping[str, int] | None = None,
    arm: str = "",
) -> list[Row[Any]]:
    """A whole planned booklet; or one of what others left, without the items to avoid, `missing` so many of each block."""
    mode = study.definition.mode
    if missing is None and not avoid:
        booklet = whole_booklet(connection, mode)
        if booklet:
            return booklet
    shapes = study.shapes
    if missing is not None:
        shapes = tuple(replace(s, size=missing[s.id]) for s in shapes if missing.get(s.id))
    known = {s.id for s in shapes}
    free = [r for r in connection.execute(select(cells).where(open_cells(mode))) if r.item not in set(avoid)]
    rows = {_cell(r): r for r in free if r.block_id in known}
    if not rows:
        return []
    between = study.definition.design.kind == "between"
    if between:
        arm = arm or max(sorted({c.arm for c in rows}), key=lambda a: sum(c.arm == a for c in rows))
        rows = {c: r for c, r in rows.items() if c.arm == arm}
    return [rows[c] for c in repair_blocks(list(rows), shapes, rng, one_arm=between)]


def has_place(connection: Connection, study: Study, now: float) -> bool:
    """Whether a new participant is admitted: there is a whole booklet, or a rest and nobody else at work."""
    definition = study.definition
    mode, size = definition.mode, definition.per_participant
    reclaim(connection, study, now)
    working = select(assignments.c.participant_id).where(assignments.c.state == "leased")
    at_work = connection.execute(
        select(func.count(func.distinct(assignments.c.participant_id)))
        .join(participants, participants.c.id == assignments.c.participant_id)
        .where(participants.c.mode == mode, assignments.c.state == "leased")
    ).scalar_one()
    begun = select(assignments.c.participant_id)
    on_their_way = connection.execute(
        select(func.count())
        .select_from(participants)
        .where(
            participants.c.mode == mode,
            participants.c.outcome == "",
            is_recent(study, now),
            participants.c.id.not_in(begun),
            participants.c.id.not_in(working),
        )
    ).scalar_one()
    whole = connection.execute(_whole_booklets(mode)).all()
    if on_their_way < len(whole):
        return True
    rest = best_booklet(connection, study, np.random.default_rng(0), avoid=("",)) if not whole else []
    return admits(len(rest) if on_their_way == 0 else 0, size, others=at_work)


def give_booklet(connection: Connection, study: Study, participant: int, now: float) -> int:
    """Lease a booklet to a participant; returns the number of trials, 0 if nothing is left."""
    design = study.definition.design
    take_turn(connection)
    reclaim(connection, study, now)
    rng = np.random.default_rng([design.seed, participant])
    booklet = best_booklet(connection, study, rng)
    if not booklet:
        return 0
    if design.fill and len(booklet) < study.definition.per_participant:
        booklet += _surplus(connection, study, booklet, rng)
    _lease(connection, study, participant, booklet, now, rng)
    return len(booklet)


def _surplus(
    connection: Connection, study: Study, booklet: Sequence[Row[Any]], rng: np.random.Generator
) -> list[Row[Any]]:
    """New cells beside those that are done, to fill a short booklet."""
    mode = study.definition.mode
    between = study.definition.design.kind == "between"
    in_use = and_(cells.c.mode == mode, cells.c.retired.is_(False), cells.c.state != "free")
    kind = (cells.c.block_id, cells.c.item, cells.c.arm)
    counted = connection.execute(select(*kind, func.count().label("n")).where(in_use).group_by(*kind))
    answered = {(r.block_id, r.item, r.arm): r.n for r in counted if not between or r.arm == booklet[0].arm}
    extra = top_up([_cell(r) for r in booklet], answered, study.shapes, rng, one_arm=between)
    return [surplus_cell(connection, mode, item, arm, block) for block, item, arm in extra]


def surplus_cell(connection: Connection, mode: str, item: str, arm: str, block: str = "") -> Row[Any]:
    """Create a cell beyond those of the design."""
    same = and_(cells.c.mode == mode, cells.c.block_id == block, cells.c.item == item, cells.c.arm == arm)
    last = connection.execute(select(func.max(cells.c.replicate)).where(same)).scalar_one()
    statement = insert(cells).values(
        mode=mode,
        block_id=block,
        item=item,
        arm=arm,
        replicate=last + 1,
        block=-1,
        block_size=1,
        state="free",
        surplus=True,
        retired=False,
    )
    return connection.execute(statement.returning(cells)).one()


def _lease(
    connection: Connection,
    study: Study,
    participant: int,
    booklet: Sequence[Row[Any]],
    now: float,
    rng: np.random.Generator,
) -> None:
    rows = {_cell(r): r for r in booklet}
    order = ordered(
        list(rows),
        study.definition.design.order,
        number=participant,
        items={item.id: n for n, item in enumerate(study.items)},
        arms={arm.id: n for n, arm in enumerate(study.arms)},
        rng=rng,
    )
    first = connection.execute(
        select(func.coalesce(func.max(assignments.c.position) + 1, 0)).where(
            assignments.c.participant_id == participant
        )
    ).scalar_one()
    until = now + 60 * study.definition.lease
    for position, cell in enumerate(order, first):
        row = rows[cell]
        connection.execute(update(cells).where(cells.c.id == row.id).values(state="leased"))
        connection.execute(
            insert(assignments).values(
                participant_id=participant,
                cell_id=row.id,
                item=row.item,
                arm=row.arm,
                position=position,
                state="leased",
                leased_until=until,
                created=now,
            )
        )


def renew(connection: Connection, study: Study, participant: int, now: float) -> None:
    """Extend the leases of an active participant; what ran out meanwhile is leased again or replaced."""
    until = now + 60 * study.definition.lease
    mine = assignments.c.participant_id == participant
    connection.execute(
        update(assignments).where(mine, assignments.c.state == "leased").values(leased_until=until)
    )
    answered = select(answers.c.assignment_id).where(
        answers.c.participant_id == participant, answers.c.assignment_id.is_not(None)
    )
    lost = connection.execute(
        select(
            assignments,
            cells.c.state.label("cell_state"),
            cells.c.retired,
            cells.c.block_id,
            pages.c.id.label("page"),
        )
        .join(cells, cells.c.id == assignments.c.cell_id)
        .outerjoin(pages, pages.c.assignment_id == assignments.c.id)
        .where(mine, assignments.c.state == "released", assignments.c.id.not_in(answered))
    ).all()
    if not lost:
        return
    take_turn(connection)
    missing: Counter[str] = Counter()
    for row in lost:
        if row.cell_state == "free" and not row.retired:
            connection.execute(update(cells).where(cells.c.id == row.cell_id).values(state="leased"))
            connection.execute(
                update(assignments)
                .where(assignments.c.id == row.id)
                .values(state="leased", leased_until=until)
            )
        elif row.page is None:  # never seen by this participant, and someone else has it now
            connection.execute(delete(assignments).where(assignments.c.id == row.id))
            missing[row.block_id] += 1
    if missing:
        seen = [r.item for r in connection.execute(select(assignments.c.item).where(mine))]
        rng = np.random.default_rng([study.definition.design.seed, participant, int(now)])
        booklet = best_booklet(connection, study, rng, avoid=seen, missing=missing, arm=lost[0].arm)
        _lease(connection, study, participant, booklet, now, rng)


def take_back(connection: Connection, participant: int) -> None:
    """Count rejected work again: in its own cell, or beside the answer that someone else has given meanwhile."""
    rejected = select(assignments, cells.c.mode, cells.c.block_id, cells.c.state.label("cell_state")).join(
        cells, cells.c.id == assignments.c.cell_id
    )
    mine = (assignments.c.participant_id == participant, assignments.c.state == "rejected")
    answered = set(
        connection.execute(
            select(answers.c.assignment_id).where(answers.c.participant_id == participant)
        ).scalars()
    )
    for row in connection.execute(rejected.where(*mine)).all():
        if row.id not in answered:  # `renew` finds it when they come back
            connection.execute(update(assignments).where(assignments.c.id == row.id).values(state="released"))
            continue
        free = row.cell_state == "free"
        cell = row.cell_id if free else surplus_cell(connection, row.mode, row.item, row.arm, row.block_id).id
        connection.execute(
            update(assignments).where(assignments.c.id == row.id).values(cell_id=cell, state="done")
        )
        settle(connection, cell)


def give_back(connection: Connection, participant: int, state: str, *, only_leased: bool) -> None:
    """End a participant's leases: what they did not answer, or all of it, is free for others."""
    kinds = ["leased"] if only_leased else ["leased", "done"]
    rows = connection.execute(
        select(assignments.c.id, assignments.c.cell_id).where(
            assignments.c.participant_id == participant, or_(*(assignments.c.state == k for k in kinds))
        )
    ).all()
    for row in rows:
        connection.execute(update(assignments).where(assignments.c.id == row.id).values(state=state))
        free_cell(connection, row.cell_id)
