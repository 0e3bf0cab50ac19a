"""The fact ledger as a whole, and the metrics that count in it; each kind has tests of its own."""

import json
import sys
import types

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plainmark as pm
from plainmark.errors import OptionError
from plainmark.faithfulness import KINDS, Pair, Passage, facts, find
from plainmark.faithfulness.nearness import IN_PLACE, VERBATIM
from plainmark.models import pipelines


def verdicts(source, output, **options):
    return [(e.kind, e.verdict) for e in facts(source, output, **options).entries if e.verdict != "same"]


def test_a_leaflet_with_nine_errors():
    source = (
        "Do not stop taking the tablets. Take 5 mg of metformin every day before meals. It is unsafe to drive. "
        "You must call a doctor if you feel dizzy. All patients should drink water. Use it unless you are pregnant. "
        "It may lower blood pressure. Dr Lee treated Mr Day."
    )
    output = (
        "Stop taking the tablets. Take 5 g of insulin every day after meals. It is safe to drive. "
        "You may call a doctor if you feel dizzy. Some patients should drink water. Use it if you are pregnant. "
        "It may raise blood pressure. Dr Lee treated Mr Day."
    )
    ledger = facts(source, output)
    flagged = {e.kind for e in ledger.entries if e.red or e.verdict == "check"}
    assert flagged >= {"negation", "number", "term", "direction", "modality", "quantifier", "condition"}
    assert {e.kind for e in ledger.alarms} >= {"negation", "modality", "quantifier"}
    assert {e.verdict for e in ledger.alarms} == {"changed"}


@pytest.mark.parametrize(
    ("source", "output", "before", "after"),
    [
        ("Take 5 mg of the drug every day.", "Take 5 g of the drug every day.", "5 mg", "5 g"),
        ("Do not stop taking the tablets.", "Stop taking the tablets.", "not", "Stop"),
        (
            "It is safe to drive after this treatment.",
            "It is unsafe to drive after this treatment.",
            "safe",
            "unsafe",
        ),
        ("She was born in Leeds in 1867.", "She was born in Leeds in 1876.", "1867", "1876"),
    ],
)
def test_one_altered_fact_in_a_near_copy_is_red(source, output, before, after):
    (alarm,) = facts(source, output).alarms
    assert (alarm.before.text, alarm.after.text) == (before, after)
    assert alarm.pattern.endswith(VERBATIM)


def test_what_makes_up_for_a_change_is_no_near_copy():
    ledger = facts(
        "He began this work in Leeds in 1947 and continued until recently.",
        "He began this work in Leeds in 1947 and only stopped recently.",
    )
    (entry,) = (e for e in ledger.entries if e.kind == "direction" and e.verdict != "same")
    assert entry.pattern.endswith(IN_PLACE)
    assert not entry.red


def test_a_copy_changes_nothing():
    text = (
        "Do not take more than 5 mg of aspirin, Ann Lee said: “It may harm you.” All must obey unless told."
    )
    ledger = facts(text, text)
    assert {e.verdict for e in ledger.entries} == {"same"}
    assert ledger.alarms == ()
    assert {e.kind for e in ledger.entries} >= {"negation", "number", "name", "modality", "condition"}


def test_entries_are_ordered_and_their_places_are_right():
    source = "Ann Lee paid £7m in 1998. She did not like Rome."
    output = "Ann Lee paid £8 million in 1998. She liked Rome."
    ledger = facts(source, output)
    places = [(e.before or e.after).sentence for e in ledger.entries]
    assert places == sorted(places)
    for entry in ledger.entries:
        for text, place in ((source, entry.before), (output, entry.after)):
            assert place is None or text[place.start : place.end] == place.text
    assert 0 <= ledger.risk <= 1


def test_json_has_the_documented_fields():
    ledger = facts("Take 5 mg.", "Take 5 g.")
    contents = json.loads(json.dumps(ledger.to_dict()))
    assert set(contents) == {"entries", "alarms", "risk", "notes", "unchecked"}
    assert set(contents["entries"][0]) == {"kind", "verdict", "confidence", "before", "after", "reason"}
    assert set(contents["entries"][0]["before"]) == {"text", "start", "end", "sentence"}


def test_other_languages_say_so_and_only_numbers_are_compared():
    ledger = facts("Der Patient darf nicht 5 mg nehmen.", "Der Patient darf 6 mg nehmen.")
    assert {e.kind for e in ledger.entries} == {"number"}
    assert ledger.notes[0].startswith(
        "The texts are German, and only numbers have rules there. Not checked: name"
    )


@pytest.mark.parametrize(
    "texts", [("", ""), ("", "They sat."), ("They sat.", ""), ("They sit.", "They sit.")]
)
def test_texts_without_a_fact(texts):
    ledger = facts(*texts)
    assert ledger.alarms == ()
    assert any("No fact" in note for note in ledger.notes)


