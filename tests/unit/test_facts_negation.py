"""Negation as the polarity of what is said: rewordings raise nothing, a statement turned round is found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainmark.faithfulness.alignment import Pair
from plainmark.faithfulness.comparison import facts
from plainmark.faithfulness.kinds._denial import denials, negative_word
from plainmark.faithfulness.kinds.negation import KIND
from plainmark.faithfulness.nearness import IN_PLACE, VERBATIM
from plainmark.faithfulness.passage import Passage
from support.fact_kinds import REWORDINGS, changed, check_any_texts, flagged

HARMLESS = (
    (
        "Many trees were unclassified when the survey of the forest began.",
        "Experts had to classify many trees when the survey of the forest began.",
    ),
    ("The ferry never sails in winter.", "The ferry does not sail in winter; it always rests."),
    (
        "The court held that the minister had not acted unlawfully.",
        "The court held that the minister had acted lawfully.",
    ),
    ("The judge said the firm had not acted unlawfully.", "The judge said the firm had not broken the law."),
    ("Delays were not uncommon.", "Delays were common."),
    ("Delays were common.", "Delays were not uncommon."),
    (
        "She eats in silence – unable, of course, to openly read anything.",
        "She eats in silence because she cannot openly read anything.",
    ),
    ("The gene is active in Abc1 knockout kidneys.", "The gene is active in kidneys without Abc1."),
    (
        "Volunteers received a placebo or the ointment for two months.",
        "Volunteers were given the ointment or a cream with no medicine for two months.",
    ),
    ("The choir sings Amen as the refrain in early spring.", "The choir sings Amen in early spring."),
    (
        "Iron was lower in virus-positive than in virus-negative visitors.",
        "Iron was lower in visitors with the virus than in those without.",
    ),
    (
        "The assessors were blinded to the results until May.",
        "The assessors did not know the results until May.",
    ),
    ("The pills are contraindicated in pregnancy.", "The pills are not recommended in pregnancy."),
    *REWORDINGS,
    ("The device is not safe.", "The device is unsafe."),
    ("The device is not safe.", "The device is dangerous."),
    ("The trial failed to show a difference.", "The trial did not show a difference."),
    ("The trial failed to show a difference between the groups.", "The two groups were about the same."),
    ("Do not use this cream if you are pregnant.", "Pregnant women should not use this cream."),
    ("The drug rarely causes harm.", "The drug does not usually cause harm."),
    ("It is not uncommon for children to be scared.", "It is common for children to be scared."),
    ("No fewer than ten people came.", "At least ten people came."),
    ("He denied stealing the car.", "He said he had not stolen the car."),
    ("The committee did not approve the plan.", "The committee rejected the plan."),
    ("There was no evidence that the vaccine works.", "The vaccine does not work."),
    ("I do not think that the bridge is safe.", "I think that the bridge is not safe."),
    ("Neither the mayor nor the council knew about it.", "The mayor and the council did not know about it."),
    (
        "The prize was not only for writers but also for painters.",
        "The prize was for writers and for painters.",
    ),
    ("Nobody was hurt in the fire.", "No one was injured in the fire."),
    ("Patients without diabetes were enrolled.", "People who did not have diabetes took part."),
    ("The law prohibits smoking in pubs.", "You may not smoke in pubs."),
    ("The results were inconclusive.", "The results were not clear."),
    ("She never fails to answer her letters.", "She always answers her letters."),
    (
        "There is insufficient evidence for this treatment.",
        "There is not enough evidence for this treatment.",
    ),
    ("He was too weak to walk.", "He was so weak that he could not walk."),
    ("The lake is free of pollution.", "The lake has no pollution."),
    ("He refused to pay the fine.", "He did not pay the fine."),
    ("You must not enter unless you have a ticket.", "You may enter only if you have a ticket."),
    ("The illness is not contagious.", "You cannot catch the illness from other people."),
    ("Temperatures did not change during the night.", "Temperatures stayed the same during the night."),
    ("The price remained unchanged.", "The price did not change."),
    ("Don't hesitate to contact your doctor.", "Please contact your doctor."),
    ("Do not forget to take your tablets.", "Remember to take your tablets."),
    ("It isn't known how the fire began.", "The cause of the fire is unknown."),
    ("The bank was unable to pay its debts.", "The bank could not pay its debts."),
    ("Few people survived the crash.", "Not many people survived the crash."),
    ("He had no doubt that the team would win.", "He was sure that the team would win."),
    ("Not all of the students passed.", "Some of the students failed."),
    ("Not all of the students passed the test.", "Only some of the students passed the test."),
    ("The shop is no longer open.", "The shop is closed now."),
    ("The shop is no longer open.", "The shop is not open any more."),
    ("Nothing but the truth will help.", "Only the truth will help."),
    (
        "The drug prevented infection in most people.",
        "Most people who took the drug did not get an infection.",
    ),
    ("The king avoided meeting the ambassador.", "The king did not meet the ambassador."),
    ("The tablets should not be taken with alcohol.", "Avoid alcohol when you take the tablets."),
    ("The vaccine did not reduce deaths.", "There were no fewer deaths with the vaccine."),
    ("It was not until 1990 that women could vote.", "Women could vote only from 1990."),
    ("No significant difference was found between the drugs.", "The drugs were similar."),
    ("She works without pay.", "She is unpaid."),
    ("The judge dismissed the claim as untrue.", "The judge said the claim was not true."),
    ("Members who have not paid cannot vote.", "Only members who have paid can vote."),
    ("The road is impassable in winter.", "You cannot use the road in winter."),
    ("His illness was never diagnosed.", "Doctors never found out what illness he had."),
    ("They did not win a single game.", "They lost every game."),
    ("The cat is not dead.", "The cat is alive."),
    ("No patients died.", "All patients survived."),
    ("There is no cure for the disease.", "The disease cannot be cured."),
    ("The minister did not deny the report.", "The minister admitted that the report was true."),
    ("The plant is harmless.", "The plant does no harm."),
    ("The region lacks doctors.", "The region does not have enough doctors."),
    ("It is impossible to predict earthquakes.", "Nobody can predict earthquakes."),
    ("The tower was never finished.", "The tower was left unfinished."),
    ("The drug did not lead to fewer strokes.", "The drug had no effect on the number of strokes."),
    ("She said nothing about the accident.", "She did not talk about the accident."),
    ("The company stopped making cars in 1960.", "The company has not made cars since 1960."),
    ("He was acquitted because there was no proof.", "He was found not guilty because of missing proof."),
    ("The soldiers, who had not eaten, were weak.", "The soldiers were weak. They had not eaten."),
    ("You should not drive after taking this medicine.", "Do not drive after you take this medicine."),
    ("Without treatment, the infection can spread.", "If it is not treated, the infection can spread."),
    ("The museum is closed on Mondays.", "The museum is not open on Mondays."),
    ("Blood pressure was not measured in this study.", "This study did not measure blood pressure."),
    ("it isnt safe to swim here", "it is not safe to swim here"),
    ("The region was uninhabited until 1800.", "Nobody lived in the region until 1800."),
    ("He disagreed with the plan.", "He did not agree with the plan."),
    ("The report is incomplete.", "The report is not complete."),
    ("Hardly anyone voted.", "Almost nobody voted."),
    ("The court ruled that the contract was invalid.", "The court ruled that the contract was not valid."),
    ("The new rule is not unlike the old one.", "The new rule is like the old one."),
    ("It does not matter whether or not you are insured.", "It does not matter if you are insured."),
    (
        "The dose should be reduced in patients with renal impairment.",
        "Patients whose kidneys do not work well should get a smaller dose.",
    ),
    ("Patients should not discontinue the medication abruptly.", "Do not suddenly stop taking the medicine."),
    ("There were no survivors of the avalanche.", "The avalanche killed everyone."),
    ("The senator declined to comment on the allegations.", "The senator would not talk about the claims."),
    (
        "No statistically significant difference was observed between the two arms.",
        "The two groups did about equally well.",
    ),
    ("The treaty was never ratified by the Senate.", "The Senate did not approve the treaty."),
    (
        "Scientists have not yet discovered what causes the disease.",
        "We still do not know the cause of the disease.",
    ),
    (
        "The cathedral, which remained unfinished for centuries, attracts many visitors.",
        "The cathedral was not finished for hundreds of years. Many people visit it.",
    ),
    ("Hardly any rain fell in July.", "There was almost no rain in July."),
    ("The patient was unable to swallow solid food.", "The patient could not swallow solid food."),
    ("Unless the fee is paid, the licence expires.", "If you do not pay the fee, your licence ends."),
    (
        "The prime minister rejected calls for a second vote.",
        "The prime minister said there would not be a second vote.",
    ),
    ("Mortality was not affected by the intervention.", "The treatment did not change the number of deaths."),
    ("The drug has no known side effects.", "As far as we know, the drug does not have side effects."),
    ("Employees are prohibited from accepting gifts.", "Workers are not allowed to take gifts."),
    ("He is not without enemies.", "He has enemies."),
    ("Few studies looked at children.", "Not many studies looked at children."),
    ("The accused pleaded not guilty.", "The accused said that he was innocent."),
    (
        "The species is nocturnal and is seldom seen by day.",
        "The animal is active at night. People do not often see it during the day.",
    ),
    ("It is illegal to park here.", "You are not allowed to park here."),
    ("Passengers must refrain from smoking.", "Passengers must not smoke."),
    ("It remains unclear whether exercise helps.", "We do not know if exercise helps."),
    ("The new evidence disproved the theory.", "The new evidence showed that the theory was not true."),
    ("The report failed to mention the accident.", "The report did not say anything about the accident."),
    ("The town had neither a school nor a hospital.", "The town did not have a school or a hospital."),
    ("Nothing could be done to save the ship.", "It was impossible to save the ship."),
    ("The children were not accompanied by an adult.", "The children were alone."),
    ("The medicine should be kept out of the reach of children.", "Do not let children get the medicine."),
    ("Sales dropped sharply after the scandal.", "After the scandal, sales fell a lot."),
    (
        "Unemployment is lower in the north than in the south.",
        "The south has higher unemployment than the north.",
    ),
    ("Prior to surgery, patients should fast for eight hours.", "Do not eat for eight hours before surgery."),
    ("The intervention decreased mortality.", "Fewer people died because of the treatment."),
    ("The new train is considerably faster.", "The new train takes less time."),
    (
        "The risk of infection is reduced by washing your hands.",
        "Washing your hands makes infection less likely.",
    ),
    ("Wages failed to keep pace with rising prices.", "Prices went up more than wages."),
    ("The judge overturned the conviction.", "The judge said the man was not guilty."),
    ("The factory was shut down in 1988.", "The factory closed in 1988."),
    ("Interest rates were cut to stimulate growth.", "Interest rates were lowered to help the economy grow."),
    ("Women live longer than men on average.", "On average, men die earlier than women."),
    (
        "The bill was defeated by 52 votes to 48.",
        "The bill did not pass. 48 people voted for it and 52 against.",
    ),
    ("Older adults are more susceptible to the virus.", "The virus is a bigger danger to old people."),
    ("The policy had little effect on crime.", "The policy did not change crime much."),
    ("She had to abandon her studies.", "She could not finish her studies."),
    ("The claim lacks any scientific basis.", "There is no science behind the claim."),
    (
        "The drug did not reduce symptoms more than placebo.",
        "The drug was no better than placebo at reducing symptoms.",
    ),
    ("Do not exceed the stated dose.", "Never take more than the dose on the label."),
    ("Avoid contact with eyes.", "Do not get it in your eyes."),
    ("The disorder is incurable.", "There is no cure for the disorder."),
    ("It wasn't until 1928 that penicillin was discovered.", "Penicillin was discovered in 1928."),
    (
        "The evidence was insufficient to draw conclusions.",
        "There was not enough evidence to reach a conclusion.",
    ),
    ("He was not allowed to leave the country.", "He was banned from leaving the country."),
    ("The bird cannot fly.", "The bird is flightless."),
    ("The measure was unpopular with voters.", "Voters did not like the measure."),
    ("The two languages are unrelated.", "The two languages are not related."),
    ("The island is uninhabited.", "No one lives on the island."),
    ("The bank refused to lend him money.", "The bank would not lend him money."),
    (
        "Residents were advised not to drink the water.",
        "People were told that they should not drink the water.",
    ),
    ("The king did not have any children.", "The king was childless."),
    ("There is no doubt that the climate is warming.", "The climate is clearly warming."),
    ("The actor denied the rumours.", "The actor said that the rumours were not true."),
    (
        "If left untreated, the condition may lead to blindness.",
        "Without treatment, the condition may cause blindness.",
    ),
    ("The team has not lost a match this season.", "The team has won or drawn every match this season."),
    ("The contract does not oblige you to buy anything.", "You do not have to buy anything."),
    (
        "The witness's account was inconsistent with the video.",
        "What the witness said did not match the video.",
    ),
)
# Source, distortion, and the pattern of the evidence.
DISTORTED = (
    (
        "Gates help in preventing floods, and heavy rain can weaken the old walls of the harbour to undermine it.",
        "Gates help in preventing floods, and heavy rain cannot weaken the old walls of the harbour to harm it.",
        "polarity",
    ),
    (
        "However, the number of boats is limited and the quality of the nets was low.",
        "However, the number of boats is unlimited and the quality of the nets was low.",
        "polarity",
    ),
    (
        "The syrup has few unwanted effects on sleep.",
        "The syrup has few wanted effects on sleep.",
        "asserted",
    ),
    (
        "We did not find any shops that sell lamps before noon.",
        "We found any shops about the prevention of fires before noon.",
        "asserted any",
    ),
    (
        "The storm was weak and never made landfall.",
        "The storm was weak and always reached the coast.",
        "universal",
    ),
    (
        "Damage to the harbour was not reported.",
        "The ferries did not stop and damage to the harbour was reported.",
        "polarity",
    ),
    (
        "The court held that the minister had not acted unlawfully.",
        "The court held that the minister had broken the law.",
        "double",
    ),
    (
        "Delays on this line were not uncommon in winter.",
        "Delays on this line were not common in winter.",
        "polarity",
    ),
    (
        "Conclusions cannot be drawn from the survey, due to inadequate answers.",
        "Conclusions cannot be drawn from the survey due to adequate answers.",
        "polarity",
    ),
    (
        "A leak of oil, by the way, doesn't count as a catastrophic failure of the engine.",
        "But they consider a leak of oil a catastrophic failure of the engine.",
        "asserted",
    ),
    ("Guests are kindly requested not to feed the ducks.", "Guests are asked to feed the ducks.", "polarity"),
    (
        "The museum has no plans to return the statues.",
        "The museum has plans to return the statues.",
        "polarity",
    ),
    ("Her parents disapproved of the marriage.", "Her parents approved of the marriage.", "polarity"),
    (
        "Antibiotics are ineffective against viruses.",
        "Antibiotics are effective against viruses.",
        "polarity",
    ),
    ("Never leave a child unattended near water.", "Leave a child unattended near water.", "polarity"),
    ("The court found no breach of contract.", "The court found a breach of contract.", "polarity"),
    ("Not a single witness came forward.", "A single witness came forward.", "polarity"),
    (
        "The dose must not be increased without medical advice.",
        "The dose must be increased without medical advice.",
        "polarity",
    ),
    ("none of the pupils had seen snow before", "all of the pupils had seen snow before", "polarity"),
    (
        "It is by no means certain that the plan will succeed.",
        "It is certain that the plan will succeed.",
        "polarity reworded",
    ),
    ("The driver was not drunk.", "The driver was drunk.", "polarity"),
    ("Cyclists have to pay the charge.", "Cyclists do not have to pay the charge.", "polarity"),
    ("The vaccine protects against measles.", "The vaccine does not protect against measles.", "polarity"),
    ("Members may bring guests.", "Members may not bring guests.", "polarity"),
    ("You won't need a password.", "You will need a password.", "polarity"),
    ("the shop isnt open on sundays", "the shop is open on sundays", "polarity"),
    ("The lawyer was dishonest about the money.", "The lawyer was honest about the money.", "polarity"),
    (
        "People with asthma should avoid the cream.",
        "People with asthma should use the cream.",
        "polarity reworded",
    ),
    ("He is irresponsible with money.", "He is responsible with money.", "polarity"),
    ("Do not stop taking the tablets.", "Stop taking the tablets.", "polarity"),
    ("Stop taking the tablets.", "Do not stop taking the tablets.", "polarity"),
    ("The device is not safe.", "The device is safe.", "polarity"),
    ("The device is safe.", "The device is not safe.", "polarity"),
    ("The device is unsafe.", "The device is safe.", "polarity"),
    ("The water is safe to drink.", "The water is unsafe to drink.", "polarity"),
    ("The trial failed to show a difference.", "The trial showed a difference.", "polarity loose"),
    (
        "The trial did not show a difference between the groups.",
        "The trial showed a difference between the groups.",
        "polarity",
    ),
    ("Do not use this cream if you are pregnant.", "Use this cream if you are not pregnant.", "polarity"),
    ("Do not use this cream if you are pregnant.", "Pregnant women should use this cream.", "polarity"),
    ("The committee did not approve the plan.", "The committee approved the plan.", "polarity"),
    (
        "Neither the mayor nor the council knew about it.",
        "Both the mayor and the council knew about it.",
        "polarity",
    ),
    ("Nobody was hurt in the fire.", "Somebody was hurt in the fire.", "polarity"),
    ("Patients without diabetes were enrolled.", "Patients with diabetes were enrolled.", "polarity"),
    ("She went to the party with her brother.", "She went to the party without her brother.", "polarity"),
    ("Smoking, not drinking, causes the disease.", "Drinking, not smoking, causes the disease.", "moved"),
    ("The drug is effective but not safe.", "The drug is safe but not effective.", "moved"),
    ("There was no evidence of fraud.", "There was some evidence of fraud.", "polarity"),
    ("There was no evidence of fraud.", "There was evidence of fraud.", "polarity"),
    (
        "It is not uncommon for children to be scared.",
        "It is uncommon for children to be scared.",
        "polarity",
    ),
    ("Children are often scared of the dark.", "Children are often not scared of the dark.", "polarity"),
    ("The results were inconclusive.", "The results were conclusive.", "polarity"),
    ("She never fails to answer her letters.", "She fails to answer her letters.", "polarity"),
    ("He refused to pay the fine.", "He paid the fine.", "polarity loose"),
    ("The bank was unable to pay its debts.", "The bank was able to pay its debts.", "polarity"),
    ("The illness is not contagious.", "The illness is contagious.", "polarity"),
    ("The soldiers, who had not eaten, were weak.", "The soldiers, who had eaten, were weak.", "polarity"),
    (
        "You should not drive after taking this medicine.",
        "You should drive after taking this medicine.",
        "polarity",
    ),
    ("Members who have not paid cannot vote.", "Members who have paid cannot vote.", "polarity"),
    ("There is no cure for the disease.", "There is a cure for the disease.", "polarity"),
    ("The tower was never finished.", "The tower was finished.", "polarity"),
    ("The plant is harmless.", "The plant is harmful.", "polarity"),
    ("The region lacks doctors.", "The region has doctors.", "polarity loose"),
    ("It is impossible to predict earthquakes.", "It is possible to predict earthquakes.", "polarity"),
    ("It's possible to predict the weather.", "It isn't possible to predict the weather.", "polarity"),
    ("Not all of the students passed.", "All of the students passed.", "polarity"),
    ("The shop is no longer open.", "The shop is still open.", "polarity"),
    (
        "Blood pressure was measured in this study.",
        "Blood pressure was not measured in this study.",
        "polarity",
    ),
    ("The king met the ambassador.", "The king avoided meeting the ambassador.", "polarity loose"),
    ("The law applies to tenants.", "The law does not apply to tenants.", "polarity"),
    ("You don't need a visa.", "You need a visa.", "polarity"),
    ("He can't swim.", "He can swim.", "polarity"),
    ("The contract is valid.", "The contract is invalid.", "polarity"),
    (
        "The drug did not improve sleep but improved mood.",
        "The drug improved sleep but did not improve mood.",
        "moved",
    ),
    (
        "She agreed with the decision of the court.",
        "She disagreed with the decision of the court.",
        "polarity",
    ),
    ("The minister did not resign.", "The minister resigned.", "polarity"),
    (
        "The vaccine is not recommended for children under five.",
        "The vaccine is recommended for children under five.",
        "polarity",
    ),
    ("No patients died during the trial.", "Patients died during the trial.", "polarity"),
    ("Tenants have the right to appeal.", "Tenants have no right to appeal.", "polarity"),
    ("The treatment was well tolerated.", "The treatment was not well tolerated.", "polarity"),
    ("i do not agree with the plan", "i agree with the plan", "polarity"),
    ("The company never paid any tax.", "The company paid tax.", "polarity"),
    ("Without treatment, the infection can spread.", "With treatment, the infection can spread.", "polarity"),
    ("The manuscript is incomplete.", "The manuscript is complete.", "polarity"),
    ("The lake has no pollution.", "The lake has pollution.", "polarity"),
    (
        "Avoid alcohol while taking the tablets.",
        "Drink alcohol while taking the tablets.",
        "polarity reworded",
    ),
    ("He is an honest man.", "He is a dishonest man.", "polarity"),
    (
        "The victims had nothing to do with the war.",
        "The victims had something to do with the war.",
        "polarity",
    ),
    (
        "Patients should not discontinue the medication abruptly.",
        "Patients should stop the medicine suddenly.",
        "polarity",
    ),
    (
        "Applicants lacking the necessary documents will be turned away.",
        "Applicants with the necessary documents will be turned away.",
        "polarity loose",
    ),
    (
        "The tenant shall not sublet the premises without the landlord's consent.",
        "The tenant may sublet the premises without the landlord's consent.",
        "polarity",
    ),
    (
        "The senator declined to comment on the allegations.",
        "The senator commented on the allegations.",
        "polarity loose",
    ),
    ("The treaty was never ratified by the Senate.", "The treaty was ratified by the Senate.", "polarity"),
    (
        "Scientists have not yet discovered what causes the disease.",
        "Scientists have discovered what causes the disease.",
        "polarity",
    ),
    (
        "The patient was unable to swallow solid food.",
        "The patient was able to swallow solid food.",
        "polarity",
    ),
    (
        "Mortality was not affected by the intervention.",
        "Mortality was affected by the treatment.",
        "polarity",
    ),
    ("The drug has no known side effects.", "The drug has known side effects.", "polarity"),
    ("The accused pleaded not guilty.", "The accused pleaded guilty.", "polarity"),
    ("It is illegal to park here.", "It is legal to park here.", "polarity"),
    ("Passengers must not smoke.", "Passengers must smoke.", "polarity"),
    ("The town had neither a school nor a hospital.", "The town had a school and a hospital.", "polarity"),
    ("Nothing could be done to save the ship.", "Something could be done to save the ship.", "polarity"),
    (
        "The children were accompanied by an adult.",
        "The children were not accompanied by an adult.",
        "polarity",
    ),
    ("Do not exceed the stated dose.", "Exceed the stated dose.", "polarity"),
    ("Avoid contact with eyes.", "Make contact with eyes.", "polarity reworded"),
    ("The disorder is incurable.", "The disorder is curable.", "polarity"),
    ("He was not allowed to leave the country.", "He was allowed to leave the country.", "polarity"),
    ("The bird cannot fly.", "The bird can fly.", "polarity"),
    ("The measure was unpopular with voters.", "The measure was popular with voters.", "polarity"),
    ("The two languages are unrelated.", "The two languages are related.", "polarity"),
    ("The island is uninhabited.", "The island is inhabited.", "polarity"),
    (
        "Residents were advised not to drink the water.",
        "Residents were advised to drink the water.",
        "polarity",
    ),
    ("Residents were advised to drink the water.", "People were told not to drink the water.", "polarity"),
    (
        "If left untreated, the condition may lead to blindness.",
        "If treated, the condition may lead to blindness.",
        "polarity",
    ),
    ("The team has not lost a match this season.", "The team has lost a match this season.", "polarity"),
    ("The evidence supports the claim.", "The evidence does not support the claim.", "polarity"),
    (
        "The evidence was sufficient to draw conclusions.",
        "There was not enough evidence to draw conclusions.",
        "polarity loose",
    ),
    ("You can get a refund.", "You cannot get a refund.", "polarity"),
    (
        "Visitors are permitted to take photographs.",
        "Visitors are not allowed to take photos.",
        "polarity",
    ),
    ("The judge found him guilty.", "The judge found him not guilty.", "polarity"),
    (
        "The witness's account was consistent with the video.",
        "The witness's account was inconsistent with the video.",
        "polarity",
    ),
    ("The king had many children.", "The king had no children.", "polarity"),
    (
        "Most patients recovered without complications.",
        "Most patients recovered with complications.",
        "polarity",
    ),
    ("None of the workers were injured.", "Some of the workers were injured.", "polarity"),
    ("Nobody knew about the plan.", "Everybody knew about the plan.", "polarity"),
    ("The dog was never found.", "The dog was found.", "polarity"),
    ("No one may enter the building.", "Anyone may enter the building.", "polarity"),
    ("It is not necessary to book.", "It is necessary to book.", "polarity"),
)
# Text, cues with their forms and the first word that each denies.
FOUND = (
    ("It isn't safe, and nobody knows why.", [("n't", "not", "safe"), ("nobody", "no", "knows")]),
    ("He left without paying.", [("without", "without", "paying")]),
    ("The device is unsafe.", [("unsafe", "affix", "unsafe")]),
    ("She failed to reply.", [("failed", "complement", "reply")]),
    ("It rarely rains.", [("rarely", "rarely", "rains")]),
    ("It is not only good but cheap.", []),
    ("No doubt he came to platform No. 5.", []),
    ("No fewer than ten came, whether or not it rained.", []),
    ("You like it, don't you?", []),
    ("Not all birds fly.", [("Not", "some", "birds")]),
    ("He said nothing.", [("nothing", "no", "said")]),
    ("Non-smokers live longer.", [("Non", "affix", "smokers")]),
    ("The shop is no longer open.", [("no longer", "not", "open")]),
    ("A few came.", []),
    ("He can’t swim.", [("n’t", "not", "swim")]),
)
WORDS = "not no never un safe unsafe is are the of dog stop without fail to , . ; ( ) ? — n't can't don’t No. 5 0 é ß \n".split(
    " "
)


@pytest.mark.parametrize(("source", "output"), HARMLESS)
def test_rewordings_raise_nothing(source, output):
    assert flagged("negation", source, output) == []


@pytest.mark.parametrize(("source", "output", "pattern"), DISTORTED)
def test_a_statement_turned_round_is_found(source, output, pattern):
    assert pattern in [
        e.pattern.removesuffix(IN_PLACE).removesuffix(VERBATIM) for e in flagged("negation", source, output)
    ]


@pytest.mark.parametrize(("text", "expected"), FOUND)
def test_cues_with_what_they_deny(text, expected):
    passage = Passage(text)
    assert [
        (text[m.start : m.end], m.form, passage.words[m.about[0]].text)
        for m in denials(passage)
        if m.tier < 3
    ] == expected


@pytest.mark.parametrize(
    ("word", "positive"),
    [
        ("unsafe", "safe"),
        ("insufficiently", "sufficiently"),
        ("until", None),
        ("discover", None),
        ("under", None),
    ],
)
def test_words_with_a_negative_affix(word, positive):
    assert negative_word(word) == positive


@pytest.mark.parametrize("text", sorted({text for pair in (*HARMLESS, *DISTORTED) for text in pair[:2]}))
def test_a_text_agrees_with_itself(text):
    assert flagged("negation", text, text) == []
    assert flagged("negation", text.lower(), text.lower()) == []


def test_what_is_left_out_is_gone_and_what_is_added_is_new():
    source = "Owls hunt at night. They do not build nests."
    assert [
        (e.verdict, e.before.text) for e in facts(source, "Owls hunt at night.", kinds=["negation"]).entries
    ] == [("gone", "not")]
    assert [
        (e.verdict, e.after.text) for e in facts("Owls hunt at night.", source, kinds=["negation"]).entries
    ] == [("new", "not")]


ELSEWHERE = (
    "The library opened in 1990. Readers liked the new rooms, the long opening hours and the large garden. "
    "Broken lifts or noisy heating were not reported by any visitor. The cafe closed in 2005."
)


@pytest.mark.parametrize(
    ("output", "patterns"),
    [
        (
            "Readers liked the rooms, the long opening hours and the large garden, the cafe and the library as a whole, "
            "and said so in letters to the town, and broken lifts or noisy heating were reported by visitors. The "
            "library opened in 1990.",
            ["asserted elsewhere"],
        ),
        (
            "Readers liked the rooms, the long opening hours and the large garden, and visitors did not report noisy "
            "heating or broken lifts.",
            [],
        ),
        (
            "Readers liked the rooms, the opening hours and the garden. The opening was reported in the papers.",
            [],
        ),
    ],
)
def test_a_denial_is_found_in_sentences_that_are_not_linked(output, patterns):
    assert [e.pattern for e in changed(KIND, ELSEWHERE, output)] == patterns


def test_the_reason_quotes_both_texts():
    entry = flagged("negation", "Do not stop taking the tablets.", "Stop taking the tablets.")[0]
    assert (
        entry.reason == "The original says “not stop”; the simplified text says “Stop” and does not deny it."
    )
    assert (entry.before.text, entry.after.text) == ("not", "Stop")


def test_a_negation_that_moves_to_other_words():
    findings = flagged(
        "negation", "Smoking, not drinking, causes the disease.", "Drinking, not smoking, causes the disease."
    )
    assert [e.pattern.removesuffix(IN_PLACE).removesuffix(VERBATIM) for e in findings] == ["moved"]


def test_a_long_text_that_repeats_itself_raises_nothing():
    text = "The drug is not safe, and nobody may use it without advice. " * 300
    pair = Pair(text, text.replace("not safe", "unsafe"))
    findings = KIND.compare(pair, KIND.find(pair.source), KIND.find(pair.output))
    assert "changed" not in {f.outcome for f in findings}


@given(
    st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join) | st.text(max_size=60),
    st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join) | st.text(max_size=60),
)
def test_any_text_can_be_compared(source, output):
    check_any_texts(KIND, source, output)
