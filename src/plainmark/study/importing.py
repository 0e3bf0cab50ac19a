"""Studies that others ran, converted into a study of plainmark: its folder, its items, and every answer in its store.

Rows are stored as they were, character for character, so that the export in the same format is the same file. Duplicated
cells are surplus answers, missing cells stay open.

    ats-eval     Agrawal and Carpuat 2024: one row per passage and system, three questions, no participants
    onestop-qa   Berzak et al. 2020, in the laboratory: one row per question, twelve participants
"""

from __future__ import annotations

import ast
import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import InputError, OptionError, did_you_mean

if TYPE_CHECKING:
    from .definition.items import Item

Fields = dict[str, str]
N = TypeVar("N", int, float)
MARK_FORMATS = ("thresh", "label-studio", "potato")  # read by span_files.py


@dataclass(frozen=True)
class Trial:
    """One row: what one person answered to one item in one condition."""

    participant: str
    item: str
    arm: str
    answers: tuple[tuple[str, str, int | None], ...]  # question, value, place on the screen
    seconds: float | None
    raw: tuple[str, ...]


@dataclass(frozen=True)
class Imported:
    """A whole file: a definition, its items, and the trials in their order."""

    format: str
    header: tuple[str, ...]
    definition: dict[str, Any]
    items: tuple[Item, ...]
    trials: tuple[Trial, ...] = field(repr=False)
    people: bool = True  # whether the file identifies participants


@dataclass(frozen=True)
class Format:
    """A file format that can be read and written without loss."""

    name: str
    about: str
    separator: str
    columns: tuple[str, ...]  # required
    read: Callable[[Sequence[Fields], Sequence[tuple[str, ...]]], Imported]


NOT_SUPPORTED = "The question or the answer options are not supported by the passage."
_QUESTIONS = (1, 2, 3)
_CONSENT = {"kind": "consent", "title": "Before you begin", "text": "Imported answers."}


def _ats_eval(rows: Sequence[Fields], raw: Sequence[tuple[str, ...]]) -> Imported:
    from .definition.items import Item

    items: dict[str, Item] = {}
    systems: list[str] = []
    trials = []
    for number, row in enumerate(rows, 1):
        key = f"{row['article_id']}/{row['para_id']}"
        system = row["Model"]
        if system not in systems:
            systems.append(system)
        fields: dict[str, Any] = {"title": row["title"]}
        answers = []
        for k in _QUESTIONS:
            options = _listed(row, f"all_options_{k}", number)
            fields |= {f"question_{k}": row[f"question_{k}"], f"options_{k}": options}
            if row[f"correct_answer_{k}"].strip() != options[0].strip():
                raise _RowError(
                    number,
                    f"correct_answer_{k}",
                    f"the right answer of question {k} is not the first option.",
                )
            answers.append((f"q{k}", _letter_of(row, f"answer_{k}", options, number), None))
        item = items.setdefault(key, Item(key, "", {}, fields))
        if item.fields != fields or item.texts.setdefault(system, row["paragraph"]) != row["paragraph"]:
            raise _RowError(
                number,
                _differing(item.fields, fields),
                f"item {key} differs from an earlier row of the same item.",
            )
        trials.append(Trial(f"row {number}", key, system, tuple(answers), None, raw[number - 1]))
    question = {"type": "mcq", "key": "A", "unanswerable": NOT_SUPPORTED}
    definition = {
        "id": "ats-eval",
        "title": "Reading comprehension of simplified paragraphs",
        "mode": "live",
        "items": "items.jsonl",
        "conditions": systems,
        "original": "Original" if "Original" in systems else "",
        "references": [s for s in ("Elementary",) if s in systems],
        "incomplete": True,
        "design": {"per_participant": min(6, len(items)), "order": "random", "seed": 0},
        "pages": [
            _CONSENT,
            {
                "kind": "block",
                "show": "text",
                "questions": [
                    {
                        "id": f"q{k}",
                        "text_field": f"question_{k}",
                        "options_field": f"options_{k}",
                        **question,
                    }
                    for k in _QUESTIONS
                ],
            },
        ],
    }
    return Imported("ats-eval", (), definition, tuple(items.values()), tuple(trials), people=False)


