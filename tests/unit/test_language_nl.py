"""Dutch: words, sentences, syllables, stems, numbers and dates, worked out by hand."""

import pytest

from plainmark import facts
from plainmark.languages import has_snowball, language, split_sentences
from plainmark.languages.figures import figures

DUTCH = language("nl")


def test_sentences():
    assert split_sentences("Mevr. De Vries kocht o.a. twee boeken. Waarom?", "nl") == [
        "Mevr. De Vries kocht o.a. twee boeken.",
        "Waarom?",
    ]


def test_words_and_marks():
    assert DUTCH.tokens("De pagina's, foto-album.") == ["De", "pagina's", ",", "foto-album", "."]


@pytest.mark.parametrize(("word", "number"), [("zijn", 1), ("belangrijk", 3), ("nieuw", 1)])
def test_syllables(word, number):
    assert DUTCH.syllables(word) == number


@pytest.mark.skipif(not has_snowball(), reason="needs snowballstemmer")
def test_stems():
    assert len(set(DUTCH.stems(["boek", "boeken"]))) == 1


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("1.200,5", 1200.5, ""),
        ("2 miljoen euro", 2000000.0, "EUR"),
        ("vijfentwintig", 25.0, ""),
        ("tweeëntwintig jaar", 22.0, "year"),
        ("honderdvijftig", 150.0, ""),
        ("drieduizend", 3000.0, ""),
        ("12,5 procent", 12.5, "%"),
    ],
)
def test_numbers(text, number, unit):
    assert [(f.number, f.unit) for f in figures(text, "nl")] == [(number, unit)]


@pytest.mark.parametrize(
    ("text", "day", "month", "year"),
    [("op 3 mei 2020", 3, 5, 2020), ("in januari 1999", None, 1, 1999), ("op 3-5-2020", 3, 5, 2020)],
)
def test_dates(text, day, month, year):
    assert [(f.day, f.month, f.year) for f in figures(text, "nl")] == [(day, month, year)]


@pytest.mark.parametrize("text", ["een huis", "COVID-19"])
def test_no_numbers(text):
    assert not [f for f in figures(text, "nl") if not f.weak]


def test_facts():
    ledger = facts(
        "De wet kost 300 miljoen euro vanaf 3 mei 2020.",
        "De wet kost 400 miljoen euro vanaf 3 mei 2020.",
        language="nl",
    )
    assert [(e.verdict, e.before.text, e.after.text) for e in ledger.entries] == [
        ("check", "300 miljoen euro", "400 miljoen euro"),
        ("same", "3 mei 2020", "3 mei 2020"),
    ]
    assert ledger.unchecked
    assert "number" not in ledger.unchecked
