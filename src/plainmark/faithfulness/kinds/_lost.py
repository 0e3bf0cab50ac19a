"""Whether the output clearly keeps a statement of the source without its restriction.

Simplification leaves much out. A restriction counts as lost only if the statement that it limits is still made: most of its
words are in one sentence of the output, most of that sentence comes from the sentence of the restriction, and there is no
restriction of the same kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..alignment import Pair
from . import Mention

_KEPT = frozenset(("same", "form", "synonym"))
_STATED = 0.4  # shares of the words of the statement, and of the words of the sentence that has them
_LEAST = 2


def sentence_without(
    pair: Pair, restriction: Mention, statement: Sequence[int], after: Sequence[Mention]
) -> int | None:
    """The sentence of the output that makes a statement without a similar restriction; None if there is none."""
    source, output = pair.source.words, pair.output.words
    links = [link for i in statement if (link := pair.after.get(i)) and link.relation in _KEPT]
    if len(statement) < _LEAST or not links:
        return None
    sentence, count = Counter(output[link.j].sentence for link in links).most_common(1)[0]
    if count < max(_STATED * len(statement), _LEAST):
        return None
    own = source[restriction.first].sentence
    content = [j for j in pair.output.sentence_words(sentence) if output[j].content]
    covered = sum(
        (link := pair.linked(1, j)) is not None and link.relation in _KEPT and source[link.i].sentence == own
        for j in content
    )
    if covered < _STATED * len(content) or any(output[b.first].sentence == sentence for b in after):
        return None
    return sentence
