"""Copy a template, which runs without changes, into a new folder, or list the templates.

example:
  plainmark study init reading-comprehension my-study
"""

from __future__ import annotations

import argparse
import textwrap

from ...errors import OptionError
from ...study import templates


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "template", nargs="?", metavar="TEMPLATE", help=f"one of {', '.join(templates.names())}"
    )
    parser.add_argument("folder", nargs="?", metavar="FOLDER", help="a new folder")


def run(options: argparse.Namespace) -> int:
    if options.template is None:
        for name in templates.names():
            print(name)
            print(textwrap.fill(templates.about(name), 100, initial_indent="  ", subsequent_indent="  "))
        return 0
    if options.folder is None:
        raise OptionError(f"no folder; expected plainmark study init {options.template} FOLDER.")
    files = templates.copy(options.template, options.folder)
    print(f"{options.folder}: {', '.join(files)}. Next: plainmark study check {options.folder}")
    return 0
