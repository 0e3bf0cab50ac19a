"""A real browser for pages, and a watch on everything they try to do."""

from dataclasses import dataclass, field

import pytest

from support.requirements import AXE, browser_program, require

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


@pytest.fixture
def surf(browser, served):
    """surf(): a page of a fresh browser at the module's `served`; dialogs, policy violations and requests elsewhere fail the test."""
    opened = []

    def begin(path=served.start, **options):
        context = browser.new_context(
            **{"viewport": {"width": 1280, "height": 900}, "service_workers": "block", **options}
        )
        page = context.new_page()
        bad = []
        opened.append((context, bad))
        page.on("dialog", lambda d: (bad.append(f"dialog {d.message}"), d.dismiss()))
        page.on("request", lambda r: None if r.url.startswith(served.url) else bad.append(r.url))
        page.on("pageerror", lambda e: bad.append(str(e)))
        page.on("console", lambda m: bad.append(m.text) if _is_bad(m) else None)
        if options.get("java_script_enabled", True):
            page.add_init_script(
                "addEventListener('securitypolicyviolation', e => console.error('policy: ' + e.violatedDirective))"
            )
        page.goto(served.url + path)
        return page

    yield begin
    for context, bad in opened:
        context.close()
        assert bad == []


def _is_bad(message):
    # A browser reports refusals (422) as errors of their own.
    return message.type in ("error", "warning") and "Failed to load resource" not in message.text


@pytest.fixture(scope="session")
def axe():
    """axe(page): what axe-core finds wrong with a page, one line each."""
    require("npm")
    program = AXE.read_text("utf-8")

    def call(page):
        page.evaluate(program)
        result = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [
            f"{v['id']}: {n['target']} {n['html'][:120]}" for v in result["violations"] for n in v["nodes"]
        ]

    return call
