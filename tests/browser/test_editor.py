"""The editor in a real browser: marks, cards, undo, drafts, targets, facts, documents, keys, phone, offline, attacks."""

import csv
import io

import pytest
from docx import Document

from support import playground
from support.attacks import ATTACKS, EVIL

ORIGINAL = "The committee met on 5 May in Oslo. Nobody objected. It rained."
TEXT = "We will utilise the hall. It rained. The committee met on 6 May in Oslo."
HARD = (
    "The implementation of the regulations necessitates considerable administrative preparation by participating"
    " organisations, and the commencement of the programme is contingent upon the availability of resources. We left."
)


@pytest.fixture(scope="module")
def served():
    with playground.running() as one:
        one.workers.warm_up()
        yield one


def write(page, text, original=""):
    """Types into the empty editor and waits for the answer."""
    for name, words in (("original", original), ("text", text)):
        if words:
            page.locator(f"#{name}-content").focus()
            page.keyboard.press("Control+a")
            page.keyboard.insert_text(words)
    checked(page)


def checked(page):
    """Waits until the server has answered about the text as it is."""
    page.wait_for_function(
        """() => new Promise((done) => {
             const seen = document.documentElement.dataset.checked;
             setTimeout(() => done(seen && seen === document.documentElement.dataset.checked), 300);
        })"""
    )


def text_of(page, name="text"):
    return "\n".join(page.locator(f"#{name}-content .cm-line").all_inner_texts())


def card(page, words):
    return page.locator("#card-list .suggestion").filter(has_text=words)


def test_typing_marks_words_and_a_suggestion_can_be_taken_back(surf):
    page = surf()
    page.locator("#text-content").press_sequentially("We will utilise the hall.")
    page.locator(".mark", has_text="utilise").wait_for()
    page.locator(".mark", has_text="utilise").click()
    open_card = page.locator("#card-list .suggestion.open")
    assert "plainer word" in open_card.inner_text()
    open_card.get_by_role("button", name="use", exact=True).click()
    assert text_of(page) == "We will use the hall."
    assert page.evaluate("document.activeElement.id") == "text-content", "the focus stays in the text"
    checked(page)
    assert card(page, "utilise").count() == 0
    page.keyboard.press("Control+z")
    assert text_of(page) == "We will utilise the hall."
    page.locator(".mark", has_text="utilise").wait_for()


def test_marks_stay_at_their_words_while_typing_before_them(surf):
    page = surf()
    write(page, "😀 We will utilise the hall. 👍🏽 They commence it.")
    assert page.locator(".mark", has_text="utilise").inner_text() == "utilise"
    assert page.locator(".mark", has_text="commence").inner_text() == "commence"
    page.locator("#text-content").press("Control+Home")
    page.keyboard.insert_text("Soon 🎉. ")
    assert page.locator(".mark", has_text="commence").inner_text() == "commence"
    checked(page)
    assert page.locator(".mark", has_text="commence").inner_text() == "commence"


def test_a_reload_brings_the_draft_back(surf):
    page = surf()
    write(page, TEXT, ORIGINAL)
    page.get_by_role("tab", name="Targets").click()
    page.get_by_label("School grade").fill("5")
    page.wait_for_timeout(400)
    assert "Saved in this browser · nothing leaves this machine" in page.locator(".foot").inner_text()
    page.reload()
    assert (text_of(page), text_of(page, "original")) == (TEXT, ORIGINAL)
    assert page.locator("#grade").input_value() == "5"
    page.locator(".mark", has_text="utilise").wait_for()


def test_a_single_text(surf):
    page = surf()
    page.get_by_role("button", name="Original", exact=True).first.click()
    assert not page.locator("#original-pane").is_visible()
    write(page, TEXT)
    assert card(page, "utilise").is_visible()
    page.get_by_role("tab", name="Facts").click()
    assert page.get_by_text("Paste an original to see").is_visible()
    page.reload()
    assert not page.locator("#original-pane").is_visible()


