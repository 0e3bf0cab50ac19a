"""The operation on every word of a simplification: kept, moved, replaced, deleted or added.

Kept words are the longest common subsequence of source and output. A phrase of other words that occurs
elsewhere in the other text has moved (a phrase of fewer than four words only if it occurs once on either
side, and punctuation never on its own). Between two kept words, added words replace deleted ones, and added
punctuation deleted punctuation. All other words are deleted or added. The offsets are those of the original
texts, so that nothing is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from . import kernels
from .kernels import Tokens

Op = Literal["keep", "move", "replace", "delete", "add"]

# Punctuation and symbols; all other characters except white space belong to words, in any script.
_MARK = (
    r"!-/:-@\[-`{-~\u00a1-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7\u2010-\u2027\u2030-\u205e"
    r"\u20a0-\u20cf\u2190-\u2bff\u3001-\u3003\u3008-\u3011\u3014-\u301f\uff01-\uff0f\uff1a-\uff20"
    r"\U0001f000-\U0001faff"
)
_LETTER = rf"[^\s{_MARK}]"
# Apostrophes and hyphens stay inside words, points and commas inside numbers.
_TOKEN = re.compile(rf"{_LETTER}+(?:(?:['’-]|(?<=[0-9])[.,](?=[0-9])){_LETTER}+)*|[{_MARK}]")
_ALONE = re.compile(rf"[{_MARK}]")

_SOURCE_OPS: tuple[Op, ...] = ("keep", "move", "replace", "delete")
_OUTPUT_OPS: tuple[Op, ...] = ("keep", "move", "replace", "add")


class Token(NamedTuple):
    """A word or punctuation mark with its offsets in its text and its operation."""

    text: str
    start: int
    end: int
    op: Op
    partner: int  # index of the same token in the other text if it was kept or moved, else -1


@dataclass(frozen=True)
class Diff:
    """The tokens of a source and of its simplification."""

    source: tuple[Token, ...]
    output: tuple[Token, ...]


def operations(source: str, output: str, *, lowercase: bool = False) -> Diff:
    """The operation on each word of the source, and the origin of each word of the output.

    >>> [(t.text, t.op) for t in operations("He purchased it.", "He bought it.").output]
    [('He', 'keep'), ('bought', 'replace'), ('it', 'keep'), ('.', 'keep')]
    """
    spans = [[(m.group(), m.start(), m.end()) for m in _TOKEN.finditer(text)] for text in (source, output)]
    words = [[token[0] for token in row] for row in spans]
    a, b = (_hashes(row, lowercase=lowercase) for row in words)
    marks = _hashes(sorted({w for row in words for w in row if _ALONE.fullmatch(w)}), lowercase=False)
    a_ops, b_ops, a_partner, b_partner = kernels.operations(a, b, marks=marks.hashes)
    return Diff(
        tuple(
            Token(*token, _SOURCE_OPS[op], partner)
            for token, op, partner in zip(spans[0], a_ops.tolist(), a_partner.tolist(), strict=True)
        ),
        tuple(
            Token(*token, _OUTPUT_OPS[op], partner)
            for token, op, partner in zip(spans[1], b_ops.tolist(), b_partner.tolist(), strict=True)
        ),
    )


def pieces(text: str, tokens: Sequence[Token]) -> Iterator[tuple[str, Op | None]]:
    """The text cut where the operation changes, None for white space between; joined, the pieces are the text."""
    position = 0
    i = 0
    while i < len(tokens):
        last = i
        while last + 1 < len(tokens) and tokens[last + 1].op == tokens[i].op:
            last += 1
        start, end = tokens[i].start, tokens[last].end
        if start > position:
            yield text[position:start], None
        yield text[start:end], tokens[i].op
        position = end
        i = last + 1
    if position < len(text):
        yield text[position:], None


def _hashes(words: list[str], *, lowercase: bool) -> Tokens:
    return kernels.tokenize([" ".join(words)], "none", lowercase=lowercase)
