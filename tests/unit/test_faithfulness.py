"""Numbers, negations and names: what is found, and what counts as kept."""

import sys
import types

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plainmark as pm
from plainmark.errors import MissingResourceError
from plainmark.faithfulness import check, entities, negations, numbers
from plainmark.models import pipelines


def keys(mentions, *, weak=False):
    return [" ".join(m.key) for m in mentions if m.weak == weak]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,200 and 1200 and 1.5 and .5 and 1,234,567.25", ["1200", "1200", "1.5", "0.5", "1234567.25"]),
        ("twelve hundred, 1.2 thousand, one thousand two hundred", ["1200", "1200", "1200"]),
        ("two hundred and five thousand three hundred", ["205300"]),
        ("three million and two", ["3000002"]),
        ("twenty-one, twenty one, ninety-nine", ["21", "21", "99"]),
        ("five and six, seven eight", ["5", "6", "7", "8"]),  # not one number each
        ("a hundred and a million, hundreds of millions", ["100", "1000000"]),
        ("$3.5 million and 10km and 3-4 days", ["3500000", "10", "3", "4"]),
        ("10\u202f000 people", ["10000"]),
        ("1,23 is no thousand", ["1", "23"]),
        ("zero", ["0"]),
    ],
)
def test_plain_numbers(text, expected):
    found = numbers(text)
    assert keys(found) == [f"number {e}" for e in expected]
    assert all(text[m.start : m.end] == m.text for m in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12%, 12 percent, twelve per cent, 3 percentage points", ["percent 12"] * 3 + ["percent 3"]),
        ("the 21st, the twenty-first, the one hundredth", ["ordinal 21", "ordinal 21", "ordinal 100"]),
        ("in the 1990s", ["decade 1990"]),
        ("5 May, May 5th, 5th of May, may 5", ["day 5-5"] * 4),
        ("May 5, 1999", ["day 5-5", "number 1999"]),
        ("May 1999 and in March and since January", ["month 5", "number 1999", "month 3", "month 1"]),
        ("he may go; they march on; mar it", []),
        ("1999-05-06", ["number 1999", "day 5-6"]),
        ("Jan. 3 and Sept 4", ["day 1-3", "day 9-4"]),
        ("may 500 people march 1,000 miles", ["number 500", "number 1000"]),
        ("no one was the first to see both for a second", []),
    ],
)
def test_other_kinds_of_numbers(text, expected):
    assert keys(numbers(text)) == expected


def test_weak_numbers_confirm_and_are_not_asked_for():
    assert keys(numbers("one first half both dozen"), weak=True) == [
        "number 1",
        "ordinal 1",
        "percent 50",
        "number 2",
        "number 12",
    ]
    checked = check("numbers", "The 1st of 2 lost 50%.", "The first of both lost half.")
    assert [m.kept for m in checked.source] == [True] * 3
    assert checked.output == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is not safe.", [("not", "safe")]),
        ("It isn't safe; it isn’t cheap.", [("n't", "safe"), ("n’t", "cheap")]),
        ("ca n't stop", [("n't", "stop")]),
        ("Nobody cannot never go without money.", [("Nobody", "go money"), ("cannot", "go money")]),
        ("not only cheap but no doubt safe", []),
        ("No. 5 is alive", []),
        ("notable knots, nothings", []),
    ],
)
def test_negations(text, expected):
    found = [(m.text, " ".join(m.key)) for m in negations(text) if not m.weak]
    assert found[: len(expected)] == expected
    assert bool(found) == bool(expected)


@pytest.mark.parametrize(
    ("source", "output", "kept"),
    [
        ("It is not safe.", "It isn't safe.", True),
        ("It is not safe.", "It is safe.", False),
        ("The drug is not safe but effective.", "The drug is safe but not effective.", False),
        ("Patients could not walk.", "Patients were unable to walk.", True),
        ("There was no evidence of harm.", "It did not hurt anyone.", True),  # other words, nothing affirmed
        ("There was no evidence of harm.", "We have evidence of harm, not of use.", False),
    ],
)
def test_kept_negations(source, output, kept):
    assert [m.kept for m in check("negations", source, output).source] == [kept]


def test_an_added_negation_is_seen():
    checked = check("negations", "It is safe.", "It is not safe.")
    assert checked.source == ()
    assert [(m.text, m.kept) for m in checked.output] == [("not", False)]


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
    assert keys(found) == expected
    assert all(text[m.start : m.end] == m.text for m in found)


