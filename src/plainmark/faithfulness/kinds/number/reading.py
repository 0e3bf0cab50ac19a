"""All numbers of a text as mentions: amounts, ordinals, labels, dates and times of day."""

from __future__ import annotations

from collections.abc import Sequence

from ...passage import Passage, Word
from .. import Mention
from . import dates, units
from .amounts import FRACTION, MULTIPLES, Amount, head_of
from .bounds import bound_before
from .eras import LEADING
from .finding import AmountFinder, Draft
from .labels import ordinal_glued
from .numerals import GLYPHS, ORDINALS, PARTS, SCALES, SMALL_WORDS, in_words, roman
from .reader import HYPHENS
from .units import NO_UNIT, PERCENT, TIMES

_NOT_ONE = frozenset("no any every some each this that which the another only other".split())
_CLOSING = frozenset(("and", "or", "/", "&", "to", "vs", "versus", "-", "–", "than"))
_PERIODS = (
    frozenset(
        "day days week weeks weekend month months quarter half year years decade decades century hour hours night "
        "morning evening".split()
    )
    | dates.WEEKDAYS.keys()
)
_COLLECTIVE = {"both": 2.0, "couple": 2.0, "pair": 2.0, "twins": 2.0, "trio": 3.0, "duo": 2.0}


def mentions(passage: Passage) -> list[Mention]:
    """The numbers of a text, in order.

    >>> passage = Passage("On 5 May, she took 5 mg twice a day.")
    >>> [passage.text[m.start : m.end] for m in mentions(passage)]
    ['5 May', '5 mg', 'twice a day']
    """
    drafts = _Finder(passage).run()
    _carry(drafts, passage)
    return [
        Mention(d.start, d.end, d.first, d.after - 1, d.value, d.about, d.weak)
        for d in drafts
        if d.after > d.first
    ]


