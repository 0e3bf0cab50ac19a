"""Spanish: words, sentences, syllables, stems, numbers and dates, worked out by hand."""

import pytest

from plainmark import facts
from plainmark.languages import has_snowball, language, split_sentences
from plainmark.languages.figures import figures

SPANISH = language("es")


def test_sentences():
    assert split_sentences("El Sr. García llegó a las 10. ¿Por qué?", "es") == [
        "El Sr. García llegó a las 10.",
        "¿Por qué?",
    ]


def test_words_and_marks():
    assert SPANISH.tokens("¿Qué dijo el franco-alemán?") == ["¿", "Qué", "dijo", "el", "franco-alemán", "?"]


@pytest.mark.parametrize(("word", "number"), [("historia", 3), ("país", 2), ("ciudad", 2)])
def test_syllables(word, number):
    assert SPANISH.syllables(word) == number


@pytest.mark.skipif(not has_snowball(), reason="needs snowballstemmer")
def test_stems():
    assert len(set(SPANISH.stems(["gato", "gatos"]))) == 1


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("1.200,5", 1200.5, ""),
        ("2 millones de euros", 2000000.0, "EUR"),
        ("treinta y cinco", 35.0, ""),
        ("treinta y un días", 31.0, "day"),
        ("doscientos veinte", 220.0, ""),
        ("12,5 por ciento", 12.5, "%"),
        ("mil doscientos", 1200.0, ""),
    ],
)
def test_numbers(text, number, unit):
    assert [(f.number, f.unit) for f in figures(text, "es")] == [(number, unit)]


@pytest.mark.parametrize(
    ("text", "day", "month", "year"),
    [("el 3 de mayo de 2020", 3, 5, 2020), ("en enero de 1999", None, 1, 1999), ("el 3/5/2020", 3, 5, 2020)],
)
def test_dates(text, day, month, year):
    assert [(f.day, f.month, f.year) for f in figures(text, "es")] == [(day, month, year)]


@pytest.mark.parametrize("text", ["una casa", "la COVID-19"])
def test_no_numbers(text):
    assert not [f for f in figures(text, "es") if not f.weak]


def test_facts():
    ledger = facts(
        "El estudio incluyó a 735 pacientes en mayo de 2018.",
        "El estudio incluyó a 753 pacientes en mayo de 2018.",
        language="es",
    )
    assert [(e.verdict, e.before.text, e.after.text) for e in ledger.entries] == [
        ("check", "735", "753"),
        ("same", "mayo de 2018", "mayo de 2018"),
    ]
    assert ledger.unchecked
    assert "number" not in ledger.unchecked
