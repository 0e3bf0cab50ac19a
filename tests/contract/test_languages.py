"""What holds for every folder of a language: its pieces, its test file, its metrics and its numbers."""

import re
from pathlib import Path

import numpy as np
import pytest

import plainmark as pm
from plainmark.errors import LanguageError
from plainmark.faithfulness.kinds.number.units import BY_NAME, UNITS
from plainmark.languages import FOLDER, LANGUAGES, PIECES, language, load
from plainmark.languages.figures import figures
from plainmark.languages.names import NAMES
from plainmark.registry import split_specs

CODES = LANGUAGES[1:]
TESTS = Path(__file__).parents[1] / "unit"


@pytest.mark.parametrize("code", CODES)
def test_pieces(code):
    assert all((FOLDER / code / piece).is_file() for piece in PIECES)
    assert language(code).name == NAMES[code]
    assert (TESTS / f"test_language_{code}.py").is_file(), "a language has a test file"


@pytest.mark.parametrize("code", CODES)
def test_numbers(code):
    numbers = language(code).rules["numbers"]
    assert len(numbers["months"]) == 12
    assert all(
        unit in BY_NAME or unit in UNITS or re.fullmatch(r"k?m²", unit) for unit in numbers["units"].values()
    )
    for word, value in numbers["words"].items():
        if value and word not in numbers["scales"]:
            assert [f.number for f in figures(word, code)] == [value], word


@pytest.mark.parametrize("code", CODES)
def test_formulas_score(code):
    texts = ["".join(word + " " for word in numbers_of(code)[:8]) + "."]
    for spec in language(code).rules["formulas"]:
        (one,) = split_specs(spec)
        assert np.isfinite(pm.metric(one).score(pm.Corpus(None, texts, language=code)).value)


@pytest.mark.parametrize("code", CODES)
def test_words_are_in_the_tokens(code):
    text = "L'été, c’est 3,5 km; dell'amica - Кто-то пришёл?"
    words, tokens = language(code).words(text), language(code).tokens(text)
    assert [t for t in tokens if any(map(str.isalnum, t))] == words
    assert "".join(tokens) == re.sub(r"\s", "", text.replace("’", "'"))


@pytest.mark.parametrize("missing", PIECES)
def test_a_folder_without_a_piece_is_named(missing, tmp_path):
    for piece in PIECES:
        if piece != missing:
            (tmp_path / piece).write_bytes((FOLDER / "de" / piece).read_bytes())
    with pytest.raises(LanguageError, match=f"lacks {missing}"):
        load(tmp_path)


def test_rules_without_a_key_are_named(tmp_path):
    for piece in PIECES:
        (tmp_path / piece).write_bytes((FOLDER / "de" / piece).read_bytes())
    (tmp_path / "rules.toml").write_text('name = "German"', "utf-8")
    with pytest.raises(LanguageError, match="lacks snowball, abbreviations"):
        load(tmp_path)
    (tmp_path / "rules.toml").write_text("name =", "utf-8")
    with pytest.raises(LanguageError, match="not TOML"):
        load(tmp_path)


def numbers_of(code):
    return list(language(code).rules["numbers"]["words"])