def test_a_tick_is_earned_against_the_target(surf):
    page = surf()
    page.get_by_role("tab", name="Targets").click()
    page.get_by_label("School grade").fill("8")
    page.get_by_label("Words in a sentence").fill("20")
    checked(page)
    assert "✓" not in page.locator("#meters").inner_text(), "nothing is ticked for an empty text"
    write(page, HARD)
    meters = page.locator("#meters")
    assert "✓" not in meters.inner_text()
    assert meters.locator(".missed").count() == 2
    costly = page.locator("#costly")
    assert "You are at grade" in costly.inner_text()
    assert "Make two sentences of its" in costly.inner_text()
    costly.locator("button").first.click()
    assert page.evaluate("getSelection().toString()").startswith("The implementation"), (
        "the sentence is chosen"
    )
    write(page, "We keep bees. They make honey. We sell it.")
    assert meters.locator(".met").count() == 2
    page.get_by_label("School grade").fill("")
    checked(page)
    assert meters.locator(".met").count() == 1, "without a target there is no tick"


def test_ignore_and_always_use_are_kept(surf):
    page = surf()
    write(page, "We utilise it. They commence it. Others commence, too.")
    card(page, "utilise").click()
    page.get_by_role("button", name="Ignore").click()
    assert page.locator(".mark", has_text="utilise").count() == 0
    card(page, "commence").first.click()
    page.get_by_role("button", name="Always use").click()
    checked(page)
    assert "commence" in page.locator("#words").input_value()
    assert card(page, "commence").locator(".kind").inner_text().lower().startswith("house list")
    page.reload()
    checked(page)
    assert page.locator(".mark", has_text="utilise").count() == 0
    assert "limit" in page.locator(".mark", has_text="commence").get_attribute("class")
    page.get_by_role("button", name="Show them again").click()
    assert page.locator(".mark", has_text="utilise").count() == 1


def test_a_word_list_with_a_mistake_says_where(surf, tmp_path):
    page = surf()
    write(page, "We utilise it.")
    page.get_by_role("tab", name="Targets").click()
    page.get_by_text("Your word list").click()
    page.locator("#words").fill("term,use instead,never use,explain\nutilise,use,yes,")
    page.get_by_text("line 2: 'utilise' has use instead and never use").wait_for()
    (tmp_path / "house.csv").write_text("term,use instead,never use,explain\nhall,,yes,\n", "utf-8")
    page.locator("#words-file").set_input_files(tmp_path / "house.csv")
    page.locator("#text-content").fill("We like the hall.")
    page.locator(".mark.limit", has_text="hall").wait_for()


def test_all_cards_by_keyboard(surf):
    page = surf()
    write(page, "We utilise it. They commence it. He will endeavour to help.")
    page.locator("#text-content").focus()
    page.keyboard.press("Control+Home")
    page.keyboard.press("F8")
    assert "utilise" in page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("ArrowDown")
    assert "commence" in page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    assert "We use it." in text_of(page)
    assert "commence" in page.evaluate("document.activeElement.getAttribute('aria-label')"), "on to the next"
    checked(page)
    assert "commence" in page.evaluate("document.activeElement.getAttribute('aria-label')"), (
        "the focus is kept"
    )
    page.keyboard.press("i")
    assert "endeavour" in page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") == "text-content"
    page.keyboard.press("Alt+Enter")
    assert "endeavour" not in text_of(page)
    page.keyboard.press("Control+z")
    assert "endeavour" in text_of(page)
    page.keyboard.press("F6")
    assert page.evaluate("document.querySelector('#side').contains(document.activeElement)")


def test_facts_are_confirmed_by_one_key(surf):
    page = surf()
    write(page, TEXT, ORIGINAL)
    page.get_by_role("tab", name="Facts").click()
    changed = page.locator(".fact-row.alarm, .fact-row.changed").first
    changed.wait_for()
    assert "5 May → 6 May" in changed.inner_text()
    changed.focus()
    page.keyboard.press("c")
    assert "✓ Confirmed" in changed.inner_text()
    page.keyboard.press("c")
    page.get_by_text("2 of").wait_for()
    page.reload()
    page.get_by_role("tab", name="Facts").click()
    page.get_by_text("2 of").wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_text("utf-8-sig"))))
    assert (rows[0]["Original"], rows[0]["Your text"]) == ("5 May", "6 May")
    assert [r["Confirmed"] for r in rows].count("yes") == 2
    assert {r["Checked by"] for r in rows} == {""}
    with page.expect_download() as download:
        page.get_by_role("button", name="HTML", exact=True).click()
    assert "Checked by" in download.value.path().read_text("utf-8")
    with page.expect_download() as download:
        page.get_by_role("button", name="Word", exact=True).click()
    assert download.value.suggested_filename == "facts.docx"
    table = Document(download.value.path()).tables[0]
    assert [c.text for c in table.rows[1].cells][3:5] == ["5 May", "6 May"]
    page.get_by_text("For researchers").click()
    page.locator("#scores code").first.wait_for()
    page.locator("#text-content").fill(TEXT.replace("6 May", "5 May"))
    page.get_by_text("1 of").wait_for()  # what was confirmed is no longer there


