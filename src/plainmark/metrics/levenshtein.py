"""Levenshtein distance, or the similarity derived from it, between the output and the source or the references.

    distance    insertions + deletions + substitutions that turn one text into the other
    similarity  2 * |longest common subsequence| / (|a| + |b|): 1 - (insertions + deletions) / (|a| + |b|)

The similarity is python-Levenshtein's `ratio`, which counts a substitution as two edits; EASSE reports it, and the
"LevDist" of Agrawal & Carpuat is this similarity, too. With several references, the nearest one counts. Two empty texts are
equal. The corpus score is the mean over samples.

Reference: Levenshtein 1966; Agrawal & Carpuat 2024, Do Text Simplification Systems Preserve Meaning?, TACL 12.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from .. import kernels
from ..data import Corpus, Side
from ..errors import OptionError
from ..kernels import Tokens
from ..metric import Floats, MeanMetric, divide
from ..text import TokenizerName, spaced, tokens

_USUAL = {"characters": "raw", "words": "13a"}


@dataclass(frozen=True)
class Levenshtein(MeanMetric):
    """Edit distance or similarity, in characters or words."""

    unit: Annotated[Literal["characters", "words"], "what is edited"] = "characters"
    normalise: Annotated[
        Literal["similarity", "distance"], "a similarity between 0 and 1, or the number of edits"
    ] = "similarity"
    against: Annotated[Literal["source", "references"], "what the output is compared with"] = "source"
    tokenizer: Annotated[
        TokenizerName | Literal["raw"] | None,
        "how text becomes words (13a unless given); characters are those of the text as it is (raw), or of its tokens "
        "joined by spaces (EASSE: 13a)",
    ] = None
    lowercase: Annotated[bool, "ignore case"] = False

    family = "change"
    citation = "Levenshtein 1966; Agrawal & Carpuat 2024, TACL 12"

    def __post_init__(self) -> None:
        if self.tokenizer is None:
            object.__setattr__(self, "tokenizer", _USUAL.get(self.unit))
        if self.unit == "words" and self.tokenizer == "raw":
            raise OptionError(
                "levenshtein: unit='words' needs a tokenizer; found 'raw', expected 13a or another."
            )
        super().__post_init__()

    def spec_options(self) -> dict[str, object]:
        options = super().spec_options()
        if self.tokenizer == _USUAL[self.unit]:
            del options["tokenizer"]
        return options

    @property
    def higher_is_better(self) -> bool | None:  # type: ignore[override]
        # For similarity to the source, neither direction is better.
        return None if self.against == "source" else self.normalise == "similarity"

    @property
    def bounds(self) -> tuple[float, float]:  # type: ignore[override]
        return (0.0, 1.0 if self.normalise == "similarity" else np.inf)

    def required(self) -> frozenset[str]:
        return frozenset({self.against})

    def values(self, corpus: Corpus) -> Floats:
        output, other = self._units(corpus, "output"), self._units(corpus, self.against)
        samples = np.arange(len(corpus), dtype=np.int64)
        offsets = (
            corpus.reference_offsets() if self.against == "references" else np.append(samples, len(corpus))
        )
        left, right = np.repeat(samples, np.diff(offsets)), np.arange(len(other), dtype=np.int64)
        nearest: Floats
        if self.normalise == "distance":
            distance = kernels.edit_distance(output, other, left, right)
            nearest = np.minimum.reduceat(distance, offsets[:-1]).astype(np.float64)
        else:
            common = kernels.lcs(output, other, left, right).astype(np.float64)
            units = (output.lengths[left] + other.lengths[right]).astype(np.float64)
            nearest = np.maximum.reduceat(divide(2 * common, units, 1.0), offsets[:-1])
        return nearest

    def _units(self, corpus: Corpus, side: Side) -> Tokens:
        assert self.tokenizer is not None
        if self.unit == "words":
            return tokens(corpus, side, self.tokenizer, lowercase=self.lowercase)
        if self.tokenizer == "raw":
            return tokens(corpus, side, "all-char", lowercase=self.lowercase)

        def build() -> Tokens:
            return kernels.tokenize(
                spaced(corpus.texts(side), str(self.tokenizer), lowercase=self.lowercase), "all-char"
            )

        return corpus.remember(side, ("joined", self.tokenizer, self.lowercase), build)
