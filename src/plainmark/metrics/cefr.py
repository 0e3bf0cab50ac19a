"""CEFR: the reading level of each sentence, from A1 (1) to C2 (6), estimated by plainmark's own encoder.

    cefr = mean over sentences of sum over levels of level * P(level | sentence)
    with a target: compliance = share of texts whose level, rounded, is at most one away from the target, in percent;
    part='rmse': the root mean square distance between the levels of texts and the target

The corpus score is the mean over its texts. Parts without a target: the share of all sentences at each level, in percent, each
sentence at its expected level, rounded. Parts with a target: compliance, exact (share of texts at the target), the root mean
square error in levels, and the weighted F1 of the target: 2 * exact / (1 + exact), since every text that hits the target is right. An output
without words is undefined. English only; trained on sentences of encyclopaedias, so that the levels of dialogue and of texts
for beginners are less certain: docs/encoder-card.md gives the figures. Levels: Council of Europe 2001, Common European
Framework of Reference for Languages; data: Arase et al. 2022.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from ..data import Corpus
from ..lexicon.language import warn_unless_english
from ..metric import Floats, Metric, divide
from ..models import MODEL, plain_encoder
from ..models import missing as missing_model
from ..models.plain_encoder import LEVELS
from ..punkt import split_sentences

_PARTS = ("compliance", "exact", "rmse", "f1")
Level = Literal["A1", "A2", "B1", "B2", "C1", "C2"]


@dataclass(frozen=True)
class CEFR(Metric):
    """Reading level from A1 (1) to C2 (6) with the share of sentences at each level, or how well a target level is met."""

    target: Annotated[Level | None, "the level that outputs should have; the score is then compliance"] = None
    part: Annotated[
        Literal["compliance", "exact", "rmse", "f1"], "what the score of a target is: see the parts"
    ] = "compliance"
    model: Annotated[Literal["plain"], MODEL, "the encoder that estimates levels"] = "plain"

    family = "readability"
    citation = "Council of Europe 2001; Arase et al. 2022, EMNLP"
    english_only = True

    @property
    def higher_is_better(self) -> bool | None:  # type: ignore[override]
        return None if self.target is None else self.part != "rmse"

    @property
    def bounds(self) -> tuple[float, float]:  # type: ignore[override]
        if self.target is None:
            return (1.0, 6.0)
        return (0.0, 5.0) if self.part == "rmse" else (0.0, 100.0)

    @property
    def part_names(self) -> tuple[str, ...]:
        return ("cefr", *LEVELS) if self.target is None else ("cefr", *_PARTS, "level")

    def missing(self) -> str:
        return missing_model(self.model)

    def stats(self, corpus: Corpus) -> Floats:
        """Texts and the sum of their levels, then sentences at each level, or texts that meet the target and squared errors."""
        self.check_installed()
        levels = corpus.remember(
            "output", ("cefr", self.contents().get("model")), lambda: sentence_levels(corpus.outputs)
        )
        rows = np.zeros((len(corpus), 8 if self.target is None else 5))
        for row, own in zip(rows, levels, strict=True):
            if not len(own):
                continue
            level = own.mean()
            row[:2] = 1, level
            if self.target is None:
                row[2:] = np.bincount(np.rint(own).astype(int) - 1, minlength=6)
            else:
                target = LEVELS.index(self.target) + 1
                distance = abs(np.floor(level + 0.5) - target)
                row[2:] = distance <= 1, distance == 0, (level - target) ** 2
        return rows

    def reduce(self, stats: Floats) -> Floats:
        texts, levels = stats[..., 0], stats[..., 1]
        level = divide(levels, texts)
        if self.target is None:
            sentences = stats[..., 2:]
            shares = 100 * divide(sentences, sentences.sum(axis=-1, keepdims=True))
            return np.concatenate([level[..., None], shares], axis=-1)
        within, exact, squares = (divide(stats[..., k], texts) for k in (2, 3, 4))
        parts = [100 * within, 100 * exact, np.sqrt(squares), 200 * exact / (1 + exact)]
        return np.stack([parts[_PARTS.index(self.part)], *parts, level], axis=-1)


def sentence_levels(texts: list[str]) -> list[Floats]:
    """The expected level, from 1 to 6, of each sentence of each text."""
    warn_unless_english(texts, "cefr")
    split = [[s for s in split_sentences(text) if any(c.isalnum() for c in s)] for text in texts]
    probabilities = plain_encoder.load().levels([s for sentences in split for s in sentences])
    expected = probabilities.astype(np.float64) @ np.arange(1, len(LEVELS) + 1)
    return np.split(np.clip(expected, 1, 6), np.cumsum([len(sentences) for sentences in split])[:-1])
