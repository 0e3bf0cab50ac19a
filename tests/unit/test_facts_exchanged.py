"""Freely reworded sentences in which counts, names, things, directions or parties were exchanged, and harmless ones."""

import pytest

from plainmark.faithfulness import facts
from plainmark.faithfulness.kinds._frames import frames
from plainmark.faithfulness.kinds._giving import transfers
from plainmark.faithfulness.passage import Passage

DISTORTED = [
    (
        "As of May, a total of 24,135 loans of books and 406 fines had been recorded in the library.",
        "As of May, a total of 406 loans of books (for one month, with a card) and 24,135 fines have been recorded.",
    ),
    (
        "The survey included 528 soil samples from 156 farms with ponds.",
        "The survey included 156 soil samples from 528 farms with ponds.",
    ),
    (
        "Two clubs with 150 members played chess on Mondays, and one club with 235 people played cards on Fridays.",
        "Two clubs with 235 people played chess on Mondays, while one club with 150 members played cards on Fridays.",
    ),
    (
        "The club reported that its losses had narrowed in spring.",
        "The club said that it lost more money in spring.",
    ),
    (
        "The museum lent two paintings to the gallery for the exhibition.",
        "The museum borrowed two paintings from the gallery.",
    ),
    (
        "The miller sold his donkey to the baker in spring.",
        "The baker sold his donkey to the miller in spring.",
    ),
    ("The farmer was taught by the monk to keep bees.", "The monk learned bee keeping from the farmer."),
    ("The owls of the island feed on lizards that live under stones.", "Lizards eat the owls of the island."),
    ("The council gave the club a grant.", "The club gave the council a grant."),
    (
        "Brush the pastry with melted butter before baking it.",
        "Before you bake the pastry, brush it with melted honey.",
    ),
    ("The carriage was drawn by two grey horses.", "Two black horses pulled the carriage."),
    (
        "Owing to hypoglycaemia, the child was admitted to hospital.",
        "The child had to go to hospital because of high blood sugar.",
    ),
    ("The airline's deficit widened sharply last year.", "Last year the airline made a smaller loss."),
    ("The bakery's profit shrank in autumn.", "The bakery made more profit in autumn."),
    ("Each guest received a basket of apples.", "Every guest got a basket of pears."),
    (
        "Payment is due within ten working days of the invoice.",
        "You have to pay within one week of getting the bill.",
    ),
    (
        "Of the 90 hens, 60 laid brown eggs and 30 produced none at all.",
        "There were 90 hens. 30 laid brown eggs, and 60 gave no eggs.",
    ),
    (
        "Of 300 pupils, 180 take the bus and 120 come on foot.",
        "There are 300 pupils. 120 of them take the bus, and 180 walk.",
    ),
    (
        "The treaty was signed by Bishop Aldric on behalf of the abbey.",
        "Bishop Alberic signed the treaty for the abbey.",
    ),
    (
        '"We will not promise new jobs," the owner said.',
        'The owner said: "We expect that there will not be new jobs."',
    ),
    (
        "The ferry departs at 7.15 each morning and the crossing lasts roughly forty minutes.",
        "The ferry leaves at 7.15 every morning. The trip takes about an hour.",
    ),
    (
        "The reservoir supplies drinking water to some 85,000 households in the valley.",
        "About 58,000 homes in the valley get their water from the lake.",
    ),
    (
        "A third of the seedlings perished during the frost.",
        "The frost killed a quarter of the young plants.",
    ),
    (
        "The grant covers up to 60 percent of the renovation expenses.",
        "You can get money for up to 80 percent of what the repairs cost.",
    ),
    (
        "The exhibition attracted twice as many visitors as the previous one.",
        "Three times as many people came to see this show as the last one.",
    ),
    ("Two of the eleven miners were rescued alive.", "Of the 11 miners, nine were saved."),
    ("The bridge was completed in the spring of 1884.", "The bridge was finished in spring 1848."),
    (
        "The temperature dropped to minus twelve degrees overnight.",
        "In the night it got as cold as minus two degrees.",
    ),
    (
        "The clinic is closed on Tuesdays and public holidays.",
        "The clinic does not open on Thursdays or holidays.",
    ),
    (
        "The orchestra was conducted by Ilse Brandt, and the soloist was Tomas Reyl.",
        "Tomas Reyl conducted the orchestra, and Ilse Brandt played the solo.",
    ),
    (
        "The expedition set out from Bergen and reached Spitsbergen three weeks later.",
        "The explorers left Spitsbergen and got to Bergen after three weeks.",
    ),
    (
        "The composer Lena Markov was born in Riga in 1902.",
        "Lena Markov, who wrote music, was born in Vilnius in 1902.",
    ),
    (
        "Mr Hale, chairman of the Fishermen's Union, welcomed the ruling.",
        "Mr Hall, head of the Fishermen's Union, was happy about the decision.",
    ),
    (
        "The statue commemorates Queen Maud, who reigned for thirty years.",
        "The statue is in memory of Queen Matilda, who ruled for 30 years.",
    ),
    ("The kidney removes waste products from the blood.", "The liver cleans waste out of the blood."),
    ("Wear gloves whenever you handle the solvent.", "Always put on goggles when you touch the solvent."),
    ("The tunnel is used exclusively by cyclists.", "Only pedestrians use the tunnel."),
    ("The roof is covered with slate tiles.", "The roof is made of clay tiles."),
    ("Cattle were grazed on the northern slopes.", "Sheep ate grass on the northern slopes."),
    (
        "The valve opens when the pressure falls below a critical value.",
        "The valve opens if the pressure gets too high.",
    ),
    (
        "Attendance at the theatre recovered after the renovation.",
        "Fewer people went to the theatre after it was done up.",
    ),
    (
        "The glacier has been advancing since the 1990s.",
        "Since the 1990s, the glacier has been getting smaller.",
    ),
    ("The medicine is to be taken prior to meals.", "Take the medicine when you have finished eating."),
    ("The drought eased in September.", "In September the drought got worse."),
    (
        "The prosecutor accused the minister of misleading parliament.",
        "The minister accused the prosecutor of lying to parliament.",
    ),
    (
        "The cuckoo lays its eggs in the nest of the warbler, which raises the chick.",
        "The warbler lays its eggs in the nest of the cuckoo. The cuckoo brings up the chick.",
    ),
    (
        "The grandson inherited the farm from his grandfather.",
        "The grandfather got the farm from his grandson.",
    ),
    (
        "The union criticised the ministry for delaying the reform.",
        "The ministry criticised the union for holding up the reform.",
    ),
    ("The trainer was bitten by one of the seals.", "The trainer bit one of the seals."),
    (
        '"We were never told about the leak," said the caretaker.',
        'The caretaker said: "We were told about the leak."',
    ),
    (
        '"The harvest was the worst in living memory," a farmer recalled.',
        'A farmer said, "The harvest was the best in living memory."',
    ),
    (
        'The minister said the plan was "ambitious but feasible".',
        'The minister called the plan "ambitious but expensive".',
    ),
    (
        '"I have no regrets," the retiring judge told reporters.',
        'The judge, who is retiring, said: "I have many regrets."',
    ),
    ("The painter Oda Lund, not her husband, designed the stage.", "Oda Lund's husband designed the stage."),
    (
        "The vaccine must be stored at between two and eight degrees.",
        "Keep the vaccine at two to eighteen degrees.",
    ),
    (
        "The elder brother taught the younger one to sail, and both later joined the navy.",
        "The elder brother learned to sail from the younger one. Later, both joined the navy.",
    ),
    ("Hungary defeated Austria by three goals to one.", "Austria won three to one against Hungary."),
    ("The boy was stung by a hornet.", "A bee stung the boy."),
    ("Sharks are preyed upon by orcas in these waters.", "In these waters, sharks hunt orcas."),
    (
        "The company, headquartered in Ghent, employs 450 people.",
        "The company has its main office in Bruges. 450 people work there.",
    ),
    (
        "The tincture is made from the roots of the plant.",
        "They use the leaves of the plant to make the tincture.",
    ),
    ("The patient complained of pain in her left knee.", "The patient said that her right knee hurt."),
]
HARMLESS = [
    ("Of 156 farms, 28 had ponds.", "28 of the 156 farms had ponds."),
    (
        "We took samples from 528 cows, and 156 were ill.",
        "156 of 528 cows that we took samples from were ill.",
    ),
    (
        "Together they had 18 children, of whom 11 survived to adulthood.",
        "11 of their 18 children lived to adulthood.",
    ),
    (
        "Out of 16,421 participants, she was chosen among the 15 candidates.",
        "She was one of only 15 chosen from 16,421.",
    ),
    (
        "The club reported that its losses had narrowed in spring.",
        "The club said that it lost less money in spring.",
    ),
    ("The girl was bitten by a farmer's goose.", "A farmer's goose bit the girl."),
    ("Hungary defeated Austria by three goals to one.", "Austria lost three to one against Hungary."),
    ("Sharks are preyed upon by orcas in these waters.", "In these waters, orcas hunt sharks."),
    ("The bank sued the former director for fraud.", "The bank took its old director to court for fraud."),
    ("The museum was founded by the widow of the painter.", "The painter's widow started the museum."),
    (
        "Crime is less prevalent in the suburbs than in the centre.",
        "There is more crime in the centre than in the suburbs.",
    ),
    (
        "The museum lent two paintings to the gallery for the exhibition.",
        "The gallery borrowed two paintings from the museum.",
    ),
    (
        "The miller sold his donkey to the baker in spring.",
        "In spring, the baker bought the miller's donkey.",
    ),
    ("The farmer was taught by the monk to keep bees.", "The monk taught the farmer how to keep bees."),
    (
        "The owls of the island feed on lizards that live under stones.",
        "Lizards are eaten by the owls of the island.",
    ),
    ("Doctor Amund Lie explained that hares can change colour.", "Hares can change colour, says Doctor Lie."),
    (
        "Brush the pastry with melted butter before baking it.",
        "Put melted butter on the pastry with a brush. Then bake it.",
    ),
    (
        "Owing to hypoglycaemia, the child was admitted to hospital.",
        "The child had to go to hospital because of low blood sugar.",
    ),
    ("The airline's deficit narrowed sharply last year.", "Last year the airline made a much smaller loss."),
    ("The bakery's profit shrank in autumn.", "The bakery made less profit in autumn."),
    (
        "He plays the piano and the flute in the town band.",
        "He is in the town band. He plays two instruments.",
    ),
    (
        "Payment is due within ten working days of the invoice.",
        "You have to pay within two weeks of getting the bill.",
    ),
    (
        "Of the 90 hens, 60 laid brown eggs and 30 produced none at all.",
        "There were 90 hens. 30 gave no eggs, and 60 laid brown eggs.",
    ),
    (
        "Of 300 pupils, 180 take the bus and 120 come on foot.",
        "There are 300 pupils. The bus is used by 180, and 120 walk.",
    ),
    (
        "The treaty was signed by Bishop Aldric on behalf of the abbey.",
        "The bishop signed the treaty for the abbey.",
    ),
    (
        "The shop no longer sells stamps but continues to accept parcels.",
        "The shop has stopped selling stamps. It still takes parcels.",
    ),
    ("Prices rose over the following decade.", "Prices went up during the next ten years."),
    ("With every day lost, the debt increases.", "The debt grows each day that passes."),
    (
        "The ferry departs at 7.15 each morning and the crossing lasts roughly sixty minutes.",
        "The ferry leaves at 7.15 every morning. The trip takes about an hour.",
    ),
    ("A third of the seedlings perished during the frost.", "The frost killed one in three young plants."),
    ("The kidney removes waste products from the blood.", "The kidneys clean waste out of the blood."),
    ("Rent has become less affordable for young families.", "Young families find it harder to pay the rent."),
    (
        "The gap between rich and poor has widened over the past decade.",
        "In the last ten years, the rich and the poor have moved further apart.",
    ),
    (
        "The valve opens when the pressure falls below a critical value.",
        "The valve opens if the pressure gets too low.",
    ),
    (
        "Attendance at the theatre recovered after the renovation.",
        "More people went to the theatre again after it was done up.",
    ),
    ("The glacier has been advancing since the 1990s.", "Since the 1990s, the glacier has been growing."),
    ("The medicine is to be taken prior to meals.", "Take the medicine before you eat."),
    (
        "The landlord sued the tenant for damage to the flat.",
        "The landlord took the tenant to court because of damage to the flat.",
    ),
    (
        "The grandson inherited the farm from his grandfather.",
        "The grandfather left the farm to his grandson.",
    ),
    ("The trainer was bitten by one of the seals.", "One of the seals bit the trainer."),
    ("The roof is covered with slate tiles.", "The tiles on the roof are made of slate."),
    ("Cattle were grazed on the northern slopes.", "Cows ate grass on the northern slopes."),
    (
        '"We were never told about the leak," said the caretaker.',
        "Nobody told them about the leak, the caretaker said.",
    ),
    (
        "Mr Hale, chairman of the Fishermen's Union, welcomed the ruling.",
        "The head of the Fishermen's Union, Mr Hale, was happy about the decision.",
    ),
    ("The goalkeeper was replaced by Lind at half-time.", "At half-time Lind came on for the goalkeeper."),
    (
        "The council rejected the bid by nine votes to four.",
        "The council said no to the bid. Nine members voted against it and four for it.",
    ),
    (
        "The tannery used the bark of oak trees to treat hides.",
        "The tannery made leather with the bark of oak trees.",
    ),
    ("The brown bear of the region feeds chiefly on berries.", "The bear in this area mostly eats berries."),
    (
        "The stew consists of lamb, barley and root vegetables.",
        "The stew is made of meat, grain, carrots and turnips.",
    ),
    ("The dress was dyed a deep crimson.", "The dress was coloured dark red."),
    (
        "The older brother taught the younger one to sail.",
        "The younger brother learned sailing from the older one.",
    ),
    (
        "The bakery sells bread but no longer makes cakes.",
        "The bakery has bread but has stopped making cakes.",
    ),
]


