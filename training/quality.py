"""Fit `quality` to ratings and graded texts, and write metrics/quality.json.

    python -m training.quality DATA [--cache FOLDER] [--output FILE]

Meaning, fluency, simplicity and soundness are each the sum, in equal parts, of a ridge regression in closed form and of
boosted trees. The ratings of each data set are standardised and centred, features too, so that a set teaches which of its
outputs are better, not that its outputs are better than those of another set; a set counts by how many raters stand behind
a rating. Where people gave one overall rating, it replaces the others with less weight. Beside the ratings stand
contrasts: a faithful simplification less the same with one error put in, which is to be worth a step of one standard
deviation, and for meaning documents of which more or less is left. The gain is a logistic regression without a bias on the differences between two versions of a text, of which
people wrote one as the simpler. docs/quality-card.md lists the data with their licences.
"""

import argparse
import functools
import hashlib
import json
import random
from copy import copy
from itertools import pairwise
from pathlib import Path

import numpy as np
from evaluation.injection import ERRORS, inject
from evaluation.texts import DATASETS, PARTS, read

import plainmark
from plainmark.data import Corpus
from plainmark.identity import join_digests, sha256
from plainmark.metrics import _quality_features as features
from plainmark.metrics.quality import (
    ALMOST,
    BROKEN,
    COPY,
    ENOUGH,
    FILE,
    HEADS,
    LIMIT,
    SIMPLICITY,
    SOUND,
    Model,
)
from plainmark.trees import Trees

from . import boosting
from .damaged_documents import damaged_documents
from .quality_items import HEADS as RATED_HEADS
from .quality_items import NON_COMMERCIAL, RATED, beginning, evaluated_sources, graded, joined, rated

PENALTY, GAIN_PENALTY = 800.0, 100.0
TREES = {"trees": 80, "depth": 3, "rate": 0.08, "penalty": 20.0}
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
STAND_IN = 0.3  # the weight of an overall rating as a rating of meaning, fluency or simplicity
# Raters of structural simplicity were asked about the structure alone: their simplicity is another one than that of the other sets.
OTHER_QUESTION = {("structural_simplicity", "simplicity")}
GRADED_WEIGHT = {"onestop": 2.0, "swipe": 3.0, "plaba": 0.5}  # others count 1
ENCODER = "plain"
OPEN_TEXTS = tuple(name for name in DATASETS if name not in NON_COMMERCIAL)  # that both models may learn from
CASES, LONGEST = 40, 120  # contrasts of each kind, and the words of their outputs at most
BLOCK = 512  # samples whose features are computed at one time
CONTRAST_WEIGHT = 0.5
DAMAGE, DAMAGE_WEIGHT = 3.0, 1.0  # standard deviations of meaning that all of a document is worth
# Centred within each system too: the style of a system says little of the meaning that other systems keep.
WITHIN_SYSTEM = ("meaning",)
DIGITS = 4
# Features are recomputed when one of these changes.
COMPUTED_BY, CONTENTS = (
    ("faithfulness", "lexicon", "aligners", "lm", "models"),
    (".py", ".json", ".safetensors", ".xz"),
)


