"""The measure by which docs/simplifier.md says that facts survive."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CASED = "Geography The town of Great Missenden (pop. 2,000) met Anna B. Smith on Friday."
SOURCE = "geography the town of great missenden -lrb- pop. 2,000 -rrb- met anna b. smith on friday ."


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("facts_kept", ROOT / "scripts" / "facts_kept.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.wordnet
def test_names_are_found_in_the_words_of_the_source(script):
    assert script.names(SOURCE, CASED) == (("great", "missenden"), ("anna", "b.", "smith"))
    assert script.names(SOURCE, CASED, openings=True)[0] == ("geography", "the")


@pytest.mark.wordnet
@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("town", "city", []),
        ("geography ", "", []),
        ("great missenden", "missenden", ["great missenden"]),
        ("great missenden", "great old missenden", ["great missenden"]),
        ("anna b. smith", "ANNA B. SMITH", []),
        ("2,000", "two thousand", []),
        ("2,000", "many", ["2,000"]),
        ("friday", "a day", ["friday"]),
    ],
)
def test_what_does_not_survive(script, old, new, expected):
    assert script.lost(SOURCE, CASED, SOURCE.replace(old, new)) == expected


@pytest.mark.wordnet
def test_a_word_that_opens_a_sentence_counts_unless_it_is_a_common_one(script):
    assert script.names("zyzzler or yogurt is good .", "Zyzzler or yogurt is good.") == (("zyzzler",),)
    assert script.names("yoghurts or milk are good .", "Yoghurts or milk are good.") == ()
