"""Statements about something that is not known or not done yet: "studies are needed to confirm it", "has yet to be built",
"we cannot guarantee that".

Such a statement can become its opposite without an inserted denial or hedge: "studies have confirmed it", "we
know that it is not".
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import lexicon
from ..alignment import Pair
from ..passage import Passage
from . import Finding, Mention, group_of
from ._cues import NEGATORS, plain

_KEPT = frozenset(("same", "form", "synonym"))
# "Is needed to" leaves these open; "yet to" and "remains to be" leave anything open.
_FINDING_OUT = frozenset(
    "confirm establish determine prove verify clarify show demonstrate validate replicate corroborate ascertain test settle "
    "resolve answer decide".split()
)
_NEEDED = frozenset("need needs needed require requires required necessary warranted must should".split())
_OPEN = frozenset("yet remain remains remained remaining".split())
_BEFORE = 5
# Words with which the output leaves it open, too, or requests it.
_LEFT_OPEN = NEGATORS | frozenset(
    "to may might could should must would will can need needs needed yet still until before if whether once when hope hopes "
    "want wants plan plans try trying tried further more future expected".split()
)
# "Cannot guarantee", "not sure that": neither the following statement nor its opposite is asserted.
_VOUCHING = frozenset("guarantee promise confirm sure certain ensure vouch".split())
_UNSURE = frozenset(
    "guarantee promise confirm sure unsure certain uncertain whether if may might could perhaps maybe possibly possible "
    "unclear unknown doubt ensure vouch likely unlikely should would think thinks believe believes can cannot".split()
)
_REACH = 4


def settled(pair: Pair) -> Iterator[Finding]:
    """Statements that the source leaves open and the output treats as settled."""
    yield from _done(pair)
    yield from _vouched(pair)


def _done(pair: Pair) -> Iterator[Finding]:
    source, output = pair.source, pair.output
    for cue, verb in _open_verbs(source):
        link = pair.after.get(verb)
        if link is None or link.relation not in _KEPT or not lexicon.is_verb(output.words[link.j].lower):
            continue
        base = source.words[verb].base
        if sum(word.base == base for word in source.words) > 1 or not _stated(output, link.j):
            continue
        near = {i for i, _ in source.near(verb, _REACH)}
        shared = sum(
            (other := pair.before.get(j)) is not None and other.i in near
            for j, _ in output.near(link.j, _REACH)
        )
        if shared:
            a, b = _mention(source, cue, verb), _mention(output, link.j, link.j)
            said = source.text[a.start : a.end]
            reason = f"The original says “{said}”; the simplified text says “{output.text[b.start : b.end]}”, as done."
            yield Finding("changed", a, b, "open question settled", reason)


def _open_verbs(passage: Passage) -> Iterator[tuple[int, int]]:
    """Verbs that have not happened yet, each with the word that says so."""
    words = passage.words
    for i, word in enumerate(words[:-1]):
        if word.lower != "to":
            continue
        verb = i + 2 if words[i + 1].lower == "be" else i + 1
        if verb >= len(words) or words[verb].sentence != word.sentence or not words[verb].content:
            continue
        for k in range(i - 1, max(i - 1 - _BEFORE, passage.first_word[word.sentence] - 1), -1):
            lower = words[k].lower
            if words[k].clause != word.clause:
                break
            if (lower in _OPEN and i - k <= 1) or (lower in _NEEDED and words[verb].base in _FINDING_OUT):
                yield k, verb
                break


def _stated(passage: Passage, verb: int) -> bool:
    """Whether a verb is stated as having happened: nothing before it in its clause leaves it open."""
    words = passage.words
    first = passage.first_word[words[verb].sentence]
    around = [words[k] for k in range(first, passage.first_word[words[verb].sentence + 1])]
    same = [w.lower for w in around if w.clause == words[verb].clause and w.start < words[verb].start]
    previous = same[-1] if same else ""
    return not {plain(w) for w in same} & _LEFT_OPEN and previous not in ("the", "a", "an", "of", "-")


def _vouched(pair: Pair) -> Iterator[Finding]:
    source, output = pair.source, pair.output
    words = source.words
    for i, word in enumerate(words):
        if word.base not in _VOUCHING or not _refused(source, i):
            continue
        stop = source.first_word[word.sentence + 1]
        said = [k for k in range(i + 1, stop) if words[k].content and words[k].clause - word.clause <= 1][
            :_REACH
        ]
        links = [link for k in said if (link := pair.after.get(k)) and link.relation in (*_KEPT, "antonym")]
        if len(said) < 2 or 2 * len(links) < len(said) or len(links) < 2:
            continue
        a = _mention(source, i, i)
        group = pair.groups[group_of(pair, 0, a)]
        candidates = [output.words[j] for s in group.output for j in output.sentence_words(s)]
        if any(w.lower in _UNSURE or w.base in _UNSURE for w in candidates):
            continue
        b = _mention(output, links[-1].j, links[-1].j)
        reason = (
            f"The original does not {word.base} it; the simplified text says it as a fact, or its opposite."
        )
        yield Finding("changed", a, b, "open question settled", reason)


def _refused(passage: Passage, index: int) -> bool:
    first = passage.first_word[passage.words[index].sentence]
    before = passage.words[max(first, index - 3) : index]
    return any(plain(w.lower) in ("not", "n't", "cannot", "never", "unable", "impossible") for w in before)


def _mention(passage: Passage, first: int, last: int) -> Mention:
    words = passage.words
    about = tuple(i for i, _ in passage.near(last, 3))
    return Mention(words[first].start, words[last].end, first, last, ("open",), about)
