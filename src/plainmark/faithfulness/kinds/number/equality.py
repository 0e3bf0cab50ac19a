"""Decides whether two numbers state the same, and what differs if they do not.

A simplified text may round, convert and reword: "about 1,000" for 987, "almost half" for 48 %, "two years" for 24 months,
"44 pounds" for 20 kg. A number may become less exact, never more.
"""

from __future__ import annotations

from . import units
from .amounts import FRACTION, Amount, Label
from .dates import Clock, Date, same_clock, same_date
from .units import NO_UNIT, PERCENT, TIMES, Unit

_TINY = 1e-6
_MORE_THAN_HALF = 0.3
_BOUNDED = 0.2  # "more than 400" for 424; "almost half" for 48 %
_ABOUT = 0.1
_CUT_OFF = 0.02  # 94.7 % as 94 %
_CONVERTED = 0.05
_LARGE = 1e5  # power of ten from which on a round figure is an approximation: a million for 1,027,405
_CONVERTED_TIME = 0.1  # a month has no fixed length
_OWN = frozenset(("confidence", "telephone"))  # labels that are never a plain number
_DOLLARS = frozenset(("dollar", "USD", "AUD", "CAD"))
# "6 m" may be metres, months or minutes.
_AMBIGUOUS = (frozenset(("m", "month")), frozenset(("m", "minute")), frozenset(("m", "mile")))
_MEASURES = ("mass", "volume", "length", "area", "energy")
_POUNDS = frozenset(("pound", "GBP"))
_HUNDREDTHS = {"cent": _DOLLARS | {"EUR"}, "penny": _POUNDS}


def same(a: object, b: object) -> bool:
    """Whether the value b of the output states what the value a of the source states."""
    if isinstance(a, Date):
        if isinstance(b, Date):
            return bool(same_date(a, b))
        return isinstance(b, Amount) and _bare_year(a, b)
    if isinstance(b, Date):
        return isinstance(a, Amount) and _bare_year(b, a)
    if isinstance(a, Clock):
        return isinstance(b, Clock) and same_clock(a, b)
    if isinstance(a, Label):
        if isinstance(b, Label):
            return a.code == b.code and same_head(a, b)
        return (
            isinstance(b, Amount)
            and a.head not in _OWN
            and "#" not in a.head
            and a.code == f"{b.number:g}"
            and b.unit is NO_UNIT
        )
    if isinstance(b, Label):
        return (
            isinstance(a, Amount)
            and b.head not in _OWN
            and "#" not in b.head
            and b.code == f"{a.number:g}"
            and a.unit is NO_UNIT
        )
    assert isinstance(a, Amount)
    return isinstance(b, Amount) and same_amount(a, b)


def exact(a: object, b: object) -> bool:
    """Whether two values are equal without rounding or conversion."""
    if isinstance(a, Amount) and isinstance(b, Amount):
        return a.number == b.number and a.second == b.second
    return a == b


def common_end(a: object, b: object) -> bool:
    """Whether two ranges begin or end with the same number."""
    if not isinstance(a, Amount) or not isinstance(b, Amount) or not a.join or not b.join:
        return False
    if a.second is None or b.second is None or not same_unit(a.unit, b.unit):
        return False
    return (a.number == b.number) != (a.second == b.second)


def rounded(a: object, b: object) -> bool:
    """Whether b is the same amount as a with fewer digits."""
    if not isinstance(a, Amount) or not isinstance(b, Amount) or not same_unit(a.unit, b.unit):
        return False
    return a.number != b.number and b.step > a.step


def nearly(a: object, b: object) -> bool:
    """Whether two amounts have a similar size, as after a typing error."""
    if not isinstance(a, Amount) or not isinstance(b, Amount) or a.number <= 0 or b.number <= 0:
        return not isinstance(a, Amount) and not isinstance(b, Date)
    return 1 / 1.35 <= a.number / b.number <= 1.35


def similar_unit(a: object, b: object) -> bool:
    """Whether two amounts are in different units of one dimension."""
    return isinstance(a, Amount) and isinstance(b, Amount) and a.unit.dimension == b.unit.dimension != ""


def weaker(a: object, b: object) -> bool:
    """Whether b claims slightly less than a: more than ten for more than a dozen."""
    if not isinstance(a, Amount) or not isinstance(b, Amount) or not a.bound == b.bound == ">":
        return False
    return (1 - _BOUNDED) * a.number <= b.number <= a.number


