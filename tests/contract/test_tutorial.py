"""The tutorial is true: its commands run and print what it shows. Its Python examples are run by test_docs.py."""

import pytest

from conftest import ROOT
from support.pages import check_command, commands

COMMANDS = list(commands((ROOT / "docs" / "tutorial.md").read_text("utf-8")))


def test_there_are_commands():
    assert len(COMMANDS) >= 5


@pytest.mark.parametrize(("command", "expected"), COMMANDS, ids=[c for c, _ in COMMANDS])
def test_commands_print_what_is_shown(command, expected, tmp_path):
    check_command(command, expected, tmp_path)
