"""Wording that was copied from the source around a place where something was inserted, deleted or exchanged."""

from __future__ import annotations

from typing import NamedTuple

from ._view import AGREEING, View

# Words that do not count and may be missing on either side: articles, "do" beside a negation, quotation marks;
# adverbs as well.
_SKIPPED = frozenset("a an the do does did any to".split()) | frozenset("\"'“”‘’`*-")
_FORMS = {
    **dict.fromkeys("is are was were been being am 's ’s 're ’re".split(), "be"),
    **dict.fromkeys("has had having 've ’ve".split(), "have"),
    "ca": "can",
    "wo": "will",
}
_REACH = 6
# Longer words in -ly are adverbs.
_LONG = 6


class Copied(NamedTuple):
    """The number of equal words before and after a place in both texts; the number of content words among them; and whether
    one of these, or the end of both sentences, follows the place.
    """

    left: int
    right: int
    content: int
    closed: bool

    @property
    def sure(self) -> bool:
        """Whether it must be the same statement."""
        return self.left >= 1 and self.closed and self.left + self.right >= 4 and self.content >= 3


def copied(view: View, before: tuple[int, int], after: tuple[int, int]) -> Copied:
    """The wording around words `before` of the source (first and last) that is the same around words `after` of the output.

    A place between two words j and j + 1 of the output is (j + 1, j).
    """
    inside = (_inside(view, 0, max(before)), _inside(view, 1, max(after)))
    left, content_left, _ = _run(view, before[0] - 1, after[0] - 1, -1, inside)
    right, content_right, ended = _run(view, before[1] + 1, after[1] + 1, 1, inside)
    return Copied(left, right, content_left + content_right, ended or content_right > 0)


def _run(view: View, i: int, j: int, step: int, inside: tuple[range, range]) -> tuple[int, int, bool]:
    """The number of equal words in one direction, the number of content words among them, and whether both sentences end.

    A common end counts as two words.
    """
    source, output = view.pair.source.words, view.pair.output.words
    count = content = 0
    while count < _REACH:
        while i in inside[0] and _skipped(source[i].lower):
            i += step
        while j in inside[1] and _skipped(output[j].lower):
            j += step
        if i not in inside[0] or j not in inside[1]:
            ended = i not in inside[0] and j not in inside[1]
            return count + 2 * ended, content, ended
        a, b = source[i], output[j]
        same = _FORMS.get(a.base, a.base) == _FORMS.get(b.base, b.base)
        if not same and not any(k == j and relation in AGREEING for k, relation in view.partners(0, i)):
            break
        count += 1
        content += a.content and a.text[0].isalpha()
        i += step
        j += step
    return count, content, False


def _skipped(lower: str) -> bool:
    return lower in _SKIPPED or (lower.endswith("ly") and len(lower) > _LONG)


def _inside(view: View, side: int, index: int) -> range:
    passage = view.passages[side]
    return passage.sentence_words(passage.words[index].sentence)
