"""Direction and comparison: rise and fall, more and fewer, before and after, better and worse, and other opposites.

Words of one family (lexicon.direction) are paired between the texts by what stands around them. A pair of opposite sign has
turned the statement round, unless a negation on one side or comparands that changed places put it right: "A is higher than
B" is "B is lower than A".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ... import lexicon
from ..alignment import Pair
from ..passage import Passage
from . import Finding, Kind, Mention
from ._denial import denials, negative_word
from ._view import AGREEING, View

_PREPOSITIONS = frozenset(
    "before after above below over under inside outside up down prior following beneath underneath".split()
)
_SUPERLATIVES = frozenset(
    "most least fewest highest lowest maximum minimum best worst longest shortest first last top bottom".split()
)
# Members of a family that mean something else more often than not; they never pair with words other than their opposite.
_LITERAL = {"most": "least", "up": "down", "over": "under", "top": "bottom", "following": "before"}
_ENDS = frozenset(",;:()[].!?—–")
# How many content words belong to what follows "than" or "before".
_COMPLEMENT = 4
# What two words of the same sign are preferred by.
_BONUS = 0.35


@dataclass(frozen=True, slots=True)
class Way(Mention):
    """A word that says which way; `other` is the second comparand ("than B", "before B"), as word indices."""

    family: str = ""
    sign: int = 1
    other: tuple[int, ...] = ()


class Direction(Kind):
    """Which way things go, and how they compare."""

    name = "direction"

    def find(self, passage: Passage) -> list[Mention]:
        return list(_ways(passage))

    def compare(self, pair: Pair, before: Sequence[Mention], after: Sequence[Mention]) -> Iterable[Finding]:
        view = View(pair)
        denied = (_denied(pair.source), _denied(pair.output))
        groups: tuple[dict[int, list[Way]], dict[int, list[Way]]] = ({}, {})
        for side, mentions in enumerate((before, after)):
            for m in mentions:
                if isinstance(m, Way) and (group := view.group(side, m.first)) >= 0:
                    groups[side].setdefault(group, []).append(m)
        for number in sorted(groups[0].keys() & groups[1].keys()):
            yield from _compare_group(view, groups[0][number], groups[1][number], denied)
        yield from _antonyms(view, denied)


def _ways(passage: Passage) -> Iterator[Way]:
    words = passage.words
    for i, word in enumerate(words):
        if not word.text[0].isalpha():
            continue
        way = lexicon.direction(word.lower)
        if way is None or negative_word(word.lower):
            continue
        previous = words[i - 1].lower if i and words[i - 1].sentence == word.sentence else ""
        if previous == "at" and word.lower in ("least", "most", "first", "last", "best", "worst"):
            continue
        yield _way(passage, i, way[1], way[0])


def _way(passage: Passage, index: int, sign: int, family: str = "") -> Way:
    word = passage.words[index]
    about = tuple(k for k, _ in passage.near(index, 2))
    other = tuple(_complement(passage, index))
    return Way(word.start, word.end, index, index, (family, sign), about, False, family, sign, other)


def _complement(passage: Passage, index: int) -> Iterator[int]:
    """The second comparand of a word: what follows "than", or a preposition of place or time."""
    words = passage.words
    inside = passage.sentence_words(words[index].sentence)
    begin = index + 1 if words[index].lower in _PREPOSITIONS else -1
    lower = words[index].lower
    if begin < 0 and (lower.endswith("er") or lower in ("more", "less", "worse")):
        for k in range(index + 1, min(inside.stop, index + 9)):
            if words[k].text in _ENDS:
                break
            if words[k].lower == "than" or (
                words[k].lower in ("compared", "versus", "vs") and words[k - 1].text != ","
            ):
                begin = k + 1
                break
    if begin < 0:
        return
    count = 0
    for k in range(begin, inside.stop):
        if words[k].text in _ENDS or (count and words[k].lower in ("and", "but", "when", "if", "because", "while")):
            return
        if words[k].content:
            count += 1
            yield k
            if count == _COMPLEMENT:
                return


def _denied(passage: Passage) -> frozenset[int]:
    """Words that a negation stands over, or right before."""
    out: set[int] = set()
    for m in denials(passage):
        if m.tier < 3 and m.form != "affix":
            out.update(range(m.last + 1, (m.heads[-1] if m.heads else m.last) + 1))
            out.update(m.heads)
    return frozenset(out)


def _compare_group(
    view: View, before: Sequence[Way], after: Sequence[Way], denied: tuple[frozenset[int], frozenset[int]]
) -> Iterator[Finding]:
    changed: list[tuple[Way, Way, float]] = []
    for a, b, fit in _paired(view, before, after):
        crossed = _crossed(view, a, b)
        same = a.sign == b.sign
        if (a.first in denied[0]) != (b.first in denied[1]):
            continue
        if same != crossed:
            yield Finding("same", a, b, "same", "Both texts say it the same way.")
        elif same:
            reason = f"What is compared by “{_text(view, 0, a)}” has changed places."
            yield Finding("changed", a, b, "exchanged", reason)
        else:
            changed.append((a, b, fit))
    for a, b, fit in changed:
        if _balanced(a, b, changed):
            continue
        pattern = _pattern(view, a, b, fit)
        if pattern:
            reason = f"The original says “{_text(view, 0, a)}”; the simplified text says “{_text(view, 1, b)}”, the opposite."
            yield Finding("changed", a, b, pattern, reason)


def _paired(view: View, before: Sequence[Way], after: Sequence[Way]) -> list[tuple[Way, Way, float]]:
    """Words of one family in the same place of the two texts, the surest first; each is used once."""
    scored = []
    for x, a in enumerate(before):
        for y, b in enumerate(after):
            if a.family != b.family:
                continue
            la, lb = view.passages[0].words[a.first].lower, view.passages[1].words[b.first].lower
            if a.sign != b.sign and ((la in _SUPERLATIVES) != (lb in _SUPERLATIVES)):
                continue
            fit = _fit(view, a, b)
            linked = any(j == b.first for j, _ in view.partners(0, a.first))
            score = fit + (_BONUS if a.sign == b.sign else 0.0) + (0.3 if linked else 0.0) + (0.1 if la == lb else 0)
            if a.sign == b.sign or fit > 0:
                scored.append((score, -x, -y, fit))
    scored.sort(reverse=True)
    used_a: set[int] = set()
    used_b: set[int] = set()
    out = []
    for _, x, y, fit in scored:
        if -x not in used_a and -y not in used_b:
            used_a.add(-x)
            used_b.add(-y)
            out.append((before[-x], after[-y], fit))
    return out


def _fit(view: View, a: Way, b: Way) -> float:
    """How well the surroundings of two words agree, as the mean of both views."""
    return (view.fit(0, a.first, b.first) + view.fit(1, b.first, a.first)) / 2


def _crossed(view: View, a: Way, b: Way) -> bool:
    """Whether the second comparand of either is the first of the other."""
    if a.other and b.other:
        return _elsewhere(view, 0, a, b) and _elsewhere(view, 1, b, a)
    # "lower than in the placebo group", "the placebo group had a higher one"
    if a.sign != b.sign and (a.other or b.other):
        side, x, y = (0, a, b) if a.other else (1, b, a)
        return _elsewhere(view, side, x, y) and all(
            j < y.first for i in x.other[:2] for j, relation in view.partners(side, i) if relation in AGREEING
        )
    return False


def _elsewhere(view: View, side: int, a: Way, b: Way) -> bool:
    """Whether the second comparand of a stands in the sentence of b, but not as its second comparand."""
    words, others = view.passages[side].words, view.passages[1 - side].words
    inside = view.passages[side].sentence_words(words[a.first].sentence)
    bases = [words[i].base for i in inside]
    crossed = False
    for i in a.other:
        if bases.count(words[i].base) > 1:
            continue  # "the control group", "the treated group"
        for j, relation in view.partners(side, i):
            if relation in AGREEING:
                if j in b.other:
                    return False
                crossed |= others[j].sentence == others[b.first].sentence
    return crossed


def _balanced(a: Way, b: Way, changed: Sequence[tuple[Way, Way, float]]) -> bool:
    """Whether another change right beside it undoes it: "less likely to fall", "more likely to rise"."""
    return any(
        c is not a and abs(c.first - a.first) <= 6 and abs(d.first - b.first) <= 6 for c, d, _ in changed
    )


def _pattern(view: View, a: Way, b: Way, fit: float) -> str | None:
    """How strong the evidence is that two opposite words stand for each other."""
    rooms = view.room(0, a.first), view.room(1, b.first)
    near = [i for i, _ in view.passages[0].near(a.first, 3)]
    if any(relation == "antonym" and j != b.first for i in near for j, relation in view.partners(0, i)):
        return None
    preposition = view.passages[0].words[a.first].lower in _PREPOSITIONS
    if preposition or (a.other and b.other):
        there = {j for i in a.other[:2] for j, relation in view.partners(0, i) if relation in AGREEING}
        if preposition and there.isdisjoint(b.other[:3]):
            return None
    if not _next(view, a, b):
        return None
    if fit >= 0.6 and sum(rooms) <= 1:
        return "direction"
    if fit >= 0.34:
        return "direction loose"
    return None


def _next(view: View, a: Way, b: Way) -> bool:
    """Whether a word right beside one has its partner right beside the other."""
    beside = {j for j, distance in view.passages[1].near(b.first, 2)}
    return any(
        j in beside
        for i, _ in view.passages[0].near(a.first, 2)
        for j, relation in view.partners(0, i)
        if relation in AGREEING
    )


def _antonyms(view: View, denied: tuple[frozenset[int], frozenset[int]]) -> Iterator[Finding]:
    """Opposites that are in no family of directions."""
    for link in view.pair.after.values():
        if link.relation != "antonym":
            continue
        a, b = view.pair.source.words[link.i], view.pair.output.words[link.j]
        ways = lexicon.direction(a.lower), lexicon.direction(b.lower)
        if ways[0] and ways[1] and ways[0][0] == ways[1][0] and not (negative_word(a.lower) or negative_word(b.lower)):
            continue
        if negative_word(a.lower) == b.base or negative_word(b.lower) == a.base:
            continue
        if (link.i in denied[0]) != (link.j in denied[1]):
            continue
        if _crossed(view, _way(view.pair.source, link.i, 1), _way(view.pair.output, link.j, -1)):
            continue
        fit = (view.fit(0, link.i, link.j) + view.fit(1, link.j, link.i)) / 2
        rooms = view.room(0, link.i) + view.room(1, link.j)
        if fit >= 0.6 and rooms <= 1:
            reason = f"The original says “{a.text}”; the simplified text says “{b.text}”, the opposite."
            yield Finding("changed", _mention(view, 0, link.i), _mention(view, 1, link.j), "antonym", reason)


def _mention(view: View, side: int, index: int) -> Mention:
    word = view.passages[side].words[index]
    return Mention(word.start, word.end, index, index, ("word", word.base))


def _text(view: View, side: int, m: Mention) -> str:
    return view.passages[side].text[m.start : m.end]


KIND = Direction()
