"""Reference pages and guides are true: the commands in their console blocks run and print what is shown.

`python scripts/update_console_output.py docs/PAGE.md` refreshes a page. Python examples are run by test_docs.py.
"""

import pytest

from conftest import ROOT
from support.pages import blocks, check_command, commands

# What the commands of a page need beyond the package.
NEEDS = {
    "models.md": pytest.mark.models,
    "perturbations.md": pytest.mark.wordnet,
    "samsa.md": (pytest.mark.models, pytest.mark.wordnet),
    "simplifier.md": pytest.mark.wordnet,
    "ucca.md": pytest.mark.models,
}
PAGES = (
    "languages.md",
    "learned.md",
    "language_model.md",
    "metrics.md",
    "models.md",
    "perturbations.md",
    "readability.md",
    "samsa.md",
    "scfg.md",
    "simplifier-models.md",
    "simplifier.md",
    "testbed.md",
    "tracks.md",
    "ucca.md",
)
COMMANDS = [
    pytest.param(command, expected, id=f"{page}: {command}", marks=NEEDS.get(page, ()))
    for page in PAGES
    for command, expected in commands((ROOT / "docs" / page).read_text("utf-8"))
    if expected is not None
]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_a_command_with_its_output(page):
    text = (ROOT / "docs" / page).read_text("utf-8")
    assert any(language == "console" for language, _ in blocks(text))


@pytest.mark.parametrize(("command", "expected"), COMMANDS)
def test_commands_print_what_is_shown(command, expected, tmp_path):
    check_command(command, expected, tmp_path)
