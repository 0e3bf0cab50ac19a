"""The number of BLAS threads inside and after a block, and what that must not change."""

import numpy as np
import pytest

from plainmark.models import _blas


@pytest.fixture
def threads(monkeypatch):
    """A stand-in for OpenBLAS's two functions: the numbers that were set."""
    numbers = [7]
    monkeypatch.setattr(_blas, "_functions", lambda: (lambda: numbers[-1], numbers.append))
    return numbers


def test_one_thread_inside_and_the_old_number_afterwards(threads):
    with _blas.one_thread():
        assert threads[-1] == 1
        with _blas.one_thread():
            assert threads[-1] == 1
        assert threads[-1] == 1  # the outer block goes on
    assert threads[-1] == 7


def test_the_old_number_comes_back_after_an_error(threads):
    with pytest.raises(ValueError, match="stop"), _blas.one_thread():
        raise ValueError("stop")
    assert threads[-1] == 7


def test_without_openblas_nothing_happens(monkeypatch):
    monkeypatch.setattr(_blas, "_functions", lambda: None)
    with _blas.one_thread():
        assert np.eye(2).sum() == 2
