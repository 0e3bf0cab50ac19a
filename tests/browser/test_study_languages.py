"""Studies in other languages in a real browser: no English left, right to left where that is how people write, on two widths."""

import re
import tomllib

import pytest

from plainmark.study.messages import ENGLISH, FOLDER
from support import studies
from support.study_server import served

HEBREW = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "אבגדהוזחטיכלמנסעפצקרשתאבגדאבגדהוזחטיכלמנסעפצקרשתאבגד",
)
REWRITE = {"shortest": 0.5, "longest": 1.5}
QUESTIONS = [
    {"id": "m", "type": "mcq", "text": "№1", "options": ["№2", "№3"], "example": "№4"},
    {"id": "yn", "type": "yesno", "text": "№5"},
    {"id": "l", "type": "likert", "text": "№6", "labels": ["№7", "№8"], "show_if": {"question": "yn", "equals": "yes"}},
    {"id": "s", "type": "slider", "text": "№9", "labels": ["№10", "№11"]},
    {"id": "c", "type": "count", "text": "№12", "required": False},
    {"id": "t", "type": "text", "text": "№13", "rewrite": REWRITE},
]  # fmt: skip
PRACTICE = {"id": "p", "type": "yesno", "text": "№14", "key": "no", "feedback": "№15"}


def definition(language, **changes):
    """A study whose own texts have no letters, so that every word on its pages is the interface's."""
    pages = [
        {"kind": "consent", "text": "№16"},
        {"kind": "practice", "item": {"texts": ["№17"]}, "questions": [PRACTICE]},
        {"kind": "block", "show": "source+text", "questions": QUESTIONS},
        {"kind": "survey", "text": "№18"},
    ]
    made = {"title": "№", "language": language, "pages": pages, "design": {"per_participant": 1}}
    return studies.definition(**{**made, "conditions": ["plain"], "privacy": {"contact": "№19"}, **changes})


def items():
    words = " ".join(str(n) for n in range(100, 112))
    return [{"id": "i", "source": words, "texts": {"plain": words[::-1]}}]


def pseudo_hebrew():
    """en.toml with Hebrew letters in place of its own."""

    def spell(value):
        if isinstance(value, dict):
            return {k: spell(v) for k, v in value.items()}
        if isinstance(value, list):
            return [spell(v) for v in value]
        parts = re.split(r"(\{\w+\})", value)
        return "".join(p if p.startswith("{") else p.translate(HEBREW) for p in parts)

    content = tomllib.loads((FOLDER / "en.toml").read_text("utf-8"))
    plural = content.pop("plural")
    lines = [f"plural = '{plural}'"]

    def write(table, prefix=""):
        for key, value in table.items():
            if isinstance(value, dict):
                write(value, f"{prefix}{key}.")
            else:
                lines.append(
                    f"{prefix}{key} = {value!r}"
                    if isinstance(value, list)
                    else f'{prefix}{key} = """{value}"""'
                )

    write(spell(content))
    return "\n".join(lines)


@pytest.fixture(params=["de", "ru", "he"])
def study(request, tmp_path):
    folder, language = tmp_path / "study", request.param
    changes = {}
    if language == "he":
        folder.mkdir()
        (folder / "he.toml").write_text(pseudo_hebrew(), "utf-8")
        changes = {"messages": "he.toml"}
    with served(studies.write(folder, definition(language, **changes), items())) as running:
        yield running


def shown(page):
    """Every word of a page: what is seen, the title, and what screen readers say."""
    return page.evaluate(
        """() => [document.title, document.body.textContent,
           ...[...document.querySelectorAll("[aria-label]")].map((e) => e.getAttribute("aria-label"))].join(" ")"""
    )


def check(page, study):
    """No English words, the attributes of the language, and nothing wider than the screen."""
    messages = study.store.study.messages
    html = page.locator("html")
    assert html.get_attribute("lang") == messages.language
    assert html.get_attribute("dir") == messages.direction
    text = shown(page)
    for key, message in ENGLISH.by_key.items():
        pattern = ".+".join(map(re.escape, re.split(r"\{\w+\}", message.forms[-1])))
        if message.forms != messages.by_key[key].forms and len(pattern) > 4:
            assert not re.search(rf"(?<!\w){pattern}(?!\w)", text), (key, text)
    for width in (375, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (page.url, width)


def send(page):
    with page.expect_navigation():
        page.locator("button.go").click()


def test_a_study_has_no_word_of_english(study, browser):
    messages = study.store.study.messages
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(f"{study.url}/?PROLIFIC_PID=someone")
    check(page, study)
    assert page.locator(".progress label").inner_text() == messages("page.page_of", number=1, total=4)
    assert page.locator(".option").first.inner_text().strip() == messages("default.agree")
    send(page)
    assert page.locator(".problems h2").inner_text() == messages("answer.title")
    check(page, study)
    page.locator("input[value=yes]").check()
    send(page)
    page.locator("input[value=yes]").check()
    send(page)
    assert messages("practice.wrong") in page.locator(".verdict").inner_text()
    check(page, study)
    send(page)
    page.locator("input[name=q1]").first.check()
    page.locator("input[name=q2][value=yes]").check()
    page.locator("textarea").fill("1 2 3")
    assert messages("live.short") in page.locator(".live").inner_text()
    send(page)
    assert messages("rewriting.words", count=3) in page.locator(".type-text .error").inner_text()
    assert messages("answer.number", low=0, high=100) not in page.content()
    check(page, study)
    if messages.direction == "rtl":
        is_mirrored(page)
    page.locator("textarea").fill("1 2 3 4 5 6 7 8")
    page.locator("input[name=q3]").first.check()
    page.locator("input[name=q4]").fill("30")
    send(page)
    assert page.locator("button.go").inner_text() == messages("button.read")
    check(page, study)
    send(page)
    assert page.locator("h1").inner_text() == messages("end.complete.title")
    check(page, study)
    page.goto(f"{study.url}/nowhere")
    assert page.locator("h1").inner_text() == messages("error.not_found.title")
    check(page, study)
    context.close()


def is_mirrored(page):
    """Right to left: what comes first is further right."""

    def left(selector):
        return page.locator(selector).first.bounding_box()["x"]

    page.set_viewport_size({"width": 1280, "height": 900})
    assert left(".texts") > left(".questions"), "the text is read before the questions"
    assert left(".name") > left(".progress")
    assert left(".option input") > left(".option span")
    assert left(".number-line .end") > left(".number-line [type=range]") > left(".number-line .note")
    assert page.locator(".invalid").first.evaluate("e => getComputedStyle(e).borderRightWidth") == "4px"
    box = page.locator("button.go").bounding_box()
    field = page.locator(".questions").bounding_box()
    assert abs(box["x"] + box["width"] - field["x"] - field["width"]) < 2, "the button is at the right"
