"""Structural operations on sentences of our own: what each makes, what it refuses, and that it can be taken back."""

import json
from pathlib import Path

import pytest

from plainmark.errors import UnknownNameError
from plainmark.simplifier import structure
from plainmark.simplifier.structure.checks import malformed, objection

pytestmark = pytest.mark.wordnet
GOLDEN = Path(__file__).parents[1] / "golden" / "structure_judgements.json"

SPLITS = [
    ("semicolon", "The north wing was finished in 1902; the south wing was never built.",
     "The north wing was finished in 1902. The south wing was never built."),
    ("clauses", "The harbour froze in January, but the ferries kept running.",
     "The harbour froze in January. But the ferries kept running."),
    ("verbs", "The committee met on Monday and rejected the plan.",
     "The committee met on Monday. The committee rejected the plan."),
    ("relative", "The old mill, which burned down in 1910, stood near the river.",
     "The old mill stood near the river. The old mill burned down in 1910."),
    ("definition", "The kestrel is a small falcon that hunts mice in open fields.",
     "The kestrel is a small falcon. The kestrel hunts mice in open fields."),
    ("introduction", "The miners found a tunnel that led to the sea.",
     "The miners found a tunnel. This tunnel led to the sea."),
    ("where", "The plant grows in Chile, where it is used as a spice.",
     "The plant grows in Chile. There, it is used as a spice."),
    ("apposition", "Maria Torres, a nurse from Valencia, won the race.",
     "Maria Torres won the race. Maria Torres was a nurse from Valencia."),
    ("apposition", "The bridge leads to Ostrava, a city in the east of the country.",
     "The bridge leads to Ostrava. Ostrava is a city in the east of the country."),
    ("brackets", "Ana Whitfield (born 4 May 1961) is a British painter.",
     "Ana Whitfield is a British painter. Ana Whitfield was born on 4 May 1961."),
    ("examples", "The garden has many trees, including oaks, limes and two old cedars.",
     "The garden has many trees. These trees include oaks, limes and two old cedars."),
    ("opening participle", "Born in Porto, she studied law in Lisbon.",
     "She was born in Porto. She studied law in Lisbon."),
    ("participle", "The chapel, built in 1780, is still in use.",
     "The chapel is still in use. The chapel was built in 1780."),
    ("closing participle", "The river rose two metres in one night, forcing the families to leave.",
     "The river rose two metres in one night. This forced the families to leave."),
    ("closing participle", "He left the club in 1990, becoming a coach in Oslo.",
     "He left the club in 1990. He became a coach in Oslo."),
    ("although", "Although the road was closed, the bus reached the village.",
     "The road was closed. However, the bus reached the village."),
    ("because", "The museum closed because the roof was leaking.",
     "The museum closed. This was because the roof was leaking."),
    ("cause", "The match was cancelled, due to heavy rain.",
     "The match was cancelled. This was due to heavy rain."),
    ("after", "After the war ended, the factory made bicycles.",
     "The war ended. After that, the factory made bicycles."),
    ("sequence", "She worked in a bank before becoming a teacher.",
     "She worked in a bank. After that, she became a teacher."),
    ("leading clause", "Because the bridge is narrow, lorries take the longer road.",
     "The bridge is narrow. So, lorries take the longer road."),
    ("occasion", "The tower collapsed when a storm hit the coast.",
     "The tower collapsed. This happened when a storm hit the coast."),
    ("means", "The lake was created by damming two streams.",
     "The lake was created. This was done by damming two streams."),
    ("contrast", "The first test was easy, whereas the second test was hard.",
     "The first test was easy. By contrast, the second test was hard."),
    ("when", "He lived in Turin until 1931, when he moved to Genoa.",
     "He lived in Turin until 1931. That year, he moved to Genoa."),
]  # fmt: skip

UNTOUCHED = [
    "Was the mill old, and did it burn?",  # a question
    "If it rains, the match is off and the tickets are void.",  # a condition holds for both
    "Die Mühle brannte ab, und der Turm blieb stehen.",  # another language
    "# The mill burned down, and the tower stood.",  # a heading
    "- The mill burned down, and the tower stood.",  # a list item
    "See https://example.org/mill, and the tower stood there for years.",  # an address
    '"The mill burned down, and the tower stood," she said.',  # as spoken
    "The mill burned down, and the tower stood, the police said.",  # a report at the end holds for both
    "No student passed the test and left early.",  # "no student" is nobody
    "He did not eat because he was ill.",  # is the eating denied, or the reason?
    "The teacher wrote and directed the play.",  # a shared object
    "Schools were closed and many workers told to go home.",  # a shared auxiliary
    "We want to learn from them and adapt them quickly.",  # an infinitive
    "Burns left the club in 1990 and moved to Oslo.",  # a name, or a plural
    "The drug is used for the treatment of anaemia due to kidney disease.",  # what is due to it?
    "Costs were lower and sales were higher than before.",  # a shared comparison
    "The mill, the tower and the barn",  # a heading
    "",
]


