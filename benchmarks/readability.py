"""CPU seconds of FKGL and of all nine formulas, beside textstat, on a hundred variations of a file's lines.

python benchmarks/readability.py PATH/TO/one-sentence-a-line.txt
"""

import sys
import time
import warnings
from pathlib import Path

import plainmark as pm

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from textstat import textstat

FORMULAS = ["fkgl", "flesch", "ari", "coleman_liau", "smog", "gunning_fog", "dale_chall", "spache", "linsear"]
COPIES = 100


def cpu(work, repeats):
    """The shortest of several runs."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def score(texts, specs):
    corpus = pm.Corpus(None, texts)
    for spec in specs:
        pm.metric(spec).sample_scores(corpus)


lines = Path(sys.argv[1]).read_text("utf-8").splitlines()
texts = [f"{line} {copy}" for copy in range(COPIES) for line in lines]
variants = {"plainmark": "{}", "variant textstat": "{}(variant='textstat', rounded=True)"}
for spec in variants.values():  # warm: tables read, words hyphenated
    score(texts[: len(lines)], [spec.format("fkgl")])
for line in texts[: len(lines)]:
    textstat.flesch_kincaid_grade(line)

print(f"{len(texts)} texts")
peer = cpu(lambda: [textstat.flesch_kincaid_grade(text) for text in texts], 1)
print(f"fkgl   {'textstat':<20}{peer:8.3f}")
for name, spec in variants.items():
    ours = cpu(lambda spec=spec: score(texts, [spec.format("fkgl")]), 5)
    print(f"fkgl   {name:<20}{ours:8.3f}   {peer / ours:5.1f} times less")
for name, spec in variants.items():
    ours = cpu(lambda spec=spec: score(texts, [spec.format(f) for f in FORMULAS]), 3)
    print(f"all 9  {name:<20}{ours:8.3f}")
