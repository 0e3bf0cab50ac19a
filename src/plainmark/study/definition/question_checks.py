"""Whether a question fits together in itself, and the page that asks it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...errors import did_you_mean
from ...schema import Location
from .items import key_letter
from .models import Definition
from .pages import BlockPage, SurveyPage
from .questions import (
    Count,
    Likert,
    Matrix,
    Mcq,
    Multiselect,
    Pairwise,
    Question,
    Rank,
    Slider,
    Spans,
    YesNo,
    answers_of,
)
from .yaml_reader import YamlFile

_MAX_POINTS = 11


def check_question(file: YamlFile, place: Location, question: Question, page: object) -> None:
    """Raise the first contradiction within a question, or between it and its page."""
    in_block = isinstance(page, BlockPage)
    show = getattr(page, "show", "")
    if bool(question.text) == bool(question.text_field):
        file.fail(place, "expected either 'text' or 'text_field'.")
    for name in ("text_field", "options_field", "key_field"):
        if getattr(question, name, "") and not in_block:
            file.fail((*place, name), "only the questions of a block can use fields of the items.")
    if question.screen_out and not isinstance(page, SurveyPage):
        file.fail((*place, "screen_out"), "only the questions of a survey can screen out.")
    if question.screen_out and isinstance(question, Matrix):
        file.fail((*place, "screen_out"), "a matrix has several answers; ask a likert question instead.")
    if isinstance(question, (Mcq, Multiselect)):
        _check_options(file, place, question)
    if isinstance(question, Mcq):
        _check_mcq(file, place, question)
    if isinstance(question, Multiselect):
        _check_multiselect(file, place, question)
    if isinstance(question, Matrix):
        _check_matrix(file, place, question, show)
    if isinstance(question, Spans):
        _check_spans(file, place, question, page, show)
    if isinstance(question, (Likert, Matrix, Slider, Count)) and question.low >= question.high:
        message = f"found {question.high}, expected more than low, which is {question.low}."
        file.fail((*place, "high"), message)
    if isinstance(question, (Likert, Matrix)) and question.high - question.low >= _MAX_POINTS:
        file.fail(
            (*place, "high"), f"a {question.type} scale has at most {_MAX_POINTS} points; use a slider."
        )
    if isinstance(question, (Likert, Matrix, Slider, YesNo)):
        counts = {2} if isinstance(question, YesNo) else {0, 2}
        if isinstance(question, (Likert, Matrix)):
            counts.add(question.high - question.low + 1)
        if len(question.labels) not in counts:
            expected = " or ".join(map(str, sorted(counts)))
            file.fail((*place, "labels"), f"found {len(question.labels)} labels, expected {expected}.")
    if isinstance(question, YesNo) and question.key not in ("", "yes", "no"):
        file.fail((*place, "key"), f"found {question.key[:40]!r}, expected yes or no.")
    if isinstance(question, Pairwise) and show != "pair":
        file.fail((*place, "type"), "pairwise questions need a page that shows a pair.")
    if isinstance(question, Rank) and not question.options and show not in ("grid", "pair"):
        file.fail((*place, "type"), "rank needs options, or a page that shows a grid or a pair.")
    allowed_answers = answers_of(question)
    for answer in question.screen_out:
        if allowed_answers is not None and answer not in allowed_answers:
            file.fail((*place, "screen_out"), not_among(answer, allowed_answers))
    if getattr(question, "rewrite", None) and show not in ("text", "source+text"):
        file.fail((*place, "rewrite"), "a rewriting needs a page that shows one text, or source+text.")


def _check_options(file: YamlFile, place: Location, question: Mcq | Multiselect) -> None:
    if bool(question.options) == bool(question.options_field):
        file.fail(place, "expected either 'options' or 'options_field'.")
    if question.options and len(question.options) < 2:
        file.fail((*place, "options"), "found 1 option, expected at least 2.")
    if len(set(question.options)) < len(question.options):
        file.fail((*place, "options"), "an option is given twice.")


def _check_multiselect(file: YamlFile, place: Location, question: Multiselect) -> None:
    if question.exclusive and question.exclusive in question.options:
        file.fail((*place, "exclusive"), "is also one of the options; write it only here.")
    count = len(question.options)
    if question.most and question.most < question.least:
        file.fail(
            (*place, "most"), f"found {question.most}, expected at least 'least', which is {question.least}."
        )
    for name in ("least", "most"):
        number = getattr(question, name)
        if count and number > count:
            file.fail((*place, name), f"found {number}, but there are {count} options.")
    if question.required and not question.least:
        file.fail((*place, "least"), "found 0; a question that may stay empty has required: false.")
    for index, key in enumerate(question.key if question.options else ()):
        if not key_letter(key, list(question.options)):
            allowed = [a for a in answers_of(question) or () if a != "NONE"]
            file.fail((*place, "key", index), not_among(key, allowed) + " An option's text will do.")


def _check_matrix(file: YamlFile, place: Location, question: Matrix, show: str) -> None:
    if len(question.statements) < 2:
        found = len(question.statements)
        file.fail((*place, "statements"), f"found {found}, expected at least 2; for one, use likert.")
    ids: set[str] = set()
    for index, statement in enumerate(question.statements):
        if statement.id in ids:
            file.fail((*place, "statements", index, "id"), f"{statement.id!r} is given twice.")
        ids.add(statement.id)
    if show == "grid":
        file.fail((*place, "type"), "a matrix asks about the whole page; on a grid, use likert questions.")


def _check_spans(file: YamlFile, place: Location, question: Spans, page: object, show: str) -> None:
    if isinstance(page, SurveyPage) or not show:
        file.fail((*place, "type"), "spans need a page that shows texts: a block or a practice page.")
    if not question.categories:
        file.fail((*place, "categories"), "empty, expected at least one category.")
    if question.where != "text" and show != "source+text":
        file.fail(
            (*place, "where"), f"found {question.where!r}, but the page shows {show}; show source+text."
        )
    ids: set[str] = set()
    for index, category in enumerate(question.categories):
        at: Location = (*place, "categories", index)
        if category.id in ids:
            file.fail((*at, "id"), f"{category.id!r} is given twice.")
        ids.add(category.id)
        if category.where != "any" and question.where not in ("both", category.where):
            file.fail(
                (*at, "where"), f"found {category.where!r}, but the question marks only the {question.where}."
            )
        if category.where == "both" and not question.parts:
            file.fail((*at, "where"), "a mark with a part in each text needs parts: true.")
    if len(set(question.severities)) < len(question.severities):
        file.fail((*place, "severities"), "a severity is given twice.")
    if question.most < question.least:
        file.fail(
            (*place, "most"), f"found {question.most}, expected at least 'least', which is {question.least}."
        )


def _check_mcq(file: YamlFile, place: Location, question: Mcq) -> None:
    if question.key and question.key_field:
        file.fail(place, "expected either 'key' or 'key_field'.")
    if question.key and question.options and not key_letter(question.key, list(question.options)):
        file.fail(
            (*place, "key"),
            not_among(question.key, answers_of(question) or ()) + " An option's text will do.",
        )


def check_attention(file: YamlFile, definition: Definition) -> None:
    """Raise the first contradiction within an attention trial, or between it and the design."""
    for number, attention in enumerate(definition.checks.attention):
        trial: Location = ("checks", "attention", number)
        place: Location = (*trial, "question")
        if not attention.question.key:
            file.fail(place, "no 'key'; an attention trial needs the right answer.")
        if attention.question.show_if:
            file.fail((*place, "show_if"), "the question that counts is always asked.")
        for index, question in enumerate(attention.others):
            other: Location = (*trial, "others", index)
            if getattr(question, "key", ""):
                file.fail((*other, "key"), "only 'question' counts; the others have no right answer.")
            if question.show_if:
                check_condition(file, (*other, "show_if"), question, attention.others[:index])
            check_question(file, other, question, attention)
        ids = [q.id for q in attention.asked]
        repeated = next((i for i in ids if ids.count(i) > 1), "")
        if repeated:
            file.fail(trial, f"{repeated!r} is given twice on one page.")
        check_question(file, place, attention.question, attention)
        if attention.after > definition.per_participant:
            limit = definition.per_participant
            file.fail((*trial, "after"), f"found {attention.after}, but a participant sees {limit} items.")


def check_condition(file: YamlFile, place: Location, question: Question, before: Sequence[Question]) -> None:
    """Raise the first contradiction between a question's show_if and the questions before it."""
    condition = question.show_if
    assert condition is not None
    names = {q.id: q for q in before}
    if condition.question not in names:
        file.fail(
            (*place, "question"),
            f"no earlier question {condition.question[:40]!r} on this page.{did_you_mean(condition.question, names)}",
        )
    earlier = names[condition.question]
    if isinstance(earlier, (Matrix, Spans)):
        file.fail(
            (*place, "question"),
            f"{earlier.id!r} is a {earlier.type} question, which no other can depend on.",
        )
    allowed = answers_of(earlier)
    if allowed is not None and not getattr(earlier, "options_field", ""):
        for answer in condition.equals:
            if answer not in allowed:
                file.fail((*place, "equals"), not_among(answer, allowed))


def not_among(value: str, allowed: Iterable[str]) -> str:
    """The message for a word that is none of those allowed."""
    words = list(allowed)
    return f"found {value[:40]!r}, expected one of {', '.join(words) or 'none'}.{did_you_mean(value, words)}"
