"""Assembles amounts: number, unit, range, rate, bound and the counted thing."""

from __future__ import annotations

from ...passage import Passage
from . import dates, units
from .amounts import Amount, Label, head_of
from .bounds import bound_after, bound_before
from .dates import Clock, Date
from .labels import LabelReader
from .numerals import GLYPHS, Numeral, is_english
from .reader import HYPHENS
from .units import NO_UNIT, PERCENT, TIMES, YEAR

Value = Amount | Label | Date | Clock
_TIME_HEADS = frozenset("day week month year days weeks months years hour minute".split())
_NUMBERED = frozenset("day week month year".split())
_MANY = 8  # "7 out of 10" is rounded to tenths; "1 in 5" means a fifth
_YEAR_AFTER = frozenset(
    "in since from to until till by before after during of year years mid early late between and through spring summer "
    "autumn fall winter the around about circa ( , © / - – — ; : every".split()
)
_JOINS = frozenset(("to", "-", "–", "—", "−", "and", "±", "in", "out", ":", "/", "through", "of", "until"))
_CONFIDENCE = frozenset(("ci", "cis", "confidence", "cri", "credible", "c.i."))
_SPEEDS = {("mile", "hour"): "mph", ("km", "hour"): "km/h"}


class Draft:
    """An unfinished mention; its unit and head may come from the next one in a list."""

    __slots__ = ("about", "after", "end", "first", "start", "value", "weak")

    def __init__(
        self, value: Value, start: int, end: int, first: int, after: int, about: tuple[int, ...], weak: bool
    ) -> None:
        self.value, self.start, self.end = value, start, end
        self.first, self.after, self.about, self.weak = first, after, about, weak


