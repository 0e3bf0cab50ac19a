"""Quantities, frequencies and bounds: all, most, some, few, none; always, rarely; at least, at most; only; both.

Words of quantity and of frequency are on one scale,

    6 all, always    5 most, usually    4 many, often    3 some, sometimes    2 few, rarely    1 none, never

on which neighbours are distinguished only at the upper end ("most" and "all"). A bound is compared with a bound before or
after the same number: "at least 5" is "5 or more" and "no fewer than 5". "Only" is not on the scale.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..alignment import Link, Pair
from ..passage import Passage
from . import Finding, Mention
from ._cues import NEGATORS, Cue, Fit, ScaleKind, about, cues, firm, heads, negated, opposed, phrases, plain
from ._lost import sentence_without
from ._partial import level as _level
from ._partial import made_universal

_TABLE = phrases(
    {
        "6 amount": "all|all of|every|each|everyone|everybody|everything|any and all|the whole of|the entire|whole|entire|"
        "100 %|entirety|each and every|every single|every one of",
        "6 frequency": "always|at all times|every time|invariably|constantly|without exception|in every case|in all cases|"
        "all the time|continually|continual|without fail|perpetually|continuously|consistently|consistent|permanently|forever",
        "5 amount": "most|most of|the majority of|a majority of|majority of|the majority|a majority|nearly all|almost all|"
        "virtually all|the vast majority|a large majority|almost every|nearly every|almost everyone|nearly everyone|"
        "more than half|over half|a large part of|the bulk of|the greater part of|practically all|almost everything|"
        "two thirds of|three quarters of",
        "5 frequency": "usually|mostly|largely|generally|mainly|typically|normally|predominantly|primarily|in most cases|"
        "most of the time|as a rule|almost always|nearly always|in general|routinely|for the most part|ordinarily|"
        "most often|tend to|tends to|most commonly",
        "4 amount": "many|many of|much|much of|a lot of|lots of|numerous|a large number of|large numbers of|a great deal of|"
        "a great many|plenty of|a high proportion of|a large proportion of|a substantial number of|a good deal of|"
        "a great number of|countless|dozens of|hundreds of|thousands of|millions of|not a few|quite a few|a lot more",
        "4 frequency": "often|frequently|commonly|regularly|a lot of the time|repeatedly|many times|in many cases|quite often",
        "3 amount": "some|some of|several|several of|a number of|various|a few|a few of|certain|a small number of|multiple|"
        "a handful of|a couple of|a part of|part of the|a proportion of|a portion of|a variety of|someone|somebody|"
        "something|not all|not all of|not every|not everyone|n't all|a range of|at least some|a minority of|half of|"
        "half the|about half|different",
        "3 frequency": "sometimes|occasionally|at times|from time to time|now and then|in some cases|on occasion|not always|"
        "n't always|in certain cases|once in a while|every so often|in part|partly|partially|some of the time",
        "2 amount": "few|few of|very few|little|very little|hardly any|scarcely any|barely any|almost no|almost none|"
        "not many|n't many|only a few|only some|virtually no|next to no|a tiny number of|a tiny minority|nearly no|"
        "not much|n't much|almost nobody|hardly anyone|hardly anybody|hardly anything|scarcely anyone|scarcely anybody|"
        "almost no one|barely anyone|hardly a|a small minority of|the minority of|minority of|minority|"
        "limited|paucity|scarce|minimal|insufficient|lack|lacking|low|small|poor|unusual|uncommon|"
        "nearly none|little or no|few if any|little to no|only a small number of|only a minority of",
        "2 frequency": "in rare cases|in few cases|in very few cases|on rare occasions|in very rare cases|rarely|seldom|hardly ever|hardly|infrequently|not often|n't often|almost never|scarcely|scarcely ever|"
        "rare|uncommonly|very rarely|not usually|n't usually|nearly never|only rarely|only sometimes|only occasionally",
        "1 amount": "no|none|none of|nobody|no one|not any|n't any|zero|nothing|not a single|not one|not one of|no single",
        "1 frequency": "never|at no time|under no circumstances|in no case|not once|not ever|n't ever|not at all",
        "lower": "at least|no less than|no fewer than|not less than|not fewer than|a minimum of|minimum of|minimum|more than|"
        "over|above|exceeding|greater than|upwards of|at the very least|higher than|a minimum|or more|or above|or older|"
        "or over|or higher|or greater|or longer|and above|and over|and older|and up|at minimum|≥|>|in excess of|older than|"
        "longer than|starting at|and more|upward of|the minimum of|or later|larger than|older|beyond|plus|and higher",
        "upper": "at most|no more than|not more than|a maximum of|maximum of|maximum|less than|fewer than|under|below|up to|"
        "lower than|at the most|not exceeding|not over|not above|or less|or fewer|or below|or younger|or under|or lower|"
        "or shorter|and below|and under|and younger|≤|<|within|younger than|shorter than|smaller than|limited to|"
        "not to exceed|not exceed|never more than|and up to|or up to|as many as|as much as|the maximum of|never exceed|n't exceed|"
        "n't more than|no longer than|no later than|no older than|no higher than|as long as|and less|and fewer|nearly|almost",
        "only": "only|solely|exclusively|nothing but|none but|just|purely|merely|alone|sole|restricted to|limiting|limit|limits|until|entirely|completely|wholly|"
        "unique|uniquely|single|exclusive|no other|no one else|nobody else",
        "both": "both|both of",
        "either": "either|either of|one of the two|one or the other",
        "neither": "neither|neither of",
    }
)
_AFTER_NUMBER = frozenset(("or", "and", "older", "plus"))
_NUMBER_WORDS = {
    word: str(k)
    for k, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
        "eighteen nineteen twenty".split()
    )
} | {
    "half": "0.50",
    "once": "1",
    "twice": "2",
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "sixty": "60",
    "a": "1",
}
_MARKS = frozenset("$£€~(")
_BETWEEN = frozenset("the a an of to about age ages aged for by".split())


class Quantifier(ScaleKind):
    """Quantities, frequencies, bounds and restrictions."""

    name = "quantifier"

    def find(self, passage: Passage) -> list[Mention]:
        located = [cue for cue in cues(passage, _TABLE) if _is_operator(passage, cue)]
        skip = {i for cue in located for i in range(cue.first, cue.last + 1)}
        return [m for cue in located if (m := _mention(passage, cue, skip)) is not None]

    def differ(self, a: Mention, b: Mention, pair: Pair) -> tuple[str, str] | None:
        class_a, class_b = str(a.value[0]), str(b.value[0])
        first, second = pair.source.text[a.start : a.end], pair.output.text[b.start : b.end]
        said = f"The original says “{first}”; the simplified text says “{second}”"
        if "bound" in (class_a, class_b):
            if (
                class_a != class_b
                or a.value[2] != b.value[2]
                or a.value[1] == b.value[1]
                or opposed(pair, a, b)
            ):
                return None
            return "bound", f"{said}: a bound from {_side(a)} became one from {_side(b)}."
        if "level" in (class_a, class_b) and class_a == class_b:
            pattern = _levels(a, b, pair)
            return (pattern, f"{said}.") if pattern else None
        pairs = {class_a, class_b}
        if pairs in ({"both", "neither"}, {"either", "both"}):
            if "neither" in pairs and opposed(pair, a, b):
                return None
            return "pair", f"{said}."
        return None

    def compare(self, pair: Pair, before: Sequence[Mention], after: Sequence[Mention]) -> Iterable[Finding]:
        findings = list(super().compare(pair, before, after))
        paired = {id(f.after) for f in findings if f.before and f.after}
        others = [b for b in after if id(b) not in paired]
        universal = dict(made_universal(pair, findings, before, after))
        for f in findings:
            a = f.before
            text = pair.source.text[a.start : a.end] if a else ""
            if a and id(a) in universal:
                b = universal[id(a)]
                quoted = pair.output.text[b.start : b.end]
                reason = f"The original says “{text}”; the simplified text says “{quoted}”."
                yield Finding("changed", a, b, "made universal", reason)
            elif a and f.outcome == "gone" and _lost(pair, a, others):
                reason = f"The original says “{text}”; the simplified text does not limit it."
                yield Finding("changed", a, None, "most lost", reason)
            elif not any(f.after is b for b in universal.values()):
                yield f

    def confirms(self, mention: Mention) -> bool:
        return _level(mention) == 1 or mention.value[0] == "either" or _level(mention) == 4

    def excuses(self, a: Mention, b: Mention, pair: Pair) -> bool:
        if a.value[0] in ("bound", "only"):
            return a.value[:2] == b.value[:2] or (a.value[0] == "only" and b.value[0] == "bound")
        return a.value[0] == b.value[0] and abs(_level(a) - _level(b)) <= 1

    def enough(self, a: Mention, b: Mention, fit: Fit) -> bool:
        if a.value[0] == "bound":
            return True
        return fit.tight or (fit.head and fit.affinity >= 1.2)

    def dropped(self, a: Mention, partners: Sequence[Link], pair: Pair) -> tuple[str, str] | None:
        text = pair.source.text[a.start : a.end]
        if not firm(a, partners, 0):
            return None
        if a.value[0] == "level" and _level(a) == 2 and not _denied(pair.source, a, pair.output, partners, 1):
            return "scarcity dropped", f"The original says “{text}”; the simplified text does not."
        if a.value[0] == "only":
            return (
                f"only dropped{_inside(pair.source, a)}",
                f"The original says “{text}”; the simplified text does not.",
            )
        return None

    def added(self, b: Mention, partners: Sequence[Link], pair: Pair) -> tuple[str, str] | None:
        text = pair.output.text[b.start : b.end]
        if not firm(b, partners, 1):
            return None
        if b.value[0] == "level" and _level(b) == 6 and b.value[2] == "frequency":
            return "always added", f"The simplified text says “{text}”; the original does not."
        if b.value[0] == "level" and _level(b) == 2 and not _denied(pair.output, b, pair.source, partners, 0):
            return "scarcity added", f"The simplified text says “{text}”; the original does not."
        if b.value[0] == "only":
            return (
                f"only added{_inside(pair.output, b)}",
                f"The simplified text says “{text}”; the original does not.",
            )
        return None


def _lost(pair: Pair, a: Mention, after: Sequence[Mention]) -> bool:
    """Whether the output says "all" or "always" if the source says "most" or "mostly"."""
    if _level(a) != 5 or pair.source.text[a.start : a.end].lower() in _LOOSE:
        return False
    link = pair.after.get(heads(a)[0]) if a.about else None
    return (
        link is not None
        and link.relation in ("same", "form", "synonym")
        and sentence_without(pair, a, a.about, after) is not None
    )


# Words about a whole, not a part of it.
_LOOSE = frozenset(
    "generally|in general|most often|most commonly|mainly|primarily|routinely|tend to|tends to".split("|")
)


def _inside(passage: Passage, mention: Mention) -> str:
    """A suffix of the pattern if a restriction is not at the beginning of its clause ("Only adults may ...")."""
    previous = passage.words[mention.first - 1] if mention.first else None
    first = previous is None or previous.sentence != passage.words[mention.first].sentence
    return "" if first or (previous and previous.text in ",;:") else ", inside"


def _denied(passage: Passage, mention: Mention, other: Passage, partners: Sequence[Link], side: int) -> bool:
    """Whether there is a denial in the clause of a mention, or in the sentences of the other text with its words."""
    sentences = {other.words[link.j if side else link.i].sentence for link in partners}
    return negated(passage, mention) or any(
        plain(other.words[i].lower) in NEGATORS for s in sentences for i in other.sentence_words(s)
    )


def _side(mention: Mention) -> str:
    return "below" if mention.value[1] == "lower" else "above"


def _levels(a: Mention, b: Mention, pair: Pair) -> str | None:
    """The pattern of two different levels; None if they are close or a negation may compensate for the difference."""
    low, high = sorted((_level(a), _level(b)))
    if high - low <= (0 if high == 6 else 1):
        return None
    if low <= 2 and opposed(pair, a, b):
        return None
    if a.value[2] != b.value[2]:
        return "amount and frequency" if high - low > 2 else None
    return "neighbour" if (low, high) in ((5, 6), (3, 5), (4, 6)) else "level"


def _mention(passage: Passage, cue: Cue, skip: set[int]) -> Mention | None:
    words = passage.words
    value: tuple[object, ...]
    weak = False
    if cue.label in ("lower", "upper"):
        number = _number_after(passage, cue.last)
        if number is None and words[cue.first].lower in _AFTER_NUMBER:
            number = _number_before(passage, cue.first)
        if number is None:
            return None
        value = ("bound", cue.label, number)
        weak = words[cue.first].lower in ("nearly", "almost", "older", "plus", "as", "beyond")
    elif cue.label[0].isdigit():
        level, domain = cue.label.split()
        value = ("level", int(level) + _nearly(passage, cue), domain)
        weak = level == "1" or (words[cue.first].lower in _WEAK and cue.first == cue.last)
    else:
        value = (cue.label,)
        weak = words[cue.first].lower in _WEAK or (
            words[cue.first].lower == "only" and _not_exclusive(passage, cue)
        )
    return Mention(
        words[cue.first].start,
        words[cue.last].end,
        cue.first,
        cue.last,
        value,
        about(passage, cue.first, cue.last, skip),
        weak,
    )


def _nearly(passage: Passage, cue: Cue) -> int:
    """The change of the level by a word like "almost" before all or none: almost the entire, virtually everyone."""
    words = passage.words
    before = [w.lower for w in words[max(0, cue.first - 2) : cue.first]]
    if before[-1:] and (before[-1] in _NEARLY or tuple(before) in _NEARLY_PHRASES):
        return {"6": -1, "1": 1}.get(cue.label[0], 0)
    return 0


_NEARLY = frozenset("almost nearly virtually practically".split())
_NEARLY_PHRASES = frozenset((("just", "about"), ("pretty", "much"), ("close", "to")))
_WEAK = frozenset(
    "just merely purely whole entire different various certain tend tends hundreds thousands millions dozens something someone "
    "limited paucity scarce minimal insufficient lack lacking low small poor unusual uncommon alone sole until continual consistently entirely completely wholly limiting limit limits "
    "unique uniquely single exclusive a restricted perpetually continuously consistent permanently forever "
    "either rare part partly primarily mainly much nothing".split()
)


def _not_exclusive(passage: Passage, cue: Cue) -> bool:
    """Whether "only" means "no more than", "not until" or "but": only five, only in 1920, only to lose, the only."""
    words = passage.words
    sentence = passage.sentence_words(words[cue.first].sentence)
    before = words[cue.first - 1].lower if cue.first > sentence.start else ""
    following = [words[i].lower for i in range(cue.last + 1, min(cue.last + 4, sentence.stop))]
    return (
        before in ("not", "the", "an", "n't", "n’t", "if", "his", "her", "their", "its", "our", "my", "but")
        or any((_number(word) is not None and word != "a") or word in _ORDINALS for word in following)
        or not following
        or following[0] in _NOT_AFTER_ONLY
        or not following[0][0].isalpha()
    )


_ORDINALS = frozenset(
    "first second third fourth fifth sixth seventh eighth ninth tenth few some small little recently".split()
)
_NOT_AFTER_ONLY = frozenset(
    "if when child because a just recently to after since in by then later slightly partly about".split()
)


def _number_after(passage: Passage, last: int) -> str | None:
    words = passage.words
    stop = min(passage.sentence_words(words[last].sentence).stop, last + 4)
    for i in range(last + 1, stop):
        number = _number(words[i].lower)
        if number is not None and words[i].lower != "a":
            percent = i + 1 < stop and words[i + 1].lower in ("%", "percent", "per")
            return f"0.{number}" if percent and number == "50" else number
        if words[i].text not in _MARKS and words[i].lower not in _BETWEEN:
            return None
    return None


def _number_before(passage: Passage, first: int) -> str | None:
    words = passage.words
    start = max(passage.sentence_words(words[first].sentence).start, first - 4)
    for i in range(first - 1, start - 1, -1):
        number = _number(words[i].lower)
        if number is not None and words[i].lower != "a":
            return number
        if not (words[i].text[0].isalpha() or words[i].text in "%°"):
            return None
    return None


def _number(word: str) -> str | None:
    if word[0].isdigit():
        return word.replace(",", "")
    return _NUMBER_WORDS.get(word)


def _is_operator(passage: Passage, cue: Cue) -> bool:
    """Whether a cue is a quantity: not "the most important", "at all", "how many", "each other", "no longer"."""
    if cue.first != cue.last:
        return True
    words = passage.words
    sentence = passage.sentence_words(words[cue.first].sentence)
    before = words[cue.first - 1].lower if cue.first > sentence.start else ""
    after = words[cue.last + 1].lower if cue.last + 1 < sentence.stop else ""
    lower = words[cue.first].lower
    if before in _NOT_AFTER.get(lower, ()) or after in _NOT_BEFORE.get(lower, ()):
        return False
    if lower == "most":
        return not before or not after.endswith(("ly", "ed", "ous", "ive", "ble"))
    if lower == "all":
        return after[:1].isalpha() or before not in ("in", "of")
    if lower == "little":
        return words[cue.first].text == "little" or not before
    if lower == "minority":
        return before in ("a", "the", "small", "tiny")
    return True


# Words before or after which a cue has another meaning.
_NOT_AFTER = {
    "most": frozenset("the at his her their its our your my 's ’s".split()),
    "all": frozenset("at above after not first once -".split()),
    "many": frozenset("how as so too that not n't".split()),
    "much": frozenset("how as so too that not n't".split()),
    "few": frozenset("a the last past next first quite every".split()),
    "little": frozenset("a the his her their as".split()),
    "certain": frozenset("is are not make was be quite a".split()),
    "half": frozenset("-"),
    "whole": frozenset("-"),
}
_NOT_BEFORE = {
    "most": frozenset(
        "important common likely recent effective severe often serious popular famous frequent probable appropriate "
        "difficult significant powerful dangerous efficient expensive prevalent relevant complex precise prominent reliable "
        "successful useful recently extreme advanced modern urgent other".split()
    ),
    "all": frozenset("right but too over along -".split()),
    "no": frozenset("longer more less fewer matter doubt one two . ,".split()),
    "each": frozenset(("other",)),
    "certain": frozenset("that to of".split()),
    "half": frozenset("-"),
    "whole": frozenset("-"),
}

KIND = Quantifier()
