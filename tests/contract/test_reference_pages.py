"""Reference pages and guides are true: the commands in their console blocks run and print what is shown.

`python scripts/update_console_output.py docs/PAGE.md` refreshes a page. Python examples are run by test_docs.py.
"""

import shutil

import pytest

from conftest import ROOT
from support.pages import blocks, check_command_in, commands

# What the commands of a page need beyond the package.
NEEDS = {
    "perturbations.md": pytest.mark.wordnet,
    "samsa.md": (pytest.mark.models, pytest.mark.wordnet),
    "simplifier.md": pytest.mark.wordnet,
    "ucca.md": pytest.mark.models,
}
PAGES = (
    "language_model.md",
    "metrics.md",
    "perturbations.md",
    "readability.md",
    "samsa.md",
    "simplifier-models.md",
    "simplifier.md",
    "testbed.md",
    "tracks.md",
    "ucca.md",
)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_a_command_with_its_output(page):
    text = (ROOT / "docs" / page).read_text("utf-8")
    assert any(language == "console" for language, _ in blocks(text))


@pytest.mark.parametrize("page", [pytest.param(page, id=page, marks=NEEDS.get(page, ())) for page in PAGES])
def test_commands_print_what_is_shown(page, tmp_path):
    folder = shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for command, expected in commands((ROOT / "docs" / page).read_text("utf-8")):
        if expected is not None:
            check_command_in(folder, command, expected)
