"""The playground in a real browser: pasting, comparing, saving, files, keyboard, no scripts, phone, dark, attacks."""

import json
import re

import pytest

from plainmark.report import html
from support import playground
from support.attacks import ATTACKS, EVIL

SOURCE = "The committee met on 5 May in Oslo. Nobody objected. It rained."
OUTPUT = "It rained. The committee met on 6 May in Oslo. People sang."


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    page = html.document(
        EVIL, f"<main>{html.escape(EVIL)}</main>", style="", script="document.title = 'ran'", data={}
    )
    (folder / "evil <img src=x onerror=alert(1)>.html").write_text(page, "utf-8")
    with playground.running(folder=folder) as one:
        one.start = "/compare"
        one.workers.warm_up()
        yield one


def fill(page, source=SOURCE, output=OUTPUT):
    page.get_by_label("Original", exact=True).fill(source)
    page.get_by_label("Simplified text", exact=True).fill(output)


def seen(page):
    page.get_by_role("heading", name="At a glance").wait_for()
    return page.locator("#result")


def test_pasting_shows_what_changed_at_once(surf):
    page = surf()
    fill(page)
    result = seen(page)
    assert "A number changed: 5 May → 6 May" in result.inner_text()
    assert page.locator(".ribbons path").count() == 2
    assert page.locator("li.moved").count()
    assert page.locator(".column li.perhaps-rewritten").first.inner_text().startswith("Nobody objected.")
    page.get_by_label("Simplified text", exact=True).fill(SOURCE)
    page.get_by_text("The two texts are the same.").wait_for()


def test_sentences_light_up_together_and_links_lead_to_them(surf):
    page = surf("/compare?example=library")
    page.locator("#a0-0").focus()
    assert page.locator("#a1-0").evaluate("e => e.classList.contains('lit')")
    page.get_by_role("link", name="sentence 4").first.click()
    page.wait_for_url("**#a0-3")


def test_comparing_two_versions(surf):
    page = surf()
    fill(page)
    page.get_by_text("Compare with a second version").click()
    page.get_by_label("Second version").fill("The committee met on 5 May in Oslo.")
    page.get_by_role("heading", name="From version A to version B").wait_for()
    assert page.locator(".card").count() == 2
    assert page.locator(".ribbons").count() == 3
    page.get_by_text("References, for SARI").click()
    page.get_by_label("Reference 1").fill("The committee met.")
    page.get_by_role("rowheader", name="SARI").wait_for()


@pytest.mark.parametrize("scripts", [True, False])
def test_saving(surf, tmp_path, visit, scripts):
    page = surf("/compare?example=tablets", java_script_enabled=scripts)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as HTML").click()
    path = tmp_path / "saved.html"
    download.value.save_as(path)
    saved = visit(path)
    assert saved.locator(".ribbons path").count() > 5
    assert "Two versions compared" in saved.title()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as JSON").click()
    data = json.loads(download.value.path().read_text("utf-8"))
    changed = [e for e in data["first"]["ledger"]["entries"] if e["verdict"] == "changed"]
    assert changed[0]["after"]["text"] == "1 in 10"


@pytest.mark.parametrize("scripts", [True, False])
def test_files(surf, tmp_path, scripts):
    (tmp_path / "a.txt").write_text(SOURCE, "utf-8")
    (tmp_path / "b.txt").write_bytes(OUTPUT.encode("utf-16"))
    (tmp_path / "c.pdf").write_bytes(b"%PDF-1.7\x00\x01\x02")
    page = surf(java_script_enabled=scripts)
    page.locator("[name=source_file]").set_input_files(tmp_path / "a.txt")
    page.locator("[name=output_file]").set_input_files(tmp_path / "b.txt")
    page.get_by_role("button", name="Show what changed").click()
    assert "5 May → 6 May" in seen(page).inner_text()
    page.locator("[name=output_file]").set_input_files(tmp_path / "c.pdf")
    page.get_by_role("button", name="Show what changed").click()
    assert "c.pdf: not a plain text" in page.get_by_role("alert").get_by_text("c.pdf").inner_text()


