"""Splitting only: long sentences are replaced by short ones, with all words unchanged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from ...options import Between
from .. import structure
from ..candidate import Candidate
from . import Backend


@dataclass(frozen=True)
class Structure(Backend):
    """The text in short sentences, and with fewer of the splits; the first candidate has all of them."""

    operations: Annotated[
        str, "which operations, separated by commas: default, or names such as relative"
    ] = "default"
    count: Annotated[Annotated[int, Between(1, 1000)], "number of candidates"] = 4

    def __post_init__(self) -> None:
        super().__post_init__()
        self._options()

    def _options(self) -> structure.Options:
        names = [name.strip() for name in self.operations.split(",")]
        whole = [one for name in names for one in (structure.DEFAULT if name == "default" else (name,))]
        return structure.Options(tuple(dict.fromkeys(whole)))

    def missing(self) -> str:
        return structure.missing()

    def split(self, texts: Sequence[str]) -> list[structure.Structured]:
        """The texts with the operations that were applied."""
        return structure.split(texts, self._options())

    def propose(self, texts: Sequence[str]) -> list[list[Candidate]]:
        from ..choosing import other_languages

        self.check_installed()
        other_languages(texts)  # splitting does not change them
        out = []
        for result in self.split(texts):
            fewest = max(len(result.operations) - self.count + 1, min(len(result.operations), 1))
            numbers = range(len(result.operations), fewest - 1, -1)
            out.append(
                [
                    Candidate(result.until(n), operations=result.operations[:n], origin=self.name)
                    for n in numbers
                ]
            )
        return out
