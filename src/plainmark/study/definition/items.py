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

LARGEST_FILE = 64 * 2**20
LONGEST_TEXT = 100_000
LONGEST_ID = 400
MOST_ITEMS = 200_000
_SEPARATOR = "|"  # between the options of a CSV cell


@dataclass(frozen=True)
class Item:
    """One thing to judge: its source, its text in each condition, and any other fields."""

    id: str
    source: str = ""
    texts: dict[str, str] = field(default_factory=dict)
    fields: dict[str, Any] = field(default_factory=dict)

    def text_of(self, name: str) -> str:
        """A field as text; empty if it is not there."""
        value = self.fields.get(name, "")
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

    def list_of(self, name: str) -> list[str]:
        """A field as a list; the cell of a CSV file is divided at |."""
        value = self.fields.get(name, [])
        if isinstance(value, str):
            return [part.strip() for part in value.split(_SEPARATOR)] if value.strip() else []
        return [str(v) for v in value] if isinstance(value, list) else []


def inside(folder: Path, name: str) -> Path:
    """A file of the study's folder; anything that leads out of it is refused."""
    path = (folder / name).resolve()
    if Path(name).is_absolute() or not path.is_relative_to(folder.resolve()):
        raise DefinitionError(f"{name}: leads out of the study's folder; put the file beside study.yaml.")
    if not path.is_file():
        raise DefinitionError(f"{name}: no such file in {folder}.")
    if path.stat().st_size > LARGEST_FILE:
        raise DefinitionError(f"{name}: {path.stat().st_size:,} bytes, expected at most {LARGEST_FILE:,}.")
    return path


def read_items(
    folder: Path, name: str, conditions: Iterable[str], texts: dict[str, str], *, incomplete: bool = False
) -> list[Item]:
    """All items; that each has a text for every condition is checked, and the first that has not is named."""
    conditions = list(conditions)
    out: list[Item] = []
    seen: dict[str, str] = {}
    for where, row in _rows(inside(folder, name), name):
        item = _item(where, row, conditions)
        if item.id in seen:
            raise DefinitionError(f"{where}: item {item.id!r} is already at {seen[item.id]}.")
        seen[item.id] = where
        out.append(item)
        if len(out) > MOST_ITEMS:
            raise DefinitionError(f"{name}: more than {MOST_ITEMS:,} items.")
    if not out:
        raise DefinitionError(f"{name}: no items.")
    for condition, file in texts.items():
        for item, text in zip(out, _column(folder, file, out), strict=True):
            item.texts[condition] = text
    if "source" in conditions:  # the source itself may be a condition, without being written twice
        for item in out:
            item.texts.setdefault("source", item.source)
    lacking = [(c, [i.id for i in out if not i.texts.get(c, "").strip()]) for c in conditions]
    for condition, ids in lacking:
        if ids and (not incomplete or len(ids) == len(out)):
            more = f" and {len(ids) - 3} more" if len(ids) > 3 else ""
            raise DefinitionError(
                f"{texts.get(condition, name)}: no text for condition {condition!r} of item"
                f"{'s' if len(ids) > 1 else ''} {', '.join(map(repr, ids[:3]))}{more}."
            )
    return out


def _item(where: str, row: dict[str, Any], conditions: list[str]) -> Item:
    known = dict(row)
    given = known.pop("texts", {})
    if not isinstance(given, dict):
        raise DefinitionError(f"{where}: texts must be an object, condition to text.")
    texts = {c: known.pop(c) for c in conditions if isinstance(known.get(c), str)} | given
    number = known.pop("id", "")
    source = known.pop("source", "")
    for key, value in [("id", number), ("source", source), *texts.items()]:
        if not isinstance(value, str) and not (key == "id" and isinstance(value, int)):
            raise DefinitionError(f"{where}: {key} is {type(value).__name__}, expected text.")
        if len(str(value)) > LONGEST_TEXT:
            raise DefinitionError(
                f"{where}: {key} has {len(str(value)):,} characters, expected at most {LONGEST_TEXT:,}."
            )
    if not str(number).strip():
        raise DefinitionError(f"{where}: no id.")
    if len(str(number)) > LONGEST_ID:
        raise DefinitionError(
            f"{where}: the id has {len(str(number)):,} characters, expected at most {LONGEST_ID}."
        )
    return Item(str(number), source, texts, known)


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
                where = f"{name}, line {reader.line_num}"
                if None in row or None in row.values():
                    raise DefinitionError(
                        f"{where}: not as many cells as the {len(reader.fieldnames or ())} columns."
                    )
                yield where, dict(row)
    except csv.Error as problem:
        raise DefinitionError(f"{name}: {problem}.") from None
    except InputError as problem:
        raise DefinitionError(str(problem).replace(str(path), name)) from None


def _object(line: str, where: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as problem:
        raise DefinitionError(f"{where}: not JSON ({problem}).") from None
    if not isinstance(row, dict):
        raise DefinitionError(f"{where}: found {type(row).__name__}, expected an object.")
    return row


def _column(folder: Path, name: str, items: list[Item]) -> list[str]:
    """The texts of one condition, in the order of the items."""
    path = inside(folder, name)
    if path.suffix.lower() in (".jsonl", ".csv", ".tsv"):
        found = {str(row.get("id", "")): row.get("text") for _, row in _rows(path, name)}
        return [text if isinstance(text := found.get(item.id), str) else "" for item in items]
    try:
        with open_text(str(path)) as lines:
            out = [line.rstrip("\n") for line in lines]
    except InputError as problem:
        raise DefinitionError(str(problem).replace(str(path), name)) from None
    if len(out) != len(items):
        raise DefinitionError(f"{name}: {len(out)} lines, but there are {len(items)} items.")
    return out