def test_sentences_that_belong_together_light_up(surf):
    page = surf()
    write(page, TEXT, ORIGINAL)
    page.locator("#fact-list .fact-row").first.wait_for(state="attached")
    page.locator("#text-content .cm-line").hover(position={"x": 60, "y": 45})
    page.locator("#original-content .lit").wait_for()
    assert page.locator("#text-content .lit").count()
    assert page.locator("#link").inner_text().startswith("Original")


def test_the_cursor_lights_the_sentence_of_the_other_text(surf):
    page = surf()
    write(page, TEXT, ORIGINAL)
    page.locator("#fact-list .fact-row").first.wait_for(state="attached")
    page.locator("#original-content").focus()
    page.keyboard.press("Control+Home")
    page.keyboard.press("ArrowRight")
    page.locator("#text-content .lit", has_text="The committee met on 6 May").wait_for()
    page.locator("#text-content").focus()
    page.keyboard.press("Control+End")
    page.locator("#original-content .lit", has_text="The committee met on 5 May").wait_for()
    page.keyboard.press("Control+Home")  # another sentence
    page.locator("#original-content .lit", has_text="The committee met").wait_for(state="detached")
    page.locator("#original-content .cm-line").hover(position={"x": 40, "y": 12})
    page.locator("#text-content .lit").first.wait_for()


def test_the_original_scrolls_along(surf):
    page = surf()
    numbers = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen".split()
    source = "\n\n".join(
        f"Paragraph {n} tells of the {n} birds of the {n} islands in the sea." for n in numbers
    )
    output = "\n\n".join(f"Part {n} tells of {n} birds of the {n} islands. " * 3 for n in numbers)
    write(page, output, source)
    page.locator("#fact-list .fact-row").first.wait_for(state="attached")
    page.wait_for_timeout(300)
    page.locator("#text-content").hover()
    page.mouse.wheel(0, 900)
    page.wait_for_function("() => document.querySelector('#original-pane .cm-scroller').scrollTop > 100")
    page.locator("#original-content").hover()
    page.mouse.wheel(0, -3000)
    page.wait_for_function("() => document.querySelector('#text-pane .cm-scroller').scrollTop < 20")


def test_offline_the_draft_is_kept(surf):
    page = surf()
    write(page, "We utilise it.")
    page.context.set_offline(True)
    page.locator("#text-content").press("End")
    page.keyboard.insert_text(" It rained.")
    page.get_by_text("The server does not answer. Your draft is kept in this browser").wait_for()
    page.wait_for_timeout(400)
    page.context.set_offline(False)
    page.get_by_text("The server does not answer").wait_for(state="detached", timeout=8000)
    page.reload()
    assert text_of(page) == "We utilise it. It rained."


def test_too_much_and_no_text_are_said(surf, tmp_path):
    page = surf()
    write(page, "We utilise it.")
    page.evaluate(
        """() => { const paste = new DataTransfer(); paste.setData("text/plain", "a ".repeat(2_500_000));
           document.querySelector("#text-content").dispatchEvent(
             new ClipboardEvent("paste", { clipboardData: paste, bubbles: true, cancelable: true })); }"""
    )
    page.get_by_text("characters; the editor takes at most 100,000. Nothing was changed.").wait_for()
    assert text_of(page) == "We utilise it."
    (tmp_path / "picture.txt").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x01\x02")
    page.locator("#open-file").set_input_files(tmp_path / "picture.txt")
    page.get_by_role("alert").get_by_text("picture.txt: not a plain text").wait_for()
    (tmp_path / "long.txt").write_text("a" * 5_000_000)
    page.locator("#open-file").set_input_files(tmp_path / "long.txt")
    page.get_by_text("long.txt: 5.0 MB, expected at most 4 MB.").wait_for()
    assert text_of(page) == "We utilise it."


@pytest.mark.parametrize("form", ["md", "txt"])
def test_opening_and_saving(surf, tmp_path, form):
    page = surf()
    path = tmp_path / f"my letter.{form}"
    path.write_text("We will utilise it.\n\nIt rained.\n", "utf-8")
    page.locator("#open-file").set_input_files(path)
    page.locator(".mark", has_text="utilise").wait_for()
    card(page, "utilise").get_by_role("button", name="use", exact=True).click()
    page.locator("#format").select_option(form)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save", exact=True).click()
    assert download.value.suggested_filename == f"my-letter.{form}"
    assert download.value.path().read_text("utf-8").split() == "We will use it. It rained.".split()


