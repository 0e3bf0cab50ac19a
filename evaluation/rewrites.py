"""Evaluation of the default simplifier by judges: a sample of unseen sentences, its sheet, and figures from the judgements.

    python -m evaluation.rewrites --sheet SEED       the sentences of a sample with the model's outputs
    python -m evaluation.rewrites                    figures of tests/golden/simplifier_judgements.json

Forty sentences each of health (Cochrane, CELLS), news (OneStopQA at the level Advanced) and encyclopedia (SWiPE), from
buckets of documents that nothing was developed on: samples 1 to 3 from one, the others from another. A sentence is named by
data set, document and its characters; the file has no text except that of rewrites. All judges were language
models that were asked to judge as an editor would. Samples 1 to 3 were judged by the author of the list; 4 by two judges
that did not know the program, before others checked the list; 5 to 7 by two more such judges, after that; 9 by the author of further phrases, with the current model (8 was used to correct them). `right` is
judged for every rewrite in its sentence; `grammatical`, `meaning` (kept) and `simpler` of every output that was changed.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import plainmark as pm
from evaluation.texts import PARTS, data_folder, read
from plainmark.punkt import split_sentences

DOMAINS = {"health": ("cochrane", "cells"), "news": ("onestop",), "encyclopedia": ("swipe",)}
PER_DOMAIN = 40
NEXT_BUCKET = 4  # the first sample from the second bucket, because the first bucket has too few sentences of news for a fourth
LENGTH = (8, 40)  # smallest and largest length of a sentence in words
JUDGEMENTS = Path(__file__).resolve().parents[1] / "tests" / "golden" / "simplifier_judgements.json"


@dataclass(frozen=True)
class Sentence:
    """A sentence of a document, by its characters."""

    domain: str
    dataset: str
    document: str
    start: int
    end: int
    text: str

    @property
    def key(self) -> tuple[str, str, int, int]:
        """The name of the sentence in the file of judgements."""
        return self.dataset, self.document, self.start, self.end


@cache
def sample(data: Path, seed: int) -> list[Sentence]:
    """The sentences of a sample, none of them in an earlier one."""
    judged = {s.key for earlier in range(1, seed) for s in sample(data, earlier)}
    rng = random.Random(seed)
    out: list[Sentence] = []
    for domain, datasets in DOMAINS.items():
        part = PARTS["held" if seed < NEXT_BUCKET else "judge"]
        left = [s for s in unseen(domain, datasets, data, part) if s.key not in judged]
        out += rng.sample(left, min(PER_DOMAIN, len(left)))  # the tenth sample has the remaining news
    return out


def unseen(domain: str, datasets: Sequence[str], data: Path, part: tuple[int, ...]) -> list[Sentence]:
    """The sentences of a domain in buckets of documents, in a fixed order."""
    return sorted(set(_sentences(domain, datasets, data, part)), key=lambda s: s.key)


def _sentences(domain: str, datasets: Sequence[str], data: Path, part: tuple[int, ...]) -> Iterator[Sentence]:
    for text in read(data, part, tuple(datasets)):
        # A source has several simplifications, and an article of news several paragraphs.
        document = (
            f"{text.document}#{text.variant.rpartition('/')[2]}"
            if text.dataset == "onestop"
            else text.document
        )
        at = 0
        for sentence in split_sentences(text.source):
            at = text.source.index(sentence, at)
            end = at + len(sentence)
            if LENGTH[0] <= len(sentence.split()) <= LENGTH[1]:
                yield Sentence(domain, text.dataset, document, at, end, sentence)
            at = end


def sheet(seed: int) -> Iterator[str]:
    """The text for a judge: every sentence, and below it each rewrite and the output, if there is any."""
    sentences = sample(data_folder(), seed)
    simplified = pm.load_simplifier().simplify([s.text for s in sentences])
    for number, (sentence, result) in enumerate(zip(sentences, simplified, strict=True)):
        if not result.rewrites:
            continue
        yield f"{number} [{sentence.domain}] {result.source}"
        for k, r in enumerate(result.rewrites):
            yield f"    {number}.{k} {r.source} -> {r.target}   {r.probability:.2f}"
        yield f"    => {result.output}"


def record(seed: int, wrong: dict[str, list[str]]) -> list[dict[str, Any]]:
    """The judgements of a sample for the file; `wrong` lists the exceptions: rewrites by "number.k", outputs by number."""
    sentences = sample(data_folder(), seed)
    simplified = pm.load_simplifier().simplify([s.text for s in sentences])
    rows = []
    for number, (sentence, result) in enumerate(zip(sentences, simplified, strict=True)):
        row: dict[str, Any] = {
            "sample": seed,
            "domain": sentence.domain,
            "dataset": sentence.dataset,
            "document": sentence.document,
            "start": sentence.start,
            "end": sentence.end,
            "rewrites": [
                {
                    "start": r.start,
                    "end": r.end,
                    "target": r.target,
                    "probability": round(r.probability or 0.0, 3),
                    "right": f"{number}.{k}" not in wrong.get("right", []),
                }
                for k, r in enumerate(result.rewrites)
            ],
        }
        if result.rewrites:
            row |= {
                name: str(number) not in wrong.get(name, []) for name in ("grammatical", "meaning", "simpler")
            }
        rows.append(row)
    return rows


def figures(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Shares in per cent: of rewrites that are right, of sentences changed, and of changed outputs."""
    changed = [row for row in rows if row["rewrites"] or row.get("operations")]
    rewrites = [r for row in rows for r in row["rewrites"]]

    def share(flags: Sequence[bool]) -> float:
        return 100 * sum(flags) / len(flags) if flags else float("nan")

    return {
        "sentences": len(rows),
        "changed": share([bool(row["rewrites"] or row.get("operations")) for row in rows]),
        "rewrites": len(rewrites),
        "right": share([r["right"] for r in rewrites]),
        **{name: share([row[name] for row in changed]) for name in ("grammatical", "meaning", "simpler")},
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sheet", type=int, metavar="SEED", help="print the sheet of a sample")
    options = parser.parse_args()
    if options.sheet is not None:
        print("\n".join(sheet(options.sheet)))
        return
    rows = json.loads(JUDGEMENTS.read_text("utf-8"))["judgements"]
    for seed, judge in sorted({(row["sample"], row["judge"]) for row in rows}):
        mine = [row for row in rows if (row["sample"], row["judge"]) == (seed, judge)]
        for domain in (*DOMAINS, "all"):
            print(seed, judge, domain, figures([row for row in mine if domain in (row["domain"], "all")]))


if __name__ == "__main__":
    main()
