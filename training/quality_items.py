"""The texts that `quality` is fitted to: rated outputs, and pairs of texts of which one is the simpler version."""

import json
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import numpy as np

from plainmark.data import Corpus
from plainmark.datasets import DATASETS

HEADS = ("meaning", "fluency", "simplicity", "overall")
# Which dimension of a data set speaks of which head, and with which sign and weight.
RATED = {
    "wu2025": {"meaning": {"meaning": 1.0}, "fluency": {"fluency": 1.0}, "simplicity": {"simplicity": 1.0}},
    "multicochrane": {
        "meaning": {"factuality": 1.0, "deletion": -1.0, "hallucination": -1.0},
        "fluency": {"fluency": 1.0},
        "simplicity": {"simplicity": 1.0},
    },
    "simpeval": {"overall": {"overall-z": 1.0}},
    "simplicity_da": {"meaning": {"meaning": 1.0}, "fluency": {"fluency": 1.0}, "simplicity": {"simplicity": 1.0}},
    "structural_simplicity": {"meaning": {"meaning": 1.0}, "fluency": {"grammar": 1.0}, "simplicity": {"simplicity": 1.0}},
    "asset_ratings": {"meaning": {"meaning": 1.0}, "fluency": {"fluency": 1.0}, "simplicity": {"simplicity": 1.0}},
}  # fmt: skip
NON_COMMERCIAL = ("simplicity_da", "structural_simplicity", "asset_ratings", "asset")
EVALUATED = ("dwiki", "cochrane", "onestopqa")  # whose sources nothing is fitted to


class Items(NamedTuple):
    """Rated outputs, one row per output; `ratings` has a column per head, NaN where nobody rated it."""

    set: np.ndarray
    system: np.ndarray
    sample: np.ndarray
    corpus: Corpus
    ratings: np.ndarray

    @property
    def sentence(self):
        """The letters of the source, by which outputs on the same sentence are known in all sets."""
        return np.array([letters(s) for s in self.corpus.sources])

    def rows(self, keep):
        """The items of a mask or of indices."""
        keep = np.flatnonzero(keep) if np.asarray(keep).dtype == bool else np.asarray(keep)
        return Items(
            self.set[keep], self.system[keep], self.sample[keep], self.corpus.subset(keep), self.ratings[keep]
        )


def rated(data: Path, name: str, dimensions=None, **options) -> Items:
    """The outputs of one data set with the mean of their ratings."""
    dataset = DATASETS.find(name)(folder=str(data), **options)
    values = defaultdict(list)
    for r in dataset.ratings():
        values[r.system, r.sample, r.dimension].append(r.value)
    check_finite(name, values)
    systems, samples, sources, outputs, references, ratings = [], [], [], [], [], []
    heads = dimensions or RATED[name]
    for system, corpus in dataset.corpora().items():
        for sample in corpus:
            row = [
                sum(w * np.mean(values.get((system, sample.id, d), [np.nan])) for d, w in heads[h].items())
                if h in heads
                else np.nan
                for h in (HEADS if dimensions is None else dimensions)
            ]
            if np.isfinite(row).any():
                systems.append(system)
                samples.append(sample.id)
                sources.append(sample.source)
                outputs.append(sample.output)
                references.append(sample.references)
                ratings.append(row)
    corpus = Corpus(sources, outputs, references if all(references) else None)
    return Items(np.full(len(systems), name), np.array(systems), np.array(samples), corpus, np.array(ratings))


def check_finite(name, values):
    """Refuse a data set with a rating that is not a number, and name the rating."""
    for (system, sample, dimension), ratings in values.items():
        if not np.isfinite(ratings).all():
            raise SystemExit(
                f"{name}: the rating {dimension} of sample {sample}, system {system}, is not a number; expected numbers."
            )


def joined(parts) -> Items:
    """Several sets of items in one; references are kept where all have them."""
    parts = list(parts)
    return Items(
        *(np.concatenate([getattr(p, name) for p in parts]) for name in ("set", "system", "sample")),
        Corpus([s for p in parts for s in p.corpus.sources], [o for p in parts for o in p.corpus.outputs]),
        np.concatenate([p.ratings for p in parts]),
    )


def graded(data: Path, *, non_commercial: bool, seed: int = 0):
    """Pairs (set, harder, simpler) of which people wrote the second as a simpler version of the first."""
    evaluated = evaluated_sources(data)
    rng = np.random.default_rng(seed)
    for name, harder, simpler in _pairs(data, rng, non_commercial):
        if letters(harder) != letters(simpler) and beginning(harder) not in evaluated:
            yield name, harder, simpler


def _pairs(data, rng, non_commercial):
    for name in ("swipe", "cells", "cochrane_pairs"):
        for corpus in DATASETS.find(name)(folder=str(data)).corpora().values():
            for sample in corpus:
                yield name, sample.source, sample.output
    for linked in DATASETS.find("swipe")(folder=str(data)).links().values():
        for i, j, kind in linked.links:
            if kind == "aligned":
                yield "swipe sentences", linked.source[i], linked.output[j]
    for article in json.loads((data / "onestop-qa/onestop_qa.json").read_text("utf-8"))["data"]:
        for paragraph in article["paragraphs"]:
            versions = [paragraph[level]["context"] for level in ("Adv", "Int", "Ele")]
            for a, b in ((0, 1), (1, 2), (0, 2)):
                yield "onestop", versions[a], versions[b]
    for corpus in DATASETS.find("plaba")(folder=str(data)).corpora().values():
        for sample in corpus:
            yield "plaba", sample.source, sample.output
    if non_commercial:
        for sample in DATASETS.find("asset")(folder=str(data), split="valid").corpora()["reference"]:
            yield "asset", sample.source, sample.references[rng.integers(len(sample.references))]


def evaluated_sources(data):
    """How the sources of the sets begin that nothing is fitted to."""
    return {
        beginning(source)
        for name in EVALUATED
        for corpus in DATASETS.find(name)(folder=str(data)).corpora().values()
        for source in corpus.sources
    }


def beginning(text):
    """The first letters of a text, by which a shortened or continued version of it is known."""
    return letters(text)[:80]


def letters(text):
    """The letters and digits of a text in lower case: the same for tokenised and plain versions of a sentence."""
    return "".join(c for c in text.lower() if c.isalnum())
