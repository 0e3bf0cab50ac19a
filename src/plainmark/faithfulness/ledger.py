"""The ledger: every fact of a text and of its simplification, where it stands, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Verdict = Literal["same", "changed", "gone", "new", "check"]
VERDICTS: tuple[Verdict, ...] = ("changed", "check", "gone", "new", "same")
KINDS = (
    "number",
    "name",
    "term",
    "negation",
    "direction",
    "modality",
    "quantifier",
    "condition",
    "quotation",
    "role",
    "addition",
)


@dataclass(frozen=True)
class Place:
    """Where a fact stands: characters of the text as given, and the number of the sentence, from 0."""

    text: str
    start: int
    end: int
    sentence: int

    def to_dict(self) -> dict[str, Any]:
        """The place as JSON has it."""
        return {"text": self.text, "start": self.start, "end": self.end, "sentence": self.sentence}


@dataclass(frozen=True)
class Entry:
    """One fact and what became of it.

    `confidence` is how often such a verdict is right, `pattern` names the evidence, and `red` says whether the two
    make it an alarm.
    """

    kind: str
    verdict: Verdict
    confidence: float
    before: Place | None
    after: Place | None
    reason: str
    pattern: str = ""
    red: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The entry as JSON has it; a place is None in a text that does not have the fact."""
        return {
            "kind": self.kind,
            "verdict": self.verdict,
            "confidence": self.confidence,
            "before": self.before and self.before.to_dict(),
            "after": self.after and self.after.to_dict(),
            "reason": self.reason,
        }


@dataclass(frozen=True)
class Ledger:
    """All facts of a pair of texts; `risk` is the probability that the meaning was altered.

    It is None where the texts are not English, because nothing estimates it there. The entries are in the order of the texts;
    `notes` say what could not be checked in them.
    """

    entries: tuple[Entry, ...]
    risk: float | None
    notes: tuple[str, ...] = ()
    unchecked: tuple[
        str, ...
    ] = ()  # kinds that were not looked for, because they have no rules in the language of the texts

    @property
    def alarms(self) -> tuple[Entry, ...]:
        """The entries that deserve red."""
        return tuple(e for e in self.entries if e.red)

    def to_dict(self) -> dict[str, Any]:
        """The ledger as JSON has it; alarms are indices of entries."""
        return {
            "entries": [e.to_dict() for e in self.entries],
            "alarms": [i for i, e in enumerate(self.entries) if e.red],
            "risk": self.risk,
            "notes": list(self.notes),
            "unchecked": list(self.unchecked),
        }
