"""Relative clauses, appositions and participle clauses become sentences about the noun that they describe."""

from __future__ import annotations

from collections.abc import Iterator

from ...tagger import FINITE
from .phrases import (
    NOUNS,
    agree,
    be,
    clause,
    core,
    finite,
    finite_verb,
    is_past,
    is_person,
    is_plural,
    mention,
    skip_adverbs,
    verb_number,
)
from .proposal import Proposal, joined
from .sentence import Sentence

_ENDS = (",", ".")
# States that last: "The town, located in Kent, was" says nothing of the time of the state.
_STATES = frozenset("located situated known based surrounded bordered connected used called named owned spelled spelt".split())
_OPENING_PARTICIPLES = frozenset(
    "born built located situated founded established written designed known created released published constructed raised "
    "educated completed opened directed produced developed introduced discovered appointed elected trained formed launched "
    "originally composed recorded painted inspired bordered surrounded inhabited".split()
)
# What follows from the whole clause before: "This caused ..." is right whatever the subject is.
_RESULTS = frozenset("causing forcing resulting leading prompting allowing enabling preventing ensuring triggering".split())
_ACTIONS = frozenset(
    "becoming winning scoring receiving earning reaching selling finishing using serving playing working appearing beating "
    "defeating losing joining returning moving settling graduating studying taking holding featuring including covering "
    "containing having offering providing containing performing touring recording releasing peaking debuting ranking averaging "
    "competing representing succeeding replacing marrying dying writing publishing producing directing starring collecting".split()
)
_ONCE = frozenset("formerly then originally previously once initially first".split())
_REPORTED = frozenset("said says say told tells added adds explained explains".split())


def _rest(s: Sentence, start: int, end: int) -> str:
    """The sentence without the words from a comma up to the end of a clause, its commas put right."""
    before, after = s.span(0, start), s.span(end, s.stop)
    if not after:
        return before
    if s.word(end) != ",":
        return joined(before, after)
    following = skip_adverbs(s, end + 1)
    subject_gap = s.tag(following) in FINITE and finite_verb(s, 0, start) is None
    if subject_gap:
        return joined(before, s.span(end + 1, s.stop))
    comma = " ," if s.is_tokenized else ","
    return before + comma + " " + s.span(end + 1, s.stop)


def _antecedent(s: Sentence, comma: int) -> tuple[int, int] | None:
    """The noun phrase that ends before a comma, if there is only one that a clause after it may describe."""
    phrases = [
        u
        for u in s.all_units
        if u.category in ("A", "C", "E", "D", "T") and u.start < comma <= u.end and not u.is_scene
    ]
    start = _phrase_start(s, comma)
    if start is None:
        return None
    if s.word(start - 1) == "of":
        return None  # "the head of the company, which": one or the other
    if not any(u.start <= start for u in phrases):
        return None
    described = next((u for u in s.all_units if any(c.start == comma + 1 and c.is_scene for c in u.children)), None)
    if described is None or described.start < start - 1:
        return None
    return start, comma


def _phrase_start(s: Sentence, end: int) -> int | None:
    """Where the noun phrase before a comma begins, going back over its words."""
    if s.tag(end - 1) not in NOUNS and not (s.has_capitals and s.is_name(end - 1)):
        return None
    start = end - 1
    while start > 0 and s.tag(start - 1) in ("DT", "JJ", "NN", "NNS", "NNP", "CD", "POS", "VBN") and not s.enclosed[start - 1]:
        start -= 1
        if s.tag(start) == "DT":
            break
        if s.tag(start) == "POS":
            return None
    while start < end and s.tag(start) in ("VBN",):
        start += 1
    return start if start < end else None


def relative(s: Sentence) -> Iterator[Proposal]:
    """A clause between commas that begins with "who" or "which"."""
    for w in range(2, s.stop - 2):
        if s.word(w) not in ("who", "which") or s.word(w - 1) != "," or s.enclosed[w]:
            continue
        end = _clause_end(s, w)
        verb = skip_adverbs(s, w + 1)
        if end is None or s.tag(verb) not in FINITE:
            continue
        place = _antecedent(s, w - 1)
        if place is None or _joins_list(s, place[0], end):
            continue
        if s.word(w) == "who" and not _may_be_person(s, *place):
            continue
        plural = is_plural(s, *place)
        if not agree(plural, verb_number(s, verb)):
            continue
        subject = mention(s, *place, near=False)
        if subject is None or subject[0].lower() in ("it", "they"):
            continue
        yield Proposal(
            "relative",
            f'a clause with "{s.word(w)}" between commas',
            (_rest(s, w - 1, end), joined(subject[0], s.span(w + 1, end))),
        )


