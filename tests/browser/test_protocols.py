"""Marking words, reading apart, statements on one scale and one question per screen, in a real browser."""

import json
from dataclasses import dataclass

import pytest

from plainmark.study.store.answer_rows import answer_rows
from support import studies, study_server

SPANS = {
    "id": "edits",
    "type": "spans",
    "text": "Mark every edit.",
    "where": "both",
    "parts": True,
    "severities": ["minor", "major"],
    "categories": [
        {"id": "deletion", "text": "Deletion", "where": "source"},
        {"id": "insertion", "text": "Insertion", "where": "text"},
        {"id": "swap", "text": "Replacement", "where": "both", "severity": False},
    ],
}
MATRIX = {
    "id": "m",
    "type": "matrix",
    "text": "How far do you agree?",
    "labels": ["Not at all", "Partly", "Fully"],
    "high": 3,
    "statements": [{"id": "clear", "text": "It is clear."}, {"id": "true", "text": "It is true."}],
}
BOXES = {
    "id": "boxes",
    "type": "multiselect",
    "text": "What is wrong?",
    "options": ["Words", "Length"],
    "exclusive": "None of these",
}
ROWS = [
    {
        "id": f"i{k}",
        "source": "The physician gave the medicine.",
        "texts": dict.fromkeys(("plain", "hard", "odd"), "The doctor gave the 💊 medicine quickly."),
    }
    for k in range(30)
]


@dataclass
class Protocols:
    """A served study, and where people begin."""

    url: str
    store: object
    start: str = "/?PROLIFIC_PID=someone"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    survey = {
        "kind": "survey",
        "title": "About you",
        "one_per_screen": "phone",
        "questions": [
            {"id": "first", "type": "yesno", "text": "Is English your first language?"},
            {**json.loads(json.dumps(MATRIX)), "id": "reads"},
        ],
    }
    block = {
        "kind": "block",
        "title": "Compare the texts",
        "show": "source+text",
        "reading": "first",
        "questions": [SPANS, MATRIX, BOXES],
    }
    made = studies.definition(
        pages=[{"kind": "consent", "text": "May we?"}, block, survey], design={"per_participant": 1}
    )
    with study_server.served(studies.write(tmp_path_factory.mktemp("p") / "study", made, ROWS)) as study:
        yield Protocols(study.url, study.store)


def go_on(page):
    with page.expect_navigation():
        page.locator("button.go").first.click() if page.locator(".onward").count() == 0 else page.locator(
            ".onward button.go"
        ).first.click()


def begin(page):
    page.get_by_label("I agree to take part").check()
    go_on(page)
    assert page.locator(".question").count() == 0, "the texts have a page of their own"
    assert page.get_by_role("button", name="I have read this").count() == 1
    go_on(page)


def latest(served, question):
    return [r for r in answer_rows(served.store) if r.question == question][-1]


def answer_the_rest(page):
    for statement in ("It is clear.", "It is true."):
        page.get_by_role("group", name=statement).get_by_label("Partly").check()
    page.get_by_label("Words", exact=True).check()


def test_by_keyboard_and_mouse(served, surf):
    page = surf("/?PROLIFIC_PID=keyboard")
    begin(page)
    page.locator("[data-markable='1']").focus()
    for key in ("ArrowRight", "ArrowRight", "Shift+ArrowRight", "Enter"):
        page.keyboard.press(key)
    assert "Selected: “physician gave”" in page.locator(".mark-status").inner_text()
    assert page.evaluate("document.activeElement.dataset.category") == "deletion"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.className") == "mark-severity"
    page.keyboard.type("major")
    source, text = page.locator("[data-markable='1'] .w"), page.locator("[data-markable='2'] .w")
    text.nth(4).hover()  # the pill: offsets count characters, not halves of them
    page.mouse.down()
    text.nth(5).hover()
    page.mouse.up()
    page.locator("[data-category=insertion]").click()
    page.locator(".mark-severity").nth(1).select_option("minor")
    source.nth(4).click()
    page.locator("[data-category=swap]").click()
    page.locator(".mark-add").nth(2).click()
    text.nth(6).click()
    source.nth(1).click()
    page.locator("[data-category=deletion]").click()
    assert page.locator(".mark-status").inner_text() == "Some of these words are marked already."
    page.keyboard.press("Escape")
    assert page.locator(".mark").count() == 3
    page.reload()
    assert page.locator(".mark").count() == 3, "marks survive a reload"
    answer_the_rest(page)
    page.get_by_label("None of these").check()
    assert not page.get_by_label("Words", exact=True).is_checked()
    go_on(page)
    row = latest(served, "edits")
    assert row.answer == (
        "deletion (major): “physician gave”; swap: “medicine” … “quickly”; insertion (minor): “💊 medicine”"
    )
    assert latest(served, "boxes").value == "NONE"
    assert latest(served, "m[true]").value == "2"
    assert row.reading_seconds > 0
    assert page.locator(".question").count() == 2, "not a phone: all questions on one page"


