"""Data that several tables share."""

import pytest

import paper5


@pytest.fixture(scope="session")
def passages(shared):
    """Paper 5: system -> its sixty rows."""
    return paper5.passages()
