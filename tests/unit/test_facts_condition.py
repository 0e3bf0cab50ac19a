"""Conditions and exceptions."""

import pytest
from hypothesis import given, settings

from plainmark.faithfulness.kinds.condition import KIND
from plainmark.faithfulness.passage import Passage
from support.fact_kinds import changed, check_any_texts, replaced, texts_of

FOUND = [
    ("Go if it rains.", [("if", "if")]),
    ("Go unless it rains.", [("unless", "unless")]),
    ("Go only if it rains.", [("only if", "only if")]),
    ("Go even if it rains.", [("even if", "even if")]),
    ("All go except him.", [("except", "except")]),
    ("Ask if it rains.", []),
    ("Wait until it rains.", [("until", "until")]),
    ("In the event of rain, stay.", [("In the event of", "if")]),
]
DISTORTED = [
    ("He was mayor from 1989 until 1993.", "He was mayor from 1989 after 1993."),
    ("Dogs are allowed in all rooms except the kitchen.", "Dogs are allowed in all rooms, even the kitchen."),
    ("The fee is due for all cars apart from taxis.", "The fee is due for all cars, taxis too."),
    ("Trams run on all days except public holidays.", "Trams run on all days, and also on public holidays."),
    (
        "The pool is open to all guests other than children.",
        "The pool is open to all guests, including children.",
    ),
    ("Take the tablets if you feel pain.", "Take the tablets unless you feel pain."),
    ("Do not drive unless your doctor agrees.", "Do not drive if your doctor agrees."),
    ("Everyone pays except children.", "Everyone pays, including children."),
    ("All shops are open except on Sundays.", "All shops are open."),
    ("Call a doctor if the fever lasts for three days.", "Call a doctor."),
    ("The shop is open every day except Monday.", "The shop is open every day, including Monday."),
    (
        "You will lose your licence unless you pay the fine.",
        "You will lose your licence if you pay the fine.",
    ),
    ("Stay in bed until the fever has gone.", "Stay in bed after the fever has gone."),
    (
        "The rent is refunded only if the tenant gives notice.",
        "The rent is refunded even if the tenant gives no notice.",
    ),
    (
        "The contract ends if either party gives notice.",
        "The contract ends unless either party gives notice.",
    ),
    (
        "The museum is free for all visitors excluding tourists.",
        "The museum is free for all visitors including tourists.",
    ),
    (
        "If you are pregnant, ask a doctor before taking this medicine.",
        "Unless you are pregnant, ask a doctor before taking this medicine.",
    ),
    ("Refunds are given if the goods are damaged.", "Refunds are given even if the goods are not damaged."),
    ("Benefits are paid provided that you look for work.", "Benefits are paid unless you look for work."),
    ("Do not use the lift in case of fire.", "Do not use the lift."),
    ("Dogs are not allowed except guide dogs.", "Dogs are not allowed."),
    ("The pool is open to members only if they have paid.", "The pool is open to members."),
    ("Apart from the captain, all the sailors survived.", "All the sailors survived."),
    ("The alarm rings when the door is opened.", "The alarm rings unless the door is opened."),
    (
        "As long as you keep the receipt, you can return the shirt.",
        "Unless you keep the receipt, you can return the shirt.",
    ),
    (
        "Employees may not work overtime unless the manager approves it.",
        "Employees may not work overtime if the manager approves it.",
    ),
    (
        "The policy covers all damage, with the exception of floods.",
        "The policy covers all damage, including floods.",
    ),
    ("The policy covers all damage, with the exception of floods.", "The policy covers all damage."),
    (
        "Use the cream twice a day unless the skin becomes red.",
        "Use the cream twice a day if the skin becomes red.",
    ),
    ("Parking is free except between 8 and 6.", "Parking is free."),
    ("The witness will testify provided that she is protected.", "The witness will testify."),
    ("Keep the cast on until the doctor removes it.", "Keep the cast on after the doctor removes it."),
    ("If the light is red, stop the machine.", "Unless the light is red, stop the machine."),
    (
        "Visas are issued only if the applicant has a job offer.",
        "Visas are issued even if the applicant has no job offer.",
    ),
    ("The bus runs daily, excluding public holidays.", "The bus runs daily, including public holidays."),
    ("You can claim the benefit as long as you live in the country.", "You can claim the benefit."),
    ("Leave the building immediately if the alarm sounds.", "Leave the building immediately."),
    ("in case of emergency, break the glass.", "break the glass."),
    (
        "The licence shall be revoked if the holder commits an offence.",
        "The licence is cancelled unless the holder commits an offence.",
    ),
    (
        "You can eat normally unless you have been told to fast.",
        "You can eat normally if you have been told to fast.",
    ),
    ("Admission is free for everyone except groups of more than ten.", "Admission is free for everyone."),
    ("The tenant pays for repairs if the damage was caused by negligence.", "The tenant pays for repairs."),
    (
        "Boil the water for ten minutes if it comes from a well.",
        "Boil the water for ten minutes unless it comes from a well.",
    ),
    ("No entry except for staff.", "No entry, including for staff."),
    (
        "Stay indoors until the police tell you it is safe.",
        "Stay indoors after the police tell you it is safe.",
    ),
    ("All vegetables except potatoes were affected.", "All vegetables, including potatoes, were affected."),
    ("Provided the weather is good, the ferry sails daily.", "The ferry sails daily."),
    (
        "Do not resuscitate if the patient has signed the form.",
        "Do not resuscitate unless the patient has signed the form.",
    ),
    ("You will be charged unless you cancel in time.", "You will be charged if you cancel in time."),
    ("Feed the fish daily except on Sundays.", "Feed the fish daily."),
    ("If the battery is low, the lamp flashes.", "Unless the battery is low, the lamp flashes."),
    ("Keep the receipt until the warranty ends.", "Keep the receipt after the warranty ends."),
    ("All rooms have a shower, apart from room 7.", "All rooms, including room 7, have a shower."),
]
HARMLESS = [
    ("She was a member of the choir since 1971.", "She was a member of the choir from 1971 until her death."),
    ("Dogs are allowed in all rooms except the kitchen.", "Dogs may go into all rooms, but not the kitchen."),
    ("Every stall was sold out except the bakery.", "Every stall was sold out. Only the bakery was not."),
    ("Take the tablets if you feel pain.", "If you feel pain, take the tablets."),
    ("Take the tablets if you feel pain.", "Take the tablets when you feel pain."),
    ("Do not drive unless your doctor agrees.", "Do not drive if your doctor does not agree."),
    ("Do not drive unless your doctor agrees.", "Drive only if your doctor agrees."),
    ("Do not drive unless your doctor agrees.", "You can drive if your doctor agrees."),
    ("Everyone pays except children.", "Everyone pays, but not children."),
    ("Everyone pays except children.", "Everyone pays. Children do not pay."),
    ("Everyone apart from the captain survived.", "Everyone survived except the captain."),
    ("In the event of fire, leave the building.", "If there is a fire, leave the building."),
    ("Provided that you pay on time, there is no charge.", "If you pay on time, there is no charge."),
    ("If it rains, the match may be cancelled.", "It may rain. Then the match may be cancelled."),
    ("Patients who feel sick should call a doctor.", "If you feel sick, call a doctor."),
    ("They studied whether the drug works.", "They studied if the drug works."),
    ("Stay in bed until the fever has gone.", "Do not get up before the fever has gone."),
    ("Whether or not you work, you must pay.", "Even if you do not work, you must pay."),
    ("You must pay before you enter.", "Pay before you enter."),
    (
        "With the exception of Monday, the shop is open every day.",
        "The shop is open every day except Monday.",
    ),
    ("Should you lose the card, call the bank.", "If you lose the card, call the bank."),
    ("He looked as if he had seen a ghost.", "He looked like he had seen a ghost."),
    ("Unless it is treated, the infection spreads.", "If it is not treated, the infection spreads."),
    ("If left untreated, the infection spreads.", "Unless it is treated, the infection spreads."),
    ("The road is closed until May.", "The road will open in May."),
    ("When temperatures fall below zero, water freezes.", "Water freezes if it gets colder than zero."),
    ("Visitors, including children, need a ticket.", "All visitors need a ticket, even children."),
    ("The insurance covers everything excluding glass.", "The insurance covers everything except glass."),
    (
        "Employees may not work overtime unless the manager approves it.",
        "Workers can only work overtime if the manager says yes.",
    ),
    (
        "Employees may not work overtime unless the manager approves it.",
        "Workers may work overtime only with the manager's approval.",
    ),
    (
        "The policy covers all damage, with the exception of floods.",
        "The policy covers all damage except floods.",
    ),
    (
        "The policy covers all damage, with the exception of floods.",
        "The policy covers all damage. It does not cover floods.",
    ),
    (
        "Use the cream twice a day unless the skin becomes red.",
        "Use the cream twice a day. Stop if the skin becomes red.",
    ),
    ("Parking is free except between 8 and 6.", "Parking is free, but not between 8 and 6."),
    ("Keep the cast on until the doctor removes it.", "Keep the cast on. The doctor will remove it."),
    ("If the light is red, stop the machine.", "Stop the machine when the light is red."),
    ("If the light is red, stop the machine.", "Is the light red? Then stop the machine."),
    (
        "Visas are issued only if the applicant has a job offer.",
        "You get a visa only when you have a job offer.",
    ),
    (
        "Visas are issued only if the applicant has a job offer.",
        "You cannot get a visa if you do not have a job offer.",
    ),
    ("The bus runs daily, excluding public holidays.", "The bus runs every day except on public holidays."),
    (
        "You can claim the benefit as long as you live in the country.",
        "If you live in the country, you can claim the benefit.",
    ),
    (
        "In the absence of symptoms, no treatment is needed.",
        "If there are no symptoms, no treatment is needed.",
    ),
    ("It was not until 1920 that women could vote.", "Women could not vote before 1920."),
    ("Until 1920, women could not vote.", "Women could not vote until 1920."),
    ("Women could vote after 1920.", "From 1920 on, women could vote."),
    ("Even if it rains, the match goes ahead.", "The match goes ahead, whether or not it rains."),
    ("He asked if she was well.", "He asked whether she was well."),
    ("Once the water boils, add the rice.", "When the water boils, add the rice."),
    (
        "The licence shall be revoked if the holder commits an offence.",
        "If you commit a crime, you will lose your licence.",
    ),
    ("You can eat normally unless you have been told to fast.", "Eat normally if nobody told you to fast."),
    (
        "You can eat normally unless you have been told to fast.",
        "You can eat as usual. But do not eat if you have been told to fast.",
    ),
    (
        "Admission is free for everyone except groups of more than ten.",
        "Only groups of more than ten have to pay.",
    ),
    (
        "The tenant pays for repairs if the damage was caused by negligence.",
        "Tenants who cause damage by being careless must pay for repairs.",
    ),
    (
        "Boil the water for ten minutes if it comes from a well.",
        "Water from a well must be boiled for ten minutes.",
    ),
    (
        "Boil the water for ten minutes if it comes from a well.",
        "Does the water come from a well? Boil it for ten minutes.",
    ),
    ("No entry except for staff.", "Only staff may enter."),
    (
        "Stay indoors until the police tell you it is safe.",
        "Stay inside. The police will tell you when it is safe.",
    ),
    ("All vegetables except potatoes were affected.", "All vegetables but not potatoes were affected."),
    (
        "Provided the weather is good, the ferry sails daily.",
        "The ferry goes every day when the weather is good.",
    ),
    ("Had he known, he would have stayed.", "If he had known, he would have stayed."),
    ("The play was cancelled because the actor was ill.", "The actor was ill, so the play was cancelled."),
    ("If necessary, the dose can be doubled.", "The dose can be doubled if needed."),
    ("She sings when she is happy.", "When she is happy, she sings."),
    ("You will be charged unless you cancel in time.", "If you do not cancel in time, you will be charged."),
    ("Feed the fish daily except on Sundays.", "Feed the fish every day but not on Sunday."),
    ("If the battery is low, the lamp flashes.", "The lamp flashes when the battery is low."),
    ("Keep the receipt until the warranty ends.", "Keep the receipt as long as the warranty lasts."),
    ("All rooms have a shower, apart from room 7.", "Only room 7 has no shower."),
    ("You must sign the form before you leave.", "Sign the form before leaving."),
]


@pytest.mark.parametrize(("text", "expected"), FOUND)
def test_mentions_and_their_normal_form(text, expected):
    mentions = [m for m in KIND.find(Passage(text)) if not m.weak]
    assert [(text[m.start : m.end], *m.value[:1]) for m in mentions] == expected


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


def test_at_once_is_no_condition():
    source = "Contact a doctor immediately if you develop a rash."
    output = "Call a doctor at once unless you get a rash."
    assert replaced(KIND, source, output) == [("polarity, reworded", "if", "unless")]
