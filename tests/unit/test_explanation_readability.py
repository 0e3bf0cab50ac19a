"""Readability before and after, and what the checks find in the simplified text."""

import pytest

from plainmark.document import sentence_spans
from plainmark.explanation import compare, explain
from plainmark.explanation.readability import measures, sentence_of, word_count
from plainmark.report.explanation import sections


def measured(source, output):
    return {m.name: m for m in measures(source, output, [sentence_spans(source), sentence_spans(output)])}


def test_measures_before_and_after():
    found = measured("The cat sat on the mat and the dog ran away.", "The cat sat. The dog ran.")
    assert (found["sentence_length"].before, found["sentence_length"].after) == (11, 3)
    assert found["sentence_length"].verdict == "easier"
    assert (found["longest"].before, found["longest"].after) == (11, 3)
    assert (found["words"].before, found["words"].after) == (11, 6)
    assert found["words"].verdict == ""  # shorter is not better
    assert found["word_length"].after == pytest.approx(3)
    assert measured("The cat sat.", "The cat sat.")["fkgl"].verdict == "same"
    assert measured("The cat sat.", "Notwithstanding objections, the feline sat.")["fkgl"].verdict == "harder"


def test_undefined_is_none():
    found = measured("", "")
    assert found["fkgl"].before is None
    assert found["fkgl"].verdict == ""
    assert found["longest"].after is None


def test_findings_are_those_of_the_checks_by_sentence():
    output = "We keep bees. We will purchase the land. The form was signed by the nurse."
    found = [(f.rule, output[f.start : f.end], f.sentence) for f in explain("We keep bees.", output).findings]
    assert found == [("PM101", "purchase", 1), ("PM202", "was signed", 2)]


def test_the_report_shows_every_finding():
    output = " ".join(f"We will purchase {k} acres." for k in range(12, 20))
    page = sections(compare("We will buy land.", output))
    assert page.count("“purchase” has a plainer word.") == 8
    assert "<summary>3 more</summary>" in page  # five are open, none is left out
    assert "Try <q>buy</q>." in page


def test_words_and_places():
    assert word_count("It's 3.5 o'clock, well-known.") == 4
    assert word_count("") == 0
    spans = [(0, 5), (6, 10)]
    assert [sentence_of(spans, p) for p in (0, 4, 5, 6, 9)] == [0, 0, 0, 1, 1]
