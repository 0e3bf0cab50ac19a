"""Pairs the numbers of the source with those of the output."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...alignment import Pair
from ...calibration import SCALE
from .. import Finding, Mention, group_of
from . import units
from .amounts import Amount, Label
from .dates import Date
from .derivation import derived, supported
from .echoes import DERIVED, WHATEVER_COUNTED, NumberEchoes
from .equality import common_end, difference, exact, nearly, rescaled, rounded, same, similar_unit, weaker
from .exchange import exchanged
from .index import CLOSE_BY, NumberIndex, keys
from .places import Places
from .wording import reason

STRICT = 0.7
LOOSE = 0.45
FAIR = 0.3
FAINT = 0.1
_OTHER_HEAD = 0.15
_FAR = 0.5
_SHORT = 4  # number of sentences in texts whose remaining numbers on both sides are paired
_RARE = 100
_MANY = 20  # numbers of a group; if both sides have the same ones in the same order, they are paired in this order
_COUNTED = 0.6
_FAR_KNOWN = 0.65
_FAR_OTHER = 0.8  # penalty for a number of another size
_SAME_NUMBER = 0.4  # 30 days, 30 weeks: the number itself is evidence
_MARGIN = 0.4
_ELSEWHERE = 0.15
_DECIMALS = re.compile(r"\d+\. \d+(?: ?%| [a-z])")
_THOUSANDS = re.compile(r"(?<!\d)(\d{1,3}), (\d{3})(?!\d)")


class Matcher:
    """Compares the numbers of one pair of texts."""

    def __init__(self, pair: Pair, before: Sequence[Mention], after: Sequence[Mention]) -> None:
        self.pair, self.before, self.after = pair, before, after
        self.places = Places(pair, before, after)
        self.group_a = {id(a): group_of(pair, 0, a) for a in before}
        self.group_b = {id(b): group_of(pair, 1, b) for b in after}
        self.members_a: dict[int, list[Mention]] = {}
        self.members_b: dict[int, list[Mention]] = {}
        for a in before:
            self.members_a.setdefault(self.group_a[id(a)], []).append(a)
        for b in after:
            self.members_b.setdefault(self.group_b[id(b)], []).append(b)
        self.partner_a: dict[int, Mention] = {}
        self.partner_b: dict[int, Mention] = {}
        self.short = max(len(pair.source.sentences), len(pair.output.sentences)) <= _SHORT
        self.index_a, self.index_b = NumberIndex(before, is_source=True), NumberIndex(after, is_source=False)
        self.echoes = NumberEchoes(pair, before, self.index_a, self.index_b)

    def findings(self) -> Iterator[Finding]:
        """Every finding, group by group."""
        for group, outputs in self.members_b.items():
            if group >= 0:
                self._pair_equal(self.members_a.get(group, []), outputs)
        changed: dict[int, Finding] = {}  # by id of the source's mention
        taken: set[int] = set()  # ids of the output's mentions in changed findings

        def note(found: Iterable[Finding]) -> None:
            for finding in found:
                changed[id(finding.before)] = finding
                taken.add(id(finding.after))

        note(exchanged(self.pair, self.places, self.members_a.values(), self.partner_a))
        for group, outputs in self.members_b.items():
            if group >= 0:
                note(self._changed(self.members_a.get(group, []), outputs, changed, taken))
                note(self._lone(self.members_a.get(group, []), outputs, changed, taken))
        note(self._far(changed, taken))
        note(self._echoed(changed, taken))
        for a in self.before:
            if id(a) in changed:
                yield changed[id(a)]
            else:
                yield from self._kept(a, taken)
        for b in self.after:
            if id(b) not in taken and id(b) not in self.partner_b and not b.weak:
                yield from self._added(b)

    # Equal numbers

    def _pair_equal(self, sources: Sequence[Mention], outputs: Sequence[Mention]) -> None:
        if len(sources) > _MANY and [a.value for a in sources] == [b.value for b in outputs]:
            for a, b in zip(sources, outputs, strict=True):  # a table or a list that was copied
                self.partner_a[id(a)], self.partner_b[id(b)] = b, a
            return
        scored = []
        for a in sources:
            for b in outputs:
                if same(a.value, b.value) and supported(a.value, b.value, sources):
                    score = (
                        self.places.agreement(a, b)
                        + 0.3 * self.places.heads(a, b)
                        + 0.6 * exact(a.value, b.value)
                    )
                    scored.append((score, -a.start, -b.start, a, b))
        scored.sort(key=lambda row: row[:3], reverse=True)
        for _, _, _, a, b in scored:
            if id(a) not in self.partner_a and id(b) not in self.partner_b:
                self.partner_a[id(a)], self.partner_b[id(b)] = b, a

    # Changed numbers

    def _changed(
        self,
        sources: Sequence[Mention],
        outputs: Sequence[Mention],
        changed: dict[int, Finding],
        taken: set[int],
    ) -> list[Finding]:
        rest_a = [a for a in sources if id(a) not in changed]
        rest_b = [b for b in outputs if id(b) not in taken]
        rows = (self._candidate(a, b, near=True) for a in rest_a for b in rest_b)
        return self._best([row for row in rows if row])

    def _candidate(
        self, a: Mention, b: Mention, *, near: bool
    ) -> tuple[float, int, int, Mention, Mention, str, str] | None:
        """A candidate: the certainty that b is in the place of a, their groups, the difference, and the evidence."""
        if (
            self.places.agreement(a, b) < FAINT
            and not similar_unit(a.value, b.value)
            and not isinstance(a.value, Label)
        ):
            return None
        pattern = difference(a.value, b.value)
        if pattern is None or same(a.value, b.value) or self._written_alike(a, b, pattern):
            return None
        if self._settled(b):
            return None
        standing = self._standing(a, b, pattern, near=near)
        return None if standing is None else (standing[0], -a.start, -b.start, a, b, pattern, standing[1])

    def _written_alike(self, a: Mention, b: Mention, pattern: str) -> bool:
        """Whether both texts have exactly the same words; then only their unit may differ, which depends on the context."""
        source, output = self.pair.source.text[a.start : a.end], self.pair.output.text[b.start : b.end]
        return source.casefold() == output.casefold() and pattern != "unit"

    def _settled(self, b: Mention) -> bool:
        """Whether a number that is hardly there by chance has an exact equal in its group."""
        a = self.partner_b.get(id(b))
        if a is None or not exact(a.value, b.value):
            return False
        return isinstance(b.value, Date) or (isinstance(b.value, Amount) and b.value.number >= _RARE)

    def _best(self, scored: list[tuple[float, int, int, Mention, Mention, str, str]]) -> list[Finding]:
        scored.sort(key=lambda row: row[:3], reverse=True)
        used: set[int] = set()
        out = []
        for _, _, _, a, b, pattern, evidence in scored:
            if id(a) in used or id(b) in used:
                continue
            used |= {id(a), id(b)}
            name = SCALE if evidence != "-far" and rescaled(a.value, b.value) else pattern + evidence
            out.append(Finding("changed", a, b, name, reason(self.pair, a, b, pattern)))
            for own, other in ((self.partner_b, self.partner_a), (self.partner_a, self.partner_b)):
                partner = own.pop(id(b if own is self.partner_b else a), None)
                if partner is not None:
                    other.pop(id(partner), None)
        return out

    def _standing(self, a: Mention, b: Mention, pattern: str, *, near: bool) -> tuple[float, str] | None:
        """The certainty that b is in the place of a, and the strength of the evidence; None if it is not."""
        place, heads = self.places.agreement(a, b), self.places.heads(a, b)
        if isinstance(a.value, Label):
            place = max(place, 0.6 if "#" in a.value.head else 0.0)
        if heads < 0:
            place -= _OTHER_HEAD
        weak = a.weak or b.weak
        if pattern in ("unit", "rate") and similar_unit(a.value, b.value):
            place += _SAME_NUMBER if near or (isinstance(b.value, Amount) and b.value.number >= 10) else 0.1
        if pattern == "value" and near and common_end(a.value, b.value):
            place += _SAME_NUMBER
        if pattern == "unitless" and (a.about or b.about):
            return None
        if pattern == "rateless" and self._rate_follows(a, b):
            return None
        bare = isinstance(b.value, Amount) and not b.value.unit.dimension
        if (
            pattern == "value"
            and near
            and 0 <= place < FAINT
            and self.echoes.speak_softly(a, b)
            and self._last_of_unit(a, b)
        ):
            place = FAINT
        if place < (FAIR if bare else FAINT) or (weak and place < STRICT):
            return None
        if weak and heads < 1 and pattern not in ("unit", "ordinal") and not (a.weak and b.weak):
            return None
        # If one of them has an equal in the group, the other place counts only if it is far better.
        counted = heads > 0 and place >= STRICT
        for own in (
            self._own_place(self.partner_b.get(id(b)), b, counted=counted),
            self._own_place(a, self.partner_a.get(id(a)), counted=counted),
        ):
            if own is not None and (place < STRICT or place - own < _MARGIN):
                return None
        alone = near and not weak and id(b) not in self.partner_b and id(a) not in self.partner_a
        known = self.index_a.equal(b)
        # A number with the same value in other sentences is less likely than one in these sentences.
        other_place = max((self.places.agreement(o, b) - _ELSEWHERE * near for o in known), default=-1.0)
        if other_place >= place - 0.1:
            return None
        agreements = [self.places.agreement(a, other) for other in self.index_b.equal(a)]
        if (
            agreements
            and max(agreements) >= place + (-0.1 if known or not near else 0.2)
            and (known or place < STRICT)
        ):
            return None
        if place < 0.6 and self._derived(b, self._group_values(b)):
            return None
        if derived(b, (), self._unused(b), self.places.heads) or self._split(a, b):
            return None
        if weak and (known or agreements):
            return None
        if pattern in ("unitless", "measure", "currency", "ordinal", "range", "rate", "rateless"):
            if not near:
                return None
            return (place, "-loose") if place >= (LOOSE if pattern == "rate" else STRICT) else None
        if known and other_place > (0.05 if not near else 0.1 if place < LOOSE else 1.0):
            return None
        plain = (self.places.agreement(a, b) >= FAIR or isinstance(a.value, Label)) and not weaker(
            a.value, b.value
        )
        if alone and plain and place >= STRICT and heads >= 0 and not known and not agreements:
            return place, ""
        evidence = "-loose" if place >= LOOSE else "-faint"
        compared = not self.short and pattern in ("value", "date", "sign")
        if not compared:
            return place, evidence
        plainly = heads > 0 and place >= _COUNTED
        sure = self.echoes.confirm(a, b, evidence, near=near, counted=plainly)
        sure = sure or (near and self.echoes.speak_softly(a, b) and self._last_of_unit(a, b))
        sure = sure or (near and place >= LOOSE and self._last_date(a, b))
        return (place, evidence) if sure else None

    def _last_of_unit(self, a: Mention, b: Mention) -> bool:
        """Whether a and b are the only remaining numbers with their unit in two aligned sentences."""
        group = self.pair.groups[self.group_b[id(b)]]
        if len(group.source) > 1 or len(group.output) > 2 or not similar_unit(a.value, b.value):
            return False
        if isinstance(b.value, Amount) and b.value.of is not None:
            return False
        return [a] == self._left(a, self._group_values(b), self.partner_a) and [b] == self._left(
            b, self.members_b[self.group_b[id(b)]], self.partner_b
        )

    def _last_date(self, a: Mention, b: Mention) -> bool:
        """Whether a and b are the only remaining dates in two aligned sentences."""
        group = self.pair.groups[self.group_b[id(b)]]
        if len(group.source) > 1 or len(group.output) > 2:
            return False
        left_a = [m for m in self._group_values(b) if id(m) not in self.partner_a]
        left_b = [m for m in self.members_b[self.group_b[id(b)]] if id(m) not in self.partner_b]
        dates = [[m for m in left if isinstance(m.value, Date) and not m.weak] for left in (left_a, left_b)]
        return dates == [[a], [b]]

    def _left(self, m: Mention, members: Sequence[Mention], partner: Mapping[int, Mention]) -> list[Mention]:
        return [o for o in members if id(o) not in partner and similar_unit(o.value, m.value) and not o.weak]

    def _rate_follows(self, a: Mention, b: Mention) -> bool:
        """Whether the rate that is missing in "80 mg" follows a few words later: 80 mg of the drug per kg."""
        words = self.pair.output.words
        near = {w.lower for w in words[b.last + 1 : b.last + 8] if w.sentence == words[b.last].sentence}
        rates = a.value.per if isinstance(a.value, Amount) else ()
        return any(units.UNITS[word].name in rates for word in near if word in units.UNITS)

    def _split(self, a: Mention, b: Mention) -> bool:
        """Whether a or b is half of a number that is split by a space: 54, 280 or 30. 9."""
        if not isinstance(a.value, Amount) or not isinstance(b.value, Amount):
            return False
        texts = (self.pair.source.text, a), (self.pair.output.text, b)
        if any(_DECIMALS.match(text, m.start) for text, m in texts):
            return True
        halves = _THOUSANDS.search(self.pair.output.text, max(0, b.start - 5), b.end + 5)
        return halves is not None and int(halves[1]) * 1000 + int(halves[2]) == a.value.number

    def _lone(
        self,
        sources: Sequence[Mention],
        outputs: Sequence[Mention],
        changed: dict[int, Finding],
        taken: set[int],
    ) -> Iterator[Finding]:
        """The only remaining number with its unit on either side of a short text, whatever the surrounding words."""
        if not self.short:
            return
        left: dict[str, tuple[list[Mention], list[Mention]]] = {}
        for side, rest in enumerate((sources, outputs)):
            done, paired = (changed, self.partner_a) if side == 0 else (taken, self.partner_b)
            other = self.index_b if side == 0 else self.index_a
            for m in rest:
                known = (
                    (m.weak and not self.places.lasts(m, side))
                    or id(m) in done
                    or id(m) in paired
                    or other.equal(m)
                )
                if not known and isinstance(m.value, Amount) and m.value.unit.dimension:
                    left.setdefault(m.value.unit.dimension, ([], []))[side].append(m)
        for a, b in ((a[0], b[0]) for a, b in left.values() if len(a) == len(b) == 1):
            pattern = difference(a.value, b.value)
            if pattern in ("value", "unit") and not self._derived(b, sources):
                yield Finding("changed", a, b, pattern + "-lone", reason(self.pair, a, b, pattern))

    def _own_place(self, a: Mention | None, b: Mention | None, *, counted: bool) -> float | None:
        """The agreement of the places of equal numbers; None if there is no equal, or only a word like "both" that counts
        less.
        """
        if a is None or b is None or (counted and (a.weak or b.weak)):
            return None
        return self.places.agreement(a, b)

    def _far(self, changed: dict[int, Finding], taken: set[int]) -> list[Finding]:
        """Numbers of the output that the source does not have, with the surroundings of a number in another group."""
        places: dict[str, list[Mention]] = {}
        numbers: dict[tuple[object, ...], list[Mention]] = {}
        for a in self.before:
            if id(a) in changed or id(a) in self.partner_a or a.weak:
                continue
            for base in self.places.source[id(a)].bases:
                places.setdefault(base, []).append(a)
            for key in keys(a):
                numbers.setdefault(key, []).append(a)
        scored = []
        for b in self.after:
            if id(b) in taken or id(b) in self.partner_b or b.weak:
                continue
            known = bool(self.index_a.equal(b))
            candidates: dict[int, Mention] = {
                id(a): a for key in keys(b) for a in numbers.get(key, ())[:CLOSE_BY]
            }
            for base in self.places.output[id(b)].bases:
                positions = places.get(base, ())
                if len(positions) <= CLOSE_BY:
                    candidates.update((id(a), a) for a in positions)
            for a in candidates.values():
                row = self._candidate(a, b, near=False)
                slip = nearly(a.value, b.value)
                if row and row[0] >= (_FAR if slip and not known else _FAR_KNOWN if slip else _FAR_OTHER):
                    scored.append((*row[:6], "-far"))
        return self._best(scored)

    def _echoed(self, changed: dict[int, Finding], taken: set[int]) -> list[Finding]:
        """Numbers whose sentence and neighbours are those of another number, even if the source has their value elsewhere."""
        scored = []
        for b in self.after:
            if id(b) in taken or id(b) in self.partner_b or b.weak:
                continue
            values = self._group_values(b)
            for a, score in self.echoes.places(b):
                if id(a) in changed or id(a) in self.partner_a or a.weak or self._split(a, b):
                    continue
                pattern = difference(a.value, b.value)
                if pattern not in ("value", "date", "time") or same(a.value, b.value):
                    continue
                heads = self.places.heads(a, b)
                if heads < 0 and not self.places.people(a, b) and score < WHATEVER_COUNTED:
                    continue
                near = self.group_a[id(a)] == self.group_b[id(b)] >= 0
                sure = near or (heads > 0 and self.places.agreement(a, b) >= _FAR)
                doubt = score < DERIVED and self._derived(b, values)
                if self._written_alike(a, b, pattern):
                    continue
                if self.echoes.speak(a, b, near=near, sure=sure) and not doubt:
                    scored.append((score, -a.start, -b.start, a, b, pattern, "-echo"))
        return self._best(scored)

    def _group_values(self, b: Mention) -> list[Mention]:
        return self.members_a.get(self.group_b[id(b)], [])

    def _derived(self, b: Mention, values: Sequence[Mention]) -> bool:
        return derived(b, values, values, self.places.heads)

    def _unused(self, b: Mention) -> list[Mention]:
        return [a for a in self._group_values(b) if id(a) not in self.partner_a]

    # The remaining numbers

    def _kept(self, a: Mention, taken: set[int]) -> Iterator[Finding]:
        b = self.partner_a.get(id(a))
        if b is not None:
            if not (a.weak and b.weak):
                said = (
                    "The simplified text rounds it." if rounded(a.value, b.value) else "Both texts have it."
                )
                yield Finding("same", a, b, "same", said)
            return
        if a.weak:
            return
        for other in self.index_b.equal(a):
            if id(other) not in taken and (
                self.places.agreement(a, other) > 0 or self.places.heads(a, other) > 0
            ):
                yield Finding("same", a, other, "elsewhere", "The simplified text has it elsewhere.")
                return
        yield Finding("gone", a, None, "gone", "The simplified text does not have it.")

    def _added(self, b: Mention) -> Iterator[Finding]:
        others = self.index_a.equal(b)
        if any(self.places.agreement(a, b) > 0 or self.places.heads(a, b) > 0 for a in others):
            return  # said once more
        if self._derived(b, self._group_values(b)):
            yield Finding("same", None, b, "derived", "It follows from numbers of the original.")
        elif others:
            yield Finding("new", None, b, "moved", reason(self.pair, others[0], b, "moved"))
        else:
            yield Finding("new", None, b, "new", "The original does not have this number.")
