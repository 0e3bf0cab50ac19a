"""Runs many short pieces through a model: pieces of one length together, several batches at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._settings import settings

Ints = NDArray[np.int32]
Floats32 = NDArray[np.float32]


def run(
    pieces: Sequence[Ints], model: Callable[[Ints], Floats32], batch_tokens: int
) -> Iterator[tuple[int, Floats32]]:
    """The index of each piece and the model's result for it, the longest pieces first.

    Without padding, the result of a piece does not depend on the other pieces of its batch.
    """
    batches = _batches([len(p) for p in pieces], batch_tokens)
    run_settings = settings()
    done = 0

    def run_batch(batch: list[int]) -> Any:
        return model(np.stack([pieces[i] for i in batch]))

    with ThreadPoolExecutor(max(1, min(run_settings.workers, len(batches)))) as pool:
        for batch, results in zip(batches, pool.map(run_batch, batches), strict=True):
            yield from zip(batch, results, strict=True)
            done += len(batch)
            if run_settings.progress is not None:
                run_settings.progress(done, len(pieces))


def _batches(lengths: Sequence[int], batch_tokens: int) -> list[list[int]]:
    """The longest batches first, so that the last one to finish is short."""
    of_length: dict[int, list[int]] = defaultdict(list)
    for i, n in enumerate(lengths):
        of_length[n].append(i)
    batches = []
    for n in sorted(of_length, reverse=True):
        size = max(1, batch_tokens // n)
        same = of_length[n]
        batches += [same[start : start + size] for start in range(0, len(same), size)]
    return batches
