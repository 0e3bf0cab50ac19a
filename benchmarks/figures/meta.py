"""Paired permutation tests of two metrics with their intervals: 10 systems x 1,000 items x 1,000 permutations."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

import plainmark as pm

from ..measuring import Figure
from ..texts import Texts

SYSTEMS, ITEMS = 10, 1000
TASKS = ("coefficient=pearson", "coefficient=spearman", "coefficient=kendall", "coefficient=pairwise")


def figures(texts: Texts) -> Iterator[Figure]:
    """CPU seconds."""
    items = texts.size(ITEMS)
    rng = np.random.default_rng(0)
    quality = rng.normal(size=(SYSTEMS, items))

    def cells(noise):
        values = quality + noise * rng.normal(size=quality.shape)
        return {(f"s{i}", str(j)): float(values[i, j]) for i in range(SYSTEMS) for j in range(items)}

    people = pm.Ratings(pm.Rating(s, i, "quality", "x", v) for (s, i), v in cells(0.5).items())
    a, b = pm.Scores("a", cells(1.0)), pm.Scores("b", cells(1.1))
    for task in TASKS:
        start = time.process_time()
        pm.compare_metrics(task, a, b, people)
        taken = time.process_time() - start
        name = f"Two metrics compared, {task.removeprefix('coefficient=')}"
        yield Figure(name, taken, "s of CPU", note=f"{SYSTEMS} systems × {items:,} items, 1,000 permutations")
