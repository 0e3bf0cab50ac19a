"""Look at every page of a study in the browser, in every condition, without storing anything.

The command prints a link and serves the pages until you press Ctrl-C. There is no database: forms are checked as in the study, but
nothing is stored.
"""

from __future__ import annotations

import argparse

from ...errors import MissingResourceError
from .._arguments import add_address
from ._store import add_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_folder(parser)
    add_address(parser, 8000)


def run(options: argparse.Namespace) -> int:
    try:
        from ...web.study.serving import serve_preview
    except ImportError as problem:
        raise MissingResourceError(
            f"a preview needs {problem.name}; to install: pip install 'plainmark[study]'."
        ) from None
    serve_preview(options.study, options.host, options.port)
    return 0
