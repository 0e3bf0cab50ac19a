"""Aligns the words of a source and its simplification.

Sentences are grouped first; within a group, every content word is linked to a word of the other side that is the same,
another form of it, a synonym, a more general word or an antonym; the neighbours decide between several. Single words
between two linked neighbours on both sides are linked as "replaced".
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, pairwise, product
from typing import Literal, NamedTuple

import numpy as np

from .. import document, lexicon
from ..aligners import aligner as load_aligner
from .passage import Passage, Word

Relation = Literal["same", "form", "synonym", "hypernym", "hyponym", "antonym", "replaced"]
ALIGNER = "context"

_STRENGTH: dict[str, float] = {
    "same": 3.0,
    "form": 2.6,
    "synonym": 1.7,
    "antonym": 1.5,
    "hypernym": 1.2,
    "hyponym": 1.2,
}
_NEIGHBOURS = 3
_MOST_AGREEING = 4
_MOST_WORDS = 500  # largest size of a group on either side
# largest size if it has a sentence that was cut into pieces: a list, a table, or no text at all
_MOST_IN_PIECES = 150
_RIVALS = 12  # number of places of a word, around the expected one, that are candidates for its partner


class Link(NamedTuple):
    """Word i of the source and word j of the output, their relation, and its certainty (about 1 to 4.5)."""

    i: int
    j: int
    relation: Relation
    strength: float


class Group(NamedTuple):
    """Aligned sentences of the source and of the output."""

    source: tuple[int, ...]
    output: tuple[int, ...]


class Pair:
    """A source and its simplification, with links between words; `groups` are aligned sentences, if these are known."""

    def __init__(
        self,
        source: str | Passage,
        output: str | Passage,
        groups: Iterable[tuple[tuple[int, ...], tuple[int, ...]]] | None = None,
    ) -> None:
        self.source = source if isinstance(source, Passage) else Passage(source)
        self.output = output if isinstance(output, Passage) else Passage(output)
        aligned = sentence_groups(self.source, self.output) if groups is None else self._in_pieces(groups)
        self.groups = [part for group in self._with_copies(aligned) for part in self._bounded(group)]
        self.group_of_source: dict[int, int] = {s: k for k, g in enumerate(self.groups) for s in g.source}
        self.group_of_output: dict[int, int] = {s: k for k, g in enumerate(self.groups) for s in g.output}
        self.after: dict[int, Link] = {}  # by word of the source
        self.before: dict[int, Link] = {}  # by word of the output
        self.repeats: dict[int, Link] = {}  # further words of the output that repeat a linked one
        for group in self.groups:
            if group.source and group.output:
                self._link(group)

    def linked(self, side: int, index: int) -> Link | None:
        """The link of a word of the source (side 0) or of the output (side 1), including repetitions."""
        if side == 0:
            return self.after.get(index)
        return self.before.get(index) or self.repeats.get(index)

    def _in_pieces(self, groups: Iterable[tuple[tuple[int, ...], tuple[int, ...]]]) -> list[Group]:
        """Groups of sentences by their numbers in the text, converted to groups of the passages' sentences."""
        places: list[dict[int, list[int]]] = [{}, {}]
        for place, passage in zip(places, (self.source, self.output), strict=True):
            for i, number in enumerate(passage.numbers):
                place.setdefault(number, []).append(i)
        return [
            Group(
                *(tuple(i for n in side for i in place[n]) for side, place in zip(group, places, strict=True))
            )
            for group in groups
        ]

    def _with_copies(self, groups: Sequence[Group]) -> list[Group]:
        """The groups, in which unaligned sentences that are equal in both texts are aligned.

        The aligner uses words, and does not see any in numbers of a table or a list.
        """
        alone: dict[str, deque[int]] = {}
        for group in groups:
            if not group.source and len(group.output) == 1:
                alone.setdefault(self.output.sentence_text(group.output[0]), deque()).append(group.output[0])
        taken: set[int] = set()
        out = []
        for group in groups:
            copies = alone.get(self.source.sentence_text(group.source[0])) if len(group.source) == 1 else None
            if copies and not group.output:
                taken.add(copies[0])
                group = Group(group.source, (copies.popleft(),))
            out.append(group)
        return [g for g in out if g.source or not taken.issuperset(g.output)]

    def _bounded(self, group: Group) -> list[Group]:
        """The group, or several smaller ones that keep the time linear, with their sentences paired in order."""
        a, b = group
        words = max(
            sum(len(passage.sentence_words(s)) for s in side)
            for passage, side in ((self.source, a), (self.output, b))
        )
        cut = any(
            passage.numbers[i] == passage.numbers[j]
            for passage, side in ((self.source, a), (self.output, b))
            for i, j in pairwise(side)
        )
        most = _MOST_IN_PIECES if cut else _MOST_WORDS
        parts = min(-(-words // most), max(len(a), len(b)))
        if parts < 2:
            return [group]
        edges = [(len(a) * k // parts, len(b) * k // parts) for k in range(parts + 1)]
        return [Group(a[i:x], b[j:y]) for (i, j), (x, y) in pairwise(edges)]

    def _link(self, group: Group) -> None:
        a = [i for s in group.source for i in self.source.sentence_words(s) if self.source.words[i].content]
        b = [j for s in group.output for j in self.output.sentence_words(s) if self.output.words[j].content]
        links = link_words(self.source.words, a, self.output.words, b)
        for link in links:
            self.after[link.i] = link
            self.before[link.j] = link
        by_base: dict[str, Link] = {}
        for link in links:
            by_base.setdefault(self.source.words[link.i].base, link)
            by_base.setdefault(self.output.words[link.j].base, link)
        for j in b:
            if j not in self.before and (first := by_base.get(self.output.words[j].base)):
                same = self.source.words[first.i].base == self.output.words[j].base
                self.repeats[j] = Link(first.i, j, "same" if same else first.relation, 1.0)


def sentence_groups(source: Passage, output: Passage) -> list[Group]:
    """Aligned sentences, in the order of the texts; a single sentence needs no aligner."""
    m, n = len(source.sentences), len(output.sentences)
    if m == 0 or n == 0:
        return [Group((s,), ()) for s in range(m)] + [Group((), (s,)) for s in range(n)]
    if m == 1 or (n == 1 and m <= 2):
        return [Group(tuple(range(m)), tuple(range(n)))]
    sides = [[p.sentence_text(n) for n in range(len(p.sentences))] for p in (source, output)]
    similar = load_aligner(ALIGNER).align(sides[0], sides[1])
    graph = document.SentenceGraph(tuple(sides[0]), tuple(sides[1]), (), similar, np.zeros((m, 0)))
    return [Group(g.source, g.output) for g in graph.groups()]


def link_words(
    source: Sequence[Word], a: Sequence[int], output: Sequence[Word], b: Sequence[int]
) -> list[Link]:
    """Links between content words a of the source and b of the output, each word used once."""
    candidates = list(_candidates(source, a, output, b))
    place_a = {i: k for k, i in enumerate(a)}
    place_b = {j: k for k, j in enumerate(b)}
    same = {(i, j) for i, j, _, strength in candidates if strength >= _STRENGTH["form"]}
    scored = []
    for i, j, relation, strength in candidates:
        k, m = place_a[i], place_b[j]
        agree = _agreeing(a, k, b, m, same)
        near = 1 - abs(k / len(a) - m / len(b))
        scored.append((strength + agree * 0.25 + 0.4 * near, -i, -j, relation))
    scored.sort(reverse=True)
    used_a: set[int] = set()
    used_b: set[int] = set()
    links = []
    for strength, i, j, relation in scored:
        if -i not in used_a and -j not in used_b:
            used_a.add(-i)
            used_b.add(-j)
            links.append(Link(-i, -j, relation, strength))
    links += _replaced(a, b, links)
    return sorted(links)


def _agreeing(a: Sequence[int], k: int, b: Sequence[int], m: int, same: set[tuple[int, int]]) -> int:
    """How many pairs of neighbours, both before or both after positions k and m, are the same word; at most four."""
    before = product(a[max(k - _NEIGHBOURS, 0) : k], b[max(m - _NEIGHBOURS, 0) : m])
    after = product(a[k + 1 : k + 1 + _NEIGHBOURS], b[m + 1 : m + 1 + _NEIGHBOURS])
    return len(list(islice(filter(same.__contains__, chain(before, after)), _MOST_AGREEING)))


def _candidates(
    source: Sequence[Word], a: Sequence[int], output: Sequence[Word], b: Sequence[int]
) -> Iterator[tuple[int, int, Relation, float]]:
    by_form: dict[str, list[int]] = {}
    for j in b:
        by_form.setdefault(output[j].lower, []).append(j)
    places: dict[str, list[int]] = {}
    for i in a:
        places.setdefault(source[i].lower, []).append(i)
    for (left, right), relation in lexicon.relations(places, by_form).items():
        strength = _STRENGTH[relation]
        others = by_form[right]
        for i in places[left]:
            if len(others) > _RIVALS:
                expected = b[0] + (i - a[0]) * (b[-1] - b[0]) / max(a[-1] - a[0], 1)
                place = max(bisect_left(others, expected) - _RIVALS // 2, 0)
                others_near = others[place : place + _RIVALS]
            else:
                others_near = others
            for j in others_near:
                yield i, j, relation, strength


def _replaced(a: Sequence[int], b: Sequence[int], links: Sequence[Link]) -> Iterator[Link]:
    """Link single words on either side between two pairs of linked neighbours."""
    partner = {link.i: link.j for link in links}
    place_b = {j: k for k, j in enumerate(b)}
    taken = {link.j for link in links}
    if len(a) == len(b) == 1 and not partner:
        yield Link(a[0], b[0], "replaced", 0.8)
        return
    for k, i in enumerate(a):
        if i in partner:
            continue
        left = partner.get(a[k - 1]) if k else None
        right = partner.get(a[k + 1]) if k + 1 < len(a) else None
        if left is not None and right is not None and place_b[right] - place_b[left] == 2:
            j = b[place_b[left] + 1]
        elif k == 0 and right is not None and place_b[right] == 1:
            j = b[0]
        elif k == len(a) - 1 and left is not None and place_b[left] == len(b) - 2:
            j = b[-1]
        else:
            continue
        if j not in taken:
            taken.add(j)
            yield Link(i, j, "replaced", 0.8)
