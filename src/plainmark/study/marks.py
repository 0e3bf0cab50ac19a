"""Marks in texts: words with a category and a severity, as people mark edits and errors.

The answer to a spans question is a JSON list, one object per mark:

    [{"category": "substitution", "severity": "major", "spans": [["source", 0, 17], ["system", 0, 11]]}]

A span has the text it is in ("source" or a condition), and its first and last character, the last one not included.
Characters are Unicode code points of the item's text. Marks stand in the order of their first spans.

A form holds marks in one of two ways: as the same JSON with numbers of texts in place of names, which the script of the
page writes; or, without scripts, as rows in which the words are typed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from .definition.questions import Spans
from .messages import ENGLISH, Messages

SOURCE = "source"
NOTHING = "[]"
MAX_FORM = 100_000  # characters
SPARE_ROWS = 3  # for typing, after those that are filled

_WORD = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"  # written without spaces
    r"|[^\W\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+(?:['’.,-]\w+)*"
    r"|[^\w\s]"
)


@dataclass(frozen=True)
class Span:
    """A stretch of one text."""

    text: str  # "source" or a condition
    start: int
    end: int


@dataclass(frozen=True)
class Mark:
    """What someone marked: one or more spans with a category and, if the question asks for it, a severity."""

    category: str
    severity: str
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class MarkedText:
    """A text of a page that can be marked."""

    number: int  # on the page, from 1
    name: str  # "source" or the condition
    label: str
    text: str


def pieces(text: str) -> list[tuple[int, int, str]]:
    """A text cut into words, punctuation marks and what is between them: start, end (0 if it is no word) and the piece."""
    cut: list[tuple[int, int, str]] = []
    at = 0
    for found in _WORD.finditer(text):
        if found.start() > at:
            cut.append((at, 0, text[at : found.start()]))
        cut.append((found.start(), found.end(), found[0]))
        at = found.end()
    if at < len(text):
        cut.append((at, 0, text[at:]))
    return cut


def to_json(marks: Sequence[Mark]) -> str:
    """Marks as they are stored."""
    rows = [
        {"category": m.category, "severity": m.severity, "spans": [[s.text, s.start, s.end] for s in m.spans]}
        for m in marks
    ]
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))


def from_json(value: str) -> list[Mark]:
    """Marks of a stored answer."""
    return [
        Mark(m["category"], m["severity"], tuple(Span(t, int(a), int(b)) for t, a, b in m["spans"]))
        for m in json.loads(value)
    ]


def read_marks(
    question: Spans,
    texts: Sequence[MarkedText],
    form: Mapping[str, str],
    name: str,
    messages: Messages = ENGLISH,
) -> tuple[list[Mark] | None, str]:
    """The marks of a form, or what is wrong with them. No marks and nothing ticked is None without a message."""
    written = form.get(name, "").strip()
    if written not in ("", NOTHING):
        marks, problem = _from_script(texts, written, messages)
    else:
        marks, problem = _from_rows(question, texts, form, name, messages)
    if problem:
        return None, problem
    if not marks:
        if question.least:
            return None, ""
        return ([], "") if form.get(f"{name}.nothing") else (None, "")
    ordered = _in_order(marks, texts)
    problem = problem_with(question, ordered, texts, messages)
    return (None, problem) if problem else (ordered, "")


def problem_with(
    question: Spans, marks: Sequence[Mark], texts: Sequence[MarkedText], messages: Messages = ENGLISH
) -> str:
    """What a participant must correct; empty if nothing."""
    if len(marks) > question.most:
        return messages("marks.too_many", count=question.most, made=len(marks))
    if len(marks) < question.least:
        return messages("marks.too_few", count=question.least, made=len(marks))
    by_name = {t.name: t for t in texts}
    for number, mark in enumerate(marks, 1):
        category = question.category(mark.category)
        if category is None:
            return messages("marks.no_kind", number=number)
        if question.severities and category.severity and mark.severity not in question.severities:
            return messages("marks.no_severity", number=number)
        if len(mark.spans) > 1 and not question.parts:
            return messages("marks.apart", number=number)
        sides = {"source" if s.text == SOURCE else "text" for s in mark.spans}
        if category.where == "both" and len(sides) < 2:
            return messages("marks.both", number=number)
        if category.where in ("source", "text") and sides != {category.where}:
            label = next((t.label for t in texts if (t.name == SOURCE) == (category.where == "source")), "")
            return messages("marks.elsewhere", number=number, kind=category.text or category.id, text=label)
        for span in mark.spans:
            text = by_name.get(span.text)
            if text is None or not 0 <= span.start < span.end <= len(text.text):
                return messages("marks.gone", number=number)
    for (i, one), (j, other) in combinations(enumerate(marks, 1), 2):
        if not question.overlap and _share(one.spans, other.spans):
            return messages("marks.shared", first=i, second=j)
    if any(_share((a,), (b,)) for m in marks for a, b in combinations(m.spans, 2)):
        return messages("marks.parts")
    return ""


def _share(some: Sequence[Span], others: Sequence[Span]) -> bool:
    return any(a.text == b.text and a.start < b.end and b.start < a.end for a in some for b in others)


def _in_order(marks: Sequence[Mark], texts: Sequence[MarkedText]) -> list[Mark]:
    order = {t.name: t.number for t in texts}

    def place(span: Span) -> tuple[int, int, int]:
        return order.get(span.text, 0), span.start, span.end

    sorted_marks = [Mark(m.category, m.severity, tuple(sorted(m.spans, key=place))) for m in marks]
    return sorted(sorted_marks, key=lambda m: place(m.spans[0]))


def _from_script(texts: Sequence[MarkedText], written: str, messages: Messages) -> tuple[list[Mark], str]:
    """Marks as the page's script writes them: [{"category": id, "severity": name, "spans": [[number, start, end]]}]."""
    again = messages("marks.unreadable")
    by_number = {t.number: t for t in texts}
    try:
        rows = json.loads(written) if len(written) <= MAX_FORM else None
    except (ValueError, RecursionError):
        return [], again
    if not isinstance(rows, list):
        return [], again
    marks = []
    for row in rows:
        spans = row.get("spans") if isinstance(row, dict) else None
        if not isinstance(spans, list) or not spans:
            return [], again
        read = [_span(by_number, span) for span in spans]
        if any(span is None for span in read):
            return [], again
        category, severity = row.get("category", ""), row.get("severity", "")
        if not isinstance(category, str) or not isinstance(severity, str):
            return [], again
        marks.append(Mark(category, severity, tuple(s for s in read if s is not None)))
    return marks, ""


