"""Operations that keep the number of sentences or shorten a list: passive to active, opening phrases, brackets."""

from __future__ import annotations

from collections.abc import Iterator

from ...tagger import FINITE
from .phrases import MONTHS, clause, finite, is_past, is_plural, mention, skip_adverbs
from .proposal import Proposal, joined, uncapitalised
from .sentence import Sentence

_OBJECTS = {"he": "him", "she": "her", "they": "them", "we": "us", "i": "me"}
_LISTING = frozenset("include includes included contain contains contained feature features featured".split())


def passive(s: Sentence) -> Iterator[Proposal]:
    """A passive clause with its agent: "The bridge was built by the Romans."."""
    verbs = [i for i in range(s.stop) if s.tag(i) in FINITE]
    main = clause(s, 0, s.stop)
    if main is None or main.subject[0] != 0 or verbs != [main.verb]:
        return
    if s.word(main.verb) not in ("was", "were", "is", "are") or any(s.tag(i) == "PU" for i in range(s.stop)):
        return
    if s.word(0) in ("this", "that", "these", "those", "it"):
        return  # its antecedent must stay near
    participle = skip_adverbs(s, main.verb + 1)
    preposition = participle + 1
    if s.tag(participle) != "VBN" or s.word(preposition) != "by" or main.verb + 1 != participle:
        return
    agent = next((u for u in s.starting(preposition) if u.category == "A" and u.whole), None)
    if agent is None or not (
        s.tag(preposition + 1) == "DT" or (s.has_capitals and s.is_name(preposition + 1))
    ):
        return
    if any(s.tag(i) in ("CC", "VBG", "SC", "WP", "TO", "VBN") for i in range(s.stop) if i != participle):
        return
    if agent.end < s.stop and s.word(agent.end) not in ("in", "on"):
        return
    if s.word(preposition + 1) in MONTHS or agent.end - preposition < 2:
        return
    form = finite(
        s.tokens[participle].lemma, is_plural(s, preposition + 1, agent.end), bool(is_past(s, main.verb))
    )
    if form is None:
        return
    subject = _OBJECTS.get(s.word(0), uncapitalised(s, s.span(*main.subject)))
    yield Proposal(
        "passive",
        "the one who did it becomes the subject",
        (joined(s.span(preposition + 1, agent.end), form, subject, s.span(agent.end, s.stop)),),
    )


def opening_date(s: Sentence) -> Iterator[Proposal]:
    """Move a date before a short clause to its end."""
    comma = next((i for i in range(2, min(6, s.stop)) if s.word(i) == ","), None)
    if comma is None or s.word(0) not in ("in", "on"):
        return
    if not all(s.word(i)[0].isdigit() or s.word(i) in MONTHS for i in range(1, comma)):
        return
    main = clause(s, comma + 1, s.stop)
    if main is None or main.subject[0] != comma + 1 or s.stop - comma > 9:
        return
    rest = range(comma + 1, s.stop)
    if any(s.tag(i) in ("IN", "CC", "PU", "SC", "WP", "TO", "CD", "VBG") for i in rest):
        return
    date = s.span(0, comma)
    yield Proposal(
        "opening date",
        "a date at the start",
        (joined(s.span(comma + 1, s.stop), date[:1].lower() + date[1:]),),
    )


def long_list(s: Sentence) -> Iterator[Proposal]:
    """A list of five or more included things: half of them follow in a second sentence."""
    main = clause(s, 0, s.stop)
    if main is None or main.subject[0] != 0 or s.word(main.verb) not in _LISTING:
        return
    marks = [i for i in range(main.verb, s.stop) if s.tag(i) == "PU" or s.tag(i) == "CC"]
    commas = [i for i in marks if s.word(i) == ","]
    last = next((i for i in reversed(marks) if s.word(i) == "and"), None)
    if last is None or len(commas) < 4 or set(marks) != {*commas, last} or commas[-1] != last - 1:
        return
    if any(s.tag(i) in FINITE | {"WP", "SC", "VBG", "VBN", "IN"} for i in range(main.verb + 1, s.stop)):
        return
    subject = mention(s, *main.subject)
    if subject is None:
        return
    middle = len(commas) // 2
    first_comma, second_comma = commas[middle - 1], commas[middle]
    yield Proposal(
        "list",
        "a long list",
        (
            joined(s.span(0, first_comma), "and", s.span(first_comma + 1, second_comma)),
            joined(subject[0], "also", s.tokens[main.verb].text, s.span(second_comma + 1, s.stop)),
        ),
    )


def parentheses(s: Sentence) -> Iterator[Proposal]:
    """Drop brackets and their contents."""
    start = next((i for i in range(1, s.stop) if s.word(i) == "("), None)
    end = next((i for i in range(start or s.stop, s.stop) if s.word(i) == ")"), None)
    if start is not None and end is not None and not any(s.word(i) == "(" for i in range(start + 1, end)):
        after = s.text[s.tokens[end].end : s.tokens[s.stop].start]
        yield Proposal("parentheses", "brackets are dropped", (s.span(0, start) + after,))
