"""Numbers and dates of texts in languages other than English: what is the same, changed, gone or new.

A number of the output is the same as one of the source if both state the same value, rounded or in another unit. Remaining
numbers on both sides of aligned sentences are compared if they are of one sort (two dates, two amounts with one unit): if
the words around them are the same, the number was changed; if they are only the last of their sort, they are to be checked.
docs/languages.md says how often that is right. Names, negations and other kinds of facts have no rules in these languages
and are not compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ..languages import LANGUAGES, language
from ..languages.detection import detect
from ..languages.figures import Figure, figures
from .alignment import Pair
from .kinds import Finding, Mention, group_of
from .kinds.number.amounts import Amount
from .kinds.number.dates import Date
from .kinds.number.equality import difference, nearly, rounded, same
from .kinds.number.reading import mentions
from .kinds.number.units import BY_NAME, NO_UNIT, UNITS
from .kinds.number.wording import reason
from .passage import Passage

_REACH = 5  # words on either side of a number that identify its place
_PLACE = 0.5  # share of them that must be equal for a change
_FUNCTION = 60  # ranks of words that occur everywhere
_TIMES = 5  # largest factor between a count and its changed value
_LARGE = 10  # numbers below this usually count something else
_STEM = 6  # initial letters in which forms of a word agree
_WORD = re.compile(r"[^\W\d_]{2,}")


# Precision of a change by its evidence: judged by a language model and injected, docs/laboratory.md.
PRECISION = {"place": 0.5, "alone": 0.5}
RED: frozenset[str] = frozenset()  # too few occurred in real texts to call one an alarm
_MOST = 250_000  # largest number of pairs of numbers that are compared


def codes_of(pair: Pair, given: str = "") -> tuple[str, str] | None:
    """The languages of two texts whose numbers have rules; None if both are English, or one has no rules."""
    texts = (pair.source.text, pair.output.text)
    if given == "en":
        return None
    codes = [_code(text) for text in texts]
    if given:
        codes = [codes[0] or given, given]
    if not any(code in LANGUAGES[1:] for code in codes):
        return None
    # A text that is too short for detection is in the language of the other one.
    source, output = (code or next(filter(None, codes)) for code in codes)
    return (source, output) if {source, output} <= set(LANGUAGES) else None


def _code(text: str) -> str:
    detected = detect(text)
    return detected.code if detected.sure else ""


def compare_numbers(pair: Pair, codes: tuple[str, str]) -> Iterator[Finding]:
    """Compare the numbers of two texts; each side has its own language ("en" included)."""
    before, after = (find(p, code) for p, code in zip((pair.source, pair.output), codes, strict=True))
    if len(before) * len(after) > _MOST:
        before, after = before[:500], after[:500]
    places = _Places(pair, codes)
    partner: dict[int, Mention] = {}
    taken: set[int] = set()
    rows = [
        (group_of(pair, 0, a) == group_of(pair, 1, b), places.agreement(a, b), _written(pair, a, b), -a.start, -b.start, a, b)
        for a in before
        for b in after
        if same(a.value, b.value) or _written(pair, a, b)
    ]  # fmt: skip
    for *_, a, b in sorted(rows, key=lambda row: row[:5], reverse=True):
        if id(a) not in partner and id(b) not in taken:
            partner[id(a)] = b
            taken.add(id(b))
    changed = dict(_changes(pair, places, before, after, partner, taken))
    told = {id(f.after) for f in changed.values()}
    for a in before:
        other = partner.get(id(a))
        if other is not None:
            if not (a.weak and other.weak):
                text = (
                    "The simplified text rounds it."
                    if rounded(a.value, other.value)
                    else "Both texts have it."
                )
                yield Finding("same", a, other, "same", text)
        elif id(a) in changed:
            yield changed[id(a)]
        elif not a.weak and not any(same(a.value, b.value) for b in after):
            yield Finding("gone", a, None, "gone", "The simplified text does not have it.")
    for b in after:
        again = any(same(a.value, b.value) for a in before)
        if id(b) not in taken and id(b) not in told and not b.weak and not again:
            yield Finding("new", None, b, "new", "The original does not have this number.")


def find(passage: Passage, code: str) -> list[Mention]:
    """The numbers and dates of a text."""
    if code not in LANGUAGES[1:]:
        return mentions(passage)
    out = []
    for figure in figures(passage.text, code):
        covered = passage.words_in(figure.start, figure.end)
        if covered:
            out.append(
                Mention(figure.start, figure.end, covered[0], covered[-1], _value(figure), (), figure.weak)
            )
    return out


def _value(figure: Figure) -> Amount | Date:
    if figure.number is None:
        return Date("date", figure.year, figure.year, figure.month, figure.day)
    unit = BY_NAME.get(figure.unit) or UNITS.get(figure.unit) or NO_UNIT
    return Amount("ordinal" if figure.ordinal else "amount", figure.number, unit=unit, step=figure.step)


def _changes(
    pair: Pair,
    places: _Places,
    before: Sequence[Mention],
    after: Sequence[Mention],
    partner: dict[int, Mention],
    taken: set[int],
) -> Iterator[tuple[int, Finding]]:
    """Remaining numbers on both sides of a group of sentences that correspond to each other."""
    left = [a for a in before if id(a) not in partner and not a.weak]
    rest = [b for b in after if id(b) not in taken and not b.weak]
    rows = []
    for a in left:
        for b in rest:
            group = group_of(pair, 0, a)
            if group < 0 or group != group_of(pair, 1, b) or not _one_sort(a, b):
                continue
            pattern = difference(a.value, b.value)
            if pattern is None:
                continue
            place = places.agreement(a, b)
            rivals = sum(_one_sort(a, x) and group_of(pair, 1, x) == group for x in rest)
            rivals += sum(_one_sort(x, b) and group_of(pair, 0, x) == group for x in left)
            if place >= _PLACE or (rivals == 2 and _comparable(a, b, place)):
                rows.append((place, -a.start, -b.start, a, b, pattern))
    used: set[int] = set()
    for place, _, _, a, b, pattern in sorted(rows, key=lambda row: row[:3], reverse=True):
        if id(a) not in used and id(b) not in used:
            used |= {id(a), id(b)}
            evidence = "place" if place >= _PLACE else "alone"
            yield id(a), Finding("changed", a, b, evidence, reason(pair, a, b, pattern))


def _one_sort(a: Mention, b: Mention) -> bool:
    """Whether two numbers may correspond: dates with the same parts, or amounts with one unit."""
    x, y = a.value, b.value
    if isinstance(x, Date) and isinstance(y, Date):
        return (x.day is None, x.month is None) == (y.day is None, y.month is None)
    if not isinstance(x, Amount) or not isinstance(y, Amount):
        return False
    units = x.unit.dimension == y.unit.dimension and (x.unit.dimension != "money" or x.unit == y.unit)
    return x.form == y.form and (units or (x.number == y.number and bool(x.unit.name and y.unit.name)))


def _comparable(a: Mention, b: Mention, place: float) -> bool:
    """Whether two remaining numbers may be one that was changed, although few words around them agree: not four and 444."""
    x, y = a.value, b.value
    if not isinstance(x, Amount) or not isinstance(y, Amount) or x.unit.dimension:
        return True
    small, large = sorted((x.number, y.number))
    return large <= _TIMES * small and (place > 0 or (nearly(x, y) and small >= _LARGE))


def _written(pair: Pair, a: Mention, b: Mention) -> bool:
    return pair.source.text[a.start : a.end].casefold() == pair.output.text[b.start : b.end].casefold()


class _Places:
    """The words around numbers, cut to their first letters so that forms of a word agree."""

    def __init__(self, pair: Pair, codes: tuple[str, str]) -> None:
        self.texts = (pair.source.text, pair.output.text)
        self.codes = codes
        self._known: dict[tuple[int, int], tuple[set[str], set[str]]] = {}

    def agreement(self, a: Mention, b: Mention) -> float:
        """The share of the words around two numbers that they have in common, on the same side of them."""
        x, y = self._around(0, a), self._around(1, b)
        whole = min(sum(map(len, x)), sum(map(len, y)))
        return sum(len(p & q) for p, q in zip(x, y, strict=True)) / whole if whole else 0.0

    def _around(self, side: int, m: Mention) -> tuple[set[str], set[str]]:
        key = (side, m.start)
        if key not in self._known:
            text = self.texts[side]
            left = _WORD.findall(text[max(m.start - 120, 0) : m.start])
            right = _WORD.findall(text[m.end : m.end + 120])
            self._known[key] = (
                set(self._stems(side, left)[-_REACH:]),
                set(self._stems(side, right)[:_REACH]),
            )
        return self._known[key]

    def _stems(self, side: int, words: Iterable[str]) -> list[str]:
        known = list(words)
        code = self.codes[side]
        if code in LANGUAGES[1:] and known:
            ranks = language(code).ranks(known).tolist()
            known = [w for w, r in zip(known, ranks, strict=True) if not 0 <= r < _FUNCTION]
        return [w.lower()[:_STEM] for w in known]
