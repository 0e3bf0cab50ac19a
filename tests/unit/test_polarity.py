"""The default simplifier leaves what is said as it is: negation, units, times, amounts, hedges, opposites, conditions."""

import pytest

import plainmark as pm
from plainmark.simplifier.truth import objections
from support import polarity


@pytest.mark.parametrize("name", ["polarity.txt", "polarity_held_out.txt"])
@pytest.mark.parametrize("caution", [None, 0.0])
def test_no_sentence_changes_its_meaning(name, caution):
    sentences = polarity.read(name)
    assert len(sentences) > 150
    assert all(s.is_kept(s.text) for s in sentences)
    outputs = [r.output for r in pm.load_simplifier("default", caution).simplify([s.text for s in sentences])]
    assert [o for s, o in zip(sentences, outputs, strict=True) if not s.is_kept(o)] == []
    assert [o for s, o in zip(sentences, outputs, strict=True) if objections(s.text, o)] == []
    # It does simplify them.
    assert sum(s.text != o for s, o in zip(sentences, outputs, strict=True)) > 10


def test_marks_are_read_in_order():
    sentence = polarity.Marked("No more than three people.", [["no more", "at most"], ["three", "3"]])
    assert sentence.is_kept("At most 3 people.")
    assert not sentence.is_kept("Three people at most.")
    assert not sentence.is_kept("More than three people.")