def same_head(a: Label, b: Label) -> bool:
    """Whether two labels number the same type of thing."""
    return a.head == b.head or a.head.rstrip("s") == b.head.rstrip("s")


def _bare_year(date: Date, amount: Amount) -> bool:
    if amount.unit is not NO_UNIT or amount.second is not None or date.first is None or date.last is None:
        return False
    first, last = sorted((abs(date.first), abs(date.last)))  # the era may be left out
    return first <= amount.number <= last


def same_amount(a: Amount, b: Amount) -> bool:
    """Whether two amounts agree in value, unit, rate, sign and order."""
    if a.form != b.form:
        return False
    if a.form == "ordinal":
        return a.number == b.number
    if a.number == b.number and a[2:] == b[2:]:
        return True
    if a.number == b.number and {a.unit.name, b.unit.name} in _AMBIGUOUS:
        return True
    if a.number == b.number == 1 and f"per {a.unit.name}" in (b.unit.name, f"per per {b.unit.name}"):
        return True  # annually, a year
    if opposed(a, b) or not same_rate(a, b):
        return False
    if _same_parts(a, b) or _same_parts(b, a) or _decimal_share(a, b) or _decimal_share(b, a):
        return True
    pairs = _comparable(a, b)
    return pairs is not None and any(all(_close(x, y, a, b) for x, y in way) for way in pairs)


def _same_parts(a: Amount, b: Amount) -> bool:
    """Whether b is "6 out of 12" and a is the same, or 6/12, or the 6 of "6 of the 12 patients"."""
    if b.of is None:
        return False
    if a.of is not None or a.join == "ratio":
        return (a.of or (a.number, a.second)) == b.of
    return a.unit is NO_UNIT and a.second is None and a.number == b.of[0] and b.join == "out"


def _decimal_share(a: Amount, b: Amount) -> bool:
    """Whether a is 0.93 and b is 93 %."""
    if a.unit is not NO_UNIT or b.unit is not PERCENT or not 0 < a.number <= 1 or a.step >= 1:
        return False
    return _close(100 * a.number, b.number, a._replace(unit=PERCENT, step=100 * a.step), b)


def opposed(a: Amount, b: Amount) -> bool:
    """Whether one bound is "<" and the other ">", with a sign on at least one side."""
    return (a.sign or b.sign) and {a.bound, b.bound} == {"<", ">"}


def same_rate(a: Amount, b: Amount) -> bool:
    """Whether both rates are the same; one may leave out a time ("20 mg a day", "20 mg") but not a weight."""
    if a.per == b.per:
        return True
    if not a.per or not b.per:
        left = (a.per or b.per)[0]
        unit = units.BY_NAME.get(left)
        return unit is None or unit.dimension not in ("mass", "volume", "area")
    shorter, longer = sorted((a.per, b.per), key=len)
    return set(shorter) <= set(longer)


def rescaled(a: object, b: object) -> bool:
    """Whether two measures have the same number and units of different size: 5 mg and 5 g, 48 km and 48 miles."""
    if not isinstance(a, Amount) or not isinstance(b, Amount) or (a.number, a.second) != (b.number, b.second):
        return False
    return (
        a.unit.dimension == b.unit.dimension
        and a.unit.dimension in _MEASURES
        and a.unit.factor != b.unit.factor
    )


def same_unit(a: Unit, b: Unit) -> bool:
    """Whether two units are one unit."""
    if a.name == b.name:
        return True
    names = {a.name, b.name}
    return (
        (names <= _DOLLARS and "dollar" in names)
        or names <= _POUNDS
        or names == {"pound", "lb"}
        or ("degree" in names and units.agree(a, b))
    )


