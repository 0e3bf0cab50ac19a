"""Sentences that begin alike, and link texts that say nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ._findings import Finding, Rule, Text

_ALIKE = 3  # sentences in a row
_CLITIC = re.compile(r"['’](?:ll|ve|re|d|m|s)$")  # "You'll" opens as "You" does
_FIRST = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


def _openings(text: Text) -> Iterator[Finding]:
    row, before, paragraph = 0, "", -1
    for k, (start, end) in enumerate(text.spans):
        match = _FIRST.match(text.text, start, end)
        written = _CLITIC.sub("", match.group()) if match and text.sentences[k].words.count > 1 else ""
        word = written.lower()
        row = row + 1 if word and word == before and text.paragraphs[k] == paragraph else 1
        before, paragraph = word, text.paragraphs[k]
        if row >= _ALIKE and match:
            yield Finding(
                "PM204",
                match.start(),
                match.end(),
                f"{row} sentences in a row begin with “{written}”. Vary the openings, or make a list.",
                sentence=k,
            )


RULES = (
    Rule(
        "PM204",
        "same opening",
        f"{_ALIKE} sentences of a paragraph or more begin with the same word (“You'll” counts as “You”). That can be meant, as in"
        " a list of steps; often it makes a text sound like a machine. Items of a list and sentences of one word are left alone.",
        "The owl hunts at night. The owl eats mice and voles. The owl has large eyes.",
        "The owl hunts at night. It eats mice and voles. Its eyes are large.",
        text=_openings,
    ),
)
