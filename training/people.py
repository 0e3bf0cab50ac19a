"""Human replacements of phrases: the choices of the eight annotators of TurkCorpus tune.

ASSET has ten more references for the same sentences. They are left out, because their licence (CC BY-NC) does not allow all
uses, and the fitted model is shipped.

An annotator changed a phrase of a sentence if the reference has it less often than the sentence, and chose another if the
reference has that more often. A pair is right in a sentence if somebody chose it there. It is taken to be wrong if at least
three annotators changed the phrase and nobody chose it; if fewer changed it, nothing is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

CHANGED = 3  # number of annotators that must have changed a phrase before their choices count as evidence against a pair


@dataclass(frozen=True)
class Choices:
    """Sentences whose words are separated by spaces, with their references."""

    sentences: Sequence[str]
    references: Sequence[Sequence[str]]

    def label(self, sentence: int, source: str, target: str) -> float | None:
        """Whether a rewrite is right in a sentence, according to the annotators' choices; None if they do not decide it."""
        text = self.sentences[sentence]
        gone = [r for r in self.references[sentence] if _count(r, source) < _count(text, source)]
        if any(_count(r, target) > _count(text, target) for r in gone):
            return 1.0
        return 0.0 if len(gone) >= CHANGED else None


def read_choices(data: Path) -> Choices:
    """The sentences of TurkCorpus tune with their eight references."""
    sentences = _lines(data / "turkcorpus" / "tune.8turkers.tok.norm")
    columns = [_lines(data / "turkcorpus" / f"tune.8turkers.tok.turk.{k}") for k in range(8)]
    return Choices(sentences, list(zip(*columns, strict=True)))


def _count(text: str, phrase: str) -> int:
    return f" {text} ".count(f" {phrase} ")


def _lines(path: Path) -> Sequence[str]:
    return path.read_bytes().decode("utf-8").removesuffix("\n").split("\n")
