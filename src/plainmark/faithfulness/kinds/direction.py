"""Direction and comparison: rise and fall, more and fewer, before and after, better and worse, and other opposites.

Words of one family (lexicon.direction) are paired between the texts by the words around them. A pair of opposite sign
reverses the statement, unless a negation on one side or exchanged comparands compensate for it: "A is higher than B" is "B
is lower than A".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ... import lexicon
from ..alignment import Pair
from ..passage import Passage
from . import Finding, Kind, Mention
from ._balance import balances, is_named_by
from ._copied import copied
from ._denial import negative_word
from ._view import AGREEING, View, band
from ._ways import Way, beside, denied_words, governed, is_passive, is_perfect, way_at, ways
from .role import is_flipped

_SUPERLATIVES = frozenset(
    "most least fewest highest lowest maximum minimum best worst longest shortest first last top bottom".split()
)
# Things whose increase is the decrease of their opposite.
_TOPICS = frozenset(("life", "work"))
_AMOUNTS = frozenset(("amount", "quality"))
# Families that get a line in the ledger even if they have not changed.
_LISTED = frozenset("amount quality time speed safety benefit permission acceptance inclusion bound".split())
_UNLISTED = frozenset("most many least up over".split())
# Verbs that may replace each other, with another subject.
_PASSING = frozenset("give take receive get send obtain have bring".split())
# Families whose opposites differ only in the subject: "she was given it" is "she received it".
_CONVERSE = frozenset(("trade", "loan", "contest", "hiring", "movement"))
# How far comparands are searched.
_FAR = 40
# Number of additional words of a single sentence in which comparands changed places.
_LOOSE = 3
# Largest distance from a word to the word that it belongs to.
_SOON = 4
# Bonus for the fit of two words if they have the same sign, are linked, or precede the same word.
_BONUS = 0.3


class Direction(Kind):
    """Directions and comparisons."""

    name = "direction"

    def find(self, passage: Passage) -> list[Mention]:
        return list(ways(passage))

    def compare(self, pair: Pair, before: Sequence[Mention], after: Sequence[Mention]) -> Iterable[Finding]:
        view = View(pair)
        denied = (denied_words(pair.source), denied_words(pair.output))
        groups: tuple[dict[int, list[Way]], dict[int, list[Way]]] = ({}, {})
        for side, mentions in enumerate((before, after)):
            for m in mentions:
                if isinstance(m, Way) and (group := view.group(side, m.first)) >= 0:
                    ways_there = groups[side].setdefault(group, [])
                    if not ways_there or not _explains(view.passages[side], ways_there[-1], m):
                        ways_there.append(m)
        for number in sorted(groups[0].keys() & groups[1].keys()):
            yield from _compare_group(view, groups[0][number], groups[1][number], denied)
        yield from _antonyms(view, denied)
        if view.certain and (balanced := balances(view.pair)):
            yield Finding("changed", *balanced, "direction supposed", _opposite(view, *balanced))


def _compare_group(
    view: View, before: Sequence[Way], after: Sequence[Way], denied: tuple[frozenset[int], frozenset[int]]
) -> Iterator[Finding]:
    exchanged = list(_exchanged(view, before, after))
    before, after = (
        [m for m in side if not any(m is pair[k] for pair in exchanged)]
        for k, side in enumerate((before, after))
    )
    net = _net(view, before, after, denied) if view.certain else None
    changed = [(a, b, 1.0) for a, b in exchanged]
    paired = _paired(view, before, after)
    for a, b, fit in paired:
        crossed = _crossed(view, a, b)
        same = a.sign == b.sign
        if (a.last in denied[0]) != (b.last in denied[1]):
            continue
        if same != crossed or (same and not _alike(view, a, b)):
            if _listed(view, 0, a) and _listed(view, 1, b):
                yield Finding("same", a, b, "same", "Both texts say it the same way.")
        elif same:  # and crossed
            reason = f"What is compared by “{_text(view, 0, a)}” has changed places."
            yield Finding("changed", a, b, "exchanged", reason)
        else:
            changed.append((a, b, fit))
    if net and net[2]:
        exchanged = []
        changed = [row for row in changed if row[0].family not in (_AMOUNTS | _TOPICS)]
    supposed = net is not None and not net[2]
    for k, (a, b, fit) in enumerate(changed):
        if _balanced(view, a, b, changed) or _is_exchanged_rightly(view, a, b, changed):
            continue
        if pattern := "direction" if k < len(exchanged) else _pattern(view, a, b, fit):
            supposed &= net is not None and a is not net[0]
            yield Finding("changed", a, b, pattern, _opposite(view, a, b))
    if net and supposed:
        yield Finding("changed", net[0], net[1], "direction supposed", _opposite(view, net[0], net[1]))


def _explains(passage: Passage, a: Way, b: Way) -> bool:
    """Whether b explains a in brackets: "hypokalaemia (low potassium)"."""
    between = [w.lower for w in passage.words[a.last + 1 : b.first]]
    return a.value == b.value and len(between) <= _SOON and bool({"(", "or"} & set(between))


def _opposite(view: View, a: Mention, b: Mention) -> str:
    return f"The original says “{_text(view, 0, a)}”; the simplified text says “{_text(view, 1, b)}”, the opposite."


def _exchanged(view: View, before: Sequence[Way], after: Sequence[Way]) -> Iterator[tuple[Way, Way]]:
    """Opposites in otherwise copied wording, if neither text has both."""
    alike: list[tuple[Way, Way]] = []
    bases = [{_key(view, side, m) for m in mentions} for side, mentions in enumerate((before, after))]
    for x, a in enumerate(before):
        for y in band(x, len(before), len(after)):
            b = after[y]
            if a.family != b.family or (a.family in _CONVERSE and _sides_crossed(view, a, b)):
                continue
            both = _key(view, 1, b) in bases[0], _key(view, 0, a) in bases[1]
            if all(both) or (any(both) and not view.certain):
                continue
            if copied(view, (a.first, a.last), (b.first, b.last)).sure:
                alike.append((a, b))
    unchanged = {id(m) for a, b in alike if a.sign == b.sign for m in (a, b)}
    for a, b in alike:
        if id(a) not in unchanged and id(b) not in unchanged:
            unchanged |= {id(a), id(b)}
            yield a, b


def _net(
    view: View, before: Sequence[Way], after: Sequence[Way], denied: tuple[frozenset[int], frozenset[int]]
) -> tuple[Way, Way, bool] | None:
    """What a sentence describes as more or less, on either side, and whether both are equivalent.

    "Unemployment fell" is "fewer people were out of work" or "more people had a job".
    """
    nets = []
    for side, mentions in enumerate((before, after)):
        amounts = [m for m in mentions if m.family in _AMOUNTS]
        topics = [m for m in mentions if m.family in _TOPICS]
        if len(amounts) != 1 or len(topics) != 1:
            return None
        flips = sum(m.last in denied[side] for m in (amounts[0], topics[0]))
        nets.append((amounts[0], topics[0], amounts[0].sign * topics[0].sign * (-1) ** flips))
    (a, topic_a, net_a), (b, topic_b, net_b) = nets
    if topic_a.family != topic_b.family:
        return None
    return a, b, (net_a == net_b) != _crossed(view, a, b)


def _key(view: View, side: int, m: Way) -> tuple[str, int]:
    return view.passages[side].words[m.last].base, m.sign


def _listed(view: View, side: int, m: Way) -> bool:
    return m.family in _LISTED and view.passages[side].words[m.last].lower not in _UNLISTED


def _paired(view: View, before: Sequence[Way], after: Sequence[Way]) -> list[tuple[Way, Way, float]]:
    """Words of one family in the same place of the two texts, the most certain first; each is used once."""
    scored = []
    for x, a in enumerate(before):
        for y in band(x, len(before), len(after)):
            b = after[y]
            if a.family != b.family:
                continue
            if is_named_by(view.pair, a, b):
                scored.append((2.0, -x, -y, 1.0))
                continue
            la, lb = view.passages[0].words[a.last].lower, view.passages[1].words[b.last].lower
            if a.sign != b.sign and ((la in _SUPERLATIVES) != (lb in _SUPERLATIVES)):
                continue
            fit = _fit(view, a, b)
            linked = any(j == b.last for j, _ in view.partners(0, a.last))
            score = fit + _BONUS * ((a.sign == b.sign) + linked + _adjacent(view, a, b)) + 0.1 * (la == lb)
            score += 2 * _BONUS * (view.certain and _follows(view, a, b))
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


def _adjacent(view: View, a: Way, b: Way) -> bool:
    """Whether the directly following words correspond."""
    return any(j == b.last + 1 for j, relation in view.partners(0, a.last + 1) if relation in AGREEING)


def _follows(view: View, a: Way, b: Way) -> bool:
    """Whether the first content words soon after them correspond."""
    one, two = (
        next((k for k in range(m.last + 1, min(m.last + _SOON, len(p.words))) if p.words[k].content), -1)
        for m, p in zip((a, b), view.passages, strict=True)
    )
    if one < 0 or len(view.places(0, view.pair.source.words[one].base, view.group(0, one))) > 1:
        return False
    return any(j == two for j, relation in view.partners(0, one) if relation in AGREEING)


def _fit(view: View, a: Way, b: Way) -> float:
    """The agreement of the words around two words, as the mean of both views."""
    return (view.fit(0, a.last, b.last) + view.fit(1, b.last, a.last)) / 2


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
    """Whether the second comparand of a is in the sentence of b, but not as its second comparand."""
    words, others = view.passages[side].words, view.passages[1 - side].words
    inside = view.passages[side].sentence_words(words[a.first].sentence)
    near = range(max(inside.start, a.first - _FAR), min(inside.stop, a.first + _FAR))
    bases = [words[i].base for i in near]
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


def _alike(view: View, a: Way, b: Way) -> bool:
    """Whether two sentences differ in only a few words, as they must if comparands changed places."""
    for side, m in ((0, a), (1, b)):
        passage = view.passages[side]
        loose = [
            i
            for i in passage.sentence_words(passage.words[m.first].sentence)
            if passage.words[i].content and not any(r in AGREEING for _, r in view.partners(side, i))
        ]
        if len(loose) > (_LOOSE if view.certain else 1):
            return False
    return True


def _balanced(view: View, a: Way, b: Way, changed: Sequence[tuple[Way, Way, float]]) -> bool:
    """Whether an adjacent change compensates for it: "less likely to fall", "more likely to rise".

    "Up in spring, down in autumn" does not compensate for "down in spring, up in autumn".
    """
    told = view.certain and _follows(view, a, b)
    return any(
        c is not a
        and abs(c.first - a.first) <= 6
        and abs(d.first - b.first) <= 6
        and not (told and c.family == a.family and _follows(view, c, d))
        for c, d, _ in changed
    )


def _is_exchanged_rightly(view: View, a: Way, b: Way, changed: Sequence[tuple[Way, Way, float]]) -> bool:
    """Whether two opposites changed places with the sides of a verb: "the older taught the younger" and "learned from"."""
    both = any(
        c is not a and c.family == a.family and c.sign == b.sign and d.sign == a.sign for c, d, _ in changed
    )
    return both and is_flipped(view.pair, a, b)


def _pattern(view: View, a: Way, b: Way, fit: float) -> str | None:
    """The strength of the evidence that two opposite words correspond."""
    left, right = view.pair.source, view.pair.output
    if is_named_by(view.pair, a, b):
        return "direction loose"
    if a.family in _CONVERSE and (is_passive(left, a) != is_passive(right, b) or _sides_crossed(view, a, b)):
        return None
    if _turned(view, a, b) or is_perfect(left, a, b) or is_perfect(right, b, a):
        return None
    if not beside(view, a, b) or not governed(view, a, b):
        return None
    rooms = view.room(0, a.last) + view.room(1, b.last)
    strict = fit >= 0.6 and rooms <= 1
    if a.other and b.other:
        comparands = {j for i in a.other for j, relation in view.partners(0, i) if relation in AGREEING}
        if comparands.isdisjoint(b.other):
            if comparands or fit < 0.5:
                return None
            strict = False
    if strict:
        return "direction"
    return "direction loose" if fit >= 0.25 else None


def _sides_crossed(view: View, a: Way, b: Way) -> bool:
    """Whether the words before one word follow the other: "he sold it to her", "she bought it from him"."""
    source, output = view.pair.source, view.pair.output
    inside = output.sentence_words(output.words[b.first].sentence)
    return any(
        j in inside and (i < a.first) != (j < b.first)
        for i in source.sentence_words(source.words[a.first].sentence)
        if source.words[i].content and not a.first <= i <= a.last
        for j, relation in view.partners(0, i)
        if relation in AGREEING and not b.first <= j <= b.last
    )


def _turned(view: View, a: Way, b: Way) -> bool:
    """Whether a neighbour was replaced with its opposite as well."""
    for i, _ in view.pair.source.near(a.last, 2):
        for j, relation in view.partners(0, i):
            word = view.pair.source.words[i].lower
            if relation == "antonym" and j != b.last and (lexicon.direction(word) or ("",))[0] != "giving":
                return True
    return False


def _antonyms(view: View, denied: tuple[frozenset[int], frozenset[int]]) -> Iterator[Finding]:
    """Opposites that are in no family of directions."""
    for link in view.pair.after.values():
        if link.relation != "antonym":
            continue
        a, b = view.pair.source.words[link.i], view.pair.output.words[link.j]
        ways = lexicon.direction(a.lower), lexicon.direction(b.lower)
        if (
            ways[0]
            and ways[1]
            and ways[0][0] == ways[1][0]
            and not (negative_word(a.lower) or negative_word(b.lower))
        ):
            continue
        if negative_word(a.lower) == b.base or negative_word(b.lower) == a.base:
            continue
        if (link.i in denied[0]) != (link.j in denied[1]) or {a.base, b.base} <= _PASSING:
            continue
        if _crossed(view, way_at(view.pair.source, link.i, 1), way_at(view.pair.output, link.j, -1)):
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