def place_clause(s: Sentence) -> Iterator[Proposal]:
    """A clause with "where" at the end of a sentence."""
    for w in range(3, s.stop - 2):
        if s.word(w) != "where" or s.word(w - 1) != "," or s.enclosed[w]:
            continue
        end = _clause_end(s, w)
        if end != s.stop or s.tag(w - 2) not in NOUNS:
            continue
        inner = clause(s, w + 1, end)
        if inner is None or inner.subject[0] != w + 1 or finite_verb(s, 0, w) is None:
            continue
        if any(s.word(i) in ("if", "that", "where") for i in range(w)):
            continue
        yield Proposal(
            "where", 'a clause with "where"', (s.span(0, w - 1), joined("there,", s.span(w + 1, end)))
        )


def apposition(s: Sentence) -> Iterator[Proposal]:
    """A description of a name between commas, before the verb."""
    for c in range(1, s.stop - 3):
        if s.word(c) != "," or s.word(c + 1) not in ("a", "an", "the") or s.enclosed[c]:
            continue
        end = next((i for i in range(c + 1, s.stop) if s.word(i) == "," and not s.enclosed[i]), None)
        if end is None or s.tag(skip_adverbs(s, end + 1)) not in FINITE or not _is_name(s, 0, c):
            continue
        if any(s.tag(i) in FINITE or s.tag(i) in ("WP", "SC") for i in range(c + 1, end)):
            continue
        noun = core(s, c + 1, end)
        if noun is None or (s.has_capitals and s.is_name(noun[1] - 1)) or s.tag(noun[1] - 1) == "NNS":
            continue
        verb = skip_adverbs(s, end + 1)
        past = is_past(s, verb)
        person = is_person(s.word(noun[1] - 1))
        if past is None or (past and not person):
            continue
        if s.word(verb) in _REPORTED:
            past = False
        yield Proposal(
            "apposition",
            "a description of a name between commas",
            (joined(s.span(0, c), s.span(end + 1, s.stop)), joined(s.span(0, c), be(False, past), s.span(c + 1, end))),
        )


def opening_participle(s: Sentence) -> Iterator[Proposal]:
    """A participle clause before the subject."""
    if s.word(0) not in _OPENING_PARTICIPLES or s.tag(0) not in ("VBN", "VBD", "JJ", "NN"):
        return
    for c in range(1, s.stop - 2):
        if s.word(c) != "," or s.enclosed[c]:
            continue
        main = clause(s, c + 1, s.stop)
        if main is None or main.subject[0] != c + 1 or finite_verb(s, 0, c) is not None:
            continue
        past = is_past(s, main.verb)
        plural = is_plural(s, *main.subject)
        subject = s.span(*main.subject)
        if past is None or main.subject[1] - main.subject[0] > 6 or any(s.tag(i) == "PU" for i in range(*main.subject)):
            continue
        pronoun = s.word(c + 1) if main.subject[1] == c + 2 else ""
        tense = past or s.word(0) not in _STATES
        if pronoun in ("they", "we", "you") or verb_number(s, main.verb):
            plural = True
        yield Proposal(
            "opening participle",
            f'a clause with the participle "{s.word(0)}" before the subject',
            (
                joined(subject, be(plural, tense, pronoun), _lowered(s, s.span(0, c))),
                s.span(c + 1, s.stop),
            ),
        )
        return