def test_keyboard_only(surf):
    page = surf()
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "source":
            break
    page.keyboard.insert_text(SOURCE)
    for _ in range(3):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "output":
            break
    page.keyboard.insert_text(OUTPUT)
    for _ in range(10):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Show what changed":
            break
    page.keyboard.press("Enter")
    seen(page)
    page.wait_for_function("document.activeElement.textContent === 'At a glance'")
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "a0-0":
            break
    assert page.locator("#a0-0.lit").count() == 1
    assert "rewritten, moved; simplified sentence 2" in page.locator("#a0-0").text_content()


def test_without_scripts(surf):
    page = surf(java_script_enabled=False)
    fill(page)
    page.get_by_role("button", name="Show what changed").click()
    assert "5 May → 6 May" in seen(page).inner_text()
    assert page.get_by_label("Original", exact=True).input_value() == SOURCE
    fill(page, output="")
    with page.expect_navigation():
        page.get_by_role("button", name="Show what changed").click()
    assert (
        page.get_by_role("alert").inner_text()
        == "The simplified text is empty. Paste it, or choose a text file."
    )


def test_problems_are_said(surf):
    page = surf()
    page.get_by_role("button", name="Show what changed").click()
    page.get_by_text("The original is empty.").wait_for()
    fill(page, "a" * 10_000_000)
    page.get_by_role("button", name="Show what changed").click()
    page.get_by_text("This is more than the playground takes at once").wait_for(timeout=30_000)


def test_ten_megabytes_without_scripts(surf):
    page = surf(java_script_enabled=False)
    fill(page, "a" * 10_000_000)
    page.get_by_role("button", name="Show what changed").click()
    page.get_by_text("This is more than the playground takes at once").wait_for(timeout=30_000)


@pytest.mark.parametrize(
    "path", ["/compare", "/compare?example=tablets", "/compare?example=library", "/api", "/reports"]
)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_phone(surf, path, scheme):
    page = surf(path, viewport={"width": 360, "height": 740}, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    colours = page.evaluate(
        "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
    )
    light = [sum(map(int, re.findall(r"\d+", c)[:3])) for c in colours]
    assert (light[0] > light[1]) == (scheme == "light")


@pytest.mark.parametrize("scripts", [True, False])
def test_texts_are_only_texts(surf, visit, tmp_path, scripts):
    page = surf(java_script_enabled=scripts)
    fill(page, EVIL, " ".join(reversed(ATTACKS)))
    for details in page.locator("details summary").all():
        details.click()
    page.get_by_label("Second version").fill(EVIL)
    page.get_by_label("Reference 1").fill(EVIL)
    page.get_by_role("button", name="Show what changed").click()
    page.get_by_role("heading", name="From version A").wait_for()
    assert "<script>alert(1)</script>" in seen(page).inner_text()
    assert page.locator("main img, main iframe, main base, main math, main script").count() == 0
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as HTML").click()
    path = tmp_path / "saved.html"
    download.value.save_as(path)
    assert "<script>alert(1)</script>" in visit(path).locator("main").inner_text()


@pytest.mark.parametrize("attack", ATTACKS)
def test_each_attack_alone(surf, attack):
    page = surf()
    fill(page, attack, attack[::-1])
    page.get_by_role("button", name="Show what changed").click()
    seen(page)


def test_file_names_and_reports_are_only_texts(surf, tmp_path):
    page = surf("/reports")
    assert "<script>alert(1)</script>" in page.locator(".shelf").first.inner_text()
    with page.expect_popup() as popup:
        page.locator(".shelf a").first.click()
    popup.value.wait_for_load_state()
    assert popup.value.title() == "ran"  # its own script, in a sandbox
    assert popup.value.evaluate("origin") == "null"


def test_contrast_and_names(surf):
    page = surf("/compare?example=tablets")
    for control in page.locator("input, textarea, button").all():
        named = control.evaluate("e => (e.labels && e.labels.length) || e.textContent.trim() || e.ariaLabel")
        assert named
    assert page.locator("h1").count() == 1
    assert page.locator("html").get_attribute("lang") == "en"
