"""Numbers and dates of a text, by the words and marks of a language (`[numbers]` in its rules.toml).

    1.200,5   12 500   3,5 Millionen   zweihundert   35 %   5 mg   300 Euro   3. Mai 2020   03.05.2020   1998

A number in words is read up to a few thousand, with the scales of the language after digits and words. Fractions in words,
Roman numerals, times of day and words for one (which are also articles) are not read.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from . import Language, language

# Symbols that all languages share; the short ones are units only directly after digits.
SIGNS = {
    **dict.fromkeys(("kg", "g", "mg", "ml", "cl", "dl", "l", "mm", "cm", "m", "km", "ha", "kwh", "mw", "gw", "kw", "hz"), ""),
    **dict.fromkeys(("khz", "mhz", "ghz", "mmhg", "mmol", "kcal", "kj", "gb", "mb", "tb", "km/h", "km²", "m²", "µg", "ms"), ""),
    "€": "EUR", "$": "dollar", "£": "GBP", "¥": "JPY", "°c": "°C", "h": "hour", "min": "minute", "l": "l",
    "eur": "EUR", "usd": "USD", "mcg": "µg", "кг": "kg", "г": "g", "мг": "mg", "мл": "ml", "л": "l", "км": "km",
    "см": "cm", "мм": "mm", "м": "m",
}  # fmt: skip
SIGNS = {sign: unit or sign for sign, unit in SIGNS.items()}
_SPACES = " \u00a0\u202f\u2009"
_NUMBER = re.compile(
    rf"(?<![\w.,])(?:\d{{1,3}}(?:[.{_SPACES}]\d{{3}})+(?!\d)(?:,\d+)?|\d+(?:[.,]\d+)?)(?![\d])"
)
_NUMERIC_DATE = re.compile(r"(?<![\w.,/-])(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?![\d./-]*\d)")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_LONGEST = 60  # longest number in words, in characters


class Figure(NamedTuple):
    """A number or a date with its offsets; `unit` has its English name, `step` is the size of the last given digit."""

    start: int
    end: int
    number: float | None = None
    step: float = 1.0
    unit: str = ""
    ordinal: bool = False
    year: int | None = None
    month: int | None = None
    day: int | None = None
    weak: bool = False


def figures(text: str, code: str) -> list[Figure]:
    """The numbers and dates of a text in a language with rules, in order.

    >>> [(f.number, f.unit) for f in figures("Rund 2,5 Millionen Menschen zahlen 1.200 Euro.", "de")]
    [(2500000.0, ''), (1200.0, 'EUR')]
    >>> [(f.day, f.month, f.year) for f in figures("El 3 de mayo de 2020 llovió.", "es")]
    [(3, 5, 2020)]
    """
    reader = _reader(code)
    results = reader.dates(text)
    taken = [(f.start, f.end) for f in results]
    for figure in (*reader.digits(text), *reader.words(text)):
        if not any(a < figure.end and figure.start < b for a, b in taken):
            results.append(figure)
            taken.append((figure.start, figure.end))
    return _carried(sorted(results), text)


class _Reader:
    def __init__(self, rules: Language) -> None:
        numbers = rules.rules["numbers"]
        self.months = {name: k for k, name in enumerate(numbers["months"], 1)} | numbers["months_also"]
        self.scales: dict[str, float] = numbers["scales"]
        self.spelled = spelled(rules)
        self.joins: frozenset[str] = frozenset(numbers.get("joins", ()))
        self.ones: frozenset[str] = frozenset(
            numbers.get("ones", ())
        )  # after tens only, because otherwise they are articles
        self.doubtful: frozenset[str] = frozenset(numbers.get("doubtful", ()))
        self.units: dict[str, str] = {
            **SIGNS,
            **numbers.get("units", {}),
            **dict.fromkeys(numbers["percent"], "%"),
        }
        self.words_units: set[str] = {*numbers.get("units", {}), *numbers["percent"]}
        names = "|".join(sorted(map(re.escape, self.months), key=len, reverse=True))
        preposition = numbers.get("of", "")
        gap = rf"\s+(?:(?:{preposition})\s+)?" if preposition else r"\s+"
        ordinal = numbers["ordinal"]
        self._ordinal = re.compile(ordinal)
        self._date = re.compile(
            rf"(?<![\w.,])(?P<d>[12]?\d|3[01])(?:{ordinal})?{gap}(?P<m>{names})\b(?:{gap}(?P<y>1\d{{3}}|20\d{{2}})\b)?"
            rf"|\b(?P<n>{names}){gap}(?P<z>1\d{{3}}|20\d{{2}})\b",
            re.IGNORECASE,
        )
        units = sorted(map(re.escape, self.units), key=len, reverse=True)
        self._unit = re.compile(rf"[{_SPACES}-]?(?P<u>{'|'.join(units)})(?!\w|-\w)", re.IGNORECASE)
        scales = "|".join(sorted(map(re.escape, self.scales), key=len, reverse=True))
        self._scale = re.compile(rf"[{_SPACES}](?P<s>{scales})\b\.?(?:\s+(?:{preposition})\b)?" if preposition else rf"[{_SPACES}](?P<s>{scales})\b\.?", re.IGNORECASE)  # fmt: skip
        self._century = re.compile(rf"\s*(?:{numbers.get('century', '(?!)')})", re.IGNORECASE)

    def dates(self, text: str) -> list[Figure]:
        """Days with a month, months with a year, and numeric dates, the day first."""
        results = []
        for m in self._date.finditer(text):
            month = self.months[(m["m"] or m["n"]).lower()]
            year = m["y"] or m["z"]
            day = int(m["d"]) if m["d"] else None
            results.append(Figure(m.start(), m.end(), year=int(year) if year else None, month=month, day=day))
        for m in _NUMERIC_DATE.finditer(text):
            day, month = int(m[1]), int(m[3])
            if 1 <= day <= 31 and 1 <= month <= 12 and 1000 <= int(m[4]) < 2200:
                results.append(Figure(m.start(), m.end(), year=int(m[4]), month=month, day=day))
        return results

    def digits(self, text: str) -> list[Figure]:
        """Numbers in digits with scale and unit, ordinals, and years."""
        results = []
        for m in _NUMBER.finditer(text):
            number, step = _value(m.group())
            end = m.end()
            if mark := self._ordinal.match(text, end):
                ordinal = mark.group() != "." or bool(self._century.match(text, mark.end()))
                if ordinal and float(number).is_integer() and number < 1000:
                    results.append(Figure(m.start(), mark.end(), number, ordinal=True))
                    continue
            if re.match(r"\w|[-–/]\d", text[end : end + 2]) and not self._unit.match(text, end):
                joined = re.match(r"[-–]\d", text[end : end + 2])
                if not joined:  # 5G, B12, 24/7: part of a name
                    continue
            if m.start() and text[m.start() - 1] in "-/" and m.start() > 1 and text[m.start() - 2].isalpha():
                continue  # Covid-19
            if scale := self._scale.match(text, end):
                factor = self.scales[scale["s"].lower()]
                number, step, end = number * factor, min(step, 1.0) * factor, scale.end("s")
            unit, end = self._unit_at(text, end)
            if scale and not unit:  # 2,5 millions d'euros
                unit, after = self._unit_at(text, scale.end())
                end = after if unit else end
            if before := re.search(r"([€$£¥])\s?$", text[: m.start()]):
                unit = unit or self.units[before[1]]
            plain = m.group().isdecimal() and len(m.group()) == 4 and not unit and not scale
            if plain and 1000 <= number < 2200:
                results.append(Figure(m.start(), end, year=int(number)))
            else:
                results.append(Figure(m.start(), end, number, step, unit))
        return results

    def words(self, text: str) -> list[Figure]:
        """Numbers in words, with their multipliers and units."""
        results: list[Figure] = []
        tokens = list(_WORD.finditer(text))
        i = 0
        while i < len(tokens):
            value, after = self._spoken(text, tokens, i)
            if after == i:
                i += 1
                continue
            start, end = tokens[i].start(), tokens[after - 1].end()
            unit, end = self._unit_at(text, end, words=True)
            alone = after == i + 1 and tokens[i].group().lower() in self.doubtful and not unit
            step = 10.0 ** (len(str(int(value))) - len(str(int(value)).rstrip("0"))) if value else 1.0
            results.append(Figure(start, end, value, step, unit, weak=alone))
            i = after
        return results

    def _spoken(self, text: str, tokens: list[re.Match[str]], i: int) -> tuple[float, int]:
        """The number in words that begins at a token, and the next token; the token itself if there is no number."""
        total = group = read = 0.0
        after = k = i
        last = 1e9
        while k < len(tokens) and tokens[k].end() - tokens[i].start() <= _LONGEST:
            if k > i and text[tokens[k - 1].end() : tokens[k].start()].strip("- \u00a0"):
                break
            joined = False
            for part in tokens[k].group().lower().split("-"):
                joined = part in self.joins and k > i
                factor = self.scales.get(part, 0.0)
                value = self.spelled.get(part, 1 if part in self.ones and last == 10 else 0)
                if joined:
                    continue
                if part in ("vingt", "vingts") and group % 100 == 4:
                    group, last = group + 76, 20.0
                elif factor == 100:
                    group, last = (group or 1.0) * 100, 100.0
                elif factor and (group or total or factor == 1000):
                    total, group, last = (total + (group or 1.0)) * factor, 0.0, 1000.0
                elif 0 < value < last:
                    group += value
                    # "soixante-dix", "dix-sept": French adds to these numbers, for which other languages have words.
                    last = (
                        20.0
                        if value in (60, 80)
                        else 100.0
                        if value >= 100
                        else 10.0
                        if value >= 20 or part == "dix"
                        else 1.0
                    )
                else:
                    return read, after
            if not joined:
                after, read = k + 1, total + group
            k += 1
        return read, after

    def _unit_at(self, text: str, end: int, *, words: bool = False) -> tuple[str, int]:
        m = self._unit.match(text, end)
        if (
            not m
            or (words and m["u"].lower() not in self.words_units)
            or (m["u"][0].isalpha() and text[end : m.start("u")] == "-")
        ):
            return "", end
        return self.units[m["u"].lower()], m.end()


@cache
def _reader(code: str) -> _Reader:
    return _Reader(language(code))


def spelled(rules: Language) -> dict[str, int]:
    """Number words, including those that a language writes as one word (einundzwanzig, tweehonderd, trentacinque)."""
    numbers = rules.rules["numbers"]
    words: dict[str, int] = dict(numbers["words"])
    compound = numbers.get("compound", {})
    if not compound:
        return words
    small = {w: n for w, n in words.items() if n < 100} | compound["one"]
    units = {w: n for w, n in small.items() if 1 <= n <= 9}
    tens = {w: n for w, n in small.items() if n in range(20, 100, 10)}
    pairs: dict[str, int] = {}
    for ten, n in tens.items():
        for unit, m in units.items():
            if compound["order"] == "unit first":
                pairs |= {f"{unit}{join}{ten}": n + m for join in compound["joins"]}
            else:
                pairs[f"{ten[:-1] if unit[0] in 'uo' else ten}{unit}"] = n + m
    below = {**{w: n for w, n in small.items() if w not in compound["one"]}, **pairs}
    hundred = compound["hundred"]
    hundreds = {hundred: 100} | {f"{u}{hundred}": 100 * n for u, n in units.items() if n > 1}
    ones = {**below, **compound["one"]}
    hundreds |= {f"{h}{w}": n + m for h, n in hundreds.items() for w, m in ones.items()}
    thousand = compound["thousand"]
    thousands = {f"{w}{thousand}": 1000 * n for w, n in below.items() if n > 1}
    return {**words, **below, **hundreds, **thousands}


def _value(written: str) -> tuple[float, float]:
    """Value and step of digits with a decimal comma; a point with three digits after it separates thousands."""
    plain = written
    for space in _SPACES:
        plain = plain.replace(space, "")
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?", plain):
        plain = plain.replace(".", "")
    whole, _, fraction = plain.replace(",", ".").partition(".")
    value = float(f"{whole}.{fraction or 0}")
    if fraction:
        return value, 10.0 ** -len(fraction)
    zeros = len(whole) - len(whole.rstrip("0")) if value else 0
    return value, 10.0**zeros


def _carried(numbers: list[Figure], text: str) -> list[Figure]:
    """Give the first number of "10 bis 20 mg" the unit of the second."""
    out = list(numbers)
    for k in range(len(out) - 1, 0, -1):
        a, b = out[k - 1], out[k]
        between = text[a.end : b.start]
        short = len(between) <= 5 and re.fullmatch(r"\s?(?:[-–/]|\w{1,4})\s?", between)
        if a.number is not None and not a.unit and b.unit and short and not a.ordinal:
            out[k - 1] = a._replace(unit=b.unit)
    return out
