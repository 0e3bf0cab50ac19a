"""All numbers of a text as mentions: amounts, ordinals, labels, dates and times of day."""

from __future__ import annotations

from collections.abc import Sequence

from ..passage import Passage, Word
from . import Mention
from . import _dates as dates
from . import _units as units
from ._amounts import (
    _COLLECTIVE,
    FRACTION,
    HYPHENS,
    LABEL_HEADS,
    MULTIPLES,
    _TIME_HEADS,
    Amount,
    Label,
    Reader,
    head_of,
    ordinal_glued,
)
from ._dates import Clock, Date
from ._numerals import GLYPHS, ORDINALS, PARTS, SCALES, SMALL_WORDS, in_words, is_english, roman
from ._units import NO_UNIT, PERCENT, TIMES, YEAR

Value = Amount | Label | Date | Clock
_YEAR_AFTER = frozenset(
    "in since from to until till by before after during of year years mid early late between and through spring summer "
    "autumn fall winter the around about circa ( , © / - – — ; : every".split()
)
_NOT_ONE = frozenset("no any every some each this that which the another only other".split())
_JOINS = frozenset(("to", "-", "–", "—", "−", "and", "±", "in", "out", ":", "/", "through", "of", "until"))
_CLOSING = frozenset(("and", "or", "/", "&", "to", "vs", "versus", "-", "–", "than"))


_CONFIDENCE = frozenset(("ci", "cis", "confidence", "cri", "credible", "c.i."))
_SPEEDS = {("mile", "hour"): "mph", ("km", "hour"): "km/h"}


class _Draft:
    """A mention in the making; its unit and head may come from the next one in a list."""

    __slots__ = ("about", "after", "end", "first", "start", "value", "weak")

    def __init__(
        self, value: Value, start: int, end: int, first: int, after: int, about: tuple[int, ...], weak: bool
    ) -> None:
        self.value, self.start, self.end = value, start, end
        self.first, self.after, self.about, self.weak = first, after, about, weak


def mentions(passage: Passage) -> list[Mention]:
    """The numbers of a text, in order.

    >>> found = mentions(Passage("On 5 May, twenty-one of 1,050 people (2%) took 5 mg a day."))
    >>> [passage.text[m.start:m.end] for passage in [Passage("Take 5 mg twice a day.")] for m in mentions(passage)]
    ['5 mg', 'twice a day']
    """
    drafts = _Finder(passage).run()
    _carry(drafts, passage)
    return [
        Mention(d.start, d.end, d.first, d.after - 1, d.value, d.about, d.weak)
        for d in drafts
        if d.after > d.first
    ]


