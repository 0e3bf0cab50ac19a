"""The ledger: every fact of a text and of its simplification, where it stands, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Verdict = Literal["same", "changed", "gone", "new", "check"]
VERDICTS: tuple[Verdict, ...] = ("changed", "check", "gone", "new", "same")


@dataclass(frozen=True)
class Place:
    """Where a fact stands: characters of the text as given, and the number of the sentence, from 0."""

    text: str
    start: int
    end: int
    sentence: int


@dataclass(frozen=True)
class Entry:
    """One fact and what became of it; `confidence` is how often such a verdict is right, `pattern` names the evidence."""

    kind: str
    verdict: Verdict
    confidence: float
    before: Place | None
    after: Place | None
    reason: str
    pattern: str = ""
    red: bool = False


@dataclass(frozen=True)
class Ledger:
    """All facts of a pair of texts; `risk` is the probability that the meaning was altered."""

    entries: tuple[Entry, ...]
    risk: float
    notes: tuple[str, ...] = ()

    @property
    def alarms(self) -> tuple[Entry, ...]:
        """The entries that deserve red."""
        return tuple(e for e in self.entries if e.red)

    def to_dict(self) -> dict[str, Any]:
        """The ledger as JSON has it."""
        raise NotImplementedError
