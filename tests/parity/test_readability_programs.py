"""The same numbers as textstat 0.7.13 and TextDescriptives 2.8.4, frozen."""

import math
import sys

import numpy as np
import pytest

import plainmark as pm
from conftest import lines
from plainmark.errors import MissingResourceError
from plainmark.metrics import _textdescriptives_counts
from plainmark.wordlists import are_pronounced

PROGRAMS = {
    "textstat-0.7.13": "fkgl flesch ari coleman_liau smog gunning_fog dale_chall spache linsear".split(),
    "textdescriptives": "fkgl flesch ari coleman_liau smog gunning_fog".split(),
}
FILES = [
    *(f"outputs/{s}" for s in "ACCESS DMASS-DCSS Dress-Ls EditNTS Hybrid PBMT-R SBMT-SARI UNTS".split()),
    "asset/asset.test.orig",
]
CASES = [
    pytest.param(program, name, marks=pytest.mark.spacy if program == "textdescriptives" else ())
    for program, names in PROGRAMS.items()
    for name in names
]


@pytest.mark.parametrize(("program", "name"), CASES)
def test_texts(golden, program, name):
    values = golden("readability_programs")["values"][program][name]
    corpus = pm.Corpus(None, golden("readability_programs")["texts"])
    scores = pm.metric(f"{name}(variant={program!r})").sample_scores(corpus)
    expected = [math.nan if v is None else v for v in values]
    assert scores == pytest.approx(expected, abs=1e-9, nan_ok=True)


@pytest.mark.data
@pytest.mark.parametrize(("program", "name"), CASES)
def test_asset(golden, program, name):
    for path in FILES:
        scores = pm.metric(f"{name}(variant={program!r})").sample_scores(pm.Corpus(None, lines(path)))
        assert np.nansum(scores) == pytest.approx(golden("readability_programs")["sums"][program][path][name])


def test_pronounced_words():
    words = ["the", "don't", "photosynthesis", "zürich", "wellknown", "zxqv", "blorptastic"]
    assert are_pronounced(words).tolist() == [True, True, True, False, False, False, False]
    assert are_pronounced([]).tolist() == []


def test_what_textdescriptives_lacks():
    with pytest.raises(pm.PlainmarkError, match="textdescriptives"):
        pm.metric("dale_chall(variant='textdescriptives')")


def test_without_spacy_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", None)
    _textdescriptives_counts._pipeline.cache_clear()
    expected = r"needs the package spacy.*pip install 'plainmark\[textdescriptives\]'$"
    with pytest.raises(MissingResourceError, match=f"^fkgl {expected}"):
        pm.metric("fkgl(variant='textdescriptives')").score(pm.Corpus(None, ["A text."]))
    with pytest.raises(MissingResourceError, match=f"^this {expected}"):
        _textdescriptives_counts.count_words(["A text."])
