"""Amounts: numbers with unit, range, rate and bound, and the labels that numbers are part of ("type 2", "COVID-19")."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..passage import Passage, Word
from . import _units as units
from ._numerals import (
    GLYPHS,
    ORDINALS,
    PARTS,
    SCALES,
    SUPERSCRIPTS,
    TENS,
    Numeral,
    digits,
    in_words,
    roman,
    scale,
)
from ._numerals import UNITS as SMALL
from ._units import NO_UNIT, PERCENT, POINT, TIMES, YEAR, Unit

FRACTION = 2.0  # the step of "a third" and the like, in per cent
HYPHENS = frozenset("-–—−‐‑")
_SIGNS = {"<": "<", "≤": "<", ">": ">", "≥": ">", "~": "~", "≈": "~", "±": "~"}
_BOUNDS = {
    "about": "~", "around": "~", "approximately": "~", "roughly": "~", "some": "~", "circa": "~", "c": "~", "approx": "~",
    "nearly": "<", "almost": "<", "under": "<", "below": "<", "fewer": "<", "less": "<", "barely": "~", "within": "<",
    "over": ">", "above": ">", "more": ">", "exceeding": ">", "beyond": ">", "least": ">", "most": "<", "up": "<",
    "older": ">", "younger": "<", "greater": ">", "higher": ">", "lower": "<", "longer": ">", "close": "~",
    "estimated": "~", "maximum": "<", "minimum": ">", "minus": "", "as": "~",
}  # fmt: skip
_BETWEEN = frozenset("than at to the a an of just well much slightly only".split())
_AFTER_BOUNDS = {"more": ">", "over": ">", "older": ">", "above": ">", "so": "~", "less": "<", "fewer": "<", "under": "<", "younger": "<", "higher": ">", "greater": ">"}  # fmt: skip
LABEL_HEADS = frozenset(
    "type phase stage grade level group class category article section chapter table figure fig part step version room "
    "channel highway route number no volume appendix annex page line war tier zone platform gate act title schedule "
    "question exercise unit cohort arm generation season series episode division district ward rule clause paragraph "
    "protocol band area world apollo formula gcse key stages phases types grades levels groups chapters".split()
)
_SPELLED_HEADS = frozenset("type phase stage grade war chapter step act volume article".split())
_TIME_HEADS = frozenset("day week month year days weeks months years hour minute".split())
_NOT_CODES = frozenset(
    "mid pre post under over early late non aged age about around approximately n p approx circa ca and or to from by of in "
    "than at up a an the re vs q £ us au nz hk ca".split()
)
# Words for people in general; "men" and "women" agree with these but not with each other.
ANYONE = frozenset(
    "people person persons patient patients participant participants individual individuals subject subjects volunteer "
    "volunteers case cases user users resident residents respondent respondents member members citizen citizens".split()
)
PEOPLE = ANYONE | frozenset(
    "adult adults child children woman women man men infant infants baby babies student students worker workers boy boys "
    "girl girls male males female females".split()
)
_PLURALS = frozenset(
    "people children men women mice feet teeth geese lice oxen police sheep fish data cattle".split()
)
_STOP = frozenset(
    "to and or was were is are had have has with who that which in on at from by for but than as per".split()
)
_NOT_HEADS = (
    frozenset("vs versus ago later earlier old ci respectively total times".split())
    | frozenset(SMALL)
    | frozenset(TENS)
)
MULTIPLES = {
    "twice": 2.0, "thrice": 3.0, "double": 2.0, "doubled": 2.0, "doubles": 2.0, "doubling": 2.0, "triple": 3.0,
    "tripled": 3.0, "triples": 3.0, "tripling": 3.0, "treble": 3.0, "trebled": 3.0, "quadruple": 4.0, "quadrupled": 4.0,
    "halved": 0.5, "halve": 0.5, "halving": 0.5, "halves": 0.5, "once": 1.0, "twofold": 2.0, "threefold": 3.0,
    "fourfold": 4.0, "fivefold": 5.0, "sixfold": 6.0, "tenfold": 10.0,
}  # fmt: skip
_COLLECTIVE = {"both": 2.0, "couple": 2.0, "pair": 2.0, "twins": 2.0, "trio": 3.0, "duo": 2.0}
_PHONE = re.compile(r"\+?\(?\d[\d()]*(?:[ .-]?\(?\d{2,}\)?){2,}")
_POWER = re.compile(
    r"\s?[x×*·]\s?10\s?(?:\^\s?|\(|\*\*)?\s?(?P<e>[-−–]?\d{1,2}|[⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})\)?(?![\d.])"
)
_TEN_TO = re.compile(r"10(?:(?:\^\s?\(?|\()(?P<e>[-−]?\d{1,2})|(?P<s>⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}))\)?(?!\d)")


class Amount(NamedTuple):
    """A number and all that belongs to it.

    `second` ends a range, a score or a ratio, as `join` says ("range", "from", "between", "ratio", "±"); `step` is the
    size of the last place given; `bound` is "<", ">" or "~" ("under", "over", "about"), `sign` whether a sign says so;
    `of` holds the two numbers of "1 in 5".
    """

    form: str
    number: float
    second: float | None = None
    unit: Unit = NO_UNIT
    per: tuple[str, ...] = ()
    step: float = 1.0
    bound: str = ""
    sign: bool = False
    join: str = ""
    of: tuple[float, float] | None = None


class Label(NamedTuple):
    """A number that is part of a term: its head ("type", "covid-#") and its code ("2", "19")."""

    form: str
    head: str
    code: str


class Read(NamedTuple):
    """A value with the first word it covers and the word after it."""

    value: Amount | Label
    first: int
    after: int
    weak: bool = False


class Reader:
    """Reads amounts and labels from the words of a text."""

    def __init__(self, passage: Passage, english: bool) -> None:
        self.text, self.words, self.first_word = passage.text, passage.words, passage.first_word
        self.english = english

    # Numbers

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
            return Numeral(number, step, after)
        if word.lower in SMALL or word.lower in TENS or word.lower in ("a", "an"):
            found = in_words(words, k, stop)
            if found is None or found[1]:
                return None
            number, after, step = self._fraction(found[0].value, found[0].after, stop, found[0].step)
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
            return Numeral(number, step, after)
        return None

    def _enumerated(self, k: int, stop: int) -> bool:
        """Whether "5,6" in an English text is two numbers rather than a decimal, which a unit would follow."""
        whole, comma, part = self.words[k].text.partition(",")
        if not comma or len(part) > 2 or "." in part or len(whole) > 2:
            return False
        return self.unit(k + 1, digits_before=True)[0] is NO_UNIT

    def _thousands(self, k: int, stop: int, *, first: bool = True) -> bool:
        """Whether a group of three digits follows after one plain space."""
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
        """Adds "and a half", "½" or "1/2" that follow a whole number."""
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
        if (
            k + 2 < stop
            and words[k].text in ("1", "3")
            and words[k + 1].text == "/"
            and words[k + 2].text in ("2", "4")
            and words[k].end == words[k + 1].start
            and number == int(number)
        ):
            return number + int(words[k].text) / int(words[k + 2].text), k + 3, 0.1
        return number, k, step

    # Units

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
        if word == "%":
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
                inner = units.UNITS[words[j].lower]
                power = 3 if word == "cubic" else 2
                dimension = {2: "area", 3: "volume"}[power]
                factor = inner.factor**power * (1000 if power == 3 else 1)
                return Unit(f"{word} {inner.name}", dimension, factor), j + 1
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
        unit = units.UNITS.get(word)
        if unit is None:
            return NO_UNIT, k
        if word in units.SHORT:
            letter_after = (
                i + 1 < stop and words[i + 1].start == words[i].end and words[i + 1].text[0].isalnum()
            )
            if (
                not digits_before
                or (letter_after and nearby != "2")
                or (word in ("s", "x", "pp") and glued == (word == "s"))
            ):
                return NO_UNIT, k
        if nearby in ("2", "3") and unit.dimension == "length" and words[i + 1].start == words[i].end:
            power = int(nearby)
            return Unit(
                unit.name + nearby,
                "area" if power == 2 else "volume",
                unit.factor**power * (1000 if power == 3 else 1),
            ), i + 2
        if unit.name == "pound" and nearby == "sterling":
            return units.UNITS["£"], i + 2
        return unit, i + 1

    def rate(self, k: int) -> tuple[tuple[str, ...], int]:
        """Per what: "/kg", "per day", "a week", "daily"; the names of the units and the word after."""
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

    # Where things end

    def stop(self, k: int) -> int:
        """The word after the last one of the sentence of word k."""
        if k >= len(self.words):
            return len(self.words)
        return min(self.first_word[self.words[k].sentence + 1], k + 14)

    def after(self, end: int, k: int) -> int:
        """The first word from k on that starts at or after a character."""
        while k < len(self.words) and self.words[k].start < end:
            k += 1
        return k

    def bound(self, first: int) -> tuple[str, bool, int]:
        """The bound before word `first`, whether it is a sign, and the first word of the sign."""
        words = self.words
        i = first - 1
        if i >= 0 and words[i].text == "=" and i and words[i - 1].text in "<>":
            return words[i - 1].text, True, i - 1
        if i >= 0 and words[i].text in _SIGNS:
            return _SIGNS[words[i].text], True, i
        sentence = words[first].sentence
        for _ in range(3):
            if i < 0 or words[i].sentence != sentence:
                break
            word = words[i].lower
            if word in _BOUNDS:
                nearby = words[i + 1].lower
                if word in (
                    "more",
                    "less",
                    "fewer",
                    "greater",
                    "higher",
                    "lower",
                    "older",
                    "younger",
                    "longer",
                ):
                    return (_BOUNDS[word] if nearby == "than" else ""), False, first
                if word in ("least", "most"):
                    before = words[i - 1].lower if i else ""
                    return (_BOUNDS[word] if before in ("at", "the") else ""), False, first
                if word in ("up", "close") and nearby != "to":
                    return "", False, first
                return _BOUNDS[word], False, first
            if word not in _BETWEEN:
                break
            i -= 1
        return "", False, first

    def bound_after(self, k: int) -> str:
        """The bound after an amount: "or more", "and over", "or so", "+"."""
        words, stop = self.words, self.stop(k)
        if k < stop and words[k].text == "+" and words[k].start == words[k - 1].end:
            return ">"
        if k + 1 < stop and words[k].lower in ("or", "and"):
            return _AFTER_BOUNDS.get(words[k + 1].lower, "")
        return ""

    # Labels

    def code(self, k: int) -> Read | None:
        """A code with digits inside a word: H1N1, COVID-19, B12, 5-HT, 4.2.1."""
        words = self.words
        first = last = k
        while first > 0 and words[first - 1].end == words[first].start and self._codelike(first - 1):
            first -= 1
        while last + 1 < len(words) and words[last].end == words[last + 1].start and self._codelike(last + 1):
            last += 1
        while first < k and words[first].text in HYPHENS:
            first += 1
        while last > k and words[last].text in HYPHENS:
            last -= 1
        run = words[first : last + 1]
        before = [w for w in run if w.start < words[k].start and w.text[0].isalpha()]
        behind = [w for w in run if w.start > words[k].start and w.text[0].isalpha()]
        if before:
            if before[-1].lower in _NOT_CODES or (before[-1].lower in SMALL | TENS | ORDINALS):
                return None
            capital = any(c.isupper() for c in before[-1].text)
            if (
                not capital
                and len(before[-1].text) > 3
                and words[k - 1].text in HYPHENS
                and before[-1].lower != "covid"
            ):
                return None
        elif behind:
            word = behind[0]
            hyphen = words[k + 1].text in HYPHENS
            if not any(c.isupper() for c in word.text) or not word.text[0].isupper():
                return None
            if word.lower in units.UNITS or word.lower in SCALES or (hyphen and len(word.text) > 3):
                return None
            if word.lower in ("k", "m", "bn", "mn", "st", "nd", "rd", "th", "am", "pm") or word.text in "CFS":
                return None
        elif not re.fullmatch(r"\d+(?:\.\d+){2,}", words[k].text):
            return None
        text = self.text[run[0].start : run[-1].end].lower()
        text = re.sub(r"[-–—−‐‑]", "", text)
        return Read(
            Label("label", re.sub(r"\d+", "#", text), ".".join(re.findall(r"\d+", text))), first, last + 1
        )

    def _codelike(self, k: int) -> bool:
        text = self.words[k].text
        return text[0].isalnum() or text in "-‐‑" or (text == "/" and False)

    def label(self, k: int) -> Read | None:
        """A number after the word that it numbers: "type 2", "Article 5", "World War II"."""
        words = self.words
        if k == 0 or words[k - 1].sentence != words[k].sentence:
            return None
        i = k - 1
        if (
            words[i].text in (".", "-", "#")
            and i
            and words[i - 1].lower in ("no", "fig", "type", "phase", "stage", "grade")
        ):
            i -= 1
        head, word = words[i], words[k]
        heads = head.lower in LABEL_HEADS
        if word.text[0].isdecimal():
            code = word.text.rstrip(".")
            if (
                not heads
                or len(code) > 7
                or (
                    head.lower in ("no", "number") and head.lower == "no" and i == k - 1 and head.text == "no"
                )
            ):
                return None
            if self.unit(k + 1, digits_before=True)[0] is not NO_UNIT and head.lower not in ("no", "number"):
                return None
            if head.lower in (
                "number",
                "group",
                "part",
                "area",
                "world",
                "key",
                "line",
                "class",
                "unit",
                "level",
            ) and (
                head.lower in ("world", "key", "area", "line")
                or (k + 1 < len(words) and words[k + 1].text in HYPHENS)
            ):
                return None
        elif (value := roman(word.text)) is not None:
            named = head.text[0].isupper() and len(word.text) > 1 and head.text[1:].islower()
            if not heads and not named:
                return None
            code = str(value)
        elif word.lower in SMALL and head.lower in _SPELLED_HEADS:
            code = str(SMALL[word.lower])
        else:
            return None
        return Read(Label("label", head.base if heads else head.lower, code), i, k + 1)

    def phone(self, k: int) -> Read | None:
        """A telephone number."""
        words, text = self.words, self.text
        start = words[k].start
        opening = start - 1 if start and text[start - 1] in "+(" else start
        match = _PHONE.match(text, opening)
        if not match or not 7 <= sum(c.isdecimal() for c in match.group()) <= 15:
            return None
        shown = match.group()
        groups = re.findall(r"\d+", shown)
        if not (shown[0] in "+(0" or re.fullmatch(r"\d{3}[-. ]\d{3}[-. ]\d{4}|1?-?\d{3}-\d{3}-\d{4}", shown)):
            return None
        if len(groups) < 2 or "." in shown and len(groups) < 3:
            return None
        return Read(Label("label", "telephone", "".join(groups)), k, self.after(match.end(), k))


def _exponent(shown: str) -> int:
    plain = shown.translate(SUPERSCRIPTS).replace("−", "-").replace("–", "-")
    return max(-300, min(300, int(plain)))


def with_unit(amount: Amount, unit: Unit) -> Amount:
    """An amount with the unit of its neighbour in a list."""
    return amount._replace(unit=unit)


_NOT_HEADS |= frozenset(MULTIPLES) | frozenset(units.PER)


def head_of(words: Sequence[Word], k: int, stop: int) -> tuple[int, ...]:
    """What an amount that ends before word k counts: the head of the noun phrase that follows."""
    i, depth = k, 0
    while i < stop and i < k + 6 and not words[i].content:
        if words[i].text in "([":
            while i < stop and words[i].text not in ")]" and depth < 12:
                i, depth = i + 1, depth + 1
        elif words[i].lower not in (
            "of",
            "the",
            "these",
            "those",
            "its",
            "their",
            "our",
            "his",
            "her",
            "all",
            "-",
            "–",
            "a",
            "an",
            "other",
            "more",
            "such",
            ")",
        ):
            return ()
        i += 1
    run = []
    while i < stop and len(run) < 4:
        word = words[i]
        if not run and i > k and word.text[0].isdecimal():  # 12 of the 60 patients
            i += 1
            continue
        if word.lower in _NOT_HEADS:
            break
        if not word.content or word.lower in _STOP or word.text[0].isdecimal():
            if word.text == "-":
                i += 1
                continue
            break
        run.append(i)
        i += 1
    for j in run:
        lower = words[j].lower
        if lower in _PLURALS or lower in PEOPLE:
            return (j,)
        if len(lower) > 3 and lower.endswith("s") and not lower.endswith(("ss", "us", "is", "ous")):
            return (j,)
    return tuple(run[:1])


def ordinal_glued(words: Sequence[Word], k: int) -> bool:
    """Whether st, nd, rd or th follows the digits of word k."""
    return (
        k + 1 < len(words)
        and words[k + 1].start == words[k].end
        and words[k + 1].lower in ("st", "nd", "rd", "th")
    )


__all__ = [
    "LABEL_HEADS",
    "MULTIPLES",
    "PEOPLE",
    "PERCENT",
    "TIMES",
    "YEAR",
    "Amount",
    "Label",
    "Read",
    "Reader",
    "head_of",
]
