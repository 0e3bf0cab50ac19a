"""The ledger under evaluation, and the entries that count as flags: red alarms and entries to check."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from typing import Any

from plainmark.errors import InputError
from plainmark.faithfulness import KINDS as KINDS
from plainmark.perturbations._injection import Span

DEFAULT = "plainmark.faithfulness:facts"

Facts = Callable[[str, str], Any]


def load(name: str = DEFAULT, kinds: Iterable[str] | None = None) -> Facts:
    """The function (source, output) -> ledger with this name ("module:function"), limited to some kinds of fact."""
    module, _, function = name.partition(":")
    try:
        facts: Facts = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError) as problem:
        raise InputError(f"{name}: {problem}; expected module:function.") from None
    if kinds is None:
        return facts
    names = tuple(kinds)
    return lambda source, output: facts(source, output, kinds=names)  # type: ignore[call-arg]


def red(ledger: Any) -> list[Any]:
    """The red entries."""
    return list(ledger.alarms)


def check(ledger: Any) -> list[Any]:
    """The entries that ask for a check."""
    alarms = set(map(id, ledger.alarms))
    return [e for e in ledger.entries if e.verdict == "check" and id(e) not in alarms]


def at(entries: list[Any], output: Iterable[Span], source: Iterable[Span]) -> list[Any]:
    """The entries that overlap one of the places of the output or of the source."""
    return [e for e in entries if _overlaps(e.after, output) or _overlaps(e.before, source)]


def _overlaps(place: Any, spans: Iterable[Span]) -> bool:
    return place is not None and any(place.start < b and a < place.end for a, b in spans)
