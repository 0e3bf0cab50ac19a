"""Passives, with a hint how to turn them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ._findings import Finding, Rule, Sentence

IRREGULAR = (
    "beaten become begun bent bitten blown born bought bound bred broken brought built burnt caught chosen cut dealt done "
    "drawn driven drunk dug eaten fed felt fought found forbidden forgotten forgiven frozen given gone ground grown heard "
    "held hidden hit hung hurt kept known laid led learnt left lent lit lost made meant met mistaken overcome paid proven "
    "put read ridden run said seen sent set shaken shot shown shut sold sought spent split spoken spread stolen struck "
    "stuck sung sunk sworn swept taken taught thought thrown told torn understood undertaken upheld withdrawn won worn "
    "woven written"
)
# A form of "be", perhaps an adverb or "not", and a participle: right for most passives, wrong for "was tired".
_PASSIVE = re.compile(
    r"\b(?:am|is|are|was|were|be|been|being)\s+(?:(?:not|also|then|now|never|often|still|only|\w+ly)\s+)?"
    rf"(?:(?!indeed|need|hundred|red\b)[a-z]+ed|{'|'.join(IRREGULAR.split())})\b",
    re.IGNORECASE,
)


def _passive(sentence: Sentence) -> Iterator[Finding]:
    for match in _PASSIVE.finditer(sentence.text):
        yield Finding("PM202", match.start(), match.end(), "Perhaps a passive. Who does it?")


RULES = (
    Rule(
        "PM202",
        "passive",
        "A passive hides who does something. Name who does it first, and use the active verb.",
        "The form was signed by the nurse.",
        "The nurse signed the form.",
        sentence=_passive,
    ),
)
