"""Numbers: a wrong value, a value that belongs to something else in the text, a wrong unit, two values exchanged."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import pairwise

from . import Edit, like
from .anchors import Anchor, Pair, Word

_WORDS = "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty".split()
_VALUES = dict(zip(_WORDS, (*range(2, 13), 15, 20, 30, 40, 50, 60), strict=True))
# Units that are confused by a slip of the pen: the singular first, then the plural.
_UNITS = {
    "mg": "g",
    "g": "mg",
    "kg": "g",
    "mcg": "mg",
    "µg": "mg",
    "ml": "l",
    "mm": "cm",
    "cm": "mm",
    "km": "miles",
    "miles": "km",
    "metres": "feet",
    "meters": "feet",
    "feet": "metres",
    "seconds": "minutes",
    "minutes": "hours",
    "hours": "days",
    "days": "weeks",
    "weeks": "months",
    "months": "weeks",
    "years": "months",
    "decades": "years",
    "hour": "day",
    "day": "week",
    "week": "month",
    "month": "year",
    "year": "month",
    "million": "billion",
    "billion": "million",
    "thousand": "million",
    "$": "€",
    "€": "$",
    "£": "$",
}
_JOINERS = frozenset({"to", "-", "–", "or", "/", "and", ",", "through", "±"})


def value(pair: Pair, rng: random.Random) -> Iterator[Edit]:
    """12 patients -> 19 patients: a value that the source does not have."""
    for anchor in _numbers(pair):
        if new := _other_value(anchor.word.text, rng, pair.source_words):
            yield _replaced(anchor, new)


def borrowed(pair: Pair, rng: random.Random) -> Iterator[Edit]:
    """12 patients -> 24 patients, where the source has 24 of something else in another sentence."""
    others = {
        w.text
        for s in pair.source_sentences
        for i, w in enumerate(s.words)
        if _is_number(w) and not _inside_name(s.words, i)
    }
    for anchor in _numbers(pair):
        own = anchor.word.text
        choices = sorted(
            o
            for o in others
            if o.lower() not in anchor.other.lowers | anchor.sentence.lowers and _similar(o, own)
        )
        if choices:
            yield _replaced(anchor, like(rng.choice(choices), own))


def unit(pair: Pair, rng: random.Random) -> Iterator[Edit]:
    """5 mg -> 5 g, 6 weeks -> 6 months."""
    for anchor in _numbers(pair, reach=6, shared=1):
        for step in (1, 2, -1):
            name = anchor.at(step)
            if step == 2 and anchor.at(1) not in ("-", "million"):
                continue
            if name in _UNITS and (step < 0) == (name in "$€£"):
                if name not in (anchor.source_at(1), anchor.source_at(2), anchor.source_at(-1)):
                    continue
                if _UNITS[name] in anchor.other.lowers:
                    continue
                word = anchor.sentence.words[anchor.index + step]
                start, end = min(word.start, anchor.word.start), max(word.end, anchor.word.end)
                text = pair.output[start:end].replace(word.text, like(_UNITS[name], word.text))
                yield Edit(((start, end, text),), (_span(anchor, step),), f"{word.text} -> {_UNITS[name]}")
                break


def exchanged(pair: Pair, rng: random.Random) -> Iterator[Edit]:
    """12 of the men and 30 of the women -> 30 of the men and 12 of the women."""
    anchors = list(_numbers(pair, shared=1))
    for a, b in pairwise(anchors):
        if a.sentence is not b.sentence or a.other is not b.other or a.word.lower == b.word.lower:
            continue
        between = a.sentence.words[a.index + 1 : b.index]
        source_between = a.other.words[min(a.place, b.place) + 1 : max(a.place, b.place)]
        if _shape(a.word.text) != _shape(b.word.text) or _parallel(between) or _parallel(source_between):
            continue
        if (a.place < b.place) != (a.index < b.index):
            continue
        # The counted things must differ; otherwise the two may be in a list, in which order does not matter.
        if a.at(1) == b.at(1) and not (_before(a) and _before(b) and _before(a) != _before(b)):
            continue
        yield Edit(
            (
                (a.word.start, a.word.end, like(b.word.text, a.word.text)),
                (b.word.start, b.word.end, like(a.word.text.lower(), b.word.text)),
            ),
            ((a.source.start, a.source.end), (b.source.start, b.source.end)),
            f"{a.word.text} <-> {b.word.text}",
        )


def _numbers(pair: Pair, *, reach: int = 5, shared: int = 2) -> Iterator[Anchor]:
    for anchor in pair.anchors(
        lambda w: w.lower.replace(",", "") if _is_number(w) else None, reach=reach, shared=shared
    ):
        own, other = anchor.sentence.words, anchor.other.words
        if _inside_name(own, anchor.index) or _inside_name(other, anchor.place):
            continue
        # If a sentence has two equal numbers, it is unclear which one is meant.
        if sum(w.lower == anchor.word.lower for w in other) == 1:
            yield anchor


def _is_number(word: Word) -> bool:
    return word.text[0].isdigit() or word.lower in _VALUES


def _inside_name(words: tuple[Word, ...], i: int) -> bool:
    """Whether the number is part of a name (COVID-19), of a label (grade 3) or of a citation, or begins a list item."""
    before = words[i - 1] if i else None
    after = words[i + 1] if i + 1 < len(words) else None
    if before and before.end == words[i].start and before.text not in "$£€(=<>~“\"'‘≥≤":
        return True
    if after and after.start == words[i].end and after.text[0].isalpha():
        return after.lower not in _UNITS
    if (
        before
        and before.lower in "grade phase type stage version group level step figure table interferon".split()
    ):
        return True
    label = not before or before.text in "(,;:."
    return bool(label and after and after.text in ".)" and len(words[i].text) == 1)


def _shape(text: str) -> tuple[bool, bool, bool]:
    """The form that two exchangeable numbers have in common."""
    year = text.isdigit() and len(text) == 4 and text[:2] in ("17", "18", "19", "20")
    return text[0].isdigit(), "." in text, year


_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+")


def _similar(a: str, b: str) -> bool:
    """Whether numbers can be confused: they have the same form, and one is at most a digit longer."""
    whole_a, whole_b = (text.partition(".")[0].replace(",", "") for text in (a, b))
    return _shape(a) == _shape(b) and (not a[0].isdigit() or abs(len(whole_a) - len(whole_b)) <= 1)


def _other_value(text: str, rng: random.Random, taken: frozenset[str]) -> str:
    """A value of the same form that is not taken; empty if none is found, or if the text is not really a number."""
    if text.lower() not in _VALUES and not _NUMBER.fullmatch(text):
        return ""  # an identifier, such as an enzyme's 1.14.16.2
    for _ in range(20):
        if text.lower() in _VALUES:
            new = like(rng.choice(_WORDS), text)
        elif text.isdigit() and len(text) == 4 and text[:2] in ("19", "20"):
            new = str(int(text) + rng.choice((-21, -12, -8, -3, -2, 2, 3, 8, 12)))
        elif "." in text:
            whole, _, part = text.rpartition(".")
            new = f"{int(whole.replace(',', '') or 0) + rng.choice((0, 1, 2, 3))}.{rng.randrange(10 ** len(part)):0{len(part)}}"
        else:
            number = int(text.replace(",", ""))
            number = rng.choice((number * 10, number * 2, number + rng.randint(1, 9), max(2, number // 2)))
            new = f"{number:,}" if "," in text else str(number)
        if new.lower() not in taken and new.lower() != text.lower() and new not in ("0", "1"):
            return new
    return ""


def _replaced(anchor: Anchor, new: str) -> Edit:
    word, source = anchor.word, anchor.source
    return Edit(((word.start, word.end, new),), ((source.start, source.end),), f"{word.text} -> {new}")


def _span(anchor: Anchor, step: int) -> tuple[int, int]:
    words = anchor.other.words
    near = [words[k] for k in range(max(0, anchor.place - 1), min(len(words), anchor.place + 3))]
    unit_word = next((w for w in near if w.lower == anchor.at(step)), anchor.source)
    return min(unit_word.start, anchor.source.start), max(unit_word.end, anchor.source.end)


def _parallel(between: tuple[Word, ...]) -> bool:
    """Whether two numbers are members of a list or ends of a range, so that exchanging them does not change the meaning."""
    rest = [w for w in between if w.lower not in _JOINERS and w.lower not in _UNITS and w.text != "%"]
    return len([w for w in rest if w.content]) < 2


def _before(anchor: Anchor) -> frozenset[str]:
    """Content words before the number."""
    words = anchor.sentence.words[max(0, anchor.index - 5) : anchor.index]
    return frozenset(w.stem for w in words if w.content)
