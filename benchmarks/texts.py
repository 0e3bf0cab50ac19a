"""The texts that are measured on: ASSET's test set with the output of ACCESS, or the bundled examples."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import plainmark as pm

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"

Rows = list[tuple[str, str, tuple[str, ...]]]  # source, output, references


@dataclass(frozen=True)
class Texts:
    """Samples of one test set, as many as are asked for times `scale`."""

    data: Path = DATA
    scale: float = 1.0

    @property
    def name(self) -> str:
        """What the texts are."""
        return (
            "ASSET's test set, output of ACCESS"
            if _is_asset(self.data)
            else "the examples of this repository"
        )

    def size(self, samples: int, least: int = 24) -> int:
        """How many are taken if so many are asked for, however small the scale."""
        return max(round(samples * self.scale), min(samples, least))

    def corpus(self, samples: int, references: int = 10, least: int = 24) -> pm.Corpus:
        """The test set again and again, each sample made distinct, so that no cache can answer."""
        rows = read(self.data)
        samples_taken = [(k, *rows[k % len(rows)]) for k in range(self.size(samples, least))]
        return pm.Corpus(
            [distinct(source, k) for k, source, _, _ in samples_taken],
            [distinct(output, k) for k, _, output, _ in samples_taken],
            [tuple(distinct(r, k) for r in several[:references]) for k, _, _, several in samples_taken],
        )


@cache
def read(data: Path) -> Rows:
    """The test set as it is."""
    if not _is_asset(data):
        folder = ROOT / "examples"
        columns = [lines(folder / f"reference.{i}") for i in range(2)]
        references = list(zip(*columns, strict=True))
        return list(zip(lines(folder / "source.txt"), lines(folder / "careful.txt"), references, strict=True))
    references = list(zip(*(lines(data / f"asset/asset.test.simp.{i}") for i in range(10)), strict=True))
    return list(
        zip(lines(data / "asset/asset.test.orig"), lines(data / "outputs/ACCESS"), references, strict=True)
    )


def distinct(text: str, number: int) -> str:
    """The text with one more word, which only this number has, at a place of its own."""
    words = text.split(" ")
    words.insert(random.Random(number).randint(0, len(words)), f"x{number}")
    return " ".join(words)


def lines(path: Path) -> list[str]:
    """A file's lines, exactly as they are."""
    return path.read_bytes().decode("utf-8").removesuffix("\n").split("\n")


def _is_asset(data: Path) -> bool:
    return (data / "asset" / "asset.test.orig").exists() and (data / "outputs" / "ACCESS").exists()
