"""Fit `quality` to ratings and graded texts, and write metrics/quality.json.

    python -m training.quality DATA [--cache FOLDER] [--output FILE]

Meaning, fluency, simplicity and soundness are ridge regressions in closed form. The ratings of each data set are
standardised and centred, features too, so that a set teaches which of its outputs are better, not that its outputs are
better than those of another set; a set counts by how many raters stand behind a rating. Beside them stand contrasts: a
faithful simplification less the same with one error put in, which is to be worth a step of one standard deviation. The
gain is a logistic regression without a bias on the differences between two versions of a text, of which people wrote one
as the simpler. docs/quality.md lists the data with their licences.
"""

import argparse
import hashlib
import json
import random
from copy import copy
from itertools import pairwise
from pathlib import Path

import numpy as np
from evaluation.injection import ERRORS, inject
from evaluation.texts import PARTS, read

from plainmark.data import Corpus
from plainmark.metrics import _quality_features as features
from plainmark.metrics.quality import FILE, HEADS, LIMIT, Model

from .quality_items import HEADS as RATED_HEADS
from .quality_items import NON_COMMERCIAL, RATED, graded, joined, rated

PENALTY, GAIN_PENALTY = 300.0, 100.0
CENTRE, POINTS = 50.0, 15.0  # the average of the outputs fitted to, and one standard deviation
# How much a rated output of a set counts: raters who agree, and ratings that differ between outputs, count for more.
SET_WEIGHT = {
    "wu2025": 0.5,
    "multicochrane": 1.0,
    "simpeval": 1.0,
    "simplicity_da": 1.5,
    "structural_simplicity": 0.7,
    "asset_ratings": 1.0,
}
GRADED_WEIGHT = {"onestop": 2.0, "swipe": 3.0, "plaba": 0.5}  # others count 1
ENCODER = "minilm"
CASES, LONGEST = 40, 120  # contrasts of each kind, and the words of their outputs at most
BLOCK = 512  # samples whose features are computed at one time
CONTRAST_WEIGHT = 0.5
# Centred within each system too: the style of a system says little of the meaning that other systems keep.
WITHIN_SYSTEM = ("meaning",)
DIGITS = 4


