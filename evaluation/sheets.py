"""Writes sheets for judges of the outputs of `simplify --split` for unseen sentences, and reads their judgements.

    python -m evaluation.sheets FOLDER              write sentences.tsv, rewrites.tsv, splits.tsv and items.json
    python -m evaluation.sheets FOLDER --merge A B  read *.judged-A.tsv and *.judged-B.tsv into tests/golden

Sample 11 has forty sentences each of health (Cochrane, CELLS), news (ReadMe++) and encyclopedia (SWiPE) that no earlier
sample had, and 100 further splits: half from ReadMe++, half from documents of Cochrane, CELLS, PLABA and SWiPE that nothing
was developed on and of which no split was judged before, one per sentence or document.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import plainmark as pm
from evaluation.rewrites import DOMAINS, JUDGEMENTS, LENGTH, PER_DOMAIN, Sentence, sample, unseen
from evaluation.texts import PARTS, data_folder, read
from plainmark.simplifier import structure

SAMPLE = 11
SPLITS = 100
SPLIT_JUDGEMENTS = JUDGEMENTS.with_name("structure_judgements.json")
_GENRES = ("News Articles", "Wikipedia", "Research and Innovation", "Textbooks", "Finance", "Legal", "Guides")
_PARTS = (*PARTS["judge"], *PARTS["held"])
_VERDICTS = ("grammatical", "meaning", "simpler")


def readme(data: Path, genres: Sequence[str]) -> list[Sentence]:
    """English sentences of ReadMe++; the document is set and line, from 0."""
    out = []
    for part in ("train", "val"):
        with (data / "cefr" / "readme-plus-plus" / f"readme_en_{part}.csv").open(
            encoding="utf-8", newline=""
        ) as file:
            for number, row in enumerate(csv.DictReader(file)):
                text = " ".join(row["Sentence"].split())
                if row["Domain"] in genres and LENGTH[0] <= len(text.split()) <= LENGTH[1]:
                    out.append(Sentence("news", "readme_pp", f"{part}-{number:04}", 0, len(text), text))
    return out


def sentences(data: Path) -> list[Sentence]:
    """The sentences of the sample."""
    earlier = {s.key for seed in range(1, SAMPLE) for s in sample(data, seed)}
    rng = random.Random(SAMPLE)
    out: list[Sentence] = []
    for domain, datasets in DOMAINS.items():
        choice = (
            readme(data, ("News Articles",)) if domain == "news" else unseen(domain, datasets, data, _PARTS)
        )
        out += rng.sample([s for s in choice if s.key not in earlier], PER_DOMAIN)
    return out


def simplified(texts: Sequence[str]) -> list[tuple[structure.Structured, Any]]:
    """The output of `simplify --split` for texts: the splits, and the words put after them."""
    results = structure.split(texts)
    return list(zip(results, pm.load_simplifier().simplify([r.output for r in results]), strict=True))


def splits(data: Path) -> list[tuple[Sentence, int, structure.Structured]]:
    """Splits of texts that no sentence of the sample is from, with the number of the operation."""
    rng = random.Random(SAMPLE)
    taken = {(s.dataset, s.document) for s in sentences(data)}
    taken |= {
        (row["dataset"], row["document"])
        for row in json.loads(SPLIT_JUDGEMENTS.read_text("utf-8"))["judgements"]
    }
    documents = {
        (t.dataset, t.document): Sentence("", t.dataset, t.document, 0, len(t.source), t.source)
        for t in read(data, _PARTS, ("cochrane", "cells", "plaba", "swipe"))
    }
    pools = (
        [s for s in readme(data, _GENRES) if (s.dataset, s.document) not in taken],
        [s for key, s in sorted(documents.items()) if key not in taken],
    )
    out = []
    for pool in pools:
        order = rng.sample(pool, len(pool))
        count = 0
        for start in range(0, len(order), 50):
            chunk = order[start : start + 50]
            for text, result in zip(chunk, structure.split([s.text for s in chunk]), strict=True):
                if result.operations and count < SPLITS // 2:
                    out.append((text, rng.randrange(len(result.operations)), result))
                    count += 1
            if count == SPLITS // 2:
                break
    return out


def write(folder: Path) -> None:
    """The three sheets, with empty columns for verdicts."""
    data = data_folder()
    sample_rows = sentences(data)
    results = simplified([s.text for s in sample_rows])
    folder.mkdir(parents=True, exist_ok=True)
    outputs, rewrites = [], []
    for number, (sentence, (split, result)) in enumerate(zip(sample_rows, results, strict=True)):
        if result.output == sentence.text:
            continue
        outputs.append([f"s{number}", sentence.domain, sentence.text, result.output, "", "", ""])
        rewrites += [
            [f"r{number}.{k}", split.output, r.source, r.target, result.output, ""]
            for k, r in enumerate(result.rewrites)
        ]
    judged_splits = splits(data)
    rows = [
        [f"p{number}", *_around(result, which), ""] for number, (_, which, result) in enumerate(judged_splits)
    ]
    items = {
        "sentences": [_sentence_item(*row) for row in zip(sample_rows, results, strict=True)],
        "splits": [_split_item(*row) for row in judged_splits],
    }
    (folder / "items.json").write_text(json.dumps(items, ensure_ascii=False, indent=1) + "\n", "utf-8")
    _table(folder / "sentences.tsv", ["id", "domain", "source", "output", *_VERDICTS], outputs)
    _table(
        folder / "rewrites.tsv", ["id", "sentence", "phrase", "put for it", "whole output", "right"], rewrites
    )
    _table(folder / "splits.tsv", ["id", "before", "after", "right"], rows)
    print(
        f"{len(outputs)} of {len(sample_rows)} sentences changed, {len(rewrites)} rewrites, {len(rows)} splits"
    )


def _around(result: structure.Structured, which: int) -> tuple[str, str]:
    """The sentences that one operation changed, before and after it, with the previous sentence for context."""
    operation = result.operations[which]
    before, after = result.until(which), result.until(which + 1)
    start = max(before.rfind(". ", 0, max(operation.start - 1, 0)) + 2, 0) if operation.start else 0
    start = start if start > 1 else 0
    end = _stop(before, operation.end)
    return before[start:end].replace("\n", " "), after[start : end + len(after) - len(before)].replace(
        "\n", " "
    )


def _stop(text: str, start: int) -> int:
    place = text.find(". ", max(start - 1, 0))
    return len(text) if place < 0 else place + 1


def _table(path: Path, names: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, delimiter="\t", lineterminator="\n")
        table.writerow(names)
        table.writerows([" ".join(cell.split()) for cell in row] for row in rows)


def _sentence_item(sentence: Sentence, outcome: tuple[structure.Structured, Any]) -> dict[str, Any]:
    """A sentence of the sample by its place, with its output."""
    split, result = outcome
    return {
        "sample": SAMPLE,
        "domain": sentence.domain,
        "dataset": sentence.dataset,
        "document": sentence.document,
        "start": sentence.start,
        "end": sentence.end,
        "operations": [o.name for o in split.operations],
        "rewrites": [
            {
                "start": r.start,
                "end": r.end,
                "target": r.target,
                "probability": round(r.probability or 0.0, 3),
            }
            for r in result.rewrites
        ],
    }


def _split_item(text: Sentence, which: int, result: structure.Structured) -> dict[str, Any]:
    """A split by its place: characters of the text before the operation."""
    operation = result.operations[which]
    return {
        "dataset": text.dataset,
        "document": text.document,
        "number": which,
        "operation": operation.name,
        "start": operation.start,
        "end": operation.end,
    }


def merge(folder: Path, judges: Sequence[str]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The judgements of judges, by place: of the sentences, and of the splits."""
    items = json.loads((folder / "items.json").read_text("utf-8"))
    outputs = []
    for judge in judges:
        verdicts = _judged(folder, "sentences", judge) | _judged(folder, "rewrites", judge)
        for number, item in enumerate(items["sentences"]):
            rewrites = [r | verdicts[f"r{number}.{k}"] for k, r in enumerate(item["rewrites"])]
            outputs.append(item | {"rewrites": rewrites} | verdicts.get(f"s{number}", {}) | {"judge": judge})
    splits_judged = {judge: _judged(folder, "splits", judge) for judge in judges}
    rows = [
        item | {"right": {judge: splits_judged[judge][f"p{number}"]["right"] for judge in judges}}
        for number, item in enumerate(items["splits"])
    ]
    return outputs, rows


