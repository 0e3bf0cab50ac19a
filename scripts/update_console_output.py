"""Runs the commands in the console blocks of documentation pages and replaces the output shown with the current one.

    python scripts/update_console_output.py docs/tutorial.md docs/example-leaflet.md

A block that ends with a line "…" shows as many lines as before. tests/contract/test_tutorial.py compares the same output.
"""

import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from shutil import copytree

ROOT = Path(__file__).resolve().parent.parent
OMITTED = "…"


def shown(command: str, before: list[str], folder: Path) -> list[str]:
    """The lines to show for a command: all, or as many as before."""
    _, *arguments = shlex.split(command)
    call = [sys.executable, "-m", "plainmark", *arguments]
    lines = subprocess.run(call, cwd=folder, capture_output=True, encoding="utf-8").stdout.splitlines()
    shorter = before[-1:] == [OMITTED] and len(lines) >= len(before)
    return [*lines[: len(before) - 1], OMITTED] if shorter else lines


def updated(text: str, folder: Path) -> str:
    """The text of a page with fresh output."""

    def block(match: re.Match[str]) -> str:
        parts = []
        for part in re.split(r"^\$ ", match[1], flags=re.MULTILINE)[1:]:
            command, *before = part.rstrip("\n").split("\n")
            parts += [f"$ {command}", *shown(command, before, folder)]
        return "```console\n" + "\n".join(parts) + "\n```"

    return re.sub(r"```console\n(.*?)^```", block, text, flags=re.DOTALL | re.MULTILINE)


def main(paths: list[str]) -> None:
    for path in map(Path, paths):
        with tempfile.TemporaryDirectory() as name:
            folder = copytree(ROOT / "examples", Path(name) / "examples")
            path.write_text(updated(path.read_text("utf-8"), folder), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
