"""CEFR: the reading level of each sentence, from A1 (1) to C2 (6), estimated from its words and plainmark's own encoder.

    score = bias + sum over features of weight * clip((feature - mean) / deviation, -4, 4) + sum over the encoder's numbers of
    weight * number;  level = the score on a scale that is linear between five thresholds, at 1.5, 2.5, 3.5, 4.5 and 5.5
    cefr  = mean over sentences of the level
    with a target: compliance = share of texts whose level, rounded, is at most one away from the target, in percent;
    part='rmse': the root mean square distance between the levels of texts and the target

The features are those that `quality` computes of one text (length, rare words, syllables, ...), the encoder's numbers are
those from which it was trained to predict levels. The thresholds reproduce the proportions of the levels given by the
raters. The weights are in cefr.json; training/levels.py fits them, for model='open' only to sentences of encyclopaedias (CC
BY-SA), for model='research' also to sentences of a teaching corpus with a non-commercial licence.

The corpus score is the mean over its texts. Parts without a target: the share of all sentences at each level, in percent,
each sentence at its level, rounded. Parts with a target: compliance, exact (share of texts at the target), the root mean
square error in levels, and the weighted F1 of the target: 2 * exact / (1 + exact), since every text that hits the target is
right. An output without words is undefined. English only; the levels of dialogue and of texts for beginners are less
certain, especially with model='open': docs/encoder-card.md gives the figures. Levels: Council of Europe 2001, Common
European Framework of Reference for Languages; data: Arase et al. 2022.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import numpy as np

from ..data import Corpus
from ..identity import load_once, sha256
from ..lexicon.language import warn_unless_english
from ..metric import Floats, Metric, divide
from ..models import MODEL, plain_encoder
from ..models import missing as missing_model
from ..models.plain_encoder import LEVELS
from ..options import Content
from ..punkt import split_sentences
from ._quality_features import TEXT, text_features

FILE = Path(__file__).with_name("cefr.json")
LIMIT = 4.0  # limit for a feature, in standard deviations

_PARTS = ("compliance", "exact", "rmse", "f1")
Level = Literal["A1", "A2", "B1", "B2", "C1", "C2"]


def _digest(_: str) -> str:
    return sha256(FILE)[:10]


class Model(NamedTuple):
    """The weights of the features and of the encoder's numbers, and the thresholds between levels."""

    names: tuple[str, ...]
    mean: Floats
    deviation: Floats
    weights: Floats
    encoder: Floats
    bias: float
    thresholds: Floats

    def levels(self, features: Floats, numbers: Floats) -> Floats:
        """Levels from 1 to 6, for rows of all text features and of the encoder's numbers."""
        rows = features[:, [TEXT.index(name) for name in self.names]]
        scaled = np.clip((rows - self.mean) / self.deviation, -LIMIT, LIMIT)
        return on_scale(self.bias + scaled @ self.weights + numbers @ self.encoder, self.thresholds)


@dataclass(frozen=True)
class CEFR(Metric):
    """Reading level from A1 (1) to C2 (6) with the share of sentences at each level, or how well a target level is met."""

    target: Annotated[Level | None, "the level that outputs should have; the score is then compliance"] = None
    part: Annotated[
        Literal["compliance", "exact", "rmse", "f1"], "the score for a target: one of the parts"
    ] = "compliance"
    model: Annotated[
        Literal["open", "research"],
        Content(_digest),
        "data that the model was fitted to: those without a non-commercial licence, or all",
    ] = "open"
    encoder: Annotated[Literal["plain"], MODEL, "the encoder that reads the sentences"] = "plain"

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
        return missing_model(self.encoder)

    def stats(self, corpus: Corpus) -> Floats:
        """The number of texts and the sum of their levels, then sentences per level, or texts that meet the target and
        squared errors.
        """
        self.check_installed()
        levels = corpus.remember(
            "output",
            ("cefr", self.model, *sorted(self.contents().items())),
            lambda: sentence_levels(corpus.outputs, self.model),
        )
        rows = np.zeros((len(corpus), 8 if self.target is None else 5))
        for row, own in zip(rows, levels, strict=True):
            if not len(own):
                continue
            level = own.mean()
            row[:2] = 1, level
            if self.target is None:
                row[2:] = np.bincount(np.floor(own + 0.5).astype(int) - 1, minlength=6)
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


def sentence_levels(texts: Sequence[str], model: str = "open") -> list[Floats]:
    """The level, from 1 to 6, of each sentence of each text."""
    warn_unless_english(texts, "cefr")
    split = [[s for s in split_sentences(text) if any(c.isalnum() for c in s)] for text in texts]
    levels = estimate([s for sentences in split for s in sentences], model)
    return np.split(levels, np.cumsum([len(sentences) for sentences in split])[:-1])


def estimate(sentences: Sequence[str], model: str = "open") -> Floats:
    """The level, from 1 to 6, of each sentence."""
    numbers = plain_encoder.load().level_numbers(sentences)
    return load(FILE, model).levels(text_features(sentences), numbers)


def on_scale(scores: Floats, thresholds: Floats) -> Floats:
    """Scores as levels: 1.5 at the first threshold, 5.5 at the last, linear between them and for half a level beyond."""
    gaps = np.diff(thresholds)
    ends = thresholds[0] - gaps[0] / 2, thresholds[-1] + gaps[-1] / 2
    knots = [ends[0], *thresholds, ends[1]]
    return np.asarray(np.interp(scores, knots, [1, *np.arange(1.5, len(LEVELS)), len(LEVELS)]), np.float64)


@load_once
def load(file: Path, model: str) -> Model:
    """One of the fitted models in the file."""
    stored = json.loads(file.read_text("utf-8"))[model]
    mean, deviation, weights = np.array([*stored["features"].values()]).T
    encoder, thresholds = np.array(stored["encoder"]), np.array(stored["thresholds"])
    return Model(tuple(stored["features"]), mean, deviation, weights, encoder, stored["bias"], thresholds)
