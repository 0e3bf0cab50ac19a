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

# The metric quality is recomputed for each sentence and word that is left out: for the model itself, for each text, and
# for each kilobyte of it and of the original, and for each of these with each. One request leaves out as many as this time
# allows; the page asks for the rest.
_QUALITY_START, _QUALITY_PER_TEXT, _QUALITY_PER_KILOBYTE, _QUALITY_PER_SQUARE = 0.5, 0.008, 0.04, 0.0003
_QUALITY_AT_ONCE = 2.0


class TooMuchWorkError(Exception):
    """A request would take longer than the time limit."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def estimated_seconds(operation: str, body: bytes) -> float:
    """The approximate number of seconds that a request takes."""
    if operation == "quality":
        texts = min(body.count(b" ") + 1, quality_texts(len(body)))
        return _QUALITY_START + quality_seconds(len(body), texts + 1)
    by_length = len(body) / 1000 * _SECONDS_PER_KILOBYTE.get(operation, _EXPLAIN)
    if operation in _OF_ONE_TEXT:
        return by_length
    sentences = sum(body.count(mark) for mark in (b". ", b"! ", b"? ", b"\\n"))
    return by_length + (sentences / 2) ** 2 * _SECONDS_PER_SENTENCE_PAIR


def quality_seconds(characters: int, texts: int) -> float:
    """The seconds that the metric quality takes for so many texts, each with its original so long."""
    kilobytes = characters / 1000
    return texts * (
        _QUALITY_PER_TEXT + _QUALITY_PER_KILOBYTE * kilobytes + _QUALITY_PER_SQUARE * kilobytes**2
    )


def quality_texts(characters: int) -> int:
    """How many texts one request may score, beside the whole one."""
    return max(1, int(_QUALITY_AT_ONCE / quality_seconds(characters, 1)))