class _Finder:
    def __init__(self, passage: Passage) -> None:
        self.passage, self.words, self.text = passage, passage.words, passage.text
        self.reader = Reader(passage, is_english(passage))
        self.drafts: list[_Draft] = []

    def run(self) -> list[_Draft]:
        words = self.words
        i = 0
        while i < len(words):
            word = words[i]
            first = word.text[0]
            if first.isdecimal():
                i = self._digits(i)
            elif word.lower in _TRIGGERS:
                i = self._word(i)
            elif first in units.CURRENCY_SIGNS:
                i = self._money(i)
            elif first in GLYPHS and len(word.text) == 1:
                i = self._amount(i)
            elif first in "IVX" and len(word.text) <= 5 and word.text.isupper() and roman(word.text):
                i = self._label(i) or i + 1
            elif first in "'’‘" and (found := dates.date_at(self.passage, i)):
                i = self._date(found, i)
            elif first == "." and self._point(i):
                i = self._amount(i)
            else:
                i += 1
        return self.drafts

    def _add(
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
        self.drafts.append(_Draft(value, words[first].start, last, first, after, about, weak))
        return after

    def _point(self, i: int) -> bool:
        words = self.words
        return (
            i + 1 < len(words)
            and words[i + 1].text.isdecimal()
            and words[i].end == words[i + 1].start
            and (i == 0 or words[i - 1].end < words[i].start or words[i - 1].text in "<>=(≤≥-−")
        )

    def _date(self, found: dates.Found, i: int) -> int:
        after = max(self.reader.after(found.end, i), i + 1)
        first = i
        if found.start < self.words[i].start:
            first = i - 1
        end = min(found.end, self.words[after - 1].end)
        self._add(found.value, first, after, weak=found.weak, end=max(end, self.words[first].end))
        return after

    def _label(self, i: int) -> int | None:
        found = self.reader.label(i)
        if not found:
            return None
        about = head_of(self.words, found.after, self.reader.stop(i)) or (found.first,)
        return self._add(found.value, found.first, found.after, about)

    def _digits(self, i: int) -> int:
        words, reader = self.words, self.reader
        before = words[i - 1].lower if i else ""
        clock_like = before in ("ratio", "odds") or (
            before == "of" and i > 1 and words[i - 2].lower == "ratio"
        )
        if (found := dates.date_at(self.passage, i)) and not (clock_like and found.value.form == "time"):
            return self._date(found, i)
        if phone := reader.phone(i):
            return self._add(phone.value, phone.first, phone.after)
        if after := self._label(i):
            return after
        if code := reader.code(i):
            about = head_of(words, code.after, reader.stop(i))
            return self._add(code.value, code.first, code.after, about)
        if ordinal_glued(words, i):
            number = int(words[i].text) if words[i].text.isdecimal() else 0
            return self._add(
                Amount("ordinal", float(number)), i, i + 2, head_of(words, i + 2, reader.stop(i))
            )
        return self._amount(i)

    def _word(self, i: int) -> int:
        words, reader = self.words, self.reader
        lower = words[i].lower
        before = words[i - 1].lower if i else ""
        nearby = words[i + 1].lower if i + 1 < len(words) else ""
        stop = reader.stop(i)
        if found := dates.date_at(self.passage, i):
            return self._date(found, i)
        if after := self._label(i):
            return after
        if lower in ("every", "each"):
            return self._every(i)
        if lower in units.PER:
            name = units.PER[lower]
            return self._add(Amount("amount", 1.0, unit=units.BY_NAME[f"per {name}"]), i, i + 1, weak=True)
        if lower in MULTIPLES:
            return self._multiple(i)
        if lower in _COLLECTIVE:
            return self._add(
                Amount("amount", _COLLECTIVE[lower]), i, i + 1, head_of(words, i + 1, stop), weak=True
            )
        if lower in ("dozen", "fortnight"):
            value = (
                Amount("amount", 12.0) if lower == "dozen" else Amount("amount", 1.0, unit=units.UNITS[lower])
            )
            return self._add(value, i, i + 1, head_of(words, i + 1, stop), weak=lower == "dozen")
        if lower in ("half", "quarter"):
            return self._part(i, i, 1.0)
        if lower in ("a", "an"):
            if nearby in ("half", "third", "quarter", "fifth", "tenth", "fourth", "hundredth"):
                return self._part(i, i + 1, 1.0)
            if nearby in SCALES and nearby != "score":
                return self._amount(i)
            unit = units.UNITS.get(nearby)
            if (
                unit
                and unit.dimension == "time"
                and len(nearby) > 2
                and before not in ("per", "times", "once", "twice")
            ):
                return self._add(Amount("amount", 1.0, unit=unit), i, i + 2, weak=True)
            return i + 1
        if (
            lower == "one"
            and nearby not in ("in", "out")
            and (before in _NOT_ONE or nearby in ("another", "'s", "’s", "who", "that"))
        ):
            return i + 1
        spoken = in_words(words, i, stop)
        if spoken and spoken[1]:
            return self._ordinal(i, spoken[0].after, spoken[0].value)
        if spoken is None:
            return self._ordinal(i, i + 1, float(ORDINALS[lower])) if lower in ORDINALS else i + 1
        follow = spoken[0].after
        part = words[follow].lower if follow < stop else ""
        if part in ("-", "–") and follow + 1 < stop:
            part, follow = words[follow + 1].lower, follow + 1
        if (
            part in PARTS
            and spoken[0].value < PARTS[part]
            and (part != "second")
            and self._is_part(part, spoken[0].value)
        ):
            return self._part(i, follow, spoken[0].value)
        return self._amount(i)

    def _is_part(self, part: str, top: float) -> bool:
        return (top == 1) != part.endswith("s") or part in ("half", "quarter", "third")

    def _ordinal(self, i: int, after: int, value: float) -> int:
        words = self.words
        if century := dates.century_in_words(words, i, after, int(value)):
            return self._date(century, i)
        weak = after == i + 1 and value <= 3
        return self._add(Amount("ordinal", value), i, after, head_of(words, after, self.reader.stop(i)), weak)

    def _part(self, first: int, k: int, top: float) -> int:
        """A fraction in words: "half", "a third of", "two-thirds", "half an hour", "half a million"."""
        words, stop = self.words, self.reader.stop(k)
        lower = words[k].lower
        before = words[first - 1].lower if first else ""
        after = k + 1
        nearby = words[after].lower if after < stop else ""
        if (
            before in ORDINALS
            or before in ("last", "other", "next", "-", "–")
            or nearby in ("-", "–", "time", "final", "finals")
        ):
            return after
        number = top / PARTS[lower]
        bound, sign, start = self.reader.bound(first)
        if nearby in ("a", "an", "-", "of") and after + 1 < stop:
            skip = 2 if nearby == "of" and words[after + 1].lower in ("a", "an") else 1
            inner = words[after + skip].lower if after + skip < stop else ""
            if inner in SCALES and nearby != "of":
                scaled = Amount(
                    "amount", number * SCALES[inner], step=number * SCALES[inner], bound=bound, sign=sign
                )
                return self._add(scaled, start, after + 2, head_of(words, after + 2, stop))
            unit = units.UNITS.get(inner)
            if unit and (unit.dimension == "time" or nearby != "of"):
                value = Amount("amount", number, unit=unit, step=0.1, bound=bound, sign=sign)
                return self._add(value, start, after + skip + 1, weak=first == k)
        sure = (
            top > 1
            or nearby == "of"
            or bound != ""
            or (lower == "half" and nearby in ("the", "their", "its", "his"))
        )
        if not sure and lower not in ("half", "halves") and top == 1 and words[first].lower in ("a", "an"):
            if lower in ORDINALS:
                return self._add(Amount("ordinal", float(ORDINALS[lower])), k, after, weak=True)
        about = head_of(words, after, stop)
        value = Amount("amount", 100 * number, unit=PERCENT, step=FRACTION, bound=bound or "~", sign=sign)
        return self._add(value, start, after, about, weak=not sure)

    def _every(self, i: int) -> int:
        """How often: "every 12 hours", "every two weeks", "every other day", "every day"."""
        words, reader = self.words, self.reader
        k, count = i + 1, 1.0
        if k < len(words) and words[k].lower == "other":
            k, count = k + 1, 2.0
        elif numeral := reader.numeral(k):
            k, count = numeral.after, numeral.value
        explicit = k > i + 1
        unit = units.UNITS.get(words[k].lower) if k < len(words) else None
        second = words[k].lower if k < len(words) else ""
        if unit is None and second in HYPHENS | {"to"} and explicit:
            upper = reader.numeral(k + 1)
            if upper and upper.after < len(words) and words[upper.after].lower in units.UNITS:
                k, unit = upper.after, units.UNITS[words[upper.after].lower]
                if unit.dimension == "time" and count and upper.value:
                    value = Amount(
                        "amount",
                        1 / upper.value,
                        1 / count,
                        units.BY_NAME.get(f"per {unit.name}", NO_UNIT),
                        join="range",
                    )
                    return self._add(value, i, k + 1)
        if unit and unit.dimension == "time" and f"per {unit.name}" in units.BY_NAME and count:
            value = Amount("amount", 1 / count, unit=units.BY_NAME[f"per {unit.name}"], step=0.0)
            return self._add(value, i, k + 1, weak=not explicit)
        return i + 1

    def _multiple(self, i: int) -> int:
        words = self.words
        number = MULTIPLES[words[i].lower]
        per, after = self.reader.rate(i + 1)
        if per and f"per {per[0]}" in units.BY_NAME:
            return self._add(Amount("amount", number, unit=units.BY_NAME[f"per {per[0]}"]), i, after)
        return self._add(Amount("amount", number, unit=TIMES), i, i + 1, weak=words[i].lower != "twice")

    def _money(self, i: int) -> int:
        words = self.words
        if words[i].text == "¥" and i and words[i - 1].text == "‰":  # ≥ read in the wrong encoding
            return i + 1
        if (
            i + 1 >= len(words)
            or not words[i + 1].text[0].isdecimal()
            or words[i + 1].start > words[i].end + 1
        ):
            return i + 1
        prefix = words[i - 1].lower if i and words[i - 1].end == words[i].start else ""
        unit = units.UNITS.get(prefix + words[i].lower) or units.UNITS[words[i].lower]
        return self._amount(i, money=unit, start=i - 1 if prefix in ("us", "a", "au", "c", "ca") else i)

    def _amount(self, i: int, *, money: units.Unit | None = None, start: int | None = None) -> int:
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
            second, join, after, second_unit, last_step = joined
            step = min(step, last_step) if join not in ("in", "out") else step
            unit = second_unit if unit is NO_UNIT else unit
            if join in ("in", "out") and second:
                of, number, second, unit = (number, second), 100 * number / second, None, PERCENT
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
            and digits_before
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
            return self._add(Label("label", "confidence", f"{number:g}"), first, after)
        unit, per = _speed(unit, per)
        if join == "" and before in ("per", "every"):
            join = "per"
        bound, sign, begin = reader.bound(first)
        bound = bound or reader.bound_after(after)
        if (
            not digits_before
            and unit is NO_UNIT
            and step == 1
            and 1100 < number < 2100
            and after - i <= 4
            and "hundred" not in self.text[words[i].start : words[after - 1].end].lower()
        ):
            return self._add(dates.year(int(number)), first, after)
        value = Amount("amount", number, second, unit, per, step, bound, sign, join, of)
        weak = words[i].lower == "one" and after == i + 1 and unit is NO_UNIT
        about = head_of(words, after, reader.stop(after - 1)) or self._named(first)
        return self._add(value, begin if sign else first, after, about, weak)

    def _named(self, first: int) -> tuple[int, ...]:
        """What stands before "= 30" or "(30": n, p, the noun that is counted."""
        words = self.words
        i = first - 1
        if i > 0 and words[i].text in "=:<>≤≥":
            i -= 1
            if words[i].lower in ("n", "N") and i and words[i - 1].text in "([":
                i -= 2
            return (i,) if i >= 0 and words[i].text[0].isalpha() else ()
        return ()

    def _old(self, after: int, unit: units.Unit) -> int:
        """Goes past "-old", "years old" and "of age"."""
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
        self._add(dates.year(value), k, after)
        if (
            after + 1 < len(words)
            and words[after].text in HYPHENS | {"/"}
            and words[after + 1].text.isdecimal()
        ):
            short = words[after + 1].text
            if (
                len(short) == 2
                and words[after + 1].start == words[after].end
                and 0 < int(short) - value % 100 < 60
            ):
                self._add(dates.year(value - value % 100 + int(short)), after + 1, after + 2)
                return after + 2
        return after

    def _compound(
        self, number: float, unit: units.Unit, after: int, step: float
    ) -> tuple[float, units.Unit, int, float]:
        """Adds what follows in a smaller unit: "1 hour and 20 minutes", "5 ft 3 inches"."""
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
            smaller.factor < larger.factor / 40
            and unit.dimension != "time"
            or smaller.factor < larger.factor / 70
        ):
            return number, unit, after, step
        return number * larger.factor / smaller.factor + rest.value, smaller, end, rest.step

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
    ) -> tuple[float, str, int, units.Unit, float] | None:
        """The second number of a range, a ratio, a score or "1 in 5": number, kind, word after, unit, step."""
        words, reader = self.words, self.reader
        if plus := self._plus_minus(after):
            upper = reader.numeral(plus)
            if upper is None:
                return None
            other, end = reader.unit(upper.after, digits_before=True)
            return upper.value, "±", end, other, upper.step
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
            if unit is not NO_UNIT or not 0 < number < upper.value or other is not NO_UNIT:
                return None
            if mark == "in" and (
                1900 <= upper.value <= 2100 and words[k].text.isdecimal() or upper.value > 1e7 or number > 100
            ):
                return None
            return upper.value, "out" if mark == "out" else "in", upper.after, PERCENT, upper.step
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
                return upper.value, "part", end, other, 0.01
            return upper.value, "ratio", end, other, upper.step
        if mark == "and":
            return (upper.value, "between", end, other, upper.step) if before == "between" else None
        if mark == "to" and "ratio" in (before, words[first - 2].lower if first > 1 else ""):
            return upper.value, "ratio", end, other, upper.step
        return upper.value, "from" if before == "from" else "range", end, other, upper.step


