"""Whether the parts of a definition and its items fit together, which no single field can tell."""

from __future__ import annotations

from collections.abc import Iterator

from ...schema import Location
from .block_checks import check_block_items, check_blocks, check_sessions
from .items import Item, chosen_items, key_letter, options_of
from .models import Definition
from .pages import BlockPage, PracticePage, RecallPage, SurveyPage
from .question_checks import check_attention, check_condition, check_question, not_among
from .questions import (
    Count,
    Likert,
    Matrix,
    Mcq,
    Multiselect,
    Question,
    Rank,
    Slider,
    answers_of,
)
from .yaml_reader import YamlFile


def _questions(definition: Definition) -> Iterator[tuple[int, tuple[Question, ...], object]]:
    for index, page in enumerate(definition.pages):
        if isinstance(page, (PracticePage, BlockPage, SurveyPage)):
            yield index, page.questions, page


def check_definition(file: YamlFile, definition: Definition) -> None:
    """Raise the first contradiction within the definition."""
    fail = file.fail
    if not definition.conditions:
        fail(("conditions",), "empty, expected at least one condition.")
    for index, name in enumerate(definition.conditions):
        if name in definition.conditions[:index]:
            fail(("conditions", index), f"{name!r} is given twice.")
    check_blocks(file, definition)
    for keys in ("checks", "exclusions"):
        together = all(block.reading == "together" for block in definition.blocks)
        if together and getattr(definition, keys).minimum_reading_seconds:
            found = "this one shows" if len(definition.blocks) == 1 else "these show"
            fail(
                (keys, "minimum_reading_seconds"),
                f"needs a block whose reading is first or apart; {found} texts and questions together.",
            )
    for index, questions, page in _questions(definition):
        path: Location = ("pages", index)
        if isinstance(page, (BlockPage, PracticePage)):
            _check_texts(file, path, page, len(definition.conditions))
        for key in ("questions_title", "questions_text"):
            if getattr(page, key, "") and getattr(page, "reading", "") == "together":
                fail((*path, key), "the questions stand beside the text; needs reading: first or apart.")
        ids: set[str] = set()
        for number, question in enumerate(questions):
            place: Location = (*path, "questions", number)
            if question.id in ids:
                fail((*place, "id"), f"{question.id!r} is given twice on one page.")
            ids.add(question.id)
            check_question(file, place, question, page)
            about_text = question.type == "spans" or getattr(question, "rewrite", None)
            if about_text and definition.block_at(index).reading == "apart":
                fail(place, f"{question.id!r} is about a text that is not shown with it; use reading: first.")
            if question.show_if:
                check_condition(file, (*place, "show_if"), question, questions[:number])
    check_attention(file, definition)
    _check_scores(file, definition)
    _check_condition_names(file, definition)
    _check_analysis(file, definition)
    _check_quotas(file, definition)
    check_sessions(file, definition)


def _check_analysis(file: YamlFile, definition: Definition) -> None:
    plan = definition.analysis
    if plan.baseline and plan.baseline not in definition.conditions:
        file.fail(("analysis", "baseline"), not_among(plan.baseline, definition.conditions))
    for index, contrast in enumerate(plan.contrasts):
        names = contrast.split("|")
        if len(names) != 2 or len(set(names)) != 2 or not set(names) <= set(definition.conditions):
            found = f"found {contrast[:80]!r}, expected two conditions as 'one|other'."
            file.fail(("analysis", "contrasts", index), found)
    if not 0.5 <= plan.level < 1:
        file.fail(("analysis", "level"), f"found {plan.level:g}, expected at least 0.5 and less than 1.")
    surveys = [q for p in definition.pages if isinstance(p, SurveyPage) for q in p.questions]
    for index, name in enumerate(plan.subgroups):
        closed = [q.id for q in surveys if answers_of(q) is not None and not isinstance(q, Multiselect)]
        if name not in closed:
            file.fail(("analysis", "subgroups", index), not_among(name, closed))
    for index, rule in enumerate(definition.exclusions.answers):
        place: Location = ("exclusions", "answers", index)
        question = definition.survey_question(rule.question)
        if question is None:
            file.fail((*place, "question"), not_among(rule.question, [q.id for q in surveys]))
        allowed = answers_of(question)
        for answer in rule.equals:
            if allowed is not None and answer not in allowed:
                file.fail((*place, "equals"), not_among(answer, allowed))
    if definition.exclusions.attention and not definition.checks.attention:
        file.fail(("exclusions", "attention"), "there are no attention trials in checks.attention.")


