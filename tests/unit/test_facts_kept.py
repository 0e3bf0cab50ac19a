"""The measure by which docs/simplifier-card.md says that facts survive."""

import pytest
from benchmarks.programs import facts_kept

CASED = "Geography The town of Great Missenden (pop. 2,000) met Anna B. Smith on Friday."
SOURCE = "geography the town of great missenden -lrb- pop. 2,000 -rrb- met anna b. smith on friday ."


@pytest.mark.wordnet
def test_names_are_found_in_the_words_of_the_source():
    assert facts_kept.names(SOURCE, CASED) == (("great", "missenden"), ("anna", "b.", "smith"))
    assert facts_kept.names(SOURCE, CASED, openings=True)[0] == ("geography", "the")


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
def test_what_does_not_survive(old, new, expected):
    assert facts_kept.lost(SOURCE, CASED, SOURCE.replace(old, new)) == expected


@pytest.mark.wordnet
def test_a_word_that_opens_a_sentence_counts_unless_it_is_a_common_one():
    assert facts_kept.names("zyzzler or yogurt is good .", "Zyzzler or yogurt is good.") == (("zyzzler",),)
    assert facts_kept.names("yoghurts or milk are good .", "Yoghurts or milk are good.") == ()
