"""The speed of the ledger: a pair of 500 words, and ASSET's 359 test sentences with one system's outputs."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from . import ledgers
from .tables import Table
from .texts import Text

WORDS, REPEATS = 500, 5


def table(texts: Sequence[Text], data: Path, facts: ledgers.Facts) -> Table:
    """The best of several runs each, in milliseconds of CPU time: the three sources nearest to 500 words, and ASSET."""
    rows = []
    for text in sorted(texts, key=lambda t: abs(len(t.source.split()) - WORDS))[:3]:
        lengths = f"{len(text.source.split())} and {len(text.output.split())} words"
        rows.append([f"one pair, {lengths}", _milliseconds([(text.source, text.output)], facts, REPEATS)])
    asset = data / "asset" / "asset.test.orig", data / "outputs" / "ACCESS"
    if all(path.exists() for path in asset):
        sides = [path.read_text("utf-8").splitlines() for path in asset]
        pairs = list(zip(*sides, strict=True))
        rows.append([f"{len(pairs)} sentence pairs", _milliseconds(pairs, facts, 2)])
    return Table("Speed, milliseconds of CPU time", ["what", "ms"], rows)


def _milliseconds(pairs: Sequence[tuple[str, str]], facts: ledgers.Facts, repeats: int) -> float:
    best = float("inf")
    for k in range(repeats):
        begin = time.process_time()
        for source, output in pairs:
            facts(source + " " * k, output)  # other texts, in case results are cached
        best = min(best, time.process_time() - begin)
    return round(1000 * best, 1)
