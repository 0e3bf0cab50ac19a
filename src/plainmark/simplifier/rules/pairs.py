"""Sentences and their simplifications from JSON lines, as the words that models work on."""

from __future__ import annotations

import json

from ...errors import InputError
from ...files import open_text
from ..surface import split, split_at_spaces

Pairs = tuple[list[tuple[str, ...]], list[list[tuple[str, ...]]]]


def read_pairs(path: str, *, tokenized: bool = False) -> Pairs:
    """Sources and references of a file with the fields source and references (a list, or one text; or output)."""
    sources, references = [], []
    cut = split_at_spaces if tokenized else split
    with open_text(path) as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            source, simpler = _fields(line, f"{path}, line {number}")
            sources.append(cut(source).words)
            references.append([cut(text).words for text in simpler])
    if not sources:
        raise InputError(f"{path}: empty, expected JSON lines with source and references.")
    return sources, references


def _fields(line: str, where: str) -> tuple[str, list[str]]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        raise InputError(f"{where}: not JSON, expected an object with source and references.") from None
    if not isinstance(record, dict):
        raise InputError(
            f"{where}: found {type(record).__name__}, expected an object with source and references."
        )
    source = record.get("source")
    simpler = next(
        (record[k] for k in ("references", "reference", "output") if record.get(k) is not None), None
    )
    texts = [simpler] if isinstance(simpler, str) else simpler
    if not isinstance(source, str):
        raise InputError(f"{where}: no text in the field source.")
    if not isinstance(texts, list) or not texts or not all(isinstance(t, str) for t in texts):
        raise InputError(f"{where}: no texts in the field references.")
    return source, texts
