"""Givers and receivers: "she lent him the boat" has the same meaning as "he borrowed the boat from her"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ... import lexicon
from ..alignment import Pair
from ..passage import Passage

# Verbs of one transfer: those whose subject gives, and those whose subject receives.
_TRANSFERS = (
    ("teach instruct train", "learn"),
    ("lend loan", "borrow"),
    ("sell", "buy purchase"),
    ("beat defeat overcome win", "lose"),
    ("give send hand donate grant award bequeath pass transfer", "get receive obtain inherit"),
)
_CONTEST = _TRANSFERS[3]
_GIVING = {verb: k for k, (verbs, _) in enumerate(_TRANSFERS) for verb in verbs.split()}
_GETTING = {verb: k for k, (_, verbs) in enumerate(_TRANSFERS) for verb in verbs.split()}
_LEAVING = frozenset(("leave", "depart"))
_REACHING = frozenset(("reach",))
_BE = frozenset("be is are was were been being".split())
_AUXILIARIES = _BE | frozenset(
    "has have had do does did will would can could may might shall should must not also then later first to".split()
)
_DETERMINERS = frozenset(
    "a an the his her its their our my your this that these those some two three all both many".split()
)
_AGREEING = frozenset(("same", "form", "synonym"))
_FAR = 10
_MOST_NOUNS = 12  # largest number of words of one party
_MOST_TRANSFERS = 12  # largest number of transfers of one sort in aligned sentences
_ENDS = frozenset(".;:!?")


class Transfer(NamedTuple):
    """A verb, its transfer, and the words of giver and receiver; either may be unknown."""

    verb: int
    sort: int
    giver: tuple[int, ...]
    getter: tuple[int, ...]


def transfers(passage: Passage) -> Iterator[Transfer]:
    """The verbs of giving and receiving in a text, as far as word order shows the roles."""
    words = passage.words
    for i, word in enumerate(words):
        gives = word.base in _GIVING
        if not gives and word.base not in _GETTING:
            continue
        low = passage.first_word[word.sentence]
        k = i - 1
        passive = False
        while k >= low and (words[k].lower in _AUXILIARIES or words[k].lower.endswith("ly")):
            passive |= words[k].lower in _BE
            k -= 1
        if k < low or not (words[k].content or words[k].lower == "one"):
            continue
        subject = _nouns_before(passage, k)
        agent, origin, target = (_after(passage, i, p) for p in ("by", "from", "to"))
        if _TRANSFERS[(_GIVING if gives else _GETTING)[word.base]] is _CONTEST:
            yield from _contest(passage, i, subject, passive=passive)
            continue
        if origin and target:  # "the virus passed from bats to pigs"
            yield Transfer(i, (_GIVING if gives else _GETTING)[word.base], origin, target)
        elif gives and not passive:
            yield Transfer(i, _GIVING[word.base], subject, target or _nouns(passage, i + 1))
        elif gives and agent and not target and not origin:
            yield Transfer(
                i, _GIVING[word.base], agent, subject
            )  # "the younger one was taught by the older one"
        elif not gives and not passive:
            yield Transfer(i, _GETTING[word.base], origin, subject)


def _contest(passage: Passage, i: int, subject: tuple[int, ...], *, passive: bool) -> Iterator[Transfer]:
    """The winner, as giver, and the loser: "A beat B", "A won against B", "B lost to A"."""
    base = passage.words[i].base
    against = _after(passage, i, "against") or (_after(passage, i, "to") if base == "lose" else ())
    sort = _TRANSFERS.index(_CONTEST)
    if base == "lose":
        yield Transfer(i, sort, against, subject)
    elif base == "win":
        yield Transfer(i, sort, subject, against)
    elif passive:
        yield Transfer(i, sort, _after(passage, i, "by"), subject)
    else:
        yield Transfer(i, sort, subject, _nouns(passage, i + 1))


def exchanged_givers(pair: Pair) -> Iterator[tuple[Transfer, Transfer]]:
    """Transfers whose giver and receiver have changed places; one of them must be known in both texts."""
    after: dict[tuple[int, int], list[Transfer]] = {}
    for b in transfers(pair.output):
        group = pair.group_of_output.get(pair.output.words[b.verb].sentence, -1)
        after.setdefault((b.sort, group), []).append(b)
    for a in transfers(pair.source):
        group = pair.group_of_source.get(pair.source.words[a.verb].sentence, -2)
        for b in after.get((a.sort, group), ())[:_MOST_TRANSFERS]:
            crossed = _linked(pair, a.giver, b.getter), _linked(pair, a.getter, b.giver)
            straight = _linked(pair, a.giver, b.giver) or _linked(pair, a.getter, b.getter)
            if all(crossed) and not straight:
                yield a, b


def exchanged_ends(pair: Pair) -> Iterator[tuple[Transfer, Transfer]]:
    """Journeys of a single sentence whose start and end have changed places."""
    before, after = _journey(pair.source), _journey(pair.output)
    if before is None or after is None:
        return
    crossed = _linked(pair, before.giver, after.getter) and _linked(pair, before.getter, after.giver)
    straight = _linked(pair, before.giver, after.giver) or _linked(pair, before.getter, after.getter)
    if crossed and not straight:
        yield before, after


def _journey(passage: Passage) -> Transfer | None:
    """The start and the end of a journey, if each is expressed by just one name."""
    words = passage.words
    ends: tuple[list[tuple[int, ...]], list[tuple[int, ...]]] = ([], [])
    verb = -1
    for i, word in enumerate(words[:-1]):
        if word.lower == "from" or word.base in _LEAVING:
            side = 0
        elif word.base in _REACHING or (
            word.lower in ("to", "into") or (word.lower in ("in", "at") and _arrives(passage, i))
        ):
            side = 1
        else:
            continue
        nouns = _nouns(passage, i + 1)
        if nouns and words[nouns[0]].text[0].isupper():
            ends[side].append(nouns)
            verb = i if verb < 0 else verb
    if len(ends[0]) != 1 or len(ends[1]) != 1:
        return None
    return Transfer(verb, -1, ends[0][0], ends[1][0])


def _arrives(passage: Passage, i: int) -> bool:
    return i > 0 and passage.words[i - 1].base in ("arrive", "land")


def _linked(pair: Pair, mine: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether words that distinguish two parties are linked."""
    links = (pair.linked(1, j) for j in other)
    return any(link is not None and link.i in mine and link.relation in _AGREEING for link in links)


