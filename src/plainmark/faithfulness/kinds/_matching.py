"""Which number of the source became which number of the output."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from ..alignment import Pair
from . import Finding, Mention, group_of
from . import _units as units
from ._amounts import Amount, Label
from ._dates import Date
from ._derivation import derived
from ._equality import difference, same
from ._places import Places
from ._wording import reason

STRICT = 0.7
LOOSE = 0.45
_MARGIN = 0.5
_CLOSE_BY = 40  # so many equal numbers are looked at in a long text


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
        self.index_a, self.index_b = _Index(before), _Index(after)

    def findings(self) -> Iterator[Finding]:
        """Every finding, group by group."""
        for group, outputs in self.members_b.items():
            if group >= 0:
                self._pair_equal(self.members_a.get(group, []), outputs)
        changed: dict[int, Finding] = {}  # by id of the source's mention
        taken: set[int] = set()  # ids of the output's mentions in changed findings
        for finding in self._exchanged():
            assert finding.before and finding.after
            changed[id(finding.before)] = finding
            taken.add(id(finding.after))
        for group, outputs in self.members_b.items():
            if group < 0:
                continue
            for finding in self._changed(self.members_a.get(group, []), outputs, changed, taken):
                assert finding.before and finding.after
                changed[id(finding.before)] = finding
                taken.add(id(finding.after))
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
        scored = []
        for a in sources:
            for b in outputs:
                if same(a.value, b.value):
                    exact = a.value == b.value
                    score = self.places.agreement(a, b) + 0.3 * self.places.heads(a, b) + 0.2 * exact
                    scored.append((score, -a.start, -b.start, a, b))
        scored.sort(key=lambda row: row[:3], reverse=True)
        for _, _, _, a, b in scored:
            if id(a) not in self.partner_a and id(b) not in self.partner_b:
                self.partner_a[id(a)], self.partner_b[id(b)] = b, a

    def _exchanged(self) -> Iterator[Finding]:
        """Pairs of equal numbers that stand in each other's place."""
        done: set[int] = set()
        agreement = self.places.agreement
        for sources in self.members_a.values():
            paired = [a for a in sources if id(a) in self.partner_a]
            for k, a in enumerate(paired):
                b = self.partner_a[id(a)]
                for c in paired[:k]:
                    d = self.partner_a[id(c)]
                    if id(a) in done or id(c) in done or same(a.value, c.value) or same(a.value, d.value):
                        continue
                    pattern = difference(a.value, d.value)
                    if pattern not in ("value", "date", "unit", "label", "time", "measure"):
                        continue
                    straight = agreement(a, b) + agreement(c, d)
                    crossed = agreement(a, d) + agreement(c, b)
                    heads = (
                        self.places.heads(a, d)
                        + self.places.heads(c, b)
                        - self.places.heads(a, b)
                        - self.places.heads(c, d)
                    )
                    gain = crossed - straight
                    if gain >= _MARGIN and heads >= 0:
                        name = "exchanged" if gain >= 0.8 or heads > 0 else "exchanged-loose"
                    elif gain > -0.15 and heads >= 0 and self._swapped(a, b, c, d):
                        name = "exchanged" if gain > 0.2 else "exchanged-list"
                    else:
                        continue
                    done |= {id(a), id(c)}
                    yield Finding("changed", a, d, name, reason(self.pair, a, d, "exchanged"))
                    yield Finding("changed", c, b, name, reason(self.pair, c, b, "exchanged"))

    def _swapped(self, a: Mention, b: Mention, c: Mention, d: Mention) -> bool:
        """Whether the order of two numbers is reversed while the words of their sentences keep theirs."""
        source, output = self.pair.source.words, self.pair.output.words
        if (a.start < c.start) == (b.start < d.start):
            return False
        if (
            source[a.first].sentence != source[c.first].sentence
            or output[b.first].sentence != output[d.first].sentence
        ):
            return False
        sentence = self.pair.output.sentence_words(output[b.first].sentence)
        order = []
        unlinked = 0
        for j in sentence:
            word = output[j]
            if (
                not word.content
                or word.text[0].isdecimal()
                or b.first <= j <= b.last
                or d.first <= j <= d.last
            ):
                continue
            link = self.pair.before.get(j)
            if link is None:
                unlinked += 1
            elif link.relation in ("same", "form", "synonym"):
                order.append(link.i)
        rising = sum(x < y for x, y in zip(order, order[1:], strict=False))
        return len(order) >= 3 and rising >= 0.9 * (len(order) - 1) and unlinked <= 0.35 * len(order)

    # Changed numbers

    def _changed(
        self,
        sources: Sequence[Mention],
        outputs: Sequence[Mention],
        changed: dict[int, Finding],
        taken: set[int],
    ) -> list[Finding]:
        rest_a = [a for a in sources if id(a) not in changed and id(a) not in self.partner_a]
        rest_b = [b for b in outputs if id(b) not in taken]
        scored = []
        for a in rest_a:
            for b in rest_b:
                pattern = difference(a.value, b.value) if not same(a.value, b.value) else None
                if pattern is None:
                    continue
                score = self._standing(a, b, pattern)
                if score is not None:
                    scored.append((score[0], -a.start, -b.start, a, b, pattern, score[1]))
        scored.sort(key=lambda row: row[:3], reverse=True)
        used: set[int] = set()
        out = []
        for _, _, _, a, b, pattern, strict in scored:
            if id(a) in used or id(b) in used:
                continue
            used |= {id(a), id(b)}
            name = pattern if strict else pattern + "-loose"
            out.append(Finding("changed", a, b, name, reason(self.pair, a, b, pattern)))
            if (other := self.partner_b.pop(id(b), None)) is not None:
                self.partner_a.pop(id(other), None)
        return out

    def _standing(self, a: Mention, b: Mention, pattern: str) -> tuple[float, bool] | None:
        """How surely b stands where a stood, and whether that is beyond doubt; None if it does not."""
        place = self.places.agreement(a, b)
        heads = self.places.heads(a, b)
        if isinstance(a.value, Label):
            place = max(place, 0.6 if "#" in a.value.head else 0.0)
        if heads < 0:
            place -= 0.3
        need = STRICT if a.weak or b.weak else LOOSE
        if pattern in ("unitless", "measure", "ordinal", "currency"):
            need = STRICT
        if (a.weak or b.weak) and heads < 1 and pattern != "unit" and not (a.weak and b.weak):
            return None
        if place < need:
            return None
        if (own := self.partner_b.get(id(b))) is not None:
            # b has its equal in the group: a is its place only if it is far better.
            if place < STRICT or place - self.places.agreement(own, b) < _MARGIN:
                return None
            return place, False
        strict = place >= STRICT and heads >= 0 and not a.weak and not b.weak
        for other in self.index_b.equal(a):
            if self.places.agreement(a, other) >= place - 0.1:
                return None
            strict = False
        for other in self.index_a.equal(b):
            if self.places.agreement(other, b) >= place - 0.1:
                return None
            strict = False
        if derived(b, self._group_values(b), self._unused(b), sure=place >= 0.9):
            return None
        if pattern in ("unitless", "measure", "currency", "ordinal"):
            strict = False
        return place, strict

    def _group_values(self, b: Mention) -> list[Mention]:
        return self.members_a.get(self.group_b[id(b)], [])

    def _unused(self, b: Mention) -> list[Mention]:
        return [a for a in self._group_values(b) if id(a) not in self.partner_a]

    # What is left

    def _kept(self, a: Mention, taken: set[int]) -> Iterator[Finding]:
        b = self.partner_a.get(id(a))
        if b is not None:
            if not (a.weak and b.weak):
                yield Finding("same", a, b, "same", "Both texts have it.")
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
        if derived(b, self._group_values(b), self._group_values(b), sure=False):
            yield Finding("same", None, b, "derived", "It follows from numbers of the original.")
        elif others:
            yield Finding("new", None, b, "moved", reason(self.pair, others[0], b, "moved"))
        else:
            yield Finding("new", None, b, "new", "The original does not have this number.")


