"""Numbers as written: digits with their separators, numbers in words, scales, fractions, Roman numerals.

`step` is the size of a number's last significant digit: 1 for 987, 1000 for 1,000 and 2 thousand, 0.1 for 5.0. It shows how
far the number may have been rounded.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ...passage import Passage, Word

UNITS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
}
TENS = {w: 10 * n for n, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
TENS["fourty"] = 40
SMALL_WORDS = frozenset(UNITS) | frozenset(TENS)
SCALES = {
    "hundred": 1e2,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
    "lakh": 1e5,
    "crore": 1e7,
    "dozen": 12.0,
    "score": 20.0,
}
# Only after digits; includes plural words of other languages.
ABBREVIATED = {
    "k": 1e3,
    "m": 1e6,
    "mn": 1e6,
    "mln": 1e6,
    "bn": 1e9,
    "tn": 1e12,
    "trn": 1e12,
    "mio": 1e6,
    "mrd": 1e9,
}
FOREIGN_SCALES = {
    "tausend": 1e3, "mille": 1e3, "mil": 1e3, "mila": 1e3, "millionen": 1e6, "millions": 1e6, "millones": 1e6,
    "millón": 1e6, "milioni": 1e6, "milione": 1e6, "milliarden": 1e9, "milliards": 1e9, "milliard": 1e9, "miliardi": 1e9,
}  # fmt: skip
_ORDINAL_UNITS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth".split()
)
ORDINALS = {w: n for n, w in enumerate(_ORDINAL_UNITS, 1)} | {w[:-1] + "ieth": n for w, n in TENS.items()}
ORDINALS |= {"hundredth": 100, "thousandth": 1000, "millionth": 1_000_000}
# Denominators: "two thirds", "three-quarters", "a fifth".
PARTS = {"half": 2, "halves": 2, "quarter": 4, "quarters": 4, "third": 3, "thirds": 3}
PARTS |= {w + s: n for w, n in ORDINALS.items() if 4 <= n <= 20 or n in (100, 1000) for s in ("", "s")}
GLYPHS = {"½": (1, 2), "¼": (1, 4), "¾": (3, 4), "⅓": (1, 3), "⅔": (2, 3), "⅛": (1, 8), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5), "⅘": (4, 5), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8), "⅙": (1, 6), "⅚": (5, 6)}  # fmt: skip
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_ROMAN = re.compile(r"(?=[IVXLC])(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_SPACES = "\u00a0\u202f\u2009"
_ENGLISH = frozenset(
    "the of and to in a is was for with that are were on by as at from this or an be has have had not it its".split()
)


class Numeral(NamedTuple):
    """A number, the size of its last digit, the word after it, and its scale ("million") if it has one."""

    value: float
    step: float
    after: int
    scale: float = 1.0


def is_english(passage: Passage) -> bool:
    """A guess, needed for decimal commas: English words are frequent, or the text is too short to decide."""
    letters = [w.lower for w in passage.words[:300] if w.text[0].isalpha()]
    return len(letters) < 8 or sum(w in _ENGLISH for w in letters) >= 0.08 * len(letters)


def digits(token: str, english: bool = True) -> tuple[float, float] | None:
    """Value and step of a token of digits; None for "1.2.3", "08" and the like.

    >>> digits("1,200"), digits("0.50"), digits("1.200,5", english=False), digits("4.2.1")
    ((1200.0, 100.0), (0.5, 0.01), (1200.5, 0.1), None)
    """
    if len(token) > 40:
        return None
    for space in _SPACES:
        token = token.replace(space, " ")
    thousands, decimal = (",", ".") if english else (".", ",")
    whole, fraction = token, ""
    if re.fullmatch(rf"\d{{1,3}}(?:[ {re.escape(thousands)}]\d{{3}})+(?:{re.escape(decimal)}\d+)?", token):
        plain = token.replace(thousands, "").replace(" ", "")
        whole, _, fraction = plain.partition(decimal)
    elif re.fullmatch(r"\d{1,3}(?:[,]\d{2})+,\d{3}", token):  # lakhs and crores
        whole = token.replace(",", "")
    elif match := re.fullmatch(r"(\d+)[.,](\d+)", token):
        whole, fraction = match.groups()
        if english and "," in token and len(fraction) > 2 and whole != "0":  # 1250,1850
            return None
    elif not token.isdecimal() or (len(token) > 1 and token[0] == "0"):  # 08, 007
        return None
    value = float(f"{whole}.{fraction or 0}")
    if fraction:
        return value, 10.0 ** -len(fraction)
    zeros = len(whole) - len(whole.rstrip("0")) if value else 0
    return value, 10.0**zeros


def roman(token: str) -> int | None:
    """The value of a Roman numeral up to 99 in capitals."""
    if not token.isascii() or not _ROMAN.fullmatch(token):
        return None
    values = [_ROMAN_VALUES[c] for c in token]
    return sum(-v if v < max(values[k:]) else v for k, v in enumerate(values))


def in_words(words: Sequence[Word], i: int, stop: int) -> tuple[Numeral, bool] | None:
    """The number in words that begins at word i, and whether it is an ordinal."""
    total = group = 0.0
    step = last = 1e15
    k, ordinal = i, False
    after = i
    while k < stop:
        word = words[k].lower
        if k > i and word in ("-", "‐", "‑"):
            k += 1
            continue
        if word in UNITS or word in TENS:
            value, size = (UNITS[word], 1.0) if word in UNITS else (TENS[word], 10.0)
            if size >= last or (last == 10.0 and value >= 10):
                break
            group, last = group + value, size
            step = 10.0 if word in TENS or value == 10 else 1.0
        elif word in ORDINALS and k > i and ORDINALS[word] < last and ORDINALS[word] < 100:
            group, ordinal, step = group + ORDINALS[word], True, 1.0
            after = k + 1
            break
        elif word in ("hundredth", "thousandth") and k > i and group:
            group, ordinal, after = group * ORDINALS[word], True, k + 1
            break
        elif word == "hundred" and group and last < 100:
            group, last, step = group * 100, 100.0, 100.0
        elif word in SCALES and word != "hundred" and (group or total):
            if group:
                total, group = total + group * SCALES[word], 0.0
            else:
                total *= SCALES[word]
            last, step = 1000.0, SCALES[word]
        elif word in ("a", "an") and k == i and k + 1 < stop and words[k + 1].lower in SCALES:
            group, last = 1.0, 1.0
        elif word == "and" and last >= 100 and k > i and k + 1 < stop:
            if words[k + 1].lower not in UNITS and words[k + 1].lower not in TENS:
                break
            k += 1
            continue
        else:
            break
        k += 1
        after = k
    if after == i:
        return None
    # "and a half" and "nineteen ninety-nine" are handled by the caller.
    return Numeral(total + group, step if step < 1e15 else 1.0, after), ordinal


def scale(words: Sequence[Word], k: int, stop: int, *, money: bool, english: bool) -> tuple[float, int]:
    """The scale that follows digits at word k, and the word after it: "2.5 million", "£7m", "3k"."""
    factor = 1.0
    while k < stop:
        word = words[k].lower
        glued = words[k].start == words[k - 1].end
        hyphen = (
            word == "-" and k + 1 < stop and words[k + 1].lower in SCALES and words[k + 1].lower != "score"
        )
        if hyphen and words[k + 1].lower in ("million", "billion", "trillion", "thousand"):
            k += 1
        elif (base := word.removesuffix("s")) in SCALES and base != "score":  # $102 millions
            factor *= SCALES[base]
            k += 1
        elif not english and word in FOREIGN_SCALES:
            factor *= FOREIGN_SCALES[word]
            k += 1
        elif word in ABBREVIATED and (glued or money or word in ("bn", "mn", "mio", "mrd")) and factor == 1:
            if word == "m" and not money and not _counts(words, k + 1, stop):
                break
            factor *= ABBREVIATED[word]
            k += 1
        else:
            break
    return factor, k


def _counts(words: Sequence[Word], k: int, stop: int) -> bool:
    """Whether a plural noun follows, so that "7m" means seven million rather than seven metres."""
    if k >= stop:
        return False
    word = words[k].lower
    if word in ("people", "children", "women", "men", "dollars", "euros"):
        return True
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
