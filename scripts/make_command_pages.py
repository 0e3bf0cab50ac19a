"""Writes docs/commands.md from the parsers of the command line: every command with its arguments and examples.

python scripts/make_command_pages.py > docs/commands.md
"""

import argparse
import re
from collections.abc import Iterator
from inspect import cleandoc
from itertools import groupby
from textwrap import dedent

from plainmark.cli._main import is_group, parser_for, verb, verbs

COMMON = {"help", "debug", "limits"}  # described once, on the page about the command line


def commands() -> Iterator[str]:
    """Every command, with those of groups such as `study` as two words."""
    for name in verbs():
        yield from (f"{name} {part}" for part in verbs(name)) if is_group(name) else (name,)


def prose(text: str) -> str:
    """Plain text as Markdown, with options as code."""
    parts = re.split(r"(`[^`]*`|(?<![\w-])--[a-z][\w-]*)", " ".join(text.split()))
    for k, part in enumerate(parts):
        if k % 2 == 0:
            parts[k] = re.sub(r"([*<|])", r"\\\1", part)
        elif part.startswith("--"):
            parts[k] = f"`{part}`"
    return "".join(parts)


def spelled(action: argparse.Action, formatter: argparse.HelpFormatter) -> str:
    """An argument as users type it: `-o, --output FILE`."""
    name = action.metavar if isinstance(action.metavar, str) else action.dest
    if not action.option_strings:
        return f"`{name}`"
    values = ""
    if action.nargs != 0:
        values = (
            action.dest.upper() if action.choices else formatter._format_args(action, action.dest.upper())
        )
    return f"`{', '.join(action.option_strings)} {values}".rstrip() + "`"


def meaning(action: argparse.Action, formatter: argparse.HelpFormatter) -> str:
    """The help of an argument, with its allowed values."""
    text = prose(formatter._expand_help(action)) if action.help else ""
    return text + (f"; one of {', '.join(map(str, action.choices))}" if action.choices else "")


def notes(name: str) -> list[str]:
    """What follows the first line of a command's help: examples as code, the rest as paragraphs."""
    lines = []
    rest = cleandoc((verb(name).__doc__ or "").partition("\n")[2])
    for is_code, block in groupby(
        rest.splitlines(), lambda line: line.startswith("  ") and bool(line.strip())
    ):
        text = "\n".join(block)
        if is_code:
            lines += ["```text", dedent(text), "```", ""]
        else:
            paragraphs = re.split(
                r"\n\s*\n", re.sub(r"^(examples?|testbeds):$", r"\n\1:", text, flags=re.MULTILINE)
            )
            lines += [line for p in paragraphs if p.strip() for line in (prose(capitalized(p)), "")]
    return lines


def capitalized(paragraph: str) -> str:
    """The headings `examples:` and `testbeds:` with a capital; other paragraphs as they are."""
    word = paragraph.strip()
    return word.capitalize() if re.fullmatch(r"[a-z]+:", word) else paragraph


def section(name: str) -> list[str]:
    parser = parser_for(name)
    formatter = parser._get_formatter()
    lines = [
        "",
        f"## {parser.prog.removeprefix('plainmark ')}",
        "",
        prose(parser.description or ""),
        "",
        *notes(name),
    ]
    rows = [a for a in parser._actions if a.dest not in COMMON and a.help != argparse.SUPPRESS]
    if rows:
        lines += ["| argument | meaning |", "|---|---|"]
        lines += [f"| {spelled(a, formatter)} | {meaning(a, formatter)} |" for a in rows]
    return lines


def page() -> str:
    lines = [
        "# All commands",
        "",
        "<!-- Made by scripts/make_command_pages.py from the commands; do not edit. -->",
        "<!-- plainmark: ignore-file PM102 PM105 PM203 PM301 PM302 PM501 PM503 the texts of the commands -->",
        "",
        "Every command with its arguments, as `plainmark help COMMAND` prints them. [The command line](command-line.md) explains",
        "what the commands have in common: systems, test sets, bundles, configuration and exit codes.",
    ]
    for name in commands():
        lines += section(name)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(page(), end="")
