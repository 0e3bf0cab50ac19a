"""Coordinated clauses and verbs become sentences of their own."""

from __future__ import annotations

from collections.abc import Iterator

from ...tagger import FINITE
from .phrases import (
    AMOUNTS,
    MONTHS,
    NOUNS,
    Clause,
    agree,
    clause,
    existential,
    finite_verb,
    is_past,
    is_plural,
    may_be,
    mention,
    skip_adverbs,
    verb_number,
)
from .proposal import Proposal, joined, opened
from .sentence import Sentence, Unit

OPENERS = {"and": "", "but": "But", "so": "So", "yet": "Yet", "thus": "So", "hence": "So", "therefore": "So"}
HARMLESS = frozenset("than as so".split())
# These words apply to everything after them, so the second half cannot be a sentence of its own.
REPORTING = frozenset(
    "say says said think thought believe believed claim claimed argue argued report reported state stated suggest suggested "
    "know knew known hope hoped find found show showed shown note noted announce announced explain explained estimate estimated "
    "reveal revealed conclude concluded indicate indicated feel felt consider considered hold held ensure ensured mean means "
    "meant imply implied admit admitted deny denied see saw seen suppose supposed assume assumed expect expected agree agreed "
    "insist insisted declare declared decide decided demonstrate demonstrated discover discovered realise realised realize "
    "realized maintain maintained contend contended allege alleged propose proposed warn warned predict predicted appear appeared "
    "seem seemed according".split()
)
# A participle of these verbs may have an object in the passive, too ("was named a saint").
_TWO_OBJECTS = frozenset(
    "named called given awarded elected appointed offered granted declared made sent shown taught told paid considered deemed "
    "dubbed crowned denied left kept rendered voted allowed assigned promised issued lent rated ranked".split()
)
_SUBORDINATING = frozenset("if unless whether when while because although though".split())
_RELATIVE = frozenset("which who whom whose where".split())
_NOT_WITH_BORN = frozenset(
    "raised educated brought reared baptised baptized schooled trained buried christened named bred based".split()
)


def scoped(s: Sentence, cut: int) -> bool:
    """Whether something before a cut might govern the words after it: a condition, a report, a relative clause."""
    if s.word(0) in ("as", "before", "with", "without", "due", "despite") and s.word(cut) != "but":
        return True
    if [s.word(i) for i in range(cut)].count(";") > 1:
        return True
    for i in range(cut):
        tag, word = s.tag(i), s.word(i)
        if word == ":" and not s.enclosed[i] and i > 1:
            return True
        if (
            word == "as"
            and s.tag(i + 1) in ("PRP3", "PRPX", "DT")
            and s.word(cut - 1) != ","
            and any(s.tag(j) in FINITE for j in range(i + 1, cut))
        ):
            return True
        if tag == "SC" and word not in HARMLESS and not (word == "that" and _closed_relative(s, i, cut)):
            return True
        if (tag == "WP" or word in _RELATIVE) and not _closed_relative(s, i, cut):
            return True
        if word in _SUBORDINATING:
            return True
        if (
            word in REPORTING
            and s.tag(i).startswith("VB")
            and any(s.tag(j) in FINITE for j in range(i + 1, cut))
        ):
            return True
    return False


def _closed_relative(s: Sentence, i: int, cut: int) -> bool:
    """Whether a relative clause ends before the cut: at a comma, or before the verb of the main clause."""
    if s.word(i - 1) != ",":
        ends = (u.end for u in s.starting(i) if u.is_scene and u.category == "E" and u.whole)
        return any(
            s.tag(skip_adverbs(s, end)) in FINITE and end < cut and finite_verb(s, 0, i) is None
            for end in ends
        )
    return any(u.end < cut and s.word(u.end) == "," and u.end + 1 < cut for u in s.starting(i) if u.is_scene)


def _tops(s: Sentence) -> list[Unit]:
    return [u for u in s.units if u.category == "H"]


def _before(s: Sentence, c: int) -> int:
    return c - 1 if s.word(c - 1) in (",", ";") else c