class Training:
    """Everything that a model is fitted to, with its features: ratings, contrasts and graded texts."""

    def __init__(self, data, references, cache=None, names=tuple(RATED), cases=CASES):
        self.columns = features.names(ENCODER, references)
        sets = [rated(data, name) for name in names]
        if references:
            sets = [*with_references(data, sets)]
        self.items = joined(sets)
        self.rows = np.concatenate([measure(s.corpus, references, cache) for s in sets])
        self.sentence = self.items.sentence
        self.graded = list(graded(data, non_commercial=True))
        harder, simpler = (features.text_features([pair[k] for pair in self.graded]) for k in (1, 2))
        self.steps = simpler - harder
        # Nobody wrote references for these: the features of references are at their means.
        self.contrasts = [
            (self._without_references(worse, cache), self._without_references(better, cache), sizes)
            for worse, better, sizes in contrasts(data, cases)
        ]
        self.damaged = damaged_documents(data)
        self.damaged_rows = self._without_references(self.damaged.corpus, cache)

    def _without_references(self, corpus, cache):
        rows = measure(corpus, False, cache)
        missing = np.full((len(rows), len(self.columns) - rows.shape[1]), np.nan)
        return np.hstack([rows, missing])

    def only(self, columns):
        """The same with fewer features."""
        places = [self.columns.index(name) for name in columns]
        other = copy(self)
        other.columns, other.rows = columns, self.rows[:, places]
        other.contrasts = [(worse[:, places], better[:, places], s) for worse, better, s in self.contrasts]
        other.damaged_rows = self.damaged_rows[:, places]
        return other

    def targets(self):
        """Ratings of each head, standardised within each set, and their weights.

        Overall is the mean of the others where nobody rated it, and replaces the others where it is all there is.
        """
        targets, weights = (np.zeros((len(self.rows), len(RATED_HEADS))) for _ in range(2))
        for name in np.unique(self.items.set):
            own = self.items.set == name
            values = _standard(self.items.ratings[own])
            weight = np.full(values.shape, SET_WEIGHT[name])
            missing = np.isnan(values[:, 3])
            values[missing, 3] = values[missing, :3].mean(axis=1)
            unrated = np.isnan(values)
            weight[unrated] *= STAND_IN
            values = np.where(unrated, values[:, 3:], values)
            for h, head in enumerate(RATED_HEADS):
                if (name, head) in OTHER_QUESTION:
                    weight[:, h] = 0
            targets[own], weights[own] = _standard(values), weight
        return targets, weights

    def fit(self, keep, *, non_commercial, contrast_weight=CONTRAST_WEIGHT, penalty=PENALTY):
        """The model by the rated items of a mask."""
        if not non_commercial:
            keep = keep & ~np.isin(self.items.set, NON_COMMERCIAL)
        rows = self.rows[keep]
        mean, deviation = rows.mean(axis=0), rows.std(axis=0)
        gains = np.array([name.startswith("gain_") for name in self.columns])
        mean[gains] = 0  # so that a step back costs what a step forward earns
        deviation[deviation < 1e-9] = 1
        model = Model(self.columns, mean, deviation, np.zeros((len(self.columns), len(HEADS))), np.zeros(0))
        targets, weights = (values[keep] for values in self.targets())
        sets = self.items.set[keep]
        systems = np.char.add(sets, self.items.system[keep])
        z, damaged = model.scaled(rows), _known(model.scaled(self.damaged_rows))
        contrasts = [
            (_known(model.scaled(worse)), _known(model.scaled(better)), sizes)
            for worse, better, sizes in self.contrasts
        ]
        trees = {}
        for h, head in enumerate(RATED_HEADS):
            counted = weights[:, h] > 0
            groups = (systems if head in WITHIN_SYSTEM else sets)[counted]
            y, w = _centred(targets[counted, h], groups), weights[counted, h]
            contrasted = [(worse, better, sizes.get(head, 0.0)) for worse, better, sizes in contrasts]
            x, own = _centred(z[counted], groups), z[counted]
            if head == "meaning":
                left = DAMAGE * _centred(self.damaged.share, self.damaged.group)
                x = np.concatenate([x, _centred(damaged, self.damaged.group)])
                own, y = np.concatenate([own, damaged]), np.concatenate([y, left])
                w = np.concatenate([w, np.full(len(left), DAMAGE_WEIGHT)])
            model.points[:, h] = _ridge(x, y, w, contrasted, contrast_weight, penalty)
            trees[HEADS[h]] = _trees(own, y, w, contrasted, contrast_weight)
        model.points[gains, HEADS.index("gain")] = self._gain(deviation[gains], non_commercial)
        return _in_points(model, z, trees)

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


def _ridge(x, y, weight, contrasts, contrast_weight, penalty):
    """What each feature is worth; the difference between the texts of a contrast is worth its size."""
    for worse, better, size in contrasts:
        x = np.concatenate([x, better - worse])
        y = np.concatenate([y, np.full(len(worse), size)])
        weight = np.concatenate([weight, np.full(len(worse), contrast_weight)])
    return np.linalg.solve((x.T * weight) @ x + penalty * np.eye(x.shape[1]), x.T @ (weight * y))


def _trees(x, y, weight, contrasts, contrast_weight):
    """Trees for the ratings; of a contrast, half of its size above the average for the better text and below for the worse."""
    for worse, better, size in contrasts:
        if size:
            x = np.concatenate([x, worse, better])
            y = np.concatenate([y, np.repeat([-size / 2, size / 2], len(worse))])
            weight = np.concatenate([weight, np.full(2 * len(worse), contrast_weight)])
    return Trees(*map(np.asarray, boosting.fit(x, y, weight, loss="squared", **TREES)))


