"""Words as NLTK's word_tokenize finds them: sentences by Punkt, then Treebank words with NLTK's treatment of quotes.

Reference: MacIntyre 1995, the Penn Treebank's tokenizer script; NLTK 3.9.1 (later versions treat closing quotes
differently).
"""

from __future__ import annotations

from collections.abc import Sequence

from . import kernels
from .punkt import PLAIN, Punkt


def word_tokenize(text: str, parameters: Punkt = PLAIN) -> list[str]:
    """The words of a text.

    >>> word_tokenize("He said: \"I can't.\"")
    ['He', 'said', ':', '``', 'I', 'ca', "n't", '.', "''"]
    """
    return spaced([text], parameters)[0].split()


def spaced(texts: Sequence[str], parameters: Punkt = PLAIN) -> list[str]:
    """Each text tokenised, with words separated by single spaces."""
    spans = [parameters.spans(text) for text in texts]
    sentences = kernels.treebank(
        [
            text[start:end]
            for text, sentence_spans in zip(texts, spans, strict=True)
            for start, end in sentence_spans
        ]
    )
    remaining = iter(sentences)
    return [" ".join(filter(None, (next(remaining) for _ in sentence_spans))) for sentence_spans in spans]