def participle(s: Sentence) -> Iterator[Proposal]:
    """A past participle with its phrases between commas, after the subject."""
    for c in range(1, s.stop - 4):
        if s.word(c) != "," or s.tag(skip_adverbs(s, c + 1)) not in ("VBN", "VBD") or s.enclosed[c]:
            continue
        at = skip_adverbs(s, c + 1)
        end = next((i for i in range(c + 1, s.stop) if s.word(i) == "," and not s.enclosed[i]), None)
        if end is None or s.tag(at + 1) not in ("IN", "TO") or end - at > 12:
            continue
        verb = skip_adverbs(s, end + 1)
        if s.tag(verb) not in FINITE or any(s.tag(i) in FINITE | {"WP", "SC"} for i in range(at + 1, end)):
            continue
        if finite_verb(s, 0, c) is not None or s.tag(0) in ("IN", "SC", "RB"):
            continue
        subject = mention(s, 0, c, near=False)
        past = is_past(s, verb)
        if subject is None or past is None:
            continue
        ended = any(s.word(i) in _ONCE for i in range(c + 1, at))
        tense = past if s.word(at) in _STATES and not ended else True
        yield Proposal(
            "participle",
            f'a clause with the participle "{s.word(at)}" between commas',
            (
                joined(s.span(0, c), s.span(end + 1, s.stop)),
                joined(subject[0], be(subject[1] or verb_number(s, verb), tense), s.span(c + 1, end)),
            ),
        )


def closing_participle(s: Sentence) -> Iterator[Proposal]:
    """A clause with an -ing form at the end of a sentence."""
    for c in range(3, s.stop - 2):
        at = skip_adverbs(s, c + 1)
        word = s.word(at)
        if s.word(c) != "," or s.tag(at) != "VBG" or s.enclosed[c] or at - c > 2:
            continue
        if word not in _RESULTS and word not in _ACTIONS:
            continue
        if any(s.word(i) == "," and not s.enclosed[i] and _opens_clause(s, i) for i in range(c + 1, s.stop)):
            continue
        main = clause(s, 0, c)
        if main is None or any(s.tag(i) in ("SC", "WP") for i in range(c)):
            continue
        past = is_past(s, main.verb)
        if past is None or _verbs_between(s, main.verb + 1, c):
            continue
        base = s.tokens[at].lemma
        if word in _RESULTS:
            form, text = finite(base, False, past), "this"
        else:
            if main.subject[0] != 0 or s.tag(main.verb) == "HV":
                continue
            subject = mention(s, *main.subject)
            if subject is None:
                continue
            text = subject[0]
            plural = subject[1] if subject[1] is not None else verb_number(s, main.verb)
            form = finite(base, bool(plural), past)
        if form is None:
            continue
        yield Proposal(
            "closing participle",
            f'a clause with "{word}" at the end',
            (s.span(0, c), joined(text, s.span(c + 1, at), form, s.span(at + 1, s.stop))),
        )
        return


def _verbs_between(s: Sentence, start: int, end: int) -> bool:
    """Whether there is another finite verb, so that the participle may belong to it."""
    return any(s.tag(i) in FINITE and not (s.has_capitals and s.is_name(i)) for i in range(start, end))


def _opens_clause(s: Sentence, comma: int) -> bool:
    return any(s.tag(i) in FINITE for i in range(comma, s.stop)) or s.tag(comma + 1) in ("CC", "VBG")


def _clause_end(s: Sentence, w: int) -> int | None:
    """Where a clause that begins with a relative pronoun ends: at a comma or the full stop."""
    for u in s.starting(w):
        if u.is_scene and u.whole and u.category == "E" and s.word(u.end) in _ENDS:
            return u.end
    return None


def _joins_list(s: Sentence, start: int, end: int) -> bool:
    """Whether the noun phrase is one of several in a list."""
    return s.word(end + 1) in ("and", "or") or s.word(start - 1) in ("and", "or", ",", "&")


def _may_be_person(s: Sentence, start: int, end: int) -> bool:
    return (s.has_capitals and s.is_name(end - 1)) or not s.has_capitals or is_person(s.word(end - 1))


def _is_name(s: Sentence, start: int, end: int) -> bool:
    """Whether all words are capitalised; in text without capitals nobody knows."""
    return s.has_capitals and end > start and all(s.is_name(i) or (i == 0 and s.tokens[0].text[:1].isupper()) for i in range(start, end)) and (
        s.tag(start) not in ("DT", "IN", "RB", "SC", "PRP3", "PRPX")
    )


def _lowered(s: Sentence, text: str) -> str:
    return text[:1].lower() + text[1:]
