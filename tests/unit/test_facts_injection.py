"""The injector of errors: one error per text, at a place that the source speaks of too, and a sentence afterwards."""

import random

import pytest
from evaluation.injection import ERRORS, inject
from evaluation.texts import PARTS, Text, bucket

from plainmark.perturbations._injection import Edit, article, like
from plainmark.perturbations._injection.anchors import Pair, sentences

# Source, output, and an output that the injector may make of it.
CASES = {
    "unit": (
        "Adult patients received 5 mg of ramipril each morning for six weeks.",
        "Adults took 5 mg of ramipril in the morning.",
        "Adults took 5 g of ramipril in the morning.",
    ),
    "exchanged": (
        "The vaccine protected 41 of the younger nurses, whereas 12 porters fell ill during winter.",
        "The vaccine protected 41 younger nurses, but 12 porters fell ill in winter.",
        "The vaccine protected 12 younger nurses, but 41 porters fell ill in winter.",
    ),
    "negation out": (
        "The new treatment did not improve breathing in elderly patients.",
        "The treatment did not improve breathing in older patients.",
        "The treatment improved breathing in older patients.",
    ),
    "negation in": (
        "The bridge across the estuary was closed because of heavy storms.",
        "The bridge was closed because of storms.",
        "The bridge was not closed because of storms.",
    ),
    "direction": (
        "Patients must take the capsules before breakfast with cold water.",
        "Take the capsules before breakfast with water.",
        "Take the capsules after breakfast with water.",
    ),
    "quantifier": (
        "At the meeting, many villagers opposed the wind farm on the ridge.",
        "At the meeting many villagers opposed the wind farm.",
        "At the meeting few villagers opposed the wind farm.",
    ),
    "condition": (
        "Telephone the clinic immediately if the bleeding from the wound continues.",
        "Call the clinic if the bleeding from the wound continues.",
        "Call the clinic unless the bleeding from the wound continues.",
    ),
}


def injected(kind, source, output, seeds=1):
    pair = Pair(source, output)
    edits = [edit for seed in range(seeds) for edit in ERRORS[kind](pair, random.Random(seed))]
    return {edit.apply(output)[0] for edit in edits}


@pytest.mark.parametrize("kind", CASES)
def test_an_error_of_each_kind(kind):
    source, output, wrong = CASES[kind]
    assert injected(kind, source, output) == {wrong}


def test_modals_become_stronger_or_weaker():
    source = "Regular exercise may reduce the risk of falls among residents."
    outputs = injected("modal", source, "Exercise may reduce the risk of falls.", seeds=8)
    assert outputs == {"Exercise will reduce the risk of falls.", "Exercise must reduce the risk of falls."}


def test_a_wrong_value_is_one_that_the_source_does_not_have():
    source = "The ferry carried 84 passengers and 12 lorries across the strait."
    for output in injected("value", source, "The ferry carried 84 passengers across the strait.", seeds=20):
        number = output.split()[3]
        assert number.isdigit()
        assert number not in source


def test_a_borrowed_value_stands_elsewhere_in_the_source():
    source = "The ferry carried 84 passengers across the strait. The harbour was built for 30 boats."
    assert injected("borrowed value", source, "The ferry carried 84 passengers across the strait.") == {
        "The ferry carried 30 passengers across the strait."
    }


def test_names_and_terms_are_replaced_within_their_class():
    source = "Nurses in Norway gave the children insulin at school every morning."
    output = "In Norway, nurses gave the children insulin at school."
    names = {o.split(",")[0].removeprefix("In ") for o in injected("name", source, output, seeds=10)}
    assert len(names) > 3
    assert "Norway" not in names
    assert all(name[0].isupper() for name in names)
    terms = injected("term", source, output, seeds=10)
    assert any("insulin" not in o for o in terms)
    assert all("babies" not in o for o in terms), "babies are children"


@pytest.mark.wordnet
def test_a_word_inside_quotation_marks():
    source = 'The young mayor smiled. "The old harbour is a lovely place for boats," she said on Monday.'
    output = '"The old harbour is a lovely place for boats," the mayor said.'
    for wrong in injected("quotation", source, output, seeds=5):
        assert wrong.startswith('"The')
        assert wrong.endswith('," the mayor said.')
        assert wrong != output


@pytest.mark.wordnet
def test_who_did_what_to_whom():
    source = "The virus was carried by rats, and the disease spread along the river."
    output = "The virus was carried by rats. The disease spread along the river."
    assert injected("role", source, output) == {
        "Rats was carried by the virus. The disease spread along the river."
    }


