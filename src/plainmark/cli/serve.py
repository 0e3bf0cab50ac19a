"""Open an editor in the browser that marks what could be plainer, and a page that compares two texts.

examples:
  plainmark serve                                   the editor, with the draft stored in the browser
  plainmark serve text.txt                          the editor with this text
  plainmark serve original.txt simplified.txt       the editor with both texts; /compare shows what changed
  plainmark serve original.txt first.txt second.txt /compare shows two versions
  plainmark serve reports/                          also lists the reports and studies of a folder
  plainmark serve --host 0.0.0.0                    for others in the network, who need the link with its token
The server stores nothing, and nothing leaves the machine. /api describes the same functions for programs.
"""

from __future__ import annotations

import argparse

from ..errors import MissingResourceError
from ._arguments import add_address, add_aligner, add_proxies


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="a text, or an original and its simplification, or a folder of reports",
    )
    add_address(parser, 8080)
    parser.add_argument(
        "--read-token",
        dest="token_file",
        metavar="FILE",
        default="",
        help="a file with the token that people must know (default: PLAINMARK_TOKEN, or a random one for other hosts)",
    )
    parser.add_argument(
        "--allow-host",
        metavar="NAME",
        action="append",
        default=[],
        dest="hosts",
        help="a host name by which people reach this machine through a proxy",
    )
    add_proxies(parser, "none")
    add_aligner(
        parser,
        "context",
        "how sentences are aligned; context(encoder='minilm') also uses a sentence encoder, and needs its model",
    )
    parser.add_argument(
        "--workers", type=int, default=0, metavar="N", help="processes (default: one per core, at most 4)"
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=20.0,
        metavar="S",
        help="time limit of a request in seconds (default: 20)",
    )
    parser.add_argument("--open", action="store_true", help="open the page in a browser")


def run(options: argparse.Namespace) -> int:
    try:
        from ..web.playground.serving import serve
        from ..web.playground.settings import PlaygroundOptions
    except ImportError as problem:
        raise MissingResourceError(
            f"the editor needs {problem.name}; to install: pip install 'plainmark[web]'."
        ) from None
    workers = {"workers": options.workers} if options.workers else {}
    serve(
        PlaygroundOptions(
            paths=tuple(options.paths),
            host=options.host,
            port=options.port,
            token_file=options.token_file,
            trusted_proxies=tuple(options.trusted_proxies),
            hosts=tuple(options.hosts),
            aligner=options.aligner,
            seconds=options.seconds,
            open=options.open,
            **workers,
        )
    )
    return 0