class _Finder(AmountFinder):
    """Finds every number of a text."""

    def run(self) -> list[Draft]:
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
                i = self.amount(i)
            elif first in "IVXivx" and len(word.text) <= 5 and roman(word.text.upper()):
                i = self._label(i) or i + 1
            elif first in "'’‘" and (date := dates.date_at(self.passage, i)):
                i = self._date(date, i)
            elif first == "." and self._point(i):
                i = self.amount(i)
            else:
                i += 1
        return self.drafts

    def _point(self, i: int) -> bool:
        words = self.words
        return (
            i + 1 < len(words)
            and words[i + 1].text.isdecimal()
            and words[i].end == words[i + 1].start
            and (i == 0 or words[i - 1].end < words[i].start or words[i - 1].text in "<>=(≤≥-−")
        )

    def _date(self, date: dates.Found, i: int) -> int:
        after = max(self.reader.after(date.end, i), i + 1)
        first = i
        if date.start < self.words[i].start:
            first = i - 1
        end = min(date.end, self.words[after - 1].end)
        self.add(date.value, first, after, weak=date.weak, end=max(end, self.words[first].end))
        return after

    def _label(self, i: int) -> int | None:
        label = self.reader.label(i)
        if not label:
            return None
        about = head_of(self.words, label.after, self.reader.stop(i)) or (label.first,)
        return self.add(label.value, label.first, label.after, about)

    def _digits(self, i: int) -> int:
        words, reader = self.words, self.reader
        before = words[i - 1].lower if i else ""
        clock_like = before in ("ratio", "odds") or (
            before == "of" and i > 1 and words[i - 2].lower == "ratio"
        )
        if (date := dates.date_at(self.passage, i)) and not (clock_like and date.value.form == "time"):
            return self._date(date, i)
        if phone := reader.phone(i):
            return self.add(phone.value, phone.first, phone.after)
        if after := self._label(i):
            return after
        if code := reader.code(i):
            about = head_of(words, code.after, reader.stop(i))
            return self.add(code.value, code.first, code.after, about)
        if ordinal_glued(words, i):
            number = int(words[i].text) if words[i].text.isdecimal() else 0
            return self.add(Amount("ordinal", float(number)), i, i + 2, head_of(words, i + 2, reader.stop(i)))
        return self.amount(i)

    def _word(self, i: int) -> int:
        words, reader = self.words, self.reader
        lower = words[i].lower
        before = words[i - 1].lower if i else ""
        nearby = words[i + 1].lower if i + 1 < len(words) else ""
        stop = reader.stop(i)
        if date := dates.date_at(self.passage, i):
            return self._date(date, i)
        if lower in LEADING:
            return i + 1
        if after := self._label(i):
            return after
        if lower in ("last", "final"):
            return self._ordinal(i, i + 1, -1.0) if self._period(i + 1) else i + 1
        if lower in ("every", "each"):
            return self._every(i)
        if lower in units.PER:
            name = units.PER[lower]
            return self.add(Amount("amount", 1.0, unit=units.BY_NAME[f"per {name}"]), i, i + 1, weak=True)
        if lower in MULTIPLES:
            return self._multiple(i)
        if lower in _COLLECTIVE:
            return self.add(
                Amount("amount", _COLLECTIVE[lower]), i, i + 1, head_of(words, i + 1, stop), weak=True
            )
        if lower in ("dozen", "fortnight"):
            value = (
                Amount("amount", 12.0) if lower == "dozen" else Amount("amount", 1.0, unit=units.UNITS[lower])
            )
            return self.add(value, i, i + 1, head_of(words, i + 1, stop), weak=lower == "dozen")
        if lower in ("half", "quarter"):
            return self._part(i, i, 1.0)
        if lower in ("a", "an"):
            if nearby in ("half", "third", "quarter", "fifth", "tenth", "fourth", "hundredth"):
                return self._part(i, i + 1, 1.0)
            if nearby in SCALES and nearby != "score":
                return self.amount(i)
            unit = units.UNITS.get(nearby)
            if (
                unit
                and unit.dimension == "time"
                and len(nearby) > 2
                and before not in ("per", "times", "once", "twice")
            ):
                return self.add(Amount("amount", 1.0, unit=unit), i, i + 2, weak=True)
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
        return self.amount(i)

    def _is_part(self, part: str, top: float) -> bool:
        return (top == 1) != part.endswith("s") or part in ("half", "quarter", "third")

    def _ordinal(self, i: int, after: int, value: float) -> int:
        words = self.words
        if century := dates.century_in_words(words, i, after, int(value)):
            return self._date(century, i)
        weak = after == i + 1 and value <= 3 and not self._period(after)
        return self.add(Amount("ordinal", value), i, after, head_of(words, after, self.reader.stop(i)), weak)

    def _period(self, k: int) -> bool:
        """Whether word k is a part of a longer period, as in "the first Monday of the month"."""
        words = self.words
        return k + 1 < len(words) and words[k].lower in _PERIODS and words[k + 1].lower in ("of", "in")

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
        bound, sign, start, _ = bound_before(words, first)
        if nearby in ("a", "an", "-", "of") and after + 1 < stop:
            skip = 2 if nearby == "of" and words[after + 1].lower in ("a", "an") else 1
            inner = words[after + skip].lower if after + skip < stop else ""
            if inner in SCALES and (nearby != "of" or skip == 2):
                scaled = Amount(
                    "amount", number * SCALES[inner], step=number * SCALES[inner], bound=bound, sign=sign
                )
                end = after + skip + 1
                return self.add(scaled, start, end, head_of(words, end, stop))
            unit = units.UNITS.get(inner)
            if unit and (unit.dimension == "time" or nearby != "of"):
                value = Amount("amount", number, unit=unit, step=0.1, bound=bound, sign=sign)
                return self.add(value, start, after + skip + 1, weak=first == k)
        if lower == "quarter" and first == k and not bound and before:
            return after  # the final quarter, the French Quarter
        sure = (
            top > 1
            or nearby == "of"
            or bound != ""
            or (lower == "half" and nearby in ("the", "their", "its", "his"))
        )
        if not sure and lower in ORDINALS and words[first].lower in ("a", "an"):
            return self.add(Amount("ordinal", float(ORDINALS[lower])), k, after, weak=True)
        about = head_of(words, after, stop)
        value = Amount("amount", 100 * number, unit=PERCENT, step=FRACTION, bound=bound or "~", sign=sign)
        return self.add(value, start, after, about, weak=not sure)

    def _every(self, i: int) -> int:
        """A frequency: "every 12 hours", "every two weeks", "every other day", "every day"."""
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
                    return self.add(value, i, k + 1)
        if unit and unit.dimension == "time" and f"per {unit.name}" in units.BY_NAME and count:
            value = Amount("amount", 1 / count, unit=units.BY_NAME[f"per {unit.name}"], step=0.0)
            return self.add(value, i, k + 1, weak=not explicit)
        return i + 1

    def _multiple(self, i: int) -> int:
        words = self.words
        number = MULTIPLES[words[i].lower]
        per, after = self.reader.rate(i + 1)
        if per and f"per {per[0]}" in units.BY_NAME:
            return self.add(Amount("amount", number, unit=units.BY_NAME[f"per {per[0]}"]), i, after)
        return self.add(Amount("amount", number, unit=TIMES), i, i + 1, weak=words[i].lower != "twice")

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
        return self.amount(i, money=unit, start=i - 1 if prefix in ("us", "a", "au", "c", "ca") else i)


def _carry(drafts: list[Draft], passage: Passage) -> None:
    """Give the earlier numbers of a list the unit and the head of the last one: "5, 10 and 15 mg"."""
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


def _between(words: Sequence[Word], earlier: Draft, later: Draft) -> list[str]:
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
    | frozenset(dates.DECADES)
    | LEADING
    | frozenset("every each half quarter a an dozen fortnight noon midday midnight last final".split())
)
