"""Conditions and exceptions: if, unless, only if, even if, until; except, apart from, but not.

A condition has two parts, what must hold and the rule that it limits: "Call a doctor | if you feel sick". A condition of
the source is located in the output by the words of both parts. "Unless" and "if ... not" are the same condition: what
counts is whether the number of denials (unless, not, no, never) in condition and rule is even or odd in both texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..alignment import Pair
from ..passage import Passage
from . import Finding, Kind, Mention, group_of
from ._cues import NEGATORS, Cue, cues, phrases, plain
from ._lost import sentence_without
from ._view import is_certain

_TABLE = phrases(
    {
        "if": "if|in case|in the event|in the event of|in the event that|provided that|provided|providing that|as long as|"
        "so long as|assuming that|assuming|on condition that|on the condition that|in case of|in cases of|in cases where|"
        "in the case of|if and when|even if not|whenever|when|where|once|should you|should they|should he|should she|"
        "should it|should this|should your|should the|should any|supposing|subject to|suppose|imagine|those who|"
        "anyone who|people who|patients who|on the assumption that|given that|then",
        "unless": "in the absence of|in absence of|for lack of|for want of|in default of|unless|except if|except when|except where|other than when|except in cases where|unless and until",
        "only if": "only if|only when|if and only if|only in case|only where|only in cases|only after|only once|only in the|"
        "just if|only as long as|only for|only in|only with",
        "even if": "even if|whether or not|regardless of|even when|no matter|irrespective of|even though|regardless|"
        "whatever|despite|in spite of|even without",
        "except": "except|except for|except in|except that|excluding|apart from|other than|with the exception of|but not|"
        "aside from|save for|not including|exclusive of|excepting|all but|bar|leaving out|not counting|without counting|"
        "excludes|exclude|excluded|exception|exceptions|besides|rather than|not for|without",
        "including": "including|included|includes|include|inclusive of",
        "until": "until|till|up until|up to|before|by the time|til",
        "after": "after|following|since|from then on|as soon as",
        "whether": "whether|see if|know if|ask if|asked if|find out if|determine if|tell if|test if|tested if|check if|"
        "decide if|sure if|wonder if|wondered if|learn if|investigate if|establish if|clear if|unclear if|examine if|"
        "assess if|evaluate if|as if|what if|to if|looked at if|consider if|knew if|certain if|say if|asks if|question if|"
        "uncertain if|unsure if|doubt if|discover if|studied if|study if|understand if|identify if|of if|asking if|show if|explore if|wondering if|"
        "if any|if possible|if so|if only|if not|if necessary|if ever|if at all|if anything",
    }
)
_SURE = frozenset(
    "if unless provided providing except excluding apart until in even whether only as assuming on but with should aside for".split()
)
_NOT_SURE = frozenset(
    "in the case of|in cases of|only for|only in|only with|only in the|only once|only after|even though|even when|"
    "should the|except that".split("|")
)
_DENIALS = (NEGATORS | frozenset("stop stops stopped discontinue refrain".split())) - frozenset(
    "insufficient inadequate unclear uncertain unknown little few".split()
)
_FAMILY = {
    "if": "condition",
    "unless": "condition",
    "only if": "condition",
    "even if": "condition",
    "except": "exception",
    "including": "exception",
    "until": "time",
    "after": "time",
}
# Words that include the words after them, or before them; how many words of an exception are searched, and how far.
_INCLUDED_AHEAD = frozenset("even also including plus both".split())
_INCLUDED_BEHIND = frozenset("too included also".split())
_EXCEPTED = 3
_NEAR = 6
_STOPS = frozenset(".;:!?")
_WINDOW = 7


@dataclass(frozen=True, slots=True)
class Condition(Mention):
    """A condition; `about` is what must hold, `rule` the statement that then holds, `odd` whether the number of denials is
    odd.
    """

    rule: tuple[int, ...] = ()
    odd: bool = False


class Conditions(Kind):
    """Conditions and exceptions."""

    name = "condition"

    def find(self, passage: Passage) -> list[Mention]:
        return [_condition(passage, cue) for cue in cues(passage, _TABLE) if _is_condition(passage, cue)]

    def compare(self, pair: Pair, before: Sequence[Mention], after: Sequence[Mention]) -> Iterable[Finding]:
        group_b: dict[int, list[Condition]] = {}
        for b in after:
            if isinstance(b, Condition):
                group_b.setdefault(group_of(pair, 1, b), []).append(b)
        used: set[int] = set()
        conditions = [a for a in before if isinstance(a, Condition)]
        for a in sorted(conditions, key=lambda mention: mention.weak):
            scored = sorted(
                (
                    (_shared(pair, a, b), -k, b)
                    for k, b in enumerate(group_b.get(group_of(pair, 0, a), ()))
                    if _FAMILY[str(a.value[0])] == _FAMILY[str(b.value[0])] or not a.weak
                    if not (a.weak and id(b) in used)
                ),
                key=lambda row: row[:2],
                reverse=True,
            )
            scored = [row for row in scored if row[0] >= 0.5]
            same = next((b for _, _, b in scored if _agree(a, b) and _kindred(a, b)), None)
            best = next(
                (b for _, _, b in scored if _FAMILY[str(a.value[0])] == _FAMILY[str(b.value[0])]), None
            )
            if (
                best is not None
                and (change := _change(a, best, pair))
                and not (same and _shared(pair, a, same) >= 1)
            ):
                used.add(id(best))
                yield Finding("changed", a, best, *change)
            elif same is not None:
                used.add(id(same))
                if not a.weak:
                    yield Finding("same", a, same, "same", "Both texts have the condition.")
            elif not a.weak:
                yield from self._left_out(a, pair, group_b.get(group_of(pair, 0, a), ()), after)
        for b in after:
            if not b.weak and id(b) not in used:
                yield Finding("new", None, b, "new", "The original does not have this condition.")

    def _left_out(
        self, a: Condition, pair: Pair, others: Sequence[Condition], after: Sequence[Mention]
    ) -> Iterator[Finding]:
        """The finding for a condition whose words or whose cue are not in the output."""
        text = pair.source.text[a.start : a.end]
        if a.value[0] == "except" and (cue := _included(pair, a)):
            quoted = pair.output.text[cue.start : cue.end]
            reason = f"The original makes an exception (“{text} ...”); the simplified text says “{quoted}”."
            yield Finding("changed", a, cue, "included", reason)
            return
        count = sum(i in pair.after for i in a.about)
        rule = [link for i in a.rule if (link := pair.after.get(i)) and link.relation != "antonym"]
        if (
            len(rule) >= 2
            and len(rule) >= 0.75 * len(a.rule)
            and a.about
            and count <= 0.25 * len(a.about)
            and a.value[0] != "until"
            and not any(b.value[0] in ("if", "unless", "only if", "except", "until") for b in others)
        ):
            what = "exception" if a.value[0] == "except" else "condition"
            yield Finding(
                "changed",
                a,
                None,
                f"{what} dropped",
                f"The original limits this by “{text} ...”; the simplified text has the rule without the {what}.",
            )
        elif not count and (cue := _overruled(pair, a, others)):
            quoted = pair.output.text[cue.start : cue.end]
            reason = f"The original makes an exception (“{text} ...”); the simplified text says “{quoted}”."
            yield Finding("changed", a, cue, "overruled", reason)
        elif count <= _LOST * len(a.about) and sentence_without(pair, a, a.rule, after) is not None:
            reason = f"The original limits this by “{text} ...”; the simplified text does not."
            yield Finding("changed", a, None, "restriction lost", reason)
        else:
            yield Finding("gone", a, None, "gone", "The simplified text does not have this condition.")


def _included(pair: Pair, a: Condition) -> Mention | None:
    """The word that includes something that the original excludes: "even", "also", "too", "as well"."""
    words = pair.output.words
    for i in a.about[:_EXCEPTED]:
        link = pair.after.get(i)
        if link is None or link.relation not in ("same", "form", "synonym"):
            continue
        inside = pair.output.sentence_words(words[link.j].sentence)
        near = range(max(link.j - _NEAR, inside.start), min(link.j + _NEAR, inside.stop))
        lower = [words[k].lower.replace("’", "'") for k in near]
        if _DENIALS & set(lower) or "only" in lower or any(r == "antonym" for r in _relations(pair, inside)):
            return None
        for k in near:
            word = words[k].lower
            behind = word in _INCLUDED_BEHIND and k > link.j
            ahead = word in _INCLUDED_AHEAD and k < link.j
            joined = word == "as" and k + 1 < inside.stop and words[k + 1].lower == "well"
            if (behind or ahead or joined) and words[k].clause in (
                words[link.j].clause,
                words[link.j].clause + 1,
            ):
                last = k + joined
                return Mention(words[k].start, words[last].end, k, last, ("including", word))
    return None


def _overruled(pair: Pair, a: Condition, others: Sequence[Condition]) -> Mention | None:
    """The word of the output that includes everything although the source has an exception: "every day except", "any day"."""
    source, output = pair.source.words, pair.output.words
    if a.value[0] != "except" or any(b.value[0] in ("except", "unless", "if", "only if") for b in others):
        return None
    noun = next((i for i in reversed(a.rule) if a.first - i <= _NEAR), -1)
    link = pair.after.get(noun)
    if link is None or link.relation not in ("same", "form", "synonym"):
        return None
    if not any(word.lower in _UNIVERSAL for word in source[max(0, noun - 3) : noun]):
        return None
    inside = pair.output.sentence_words(output[link.j].sentence)
    if any(plain(output[k].lower) in _DENIALS or output[k].lower in ("only", "but") for k in inside):
        return None
    for k in range(max(inside.start, link.j - 3), link.j):
        if output[k].lower in _UNIVERSAL:
            return Mention(output[k].start, output[k].end, k, k, ("all", output[k].lower), (link.j,))
    return None


_UNIVERSAL = frozenset("all any each every whole entire".split())
_LOST = 0.34


def _relations(pair: Pair, inside: range) -> Iterator[str]:
    return (link.relation for j in inside if (link := pair.before.get(j)))


def _kindred(a: Condition, b: Condition) -> bool:
    """Whether two conditions are of one family, or a condition and an exception."""
    families = {_FAMILY[str(a.value[0])], _FAMILY[str(b.value[0])]}
    return len(families) == 1 or families == {"condition", "exception"}


def _agree(a: Condition, b: Condition) -> bool:
    """Whether two conditions are of one class, or of classes that may replace each other."""
    class_a, class_b = str(a.value[0]), str(b.value[0])
    if {class_a, class_b} in ({"if", "unless"}, {"unless", "only if"}):
        return a.odd == b.odd
    if {class_a, class_b} == {"except", "including"}:
        return a.odd != b.odd
    if {class_a, class_b} == {"until", "after"}:
        return a.odd != b.odd
    return not ("even if" in (class_a, class_b) and {class_a, class_b} & {"if", "only if", "unless"})


def _change(a: Condition, b: Condition, pair: Pair) -> tuple[str, str] | None:
    if _agree(a, b):
        return None
    links = [link for j in (*b.about, *b.rule) if (link := pair.linked(1, j))]
    if any(link.relation == "antonym" for link in links):
        return None
    if _ends_range(pair.output, b, a) or _ends_range(pair.source, a, b):
        return None
    if a.weak and b.weak and not (a.value[1] == "other than" and is_certain(pair)):
        return None
    first, second = pair.source.text[a.start : a.end], pair.output.text[b.start : b.end]
    pattern = {"condition": "polarity", "exception": "inclusion", "time": "until"}[_FAMILY[str(a.value[0])]]
    if "even if" in (a.value[0], b.value[0]):
        pattern = "concession"
    if _shared(pair, a, b) < 1.2:
        pattern += ", reworded"
    return pattern, f"The original says “{first}”; the simplified text says “{second}”."


def _ends_range(passage: Passage, m: Condition, other: Condition) -> bool:
    """Whether "until" ends what "since" begins in the other text: "from 1971 until her death"."""
    before = passage.words[max(m.first - 4, 0) : m.first]
    return m.value[0] == "until" and other.value[1] == "since" and any(w.lower == "from" for w in before)


def _shared(pair: Pair, a: Condition, b: Condition) -> float:
    """The linked share of two conditions, from 0 to 2: what must hold, and the rule."""
    total = 0.0
    for of_a, of_b in ((a.about, b.about), (a.rule, b.rule)):
        if of_a and of_b:
            inside = set(of_a)
            linked = sum((link := pair.linked(1, j)) is not None and link.i in inside for j in of_b)
            total += linked / min(len(of_a), len(of_b))
    return total


def _is_condition(passage: Passage, cue: Cue) -> bool:
    """Whether a cue limits a rule: not "see whether", "at once", nor "data provided by them"."""
    words = passage.words
    if words[cue.first].lower == "once" and words[max(cue.first - 1, 0)].lower in ("at", "than", "for"):
        return False
    if cue.first == cue.last and words[cue.first].lower in ("provided", "assuming", "suppose", "imagine"):
        return (
            cue.first == passage.first_word[words[cue.first].sentence] or words[cue.first - 1].text in ",;("
        )
    return cue.label != "whether"


def _condition(passage: Passage, cue: Cue) -> Condition:
    words = passage.words
    sentence = passage.sentence_words(words[cue.first].sentence)
    after: list[int] = []
    end = cue.last + 1
    while end < sentence.stop and words[end].text not in _STOPS:
        if words[end].text in ",)" and after:
            break
        if words[end].content:
            after.append(end)
        end += 1
    before = [i for i in range(sentence.start, cue.first) if words[i].content]
    if not before:  # the condition comes first
        rule = [i for i in range(end, sentence.stop) if words[i].content][:_WINDOW]
        ends = (i for i in range(end + 1, sentence.stop) if words[i].text in ",;" and i > (rule or [end])[0])
        first, last = cue.first, next(ends, sentence.stop)
    else:
        rule = before[-_WINDOW:]
        first, last = rule[0], end
    denials = sum(
        words[i].lower.replace("’", "'") in _DENIALS
        for i in range(max(first - 3, sentence.start), min(last, cue.last + 25))
        if not cue.first <= i <= cue.last
    )
    text = " ".join(words[i].lower for i in range(cue.first, cue.last + 1))
    label = "unless" if text == "without" and not before else cue.label  # "Without a ticket, you pay"
    sure = (
        words[cue.first].lower in _SURE and text not in _NOT_SURE and cue.label not in ("including", "after")
    )
    return Condition(
        words[cue.first].start,
        words[cue.last].end,
        cue.first,
        cue.last,
        (label, text),
        tuple(after[:_WINDOW]),
        not sure,
        tuple(rule),
        (denials + (label == "unless")) % 2 == 1,
    )


KIND = Conditions()
