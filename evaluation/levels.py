"""The accuracy of `cefr` on sentences and texts that it was not fitted to: the figures of docs/encoder-card.md.

    python -m evaluation.levels [--part sentences] [--part shares] [--part texts]

sentences   CEFR-SP's development sentences: both models, the encoder's own head, and scales of one feature
shares      the share of each level among them, by the raters and by both models
texts       ReadMe++ (validation), TSAR 2025 and CLEAR (every third excerpt), which nothing is fitted to
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from training.levels import agreement, rated, thresholds

from plainmark.data import Corpus
from plainmark.datasets import Dataset
from plainmark.datasets.clear import CLEAR
from plainmark.datasets.readme_pp import ReadMePP
from plainmark.datasets.tsar2025 import TSAR2025
from plainmark.metric import metric
from plainmark.metrics._quality_features import TEXT, text_features
from plainmark.metrics.cefr import estimate, on_scale, sentence_levels
from plainmark.models import plain_encoder
from plainmark.models.plain_encoder import LEVELS

from .tables import Table
from .texts import data_folder

MODELS = ("open", "research")
SETS = {"Wiki-Auto": "wikiauto", "SCoRE": "score"}
EVERY = 3  # share of the excerpts of CLEAR

Floats = NDArray[np.float64]


def sentences(data: Path) -> Table:
    """CEFR-SP's development sentences, with scales of one feature whose thresholds are those of Wiki-Auto's training sentences."""
    parts = {name: rated(data, part, "dev") for name, part in SETS.items()}
    parts["both"] = (
        [*parts["Wiki-Auto"][0], *parts["SCoRE"][0]],
        np.concatenate([own[1] for own in parts.values()]),
    )
    texts, levels = rated(data, "wikiauto", "train")
    known = text_features(texts)
    rows = []
    for label, estimates in {
        **{f"cefr(model={name!r})": lambda own, name=name: estimate(own, name) for name in MODELS},
        "the encoder's own head": lambda own: plain_encoder.load().levels(own) @ np.arange(1, 7),
        "number of words": _scale("words", known, levels),
        "Flesch-Kincaid grade": _scale("grade", known, levels),
    }.items():
        for name, (own, truth) in parts.items():
            figures = agreement(truth, estimates(own))
            rows.append([label, name, len(own), *(f"{v:.3f}" for v in figures.values())])
    return Table("CEFR-SP, development", ["estimate", "part", "n", *figures], rows)


def _scale(feature: str, known: Floats, levels: Floats) -> Callable[[Sequence[str]], Floats]:
    column = TEXT.index(feature)
    borders = thresholds(known[:, column], levels, np.ones(len(known)))
    return lambda texts: on_scale(text_features(texts)[:, column], borders)


def shares(data: Path) -> Table:
    """The share of each level among the development sentences, in percent."""
    rows = []
    for name, part in SETS.items():
        texts, levels = rated(data, part, "dev")
        rows.append([name, "both raters", *_shares(levels.ravel())])
        rows += [[name, model, *_shares(np.floor(estimate(texts, model) + 0.5))] for model in MODELS]
    return Table("Shares of levels, CEFR-SP, development", ["part", "by", *LEVELS], rows)


def _shares(levels: Floats) -> list[str]:
    return [f"{100 * np.mean(levels == k):.1f}" for k in range(1, 7)]


def texts(data: Path) -> Table:
    """Sentences of ReadMe++, paragraphs of TSAR 2025 and excerpts of CLEAR."""
    rows = []
    readme, ratings = _only(ReadMePP(split="val", folder=str(data)))
    clear, easiness = _only(CLEAR(folder=str(data)))
    clear, easiness = clear[::EVERY], easiness[::EVERY]
    for model in MODELS:
        levels = estimate(readme, model)
        within = np.mean(np.abs(np.floor(levels + 0.5) - ratings) <= 1)
        figure = f"r {np.corrcoef(levels, ratings)[0, 1]:.3f}, within one level {within:.3f}"
        rows.append([model, "ReadMe++ en, validation", len(readme), figure])
        rows += [[model, *row] for row in _targets(data, model)]
        levels = np.array([own.mean() for own in sentence_levels(clear, model)])
        rows.append(
            [model, "CLEAR", len(clear), f"r with easiness {np.corrcoef(levels, easiness)[0, 1]:.3f}"]
        )
    for name in ("fkgl", "length"):
        for label, own, truth in (("ReadMe++ en, validation", readme, ratings), ("CLEAR", clear, easiness)):
            scores = metric(name).sample_scores(Corpus(None, own))
            rows.append([name, label, len(own), f"r {np.corrcoef(scores, truth)[0, 1]:.3f}"])
    return Table("Levels of other texts", ["model", "texts", "n", "figure"], rows)


def _only(own: Dataset) -> tuple[list[str], Floats]:
    """The texts of a data set of single texts, and their ratings."""
    (corpus,) = own.corpora().values()
    values = {r.sample: r.value for r in own.ratings()}
    return corpus.outputs, np.array([values[i] for i in corpus.ids])


def _targets(data: Path, model: str) -> list[list[object]]:
    """The distance of TSAR's references, and of their originals, from the target level."""
    tsar = TSAR2025(folder=str(data))
    targets, corpus = tsar.levels(), next(iter(tsar.corpora().values()))
    rows: list[list[object]] = []
    for label, own in (("reference", corpus.texts("references")), ("original", corpus.texts("source"))):
        levels = np.array([sentence.mean() for sentence in sentence_levels(own, model)])
        for target in ("A2", "B1"):
            mask = np.array([targets[i] == target for i in corpus.ids])
            distance = np.abs(np.floor(levels[mask] + 0.5) - 1 - LEVELS.index(target))
            figure = f"within one level of {target} {np.mean(distance <= 1):.3f}, exact {np.mean(distance == 0):.3f}"
            rows.append(
                [
                    f"TSAR 2025, {label}",
                    int(mask.sum()),
                    f"{figure}, mean level {levels[mask].mean():.2f}",
                ]
            )
    return rows


PARTS = {"sentences": sentences, "shares": shares, "texts": texts}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m evaluation.levels",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--part", action="append", choices=PARTS, help="only this (default: all)")
    for part in parser.parse_args().part or PARTS:
        print(PARTS[part](data_folder()), "\n", flush=True)


if __name__ == "__main__":
    main()
