"""Marks that others collected as a study, and the marks of a study for other programs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from . import span_files
from .importing import Imported, Trial
from .marks import SOURCE, Mark, Span, from_json, to_json
from .span_files import TEXT, MarkedPair

if TYPE_CHECKING:
    from .definition.loading import Study
    from .store.answer_rows import AnswerRow

QUESTION = "marks"
_NOT_IN_WORDS = re.compile(r"[^A-Za-z0-9_-]+")
_NOT_IN_NAMES = re.compile(r"[|\[\]\n]+")


def read(form: str, path: str | Path, items: str | Path | None = None) -> Imported:
    """Marks of a file as a study: one item per text, one participant per annotator."""
    pairs = span_files.read(form, str(path), _text(path), (str(items), _text(items)) if items else None)
    if not pairs:
        raise InputError(f"{path}: no marked texts.")
    return _as_study(form, str(path), pairs)


def _text(path: str | Path) -> str:
    try:
        return Path(path).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InputError(f"{path}, line {line}: not UTF-8.") from None


def _as_study(form: str, path: str, pairs: Sequence[MarkedPair]) -> Imported:
    from .definition.items import Item

    systems = {p.system: _NOT_IN_NAMES.sub(" ", p.system).strip()[:80] or TEXT for p in pairs}
    # One person never sees an item twice; if they marked several versions of it, each is an item of its own.
    seen = {(p.annotator, p.item) for p in pairs}
    apart = len(seen) < len(pairs)
    categories = _words([m.category for p in pairs for m in p.marks])
    severities = list(dict.fromkeys(m.severity for p in pairs for m in p.marks if m.severity))
    found: dict[str, Item] = {}
    trials: dict[tuple[str, str], Trial] = {}
    for pair in pairs:
        system = systems[pair.system]
        key = f"{pair.item} ({system})" if apart else pair.item
        item = found.setdefault(key, Item(key, pair.source, {}))
        if item.source != pair.source or item.texts.setdefault(system, pair.text) != pair.text:
            raise InputError(f"{path}: item {pair.item!r} has two different texts for {pair.system!r}.")
        if (pair.annotator, key) in trials:
            raise InputError(
                f"{path}: {pair.annotator!r} marked item {pair.item!r} of {pair.system!r} twice."
            )
        marks = [
            Mark(
                categories[m.category],
                m.severity,
                tuple(Span(SOURCE if s.text == SOURCE else system, s.start, s.end) for s in m.spans),
            )
            for m in pair.marks
        ]
        raw = (
            json.dumps({"pair": [pair.item, pair.system, pair.annotator], **pair.extra}, ensure_ascii=False),
        )
        answer = (QUESTION, to_json(marks), None)
        trials[pair.annotator, key] = Trial(pair.annotator, key, system, (answer,), None, raw)
    with_source = all(i.source.strip() for i in found.values())
    question = {
        "id": QUESTION,
        "type": "spans",
        "text": "Mark the words.",
        "where": "both" if with_source else "text",
        "parts": True,
        "overlap": True,
        "most": 100,
        "severities": severities,
        "categories": [{"id": word, "text": name} for name, word in categories.items()] or [{"id": "mark"}],
    }
    definition: dict[str, Any] = {
        "id": f"{form}-marks",
        "title": "Marked texts",
        "mode": "live",
        "items": "items.jsonl",
        "conditions": list(dict.fromkeys(systems.values())),
        "incomplete": True,
        "design": {"per_participant": min(6, len(found)), "order": "random", "seed": 0},
        "pages": [
            {"kind": "consent", "title": "Before you begin", "text": "Imported answers."},
            {"kind": "block", "show": "source+text" if with_source else "text", "questions": [question]},
        ],
    }
    return Imported(form, (), definition, tuple(found.values()), tuple(trials.values()))


def _words(names: Sequence[str]) -> dict[str, str]:
    """An id for each name of a category, in the order in which they occur."""
    ids: dict[str, str] = {}
    for name in names:
        if name in ids:
            continue
        word = _NOT_IN_WORDS.sub("-", name).strip("-_")[:30]
        word = word if word[:1].isalpha() else f"c-{word}".rstrip("-")
        taken = set(ids.values())
        ids[name] = next(w for w in (word, *(f"{word}-{n}" for n in range(2, 10_000))) if w not in taken)
    return ids


def pairs_of(
    study: Study, rows: Sequence[AnswerRow], kept: Mapping[tuple[str, str], dict[str, Any]]
) -> list[MarkedPair]:
    """The marks of a study's counted answers; `kept` has the objects of an imported file by participant and item."""
    pairs: list[MarkedPair] = []
    questions = [q.id for q in study.definition.block_questions if q.type == "spans"]
    if not questions:
        raise InputError(f"{study.folder}: no question of its block asks for marks.")
    for row in rows:
        item = study.find_item(row.item)
        if row.page != "block" or not row.counted or row.question not in questions or item is None:
            continue
        by_text: dict[str, list[Mark]] = {c: [] for c in row.arm.split("|")}
        for mark in from_json(row.value):
            system = next((s.text for s in mark.spans if s.text != SOURCE), row.arm)
            spans = tuple(replace(s, text=SOURCE if s.text == SOURCE else TEXT) for s in mark.spans)
            by_text.setdefault(system, []).append(replace(mark, spans=spans))
        for system, marks in by_text.items():
            extra = dict(kept.get((row.participant, row.item), {}))
            key, name, person = extra.pop("pair", (row.item, system, row.participant))
            key = f"{key}/{row.question}" if len(questions) > 1 else key
            text = item.texts.get(system, "")
            pairs.append(MarkedPair(key, name, person, item.source, text, tuple(marks), extra))
    return pairs
