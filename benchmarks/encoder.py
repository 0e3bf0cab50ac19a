"""Embeds 1,000 ASSET sentences here and with sentence-transformers on the same weights, in turn, in one run.

make parity-models           makes the environment .venv-models, which has torch and sentence-transformers
.venv-models/bin/python benchmarks/encoder.py

Wall time is what a user waits for; CPU time is what is left of it on a busy machine. torch's threads wait actively for
each other, so its CPU time says less than ours.
"""

import os
import sys
import time
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
warnings.simplefilter("ignore")
os.environ["TRANSFORMERS_VERBOSITY"] = "error"

import numpy as np  # noqa: E402
from sentence_transformers import SentenceTransformer  # noqa: E402

from conftest import lines  # noqa: E402
from plainmark import models  # noqa: E402

ROUNDS = 3


def measure(work):
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, time.perf_counter() - wall, time.process_time() - cpu


def main():
    texts = list(dict.fromkeys(lines("asset/asset.valid.orig")))[:1000]
    ours, theirs = (
        models.encoder("minilm"),
        SentenceTransformer(str(models.find("minilm").path), device="cpu"),
    )
    ours.sentence_vectors(texts[:20])
    theirs.encode(texts[:20])
    rows = []
    for _ in range(ROUNDS):
        ours.memory = models.MemoryCache()
        a, *of_a = measure(lambda: ours.sentence_vectors(texts))
        b, *of_b = measure(lambda: theirs.encode(texts))
        rows.append([*of_a, *of_b])
    wall, cpu, their_wall, their_cpu = np.min(rows, axis=0)
    print(f"{len(texts)} sentences, {len(os.sched_getaffinity(0))} cores, best of {ROUNDS}")
    print(f"plainmark              {wall:6.2f} s wall  {cpu:6.2f} s CPU")
    print(f"sentence-transformers  {their_wall:6.2f} s wall  {their_cpu:6.2f} s CPU")
    print(f"ratio                  {wall / their_wall:6.2f}         {cpu / their_cpu:6.2f}")
    print(f"smallest cosine {(a * b).sum(1).min():.7f}, largest difference {np.abs(a - b).max():.1e}")


if __name__ == "__main__":
    main()
