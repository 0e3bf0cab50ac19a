"""How long the command takes to start."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from ..measuring import Figure
from ..texts import Texts


def figures(texts: Texts) -> Iterator[Figure]:
    """Wall seconds, the best of five."""
    numpy = _wall("-c", "import numpy")
    yield Figure(
        "import plainmark", _wall("-c", "import plainmark"), "s", note=f"Python and numpy alone {numpy:.2f} s"
    )
    corpus = texts.corpus(359)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        columns = {"source": corpus.sources, "output": corpus.outputs}
        columns |= {f"r{i}": column for i, column in enumerate(zip(*corpus.references, strict=True))}
        for side, texts_of_side in columns.items():
            (folder / side).write_text("\n".join(texts_of_side) + "\n", "utf-8")
        words = [str(folder / "output"), "-s", str(folder / "source")]
        for side in list(columns)[2:]:
            words += ["-r", str(folder / side)]
        taken = _wall("-m", "plainmark", "score", *words, "-m", "sari")
    yield Figure(f"plainmark score, SARI of {len(corpus)} samples", taken, "s", note="the whole command")


def _wall(*words):
    times = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run([sys.executable, *words], check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return min(times)
