"""The edits between two versions: which paragraphs correspond, and which words of a paragraph differ."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

_TOKEN = re.compile(r"\w+\s*|[^\w\s]\s*|\s+")
_MOST_COMPARED = 2_000_000  # limit for tokens of one text times repetitions of each in the other
_MOST_PAIRS = 40_000  # limit for paragraphs of one text times those of the other
_TOGETHER = 0.05  # value of a pair without a common word, because a rewritten paragraph keeps its place

Pair = tuple[int | None, int | None]


def edits(old: str, new: str) -> list[tuple[int, int, str]]:
    """The edits from `old` to `new`, in order: the characters that change, and the words that replace them.

    >>> edits("They purchased it prior to May.", "They bought it before May.")
    [(5, 14, 'bought'), (18, 26, 'before')]
    """
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    out = []
    for a, b, c, d in _blocks(before, after):
        start = sum(map(len, before[:a]))
        gone, words = "".join(before[a:b]), "".join(after[c:d])
        lead = _common(gone, words)
        tail = _common(gone[lead:][::-1], words[lead:][::-1])
        out.append((start + lead, start + len(gone) - tail, words[lead : len(words) - tail]))
    return out


def matched(old: Sequence[str], new: Sequence[str]) -> list[Pair]:
    """The alignment of paragraphs, in order; None means that a paragraph was deleted or added.

    >>> matched(["Owls", "They hunt at night.", "Read on."], ["Owls", "They are birds.", "They hunt by night.", "Read on."])
    [(0, 0), (None, 1), (1, 2), (2, 3)]
    """
    out: list[Pair] = []
    i = j = 0
    for a, b, c, d in [*_blocks(old, new), (len(old), len(old), len(new), len(new))]:
        out += zip(range(i, a), range(j, c), strict=True)
        out += _paired(old, new, range(a, b), range(c, d))
        i, j = b, d
    return out


def _common(first: str, second: str) -> int:
    """The number of spaces at the beginning of both."""
    count = 0
    for a, b in zip(first, second, strict=False):
        if a != b or not a.isspace():
            break
        count += 1
    return count


def _blocks(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """The stretches in which two sequences differ: start and end in each."""
    lead = 0
    most = min(len(old), len(new))
    while lead < most and old[lead] == new[lead]:
        lead += 1
    tail = 0
    while tail < most - lead and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    before, after = old[lead : len(old) - tail], new[lead : len(new) - tail]
    if not before and not after:
        return []
    counts = Counter(after)
    if sum(counts[item] for item in before) > _MOST_COMPARED or not before or not after:
        return [(lead, lead + len(before), lead, lead + len(after))]
    codes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [(lead + a, lead + b, lead + c, lead + d) for kind, a, b, c, d in codes if kind != "equal"]


def _paired(old: Sequence[str], new: Sequence[str], left: range, right: range) -> list[Pair]:
    """Paragraphs of two stretches that differ, paired by their words without crossing."""
    if len(left) * len(right) > _MOST_PAIRS:
        both = min(len(left), len(right))
        rest: list[Pair] = [(i, None) for i in left[both:]] + [(None, j) for j in right[both:]]
        return [*zip(left[:both], right[:both], strict=True), *rest]
    words = [Counter(old[i].lower().split()) for i in left]
    others = [Counter(new[j].lower().split()) for j in right]
    best = [[0.0] * (len(right) + 1) for _ in range(len(left) + 1)]
    worth = [[_similarity(one, other) + _TOGETHER for other in others] for one in words]
    for i in range(len(left) - 1, -1, -1):
        for j in range(len(right) - 1, -1, -1):
            best[i][j] = max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + worth[i][j])
    out: list[Pair] = []
    i = j = 0
    while i < len(left) and j < len(right):
        if best[i][j] == best[i + 1][j + 1] + worth[i][j]:
            out.append((left[i], right[j]))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            out.append((left[i], None))
            i += 1
        else:
            out.append((None, right[j]))
            j += 1
    return out + [(k, None) for k in left[i:]] + [(None, k) for k in right[j:]]


def _similarity(first: Counter[str], second: Counter[str]) -> float:
    total = first.total() + second.total()
    return 2 * (first & second).total() / total if total else 0.0
