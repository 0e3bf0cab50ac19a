"""What the tests of the kinds of fact have in common."""

from hypothesis import strategies as st

from plainmark.faithfulness.alignment import Pair
from plainmark.faithfulness.comparison import facts
from plainmark.faithfulness.passage import Passage

# Rewordings that neither turn a statement round nor deny it.
REWORDINGS = (
    ("Guests are kindly requested not to feed the ducks.", "Please do not feed the ducks."),
    (
        "The engine will not start unless the clutch is pressed.",
        "You have to press the clutch to start the engine.",
    ),
    ("The museum has no plans to return the statues.", "The museum is not going to give the statues back."),
    ("Her parents disapproved of the marriage.", "Her parents did not like the marriage."),
    ("The planet is devoid of water.", "There is no water on the planet."),
    (
        "The survey found that few households recycle glass.",
        "The survey found that not many homes recycle glass.",
    ),
    ("The mayor ruled out a tax increase.", "The mayor said that taxes would not go up."),
    ("Antibiotics are ineffective against viruses.", "Antibiotics do not work against viruses."),
    ("A missing signature renders the form invalid.", "The form is not valid without a signature."),
    ("Never leave a child unattended near water.", "Do not leave a child alone near water."),
    ("Output fell short of expectations.", "Output was lower than expected."),
    ("The colony was established before the war.", "The colony was founded before the war."),
    ("The symptoms usually subside within a week.", "The symptoms usually go away in a week."),
    ("Spending outstripped income.", "Spending was higher than income."),
    ("The bridge was closed to traffic.", "Cars could not use the bridge."),
    ("The court found no breach of contract.", "The court said that the contract had not been broken."),
    ("Not a single witness came forward.", "No witness came forward."),
    ("The soup is not as hot as yesterday.", "The soup is cooler than yesterday."),
    (
        "The dose must not be increased without medical advice.",
        "Do not take a higher dose unless a doctor tells you to.",
    ),
    ("none of the pupils had seen snow before", "the pupils had never seen snow"),
    ("It is by no means certain that the plan will succeed.", "It is not certain that the plan will work."),
    ("The treatment proved no more effective than rest.", "The treatment did not work better than rest."),
    ("The driver was found to be sober.", "The driver was not drunk."),
    ("She could hardly believe the news.", "She found it hard to believe the news."),
    (
        "Rents have more than doubled since 2010.",
        "Since 2010, rents have gone up to more than twice as much.",
    ),
    ("Fish stocks are dwindling.", "There are fewer and fewer fish."),
    ("The law took effect after a long debate.", "After a long debate, the law came into force."),
    ("Cyclists are exempt from the charge.", "Cyclists do not have to pay the charge."),
    ("Rainfall was heavier in the west than in the east.", "The east got less rain than the west."),
)


def findings(kind, source, output):
    """All that a kind says of two texts."""
    pair = Pair(source, output)
    return list(kind.compare(pair, kind.find(pair.source), kind.find(pair.output)))


def changed(kind, source, output):
    """Its findings of a change."""
    return [f for f in findings(kind, source, output) if f.outcome == "changed"]


def replaced(kind, source, output):
    """What was changed: the pattern, and the words in either text."""
    return [
        (f.pattern, source[f.before.start : f.before.end], output[f.after.start : f.after.end])
        for f in changed(kind, source, output)
    ]


def flagged(name, source, output):
    """Entries of the ledger, of one kind, that are red or ask for a check."""
    return [e for e in facts(source, output, kinds=[name]).entries if e.verdict in ("changed", "check")]


def texts_of(pairs):
    """A strategy of texts made of the words of pairs of sentences, or of anything."""
    words = sorted({word for pair in pairs for text in pair for word in text.split()})
    mixed = st.lists(st.sampled_from([*words, "(", ")", ".", ",", "’", "5", "\n"]), max_size=30).map(" ".join)
    return mixed | st.text(max_size=60)


def check_mentions(kind, text):
    """Assert that the mentions in a text stand where they say."""
    passage = Passage(text)
    for m in kind.find(passage):
        assert 0 <= m.start < m.end <= len(text)
        assert passage.words[m.first].start == m.start
        assert passage.words[m.last].end == m.end
        assert all(0 <= i < len(passage.words) for i in m.about)


def check_any_texts(kind, source, output):
    """Assert that two texts can be compared, and that nothing changes in a text that stays the same."""
    check_mentions(kind, source)
    check_mentions(kind, output)
    for finding in findings(kind, source, output):
        assert finding.before or finding.after
        assert finding.pattern
        assert finding.reason.endswith(".")
    assert changed(kind, source, source) == []