def _onestop_qa(rows: Sequence[Fields], raw: Sequence[tuple[str, ...]]) -> Imported:
    from .definition.items import Item
    from .definition.questions import letter

    items: dict[str, Item] = {}
    levels: list[str] = []
    trials = []
    for number, row in enumerate(rows, 1):
        key, _, level = row["item_id"].rpartition("_")
        if level not in levels:
            levels.append(level)
        options = row["options"].split("|")
        fields = {
            "question": row["question"],
            "options": [o.strip() for o in options],
            "corpus": row["source"],
        }
        item = items.setdefault(key, Item(key, "", {}, fields))
        if item.fields != fields or item.texts.setdefault(level, row["paragraph"]) != row["paragraph"]:
            raise _RowError(
                number,
                _differing(item.fields, fields),
                f"item {key} differs from an earlier row of the same item.",
            )
        order = [_number(i, int, number, "new_options") for i in row["new_options"].split("|")]
        option = _number(row["answer_response"], int, number, "answer_response")
        seconds = _number(row["RT"], float, number, "RT") / 1000
        if option not in order:
            raise _RowError(number, "answer_response", f"{option} is not one of new_options.")
        place = order.index(option) + 1
        person = f"submission {row['submission_ind']}"
        trials.append(Trial(person, key, level, (("q1", letter(option), place),), seconds, raw[number - 1]))
    definition = {
        "id": "onestop-qa",
        "title": "Reading comprehension in the laboratory",
        "mode": "live",
        "items": "items.jsonl",
        "conditions": levels,
        "original": "Adv" if "Adv" in levels else "",
        "references": [s for s in ("Ele",) if s in levels],
        "incomplete": True,
        "design": {"per_participant": min(36, len(items)), "order": "random", "seed": 0},
        "pages": [
            _CONSENT,
            {
                "kind": "block",
                "show": "text",
                "questions": [
                    {
                        "id": "q1",
                        "type": "mcq",
                        "text_field": "question",
                        "options_field": "options",
                        "key": "A",
                    }
                ],
            },
        ],
    }
    return Imported("onestop-qa", (), definition, tuple(items.values()), tuple(trials))


FORMATS = {
    f.name: f
    for f in (
        Format(
            "ats-eval",
            "answers of Agrawal and Carpuat 2024 (CSV)",
            ",",
            (
                *("article_id", "para_id", "title", "paragraph", "Model"),
                *(
                    f"{c}_{k}"
                    for k in _QUESTIONS
                    for c in ("question", "answer", "correct_answer", "all_options")
                ),
            ),
            _ats_eval,
        ),
        Format(
            "onestop-qa",
            "in-lab answers of OneStopQA (TSV)",
            "\t",
            (
                *("item_id", "RT", "answer_response", "new_options", "options", "paragraph", "question"),
                *("source", "submission_ind"),
            ),
            _onestop_qa,
        ),
    )
}


def find_format(name: str) -> Format:
    """The format of that name."""
    if name not in FORMATS:
        known = (*FORMATS, *MARK_FORMATS)
        raise OptionError(
            f"no format {name[:40]!r} to import.{did_you_mean(name, known)} There are: {', '.join(known)}."
        )
    return FORMATS[name]


