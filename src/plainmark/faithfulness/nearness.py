"""How clearly the two mentions of a change are in the same place, which determines how often such a change is real.

In a change *in place*, most of the sentence and of the surrounding words come from the sentence of the original. A
*verbatim* change is in a near copy: apart from the mentions, both sentences have the same words in the same order.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from .alignment import Pair
from .kinds import Finding, Mention, surroundings
from .passage import Passage, Word

IN_PLACE = ", in place"
VERBATIM = ", verbatim"
_COVERED = 0.7
_AROUND = 0.5
_REWORDED = 0.15  # share of the words of either sentence of a near copy
_LIGHT = frozenset(
    "a an the this that these those be is are was were been being am do does did has have had of and can who which it its "
    "he she they his her their there to in on at by for with as".split()
)


def nearness(finding: Finding, pair: Pair) -> str:
    """VERBATIM, IN_PLACE, or an empty string if it is neither."""
    before, after = finding.before, finding.after
    if before is None or after is None:
        return ""
    texts = [p.text[m.start : m.end] for p, m in ((pair.source, before), (pair.output, after))]
    if texts[0].casefold() == texts[1].casefold() and finding.pattern != "exchanged":
        return ""
    if _is_verbatim(pair, before, after, numbers=finding.pattern != "exchanged"):
        return VERBATIM
    return IN_PLACE if _is_in_place(pair, before, after) else ""


def _is_in_place(pair: Pair, before: Mention, after: Mention) -> bool:
    source, output = pair.source, pair.output
    own = source.words[before.first].sentence
    sentence = output.sentence_words(output.words[after.first].sentence)
    words = [j for j in sentence if output.words[j].content and not after.first <= j <= after.last]
    covered = sum(
        (link := pair.linked(1, j)) is not None and source.words[link.i].sentence == own for j in words
    )
    return covered >= _COVERED * len(words) and surroundings(pair, before, after) >= _AROUND


def _is_verbatim(pair: Pair, before: Mention, after: Mention, *, numbers: bool) -> bool:
    """Whether the sentences are near copies; for exchanged numbers, the other one is ignored, too.

    Outside the mentions, few content words may differ, and only function words without meaning: "only" or "until" may
    compensate for the change. Mentions that are facts themselves must differ; if one is only the place of the other,
    nothing else may differ.
    """
    a, b = (
        [w for w in _words(passage, m) if w.lower not in _LIGHT and (numbers or not w.text[0].isdecimal())]
        for passage, m in ((pair.source, before), (pair.output, after))
    )
    unmatched: list[list[Word]] = [[], []]
    matcher = SequenceMatcher(None, [w.base for w in a], [w.base for w in b], autojunk=False)
    for tag, i, x, j, y in matcher.get_opcodes():
        if tag != "equal":
            unmatched[0] += a[i:x]
            unmatched[1] += b[j:y]
    share = 0.0 if before.weak or after.weak else _REWORDED
    for words, rest, m in ((a, unmatched[0], before), (b, unmatched[1], after)):
        reworded = _outside(rest, m)
        if not all(w.content for w in reworded) or len(reworded) > share * len(_outside(words, m)):
            return False
        if numbers and not m.weak and len(rest) == len(reworded):
            return False
    return True


def _words(passage: Passage, mention: Mention) -> list[Word]:
    """The words, without marks, of the sentence of a mention."""
    sentence = passage.sentence_words(passage.words[mention.first].sentence)
    return [w for w in passage.words[sentence.start : sentence.stop] if w.text[0].isalnum()]


def _outside(words: Sequence[Word], mention: Mention) -> list[Word]:
    return [w for w in words if not mention.start <= w.start < mention.end]
