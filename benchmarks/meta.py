"""How long paired permutation tests of two metrics take: 10 systems x 1,000 items x 1,000 permutations.

Run: python benchmarks/meta.py
"""

import time

import numpy as np

import plainmark as pm

SYSTEMS, ITEMS = 10, 1000
TASKS = [
    "coefficient=pearson",
    "coefficient=spearman",
    "coefficient=kendall",
    "coefficient=pairwise",
    "level=within-sample coefficient=kendall",
    "level=system resample=sample",
]


def main() -> None:
    rng = np.random.default_rng(0)
    quality = rng.normal(size=(SYSTEMS, ITEMS))

    def cells(noise: float) -> dict[tuple[str, str], float]:
        values = quality + noise * rng.normal(size=quality.shape)
        return {(f"s{i}", str(j)): float(values[i, j]) for i in range(SYSTEMS) for j in range(ITEMS)}

    people = pm.Ratings(pm.Rating(s, i, "quality", "x", v) for (s, i), v in cells(0.5).items())
    a, b = pm.Scores("a", cells(1.0)), pm.Scores("b", cells(1.1))
    print(
        f"{SYSTEMS} systems x {ITEMS:,} items x 1,000 permutations and as many resamples, seconds of one thread"
    )
    for task in TASKS:
        start = time.process_time()
        pm.compare_metrics(task, a, b, people)
        print(f"{task:42} {time.process_time() - start:6.2f}")


if __name__ == "__main__":
    main()
