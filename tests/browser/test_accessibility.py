"""axe-core finds nothing on the pages that plainmark serves and writes: wide and on a phone, light and dark."""

import re

import pytest

from plainmark.cli import main
from plainmark.faithfulness import facts
from plainmark.report import study as study_page
from plainmark.study.analysis.analyse import analyse
from plainmark.study.analysis.responses import Response
from plainmark.web.editor.checklist import checklist
from support import hostile_pages, playground, studies
from support.requirements import ROOT
from support.study_server import TOKEN
from support.study_server import served as served_study

SOURCE = ["-s", "source.txt"]
REFERENCES = ["-r", "reference.0", "reference.1"]
COMMANDS = {
    "report": ["report", "hasty.txt", "careful.txt", *SOURCE, *REFERENCES, "-m", "sari,bleu,fkgl"],
    "facts": ["facts", "source.txt", "hasty.txt"],
    "align": ["align", "source.txt", "hasty.txt"],
    "explain": ["explain", "sari", "hasty.txt", *SOURCE, *REFERENCES],
    "quality": ["explain", "quality(encoder='none')", "hasty.txt", *SOURCE],
    "groups": ["explain", "agg(sari)", "hasty.txt", *SOURCE, *REFERENCES],
}


@pytest.fixture(scope="module")
def examples(tmp_path_factory):
    """The first lines of the examples."""
    folder = tmp_path_factory.mktemp("examples")
    for name in ("source.txt", "hasty.txt", "careful.txt", "reference.0", "reference.1"):
        lines = (ROOT / "examples" / name).read_text("utf-8").splitlines(keepends=True)
        (folder / name).write_text("".join(lines[:3]), "utf-8")
    return folder


@pytest.fixture
def four(axe):
    """four(page): what axe-core finds on a page on both screens, in both schemes."""

    def call(page):
        problems = []
        for width in (1280, 375):
            page.set_viewport_size({"width": width, "height": 800})
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                problems += [f"{width} {scheme} {p}" for p in axe(page)]
        return problems

    return call


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with playground.running(folder=tmp_path_factory.mktemp("reports")) as one:
        one.workers.warm_up()
        yield one


@pytest.mark.parametrize("name", COMMANDS)
def test_pages_of_commands(visit, four, examples, monkeypatch, name):
    monkeypatch.chdir(examples)
    path = examples / f"{name}.html"
    assert main([*COMMANDS[name], "-o", str(path)]) == 0
    assert four(visit(path)) == []


@pytest.mark.parametrize("render", hostile_pages.PAGES)
def test_every_kind_of_page(visit, four, tmp_path, render):
    path = tmp_path / "page.html"
    path.write_text(render(), "utf-8")
    assert four(visit(path)) == []


def test_a_stress_test(visit, four, tmp_path):
    path = tmp_path / "stress.html"
    path.write_text(hostile_pages.stress_page(tmp_path), "utf-8")
    assert four(visit(path)) == []


def test_findings_and_checklist(visit, four, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # not under the rules of this repository
    (tmp_path / "letter.txt").write_text("We will utilise the hall. It was signed by nobody at all.", "utf-8")
    assert main(["check", str(tmp_path / "letter.txt"), "--comments", str(tmp_path / "out")]) == 0
    assert four(visit(tmp_path / "out" / "letter.txt.html")) == []
    entries = facts("It cost 12 euros on 5 May.", "It cost 13 euros in Oslo.").entries
    (tmp_path / "list.html").write_bytes(checklist(entries, {0}, "html"))
    assert four(visit(tmp_path / "list.html")) == []


def test_the_report_of_a_study(visit, four, tmp_path):
    study = studies.write(tmp_path / "study", studies.definition(design={"per_participant": 2}))
    rows = [Response(c, i.id, "q1", "r", "A", "A") for i in study.items for c in study.definition.conditions]
    path = tmp_path / "study.html"
    path.write_text(
        study_page.render(analyse(study, rows, resamples=50), people={"complete": 1}, flags=[]), "utf-8"
    )
    assert four(visit(path)) == []


@pytest.mark.parametrize(
    "path", ["/?example=library", "/compare", "/compare?example=tablets", "/api", "/reports", "/nothing"]
)
def test_served_pages(surf, four, path):
    assert four(surf(path)) == []


def test_the_form_without_scripts(surf, browser, axe):
    """axe-core needs scripts: the answer is taken without the page's own and shown to it."""
    page = surf(java_script_enabled=False)
    page.locator("#text").fill("We will utilise the hall. It was signed by nobody on 6 May.")
    page.locator("#original").fill("They will use the hall. Nobody signed it on 5 May.")
    page.locator("#grade").fill("2")
    page.get_by_role("button", name="Check").click()
    page.locator("mark").first.wait_for()
    address, source = page.url, page.content()
    for width in (1280, 375):
        for scheme in ("light", "dark"):
            context = browser.new_context(
                viewport={"width": width, "height": 800}, color_scheme=scheme, bypass_csp=True
            )
            shown = context.new_page()
            shown.route(re.compile(r"\.js\b"), lambda route: route.abort())
            shown.route(address, lambda route: route.fulfill(body=source, content_type="text/html"))
            shown.goto(address)
            assert not shown.locator("html.js").count()
            assert axe(shown) == [], (width, scheme)
            assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
            context.close()


def test_pages_of_a_study(browser, four, tmp_path):
    """What a participant and the person in charge see."""
    with served_study(studies.write(tmp_path / "study")) as study:
        context = browser.new_context(service_workers="block")
        page = context.new_page()
        page.goto(f"{study.url}/?PROLIFIC_PID=someone")
        seen = set()
        for _ in range(6):
            assert four(page) == [], page.title()
            seen.add(page.locator("main").inner_text())
            if not page.locator("form[data-page]").count():
                break
            for field in page.locator("fieldset.question").all():
                for radio in field.locator("input[type=radio]").all()[:1]:
                    radio.check()
                for box in field.locator("textarea").all():
                    box.fill("Some words")
            with page.expect_navigation():
                page.locator("button.go").click()
        assert len(seen) > 1, "more than the first page"
        page.goto(f"{study.url}/admin?token={TOKEN}")
        for path in ("/admin", "/admin/review", "/admin/audit"):
            page.goto(study.url + path)
            assert four(page) == [], path
        context.close()
