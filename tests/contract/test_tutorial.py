"""The tutorial, the worked examples and the how-to pages are true: their commands run and print what is shown.

`python scripts/update_console_output.py docs/PAGE.md` refreshes a page. Python examples are run by test_docs.py.
"""

import re
import shutil

import pytest

from conftest import ROOT, SHARED
from plainmark.study import load, templates
from support.pages import check_command, check_command_in, commands

PAGES = {
    "tutorial.md": (),
    "example-leaflet.md": (),
    "example-metric.md": (pytest.mark.data, pytest.mark.wordnet),
}
COMMANDS = [
    pytest.param(page, command, expected, id=f"{page}: {command}", marks=marks)
    for page, marks in PAGES.items()
    for command, expected in commands((ROOT / "docs" / page).read_text("utf-8"))
]


@pytest.mark.parametrize("page", PAGES)
def test_there_are_commands(page):
    assert len([1 for parameter in COMMANDS if parameter.values[0] == page]) >= 4


@pytest.mark.parametrize(("page", "command", "expected"), COMMANDS)
def test_commands_print_what_is_shown(page, command, expected, tmp_path, monkeypatch):
    if PAGES[page]:
        monkeypatch.setenv("PLAINMARK_DATA", str(SHARED / "data"))
    check_command(command, expected, tmp_path)


def test_the_settings_of_the_repository_do_not_apply_to_the_examples():
    """A reader runs the commands in the clone, below this repository's own plainmark.toml."""
    page = (ROOT / "docs" / "example-leaflet.md").read_text("utf-8")
    command, expected = next(
        (c, e) for c, e in commands(page) if c.startswith("plainmark check leaflet/draft.md")
    )
    check_command_in(ROOT / "examples", command, expected)


# Commands of how-to pages that are not run, and why.
NOT_RUN = {
    "plainmark study plan my-study --power --difference 10": "takes two minutes; tests/unit/test_study_power.py",
    "plainmark study preview my-study": "serves until it is stopped; tests/unit/test_web_running.py",
    "plainmark study serve my-study": "serves until it is stopped; tests/browser/test_study.py",
    "plainmark study serve my-study --live": "serves until it is stopped; tests/browser/test_study_path.py",
    "plainmark study report my-study --live -o report.html": "needs answers; tests/unit/test_study_report.py",
    "plainmark study archive my-study --live --preregistration plan.md -o my-study.zip": "needs answers; "
    "tests/unit/test_study_archive.py",
    "plainmark study rerun my-study.zip": "needs an archive; tests/unit/test_study_archive.py",
}
HOW_TO = {page.name: [*commands(page.read_text("utf-8"))] for page in sorted(ROOT.glob("docs/how-to-*.md"))}


@pytest.mark.parametrize("page", [page for page, found in HOW_TO.items() if found])
def test_how_to_pages_can_be_followed_from_top_to_bottom(page, tmp_path):
    folder = shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for command, expected in HOW_TO[page]:
        if command not in NOT_RUN:
            check_command_in(folder, command, expected)


def test_the_rules_of_the_how_to_page_on_studies_fit_its_template(tmp_path):
    templates.copy("reading-comprehension", tmp_path / "my-study")
    (rules,) = re.findall(
        r"```yaml\n(.*?)```", (ROOT / "docs" / "how-to-study.md").read_text("utf-8"), re.DOTALL
    )
    with (tmp_path / "my-study" / "study.yaml").open("a") as file:
        file.write(rules)
    definition = load(tmp_path / "my-study").definition
    assert definition.exclusions.attention
    assert definition.analysis.baseline == "original"


def test_every_exception_is_on_a_how_to_page():
    assert {command for found in HOW_TO.values() for command, _ in found} >= NOT_RUN.keys()
    for reason in NOT_RUN.values():
        assert (ROOT / reason.split("; ")[1]).exists()
