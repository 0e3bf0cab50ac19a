"""The speed of the simplifier's decoder, and the time of a candidate's SARI in tuning.

python -m benchmarks.figures.simplifier [MODEL]     with your own model
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

import plainmark as pm

from ..measuring import Figure
from ..texts import Texts


def figures(texts: Texts, model: str = "default") -> Iterator[Figure]:
    """CPU time, one thread."""
    corpus = texts.corpus(359)
    sources = corpus.texts("source")
    simplifier = pm.load_simplifier(model)
    simplifier.simplify(sources[:5], tokenized=True)
    start = time.process_time()
    outputs = [s.output for s in simplifier.simplify(sources, tokenized=True)]
    taken = time.process_time() - start
    yield Figure(f"Simplifier, model {model}", len(sources) / taken, "sentences per s of CPU", 0)
    prepared = pm.Corpus(sources, sources, [[source] * 8 for source in sources])
    metric = pm.metric("sari(tokenizer='none')")
    metric.stats(prepared)
    start = time.process_time()
    for _ in range(5):
        metric.reduce(metric.stats(prepared.with_outputs(outputs)))
    taken = time.process_time() - start
    yield Figure(
        "SARI of a candidate in tuning", 1e6 * taken / (5 * len(sources)), "µs of CPU", 1, "8 references"
    )


if __name__ == "__main__":
    for figure in figures(Texts(), *sys.argv[1:2]):
        print(f"{figure.what}: {figure.value:.{figure.digits}f} {figure.unit}")
