"""Russian: words, sentences, syllables, stems, numbers and dates, worked out by hand."""

import pytest

from plainmark import facts
from plainmark.languages import has_snowball, language, split_sentences
from plainmark.languages.figures import figures

RUSSIAN = language("ru")


def test_sentences():
    assert split_sentences("Он родился в 1990 г. в Москве. Почему?", "ru") == [
        "Он родился в 1990 г. в Москве.",
        "Почему?",
    ]


def test_words_and_marks():
    assert RUSSIAN.tokens("Кто-то пришёл, да?") == ["Кто-то", "пришёл", ",", "да", "?"]


@pytest.mark.parametrize(("word", "number"), [("история", 4), ("его", 2), ("здравствуйте", 3)])
def test_syllables(word, number):
    assert RUSSIAN.syllables(word) == number


@pytest.mark.skipif(not has_snowball(), reason="needs snowballstemmer")
def test_stems():
    assert len(set(RUSSIAN.stems(["книга", "книги"]))) == 1


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("1 200,5", 1200.5, ""),
        ("2 млн тонн", 2000000.0, "tonne"),
        ("двадцать пять", 25.0, ""),
        ("двести лет", 200.0, "year"),
        ("12,5 процента", 12.5, "%"),
        ("5 тысяч километров", 5000.0, "km"),
    ],
)
def test_numbers(text, number, unit):
    assert [(f.number, f.unit) for f in figures(text, "ru")] == [(number, unit)]


@pytest.mark.parametrize(
    ("text", "day", "month", "year"),
    [("3 мая 2020 года", 3, 5, 2020), ("03.05.2020", 3, 5, 2020), ("в 1998 году", None, None, 1998)],
)
def test_dates(text, day, month, year):
    assert [(f.day, f.month, f.year) for f in figures(text, "ru")] == [(day, month, year)]


@pytest.mark.parametrize("text", ["один дом"])
def test_no_numbers(text):
    assert not [f for f in figures(text, "ru") if not f.weak]


def test_facts():
    ledger = facts(
        "Закон стоит 300 миллионов рублей с 3 мая 2020 года.",
        "Закон стоит 400 миллионов рублей с 3 мая 2020 года.",
        language="ru",
    )
    assert [(e.verdict, e.before.text, e.after.text) for e in ledger.entries] == [
        ("check", "300 миллионов рублей", "400 миллионов рублей"),
        ("same", "3 мая 2020", "3 мая 2020"),
    ]
    assert ledger.unchecked
    assert "number" not in ledger.unchecked
