"""The list of plain phrases: its format, its forms, the places where phrases hold, and that the model is built of it."""

import numpy as np
import pytest

import plainmark as pm
from plainmark.errors import InputError
from plainmark.simplifier.plain.conditions import Condition, PhraseConditions, Place, parse_test
from plainmark.simplifier.plain.phrases import (
    FILE,
    digest,
    inflected,
    objectionable,
    phrase_conditions,
    read_phrases,
)
from plainmark.simplifier.rules.meaning import lexical_change, meaning_change
from plainmark.simplifier.rules.word_facts import TAGS


def phrases(tmp_path, *lines):
    path = tmp_path / "phrases.txt"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return read_phrases(path)


def rules(tmp_path, line):
    return {(source, target) for phrase in phrases(tmp_path, line) for source, target, _ in inflected(phrase)}


def place(text, start, end, forms=()):
    """Words start..end of a text; `forms` are (word number, tag)."""
    words = text.split()
    values = np.zeros((len(words), len(TAGS)), np.float32)
    for i, tag in forms:
        values[i, TAGS.index(tag)] = 1
    return Place(words, start, end, values)


def test_the_list_is_long_and_nobody_objects_to_it():
    entries = read_phrases()
    assert len(entries) >= 600
    assert objectionable(entries, ledger=False) == []


def test_the_default_model_is_built_of_the_list():
    model = pm.load_simplifier("default")
    assert model.about["list"] == digest(), "phrases.txt was edited; run: make plain-phrases"
    assert model.about["rules"] == len(model.decoder) == len(phrase_conditions(read_phrases()).by_rule)


def test_a_newcomer_is_told_what_is_wrong(tmp_path):
    for line, expected in (
        ("verbs utilise > use", "line 1: no kind 'verbs'; expected one of verb, noun, mass"),
        ("verb utilise use", "expected KIND source > target"),
        ("noun house > house", "'house' becomes itself"),
        ("adj vast > large ; behind the", "'behind the' is not a condition; expected one of before, after"),
        ("adj vast > large ; before", "'before' is not a condition"),
        ("adj vast > large ; before NUMERAL", "no class of words is called NUMERAL"),
        ("noun house > home ; forms VBD", "a noun has the forms NN NNS"),
    ):
        with pytest.raises(InputError, match=expected.replace("(", r"\(")):
            phrases(tmp_path, line)


def test_an_entry_that_changes_the_meaning_needs_a_review(tmp_path):
    lines = (
        "adj insufficient > enough",
        "plural kilograms > pounds",
        "adj insufficient > not enough ; reviewed",
    )
    found = objectionable(phrases(tmp_path, *lines))
    assert found == [
        "line 1: insufficient > enough (negation)",
        "line 2: kilograms > pounds (unit)",
    ]


@pytest.mark.parametrize(
    ("source", "target", "reason"),
    [
        ("unlikely", "probable", "negation"),
        ("unsafe", "safe", "negation"),
        ("weeks", "days", "unit"),
        ("annual", "daily", "period"),
        ("rise", "fall", "antonym"),
        ("hot", "cold", "antonym"),
        ("animal", "dog", "hyponym"),
        ("unless", "if", "negation"),
        ("purchased", "bought", ""),
        ("prior to", "before", ""),
    ],
)
def test_the_lexicon_knows_what_changes_the_meaning(source, target, reason):
    assert lexical_change(source, target) == reason


def test_exclusions_of_ppdb_and_the_ledger_are_asked():
    assert lexical_change("teacher", "pupil", {("pupil", "teacher")}) == "exclusion"
    assert meaning_change("provided", "gave") == "ledger: condition"


def test_words_are_inflected_together(tmp_path):
    assert rules(tmp_path, "verb commence > begin") == {
        ("commence", "begin"), ("commences", "begins"), ("commenced", "began"), ("commenced", "begun"), ("commencing", "beginning"),
    }  # fmt: skip
    assert ("took part", "participated") not in rules(tmp_path, "verb participate > take part")
    assert ("participated", "took part") in rules(tmp_path, "verb participate > take part")
    assert rules(tmp_path, "noun pedestrian > person~ on foot") == {
        ("pedestrian", "person on foot"), ("pedestrians", "people on foot"),
    }  # fmt: skip
    assert rules(tmp_path, "fixed in addition , > also , ; after START") == {("in addition ,", "also ,")}
    assert rules(tmp_path, "verb utilise, utilize > use ; forms VBG") == {
        ("utilising", "using"), ("utilizing", "using"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("condition", "text", "holds"),
    [
        ("before to that", "they attempt to go", True),
        ("before to that", "they attempt it", False),
        ("not before to", "they attempt it", True),
        ("after START", "attempt it", False),
        ("near war", "they attempt a long war", True),
        ("near war", "they attempt it , a war", False),
        ("with war", "they attempt it , a war", True),
        ("not with war", "they attempt it , a war", False),
        ("before NUMBER", "they attempt 20 things", True),
        ("before YEAR", "they attempt 1990", True),
        ("before YEAR", "they attempt 19900", False),
        ("before END", "they attempt .", True),
        ("before DET", "they attempt the climb", True),
    ],
)
def test_conditions_look_at_the_words_beside(condition, text, holds):
    assert parse_test(condition).holds(place(text, 1, 2)) is holds


def test_a_form_is_asked_of_the_head():
    verb = Condition(("VB", "VBP"))
    assert verb.holds(place("they record it", 1, 2, [(1, "VBP")]))
    assert not verb.holds(place("the record broke", 1, 2, [(1, "NN")]))
    # "began" or "begun": by what stands in front, as both are one form of the source.
    past, participle = Condition(("VBD",)), Condition(("VBN",))
    active = place("it conducted the test", 1, 2, [(1, "VBD")])
    assert past.holds(active)
    assert not participle.holds(active)
    passive = place("it was conducted by us", 2, 3, [(2, "VBD")])
    assert participle.holds(passive)
    assert not past.holds(passive)
    after_noun = place("a test conducted in may", 2, 3, [(2, "VBN")])
    assert participle.holds(after_noun)
    assert not past.holds(after_noun)


def test_conditions_are_the_same_after_saving(tmp_path):
    conditions = phrase_conditions(read_phrases())
    again = PhraseConditions.from_arrays(conditions.arrays())
    assert again.to_lines() == conditions.to_lines()
    assert PhraseConditions.from_arrays({}).by_rule == PhraseConditions().arrays() == {}
    with pytest.raises(ValueError, match="not forms of words"):
        Condition.from_text("XYZ@0")


def test_entries_are_sorted_and_stand_once():
    entries = read_phrases()
    lines = FILE.read_text("utf-8").splitlines()
    assert len({lines[p.line - 1] for p in entries}) == len({p.line for p in entries})
    sections = {"mass": "noun", "plural": "noun"}
    first = {p.line: p for p in reversed(entries)}.values()  # a line may have several sources
    for kind in ("fixed", "adv", "verb", "noun", "adj"):
        sources = [p.source for p in reversed(list(first)) if sections.get(p.kind, p.kind) == kind]
        assert sources == sorted(sources)
