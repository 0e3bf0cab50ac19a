"""Whether the parts of a definition and its items fit together, which no single field can tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...errors import did_you_mean
from ...schema import Location
from .items import Item, key_letter, options_of
from .models import BlockPage, Definition, PracticePage, SurveyPage
from .questions import Count, Likert, Mcq, Pairwise, Question, Rank, Slider, YesNo, answers_of
from .yaml_reader import YamlFile


def _questions(definition: Definition) -> Iterator[tuple[Location, tuple[Question, ...], object]]:
    for index, page in enumerate(definition.pages):
        if isinstance(page, (PracticePage, BlockPage, SurveyPage)):
            yield ("pages", index), page.questions, page


def check_definition(file: YamlFile, definition: Definition) -> None:
    """Raise the first contradiction within the definition."""
    fail = file.fail
    if not definition.conditions:
        fail(("conditions",), "empty, expected at least one condition.")
    for index, name in enumerate(definition.conditions):
        if name in definition.conditions[:index]:
            fail(("conditions", index), f"{name!r} is given twice.")
    blocks = [i for i, p in enumerate(definition.pages) if isinstance(p, BlockPage)]
    if len(blocks) != 1:
        fail(("pages",), f"found {len(blocks)} pages of kind block, expected one.")
    block = definition.block
    if block.show == "pair" and len(definition.conditions) < 2:
        fail(("conditions",), "a pair needs at least two conditions.")
    for index, pair in enumerate(block.pairs):
        names = pair.split("|")
        if len(names) != 2 or len(set(names)) != 2 or not set(names) <= set(definition.conditions):
            pair_location = ("pages", blocks[0], "pairs", index)
            fail(pair_location, f"found {pair[:80]!r}, expected two conditions as 'one|other'.")
    if block.source and block.show not in ("pair", "grid"):
        fail(
            ("pages", blocks[0], "source"),
            f"is for pairs and grids; instead of {block.show}, show source+text.",
        )
    for path, questions, page in _questions(definition):
        if isinstance(page, (BlockPage, PracticePage)):
            _check_texts(file, path, page, len(definition.conditions))
        ids: set[str] = set()
        for number, question in enumerate(questions):
            place: Location = (*path, "questions", number)
            if question.id in ids:
                fail((*place, "id"), f"{question.id!r} is given twice on one page.")
            ids.add(question.id)
            _check_question(file, place, question, page)
            if question.show_if:
                _check_condition(file, (*place, "show_if"), question, questions[:number])
    if not block.questions:
        fail(("pages", blocks[0], "questions"), "empty, expected at least one question.")
    for number, attention in enumerate(definition.checks.attention):
        place = ("checks", "attention", number, "question")
        if not attention.question.key:
            fail(place, "no 'key'; an attention trial needs the right answer.")
        _check_question(file, place, attention.question, attention)
        if attention.after > definition.design.per_participant:
            limit = definition.design.per_participant
            fail(
                ("checks", "attention", number, "after"),
                f"found {attention.after}, but a participant sees {limit} items.",
            )
    _check_scores(file, definition)
    _check_condition_names(file, definition)
    _check_analysis(file, definition)


def _check_analysis(file: YamlFile, definition: Definition) -> None:
    plan = definition.analysis
    if plan.baseline and plan.baseline not in definition.conditions:
        file.fail(("analysis", "baseline"), _not_among(plan.baseline, definition.conditions))
    for index, contrast in enumerate(plan.contrasts):
        names = contrast.split("|")
        if len(names) != 2 or len(set(names)) != 2 or not set(names) <= set(definition.conditions):
            found = f"found {contrast[:80]!r}, expected two conditions as 'one|other'."
            file.fail(("analysis", "contrasts", index), found)
    if not 0.5 <= plan.level < 1:
        file.fail(("analysis", "level"), f"found {plan.level:g}, expected at least 0.5 and less than 1.")
    surveys = [q for p in definition.pages if isinstance(p, SurveyPage) for q in p.questions]
    for index, name in enumerate(plan.subgroups):
        closed = [q.id for q in surveys if answers_of(q) is not None]
        if name not in closed:
            file.fail(("analysis", "subgroups", index), _not_among(name, closed))
    for index, rule in enumerate(definition.exclusions.answers):
        place: Location = ("exclusions", "answers", index)
        question = definition.survey_question(rule.question)
        if question is None:
            file.fail((*place, "question"), _not_among(rule.question, [q.id for q in surveys]))
        allowed = answers_of(question)
        for answer in rule.equals:
            if allowed is not None and answer not in allowed:
                file.fail((*place, "equals"), _not_among(answer, allowed))
    if definition.exclusions.attention and not definition.checks.attention:
        file.fail(("exclusions", "attention"), "there are no attention trials in checks.attention.")


def _check_condition_names(file: YamlFile, definition: Definition) -> None:
    named: list[tuple[Location, str]] = [(("texts", c), c) for c in definition.texts]
    named.append((("original",), definition.original))
    named += [(("references", i), name) for i, name in enumerate(definition.references)]
    for place, name in named:
        if name and name not in definition.conditions:
            file.fail(place, _not_among(name, definition.conditions))


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


def _check_question(file: YamlFile, place: Location, question: Question, page: object) -> None:
    in_block = isinstance(page, BlockPage)
    show = getattr(page, "show", "")
    if bool(question.text) == bool(question.text_field):
        file.fail(place, "expected either 'text' or 'text_field'.")
    for name in ("text_field", "options_field", "key_field"):
        if getattr(question, name, "") and not in_block:
            file.fail((*place, name), "only the questions of a block can use fields of the items.")
    if question.screen_out and not isinstance(page, SurveyPage):
        file.fail((*place, "screen_out"), "only the questions of a survey can screen out.")
    if isinstance(question, Mcq):
        _check_mcq(file, place, question)
    if isinstance(question, (Likert, Slider, Count)) and question.low >= question.high:
        message = f"found {question.high}, expected more than low, which is {question.low}."
        file.fail((*place, "high"), message)
    if isinstance(question, Likert) and question.high - question.low > 10:
        file.fail((*place, "high"), "a likert scale has at most 11 points; use a slider.")
    if isinstance(question, (Likert, Slider, YesNo)):
        counts = {2} if isinstance(question, YesNo) else {0, 2}
        if isinstance(question, Likert):
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
            file.fail((*place, "screen_out"), _not_among(answer, allowed_answers))
    if getattr(question, "rewrite", None) and show not in ("text", "source+text"):
        file.fail((*place, "rewrite"), "a rewriting needs a page that shows one text, or source+text.")


def _check_mcq(file: YamlFile, place: Location, question: Mcq) -> None:
    if bool(question.options) == bool(question.options_field):
        file.fail(place, "expected either 'options' or 'options_field'.")
    if question.options and len(question.options) < 2:
        file.fail((*place, "options"), "found 1 option, expected at least 2.")
    if len(set(question.options)) < len(question.options):
        file.fail((*place, "options"), "an option is given twice.")
    if question.key and question.key_field:
        file.fail(place, "expected either 'key' or 'key_field'.")
    if question.key and question.options and not key_letter(question.key, list(question.options)):
        file.fail(
            (*place, "key"),
            _not_among(question.key, answers_of(question) or ()) + " An option's text will do.",
        )


def _check_condition(
    file: YamlFile, place: Location, question: Question, before: tuple[Question, ...]
) -> None:
    condition = question.show_if
    assert condition is not None
    names = {q.id: q for q in before}
    if condition.question not in names:
        file.fail(
            (*place, "question"),
            f"no earlier question {condition.question[:40]!r} on this page.{did_you_mean(condition.question, names)}",
        )
    earlier = names[condition.question]
    allowed = answers_of(earlier)
    if allowed is not None and not (isinstance(earlier, Mcq) and earlier.options_field):
        for answer in condition.equals:
            if answer not in allowed:
                file.fail((*place, "equals"), _not_among(answer, allowed))


def _check_scores(file: YamlFile, definition: Definition) -> None:
    known = {q.id for q in definition.block.questions if isinstance(q, (Likert, Slider, Rank, Count))}
    for index, score in enumerate(definition.scores):
        for part in score.of:
            if part not in known:
                file.fail(("scores", index, "of"), _not_among(part, sorted(known)))
        scaled = {q.id for q in definition.block.questions if isinstance(q, (Likert, Slider))}
        if score.invert and not set(score.of) <= scaled:
            file.fail(("scores", index, "invert"), "only answers on a scale can be inverted.")
        known.add(score.id)


def check_items(file: YamlFile, definition: Definition, items: list[Item]) -> None:
    """Raise the first contradiction between the definition and its items."""
    block = definition.block
    index = definition.pages.index(block)
    if definition.design.per_participant > len(items):
        file.fail(
            ("design", "per_participant"),
            f"found {definition.design.per_participant}, but there are {len(items)} items.",
        )
    if definition.design.overlap > len(items):
        file.fail(
            ("design", "overlap"), f"found {definition.design.overlap}, but there are {len(items)} items."
        )
    if definition.shows_source:
        without_source = [i.id for i in items if not i.source.strip()]
        if without_source:
            file.fail(
                ("items",),
                f"{definition.items}: item {without_source[0]!r} has no source, and the block shows one.",
            )
    for number, question in enumerate(block.questions):
        place: Location = ("pages", index, "questions", number)
        for item in items:
            if question.text_field and not item.text_of(question.text_field).strip():
                file.fail(
                    place, f"{definition.items}: item {item.id!r} has no field {question.text_field!r}."
                )
            if not isinstance(question, Mcq):
                continue
            options = options_of(question, item)
            if len(options) < 2 or len(set(options)) < len(options):
                problem = f"{len(options)} options" if len(options) < 2 else "an option twice"
                file.fail(
                    place,
                    f"{definition.items}: item {item.id!r} has {problem} in {question.options_field!r}.",
                )
            key = item.text_of(question.key_field) if question.key_field else question.key
            if key and not key_letter(key, options):
                file.fail(
                    place,
                    f"{definition.items}: item {item.id!r}: the key {key[:40]!r} is none of its options.",
                )


def _not_among(value: str, allowed: Iterable[str]) -> str:
    words = list(allowed)
    return f"found {value[:40]!r}, expected one of {', '.join(words) or 'none'}.{did_you_mean(value, words)}"
