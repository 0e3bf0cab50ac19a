"""Numbers that are part of a term or a name: "type 2", "COVID-19", "World War II", telephone numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...passage import Word
from . import units
from .amounts import Label, Read
from .numerals import ORDINALS, SCALES, TENS, roman
from .numerals import UNITS as SMALL
from .reader import HYPHENS, Reader
from .units import NO_UNIT

LABEL_HEADS = frozenset(
    "type phase stage grade level group class category article section chapter table figure fig part step version room "
    "channel highway route number no volume appendix annex page line war tier zone platform gate act title schedule "
    "question exercise unit cohort arm generation season series episode division district ward rule clause paragraph "
    "protocol band area world apollo formula gcse key stages phases types grades levels groups chapters".split()
)
_SPELLED_HEADS = frozenset("type phase stage grade war chapter step act volume article".split())
_NOT_CODES = frozenset(
    "mid pre post under over early late non aged age about around approximately n p approx circa ca and or to from by of in "
    "than at up a an the re vs q £ us au nz hk ca".split()
)
_LONGEST_CODE = 20  # words and hyphens on either side of a number
_LONGEST_PHONE = 60  # largest length in characters; longer ones are a row of numbers
_PHONE = re.compile(r"\+?\(?\d[\d()]*(?:[ .-]?\(?\d{2,}\)?){2,}")


class LabelReader(Reader):
    """A reader that also reads labels."""

    def code(self, k: int) -> Read | None:
        """A code with digits inside a word: H1N1, COVID-19, B12, 5-HT, 4.2.1."""
        words = self.words
        first = last = k
        low, high = max(k - _LONGEST_CODE, 0), min(k + _LONGEST_CODE, len(words) - 1)
        while first > low and words[first - 1].end == words[first].start and self._codelike(first - 1):
            first -= 1
        while last < high and words[last].end == words[last + 1].start and self._codelike(last + 1):
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
        return text[0].isalnum() or text in "-‐‑"

    def label(self, k: int) -> Read | None:
        """A number after the word that it belongs to: "type 2", "Article 5", "World War II"."""
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
        elif (value := roman(word.text if not heads else word.text.upper())) is not None:
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
        match = _PHONE.match(text, opening, opening + _LONGEST_PHONE)
        if not match or not 7 <= sum(c.isdecimal() for c in match.group()) <= 15:
            return None
        shown = match.group()
        groups = re.findall(r"\d+", shown)
        area = re.match(r"\(\d{2,5}\)", shown)
        if not (
            area
            or shown[0] in "+0"
            or re.fullmatch(r"\d{3}[-. ]\d{3}[-. ]\d{4}|1?-?\d{3}-\d{3}-\d{4}", shown)
        ):
            return None
        if len(groups) < 2 or ("." in shown and len(groups) < 3):
            return None
        return Read(Label("label", "telephone", "".join(groups)), k, self.after(match.end(), k))


def ordinal_glued(words: Sequence[Word], k: int) -> bool:
    """Whether st, nd, rd or th follows the digits of word k."""
    return (
        k + 1 < len(words)
        and words[k + 1].start == words[k].end
        and words[k + 1].lower in ("st", "nd", "rd", "th")
    )
