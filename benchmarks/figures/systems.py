"""The time of an additional system when sources and references are prepared, as in tuning and in tables of systems."""

from __future__ import annotations

import time
from collections.abc import Iterator

import plainmark as pm

from ..measuring import Figure
from ..texts import Texts, distinct


def figures(texts: Texts) -> Iterator[Figure]:
    """SARI."""
    whole = texts.corpus(3590)
    metric = pm.metric("sari")
    start = time.process_time()
    metric.score(whole)
    first = time.process_time() - start
    others = [whole.with_outputs([distinct(t, -k) for t in whole.outputs]) for k in range(1, 4)]
    start = time.process_time()
    for other in others:
        metric.score(other)
    further = (time.process_time() - start) / len(others)
    note = f"{len(whole.references[0])} references; the first system {1e6 * first / len(whole):.0f} µs"
    yield Figure("SARI of a sample of a further system", 1e6 * further / len(whole), "µs of CPU", 1, note)
