"""The estimated duration of a request, computed from its bytes before it is queued.

The figures were measured on one core of an ordinary machine for different kinds of text: ordinary prose, lists of numbers,
one word repeated. They need not be exact; they keep long jobs from delaying short ones, and reject requests that would
exceed the limit.
"""

from __future__ import annotations

LARGE = 0.3  # seconds from which a job counts as large

_SECONDS_PER_KILOBYTE = {"align": 0.02, "score": 0.05, "check": 0.01, "open": 0.002, "save": 0.002}
_EXPLAIN = 0.06  # all other operations
_SECONDS_PER_SENTENCE_PAIR = 3e-6
_OF_ONE_TEXT = ("check", "open", "save")  # operations that compare no sentences


class TooMuchWorkError(Exception):
    """A request would take longer than the time limit."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def estimated_seconds(operation: str, body: bytes) -> float:
    """The approximate number of seconds that a request takes."""
    by_length = len(body) / 1000 * _SECONDS_PER_KILOBYTE.get(operation, _EXPLAIN)
    if operation in _OF_ONE_TEXT:
        return by_length
    sentences = sum(body.count(mark) for mark in (b". ", b"! ", b"? ", b"\\n"))
    return by_length + (sentences / 2) ** 2 * _SECONDS_PER_SENTENCE_PAIR
