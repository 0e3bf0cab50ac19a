"""The kind "number" of the fact ledger: what is read, what counts as the same, and what is found changed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import ROOT
from plainmark.faithfulness import facts
from plainmark.faithfulness.alignment import Pair
from plainmark.faithfulness.kinds.number import KIND
from plainmark.faithfulness.passage import Passage


def findings(source, output):
    pair = Pair(source, output)
    return list(KIND.compare(pair, KIND.find(pair.source), KIND.find(pair.output)))


def changed(source, output):
    return [f for f in findings(source, output) if f.outcome == "changed"]


READ = [
    ("Take 5 mg/kg a day.", [("5 mg/kg a day", 5, "mg")]),
    ("It cost £7m.", [("£7m", 7e6, "GBP")]),
    ("It cost 1.3bn euros.", [("1.3bn euros", 1.3e9, "EUR")]),
    ("About 3k people came.", [("3k", 3000, "")]),
    ("A dozen eggs", [("A dozen", 12, "")]),
    ("two-thirds of voters", [("two-thirds", 200 / 3, "%")]),
    ("one in five adults", [("one in five", 20, "%")]),
    ("20 out of 100 adults", [("20 out of 100", 20, "%")]),
    ("twice a day", [("twice a day", 2, "per day")]),
    ("every 12 hours", [("every 12 hours", 1 / 12, "per hour")]),
    ("a 12-week course", [("12-week", 12, "week")]),
    ("at −5 °C", [("−5 °C", -5, "°C")]),
    ("two and a half hours", [("two and a half hours", 2.5, "hour")]),
    ("2½ hours", [("2½ hours", 2.5, "hour")]),
    ("2 1⁄2 hours", [("2 1⁄2 hours", 2.5, "hour")]),
    ("3⁄4 cup", [("3⁄4 cup", 0.75, "cup")]),
    ("1.60 km ² of land", [("1.60 km ²", 1.6, "km²")]),
    ("463 mi² of land", [("463 mi²", 463, "mile²")]),
    ("20 kilometres squared", [("20 kilometres squared", 20, "km²")]),
    ("$102 millions", [("$102 millions", 102e6, "dollar")]),
    ("half a million people", [("half a million", 500_000, "")]),
    ("2 x 10^9 cells", [("2 x 10^9", 2e9, "")]),
    ("10⁶ cells", [("10⁶", 1e6, "")]),
    ("12 000 people", [("12 000", 12_000, "")]),
    ("two hundred and five ships", [("two hundred and five", 205, "")]),
    ("5, 10 and 15 mg", [("5", 5, "mg"), ("10", 10, "mg"), ("15 mg", 15, "mg")]),
    ("1 hour and 20 minutes", [("1 hour and 20 minutes", 80, "minute")]),
    ("five percentage points", [("five percentage points", 5, "percentage point")]),
    ("a five-year-old girl", [("five-year-old", 5, "year")]),
    ("children aged 5", [("5", 5, "year")]),
    ("25 miles per hour", [("25 miles per hour", 25, "mph")]),
    ("tenfold", [("tenfold", 10, "times")]),
    ("p < 0.05", [("< 0.05", 0.05, "")]),
    ("7m people", [("7m", 7e6, "")]),
    ("a 7m wall", [("7m", 7, "m")]),
    ("2 to 3 million people", [("2 to 3 million", 2e6, "")]),
    ("500 to 2 million people", [("500 to 2 million", 500, "")]),
    ("a quarter of a million people", [("a quarter of a million", 250_000, "")]),
    ("Scores fell in the final quarter.", []),
    ("They live in the Latin Quarter.", []),
    ("Nearly a quarter agreed.", [("a quarter", 25, "%")]),
    ("10 out of 8", [("10 out of 8", 125, "%")]),
    ("from day six on", [("day six", 6, "day")]),
    ("The age of ice (1250,1850)", []),
    ("Games 5 -7", [("5", 5, ""), ("7", 7, "")]),
    ("at 10: 00 pm", [("10", 10, "")]),
    ("the last Friday of the month", [("last", -1, ""), ("Friday", None, None)]),
]


@pytest.mark.parametrize(("text", "expected"), READ, ids=[text for text, _ in READ])
def test_amounts_are_read_with_their_units(text, expected):
    found = [
        (text[m.start : m.end], m.value.number, m.value.unit.name)
        if m.value.form != "date"
        else (text[m.start : m.end], None, None)
        for m in KIND.find(Passage(text))
    ]
    assert [(shown, pytest.approx(number), unit) for shown, number, unit in expected] == found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5 May 2019", (2019, 5, 5)),
        ("May 5th, 2019", (2019, 5, 5)),
        ("2019-05-05", (2019, 5, 5)),
        ("the 5th of May", (None, 5, 5)),
        ("31/12/1999", (1999, 12, 31)),
        ("It was in 1987.", (1987, None, None)),
        ("in nineteen ninety-nine", (1999, None, None)),
        ("built in 312 BC", (-312, None, None)),
        ("built in 312 B.C.E.", (-312, None, None)),
        ("built in AD 312", (312, None, None)),
        ("built in 312 CE", (312, None, None)),
        ("in the 4th century BC", (-400, None, None)),
        ("born on 19 May ,1970", (1970, 5, 19)),
        ("born on 38 May 1970", (1970, 5, 38)),
        ("born on May 120, 1970", (1970, 5, 120)),
        ("born on 5 May 19700.", (19700, 5, 5)),
        ("died on October 28, 312.", (312, 10, 28)),
    ],
)
def test_dates_are_read_in_every_order(text, expected):
    (mention,) = KIND.find(Passage(text))
    assert (mention.value.first, mention.value.month, mention.value.day) == expected


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("from 300 to about 200 BC", [-300, -200]),
        ("3000–2500 BC", [-3000, -2500]),
        ("between 5 BC and AD 33", [-5, 33]),
        ("in 1938 39", [1938, 1939]),
        ("the 2008 - 09 season", [2008, 2009]),
        ("Her house (1783-1807)", [1783, 1807]),
    ],
)
def test_spans_of_years(text, years):
    assert [m.value.first for m in KIND.find(Passage(text))] == years


@pytest.mark.parametrize("text", ["An ad ran for an hour.", "On 5 May 3500 people marched."])
def test_what_is_no_year(text):
    assert not [m for m in KIND.find(Passage(text)) if m.value.form == "date" and m.value.first]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("COVID-19", ("covid#", "19")),
        ("H1N1", ("h#n#", "1.1")),
        ("vitamin B12", ("b#", "12")),
        ("type 2 diabetes", ("type", "2")),
        ("World War II", ("war", "2")),
        ("phase III", ("phase", "3")),
        ("Call 0800 123 456", ("telephone", "0800123456")),
        ("version 4.2.1", ("version", "4.2.1")),
    ],
)
def test_numbers_of_names_are_labels(text, label):
    (mention,) = [m for m in KIND.find(Passage(text)) if m.value.form == "label"]
    assert (mention.value.head, mention.value.code) == label


@pytest.mark.parametrize("text", ["No one came.", "one another", "Hundreds of people", "That may be so."])
def test_words_that_are_no_numbers(text):
    assert not [m for m in KIND.find(Passage(text)) if not m.weak]


def test_what_a_number_counts():
    passage = Passage("Of the 30 small children with asthma, 12 of the 60 patients got 5 mg of aspirin.")
    heads = [[passage.words[i].lower for i in m.about] for m in KIND.find(passage)]
    assert heads == [["children"], ["patients"], ["patients"], ["aspirin"]]


def test_decimal_commas_outside_english():
    text = "Die Kosten stiegen im vergangenen Jahr um 2,5 Prozent auf 1.200 Euro pro Haushalt und Monat."
    assert [m.value.number for m in KIND.find(Passage(text))] == [2.5, 1200]


HARMLESS = [
    ("The park covers 1.60 km ² of land.", "The park covers 1.60 km2 of land."),
    ("It spans 463 mi ² in all.", "It spans 463 square miles in all."),
    ("He was born on 29 November 1932.", "He was born on 11/29/32."),
    ("The 1932 season was long.", "The '32 season was long."),
    ("Prices are rounded to five cents.", "Prices are rounded to $0.05."),
    ("See pages 157 – 69 of the book.", "See pages 157-169 of the book."),
    ("The city has 1,027,405 people.", "One million people live in the city."),
    ("Take 5 mg of the drug.", "Take 5 milligrams of the drug."),
    ("It cost £7m.", "It cost £7 million."),
    ("He paid $1.3bn for it.", "He paid 1.3 billion dollars for it."),
    ("Some 48% of voters agreed.", "Almost half of the voters agreed."),
    ("The trial lasted 24 months.", "The trial took two years."),
    ("It took three decades.", "It took 30 years."),
    ("He was born on 5 May 2019 in Rome.", "He was born in Rome in 2019."),
    ("The law took effect on 05/06/2019.", "The law started on 5 June 2019."),
    ("Take it twice a day.", "Take it every 12 hours."),
    ("Take it once daily.", "Take it one time a day."),
    ("A total of 424 people died.", "More than 400 people died."),
    ("There were 987 people at the fair.", "There were about 1,000 people at the fair."),
    ("There were 37 and 41 patients in the groups.", "There were 78 patients in all."),
    ("The 3 men and 4 women left.", "The seven people left."),
    ("1 in 5 adults smoke.", "20% of adults smoke."),
    ("Nine out of ten doctors agree.", "90 per cent of doctors agree."),
    ("12 of 60 patients (20%) died.", "One in five patients died."),
    ("The bag weighs 20 kg.", "The bag weighs about 44 pounds."),
    ("The town is 100 km away.", "The town is 62 miles away."),
    ("It was 37 °C.", "It was 98.6 °F."),
    ("In the 19th century, people rode horses.", "In the 1800s, people rode horses."),
    ("In the nineties, rents rose.", "In the 1990s, rents rose."),
    ("Doses of 5, 10 and 15 mg were given.", "They got 5 mg, 10 mg or 15 mg."),
    ("He worked there from 2010 to 2015.", "He worked there for five years."),
    ("World War II ended in 1945.", "World War Two ended in 1945."),
    ("The rate doubled.", "The rate rose two-fold."),
    ("The meeting is at 15:00.", "The meeting is at 3 pm."),
    ("Children aged 5 to 12 years may join.", "Children between 5 and 12 years old can join."),
    ("The temperature fell to -5 °C.", "The temperature fell to minus 5 degrees Celsius."),
    ("A five-year-old boy was found.", "A boy aged 5 was found."),
    ("He has type 2 diabetes.", "He has type II diabetes."),
    ("The response rate was 57.5% (3674/6393).", "About 57% of people responded."),
    ("The wait was two weeks.", "The wait was a fortnight."),
    ("The sample had 12,500 people.", "The sample had 12 500 people."),
    ("Six of 12 patients had side effects.", "6 out of 12 patients had side effects."),
    ("Sensitivity was 0.93.", "Sensitivity was 93%."),
    ("The labour was one hour and 20 minutes shorter.", "The labour was 80 minutes shorter."),
    ("Two trials had 150 women, and one had 235 men.", "One trial had 235 men. Two trials had 150 women."),
    ("Ten men and 20 women came.", "20 women and 10 men came."),
    ("The Second Division has 24 clubs.", "There are 24 clubs in the Second Division."),
    ("The car has a top speed of 25mph.", "The car can go 25 miles per hour."),
    ("The festival drew crowds.", "The festival drew crowds. It began in 1972."),
    ("Half the staff left.", "50% of the staff left."),
    ("Patients received 20 mg/day.", "Patients took 20 mg every day."),
    ("Patients swallowed 80 mg/kg of the drug.", "Patients swallowed 80 mg of the drug for each kg they weighed."),
    ("The city has 1,027,405 residents.", "The city has one million residents."),
    ("The city has 1,027,405 residents.", "One million people live in the city."),
    ("The shop sold 1,450 lamps.", "The shop sold 1,500 lamps."),
    ("A survey covered 156 schools.", "A survey covered 160 schools."),
    ("It worked in 68.5% of cases.", "It worked in 7 out of 10 cases."),
    ("More than a dozen ships sank.", "More than ten ships sank."),
    ("More than four boys fell ill.", "At least five boys fell ill."),
    ("No more than five people may enter.", "At most five people can go in."),
    ("No more than five people may enter.", "Fewer than six people can go in."),
    ("Emissions fell by as much as 95%.", "Emissions fell by up to 95%."),
    ("The mill makes 300 tonnes of steel annually.", "The mill makes 300 tonnes of steel a year."),
    ("The choir meets annually in Bath.", "The choir meets one time a year in Bath."),
    ("Profits fell in the final quarter of 2019.", "Profits fell in the last three months of 2019."),
    ("The wall was built in 312 BC.", "The wall was built in 312 BCE."),
    ("The wall was built in AD 312.", "The wall was built in 312."),
    ("From about 200 to 30 million years ago it moved.", "It moved 30 to 200 million years ago."),
    ("The ring was added in 1938 39 in Rome.", "The ring was added in Rome in 1938/39."),
    ("It was the final week of March.", "It was the last week of March."),
    ("It costs 2 to 3 million pounds.", "It costs two million to three million pounds."),
    ("The film got 7/8 from critics.", "Critics gave the film 7 out of 8."),
    ("It grew from a village in 1457 to a city of 9,000 by 1721.", "It grew from a village to a city of 9,000 from 1457 to 1721."),
    ("Winds blew for three days at 40 mph.", "Winds blew at 40 mph for three days."),
    ("Out of 16,421 people she was among the 15 chosen for the show.", "She was one of only 15 chosen from 16,421 for the show."),
    ("She was one of the eight winners of the prize in 2009.", "In 2009, she won the prize."),
    ("Of 16,421 people, 15 were chosen for the show.", "She was chosen out of 16421 people for the show."),
]  # fmt: skip


@pytest.mark.parametrize(("source", "output"), HARMLESS, ids=[b for _, b in HARMLESS])
def test_rewording_is_no_change(source, output):
    assert not [(f.pattern, f.reason) for f in changed(source, output)]


DISTORTED = [
    ("The 1932 season was long.", "The '34 season was long.", "date"),
    ("The room is 20 m ² in size.", "The room is 20 km² in size.", "scale"),
    ("It costs 50 pence.", "It costs £50.", "unit"),
    ("Take 5 mg of the drug.", "Take 5 g of the drug.", "scale"),
    ("Take two tablets every 6 hours.", "Take two tablets every 8 hours.", "value"),
    ("Water boils at 100 °C.", "Water boils at 100 °F.", "unit"),
    ("It cost £7m.", "It cost £7bn.", "value"),
    ("The ticket cost $5.", "The ticket cost €5.", "unit"),
    ("The house cost £200,000.", "The house cost €230,000.", "currency-loose"),
    ("Treatment lasts 6 weeks.", "Treatment lasts 6 months.", "unit"),
    ("There were 10 men and 20 women.", "There were 20 men and 10 women.", "exchanged"),
    ("Deaths fell among men (10) and women (20).", "Deaths fell among men (20) and women (10).", "exchanged"),
    (
        "Response was 34% and 56% in the drug and placebo groups, respectively.",
        "Response was 56% and 34% in the drug and placebo groups, respectively.",
        "exchanged",
    ),
    ("We included 39 studies with 3520 people.", "We included 3520 studies with 39 people.", "exchanged"),
    ("He died in 1990.", "He died in 1991.", "date"),
    ("It happened on 5 May 2019.", "It happened on 6 May 2019.", "date"),
    ("The form is due by 31 March.", "The form is due by 31 May.", "date"),
    ("He has type 1 diabetes.", "He has type 2 diabetes.", "label"),
    ("COVID-19 spread in 2020.", "COVID-18 spread in 2020.", "label"),
    ("Infection with H1N1 was rare.", "Infection with H5N1 was rare.", "label"),
    ("Call 0800 123 456 for help.", "Call 0800 123 465 for help.", "label"),
    ("The effect was significant (p < 0.05).", "The effect was significant (p > 0.05).", "sign"),
    ("Store below 25 °C.", "Store below 35 °C.", "value"),
    ("The ratio was 3:1.", "The ratio was 1:3.", "order"),
    ("The team won 3-2.", "The team won 2-3.", "order"),
    ("Prices rose from 10% to 20%.", "Prices rose from 20% to 10%.", "order"),
    ("Half of the patients died.", "A third of the patients died.", "value"),
    ("1 in 5 adults smoke.", "1 in 50 adults smoke.", "value"),
    ("Take it twice a day.", "Take it three times a day.", "value"),
    ("Take it once daily.", "Take it once weekly.", "unit"),
    ("One man died.", "Two men died.", "value-loose"),
    ("The usual range is 10-20 mg.", "The usual range is 10-30 mg.", "value"),
    ("The dose is 5 mg/kg.", "The dose is 5 mg/l.", "rate-loose"),
    ("The shop opens at 9 am.", "The shop opens at 9 pm.", "time"),
    ("He came third in the race.", "He came fourth in the race.", "ordinal-loose"),
    ("Symptoms last three days.", "The signs go on for three weeks.", "unit"),
    ("The fine rises from €60 to €90.", "The fine goes up from €60 to €900.", "value"),
    ("Pay within 28 days.", "Pay within 30 days.", "value"),
    ("About 80% of crashes are avoidable.", "About 79% of crashes are avoidable.", "value"),
    ("Only 35 percent of patients improved.", "Only 35 patients improved.", "unit"),
    ("Ten men and 20 women came.", "Ten men and 10 women came.", "value-loose"),
    ("The tower is 30 metres high.", "The tower is 30 feet high.", "scale"),
    ("The temperature fell to -5 °C.", "The temperature fell to 5 °C.", "sign"),
    ("Interest is 4.5 per cent a year.", "Interest is 45 per cent a year.", "value"),
    ("A child of 12 may travel alone.", "A child of 2 may travel alone.", "value"),
    ("The aqueduct was finished in 312 BC.", "The aqueduct was finished in AD 312.", "date"),
    ("The temple was built in 1200 BC.", "The temple was built in 1200 AD.", "date"),
    ("She was born on 12 February 1962.", "She was born on 120 February 1962.", "date"),
    ("He died on July 31, 1880.", "He died on July 31, 18800.", "date"),
    ("The club meets on the first Monday of the month.", "The club meets on the last Monday of the month.", "ordinal-loose"),
    ("Snow fell in the first week of March.", "Snow fell in the last week of March.", "ordinal-loose"),
    ("Walk at least 50 metres.", "Walk at least 51 metres.", "value"),
    ("It lasts up to five years.", "It lasts up to four years.", "value"),
    ("Emissions fell by as much as 95%.", "Emissions fell by up to 94%.", "value"),
    ("More than 50 ships sank.", "More than 45 ships sank.", "value-loose"),
    ("It worked in 88.5% of cases.", "It worked in 7 out of 10 cases.", "value"),
    ("The film got 7/8 from critics.", "The film got 10 out of 8 from critics.", "value"),
    ("The shop sold 450 lamps.", "The shop sold 500 lamps.", "value"),
    ("He earned 40,000 dollars annually.", "He earned 40,000 dollars a month.", "rate-loose"),
    ("Sulphur has the atomic number 16.", "The atomic number of sulphur is 8.", "value"),
    ("They tested 15 sex- and age-matched adults.", "They tested 24 adults of the same age and sex.", "value"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "output", "pattern"), DISTORTED, ids=[b for _, b, _ in DISTORTED])
def test_a_changed_number_is_found(source, output, pattern):
    assert pattern in [f.pattern for f in changed(source, output)]


@pytest.mark.parametrize(("source", "output", "pattern"), DISTORTED[:8], ids=[b for _, b, _ in DISTORTED[:8]])
def test_capitals_do_not_matter(source, output, pattern):
    assert changed(source.lower(), output.lower())


def test_reasons_quote_both_texts():
    (finding,) = changed("Take 5 mg of the drug.", "Take 5 g of the drug.")
    assert finding.reason == "The original says 5 mg; the simplified text says 5 g, a thousand times as much."


def test_new_and_gone_numbers_are_listed():
    assert [(f.outcome, f.pattern) for f in findings("Rents rose in 1990.", "Rents rose.")] == [
        ("gone", "gone")
    ]
    assert [(f.outcome, f.pattern) for f in findings("Rents rose.", "Rents rose in 1990.")] == [
        ("new", "new")
    ]


TEXT = st.text(
    st.sampled_from("0123456789.,-–/:%$£€½¥‰±()<>= \n'") | st.sampled_from("abcdmgklsthIVX°²⁹"), max_size=60
)
WORDS = st.lists(
    st.sampled_from(
        "five 5 twenty one in 10 of a half third mg % per day May 2019 1990s from to and between ± type II every "
        "hours twice £ 7m - – ( ) , . 3:1 1/2 first hundred million dozen quarter century 19th p < people men".split()
    ),
    max_size=25,
).map(" ".join)


@settings(max_examples=300, deadline=None)
@given(TEXT | WORDS | st.text(max_size=40), TEXT | WORDS)
def test_nothing_crashes_and_offsets_are_right(source, output):
    for text in (source, output):
        passage = Passage(text)
        for mention in KIND.find(passage):
            assert 0 <= mention.start < mention.end <= len(text)
            assert passage.words[mention.first].start == mention.start
            assert mention.end <= passage.words[mention.last].end
    findings(source, output)
    assert not changed(source, source)


def test_time_grows_linearly():
    sentence = "In {} men and {} women the dose was {} mg for {} weeks. "
    text = "".join(sentence.format(k % 97, k % 89, k % 50, k % 12) for k in range(3000))
    passage = Passage(text)
    assert len(KIND.find(passage)) == 4 * 3000


FILLER = (
    " The town lies on a river. Its market opens early every morning. Many buildings are made of red brick."
    " Trains stop there often. The old bridge was closed for repairs. A new school opened nearby."
)


def test_things_that_are_counted_change_places():
    found = changed(
        "After the flood, which killed six people, the trains were running within three days.",
        "The trains were running within six days of the flood. Three people died in the flood.",
    )
    assert {f.pattern for f in found} == {"exchanged"}
    assert len(found) == 2


def test_a_value_from_another_sentence():
    source = "Risk factors were analysed by three older studies of diet. Six clinics took part." + FILLER
    output = FILLER.strip() + " Risk factors were analysed by six older studies of diet."
    (finding,) = changed(source, output)
    assert finding.before.value.number == 3
    assert finding.after.value.number == 6


def test_both_ends_of_a_range_count():
    found = changed("The mean age was 31.7 to 55.5 years.", "The mean age was 31.7 to 61.25 years.")
    assert [f.pattern.split("-")[0] for f in found] == ["value"]


def test_trials_are_studies():
    source = "We included 27 RCTs of exercise." + FILLER
    output = "We included 32 randomised trials of exercise." + FILLER
    assert len(changed(source, output)) == 1


def test_a_rounded_number_is_said_to_be_rounded():
    (finding,) = findings("The city has 1,027,405 residents.", "The city has one million residents.")
    assert (finding.outcome, finding.reason) == ("same", "The simplified text rounds it.")


def test_words_that_are_equal_are_not_changed():
    source = "The fourth ring was added in 1938 and 39 when the column was moved."
    assert not changed(source, "The column was moved, and the fourth ring was added, in 1938 or 39.")


def test_a_sum_counts_one_thing():
    fleet = "The yard built five wooden boats, three sails and two masts in spring."
    found = changed(fleet + FILLER, "The yard built eight wooden boats in spring." + FILLER)
    assert [f.after.value.number for f in found] == [8]
    crew = "The yard hired three men and four women in spring."
    assert not changed(crew + FILLER, "The yard hired seven people in spring." + FILLER)


def test_the_last_number_of_its_unit():
    source = "A second examination followed by telephone at 5 days." + FILLER
    output = "The second examination was made 11 days later by phone." + FILLER
    assert [f.pattern.split("-")[0] for f in changed(source, output)] == ["value"]


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("The cat sat on the mat. 5", "The cat sat. 5"),
        ("Boats by harbour\n\n12\n\n30\n\nAll are blue.", "Boats by harbour\n\n12\n\n30\n\nThey are blue."),
    ],
)
def test_a_number_without_words_around_it_is_in_both_texts(source, output):
    verdicts = [e.verdict for e in facts(source, output, kinds=["number"]).entries]
    assert verdicts
    assert set(verdicts) == {"same"}


def test_the_only_date_of_a_sentence_is_compared_in_longer_texts_too():
    """The bundled example: twelve sentences, one of which has another year."""
    source, output = ((ROOT / "examples" / name).read_text("utf-8") for name in ("source.txt", "hasty.txt"))
    (finding,) = changed(source, output)
    assert (source[finding.before.start : finding.before.end], finding.pattern) == ("1871", "date-loose")
    assert output[finding.after.start : finding.after.end] == "1971"
    # Two dates are left in the sentence of the original, so that neither is compared.
    assert not changed(
        source.replace("decommissioned a century later", "decommissioned in 1969"),
        output.replace("1971", "1995"),
    )


@pytest.mark.parametrize(
    ("source", "output", "red"),
    [
        (
            "The recommended dose is 5 mg twice daily for 35 days, commencing between 12 and 24 hours after surgery.",
            "Take 5 g twice a day for 35 days. Start 12 to 24 hours after your operation.",
            True,
        ),
        (
            "Administration of 250 ml of fluid is advised prior to surgery.",
            "Before your operation, drink 250 l.",
            True,
        ),
        ("Therapy is continued for six months.", "You will be treated for six weeks.", False),
        ("The lake is 48 km long.", "The lake is 30 miles long.", False),
    ],
)
def test_the_same_number_with_a_unit_of_another_size_is_red_in_reworded_sentences(source, output, red):
    assert any(e.kind == "number" for e in facts(source, output).alarms) == red
