"""A real browser for pages, and a watch on everything they try to do."""

from dataclasses import dataclass, field

import pytest

from support.requirements import browser_program, require

QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser():
    require("browser")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser_program(), args=QUIET)
        yield chromium
        chromium.close()


@dataclass
class Watch:
    """What a page did besides showing itself."""

    requests: list = field(default_factory=list)
    complaints: list = field(default_factory=list)
    dialogs: list = field(default_factory=list)


@pytest.fixture
def visit(browser):
    """Opens a file in a fresh context; the test fails if the page asks for anything, complains, or pops up a dialog."""
    opened = []

    def call(path, *, width=1280, height=900, fragment="", **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        page = context.new_page()
        watch = Watch()
        opened.append((context, watch, path))
        page.on("request", lambda r: watch.requests.append(r.url))
        page.on(
            "console", lambda m: watch.complaints.append(m.text) if m.type in ("error", "warning") else None
        )
        page.on("pageerror", lambda e: watch.complaints.append(str(e)))

        def refuse(dialog):
            watch.dialogs.append(dialog.message)
            dialog.dismiss()

        page.on("dialog", refuse)
        page.add_init_script(
            "addEventListener('securitypolicyviolation', e => console.error('policy: ' + e.blockedURI))"
        )
        page.goto(path.as_uri() + fragment)
        return page

    yield call
    for context, watch, path in opened:
        context.close()
        assert {u.partition("#")[0] for u in watch.requests} == {path.as_uri()}, "nothing else is loaded"
        assert watch.complaints == []
        assert watch.dialogs == []
