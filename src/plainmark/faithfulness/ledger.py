"""The ledger: every fact of a text and of its simplification, with its place and its verdict."""

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
    """The place of a fact: characters of the original text, and the number of the sentence, from 0."""

    text: str
    start: int
    end: int
    sentence: int

    def to_dict(self) -> dict[str, Any]:
        """The place as a dictionary for JSON."""
        return {"text": self.text, "start": self.start, "end": self.end, "sentence": self.sentence}


@dataclass(frozen=True)
class Entry:
    """One fact and its verdict.

    `confidence` is the share of such verdicts that are right, `pattern` names the evidence, and `red` says whether the
    entry is an alarm.
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
        """The entry as a dictionary for JSON; the place is None in a text that does not have the fact."""
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

    It is None for texts that are not English, for which there is no estimate. The entries are in the order of the texts;
    `notes` describe what could not be checked.
    """

    entries: tuple[Entry, ...]
    risk: float | None
    notes: tuple[str, ...] = ()
    unchecked: tuple[
        str, ...
    ] = ()  # kinds that were not compared because they have no rules for the language of the texts

    @property
    def alarms(self) -> tuple[Entry, ...]:
        """The red entries."""
        return tuple(e for e in self.entries if e.red)

    def to_dict(self) -> dict[str, Any]:
        """The ledger as a dictionary for JSON; alarms are indices of entries."""
        return {
            "entries": [e.to_dict() for e in self.entries],
            "alarms": [i for i, e in enumerate(self.entries) if e.red],
            "risk": self.risk,
            "notes": list(self.notes),
            "unchecked": list(self.unchecked),
        }