def clauses(s: Sentence) -> Iterator[Proposal]:
    """Two clauses with subjects of their own that a conjunction joins."""
    for c in range(2, s.stop - 2):
        word = s.word(c)
        if word not in OPENERS or s.enclosed[c] or (s.tag(c) != "CC" and not _is_result(s, c)):
            continue
        right = _right(s, c)
        if right is None or not ends_clause(s, c) or scoped(s, c):
            continue
        second = clause(s, c + 1, s.stop) or existential(s, c + 1)
        if second is None or not opens_clause(s, c + 1, second):
            continue
        if (clause(s, opening(s), c) or existential(s, opening(s))) is None or _is_list_of_clauses(s, c):
            continue
        if s.word(second.subject[0]) in ("those", "that") and second.subject[1] == second.subject[0] + 1:
            continue  # "patients treated with it and those treated without"
        if _shares_auxiliary(s, c, second) or _shares_comparison(s, c):
            continue
        if s.tag(second.subject[0]) == "VBG" and any(s.tag(i) == "VBG" for i in range(c)):
            continue
        yield Proposal(
            "clauses",
            f'two clauses joined by "{word}"',
            (s.span(0, _before(s, c)), joined(OPENERS[word], s.span(c + 1, s.stop))),
        )


def _is_result(s: Sentence, c: int) -> bool:
    """Whether "so" introduces a result of the previous clause."""
    if s.word(c - 1) == ",":
        return True
    if s.word(c) != "so":
        return False
    return s.tag(c - 1) in NOUNS | {"VBN"} and s.tag(c + 1) in ("DT", "PRP3") and s.word(c + 1) != "that"


def verbs(s: Sentence) -> Iterator[Proposal]:
    """Two verbs that share a subject, which is repeated for the second one."""
    for c in range(2, s.stop - 2):
        word = s.word(c)
        if word not in ("and", "but") or s.enclosed[c] or _right(s, c) is None or not ends_clause(s, c):
            continue
        if scoped(s, c):
            continue
        first = clause(s, opening(s), c)
        if first is None or not (
            _is_connective(s, first.subject[0]) or is_date(s, first.subject[0]) or _is_time(s, first, c)
        ):
            continue
        if _is_list_of_verbs(s, c) or _has_bare_verb(s, c) or s.word(c + 1) in AMOUNTS:
            continue
        helper = _helper(s, first, c)
        if helper is None:
            continue
        subject = mention(s, *first.subject)
        if subject is None:
            continue
        text, plural = subject
        if text == "they" and verb_number(s, first.verb) is False:
            continue  # "Tarzan and the Lion is"
        verb = skip_adverbs(s, c + 1)
        if not helper and not agree(plural, verb_number(s, verb)) and text.lower() not in ("i", "you"):
            continue
        if helper and text == "they" and helper in ("was", "is", "has"):
            continue
        yield Proposal(
            "verbs",
            f'two verbs with one subject, joined by "{word}"',
            (
                s.span(0, _before(s, c)),
                joined(opened(s, OPENERS[word], first.subject[0], text), helper, s.span(c + 1, s.stop)),
            ),
        )


def several_verbs(s: Sentence) -> Iterator[Proposal]:
    """Three or more verbs in one tense that share a subject: "came, saw and won"."""
    for c in range(5, s.stop - 2):
        if s.word(c) != "and" or s.enclosed[c] or _right(s, c) is None or scoped(s, c):
            continue
        first = clause(s, opening(s), c)
        if (
            first is None
            or not _is_connective(s, first.subject[0])
            or s.tag(first.verb) not in ("VBD", "VBZ", "VBP")
        ):
            continue
        cuts = [i for i in range(first.verb + 2, c - 1) if s.word(i) == "," and not s.enclosed[i]]
        if not cuts or any(not _is_verb_like(s, first.verb, i + 1) for i in (*cuts, c)):
            continue
        if any(u.start not in (0, *(i + 1 for i in cuts), c, c + 1) for u in _tops(s) if u.start < c):
            continue
        subject = mention(s, *first.subject)
        if subject is None:
            continue
        ends = [*cuts, _before(s, c), s.stop]
        starts = [*(i + 1 for i in cuts), c + 1]
        rest = [joined(subject[0], s.span(a, b)) for a, b in zip(starts, ends[1:], strict=True)]
        yield Proposal("verbs", "several verbs with one subject", (s.span(0, cuts[0]), *rest))


def _is_verb_like(s: Sentence, verb: int, i: int) -> bool:
    """Whether a verb in the same tense as another one, with words after it, begins at a word."""
    at = skip_adverbs(s, i)
    tense = s.tag(verb)
    return (
        s.tag(at) in (("VBD", "VBN") if tense == "VBD" else (tense,))
        and may_be(s.word(at), tense)
        and s.tag(at + 1) not in ("PU", "CC")
        and not s.is_name(at)
    )


