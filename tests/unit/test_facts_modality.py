"""Modality: obligation, certainty, hedging."""

import pytest
from hypothesis import given, settings

from plainmark.faithfulness.kinds.modality import KIND
from plainmark.faithfulness.passage import Passage
from support.fact_kinds import changed, check_any_texts, texts_of

FOUND = [
    ("You must rest.", [("must", "must", False)]),
    ("You need not rest.", [("need not", "free", False)]),
    ("You don't have to rest.", [("n't have to", "free", False)]),
    ("You must not smoke.", [("must", "must", True)]),
    ("It may rain in May.", [("may", "may", False)]),
    ("His will names a tin can.", []),
    ("The drug seems to work.", [("seems", "likely", False)]),
    ("They proved it.", [("proved", "certain", False)]),
    ("Should you fall ill, call us.", []),
]
DISTORTED = [
    ("Evidence from one trial suggests that quinine eases cramps.", "Quinine eases cramps."),
    ("May cause drowsiness in young children.", "Causes drowsiness in young children."),
    ("The tenant may pay the fine by card.", "The tenant is liable to pay the fine by card."),
    ("You must take this medicine with food.", "You may take this medicine with food."),
    (
        "Tenants must give one month's notice before leaving.",
        "Tenants can give one month's notice before leaving.",
    ),
    ("The drug may cause liver damage in some people.", "The drug will cause liver damage in some people."),
    ("The drug may cause liver damage.", "The drug causes liver damage."),
    (
        "Results suggest that coffee lowers the risk of stroke.",
        "Results prove that coffee lowers the risk of stroke.",
    ),
    ("Adults should drink two litres of water a day.", "Adults can drink two litres of water a day."),
    ("Employers are required to provide safety equipment.", "Employers may provide safety equipment."),
    ("Applicants have to submit the form by Friday.", "Applicants can submit the form by Friday."),
    ("The alleged thief was seen near the bank.", "The thief was seen near the bank."),
    ("You do not have to fast before the test.", "You must not fast before the test."),
    ("You must not drive after the operation.", "You do not have to drive after the operation."),
    ("It is mandatory to wear a helmet on the site.", "It is optional to wear a helmet on the site."),
    ("The comet will probably be visible in March.", "The comet will certainly be visible in March."),
    ("The treatment could help patients with asthma.", "The treatment will help patients with asthma."),
    ("The council might close the library next year.", "The council will close the library next year."),
    ("Visitors may park behind the building.", "Visitors must park behind the building."),
    ("Voting is compulsory in Australia.", "Voting is voluntary in Australia."),
    ("Children can attend the meeting with a parent.", "Children must attend the meeting with a parent."),
    ("The virus is likely to spread in winter.", "The virus is certain to spread in winter."),
    (
        "The company will pay compensation to the victims.",
        "The company might pay compensation to the victims.",
    ),
    ("Doctors recommend that patients rest for a week.", "Doctors require that patients rest for a week."),
    ("The vaccine appears to protect older people.", "The vaccine definitely protects older people."),
    (
        "Scientists believe that the bones belong to a king.",
        "Scientists have proved that the bones belong to a king.",
    ),
    ("The painting is thought to be by Rembrandt.", "The painting is by Rembrandt."),
    ("Perhaps the ship sank in a storm.", "The ship definitely sank in a storm."),
    ("Passengers need to show a valid ticket.", "Passengers may show a valid ticket."),
    ("The judge may impose a fine of up to 500 pounds.", "The judge must impose a fine of up to 500 pounds."),
    ("The landlord shall repair the roof.", "The landlord may repair the roof."),
    ("You should not take aspirin with this medicine.", "You need not take aspirin with this medicine."),
    ("Smoking possibly contributes to hearing loss.", "Smoking contributes to hearing loss."),
    ("He is suspected of stealing the car.", "He stole the car."),
    ("The minister reportedly resigned on Monday.", "The minister resigned on Monday."),
    ("The tablets can be taken without water.", "The tablets must be taken without water."),
    ("The law allows shops to open on Sunday.", "The law requires shops to open on Sunday."),
    ("Students ought to read the first chapter.", "Students could read the first chapter."),
    ("This may be a sign of infection.", "This is a sign of infection."),
    ("Exercise may reduce the risk of falls.", "Exercise reduces the risk of falls."),
    ("It is essential to wash your hands before cooking.", "You can wash your hands before cooking."),
    ("The surgeon might remove the gallbladder.", "The surgeon must remove the gallbladder."),
    ("The plan will create 500 jobs.", "The plan could create 500 jobs."),
    (
        "Before commencing treatment, patients must inform their physician of any allergies.",
        "Before starting treatment, patients may tell their doctor about any allergies.",
    ),
    (
        "The defendant is alleged to have embezzled two million dollars.",
        "The defendant stole two million dollars.",
    ),
    (
        "Preliminary findings indicate that the enzyme could play a part in memory formation.",
        "The enzyme plays a part in memory formation.",
    ),
    ("Residents are advised to boil water before drinking.", "Residents must boil water before drinking."),
    ("Long-term use may lead to dependence.", "Long-term use always leads to dependence."),
    ("Long-term use may lead to dependence.", "Long-term use leads to dependence."),
    (
        "Researchers have not yet proven that the compound is safe, but it appears to be harmless.",
        "Researchers have proven that the compound is safe and harmless.",
    ),
    ("It is believed that the king was poisoned by his brother.", "The king was poisoned by his brother."),
    (
        "If the pain persists, you should see a dentist.",
        "If the pain does not go away, you can see a dentist.",
    ),
    ("Landlords are not obliged to repaint the flat.", "Landlords must not repaint the flat."),
    (
        "Members may be asked to leave if they break the rules.",
        "Members will be asked to leave if they break the rules.",
    ),
    ("The committee will publish its report in June.", "The committee may publish its report in June."),
    ("you must keep the wound dry for two days.", "you can keep the wound dry for two days."),
    ("The fossil is probably 50 million years old.", "The fossil is definitely 50 million years old."),
    ("The fossil is probably 50 million years old.", "The fossil is 50 million years old."),
    ("Drivers are obliged to carry a warning triangle.", "Drivers are free to carry a warning triangle."),
    ("Users are permitted to copy the text.", "Users are required to copy the text."),
    ("The gene seems to be linked to obesity.", "The gene is linked to obesity."),
    ("Police suspect that the fire was started deliberately.", "The fire was started deliberately."),
    ("The new tax might hurt small businesses.", "The new tax hurts small businesses."),
    ("Some astronomers think the planet could have water.", "Astronomers know that the planet has water."),
    ("The government is considering raising the pension age.", "The government will raise the pension age."),
    (
        "Consumption of red meat has been associated with a possible increase in cancer risk.",
        "Eating red meat definitely increases the risk of cancer.",
    ),
    ("The child need not be present at the hearing.", "The child must be present at the hearing."),
    (
        "Where the applicant is under sixteen, the application must be countersigned by a parent or guardian.",
        "If you are under sixteen, a parent or guardian can also sign the application.",
    ),
    (
        "Owing to the small sample, the authors conclude only that the therapy might be beneficial for some patients.",
        "The study was small, but the authors say the therapy is beneficial for some patients.",
    ),
    (
        "Household waste should be separated before it is collected.",
        "You must separate household waste before it is collected.",
    ),
    ("Witnesses claimed that the lorry had jumped a red light.", "The lorry jumped a red light."),
    ("The new wing is expected to open in the autumn.", "The new wing is certain to open in the autumn."),
    (
        "Antibiotics can interact with the contraceptive pill.",
        "Antibiotics will interact with the contraceptive pill.",
    ),
    ("It is possible that the manuscript was destroyed by fire.", "The manuscript was destroyed by fire."),
    ("You may need a blood test before the operation.", "You need a blood test before the operation."),
    (
        "The proposals would probably increase rents in the city.",
        "The proposals will definitely increase rents in the city.",
    ),
    (
        "Owners shall register their dogs with the council.",
        "Owners may register their dogs with the council.",
    ),
    (
        "Exposure to the chemical has been shown to cause cancer in rats.",
        "Exposure to the chemical may cause cancer in rats.",
    ),
    ("Swimming is permitted between the flags.", "Swimming is compulsory between the flags."),
    ("You are not required to answer the question.", "You are required to answer the question."),
    ("You are not required to answer the question.", "You must not answer the question."),
    ("The star is presumed to be about ten billion years old.", "The star is about ten billion years old."),
    ("The rocket could reach orbit within nine minutes.", "The rocket must reach orbit within nine minutes."),
    ("the contract may be terminated by either side.", "the contract will be terminated by either side."),
    (
        "Early symptoms might include a rash and a mild fever.",
        "Early symptoms always include a rash and a mild fever.",
    ),
    ("The senator apparently knew about the payments.", "The senator knew about the payments."),
    (
        "Anyone operating a drone over 250 g is legally obliged to register it.",
        "Anyone who flies a drone over 250 g may register it.",
    ),
    (
        "The archaeologists speculate that the pit served as a grain store.",
        "The pit served as a grain store.",
    ),
    (
        "Patients might notice some bruising after the procedure.",
        "Patients will notice some bruising after the procedure.",
    ),
    ("The supplier should deliver the goods by noon.", "The supplier may deliver the goods by noon."),
    ("You don't need to renew the permit every year.", "You need to renew the permit every year."),
    ("Bees seem to recognise human faces.", "Bees certainly recognise human faces."),
    ("The bill could become law before the summer.", "The bill becomes law before the summer."),
    ("Passengers must remain seated.", "Passengers can remain seated."),
    ("Poor sleep may contribute to weight gain.", "Poor sleep causes weight gain."),
    ("The bishop was allegedly involved in the plot.", "The bishop was involved in the plot."),
]
HARMLESS = [
    (
        "A tenant who pays late is liable to a fine of 50 pounds.",
        "A tenant who pays late must pay a fine of 50 pounds.",
    ),
    ("The company is liable for the cost of repairs.", "The company must pay the cost of repairs."),
    (
        "Low-quality evidence suggested that training was not better than rest.",
        "We found low-quality evidence that training was not better than rest.",
    ),
    ("May earned her degree in 2007 and lives in Surrey.", "She got her degree in 2007 and lives in Surrey."),
    ("The hills are generally considered to be the border.", "The hills are generally seen as the border."),
    ("The number needed to treat was 12 over four years.", "The chance was 1 in 12 over four years."),
    ("You must take this medicine with food.", "You have to take this medicine with food."),
    ("You must take this medicine with food.", "Take this medicine with food."),
    ("The drug may cause liver damage.", "The drug might cause liver damage."),
    ("The drug may cause liver damage.", "The drug can cause liver damage."),
    ("The drug could potentially cause liver damage.", "The drug could cause liver damage."),
    ("Results suggest that coffee lowers the risk of stroke.", "Coffee may lower the risk of stroke."),
    (
        "Results indicate that coffee lowers the risk of stroke.",
        "Results suggest that coffee lowers the risk of stroke.",
    ),
    (
        "It is recommended that adults drink two litres of water a day.",
        "Adults should drink two litres of water a day.",
    ),
    ("Employers are obliged to provide safety equipment.", "Employers must provide safety equipment."),
    ("Applicants are not required to submit the form.", "Applicants do not have to submit the form."),
    ("You must not drive after the operation.", "Do not drive after the operation."),
    ("It appears that the vaccine protects older people.", "The vaccine seems to protect older people."),
    ("The painting is believed to be by Rembrandt.", "People think the painting is by Rembrandt."),
    ("The comet will probably be visible in March.", "We will probably see the comet in March."),
    ("The comet will be visible in March.", "You can see the comet in March."),
    ("In May 2014 the museum opened.", "The museum opened in May 2014."),
    ("He left all his money to charity in his will.", "His will gave all his money to charity."),
    ("A can of beans can be opened with a knife.", "You can open a can of beans with a knife."),
    ("The results were shown on a screen.", "A screen showed the results."),
    ("Perhaps the ship sank in a storm.", "The ship may have sunk in a storm."),
    ("The council is considering whether to close the library.", "The council might close the library."),
    ("Visitors are permitted to park behind the building.", "Visitors can park behind the building."),
    ("She was able to swim at the age of three.", "She could swim at the age of three."),
    ("The species can be found in Africa.", "The species is found in Africa."),
    ("The species can be found in Africa.", "The species lives in Africa."),
    ("The minister said she would resign.", "The minister said she will resign."),
    ("The bridge will be closed for repairs.", "The bridge is going to be closed for repairs."),
    ("The firm is expected to announce job cuts.", "The firm will probably announce job cuts."),
    ("There is no need to book a table.", "You don't need to book a table."),
    ("Should you feel unwell, call a doctor.", "If you feel unwell, call a doctor."),
    ("It is important to drink enough water.", "You should drink enough water."),
    ("Patients were required to fast before the test.", "Patients had to fast before the test."),
    ("The alleged thief was seen near the bank.", "The man accused of the theft was seen near the bank."),
    ("Such storms tend to occur in autumn.", "Such storms usually occur in autumn."),
    ("He might have been killed by a fall.", "It is possible that a fall killed him."),
    ("Owls can see in the dark.", "Owls see in the dark."),
    (
        "Tablets that may be split have a line in the middle.",
        "If a tablet has a line in the middle, you may split it.",
    ),
    (
        "Further research is needed to confirm the finding.",
        "More research must be done to confirm the finding.",
    ),
    ("Applications should be submitted to the office.", "Send your application to the office."),
    ("It is unclear whether the drug works.", "We do not know if the drug works."),
    ("The risk of infection may be increased by smoking.", "Smoking may raise the risk of infection."),
    ("You are entitled to appeal against the decision.", "You can appeal against the decision."),
    ("You are not allowed to smoke here.", "You must not smoke here."),
    ("Smoking is prohibited here.", "You must not smoke here."),
    ("The army was forced to retreat.", "The army had to retreat."),
    ("The army was forced to retreat.", "The army retreated."),
    (
        "Before commencing treatment, patients must inform their physician of any allergies.",
        "Before starting treatment, patients need to tell their doctor about any allergies.",
    ),
    (
        "The defendant is alleged to have embezzled two million dollars.",
        "The defendant is accused of stealing two million dollars.",
    ),
    ("The enzyme could play a part in memory formation.", "The enzyme may have a role in forming memories."),
    (
        "The regulations stipulate that vehicles must be inspected annually.",
        "Under the rules, cars have to be checked every year.",
    ),
    (
        "Residents are advised to boil water before drinking.",
        "People who live there should boil water before they drink it.",
    ),
    (
        "Long-term use may lead to dependence.",
        "People who use it for a long time can become dependent on it.",
    ),
    (
        "It is believed that the king was poisoned by his brother.",
        "Many people think his brother poisoned the king.",
    ),
    ("If the pain persists, you should see a dentist.", "See a dentist if the pain does not stop."),
    ("Landlords are not obliged to repaint the flat.", "Landlords don't have to repaint the flat."),
    (
        "Members may be asked to leave if they break the rules.",
        "We might ask members to leave if they break the rules.",
    ),
    ("The committee will publish its report in June.", "The committee plans to publish its report in June."),
    ("The committee will publish its report in June.", "The report of the committee comes out in June."),
    ("The fossil is probably 50 million years old.", "The fossil is likely 50 million years old."),
    ("The gene seems to be linked to obesity.", "The gene appears to be linked to obesity."),
    (
        "Police suspect that the fire was started deliberately.",
        "Police think someone started the fire on purpose.",
    ),
    ("Scientists suggested that the lake dried up.", "Scientists said that the lake may have dried up."),
    ("He was elected president in May.", "In May he became president."),
    ("The mighty river floods the plain.", "The strong river floods the plain."),
    ("Customers who wish to cancel may do so within 14 days.", "You can cancel within 14 days."),
    ("It is not possible to enter the building.", "You cannot enter the building."),
    ("The patient was unable to walk.", "The patient could not walk."),
    ("Applicants will be required to attend an interview.", "Applicants will have to come to an interview."),
    ("The museum can be visited on weekdays.", "Visitors can go to the museum on weekdays."),
    ("The vaccine can prevent measles.", "The vaccine prevents measles."),
    ("She said that she could not come.", "She said she was not able to come."),
    ("The tower was to be demolished in 1990.", "The tower was going to be torn down in 1990."),
    ("This medicine can make you feel sleepy.", "You may feel sleepy when you take this medicine."),
    ("The Act requires employers to keep records.", "The law says employers must keep records."),
    ("The Act permits employers to keep records.", "The law says employers can keep records."),
    ("Scientists have shown that bees can count.", "Scientists found that bees can count."),
    (
        "Where the applicant is under sixteen, the application must be countersigned by a parent or guardian.",
        "If you are under sixteen, your parent or guardian has to sign the application too.",
    ),
    (
        "Owing to the small sample, the authors conclude only that the therapy might be beneficial for some patients.",
        "The study was small. The authors say the therapy could help some patients.",
    ),
    (
        "Household waste should be separated before it is collected.",
        "Please sort your rubbish before it is collected.",
    ),
    (
        "Witnesses claimed that the lorry had jumped a red light.",
        "People who saw it said the truck went through a red light.",
    ),
    ("The new wing is expected to open in the autumn.", "The new wing should open in autumn."),
    ("Antibiotics can interact with the contraceptive pill.", "Antibiotics may affect the pill."),
    (
        "It is possible that the manuscript was destroyed by fire.",
        "A fire may have destroyed the manuscript.",
    ),
    ("Guests are kindly requested to leave their keys at reception.", "Please leave your key at reception."),
    (
        "You may need a blood test before the operation.",
        "Before the operation you might have to have a blood test.",
    ),
    (
        "The proposals would probably increase rents in the city.",
        "Rents in the city would likely go up under the plans.",
    ),
    ("Owners shall register their dogs with the council.", "You must register your dog with the council."),
    (
        "Exposure to the chemical has been shown to cause cancer in rats.",
        "The chemical causes cancer in rats.",
    ),
    ("Swimming is permitted between the flags.", "You can swim between the flags."),
    ("You are not required to answer the question.", "You need not answer the question."),
    (
        "The star is presumed to be about ten billion years old.",
        "Scientists think the star is about ten billion years old.",
    ),
    (
        "The rocket could reach orbit within nine minutes.",
        "The rocket was able to reach orbit in nine minutes.",
    ),
    ("The park can be reached by bus.", "You can get to the park by bus. Buses go every hour."),
    ("She must have left early.", "She probably left early."),
    ("Nobody can say what will happen.", "No one knows what will happen."),
    ("The Home Secretary, Theresa May, resigned.", "Theresa May, the Home Secretary, resigned."),
    (
        "Customers wishing to complain should write to the manager.",
        "If you want to complain, write to the manager.",
    ),
    ("Plants need light to grow.", "Plants must have light to grow."),
    ("Water is needed to make paper.", "You need water to make paper."),
    ("Many doctors recommend walking.", "Doctors often say people should walk."),
    ("They had to wait until they could be rescued.", "They waited for rescue."),
    (
        "Anyone operating a drone over 250 g is legally obliged to register it.",
        "By law, you must register a drone that weighs over 250 g.",
    ),
    (
        "The archaeologists speculate that the pit served as a grain store.",
        "Experts think the pit may have been used to store grain.",
    ),
    ("Patients might notice some bruising after the procedure.", "You may see some bruises afterwards."),
    ("The supplier should deliver the goods by noon.", "The goods ought to arrive by noon."),
    ("You don't need to renew the permit every year.", "There is no need to renew the permit each year."),
    ("Bees seem to recognise human faces.", "It looks like bees know human faces."),
    ("Passengers must remain seated.", "Passengers, stay in your seats."),
    ("Poor sleep may contribute to weight gain.", "Bad sleep can make people put on weight."),
    ("The bishop was allegedly involved in the plot.", "Some people say the bishop was part of the plot."),
    ("The trains can carry 600 people.", "Each train holds 600 people."),
    ("It will take two hours to get there.", "It takes two hours to get there."),
    ("He could hear the sea from his room.", "From his room he heard the sea."),
]


@pytest.mark.parametrize(("text", "expected"), FOUND)
def test_mentions_and_their_normal_form(text, expected):
    mentions = [m for m in KIND.find(Passage(text)) if not m.weak]
    assert [(text[m.start : m.end], *(str(m.value[0]), m.value[1])) for m in mentions] == expected


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