class AmountFinder:
    """Finds amounts that begin at a given word and collects them as drafts."""

    def __init__(self, passage: Passage) -> None:
        self.passage, self.words, self.text = passage, passage.words, passage.text
        self.reader = LabelReader(passage, is_english(passage))
        self.drafts: list[Draft] = []

    def add(
        self,
        value: Value,
        first: int,
        after: int,
        about: tuple[int, ...] = (),
        weak: bool = False,
        end: int | None = None,
    ) -> int:
        words = self.words
        while self.drafts and self.drafts[-1].after > first:
            first += 1
        if first >= after:
            return after
        last = words[after - 1].end if end is None else end
        self.drafts.append(Draft(value, words[first].start, last, first, after, about, weak))
        return after

    def amount(self, i: int, *, money: units.Unit | None = None, start: int | None = None) -> int:
        words, reader = self.words, self.reader
        first = i if start is None else start
        k = i + 1 if money else i
        numeral = reader.numeral(k, money=money is not None)
        digits_before = words[k].text[0].isdecimal() or words[k].text[0] in GLYPHS
        if words[i].text == "." and (inner := reader.numeral(i + 1)):
            places = len(words[i + 1].text)
            numeral = inner._replace(value=inner.value * 10.0**-places, step=10.0**-places)
            digits_before = True
        if numeral is None:
            return i + 1
        number, after, step = numeral.value, numeral.after, numeral.step
        after = self._repeated(number, after)
        negative = self._negative(first, digits_before)
        if negative:
            number, first = -number, first - 1
        stop = reader.stop(i)
        if digits_before and not money and not negative and self._year(k, after, stop):
            return self._years(k, after)
        plural = (
            after < stop
            and digits_before
            and words[after].lower in ("s", "'s", "’s")
            and words[after].start == words[after - 1].end
        )
        if plural:
            after += 1
        unit, after = (money, after) if money else reader.unit(after, digits_before=digits_before)
        if money and after < stop and words[after].lower in ("us", "usd"):
            after += 1
        number, unit, after, step = self._compound(number, unit, after, step)
        second, join, of = None, "", None
        joined = self._join(first, after, number, unit, money)
        if joined:
            second, join, after, second_unit, last_step, factor = joined
            if numeral.scale == 1 and join in ("range", "from", "between"):  # 2 to 3 million
                number, step = number * factor, step * factor
            step = min(step, last_step) if join not in ("in", "out") else step
            unit = second_unit if unit is NO_UNIT else unit
            if join in ("in", "out") and second:
                of, number, second, unit = (number, second), 100 * number / second, None, PERCENT
                step = max(step, 100 / of[1] if of[1] >= _MANY else 0.0)
            elif join == "part" and second:
                number, second = number / second, None
                if unit is NO_UNIT:
                    number, unit = 100 * number, PERCENT
        before = words[first - 1].lower if first else ""
        if before == "of" and first > 1 and words[first - 2].lower in ("age", "ages"):
            before = "age"
        if unit is NO_UNIT and before in ("aged", "age", "ages", "turned", "turning") and 0 < number <= 120:
            unit = YEAR
        elif (
            unit is NO_UNIT
            and before in _TIME_HEADS
            and (digits_before or before in _NUMBERED)
            and join == ""
            and number < 400
            and first
        ):
            unit, first = units.UNITS[before], first - 1
        elif plural and unit is NO_UNIT and number <= 110:
            unit = YEAR
        after = self._old(after, unit)
        per, after = reader.rate(after) if unit is not NO_UNIT or join == "" else ((), after)
        if per and (unit is TIMES or unit is NO_UNIT) and f"per {per[0]}" in units.BY_NAME:
            unit, per = units.BY_NAME[f"per {per[0]}"], per[1:]
        if unit is PERCENT and after < len(words) and words[after].lower in _CONFIDENCE:
            return self.add(Label("label", "confidence", f"{number:g}"), first, after)
        unit, per = _speed(unit, per)
        if join == "" and before in ("per", "every"):
            join = "per"
        bound, sign, begin, closed = bound_before(words, first)
        if not bound and (bound := bound_after(words, after, reader.stop(after))):
            closed = True
        if (
            not digits_before
            and unit is NO_UNIT
            and step == 1
            and 1100 < number < 2100
            and after - i <= 4
            and "hundred" not in self.text[words[i].start : words[after - 1].end].lower()
        ):
            return self.add(dates.year(int(number)), first, after)
        value = Amount("amount", number, second, unit, per, step, bound, sign, join, of, closed)
        weak = words[i].lower == "one" and after == i + 1 and unit is NO_UNIT
        about = head_of(words, after, reader.stop(after - 1)) or self._named(first)
        return self.add(value, begin if sign else first, after, about, weak)

    def _repeated(self, number: float, after: int) -> int:
        """Skip a number that is repeated in brackets: thirty (30) days."""
        words = self.words
        if after + 2 < len(words) and words[after].text == "(" and words[after + 1].text[0].isdecimal():
            again = self.reader.numeral(after + 1)
            if (
                again
                and again.value == number
                and again.after < len(words)
                and words[again.after].text == ")"
            ):
                return again.after + 1
        return after

    def _named(self, first: int) -> tuple[int, ...]:
        """The word before "= 30" or "(30": n, p, or the counted noun."""
        words = self.words
        i = first - 1
        if i > 0 and words[i].text in "=:<>≤≥":
            i -= 1
            if words[i].lower in ("n", "N") and i and words[i - 1].text in "([":
                i -= 2
            return (i,) if i >= 0 and words[i].text[0].isalpha() else ()
        return ()

    def _old(self, after: int, unit: units.Unit) -> int:
        """Skip "-old", "years old" and "of age"."""
        words = self.words
        if unit.dimension != "time" or after >= len(words):
            return after
        if words[after].lower in ("-", "old") and words[
            min(after + (words[after].lower == "-"), len(words) - 1)
        ].lower in ("old", "olds"):
            return min(after + 1 + (words[after].lower == "-"), len(words))
        if words[after].lower == "of" and after + 1 < len(words) and words[after + 1].lower == "age":
            return after + 2
        return after

    def _negative(self, first: int, digits_before: bool) -> bool:
        words = self.words
        if first == 0:
            return False
        mark = words[first - 1]
        if mark.lower == "minus":
            return first < 2 or not words[first - 2].text[0].isdecimal()
        if mark.text not in ("-", "−", "–") or mark.end != words[first].start or not digits_before:
            return False
        if first > 1 and words[first - 2].text[0].isdecimal():  # games 5 -7
            return False
        return first < 2 or words[first - 2].end < mark.start or words[first - 2].text in "([=<>,:/~"

    def _year(self, k: int, after: int, stop: int) -> bool:
        words = self.words
        token = words[k].text
        if after != k + 1 or len(token) != 4 or not token.isdecimal() or not 1000 <= int(token) < 2200:
            return False
        before = words[k - 1].lower if k else ""
        if before in ("n", "=", "<", ">", "±", "≥", "≤", "p", "$", "£", "€"):
            return False
        if self.reader.unit(after, digits_before=True)[0] is not NO_UNIT:
            return False
        head = head_of(words, after, stop) if after < stop and words[after].content else ()
        counted = bool(head) and (
            words[head[0]].lower.endswith("s")
            or words[head[0]].lower in ("people", "children", "women", "men")
        )
        likely = before in _YEAR_AFTER or 1700 <= int(token) <= 2100
        if (
            before in ("of", "the", "about", "around", "to", "and", "(", ",", "by", "from")
            or before not in _YEAR_AFTER
        ):
            return likely and not counted
        return True

    def _years(self, k: int, after: int) -> int:
        words = self.words
        value = int(words[k].text)
        self.add(dates.year(value), k, after)
        if (
            after + 1 < len(words)
            and words[after].text in HYPHENS | {"/"}
            and words[after + 1].text.isdecimal()
        ):
            short = words[after + 1].text
            glued = words[after + 1].start == words[after].end
            if len(short) == 2 and 0 < int(short) - value % 100 < (60 if glued else 2):
                self.add(dates.year(value - value % 100 + int(short)), after + 1, after + 2)
                return after + 2
        short = words[after].text if after < len(words) else ""
        if len(short) == 2 and short.isdecimal() and int(short) == (value + 1) % 100:  # 1938 39
            self.add(dates.year(value + 1), after, after + 1)
            return after + 1
        return after

    def _compound(
        self, number: float, unit: units.Unit, after: int, step: float
    ) -> tuple[float, units.Unit, int, float]:
        """Add an amount in a smaller unit: "1 hour and 20 minutes", "5 ft 3 inches"."""
        words, reader = self.words, self.reader
        if unit.dimension not in ("time", "length", "mass", "?money"):
            return number, unit, after, step
        k = after
        while k < len(words) and k < after + 2 and words[k].lower in ("and", ","):
            k += 1
        rest = reader.numeral(k) if k < len(words) and words[k].lower not in ("a", "an") else None
        if rest is None or words[k].sentence != words[after - 1].sentence:
            return number, unit, after, step
        smaller, end = reader.unit(rest.after, digits_before=words[k].text[0].isdecimal())
        larger = units.as_mass(unit)
        if (
            smaller.dimension != larger.dimension
            or smaller.factor >= larger.factor
            or rest.value * smaller.factor >= larger.factor
        ):
            return number, unit, after, step
        if (
            smaller.factor < larger.factor / 40 and unit.dimension != "time"
        ) or smaller.factor < larger.factor / 70:
            return number, unit, after, step
        return number * larger.factor / smaller.factor + rest.value, smaller, end, rest.step

    def _out_of(self, k: int) -> Numeral | None:
        """The whole in "40 people out of 100", in which word k is the counted thing."""
        words = self.words
        if (
            k + 3 < len(words)
            and words[k].content
            and words[k + 1].lower == "out"
            and words[k + 2].lower == "of"
        ):
            return self.reader.numeral(k + 3)
        return None

    def _plus_minus(self, k: int) -> int:
        """The word after "±", "+/-" or "plus or minus" at word k; 0 if there is none."""
        shown = [w.lower for w in self.words[k : k + 3]]
        if shown[:1] == ["±"]:
            return k + 1
        if shown[:2] == ["â", "±"]:  # read in the wrong encoding
            return k + 2
        if shown in (["+", "/", "-"], ["+", "/", "−"], ["plus", "or", "minus"], ["plus", "/", "minus"]):
            return k + 3
        return 0

    def _join(
        self, first: int, after: int, number: float, unit: units.Unit, money: units.Unit | None
    ) -> tuple[float, str, int, units.Unit, float, float] | None:
        """The second number of a range, a ratio, a score or "1 in 5": number, kind, word after, unit, step, scale."""
        words, reader = self.words, self.reader
        if unit is NO_UNIT and (whole := self._out_of(after)) and 0 < number < whole.value:
            return whole.value, "out", whole.after, PERCENT, whole.step, 1.0
        if plus := self._plus_minus(after):
            upper = reader.numeral(plus)
            if upper is None:
                return None
            other, end = reader.unit(upper.after, digits_before=True)
            return upper.value, "±", end, other, upper.step, 1.0
        if (
            after >= len(words)
            or words[after].lower not in _JOINS
            or words[after].sentence != words[first].sentence
        ):
            return None
        mark, before = words[after].lower, words[first - 1].lower if first else ""
        k = after + 1
        glued = words[after].start == words[after - 1].end
        if mark == "out":
            if k >= len(words) or words[k].lower != "of":
                return None
            k += 1
        if mark in ("in", "of", "out") and k < len(words) and words[k].lower in ("every", "each"):
            k += 1
        elif mark == "of":
            return None
        if k < len(words) and words[k].text in units.CURRENCY_SIGNS:
            if money is None:
                return None
            k += 1
        upper = reader.numeral(k, money=money is not None)
        if upper is None or words[k].sentence != words[first].sentence or words[k].lower in ("a", "an"):
            return None
        tight = glued and words[after].end == words[after + 1].start
        if (
            mark in HYPHENS
            and not tight
            and (mark == "-" or glued or words[after].end == words[after + 1].start)
        ):
            return None
        other, end = (
            (money, upper.after)
            if money
            else reader.unit(upper.after, digits_before=words[k].text[0].isdecimal())
        )
        if mark in ("in", "out", "of"):
            if unit is not NO_UNIT or number <= 0 or other is not NO_UNIT:
                return None
            if number >= upper.value and (mark != "out" or not 0 < upper.value <= 100):
                return None
            if mark == "in" and (
                (1900 <= upper.value <= 2100 and words[k].text.isdecimal())
                or upper.value > 1e7
                or number > 100
            ):
                return None
            return upper.value, "out" if mark == "out" else "in", upper.after, PERCENT, upper.step, 1.0
        if unit is not NO_UNIT and other is not NO_UNIT and not units.agree(unit, other):
            return None
        if unit.dimension == other.dimension not in ("", "money", "temperature") and unit.name != other.name:
            upper = upper._replace(value=upper.value * other.factor / unit.factor)
        if unit is not NO_UNIT and other is NO_UNIT and mark not in HYPHENS and not money:
            return None
        if mark == ":" or mark == "/":
            if not tight or unit is not NO_UNIT:
                return None
            if (
                mark == "/"
                and number < upper.value
                and upper.value in (2, 3, 4, 5, 6, 8, 10)
                and number == int(number)
            ):
                return upper.value, "part", end, other, 0.01, 1.0
            return upper.value, "ratio", end, other, upper.step, 1.0
        if mark == "and" and before != "between":
            return None
        if mark == "to" and "ratio" in (before, words[first - 2].lower if first > 1 else ""):
            return upper.value, "ratio", end, other, upper.step, 1.0
        join = "between" if mark == "and" else "from" if before == "from" else "range"
        scaled = (
            number * upper.scale <= upper.value or other.dimension == "time"
        )  # 200 to 30 million years ago
        return upper.value, join, end, other, upper.step, upper.scale if scaled else 1.0


def _speed(unit: units.Unit, per: tuple[str, ...]) -> tuple[units.Unit, tuple[str, ...]]:
    """25 miles per hour is 25 mph."""
    name = _SPEEDS.get((unit.name, per[0])) if per else None
    return (units.BY_NAME[name], per[1:]) if name else (unit, per)
