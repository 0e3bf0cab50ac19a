"""Restrictions that are lost while their statement is kept, and statements that are reversed without a denial."""

import pytest

from plainmark.faithfulness.comparison import kind
from support.fact_kinds import changed

LOST = [
    (
        "condition",
        "The ferry sails to the island every hour, weather permitting, provided that the harbour is free of ice.",
        "The ferry sails to the island every hour in any weather.",
        "condition dropped",
    ),
    (
        "condition",
        "The baker sells loaves and pastries at the market on the square unless heavy rain is forecast.",
        "The baker sells bread at the market.",
        "restriction lost",
    ),
    (
        "condition",
        "The gallery is open to visitors every day except Tuesday.",
        "You can see the gallery on any day you like.",
        "overruled",
    ),
    (
        "condition",
        "In the absence of a will, the estate passes to the children.",
        "If there is a will, the estate passes to the children.",
        "polarity, reworded",
    ),
    (
        "condition",
        "Without a permit, you may not fish in the lake.",
        "If you have a permit, you may not fish in the lake.",
        "polarity",
    ),
    (
        "modality",
        "The bones are likely related to the flood that destroyed the old harbour town and its walls.",
        "The bones are related to the flood that ruined the town.",
        "hedge dropped",
    ),
    (
        "modality",
        "The town lies by the sea. The flooding in the lower streets is likely related to the felling of old trees.",
        "The town is by the sea. Flooding in the streets is related to people who cut trees.",
        "hedge lost",
    ),
    (
        "modality",
        "Further trials are required to establish whether the drug is safe.",
        "Trials have established that the drug is safe.",
        "open question settled",
    ),
    (
        "modality",
        "The tunnel has yet to be completed.",
        "The tunnel has been completed.",
        "open question settled",
    ),
    (
        "modality",
        "It remains to be confirmed that the letter is genuine.",
        "Experts confirmed that the letter is genuine.",
        "open question settled",
    ),
    (
        "modality",
        "The firm cannot promise that the parcels will arrive on Friday.",
        "The firm says that the parcels will not arrive on Friday.",
        "open question settled",
    ),
    (
        "quantifier",
        "Most of the boats in the harbour survived the storm, although a few sank.",
        "The storm hit the boats in the harbour. Every one of them survived.",
        "made universal",
    ),
    (
        "quantifier",
        "The valley has been largely abandoned by farmers since the dam was built.",
        "The valley has been abandoned by farmers since the dam was built.",
        "most lost",
    ),
    (
        "negation",
        "The council rejected a plan to widen the road.",
        "The council voted for a wider road.",
        "refusal",
    ),
    (
        "negation",
        "Senators blocked the bill to raise the tax on petrol.",
        "Senators passed the bill to raise the tax on petrol.",
        "refusal",
    ),
    ("negation", "Parliament approved the new budget.", "Parliament turned down the new budget.", "refusal"),
    (
        "negation",
        "The court dismissed her appeal against the sentence.",
        "The court accepted her appeal against the sentence.",
        "refusal",
    ),
]
KEPT = [
    (
        "Whether the vaccine prevents infection remains to be shown.",
        "We do not know yet whether the vaccine prevents infection.",
    ),
    ("The union turned down the latest pay offer.", "The union said no to the latest pay offer."),
    (
        "In the absence of symptoms, no treatment is necessary.",
        "You only need treatment if you have symptoms.",
    ),
    (
        "The senate approved the treaty after rejecting two earlier drafts.",
        "The senate turned down two drafts. Then it accepted the treaty.",
    ),
    ("The gallery is open to visitors every day except Tuesday.", "The gallery is closed on Tuesday."),
    (
        "The gallery is open every day except Tuesday.",
        "The gallery is open every day. It is shut on Tuesday.",
    ),
    (
        "In the absence of a will, the estate passes to the children.",
        "If there is no will, the estate passes to the children.",
    ),
    (
        "In the absence of a will, the estate passes to the children.",
        "Without a will, the estate passes to the children.",
    ),
    ("Without a permit, you may not fish in the lake.", "If you have a permit, you may fish in the lake."),
    ("Without a permit, you cannot fish in the lake.", "You need a permit to fish in the lake."),
    ("The tunnel has yet to be completed.", "The tunnel is not completed yet."),
    (
        "Further trials are required to establish whether the drug is safe.",
        "More trials must establish if the drug is safe.",
    ),
    (
        "The firm cannot promise that the parcels will arrive on Friday.",
        "The firm says that the parcels may not arrive on Friday.",
    ),
    (
        "Most of the boats in the harbour survived the storm, although a few sank.",
        "Most boats in the harbour survived the storm. A few of them sank.",
    ),
    ("Most venomous snakes avoid people.", "The majority of venomous snakes avoid people."),
    ("The council rejected a plan to widen the road.", "The council voted against a wider road."),
    (
        "The council rejected a plan to widen the road.",
        "The council did not approve a plan to widen the road.",
    ),
    (
        "There is insufficient evidence to support the use of the drug.",
        "There is not enough evidence to favour the use of the drug.",
    ),
    ("The lake is not as deep as the sea.", "The sea is deeper than the lake."),
    ("The repair came at very low cost.", "The repair did not cost much."),
    (
        "Growth stops when there is no light.",
        "Plants use light to make food. Growth stops when it is dark.",
    ),
    ("Work stopped when the funds ran out.", "Work stopped when there was no more money."),
]


@pytest.mark.parametrize(("name", "source", "output", "pattern"), LOST)
def test_what_is_lost_or_reversed_is_found(name, source, output, pattern):
    assert pattern in [f.pattern for f in changed(kind(name), source, output)]


@pytest.mark.parametrize("name", ["condition", "modality", "quantifier", "negation"])
@pytest.mark.parametrize(("source", "output"), KEPT)
def test_what_is_kept_in_other_words_raises_nothing(name, source, output):
    assert changed(kind(name), source, output) == []
