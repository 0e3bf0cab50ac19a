"""Words that relate two things, and the words on either side of them, as far as word order shows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ... import lexicon
from ..passage import Passage, Word

BE = frozenset("be is are was were been being get gets got getting".split())
_BETWEEN = frozenset("not n't n’t never also then later been being be first ever just".split())
_NO_VERB_AFTER = frozenset(
    "a an the this that these those his her its their our my your of in on at by - – no any each".split()
)
# "Is known to be cleared by"
_SAID = frozenset("known said thought believed expected likely found shown reported considered".split())
REACH = 5
_FIXED = {
    ("rather", "than"): "rather than",
    ("instead", "of"): "instead of",
    ("compared", "with"): "compared with",
}
_FIXED |= {("compared", "to"): "compared with"}
# Verbs and nouns with the words that follow them, by whether the cause precedes or follows them.
_CAUSES = {
    **dict.fromkeys(
        (
            ("lead", "to"),
            ("result", "in"),
            ("contribute", "to"),
            ("cause", ""),
            ("cause", "of"),
            ("trigger", ""),
        ),
        1,
    ),
    **dict.fromkeys(
        (("result", "from"), ("stem", "from"), ("arise", "from"), ("due", "to"), ("cause", "by")), -1
    ),
    **dict.fromkeys((("consequence", "of"), ("result", "of"), ("because", "of"), ("trigger", "by")), -1),
}
_CAUSING = frozenset(word for word, _ in _CAUSES)
# Words between an object and a second one: "blame the storm on the heat", "replace butter with oil".
_OBLIQUE = frozenset("on with to for into from".split())


class Clause(NamedTuple):
    """A word that relates two things, the words before and after it, and the voice of a verb."""

    pivot: int
    left: tuple[int, ...]
    right: tuple[int, ...]
    voice: str
    sort: str


def clauses(passage: Passage) -> list[Clause]:
    """The words of a text that relate two things in one clause."""
    words = passage.words
    out = []
    for i, word in enumerate(words):
        following = words[i + 1].lower if i + 1 < len(words) else ""
        sort = _FIXED.get((word.lower, following))
        if (
            sort is None
            and word.lower == "than"
            and i
            and words[i - 1].lower not in ("rather", "more", "less", "fewer")
        ):
            sort = "than"
        if sort is None and word.lower in ("to", "into", "onto") and _from(passage, i) >= 0:
            sort = "from to"
        if sort is None and not _is_verb(passage, i):
            continue
        first = i if sort in (None, "", "than", "from to") else i + 1
        left, right = _left(passage, i, sort or ""), _right(passage, first)
        repeated = any(words[k].base == word.base for k in (*left, *right))
        if left and right and not repeated:
            out.append(Clause(i, left, right, "" if sort is not None else _voice(passage, i), sort or ""))
        if sort is None:
            out += _objects(passage, i, right)
    return [*out, *_causes(passage)]


def _objects(passage: Passage, verb: int, first: tuple[int, ...]) -> Iterator[Clause]:
    """The two objects of a verb: "blamed the storm on the heat"."""
    words = passage.words
    end = first[-1] + 1 if first else len(words)
    if end >= len(words) or words[end].lower not in _OBLIQUE or words[first[0] - 1].lower in _OBLIQUE:
        return
    second = _right(passage, end)
    if (
        second
        and words[end].sentence == words[verb].sentence
        and words[second[0]].sentence == words[verb].sentence
    ):
        yield Clause(verb, first, second, "", f"object {words[end].lower}")


def _causes(passage: Passage) -> Iterator[Clause]:
    """Statements of cause; the cause is on the left of the clause, wherever it is in the text."""
    words = passage.words
    for i, word in enumerate(words):
        if word.base not in _CAUSING and word.lower not in _CAUSING:
            continue
        following = words[i + 1].lower if i + 1 < len(words) else ""
        base = word.lower if word.lower in _CAUSING else word.base
        active = not any(w.lower in BE for w in words[max(0, i - 2) : i])
        sign, last = _CAUSES.get((base, following), 0), i + 1
        if not sign and active and _is_verb(passage, i):
            sign, last = _CAUSES.get((base, ""), 0), i
        left, right = (_left(passage, i, ""), _right(passage, last)) if sign else ((), ())
        if left and right:
            yield Clause(i, *((left, right) if sign > 0 else (right, left)), "", "cause")


def _left(passage: Passage, pivot: int, sort: str) -> tuple[int, ...]:
    """The content words directly before a word of the clause; for "than", those before the comparison."""
    words = passage.words
    i = pivot - 1
    if sort == "than":
        i = comparative(passage, pivot) - 1
    low = passage.first_word[words[pivot].sentence]
    if sort == "from to":
        low = _from(passage, pivot) + 1
    clause = words[pivot].clause
    if words[i].text == "," and i > low and words[pivot + 1 : pivot + 2] and words[pivot + 1].lower == "by":
        i -= 1  # "the computer, replaced by a tablet"
        clause = words[i].clause
    steps = 0
    while i >= low and _is_light(words[i]) and words[i].clause == clause and steps < REACH:
        if words[i].lower in ("and", "or") or (words[i].lower == "to" and words[i - 1].lower not in _SAID):
            return ()
        i -= 1 + (words[i].lower == "to")
        steps += 1
    last = i
    while i >= low and _is_inner(words, i) and words[i].clause == clause and last - i < REACH:
        if (
            sort not in ("", "than")
            and i < last
            and not lexicon.is_noun(words[i].lower)
            and lexicon.is_verb(words[i].lower)
        ):
            break  # "used rice rather than wheat"
        i -= 1
    return tuple(k for k in range(i + 1, last + 1) if words[k].content)


def _is_light(word: Word) -> bool:
    """Whether a word between a verb and its subject says nothing about the agent."""
    return not word.content or (word.lower.endswith("ly") and len(word.lower) > REACH)


def _is_inner(words: Sequence[Word], i: int) -> bool:
    """Whether a word belongs to a group of nouns, as hyphens and a possessive between two words do."""
    return words[i].content or (words[i].text in ("-", "'s", "’s") and i > 0 and words[i - 1].content)


def _right(passage: Passage, pivot: int) -> tuple[int, ...]:
    """The content words directly after a word of the clause."""
    words = passage.words
    high = passage.first_word[words[pivot].sentence + 1]
    i = pivot + 1
    steps = 0
    while i < high and not words[i].content and words[i].clause == words[pivot].clause and steps < REACH:
        if words[i].lower in ("and", "or"):
            return ()
        i += 1
        steps += 1
    first = i
    while i < high and _is_inner(words, i) and words[i].clause == words[pivot].clause and i - first < REACH:
        i += 1
    return tuple(k for k in range(first, i) if words[k].content)


def _is_verb(passage: Passage, i: int) -> bool:
    """Whether a word seems to be a verb here: no article before it, no "of" after it, no hyphen beside it."""
    words = passage.words
    word = words[i]
    if not word.content or not word.text.islower() or not lexicon.is_verb(word.lower):
        return False
    if i + 1 < len(words) and words[i + 1].lower in ("of", "-", "–", "for", "between"):
        return False
    if word.lower.endswith("ing") and i and words[i - 1].content:
        return False  # "root filling material"
    return i == 0 or words[i - 1].lower not in _NO_VERB_AFTER


def _voice(passage: Passage, pivot: int) -> str:
    """ "by" for a passive whose agent is named, "be" for another one, "" for the active voice."""
    words = passage.words
    if words[pivot].lower.endswith(("ing", "s")) and not words[pivot].lower.endswith("ss"):
        return ""
    agent = "by" in [w.lower for w in words[pivot + 1 : pivot + 4]]
    i = pivot - 1
    while i >= 0 and (words[i].lower in _BETWEEN - BE or words[i].lower.endswith("ly")):
        i -= 1
    if i >= 0 and words[i].lower in BE:
        return "by" if agent else "be"
    return "by" if agent else ""


def comparative(passage: Passage, than: int) -> int:
    """The word that "than" belongs to: the nearest comparative before it."""
    words = passage.words
    low = max(passage.first_word[words[than].sentence], than - REACH)
    for i in range(than - 1, low - 1, -1):
        if words[i].content and words[i].lower.endswith("er"):
            return i
        if words[i].lower in ("more", "less", "fewer"):
            return i + 1 if i + 1 < than else i
    return than - 1


def _from(passage: Passage, to: int) -> int:
    """The word "from" shortly before "to", or -1."""
    words = passage.words
    low = max(passage.first_word[words[to].sentence], to - REACH)
    return next((i for i in range(to - 2, low - 1, -1) if words[i].lower == "from"), -1)