def opening(s: Sentence) -> int:
    """The start of the sentence after an opening connective."""
    if s.word(0) in ("but", "and", "so", "yet"):
        return 1
    if s.tag(0) == "RB" and s.word(1) == ",":
        return 2
    return 0


def _is_connective(s: Sentence, end: int) -> bool:
    """Whether only a connective or an adverb precedes the subject."""
    return end == opening(s) or all(s.tag(i) == "RB" for i in range(end))


def is_date(s: Sentence, end: int) -> bool:
    """Whether only a date precedes the subject, as in "In May 1950, she"; the next sentence continues from it."""
    words = [s.word(i) for i in range(end) if s.tag(i) != "PU"]
    return (
        1 < len(words) <= 5
        and words[0] in ("in", "on", "after", "since", "by", "from")
        and all(w in ("the", "early", "late") or w[0].isdigit() or w in MONTHS for w in words[1:])
    )


def _is_time(s: Sentence, first: Clause, c: int) -> bool:
    """Whether a phrase of time opens a story in the past, which the next sentence continues."""
    end = first.subject[0]
    return (
        s.word(0) in ("in", "on", "after", "following", "during", "at", "by", "upon", "from", "until")
        and 3 < end <= 12
        and s.word(end - 1) == ","
        and not any(s.tag(i) in FINITE | {"VBG"} for i in range(1, end))
        and s.tag(first.verb) == "VBD"
        and s.tag(skip_adverbs(s, c + 1)) in ("VBD", "VBN")
    )


def ends_clause(s: Sentence, c: int) -> bool:
    """Whether a top-level clause ends directly before, ignoring closing marks."""
    return any(
        u.is_scene and u.start < u.end <= c and all(s.tag(i) == "PU" for i in range(u.end, c))
        for u in _tops(s)
    )


def _right(s: Sentence, c: int) -> Unit | None:
    """The top-level clause that begins after a conjunction."""
    for u in _tops(s):
        if u.start in (c, c + 1) or (
            u.start > c and all(s.tag(i) in ("RB", "PU") for i in range(c + 1, u.start))
        ):
            return u
    return None


def opens_clause(s: Sentence, start: int, second: Clause) -> bool:
    """Whether the clause begins with its subject, or with adverbs or a phrase set off by a comma."""
    subject = second.subject[0]
    if s.tag(start) in ("SC", "WP", "TO"):
        return False
    between = range(start, subject)
    if all(s.tag(i) in ("RB", "PU") for i in between):
        return True
    if any(u.category in ("T", "D") and u.end == subject for u in s.starting(start)):
        return True  # "and the next day it"
    return s.tag(start) == "IN" and (
        subject - start <= 3 or (s.word(subject - 1) == "," and subject - start <= 8)
    )


def _shares_auxiliary(s: Sentence, c: int, second: Clause) -> bool:
    """Whether the second verb may need the auxiliary of the first: "schools were closed and staff told to leave"."""
    first = clause(s, opening(s), c)
    if first is None or s.tag(first.verb) not in ("BE", "HV") or s.tag(second.verb) != "VBD":
        return False
    return may_be(s.word(second.verb), "VBN") and s.tag(skip_adverbs(s, second.verb + 1)) in (
        "TO",
        "IN",
        "PU",
        "RB",
    )


def _shares_comparison(s: Sentence, c: int) -> bool:
    """Whether both clauses compare with what only the second names: "was lower and that was higher than before"."""
    last = _before(s, c) - 1
    compares = s.word(last).endswith("er") or s.word(last - 1) in ("more", "less")
    return compares and s.tag(last) in ("JJ", "RB") and any(s.word(i) == "than" for i in range(c, s.stop))


def _is_list_of_clauses(s: Sentence, c: int) -> bool:
    """Whether there are clauses without a conjunction before this one: "one came, one stayed, and one left"."""
    for i in range(2, c - 2):
        if (
            s.word(i) == ","
            and s.word(c - 1) == ","
            and s.tag(i + 1) in ("CD", "PRPX")
            and not s.word(i + 1).isdigit()
        ):
            return True  # "Five came, two stayed, and one left"
        if s.word(i) == "," and not s.enclosed[i] and s.tag(i + 1) not in ("CC", "WP"):
            inner = clause(s, i + 1, c)
            if inner is not None and inner.subject[0] == i + 1 and finite_verb(s, 0, i) is not None:
                return True
    return False


