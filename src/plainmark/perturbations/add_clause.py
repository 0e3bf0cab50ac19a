"""Add clauses that the source does not have: a hallucination inside a sentence.

"The drug reduced pain." becomes "The drug reduced pain, although later work could not confirm this." The clauses are part
of the package or come from your file (pool=FILE, one per line); each is used once in a text, and only if the source does
not contain it. Strength is the share of the sentences that can take one: statements that do not end with a clause already.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Annotated

import numpy as np

from . import EditPerturbation, EditPlan, Replacement, TextDocument, shuffled
from ._clauses import stands_alone
from ._resources import pool_digest, sentences_of

_OPEN = re.compile(r"[^;:?!]*[\w)\]]\.$")
# After a clause, a list or a quotation at the end, the new clause would refer to that.
_CLOSED = re.compile(r",[^,]*\.$|[\"”]|\b(?:because|although|whereas|while|if|whether)\b")


@dataclass(frozen=True)
class AddClause(EditPerturbation):
    """Adds clauses that the source does not have to the ends of sentences."""

    pool: Annotated[str, "a text file with one clause per line (default: the package's own)"] = ""

    criterion = "faithfulness"
    citation = "plainmark"

    def plan(self, document: TextDocument, rng: np.random.Generator) -> EditPlan:
        said = f"{document.source} {document.text}".casefold()
        pool = [c.strip(" ,.") for c in (sentences_of(self.pool) if self.pool else _embedded())]
        clauses = [pool[i] for i in shuffled(len(pool), rng) if pool[i].casefold() not in said]
        ends = [
            end for i, (_, end) in enumerate(document.sentences) if _can_take_clause(document.sentence(i))
        ]
        edits = [
            (Replacement(end - 1, end - 1, f", {clause}"),)
            for end, clause in zip(ends, clauses, strict=False)
        ]
        order = shuffled(len(edits), rng)
        reason = f"the pool has only {len(edits)} clauses" if edits else "no sentence that can take a clause"
        return EditPlan([edits[i] for i in order], len(ends), reason)

    def resources(self) -> dict[str, str]:
        return {"pool of clauses": pool_digest(self.pool)} if self.pool else {}


def _can_take_clause(sentence: str) -> bool:
    if not _OPEN.match(sentence) or _CLOSED.search(sentence):
        return False
    return stands_alone(re.findall(r"\w+", sentence.lower()))


@cache
def _embedded() -> tuple[str, ...]:
    return tuple(files(__package__).joinpath("clauses.txt").read_text("utf-8").split("\n")[:-1])
