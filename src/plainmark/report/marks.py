"""Which words of a source and an output were kept, added, deleted, replaced or moved, as spans of characters.

The report's only door to word operations; spans become flat lists of numbers that the page's script reads.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .. import kernels

Span = tuple[int, int, str]  # start, end, operation

# The script has the same numbers; kept words are not marked.
CODES = {"added": 1, "deleted": 2, "replaced": 3, "moved": 4}
_WORD = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")


def changes(sources: Sequence[str], outputs: Sequence[str]) -> list[tuple[list[Span], list[Span]]]:
    """For every pair the spans of the source's and of the output's words."""
    spans = [[[m.span() for m in _WORD.finditer(t)] for t in texts] for texts in (sources, outputs)]
    a, b = (
        kernels.tokenize(
            [" ".join(t[i:j] for i, j in row) for t, row in zip(texts, rows, strict=True)],
            "none",
            lowercase=True,
        )
        for texts, rows in zip((sources, outputs), spans, strict=True)
    )
    partners = kernels.lcs_match(a, b)
    result = []
    for k, (left, right) in enumerate(zip(*spans, strict=True)):
        found = partners[a.offsets[k] : a.offsets[k + 1]]
        kept = set(found.tolist())
        result.append(
            (
                [
                    (i, j, "kept" if p >= 0 else "deleted")
                    for (i, j), p in zip(left, found.tolist(), strict=True)
                ],
                [(i, j, "kept" if k in kept else "added") for k, (i, j) in enumerate(right)],
            )
        )
    return result


def encode(source: str, output: str, spans: tuple[list[Span], list[Span]]) -> list[list[int]]:
    """Runs of changed words: [start, end, code, place] in the source and [start, end, code] in the output, flat.

    `place` is where in the output a deleted run stood: after the last kept word before it. Offsets count UTF-16 units,
    as the script does.
    """
    left, right = spans
    anchors = [end for _, end, operation in right if operation == "kept"]
    # Without a partner for every kept word a place would be a guess.
    placed = len(anchors) == sum(operation == "kept" for _, _, operation in left)
    source_runs: list[tuple[int, int, str, int]] = []
    seen, fresh = 0, True
    for start, end, operation in left:
        if operation == "kept":
            seen, fresh = seen + 1, True
            continue
        place = (anchors[seen - 1] if seen else 0) if placed else -1
        if not fresh and source_runs and source_runs[-1][2] == operation:
            source_runs[-1] = (source_runs[-1][0], end, operation, place)
        else:
            source_runs.append((start, end, operation, place))
        fresh = False
    output_runs: list[Span] = []
    fresh = True
    for start, end, operation in right:
        if operation != "kept":
            if not fresh and output_runs[-1][2] == operation:
                output_runs[-1] = (output_runs[-1][0], end, operation)
            else:
                output_runs.append((start, end, operation))
        fresh = operation == "kept"
    here, there = _units(source), _units(output)
    return [
        [n for s, e, o, p in source_runs for n in (here(s), here(e), CODES[o], there(p) if p >= 0 else -1)],
        [n for s, e, o in output_runs for n in (there(s), there(e), CODES[o])],
    ]


class _units:  # noqa: N801 - used as a function
    """From an index of characters to one of UTF-16 units."""

    def __init__(self, text: str) -> None:
        self.wide = [i for i, c in enumerate(text) if ord(c) > 0xFFFF]

    def __call__(self, index: int) -> int:
        return index + sum(i < index for i in self.wide)