def saved_as(page, form):
    page.locator("#format").select_option(form)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save", exact=True).click()
    return download.value


def test_a_word_document_is_edited_and_saved(surf, tmp_path):
    document = Document()
    document.add_heading("Your visit", 1)
    document.add_paragraph("We will utilise the hall.").runs[0].bold = True
    document.add_paragraph("It rained.")
    document.add_table(1, 1).cell(0, 0).text = "Bring a coat."
    document.sections[0].footer.paragraphs[0].text = "Riverside hall"
    document.save(tmp_path / "letter.docx")
    page = surf()
    assert page.locator("#format option[value=tracked]").is_disabled(), "there is no document yet"
    page.locator("#open-file").set_input_files(tmp_path / "letter.docx")
    page.locator(".mark", has_text="utilise").wait_for()
    assert page.locator("#document-name").inner_text() == "letter.docx"
    assert "The last paragraph is a note, header or footer" in page.locator("#file-notes").inner_text()
    card(page, "utilise").get_by_role("button", name="use", exact=True).click()
    page.wait_for_timeout(400)
    page.reload()  # the browser keeps the document, too
    checked(page)
    page.locator("#format option[value=tracked]:not([disabled])").wait_for(state="attached")
    for form in ("docx", "tracked", "comments"):
        download = saved_as(page, form)
        assert download.suggested_filename == "letter.docx"
        saved = Document(download.path())
        assert [p.style.name for p in saved.paragraphs] == ["Heading 1", "Normal", "Normal"]
        assert saved.tables[0].cell(0, 0).text == "Bring a coat."
        assert saved.sections[0].footer.paragraphs[0].text == "Riverside hall"
        changed = saved.paragraphs[1]
        if form == "tracked":
            assert [e.text for e in changed._p.iter() if e.tag.endswith("}delText")] == ["utilise"]
            assert [e.text for e in changed._p.iter() if e.tag.endswith("}t")] == [
                "We will ",
                "use",
                " the hall.",
            ]
        else:
            assert changed.text == "We will use the hall."
            assert {r.bold for r in changed.runs if r.text} == {True}
    assert (
        saved_as(page, "md").path().read_text("utf-8").startswith("# Your visit\n\nWe will use the hall.\n")
    )
    assert "<h1>Your visit</h1>" in saved_as(page, "html").path().read_text("utf-8")
    (tmp_path / "broken.docx").write_bytes(b"PK\x03\x04 not a zip")
    page.locator("#open-file").set_input_files(tmp_path / "broken.docx")
    page.get_by_role("alert").get_by_text("broken.docx").wait_for()
    assert "We will use the hall." in text_of(page)
    page.get_by_role("button", name="New", exact=True).click()
    assert page.locator("#document-name").inner_text() == ""
    assert page.locator("#format option[value=tracked]").is_disabled()


def test_a_printed_page_is_opened(surf, browser, tmp_path):
    printer = browser.new_page()
    printer.set_content("<h1>Your visit</h1><p>We will utilise the hall on 5 May. It is non-slip.</p>")
    printer.pdf(path=tmp_path / "leaflet.pdf")
    printer.close()
    page = surf()
    page.locator("#open-file").set_input_files(tmp_path / "leaflet.pdf")
    page.locator(".mark", has_text="utilise").wait_for()
    assert text_of(page).split() == "Your visit We will utilise the hall on 5 May. It is non-slip.".split()
    page.locator("#open-original-file").set_input_files(tmp_path / "leaflet.pdf")
    page.locator("#original-content").get_by_text("Your visit").wait_for()


def test_without_scripts_it_is_a_form(surf):
    page = surf(java_script_enabled=False)
    page.locator("#original").fill(ORIGINAL)
    page.locator("#text").fill(TEXT)
    page.locator("#grade").fill("2")
    page.get_by_text("Your word list").click()
    page.locator("#words").fill("term,use instead,never use,explain\nhall,,yes,")
    page.get_by_role("button", name="Check").click()
    assert page.locator("mark", has_text="utilise").count() == 1
    cards = page.locator("#card-list").inner_text()
    assert "use" in cards
    assert "never to use “hall”" in cards
    assert "5 May → 6 May" in page.locator("#fact-list").inner_text()
    assert "at most 2" in page.locator("#meters").inner_text()
    assert page.locator("#text").input_value() == TEXT