def _is_list_of_verbs(s: Sentence, c: int) -> bool:
    """Whether there are more than two verbs in a row: "came, saw and won"."""
    auxiliary = s.tag(skip_adverbs(s, c + 1)) in ("BE", "HV", "MD")
    alike = {"BE", "HV", "MD", "VBZ", "VBP"} if auxiliary else FINITE | {"VBN", "VB"}
    closed = {u.end for u in s.all_units if u.is_scene and u.category == "E" and s.word(u.start - 1) == ","}
    return any(
        s.word(i) == "," and s.tag(skip_adverbs(s, i + 1)) in alike and i not in closed and not s.enclosed[i]
        for i in range(1, c - 1)
    )


def _has_bare_verb(s: Sentence, c: int) -> bool:
    """Whether the first verb may share its object with the second one: "wrote and directed the film"."""
    if s.word(c - 1) == ",":  # "suggest, but do not confirm, that"
        return s.tag(c - 2) in FINITE and any(s.word(i) == "," for i in range(c, s.stop))
    if s.tag(c - 1) in ("VBN", "JJ") and s.tag(skip_adverbs(s, c + 1)) in ("VBZ", "BE", "HV", "MD"):
        return False
    return s.tag(c - 1) in FINITE or s.tag(c - 1) in ("VBN", "VB", "VBG", "IN", "BEN", "TO")


def _helper(s: Sentence, first: Clause, c: int) -> str | None:
    """The auxiliary to repeat for the second verb: empty for a finite verb, None if it is uncertain."""
    at = skip_adverbs(s, c + 1)
    tag, word = s.tag(at), s.word(at)
    if word in ("to", "be", "being", "been") or (s.is_name(at) and s.has_capitals):
        return None
    if tag in ("BE", "HV", "DO", "MD"):
        return ""
    past = is_past(s, first.verb)
    if s.tag(first.verb) == "MD" and tag in ("VB", "VBP", "NN") and may_be(word, "VB"):
        bare = s.tag(skip_adverbs(s, first.verb + 1)) == "VB" and not any(
            s.tag(i) == "TO" for i in range(first.verb, c)
        )
        return s.tokens[first.verb].text if bare else None
    if tag in ("VBP", "VB") and any(s.tag(i) in ("TO", "VB") for i in range(first.verb, c)):
        return None  # "want to learn and adapt"
    if tag in ("VBP", "VB") and past and s.tag(first.verb) == "VBD" and may_be(word, "VBD"):
        return ""
    if tag in ("VBZ", "VBP"):
        plural = (
            is_plural(s, *first.subject)
            or verb_number(s, first.verb)
            or s.word(first.verb - 1) in ("they", "we", "i", "you")
        )
        return "" if (tag == "VBP") == bool(plural) and (tag == "VBZ" or past is False) else None
    if not may_be(word, "VBD") and not may_be(word, "VBN"):
        return None
    auxiliary = s.tag(first.verb) in ("BE", "HV", "MD")
    middle = skip_adverbs(s, first.verb + 1)
    participle = auxiliary and s.tag(middle) in ("VBN", "BEN")
    if not may_be(word, "VBN") or not auxiliary:
        return "" if may_be(word, "VBD") and (past or tag == "VBD") else None
    if not participle:
        # "was a doctor and worked": an active verb, because no participle precedes it
        return "" if s.word(first.verb) in ("was", "were") and may_be(word, "VBD") and tag == "VBD" else None
    if s.word(first.verb) not in ("was", "were", "is", "are"):
        return None
    if s.word(middle) == "born":
        return "" if word not in _NOT_WITH_BORN and may_be(word, "VBD") else None
    helper = s.tokens[first.verb].text
    if not may_be(word, "VBD"):
        return helper
    following = skip_adverbs(s, at + 1)
    if s.word(following) == "by" and s.tag(following + 1) != "VBG":
        return helper
    if (
        s.tag(following) in ("DT", "PRP3", "OBJ", "NNP")
        and word not in _TWO_OBJECTS
        and s.word(first.verb) in ("was", "were")
    ):
        return ""
    return None
