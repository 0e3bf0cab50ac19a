"""Fits `cefr` to sentences with levels from two people, and writes metrics/cefr.json.

    python -m training.levels DATA [--output FILE]

The score of a sentence is linear in features of its words and in the numbers from which the encoder predicts levels: a
ridge regression in closed form to the mean of both raters. All data sets have equal weight, each sentence once as released
and once without the spaces before punctuation. With the thresholds between levels, the shares of the levels, by scores of
held-out folds, equal those of the raters, so that the estimates are not biased towards the middle.

The encoder was trained on the sentences that the model `open` is fitted to, so its numbers are more informative for these
than for others. In that model, words and encoder are fitted separately with equal weight; fitted together, the words would
hardly count. This was chosen on the training sentences of SCoRE, on which neither the encoder nor any weight of `open` was
trained. docs/encoder-card.md lists the data with their licences, and what else was tried.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plainmark.datasets.cefr_sp import CEFRSP
from plainmark.identity import sha256
from plainmark.metrics._quality_features import TEXT, text_features
from plainmark.metrics.cefr import FILE, LIMIT, Model, on_scale
from plainmark.models import plain_encoder

from .encoder.sources import detokenised
from .logistic import folds

PENALTY, FOLDS = 300.0, 5
DIGITS = 5
WORDS, NUMBERS = slice(len(TEXT)), slice(len(TEXT), None)  # columns of features and of the encoder's numbers
# The sets to which each model is fitted, and the columns that are fitted together.
MODELS = {"open": (("wikiauto",), (WORDS, NUMBERS)), "research": (("wikiauto", "score"), (slice(None),))}

Floats = NDArray[np.float64]


class Sentences(NamedTuple):
    """Sentences of a set, each twice: their features, the levels by both raters, and which sentence it is."""

    rows: Floats
    levels: Floats
    sentence: NDArray[np.int64]


class Linear(NamedTuple):
    """A score that is linear in the features."""

    weights: Floats
    bias: float

    def __call__(self, rows: Floats) -> Floats:
        return rows @ self.weights + self.bias


def sentences(data: Path, part: str, split: str = "train") -> Sentences:
    """The sentences of a part of CEFR-SP, as released and without the spaces before punctuation."""
    texts, levels = rated(data, part, split)
    both = [*texts, *map(detokenised, texts)]
    rows = np.hstack([text_features(both), plain_encoder.load().level_numbers(both)])
    return Sentences(rows, np.tile(levels, (2, 1)), np.tile(np.arange(len(texts)), 2))


def rated(data: Path, part: str, split: str) -> tuple[list[str], Floats]:
    """The sentences of a part of CEFR-SP as released, and their levels by both raters, shape (sentences, 2)."""
    dataset = CEFRSP(folder=str(data), part=part, split=split)  # type: ignore[arg-type]
    (corpus,) = dataset.corpora().values()
    values = {(r.sample, r.rater): r.value for r in dataset.ratings()}
    return corpus.outputs, np.array([[values[i, "A"], values[i, "B"]] for i in corpus.ids])


def fit(sets: Sequence[Sentences], blocks: Sequence[slice]) -> tuple[Model, Floats]:
    """The model, and the scores of all sentences by models that were fitted without them."""
    rows, levels = (np.concatenate([s[k] for s in sets]) for k in (0, 1))
    weight = np.concatenate([np.full(len(s.rows), 1 / len(s.rows)) for s in sets])
    weight *= sum(len(s.rows) for s in sets) / 2  # each sentence occurs twice
    group = np.concatenate([s.sentence + 1_000_000 * k for k, s in enumerate(sets)])
    mean = np.average(rows, axis=0, weights=weight)
    deviation = np.sqrt(np.average((rows - mean) ** 2, axis=0, weights=weight))
    deviation[deviation < 1e-9] = 1  # a sentence has one sentence
    z = (rows - mean) / deviation
    z[:, WORDS] = np.clip(z[:, WORDS], -LIMIT, LIMIT)
    fold, held = folds(group, FOLDS, seed=0), np.zeros(len(z))
    for k in range(FOLDS):
        seen = fold != k
        held[~seen] = _score(z[seen], levels[seen].mean(axis=1), weight[seen], blocks)(z[~seen])
    score = _score(z, levels.mean(axis=1), weight, blocks)
    numbers = score.weights[NUMBERS] / deviation[NUMBERS]
    return Model(
        TEXT,
        mean[WORDS],
        deviation[WORDS],
        score.weights[WORDS],
        numbers,
        float(score.bias - mean[NUMBERS] @ numbers),
        thresholds(held, levels, weight),
    ), held


def thresholds(scores: Floats, levels: Floats, weight: Floats) -> Floats:
    """The thresholds at which the share of lower scores equals the share of lower levels."""
    order = np.argsort(scores, kind="stable")
    below = np.cumsum(weight[order]) / weight.sum()
    shares = [np.average((levels <= k).mean(axis=1), weights=weight) for k in range(1, 6)]
    return np.interp(shares, below, scores[order])


def _score(z: Floats, target: Floats, weight: Floats, blocks: Sequence[slice]) -> Linear:
    """Ridge regressions on blocks of columns; their scores have deviation 1 and count alike."""
    weights, bias = np.zeros(z.shape[1]), 0.0
    for block in blocks:
        x = z[:, block]
        middle = np.average(x, axis=0, weights=weight)
        x = x - middle
        own = np.linalg.solve(
            (x.T * weight) @ x + PENALTY * np.eye(x.shape[1]),
            x.T @ (weight * (target - np.average(target, weights=weight))),
        )
        own /= np.sqrt(np.average((x @ own) ** 2, weights=weight)) * len(blocks)
        weights[block] = own
        bias -= float(middle @ own)
    return Linear(weights, bias)


def record(model: Model) -> dict[str, object]:
    """A model for the file: for each feature its mean, deviation and weight."""
    columns = np.column_stack([model.mean, model.deviation, model.weights])
    return {
        "bias": round(model.bias, DIGITS),
        "thresholds": _short(model.thresholds),
        "features": {name: _short(row) for name, row in zip(TEXT, columns, strict=True)},
        "encoder": _short(model.encoder),
    }


def _short(values: Floats) -> list[float]:
    return [float(f"{v:.{DIGITS}g}") for v in values]


def agreement(levels: Floats, estimates: Floats) -> dict[str, float]:
    """How well estimates agree with two raters; a level is right if either gave it, or if it is their mean (halves upwards)."""
    rounded = np.clip(np.floor(estimates + 0.5), 1, 6).astype(int)
    mean = np.floor(levels.mean(axis=1) + 0.5).astype(int)
    first, second = np.abs(levels - rounded[:, None]).T
    nearest = np.where(first <= second, *levels.T).astype(int)
    return {
        "macro F1, either rater": _macro_f1(nearest, rounded),
        "macro F1, mean": _macro_f1(mean, rounded),
        "kappa, mean": _kappa(mean, rounded),
        "within 1, either": float(np.mean(np.abs(nearest - rounded) <= 1)),
        "within 1, mean": float(np.mean(np.abs(mean - rounded) <= 1)),
        "r": float(np.corrcoef(levels.mean(axis=1), estimates)[0, 1]),
    }


def _macro_f1(truth: NDArray[np.int64], predicted: NDArray[np.int64]) -> float:
    f1 = [
        2 * np.sum((truth == k) & (predicted == k)) / (np.sum(truth == k) + np.sum(predicted == k))
        for k in np.unique(truth)
    ]
    return float(np.mean(f1))


def _kappa(truth: NDArray[np.int64], predicted: NDArray[np.int64]) -> float:
    """Cohen's kappa with quadratic weights."""
    seen = np.zeros((6, 6))
    np.add.at(seen, (truth - 1, predicted - 1), 1)
    weights = (np.arange(6)[:, None] - np.arange(6)[None, :]) ** 2
    chance = np.outer(seen.sum(axis=1), seen.sum(axis=0)) / seen.sum()
    return float(1 - (weights * seen).sum() / (weights * chance).sum())


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.levels", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("data", type=Path, help="folder with cefr/")
    parser.add_argument("--output", type=Path, default=FILE)
    options = parser.parse_args()
    sets = {part: sentences(options.data, part) for part in ("wikiauto", "score")}
    stored = {}
    for name, (parts, blocks) in MODELS.items():
        model, held = fit([sets[part] for part in parts], blocks)
        stored[name] = record(model)
        scores = np.split(held, np.cumsum([len(sets[part].rows) for part in parts])[:-1])
        estimates = {part: on_scale(own, model.thresholds) for part, own in zip(parts, scores, strict=True)}
        for part, own in sets.items():
            known = estimates.get(part)
            shown = model.levels(own.rows[:, WORDS], own.rows[:, NUMBERS]) if known is None else known
            figures = "  ".join(f"{k} {v:.3f}" for k, v in agreement(own.levels, shown).items())
            print(f"{name}, training sentences of {part}, held out: {figures}", flush=True)
    lines = [f" {json.dumps(name)}: {_lines(model)}" for name, model in stored.items()]
    options.output.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    print(f"{options.output.name}: sha256 {sha256(options.output)}")


def _lines(model: dict[str, object]) -> str:
    """A model as JSON, one line per entry."""
    return "{\n" + ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in model.items()) + "\n }"


if __name__ == "__main__":
    main()
