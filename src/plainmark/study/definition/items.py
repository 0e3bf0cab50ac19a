"""Items of a study: JSON lines, CSV or TSV beside the definition, never outside its folder."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...errors import DefinitionError, InputError
from ...files import open_text
from .pages import BlockPage
from .questions import Mcq, Multiselect, YesNo, letter

MAX_FILE = 64 * 2**20
MAX_TEXT = 100_000
MAX_ID = 400
MAX_ITEMS = 200_000
_SEPARATOR = "|"  # between the options of a CSV cell


@dataclass(frozen=True)
class Item:
    """One thing to judge: its source, its text in each condition, and any other fields."""

    id: str
    source: str = ""
    texts: dict[str, str] = field(default_factory=dict)
    fields: dict[str, Any] = field(default_factory=dict)

    def text_of(self, name: str) -> str:
        """A field as text; empty if it is missing."""
        value = self.fields.get(name, "")
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

    def list_of(self, name: str) -> list[str]:
        """A field as a list; the cell of a CSV file is split at |."""
        value = self.fields.get(name, [])
        if isinstance(value, str):
            return [part.strip() for part in value.split(_SEPARATOR)] if value.strip() else []
        return [str(v) for v in value] if isinstance(value, list) else []


def chosen_items(items: Iterable[Item], block: BlockPage) -> list[Item]:
    """The items that a block is about."""
    choice = block.items
    return [i for i in items if choice is None or i.text_of(choice.field) in choice.equals]


def path_inside(folder: Path, name: str) -> Path:
    """A file of the study's folder; anything that leads out of it is refused."""
    path = (folder / name).resolve()
    if Path(name).is_absolute() or not path.is_relative_to(folder.resolve()):
        raise DefinitionError(f"{name}: leads out of the study's folder; put the file beside study.yaml.")
    if not path.is_file():
        raise DefinitionError(f"{name}: no such file in {folder}.")
    if path.stat().st_size > MAX_FILE:
        raise DefinitionError(f"{name}: {path.stat().st_size:,} bytes, expected at most {MAX_FILE:,}.")
    return path


def read_items(
    folder: Path, name: str, conditions: Iterable[str], texts: dict[str, str], *, incomplete: bool = False
) -> list[Item]:
    """All items, each with a text for every condition unless `incomplete`."""
    conditions = list(conditions)
    items: list[Item] = []
    seen: dict[str, str] = {}
    for place, row in _rows(path_inside(folder, name), name):
        item = _item(place, row, conditions)
        if item.id in seen:
            raise DefinitionError(f"{place}: item {item.id!r} is already at {seen[item.id]}.")
        seen[item.id] = place
        items.append(item)
        if len(items) > MAX_ITEMS:
            raise DefinitionError(f"{name}: more than {MAX_ITEMS:,} items.")
    if not items:
        raise DefinitionError(f"{name}: no items.")
    for condition, file in texts.items():
        for item, text in zip(items, _column(folder, file, items), strict=True):
            item.texts[condition] = text
    if "source" in conditions:  # the source itself may be a condition, without being written twice
        for item in items:
            item.texts.setdefault("source", item.source)
    missing = [(c, [i.id for i in items if not i.texts.get(c, "").strip()]) for c in conditions]
    for condition, ids in missing:
        if ids and (not incomplete or len(ids) == len(items)):
            more = f" and {len(ids) - 3} more" if len(ids) > 3 else ""
            raise DefinitionError(
                f"{texts.get(condition, name)}: no text for condition {condition!r} of item"
                f"{'s' if len(ids) > 1 else ''} {', '.join(map(repr, ids[:3]))}{more}."
            )
    return items


