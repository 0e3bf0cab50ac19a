"""Words for directions and comparisons in a text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ... import lexicon
from ..passage import Passage
from . import Mention
from ._denial import denials, negative_word
from ._view import AGREEING, View

PREPOSITIONS = frozenset(
    "before after above below over under inside outside up down prior following beneath underneath".split()
)
# Words of a second family, in addition to lexicon.direction.
_MORE = {
    **dict.fromkeys("cause trigger produce".split(), ("effect", 1)),
    **dict.fromkeys("prevent stop".split(), ("effect", -1)),
    **dict.fromkeys("loss lose".split(), ("amount", -1)),
    "ease": ("quality", 1),
    "short": ("height", -1),
    **dict.fromkeys("retreat recede tumble slash dip weaken".split(), ("amount", -1)),
    **dict.fromkeys("advance mount skyrocket spike rocket balloon".split(), ("amount", 1)),
    **dict.fromkeys("recover rebound".split(), ("amount", 1)),
    **dict.fromkeys("collapse crash".split(), ("amount", -1)),
    "climb": ("slope", 1),
    **dict.fromkeys("mortality fatality fatal deadly".split(), ("life", -1)),
    **dict.fromkeys("unemployment unemployed jobless joblessness redundant".split(), ("work", -1)),
    **dict.fromkeys("employment employed job".split(), ("work", 1)),
}
# "Girls outperform boys"
_SURPASSING = {
    **dict.fromkeys("outperform surpass outdo outclass outshine".split(), ("quality", 1)),
    **dict.fromkeys("exceed outnumber outstrip outpace outweigh".split(), ("amount", 1)),
}
# Verbs with a particle: "went up", "brought rates down", "laid off".
_PARTICLES = {
    (verb, particle): (family, sign)
    for family, sign, particle, verbs in (
        (
            "amount",
            1,
            "up",
            "go come push drive bring shoot climb creep move edge keep stay put send force pick scale step",
        ),
        (
            "amount",
            -1,
            "down",
            "go come push drive bring shoot climb creep move edge keep stay put send force take scale",
        ),
        ("amount", -1, "off", "drop fall tail"),
        ("amount", -1, "back", "fall drop cut"),
        ("hiring", 1, "on", "take"),
        ("hiring", -1, "off", "lay"),
        ("speed", 1, "up", "speed hurry"),
        ("power", 1, "on", "turn switch"),
        ("power", -1, "off", "turn switch"),
        ("acceptance", -1, "down", "turn"),
        ("start", 1, "up", "take set start"),
        ("start", -1, "up", "give"),
        ("start", -1, "down", "close shut"),
        ("start", -1, "off", "call"),
        ("entry", 1, "in", "let log check move"),
        ("entry", -1, "out", "keep log check move"),
    )
    for verb in verbs.split()
}
# "Voted for", "argued against"
_SIDING = frozenset("vote argue decide rule campaign speak advise recommend find be come lobby".split())
# "Costs more" is more expensive.
_MEASURING = {"cost": "price", "weigh": "weight"}
_ALL_PARTICLES = frozenset(particle for _, particle in _PARTICLES)
# Those whose object may precede the particle, and its largest length in words.
_PARTED = frozenset("put bring push drive send force turn switch take lay call keep".split())
_OBJECT = 4
_NOT_OBJECTS = frozenset("and or but to of in on at by for with from up down off out that which who".split())
# Prefixes with a hyphen: "pre-treatment", "anti-clockwise".
_PREFIXES = {"pre": ("time", -1), "ante": ("time", -1), "post": ("time", 1)}
_AGAINST = frozenset("anti counter contra".split())
# "Ten or more", "18 or over"
_BOUNDS = dict.fromkeys("more greater higher older over above".split(), 1) | dict.fromkeys(
    "less fewer lower younger under below".split(), -1
)
# Verbs with a particle that does not express a direction: "burned down", "grew up".
_IDIOMS = frozenset(
    (verb, particle)
    for particle, verbs in (
        ("down", "burn break slow calm write settle track crack hunt note"),
        ("up", "make grow break clean wake sum end sign speak use look eat call dress show wrap"),
        ("over", "take hand get turn"),
    )
    for verb in verbs.split()
)
# "Over the course of the summer", "over the next ten years"
_TIMES = frozenset(
    "course time year month week day hour decade century period summer winter spring autumn weekend night season minute".split()
)
# "End-stage", "short-term"
_COMPOUNDED = frozenset("end short up".split())
_ADVERBS = frozenset("previously earlier beforehand later afterwards subsequently".split())
_BE = frozenset("is are was were be been being get got".split())
_LESS = frozenset("less least".split())
_STOPS = frozenset("and but when if because while on in at by with for during from".split())
_ENDS = frozenset(",;:()[].!?—–")
# Number of content words that belong to the words after "than" or "before".
_COMPLEMENT = 4


@dataclass(frozen=True, slots=True)
class Way(Mention):
    """A word that expresses a direction; `other` is the second comparand ("than B", "before B"), as word indices."""

    family: str = ""
    sign: int = 1
    other: tuple[int, ...] = ()


def ways(passage: Passage) -> Iterator[Way]:
    """The words of a text that express a direction, in order."""
    words = passage.words
    for i, word in enumerate(words):
        if not word.text[0].isalpha():
            continue
        previous = words[i - 1].lower if i and words[i - 1].sentence == word.sentence else ""
        if previous == "at" and word.lower in ("least", "most", "first", "last", "best", "worst"):
            continue
        if previous == "or" and word.lower in _BOUNDS:
            yield way_at(passage, i, _BOUNDS[word.lower], "bound")
            continue
        if word.lower in _ALL_PARTICLES and (verb := _phrasal(passage, i)) >= 0:
            family, sign = _PARTICLES[words[verb].base, word.lower]
            yield way_at(passage, i, sign, family, verb)
            continue
        if (previous and (words[i - 1].base, word.lower) in _IDIOMS) or (
            word.lower == "over" and _lasts(passage, i)
        ):
            continue
        if word.lower in ("high", "low") and previous == "too" and words[i - 2].base in ("get", "become"):
            yield way_at(passage, i, 1 if word.lower == "high" else -1, "amount", i - 1)
            continue
        if word.lower == "finished" and previous in ("have", "has", "had", "you", "they"):
            yield way_at(passage, i, 1, "time")  # "when you have finished eating"
            continue
        if word.lower == "longer" and previous in ("no", "any"):
            yield way_at(passage, i, -1, "start", i - 1)
            continue
        if word.lower == "lost" and previous and words[i - 1].base in _TIMES:
            continue  # "each hour lost"
        if word.lower in _PREFIXES and i + 2 < len(words) and words[i + 1].text == "-":
            family, sign = _PREFIXES[word.lower]
            yield way_at(passage, i + 2, sign, family, i)
            continue
        if word.lower == "work" and previous == "of" and i > 1 and words[i - 2].lower == "out":
            yield way_at(passage, i, -1, "work", i - 2)
            continue
        if word.lower in ("for", "favour", "favor", "against") and (sign := _sided(passage, i)):
            yield way_at(passage, i, sign, "encouragement")
            continue
        if word.lower in ("more", "less") and previous and words[i - 1].base in _MEASURING:
            yield way_at(passage, i, 1 if word.lower == "more" else -1, _MEASURING[words[i - 1].base], i - 1)
        following = words[i + 1] if i + 1 < len(words) else word
        if word.lower in _COMPOUNDED and following.text in ("-", "–"):
            continue
        if word.lower in ("more", "less", "most", "least") and lexicon.direction(following.lower):
            continue  # "less likely" goes with "likely"
        against = previous == "-" and i > 1 and words[i - 2].lower in _AGAINST
        flip = -1 if previous in _LESS or against else 1
        start = i - 2 if against else i - 1 if previous in ("more", "less", "most", "least") else i
        way = lexicon.direction(word.lower)
        if way and way[0] != "giving" and word.lower != "never" and not negative_word(word.lower):
            sign = (
                way[1] if way[0] == "balance" and not against else flip * way[1]
            )  # "less profit" is no loss
            yield way_at(passage, i, sign, way[0], start)
        if way := _MORE.get(word.base) or _SURPASSING.get(word.base):
            yield way_at(passage, i, flip * way[1], way[0], start)


def _lasts(passage: Passage, i: int) -> bool:
    """Whether "over" expresses a duration."""
    words = passage.words
    return any(w.base in _TIMES for w in words[i + 1 : i + _OBJECT] if w.sentence == words[i].sentence)


def _sided(passage: Passage, i: int) -> int:
    """1 for "voted for" and "in favour of", -1 for "voted against", 0 for other uses of these words."""
    words = passage.words
    low = passage.first_word[words[i].sentence]
    if words[i].lower in ("favour", "favor"):
        return int(i > low and words[i - 1].lower == "in")
    if words[i].lower == "for":
        return int(i > low and words[i - 1].base == "vote")
    verbs = {lexicon.base(w.lower) for w in words[max(low, i - _OBJECT) : i]}
    return -1 if verbs & _SIDING else 0


def _phrasal(passage: Passage, particle: int) -> int:
    """The verb that a particle belongs to, directly before it or before its object; -1 if there is none."""
    words = passage.words
    lower = words[particle].lower
    following = words[particle + 1] if particle + 1 < len(words) else None
    # "Put the tray down", but not "put the tray down the chute".
    closed = following is None or not (following.content or following.lower in ("the", "a", "an"))
    low = max(passage.first_word[words[particle].sentence], particle - 1 - _OBJECT)
    if following is not None and following.lower == "with":
        return -1  # "went down with flu", "came up with a plan"
    for i in range(particle - 1, low - 1, -1):
        if (words[i].base, lower) in _PARTICLES:
            return i if i == particle - 1 or (closed and words[i].base in _PARTED) else -1
        if not words[i].text[0].isalpha() or words[i].lower in _NOT_OBJECTS:
            break
    return -1


def way_at(passage: Passage, index: int, sign: int, family: str = "", start: int = -1) -> Way:
    """The mention of such a word."""
    words = passage.words
    start = index if start < 0 else start
    about = tuple(k for k, _ in passage.near(index, 2))
    other = tuple(_complement(passage, start)) or tuple(_complement(passage, index))
    begin = words[start].start
    return Way(begin, words[index].end, start, index, (family, sign), about, False, family, sign, other)


def _complement(passage: Passage, index: int) -> Iterator[int]:
    """The second comparand of a word: the words after "than", or after a preposition of place or time."""
    words = passage.words
    inside = passage.sentence_words(words[index].sentence)
    follows = words[index].lower in PREPOSITIONS or words[index].base in _SURPASSING
    begin = index + 1 if follows else -1
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
        if words[k].text in _ENDS or (count and words[k].lower in _STOPS):
            return
        if words[k].content:
            count += 1
            yield k
            if count == _COMPLEMENT:
                return


def is_passive(passage: Passage, m: Way) -> bool:
    """Whether a verb is in the passive."""
    return any(w.lower in _BE for w in passage.words[max(m.first - 2, 0) : m.first])


def is_perfect(passage: Passage, a: Way, b: Way) -> bool:
    """Whether a is an adverb of time and b a preposition: patients "after surgery" have had it "previously"."""
    return passage.words[a.last].lower in _ADVERBS and bool(b.other)


def denied_words(passage: Passage) -> frozenset[int]:
    """Words in the scope of a negation, or directly after one."""
    out: set[int] = set()
    for m in denials(passage):
        if (m.tier < 3 or m.last > m.first or m.form == "few") and m.form != "affix":
            out.update(range(m.last + 1, (m.heads[-1] if m.heads else m.last) + 1))
            out.update(m.heads)
    return frozenset(out)


def governed(view: View, a: Way, b: Way) -> bool:
    """Whether the directly following words, if there are any in both texts, correspond: "high risk" is not "low quality"."""
    i, j = a.last + 1, b.last + 1
    left, right = view.pair.source.words, view.pair.output.words
    if (
        left[a.last].lower in PREPOSITIONS
        or i >= len(left)
        or j >= len(right)
        or not (left[i].content and right[j].content)
    ):
        return True
    near = range(j, j + 4)
    partners = [k for k, relation in view.partners(0, i) if relation in AGREEING]
    if any(k in near for k in partners):
        return True
    back = [k for k, relation in view.partners(1, j) if relation in AGREEING]
    return any(k in range(i, i + 4) for k in back)


def beside(view: View, a: Way, b: Way) -> bool:
    """Whether a word directly next to one has its partner directly next to the other."""
    near = {j for j, _ in view.pair.output.near(b.last, 3)}
    return any(
        j in near
        for i, _ in view.pair.source.near(a.last, 2)
        for j, relation in view.partners(0, i)
        if relation in AGREEING
    )
