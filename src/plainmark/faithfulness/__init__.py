"""The fact ledger: what became of the numbers, names, negations and other facts of a text in its simplification.

>>> from plainmark.faithfulness import facts
>>> ledger = facts("It sold 1,200 copies in 1998.", "It sold twelve hundred copies in 1989.")
>>> [(e.before.text, e.after.text, e.verdict) for e in ledger.entries]
[('1,200', 'twelve hundred', 'same'), ('1998', '1989', 'changed')]
"""

from __future__ import annotations

from .alignment import Pair
from .comparison import facts, find
from .kinds import Mention
from .ledger import KINDS, VERDICTS, Entry, Ledger, Place, Verdict
from .passage import Passage

__all__ = [
    "KINDS",
    "VERDICTS",
    "Entry",
    "Ledger",
    "Mention",
    "Pair",
    "Passage",
    "Place",
    "Verdict",
    "facts",
    "find",
]
