"""Storing imported answers, and exporting answers: CSV, JSON lines, Parquet, references, or in the imported format."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from ... import table
from ...errors import InputError, MissingResourceError, OptionError, StoreError
from ...writing import write_atomically
from ..importing import FORMATS, Imported, csv_text
from ..keys import short_id
from ..span_files import READERS, WRITERS
from ..span_import import pairs_of
from .allocation import surplus_cell
from .answer_rows import AnswerRow, answer_rows
from .monitoring import ANONYMOUS_IMPORT
from .store import Store
from .tables import answers, assignments, cells, imports, pages, participants, revisions, settings

EXPORTS = ("csv", "jsonl", "parquet", "references", *FORMATS, *WRITERS)


def store_imported(store: Store, imported: Imported, now: float) -> None:
    """Store every row of an imported file: a cell, a page with its answers, and the row itself."""

    def work(connection: Connection) -> None:
        if connection.execute(select(func.count()).select_from(participants)).scalar_one():
            raise StoreError(f"{store.study.folder}: already has answers; import into a new study.")
        revision = connection.execute(
            select(func.max(revisions.c.id)).where(revisions.c.mode == store.mode)
        ).scalar_one()
        cell_ids = {
            (r.item, r.arm): r.id for r in connection.execute(select(cells).where(cells.c.mode == store.mode))
        }
        known: dict[str, tuple[int, int]] = {}
        counts: dict[tuple[str, str], int] = {}
        for number, trial in enumerate(imported.trials):
            participant, position = known.get(trial.participant, (0, 0))
            if not participant:
                participant = connection.execute(
                    insert(participants)
                    .values(
                        mode=store.mode,
                        hash=store.hash_of(f"{imported.format} {trial.participant}"),
                        token=store.hash_of(f"token {imported.format} {trial.participant}"),
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
            cell = cell_ids[pair] if pair not in counts else surplus_cell(connection, store.mode, *pair).id
            counts[pair] = counts.get(pair, 0) + 1
            connection.execute(update(cells).where(cells.c.id == cell).values(state="done"))
            assignment = connection.execute(
                insert(assignments)
                .values(
                    participant_id=participant,
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
                    participant_id=participant,
                    revision_id=revision,
                    assignment_id=assignment,
                    position=position,
                    step=1,
                    part=position,
                    kind="block",
                    token=store.hash_of(f"page {imported.format} {number}"),
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
                        "participant_id": participant,
                        "page_id": page,
                        "assignment_id": assignment,
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
                    participant_id=participant,
                    format=imported.format,
                    number=number,
                    payload=json.dumps(trial.raw, ensure_ascii=False),
                )
            )
            known[trial.participant] = (participant, position + 1)
        header = json.dumps(imported.header, ensure_ascii=False)
        connection.execute(insert(settings).values(name=f"header {imported.format}", value=header))
        if not imported.people:
            connection.execute(insert(settings).values(name=ANONYMOUS_IMPORT, value="yes"))

    store.database.write(work)


def export(store: Store, form: str, path: str | Path) -> int:
    """Write the answers of the study's mode to a file; returns the number of rows."""
    if form == "parquet":
        rows = answer_rows(store)
        _export_parquet(rows, path)
        return len(rows)
    text, count = as_text(store, form)
    write_atomically(path, text)
    return count


def as_text(store: Store, form: str) -> tuple[str, int]:
    """The answers of the study's mode in a text format, and the number of rows."""
    if form in FORMATS:
        return _as_imported(store, form)
    rows = answer_rows(store)
    if form in WRITERS:
        return _marks(store, form, rows)
    if form == "references":
        return _references(store, rows)
    if form == "jsonl":
        return "".join(json.dumps(asdict(r), ensure_ascii=False) + "\n" for r in rows), len(rows)
    if form != "csv":
        raise OptionError(f"no format {form[:40]!r} to export; expected one of {', '.join(EXPORTS)}.")
    names = [f.name for f in fields(AnswerRow)]
    body = (["" if v is None else v for v in asdict(r).values()] for r in rows)
    return table.csv_text([names, *body]), len(rows)


def _as_imported(store: Store, form: str) -> tuple[str, int]:
    def work(connection: Connection) -> tuple[list[str], list[list[str]]]:
        header = connection.execute(
            select(settings.c.value).where(settings.c.name == f"header {form}")
        ).scalar()
        if header is None:
            raise InputError(f"{store.study.folder}: its answers were not imported from {form}.")
        rows = select(imports.c.payload).where(imports.c.format == form).order_by(imports.c.number)
        return json.loads(header), [json.loads(p) for p in connection.execute(rows).scalars()]

    header, body = store.database.read(work)
    return csv_text(header, body, FORMATS[form].separator), len(body)


def _marks(store: Store, form: str, rows: Sequence[AnswerRow]) -> tuple[str, int]:
    """Marks for another program; what was imported from it is written as it was."""

    def work(connection: Connection) -> dict[tuple[str, str], dict[str, Any]]:
        payloads = {}
        for r in connection.execute(select(imports).where(imports.c.format.in_(READERS))):
            content = json.loads(json.loads(r.payload)[0])
            kept = content if r.format == form else {"pair": content["pair"]}
            payloads[store.hash_of(f"page {r.format} {r.number}")] = kept
        if not payloads:
            return {}
        shown = (
            select(pages.c.token, participants.c.hash, assignments.c.item)
            .join(participants, participants.c.id == pages.c.participant_id)
            .join(assignments, assignments.c.id == pages.c.assignment_id)
        )
        return {
            (short_id(r.hash), r.item): payloads[r.token]
            for r in connection.execute(shown)
            if r.token in payloads
        }

    pairs = pairs_of(store.study, rows, store.database.read(work))
    return WRITERS[form](pairs), len(pairs)


def _references(store: Store, rows: Sequence[AnswerRow]) -> tuple[str, int]:
    """The rewritings of each item as its references, one line per item; only answers that are counted."""
    rewritings = {q.id for q in store.study.definition.block_questions if getattr(q, "rewrite", None)}
    if not rewritings:
        raise InputError(f"{store.study.folder}: no question of its block asks for a rewriting.")
    references: dict[str, list[str]] = {i.id: [] for i in store.study.items}
    for row in rows:
        if row.page == "block" and row.counted and row.question in rewritings:
            references[row.item].append(row.value)
    lines = [
        {
            "id": i.id,
            "source": store.study.source_of(i) or next(iter(i.texts.values()), ""),
            "references": references[i.id],
        }
        for i in store.study.items
    ]
    return "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in lines), sum(
        map(len, references.values())
    )


def _export_parquet(rows: Sequence[AnswerRow], path: str | Path) -> None:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise MissingResourceError("Parquet needs pyarrow; to install: pip install pyarrow.") from None
    kinds: dict[str, Any] = {"int": pa.int64(), "float": pa.float64(), "bool": pa.bool_(), "str": pa.string()}
    schema = pa.schema([(f.name, kinds[str(f.type).partition(" ")[0]]) for f in fields(AnswerRow)])
    table = pa.Table.from_pylist([asdict(r) for r in rows], schema=schema)
    part = Path(path).with_name(f".{Path(path).name}.part")
    try:
        parquet.write_table(table, part)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise InputError(f"{path}: cannot write here ({error.strerror}).") from None
