"""A study with two blocks and a second session in a real browser: too early, in time, too late; places taken by quota."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from plainmark.study.store.answer_rows import answer_rows
from support import studies, study_server

HOUR = 3600.0
DAY = 24 * HOUR


@dataclass
class Clock:
    """The time of the served study."""

    now: float = 1_000_000_000.0

    def __call__(self):
        return self.now


@dataclass
class TwoSessions:
    """A served study, and where people begin."""

    url: str
    store: object
    clock: Clock
    start: str = "/?PROLIFIC_PID=someone"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    rows = [{**row, "title": f"Story {k}"} for k, row in enumerate(studies.items(12))]
    native = {"id": "native", "type": "yesno", "text": "Is English your first language?"}
    ease = {"id": "ease", "type": "likert", "text": "How easy is it?", "labels": ["Hard", "Easy"]}
    pages = [
        {"kind": "consent", "text": "May we?"},
        {"kind": "survey", "title": "About you", "questions": [native]},
        {"kind": "block", "id": "rate", "title": "Rate this", "per_participant": 1, "questions": [ease]},
        {"kind": "block", "id": "ask", "title": "Read this", "per_participant": 1, "reading": "apart", "questions": [studies.MCQ]},
    ]  # fmt: skip
    recall = {"kind": "recall", "block": "ask", "title_field": "title", "text": "You read this text before."}
    session = {"opens": 24, "closes": 72, "pages": [recall], "codes": {"complete": "SECOND", "late": "LATE"}}
    made = studies.definition(
        pages=pages,
        sessions=[session],
        quotas=[{"question": "native", "equals": "yes", "people": 1}],
        recruit={"codes": {"complete": "FIRST", "full": "FULL"}},
    )
    clock = Clock()
    folder = tmp_path_factory.mktemp("p") / "study"
    study = studies.write(folder, json.loads(json.dumps(made)), rows)
    with study_server.served(study, clock=clock) as running:
        yield TwoSessions(running.url, running.store, clock)


def go_on(page):
    with page.expect_navigation():
        page.locator("button.go").first.click()


def first_session(page, native):
    page.get_by_label("I agree to take part").check()
    go_on(page)
    page.get_by_label(native, exact=True).check()
    go_on(page)


def both_blocks(page):
    assert page.locator("h1").inner_text() == "Rate this"
    assert "Text 1 of 2" in page.locator("header").inner_text()
    page.locator("input[type=radio]").first.check()
    go_on(page)
    assert page.locator("h1").inner_text() == "Read this"
    assert "Text 2 of 2" in page.locator("header").inner_text()
    text = page.locator(".text").inner_text()
    go_on(page)
    assert page.locator(".text").count() == 0, "the text is gone"
    page.locator("input[type=radio]").first.check()
    go_on(page)
    return text


def again(page, served, name):
    page.goto(f"{served.url}/?PROLIFIC_PID={name}")


def test_two_blocks_today_and_again_tomorrow(served, surf):
    page = surf("/?PROLIFIC_PID=ann")
    first_session(page, "No")
    text = both_blocks(page)
    assert page.locator("h1").inner_text() == "Part 2 opens in 24 hours"
    assert "closes in 3 days" in page.locator(".lede").inner_text()
    assert "FIRST" in page.locator("main").inner_text()
    assert page.get_by_role("button", name="Start").count() == 0
    served.clock.now += 20 * HOUR
    again(page, served, "ann")
    assert page.locator("h1").inner_text() == "Part 2 opens in 4 hours"
    served.clock.now += 10 * HOUR
    again(page, served, "ann")
    assert page.locator("h1").inner_text() == "Part 2 is open"
    go_on(page)
    number = text.split()[1].strip(",")
    assert page.locator("h1").inner_text() == f"Story {number}", "the text that was read, by its title"
    assert text not in page.locator("main").inner_text()
    page.reload()
    assert page.locator(".question").count() == 1
    page.locator("input[type=radio]").nth(1).check()
    go_on(page)
    assert page.locator("h1").inner_text() == "Thank you!"
    assert "SECOND" in page.locator("main").inner_text()
    mine = [r for r in answer_rows(served.store) if r.participant == served.store.id_of("ann")]
    assert [(r.page, r.block, r.session) for r in mine if r.item] == [
        ("block", "rate", 1),
        ("block", "ask", 1),
        ("recall", "ask", 2),
    ]
    read, recalled = mine[-2:]
    assert (read.item, read.arm, read.question) == (recalled.item, recalled.arm, recalled.question)
    assert read.item == f"i{number}"
    admin = page.context.request.get(
        f"{served.url}/admin", headers={"authorization": f"Bearer {study_server.TOKEN}"}
    )
    assert "Later sessions" in admin.text()
    assert "all sessions done" in admin.text()


def test_too_late(served, surf):
    page = surf("/?PROLIFIC_PID=late")
    first_session(page, "No")
    both_blocks(page)
    served.clock.now += 4 * DAY
    again(page, served, "late")
    assert page.locator("h1").inner_text() == "Part 2 is closed"
    assert "LATE" in page.locator("main").inner_text()


def test_another_browser_is_told_to_use_the_first(served, surf):
    page = surf("/?PROLIFIC_PID=moved")
    first_session(page, "No")
    both_blocks(page)
    served.clock.now += 30 * HOUR
    other = surf("/?PROLIFIC_PID=moved")
    assert "in another browser" in other.locator("h1").inner_text()


def test_whoever_finds_a_quota_full_is_told_so(served, surf):
    first = surf("/?PROLIFIC_PID=native1")
    first_session(first, "Yes")
    assert first.locator("h1").inner_text() == "Rate this"
    second = surf("/?PROLIFIC_PID=native2")
    first_session(second, "Yes")
    assert second.locator("h1").inner_text() == "All places for your group are taken"
    assert "FULL" in second.locator("main").inner_text()
    second.reload()
    assert second.locator("h1").inner_text() == "All places for your group are taken"


@pytest.mark.parametrize("width", [1280, 375])
def test_accessible_and_no_wider_than_the_screen(served, surf, axe, width, tmp_path):
    page = surf(f"/?PROLIFIC_PID=wide{width}", viewport={"width": width, "height": 800})
    first_session(page, "No")
    both_blocks(page)
    pictures = Path(tmp_path)
    for name, hours in (("early", 0), ("due", 30), ("recall", 0), ("done", 0), ("late", None)):
        if hours is None:
            break
        served.clock.now += hours * HOUR
        again(page, served, f"wide{width}")
        if name in ("recall", "done"):
            if page.locator("input[type=radio]").count():
                page.locator("input[type=radio]").first.check()
            go_on(page)
        assert axe(page) == [], name
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        page.screenshot(path=str(pictures / f"{name}-{width}.png"), full_page=True)
