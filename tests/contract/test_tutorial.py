"""The tutorial and the worked examples are true: their commands run and print what is shown.

`python scripts/update_console_output.py docs/PAGE.md` refreshes a page. Python examples are run by test_docs.py.
"""

import pytest

from conftest import ROOT, SHARED
from support.pages import check_command, commands

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