def _item(place: str, row: dict[str, Any], conditions: list[str]) -> Item:
    fields = dict(row)
    texts = fields.pop("texts", {})
    if not isinstance(texts, dict):
        raise DefinitionError(f"{place}: texts must be an object, condition to text.")
    texts = {c: fields.pop(c) for c in conditions if isinstance(fields.get(c), str)} | texts
    identifier = fields.pop("id", "")
    source = fields.pop("source", "")
    for key, value in [("id", identifier), ("source", source), *texts.items()]:
        if not isinstance(value, str) and not (key == "id" and isinstance(value, int)):
            raise DefinitionError(f"{place}: {key} is {type(value).__name__}, expected text.")
        if len(str(value)) > MAX_TEXT:
            raise DefinitionError(
                f"{place}: {key} has {len(str(value)):,} characters, expected at most {MAX_TEXT:,}."
            )
    if not str(identifier).strip():
        raise DefinitionError(f"{place}: no id.")
    if len(str(identifier)) > MAX_ID:
        raise DefinitionError(
            f"{place}: the id has {len(str(identifier)):,} characters, expected at most {MAX_ID}."
        )
    return Item(str(identifier), source, texts, fields)


def _rows(path: Path, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    suffix = path.suffix.lower()
    if suffix not in (".jsonl", ".csv", ".tsv"):
        raise DefinitionError(f"{name}: found {suffix or 'no suffix'}, expected .jsonl, .csv or .tsv.")
    try:
        with open_text(str(path)) as lines:
            if suffix == ".jsonl":
                for number, line in enumerate(lines, 1):
                    if line.strip():
                        yield f"{name}, line {number}", _object(line, f"{name}, line {number}")
                return
            reader = csv.DictReader(lines, delimiter="\t" if suffix == ".tsv" else ",", strict=True)
            for row in reader:
                place = f"{name}, line {reader.line_num}"
                if None in row or None in row.values():
                    raise DefinitionError(
                        f"{place}: not as many cells as the {len(reader.fieldnames or ())} columns."
                    )
                yield place, dict(row)
    except csv.Error as error:
        raise DefinitionError(f"{name}: {error}.") from None
    except InputError as error:
        raise DefinitionError(str(error).replace(str(path), name)) from None


def _object(line: str, place: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DefinitionError(f"{place}: not JSON ({error}).") from None
    if not isinstance(row, dict):
        raise DefinitionError(f"{place}: found {type(row).__name__}, expected an object.")
    return row


def _column(folder: Path, name: str, items: list[Item]) -> list[str]:
    """The texts of one condition, in the order of the items."""
    path = path_inside(folder, name)
    if path.suffix.lower() in (".jsonl", ".csv", ".tsv"):
        by_id = {str(row.get("id", "")): row.get("text") for _, row in _rows(path, name)}
        return [text if isinstance(text := by_id.get(item.id), str) else "" for item in items]
    try:
        with open_text(str(path)) as lines:
            texts = [line.rstrip("\n") for line in lines]
    except InputError as error:
        raise DefinitionError(str(error).replace(str(path), name)) from None
    if len(texts) != len(items):
        raise DefinitionError(f"{name}: {len(texts)} lines, but there are {len(items)} items.")
    return texts


def options_of(question: Mcq | Multiselect, item: Item | None) -> list[str]:
    """The options of a question: its own, or the item's."""
    if question.options_field and item is not None:
        return item.list_of(question.options_field)
    return list(question.options)


def key_of(question: Mcq | Multiselect | YesNo, item: Item | None) -> str:
    """The correct answer as it is stored; empty if the question has no key."""
    if isinstance(question, YesNo):
        return question.key
    if isinstance(question, Multiselect):
        options = options_of(question, item)
        keys = {key_letter(key, options) for key in question.key}
        return ";".join(name for name in (letter(i) for i in range(len(options))) if name in keys)
    key = item.text_of(question.key_field) if question.key_field and item is not None else question.key
    return key_letter(key, options_of(question, item)) if key else ""


def key_letter(key: str, options: list[str]) -> str:
    """The letter of a key that is written as a letter or as the text of an option."""
    letters = [letter(i) for i in range(len(options))]
    if key in letters:
        return key
    return next((n for n, o in zip(letters, options, strict=True) if o.strip() == key.strip()), "")
