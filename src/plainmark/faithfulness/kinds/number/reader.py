"""Reads the parts of an amount from the words of a text: number, unit, rate and bound."""

from __future__ import annotations

import re

from ...passage import Passage
from . import units
from .numerals import GLYPHS, PARTS, SCALES, SUPERSCRIPTS, TENS, Numeral, digits, in_words, scale
from .numerals import UNITS as SMALL
from .units import NO_UNIT, PERCENT, POINT, Unit

HYPHENS = frozenset("-–—−‐‑")
_POWER = re.compile(
    r"\s?[x×*·]\s?10\s?(?:\^\s?|\(|\*\*)?\s?(?P<e>[-−–]?\d{1,2}|[⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})\)?(?![\d.])"
)
_TEN_TO = re.compile(r"10(?:(?:\^\s?\(?|\()(?P<e>[-−]?\d{1,2})|(?P<s>⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}))\)?(?!\d)")


class Reader:
    """Reads numbers, units, rates and bounds at given words."""

    def __init__(self, passage: Passage, english: bool) -> None:
        self.text, self.words, self.first_word = passage.text, passage.words, passage.first_word
        self.english = english

    def numeral(self, k: int, *, money: bool = False) -> Numeral | None:
        """The number at word k without sign or unit."""
        words, text = self.words, self.text
        if k >= len(words):
            return None
        word = words[k]
        stop = self.stop(k)
        if word.text[0] in GLYPHS and len(word.text) == 1:
            top, bottom = GLYPHS[word.text]
            return Numeral(top / bottom, 0.05, k + 1)
        if word.text[0].isdecimal():
            if word.text == "10" and (power := _TEN_TO.match(text, word.start)) and power.end() > word.end:
                return Numeral(10.0 ** _exponent(power["e"] or power["s"]), 1.0, self.after(power.end(), k))
            if k + 1 < stop and words[k + 1].text == "⁄" and (part := self.slashed(k, stop)):
                return Numeral(part[0] / part[1], 0.05, k + 3)
            value = digits(word.text, self.english)
            if value is None or (self.english and self._enumerated(k, stop)):
                return None
            number, step = value
            after = k + 1
            if self._thousands(k, stop):
                plain = word.text + words[k + 1].text
                after = k + 2
                while after < stop and self._thousands(after - 1, stop, first=False):
                    plain += words[after].text
                    after += 1
                if (value := digits(plain)) is not None:
                    number, step = value
            if power := _POWER.match(text, words[after - 1].end):
                factor = 10.0 ** _exponent(power["e"])
                return Numeral(number * factor, step * factor, self.after(power.end(), k))
            factor, after = scale(words, after, stop, money=money, english=self.english)
            number, step = number * factor, (step if factor == 1 or step < 1 else 1.0) * factor
            number, after, step = self._fraction(number, after, stop, step)
            return Numeral(number, step, after, factor)
        if word.lower in SMALL or word.lower in TENS or word.lower in ("a", "an"):
            spelled = in_words(words, k, stop)
            if spelled is None or spelled[1]:
                return None
            number, after, step = self._fraction(spelled[0].value, spelled[0].after, stop, spelled[0].step)
            if word.lower in (
                "thirteen",
                "fourteen",
                "fifteen",
                "sixteen",
                "seventeen",
                "eighteen",
                "nineteen",
                "twenty",
            ):
                follow = in_words(words, after, stop) if after < stop else None
                if after == k + 1 and follow and not follow[1] and 10 <= follow[0].value < 100:
                    return Numeral(number * 100 + follow[0].value, 1.0, follow[0].after)
            last = words[after - 1].lower
            return Numeral(number, step, after, SCALES[last] if last in SCALES and after > k + 1 else 1.0)
        return None

    def _enumerated(self, k: int, stop: int) -> bool:
        """Whether "5,6" in an English text is two numbers and not a decimal, which a unit would follow."""
        whole, comma, part = self.words[k].text.partition(",")
        if not comma or len(part) > 2 or "." in part or len(whole) > 2:
            return False
        return self.unit(k + 1, digits_before=True)[0] is NO_UNIT

    def _thousands(self, k: int, stop: int, *, first: bool = True) -> bool:
        """Whether a group of three digits follows after a single normal space."""
        if k + 1 >= stop:
            return False
        a, b = self.words[k], self.words[k + 1]
        return (
            b.start == a.end + 1
            and self.text[a.end].isspace()
            and len(b.text) == 3
            and b.text.isdecimal()
            and a.text.isdecimal()
            and (len(a.text) <= 3 if first else True)
            and a.text != "0"
            and not (first and k and self.words[k - 1].text[0].isdecimal())
        )

    def _fraction(self, number: float, k: int, stop: int, step: float) -> tuple[float, int, float]:
        """Add "and a half", "½" or "1/2" after a whole number."""
        words = self.words
        if k + 2 < stop and words[k].lower == "and" and words[k + 1].lower in ("a", "one"):
            part = words[k + 2].lower
            skip = 3
            if part == "-" and k + 3 < stop:
                part, skip = words[k + 3].lower, 4
            if part in ("half", "quarter"):
                scaled, after = scale(words, k + skip, stop, money=False, english=True)
                return (number + 1 / PARTS[part]) * scaled, after, 0.1 * scaled
        if k < stop and words[k].text in GLYPHS:
            top, bottom = GLYPHS[words[k].text]
            return number + top / bottom, k + 1, 0.1
        if number == int(number) and (ratio := self.slashed(k, stop)):
            return number + ratio[0] / ratio[1], k + 3, 0.1
        return number, k, step

    def slashed(self, k: int, stop: int) -> tuple[int, int] | None:
        """The proper fraction at word k: any with a fraction slash (1⁄2), halves and quarters with a common one (1/2)."""
        if k + 2 >= stop:
            return None
        top, slash, bottom = self.words[k : k + 3]
        glued = top.end == slash.start and slash.end == bottom.start
        if not glued or not all(w.text.isdecimal() and len(w.text) < 4 for w in (top, bottom)):
            return None
        value = int(top.text), int(bottom.text)
        if slash.text == "/" and value not in ((1, 2), (1, 4), (3, 4)):
            return None
        return value if slash.text in ("/", "⁄") and 0 < value[0] < value[1] else None

    def unit(self, k: int, *, digits_before: bool) -> tuple[Unit, int]:
        """The unit at word k and the word after it; no unit if there is none."""
        words, stop = self.words, self.stop(k)
        i = k
        if (
            i + 1 < stop
            and words[i].text in HYPHENS
            and words[i].start == words[i - 1].end == words[i + 1].start - 1
        ):
            i += 1
        if i >= stop:
            return NO_UNIT, k
        word = words[i].lower
        nearby = words[i + 1].lower if i + 1 < stop else ""
        glued = words[i].start == words[i - 1].end
        if word == "%" or (word == "&" and glued and nearby == "of"):  # & is a typing error for %
            return (POINT, i + 2) if nearby in ("points", "point") else (PERCENT, i + 1)
        if word in ("per", "por", "pour", "procent") and nearby in ("cent", "ciento", "cento", "100"):
            return PERCENT, i + 2
        if word == "percentage" and nearby in ("point", "points"):
            return POINT, i + 2
        if word in ("°", "º", "degree", "degrees", "deg"):
            kind = {"c": "celsius", "f": "fahrenheit"}.get(nearby, nearby)
            if kind in ("celsius", "fahrenheit", "centigrade"):
                return units.UNITS[kind], i + 2
            return units.UNITS["degree"], i + 1
        if word in ("square", "sq", "cubic") and i + 1 < stop:
            j = i + 2 if nearby == "." else i + 1
            if j < stop and words[j].lower in units.UNITS:
                return units.power(units.UNITS[words[j].lower], 3 if word == "cubic" else 2), j + 1
        if word in ("us", "british", "canadian", "australian") and nearby in units.UNITS:
            return units.UNITS[nearby], i + 2
        if word == "mm" and nearby == "hg":
            return units.UNITS["mmhg"], i + 2
        if (
            word in ("c", "f")
            and digits_before
            and words[i].text in "CF"
            and (glued or nearby in ("", ".", ",", ")"))
        ):
            return units.UNITS["celsius" if word == "c" else "fahrenheit"], i + 1
        if word in ("working", "business") and nearby in ("day", "days"):
            return units.WORKING_DAY, i + 2
        raised = units.POWERS.get(word[-1], 0)  # km²
        unit = units.UNITS.get(word[:-1] if raised else word)
        if unit is None or (raised and unit.dimension != "length"):
            return NO_UNIT, k
        if word in units.SHORT:
            letter_after = (
                i + 1 < stop and words[i + 1].start == words[i].end and words[i + 1].text[0].isalnum()
            )
            if (
                not digits_before
                or (letter_after and nearby not in units.POWERS)
                or (word in ("s", "x", "pp") and glued == (word == "s"))
            ):
                return NO_UNIT, k
        if raised:
            return units.power(unit, raised), i + 1
        raised = units.POWERS.get(nearby, 0) if unit.dimension == "length" else 0
        if raised and (words[i + 1].start == words[i].end or not nearby.isdecimal()):  # km2, km ²
            return units.power(unit, raised), i + 2
        if unit.name == "pound" and nearby == "sterling":
            return units.UNITS["£"], i + 2
        return unit, i + 1

    def rate(self, k: int) -> tuple[tuple[str, ...], int]:
        """The rate: "/kg", "per day", "a week", "daily"; the names of the units and the next word."""
        words, stop = self.words, self.stop(k)
        names: list[str] = []
        while k < stop and len(names) < 2:
            word = words[k].lower
            nearby = words[k + 1].lower if k + 1 < stop else ""
            unit_before = (
                nearby == "-"
                and k + 2 < stop
                and words[k + 2].text == "1"
                and words[k + 1].start == words[k].end
            )
            if unit_before and word in units.UNITS:  # ng mL-1
                names.append(units.UNITS[word].name)
                k += 3
            elif word in units.PER:
                names.append(units.PER[word])
                k += 1
            elif word in ("/", "per", "a", "an", "each", "every") and nearby in units.UNITS:
                unit = units.UNITS[nearby]
                if word not in ("/", "per") and unit.dimension != "time":
                    break
                if (
                    word not in ("/", "per")
                    and k + 2 < stop
                    and words[k + 2].lower in ("ago", "later", "earlier")
                ):
                    break
                names.append(unit.name)
                k += 2
            elif word == "every" and nearby == "other" and k + 2 < stop and words[k + 2].lower in units.UNITS:
                names.append("2 " + units.UNITS[words[k + 2].lower].name)
                k += 3
            else:
                break
        return tuple(names), k

    def stop(self, k: int) -> int:
        """The end of the sentence of word k, as a word index."""
        if k >= len(self.words):
            return len(self.words)
        return min(self.first_word[self.words[k].sentence + 1], k + 14)

    def after(self, end: int, k: int) -> int:
        """The first word from k on that starts at or after a character."""
        while k < len(self.words) and self.words[k].start < end:
            k += 1
        return k


def _exponent(shown: str) -> int:
    plain = shown.translate(SUPERSCRIPTS).replace("−", "-").replace("–", "-")
    return max(-300, min(300, int(plain)))
