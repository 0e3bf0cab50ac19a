"""What lowers the score, in a real browser: the numbers, the shades, the lists, edits, limits, keys, attacks."""

import pytest

from plainmark.web.editor import quality as editor_quality
from plainmark.web.editor.requests import MAX_QUALITY_SECONDS
from support import playground
from support.attacks import ATTACKS, EVIL

ORIGINAL = "The feline was observed to be sitting upon the mat in 1999, which astonished nobody."
STRANGE = "Bananas are yellow and taste good."
TEXT = f"In 1999 people saw the 😀 cat on the mat. {STRANGE} Nobody was surprised."
PARTS = ("quality", "meaning", "fluency", "simplicity")
WIDE = 960  # pixels from which all panes are seen at once


@pytest.fixture(scope="module")
def served():
    with playground.running() as one:
        one.workers.warm_up()
        yield one


def write(page, text=TEXT, original=ORIGINAL):
    """Fills in both texts and goes to the facts."""
    for name, words in (("original", original), ("text", text)):
        if not page.locator(f"#{name}-content").is_visible():
            page.locator(f"[data-view={name}]").click()
        page.locator(f"#{name}-content").fill(words)
    if page.viewport_size["width"] < WIDE:
        page.locator("[data-view=facts]").click()
    else:
        page.get_by_role("tab", name="Facts").click()


def ask(page):
    page.locator("#ask-quality").click()
    page.locator("#quality-answer[aria-busy=false]").wait_for()


def shades(page):
    return page.locator("#text-content mark")


def lists(page):
    return page.locator("#quality-lists")


def test_what_lowers_each_part_is_shown(surf):
    page = surf()
    write(page)
    page.locator("#status").get_by_text("suggestion").wait_for()
    ask(page)
    assert page.locator("#status").inner_text().startswith("Quality ")
    for part in PARTS:
        assert 0 <= int(page.locator(f"#quality-{part}").inner_text()) <= 100
    assert page.locator("#quality-signature").inner_text().startswith("quality|model:open#")
    assert STRANGE in lists(page).locator("li").first.inner_text()
    assert "lowers quality by" in lists(page).inner_text()
    titles = shades(page).evaluate_all("marks => marks.map((m) => m.title)")
    assert titles
    assert all(title.startswith(("lowers quality by ", "raises quality by ")) for title in titles)
    assert all(" " not in word for word in shades(page).all_inner_texts()), "words, as in the report"
    page.get_by_label("sentences", exact=True).check()
    assert STRANGE in shades(page).all_inner_texts()
    assert "lowers" in shades(page).filter(has_text=STRANGE).get_attribute("class")
    page.get_by_label("meaning").check()
    assert "lowers meaning by" in lists(page).inner_text()
    assert "quality" not in lists(page).inner_text()
    assert "meaning by" in shades(page).first.get_attribute("title")
    assert "✓" not in page.locator("#quality").inner_text()


def test_a_sentence_of_the_list_is_shown_in_the_text(surf):
    page = surf()
    write(page)
    ask(page)
    lists(page).get_by_role("button", name=STRANGE).click()
    assert page.evaluate("getSelection().toString()") == STRANGE
    assert page.evaluate("document.activeElement.id") == "text-content"


def test_an_edit_takes_the_shades_away_and_the_list_follows(surf):
    page = surf()
    write(page)
    ask(page)
    assert shades(page).count()
    page.locator("#text-content").press("Control+Home")
    page.keyboard.insert_text("Long ago: ")
    assert shades(page).count() == 0
    assert "These numbers belong to the earlier text" in page.locator("#quality-note").inner_text()
    assert page.locator("#quality-answer.outdated").is_visible()
    lists(page).get_by_role("button", name=STRANGE).click()
    assert page.evaluate("getSelection().toString()") == STRANGE, "its place has moved along"
    page.keyboard.press("Delete")
    assert lists(page).get_by_role("button", name=STRANGE).count() == 1
    lists(page).get_by_role("button", name=STRANGE).click()
    assert page.evaluate("getSelection().toString()") == "", "what is gone has no place"
    page.get_by_role("button", name="Ask again").click()
    page.locator("#quality-answer[aria-busy=false]:not(.outdated)").wait_for()
    assert STRANGE not in lists(page).inner_text()
    page.locator("#original-content").press("End")
    page.keyboard.insert_text(" It rained.")
    assert page.locator("#quality-answer.outdated").is_visible(), "the score is of both texts"


def test_an_edit_ends_what_is_under_way(surf):
    page = surf()
    write(page)
    asked = []
    page.route("**/editor/quality", lambda route: (asked.append(route), route.fallback())[1])
    page.locator("#ask-quality").click()
    page.locator("#text-content").press("End")
    page.keyboard.insert_text(" It rained.")
    page.get_by_role("tab", name="Facts").click()
    page.wait_for_timeout(1500)
    assert len(asked) == 1
    assert "changed" in page.locator("#quality-note").inner_text()
    assert not page.locator("#quality-answer").is_visible() or page.locator(".outdated").count()
    assert shades(page).count() == 0


