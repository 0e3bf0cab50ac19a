"""Negation, compared as the polarity of statements: "not safe", "unsafe" and "dangerous" are the same.

The words that each denial denies are located in the other text. A denial is kept if there is another denial there, in any
wording, or an opposite of the denied word; if its words are kept but nothing denies them, the statement has been reversed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from ..alignment import Pair
from ..passage import Passage
from . import Finding, Kind, Mention, Outcome
from ._any import left_behind
from ._asserted import PARTIAL, Assertions
from ._denial import HEDGES, Denial, denials, likeness, negative_word
from ._double import affirmed, cancel, turned_round
from ._opposite import answered, compared, universal
from ._refusal import reversed_acts
from ._taken_out import NEXT, says_when, taken_out
from ._view import AGREEING, WINDOW, Anchor, View, around, band

_SURE = frozenset(("same", "form"))
_EXPLAINING = frozenset(("same", "form", "synonym"))
# "No statistically significant difference" denies a difference.
_MODIFIERS = frozenset(
    "statistically statistical significant significantly clinically clinical clear clearly important meaningful evidence "
    "real apparent overall convincing strong further".split()
)


class Negation(Kind):
    """Denials in the texts."""

    name = "negation"

    def find(self, passage: Passage) -> list[Mention]:
        return list(denials(passage))

    def compare(self, pair: Pair, before: Sequence[Mention], after: Sequence[Mention]) -> Iterable[Finding]:
        view = View(pair)
        sides = []
        for side, mentions in enumerate((before, after)):
            groups: dict[int, list[Denial]] = {}
            for m in mentions:
                if isinstance(m, Denial):
                    groups.setdefault(view.group(side, m.first), []).append(m)
            sides.append(groups)
        findings = [
            finding
            for number in sorted(sides[0].keys() | sides[1].keys())
            for finding in _compare_group(
                view, sides[0].get(number, []), sides[1].get(number, []), number >= 0
            )
        ]
        asserted = _asserted(view, before, after, findings) | _left_behind(view, before, after)
        yield from (f for f in findings if f.before is None or id(f.before) not in asserted)
        yield from reversed_acts(pair)
        yield from asserted.values()


def _left_behind(view: View, before: Sequence[Mention], after: Sequence[Mention]) -> dict[int, Finding]:
    """Denials of the source that are gone although their "any" is still there, by their identity."""
    sides = [[m for m in side if isinstance(m, Denial)] for side in (before, after)]
    return {
        id(m): Finding("changed", m, _place(view, 1, word), "asserted any", _undenied(view, 0, m, word))
        for m, word in left_behind(view, *sides)
    }


def _asserted(
    view: View, before: Sequence[Mention], after: Sequence[Mention], findings: Sequence[Finding]
) -> dict[int, Finding]:
    """Denials of the source without a certain counterpart that the output asserts, by their identity."""
    settled = {id(f.before): f for f in findings if f.before is not None}
    rest: list[tuple[Denial, Denial | None]] = []
    for m in before:
        if isinstance(m, Denial) and m.tier == 1:
            finding = settled.get(id(m))
            if finding is None or finding.outcome == "gone" or finding.pattern == "repeated":
                rest.append((m, None))
            elif finding.pattern == "same" and isinstance(finding.after, Denial):
                rest.append((m, finding.after if finding.after.tier < 3 else None))
    if not rest:
        return {}
    sides = [[m for m in side if isinstance(m, Denial)] for side in (before, after)]
    places = Assertions(view, [m for m, _ in rest], *sides)
    findings_by_id: dict[int, Finding] = {}
    located = [(m, place) for m, partner in rest if (place := places.of(m, partner, _MODIFIERS))]
    words = view.passages[0].words, view.passages[1].words
    together = Counter((words[0][m.first].sentence, words[1][p.word].sentence) for m, p in located)
    for m, place in located:  # two denials in one sentence may cancel each other
        if together[words[0][m.first].sentence, words[1][place.word].sentence] == 1:
            near = view.group(0, m.first) == view.group(1, place.word)
            reason = _undenied(view, 0, m, place.word)
            pattern = "asserted" if near else "asserted elsewhere"
            findings_by_id[id(m)] = Finding("changed", m, _place(view, 1, place.word), pattern, reason)
    return findings_by_id


def _compare_group(view: View, before: list[Denial], after: list[Denial], aligned: bool) -> Iterator[Finding]:
    settled = [
        Finding("changed", a, d, "double", _moved_reason(view, a, d))
        for a, d in turned_round(view, before, after)
    ]
    for side, rest, others in ((0, before, after), (1, after, before)):
        settled += (
            _finding("same", side, m, None, "opposite", "The other text says it without denials.")
            for m in (*affirmed(view, side, rest, others), *compared(view, side, rest))
        )
    yield from settled
    before = [m for m in before if not any(m is f.before for f in settled)]
    after = [m for m in after if not any(m is f.after for f in settled)]
    taken = list(taken_out(view, 0, before, after)), list(taken_out(view, 1, after, before))
    for (a, _), (b, _) in zip(*taken, strict=False):
        yield Finding("changed", a, b, "moved", _moved_reason(view, a, b))
    least = min(map(len, taken))
    for side, rows in enumerate(taken):
        for m, partner in rows[least:]:
            place = _place(view, 1 - side, partner)
            yield _finding("changed", side, m, place, "polarity", _undenied(view, side, m, partner))
    before, after = (
        [m for m in rest if not any(m is row[0] for row in rows)]
        for rest, rows in zip((before, after), taken, strict=True)
    )
    before, after = _unexplained(view, 0, before, after), _unexplained(view, 1, after, before)
    denied = [
        {i: m for m in side if m.tier < 3 and m.form != "affix" for i in m.about} for side in (before, after)
    ]
    confirming = [{m.word for m in side if m.tier == 3 and m.word >= 0} for side in (before, after)]
    matched = _match(view, before, after, 1.9)
    left, right = _without(before, matched, 0), _without(after, matched, 1)
    left, right = cancel(view, 0, left), cancel(view, 1, right)
    moved = list(_moved(view, left, right))
    left, right = _without(left, moved, 0), _without(right, moved, 1)
    for a, b in moved:
        yield Finding("changed", a, b, "moved", _moved_reason(view, a, b))
    if aligned:
        more = _match(view, _unexplained(view, 0, left), _unexplained(view, 1, right), 0.0)
        matched += more
        left, right = _without(left, more, 0), _without(right, more, 1)
    for a, b in matched:
        if min(a.tier, b.tier) == 1 and "affix" not in (a.form, b.form):
            yield Finding("same", a, b, "same", "Both texts deny it.")
    for side, rest in enumerate((left, right)):
        for m in rest:
            if m.tier < 3:
                yield from _judge(view, side, m, denied[side], denied[1 - side], confirming[1 - side])


def _without(rest: Sequence[Denial], pairs: Sequence[tuple[Denial, Denial]], side: int) -> list[Denial]:
    """The mentions that are not in the pairs."""
    used = {id(pair[side]) for pair in pairs}
    return [m for m in rest if id(m) not in used]


def _match(
    view: View, before: Sequence[Denial], after: Sequence[Denial], least: float
) -> list[tuple[Denial, Denial]]:
    """Corresponding denials of the two sides, the most certain first."""
    scored = []
    for x, a in enumerate(before):
        reach = [view.reach(0, words) for words in ((a.word,), a.about[:1], a.heads, a.about, a.wide)]
        for y in band(x, len(before), len(after)):
            b = after[y]
            score = likeness(a, b, *reach)
            if least == 0.0 and score < 1.4 and not _close(view, a, b):
                continue
            if score >= least and not (least == 0.0 and a.tier == 3 and b.tier == 3):
                scored.append((score - 0.02 * abs(x - y), -x, -y))
    scored.sort(reverse=True)
    out = []
    used_a: set[int] = set()
    used_b: set[int] = set()
    for _, x, y in scored:
        if -x not in used_a and -y not in used_b:
            used_a.add(-x)
            used_b.add(-y)
            out.append((before[-x], after[-y]))
    return out


def _close(view: View, a: Denial, b: Denial) -> bool:
    """Whether b is where a is expected, judged by the first word that either denies, or else by the surrounding words."""
    anchored = False
    for side, m, other in ((0, a, b), (1, b, a)):
        anchor = _anchor(view, side, m)
        if anchor and anchor.word == m.about[0] and m.tier < 3:
            anchored = True
            words = view.passages[1 - side].words
            same = words[anchor.partner].clause == words[other.first].clause
            if same and abs(anchor.partner - other.first) <= NEXT:
                return True
    if anchored:
        return False
    near = range(b.first - WINDOW, b.last + WINDOW + 1)
    return any(j in near for j in view.reach(0, (i for i, _ in view.pair.source.near(a.first, 4))))


def _unexplained(
    view: View, side: int, rest: Sequence[Denial], others: Sequence[Denial] | None = None
) -> list[Denial]:
    """Denials, except words that correspond to a word of the other text that denies nothing (of the rest, without
    `others`).

    With `others`, only the weakest are left out.
    """
    words = {m.word for m in others or ()}
    return [
        m
        for m in rest
        if m.word < 0
        or (others is not None and m.tier < 3)
        or not any(relation in _EXPLAINING and j not in words for j, relation in view.partners(side, m.word))
    ]


def _moved(view: View, before: Sequence[Denial], after: Sequence[Denial]) -> Iterator[tuple[Denial, Denial]]:
    """Denials whose words are both kept, but are not denied in the other text: "A, not B" for "B, not A"."""
    used: set[int] = set()
    for x, a in enumerate(before):
        for y in band(x, len(before), len(after)):
            b = after[y]
            if a.tier != 1 or b.tier != 1 or id(b) in used or a.form == b.form == "affix":
                continue
            in_output, in_source = _anchor(view, 0, a), _anchor(view, 1, b)
            if (
                in_output
                and in_source
                and in_output.partner not in b.wide
                and in_source.partner not in a.wide
                and in_output.word in a.heads[:1]
                and in_source.word in b.heads[:1]
                and min(in_output.fit, in_source.fit) >= 0.34
            ):
                used.add(id(b))
                yield a, b
                break


def _moved_reason(view: View, a: Denial, b: Denial) -> str:
    cue_a, cue_b = _quote(view, 0, a), _quote(view, 1, b)
    return f"The original says {cue_a}; the simplified text denies something else: {cue_b}."


def _anchor(view: View, side: int, m: Denial) -> Anchor | None:
    """The first denied word that the other text has."""
    accepted = frozenset(("antonym",)) if m.form == "affix" else AGREEING
    if m.form == "not":
        accepted |= {"replaced"}
    for i in m.heads:
        best: Anchor | None = None
        for j, relation in view.partners(side, i):
            if relation in accepted or (m.form == "affix" and _opposed(view, side, i, j)):
                anchor = Anchor(i, j, relation, view.fit(side, i, j))
                if best is None or anchor.fit > best.fit:
                    best = anchor
        if best:
            return best
    return None


def _opposed(view: View, side: int, i: int, j: int) -> bool:
    """Whether one word is the other one with a negative affix."""
    a, b = view.passages[side].words[i], view.passages[1 - side].words[j]
    return negative_word(a.lower) == b.base or negative_word(b.lower) == a.base


def _judge(
    view: View,
    side: int,
    m: Denial,
    own: Mapping[int, Denial],
    denied: Mapping[int, Denial],
    confirming: Collection[int],
) -> Iterator[Finding]:
    """The finding for a denial without a counterpart."""
    if m.form == "affix":
        if any(relation in AGREEING for i in m.about[:1] for j, relation in view.partners(side, i)):
            return
    elif any(relation == "antonym" for j, relation in view.partners(side, m.word)):
        return  # the kind "direction" compares it
    elif answered(view, side, m) or any(
        relation == "antonym" for i in m.heads for j, relation in view.partners(side, i)
    ):
        if m.tier == 1:
            yield _finding(
                "same", side, m, None, "opposite", "The other text says it with the opposite word."
            )
        return
    anchor = _anchor(view, side, m)
    confirmed = anchor is not None and anchor.relation == "replaced" and anchor.partner in confirming
    if anchor and (confirmed or says_when(view, side, m, anchor.partner)):
        return  # "not enough" is a "shortage"
    if anchor and (
        anchor.partner in denied
        if m.form != "affix"
        else m.first not in own
        and anchor.partner in denied
        and anchor.partner in denied[anchor.partner].heads
    ):
        if m.tier == 1:
            yield _finding("same", side, m, None, "repeated", "The other text denies it, too.")
        return
    pattern = _pattern(view, side, m, anchor) if anchor else None
    if anchor is None or pattern is None:
        if (opposite := universal(view, side, m)) is not None:
            reason = _undenied(view, side, m, opposite)
            yield _finding("changed", side, m, _place(view, 1 - side, opposite), "universal", reason)
        elif m.form != "affix" and m.tier == 1:
            text_name = "simplified text" if side == 0 else "original"
            outcome: Outcome = "gone" if side == 0 else "new"
            yield _finding(outcome, side, m, None, outcome, f"What it denies is not in the {text_name}.")
        return
    reason = _undenied(view, side, m, anchor.partner)
    yield _finding("changed", side, m, _place(view, 1 - side, anchor.partner), pattern, reason)


def _undenied(view: View, side: int, m: Denial, partner: int) -> str:
    said = view.passages[1 - side].words[partner].text
    cue = _quote(view, side, m)
    if side == 0:
        return f"The original says {cue}; the simplified text says “{said}” and does not deny it."
    return f"The simplified text says {cue}; the original says “{said}” and does not deny it."


def _pattern(view: View, side: int, m: Denial, anchor: Anchor) -> str | None:
    """The strength of the evidence that a statement was reversed; None if there is too little."""
    if anchor.fit < 0.25 or view.twin(side, anchor, m.about):
        return None
    reworded = (
        "polarity reworded" if view.certain else "polarity retold"
    )  # in longer texts it is rarely right
    room = view.room(1 - side, anchor.partner)
    hedges = around(view.passages[1 - side], anchor.partner) - around(view.passages[side], anchor.word)
    if m.form == "some" and hedges & PARTIAL:
        return None
    words = view.passages[side].words
    noun = next((i for i in m.about if words[i].lower not in _MODIFIERS), -1)
    if anchor.word not in (m.about[0], noun):
        sure = (m.form == "no" and room <= 2) or (anchor.fit >= 0.5 and room <= 1)
        return reworded if sure and m.tier == 1 and not hedges & HEDGES else None
    if anchor.relation == "replaced":
        return reworded if room <= 1 and not hedges & HEDGES else None
    if m.form == "but not":
        return "polarity faint" if room <= 1 and not hedges & HEDGES else None
    hedged = m.form != "some" and bool(hedges & HEDGES)
    if m.tier == 2:
        if hedged or room > 1:
            return None
        return reworded if room else "polarity loose"
    sure = anchor.relation in _SURE or m.form == "affix"
    if sure and anchor.fit >= 0.6 and room <= (m.form != "without") and not hedged:
        return "polarity"
    if anchor.fit >= 0.34 and room <= 2:
        return "polarity loose"
    return "polarity faint"


def _place(view: View, side: int, index: int) -> Mention:
    word = view.passages[side].words[index]
    return Mention(word.start, word.end, index, index, ("said", word.base), (), True)


def _finding(
    outcome: Outcome, side: int, m: Denial, other: Mention | None, pattern: str, reason: str
) -> Finding:
    before, after = (m, other) if side == 0 else (other, m)
    return Finding(outcome, before, after, pattern, reason)


def _quote(view: View, side: int, m: Denial) -> str:
    """The denial up to the first word that it denies, in quotation marks."""
    passage = view.passages[side]
    first = m.first
    if passage.words[first].lower in ("n't", "n’t") and first:
        first -= 1
    head = m.about[0] if m.about else m.last
    if not m.last <= head <= m.last + 5:
        head = m.last
    return f"“{passage.text[passage.words[first].start : passage.words[head].end]}”"


KIND = Negation()
