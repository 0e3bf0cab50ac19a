"""Finds the command, reads its arguments, runs it, and reports user errors in one line.

This is not in __init__, where the command `list` would hide the built-in of that name.
"""

from __future__ import annotations

import argparse
import importlib
import logging
import os
import pkgutil
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any, NoReturn

from ..errors import OptionError, UnknownNameError, did_you_mean
from ..limits import VARIABLE, Limits, limits
from ..metric import __version__
from ..result import FORMATS
from ._configuration import find_configuration
from ._terminal import explain, guarded

_PACKAGE = sys.modules[__package__ or ""]

ABOUT = "Evaluate text simplification: score and compare systems, check facts, test metrics, run studies with readers."


def verbs(group: str = "") -> list[str]:
    """The names of all verbs, or those of a group such as `study`; each verb is a module."""
    path = verb(group).__path__ if group else _PACKAGE.__path__
    return sorted(m.name for m in pkgutil.iter_modules(path) if not m.name.startswith("_"))


def verb(name: str) -> ModuleType:
    """The module of a verb ("score", "study plan"): its docstring is the help text; it defines
    `add_arguments` and `run`.
    """
    return importlib.import_module(f"{_PACKAGE.__name__}.{name.replace(' ', '.')}")


def is_group(name: str) -> bool:
    """Whether a verb has verbs of its own."""
    return hasattr(verb(name), "__path__")


class _Parser(argparse.ArgumentParser):
    """An argument parser that prints errors as one line."""

    def error(self, message: str) -> NoReturn:
        form = next((f for f in FORMATS if f"--{f}" in message.split()), "")
        hint = f" Did you mean --format {form}?" if form and "--format" in self._option_string_actions else ""
        raise OptionError(f"{message}.{hint} `{self.prog} --help` shows how.")


def parser_for(name: str) -> argparse.ArgumentParser:
    """The argument parser of one command."""
    parser = _Parser(prog=f"plainmark {_typed(name)}", **_help_texts(name))
    _add_arguments(name, parser)
    return parser


def _add_arguments(name: str, parser: argparse.ArgumentParser) -> None:
    verb(name).add_arguments(parser)
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    parser.add_argument(
        "--limits",
        metavar="NAME=N,...",
        default="",
        help="limits for input files: line (MB per line), ratio (how many times its size a file may unpack to, beyond free MB)",
    )


def full_parser() -> argparse.ArgumentParser:
    """A parser of all commands, for programs that read it, such as generators of completion scripts."""
    parser = argparse.ArgumentParser(prog="plainmark", description=ABOUT)
    parser.add_argument("-V", "--version", action="version", version=__version__, help="print the version")
    commands = parser.add_subparsers()
    for name in verbs():
        texts = _help_texts(name)
        command = commands.add_parser(_typed(name), help=texts["description"].replace("%", "%%"), **texts)
        if not is_group(name):
            _add_arguments(name, command)
            continue
        group = command.add_subparsers()
        for part in verbs(name):
            texts = _help_texts(f"{name} {part}")
            member = group.add_parser(_typed(part), help=texts["description"].replace("%", "%%"), **texts)
            _add_arguments(f"{name} {part}", member)
    return parser


def _help_texts(name: str) -> dict[str, Any]:
    first, _, rest = (verb(name).__doc__ or "").partition("\n")
    return {
        "description": first,
        "epilog": rest.strip() or None,
        "formatter_class": argparse.RawDescriptionHelpFormatter,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; a user error prints one line and gives exit code 2."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    with guarded():
        try:
            code = _run(words)
            sys.stdout.flush()
            return code
        except KeyboardInterrupt:
            print("plainmark: interrupted, nothing written.", file=sys.stderr)
            return 130
        except BrokenPipeError:  # the reader of the output has closed the pipe, as in `plainmark list | head`
            _discard_output()
            return 0
        except Exception as problem:
            if "--debug" in words:
                raise
            message, code = explain(problem)
            print(f"plainmark: {message}", file=sys.stderr)
            if isinstance(problem, OSError):
                _discard_output()
            return code


def _run(words: list[str]) -> int:
    if words[:1] == ["help"]:  # `help study plan` is `study plan --help`
        words = [*words[1:], "--help"]
    if not words or words[0] in ("-h", "--help"):
        print(_overview())
        return 0
    if words[0] in ("--version", "-V"):
        print(f"plainmark {__version__}")
        return 0
    name = _known(words[0])
    rest = words[1:]
    if is_group(name):
        if rest[:1] == ["help"]:
            rest = [*rest[1:], "--help"]
        if not rest or rest[0] in ("-h", "--help"):
            print(_overview(name))
            return 0
        name, rest = f"{name} {_known(rest[0], name)}", rest[1:]
    options = find_configuration().parse(parser_for(name), name, rest)
    with _notices(), _limited(options.limits), warnings.catch_warnings():
        warnings.showwarning = _show_warning
        return int(verb(name).run(options) or 0)


def _discard_output() -> None:
    """Discard buffered output that could not be written when the program ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _limited(text: str) -> Iterator[None]:
    """Set the limits for readers, in this process and in those that it starts."""
    Limits.parse(text)
    before = os.environ.get(VARIABLE)
    try:
        os.environ[VARIABLE] = text or before or ""
        limits()
        yield
    finally:
        os.environ[VARIABLE] = before or ""


def _show_warning(message: Warning | str, category: type[Warning], *place: object, **more: object) -> None:
    """Print plainmark's own warnings as one line; others keep the location that they name."""
    if category.__module__.startswith("plainmark."):
        print(f"plainmark: {message}", file=sys.stderr)
    else:
        print(warnings.formatwarning(message, category, *place[:2]), file=sys.stderr, end="")  # type: ignore[arg-type]


@contextmanager
def _notices() -> Iterator[None]:
    """Print the library's log of its work (requests, tokens, cost) on standard error."""
    logger, handler = logging.getLogger("plainmark"), logging.StreamHandler()
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


def _known(word: str, group: str = "") -> str:
    """The module of a command as it was typed; an error lists the commands."""
    names = {_typed(n): n for n in verbs(group)}
    if word.replace("_", "-") not in names:
        before = f"plainmark {group}" if group else "plainmark"
        raise UnknownNameError(
            f"no command {f'{group} {word}'.strip()!r}.{did_you_mean(word, names)} `{before} --help` lists all."
        )
    return names[word.replace("_", "-")]


def _typed(name: str) -> str:
    """A command as users type it; a module whose name would be a Python keyword ends in _."""
    return name.rstrip("_").replace("_", "-")


def _overview(group: str = "") -> str:
    names = verbs(group)
    about = {n: (verb(f"{group} {n}".strip()).__doc__ or "").partition("\n")[0] for n in names}
    width = max(map(len, names))
    lines = [f"  {_typed(n):{width}}  {line}" for n, line in about.items()]
    command = f"plainmark {group}".strip()
    top = (verb(group).__doc__ or "").strip() if group else ABOUT
    return "\n".join(
        [
            top,
            "",
            f"usage: {command} COMMAND ...",
            "",
            *lines,
            "",
            f"plainmark help {f'{group} COMMAND'.strip()} says more.",
        ]
    )