@pytest.mark.parametrize("scripts", [True, False])
def test_texts_are_only_texts(surf, tmp_path, scripts):
    page = surf(java_script_enabled=scripts)
    words = 'term,use instead,never use,explain\n"<img src=x onerror=alert(1)>",<b>x</b>,,\n'
    if scripts:
        for attack in ATTACKS:
            write(page, attack, attack[::-1])
        write(page, f"{EVIL} utilise <img src=x onerror=alert(1)>", " ".join(reversed(ATTACKS)))
        page.get_by_role("tab", name="Targets").click()
        page.get_by_text("Your word list").click()
        page.locator("#words").fill(words)
        page.locator(".mark.limit").first.wait_for()
        name = tmp_path / '"><img src=x onerror=alert(2)>.txt'
        name.write_bytes(b"\x00\x01")
        page.locator("#open-file").set_input_files(name)
        page.get_by_role("alert").get_by_text("not a plain text").wait_for()
        page.get_by_role("tab", name="Facts").click()
        page.get_by_role("tab", name="Suggestions").click()
        for item in page.locator("#card-list article").all()[:8]:
            item.click()
        page.reload()
        checked(page)
        assert "<script>alert(1)</script>" in text_of(page)
    else:
        page.locator("#original").fill(" ".join(reversed(ATTACKS)))
        page.locator("#text").fill(EVIL)
        page.get_by_text("Your word list").click()
        page.locator("#words").fill(words)
        page.get_by_role("button", name="Check").click()
        assert "<script>alert(1)</script>" in page.locator(".marked").inner_text()
    assert (
        page.locator("main img:not(.cm-widgetBuffer), main iframe, main base, main math, main script").count()
        == 0
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_phone(surf, scheme):
    page = surf(viewport={"width": 375, "height": 740}, color_scheme=scheme)
    write(page, TEXT)
    page.locator(".mark", has_text="utilise").click()
    page.locator("#peek").get_by_role("button", name="use", exact=True).click()
    assert "We will use the hall." in text_of(page)
    for view in ("Original", "Suggestions", "Facts", "Targets", "Text"):
        page.get_by_label("Panes").get_by_role("button", name=view).click()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_everything_is_on_one_screen(surf):
    page = surf(viewport={"width": 1280, "height": 800})
    write(page, "\n\n".join([HARD, TEXT] * 20), ORIGINAL * 30)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    for place in ("#original-content", "#text-content", "#card-list .suggestion", "#meters", ".foot"):
        box = page.locator(place).first.bounding_box()
        assert box["y"] < 790


@pytest.mark.parametrize("width", [1280, 375])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(surf, axe, width, scheme):
    page = surf(viewport={"width": width, "height": 800}, color_scheme=scheme)
    assert axe(page) == []
    write_hidden(page)
    for view in (
        ("Original", "Text", "Suggestions", "Facts", "Targets")
        if width < 960
        else ("Suggestions", "Facts", "Targets")
    ):
        if width < 960:
            page.get_by_label("Panes").get_by_role("button", name=view).click()
        else:
            page.get_by_role("tab", name=view).click()
        if view == "Suggestions":
            page.locator("#card-list article").first.click()
        if view == "Targets":
            page.get_by_label("School grade").fill("2")
            checked(page)
        assert axe(page) == [], view
    if width > 960:
        page.get_by_role("button", name="Keys").click()
        assert axe(page) == [], "keys"


def write_hidden(page):
    """Both texts, wherever they are seen."""
    for name, text in (("original", ORIGINAL), ("text", TEXT)):
        if not page.locator(f"#{name}-content").is_visible():
            page.locator(f"[data-view={name}]").click()
        page.locator(f"#{name}-content").fill(text)
    checked(page)
    page.wait_for_timeout(700)


def test_others_are_not_told_that_nothing_leaves_the_machine(browser, served):
    with playground.running(workers=served.workers, local=False) as one:
        page = browser.new_page()
        page.goto(one.url)
        page.get_by_text("Saved in this browser").wait_for()
        assert "nothing leaves this machine" not in page.locator("body").inner_text().lower()
        assert (
            "Saved in this browser · checked by the machine that serves this page"
            in page.locator(".foot").inner_text()
        )
        page.close()
