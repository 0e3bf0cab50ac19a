"""Counts the suggestions of `plainmark check` for real texts, and writes sheets for judges.

    python -m evaluation.checks                 suggestions, and hard words with one, on the 30 texts of the golden file
    python -m evaluation.checks --sheet FILE    also write one row per suggestion: id, sentence, sentence with it applied

The texts are 10 each of health (Cochrane, PLABA, CELLS), news (OneStopQA) and encyclopedia (SWiPE). They were drawn at
random among texts of at least 800 characters before the suggestions were extended, and nobody looked at them while writing
suggestions. A text is named by its data set, document and part; line and row numbers count from 0.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evaluation.texts import data_folder
from plainmark.checks import Checker
from plainmark.datasets.plaba import PLABA

JUDGEMENTS = Path(__file__).parents[1] / "tests" / "golden" / "checks_judgements.json"
KINDS = {"onestop": "news", "swipe": "encyclopedia"}  # all other texts are about health
_SEED = 2023  # seed of the order of a sheet's rows


@dataclass(frozen=True)
class Offer:
    """A suggestion in a text: the replaced characters, and the sentence that contains them."""

    rule: str
    text: str
    start: int
    end: int
    better: str
    sentence: tuple[int, int]

    @property
    def key(self) -> tuple[str, int, int, str]:
        """The key of the suggestion in the golden file."""
        return self.text, self.start, self.end, self.better


def texts(data: Path) -> dict[str, str]:
    """All texts by name."""
    return dict([*_cochrane(data), *_plaba(data), *_cells(data), *_onestop(data), *_swipe(data)])


def _cochrane(data: Path) -> Iterator[tuple[str, str]]:
    for split in ("val", "test"):
        for side in ("source", "target"):
            lines = (data / "cochrane" / f"{split}.{side}").read_text("utf-8").split("\n")
            yield from ((f"cochrane:{split}.{side}.{i}", t.strip()) for i, t in enumerate(lines) if t.strip())


def _plaba(data: Path) -> Iterator[tuple[str, str]]:
    for abstract in PLABA(folder=str(data)).abstracts():
        yield f"plaba:{abstract.id}.abstract", " ".join(filter(None, abstract.sentences))
        for number, adaptation in enumerate(abstract.adaptations, 1):
            yield f"plaba:{abstract.id}.adaptation{number}", " ".join(filter(None, adaptation))


def _cells(data: Path) -> Iterator[tuple[str, str]]:
    path = data / "cells" / "cells_validated_fullpairs.csv"
    with path.open(encoding="utf-8", newline="") as file:
        for i, row in enumerate(csv.DictReader(file)):
            yield from ((f"cells:{i}.{side}", row[side]) for side in ("source", "target") if row[side])


def _onestop(data: Path) -> Iterator[tuple[str, str]]:
    for article in json.loads((data / "onestop-qa" / "onestop_qa.json").read_text("utf-8"))["data"]:
        for level in ("Adv", "Int", "Ele"):
            text = "\n\n".join(p[level]["context"] for p in article["paragraphs"])
            yield f"onestop:{article['title']}.{level}", text


def _swipe(data: Path) -> Iterator[tuple[str, str]]:
    for i, row in enumerate(json.loads((data / "swipe" / "swipe_val.json").read_text("utf-8"))):
        yield from ((f"swipe:{i}.{side}", row[side]) for side in ("r_content", "s_content"))


def offers(sample: dict[str, str]) -> tuple[list[Offer], dict[str, Counter[str]]]:
    """The first suggestion of every finding, and counts by kind of text."""
    checker = Checker()
    out: list[Offer] = []
    counts: dict[str, Counter[str]] = {}
    for name, text in sample.items():
        count = counts.setdefault(KINDS.get(name.partition(":")[0], "health"), Counter())
        result = checker.check(text)
        count["words"] += result.measures.words
        for f in result.findings:
            if f.rule in ("PM101", "PM103"):
                count["hard words"] += 1
                count["with a suggestion"] += bool(f.suggestions)
            if f.suggestions:
                count["suggestions"] += 1
                better = f.suggestions[0].text
                out.append(Offer(f.rule, name, f.start, f.end, better, result.sentences[f.sentence]))
    return out, counts


def sheet(rows: list[Offer], sample: dict[str, str]) -> str:
    """The suggestions in random order, without the rules that made them."""
    order = random.Random(_SEED).sample(rows, len(rows))
    lines = ["id\tsentence with the place marked «»\tthe same with the suggestion applied"]
    for number, row in enumerate(order, 1):
        text = sample[row.text]
        start, end = min(row.sentence[0], row.start), max(row.sentence[1], row.end)
        both = (
            f"{text[start : row.start]}«{middle}»{text[row.end : end]}"
            for middle in (text[row.start : row.end], row.better)
        )
        lines.append("\t".join([f"S{number:03}", *(" ".join(t.split()) for t in both)]))
    return "\n".join(lines) + "\n"


def main() -> None:
    """Count, print and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sheet", type=Path, help="where to write a sheet for judges")
    options = parser.parse_args()
    names = json.loads(JUDGEMENTS.read_text("utf-8"))["texts"]
    known = texts(data_folder())
    sample = {name: known[name] for name in names}
    rows, counts = offers(sample)
    for kind, count in counts.items():
        share = 100 * count["with a suggestion"] / max(count["hard words"], 1)
        print(
            f"{kind}: {count['words']:,} words, {count['suggestions']} suggestions, {count['hard words']} hard words,"
            f" {count['with a suggestion']} with a suggestion ({share:.0f} %)"
        )
    if options.sheet:
        options.sheet.write_text(sheet(rows, sample), "utf-8")


if __name__ == "__main__":
    main()
