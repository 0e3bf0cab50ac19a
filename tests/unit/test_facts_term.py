"""Terms: which are found, which mean the same, and which were changed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainmark.faithfulness.kinds.term import KIND
from plainmark.faithfulness.passage import Passage
from support.fact_kinds import check_any_texts, findings, replaced


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Metformin lowers glucose.", ["Metformin", "glucose"]),
        ("He has hepatitis B.", ["hepatitis B"]),
        ("Take vitamin B12 daily.", ["vitamin B12"]),
        ("Heart attacks are common.", ["Heart attacks", "Heart"]),
        ("The sky was grey that day.", []),
        ("", []),
    ],
)
def test_finds_terms(text, terms):
    assert [text[m.start : m.end] for m in KIND.find(Passage(text))] == terms


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("Patients with hypertension should rest.", "Patients with high blood pressure should rest."),
        ("He died of a myocardial infarction.", "He died of a heart attack."),
        ("Take paracetamol for the pain.", "Take acetaminophen for the pain."),
        ("Take aspirin for the pain.", "Take a painkiller for the pain."),
        ("The drug caused edema in the legs.", "The drug caused edema (swelling) in the legs."),
        ("Renal failure is common in old age.", "Kidney failure is common in old age."),
        ("Patients took metformin daily.", "Patients took their medicine daily."),
        ("Patients took metformin daily.", "Patients took it daily."),
        ("Carcinoma of the lung is common.", "Lung cancer is common."),
        ("The infants slept well.", "The babies slept well."),
        ("The rats and the mice were fed.", "The mice and the rats were fed."),
        ("Asthma is treated with steroids.", "Steroids are used to treat asthma."),
        ("Physicians should check the liver.", "Doctors should check the liver."),
        ("Osteoarthritis affects the knee.", "Arthritis affects the knee."),
        ("Children with anaemia need iron.", "Children with anemia need iron."),
        ("Mice are smaller than rats.", "Rats are larger than mice."),
        ("Aspirin was given, then ibuprofen.", "First aspirin was given, and then ibuprofen."),
        ("Salmon swim up the river.", "The fish swim up the river."),
    ],
)
def test_harmless(source, output):
    assert replaced(KIND, source, output) == []


@pytest.mark.parametrize(
    ("source", "output", "before", "after"),
    [
        ("Patients took metformin daily.", "Patients took insulin daily.", "metformin", "insulin"),
        ("The kidney was damaged by the drug.", "The liver was damaged by the drug.", "kidney", "liver"),
        ("Children with asthma need care.", "Children with diabetes need care.", "asthma", "diabetes"),
        ("Salmon swim up the river.", "Trout swim up the river.", "Salmon", "Trout"),
        ("The pipe is made of copper.", "The pipe is made of iron.", "copper", "iron"),
        (
            "He has hepatitis B and needs rest.",
            "He has hepatitis C and needs rest.",
            "hepatitis B",
            "hepatitis C",
        ),
        ("Take vitamin D every day.", "Take vitamin C every day.", "vitamin D", "vitamin C"),
        ("The women took the tablets.", "The men took the tablets.", "women", "men"),
        (
            "Surgery is safe for old people.",
            "Chemotherapy is safe for old people.",
            "Surgery",
            "Chemotherapy",
        ),
        ("The skin was red and dry.", "The eye was red and dry.", "skin", "eye"),
        ("Drink milk before breakfast.", "Drink milk before lunch.", "breakfast", "lunch"),
        (
            "Pneumonia killed most of the patients.",
            "Malaria killed most of the patients.",
            "Pneumonia",
            "Malaria",
        ),
        (
            "The nurse gave him ibuprofen at night.",
            "The nurse gave him codeine at night.",
            "ibuprofen",
            "codeine",
        ),
        ("The children played outside.", "The adults played outside.", "children", "adults"),
        ("Zinc helps against colds.", "Sodium helps against colds.", "Zinc", "Sodium"),
        (
            "Patients with sarcoidosis improved.",
            "Patients with sacroidosis improved.",
            "sarcoidosis",
            "sacroidosis",
        ),
        ("The tenant must pay the costs.", "The landlord must pay the costs.", "tenant", "landlord"),
        (
            "It causes heart failure in some people.",
            "It causes foot failure in some people.",
            "heart",
            "foot",
        ),
    ],
)
def test_distorted(source, output, before, after):
    assert (before, after) in [pair[1:] for pair in replaced(KIND, source, output)]


@given(st.text(max_size=80), st.text(max_size=80))
def test_never_crashes(source, output):
    check_any_texts(KIND, source, output)


@given(
    st.lists(
        st.sampled_from("the heart failure aspirin of and kidney . , children hepatitis B iron".split()),
        max_size=25,
    )
)
def test_a_text_has_its_own_terms(words):
    text = " ".join(words)
    assert {f.outcome for f in findings(KIND, text, text)} <= {"same"}


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("The landlord repairs the roof.", "The tenant repairs the roof."),
        ("The plaintiff paid the costs.", "The defendant paid the costs."),
        ("The employer keeps the records.", "The employee keeps the records."),
        ("The lender sets the rate.", "The borrower sets the rate."),
        ("The mother signed the form.", "The father signed the form."),
        ("The donor needs a blood test.", "The recipient needs a blood test."),
        ("The men were asked first.", "The women were asked first."),
        ("Renal failure was common.", "Liver failure was common."),
        ("Cardiac surgery takes hours.", "Brain surgery takes hours."),
        ("People with schizophrenia were invited.", "People with asthma were invited."),
        ("Patients took citalopram at night.", "Patients took zolpidem at night."),
        ("Babies were given oxaprocillin twice.", "Babies were given morphine twice."),
    ],
)
def test_classes_of_terms(source, output):
    assert len(replaced(KIND, source, output)) == 1


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("The mother signed the form.", "The woman signed the form."),
        ("The son inherited the house.", "The boy inherited the house."),
        ("The parents were informed.", "The mothers were informed."),
        ("The tenant complained.", "The employee complained."),
        ("Renal failure was common.", "Kidney failure was common."),
        ("Hepatic damage was seen.", "Damage to the liver was seen."),
        ("The effect of vitamin D was small.", "The effect of vitamin D3 was small."),
    ],
)
def test_terms_that_do_not_exclude_each_other(source, output):
    assert replaced(KIND, source, output) == []


def test_exchanged_terms():
    source = "The landlord must give the tenant 28 days' notice."
    output = "The tenant must give the landlord 28 days' notice."
    assert {pattern for pattern, _, _ in replaced(KIND, source, output)} == {"exchanged"}


FILLER = (
    " The town lies on a river. Its market opens early every morning. Many buildings are made of red brick."
    " Trains stop there once an hour. The old bridge was closed for repairs. A new school opened nearby."
)


def test_a_foreign_term_is_looked_for_in_the_whole_source():
    source = "Doctors often treat severe asthma attacks with oxygen in hospital." + FILLER
    output = FILLER.strip() + " Doctors often treat severe epilepsy attacks with oxygen in hospital."
    assert [(a, b) for _, a, b in replaced(KIND, source, output)] == [("asthma", "epilepsy")]


@pytest.mark.parametrize(
    ("source", "output", "before", "after"),
    [
        ("The owner has to mend the fence.", "The owner must repair the gate.", "fence", "gate"),
        ("The guide lost her lamp in the cave.", "The guide lost her rope in the cave.", "lamp", "rope"),
        (
            "The janitor is responsible for maintaining the boiler.",
            "The janitor has to look after the chimney.",
            "boiler",
            "chimney",
        ),
        (
            "The firm did not pay corporation tax.",
            "The firm did not pay inheritance tax.",
            "corporation",
            "inheritance",
        ),
    ],
)
def test_everyday_things(source, output, before, after):
    assert [row[1:] for row in replaced(KIND, source, output)] == [(before, after)]


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("The owner has to mend the dwelling.", "The owner must repair the house."),  # more general
        (
            "The owner has to fit a smoke detector.",
            "The owner must fit a smoke alarm.",
        ),  # one thing as a compound
        ("The guide lost her flute in the cave.", "The guide lost her instrument in the cave."),
        ("The clerk filed the deeds.", "The clerk filed the ownership papers."),  # explained
        ("Stand the receptacle by the wall.", "Put the bin by the wall."),  # a rare word and a common one
        ("The guide lost her lamp in the cave.", "The guide lost something in the cave."),
        ("Sodium chloride melts snow.", "Table salt melts snow."),
    ],
)
def test_things_in_other_words(source, output):
    assert replaced(KIND, source, output) == []


def test_things_are_compared_in_single_sentences_only():
    source = "The owner has to mend the fence. The fence is old. The tenant pays."
    output = "The owner must repair the gate. The gate is old. The tenant pays."
    assert replaced(KIND, source, output) == []
