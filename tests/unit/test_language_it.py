"""Italian: words, sentences, syllables, stems, numbers and dates, worked out by hand."""

import pytest

from plainmark import facts
from plainmark.languages import has_snowball, language, split_sentences
from plainmark.languages.figures import figures

ITALIAN = language("it")


def test_sentences():
    assert split_sentences("Il dott. Rossi abita a Roma. Perché?", "it") == [
        "Il dott. Rossi abita a Roma.",
        "Perché?",
    ]


def test_words_and_marks():
    assert ITALIAN.tokens("dell'amica, un po' tardi") == ["dell'", "amica", ",", "un", "po'", "tardi"]


@pytest.mark.parametrize(("word", "number"), [("Italia", 3), ("giorno", 2), ("città", 2)])
def test_syllables(word, number):
    assert ITALIAN.syllables(word) == number


@pytest.mark.skipif(not has_snowball(), reason="needs snowballstemmer")
def test_stems():
    assert len(set(ITALIAN.stems(["gatto", "gatti"]))) == 1


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("1.200,5", 1200.5, ""),
        ("2 milioni di euro", 2000000.0, "EUR"),
        ("trentacinque", 35.0, ""),
        ("ventotto", 28.0, ""),
        ("duecento euro", 200.0, "EUR"),
        ("centoventi", 120.0, ""),
        ("duemila", 2000.0, ""),
        ("sei anni", 6.0, "year"),
        ("12,5 per cento", 12.5, "%"),
    ],
)
def test_numbers(text, number, unit):
    assert [(f.number, f.unit) for f in figures(text, "it")] == [(number, unit)]


@pytest.mark.parametrize(
    ("text", "day", "month", "year"), [("il 3 maggio 2020", 3, 5, 2020), ("nel gennaio 1999", None, 1, 1999)]
)
def test_dates(text, day, month, year):
    assert [(f.day, f.month, f.year) for f in figures(text, "it")] == [(day, month, year)]


@pytest.mark.parametrize("text", ["tu sei qui", "una casa"])
def test_no_numbers(text):
    assert not [f for f in figures(text, "it") if not f.weak]


def test_facts():
    ledger = facts(
        "La legge costa 300 milioni di euro dal 3 maggio 2020.",
        "La legge costa 400 milioni di euro dal 3 maggio 2020.",
        language="it",
    )
    assert [(e.verdict, e.before.text, e.after.text) for e in ledger.entries] == [
        ("check", "300 milioni di euro", "400 milioni di euro"),
        ("same", "3 maggio 2020", "3 maggio 2020"),
    ]
    assert ledger.unchecked
    assert "number" not in ledger.unchecked
