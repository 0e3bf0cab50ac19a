"""How Agg correlates with human ratings on the three document sets of its paper: aligners, restrictions, thresholds.

    NLTK_DATA=PATH/TO/nltk_data python -m benchmarks agg_table PATH/TO/doc-meta

COCHRANE: share of pairs that are ranked like the human judges minus the share of others; D-WIKI and ONESTOPQA: Pearson's r.
"""

import argparse
import json
from pathlib import Path

import numpy as np

import plainmark as pm

COLUMNS = ("COCHRANE", "fluency", "meaning", "simplicity", "accuracy", "answerability")
SARI = "sari(variant='agg')"
RELEASED = f"agg({SARI}, aligner=%s, protocol='released'%s)"
SPECS = [
    "bleu(lowercase=True)",
    SARI,
    "dsari(tokenizer='nltk')",
    *(RELEASED % (a, "") for a in ("context", "context(encoder='minilm')", "tfidf", "jaccard", "embedding")),
    *(RELEASED % ("context", f", restriction='{r}'") for r in ("best-source", "best-output")),
    *(RELEASED % ("context", f", ablation='{r}'") for r in ("best-source", "best-output")),
    *(RELEASED % ("context", f", threshold={t}") for t in (0.1, 0.3, 0.7, 0.9)),
    f"agg({SARI}, aligner=context)",
]


def rows(folder, name):
    return [json.loads(line) for line in (folder / f"{name}.jsonl").read_text("utf-8").splitlines()]


def corpus(data, output="simplification"):
    return pm.Corpus(
        [r["original"] for r in data], [r[output] for r in data], [r["references"] for r in data]
    )


def rating(data, name):
    return np.array([next(x["agg_value"] for x in r["ratings"] if x["name"] == name) for r in data])


def main(arguments):
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks agg_table",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "folder", type=Path, help="folder with cochrance_lj.jsonl, dwiki_final.jsonl and qa.jsonl"
    )
    folder = parser.parse_args(arguments).folder
    cochrane, dwiki, qa = (rows(folder, n) for n in ("cochrance_lj", "dwiki_final", "qa"))
    first, second = corpus(cochrane, "simplification1"), corpus(cochrane, "simplification2")
    preferred = np.array([r["ratings"][0]["agg_value"] for r in cochrane])  # 0: the first is better
    wiki, onestop = corpus(dwiki), corpus(qa)
    ratings = {n: rating(dwiki, n) for n in ("grammar", "meaning", "simplicity-overall")}
    answers = [np.array([r["ratings"][k]["agg_value"] for r in qa]) for k in (0, 1)]
    print("| metric | " + " | ".join(COLUMNS) + " |\n|---|" + "---:|" * len(COLUMNS))
    for spec in SPECS:
        metric = pm.metric(spec)
        difference = metric.sample_scores(first) - metric.sample_scores(second)
        agrees = np.where(preferred == 0, difference >= 0, difference <= 0)
        values = [2 * agrees.mean() - 1]
        scores = metric.sample_scores(wiki)
        values += [np.corrcoef(scores, r)[0, 1] for r in ratings.values()]
        scores = metric.sample_scores(onestop)
        values += [np.corrcoef(scores, a)[0, 1] for a in answers]
        print(f"| `{spec}` | " + " | ".join(f"{v:.3f}" for v in values) + " |", flush=True)
