"""Operators on a scale: finds their cue words and the words they are about, and pairs the operators of two texts.

Modality, quantifiers and conditions are found by tables of phrases. An operator is about the content words after it, the
nearest first, and then about those before it: "Patients may feel sick" has `may` about feel, sick, patients. Two operators
are paired if these words are linked, preferably the nearest one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ..alignment import Link, Pair
from ..passage import Passage
from . import Finding, Kind, Mention, group_of
from ._copied import copied
from ._view import View

_FOLLOWING = (1.0, 0.7, 0.5, 0.35)
_PRECEDING = (0.6, 0.4)
_AGREEMENT = 0.35
_REPLACED = 0.4
_NOT_OF_MANNER = frozenset(
    "apply supply rely reply multiply family comply imply italy assembly anomaly bully jelly belly butterfly homily lily".split()
)
_STOPS = frozenset(".;:!?()")
NEGATORS = frozenset(
    "not n't n’t no none never neither nor cannot without nobody nothing nowhere hardly scarcely barely fail fails failed "
    "failing failure lack lacks lacked lacking unable unlikely refuse refuses refused rarely seldom few little avoid "
    "avoids avoided impossible absence absent against oppose opposes opposed reject rejects rejected deny denies denied insufficient inadequate unclear uncertain unknown".split()
)


class Phrases(NamedTuple):
    """Phrases with their labels: single words, and longer ones by their first two words."""

    single: dict[str, str]
    several: dict[tuple[str, str], list[tuple[tuple[str, ...], str]]]


class Cue(NamedTuple):
    """A phrase of a table in a text: its first and last word, and its label."""

    first: int
    last: int
    label: str


class Fit(NamedTuple):
    """The fit of two operators; `head`: the nearest words are linked, `tight`: further ones as well."""

    affinity: float
    head: bool
    tight: bool


def phrases(table: Mapping[str, str]) -> Phrases:
    """A table {label: phrases, divided by |} arranged by the first two words, longer phrases first."""
    arranged = Phrases({}, {})
    for label, line in table.items():
        for phrase in line.split("|"):
            first, *rest = phrase.split()
            if rest:
                arranged.several.setdefault((first, rest[0]), []).append((tuple(rest[1:]), label))
            else:
                arranged.single[first] = label
    for entries in arranged.several.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    return arranged


def cues(passage: Passage, table: Phrases) -> list[Cue]:
    """The phrases of a table in a text, in order and without overlap; they do not extend beyond the end of a sentence."""
    words = [plain(word.lower) for word in passage.words]
    result, i = [], 0
    for sentence in range(len(passage.sentences)):
        end = passage.first_word[sentence + 1]
        while i < end:
            word, cue = words[i], None
            if i + 1 < end:
                for rest, label in table.several.get((word, words[i + 1]), ()):
                    if i + 1 + len(rest) < end and words[i + 2 : i + 2 + len(rest)] == list(rest):
                        cue = Cue(i, i + 1 + len(rest), label)
                        break
            if cue is None and word in table.single:
                cue = Cue(i, i, table.single[word])
            if cue is not None:
                result.append(cue)
                i = cue.last
            i += 1
    return result


def plain(word: str) -> str:
    """A word with a straight apostrophe."""
    return word.replace("’", "'")


def about(
    passage: Passage,
    first: int,
    last: int,
    skip: frozenset[int] | set[int],
    following: int = 4,
    preceding: int = 2,
) -> tuple[int, ...]:
    """The content words after an operator, the nearest first, and then those before it, in its sentence."""
    words = passage.words
    sentence = passage.sentence_words(words[first].sentence)
    out: list[int] = []
    manner: list[int] = []
    for i in range(last + 1, sentence.stop):
        if words[i].text in _STOPS or len(out) == following:
            break
        if words[i].content and i not in skip:
            (manner if _of_manner(words[i].lower) else out).append(i)
    if not out:
        out = manner[:1]
    count = 0
    for i in range(first - 1, sentence.start - 1, -1):
        if words[i].text in _STOPS or count == preceding:
            break
        if words[i].content and i not in skip and not _of_manner(words[i].lower):
            out.append(i)
            count += 1
    return tuple(out)


def _of_manner(word: str) -> bool:
    return word.endswith("ly") and len(word) > 4 and word not in _NOT_OF_MANNER


def weights(mention: Mention) -> dict[int, float]:
    """The words that an operator is about, with weights that decrease with distance."""
    out: dict[int, float] = {}
    after = before = 0
    for i in mention.about:
        if i > mention.last:
            out[i] = _FOLLOWING[min(after, len(_FOLLOWING) - 1)]
            after += 1
        else:
            out[i] = _PRECEDING[min(before, len(_PRECEDING) - 1)]
            before += 1
    return out


def heads(mention: Mention) -> tuple[int, ...]:
    """The nearest two words after an operator; those before it, if nothing follows."""
    return tuple([i for i in mention.about if i > mention.last][:2]) or mention.about[:1]


def fit(pair: Pair, a: Mention, b: Mention) -> Fit:
    """How well an operator of the source and one of the output fit together."""
    of_a, of_b = weights(a), weights(b)
    heads_a, heads_b = heads(a), heads(b)
    affinity, head, alike, after = 0.0, False, 0, 0
    if heads_a and heads_b and heads_a[0] not in pair.after and pair.linked(1, heads_b[0]) is None:
        affinity = _REPLACED  # perhaps another word for the same
    for j, weight in of_b.items():
        link = pair.linked(1, j)
        if link is None or link.i not in of_a:
            continue
        affinity += min(weight, of_a[link.i])
        same = link.relation in ("same", "form")
        alike += same
        after += same and j > b.last and link.i > a.last
        if (link.i in heads_a[:1] and j in heads_b) or (j in heads_b[:1] and link.i in heads_a):
            head = True
    if bracketed(pair.source, a) != bracketed(pair.output, b):
        return Fit(affinity / 2, False, False)  # an explanation was put in or left out
    following = min(sum(i > m.last for i in m.about) for m in (a, b))
    tight = head and alike >= min(3, len(of_a), len(of_b)) and after >= min(2, following)
    return Fit(affinity, head, tight)


def bracketed(passage: Passage, mention: Mention) -> bool:
    """Whether a mention stands between round brackets."""
    words = passage.words
    for i in range(mention.first - 1, passage.first_word[words[mention.first].sentence] - 1, -1):
        if words[i].text in "()":
            return words[i].text == "("
    return False


def firm(mention: Mention, partners: Sequence[Link], side: int) -> bool:
    """Whether both texts have nearly all words that an operator is about, or the nearest word and two more."""
    known = {link[side] for link in partners if link.relation in ("same", "form", "synonym")}
    count = len(mention.about)
    if len(known) >= 3 and len(known) >= 0.75 * count:
        return True
    nearest = heads(mention)[:1]
    return bool(nearest) and nearest[0] in known and len(known) >= min(3, count)


def negated(passage: Passage, mention: Mention) -> bool:
    """Whether there is a negation in the clause of a mention or in the clauses of the words it is about."""
    words = passage.words
    clauses = {words[i].clause for i in (mention.first, *mention.about[:3])}
    return any(
        words[i].clause in clauses and plain(words[i].lower) in NEGATORS
        for i in passage.sentence_words(words[mention.first].sentence)
        if not mention.first <= i <= mention.last
    )


def opposed(pair: Pair, a: Mention, b: Mention) -> bool:
    """Whether denials differ, or a word became its antonym, in the words that two operators are about."""
    links = (pair.linked(1, j) for j in b.about)
    antonyms = sum(link is not None and link.relation == "antonym" and link.i in a.about for link in links)
    return (negated(pair.source, a) != negated(pair.output, b)) != (antonyms % 2 == 1)


class ScaleKind(Kind):
    """Operators that are stronger or weaker than one another."""

    @abstractmethod
    def differ(self, a: Mention, b: Mention, pair: Pair) -> tuple[str, str] | None:
        """Pattern and reason if two operators about the same words differ; None if they say the same."""

    def dropped(self, a: Mention, partners: Sequence[Link], pair: Pair) -> tuple[str, str] | None:
        """Pattern and reason if the statement is now made without the operator; None if that does not matter."""
        return None

    def added(self, b: Mention, partners: Sequence[Link], pair: Pair) -> tuple[str, str] | None:
        """Pattern and reason if the source makes the statement without the operator; None if that does not matter."""
        return None

    def confirms(self, mention: Mention) -> bool:
        """Whether a weak mention may be paired with one of the other text."""
        return False

    def decisive(self, pattern: str) -> bool:
        """Whether a difference counts even if the words around it were changed as well."""
        return True

    def excuses(self, a: Mention, b: Mention, pair: Pair) -> bool:
        """Whether an operator elsewhere in the same sentences may replace one that was dropped or added."""
        return self.differ(a, b, pair) is None

    def enough(self, a: Mention, b: Mention, fit: Fit) -> bool:
        """Whether it is certain enough that one of two different operators became the other."""
        return fit.head or fit.affinity >= 0.7

    def compare(self, pair: Pair, before: Sequence[Mention], after: Sequence[Mention]) -> Iterable[Finding]:
        strong_a, strong_b = [m for m in before if not m.weak], [m for m in after if not m.weak]
        candidates = _candidates(
            pair,
            [m for m in before if not m.weak or self.confirms(m)],
            [m for m in after if not m.weak or self.confirms(m)],
        )
        verdicts = {key: self.differ(a, b, pair) for key, (a, b, _) in candidates.items()}
        group_a, group_b = _by_group(pair, 0, before), _by_group(pair, 1, after)
        matched_a: dict[int, Mention] = {}
        matched_b: dict[int, Mention] = {}
        order = sorted(
            candidates,
            key=lambda key: (
                -candidates[key][2].affinity - (_AGREEMENT if verdicts[key] is None else 0.0),
                candidates[key][0].start,
                candidates[key][1].start,
            ),
        )
        pairs: list[tuple[Mention, Mention, Fit, tuple[str, str] | None]] = []
        for key in order:
            a, b, fit = candidates[key]
            change = verdicts[key]
            if id(a) in matched_a or id(b) in matched_b or (change and not self.enough(a, b, fit)):
                continue
            matched_a[id(a)], matched_b[id(b)] = b, a
            pairs.append((a, b, fit, change))
        settled = {id(m) for a, b, _, change in pairs if change is None for m in (a, b)}
        excused: set[int] = set()
        replaced: set[int] = set()  # by an operator that has no other partner
        for (x, y), change in verdicts.items():
            if change is None:
                sure = self.enough(*candidates[x, y])
                for m, n in ((x, y), (y, x)):
                    if sure or n not in settled:
                        excused.add(m)
                    if sure and n not in settled and _same_value(*candidates[x, y][:2]):
                        replaced.add(m)
        view = View(pair)
        for a, b, fit, change in pairs:
            free = not {id(a), id(b)} & (replaced if fit.tight else excused)
            if change is None:
                if not (a.weak and b.weak):
                    yield Finding("same", a, b, "same", "Both texts say it with the same strength.")
            elif free and (fit.tight or self.decisive(change[0])):
                pattern, reason = change
                yield Finding("changed", a, b, pattern if fit.tight else f"{pattern}, reworded", reason)
            elif copied(view, (a.first, a.last), (b.first, b.last)).sure:
                yield Finding("changed", a, b, *change)
            else:
                yield Finding("same", a, b, "elsewhere", "Both texts say it, perhaps elsewhere.")
        for a in strong_a:
            if id(a) in matched_a:
                continue
            partners = [link for i in a.about if (link := pair.after.get(i))]
            others = group_b.get(group_of(pair, 0, a), ())
            if id(a) in excused or any(self.excuses(a, b, pair) for b in others if id(b) not in settled):
                yield Finding("same", a, None, "elsewhere", "The simplified text says it elsewhere.")
            elif (change := self.dropped(a, partners, pair)) is not None:
                yield Finding("changed", a, None, *change)
            else:
                yield Finding("gone", a, None, "gone", "The simplified text does not say it.")
        for b in strong_b:
            if id(b) in matched_b or id(b) in excused:
                continue
            partners = [link for j in b.about if (link := pair.linked(1, j))]
            others = group_a.get(group_of(pair, 1, b), ())
            if any(self.excuses(a, b, pair) for a in others if id(a) not in settled):
                continue
            if (change := self.added(b, partners, pair)) is not None:
                yield Finding("changed", None, b, *change)
            else:
                yield Finding("new", None, b, "new", "The original does not say it.")


def _same_value(a: Mention, b: Mention) -> bool:
    return a.value[:2] == b.value[:2]


def _by_group(pair: Pair, side: int, mentions: Sequence[Mention]) -> dict[int, list[Mention]]:
    out: dict[int, list[Mention]] = {}
    for mention in mentions:
        out.setdefault(group_of(pair, side, mention), []).append(mention)
    out.pop(-1, None)
    return out


def _candidates(
    pair: Pair, before: Sequence[Mention], after: Sequence[Mention]
) -> dict[tuple[int, int], tuple[Mention, Mention, Fit]]:
    """Operators of the two texts that are about linked words."""
    about_a: dict[int, list[Mention]] = {}
    for a in before:
        for i in a.about:
            about_a.setdefault(i, []).append(a)
    out: dict[tuple[int, int], tuple[Mention, Mention, Fit]] = {}
    for b in after:
        for j in b.about:
            link = pair.linked(1, j)
            for a in about_a.get(link.i, ()) if link else ():
                key = (id(a), id(b))
                if key not in out:
                    out[key] = (a, b, fit(pair, a, b))
    return out
