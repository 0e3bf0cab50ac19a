"""Numbers with their units and what they count: amounts, dates, times of day, ordinals and the labels of terms.

A number of the output belongs to the number of the source that says the same and, among several, to the one that counts
the same thing and has the same words around it. Remaining numbers on both sides are compared if they are in the same place.
Patterns say what differs (value, unit, sign, order, date, time, label, and exchanged for two numbers that changed places)
if the place is certain. The suffixes "-loose" and "-faint" mean that it is less certain, "-far" that the number is in
another group of sentences, "-lone" that it is the only remaining one with its unit. Currency, measure, ordinal, range,
rate, rateless and unitless are never more than loose. "scale" is a unit of another size with the same number (5 mg, 5 g),
wherever its sentences are aligned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...alignment import Pair
from ...passage import Passage
from .. import Finding, Kind, Mention
from .equality import difference, same
from .matching import Matcher
from .reading import mentions


class Number(Kind):
    """Numbers, amounts, dates."""

    name = "number"

    def find(self, passage: Passage) -> list[Mention]:
        return mentions(passage)

    def same(self, a: Mention, b: Mention, pair: Pair) -> bool:
        """Whether two mentions have the same value, however written."""
        return same(a.value, b.value)

    def change(self, a: Mention, b: Mention, pair: Pair) -> tuple[str, str] | None:
        """Pattern and reason if b, in the place of a, states another fact."""
        pattern = difference(a.value, b.value)
        return (pattern, "") if pattern else None

    def compare(self, pair: Pair, before: Sequence[Mention], after: Sequence[Mention]) -> Iterable[Finding]:
        return Matcher(pair, before, after).findings()


KIND = Number()
