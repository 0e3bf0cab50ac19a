"""Print a script that completes plainmark's commands and options in a shell.

examples:
  plainmark completion bash > ~/.local/share/bash-completion/completions/plainmark
  plainmark completion zsh > ~/.zfunc/_plainmark             with `fpath+=~/.zfunc` before `compinit` in ~/.zshrc
  plainmark completion fish > ~/.config/fish/completions/plainmark.fish
The script knows all commands and options; write it again after an update. Writing it needs the package shtab.
"""

from __future__ import annotations

import argparse

from ..errors import MissingResourceError, OptionError
from ._main import full_parser

SHELLS = ("bash", "zsh", "fish", "tcsh")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="the shell that the script is for")


def run(options: argparse.Namespace) -> int:
    try:
        import shtab
    except ImportError:
        raise MissingResourceError(
            "completion scripts need shtab; to install: pip install 'plainmark[completion]'."
        ) from None
    if options.shell not in shtab.SUPPORTED_SHELLS:
        raise OptionError(
            f"this version of shtab does not know {options.shell}; to install a newer one: pip install --upgrade shtab."
        )
    print(shtab.complete(full_parser(), shell=options.shell))
    return 0