def _judged(folder: Path, name: str, judge: str) -> dict[str, dict[str, bool]]:
    """The verdicts of a judge's sheet by id; "yes" or "no", in any case."""
    path = folder / f"{name}.judged-{judge}.tsv"
    out = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            out[row["id"]] = {n: _verdict(row[n], path, row["id"]) for n in (*_VERDICTS, "right") if n in row}
    return out


def _verdict(text: str, path: Path, name: str) -> bool:
    answer = text.strip().lower()
    if answer not in ("yes", "no"):
        raise ValueError(f"{path}: {name} has {text!r}, but a verdict is yes or no.")
    return answer == "yes"


def _lines(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    for k, row in enumerate(rows):
        yield f" {json.dumps(row, ensure_ascii=False)}{',' if k < len(rows) - 1 else ''}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--merge", nargs="+", metavar="JUDGE")
    options = parser.parse_args()
    if not options.merge:
        write(options.folder)
        return
    outputs, rows = merge(options.folder, options.merge)
    for name, part, about in (
        (
            "simplifier_sample_11.json",
            outputs,
            "What simplify --split makes of unseen sentences, judged by language models that did not know the rules",
        ),
        (
            "structure_sample_11.json",
            rows,
            "100 further splits of unseen texts, judged by language models that did not know the rules",
        ),
    ):
        path = JUDGEMENTS.with_name(name)
        text = "\n".join(_lines(part))
        path.write_text(
            f'{{"about": "{about}; evaluation/sheets.py says how.", "judgements": [\n{text}\n]}}\n', "utf-8"
        )


if __name__ == "__main__":
    main()
