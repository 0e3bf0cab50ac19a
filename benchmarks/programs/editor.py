"""The editor in Chromium: the time from a key stroke to the new marks, its parts, and memory over many edits.

    python -m benchmarks editor [--words 500 2000 10000] [--strokes 15] [--edits 200]

One letter is typed at the beginning of a text, after a pause, and the page measures the time until the marks of the new
text are on the screen, including the pause before a check. "server" is the time until the answer arrives, "page" the rest.
The text repeats a paragraph with different numbers, so that all sentences differ.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

PARAGRAPH = (
    "On day {n} the administration of the hospital commenced with the implementation of the new regulations. "
    "Patients who require assistance should endeavour to contact ward {n} prior to their appointment. "
    "The forms were distributed by {n} members of staff, and approximately {n} of them were returned. "
    "It rained in the night. We will utilise room {n} for the duration of the works. "
)
# Types a letter and waits until the answer about the text with it has been drawn.
STROKE = """async () => {
  const seen = () => Number(document.documentElement.dataset.checked || 0);
  const before = seen();
  const start = performance.now();
  document.execCommand("insertText", false, "x");
  await new Promise((done) => {
    const look = () => (seen() > before ? requestAnimationFrame(() => setTimeout(done)) : setTimeout(look, 1));
    look();
  });
  const end = performance.now();
  const asked = performance.getEntriesByType("resource").filter((e) => e.name.endsWith("/editor/check") && e.startTime >= start).at(-1);
  performance.clearResourceTimings();
  return { total: end - start, asked: asked.startTime - start, server: asked.duration, page: end - asked.responseEnd, bytes: asked.decodedBodySize };
}"""


def main(arguments: list[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks editor", description=__doc__)
    parser.add_argument("--words", nargs="+", type=int, default=[500, 2000, 10_000], help="lengths of texts")
    parser.add_argument("--strokes", type=int, default=15, help="key strokes for each length")
    parser.add_argument(
        "--edits", type=int, default=200, help="edits of the text of which memory is measured"
    )
    parser.add_argument("--memory-words", type=int, default=2000, help="its length")
    options = parser.parse_args(arguments)
    from playwright.sync_api import sync_playwright

    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None:
        raise SystemExit("no Chromium on the path; install it: apt-get install chromium")
    command = [sys.executable, "-m", "plainmark", "serve", "--port", "0", "--workers", "2"]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server,
        sync_playwright() as playwright,
    ):
        assert server.stdout is not None
        address = server.stdout.readline().split()[1]
        chromium = playwright.chromium.launch(
            executable_path=browser, args=["--no-sandbox", "--disable-gpu", "--enable-precise-memory-info"]
        )
        try:
            print(f"{'words':>7}{'median':>9}{'slowest':>9}{'asked':>8}{'server':>8}{'page':>7}{'answer':>9}")
            for words in options.words:
                show(words, strokes(chromium, address, words, options.strokes))
            if options.edits:
                memory(chromium, address, server.pid, options)
        finally:
            chromium.close()
            server.terminate()
    return 0


def open_text(chromium: Any, address: str, words: int) -> Any:
    """A page with a text of about this many words, checked once."""
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    page.goto(address)
    parts = [PARAGRAPH.format(n=n) for n in range(2, 2 + round(words / len(PARAGRAPH.split())))]
    page.locator("#text-content").focus()
    page.evaluate("(text) => document.execCommand('insertText', false, text)", "\n\n".join(parts))
    page.locator(".mark").first.wait_for(timeout=120_000)
    settle(page)
    page.keyboard.press("Control+Home")
    return page


def settle(page: Any) -> None:
    """Wait until nothing has been checked for a while."""
    page.wait_for_function(
        """() => new Promise((done) => { const seen = document.documentElement.dataset.checked;
             setTimeout(() => done(seen && seen === document.documentElement.dataset.checked), 800); })""",
        timeout=120_000,
    )


def strokes(chromium: Any, address: str, words: int, count: int) -> list[dict[str, float]]:
    """The times of some key strokes; the first one is not counted."""
    page = open_text(chromium, address, words)
    rows = []
    for _ in range(count + 1):
        rows.append(page.evaluate(STROKE))
        page.wait_for_timeout(400)
    page.close()
    return rows[1:]


def show(words: int, rows: list[dict[str, float]]) -> None:
    """One line of the table; milliseconds and kilobytes."""
    median = {name: statistics.median(row[name] for row in rows) for name in rows[0]}
    slowest = max(row["total"] for row in rows)
    print(
        f"{words:>7,}{median['total']:>9.0f}{slowest:>9.0f}{median['asked']:>8.0f}{median['server']:>8.0f}"
        f"{median['page']:>7.0f}{median['bytes'] / 1000:>9.0f}",
        flush=True,
    )


def memory(chromium: Any, address: str, pid: int, options: argparse.Namespace) -> None:
    """Memory of the page and of the server with its workers, before and after edits."""
    page = open_text(chromium, address, options.memory_words)
    session = page.context.new_cdp_session(page)

    def used() -> tuple[float, float]:
        session.send("HeapProfiler.collectGarbage")
        heap = page.evaluate("performance.memory.usedJSHeapSize")
        return heap / 1e6, resident(pid) / 1e6

    for _ in range(20):
        page.evaluate(STROKE)
    before = used()
    for _ in range(options.edits):
        page.evaluate(STROKE)
    after = used()
    page.close()
    print(
        f"{options.edits} edits of {options.memory_words:,} words: page {before[0]:.1f} -> {after[0]:.1f} MB,",
        end=" ",
    )
    print(f"server and workers {before[1]:.0f} -> {after[1]:.0f} MB")
    print(json.dumps({"page": [before[0], after[0]], "server": [before[1], after[1]]}))


def resident(pid: int) -> int:
    """The resident bytes of a process and its children (Linux)."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE") + sum(resident(int(child)) for child in children)
