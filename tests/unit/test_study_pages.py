"""Pages are blind, forms are read back to what was meant, and rewritings are checked as they are written."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainmark.study.definition.questions import Mcq, RewriteRules
from plainmark.study.pages import PageAnswer, lay_out, make_page, read_form
from plainmark.study.rewriting import common_subsequence, rewrite_problems, words
from plainmark.study.straightlining import straightlining
from support import studies


def page_of(tmp_path, questions, show="text", seed=0, **block):
    made = studies.definition(pages=[{"kind": "block", "show": show, "questions": questions, **block}])
    study = studies.write(tmp_path, made)
    sheet, item, arm = study.definition.blocks[0], study.items[0], study.arms[0]
    layout = json.loads(json.dumps(lay_out(sheet, arm, item, np.random.default_rng(seed))))
    return make_page(sheet, layout, token="t", item=item)


def test_options_are_shuffled_and_read_back(tmp_path):
    orders = set()
    for seed in range(20):
        page = page_of(tmp_path, [studies.MCQ], seed=seed)
        (asked,) = page.questions
        assert [c.value for c in asked.choices] == ["1", "2", "3", "4"]  # values say nothing of the key
        assert asked.choices[-1].label == "The text does not say."
        assert asked.choices[-1].stored == "UA"
        orders.add(tuple(c.stored for c in asked.choices))
        for place, choice in enumerate(asked.choices, 1):
            answers, problems = read_form(page, {"q1": choice.value})
            assert (answers, problems) == ([PageAnswer("q1", choice.stored, shown=place)], [])
    assert len(orders) == 6  # all orders of three; UA stays last


def test_conditions_are_not_in_forms(tmp_path):
    page = page_of(tmp_path, [{"id": "p", "type": "pairwise", "text": "Which?", "tie": "Same."}], show="pair")
    (asked,) = page.questions
    assert [c.value for c in asked.choices] == ["1", "2", "tie"]
    assert [c.label for c in asked.choices] == ["Text A", "Text B", "Same."]
    assert {c.stored for c in asked.choices} == {"plain", "hard", "tie"}
    shown = {t.label: t.condition for t in page.texts}
    answers, _ = read_form(page, {"q1": "2"})
    assert answers[0].value == shown["Text B"]


def test_sides_are_drawn_by_lot_unless_fixed(tmp_path):
    question = [{"id": "p", "type": "pairwise", "text": "Which?"}]
    first = {page_of(tmp_path, question, "pair", seed).texts[0].condition for seed in range(20)}
    assert first == {"plain", "hard"}
    fixed = {
        page_of(tmp_path, question, "pair", seed, sides="fixed").texts[0].condition for seed in range(20)
    }
    assert fixed == {"plain"}


def test_show_if(tmp_path):
    questions = [
        {"id": "match", "type": "yesno", "text": "Do they match?"},
        {
            "id": "easy",
            "type": "likert",
            "text": "Easier?",
            "show_if": {"question": "match", "equals": "yes"},
        },
        {"id": "why", "type": "text", "text": "Why?", "show_if": {"question": "easy", "equals": ["4", "5"]}},
    ]
    page = page_of(tmp_path, questions, show="source+text")
    assert [t.label for t in page.texts] == ["Original", "Rewritten"]
    assert [a.show_if for a in page.questions] == [None, ("q1", ("yes",)), ("q2", ("4", "5"))]
    assert read_form(page, {"q1": "no"}) == ([PageAnswer("match", "no", shown=2)], [])
    assert [p.name for p in read_form(page, {"q1": "yes"})[1]] == ["q2"]
    assert [p.name for p in read_form(page, {"q1": "yes", "q2": "5"})[1]] == ["q3"]
    assert read_form(page, {"q1": "yes", "q2": "2"})[1] == []
    # An answer to what was not asked is kept and marked; what hangs on it is not asked either.
    answers, problems = read_form(page, {"q1": "no", "q2": "5", "q3": "because"})
    assert [(a.question, a.asked) for a in answers] == [("match", True), ("easy", False), ("why", False)]
    assert problems == []


def test_a_condition_on_a_shuffled_question_follows_its_places(tmp_path):
    questions = [
        studies.MCQ,
        {"id": "why", "type": "text", "text": "?", "show_if": {"question": "q1", "equals": ["UA", "B"]}},
    ]
    page = page_of(tmp_path, questions)
    first, second = page.questions
    wanted = {c.value for c in first.choices if c.stored in ("UA", "B")}
    assert set(second.show_if[1]) == wanted


def test_grids_ask_of_each_text(tmp_path):
    questions = [
        {"id": "rank", "type": "rank", "text": "Rank."},
        {"id": "rate", "type": "slider", "text": "Rate."},
        {"id": "note", "type": "text", "text": "?", "required": False},
    ]
    page = page_of(tmp_path, questions, show="grid")
    assert [(a.name, a.label) for a in page.questions] == [
        *(("q1", "Text A"), ("q2", "Text B"), ("q3", "Text C")),
        *(("q4", "Text A"), ("q5", "Text B"), ("q6", "Text C"), ("q7", "")),
    ]
    good = {"q1": "1", "q2": "3", "q3": "2", "q4": "0", "q5": "100", "q6": "50"}
    answers, problems = read_form(page, good)
    assert problems == []
    by_label = {t.label: t.condition for t in page.texts}
    assert {a.question: a.value for a in answers}[f"rank[{by_label['Text B']}]"] == "3"
    assert {a.target: a.value for a in answers if a.question.startswith("rate")}[by_label["Text A"]] == "0"
    assert [p.message for p in read_form(page, {**good, "q2": "1"})[1]] == [
        "Please give each rank only once."
    ]
    for bad in ("-1", "101", "5.5", "x", "9" * 30):
        assert (
            read_form(page, {**good, "q4": bad})[1][0].message == "Please give a whole number from 0 to 100."
        )


def test_the_source_above_a_grid(tmp_path):
    questions = [{"id": "rank", "type": "rank", "text": "Rank."}]
    page = page_of(tmp_path, questions, show="grid", source=True)
    assert page.source == "Source number 0 is long."
    assert [t.label for t in page.texts] == ["Text A", "Text B", "Text C"]
    assert page_of(tmp_path, questions, show="grid").source == ""


def test_ties_in_ranks_if_allowed(tmp_path):
    page = page_of(tmp_path, [{"id": "r", "type": "rank", "text": "?", "ties": True}], show="grid")
    assert read_form(page, {"q1": "1", "q2": "1", "q3": "1"})[1] == []


def test_texts_are_kept_as_written(tmp_path):
    page = page_of(tmp_path, [{"id": "t", "type": "text", "text": "?", "longest": 10}])
    assert read_form(page, {"q1": "a\r\nb\x00\ud800"})[0][0].value == "a\nb\ufffd?"
    assert (
        read_form(page, {"q1": "x" * 11})[1][0].message == "Please write at most 10 characters; this has 11."
    )


@given(st.text(), st.sampled_from(["q1", "q2", "consent", ""]))
def test_any_form_is_read_without_a_crash(tmp_path_factory, value, name):
    page = _any_page(tmp_path_factory)
    answers, problems = read_form(page, {name: value})
    assert len(answers) + len(problems) >= 1


_PAGES = {}


def _any_page(factory):
    if "page" not in _PAGES:
        questions = [
            studies.MCQ,
            {"id": "s", "type": "slider", "text": "?"},
            {"id": "t", "type": "text", "text": "?"},
        ]
        _PAGES["page"] = page_of(factory.mktemp("any"), questions)
    return _PAGES["page"]


SOURCE = "The physician administered the medication to the patient intravenously on Tuesday."


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("The doctor gave the medicine to the patient through a vein on Tuesday.", ""),
        ("", "Please write the sentence in simpler words."),
        ("the physician administered the MEDICATION to the patient intravenously on tuesday", "This is the sentence itself"),
        ("A doctor gave medicine.", "Your version has 4 words; the sentence has 11 words. Please keep all"),
        ("The doctor " + "really " * 20, "Please make it shorter"),
        ("The physician administered the medication to the patient intravenously on a Tuesday.", "almost the sentence itself"),
        ("The doctor gave the medicine to the patient. It was given through a vein on Tuesday.", "one sentence; do not split"),
    ],
)  # fmt: skip
def test_rewritings(text, problem):
    found = rewrite_problems(SOURCE, text, RewriteRules())
    assert (problem in " ".join(found)) if problem else not found


def test_rewriting_rules_may_be_loosened():
    assert not rewrite_problems(
        SOURCE, "A doctor gave it. On Tuesday.", RewriteRules(shortest=0, splitting=True)
    )


@given(st.lists(st.sampled_from("abc"), max_size=8), st.lists(st.sampled_from("abc"), max_size=8))
def test_the_longest_common_subsequence(a, b):
    def slow(x, y):
        if not x or not y:
            return 0
        if x[0] == y[0]:
            return 1 + slow(x[1:], y[1:])
        return max(slow(x[1:], y), slow(x, y[1:]))

    assert common_subsequence(a, b) == slow(a, b)
    assert words("Don’t stop!") == ["don’t", "stop"]


def test_straightlining_by_hand():
    questions = {"q": Mcq(id="q", text="?", options=("a", "b"))}
    alike = [("q", 2, letter) for letter in "ABAAB"]
    assert straightlining(alike, questions) == [("mcq", 1.0, 5)]
    assert straightlining(alike[:4], questions) == []  # too few to say
    mixed = [("q", place, "A") for place in (1, 2, 1, 2, 1)]
    assert straightlining(mixed, questions) == [("mcq", 0.6, 5)]
