"""Participle clauses become sentences about the subject."""

from __future__ import annotations

from collections.abc import Iterator

from ...tagger import FINITE, inflect
from .coordination import is_date
from .definitions import again, defined
from .phrases import (
    NOUNS,
    PRONOUNS,
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
from .relatives import EVENTS, STATES
from .sentence import Sentence

_OPENING_PARTICIPLES = frozenset(
    "born built located situated founded established written designed known created released published constructed raised "
    "educated completed opened directed produced developed introduced discovered appointed elected trained formed launched "
    "originally composed recorded painted inspired bordered surrounded inhabited".split()
)
# Results of the whole previous clause: "This caused ..." is right whatever the subject is.
_RESULTS = frozenset(
    "causing forcing resulting leading prompting allowing enabling preventing ensuring triggering making creating leaving "
    "bringing adding interrupting giving marking killing destroying damaging ending raising increasing reducing sparking".split()
)
_ACTIONS = frozenset(
    "becoming winning scoring receiving earning reaching selling finishing using serving playing working appearing beating "
    "defeating losing joining returning moving settling graduating studying taking holding featuring including covering "
    "containing having offering providing containing performing touring recording releasing peaking debuting ranking averaging "
    "competing representing succeeding replacing marrying dying writing publishing producing directing starring collecting citing "
    "supporting incorporating introducing showing consisting throwing living keeping attending setting gaining drawing "
    "recovering passing retiring hitting helping posting completing visiting remaining comprising".split()
)
_ONCE = frozenset("formerly then originally previously once initially first".split())


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
        if (
            past is None
            or main.subject[1] - main.subject[0] > 6
            or any(s.tag(i) == "PU" for i in range(*main.subject))
        ):
            continue
        pronoun = s.word(c + 1) if main.subject[1] == c + 2 else ""
        tense = past or s.word(0) not in STATES
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
        end = _closing_comma(s, c + 1)
        if end is None or s.tag(at + 1) not in ("IN", "TO") or end - at > 14:
            continue
        verb = skip_adverbs(s, end + 1)
        if s.tag(verb) not in FINITE or any(s.tag(i) in FINITE | {"WP", "SC"} for i in range(at + 1, end)):
            continue
        if finite_verb(s, 0, c) is not None or s.tag(0) in ("IN", "SC", "RB"):
            continue
        subject = mention(s, 0, c, near=False)
        past = is_past(s, verb)
        if subject is None or past is None or s.word(at) == "given":
            continue
        if subject[1] is None and verb_number(s, verb) is None:
            continue  # "The Nazis, led by": one or several?
        ended = any(s.word(i) in _ONCE for i in range(c + 1, at))
        dated = any(s.tag(i) == "CD" for i in range(at, end))
        tense = past if not ended and s.word(at) not in EVENTS and not dated else True
        yield Proposal(
            "participle",
            f'a clause with the participle "{s.word(at)}" between commas',
            (
                joined(s.span(0, c), s.span(end + 1, s.stop)),
                joined(subject[0], be(subject[1] or verb_number(s, verb), tense), s.span(c + 1, end)),
            ),
        )


def _closing_comma(s: Sentence, start: int) -> int | None:
    """The comma after which the sentence continues, skipping those in dates and names of places."""
    commas = (i for i in range(start, s.stop) if s.word(i) == "," and not s.enclosed[i])
    return next((i for i in commas if s.tag(i + 1) not in ("CD", "NNP")), None)


def action(s: Sentence) -> Iterator[Proposal]:
    """An -ing form with its phrases between commas, after the subject."""
    for c in range(1, s.stop - 4):
        if (
            s.word(c) != ","
            or s.tag(c + 1) != "VBG"
            or s.enclosed[c]
            or s.word(c + 1) in _NOT_ACTIONS - {"making"}
        ):
            continue
        end = _closing_comma(s, c + 1)
        if end is None or end - c < 4:
            continue
        verb = skip_adverbs(s, end + 1)
        if s.tag(verb) not in FINITE or any(s.tag(i) in FINITE | {"WP", "SC"} for i in range(c + 1, end)):
            continue
        if finite_verb(s, 0, c) is not None or s.tag(0) in ("IN", "SC", "RB", "VBG", "VBN"):
            continue
        subject, past = mention(s, 0, c, near=False), is_past(s, verb)
        if subject is None or past is None:
            continue
        plural = subject[1] if subject[1] is not None else verb_number(s, verb)
        form = finite(s.tokens[c + 1].lemma, bool(plural), past)
        if form is None:
            continue
        yield Proposal(
            "participle",
            f'a clause with "{s.word(c + 1)}" between commas',
            (joined(s.span(0, c), s.span(end + 1, s.stop)), joined(subject[0], form, s.span(c + 2, end))),
        )


def described_subject(s: Sentence) -> Iterator[Proposal]:
    """A past participle after "X is a ..." that describes X."""
    for w in range(4, s.stop - 2):
        word = s.word(w)
        if (word not in STATES and word not in EVENTS) or s.tag(w) not in ("VBN", "VBD") or s.enclosed[w]:
            continue
        before = w - 1 if s.word(w - 1) == "," else w
        if s.tag(before - 1) not in NOUNS or s.tag(w + 1) not in ("IN", "TO"):
            continue
        if not any(u.is_scene and u.whole and u.end == s.stop for u in s.starting(w)):
            continue
        if any(s.tag(i) == "WP" or s.word(i) in ("which", "who") for i in range(w, s.stop)):
            continue
        subject_place = defined(s, before)
        if subject_place is None:
            continue
        subject = again(s, *subject_place)
        verb = finite_verb(s, 0, w)
        if subject is None or verb is None or not agree(subject[1], verb_number(s, verb)):
            continue
        general = s.word(0) in ("a", "an") or bool(
            subject[1]
        )  # "A workstation is a computer designed for ..."
        past = bool(is_past(s, verb)) or (word not in STATES and not general)
        yield Proposal(
            "definition",
            f'a clause with the participle "{word}" that describes the subject',
            (s.span(0, before), joined(subject[0], be(subject[1], past), s.span(w, s.stop))),
        )


def closing_participle(s: Sentence) -> Iterator[Proposal]:
    """A clause with an -ing form at the end of a sentence."""
    for c in range(3, s.stop - 2):
        at = skip_adverbs(s, c + 1)
        word = s.word(at)
        if s.word(c) != "," or s.tag(at) != "VBG" or s.enclosed[c] or at - c > 2:
            continue
        result = word in _RESULTS or s.word(c + 1) in ("thus", "thereby")
        if not result and word not in _ACTIONS and not _is_by_person(s, c, at):
            continue
        if any(s.word(i) == "former" for i in range(c)):
            continue
        if not any(u.is_scene and u.end == s.stop for i in (c + 1, at) for u in s.starting(i)):
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
        if result:
            perfect = s.tag(main.verb) == "HV" and s.tag(skip_adverbs(s, main.verb + 1)) in ("VBN", "BEN")
            participle = inflect(base, "VBN")
            text = joined("this", ("had" if past else "has") if perfect else "")
            form = (participle[0] if participle else None) if perfect else finite(base, False, past)
        else:
            if s.tag(main.verb) == "HV" or not (main.subject[0] == 0 or is_date(s, main.subject[0])):
                continue
            subject = mention(s, *main.subject)
            if subject is None:
                continue
            if not _does(s, main.subject) and word not in _OF_THINGS:
                continue
            text = subject[0]
            plural = subject[1] if subject[1] is not None else verb_number(s, main.verb)
            form = finite(base, bool(plural), past)
        if form is None:
            continue
        adverbs = "" if s.word(c + 1) in ("thus", "thereby") else s.span(c + 1, at)
        yield Proposal(
            "closing participle",
            f'a clause with "{word}" at the end',
            (s.span(0, c), joined(text, adverbs, form, s.span(at + 1, s.stop))),
        )
        return


_OF_THINGS = frozenset(
    "selling peaking reaching winning featuring containing consisting covering comprising receiving scoring earning".split()
)


def _does(s: Sentence, subject: tuple[int, int]) -> bool:
    """Whether a subject is a person, or something with a name."""
    head = core(s, *subject)
    if s.word(subject[0]) in PRONOUNS:
        return True
    return head is not None and (
        (s.has_capitals and s.is_name(head[1] - 1)) or is_person(s.word(head[1] - 1))
    )


_NOT_ACTIONS = frozenset(
    "being having including according depending regarding following starting beginning ranging meaning concerning considering "
    "assuming owing pending excluding involving given based compared thinking knowing hoping believing feeling arguing "
    "saying claiming stating suggesting noting reporting making trying".split()
)


def _is_by_person(s: Sentence, c: int, at: int) -> bool:
    """Whether a person did something in the past, so that the same person did what follows."""
    main = clause(s, 0, c)
    if main is None or s.tag(main.verb) != "VBD" or s.word(at) in _NOT_ACTIONS:
        return False
    return s.word(main.subject[0]) in ("he", "she", "they", "we")


def _verbs_between(s: Sentence, start: int, end: int) -> bool:
    """Whether there is another finite verb, so that the participle may belong to it."""
    return any(s.tag(i) in FINITE and not (s.has_capitals and s.is_name(i)) for i in range(start, end))


def _opens_clause(s: Sentence, comma: int) -> bool:
    return any(s.tag(i) in FINITE for i in range(comma, s.stop)) or s.tag(comma + 1) in ("CC", "VBG")


def _lowered(s: Sentence, text: str) -> str:
    return text[:1].lower() + text[1:]
