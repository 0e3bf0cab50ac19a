"""Scores of `quality` by models that saw no rated output of the same source sentence."""

import functools

import numpy as np
from training.quality import ENCODER, Training, measure
from training.quality_items import letters

from plainmark.data import Corpus
from plainmark.metric import Floats
from plainmark.metrics.quality import FILE, Model, has_words, load, parts

FOLDS = 8
PARTS = ("quality", "meaning", "fluency", "simplicity", "soundness", "gain")


@functools.cache
def training_of(data, references, cache):
    """What the models are fitted to, read once."""
    return Training(data, references, cache)


def folds(training):
    """The fold of every rated item: outputs on one source sentence share one."""
    names, group = np.unique(training.sentence, return_inverse=True)
    return (np.random.default_rng(0).permutation(len(names)) % FOLDS)[group]


def cross_fitted(training, *, non_commercial, seen=None, leave_out_system=False):
    """The parts of every rated item by models that saw neither its source sentence nor, if asked, its system."""
    fold = folds(training)
    out = np.full((len(fold), len(PARTS)), np.nan)
    systems = np.char.add(training.items.set, training.items.system)
    for k in range(FOLDS):
        tests = [fold == k]
        if leave_out_system:
            wu = training.items.set == "wu2025"
            tests = [(fold == k) & (systems == s) for s in np.unique(systems[wu])]
        for test in tests:
            keep = (fold != k) if seen is None else (fold != k) & seen
            if leave_out_system:
                keep &= ~np.isin(systems, systems[test])
            model = training.fit(keep, non_commercial=non_commercial)
            out[test] = parts(model.heads(training.rows[test]), model.copied(training.rows[test]))
    return out


class Unseen:
    """The parts of quality for any texts: by the shipped model, or where it saw ratings of a source sentence, by one that did not."""

    def __init__(self, training, *, non_commercial: bool, cache=None) -> None:
        self.training, self.non_commercial, self.cache = training, non_commercial, cache
        self._fold = dict(zip(training.sentence.tolist(), folds(training).tolist(), strict=True))

    def fold(self, source: str) -> int | None:
        """The fold of a source sentence; None where it has no rated output."""
        return self._fold.get(letters(source))

    @functools.cached_property
    def shipped(self) -> Model:
        return load(FILE, "research" if self.non_commercial else "open", ENCODER, "ignore")

    @functools.cache  # noqa: B019 one object per run
    def without(self, fold: int) -> Model:
        """The model that saw nothing of a fold."""
        return self.training.fit(folds(self.training) != fold, non_commercial=self.non_commercial)

    def parts(self, corpus: Corpus) -> Floats:
        rows = measure(corpus, False, self.cache)
        fold = np.array([-1 if k is None else k for k in map(self.fold, corpus.sources)])
        out = np.full((len(rows), len(PARTS)), np.nan)
        for k in np.unique(fold):
            own = fold == k
            model = self.shipped if k < 0 else self.without(int(k))
            out[own] = parts(model.heads(rows[own]), model.copied(rows[own]))
        out[[not has_words(text) for text in corpus.outputs]] = 0
        out[[not has_words(text) for text in corpus.sources]] = np.nan
        return out