def _comparable(a: Amount, b: Amount) -> list[list[tuple[float, float]]] | None:
    """Ways to compare the numbers of two amounts in one unit; None if their units have nothing in common."""
    if same_unit(a.unit, b.unit) or a.unit is NO_UNIT or b.unit is NO_UNIT:
        if a.unit is not b.unit and PERCENT in (a.unit, b.unit) and a.unit.name != b.unit.name:
            return None
        left, right = _ends(a), _ends(b)
    elif units.agree(a.unit, b.unit) and "money" not in (a.unit.dimension, b.unit.dimension):
        left = [units.base_value(x, units.as_mass(a.unit)) for x in _ends(a)]
        right = [units.base_value(x, units.as_mass(b.unit)) for x in _ends(b)]
    elif b.unit.name in _HUNDREDTHS.get(a.unit.name, ()):
        left, right = [x / 100 for x in _ends(a)], _ends(b)
    elif a.unit.name in _HUNDREDTHS.get(b.unit.name, ()):
        left, right = _ends(a), [x / 100 for x in _ends(b)]
    elif {a.unit.dimension, b.unit.dimension} == {"percent", "times"}:
        return _multiples(a, b)
    elif {a.unit.dimension, b.unit.dimension} <= {"often", "times"}:
        left, right = _ends(a), _ends(b)
    else:
        return None
    if len(left) == len(right) == 1:
        return [[(left[0], right[0])]]
    if "±" in (a.join, b.join) and len(left) != len(right):
        return [[(left[0], right[0])]]
    if len(left) == len(right) == 2:
        ways = [[(left[0], right[0]), (left[1], right[1])]]
        if a.join == b.join == "range":
            ways.append([(left[0], right[0]), (_in_full(*left), _in_full(*right))])
        back = a.unit.dimension == "time" and right[0] < right[1] and b.join == "range"  # years ago
        if "between" in (a.join, b.join) or "±" in (a.join, b.join) or back:
            ways.append([(left[0], right[1]), (left[1], right[0])])
        return ways
    # One end of a range, only in its own unit.
    return [
        [(x, y)] for x in left for y in right if abs(x - y) <= _TINY * abs(x) and a.unit.name == b.unit.name
    ]


def _in_full(first: float, last: float) -> float:
    """The end of a range with the digits that it shares with the beginning: 157-69 ends at 169."""
    a, b = f"{first:g}", f"{last:g}"
    if not a.isdecimal() or not b.isdecimal() or not 2 <= len(b) < len(a):
        return last
    return max(float(a[: len(a) - len(b)] + b), last)


def _ends(amount: Amount) -> list[float]:
    if amount.second is None:
        return [amount.number]
    return [amount.number, amount.second]


def _multiples(a: Amount, b: Amount) -> list[list[tuple[float, float]]]:
    """Multiples as percentages: doubled is up by 100 % and 200 % of the original; halved is down by 50 %."""
    percent, times = (a, b) if a.unit.dimension == "percent" else (b, a)
    shares = (100 * times.number, 100 * (times.number - 1), 100 * (1 - times.number))
    pairs = [(percent.number, share) for share in shares]
    return [[(x, y) if percent is a else (y, x)] for x, y in pairs]


def _close(x: float, y: float, a: Amount, b: Amount) -> bool:
    """Whether y of the output is x of the source, with the precision that the wording claims."""
    if abs(x - y) <= _TINY * max(abs(x), abs(y)):
        return True
    if (x < 0) != (y < 0) or not x or not y:
        return False
    apart = abs(x - y) / max(abs(x), abs(y))
    converted = not same_unit(a.unit, b.unit) and a.unit is not NO_UNIT and b.unit is not NO_UNIT
    if converted and a.unit.dimension in ("temperature", "?temperature"):
        return abs(x - y) <= 0.6
    if converted and a.unit.dimension != "percent" and b.unit.dimension != "percent":
        limit = _CONVERTED_TIME if a.unit.dimension in ("time", "often") else _CONVERTED
        if apart <= limit:
            return True
    if a.bound == b.bound and a.closed != b.closed and max(x, y) < 1000:
        higher = 1 if (a.bound == ">") == b.closed else -1
        if a.bound in ("<", ">") and y - x == higher:
            return not converted  # more than 4, at least 5
    if a.bound == b.bound != "" and not converted:  # about 80 is not about 79
        coarser = a.bound == "~" and b.step > a.step and apart <= _ABOUT
        less = weaker(a, b) and b.step >= 10 and x % b.step != 0  # more than a dozen, more than ten
        return coarser or less or _rounded(x, y, a, b, apart)
    if (b.bound == ">" and y <= x) or (b.bound == "<" and y >= x):
        return apart <= (_BOUNDED if b.unit is not PERCENT or b.step != FRACTION else _MORE_THAN_HALF)
    if b.bound and apart <= (_ABOUT if b.bound == "~" else _CUT_OFF / 2):
        return True
    if a.bound == "~" and apart <= _ABOUT / 2:
        return True
    return not converted and _rounded(x, y, a, b, apart)


