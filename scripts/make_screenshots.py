"""Writes the pictures of README.md and docs/editor.md: the report on examples/ and the editor, in light and dark.

python scripts/make_screenshots.py       (needs the extra `test` and Chromium)
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
SCALE = 0.9  # keeps each picture below 200 kB
SAMPLE = 2  # hasty drops "not" here
# The sections between the score table and the samples, and the controls, are left out of the picture.
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
    examples = ROOT / "examples"
    images = ROOT / "docs" / "images"
    images.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_path = Path(folder) / "report.html"
        report = pm.report(
            [examples / f"{name}.txt" for name in ("careful", "hasty", "copy")],
            source=examples / "source.txt",
            references=[examples / f"reference.{i}" for i in range(2)],
            metrics=["sari", "bleu", "fkgl"],
        )
        report.save(page_path)
        browser = playwright.chromium.launch(
            executable_path=browser_path(), args=["--no-sandbox", "--disable-gpu", "--disable-lcd-text"]
        )
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
            target = images / f"report-{scheme}.png"
            page.screenshot(path=target, full_page=True)
            print(f"{target.relative_to(ROOT)}: {target.stat().st_size / 1000:.0f} kB")
        take_editor(browser, images)
        browser.close()


def take_editor(browser, images):
    """The editor with an example, a target and an open card."""
    command = [sys.executable, "-m", "plainmark", "serve", "--port", "0", "--workers", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        address = server.stdout.readline().split()[1]
        for scheme in ("light", "dark"):
            page = browser.new_page(
                viewport={"width": 1280, "height": 800}, device_scale_factor=SCALE, color_scheme=scheme
            )
            page.goto(f"{address}?example=library")
            page.locator("#tab-targets").click()
            page.locator("#grade").fill("6")
            page.locator("#tab-cards").click()
            page.locator("#card-list article").first.click(timeout=60_000)
            page.locator("#fact-list .fact-row").first.wait_for(state="attached", timeout=60_000)
            page.wait_for_timeout(2000)
            target = images / f"editor-{scheme}.png"
            page.screenshot(path=target)
            print(f"{target.relative_to(ROOT)}: {target.stat().st_size / 1000:.0f} kB")
            page.close()
        server.terminate()


if __name__ == "__main__":
    main()
