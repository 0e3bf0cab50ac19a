"""Names: what is one, which are the same, and which were changed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainmark.faithfulness.alignment import Pair
from plainmark.faithfulness.kinds._name_index import frame
from plainmark.faithfulness.kinds._spelling import alike, is_acronym
from plainmark.faithfulness.kinds.name import KIND, NO_CAPITALS
from plainmark.faithfulness.passage import Passage
from support.fact_kinds import check_any_texts, findings, replaced


def found(text):
    return [(text[m.start : m.end], m.value[0], m.weak) for m in KIND.find(Passage(text))]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Owls live in New York.", [("Owls", "", True), ("New York", "place", False)]),
        ("The Bank of England said so.", [("Bank of England", "organisation", False)]),
        ("We met Dr. Jane Smith.", [("Jane Smith", "person", False)]),
        (
            "French President Emmanuel Macron left.",
            [("French", "place", False), ("Emmanuel Macron", "person", False)],
        ),
        (
            "It grew in the U.S. and in South Korea.",
            [("U.S.", "place", False), ("South Korea", "place", False)],
        ),
        ("However, Smith's dog barked.", [("Smith", "", False)]),
        ("Vaccines against COVID-19 help.", [("Vaccines", "", True), ("COVID-19", "acronym", False)]),
        ("BACKGROUND: Owls hunt at night.", [("Owls", "", True)]),
        ("On Monday in May it rained.", []),
        ("Jean-Claude Juncker spoke.", [("Jean-Claude Juncker", "person", False)]),
        ("The paintings of Vincent van Gogh sell well.", [("Vincent van Gogh", "", False)]),
        ("We saw the University of Leeds.", [("University of Leeds", "organisation", False)]),
        ("yesterday mr smith went to france.", [("smith", "person", False), ("france", "place", False)]),
        ("", []),
    ],
)
def test_finds_names(text, names):
    assert found(text) == names


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("Dr Jane Smith studies owls in Leeds.", "Smith studies owls in Leeds."),
        ("The World Health Organization warned of a new virus.", "The WHO warned of a new virus."),
        ("The WHO warned of a new virus.", "The World Health Organization warned of a new virus."),
        ("The French government raised taxes.", "The government of France raised taxes."),
        ("He lives in Zürich with his wife.", "He lives in Zurich with his wife."),
        ("He moved to the United States in 1990.", "He moved to America in 1990."),
        ("Britain voted to leave.", "The UK voted to leave."),
        ("President Obama visited Kenya.", "Barack Obama visited Kenya."),
        ("Angela Merkel resigned on Friday.", "She resigned on Friday."),
        ("Angela Merkel resigned on Friday.", "The German chancellor resigned on Friday."),
        ("Toyota sold 300 cars in Japan.", "The company sold 300 cars in Japan."),
        ("Smith's book sold well in Germany.", "The book by Smith sold well among Germans."),
        ("Smith and Jones opened a shop.", "Jones and Smith opened a shop."),
        ("Smith beat Jones in the final.", "Jones was beaten by Smith in the final."),
        ("Murray bought the car from Federer.", "Federer sold the car to Murray."),
        (
            "Patients with PD were treated. PD is Parkinson's disease.",
            "Patients with Parkinson's disease were treated.",
        ),
        ("Muammar Gaddafi ruled Libya.", "Muammar Qaddafi ruled Libya."),
        ("The NSAIDs helped.", "The NSAID helped."),
        ("Google opened an office in Dublin.", "google opened an office in dublin."),
        ("The river Thames flows through London.", "THE RIVER THAMES FLOWS THROUGH LONDON."),
        ("Kim Jong-un rules North Korea.", "Kim Jong-un is the ruler of North Korea."),
        ("The Ministry of Health in Peru banned it.", "Peru's Ministry of Health banned it."),
    ],
)
def test_harmless(source, output):
    assert replaced(KIND, source, output) == []


@pytest.mark.parametrize(
    ("source", "output", "before", "after"),
    [
        ("He lives in Berlin with his wife.", "He lives in Paris with his wife.", "Berlin", "Paris"),
        (
            "Angela Merkel visited Rome on Friday.",
            "Theresa May visited Rome on Friday.",
            "Angela Merkel",
            "Theresa May",
        ),
        (
            "The drug was tested in Germany in 2001.",
            "The drug was tested in Austria in 2001.",
            "Germany",
            "Austria",
        ),
        ("The FDA approved the drug.", "The NHS approved the drug.", "FDA", "NHS"),
        ("Google sued the firm last year.", "Samsung sued the firm last year.", "Google", "Samsung"),
        ("The Iranian president spoke first.", "The Iraqi president spoke first.", "Iranian", "Iraqi"),
        ("North Korea tested a rocket.", "South Korea tested a rocket.", "North Korea", "South Korea"),
        (
            "Jane Smith won the prize in 1999.",
            "John Smith won the prize in 1999.",
            "Jane Smith",
            "John Smith",
        ),
        ("She studied at the University of Leeds.", "She studied at the University of York.", None, None),
        ("He works for Toyota in Japan.", "He works for Nissan in Japan.", "Toyota", "Nissan"),
        (
            "Mr Brown told the court that he was ill.",
            "Mr Green told the court that he was ill.",
            "Brown",
            "Green",
        ),
        ("The river Thames flows through London.", "The river Seine flows through London.", None, None),
        ("Merkel visited Paris.", "Macron went to Paris.", "Merkel", "Macron"),
        ("Patients with COPD took the tablets.", "Patients with ADHD took the tablets.", "COPD", "ADHD"),
        ("Tests in Wuhan began in May.", "Tests in Beijing began in May.", "Wuhan", "Beijing"),
        (
            "The Nile is the longest river in Africa.",
            "The Amazon is the longest river in Africa.",
            "Nile",
            "Amazon",
        ),
        ("Volvo, Ford and Mercedes build cars.", "Volvo, Google and Mercedes build cars.", "Ford", "Google"),
        ("Levels of SDB rose quickly.", "Levels of SBD rose quickly.", "SDB", "SBD"),
    ],
)
def test_distorted(source, output, before, after):
    pairs = [(b, a) for _, b, a in replaced(KIND, source, output)]
    assert pairs
    if before:
        assert (before, after) in pairs


def test_names_with_places_of_their_own():
    source = "Mount Elbrus, the highest peak in Europe, is situated in Russia."
    assert replaced(KIND, source, "Elbrus is in Russia. It is Europe's highest mountain.") == []


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("In May, Ida Holm was elected.", "In May, She was elected."),
        (
            "It stars Ann Roe, Bea Lund, Cy Marsh, and Di Penn.",
            "It stars Bea Lund, Ann Roe, Cy Marsh, and Di Penn.",
        ),
    ],
)
def test_names_that_were_paired_in_vain(source, output):
    assert replaced(KIND, source, output) == []


def test_a_title_in_the_name_of_an_office():
    (row,) = replaced(
        KIND, "The Ministry of Health declined to comment.", "The Ministry of Justice would not comment."
    )
    assert row[1:] == ("Ministry of Health", "Ministry of Justice")


def test_exchanged_names():
    findings = replaced(
        KIND,
        "Britain won more medals than France. Spain came third.",
        "France won more medals than Britain. Spain came third.",
    )
    assert {f[0] for f in findings} == {"exchanged"}


def test_new_and_gone():
    outcomes = {
        f.outcome: f.pattern
        for f in findings(
            KIND,
            "Smith wrote a book. Owls hunt mice.",
            "He wrote a book. Owls, says Olga Petrova, hunt mice.",
        )
    }
    assert outcomes == {"gone": "gone", "new": "new person"}


def test_notes_text_without_capitals():
    assert list(KIND.notes(Pair("he went to rome.", "He went to Rome."))) == [NO_CAPITALS]
    assert list(KIND.notes(Pair("He went to Rome.", "He went to Rome."))) == []


def test_words():
    assert is_acronym("NSAIDs")
    assert is_acronym("mRNA")
    assert not is_acronym("Smith")
    assert frame("qaddafi") == frame("gaddafi")
    assert alike(("sarcoidosis",), ("sacroidosis",))
    assert not alike(("jane", "smith"), ("john", "smith"))


def test_mention_of_another_finder():
    passage = Passage("In the United States people vote.")
    assert KIND.mention(passage, 7, 20).value == ("place", "united_states")
    assert KIND.mention(passage, 2, 3) is None


@given(st.text(max_size=80), st.text(max_size=80))
def test_never_crashes(source, output):
    check_any_texts(KIND, source, output)


@given(
    st.lists(
        st.sampled_from("The Smith of in Leeds WHO and said NATO . , “ Dr. U.S. France COVID-19 a".split()),
        max_size=25,
    )
)
def test_a_text_has_its_own_names(words):
    text = " ".join(words)
    assert {f.outcome for f in findings(KIND, text, text)} <= {"same"}


FILLER = (
    " The town lies on a river. Its market opens early every morning. Many buildings are made of red brick."
    " Trains stop there once an hour. The old bridge was closed for repairs. A new school opened nearby."
)


def test_a_name_in_the_words_of_another_one():
    source = "Cheap wool from Norway was sold at the spring fair. Later a ship from Denmark arrived." + FILLER
    output = FILLER.strip() + " Cheap wool from Denmark was sold at the spring fair."
    assert [(a, b) for _, a, b in replaced(KIND, source, output)] == [("Norway", "Denmark")]


def test_a_first_name_with_another_surname():
    source = "The engine was repaired by Clara Whitmore, who also painted the hull."
    output = "Clara Whitmore did not rest. Clara Danvers painted the hull as well."
    assert ("name in doubt", "Clara Whitmore", "Clara Danvers") in replaced(KIND, source, output)


def test_an_acronym_of_statistics_for_a_name():
    source = "The RCT ended early. Results from the three ITS studies were inconsistent."
    output = "The RCT ended early. Results from the three RCT studies were inconsistent."
    assert [(a, b) for _, a, b in replaced(KIND, source, output)] == [("ITS", "RCT")]


def test_a_place_that_the_original_does_not_have():
    source = "Before Portugal slid into a deep crisis, people on the island lived quite well."
    output = "Before the economic crisis in Bulgaria, people on this island lived well."
    assert [(a, b) for _, a, b in replaced(KIND, source, output)] == [("Portugal", "Bulgaria")]