def flagged(source: str, output: str) -> list[str]:
    return [
        f"{e.kind}: {e.pattern}" for e in facts(source, output).entries if e.verdict in ("changed", "check")
    ]


@pytest.mark.parametrize(("source", "output"), DISTORTED)
def test_an_exchange_is_flagged(source: str, output: str) -> None:
    assert flagged(source, output)


@pytest.mark.parametrize(("source", "output"), HARMLESS)
def test_a_harmless_rewording_is_not(source: str, output: str) -> None:
    assert flagged(source, output) == []


@pytest.mark.parametrize(
    ("text", "giver", "getter"),
    [
        ("The museum lent a vase to the school.", "museum", "school"),
        ("The school borrowed a vase from the museum.", "museum", "school"),
        ("The farmer was taught by the monk.", "monk", "farmer"),
        ("The virus had passed from bats to pigs.", "bats", "pigs"),
    ],
)
def test_who_gives_and_who_gets(text: str, giver: str, getter: str) -> None:
    passage = Passage(text)
    (found,) = transfers(passage)
    assert [passage.words[i].text for i in (found.giver[-1], found.getter[-1])] == [giver, getter]


@pytest.mark.parametrize(
    ("text", "verb", "agent"),
    [
        ("The trainer bit one of the seals.", "bit", "trainer"),
        ("The trainer was bitten by one of the seals.", "bitten", "seals"),
        ("The small firm, Hartwell, bought its rival.", "bought", "Hartwell"),
        ("Doctor Lie explained that hares can see.", "see", "hares"),
    ],
)
def test_who_acts(text: str, verb: str, agent: str) -> None:
    passage = Passage(text)
    found = {passage.words[f.verb].text: passage.words[f.agent].text for f in frames(passage)}
    assert found[verb] == agent


def test_a_noun_after_a_noun_and_what_a_speaker_follows_are_no_verbs_with_agents() -> None:
    assert frames(Passage("The north tower is tall.")) == []
    assert all(f.verb != 7 for f in frames(Passage("Hares can change colour, says Doctor Lie.")))