def _speed(unit: units.Unit, per: tuple[str, ...]) -> tuple[units.Unit, tuple[str, ...]]:
    """25 miles per hour is 25 mph."""
    name = _SPEEDS.get((unit.name, per[0])) if per else None
    return (units.BY_NAME[name], per[1:]) if name else (unit, per)


def _carry(drafts: list[_Draft], passage: Passage) -> None:
    """Gives the earlier numbers of a list the unit and the head of the last one: "5, 10 and 15 mg"."""
    words = passage.words
    in_list = False
    for k in range(len(drafts) - 1, 0, -1):
        earlier, later = drafts[k - 1], drafts[k]
        a, b = earlier.value, later.value
        between = _between(words, earlier, later)
        if len(between) == 2 and between[0] == "," and between[1] in _CLOSING:  # a list of three or more
            in_list = k > 1 and _between(words, drafts[k - 2], earlier) == [","]
        elif len(between) == 1 and between[0] in _CLOSING:
            in_list = True
        elif between != [","]:
            in_list = False
        if not in_list or not isinstance(a, Amount) or not isinstance(b, Amount) or a.form != b.form:
            continue
        if (
            a.unit is NO_UNIT
            and b.unit.dimension not in ("", "money")
            and a.join != "ratio"
            and not earlier.about
        ):
            earlier.value = a = a._replace(unit=b.unit, per=a.per or b.per)
        if not earlier.about and a.unit == b.unit:
            earlier.about = later.about


def _between(words: Sequence[Word], earlier: _Draft, later: _Draft) -> list[str]:
    """The words between two numbers of a sentence, if there are only a few."""
    if (
        not 1 <= later.first - earlier.after <= 2
        or words[later.first].sentence != words[earlier.first].sentence
    ):
        return []
    return [words[k].lower for k in range(earlier.after, later.first)]


_TRIGGERS = (
    SMALL_WORDS
    | frozenset(ORDINALS)
    | frozenset(MULTIPLES)
    | frozenset(_COLLECTIVE)
    | frozenset(units.PER)
    | frozenset(dates.MONTHS)
    | frozenset(dates.WEEKDAYS)
    | frozenset(dates._DECADES)
    | frozenset(
        ("every", "each", "half", "quarter", "a", "an", "dozen", "fortnight", "noon", "midday", "midnight")
    )
)
__all__ = ["LABEL_HEADS", "Value", "mentions"]
