"""Whether several blocks fit together, and later sessions with the blocks that they ask about."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import did_you_mean
from ...schema import Location
from .items import Item, chosen_items
from .models import Definition
from .pages import BlockPage, RecallPage
from .question_checks import check_condition, check_question
from .questions import Question
from .yaml_reader import YamlFile


def check_blocks(file: YamlFile, definition: Definition) -> None:
    """Raise the first contradiction between blocks."""
    blocks = [(i, p) for i, p in enumerate(definition.pages) if isinstance(p, BlockPage)]
    if not blocks:
        file.fail(("pages",), "found 0 pages of kind block, expected at least one.")
    first_of: dict[str, str] = {}
    ids: set[str] = set()
    for index, block in blocks:
        place: Location = ("pages", index)
        if len(blocks) > 1 and not block.id:
            file.fail(place, f"there are {len(blocks)} blocks; give each an 'id'.")
        if block.id in ids:
            file.fail((*place, "id"), f"{block.id!r} is given twice.")
        ids.add(block.id)
        _check_block(file, place, definition, block)
        for number, question in enumerate(block.questions):
            if first_of.setdefault(question.id, block.id) != block.id:
                file.fail(
                    (*place, "questions", number, "id"),
                    f"{question.id!r} is asked in block {first_of[question.id]!r}, too; answers are told apart by the"
                    " question's id, so give it another.",
                )
    if definition.design.kind == "between" and len({(b.show, b.pairs) for _, b in blocks}) > 1:
        file.fail(
            ("design", "kind"), "between: a participant sees one condition, so all blocks must show the same."
        )
    for index, score in enumerate(definition.scores):
        asked = {first_of[name] for part in score.of if (name := part.partition("[")[0]) in first_of}
        if len(asked) > 1:
            file.fail(
                ("scores", index, "of"), "questions of several blocks, which are about different items."
            )


def _check_block(file: YamlFile, place: Location, definition: Definition, block: BlockPage) -> None:
    if block.show == "pair" and len(definition.conditions) < 2:
        file.fail(("conditions",), "a pair needs at least two conditions.")
    for index, pair in enumerate(block.pairs):
        names = pair.split("|")
        if len(names) != 2 or len(set(names)) != 2 or not set(names) <= set(definition.conditions):
            found = f"found {pair[:80]!r}, expected two conditions as 'one|other'."
            file.fail((*place, "pairs", index), found)
    if block.source and block.show not in ("pair", "grid"):
        file.fail((*place, "source"), f"is for pairs and grids; instead of {block.show}, show source+text.")
    if not block.questions:
        file.fail((*place, "questions"), "empty, expected at least one question.")


def check_sessions(file: YamlFile, definition: Definition) -> None:
    """Raise the first contradiction within later sessions, or between them and the blocks."""
    for number, session in enumerate(definition.sessions):
        place: Location = ("sessions", number)
        if session.closes <= session.opens:
            file.fail(
                (*place, "closes"),
                f"found {session.closes:g}, expected more than opens, which is {session.opens:g}.",
            )
        if not any(isinstance(p, RecallPage) for p in session.pages):
            file.fail((*place, "pages"), "no page of kind recall, so nothing is asked about the items.")
        asked: dict[str, int] = {}
        for index, page in enumerate(session.pages):
            at: Location = (*place, "pages", index)
            if isinstance(page, RecallPage):
                _check_recall(file, at, definition, page)
                for question in definition.recalled(page).questions:
                    if asked.setdefault(question.id, index) != index:
                        file.fail(at, f"{question.id!r} is asked twice in this session.")
            else:
                _check_questions(file, at, page.questions, page)
                for k, question in enumerate(page.questions):
                    if question.screen_out:
                        file.fail((*at, "questions", k, "screen_out"), "only the first session screens out.")


def _check_recall(file: YamlFile, place: Location, definition: Definition, page: RecallPage) -> None:
    names = [b.id for b in definition.blocks]
    if page.block and page.block not in names:
        known = ", ".join(n for n in names if n) or "none with an id"
        message = f"found {page.block[:40]!r}, expected the id of a block: {known}."
        file.fail((*place, "block"), message + did_you_mean(page.block, names))
    shown = definition.recalled(page)
    if page.questions:
        _check_questions(file, place, page.questions, shown)
    for question in shown.questions:
        about_text = question.type in ("spans", "pairwise") or getattr(question, "rewrite", None)
        ranks_texts = question.type == "rank" and not question.options
        if page.show == "nothing" and (about_text or ranks_texts):
            file.fail(
                place,
                f"{question.id!r} is about texts that are not shown; use show: text, or give the page questions of its own.",
            )


def _check_questions(file: YamlFile, place: Location, questions: Sequence[Question], page: object) -> None:
    ids: set[str] = set()
    for number, question in enumerate(questions):
        at: Location = (*place, "questions", number)
        if question.id in ids:
            file.fail((*at, "id"), f"{question.id!r} is given twice on one page.")
        ids.add(question.id)
        check_question(file, at, question, page)
        if question.show_if:
            check_condition(file, (*at, "show_if"), question, questions[:number])


def check_block_items(file: YamlFile, definition: Definition, items: Sequence[Item]) -> None:
    """Raise the first contradiction between what the blocks are about and the items that there are."""
    reachable: set[str] = set()
    for index, page in enumerate(definition.pages):
        if not isinstance(page, BlockPage):
            continue
        mine = chosen_items(items, page)
        if page.items is not None and not mine:
            values = sorted({i.text_of(page.items.field) for i in items} - {""})
            known = f"its values are {', '.join(values[:8])}" if values else "no item has this field"
            file.fail(("pages", index, "items"), f"none of the items of {definition.items}; {known}.")
        size = definition.size_of(page)
        if size > len(mine):
            own = ("pages", index, "per_participant")
            where: Location = own if page.per_participant else ("design", "per_participant")
            there = (
                f"there are {len(items)} items"
                if page.items is None
                else f"the block is about {len(mine)} items"
            )
            file.fail(where, f"found {size}, but {there}.")
        if definition.design.overlap > len(mine):
            file.fail(
                ("design", "overlap"), f"found {definition.design.overlap}, but there are {len(mine)} items."
            )
        reachable |= {i.id for i in mine}
    if definition.per_participant > len(reachable):
        file.fail(
            ("pages",),
            f"a participant sees {definition.per_participant} items in all blocks, none twice, but there are {len(reachable)}.",
        )
    for number, session in enumerate(definition.sessions):
        for index, recall in enumerate(session.pages):
            field = recall.title_field if isinstance(recall, RecallPage) else ""
            lacking = [i.id for i in items if field and not i.text_of(field).strip()]
            if lacking:
                file.fail(
                    ("sessions", number, "pages", index, "title_field"),
                    f"{definition.items}: item {lacking[0]!r} has no field {field!r}.",
                )
