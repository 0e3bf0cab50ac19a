"""Deletion, the step after paraphrasing in Xu et al. 2016: removes openings, asides and brackets without content.

A deletion is rejected if the fact ledger finds any fact of the text changed or gone, or if it is in a quotation. Like the
operations of the package structure, every deletion has a name and can be undone.

>>> from plainmark.simplifier.deletion import shorten
>>> shorten("It should be noted that the mill (and so on) burned down in 1910.").output
'The mill burned down in 1910.'
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..faithfulness import Entry, facts
from ..lexicon.language import looks_english
from .structure import Operation, Structured

_NOTES = (
    r"it (?:should|must) be (?:noted|remembered|pointed out) that|it is (?:worth|important|interesting) (?:noting|to note) that"
    r"|needless to say,|as a matter of fact,|in actual fact,|in fact,|of course,|indeed,"
)
_OPENING = re.compile(rf"(?:(?<=^)|(?<=[.!?] ))(?:{_NOTES}) (?=\S)", re.IGNORECASE)
_INNER = re.compile(r", (?:of course|in fact|indeed|as it were|so to speak|as a matter of fact),(?= )")
_BRACKETS = re.compile(
    r" ?\((?:and so on|and so forth|and others|and the like|etc\.?|as it were|so to speak|of course|see (?:below|above)"
    r"|(?:see )?(?:figure|table|fig\.|box) \d+[a-z]?)\)",
    re.IGNORECASE,
)
_SAYS_NOTHING = "an opening that says nothing"
_QUOTE = re.compile(r"[\"“”«»„]")


def shorten(text: str) -> Structured:
    """The text without phrases that have no content, and the deletions in order; texts in other languages are not changed."""
    output = text
    done: list[Operation] = []
    refused: set[str] = set()
    while looks_english(text):
        proposal = next((o for o in _proposals(output) if o.before not in refused), None)
        if proposal is None:
            break
        shorter = proposal.apply(output)
        if any(_objects(entry, proposal) for entry in facts(output, shorter).entries):
            refused.add(proposal.before)
            continue
        output = shorter
        done.append(proposal)
    return Structured(text, output, tuple(done))


def _objects(entry: Entry, deletion: Operation) -> bool:
    """Whether an entry of the ledger is an objection to a deletion; the "should" of "It should be noted" is not."""
    if entry.verdict == "gone" and entry.kind == "modality" and entry.before is not None:
        return not (deletion.why == _SAYS_NOTHING and deletion.start <= entry.before.start < deletion.end - 1)
    return entry.verdict in ("changed", "gone") or entry.red


def _proposals(text: str) -> Iterator[Operation]:
    """Possible deletions outside quotations, in the order of the text; the word after a deleted opening is capitalised."""
    for match in _OPENING.finditer(text):
        if not _is_quoted(text, match.start()) and match[0][:1].isupper():
            before = text[match.start() : match.end() + 1]
            yield Operation("deletion", _SAYS_NOTHING, match.start(), before, before[-1].upper())
    for match in _INNER.finditer(text):
        if not _is_quoted(text, match.start()):
            yield Operation("deletion", "words that say nothing", match.start(), match[0], "")
    for match in _BRACKETS.finditer(text):
        if not _is_quoted(text, match.start()) and match.start() > 0:
            yield Operation("deletion", "brackets that say nothing", match.start(), match[0], "")


def _is_quoted(text: str, place: int) -> bool:
    """Whether a place is in a quotation, or in one that is never closed."""
    marks = len(_QUOTE.findall(text))
    return marks % 2 == 1 or len(_QUOTE.findall(text, 0, place)) % 2 == 1
