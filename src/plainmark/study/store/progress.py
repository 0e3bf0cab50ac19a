"""How far a participant is: the order of their pages, what they can be asked about again, and what a progress bar says."""

from __future__ import annotations

from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, and_, func, select

from ..definition.loading import Study
from ..definition.models import Definition
from ..definition.pages import BlockPage, PracticePage, RecallPage
from .tables import assignments, cells, pages

TRIAL_KINDS = ("block", "attention")  # counted together, so that the count gives no attention trial away


def route(definition: Definition, participant: int) -> list[int]:
    """The pages of the first session in a participant's order, by their place in the definition.

    If blocks change places, the practice pages directly before a block go with it, and all others stay.
    """
    design = definition.design
    if design.block_order == "fixed" or len(definition.blocks) < 2:
        return list(range(len(definition.pages)))
    parts: list[list[int] | None] = []  # None: where some block goes
    blocks: list[list[int]] = []
    practice: list[int] = []
    for index, page in enumerate(definition.pages):
        if isinstance(page, PracticePage):
            practice.append(index)
        elif isinstance(page, BlockPage):
            blocks.append([*practice, index])
            parts.append(None)
            practice = []
        else:
            parts.append([*practice, index])
            practice = []
    drawn_order = np.random.default_rng([design.seed, participant]).permutation(len(blocks))
    order = iter(drawn_order.tolist())
    return [i for part in [*parts, practice] for i in (blocks[next(order)] if part is None else part)]


def recalled_items(
    study: Study, connection: Connection, participant: int, session: int
) -> list[tuple[int, Row[Any]]]:
    """What the recall pages of a session ask about: the page's place, and the trial that was answered."""
    definition = study.definition
    answered = connection.execute(
        select(assignments, cells.c.block_id)
        .join(cells, cells.c.id == assignments.c.cell_id)
        .join(pages, pages.c.assignment_id == assignments.c.id)
        .where(assignments.c.participant_id == participant, pages.c.submitted.is_not(None))
        .order_by(assignments.c.position)
    ).all()
    recalled = []
    for index, page in enumerate(definition.pages_of(session)):
        if not isinstance(page, RecallPage):
            continue
        block = page.block or definition.blocks[0].id
        mine = [a for a in answered if a.block_id == block and study.find_item(a.item)]
        if page.order == "random":
            rng = np.random.default_rng([definition.design.seed, participant, session, index])
            mine = [mine[i] for i in rng.permutation(len(mine))]
        recalled += [(index, a) for a in mine]
    return recalled


def progress_of(study: Study, connection: Connection, row: Row[Any]) -> dict[str, Any]:
    """How far a participant is on a page: of its session's pages, and of the trials."""
    definition, mine = study.definition, pages.c.participant_id == row.participant_id
    earlier = and_(mine, pages.c.session == row.session, pages.c.position <= row.position)
    kinds = TRIAL_KINDS if row.session == 1 else ("recall",)
    before = select(func.count()).select_from(pages).where(earlier).scalar_subquery()
    trial = select(func.count()).select_from(pages).where(earlier, pages.c.kind.in_(kinds)).scalar_subquery()
    count = select(func.count()).select_from(assignments)
    assigned = count.where(assignments.c.participant_id == row.participant_id).scalar_subquery()
    position, number, trials = connection.execute(select(before, trial, assigned)).one()
    checks = len(definition.checks.attention) if row.session == 1 else 0
    others = [p for p in definition.pages_of(row.session) if p.kind not in ("block", "recall")]
    place: dict[str, Any] = {
        "position": position - 1,
        "pages": len(others) + (trials or definition.per_participant) + checks,
    }
    if row.session == 1:
        template = definition.pages[row.step] if row.step < len(definition.pages) else None
        place["block"] = template.id if isinstance(template, BlockPage) else ""
    if row.session > 1:
        trials = len(recalled_items(study, connection, row.participant_id, row.session))
        place["pages"] = len(others) + trials
    if row.kind in kinds:
        place |= {"trial": number, "trials": trials + checks}
    return place
