"""The fact ledger: compares the numbers, names, negations and other facts of a text with those of its simplification.

>>> from plainmark.faithfulness import facts
>>> ledger = facts("It sold 7,000 copies in 1998, for £7m.", "It sold 7,000 copies in 1989, for £7 million.")
>>> [(e.before.text, e.after.text, e.verdict) for e in ledger.entries]
[('7,000', '7,000', 'same'), ('1998', '1989', 'changed'), ('£7m', '£7 million', 'same')]
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
