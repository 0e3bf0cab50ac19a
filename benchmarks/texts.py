"""The texts of the measurements: ASSET's test set with the output of ACCESS, or the bundled examples."""

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
    """Samples of one test set; their number is the requested one times `scale`."""

    data: Path = DATA
    scale: float = 1.0

    @property
    def name(self) -> str:
        """The name of the texts."""
        return (
            "ASSET's test set, output of ACCESS"
            if _is_asset(self.data)
            else "the examples of this repository"
        )

    def size(self, samples: int, least: int = 24) -> int:
        """The number of samples used for a requested number, at least `least` however small the scale is."""
        return max(round(samples * self.scale), min(samples, least))

    def corpus(self, samples: int, references: int = 10, least: int = 24) -> pm.Corpus:
        """The test set, repeated with each sample made distinct, so that no cache can answer."""
        rows = read(self.data)
        samples_taken = [(k, *rows[k % len(rows)]) for k in range(self.size(samples, least))]
        return pm.Corpus(
            [distinct(source, k) for k, source, _, _ in samples_taken],
            [distinct(output, k) for k, _, output, _ in samples_taken],
            [tuple(distinct(r, k) for r in several[:references]) for k, _, _, several in samples_taken],
        )


@cache
def read(data: Path) -> Rows:
    """The unchanged test set."""
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
    """The text with an additional word that is unique to this number."""
    words = text.split(" ")
    words.insert(random.Random(number).randint(0, len(words)), f"x{number}")
    return " ".join(words)


def lines(path: Path) -> list[str]:
    """The exact lines of a file."""
    return path.read_bytes().decode("utf-8").removesuffix("\n").split("\n")


def _is_asset(data: Path) -> bool:
    return (data / "asset" / "asset.test.orig").exists() and (data / "outputs" / "ACCESS").exists()
