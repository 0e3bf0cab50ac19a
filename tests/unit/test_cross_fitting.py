"""Cross-fitting of quality: no text is scored by a model that saw a rating of its source sentence."""

from types import SimpleNamespace

import numpy as np
import pytest
from evaluation import cross_fitting
from evaluation.cross_fitting import FOLDS, Unseen, cross_fitted, folds

from plainmark.data import Corpus
from plainmark.metrics.quality import HEADS

SENTENCES = [f"Sentence {k // 2}." for k in range(60)]


class Recorder:
    """A training whose models say which sentences they were fitted to, by their heads."""

    def __init__(self):
        self.sentence = np.array([cross_fitting.letters(s) for s in SENTENCES])
        self.items = SimpleNamespace(
            set=np.array(["wu2025", "simpeval"] * 30), system=np.array(["a", "b", "c", "d"] * 15)
        )
        self.rows = np.arange(60.0)[:, None]
        self.fits = []

    def fit(self, keep, *, non_commercial):
        self.fits.append((keep.copy(), non_commercial))
        return Model(keep, self)


class Model:
    def __init__(self, keep, training):
        self.keep, self.training = keep, training

    def heads(self, rows):
        """Meaning is 1 where the model saw the sentence of a row, and 0 elsewhere."""
        seen = {s for s, kept in zip(self.training.sentence, self.keep, strict=True) if kept}
        out = np.full((len(rows), len(HEADS)), 50.0)
        out[:, 0] = [self.training.sentence[int(k)] in seen for k in rows[:, 0]]
        return out

    def copied(self, rows):
        return np.zeros(len(rows))


@pytest.fixture
def training():
    return Recorder()


def test_outputs_on_one_sentence_share_a_fold(training):
    fold = folds(training)
    assert (fold[::2] == fold[1::2]).all()
    assert set(fold) == set(range(FOLDS))


def test_no_item_is_scored_by_a_model_that_saw_its_sentence(training):
    scores = cross_fitted(training, non_commercial=False)
    assert (scores[:, 1] == 0).all()
    assert np.isfinite(scores).all()
    assert not any(non_commercial for _, non_commercial in training.fits)


def test_nor_one_that_saw_its_system(training):
    out = cross_fitted(training, non_commercial=True, leave_out_system=True)
    wu = training.items.set == "wu2025"
    assert np.isfinite(out[wu]).all()
    assert np.isnan(out[~wu]).all()
    assert (out[wu, 1] == 0).all()
    systems = np.char.add(training.items.set, training.items.system)
    for keep, _ in training.fits:
        assert set(systems[~keep]) >= {"wu2025a"} or set(systems[~keep]) >= {"wu2025c"}


def test_texts_on_rated_sentences_are_scored_by_models_that_did_not_see_them(training, monkeypatch):
    unseen = Unseen(training, non_commercial=False)
    outputs = Corpus(["Sentence 3!", "Something else.", "Sentence 7.", " "], ["x", "x", "...", "x"])
    rows = np.array([[6.0], [0.0], [14.0], [0.0]])
    monkeypatch.setattr(cross_fitting, "measure", lambda corpus, references, cache: rows)
    shipped = Model(np.ones(60, bool), training)
    monkeypatch.setattr(Unseen, "shipped", shipped)
    parts = unseen.parts(outputs)
    assert [unseen.fold(s) is None for s in outputs.sources] == [False, True, False, True]
    assert parts[0, 1] == 0  # the sentence of row 6 was left out
    assert parts[1, 1] == 1  # nobody rated it, so the shipped model scores it
    assert (parts[2] == 0).all()  # an output without words
    assert np.isnan(parts[3]).all()  # a source without words
    fits = len(training.fits)
    unseen.parts(outputs)
    assert len(training.fits) == fits == 2  # each model is fitted once
