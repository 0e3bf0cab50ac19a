"""The editor without JavaScript: a form with two texts and targets, answered with marked text, cards and facts."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request

from ...faithfulness import VERDICTS
from ..playground.jobs import JobResult
from ..playground.requests import MAX_TEXT, normalize
from ..security import content_type

_MAX_PART = 8_000_000  # bytes; the middleware refuses larger bodies before
_NUMBERS = {"grade": float, "max_sentence": int, "max_passive": float}
_NAMES = {"grade": "School grade", "max_sentence": "Longest sentence", "max_passive": "Passive sentences"}


@dataclass(frozen=True)
class EditorForm:
    """The contents of the page: texts, targets as they were typed, the word list, and errors."""

    text: str = ""
    original: str = ""
    grade: str = ""
    cefr: str = ""
    max_sentence: str = ""
    max_passive: str = ""
    words: str = ""
    name: str = ""
    problem: str = ""


@dataclass(frozen=True)
class Mark:
    """A piece of the text, and the numbers of the cards that belong to it."""

    text: str
    cards: tuple[int, ...] = ()
    severity: str = ""


@dataclass(frozen=True)
class FormResult:
    """The answer to the form."""

    pieces: Sequence[Mark] = ()
    cards: Sequence[dict[str, Any]] = ()
    measures: dict[str, Any] = field(default_factory=dict)
    targets: Sequence[dict[str, Any]] = ()
    costly: Sequence[dict[str, Any]] = ()
    facts: Sequence[dict[str, Any]] = ()
    notes: Sequence[str] = ()
    problem: str = ""


async def read_form(
    request: Request, run_job: Callable[[Request, str, bytes], Awaitable[JobResult]]
) -> tuple[EditorForm, int]:
    """The form of a request, and its status; a worker reads the files."""
    if content_type(request) not in ("multipart/form-data", "application/x-www-form-urlencoded"):
        raise HTTPException(415, "expected a form")
    values: dict[str, str] = {}
    problem, status = "", 200
    known = EditorForm.__dataclass_fields__.keys() - {"problem"}
    async with request.form(max_files=5, max_fields=40, max_part_size=_MAX_PART) as fields:
        for name, value in fields.multi_items():
            target = name.removesuffix("_file")
            if target not in known:
                continue
            if not isinstance(value, UploadFile):
                values[name] = str(normalize(value))
            elif value.filename:
                body = value.filename.replace("\0", "").encode() + b"\0" + await value.read()
                result = await run_job(request, "open", body)
                answer = json.loads(result.body)
                if result.status == 200:
                    values[target] = answer["text"]
                else:
                    problem, status = answer["error"], result.status
    form = EditorForm(**{k: v for k, v in values.items() if k in known})
    for name in ("text", "original"):
        if len(getattr(form, name)) > MAX_TEXT:
            title = "Your text" if name == "text" else "The original"
            problem = (
                f"{title} has {len(getattr(form, name)):,} characters, expected at most {MAX_TEXT:,}. Take a part of it;"
                " `plainmark check` takes texts of any length."
            )
            return replace(form, problem=problem), 413
    return replace(form, problem=problem), status


async def show_result(form: EditorForm, run: Callable[[str, bytes], Awaitable[JobResult]]) -> FormResult:
    """The findings in the form's text, and the facts of both texts."""
    targets: dict[str, Any] = {"cefr": form.cefr or None}
    for name, kind in _NUMBERS.items():
        typed = getattr(form, name).strip()
        try:
            targets[name] = kind(typed) if typed else None
        except ValueError:
            return FormResult(problem=f"{_NAMES[name]} is {typed[:40]!r}, expected a number.")
    result = await run("check", _json({"text": form.text, "targets": targets, "words": form.words}))
    answer = json.loads(result.body)
    if result.status != 200:
        return FormResult(problem=answer["error"])
    cards = [
        finding
        | {
            "number": number,
            "quote": form.text[finding["start"] : finding["end"]],
            "name": answer["rules"][finding["rule"]]["name"],
        }
        for number, finding in enumerate(answer["findings"], 1)
    ]
    costly = [row | {"text": form.text[row["start"] : row["end"]]} for row in answer["costly"]]
    notes = [*answer["notes"], *([answer["word_problem"]] if answer["word_problem"] else [])]
    facts: list[dict[str, Any]] = []
    if form.original.strip() and form.text.strip():
        result = await run("facts", _json({"source": form.original, "output": form.text}))
        compared = json.loads(result.body)
        if result.status == 200:
            facts = sorted(compared["entries"], key=lambda entry: VERDICTS.index(entry["verdict"]))
            notes += compared["notes"]
        else:
            notes.append(compared["error"])
    return FormResult(
        _pieces(form.text, cards), cards, answer["measures"], answer["targets"], costly, facts, notes
    )


def _pieces(text: str, cards: Sequence[dict[str, Any]]) -> list[Mark]:
    """The text, cut at the boundaries of marks; the number of a card follows its last piece."""
    edges = sorted({0, len(text), *(c["start"] for c in cards), *(c["end"] for c in cards)})
    inside: list[dict[str, Any]] = []
    ahead = sorted(cards, key=lambda c: c["start"], reverse=True)
    out = []
    for start, end in pairwise(edges):
        while ahead and ahead[-1]["start"] <= start:
            inside.append(ahead.pop())
        inside = [c for c in inside if c["end"] > start]
        severity = next((c["severity"] for c in inside), "")
        out.append(Mark(text[start:end], tuple(c["number"] for c in inside if c["end"] == end), severity))
    return out


def _json(data: object) -> bytes:
    return json.dumps(data).encode()
