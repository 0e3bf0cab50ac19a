"""BERTScore: how similar each token of the output and of a reference is to its best match in the other, by cosine of
vectors.

    precision = weighted mean over output tokens of max over reference tokens of cos(output token, reference token)
    recall    = the same with the sides exchanged;  F1 = 2 precision recall / (precision + recall)

In percent; the same numbers as the package bert-score 0.3.13 with the same model and layer. With several references, each
part is the best over the references, as in that package: precision, recall and F1 may come from different ones. An empty
text scores 0 against any other; two empty texts are undefined. Texts longer than the model accepts are read in pieces
(long='split'; bert-score cuts them: long='truncate').

With idf=True a token's weight is log((N + 1) / (n + 1)) if n of the N references have it. The weights, and so every
sample's score, then depend on the whole corpus: parts of a corpus no longer add up to the whole, and if a corpus is read in
blocks (of 8,192 samples), each block has its own weights.

Reference: Zhang et al. 2020, BERTScore: Evaluating Text Generation with BERT.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import numpy as np

from .. import models
from ..data import Corpus
from ..errors import InputError
from ..metric import Floats, MeanMetric
from ..models import MODEL, Encoder, Floats32, Long, TokenVectors
from ..options import FILE

# Layers that Zhang et al. tuned on WMT16, by the last part of the folder or hub name; for other models the last layer is
# used.
LAYERS = {
    "minilm": 6,
    "bert-base-uncased": 9,
    "bert-large-uncased": 18,
    "bert-base-multilingual-cased": 9,
    "roberta-base": 10,
    "roberta-large": 17,
    "roberta-large-mnli": 19,
    "distilbert-base-uncased": 5,
    "distilroberta-base": 5,
    "xlm-roberta-base": 9,
    "xlm-roberta-large": 17,
    "deberta-base": 9,
    "deberta-large": 16,
    "deberta-v3-base": 9,
    "deberta-v3-large": 12,
    "deberta-xlarge-mnli": 40,
    "mpnet-base": 8,
}

# Characters of the samples whose token vectors are in memory at a time; about 150 MB for MiniLM.
_AT_ONCE = 400_000


@dataclass(frozen=True)
class BERTScore(MeanMetric):
    """Greedy matching of tokens by their vectors, as in the package bert-score; parts are precision, recall and F1."""

    model: Annotated[str, MODEL, "an encoder: minilm, a folder, a package or a name on the hub"] = "minilm"
    layer: Annotated[
        int | None, "layer of the vectors (default: the one tuned for the model, else the last)"
    ] = None
    part: Annotated[Literal["f1", "precision", "recall"], "what the score is"] = "f1"
    against: Annotated[Literal["source", "references"], "what the output is compared with"] = "references"
    idf: Annotated[
        bool, "weight tokens by their rarity in the references; samples then depend on each other"
    ] = False
    baseline: Annotated[str | None, FILE, "a bert-score baseline file (.tsv) to rescale with"] = None
    long: Annotated[Long, "texts longer than the model accepts: read in pieces, or cut as in bert-score"] = (
        "split"
    )

    family = "similarity"
    bounds = (-np.inf, 100.0)
    citation = "Zhang et al. 2020, ICLR"

    def __post_init__(self) -> None:
        if self.layer is None:
            object.__setattr__(self, "layer", self._usual_layer())
        super().__post_init__()

    @property
    def part_names(self) -> tuple[str, ...]:
        return ("bertscore", "precision", "recall", "f1")

    def spec_options(self) -> dict[str, object]:
        options = super().spec_options()
        if self.layer == self._usual_layer():
            options.pop("layer", None)
        return options

    def _usual_layer(self) -> int | None:
        return LAYERS.get(Path(self.model).name) if isinstance(self.model, str) else None

    def required(self) -> frozenset[str]:
        return frozenset({self.against})

    def missing(self) -> str:
        return models.missing(self.model)

    def spoken(self) -> tuple[str, ...]:
        return models.languages_of(self.model)

    def instead(self) -> list[str]:
        return ["bertscore(model='…') with a multilingual model"]

    def values(self, corpus: Corpus) -> Floats:
        return corpus.remember("output", self.identity(), lambda: self._values(corpus))

    def _values(self, corpus: Corpus) -> Floats:
        encoder = models.encoder(self.model)
        others: list[tuple[str, ...]] = corpus.references or []
        if self.against == "source":
            others = [(text,) for text in corpus.texts("source")]
        weights = self._weights(encoder, others)
        out = np.empty((len(corpus), 3))
        sizes = [len(o) + sum(map(len, rest)) for o, rest in zip(corpus.outputs, others, strict=True)]
        blocks = np.cumsum(sizes) // _AT_ONCE
        for block in np.split(np.arange(len(corpus)), np.flatnonzero(np.diff(blocks)) + 1):
            vectors = iter(
                self._vectors(encoder, [t for i in block for t in (corpus.outputs[i], *others[i])])
            )
            for i in block:
                output = next(vectors)
                pairs = [_match(output, next(vectors), weights) for _ in others[i]]
                out[i] = _best(np.array(pairs))
        out = 100 * self._rescale(out, encoder)
        column = ("precision", "recall", "f1").index(self.part)
        return np.column_stack([out[:, column], out])

    def _vectors(self, encoder: Encoder, texts: Sequence[str]) -> list[TokenVectors]:
        rows = encoder.token_vectors(texts, layer=self.layer, long=self.long, prefix=encoder.word_start)
        return [TokenVectors(t.ids, _unit(t.vectors), t.marks) for t in rows]

    def _weights(self, encoder: Encoder, others: Sequence[Sequence[str]]) -> Floats | None:
        """The weight of every token id; None if all weights are equal."""
        if not self.idf:
            return None
        texts = encoder.token_ids(
            [t for row in others for t in row], prefix=encoder.word_start, long=self.long
        )
        seen = np.concatenate([np.unique(ids) for ids in texts])
        counts = np.bincount(seen, minlength=encoder.vocabulary_size)
        return np.log((len(texts) + 1) / (counts + 1))

    def _rescale(self, values: Floats, encoder: Encoder) -> Floats:
        if self.baseline is None:
            return values
        layer = encoder.layers if self.layer is None else self.layer
        base = read_baseline(self.baseline, layer)
        return (values - base) / (1 - base)


def read_baseline(path: str, layer: int) -> Floats:
    """Precision, recall and F1 of unrelated sentences, from a file with the columns LAYER,P,R,F."""
    try:
        lines = Path(path).read_text("utf-8").split("\n")
    except OSError:
        raise InputError(
            f"{path}: no such file; expected a baseline file of bert-score (LAYER,P,R,F)."
        ) from None
    for line in lines[1:]:
        number, *values = line.split(",")
        if number.strip() == str(layer) and len(values) == 3:
            return np.array([float(v) for v in values])
    raise InputError(f"{path}: no row for layer {layer}; expected rows of LAYER,P,R,F, one per layer.")


def _unit(vectors: Floats32) -> Floats32:
    lengths: Floats32 = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / lengths


def _match(output: TokenVectors, other: TokenVectors, weights: Floats | None) -> tuple[float, float, float]:
    """Precision, recall and F1 of one pair."""
    empty = output.marks.all(), other.marks.all()
    if any(empty):
        undefined = float("nan") if all(empty) else 0.0
        return undefined, undefined, undefined
    cosine = np.minimum(output.vectors @ other.vectors.T, 1)  # rounding may give slightly more than 1
    precision = _mean(cosine.max(axis=1), output, weights)
    recall = _mean(cosine.max(axis=0), other, weights)
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


def _mean(best: Floats32, text: TokenVectors, weights: Floats | None) -> float:
    """The weighted mean of tokens' best cosines; marks have no weight but may be matched."""
    weight = ~text.marks if weights is None else weights[text.ids]
    total = float(weight.sum())
    # In this case bert-score divides 0 by 0 and turns F1 into 0.
    return float(weight @ best.astype(np.float64)) / total if total else 0.0


def _best(pairs: Floats) -> Floats:
    """The best of each part over the references; undefined only if all are undefined."""
    best: Floats = np.fmax.reduce(pairs, axis=0)
    return best
