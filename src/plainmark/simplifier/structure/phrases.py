"""Clauses, noun phrases and verb forms in a sentence, and how to mention a noun phrase a second time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ...tagger import FINITE, inflect, net, verb_forms
from .sentence import Sentence

NOUNS = frozenset({"NN", "NNS", "NNP"})
_IN_PHRASE = frozenset({"DT", "JJ", "NN", "NNS", "NNP", "CD", "POS", "VBN", "VBG", "RB", "PRP3", "PRPX"})
PRONOUNS = frozenset("he she it they we i you".split())
_DEFINITE = frozenset("the this that these those my your his her its our their".split())
_PLURAL_AMOUNTS = frozenset(
    "some many several both numerous various certain most all two three four five six".split()
)
# A second sentence about "no patients", "each" or "one of them" would have another meaning.
AMOUNTS = frozenset(
    "no none few fewer every each any neither either nobody nothing everyone everybody everything someone somebody anyone "
    "anything half much more less least only such other others another one there what which who whoever little enough not "
    "nearly almost about approximately around over under up if whether even just".split()
)
_CONTAINERS = frozenset(
    "number amount variety range majority minority series set group part kind type sort lot couple pair total rest one "
    "form percentage proportion piece list collection majority member version".split()
)
_SINGULAR_VERBS = frozenset("is was has does 's ’s".split())
_PLURAL_VERBS = frozenset("are were have do 're ’re".split())
MONTHS = frozenset(
    "january february march april may june july august september october november december".split()
)


@dataclass(frozen=True)
class Clause:
    """A clause with its subject (start, end) and its finite verb."""

    subject: tuple[int, int]
    verb: int


def clause(s: Sentence, start: int, end: int) -> Clause | None:
    """The first clause between two words, if it has a simple subject directly before its finite verb."""
    verb = finite_verb(s, start, end)
    if verb is None:
        return None
    last = verb
    while last > start and s.tag(last - 1) == "RB":
        last -= 1
    if last > start and s.word(last - 1) in (",", ")"):
        # "The bridge, built in 1850, is", "Smith (born 1950) was": the subject begins earlier.
        candidates = [
            u for u in s.all_units if u.category == "A" and start <= u.start and u.end in (last - 1, last)
        ]
    else:
        candidates = [u for u in s.all_units if u.category == "A" and start <= u.start and u.end == last]
    if s.word(last - 1) in PRONOUNS and last - 1 >= start:
        return Clause((last - 1, last), verb)
    if not candidates:
        return None
    subject = max(candidates, key=lambda u: u.end - u.start)
    if s.tag(subject.start) in ("IN", "TO", "SC", "WP", "EX", "CC") or s.word(subject.start) in _NOT_OPENERS:
        return None
    return Clause((subject.start, last), verb)


def existential(s: Sentence, start: int) -> Clause | None:
    """A clause with "there is" that begins at a word; "there" is its subject."""
    if s.word(start) != "there" or s.tag(start + 1) != "BE":
        return None
    return Clause((start, start + 1), start + 1)


_NOT_OPENERS = frozenset("there that what".split())


def finite_verb(s: Sentence, start: int, end: int) -> int | None:
    """The first finite verb between two words that is not in a relative clause."""
    inner = [u for u in s.all_units if u.category == "E" and u.is_scene and start < u.start and u.end < end]
    for i in range(start, end):
        if s.tag(i) in FINITE and not s.enclosed[i] and not (s.is_name(i) and s.has_capitals and i > 0):
            if any(u.start <= i < u.end for u in inner):
                continue
            return i
    return None


def skip_adverbs(s: Sentence, i: int) -> int:
    """The first word from this one on that is not an adverb."""
    while i < len(s) and s.tag(i) == "RB":
        i += 1
    return i


def may_be(word: str, tag: str) -> bool:
    """Whether a word can be a verb in this form."""
    return any(t == tag for t, _ in verb_forms(word.lower()))


def core(s: Sentence, start: int, end: int) -> tuple[int, int] | None:
    """A noun phrase up to its head noun, without the words after it."""
    last = start
    while last < end and s.tag(last) in _IN_PHRASE and not (s.tag(last) == "RB" and last > start + 1):
        if (
            last > start
            and s.tag(last) in ("VBN", "VBG")
            and s.tag(last - 1) in NOUNS
            and s.tag(last + 1) not in NOUNS
        ):
            break
        last += 1
    while (
        last > start
        and s.tag(last - 1) not in NOUNS
        and not (s.tag(last - 1) == "CD" and s.is_name(start) and s.has_capitals)
    ):
        last -= 1
    return (start, last) if last > start else None


def is_plural(s: Sentence, start: int, end: int) -> bool | None:
    """Whether a noun phrase is plural; None if its form does not say."""
    head = core(s, start, end)
    if head is None:
        return s.word(start) in ("they", "we", "these", "those") if s.word(start) in PRONOUNS else None
    if head[1] < end and s.word(head[1]) in ("and", "&"):
        return True
    tag = s.tag(head[1] - 1)
    word = s.word(head[1] - 1)
    if tag == "NNP" or _is_named(s, start, head[1]):
        return None if word.endswith("s") else False
    if tag == "NNS":
        return True
    return None if word.endswith("s") and not word.endswith("ss") else False


def verb_number(s: Sentence, verb: int) -> bool | None:
    """Whether a finite verb is plural; None if its form does not say."""
    word = s.word(verb)
    if word in _SINGULAR_VERBS or s.tag(verb) == "VBZ":
        return False
    if word in _PLURAL_VERBS or s.tag(verb) == "VBP":
        return True
    return None


def agree(a: bool | None, b: bool | None) -> bool:
    """Whether two numbers may be the same."""
    return a is None or b is None or a == b


def mention(s: Sentence, start: int, end: int, *, near: bool = True) -> tuple[str, bool | None] | None:
    """A second mention of a noun phrase as a subject, and whether it is plural; None if it would be ambiguous.

    `near` says that the new sentence follows one with the same subject, so that "they" is understood.
    """
    comma = next(
        (i for i in range(start, end) if s.tag(i) == "PU" and s.word(i) not in ("'", "’", "-", "&")), end
    )
    if any(s.word(i) in (":", ";", '"', "“", ".") for i in range(start, end)) and not s.is_tokenized:
        return None
    whole_end, end = end, comma
    first = s.word(start)
    if end == start + 1 and first in PRONOUNS:
        return s.tokens[start].text, first in ("they", "we", "you", "i")
    if first in ("this", "it") and end == start + 1:
        return "it", False
    if near and first in ("most", "some", "many", "several", "both") and s.word(start + 1) == "of":
        return ("they", True) if any(s.tag(i) == "NNS" for i in range(start, end)) else None
    if near and first == "one" and s.tag(start + 1) == "NN":
        counted = core(s, start + 1, end)
        return (
            (f"this {s.span(start + 1, counted[1])}", False) if counted and counted[1] - start <= 3 else None
        )
    if first in AMOUNTS or s.tag(start) in (
        "IN",
        "TO",
        "SC",
        "WP",
        "EX",
        "VBG",
        "VB",
        "RB",
        "CC",
        "PRP3",
        "OBJ",
    ):
        return None
    head = core(s, start, end)
    if head is None:
        return None
    last = head[1]
    plural = is_plural(s, start, end)
    if last < end and s.word(last) in ("and", "&", "or"):
        if s.word(last) == "or":
            return None
        return ("they", True) if near else None
    if last < end and (s.tag(last) in ("CC", "PU") or (s.tag(last) == "VBG" and last + 1 == end)):
        return None
    if (comma < whole_end and s.tag(comma + 1) == "CC") or "and" in [
        s.word(i) for i in range(comma, whole_end)
    ]:
        return None  # a list
    if s.word(last) == "of" and last < end:
        if s.word(last - 1) in _CONTAINERS:
            return None
        if end - start <= 5:
            last = end
        elif s.is_name(last - 1) and s.has_capitals:
            if end - start > 8 or not s.is_name(end - 1):
                return None
            last = end
    named = _is_named(s, start, head[1])
    if first in ("a", "an"):
        noun = head[1] - 1
        while noun - 1 > start and s.tag(noun - 1) == "NN":
            noun -= 1
        return f"this {s.span(noun, head[1])}", False
    if first in _DEFINITE or any(s.tag(i) == "POS" for i in range(start, last)):
        if last - start > 6:
            return None
        return s.span(start, last), plural
    if first in _PLURAL_AMOUNTS or s.tag(start) == "CD":  # "Four RCTs": the same four
        several = plural or (plural is None and s.word(last - 1).endswith("s"))
        return ("they", True) if near and several else None
    if named:
        return s.span(start, last), plural
    if plural:
        if (
            start == 0
            and end == 1
            and s.has_capitals
            and (not near or not verb_number(s, skip_adverbs(s, 1)))
        ):
            return None  # "Burns left the club": a name, or people who burn
        if near:
            return "they", True
        return f"these {s.word(last - 1)}", True
    return s.span(start, last), plural


def _is_named(s: Sentence, start: int, end: int) -> bool:
    """Whether the head of a noun phrase is part of a name."""
    if not s.has_capitals or not s.is_name(end - 1):
        return False
    return s.tag(end - 1) != "NNS" or (end - 2 >= start and s.tokens[end - 2].text[:1].isupper())


def is_past(s: Sentence, verb: int) -> bool | None:
    """Whether a finite verb is in the past; None for modals and ambiguous forms."""
    word, tag = s.word(verb), s.tag(verb)
    if tag == "VBD" or word in ("was", "were", "had", "did"):
        return True
    if tag in ("VBZ", "VBP") or word in ("is", "are", "am", "has", "have", "does", "do", "'s", "’s", "'re"):
        return False
    return None


def be(plural: bool | None, past: bool, pronoun: str = "") -> str:
    """The form of "be" for a subject."""
    if pronoun == "i":
        return "was" if past else "am"
    if past:
        return "were" if plural else "was"
    return "are" if plural else "is"


def finite(base: str, plural: bool | None, past: bool) -> str | None:
    """A verb with tense and number, or an empty string if its form is not known."""
    if base in ("hav", "having"):
        base = "have"
    if base == "be":
        return be(plural, past)
    if base == "have":
        return "had" if past else ("have" if plural else "has")
    if base not in net().base_forms(base, "v"):
        return None
    if not past and plural:
        return base
    forms = inflect(base, "VBD" if past else "VBZ")
    return forms[0] if forms else None


@cache
def is_kind(noun: str, kind: str) -> bool:
    """Whether the commonest meaning of a noun belongs to a class of WordNet such as "person" or "location"."""
    known = net()
    senses = known.synsets(noun.lower(), "n")[:1]
    for _ in range(14):
        if not senses or any(kind in sense.words for sense in senses):
            return bool(senses)
        senses = [above for sense in senses for above in known.hypernyms(sense)]
    return False


def is_person(noun: str) -> bool:
    """Whether the commonest meaning of a noun is a person."""
    return is_kind(noun, "person")
