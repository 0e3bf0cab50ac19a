"""Putting imported answers into a store, and taking answers out: CSV, JSON lines, Parquet, references, or as imported."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from ...errors import InputError, MissingResourceError, OptionError, StoreError
from ...writing import write_atomically
from ..importing import FORMATS, Imported, written
from .allocation import surplus_cell
from .monitoring import NOBODY_KNOWN, Row, rows
from .store import Store
from .tables import answers, assignments, cells, imports, pages, participants, revisions, settings

_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")
EXPORTS = ("csv", "jsonl", "parquet", "references", *FORMATS)


def put(store: Store, found: Imported, now: float) -> None:
    """Store every row of an imported file: a cell, a page and its answers, and the row itself."""

    def work(connection: Connection) -> None:
        if connection.execute(select(func.count()).select_from(participants)).scalar_one():
            raise StoreError(f"{store.study.folder}: has answers already; import into a new study.")
        revision = connection.execute(
            select(func.max(revisions.c.id)).where(revisions.c.mode == store.mode)
        ).scalar_one()
        place = {
            (r.item, r.arm): r.id for r in connection.execute(select(cells).where(cells.c.mode == store.mode))
        }
        people: dict[str, tuple[int, int]] = {}
        counts: dict[tuple[str, str], int] = {}
        for number, trial in enumerate(found.trials):
            person, position = people.get(trial.participant, (0, 0))
            if not person:
                person = connection.execute(
                    insert(participants)
                    .values(
                        mode=store.mode,
                        hash=store.hash_of(f"{found.format} {trial.participant}"),
                        token=store.hash_of(f"token {found.format} {trial.participant}"),
                        step=0,
                        outcome="complete",
                        review="",
                        recruiter_study="",
                        created=now,
                        last_seen=now,
                        finished=None,
                    )
                    .returning(participants.c.id)
                ).scalar_one()
            pair = (trial.item, trial.arm)
            cell = place[pair] if pair not in counts else surplus_cell(connection, store.mode, *pair).id
            counts[pair] = counts.get(pair, 0) + 1
            connection.execute(update(cells).where(cells.c.id == cell).values(state="done"))
            given = connection.execute(
                insert(assignments)
                .values(
                    participant_id=person,
                    cell_id=cell,
                    item=trial.item,
                    arm=trial.arm,
                    position=position,
                    state="done",
                    leased_until=now,
                    created=now,
                )
                .returning(assignments.c.id)
            ).scalar_one()
            page = connection.execute(
                insert(pages)
                .values(
                    participant_id=person,
                    revision_id=revision,
                    assignment_id=given,
                    position=position,
                    step=1,
                    part=position,
                    kind="block",
                    token=store.hash_of(f"page {found.format} {number}"),
                    layout="{}",
                    opened=now,
                    submitted=now,
                    seconds=trial.seconds,
                    client_seconds=None,
                )
                .returning(pages.c.id)
            ).scalar_one()
            connection.execute(
                insert(answers),
                [
                    {
                        "participant_id": person,
                        "page_id": page,
                        "assignment_id": given,
                        "revision_id": revision,
                        "question": question,
                        "target": "",
                        "value": value,
                        "shown": shown,
                        "asked": True,
                        "late": False,
                        "created": now,
                    }
                    for question, value, shown in trial.answers
                ],
            )
            connection.execute(
                insert(imports).values(
                    participant_id=person,
                    format=found.format,
                    number=number,
                    payload=json.dumps(trial.raw, ensure_ascii=False),
                )
            )
            people[trial.participant] = (person, position + 1)
        header = json.dumps(found.header, ensure_ascii=False)
        connection.execute(insert(settings).values(name=f"header {found.format}", value=header))
        if not found.people:
            connection.execute(insert(settings).values(name=NOBODY_KNOWN, value="yes"))

    store.database.write(work)


def export(store: Store, form: str, path: str | Path) -> int:
    """Write the answers of the study's mode to a file; how many rows."""
    if form == "parquet":
        found = rows(store)
        _export_parquet(found, path)
        return len(found)
    text, count = as_text(store, form)
    write_atomically(path, text)
    return count


def as_text(store: Store, form: str) -> tuple[str, int]:
    """The answers of the study's mode in a form that is text, and how many rows."""
    if form in FORMATS:
        return _as_imported(store, form)
    found = rows(store)
    if form == "references":
        return _references(store, found)
    if form == "jsonl":
        return "".join(json.dumps(asdict(r), ensure_ascii=False) + "\n" for r in found), len(found)
    if form != "csv":
        raise OptionError(f"no format {form[:40]!r} to export; expected one of {', '.join(EXPORTS)}.")
    names = [f.name for f in fields(Row)]
    body = [["" if v is None else _inert(v) for v in asdict(r).values()] for r in found]
    return written(names, body, ","), len(found)


def _inert(value: object) -> str:
    """A cell that no spreadsheet takes for a formula: what a person wrote may begin with =, +, - or @."""
    text = str(value)
    if (
        isinstance(value, str)
        and text[:1] in ("=", "+", "-", "@", "\t", "\r")
        and not _NUMBER.fullmatch(text)
    ):
        return "'" + text
    return text


def _as_imported(store: Store, form: str) -> tuple[str, int]:
    def work(connection: Connection) -> tuple[list[str], list[list[str]]]:
        header = connection.execute(
            select(settings.c.value).where(settings.c.name == f"header {form}")
        ).scalar()
        if header is None:
            raise InputError(f"{store.study.folder}: its answers were not imported from {form}.")
        kept = select(imports.c.payload).where(imports.c.format == form).order_by(imports.c.number)
        return json.loads(header), [json.loads(p) for p in connection.execute(kept).scalars()]

    header, body = store.database.read(work)
    return written(header, body, FORMATS[form].separator), len(body)


def _references(store: Store, found: Sequence[Row]) -> tuple[str, int]:
    """The rewritings of each item as its references, one item a line; only what counts and was not rejected."""
    asked = {q.id for q in store.study.definition.block.questions if getattr(q, "rewrite", None)}
    if not asked:
        raise InputError(f"{store.study.folder}: no question of its block asks for a rewriting.")
    given: dict[str, list[str]] = {i.id: [] for i in store.study.items}
    for row in found:
        if row.page == "block" and row.counted and row.question in asked:
            given[row.item].append(row.value)
    lines = [
        {
            "id": i.id,
            "source": store.study.source_of(i) or next(iter(i.texts.values()), ""),
            "references": given[i.id],
        }
        for i in store.study.items
    ]
    return "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in lines), sum(map(len, given.values()))


def _export_parquet(found: Sequence[Row], path: str | Path) -> None:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise MissingResourceError("Parquet needs pyarrow; to install: pip install pyarrow.") from None
    kinds: dict[str, Any] = {"int": pa.int64(), "float": pa.float64(), "bool": pa.bool_(), "str": pa.string()}
    schema = pa.schema([(f.name, kinds[str(f.type).partition(" ")[0]]) for f in fields(Row)])
    table = pa.Table.from_pylist([asdict(r) for r in found], schema=schema)
    part = Path(path).with_name(f".{Path(path).name}.part")
    try:
        parquet.write_table(table, part)
        part.replace(path)
    except OSError as problem:
        part.unlink(missing_ok=True)
        raise InputError(f"{path}: cannot write here ({problem.strerror}).") from None
