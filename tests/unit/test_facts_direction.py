"""Direction and comparison: opposites in the same place are found, exchanged comparands and negations are understood."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainmark.faithfulness.kinds.direction import KIND
from plainmark.faithfulness.nearness import IN_PLACE, VERBATIM
from plainmark.faithfulness.passage import Passage
from support.fact_kinds import REWORDINGS, check_any_texts, flagged

HARMLESS = (
    *REWORDINGS,
    # prefixes of medicine against everyday words
    ("Hyperglycaemia is common in winter.", "High blood sugar is common in winter."),
    ("Tachycardia followed the injection.", "A fast heartbeat followed the injection."),
    ("Preoperative tests are free.", "Tests before the operation are free."),
    ("Hypokalaemia (low potassium) and hyperkalaemia are rare.", "Hypokalaemia (low potassium) is rare."),
    # verbs with a particle
    ("The club took on two trainers in May.", "The club hired two trainers in May."),
    ("The offer was turned down by the union.", "The union rejected the offer."),
    ("Petrol prices declined in June.", "Petrol prices came down in June."),
    ("The panel voted in favour of the tunnel.", "The panel supported the tunnel."),
    ("The blue kettle costs less than the red one.", "The blue kettle is cheaper than the red one."),
    ("The charity would have closed without the donation.", "The donation saved the charity from closing."),
    ("The score was lower than the placebo group's.", "The placebo group had a higher score."),
    ("Boys are taller than girls.", "Girls are shorter than boys."),
    ("Prices rose in May.", "Prices increased in May."),
    ("Prices did not fall in May.", "Prices did not go down in May."),
    ("Wash your hands before eating.", "Before you eat, wash your hands."),
    ("Wash your hands before eating.", "Eat after washing your hands."),
    ("The drug reduced the risk of stroke.", "The drug lowered the risk of stroke."),
    ("The drug reduced pain.", "The drug relieved pain."),
    ("The treated group had fewer strokes.", "There were fewer strokes in the treated group."),
    (
        "The treated group had fewer strokes than the control group.",
        "The control group had more strokes than the treated group.",
    ),
    ("The court rejected the appeal.", "The court did not accept the appeal."),
    ("Exports grew faster than imports.", "Imports grew more slowly than exports."),
    ("The museum closes at five.", "The museum shuts at five."),
    ("Nobody lost any money.", "Everyone kept their money."),
    ("The death rate declined.", "Fewer people died."),
    ("The war began in 1914.", "The war started in 1914."),
    ("Patients felt worse after the operation.", "After the operation patients felt worse."),
    ("She left Paris before the war.", "She left Paris before the war began."),
    ("The second study found a smaller effect.", "The effect was smaller in the second study."),
    ("The bridge is longer than the tunnel.", "The tunnel is shorter than the bridge."),
    ("He was born after his father died.", "His father died before he was born."),
    ("Symptoms improved.", "Symptoms got better."),
    ("It decreased the severity of the illness.", "The illness became less severe."),
    ("The price is too high for most people.", "Most people cannot afford the price."),
    ("The river is less polluted than it was.", "The river is cleaner than it was."),
    ("The plan was not a success.", "The plan was a failure."),
    (
        "Older drivers are less likely to crash than younger drivers.",
        "Younger drivers are more likely to crash than older drivers.",
    ),
    ("The minister opposed the ban.", "The minister did not support the ban."),
    ("You should lose weight.", "You should become less heavy."),
    ("Salt raises blood pressure.", "Salt makes blood pressure go up."),
    ("The early results were promising.", "The first results were good."),
    (
        "The team won three more games than last year.",
        "The team won three more matches than the year before.",
    ),
    ("Take one tablet twice a day with food.", "Take a pill with food two times a day."),
    ("He died at a young age.", "He was young when he died."),
    ("The lake is deeper in the north than in the south.", "The lake is deeper in the north."),
    (
        "A low dose is better tolerated than a high dose.",
        "People cope better with a low dose than with a high dose.",
    ),
    (
        "The quality of evidence ranged from low to moderate.",
        "The quality of the evidence was low to moderate.",
    ),
)
# Source, distortion, and the pattern of the evidence.
DISTORTED = (
    ("Hyperglycaemia is common in winter.", "Low blood sugar is common in winter.", "direction loose"),
    ("Bradycardia followed the injection.", "A fast heartbeat followed the injection.", "direction"),
    ("An overactive thyroid was found.", "An underactive thyroid was found.", "direction"),
    ("Postoperative tests are free.", "Tests before the operation are free.", "direction"),
    ("Turn the wheel clockwise.", "Turn the wheel anti-clockwise.", "direction"),
    ("Outpatient care was praised by visitors.", "Inpatient care was praised by visitors.", "direction"),
    ("The shop put up the price of bread.", "The shop brought down the price of bread.", "direction"),
    ("The shop put the price of bread up.", "The shop took the price of bread down.", "direction loose"),
    ("The club took on two trainers in May.", "The club laid off two trainers in May.", "direction"),
    ("The panel voted for the tunnel.", "The panel voted against the tunnel.", "direction"),
    (
        "The judge upheld the verdict of the lower court.",
        "The judge overturned the verdict of the lower court.",
        "direction",
    ),
    ("The colony was established before the war.", "The colony was founded after the war.", "direction"),
    (
        "The symptoms usually get better within a week.",
        "The symptoms usually get worse within a week.",
        "direction",
    ),
    ("The bridge was closed to traffic.", "The bridge was open to traffic.", "direction"),
    ("Rents have doubled since 2010.", "Rents have halved since 2010.", "direction"),
    ("The law took effect after a long debate.", "The law took effect before a long debate.", "direction"),
    (
        "Rainfall was heavier in the west than in the east.",
        "Rainfall was heavier in the east than in the west.",
        "exchanged",
    ),
    (
        "Rainfall was heavier in the west than in the east.",
        "Rainfall was lighter in the west than in the east.",
        "direction",
    ),
    ("The hotel accepts pets.", "The hotel refuses pets.", "direction"),
    ("The company has gained customers this year.", "The company has lost customers this year.", "direction"),
    (
        "The heart pumps blood into the upper chamber.",
        "The heart pumps blood into the lower chamber.",
        "antonym",
    ),
    (
        "The storm weakened as it reached the coast.",
        "The storm strengthened as it reached the coast.",
        "direction",
    ),
    ("He denied stealing the car.", "He admitted stealing the car.", "direction"),
    ("He refused to pay the fine.", "He agreed to pay the fine.", "direction"),
    (
        "The prime minister rejected calls for a second vote.",
        "The prime minister accepted calls for a second vote.",
        "direction",
    ),
    ("Employees are prohibited from accepting gifts.", "Employees are allowed to accept gifts.", "direction"),
    ("Sales dropped sharply after the scandal.", "Sales rose sharply after the scandal.", "direction"),
    (
        "Unemployment is lower in the north than in the south.",
        "Unemployment is higher in the north than in the south.",
        "direction",
    ),
    (
        "Prior to surgery, patients should fast for eight hours.",
        "After surgery, patients should fast for eight hours.",
        "direction",
    ),
    ("The intervention decreased mortality.", "The treatment increased mortality.", "direction"),
    ("The new train is considerably faster.", "The new train is much slower.", "direction"),
    (
        "Interest rates were cut to stimulate growth.",
        "Interest rates were raised to stimulate growth.",
        "direction",
    ),
    ("Women live longer than men on average.", "Men live longer than women on average.", "exchanged"),
    ("The bank agreed to lend him money.", "The bank refused to lend him money.", "direction"),
    ("Children should eat more vegetables.", "Children should eat fewer vegetables.", "direction"),
    ("Store below 25 degrees.", "Store above 25 degrees.", "direction"),
    (
        "Apply the cream twice a day before washing.",
        "Apply the cream twice a day after washing.",
        "direction",
    ),
    ("The army won the battle.", "The army lost the battle.", "direction"),
    (
        "The patient's condition improved overnight.",
        "The patient's condition got worse overnight.",
        "direction",
    ),
    ("The hormone stimulates growth.", "The hormone inhibits growth.", "direction"),
    ("Profits were up on last year.", "Profits were down on last year.", "direction"),
    ("The bus leaves earlier on Sundays.", "The bus leaves later on Sundays.", "direction"),
    ("The plan would make housing cheaper.", "The plan would make housing more expensive.", "direction"),
    ("He supported the death penalty.", "He opposed the death penalty.", "direction"),
    (
        "She was the first woman to climb the mountain.",
        "She was the last woman to climb the mountain.",
        "direction",
    ),
    ("The study included pregnant women.", "The study excluded pregnant women.", "direction"),
    ("He rarely drinks alcohol.", "He often drinks alcohol.", "direction"),
    ("The suspect admitted the crime.", "The suspect denied the crime.", "direction"),
    (
        "The score was lower than the placebo group's.",
        "The score was higher than the placebo group's.",
        "direction",
    ),
    ("Boys are taller than girls.", "Girls are taller than boys.", "exchanged"),
    ("Boys are taller than girls.", "Boys are shorter than girls.", "direction"),
    ("Prices rose in May.", "Prices fell in May.", "direction"),
    ("Prices rose in May.", "In May prices dropped.", "direction"),
    ("Take the tablets before meals.", "Take the tablets after meals.", "direction"),
    ("Wash your hands before eating.", "Wash your hands after eating.", "direction"),
    ("The drug reduced the risk of stroke.", "The drug increased the risk of stroke.", "direction"),
    ("The drug reduced the risk of stroke.", "The medicine raised the risk of stroke.", "direction"),
    (
        "The treated group had fewer strokes than the control group.",
        "The treated group had more strokes than the control group.",
        "direction",
    ),
    ("Fewer than 3 in 100 people had nausea.", "More than 3 in 100 people had nausea.", "direction"),
    ("The court accepted the appeal.", "The court rejected the appeal.", "direction"),
    (
        "Your blood pressure may fall when you stand up quickly.",
        "Your blood pressure may rise when you stand up fast.",
        "direction",
    ),
    ("Exports grew faster than imports.", "Imports grew faster than exports.", "exchanged"),
    ("The museum opens at five.", "The museum closes at five.", "direction"),
    ("The company bought the factory.", "The company sold the factory.", "direction"),
    ("The war began in 1914.", "The war ended in 1914.", "direction"),
    ("Patients felt worse after the operation.", "Patients felt better after the operation.", "direction"),
    ("She left Paris before the war.", "She left Paris after the war.", "direction"),
    ("The second study found a smaller effect.", "The second study found a larger effect.", "direction"),
    ("The village is above the lake.", "The village is below the lake.", "direction"),
    ("He was born after his father died.", "He was born before his father died.", "direction"),
    ("Turn left at the church.", "Turn right at the church.", "direction"),
    ("The law allows smoking in pubs.", "The law forbids smoking in pubs.", "direction"),
    ("Children were included in the study.", "Children were excluded from the study.", "direction"),
    ("The team won the final.", "The team lost the final.", "direction"),
    ("The train was faster than the car.", "The train was slower than the car.", "direction"),
    ("The north of the country is dry.", "The south of the country is dry.", "direction"),
    ("The early results were promising.", "The late results were promising.", "direction"),
    ("Store the vaccine in a cold place.", "Store the vaccine in a hot place.", "direction"),
    ("The water is dangerous to drink.", "The water is safe to drink.", "direction"),
    ("Older people are at higher risk.", "Older people are at lower risk.", "direction"),
    ("It is more common in men than in women.", "It is more common in women than in men.", "exchanged"),
    ("It is more common in men.", "It is less common in men.", "direction"),
    ("Keep the wound dry.", "Keep the wound wet.", "direction"),
    ("The tax was raised to 20 percent.", "The tax was cut to 20 percent.", "direction"),
    ("Start the treatment on Monday.", "Stop the treatment on Monday.", "direction"),
    ("Unemployment is falling slowly.", "Unemployment is rising slowly.", "direction"),
    ("The patients should drink more water.", "The patients should drink less water.", "direction"),
    ("The first train leaves at six.", "The last train leaves at six.", "direction"),
    ("The hot season lasts three months.", "The cold season lasts three months.", "direction"),
    ("He agreed to pay the fine.", "He refused to pay the fine.", "direction"),
    ("He denied stealing the car.", "He admitted stealing the car.", "direction"),
    ("People over 65 pay nothing.", "People under 65 pay nothing.", "direction"),
)
# Text, and its words of direction with family and sign.
FOUND = (
    ("Prices rose.", [("rose", "amount", 1)]),
    ("Prices are less likely to fall.", [("less likely", "likelihood", -1), ("fall", "amount", -1)]),
    ("Eat after washing.", [("after", "time", 1)]),
    ("At least ten came.", []),
    ("Ten or more came.", [("more", "bound", 1)]),
    ("She was given a book.", []),
    ("The owl sat there.", []),
)
WORDS = "more less than before after rise fell higher lower cold hot not the of dog less likely , . ; ( ) ? 5 or é \n".split(
    " "
)


@pytest.mark.parametrize(("source", "output"), HARMLESS)
def test_rewordings_raise_nothing(source, output):
    assert flagged("direction", source, output) == []


@pytest.mark.parametrize(("source", "output", "pattern"), DISTORTED)
def test_the_opposite_is_found(source, output, pattern):
    assert pattern in [
        e.pattern.removesuffix(IN_PLACE).removesuffix(VERBATIM) for e in flagged("direction", source, output)
    ]


@pytest.mark.parametrize(("text", "expected"), FOUND)
def test_words_of_direction(text, expected):
    assert [(text[m.start : m.end], m.family, m.sign) for m in KIND.find(Passage(text))] == expected


@pytest.mark.parametrize("text", sorted({text for pair in (*HARMLESS, *DISTORTED) for text in pair[:2]}))
def test_a_text_agrees_with_itself(text):
    assert flagged("direction", text, text) == []
    assert flagged("direction", text.lower(), text.lower()) == []


def test_the_reason_quotes_both_words():
    entry = flagged("direction", "Take it before meals.", "Take it after meals.")[0]
    assert entry.reason == "The original says “before”; the simplified text says “after”, the opposite."


@given(
    st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join) | st.text(max_size=60),
    st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join) | st.text(max_size=60),
)
def test_any_text_can_be_compared(source, output):
    check_any_texts(KIND, source, output)
