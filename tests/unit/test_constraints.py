"""Rules that are refused, and words that are protected."""

import numpy as np
import pytest

from plainmark.errors import OptionError
from plainmark.lm import LanguageModel
from plainmark.simplifier.rules.building import RuleSource, build_table
from plainmark.simplifier.rules.constraints import allowed_rules, parse_kinds, protected, wordnet_antonyms
from plainmark.simplifier.rules.word_facts import DifficultyLexicon, WordFacts
from plainmark.simplifier.surface import split

MODEL = LanguageModel.train(["a b c"], order=2)
LEXICON = DifficultyLexicon.empty(["italy", "paris"])


@pytest.mark.parametrize(
    ("source", "target", "good"),
    [
        ("large", "big", True),
        ("italy", "italian", False),  # a name is dropped
        ("capital", "paris", False),  # a name is added
        ("paris region", "paris area", True),
        ("1,200 people", "people", False),
        ("dozens", "12", False),
        ("november", "autumn", False),
        ("did not go", "stayed", False),
        ("without help", "alone", False),
        ("did not go", "did not leave", True),
        ("-lrb- so called", "so called", False),
        ("-lrb- so called -rrb-", "", True),
        ("left .", "left", False),
        ("hot", "cold", False),
        ("northern", "of", False),
        ("which", "that", True),
        ("u.s. state", "u. s. state", False),
    ],
)
def test_rules(source, target, good):
    pair = tuple(source.split()), tuple(target.split())
    table = build_table([RuleSource("x", [pair])])
    facts = WordFacts.of(table.words, MODEL, LEXICON)
    assert allowed_rules(table, facts, {("cold", "hot")}).tolist() == [good]


@pytest.mark.wordnet
def test_antonyms_are_wordnets():
    assert ("hot", "cold") in wordnet_antonyms(["hot", "table"])


@pytest.mark.parametrize(
    ("text", "kinds", "expected"),
    [
        ("In 1942 two ships left", "numbers", "1942 two"),
        ("It fell in May 1942.", "numbers", "may 1942"),
        ("then Anna Smith left", "names", "anna smith"),
        ("he lived in paris then", "names", "paris"),
        ('He said "it was so" and left', "quotes", '" it was so "'),
        ('An open " mark', "quotes", ""),
        ("Anna left in 1942", "none", ""),
    ],
)
def test_words_that_no_rule_may_touch(text, kinds, expected):
    words = split(text)
    flags = protected(words, parse_kinds(kinds), LEXICON.is_name(words.words))
    assert [w for w, f in zip(words.words, flags, strict=True) if f] == expected.split()


def test_unknown_kinds_are_told():
    assert parse_kinds("numbers, names") == ("names", "numbers")
    with pytest.raises(OptionError, match=r"cannot protect 'name'\. Did you mean 'names'"):
        parse_kinds("name")
    with pytest.raises(OptionError, match="Expected some of names, numbers, quotes, or none"):
        parse_kinds("none,dates")


def test_an_empty_text_has_nothing_to_protect():
    assert protected(split(""), ("names", "numbers", "quotes"), np.zeros(0, dtype=bool)).tolist() == []


def test_likely_names_of_text_without_capitals_are_protected_with_the_small_words_between_them():
    words = split("he is a companion of honour of the crown")
    risk = np.array([0, 0, 0, 0.9, 0, 0.6, 0, 0, 0.4], np.float32)
    flags = protected(words, ("names",), np.zeros(9, dtype=bool), risk)
    assert [w for w, f in zip(words.words, flags, strict=True) if f] == ["companion", "of", "honour"]