def _check_quotas(file: YamlFile, definition: Definition) -> None:
    before = definition.pages[: definition.pages.index(definition.blocks[0])]
    early = {q.id: q for p in before if isinstance(p, SurveyPage) for q in p.questions}
    for index, quota in enumerate(definition.quotas):
        place: Location = ("quotas", index)
        if quota.question not in early:
            if definition.survey_question(quota.question) is not None:
                file.fail(
                    (*place, "question"), "is asked after the block; ask it on a survey page before it."
                )
            file.fail((*place, "question"), not_among(quota.question, early))
        allowed = answers_of(early[quota.question])
        if allowed is None:
            file.fail((*place, "question"), f"{quota.question!r} has no fixed answers to count.")
        for answer in quota.equals:
            if answer not in allowed:
                file.fail((*place, "equals"), not_among(answer, allowed))


def _check_condition_names(file: YamlFile, definition: Definition) -> None:
    named: list[tuple[Location, str]] = [(("texts", c), c) for c in definition.texts]
    named.append((("original",), definition.original))
    named += [(("references", i), name) for i, name in enumerate(definition.references)]
    for place, name in named:
        if name and name not in definition.conditions:
            file.fail(place, not_among(name, definition.conditions))


def _check_texts(file: YamlFile, place: Location, page: BlockPage | PracticePage, conditions: int) -> None:
    """There must be as many texts and headings as the page shows."""
    shown = {"text": 1, "source+text": 2, "pair": 2, "grid": conditions}[page.show]
    if isinstance(page, PracticePage):
        count = len(page.item.texts) + (page.show == "source+text")
        if page.show == "source+text" and not page.item.source:
            file.fail((*place, "item"), "no 'source', and the page shows one.")
        if page.show == "grid" or (page.show == "text" and not count):
            shown = count
        elif count != shown:
            texts = shown - (page.show == "source+text")
            file.fail(
                (*place, "item"), f"found {len(page.item.texts)} texts, expected {texts} for {page.show}."
            )
    if len(page.labels) not in (0, shown):
        file.fail(
            (*place, "labels"), f"found {len(page.labels)} labels, expected {shown}, one for each text."
        )


def _names(definition: Definition, *kinds: type) -> set[str]:
    """The names of answers to questions of these kinds; each statement of a matrix has one."""
    questions = [q for q in definition.block_questions if isinstance(q, kinds)]
    plain = {q.id for q in questions if not isinstance(q, Matrix)}
    return plain | {f"{q.id}[{s.id}]" for q in questions if isinstance(q, Matrix) for s in q.statements}


def _check_scores(file: YamlFile, definition: Definition) -> None:
    known = _names(definition, Likert, Matrix, Slider, Rank, Count)
    for index, score in enumerate(definition.scores):
        for part in score.of:
            if part not in known:
                file.fail(("scores", index, "of"), not_among(part, sorted(known)))
        scaled = _names(definition, Likert, Matrix, Slider)
        if score.invert and not set(score.of) <= scaled:
            file.fail(("scores", index, "invert"), "only answers on a scale can be inverted.")
        known.add(score.id)


def check_items(file: YamlFile, definition: Definition, items: list[Item]) -> None:
    """Raise the first contradiction between the definition and its items."""
    check_block_items(file, definition, items)
    for index, page in enumerate(definition.pages):
        if isinstance(page, BlockPage):
            _check_block_items(file, definition, ("pages", index), page, chosen_items(items, page))
    for number, session in enumerate(definition.sessions):
        for index, later in enumerate(session.pages):
            if isinstance(later, RecallPage) and later.questions:
                recalled = definition.recalled(later)
                place = ("sessions", number, "pages", index)
                _check_block_items(file, definition, place, recalled, chosen_items(items, recalled))


def _check_block_items(
    file: YamlFile, definition: Definition, path: Location, block: BlockPage, items: list[Item]
) -> None:
    if block.shows_source:
        without_source = [i.id for i in items if not i.source.strip()]
        if without_source:
            file.fail(
                ("items",),
                f"{definition.items}: item {without_source[0]!r} has no source, and the block shows one.",
            )
    for number, question in enumerate(block.questions):
        place: Location = (*path, "questions", number)
        for item in items:
            if question.text_field and not item.text_of(question.text_field).strip():
                file.fail(
                    place, f"{definition.items}: item {item.id!r} has no field {question.text_field!r}."
                )
            if not isinstance(question, (Mcq, Multiselect)):
                continue
            options = options_of(question, item)
            if len(options) < 2 or len(set(options)) < len(options):
                problem = f"{len(options)} options" if len(options) < 2 else "an option twice"
                file.fail(
                    place,
                    f"{definition.items}: item {item.id!r} has {problem} in {question.options_field!r}.",
                )
            field = getattr(question, "key_field", "")
            keys = (item.text_of(field),) if field else question.key
            for key in (keys,) if isinstance(keys, str) else keys:
                if key and not key_letter(key, options):
                    file.fail(
                        place,
                        f"{definition.items}: item {item.id!r}: the key {key[:40]!r} is none of its options.",
                    )
