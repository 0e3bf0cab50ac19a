"""Portuguese: words, sentences, syllables, stems, numbers and dates, worked out by hand."""

import pytest

from plainmark import facts
from plainmark.languages import has_snowball, language, split_sentences
from plainmark.languages.figures import figures

PORTUGUESE = language("pt")


def test_sentences():
    assert split_sentences("O Sr. Silva chegou às 10. Porquê?", "pt") == [
        "O Sr. Silva chegou às 10.",
        "Porquê?",
    ]


def test_words_and_marks():
    assert PORTUGUESE.tokens("Disse-lhe: guarda-chuva!") == ["Disse-lhe", ":", "guarda-chuva", "!"]


@pytest.mark.parametrize(("word", "number"), [("não", 1), ("história", 3), ("saúde", 3)])
def test_syllables(word, number):
    assert PORTUGUESE.syllables(word) == number


@pytest.mark.skipif(not has_snowball(), reason="needs snowballstemmer")
def test_stems():
    assert len(set(PORTUGUESE.stems(["gato", "gatos"]))) == 1


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("1.200,5", 1200.5, ""),
        ("2 milhões de euros", 2000000.0, "EUR"),
        ("trinta e cinco", 35.0, ""),
        ("vinte e um dias", 21.0, "day"),
        ("duzentos e vinte euros", 220.0, "EUR"),
        ("12,5 por cento", 12.5, "%"),
    ],
)
def test_numbers(text, number, unit):
    assert [(f.number, f.unit) for f in figures(text, "pt")] == [(number, unit)]


@pytest.mark.parametrize(
    ("text", "day", "month", "year"),
    [("em 3 de maio de 2020", 3, 5, 2020), ("em janeiro de 1999", None, 1, 1999)],
)
def test_dates(text, day, month, year):
    assert [(f.day, f.month, f.year) for f in figures(text, "pt")] == [(day, month, year)]


@pytest.mark.parametrize("text", ["uma casa", "a COVID-19"])
def test_no_numbers(text):
    assert not [f for f in figures(text, "pt") if not f.weak]


def test_facts():
    ledger = facts(
        "A lei custa 300 milhões de euros desde 3 de maio de 2020.",
        "A lei custa 400 milhões de euros desde 3 de maio de 2020.",
        language="pt",
    )
    assert [(e.verdict, e.before.text, e.after.text) for e in ledger.entries] == [
        ("check", "300 milhões de euros", "400 milhões de euros"),
        ("same", "3 de maio de 2020", "3 de maio de 2020"),
    ]
    assert ledger.unchecked
    assert "number" not in ledger.unchecked
