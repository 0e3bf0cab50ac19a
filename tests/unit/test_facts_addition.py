"""Additions: clauses and sentences of the simplified text that the original does not state."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainmark.faithfulness import Pair, Passage, facts, find
from plainmark.faithfulness.kinds._novelty import Novelty
from plainmark.faithfulness.kinds._statements import statements, tells_past
from plainmark.faithfulness.kinds.addition import KIND


def entries(source, output):
    return facts(source, output, kinds=["addition"]).entries


SCHOOL = "The school on the hill will open in September."
BOAT = "The boat left the harbour at noon."

ADDED = [
    (SCHOOL, SCHOOL[:-1] + " because the old one was too small.", "cause"),
    (SCHOOL, SCHOOL[:-1] + " due to a gift from a bank.", "cause"),
    (BOAT, BOAT[:-1] + ", so many passengers missed their train.", "result"),
    (BOAT, BOAT[:-1] + ", leading to a long argument.", "result"),
    (BOAT, BOAT[:-1] + " and sank near the lighthouse.", "event"),
    (BOAT, BOAT[:-1] + " after the police had arrested its captain.", "event"),
    (
        "The tortoise inhabits the island.",
        "The tortoise lives on the island and is in danger of dying out.",
        "property",
    ),
    (BOAT, BOAT + " It carried 240 tourists.", "number"),
    (BOAT, BOAT + " Three sailors drowned.", "number"),
    (BOAT, BOAT + " The captain was drunk.", "event"),
    (SCHOOL, SCHOOL + " Parents must pay for lunches.", "rule"),
    (SCHOOL, SCHOOL + " Angry neighbours oppose noise.", "statement"),
    (
        "Tenants must register by May.",
        "You must register by May. If you do not, you will have to pay a fine.",
        "condition",
    ),
    (SCHOOL, SCHOOL + " If children arrive late, their parents pay a penalty.", "condition"),
]

HARMLESS = [
    (SCHOOL, "In September the school on the hill will open."),
    (BOAT, "The ship departed from the port at twelve o'clock."),
    ("Owing to heavy rain, the match was called off.", "The match was cancelled because it rained a lot."),
    ("He died of pneumonia.", "He died of pneumonia, which is a disease of the lungs."),
    ("He died of pneumonia.", "He died of pneumonia (a disease of the lungs)."),
    ("He died of pneumonia.", "He died of pneumonia. Pneumonia is a disease of the lungs."),
    ("He died of pneumonia.", "He died of pneumonia. This means that germs had attacked his lungs."),
    (
        "The herd was vaccinated.",
        "The herd was vaccinated. A vaccine is used when animals must not fall ill.",
    ),
    ("Sales fell from 90 to 70.", "Sales went down. There were 20 fewer sales."),
    ("Violations will be prosecuted.", "If you break the rules, the state will take you to court."),
    ("The insolvent firm ceased trading.", "The firm had no money left, so it closed."),
    ("We included nine trials.", "We included nine trials. The evidence is current to May 2015."),
    ("We included nine trials.", "We searched for studies up to 4 May 2015 and included nine trials."),
]


@pytest.mark.parametrize(("source", "output", "pattern"), ADDED)
def test_an_invention_is_to_be_checked(source, output, pattern):
    found = entries(source, output)
    assert [(e.verdict, e.pattern) for e in found] == [("check", pattern)]
    assert found[0].before is None
    place = found[0].after
    assert output[place.start : place.end] == place.text
    assert place.text in found[0].reason
    assert place.start > 20


@pytest.mark.parametrize(("source", "output"), HARMLESS)
def test_rewordings_and_explanations_are_at_most_listed(source, output):
    assert {e.verdict for e in entries(source, output)} <= {"new"}


def test_an_explanation_is_listed_as_new():
    (entry,) = entries(
        "The herd was vaccinated.", "The herd was vaccinated. A barn is a large wooden building."
    )
    assert (entry.verdict, entry.pattern) == ("new", "explanation")
    assert entry.reason.startswith("The original does not say this; it may be an explanation: “")


def test_a_sentence_without_counterpart_in_a_long_text():
    source = (
        "The mill was built in 1820. It ground wheat and barley for the whole valley, and a second wheel was added later. "
        "In 1901 a railway reached the valley, which made imported flour cheaper. The mill is a museum today."
    )
    output = "The mill was built in 1820. It ground wheat and barley. A ghost killed 17 visitors. It is a museum now."
    found = [e for e in entries(source, output) if e.verdict == "check"]
    assert [e.after.text for e in found] == ["A ghost killed 17 visitors"]
    assert found[0].pattern.startswith("number")


def test_additions_are_never_red():
    assert not any(e.red for source, output, _ in ADDED for e in entries(source, output))


def test_reasons_in_plain_words():
    (entry,) = entries(SCHOOL, SCHOOL[:-1] + " because the old one was too small.")
    assert entry.reason == "The original gives no such reason: “because the old one was too small”."


@pytest.mark.parametrize(
    ("text", "joints"),
    [
        ("Owls hunt because mice run.", ["sentence", "cause"]),
        ("As a result, owls hunt.", ["result"]),
        ("Owls hunt, so mice hide (in holes).", ["sentence", "result", "aside"]),
        ("Owls hunt and were seen.", ["sentence", "and"]),
        ("Owls and mice hunt.", ["sentence"]),
        ("Owls hunt, or stalk, mice.", ["sentence", "example", "mark"]),
        ("Owls came to hunt after dusk since 1950.", ["sentence", "purpose", "time", "time"]),
        ("A well-fed owl has come so far.", ["sentence"]),
        ("If not, you will have to go.", ["condition"]),
        ("", []),
    ],
)
def test_clauses(text, joints):
    assert [s.joint for s in statements(Passage(text))] == joints


@pytest.mark.parametrize(
    ("text", "main", "past"),
    [
        ("Owls were hunting", False, True),
        ("They hunted mice", False, True),
        ("and hunted mice", False, True),
        ("Owls hunted mice", False, False),
        ("Owls hunted mice", True, True),
        ("Owls used in zoos are tame", True, False),
        ("Owls hunt mice", True, False),
    ],
)
def test_what_happened(text, main, past):
    words = Passage(text).words
    assert tells_past(words, 0, len(words) - 1, main=main) == past


@pytest.mark.parametrize(
    ("output", "new"),
    [
        ("It cost 400 euros.", True),
        ("It cost 30 euros.", False),  # 10 + 20
        ("It cost 50 %.", False),  # 10 of 20
        ("It cost COVID-19.", False),
        ("400. It costs.", False),  # an item of a list
        ("It has twelve rooms.", True),
        ("It is a three-part room.", False),
    ],
)
def test_numbers_that_follow_from_others_are_not_new(output, new):
    novelty = Novelty(Pair("It had 10 beds, and 20 chairs.", output))
    assert any(novelty.is_number(j) for j in range(len(novelty.pair.output.words))) == new


def test_find_has_the_places_of_clauses():
    text = "Owls hunt mice because they starve."
    assert [text[m.start : m.end] for m in find("addition", text)] == [
        "Owls hunt mice",
        "because they starve.",
    ]


@given(st.text(max_size=60), st.text(max_size=60))
def test_nothing_crashes_and_places_are_right(source, output):
    pair = Pair(source, output)
    for finding in KIND.compare(pair, KIND.find(pair.source), KIND.find(pair.output)):
        assert 0 <= finding.after.start < finding.after.end <= len(output)


@pytest.mark.parametrize("text", [row[1] for row in ADDED])
def test_a_text_adds_nothing_to_itself(text):
    assert entries(text, text) == ()
