"""Quality: how good a simplification is, from 0 to 100, by a model over named features that was fitted to people's ratings.

    head        = clip(bias + sum over features of points * z + sum over trees of value(z), 0, 100)
    z           = clip((feature - mean) / deviation, -4, 4)
    quality     = min(soundness, SOUND) + gain / 2 - max(ENOUGH - meaning, 0) - max(ENOUGH - gain, 0) - COPY * copied
    simplicity  = (rated simplicity + 4 * gain + 5 * soundness) / 10 - max(BROKEN - soundness, 0) / 2 - COPY * copied
    copied      = how far the share of words and word pairs that source and output have in common is beyond ALMOST, 1 for a copy

Meaning, fluency, rated simplicity and soundness (overall ratings: is it broken?) are heads fitted to people's ratings.
Gain is a head that learned which of two versions of a text is the simpler from texts that people simplified, without any
rating. 50 is the average of the outputs that a head was fitted to, 15 points are one standard deviation. Once an output is
sound, more soundness earns no quality and the gain decides: ratings of older systems tell broken outputs from others, but
not good ones from better ones. For the same reason most of simplicity is soundness and gain. Too little meaning and too
little gain cost: a text with a wrong number or without its second half is no good simplification. Nor is a copy of the
source: it loses COPY points, and nearly a copy loses some of them. An output without words scores 0; a source without
words is undefined.

The features are those of metrics/_quality_features.py, the points are in quality.json, `training/quality.py` fits them;
docs/quality.md says to which ratings, how well it agrees with people, and what it does not see. English only.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal, NamedTuple

import numpy as np

from .. import models
from ..data import Corpus
from ..errors import OtherLanguageWarning
from ..identity import load_once, sha256
from ..lexicon.language import looks_english
from ..metric import Floats, MeanMetric
from ..models import MODEL
from ..options import Content
from ..trees import Trees
from . import _quality_features as features
from ._quality_explanation import QualityExplanation, explain

FILE = Path(__file__).with_name("quality.json")
HEADS = ("meaning", "fluency", "simplicity", "soundness", "gain")
SIMPLICITY = {"simplicity": 0.1, "gain": 0.4, "soundness": 0.5}  # shares of the heads in simplicity
BROKEN = 60.0  # half of what soundness lacks to this is subtracted from simplicity
SOUND = 50.0  # soundness beyond this earns nothing
ENOUGH = 45.0  # meaning and gain below this cost
ALMOST, COPY = 0.9, 20.0  # the share in common from which on copying costs, and what a copy costs
LIMIT = 4.0  # standard deviations, beyond which a feature is cut off

_IN_COMMON = ("words_kept", "words_old", "pairs_kept", "pairs_old")
_AT_ONCE = 1024  # samples whose features are computed at one time


def _digest(_: str) -> str:
    return sha256(FILE)[:10]


class Model(NamedTuple):
    """Named features with their means and deviations, and their points for each head, alone and in trees."""

    names: tuple[str, ...]
    mean: Floats
    deviation: Floats
    points: Floats  # (features, heads)
    bias: Floats
    trees: Mapping[str, Trees] = MappingProxyType({})  # of the heads that have some

    def scaled(self, rows: Floats) -> Floats:
        """Features in standard deviations, cut off at the limit."""
        return np.clip((rows - self.mean) / self.deviation, -LIMIT, LIMIT)

    def heads(self, rows: Floats) -> Floats:
        """The heads of rows of features, shape (rows, heads)."""
        z = self.scaled(rows)
        heads = z @ self.points + self.bias
        for head, trees in self.trees.items():
            heads[:, HEADS.index(head)] += trees.scores(z)
        return np.clip(heads, 0, 100)

    def copied(self, rows: Floats) -> Floats:
        """How much of a copy each output is: 0 up to a share ALMOST of words and word pairs in common, 1 for a copy."""
        common = rows[:, [self.names.index(name) for name in _IN_COMMON]].min(axis=1)
        return np.asarray(np.clip((common - ALMOST) / (1 - ALMOST), 0, 1), np.float64)


@dataclass(frozen=True)
class Quality(MeanMetric):
    """How good a simplification is, by a model fitted to ratings and graded texts; parts: meaning, fluency, simplicity, ..."""

    model: Annotated[
        Literal["open", "research"],
        Content(_digest),
        "which data it was fitted to: none with a non-commercial licence, or all",
    ] = "open"
    encoder: Annotated[
        Literal["plain", "none"],
        MODEL,
        "the encoder that compares and judges the texts, or none: wording and facts alone",
    ] = "plain"
    references: Annotated[
        Literal["ignore", "use"], "whether to compare with references too, the nearest of several"
    ] = "ignore"

    bounds = (0.0, 100.0)
    family = "learned"
    citation = "plainmark, docs/quality.md"
    english_only = True

    @property
    def part_names(self) -> tuple[str, ...]:
        return ("quality", "meaning", "fluency", "simplicity", "soundness", "gain")

    def required(self) -> frozenset[str]:
        return frozenset({"source", "references"} if self.references == "use" else {"source"})

    def missing(self) -> str:
        reason = models.missing(self.encoder) if self.encoder != "none" else ""
        return reason and f"{reason}; or use quality(encoder='none')"

    def values(self, corpus: Corpus) -> Floats:
        return corpus.remember("output", self.identity(), lambda: self._values(corpus))

    def _values(self, corpus: Corpus) -> Floats:
        foreign = sum(not looks_english(text) for text in corpus.outputs)
        if foreign:
            warnings.warn(
                f"quality: {foreign:,} of {len(corpus):,} outputs do not look like English; their scores mean nothing.",
                OtherLanguageWarning,
                stacklevel=2,
            )
        model, rows = load(FILE, self.model, self.encoder, self.references), self.features(corpus)
        out = parts(model.heads(rows), model.copied(rows))
        out[[not has_words(text) for text in corpus.outputs]] = 0
        out[[not has_words(text) for text in corpus.texts("source")]] = np.nan
        return out

    def explain(self, corpus: Corpus) -> list[QualityExplanation]:
        """For each sample, what each sentence and each word of the output does to quality and its parts."""
        return explain(self, corpus)

    def features(self, corpus: Corpus) -> Floats:
        """The features that the model reads, one row per sample."""
        blocks = [
            features.rows(corpus[start : start + _AT_ONCE], self.encoder, self.references == "use")
            for start in range(0, len(corpus), _AT_ONCE)
        ]
        return np.concatenate(blocks) if blocks else np.zeros((0, 0))


def parts(heads: Floats, copied: Floats) -> Floats:
    """Quality, its parts, and the soundness and gain that it is made of, from the five heads; shape (samples, 6)."""
    meaning, fluency, _, soundness, gain = heads.T
    lacking = np.maximum(ENOUGH - meaning, 0) + np.maximum(ENOUGH - gain, 0)
    quality = np.maximum(np.minimum(soundness, SOUND) + gain / 2 - lacking - COPY * copied, 0)
    simplicity = heads @ [SIMPLICITY.get(head, 0.0) for head in HEADS] - np.maximum(BROKEN - soundness, 0) / 2
    simplicity = np.maximum(simplicity - COPY * copied, 0)
    return np.column_stack([quality, meaning, fluency, simplicity, soundness, gain])


def has_words(text: str) -> bool:
    """Whether a text says anything."""
    return any(c.isalnum() for c in text)


@load_once
def load(file: Path, model: str, encoder: str, references: str) -> Model:
    """One of the fitted models in the file."""
    stored = json.loads(file.read_text("utf-8"))["models"][
        f"{model}, encoder {encoder}, references {references}"
    ]
    names = features.names(encoder, references == "use")
    columns = np.array([stored["features"][name] for name in names])
    trees = {head: Trees.read(contents) for head, contents in stored["trees"].items()}
    return Model(names, columns[:, 0], columns[:, 1], columns[:, 2:], np.array(stored["bias"]), trees)
