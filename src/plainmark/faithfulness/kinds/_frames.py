"""Verbs with the nouns for their agent and patient, as far as word order shows them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ... import lexicon
from ..alignment import Pair
from ..passage import Passage

_BE = frozenset("be is are was were been being get gets got getting".split())
_AUXILIARIES = _BE | frozenset(
    "has have had having do does did will would can could may might shall should must not n't n’t never also then later first "
    "ever just to 's ’s".split()
)
_RELATIVES = frozenset(("who", "which", "that"))
_PREPOSITIONS = frozenset("of from in at with for on".split())
_DETERMINERS = frozenset(
    "a an the his her its their our my your this that these those some two three all both many".split()
)
_PARTITIVES = frozenset("one of most each several".split())
_JOINING = ("and", "or", "&", "-")
_BEFORE_NOUNS = _DETERMINERS | _PREPOSITIONS | {"by", "-", "–", "no", "any", "each", "and", "or"}
_AGREEING = frozenset(("same", "form", "synonym"))
# Verbs that the speaker may follow: "..., says Professor Lund".
_SAYING = frozenset(
    "say explain add warn ask write argue claim note report announce declare recall joke insist reply answer".split()
)
_CLOSING = frozenset((",", '"', "”", "’", "'", "?", "!"))
_PLURALS = frozenset("people men women children police cattle mice geese feet teeth".split())
# Verbs of one sense, each with its preposition.
_EATING = {"eat": "", "devour": "", "hunt": "", "feed": "on", "prey": "on"}
_NUMBERS = frozenset("two three four five six seven eight nine ten eleven twelve hundred thousand".split())
_FAR = 8


class Frame(NamedTuple):
    """A verb, the word of its agent, and the candidates for its patient."""

    verb: int
    agent: int
    patient: tuple[int, ...]


def frames(passage: Passage) -> list[Frame]:
    """The verbs of a text that have an agent."""
    words = passage.words
    out: list[Frame] = []
    subject = -1  # the subject of the previous clause, for "and"
    for i, word in enumerate(words):
        if not _verb(passage, i):
            continue
        inside = passage.sentence_words(word.sentence)
        k = i - 1
        passive = False
        while k in inside and (words[k].lower in _AUXILIARIES or words[k].lower.endswith("ly")):
            passive |= words[k].lower in _BE
            k -= 1
        if word.base in _SAYING and k in inside and words[k].text in _CLOSING:
            continue  # the quoted words precede it, and the speaker follows
        joined = k in inside and words[k].lower in ("and", "but", "then", ",") and bool(out)
        left = _subject(passage, k)
        if joined and left < 0:
            left = subject
        agent_marker = next((n for n in range(i + 1, min(i + 3, inside.stop)) if words[n].lower == "by"), -1)
        if agent_marker >= 0 and (passive or joined or words[i].lower.endswith(("ed", "en", "n", "t"))):
            agent = max(_object(passage, agent_marker), default=-1)
            patient: tuple[int, ...] = (left,) if left >= 0 else ()
        elif passive:
            continue
        else:
            agent, patient = left, _object(passage, i)
        if left >= 0:
            subject = left
        if agent >= 0:
            out.append(Frame(i, agent, patient))
    return out


def exchanges(pair: Pair) -> Iterator[tuple[Frame, Frame]]:
    """Frames of linked verbs whose agent has changed to the patient, or to the agent of another verb.

    For single sentences only, because in whole texts the same nouns and verbs occur together in many ways.
    """
    before, after = frames(pair.source), frames(pair.output)
    for a in before:
        for b in after:
            in_output, in_source = _partner(pair, 0, a.agent), _partner(pair, 1, b.agent)
            if _eats(pair.source, a.verb) and _eats(pair.output, b.verb):
                if in_output != b.agent and in_source in a.patient and b.patient:
                    yield a, b
                continue
            link = pair.linked(1, b.verb)
            if link is None or link.i != a.verb or link.relation not in _AGREEING:
                continue
            if in_output < 0 or in_source < 0 or in_output == b.agent or in_source == a.agent:
                continue
            if (
                (_is_named(pair.source, a) and _is_named(pair.output, b))
                or (
                    link.relation != "synonym"
                    and _is_lone(pair.source, a, in_source)
                    and _is_lone(pair.output, b, in_output)
                )
                or (in_output in b.patient and a.patient)
                or (in_source in a.patient and b.patient)
                or (
                    any(f.agent == in_output for f in after if f is not b)
                    and any(f.agent == in_source for f in before if f is not a)
                )
            ):
                yield a, b


def _partner(pair: Pair, side: int, index: int) -> int:
    link = pair.linked(side, index)
    if link is None or link.relation not in _AGREEING:
        return -1
    return link.j if side == 0 else link.i


def _is_named(passage: Passage, frame: Frame) -> bool:
    """Whether the agent of a finite verb is the end of a single name: "Ilse Brandt", but not "Brandt and Reyl"."""
    words = passage.words
    i = frame.agent
    if words[frame.verb].lower.endswith("ing"):
        return False
    inside = passage.sentence_words(words[i].sentence)
    first = i
    while first > inside.start and words[first - 1].text[0].isupper():
        first -= 1
    listed = first - 1 in inside and words[first - 1].lower in (*_JOINING, ",")
    listed |= i + 1 in inside and words[i + 1].lower in _JOINING
    return words[i].text[0].isupper() and i > inside.start and not listed


def _is_lone(passage: Passage, frame: Frame, other: int) -> bool:
    """Whether a finite verb occurs once in a text, with a noun as its agent; `other` is the agent of the other text."""
    words = passage.words
    verb, agent = words[frame.verb], words[frame.agent]
    if verb.lower.endswith("ing") or not frame.patient or not lexicon.is_noun(agent.lower):
        return False
    if agent.lower.endswith(("ed", "ing")) or sum(w.base == verb.base for w in words) > 1:
        return False
    between = words[min(frame.agent, other) + 1 : max(frame.agent, other)]
    return abs(frame.verb - frame.agent) <= _FAR and not all(w.content for w in between)


def _eats(passage: Passage, i: int) -> bool:
    """Whether a verb says that somebody eats something."""
    particle = _EATING.get(passage.words[i].base)
    return particle == "" or (particle is not None and _follows(passage, i, (particle, "up" + particle)))


def _follows(passage: Passage, i: int, particles: tuple[str, ...]) -> bool:
    return i + 1 < len(passage.words) and passage.words[i + 1].lower in particles


def _verb(passage: Passage, i: int) -> bool:
    words = passage.words
    word = words[i]
    if not word.content or not word.text.islower() or not lexicon.is_verb(word.lower):
        return False
    if i + 1 < len(words) and words[i + 1].lower in ("of", "-", "–"):
        return False
    previous = words[i - 1] if i else word
    if (
        word.lower == word.base
        and not _eats(passage, i)
        and lexicon.bases(word.lower) in ((), (word.lower,))  # but "bit"
        and lexicon.is_noun(word.lower)
        and previous.content
        and not (previous.lower.endswith("s") or previous.lower in _PLURALS)
    ):
        return False  # "the north tower is", but "nurses work"
    return i > passage.first_word[word.sentence] and words[i - 1].lower not in _BEFORE_NOUNS - {
        "and",
        "that",
        "or",
    }


def _subject(passage: Passage, k: int) -> int:
    """The head of the nouns that end at word k; the antecedent of "who"; -1 if there is none."""
    words = passage.words
    if k < 0:
        return -1
    low = passage.first_word[words[k].sentence]
    if k > low and words[k].text == ",":  # "the smaller firm, Hartwell, bought"
        n = k - 1
        while n > low and words[n].text[0].isupper():
            n -= 1
        k = k - 1 if words[n].text == "," and n < k - 1 else -1
    if k >= low and words[k].lower in _RELATIVES:
        k -= 1
        if k >= low and words[k].text == ",":
            k -= 1
    steps = 0
    while k >= low and words[k].content and steps < _FAR:
        n = k
        while n >= low and (words[n].content or words[n].lower in _DETERMINERS or words[n].lower == "own"):
            n -= 1
            if n >= low and words[n].lower == "that":
                return k  # "said that hares sleep"
        if n < low or words[n].lower not in _PREPOSITIONS:
            return k
        k = n - 1
        steps += 1
    return -1


def _object(passage: Passage, i: int) -> tuple[int, ...]:
    """The content words right after word i and its article, up to a number or a word of another sort."""
    words = passage.words
    high = passage.first_word[words[i].sentence + 1]
    k = i + 1 + _eats(passage, i) * bool(_EATING.get(words[i].base))
    while k < high and (words[k].lower in _DETERMINERS or words[k].lower in _PARTITIVES):
        k += 1
    first = k
    while k < high and k - first < _FAR:
        if words[k].lower in ("'s", "’s"):
            first = k + 1  # "by a neighbour's dog"
        elif not words[k].content or words[k].lower in _NUMBERS:
            break
        k += 1
    return tuple(range(first, k))
