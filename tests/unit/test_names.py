"""Names that the simplifier keeps: what is found, and where."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainmark.errors import MissingResourceError
from plainmark.simplifier.rules._names import entities


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He lives in New York with Ann.", ["new york", "ann"]),
        ("The Bank of England said so.", ["bank of england"]),
        ("They met Dr. John Smith's wife in St. Louis.", ["john smith", "louis"]),
        ("U.S. troops and NASA and COVID-19 in the USA", ["us", "nasa", "covid-19", "usa"]),
        ("WHO said: Stop.", ["who"]),
        ("I think I'm here on Monday in May.", []),
        ("Ludwig van Beethoven; Charles de Gaulle", ["ludwig van beethoven", "charles de gaulle"]),
        ("from Paris. London is far", ["paris"]),
        ("the owls of the night", []),
        ("ALL IN CAPITALS", []),
        ("in New York the Bank failed", ["new york", "bank"]),
    ],
)
def test_names(text, expected):
    found = entities(text)
    assert [" ".join(m.key) for m in found if not m.weak] == expected
    assert all(text[m.start : m.end] == m.text for m in found)


def test_a_missing_pipeline_is_named():
    with pytest.raises(MissingResourceError, match="needs spaCy and its pipeline 'en_core_web_sm'"):
        entities("Ann", "en_core_web_sm")


@given(st.text())
def test_offsets_point_into_any_text(text):
    for mention in entities(text):
        assert text[mention.start : mention.end] == mention.text