def test_names_in_other_forms():
    source = "The World Health Organization met Barack Hussein Obama in the Internet Cafe in Geneva."
    output = "WHO met Obama in the internet cafe. Geneva was cold. Rome was not."
    checked = check("entities", source, output)
    assert [(m.text, m.kept) for m in checked.source] == [
        ("World Health Organization", True),
        ("Barack Hussein Obama", True),
        ("Internet Cafe", True),
        ("Geneva", True),
    ]
    assert [(m.text, m.kept) for m in checked.output] == [("WHO", True), ("Obama", True)]


def test_names_by_spacy(monkeypatch):
    """What is asked of a pipeline: entities with character offsets; numbers and dates are left out."""
    with pytest.raises(MissingResourceError, match="needs spaCy and its pipeline 'en_core_web_sm'"):
        entities("Ann", "en_core_web_sm")
    metric = pm.metric("entities_kept(finder='en_core_web_sm')")
    assert metric.missing().startswith("needs spaCy")

    def entity(text, start, label):
        return types.SimpleNamespace(text=text, start_char=start, end_char=start + len(text), label_=label)

    found = [entity("Ann", 0, "PERSON"), entity("1998", 7, "DATE")]
    pipeline = types.SimpleNamespace(load=lambda name: lambda text: types.SimpleNamespace(ents=found))
    monkeypatch.setitem(sys.modules, "spacy", pipeline)
    monkeypatch.setattr(pipelines, "missing", lambda name: "")
    assert [(m.text, m.start, m.end, m.key) for m in entities("Ann in 1998", "some_pipeline")] == [
        ("Ann", 0, 3, ("ann",))
    ]


def test_scores_by_hand():
    data = pm.Corpus(
        ["In 1998, 1,200 of 3,000 people left.", "Nobody left.", "It rained."],
        ["In 1998 twelve hundred of 30 left.", "All left.", "It rained 4 times."],
    )
    numbers_kept = pm.metric("numbers_kept")
    # Source: 1998, 1200, 3000, of which two are kept; output: 1998, 1200, 30, and 4 in the last sample.
    parts = numbers_kept.score(data).parts
    assert parts["recall"] == pytest.approx(100 * 2 / 3)
    assert parts["precision"] == pytest.approx(100 * 2 / 4)
    assert parts["f1"] == pytest.approx(100 * 4 / 7)
    assert numbers_kept.score(data).value == parts["f1"]
    assert pm.metric("numbers_kept(part='recall')").score(data).value == parts["recall"]
    each = numbers_kept.sample_parts(data)
    assert np.isnan(each[1]).all()
    assert each[2].tolist()[:2] == [0, 0]
    assert np.isnan(each[2, 2])  # nothing to keep
    assert pm.metric("negation_kept").sample_scores(data)[1] == 0
    assert np.isnan(pm.metric("entities_kept").score(data).value)


def test_every_negation_counts_and_every_number_counts_once():
    data = pm.Corpus(["It is not good and not good. 5 or 5."], ["It is not good. 5."])
    assert pm.metric("negation_kept").score(data).parts["recall"] == 50
    assert pm.metric("numbers_kept").score(data).value == 100


@given(st.integers(0, 10**13 - 1))
def test_numbers_in_words_and_digits_are_one(n):
    (digits,) = numbers(f"{n:,}")
    words = numbers(f" {in_words(n)} ")
    assert [m.key for m in words] == [digits.key]


def in_words(n):
    """A slow, plain way to write a number out."""
    small = list(__import__("plainmark.faithfulness.numbers", fromlist=["_UNITS"])._UNITS)
    tens = "x x twenty thirty forty fifty sixty seventy eighty ninety".split()
    if n < 20:
        return small[n]
    if n < 100:
        return tens[n // 10] + (f"-{small[n % 10]}" if n % 10 else "")
    for size, name in (
        (10**12, "trillion"),
        (10**9, "billion"),
        (10**6, "million"),
        (1000, "thousand"),
        (100, "hundred"),
    ):
        if n >= size:
            rest = n % size
            joint = " and " if rest and rest < 100 and size == 100 else " "
            return f"{in_words(n // size)} {name}" + (joint + in_words(rest) if rest else "")
    raise AssertionError(n)


@given(st.text(), st.text())
def test_offsets_point_into_any_text_and_a_copy_keeps_all(source, output):
    for kind in ("numbers", "negations", "entities"):
        checked = check(kind, source, output)
        assert all(source[m.start : m.end] == m.text for m in checked.source)
        assert all(output[m.start : m.end] == m.text for m in checked.output)
        copied = check(kind, source, source)
        assert all(m.kept for m in (*copied.source, *copied.output))
