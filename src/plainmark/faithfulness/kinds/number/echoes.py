"""The place of a number by all the words of its sentence, compared with the places of numbers with the same value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...alignment import Pair
from .. import Mention
from .._slot import Echo, Echoes
from .index import NumberIndex

DERIVED = 3.5  # score from which on a number does not count as derived from others
WHATEVER_COUNTED = 5.0  # score from which on the counted things do not matter
_NEAR = 1.5  # share of the score that the adjacent words of both numbers must contribute
_SURE = 3.0
_FAR = 3.75
_SOFTLY = 1.5
_COUNTED = 2.9
_FAINT = 2.6
_LOOSE = 1.8
_SLIGHTLY, _CLEARLY, _MUCH = 0.3, 0.75, 1.25


class NumberEchoes:
    """How much of the surroundings of one text's numbers is around those of the other."""

    def __init__(
        self, pair: Pair, before: Sequence[Mention], index_a: NumberIndex, index_b: NumberIndex
    ) -> None:
        self._echoes = Echoes(pair, before)
        self._index_a, self._index_b = index_a, index_b
        self._known: dict[int, dict[int, Echo]] = {}

    def places(self, b: Mention) -> Iterator[tuple[Mention, float]]:
        """The numbers of the source whose neighbours clearly match those of b, with their scores."""
        for echo in self._of(b).values():
            if echo.near >= _NEAR and echo.score >= _SURE:
                yield echo.mention, echo.score

    def speak(self, a: Mention, b: Mention, *, near: bool, sure: bool) -> bool:
        """Whether the words around b match those of a, better than those of its equals and than the equals of a."""
        score, (equal_a, equal_b) = self._score(a, b), self._rivals(a, b)
        margin = _SLIGHTLY if near else _CLEARLY if sure else _MUCH
        return score >= max(_SURE if sure else _FAR, equal_a + margin, equal_b + (0.0 if near else _CLEARLY))

    def speak_softly(self, a: Mention, b: Mention) -> bool:
        """Whether at least some of the words around b match those of a."""
        return self._score(a, b) >= _SOFTLY

    def confirm(self, a: Mention, b: Mention, evidence: str, *, near: bool, counted: bool) -> bool:
        """Whether the sentences agree, too, if the neighbours of a and b alone are no strict evidence.

        Less agreement is needed if both clearly count the same thing.
        """
        score, rival = self._score(a, b), max(self._rivals(a, b))
        if not near:
            return score >= max(_COUNTED if counted else _FAR, rival + _CLEARLY)
        return score >= (max(_FAINT, rival + _SLIGHTLY) if evidence == "-faint" else max(_LOOSE, rival))

    def _rivals(self, a: Mention, b: Mention) -> tuple[float, float]:
        """The best scores of b with a number of its own value, and of a with one of its value in the output."""
        return (
            max((self._score(other, b) for other in self._index_a.equal(b)), default=0.0),
            max((self._score(a, other) for other in self._index_b.equal(a)), default=0.0),
        )

    def _score(self, a: Mention, b: Mention) -> float:
        echo = self._of(b).get(id(a))
        return echo.score if echo else 0.0

    def _of(self, b: Mention) -> dict[int, Echo]:
        if id(b) not in self._known:
            self._known[id(b)] = {id(echo.mention): echo for echo in self._echoes.of(b)}
        return self._known[id(b)]
