"""The data dictionary of a study: what every column of its exports means, and every question with its answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from .definition.items import key_of
from .definition.loading import Study
from .definition.pages import BlockPage, RecallPage
from .definition.questions import Likert, Mcq, Question, Slider, YesNo, answers_of
from .pages import questions_of

# Columns of answers: name, type, meaning. Types: text, integer, number, true or false; "or empty" where it may be missing.
ANSWERS: dict[str, tuple[str, str]] = {
    "participant": (
        "text",
        "id of the participant: the same on the dashboard, in reports, in exports and for purge",
    ),
    "mode": ("text", "pilot or live"),
    "revision": ("integer", "number of the revision of the definition that was answered"),
    "page": (
        "text",
        "kind of page: consent, practice, block (a trial), attention, survey, recall (later sessions)",
    ),
    "order": (
        "integer",
        "place of the trial among the participant's trials in the session, from 1; 0 on other pages",
    ),
    "item": ("text", "id of the item; empty outside trials"),
    "condition": ("text", "condition of the text that the answer is about"),
    "arm": (
        "text",
        "what the page showed of the item: a condition, a pair as one|other, or all",
    ),
    "replicate": ("integer or empty", "which of the planned readings of the item in this arm it is, from 0"),
    "question": ("text", "id of the question; of a grid or ranking, with [n] for the n-th text"),
    "target": ("text", "of a grid or ranking: the condition or option that is rated or ranked"),
    "value": ("text", "the answer as it is stored: a letter, a number, yes or no, a condition, or text"),
    "answer": ("text", "the answer in words: the text of the option"),
    "correct": (
        "true or false, or empty",
        "whether the answer is the right one; empty if the question has no right answer",
    ),
    "shown": ("integer or empty", "place on the screen of the chosen option, from 1"),
    "position": ("integer", "number of the page among all pages of the participant, from 0"),
    "seconds": ("number or empty", "from opening the page to sending it, by the server's clock"),
    "client_seconds": (
        "number or empty",
        "from loading the page to sending it, by the participant's browser",
    ),
    "reading_seconds": (
        "number or empty",
        "from opening the text to going on to its questions, where texts have a page of their own",
    ),
    "opened": ("text", "when the page was opened, UTC"),
    "submitted": ("text", "when the page was sent, UTC"),
    "device": ("text", "phone, tablet or desktop; empty if unknown"),
    "viewport": ("text", "width x height of the window in CSS pixels, rounded to tens"),
    "asked": ("true or false", "whether the question was to be asked (show_if)"),
    "late": ("true or false", "whether the answer came after the trial had been given to somebody else"),
    "surplus": ("true or false", "whether the trial is beyond the design"),
    "outcome": ("text", "how the participant ended: complete, screened_out, ...; empty: not finished"),
    "review": ("text", "accepted, rejected, or empty"),
    "counted": (
        "true or false",
        "whether results may use it: asked, not late, not of a participant whose work was rejected",
    ),
    "flags": ("text", "flags of the participant, separated by ;"),
    "block": ("text", "id of the block; of a recall page, of the block in which the item was read"),
    "session": ("integer", "1, or the later session in which the answer was given"),
}

PARTICIPANTS: dict[str, tuple[str, str]] = {
    "participant": ("text", "id of the participant, as in the answers"),
    "outcome": ("text", "how the participant ended: complete, screened_out, ...; empty: not finished"),
    "review": ("text", "accepted, rejected, or empty"),
    "minutes": ("number or empty", "from the first page to the end"),
    "trials": ("integer", "trials answered"),
    "trial_seconds": ("number or empty", "median seconds of a trial"),
    "reading_seconds": ("number or empty", "median seconds of a text on a page of its own"),
    "devices": ("text", "devices that were used, separated by ;"),
    "duplicate_of": (
        "text",
        "pilot or live if the same person took part there, or the id of an earlier participant who wrote the same",
    ),
    "sessions": ("integer", "sessions that the participant finished"),
    "delay_hours": (
        "number or empty",
        "hours from the end of a session to the beginning of the next, of the last that was begun",
    ),
    "flags": ("text", "flags, separated by ;"),
    "excluded": (
        "text",
        "rules of the definition that exclude the participant from the analysis, separated by ;",
    ),
}


@dataclass(frozen=True)
class AskedQuestion:
    """A question of the definition, with the values that its answers can have."""

    id: str
    page: str
    type: str
    text: str
    answers: dict[str, str]  # value -> in words; empty for numbers and text
    scale: str  # of numbers: smallest to largest
    key: str  # the right answer, or where it is
    shown_if: str
    block: str = ""
    session: int = 1


def codebook(study: Study) -> dict[str, Any]:
    """The data dictionary as plain dictionaries and lists, as the JSON file has it."""
    definition = study.definition
    return {
        "study": definition.id,
        "title": definition.title,
        "revision": study.digest,
        "conditions": list(definition.conditions),
        "baseline": definition.baseline,
        "items": len(study.items),
        "files": {
            "answers": _columns(ANSWERS),
            "participants": _columns(PARTICIPANTS),
        },
        "questions": [asdict(q) for q in _questions(study)],
    }


def as_json(study: Study) -> str:
    """The data dictionary as a JSON document."""
    return json.dumps(codebook(study), ensure_ascii=False, indent=1) + "\n"


def as_markdown(study: Study) -> str:
    """The data dictionary as Markdown."""
    book = codebook(study)
    lines = [
        f"# Codebook: {_cell(book['title'])}",
        "",
        f"Study {book['study']}, revision `{book['revision'][:12]}`: {book['items']} items in the conditions"
        f" {', '.join(map(_cell, book['conditions']))}; the baseline is {_cell(book['baseline'])}.",
        "",
        "Files are CSV in UTF-8 with one header line. Truth values are written True and False, missing values are empty. A text"
        " that begins with =, +, - or @ has an apostrophe before it, so that no spreadsheet takes it for a formula.",
    ]
    for name, about in (("answers", "one row per answer"), ("participants", "one row per participant")):
        lines += ["", f"## {name.capitalize()}: {about}", "", "| column | type | meaning |", "|---|---|---|"]
        lines += [f"| {c['name']} | {c['type']} | {_cell(c['meaning'])} |" for c in book["files"][name]]
    lines += ["", "## Questions"]
    for asked in book["questions"]:
        where = f"block {asked['block']}" if asked["block"] and asked["page"] == "block" else asked["page"]
        where += f" of session {asked['session']}" if asked["session"] > 1 else ""
        lines += ["", f"### {asked['id']} ({where}, {asked['type']})", "", _cell(asked["text"])]
        facts = [f"{name}: {asked[name]}" for name in ("scale", "key") if asked[name]]
        facts += [f"asked only if {asked['shown_if']}"] if asked["shown_if"] else []
        if facts:
            lines += ["", *(f"- {_cell(a)}" for a in facts)]
        if asked["answers"]:
            lines += ["", "| value | answer |", "|---|---|"]
            lines += [f"| {_cell(value)} | {_cell(text)} |" for value, text in asked["answers"].items()]
    return "\n".join(lines) + "\n"


def _columns(table: dict[str, tuple[str, str]]) -> list[dict[str, str]]:
    return [{"name": name, "type": kind, "meaning": about} for name, (kind, about) in table.items()]


def _questions(study: Study) -> Iterator[AskedQuestion]:
    definition = study.definition
    for page in definition.pages:
        if page.kind == "consent":
            answers = {"yes": page.agree, "no": page.decline}
            yield AskedQuestion("consent", "consent", "yesno", page.title or page.text, answers, "", "", "")
        block = page.id if isinstance(page, BlockPage) else ""
        for question in questions_of(page):
            yield replace(_asked(study, page.kind, question), block=block)
    for check in definition.checks.attention:
        for question in check.asked:
            yield _asked(study, "attention", question)
    for number, session in enumerate(definition.sessions, 2):
        for later in session.pages:
            recalled = definition.recalled(later) if isinstance(later, RecallPage) else None
            block = recalled.id if recalled else ""
            for question in recalled.questions if recalled else later.questions:
                yield replace(_asked(study, later.kind, question), block=block, session=number)


def _asked(study: Study, page: str, question: Question) -> AskedQuestion:
    answers: dict[str, str] = {}
    scale = key = ""
    if isinstance(question, Mcq):
        values = answers_of(question) or []
        texts = [*question.options, *([question.unanswerable] if question.unanswerable else [])]
        answers = dict(zip(values, texts, strict=True))
        if question.options_field:
            answers = {
                "A, B, ...": f"the options in the item's field {question.options_field}, in their order"
            } | answers
        key = (
            f"in the item's field {question.key_field}"
            if question.key_field
            else key_of(question, None) or question.key
        )
    elif isinstance(question, YesNo):
        answers, key = dict(zip(("yes", "no"), question.labels, strict=False)), question.key
    elif isinstance(question, Likert) and len(question.labels) == question.high - question.low + 1:
        answers = dict(zip(answers_of(question) or [], question.labels, strict=True))
    else:
        low, high = getattr(question, "low", None), getattr(question, "high", None)
        scale = f"{low} to {high}" if low is not None and high is not None else ""
        labels = getattr(question, "labels", ())
        scale += (
            f" ({labels[0]} to {labels[-1]})"
            if scale and labels and isinstance(question, (Likert, Slider))
            else ""
        )
    text = question.text or f"the item's field {question.text_field}"
    condition = question.show_if
    shown_if = f"{condition.question} is {' or '.join(condition.equals)}" if condition else ""
    return AskedQuestion(question.id, page, question.type, text, answers, scale, key, shown_if)


def _cell(text: str) -> str:
    """Text on one line that cannot end a table cell or start markup."""
    line = " ".join(text.split())
    return "".join(f"\\{c}" if c in "|\\`*_<[#" else c for c in line)
