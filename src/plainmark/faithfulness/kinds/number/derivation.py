"""Numbers that follow from others: sums, shares, differences of years, the rest up to 100 %."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from .. import Mention
from . import units
from .amounts import Amount
from .dates import Date
from .units import NO_UNIT, PERCENT

_MOST = 12  # largest number of numbers in a group that are combined


def derived(
    b: Mention, group: Sequence[Mention], unused: Sequence[Mention], heads: Callable[[Mention, Mention], int]
) -> bool:
    """Whether the value of b can be worked out from numbers of its group.

    A sum replaces its parts, so only `unused` numbers, which the output does not repeat, are added up. Either all added or
    subtracted numbers count the same thing as b, or none does: 5 boats and 3 sails are not 8 boats. `heads` compares the
    counted things.
    """
    if not isinstance(b.value, Amount) or b.value.form != "amount" or b.value.second is not None:
        return False
    target = b.value
    amounts = [
        m.value for m in group[: 4 * _MOST] if isinstance(m.value, Amount) and m.value.form == "amount"
    ]
    free = [m for m in unused if isinstance(m.value, Amount) and m.value.form == "amount"][:_MOST]
    counted = [heads(m, b) for m in free]
    if any(_sum(target, _values(free, counted, other)) for other in (1, -1)):
        return True
    if target.unit is PERCENT:
        shares = amounts[:_MOST]
        for x in shares:
            if x.unit is PERCENT and abs(100 - x.number - target.number) <= 0.51 * min(target.step, 1.0):
                return True
        counts = [x.number for x in shares if x.unit is NO_UNIT and x.number > 0]
        for part, whole in combinations(counts, 2):
            share = 100 * min(part, whole) / max(part, whole)
            if abs(share - target.number) <= (0.51 * min(target.step, 1.0) if not target.bound else 2.5):
                return True
    if target.unit.dimension == "time":
        years = [
            m.value for m in group[: 4 * _MOST] if isinstance(m.value, Date) and m.value.first is not None
        ]
        span = units.base_value(target.number, target.unit) / units.YEAR.factor
        for p, q in combinations(years[:_MOST], 2):
            if p.first is not None and q.first is not None and abs(abs(p.first - q.first) - span) <= 1.01:
                return True
    members = [m for m in group[: 4 * _MOST] if isinstance(m.value, Amount) and m.value.form == "amount"][
        :_MOST
    ]
    counted = [heads(m, b) for m in members]
    return any(
        x.unit.name == target.unit.name
        and y.unit.name == target.unit.name
        and abs(abs(x.number - y.number) - target.number) < 1e-6
        for other in (1, -1)
        for x, y in combinations(_values(members, counted, other), 2)
    ) or _ratio(target, amounts)


def _values(members: Sequence[Mention], counted: Sequence[int], other: int) -> list[Amount]:
    """The amounts of members, except those that count something incompatible."""
    return [
        m.value
        for m, head in zip(members, counted, strict=True)
        if head != other and isinstance(m.value, Amount)
    ]


def supported(a: object, b: object, group: Sequence[Mention]) -> bool:
    """Whether both numbers of b ("10 to 20", "31 out of 94") are in the group, of which a is only one."""
    if not isinstance(a, Amount) or not isinstance(b, Amount) or a.second is not None or a.of is not None:
        return True
    ends = b.of or ((b.number, b.second) if b.second is not None else None)
    if ends is None or (b.of and a.unit is PERCENT):
        return True
    numbers = {x for m in group if isinstance(m.value, Amount) for x in (m.value.number, m.value.second)}
    return all(x in numbers for x in ends) or b.join == "±"


def _sum(target: Amount, parts: Sequence[Amount]) -> bool:
    same_unit = [x.number for x in parts if x.unit.name == target.unit.name]
    limit = max(1e-6, 0.03 * target.number if target.bound else 0.0)
    for size in range(2, min(len(same_unit), 4) + 1):
        for summands in combinations(same_unit[:_MOST], size):
            if abs(sum(summands) - target.number) <= limit:
                return True
    return len(same_unit) > 4 and abs(sum(same_unit) - target.number) <= limit


def _ratio(target: Amount, amounts: Sequence[Amount]) -> bool:
    """Whether target expresses how many times larger one number is than another."""
    if target.unit.dimension != "times":
        return False
    numbers = [x.number for x in amounts[:_MOST] if x.number > 0]
    return any(
        abs(max(x, y) / min(x, y) - target.number) <= 0.15 * target.number
        for x, y in combinations(numbers, 2)
    )