@pytest.mark.parametrize(("name", "source", "output"), SPLITS)
def test_each_operation_on_an_example(name, source, output):
    result = structure.split([source])[0]
    assert result.output == output
    assert [o.name for o in result.operations] == [name]
    assert result.operations[0].why


@pytest.mark.parametrize("source", UNTOUCHED)
def test_what_is_not_sure_stays(source):
    assert structure.split([source])[0] == structure.Structured(source, source)


def test_operations_on_request():
    def one(name, source):
        assert name not in structure.DEFAULT
        return structure.split([source], structure.Options(operations=(name,)))[0].output

    assert one("passive", "The letter was signed by the mayor.") == "The mayor signed the letter."
    assert one("opening date", "In 1931, he left Genoa.") == "He left Genoa in 1931."
    assert one("parentheses", "The lake (a popular place) froze in January.") == "The lake froze in January."
    halves = one("list", "The collection includes maps, letters, coins, medals, and photographs.")
    assert halves.startswith(
        "The collection includes maps, letters and coins. The collection also includes medals"
    )


def test_text_without_capitals_stays_so():
    source = "the old mill , which burned down in 1910 , stood near the river ."
    assert (
        structure.split([source])[0].output
        == "the old mill stood near the river . the old mill burned down in 1910 ."
    )


def test_operations_can_be_taken_back_one_by_one():
    text = "  Intro. The harbour froze in January, but the ferries kept running.\n\n" + " ".join(
        source for _, source, _ in SPLITS[:6]
    )
    result = structure.split([text])[0]
    assert len(result.operations) == 7
    assert result.until(0) == text
    assert result.until(7) == result.output
    replayed = text
    for number, operation in enumerate(result.operations):
        assert replayed[operation.start : operation.end] == operation.before
        replayed = operation.apply(replayed)
        assert replayed == result.until(number + 1)


def test_sentences_of_a_text_are_split_as_if_alone():
    sources = [source for _, source, _ in SPLITS]
    alone = [r.output for r in structure.split(sources)]
    assert structure.split([" ".join(sources)])[0].output == " ".join(alone)


def test_very_long_sentences_take_bounded_time():
    source = "The mill burned down, and " * 300 + "the tower stood."
    assert structure.split([source])[0].output == source


def test_objections():
    source = "Take 5 mg of the drug, and rest."
    assert "number" in objection(source, "Take 5 g of the drug. Rest now, please.", ["The dose is 5 g."])
    assert objection("The mill stood.", "The mill stood.", ["The mill stood."]) == ""
    assert malformed("The old mill near the river.") == "a sentence has no finite verb"
    assert malformed("Was near the river.") == "a sentence has no subject"
    assert malformed("It is.") == "a sentence has fewer than three words"


def test_unknown_operations_are_named():
    with pytest.raises(UnknownNameError, match=r"no operation is called 'relativ'.*relative"):
        structure.Options(operations=("relativ",))


@pytest.mark.data
def test_judged_splits_are_made_again(shared):
    """Of the splits that a person judged right, nearly all are still made; of the wrong ones, the refused are known."""
    from evaluation import texts

    judged = json.loads(GOLDEN.read_text("utf-8"))["judgements"]
    assert len(judged) == 100
    assert sum(row["right"] for row in judged) == 91
    assert sum(row.get("second_reader", False) for row in judged) == 85
    sources = {}
    for part in ("held", "judge"):
        names = tuple({row["dataset"] for row in judged if row["part"] == part})
        for text in texts.read(shared / "data", texts.PARTS[part], names):
            sources.setdefault((text.dataset, text.document), text.source)
    results = structure.split([sources[row["dataset"], row["document"]] for row in judged])
    made = [
        any(
            (o.name, o.start, o.end) == (row["operation"], row["start"], row["end"])
            for o in result.operations
        )
        for row, result in zip(judged, results, strict=True)
    ]
    missing = [row for row, again in zip(judged, made, strict=True) if not again]
    assert [row["fault"] for row in missing if not row["right"]] == ["wrong pronoun", "wrong pronoun"]
    assert [row for row in missing if row["right"]] == []
