"""Roles: who did what to whom."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainmark.faithfulness.kinds.role import KIND, clauses
from plainmark.faithfulness.passage import Passage
from support.fact_kinds import changed, check_any_texts


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("Smith beat Jones.", "Jones was beaten by Smith."),
        ("Smith beat Jones.", "Smith beat Jones easily."),
        ("The teacher helped the boy.", "The boy was helped by the teacher."),
        ("Murray bought the car from Federer.", "Federer sold the car to Murray."),
        ("Mice are smaller than rats.", "Rats are larger than mice."),
        ("Smith and Jones visited Leeds.", "Jones and Smith visited Leeds."),
        ("Stress causes asthma.", "Asthma is caused by stress."),
        ("The train runs from Leeds to York.", "The train goes from Leeds to York."),
        ("No study reported diarrhoea-related deaths.", "No study reported deaths related to diarrhoea."),
        (
            "Unintended outcomes were not reported in the studies.",
            "The studies reported no unintended outcomes.",
        ),
        ("We saw good control of pain.", "Pain was controlled very well."),
        ("They used rice rather than wheat.", "They used rice instead of wheat."),
    ],
)
def test_harmless(source, output):
    assert changed(KIND, source, output) == []


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("Smith beat Jones.", "Jones beat Smith."),
        ("The dog bit the man.", "The man bit the dog."),
        ("Smith was beaten by Jones.", "Jones was beaten by Smith."),
        ("Google sued Apple in 2012.", "Apple sued Google in 2012."),
        ("Mice are smaller than rats.", "Rats are smaller than mice."),
        ("Aspirin was better than ibuprofen.", "Ibuprofen was better than aspirin."),
        ("Stress causes asthma.", "Asthma causes stress."),
        ("They used rice rather than wheat.", "They used wheat rather than rice."),
        ("The train runs from Leeds to York.", "The train runs from York to Leeds."),
        ("The virus was killed by the heat.", "The virus killed the heat."),
        ("The king married the actress.", "The actress married the king. The king left."),
        ("The tenant sued the landlord.", "The landlord sued the tenant."),
    ],
)
def test_distorted(source, output):
    assert changed(KIND, source, output)


@pytest.mark.parametrize(
    ("source", "output"),
    [
        (
            "Sand drifts from the upper beach into the lower beach.",
            "Sand drifts from the lower beach into the upper beach.",
        ),
        ("The library is currently run by volunteers.", "Volunteers are currently run by the library."),
        (
            "The owner's dog was chased by a neighbour's cat.",
            "A neighbour's cat was chased by the owner's dog.",
        ),
        (
            "They hired part-time cooks rather than full-time bakers.",
            "They hired full-time bakers rather than part-time cooks.",
        ),
        ("Floods may be a consequence of logging.", "Logging may be caused by floods."),
        ("Mould can lead to asthma.", "Asthma can lead to mould."),
        ("The editor blamed the delay on the printer.", "The editor blamed the printer on the delay."),
        ("Mrs Okoro lent Mr Lindgren £90.", "Mr Lindgren lent Mrs Okoro £90."),
    ],
)
def test_sides_of_other_relations(source, output):
    assert changed(KIND, source, output)


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("Floods may be a consequence of logging.", "Logging may lead to floods."),
        ("Asthma can be caused by mould.", "Asthma can result from mould."),
        ("Mould is a cause of asthma.", "Asthma can be caused by mould."),
        ("The vase was bought from the dealer by a museum.", "The dealer sold the vase to a museum."),
        ("The cook replaced butter with oil.", "Oil was used by the cook in place of butter."),
    ],
)
def test_the_same_relation_in_other_words(source, output):
    assert changed(KIND, source, output) == []


def test_clauses():
    passage = Passage("The virus was killed by the heat.")
    (clause,) = clauses(passage)
    assert (passage.words[clause.pivot].text, clause.voice) == ("killed", "by")


@given(st.text(max_size=80), st.text(max_size=80))
def test_never_crashes(source, output):
    check_any_texts(KIND, source, output)


@given(
    st.lists(
        st.sampled_from("the dog bit beat man was by than rather from to larger . , Smith and".split()),
        max_size=25,
    )
)
def test_a_text_has_its_own_roles(words):
    text = " ".join(words)
    assert changed(KIND, text, text) == []
