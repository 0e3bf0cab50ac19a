"""A candidate: one simplification of a text, its origin, and the changes that made it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from .decoding import Rewrite
from .truth import TakenBack

if TYPE_CHECKING:
    from .structure import Operation


@dataclass(frozen=True)
class Candidate:
    """An output for a text, its rewrites, and the rewrites that were undone because they change the meaning.

    `origin` is the backend or system that wrote it, `operations` are the splits before the rewrites, `deletions` the
    deletions after them, `unchanged` is the score of rules that change nothing, and `problem` says why it cannot be used.
    """

    output: str
    rewrites: tuple[Rewrite, ...] = ()
    taken_back: tuple[TakenBack, ...] = ()
    operations: tuple[Operation, ...] = ()
    origin: str = ""
    problem: str = ""
    unchanged: float = 0.0
    note: str = ""  # a note about outputs of the model that wrote it
    deletions: tuple[Operation, ...] = ()

    @property
    def score(self) -> float:
        """The sum of the rewrites' scores; 0 for the unchanged text."""
        return self.unchanged + sum(r.score for r in self.rewrites)

    def to_dict(self) -> dict[str, Any]:
        """The candidate as a dictionary for JSON."""
        record: dict[str, Any] = {
            "output": self.output,
            "score": self.score,
            "rewrites": [r.to_dict() for r in self.rewrites],
            "taken_back": [t.rewrite.to_dict() | {"reason": t.reason} for t in self.taken_back],
        }
        if self.unchanged:
            record["unchanged"] = self.unchanged
        if self.operations:
            record["operations"] = [asdict(o) for o in self.operations]
        if self.deletions:
            record["deletions"] = [asdict(o) for o in self.deletions]
        return record