def _in_points(model, z, trees):
    """The model with both halves of each head in points: equal parts, together one standard deviation."""
    points, bias, scaled_trees = model.points.copy(), np.zeros(len(HEADS)), {}
    for h, head in enumerate(HEADS):
        linear = z @ model.points[:, h]
        points[:, h] /= linear.std()
        total = linear / linear.std()
        if head in trees:
            grown = trees[head].scores(z)
            total = total + grown / grown.std()
        points[:, h] *= POINTS / total.std()
        bias[h] = CENTRE - total.mean() * POINTS / total.std()
        if head in trees:
            scale = POINTS / total.std() / grown.std()
            own = trees[head]
            scaled_trees[head] = Trees(
                own.features, own.thresholds, own.values * scale, float(own.bias * scale)
            )
    return model._replace(points=points, bias=bias, trees=scaled_trees)


def with_references(data, sets):
    """The sets that have references; the sentences of Wu and Arase from ASSET and TurkCorpus have those of these."""
    for items in sets:
        if items.corpus.references is not None:
            yield items
    for part in ("asset", "turk"):
        yield rated(data, "wu2025", part=part)


def contrasts(data, cases=CASES):
    """(worse, better, step of each head): simplifications with an error and without it."""
    evaluated = evaluated_sources(data)
    texts = [
        t
        for t in read(data, PARTS["development"], OPEN_TEXTS)
        if len(t.output.split()) < LONGEST and beginning(t.source) not in evaluated
    ]
    rng = random.Random(0)
    chosen = rng.sample(texts, min(4 * cases, len(texts)))
    errors = [(c.text.source, c.output, c.text.output) for kind in ERRORS for c in inject(kind, texts, cases)]
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
    texts = repr((ENCODER, references, corpus.sources, corpus.outputs))
    digest = hashlib.sha256(f"{_code()} {texts}".encode("utf-8", "surrogatepass"))
    file = cache and cache / f"{digest.hexdigest()[:24]}.npy"
    if file and file.exists():
        return np.load(file)
    blocks = [corpus[start : start + BLOCK] for start in range(0, len(corpus), BLOCK)]
    if references:
        near = np.concatenate([features.reference_features(block, ENCODER) for block in blocks])
        rows = np.hstack([measure(corpus, False, cache), near])
    else:
        rows = np.concatenate([features.rows(block, ENCODER, False) for block in blocks])
    if file:
        cache.mkdir(parents=True, exist_ok=True)
        np.save(file, rows)
    return rows


@functools.cache
def _code():
    """The digest of everything that features are computed by."""
    package = Path(plainmark.__file__).parent
    files = [p for name in COMPUTED_BY for p in sorted((package / name).rglob("*"))]
    return join_digests(sha256(p) for p in [*files, Path(features.__file__)] if p.suffix in CONTENTS)


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
    combination = {
        "simplicity": SIMPLICITY,
        "broken": BROKEN,
        "sound": SOUND,
        "enough": ENOUGH,
        "almost": ALMOST,
        "copy": COPY,
    }
    head = f'{{"combination": {json.dumps(combination)},\n"models": {{\n'
    options.output.write_text(head + ",\n".join(lines) + "\n}}\n", "utf-8")
    print(f"{options.output.name}: sha256 {hashlib.sha256(options.output.read_bytes()).hexdigest()}")


def record(model):
    """A model as the file has it: for each feature its mean, its deviation and its points for each head."""
    columns = np.column_stack([model.mean, model.deviation, model.points])
    return {
        "bias": [round(float(b), DIGITS) for b in model.bias],
        "trees": {
            head: {
                "features": t.features.tolist(),
                "thresholds": _short(t.thresholds),
                "values": _short(t.values),
                "bias": _short(t.bias),
            }
            for head, t in model.trees.items()
        },
        "features": {
            name: [float(f"{v:.{DIGITS}g}") for v in row]
            for name, row in zip(model.names, columns, strict=True)
        },
    }


def _short(values):
    return np.vectorize(lambda v: float(f"{v:.{DIGITS}g}"))(values).tolist()


def _indented(value):
    rows, trees = (
        ",\n".join(f"   {json.dumps(n)}: {json.dumps(r)}" for n, r in value[key].items())
        for key in ("features", "trees")
    )
    return f'{{"bias": {json.dumps(value["bias"])},\n  "features": {{\n{rows}}},\n  "trees": {{\n{trees}}}}}'


def _known(scaled):
    """Features in standard deviations, those that nobody knows at their means."""
    return np.nan_to_num(scaled)


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
