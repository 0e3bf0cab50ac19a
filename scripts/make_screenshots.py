"""Writes the pictures of README.md and docs/editor.md: the report on examples/ and the editor, in light and dark.

python scripts/make_screenshots.py [editor]      (needs the extra `test` and Chromium; `editor` leaves the report as it is)
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

import plainmark as pm

ROOT = Path(__file__).resolve().parents[1]
WIDTH = 1080
SCALE = 0.9  # so that each picture stays below 200 kB
SAMPLE = 2  # hasty drops "not" here
EDITOR_SCALE = 0.8  # so that each picture stays below 160 kB
ORIGINAL = """Following your endoscopy

You have undergone a gastroscopy, an examination in which a flexible instrument is passed through the mouth to facilitate \
visualisation of the stomach. Subsequent to the administration of sedation, you must not drive or operate machinery for a \
minimum of 24 hours.

Some individuals experience a mild sore throat, which generally resolves within 48 hours. Paracetamol may be taken, up to a \
maximum of 4 g in 24 hours. Do not take ibuprofen unless advised to do so by your doctor.

In the event of severe abdominal pain, persistent vomiting or the passage of black stools, contact the ward on 0114 496 0200 \
without delay.

The findings will be communicated to your general practitioner within 10 working days.
"""
TEXT = """After your endoscopy

You have had a gastroscopy. The doctor passed a thin tube through your mouth in order to look at your stomach. You were given \
sedation, so you must not drive or operate machinery for at least 24 hours.

Some individuals have a sore throat afterwards, which generally resolves within 24 hours. You may take paracetamol, up to a \
maximum of 4 g in 24 hours. Do not take ibuprofen unless your doctor tells you to.

In the event of severe abdominal pain, or if you keep vomiting or pass black stools, contact the ward on 0114 496 0200 without \
delay.

The findings will be communicated to your GP within 10 working days.
"""
# Hide the sections between the score table and the samples, and the controls.
HIDDEN = f"""
nav, #scores .note, #scores .signatures, #plots, #pairs, #relations, #samples h2, #explorer > :not(.legend),
.legend label, .pager, #samples > .note, footer, #list > :not(:nth-child({SAMPLE})), #scores > h3, #scores .copies,
#list details {{ display: none !important }}
.eyebrow {{ margin-top: 1rem }}
#samples {{ border-top: 0; padding-top: 0 }}
"""


def browser_path() -> str:
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        raise SystemExit("no Chromium on the path; install it: apt-get install chromium")
    return path


def main():
    images = ROOT / "docs" / "images"
    images.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_path(), args=["--no-sandbox", "--disable-gpu", "--disable-lcd-text"]
        )
        if sys.argv[1:] != ["editor"]:
            take_report(browser, images)
        take_editor(browser, images)
        browser.close()


def take_report(browser, images):
    """The score table of the report on examples/, and a sample."""
    examples = ROOT / "examples"
    with tempfile.TemporaryDirectory() as folder:
        page_path = Path(folder) / "report.html"
        report = pm.report(
            [examples / f"{name}.txt" for name in ("careful", "hasty", "copy")],
            source=examples / "source.txt",
            references=[examples / f"reference.{i}" for i in range(2)],
            metrics=["sari", "bleu", "fkgl"],
        )
        report.save(page_path)
        for scheme in ("light", "dark"):
            page = browser.new_page(
                viewport={"width": WIDTH, "height": 400},
                device_scale_factor=SCALE,
                color_scheme=scheme,
                bypass_csp=True,
            )
            page.goto(page_path.as_uri())
            page.locator("#list > *").nth(SAMPLE - 1).wait_for()
            page.evaluate("document.querySelector('input[name=system][value=\"2\"]').click()")
            page.add_style_tag(content=HIDDEN)
            save(page, images / f"report-{scheme}.png", full_page=True)


def take_editor(browser, images):
    """The editor with a leaflet, targets, and a card or the facts open."""
    command = [sys.executable, "-m", "plainmark", "serve", "--port", "0", "--workers", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        address = server.stdout.readline().split()[1]
        for scheme in ("light", "dark"):
            page = browser.new_page(
                viewport={"width": 1280, "height": 800}, device_scale_factor=EDITOR_SCALE, color_scheme=scheme
            )
            page.goto(address)
            for name, words in (("original", ORIGINAL), ("text", TEXT)):
                page.locator(f"#{name}-content").fill(words)
            page.locator("#tab-targets").click()
            page.locator("#grade").fill("8")
            page.locator("#max_sentence").fill("20")
            page.locator("#tab-cards").click()
            page.locator("#fact-list .fact-row").first.wait_for(state="attached", timeout=60_000)
            page.wait_for_timeout(2000)  # the answer about the targets
            page.locator(".mark", has_text="individuals").last.click()
            page.wait_for_timeout(500)
            save(page, images / f"editor-{scheme}.png")
            page.locator("#tab-facts").click()
            page.locator(".fact-row").first.click()
            page.wait_for_timeout(500)
            if scheme == "light":
                save(page, images / "editor-facts.png", clip={"x": 424, "y": 84, "width": 856, "height": 690})
            page.close()
        server.terminate()


def save(page, target, **options):
    page.screenshot(path=target, **options)
    print(f"{target.relative_to(ROOT)}: {target.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
