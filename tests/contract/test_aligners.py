"""What every registered aligner keeps."""

from dataclasses import fields

import numpy as np
import pytest

import plainmark as pm
from plainmark.aligners import ALIGNERS
from plainmark.options import option_help
from support.stand_ins import runnable

A = ["The feline slept on the mat.", "Prices rose by 3 % in 1998.", "🦉 الطيور", ""]
B = ["The cat slept on the mat.", "In 1998 prices went up by 3 %.", "The cat slept on the mat."]
ABSENT = [n for n in ALIGNERS.names() if ALIGNERS.find(n)().missing()]


@pytest.fixture(params=ALIGNERS.names())
def aligner(request):
    with runnable(ALIGNERS.find(request.param)) as aligner:
        yield aligner


def test_the_embedded_ones_are_present():
    assert {"context", "embedding", "bertscore", "jaccard", "tfidf"} <= set(ALIGNERS.names())
    assert {"jaccard", "tfidf"}.isdisjoint(ABSENT)


def test_similarities(aligner):
    found = aligner.align(A, B)
    assert found.shape == (len(A), len(B))
    assert found.dtype == np.float64
    assert (found >= 0).all()
    assert (found <= 1).all()
    if aligner.name == "bert":  # a stand-in with random weights
        return
    # What belongs together is above the cut and above what does not.
    assert found[0, 0] > 0.5
    assert found[1, 1] > 0.5 or aligner.name == "tfidf"
    assert found[0, 1] < found[0, 0]
    assert found[1, 0] < found[1, 1]


def test_empty_sides(aligner):
    assert aligner.align([], B).shape == (0, 3)
    assert aligner.align(A, []).shape == (4, 0)
    assert aligner.align([], []).shape == (0, 0)
    assert aligner.align([""], [""]).shape == (1, 1)


def test_the_same_twice(aligner):
    assert (aligner.align(A, B) == pm.aligner(aligner.spec).align(A, B)).all()


@pytest.mark.parametrize("name", ABSENT)
def test_absent_ones_say_what_is_missing(name):
    with pytest.raises(pm.PlainmarkError, match=f"aligner {name} needs"):
        pm.aligner(name).align(A, B)


@pytest.mark.parametrize("name", ALIGNERS.names())
def test_values_and_documented(name):
    cls = ALIGNERS.find(name)
    assert cls() == cls()
    assert pm.aligner(cls().spec) == cls()
    assert cls.citation
    assert not cls.__doc__.startswith(cls.__name__ + "(")
    for option in fields(cls):
        assert option_help(cls)[option.name]


def test_unknown_names():
    with pytest.raises(pm.PlainmarkError, match=r"no aligner is called 'contxt'\. Did you mean 'context'"):
        pm.aligner("contxt")