def _rounded(x: float, y: float, a: Amount, b: Amount, apart: float) -> bool:
    """Whether y is x rounded to its number of digits."""
    step, coarser = a.step, b.step
    if coarser <= step:
        return False
    if step < 1 <= coarser and y == int(x) and apart <= _CUT_OFF:
        return True
    if abs(x - y) > coarser / 2 * 1.001:
        return False
    if b.of is not None:  # 68.5 %, 7 out of 10
        return True
    if step < 1 <= coarser or coarser >= _LARGE:
        return apart <= _ABOUT
    return apart <= _CONVERTED and (step < 1 or x >= 100)


def _year_or_number(a: object, b: object) -> str | None:
    """Whether a year and a plain number of four digits may be equal: 3666 women, 1833 women."""
    date, amount = (a, b) if isinstance(a, Date) else (b, a)
    if not isinstance(date, Date) or not isinstance(amount, Amount) or amount.form != "amount":
        return None
    bare = amount.unit is NO_UNIT and amount.second is None and amount.number >= 500
    if bare and date.month is None and date.weekday is None and date.first == date.last:
        return "value"
    return None


def _statistic(amount: Amount) -> bool:
    """Whether a plain number has decimals, like a ratio or a score and unlike a count."""
    return amount.step < 1 and amount.number < 1000


def difference(a: object, b: object) -> str | None:
    """The difference between two values that do not state the same, as a pattern; None if they cannot be compared."""
    if isinstance(a, Date) and isinstance(b, Date):
        return "date" if same_date(a, b) is False else None
    if isinstance(a, Clock) and isinstance(b, Clock):
        return "time"
    if isinstance(a, Label) and isinstance(b, Label):
        return "label" if same_head(a, b) else None
    if isinstance(a, Date) or isinstance(b, Date):
        return _year_or_number(a, b)
    if isinstance(a, Label) and a.head == "number" and isinstance(b, Amount) and b.unit is NO_UNIT:
        return (
            "value" if b.form == "amount" and b.second is None else None
        )  # atomic number 16, its number is 8
    if not isinstance(a, Amount) or not isinstance(b, Amount) or a.form != b.form:
        return None
    if a.form == "ordinal":
        return "ordinal"
    if (a.join == "±") != (b.join == "±") and (a.second is None or b.second is None):
        a, b = a._replace(second=None), b._replace(second=None)
    equal = abs(a.number - b.number) <= _TINY * abs(a.number) and a.second == b.second
    close = abs(a.number - b.number) <= a.step / 2 and abs((a.second or 0) - (b.second or 0)) <= a.step / 2
    if same_unit(a.unit, b.unit) and b.step < a.step < 1 and close:
        return None  # 21.1 and 21.13
    if opposed(a, b) or (a.number == -b.number and a.number):
        return "sign"
    if a.number < 0 < b.number and same_amount(a._replace(number=-a.number), b):
        return None  # a decrease of -1.54 cm, a decrease of one and a half centimetres
    if a.second is not None and (a.second, a.number) == (b.number, b.second):
        return "order"
    if (a.join == "per") != (b.join == "per"):
        return None
    if (a.second is None) != (b.second is None) and not equal:
        return "range" if a.unit is b.unit or units.agree(a.unit, b.unit) else None
    if a.unit is NO_UNIT or b.unit is NO_UNIT:
        if a.unit is b.unit:
            return (
                None
                if _statistic(a) != _statistic(b) and not 0.5 < abs(a.number / (b.number or 1)) < 2
                else "value"
            )
        if PERCENT in (a.unit, b.unit):
            return "unit" if equal else None
        return None if equal else "unitless"
    if equal:
        return "unit" if not same_unit(a.unit, b.unit) else "rate" if a.per and b.per else "rateless"
    if {a.unit.dimension, b.unit.dimension} == {"money"} and not same_unit(a.unit, b.unit):
        return "currency"
    if units.agree(a.unit, b.unit):
        return "value"
    return "measure" if TIMES not in (a.unit, b.unit) and PERCENT not in (a.unit, b.unit) else None
