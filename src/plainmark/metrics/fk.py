"""FK: Flesch-Kincaid grade of single sentences, as Xu et al. 2016 tune and report it; the mean over sentences.

    FK = 0.39 * words + 11.8 * syllables / words - 15.59

A text is one sentence, tokens are separated by spaces, and a punctuation mark is a word of one syllable. The
program behind the paper's Table 5 subtracts 15.19 by mistake and counts a grade below 0 as 0: constant=15.19,
floored=True.
Reference: Xu et al. 2016, Optimizing Statistical Machine Translation for Text Simplification, TACL 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import Annotated, Literal

import numpy as np

from .. import text
from ..data import Corpus
from ..kernels import COUNT_COLUMNS
from ..metric import Floats, MeanMetric, divide
from ..syllables import count_words, syllables
from ..text import TokenizerName


@dataclass(frozen=True)
class FK(MeanMetric):
    """Flesch-Kincaid grade of each text as one sentence, averaged; undefined for a text without tokens."""

    constant: Annotated[float, "what is subtracted; the program of the paper has 15.19"] = 15.59
    floored: Annotated[bool, "count a grade below 0 as 0, as in that program"] = False
    syllables: Annotated[
        Literal["vowels", "cmudict"], "vowel groups without a silent e, as in the paper's program, or CMUdict"
    ] = "vowels"
    tokenizer: Annotated[TokenizerName, "how text becomes tokens"] = "none"
    side: Annotated[Literal["output", "source"], "whose texts to measure"] = "output"

    family = "readability"
    higher_is_better = False
    citation = "Xu et al. 2016, TACL 4"
    english_only = True

    @property
    def part_names(self) -> tuple[str, ...]:
        return ("fk", "words", "syllables")

    def required(self) -> frozenset[str]:
        return frozenset({"source"} if self.side == "source" else ())

    def values(self, corpus: Corpus) -> Floats:
        texts = corpus.texts(self.side)
        words, sounds = corpus.remember(
            self.side, ("fk", self.syllables, self.tokenizer), lambda: self._count(texts)
        )
        grade = 0.39 * words + 11.8 * divide(sounds, words) - self.constant
        return np.stack([np.maximum(grade, 0) if self.floored else grade, words, sounds], axis=1)

    def _count(self, texts: list[str]) -> Floats:
        if self.syllables == "vowels":
            if self.tokenizer != "none":
                texts = [" ".join(row) for row in text.words(texts, self.tokenizer)]
            columns = [COUNT_COLUMNS.index("words"), COUNT_COLUMNS.index("syllables")]
            return count_words(texts, "tokens")[:, columns].T.astype(np.float64)
        tokens = text.words(texts, self.tokenizer)
        lengths = np.array([len(row) for row in tokens])
        ends = np.cumsum(lengths)
        running = np.concatenate([[0], np.cumsum(syllables(list(chain.from_iterable(tokens))))])
        return np.stack([lengths, running[ends] - running[ends - lengths]]).astype(np.float64)