def test_lower_case_says_that_names_cannot_be_told():
    ledger = facts("the doctor paid john 5 pounds in oslo.", "the doctor paid jack 5 pounds in oslo.")
    assert any("capital" in note for note in ledger.notes)


def test_an_unknown_kind_is_refused():
    with pytest.raises(OptionError, match=r"no kind of fact is called 'numbr'\. Did you mean 'number'"):
        facts("a", "b", kinds=["numbr"])


def test_find_gives_places():
    text = "No owl sang in Oslo."
    assert [text[m.start : m.end] for m in find("negation", text)] == ["No"]
    assert [text[m.start : m.end] for m in find("name", text)] == ["Oslo"]


def test_prepared_texts_may_be_used_again():
    source, output = Passage("Take 5 mg."), Passage("Take 5 g.")
    assert facts(source, output) == facts(Pair(source, output)) == facts("Take 5 mg.", "Take 5 g.")


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_has_a_ledger(source, output):
    for entry in facts(source, output).entries:
        for text, place in ((source, entry.before), (output, entry.after)):
            assert place is None or text[place.start : place.end] == place.text
    assert all(e.verdict == "same" for e in facts(source, source).entries)


@pytest.mark.parametrize("repeat", [1, 8])
def test_time_grows_with_the_length_only(repeat):
    sentences = [
        f"Group {i} of {i * 7} people did not get {i + 3} mg before day {i + 40}." for i in range(60 * repeat)
    ]
    ledger = facts(" ".join(sentences), " ".join(sentences))
    assert {e.verdict for e in ledger.entries} == {"same"}


def test_scores_by_hand():
    data = pm.Corpus(
        ["In 1998, 1,200 people left.", "Nobody left.", "It rained."],
        ["In 1998 twelve hundred people left.", "All left.", "It rained 4 times."],
    )
    numbers_kept = pm.metric("numbers_kept")
    # Source: 1998 and 1,200, both kept; output: the same, and 4 in the last sample.
    parts = numbers_kept.score(data).parts
    assert parts["recall"] == pytest.approx(100)
    assert parts["precision"] == pytest.approx(100 * 2 / 3)
    assert parts["f1"] == pytest.approx(100 * 4 / 5)
    assert numbers_kept.score(data).value == parts["f1"]
    assert pm.metric("numbers_kept(part='recall')").score(data).value == parts["recall"]
    each = numbers_kept.sample_parts(data)
    assert np.isnan(each[1]).all()
    assert each[2].tolist()[:2] == [0, 0]
    assert np.isnan(each[2, 2])  # nothing to keep
    (doubt,) = [e for e in facts("Nobody left.", "All left.").entries if e.kind == "negation"]
    assert pm.metric("negation_kept").sample_scores(data)[1] == pytest.approx(100 * (1 - doubt.confidence))
    assert np.isnan(pm.metric("entities_kept").score(data).value)


def test_a_doubtful_fact_counts_by_its_probability():
    source, output = "There is likely to be rain in 1998.", "There is certain to be rain in 1998."
    entries = facts(source, output).entries
    kept = {"same": 1.0, "changed": 0.0}
    expected = [kept.get(e.verdict, 1 - e.confidence) for e in entries if e.before]
    score = pm.metric("facts_kept(part='recall')").score(pm.Corpus([source], [output])).value
    assert score == pytest.approx(100 * sum(expected) / len(expected))


def test_facts_kept_has_a_part_for_each_kind():
    data = pm.Corpus(["Ann did not pay 5 pounds."], ["Ann did not pay 5 pounds."])
    score = pm.metric("facts_kept").score(data)
    assert score.value == 100
    assert set(KINDS) <= set(score.parts)
    assert (score.parts["number"], score.parts["name"], score.parts["negation"]) == (100, 100, 100)
    assert np.isnan(score.parts["quotation"])


def test_names_by_spacy(monkeypatch):
    """What is asked of a pipeline: entities with character offsets; numbers and dates are left out."""
    metric = pm.metric("entities_kept(finder='en_core_web_sm')")
    assert metric.missing().startswith("needs spaCy")

    def document(text):
        start = text.index("Ann")
        entities = [
            types.SimpleNamespace(start_char=start, end_char=start + 3, label_="PERSON"),
            types.SimpleNamespace(start_char=start + 7, end_char=start + 11, label_="DATE"),
        ]
        return types.SimpleNamespace(ents=entities)

    monkeypatch.setitem(sys.modules, "spacy", types.SimpleNamespace(load=lambda name: document))
    monkeypatch.setattr(pipelines, "missing", lambda name: "")
    corpus = pm.Corpus(["Ann in 1998"], ["so Ann in 1998"])
    assert metric.stats(corpus).tolist() == [[1, 1, 1, 1]]