def _span(texts: Mapping[int, MarkedText], span: Any) -> Span | None:
    if not (isinstance(span, list) and len(span) == 3 and all(type(x) is int for x in span)):
        return None
    text = texts.get(span[0])
    if text is None or not 0 <= span[1] < span[2] <= len(text.text):
        return None
    return Span(text.name, span[1], span[2])


def _from_rows(
    question: Spans,
    texts: Sequence[MarkedText],
    form: Mapping[str, str],
    name: str,
    messages: Messages,
) -> tuple[list[Mark], str]:
    """Marks that were typed: the words in each text (one part per line), a category and a severity in each row."""
    marks = []
    for row in range(1, question.most + 1):
        typed = {t.name: form.get(f"{name}.{row}.{t.number}", "") for t in texts}
        if not any(v.strip() for v in typed.values()):
            continue
        spans: list[Span] = []
        for text in texts:
            for line in typed[text.name].replace("\r", "\n").split("\n"):
                if not line.strip():
                    continue
                span = find(text, line, spans)
                if span is None:
                    words = " ".join(line.split())
                    return (
                        [],
                        messages("marks.not_found", number=row, words=words[:60]),
                    )
                spans.append(span)
        severity = form.get(f"{name}.{row}.severity", "")
        marks.append(Mark(form.get(f"{name}.{row}.category", ""), severity, tuple(spans)))
    return marks, ""


_PLACE = re.compile(r"(.*\S)\s*#(\d{1,3})\s*", re.DOTALL)


def find(text: MarkedText, words: str, taken: Sequence[Span] = ()) -> Span | None:
    """Where words stand in a text; their second place is "words #2". White space and capitals need not agree.

    Without a number, the first place that is not among the `taken` ones.
    """
    numbered = _PLACE.fullmatch(words.strip())
    wanted = int(numbered[2]) if numbered else 0
    plain = numbered[1] if numbered else words
    pattern = r"\s+".join(re.escape(w) for w in plain.split())
    places = [Span(text.name, m.start(), m.end()) for m in re.finditer(pattern, text.text, re.IGNORECASE)]
    whole = [s for s in places if _at_word_ends(text.text, s)] or places
    if wanted:
        return whole[wanted - 1] if wanted <= len(whole) else None
    return next((s for s in whole if not _share((s,), taken)), None)


def _at_word_ends(text: str, span: Span) -> bool:
    inside = (text[span.start - 1 : span.start + 1], text[span.end - 1 : span.end + 1])
    return not any(len(pair) == 2 and pair.isalnum() for pair in inside)
