"""Numbers that perturbations change: what is found, and where."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainmark.perturbations._figures import numbers


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


def test_weak_numbers():
    assert keys(numbers("one first half both dozen"), weak=True) == [
        "number 1",
        "ordinal 1",
        "percent 50",
        "number 2",
        "number 12",
    ]


@given(st.integers(0, 10**13 - 1))
def test_numbers_in_words_and_digits_are_one(n):
    (digits,) = numbers(f"{n:,}")
    words = numbers(f" {in_words(n)} ")
    assert [m.key for m in words] == [digits.key]


def in_words(n):
    """A slow, plain way to write a number out."""
    small = list(__import__("plainmark.perturbations._figures", fromlist=["_UNITS"])._UNITS)
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


@given(st.text())
def test_offsets_point_into_any_text(text):
    for mention in numbers(text):
        assert text[mention.start : mention.end] == mention.text