class _Index:
    """Finds the mentions of a text that may equal a given one, without looking at all of them."""

    def __init__(self, mentions: Sequence[Mention]) -> None:
        self.by_key: dict[tuple[object, ...], list[Mention]] = {}
        rows = []
        for m in mentions:
            for key in _keys(m):
                self.by_key.setdefault(key, []).append(m)
            if isinstance(m.value, Amount) and m.value.form == "amount":
                rows.append((units.base_value(m.value.number, m.value.unit), m.start, m))
        rows.sort(key=lambda row: row[:2])
        self.rows = [row[2] for row in rows]
        self.values = [row[0] for row in rows]

    def equal(self, m: Mention) -> list[Mention]:
        """Mentions with an equal value, at most a few dozen."""
        found: dict[int, Mention] = {}
        for key in _keys(m):
            for other in self.by_key.get(key, ())[:_CLOSE_BY]:
                found[id(other)] = other
        if isinstance(m.value, Amount) and m.value.form == "amount":
            value = units.base_value(m.value.number, m.value.unit)
            low, high = sorted((value * 0.75, value * 1.34))
            start, stop = bisect_left(self.values, low), bisect_left(self.values, high)
            middle = bisect_left(self.values, value)
            for other in self.rows[max(start, middle - _CLOSE_BY) : min(stop, middle + _CLOSE_BY)]:
                found[id(other)] = other
        return [other for other in found.values() if same(m.value, other.value) or same(other.value, m.value)]


def _keys(m: Mention) -> list[tuple[object, ...]]:
    value = m.value
    if isinstance(value, Amount):
        if value.form == "ordinal":
            return [("ordinal", value.number)]
        ends = [value.number] if value.second is None else [value.number, value.second]
        if value.of:
            ends += value.of
        return [("number", float(f"{x:.6g}")) for x in ends]
    if isinstance(value, Label):
        return [
            ("label", value.head.rstrip("s"), value.code),
            *([("number", float(value.code))] if value.code.isdecimal() and len(value.code) < 9 else []),
        ]
    if isinstance(value, Date):
        keys: list[tuple[object, ...]] = []
        if value.first is not None and value.last is not None:
            keys += [("year", value.first // 10), ("number", float(value.first))]
            if value.last - value.first > 9:
                keys += [
                    ("year", decade)
                    for decade in range(value.first // 10, min(value.last // 10, value.first // 10 + 10) + 1)
                ]
        if value.month is not None:
            keys.append(("month", value.month))
        if value.weekday is not None:
            keys.append(("weekday", value.weekday))
        return keys
    return [("time",)]
