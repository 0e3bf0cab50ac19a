"""Commands in the code blocks of a page, and what happens when they are run in a copy of the folder examples."""

import itertools
import re
import shlex
import shutil
import subprocess
import sysconfig

from conftest import ROOT

OMITTED = "…"  # a line that stands for further lines of output


def blocks(text):
    """The language and the content of each fenced block."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def commands(text):
    """Each command of the blocks sh and console, with the output that the page shows or None."""
    for language, content in blocks(text):
        lines = content.replace("\\\n", " ").splitlines()
        if language == "console":
            for part in re.split(r"^\$ ", "\n".join(lines), flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                yield command, output.rstrip("\n") or None
        elif language == "sh":
            for line in filter(None, lines):
                yield re.sub(r"\s+#.*$", "", line), None


def check_command(command, expected, folder):
    """Run a command in a copy of the examples and compare what it prints with what the page shows."""
    check_command_in(shutil.copytree(ROOT / "examples", folder / "examples"), command, expected)


def check_command_in(folder, command, expected):
    """Run a command in a folder and compare what it prints with what the page shows."""
    name, *arguments = shlex.split(command)
    program = shutil.which(name, path=sysconfig.get_path("scripts"))
    assert program, f"{name} is not installed: pip install -e ."
    result = subprocess.run([program, *arguments], cwd=folder, capture_output=True, encoding="utf-8")
    assert result.returncode == 0, result.stderr
    if expected is not None:
        shown, printed = expected.splitlines(), result.stdout.splitlines()
        if shown[-1] == OMITTED:
            shown.pop()
            assert len(printed) > len(shown)
            del printed[len(shown) :]
        assert printed == shown
    else:
        assert result.stdout or result.stderr
    for option, path in itertools.pairwise(arguments):
        if option == "-o":
            assert (folder / path).stat().st_size > 0
