"""Word operations in the form that the page's script reads: runs of changed words as flat lists of numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..operations import Token, operations

# The script has the same numbers; kept words are not marked.
CODES = {"add": 1, "delete": 2, "replace": 3, "move": 4}


def marks(source: str, output: str) -> list[list[int]]:
    """Runs of changed words: [start, end, code, place, ...] in the source and [start, end, code, ...] in the output.

    `place` is where in the output a run stood that is gone: after the last kept word before it. Offsets count UTF-16
    units, as the script does. A change of case alone is no change.
    """
    diff = operations(source, output, lowercase=True)
    here, there = _units(source), _units(output)
    left = []
    for run, before in _runs(diff.source):
        place = diff.output[before.partner].end if before else 0
        left += [here(run[0].start), here(run[-1].end), CODES[run[0].op], there(place)]
    right = []
    for run, _ in _runs(diff.output):
        right += [there(run[0].start), there(run[-1].end), CODES[run[0].op]]
    return [left, right]


def _runs(tokens: Sequence[Token]) -> list[tuple[list[Token], Token | None]]:
    """Neighbouring changed tokens of one operation, each run with the last kept token before it."""
    runs: list[tuple[list[Token], Token | None]] = []
    kept: Token | None = None
    for i, token in enumerate(tokens):
        if token.op == "keep":
            kept = token
        elif i and token.op == tokens[i - 1].op:
            runs[-1][0].append(token)
        else:
            runs.append(([token], kept))
    return runs


def _units(text: str) -> Callable[[int], int]:
    """A function from an index of characters to one of UTF-16 units."""
    wide = [i for i, c in enumerate(text) if ord(c) > 0xFFFF]
    return lambda index: index + sum(i < index for i in wide)