class Training:
    """Everything that a model is fitted to, with its features: ratings, contrasts and graded texts."""

    def __init__(self, data, references, cache=None):
        self.columns = features.names(ENCODER, references)
        sets = [rated(data, name) for name in RATED]
        if references:
            sets = [*with_references(data, sets)]
        self.items = joined(sets)
        self.rows = np.concatenate([measure(s.corpus, references, cache) for s in sets])
        self.sentence = self.items.sentence
        self.graded = list(graded(data, non_commercial=True))
        harder, simpler = (features.text_features([pair[k] for pair in self.graded]) for k in (1, 2))
        self.steps = simpler - harder
        # Nobody wrote references for the contrasts.
        self.contrasts = [
            (measure(worse, False, cache), measure(better, False, cache), sizes)
            for worse, better, sizes in ([] if references else contrasts(data))
        ]

    def only(self, columns):
        """The same with fewer features."""
        places = [self.columns.index(name) for name in columns]
        other = copy(self)
        other.columns, other.rows = columns, self.rows[:, places]
        other.contrasts = [(worse[:, places], better[:, places], s) for worse, better, s in self.contrasts]
        return other

    def targets(self):
        """Ratings of each head, standardised within each set; overall is the mean of the others where nobody rated it."""
        out = np.full((len(self.rows), len(RATED_HEADS)), np.nan)
        for name in np.unique(self.items.set):
            own = self.items.set == name
            values = _standard(self.items.ratings[own])
            missing = np.isnan(values[:, 3])
            values[missing, 3] = values[missing, :3].mean(axis=1)
            out[own] = _standard(values)
        return out

    def fit(self, keep, *, non_commercial, contrast_weight=CONTRAST_WEIGHT, penalty=PENALTY):
        """The model by the rated items of a mask."""
        if not non_commercial:
            keep = keep & ~np.isin(self.items.set, NON_COMMERCIAL)
        rows = self.rows[keep]
        mean, deviation = rows.mean(axis=0), rows.std(axis=0)
        gains = np.array([name.startswith("gain_") for name in self.columns])
        mean[gains] = 0  # so that a step back costs what a step forward earns
        deviation[deviation < 1e-9] = 1
        scaled = lambda x: np.clip((x - mean) / deviation, -LIMIT, LIMIT)  # noqa: E731
        targets, sets = self.targets()[keep], self.items.set[keep]
        systems = np.char.add(sets, self.items.system[keep])
        weight = np.array([SET_WEIGHT[name] for name in sets])
        z = scaled(rows)
        points = np.zeros((len(self.columns), len(HEADS)))
        for h, head in enumerate(RATED_HEADS):
            y = targets[:, h]
            known = np.isfinite(y)
            groups = (systems if head in WITHIN_SYSTEM else sets)[known]
            x, y, w = _centred(z[known], groups), _centred(y[known], groups), weight[known]
            for worse, better, sizes in self.contrasts:
                step = scaled(better) - scaled(worse)
                x = np.concatenate([x, step])
                y = np.concatenate([y, np.full(len(step), sizes.get(head, 0.0))])
                w = np.concatenate([w, np.full(len(step), contrast_weight)])
            points[:, h] = np.linalg.solve((x.T * w) @ x + penalty * np.eye(x.shape[1]), x.T @ (w * y))
        points[gains, HEADS.index("gain")] = self._gain(deviation[gains], non_commercial)
        raw = z @ points
        points *= POINTS / raw.std(axis=0)
        bias = CENTRE - (z @ points).mean(axis=0)
        return Model(self.columns, mean, deviation, points, bias)

    def _gain(self, deviation, non_commercial):
        names = np.array([pair[0] for pair in self.graded])
        keep = np.ones(len(names), bool) if non_commercial else ~np.isin(names, NON_COMMERCIAL)
        x = np.clip(self.steps[keep] / deviation, -LIMIT, LIMIT)
        weight = np.array([GRADED_WEIGHT.get(name, 1.0) for name in names[keep]])
        beta = np.zeros(x.shape[1])
        for _ in range(50):
            p = 1 / (1 + np.exp(-x @ beta))
            gradient = x.T @ (weight * (1 - p)) - GAIN_PENALTY * beta
            step = np.linalg.solve(
                (x.T * (weight * p * (1 - p))) @ x + GAIN_PENALTY * np.eye(len(beta)), gradient
            )
            beta += step
            if np.abs(step).max() < 1e-8:
                break
        return beta


def with_references(data, sets):
    """The sets that have references; the sentences of Wu and Arase from ASSET and TurkCorpus have those of these."""
    for items in sets:
        if items.corpus.references is not None:
            yield items
    for part in ("asset", "turk"):
        yield rated(data, "wu2025", part=part)


