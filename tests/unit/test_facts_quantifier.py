"""Quantifiers: how many, how often, bounds, only."""

import pytest
from hypothesis import given, settings

from plainmark.faithfulness.kinds.quantifier import KIND
from plainmark.faithfulness.passage import Passage
from support.fact_kinds import changed, check_any_texts, texts_of

FOUND = [
    ("Most owls hunt.", [("Most", "level", 5)]),
    ("The most common owl hunts.", []),
    ("Few owls hunt, but a few sing.", [("Few", "level", 2), ("a few", "level", 3)]),
    ("Not all owls hunt.", [("Not all", "level", 3)]),
    ("At least 5 owls hunt.", [("At least", "bound", "lower")]),
    ("Five or fewer owls hunt.", [("or fewer", "bound", "upper")]),
    ("No more than 5 owls hunt.", [("No more than", "bound", "upper")]),
    ("Owls rarely hunt.", [("rarely", "level", 2)]),
    ("She is over the moon.", []),
    ("No two owls are alike.", []),
    ("Virtually everyone came.", [("everyone", "level", 5)]),
    ("They saw almost the entire coast.", [("the entire", "level", 5)]),
    ("Just about all owls hunt.", [("all", "level", 5)]),
    ("Take two pills and up to 25 drops.", [("and up to", "bound", "upper")]),
]
DISTORTED = [
    ("All patients recovered within a week.", "Some patients recovered within a week."),
    ("Some patients recovered within a week.", "All patients recovered within a week."),
    ("Most patients recovered within a week.", "Few patients recovered within a week."),
    ("Many schools have a library.", "Few schools have a library."),
    ("Few schools have a library.", "Many schools have a library."),
    ("Several studies found a benefit.", "No studies found a benefit."),
    ("The drug is always effective.", "The drug is sometimes effective."),
    ("The drug is usually effective.", "The drug is always effective."),
    ("Side effects are rarely serious.", "Side effects are often serious."),
    ("Side effects occur often.", "Side effects occur rarely."),
    ("Adults need at least 7 hours of sleep.", "Adults need at most 7 hours of sleep."),
    ("Take up to 8 tablets a day.", "Take at least 8 tablets a day."),
    ("Take no more than 8 tablets a day.", "Take no fewer than 8 tablets a day."),
    ("Applicants must be 18 or older.", "Applicants must be 18 or younger."),
    ("A minimum of 10 members must be present.", "A maximum of 10 members must be present."),
    ("Both parents must sign the form.", "Either parent must sign the form."),
    ("Both of the tests were positive.", "Neither of the tests was positive."),
    ("Only nurses may give this injection.", "Nurses may give this injection."),
    ("Nurses may give this injection.", "Only nurses may give this injection."),
    ("The majority of voters supported the law.", "A minority of voters supported the law."),
    ("Every child received a book.", "No child received a book."),
    ("None of the passengers survived.", "All of the passengers survived."),
    ("Nearly all birds can fly.", "Hardly any birds can fly."),
    ("Half of the houses were destroyed.", "All of the houses were destroyed."),
    ("Most members voted for the plan.", "All members voted for the plan."),
    ("She never eats meat.", "She sometimes eats meat."),
    ("The river sometimes floods in spring.", "The river always floods in spring."),
    ("Some of the money was stolen.", "All of the money was stolen."),
    ("Children under 12 travel free.", "Children over 12 travel free."),
    ("The fine is at least 200 euros.", "The fine is at most 200 euros."),
    ("Fewer than 100 people attended.", "More than 100 people attended."),
    ("Everyone in the village owns a boat.", "A few people in the village own a boat."),
    ("The seats are mostly empty.", "The seats are rarely empty."),
    ("Numerous witnesses saw the crash.", "Hardly any witnesses saw the crash."),
    ("All employees get a bonus.", "Most employees get a bonus."),
    ("People rarely survive this illness.", "People survive this illness."),
    ("Little is known about the disease.", "Much is known about the disease."),
    ("Each applicant receives a letter.", "Some applicants receive a letter."),
    ("The office is open only on weekdays.", "The office is open on weekdays."),
    ("Virtually all of the inhabitants speak two languages.", "Some of the inhabitants speak two languages."),
    ("The vast majority of infections are mild.", "A small minority of infections are mild."),
    ("Infections are seldom fatal in healthy adults.", "Infections are frequently fatal in healthy adults."),
    ("Infections are seldom fatal in healthy adults.", "Infections are fatal in healthy adults."),
    ("Payment must be made within 30 days.", "Payment must be made after more than 30 days."),
    ("A deposit of no less than 500 dollars is required.", "You need a deposit of no more than 500 dollars."),
    ("Each of the defendants was convicted.", "None of the defendants was convicted."),
    ("Some of the participants reported headaches.", "Most of the participants reported headaches."),
    ("Some of the participants reported headaches.", "None of the participants reported headaches."),
    ("Tickets are sold exclusively to residents.", "Tickets are sold to residents."),
    ("The treatment works in many cases.", "The treatment works in all cases."),
    ("The treatment works in many cases.", "The treatment rarely works."),
    ("all children under five get free milk.", "few children under five get free milk."),
    ("The device must never be immersed in water.", "The device must sometimes be immersed in water."),
    (
        "Pregnant women should always ask a doctor first.",
        "Pregnant women should sometimes ask a doctor first.",
    ),
    ("Both the husband and the wife must agree.", "Either the husband or the wife must agree."),
    ("Few species can live at this depth.", "Many species can live at this depth."),
    ("Many species can live at this depth.", "Hardly any species can live at this depth."),
    ("The drug is approved for patients over 65 years.", "The drug is approved for patients under 65 years."),
    ("Speeds above 50 km/h are forbidden.", "Speeds below 50 km/h are forbidden."),
    ("The bank usually approves such loans.", "The bank seldom approves such loans."),
    ("The majority of the farmland is owned by foreigners.", "All of the farmland is owned by foreigners."),
    ("Most accidents happen at home.", "All accidents happen at home."),
    ("It is often painful.", "It is never painful."),
    ("The overwhelming majority of respondents opposed the merger.", "A few respondents opposed the merger."),
    (
        "Roughly a third of the staff will be laid off, although most will find other work.",
        "About a third of the staff will lose their jobs, and all will find other work.",
    ),
    (
        "Hardly anybody in the region has access to clean water.",
        "Most people in the region have clean water.",
    ),
    ("Each participant was given at least three doses.", "Each participant was given at most three doses."),
    ("The exhibition is free for visitors under 16.", "The exhibition is free for visitors over 16."),
    ("Many of the manuscripts were lost in the fire.", "All of the manuscripts were lost in the fire."),
    (
        "In rare cases, the vaccine can cause an allergic reaction.",
        "In many cases, the vaccine can cause an allergic reaction.",
    ),
    ("The shop is always closed on Sundays.", "The shop is sometimes closed on Sundays."),
    ("Not all snakes are poisonous.", "All snakes are poisonous."),
    (
        "The tunnel can be used by vehicles weighing less than 3.5 tonnes.",
        "The tunnel can be used by vehicles weighing more than 3.5 tonnes.",
    ),
    ("Every household must pay the fee.", "Some households must pay the fee."),
    ("Most of the players were injured.", "None of the players were injured."),
    ("He regularly attends the meetings.", "He never attends the meetings."),
    ("Only the pilot survived.", "The pilot survived."),
    (
        "The court may award a maximum of two years in prison.",
        "The court may give a minimum of two years in prison.",
    ),
    ("several witnesses described the man.", "all witnesses described the man."),
    ("The symptoms generally disappear within a week.", "The symptoms rarely disappear within a week."),
    ("Both candidates supported the reform.", "Neither candidate supported the reform."),
    ("A small number of patients needed surgery.", "Most patients needed surgery."),
    ("Children aged 12 or over need a ticket.", "Children aged 12 or under need a ticket."),
    ("Almost every household owns a television.", "Few households own a television."),
    ("At most four people can use the lift.", "At least four people can use the lift."),
    (
        "Severe reactions are extremely rare and occur in few patients.",
        "Severe reactions occur in many patients.",
    ),
    ("The gate is never locked.", "The gate is always locked."),
    ("All of the board members resigned.", "Some of the board members resigned."),
    ("Customers under 25 pay less.", "Customers over 25 pay less."),
    ("Some plastics can be recycled.", "All plastics can be recycled."),
    ("Most of the soldiers came from India.", "Some of the soldiers came from India."),
    ("Only citizens can vote in the election.", "Citizens can vote in the election."),
    ("No fewer than 200 people were arrested.", "No more than 200 people were arrested."),
]
HARMLESS = [
    ("All patients recovered within a week.", "Every patient recovered within a week."),
    ("All patients recovered within a week.", "The patients recovered within a week."),
    ("All patients recovered within a week.", "Each patient got better within a week."),
    ("Most patients recovered within a week.", "The majority of patients recovered within a week."),
    ("Many schools have a library.", "A lot of schools have a library."),
    ("Numerous schools have a library.", "Many schools have a library."),
    ("Several studies found a benefit.", "Some studies found a benefit."),
    ("Several studies found a benefit.", "A number of studies found a benefit."),
    ("The drug is frequently used in hospitals.", "The drug is often used in hospitals."),
    ("Side effects seldom occur.", "Side effects rarely happen."),
    ("Adults need at least 7 hours of sleep.", "Adults need 7 or more hours of sleep."),
    ("Adults need at least 7 hours of sleep.", "Adults need a minimum of 7 hours of sleep."),
    ("Adults need no fewer than seven hours of sleep.", "Adults need at least 7 hours of sleep."),
    ("Take no more than 8 tablets a day.", "Take at most 8 tablets a day."),
    ("Take no more than 8 tablets a day.", "Do not take more than 8 tablets a day."),
    ("Applicants must be 18 or older.", "Applicants must be at least 18."),
    ("Applicants must be over 18 years of age.", "Applicants must be older than 18."),
    ("Both parents must sign the form.", "The two parents must sign the form."),
    ("Neither of the tests was positive.", "Both tests were negative."),
    ("None of the passengers survived.", "All the passengers died."),
    ("None of the passengers survived.", "No passengers survived."),
    ("Not all birds can fly.", "Some birds cannot fly."),
    ("Not every child received a book.", "Some children did not receive a book."),
    ("The most important work is done.", "The important work is done."),
    ("At all times, keep the door closed.", "Always keep the door closed."),
    ("She was not at all surprised.", "She was not surprised."),
    ("Above all, the law protects children.", "Most of all, the law protects children."),
    ("The majority of voters supported the law.", "Most voters supported the law."),
    ("The two teams have never met.", "The two teams have not met before."),
    ("It is the only bank in town.", "The town has just one bank."),
    ("He not only sings but also dances.", "He sings and dances."),
    ("Only 5 people came.", "Just 5 people came."),
    ("The river floods every spring.", "The river floods each spring."),
    ("Generally, cats sleep during the day.", "Cats usually sleep during the day."),
    ("A few of the guests stayed.", "Some of the guests stayed."),
    ("Few guests stayed.", "Not many guests stayed."),
    ("Up to 500 people may attend.", "A maximum of 500 people may attend."),
    ("More than 500 people attended.", "Over 500 people attended."),
    ("The law applies exclusively to companies.", "The law applies only to companies."),
    ("Each of the rooms has a bath.", "All rooms have a bath."),
    ("He has no money.", "He does not have any money."),
    ("Virtually all households have a phone.", "Almost all homes have a phone."),
    ("Occasionally the engine fails.", "Sometimes the engine stops working."),
    ("The whole town was destroyed.", "All of the town was destroyed."),
    ("Much of the land is dry.", "A lot of the land is dry."),
    ("In many cases the cause is unknown.", "Often the cause is not known."),
    (
        "Virtually all of the inhabitants speak two languages.",
        "Nearly everyone who lives there speaks two languages.",
    ),
    ("The vast majority of infections are mild.", "Most infections are mild."),
    ("Infections are seldom fatal in healthy adults.", "Healthy adults rarely die of infections."),
    ("Infections are seldom fatal in healthy adults.", "Infections do not often kill healthy adults."),
    ("Payment must be made within 30 days.", "You must pay in less than 30 days."),
    ("Payment must be made within 30 days.", "You have up to 30 days to pay."),
    ("A deposit of no less than 500 dollars is required.", "You must pay a deposit of at least 500 dollars."),
    ("Each of the defendants was convicted.", "All the defendants were found guilty."),
    ("Some of the participants reported headaches.", "A few participants had headaches."),
    ("Tickets are sold exclusively to residents.", "Only residents can buy tickets."),
    ("The treatment works in many cases.", "The treatment often works."),
    ("The device must never be immersed in water.", "Do not put the device in water."),
    ("Pregnant women should always ask a doctor first.", "Pregnant women should ask a doctor first."),
    ("Both the husband and the wife must agree.", "The husband and the wife must both agree."),
    ("Few species can live at this depth.", "Not many species can live this deep."),
    ("The drug is approved for patients over 65 years.", "The drug is approved for patients older than 65."),
    ("Speeds above 50 km/h are forbidden.", "You must not drive faster than 50 km/h."),
    ("All passengers must fasten their seat belts.", "Fasten your seat belt."),
    ("All in all, the year was a success.", "Overall, the year was a success."),
    ("The most common symptom is fever.", "Fever is the most common symptom."),
    ("There were too many errors.", "There were a lot of errors."),
    ("How many people live there?", "What is the number of people living there?"),
    ("Several of the islands are uninhabited.", "Nobody lives on some of the islands."),
    ("Almost none of the money was recovered.", "Hardly any of the money was found."),
    ("Nobody under the age of 18 is admitted.", "You must be 18 or older to enter."),
    ("No one survived the crash.", "Everyone died in the crash."),
    ("Not a single house was left standing.", "All the houses were destroyed."),
    ("Up to half of the patients relapse.", "As many as half of the patients get ill again."),
    ("He lost every game he played.", "He did not win any games."),
    ("Most of the city was rebuilt.", "The city was mostly rebuilt."),
    (
        "The overwhelming majority of respondents opposed the merger.",
        "Most people who answered were against the merger.",
    ),
    ("Hardly anybody in the region has access to clean water.", "Few people in the region have clean water."),
    (
        "Hardly anybody in the region has access to clean water.",
        "Most people in the region do not have clean water.",
    ),
    ("Each participant was given at least three doses.", "All participants got three or more doses."),
    ("The exhibition is free for visitors under 16.", "Visitors who are younger than 16 do not pay."),
    ("Many of the manuscripts were lost in the fire.", "A large number of the books burned."),
    (
        "In rare cases, the vaccine can cause an allergic reaction.",
        "The vaccine rarely causes an allergic reaction.",
    ),
    ("The shop is always closed on Sundays.", "The shop is closed every Sunday."),
    ("The shop is always closed on Sundays.", "The shop is never open on Sundays."),
    ("Not all snakes are poisonous.", "Some snakes are not poisonous."),
    (
        "The tunnel can be used by vehicles weighing less than 3.5 tonnes.",
        "Vehicles must weigh under 3.5 tonnes to use the tunnel.",
    ),
    ("Every household must pay the fee.", "All households must pay."),
    ("He regularly attends the meetings.", "He often goes to the meetings."),
    ("Only the pilot survived.", "The pilot was the only survivor."),
    ("Only the pilot survived.", "Everyone except the pilot died."),
    (
        "The court may award a maximum of two years in prison.",
        "The court can send you to prison for up to two years.",
    ),
    ("The symptoms generally disappear within a week.", "The symptoms usually go away in a week."),
    ("Neither candidate supported the reform.", "Both candidates were against the reform."),
    ("A small number of patients needed surgery.", "A few patients needed an operation."),
    ("Children aged 12 or over need a ticket.", "Children who are at least 12 need a ticket."),
    ("There was little rain and much wind.", "It did not rain much, but it was very windy."),
    ("All the king's horses were white.", "The king's horses were all white."),
    ("The vast majority of the many islands are small.", "Most of the islands are small."),
    ("He has been to Rome several times.", "He has been to Rome many times."),
    ("The whole family was ill.", "Everyone in the family was ill."),
    ("Almost every household owns a television.", "Nearly all homes have a television."),
    ("At most four people can use the lift.", "Up to four people can use the lift."),
    ("The gate is never locked.", "The gate is always open."),
    ("The gate is never locked.", "Nobody ever locks the gate."),
    ("All of the board members resigned.", "The entire board resigned."),
    ("Customers under 25 pay less.", "If you are younger than 25, you pay less."),
    ("Some plastics can be recycled.", "Certain kinds of plastic can be recycled."),
    ("Most of the soldiers came from India.", "The soldiers were mostly from India."),
    ("Only citizens can vote in the election.", "You can vote in the election only if you are a citizen."),
    ("No fewer than 200 people were arrested.", "At least 200 people were arrested."),
    ("She eats meat every day.", "She eats meat daily."),
    ("Few of the letters have survived.", "Only a few of the letters still exist."),
]