def _after(passage: Passage, verb: int, preposition: str) -> tuple[int, ...]:
    """The nouns after a preposition that follows a verb in its clause."""
    words = passage.words
    high = min(passage.first_word[words[verb].sentence + 1], verb + _FAR)
    for k in range(verb + 1, high):
        if words[k].text in _ENDS or words[k].text == ",":
            break
        if words[k].lower == preposition:
            nouns = _nouns(passage, k + 1)
            return () if preposition == "to" and _is_infinitive(passage, k + 1) else nouns
    return ()


def _is_infinitive(passage: Passage, k: int) -> bool:
    """Whether the word after "to" is a verb: "to play", but not "to pigs"."""
    word = passage.words[k] if k < len(passage.words) else None
    return word is not None and word.lower == word.base and lexicon.is_verb(word.lower)


def _nouns(passage: Passage, k: int) -> tuple[int, ...]:
    """The content words directly from word k on, after an article."""
    words = passage.words
    while k < len(words) and words[k].lower in _DETERMINERS:
        k += 1
    first = k
    while k < min(len(words), first + _MOST_NOUNS) and words[k].content:
        k += 1
    return tuple(range(first, k))


def _nouns_before(passage: Passage, k: int) -> tuple[int, ...]:
    words = passage.words
    low = passage.first_word[words[k].sentence]
    last = k
    low = max(low, last - _MOST_NOUNS + 1)
    while k >= low and (words[k].content or words[k].lower == "one"):
        k -= 1
    return tuple(range(k + 1, last + 1))
