"""Quotations: where they begin and end, and whether their words are those of the original."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainmark.faithfulness.kinds._marks import quotations
from plainmark.faithfulness.kinds.quotation import KIND
from support.fact_kinds import check_any_texts, findings


def patterns(source, output):
    return [f.pattern for f in findings(KIND, source, output) if f.outcome == "changed"]


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("He said “I am here.” Then he left.", ["I am here."]),
        ('"It rains," she said, "and it pours."', ["It rains,", "and it pours."]),
        ("The 'black box' is in the dogs' home.", ["black box"]),
        ("She said 'I don't like cats' and left.", ["I don't like cats"]),
        ("Er sagte: „Ich bin da“.", ["Ich bin da"]),
        ("Il a dit « oui ».", [" oui "]),
        ("He is 5'10\" tall.", []),
        ("Rock 'n' roll of the '90s, 'tis true.", []),
        ("“He told me ‘never again’ and left,” she said.", ["He told me ‘never again’ and left,"]),
        ("“I hope it works.\n\n“And I hope it pays,” he said.", ["I hope it works.\n\n“And I hope it pays,"]),
        ("“Nobody closed this one\nThe next line.", ["Nobody closed this one"]),
        ("", []),
    ],
)
def test_finds_quotations(text, quoted):
    assert [text[q.start : q.end] for q in quotations(text)] == quoted


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("He said: “We will fight until the end.”", "He said: “We will fight until the end.”"),
        ("He said: “We will fight until the end, as always.”", "“We will fight until the end,” he said."),
        ("He said: “We will not stop.”", "He said: “We won't stop.”"),
        ("“It is,” he said, “a great day for us.”", "“It is a great day for us,” he said."),
        (
            "He said: “We will fight, as we must, until the end.”",
            "He said: “We will fight ... until the end.”",
        ),
        ("He said: “He will fight until the end.”", "He said: “[Smith] will fight until the end.”"),
        ("He said: “We will fight until the end.”", "He said that they would fight on."),
        ("He said that it was a good idea to wait.", "He said it was “a good idea” to wait."),
        ('He said: "We will fight until the end."', "He said: ‘We will fight until the end.’"),
        (
            "She called it “a huge mistake by the government”.",
            "She called it “a big mistake by the government”.",
        ),
        ("He said: “The colour of the house is red.”", "He said: “The color of the house is red.”"),
        ("The film is called “The Long Road”.", "“The Long Road” is a film."),
        ("He said: “We really will fight until the end.”", "He said: “We will fight until the end.”"),
        ("No quotation here.", "None here."),
        (
            "He said: “I purchased the tickets for them yesterday.”",
            "He said: “I bought the tickets for them yesterday.”",
        ),
        ("“The dogs are loud,” he said.", "“The dogs are loud”, he said."),
    ],
)
def test_harmless(source, output):
    assert patterns(source, output) == []


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("He said: “We will not stop until the end.”", "He said: “We will stop until the end.”"),
        ("He said: “We will stop at the end of May.”", "He said: “We will not stop at the end of May.”"),
        ("“It was a great day for us,” she said.", "“It was a terrible day for us,” she said."),
        ("She said: “The staff have been kind to me.”", "She said: “The floor have been kind to me.”"),
        ("“There are 30 people in the house,” he said.", "“There are 90 people in the house,” he said."),
        ("He said: “The results of the test are good.”", "He said: “The results of the test are bad.”"),
        (
            "He said “I am here,” and added “I stay in the house”.",
            "He said, “I am here. I stay in the barn.”",
        ),
        (
            "“We want a healthy life for our children,” he said.",
            "“We want a wealthy life for our children,” he said.",
        ),
        (
            "He said: “The minister is honest with the voters.”",
            "He said: “The minister is careful with the voters.”",
        ),
        ("'The train was late again', he wrote.", "'The train was early again', he wrote."),
        ("She said: “Cats like milk and fish.”", "She said: “Cats like beer and fish.”"),
        ("“I trust my doctor in this matter,” he said.", "“I trust my lawyer in this matter,” he said."),
        ("“My sister wrote the letter herself,” he said.", "“My teacher wrote the letter herself,” he said."),
        ("She said: “I never saw that man before.”", "She said: “I saw that man before.”"),
        (
            "“The bridge is safe for heavy lorries,” he said.",
            "“The bridge is unsafe for heavy lorries,” he said.",
        ),
        ("«Le chat est noir et beau», he wrote.", "«Le chien est noir et beau», he wrote."),
    ],
)
def test_distorted(source, output):
    assert patterns(source, output)


@pytest.mark.parametrize(
    ("spoken", "quoted", "expected"),
    [
        ("a duty of care to tenants", "a duty of care for tenants", []),
        ("a risk to swimmers in summer", "a risk from swimmers in summer", ["preposition"]),
        ("talks with the rebels in March", "talks about the rebels in March", ["preposition"]),
        ("at the harbour in the morning", "in the harbour in the morning", []),
    ],
)
def test_prepositions(spoken, quoted, expected):
    assert patterns(f"She spoke of “{spoken}”.", f"She spoke of “{quoted}”.") == expected


def test_shows_the_difference():
    finding = next(
        f for f in findings(KIND, "He said: “We saw the dog run.”", "He said: “We saw the pope run.”")
    )
    assert finding.outcome == "changed"
    assert finding.reason == "The words in quotation marks differ from the original's: “pope” for “dog”."


def test_a_new_quotation():
    outcomes = {
        f.outcome for f in findings(KIND, "Owls hunt mice.", "Owls hunt mice. “Whales sing songs,” said Ann.")
    }
    assert outcomes == {"new"}


@given(st.text(alphabet="ab “”\"'‘’«».\n", max_size=60), st.text(alphabet="ab “”\"'‘’«».\n", max_size=60))
def test_never_crashes(source, output):
    check_any_texts(KIND, source, output)
    assert all(f.outcome == "same" for f in findings(KIND, source, source))
