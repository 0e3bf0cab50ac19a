"""The risk of a ledger: its range, what raises it, and that nothing breaks it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainmark.faithfulness import facts
from plainmark.faithfulness.alignment import Pair
from plainmark.faithfulness.ledger import Entry
from plainmark.faithfulness.risk import FEATURES, by_entries, by_words, evidence, risk, weights

SOURCE = "The clinic was established in 1962, and its physicians treat approximately 400 patients."
HARMLESS = "The clinic was set up in 1962. Its doctors treat about 400 patients."
INVENTED = "The old king sold his golden horses to a farmer from the village."


def entry(confidence, *, red=False, verdict="check"):
    return Entry("number", verdict, confidence, None, None, "", "value", red)


@pytest.mark.parametrize(
    "text", ["", " ", SOURCE, SOURCE + "\n\n" + HARMLESS, "?!", "1\u00a0000 \ud800 \x00"]
)
def test_identical_texts_have_no_risk(text):
    assert facts(text, text).risk == 0
    assert facts(text, f"  {text}\n").risk == 0


def test_same_words_with_other_spaces_and_line_breaks_have_no_risk():
    assert facts(f"{SOURCE} {HARMLESS}", f"{SOURCE}\n{HARMLESS}").risk == 0


def test_the_more_is_invented_the_higher_the_risk():
    harmless, half, invented = (
        facts(SOURCE, output).risk for output in (HARMLESS, f"{HARMLESS} {INVENTED}", INVENTED)
    )
    assert 0 < harmless < half < 1
    assert 0.9 < invented < 1


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("Take 5 mg of the drug.", "Take 5 g of the drug."),
        ("The clinic opened in 1962.", "The clinic opened in 1926."),
    ],
)
def test_a_red_alarm_makes_the_risk_high(source, output):
    ledger = facts(source, output)
    assert ledger.alarms
    assert ledger.risk > 0.8


@given(
    st.lists(
        st.tuples(st.floats(0, 1), st.sampled_from(["red", "check", "same", "gone", "new"])), max_size=6
    ),
    st.floats(0, 1),
)
def test_a_further_alarm_never_lowers_the_risk(rows, confidence):
    entries = [entry(c, red=v == "red", verdict="changed" if v == "red" else v) for c, v in rows]
    pair = Pair(SOURCE, HARMLESS)
    before = risk(pair, entries)
    checked = risk(pair, [*entries, entry(confidence)])
    red = risk(pair, [*entries, entry(confidence, red=True, verdict="changed")])
    assert 0 <= before <= checked <= red < 1
    assert red >= min(confidence, 0.9) - 1e-9


def test_entries_that_are_kept_gone_or_new_do_not_count():
    assert by_entries([entry(1.0, verdict=v) for v in ("same", "gone", "new")]) == 0


def test_risk_is_deterministic():
    ledgers = [facts(SOURCE, f"{HARMLESS} {INVENTED}") for _ in range(2)]
    assert ledgers[0].risk == ledgers[1].risk


@pytest.mark.parametrize(
    ("source", "output"),
    [("", ""), (SOURCE, ""), ("", SOURCE), ("!", "?"), (SOURCE, "…"), ("a\x00b", "\ud800"), ("١٢", "12")],
)
def test_texts_without_words_have_a_risk(source, output):
    assert 0 <= facts(source, output).risk <= 1


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=80), st.text(max_size=80))
def test_no_string_breaks_the_risk(source, output):
    assert 0 <= facts(source, output, language="en").risk <= 1
    assert (facts(source, output).risk or 0) <= 1


def test_a_long_text_is_not_risky_for_its_length():
    assert facts(" ".join([SOURCE] * 30), " ".join([HARMLESS] * 30)).risk < 0.5


def test_another_language_has_no_risk():
    source = "Die Klinik wurde im Jahr 1962 gegründet und behandelt jedes Jahr ungefähr 400 Patienten aus der Stadt."
    output = "Die Klinik gibt es seit 1962. Dort werden im Jahr etwa 400 Menschen aus der Stadt behandelt."
    ledger = facts(source, output)
    assert ledger.risk is None
    assert ledger.to_dict()["risk"] is None
    assert facts(source, output, kinds=("number",)).risk is None
    assert facts(source, source).risk is None
    assert 0 < facts(source, output, language="en").risk <= 1


def test_evidence_of_a_replaced_word():
    rows, sizes = evidence(Pair("The old mayor opened the bridge.", "The old mayor painted the bridge."))
    row = dict(zip(FEATURES, rows[0], strict=True))
    assert sizes.tolist() == [7]
    assert row["replaced"] == 1
    assert row["new words"] == row["lost words"] == row["moved"] == 0


def test_evidence_of_new_and_lost_words():
    rows, _ = evidence(Pair("The mayor opened the bridge.", "The mayor opened the bridge with a giraffe."))
    row = dict(zip(FEATURES, rows[0], strict=True))
    assert row["new words"] == row["inserted"] == 1
    assert row["lost words"] == row["dropped"] == 0
    assert 0.5 < row["rarest new"] <= 1


def test_groups_without_a_change_count_as_no_risk():
    model = weights()
    row = np.full((1, len(FEATURES)), np.nan)
    assert by_words(row, np.array([5.0]), model) == 0
    both = by_words(np.concatenate([row, np.zeros_like(row)]), np.array([5.0, 5.0]), model)
    assert 0 < both < by_words(np.zeros_like(row), np.array([5.0]), model)
