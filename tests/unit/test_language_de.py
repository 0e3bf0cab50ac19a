"""German: words, sentences, syllables, stems, numbers and dates, worked out by hand."""

import pytest

from plainmark import facts
from plainmark.languages import has_snowball, language, split_sentences
from plainmark.languages.figures import figures

GERMAN = language("de")


def test_sentences():
    assert split_sentences("Am 3. Mai kam Dr. Müller nach Bonn. Er blieb.", "de") == [
        "Am 3. Mai kam Dr. Müller nach Bonn.",
        "Er blieb.",
    ]


def test_words_and_marks():
    assert GERMAN.tokens("Das E-Mail-Konto, 3,5 kg!") == ["Das", "E-Mail-Konto", ",", "3,5", "kg", "!"]


@pytest.mark.parametrize(("word", "number"), [("Haus", 1), ("Familie", 4), ("Bundesregierung", 5)])
def test_syllables(word, number):
    assert GERMAN.syllables(word) == number


@pytest.mark.skipif(not has_snowball(), reason="needs snowballstemmer")
def test_stems():
    assert len(set(GERMAN.stems(["Katze", "Katzen"]))) == 1


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("1.200,5", 1200.5, ""),
        ("2,5 Millionen Menschen", 2500000.0, ""),
        ("einundzwanzig", 21.0, ""),
        ("zweihundertfünfzig Euro", 250.0, "EUR"),
        ("35 Prozent", 35.0, "%"),
        ("12 500 km", 12500.0, "km"),
        ("3 Mio. Euro", 3000000.0, "EUR"),
        ("sechs Wochen", 6.0, "week"),
    ],
)
def test_numbers(text, number, unit):
    assert [(f.number, f.unit) for f in figures(text, "de")] == [(number, unit)]


@pytest.mark.parametrize(
    ("text", "day", "month", "year"),
    [
        ("am 3. Mai 2020", 3, 5, 2020),
        ("im Jänner 1999", None, 1, 1999),
        ("am 03.05.2020", 3, 5, 2020),
        ("seit 1998", None, None, 1998),
    ],
)
def test_dates(text, day, month, year):
    assert [(f.day, f.month, f.year) for f in figures(text, "de")] == [(day, month, year)]


@pytest.mark.parametrize("text", ["Covid-19", "ein Haus", "habt acht", "das 5G-Netz"])
def test_no_numbers(text):
    assert not [f for f in figures(text, "de") if not f.weak]


def test_facts():
    ledger = facts(
        "Das Gesetz kostet 300 Millionen Euro und gilt ab dem 1. Januar 2027.",
        "Das Gesetz kostet 400 Millionen Euro und gilt ab dem 1. Januar 2027.",
        language="de",
    )
    assert [(e.verdict, e.before.text, e.after.text) for e in ledger.entries] == [
        ("check", "300 Millionen Euro", "400 Millionen Euro"),
        ("same", "1. Januar 2027", "1. Januar 2027"),
    ]
    assert ledger.unchecked
    assert "number" not in ledger.unchecked