@pytest.mark.parametrize(("text", "expected"), FOUND)
def test_mentions_and_their_normal_form(text, expected):
    mentions = [m for m in KIND.find(Passage(text)) if not m.weak]
    assert [(text[m.start : m.end], *m.value[:2]) for m in mentions] == expected


@pytest.mark.parametrize(("source", "output"), DISTORTED)
def test_distortions_are_reported(source, output):
    findings = changed(KIND, source, output)
    assert findings
    assert all(f.reason.endswith(".") and f.pattern for f in findings)


@pytest.mark.parametrize(("source", "output"), HARMLESS)
def test_rewordings_are_not_reported(source, output):
    assert changed(KIND, source, output) == []


@pytest.mark.parametrize(("source", "output"), DISTORTED)
def test_a_text_equals_itself(source, output):
    assert changed(KIND, source, source) == []
    assert changed(KIND, f"{source} {output}", f"{source} {output}") == []


@pytest.mark.parametrize(("source", "output"), DISTORTED[::3])
def test_capitals_do_not_matter(source, output):
    assert changed(KIND, source.lower(), output.lower())


@settings(max_examples=60, deadline=None)
@given(texts_of(DISTORTED), texts_of(DISTORTED))
def test_any_text_can_be_compared(source, output):
    check_any_texts(KIND, source, output)
