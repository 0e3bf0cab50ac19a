"""Negation in good English: 100 sentences written by hand, and the rules they stand for."""

import pytest

from conftest import ROOT
from plainmark.perturbations import TextDocument, generator, perturbation, render
from plainmark.perturbations.negate import negation


# A sentence, and what it may become (or - if it must stay as it is).
def rows(name):
    return [line.split("\t") for line in (ROOT / "tests" / "golden" / name).read_text("utf-8").splitlines()]


ROWS = rows("negations.tsv")
# Written when the rules were finished, and no rule was changed after looking at them.
HELD_OUT = rows("negations_held_out.tsv")


def negated(sentence, form="full"):
    edit = negation(sentence, form)
    return render(sentence, [edit])[0] if edit else "-"


@pytest.mark.wordnet
def test_at_least_95_of_100():
    assert len(ROWS) == 100
    wrong = [(s, negated(s)) for s, allowed in ROWS if negated(s) not in allowed.split("|")]
    assert len(wrong) <= 5, wrong


@pytest.mark.wordnet
def test_sentences_that_the_rules_have_not_seen():
    assert len(HELD_OUT) == 50
    wrong = [(s, negated(s)) for s, allowed in HELD_OUT if negated(s) not in allowed.split("|")]
    assert len(wrong) <= 3, wrong


@pytest.mark.wordnet
@pytest.mark.parametrize("sentence", [s for s, _ in [*ROWS, *HELD_OUT]])
def test_never_twice(sentence):
    once = negated(sentence)
    if once != "-":
        assert negated(once) == "-", once


@pytest.mark.wordnet
@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("It has infected many.", "It hasn't infected many."),
        ("She can swim.", "She can't swim."),
        ("They sing.", "They don't sing."),
        ("I am here.", "I am not here."),  # there is no amn't
        ("Go home.", "Don't go home."),
    ],
)
def test_contracted(sentence, expected):
    assert negated(sentence, "contracted") == expected


@pytest.mark.wordnet
def test_one_negation_per_sentence_and_denials_do_not_count():
    p = perturbation("negate")
    text = "Cats sleep. It is not true. Dogs bark and run. Title"
    made = p.apply(TextDocument(text), 1.0, generator(1, p, ""))
    assert made.eligible == 2
    assert made.realised == 1.0
    assert made.text == "Cats do not sleep. It is not true. Dogs do not bark and run. Title"


def test_nothing_to_negate():
    p = perturbation("negate")
    made = p.apply("Nobody came.", 1.0, generator(1, p, ""))
    assert (made.eligible, made.realised, made.text) == (0, 0.0, "Nobody came.")
    assert made.reason == "no sentence that may be negated"