def contrasts(data):
    """(worse, better, step of each head): simplifications with an error and without it."""
    texts = [t for t in read(data, PARTS["development"]) if len(t.output.split()) < LONGEST]
    rng = random.Random(0)
    chosen = rng.sample(texts, min(4 * CASES, len(texts)))
    errors = [(c.text.source, c.output, c.text.output) for kind in ERRORS for c in inject(kind, texts, CASES)]
    scrambled = [(t.source, scramble(t.output, rng), t.output) for t in chosen]
    strange = [(t.source, f"{t.output} {o.output}", t.output) for t, o in pairwise(chosen)]
    halves = [(t.source, " ".join(t.output.split()[: len(t.output.split()) // 2]), t.output) for t in chosen]
    yield _contrast(errors, {"meaning": 1.0, "overall": 0.5})
    yield _contrast(scrambled, {"fluency": 1.5, "overall": 1.0, "simplicity": 0.5})
    yield _contrast(strange, {"meaning": 1.0, "overall": 1.0, "simplicity": 0.5})
    yield _contrast(halves, {"meaning": 1.0, "overall": 1.0})


def _contrast(triples, sizes):
    sources, worse, better = (list(side) for side in zip(*triples, strict=True))
    return Corpus(sources, worse), Corpus(sources, better), sizes


def scramble(text, rng):
    """The text with a fifth of its words out of place, doubled or dropped."""
    words = text.split()
    for _ in range(max(2, len(words) // 5)):
        k = rng.randrange(max(len(words) - 3, 1))
        turn = rng.random()
        if turn < 0.5:
            piece = words[k : k + 4]
            rng.shuffle(piece)
            words[k : k + 4] = piece
        elif turn < 0.75:
            words.insert(k, words[k])
        elif len(words) > 4:
            del words[k]
    return " ".join(words)


def measure(corpus, references, cache=None):
    """All features of a corpus, from the cache where they were computed before."""
    digest = hashlib.sha256(Path(features.__file__).read_bytes())
    digest.update(
        repr((ENCODER, references, corpus.sources, corpus.outputs)).encode("utf-8", "surrogatepass")
    )
    file = cache and cache / f"{digest.hexdigest()[:24]}.npy"
    if file and file.exists():
        return np.load(file)
    blocks = [corpus[start : start + BLOCK] for start in range(0, len(corpus), BLOCK)]
    rows = np.concatenate([features.rows(block, ENCODER, references) for block in blocks])
    if file:
        cache.mkdir(parents=True, exist_ok=True)
        np.save(file, rows)
    return rows


def main():
    parser = argparse.ArgumentParser(prog="python -m training.quality", description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="folder with ratings/, asset/, swipe/, ...")
    parser.add_argument("--cache", type=Path, help="folder for features, which take a few minutes")
    parser.add_argument("--output", type=Path, default=FILE)
    options = parser.parse_args()
    stored = {}
    for references in (False, True):
        training = Training(options.data, references, options.cache)
        everything = np.ones(len(training.rows), bool)
        for encoder in (ENCODER, "none"):
            own = training.only(features.names(encoder, references))
            for name, non_commercial in (("open", False), ("research", True)):
                key = f"{name}, encoder {encoder}, references {'use' if references else 'ignore'}"
                stored[key] = record(own.fit(everything, non_commercial=non_commercial))
                print(f"{key}: {len(own.columns)} features")
    lines = [f" {json.dumps(key)}: {_indented(value)}" for key, value in stored.items()]
    options.output.write_text('{"models": {\n' + ",\n".join(lines) + "\n}}\n", "utf-8")
    print(f"{options.output.name}: sha256 {hashlib.sha256(options.output.read_bytes()).hexdigest()}")


def record(model):
    """A model as the file has it: for each feature its mean, its deviation and its points for each head."""
    columns = np.column_stack([model.mean, model.deviation, model.points])
    return {
        "bias": [round(float(b), DIGITS) for b in model.bias],
        "features": {
            name: [float(f"{v:.{DIGITS}g}") for v in row]
            for name, row in zip(model.names, columns, strict=True)
        },
    }


def _indented(value):
    rows = ",\n".join(f"   {json.dumps(n)}: {json.dumps(r)}" for n, r in value["features"].items())
    return f'{{"bias": {json.dumps(value["bias"])},\n  "features": {{\n{rows}}}}}'


def _standard(values):
    deviation = values.std(axis=0)
    return (values - values.mean(axis=0)) / np.where(deviation > 0, deviation, 1)


def _centred(values, groups):
    out = values.astype(float)
    for name in np.unique(groups):
        out[groups == name] -= out[groups == name].mean(axis=0)
    return out


if __name__ == "__main__":
    main()