def read(name: str, path: str | Path) -> Imported:
    """Read a file of a known format; what cannot be written back the same is refused."""
    form = find_format(name)
    try:
        text = Path(path).read_bytes().decode("utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InputError(f"{path}, line {line}: not UTF-8; convert the file first.") from None
    csv.field_size_limit(2**31 - 1)
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=form.separator, strict=True)
        table, ends = [], [0]
        for cells in reader:
            table.append(cells)
            ends.append(reader.line_num)
    except csv.Error as error:
        raise InputError(f"{path}, line {ends[-1] + 1}: {error}.") from None
    if not table or len(table) < 2:
        raise InputError(f"{path}: no rows.")
    header, *body = table
    missing = [c for c in form.columns if c not in header]
    if missing:
        raise InputError(
            f"{path}, line 1: no column {', '.join(missing[:3])}; expected a file of {form.about}."
        )
    odd = next((i for i, r in enumerate(body, 1) if len(r) != len(header)), None)
    if odd:
        raise InputError(f"{path}, line {ends[odd] + 1}: {len(body[odd - 1])} cells, expected {len(header)}.")
    if csv_text(header, body, form.separator) != text:
        raise InputError(
            f"{path}: its quotes or line ends are unusual, and would not be written back the same."
        )
    rows = [dict(zip(header, r, strict=True)) for r in body]
    try:
        imported = form.read(rows, [tuple(r) for r in body])
    except _RowError as error:
        raise InputError(f"{path}, line {ends[error.number] + 1}, {error.field}: {error}") from None
    return replace(imported, header=tuple(header))


def csv_text(header: Sequence[str], rows: Sequence[Sequence[str]], separator: str) -> str:
    """A table as its authors' program wrote it: quotes where needed, lines that end with a line feed."""
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=separator, lineterminator="\n").writerows([header, *rows])
    return out.getvalue()


def make_folder(imported: Imported, folder: str | Path) -> None:
    """Write the study's folder: study.yaml and items.jsonl."""
    import yaml

    target = Path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise InputError(f"{target}: exists and is not empty; expected a new folder.")
    definition = {k: v for k, v in imported.definition.items() if v != ""}
    lines = [
        json.dumps(
            {"id": i.id, **({"source": i.source} if i.source else {}), "texts": i.texts, **i.fields},
            ensure_ascii=False,
        )
        + "\n"
        for i in imported.items
    ]
    try:
        target.mkdir(parents=True, exist_ok=True)
        (target / "items.jsonl").write_text("".join(lines), "utf-8")
        (target / "study.yaml").write_text(
            yaml.safe_dump(definition, sort_keys=False, allow_unicode=True, width=110), "utf-8"
        )
    except OSError as error:
        raise InputError(f"{target}: cannot write here ({error.strerror}).") from None


class _RowError(Exception):
    """What is wrong with a field of a row; rows are counted from 1, without the header."""

    def __init__(self, number: int, field: str, message: str) -> None:
        super().__init__(message)
        self.number, self.field = number, field


def _differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """The first field in which two rows of an item differ; if none does, their texts do."""
    return next((name for name in other if one.get(name) != other[name]), "paragraph")


def _number(text: str, kind: type[N], number: int, field: str) -> N:
    try:
        value = kind(text)
    except ValueError:
        value = kind("-1")
    if not 0 <= value < 1e12:
        raise _RowError(number, field, f"found {text[:40]!r}, expected a number.")
    return value


def _listed(row: Fields, field: str, number: int) -> list[str]:
    """A list as Python prints it; read as a literal, never run."""
    text = row[field]
    try:
        options = ast.literal_eval(text) if len(text) < 20_000 else None
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        options = None
    if not isinstance(options, list) or len(options) < 2 or not all(isinstance(o, str) for o in options):
        raise _RowError(number, field, f"the options {text[:40]!r} are not a list of texts.")
    return options


def _letter_of(row: Fields, field: str, options: Sequence[str], number: int) -> str:
    """An answer's letter; white space around it does not make it another answer."""
    from .definition.questions import UNANSWERABLE, letter

    plain = row[field].strip()
    for index, option in enumerate(options):
        if option.strip() == plain:
            return letter(index)
    if plain == NOT_SUPPORTED:
        return UNANSWERABLE
    raise _RowError(number, field, f"the answer {plain[:40]!r} is none of the options.")