def test_typed_without_scripts(served, surf):
    page = surf("/?PROLIFIC_PID=plain", java_script_enabled=False)
    begin(page)
    answer_the_rest(page)
    go_on(page)
    assert "Please mark words, or tick “There is nothing to mark”." in page.locator(".problems").inner_text()
    assert page.locator(".mark-row").count() == 3
    page.get_by_label("Words in “Rewritten”").nth(2).fill("quickly")
    with page.expect_navigation():
        page.get_by_role("button", name="More rows").click()
    assert page.locator(".mark-row").count() == 6
    assert page.get_by_label("Partly").first.is_checked()
    page.locator(".mark-row").nth(2).get_by_label("Kind").select_option("insertion")
    page.locator(".mark-row").nth(2).get_by_label("How severe").select_option("minor")
    go_on(page)
    assert latest(served, "edits").answer == "insertion (minor): “quickly”"


def test_on_a_phone(served, surf):
    page = surf(
        "/?PROLIFIC_PID=phone", viewport={"width": 375, "height": 760}, has_touch=True, is_mobile=True
    )
    begin(page)
    words = page.locator("[data-markable='2'] .w")
    words.nth(1).tap()
    words.nth(3).tap()
    bar = page.locator(".mark-bar")
    assert bar.bounding_box()["y"] + bar.bounding_box()["height"] <= 761, "kinds of marks are in reach"
    page.locator("[data-category=insertion]").tap()
    page.locator(".mark-severity").select_option("minor")
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    answer_the_rest(page)
    go_on(page)
    assert latest(served, "edits").answer == "insertion (minor): “doctor gave the”"
    # One question per screen: on, back, reload, on.
    assert page.locator(".question").count() == 1
    assert "Question 1 of 2" in page.locator(".questions").inner_text()
    assert page.get_by_role("button", name="Back").count() == 0
    page.get_by_label("Yes").check()
    go_on(page)
    assert "Question 2 of 2" in page.locator(".questions").inner_text()
    with page.expect_navigation():
        page.get_by_role("button", name="Back").click()
    assert page.get_by_label("Yes").is_checked()
    go_on(page)
    page.reload()
    assert "Question 2 of 2" in page.locator(".questions").inner_text()
    for statement in ("It is clear.", "It is true."):
        page.get_by_role("group", name=statement).get_by_label("Fully").check()
    go_on(page)
    assert page.locator("h1").inner_text() == "Thank you!"
    assert [latest(served, q).value for q in ("first", "reads[clear]", "reads[true]")] == ["yes", "3", "3"]
    assert json.loads(latest(served, "edits").value)[0]["spans"][0][1:] == [4, 19]


@pytest.mark.parametrize("width", [1280, 375])
def test_accessible(served, surf, axe, width):
    page = surf(
        f"/?PROLIFIC_PID=axe{width}", viewport={"width": width, "height": 800}, has_touch=width == 375
    )
    page.get_by_label("I agree to take part").check()
    go_on(page)
    assert axe(page) == []
    go_on(page)
    assert axe(page) == []
    page.locator("[data-markable='2'] .w").nth(1).click()
    assert axe(page) == []
    page.locator("[data-category=insertion]").click()
    page.locator(".mark-severity").select_option("minor")
    page.locator("summary").click()
    assert axe(page) == []
    answer_the_rest(page)
    go_on(page)
    assert axe(page) == []
