"""How fast the simplifier decodes, and what a candidate's SARI costs: python benchmarks/simplifier.py TEXT [MODEL]

TEXT has a sentence a line, split at spaces. CPU time, one thread.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import plainmark as pm


def main(path: str, name: str = "default") -> None:
    lines = Path(path).read_text("utf-8").splitlines()
    began = time.process_time()
    made = pm.simplifier(name)
    print(f"load: {time.process_time() - began:.2f} s")
    began = time.process_time()
    outputs = [s.output for s in made.simplify(lines, tokenized=True)]
    spent = time.process_time() - began
    print(
        f"simplify: {len(lines) / spent:.0f} sentences/s, {sum(a != b for a, b in zip(lines, outputs, strict=True))} changed"
    )
    corpus = pm.Corpus(lines, lines, [[line] * 8 for line in lines])
    metric = pm.metric("sari(tokenizer='none')")
    metric.stats(corpus)  # sources and references are prepared once
    began = time.process_time()
    for _ in range(5):
        metric.reduce(metric.stats(corpus.with_outputs(outputs)))
    spent = time.process_time() - began
    print(f"SARI of a candidate, 8 references: {1e6 * spent / (5 * len(lines)):.1f} microseconds")


if __name__ == "__main__":
    main(*sys.argv[1:3])