@pytest.mark.parametrize(
    ("kind", "source", "output"),
    [
        ("value", "Patients with COVID-19 were isolated for weeks.", "Patients with COVID-19 were isolated."),
        ("direction", "The school tested pupils before and after lunch.", "Pupils were tested before and after lunch."),
        ("condition", "Doctors asked if the pain had spread further.", "The doctors asked if the pain had spread."),
        ("negation out", "Not only the roof but the walls burned down.", "Not only the roof but the walls burned."),
        ("negation in", "The museum may close its doors this winter.", "The museum may close its doors this winter."),
        ("exchanged", "The drug was taken for 2 to 4 weeks by men.", "Men took the drug for 2 to 4 weeks."),
    ],
    ids=["part of a name", "before and after", "whether", "not only", "may not", "a range"],
)  # fmt: skip
def test_what_would_be_no_error_is_left_alone(kind, source, output):
    assert injected(kind, source, output, seeds=5) == set()


def test_nothing_is_injected_where_the_texts_are_about_different_things():
    assert (
        injected(
            "value", "The ferry carried 84 passengers.", "In a field near the town 84 cows were grazing."
        )
        == set()
    )


def test_places_are_those_of_the_error():
    edit = Edit(((4, 7, "seven"), (12, 14, "x")), ((0, 2),))
    text, places = edit.apply("Take two or 16 pills.")
    assert text == "Take two or 16 pills."[:4] + "seven" + "Take two or 16 pills."[7:12] + "x pills."
    assert [text[a:b] for a, b in places] == ["seven", "x"]


def test_the_same_seed_gives_the_same_errors():
    texts = [Text("plaba", str(k), "1", *CASES["unit"][:2]) for k in range(5)]
    first, second = (inject("unit", texts, 3, seed=1) for _ in range(2))
    assert first == second
    assert len(first) == 3
    assert len({case.text.document for case in first}) == 3
    case = first[0]
    assert [case.output[a:b] for a, b in case.places] == ["5 g"]
    assert [case.text.output[a:b] for a, b in case.originals] == ["5 mg"]
    assert [case.text.source[a:b] for a, b in case.source_places] == ["5 mg"]


def test_capitals_and_articles():
    assert (like("few", "Many"), like("mri", "ECG"), like("few", "many")) == ("Few", "MRI", "few")
    assert article("It is a safe place.", 8, "unsafe") == (6, "an")
    assert article("An unsafe place.", 3, "safe") == (0, "A")
    assert article("It is a safe place.", 8, "dull") is None


def test_sentences_do_not_end_at_titles():
    found = sentences("Dr. Malik left at 5 p.m. It rained.")
    assert [s.words[0].text for s in found] == ["Dr", "It"]


def test_every_document_has_one_bucket():
    assert sorted(b for buckets in PARTS.values() for b in buckets) == [0, 1, 2, 3]
    assert {bucket("onestop", str(k)) for k in range(1, 31)} == {0, 1, 2, 3}


OTHERS = (
    "Workers left the quarry because the wages were miserable. Musicians played in the square and were paid in coins. "
    "Glaciers polish granite slowly over the centuries. The orchard produced 815 baskets of plums.",
)


@pytest.mark.parametrize(
    ("kind", "added"),
    [
        ("added reason", " because the wages were miserable"),
        ("added event", " and were paid in coins"),
        ("added sentence", " Glaciers polish granite slowly over the centuries."),
        ("added number", " The orchard produced 815 baskets of plums."),
    ],
)
def test_what_is_added_comes_from_another_text(kind, added):
    source = "The vaccine protected younger nurses on the northern wards during winter."
    output = "The vaccine protected younger nurses in winter."
    edits = list(ERRORS[kind](Pair(source, output, OTHERS), random.Random(0)))
    assert edits
    for edit in edits:
        text, places = edit.apply(output)
        assert added in text
        assert not edit.source, "an addition contradicts no place of the source"
        assert [text[a:b] for a, b in places] == [edit.replacements[0][2]]


def test_nothing_is_added_that_the_source_says():
    source = "Workers left the quarry because the wages were miserable and the winter was long."
    assert not list(
        ERRORS["added reason"](Pair(source, "Workers left the quarry in winter.", OTHERS), random.Random(0))
    )


def test_an_addition_prints_without_a_place_of_the_source():
    texts = [
        Text("asset", f"valid-{k}", "0", source, output)
        for k, (source, output) in enumerate([(OTHERS[0], OTHERS[0]), CASES["unit"][:2]])
    ]
    cases = inject("added reason", texts, 5)
    assert cases
    assert all("because the wages" in str(case) for case in cases)
