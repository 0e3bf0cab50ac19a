"""French: words, sentences, syllables, stems, numbers and dates, worked out by hand."""

import pytest

from plainmark import facts
from plainmark.languages import has_snowball, language, split_sentences
from plainmark.languages.figures import figures

FRENCH = language("fr")


def test_sentences():
    assert split_sentences("M. Dupont habite à Paris. Pourquoi ?", "fr") == [
        "M. Dupont habite à Paris.",
        "Pourquoi ?",
    ]


def test_words_and_marks():
    assert FRENCH.tokens("L’homme d'aujourd'hui dit-il qu'il vient ?") == [
        "L'",
        "homme",
        "d'",
        "aujourd'hui",
        "dit-il",
        "qu'",
        "il",
        "vient",
        "?",
    ]


@pytest.mark.parametrize(("word", "number"), [("femme", 1), ("client", 2), ("également", 4)])
def test_syllables(word, number):
    assert FRENCH.syllables(word) == number


@pytest.mark.skipif(not has_snowball(), reason="needs snowballstemmer")
def test_stems():
    assert len(set(FRENCH.stems(["cheval", "chevaux"]))) == 1


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("1 200,5", 1200.5, ""),
        ("2,5 millions d'euros", 2500000.0, "EUR"),
        ("quatre-vingt-dix-sept", 97.0, ""),
        ("soixante-quinze ans", 75.0, "year"),
        ("vingt et un jours", 21.0, "day"),
        ("45 pour cent", 45.0, "%"),
        ("deux cents", 200.0, ""),
    ],
)
def test_numbers(text, number, unit):
    assert [(f.number, f.unit) for f in figures(text, "fr")] == [(number, unit)]


@pytest.mark.parametrize(
    ("text", "day", "month", "year"),
    [("le 1er mai 2020", 1, 5, 2020), ("en août 1999", None, 8, 1999), ("le 14 juillet 1789", 14, 7, 1789)],
)
def test_dates(text, day, month, year):
    assert [(f.day, f.month, f.year) for f in figures(text, "fr")] == [(day, month, year)]


@pytest.mark.parametrize("text", ["un homme", "un homme neuf", "le COVID-19"])
def test_no_numbers(text):
    assert not [f for f in figures(text, "fr") if not f.weak]


def test_facts():
    ledger = facts(
        "L'essai a porté sur 733 femmes âgées de 35 ans.",
        "L'essai a porté sur 373 femmes âgées de 35 ans.",
        language="fr",
    )
    assert [(e.verdict, e.before.text, e.after.text) for e in ledger.entries] == [
        ("check", "733", "373"),
        ("same", "35 ans", "35 ans"),
    ]
    assert ledger.unchecked
    assert "number" not in ledger.unchecked