def test_hiding_it(surf):
    page = surf()
    write(page)
    ask(page)
    page.get_by_role("button", name="Hide").click()
    assert not page.locator("#quality-answer").is_visible()
    assert shades(page).count() == 0
    assert page.evaluate("document.activeElement.id") == "ask-quality"


@pytest.mark.parametrize("button", ["New", "Original"])
def test_without_both_texts_nothing_is_shown(surf, button):
    page = surf()
    write(page)
    ask(page)
    page.get_by_role("button", name=button, exact=True).first.click()
    assert not page.locator("#quality-answer").is_visible()
    assert shades(page).count() == 0
    page.locator("#ask-quality").click()
    assert "paste the original first" in page.locator("#quality-note").inner_text().lower()


def test_the_focus_stays_in_the_list_while_more_comes(surf):
    page = surf()
    write(page)
    ask(page)
    lists(page).get_by_role("button").first.focus()
    page.evaluate(
        "document.querySelector('#shade-sentence').dispatchEvent(new Event('change', { bubbles: true }))"
    )
    assert page.evaluate("document.activeElement.className") == "sentence"


@pytest.mark.parametrize(
    ("text", "original", "said"),
    [
        ("", "", "Write your text and paste the original first"),
        (TEXT, "", "Paste the original first"),
        ("", ORIGINAL, "Write your text first"),
        ("Die Eulen jagen in der Nacht, und am Tag schlafen sie.", ORIGINAL, "Your text looks German"),
        ("The owls hunt. " * 400, ORIGINAL * 40, f"expected at most {MAX_QUALITY_SECONDS:.0f} s"),
    ],
)
def test_what_is_needed_is_said_in_one_line(surf, text, original, said):
    page = surf()
    write(page, text, original)
    page.locator("#ask-quality").click()
    note = page.locator("#quality-note")
    note.get_by_text(said).wait_for()
    assert "\n" not in note.inner_text().strip()
    assert not page.locator("#quality-answer").is_visible()
    assert shades(page).count() == 0


def test_long_texts_are_asked_for_bit_by_bit(surf):
    page = surf()
    sentence = "The owls of the wood number {} hunt at night, and they sleep by day. "
    text = "".join(sentence.format(n) for n in range(35))
    assert editor_quality.quality_texts(2 * len(text)) < 35
    write(page, text, text.replace("hunt", "go hunting"))
    asked = []
    page.on("request", lambda r: asked.append(r.url) if r.url.endswith("/editor/quality") else None)
    page.locator("#ask-quality").click()
    page.locator("#quality-note").get_by_text("were left out so far").wait_for()
    page.locator("#quality-answer[aria-busy=false]").wait_for(timeout=90_000)
    assert len(asked) > 1
    assert page.locator("#quality-note").inner_text() == ""
    assert "only sentences are left out" in page.locator("#quality-limits").inner_text()
    assert page.locator("#shade-word").is_disabled()
    assert page.locator("#shade-sentence").is_checked()


def test_by_keys_alone(surf):
    page = surf()
    write(page)
    page.get_by_role("tab", name="Facts").focus()
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "ask-quality":
            break
    page.keyboard.press("Enter")
    page.locator("#quality-answer[aria-busy=false]").wait_for()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.value") == "meaning"
    assert "meaning" in lists(page).inner_text()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowLeft")
    assert page.locator("#shade-sentence").is_checked()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "sentence"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "text-content"


@pytest.mark.parametrize("width", [1280, 375])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(surf, axe, width, scheme):
    page = surf(viewport={"width": width, "height": 800}, color_scheme=scheme)
    write(page)
    ask(page)
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    page.get_by_label("sentences", exact=True).check()
    if width < WIDE:
        page.locator("[data-view=text]").click()
    assert shades(page).count()
    assert axe(page) == [], "shades"
    page.locator("#text-content").press("End")
    page.keyboard.insert_text(" It rained.")
    if width < WIDE:
        page.locator("[data-view=facts]").click()
    assert axe(page) == [], "outdated"


def test_texts_are_only_texts(surf):
    page = surf()
    for text in (
        f"{ATTACKS[0]} The cat slept. {ATTACKS[1]} Nobody was surprised by that.",
        f"The cat slept. {EVIL}",
    ):
        write(page, text, f"The feline slept. {EVIL}")
        ask(page)
        for part in PARTS:
            page.get_by_label(part, exact=False).first.check()
    assert page.locator("main img:not(.cm-widgetBuffer), main iframe, main svg, main script").count() == 0
