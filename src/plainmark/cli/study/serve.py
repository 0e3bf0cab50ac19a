"""Serve a study in the browser, and print the links for participants, for the recruiter, and for you.

Answers are stored in answers.db in the folder, or in PostgreSQL. You can stop the server with Ctrl-C and start it again at any time:
participants continue where they were. If the server is behind a proxy with TLS, name its public address:
--public-url https://study.example.org
"""

from __future__ import annotations

import argparse

from ...errors import MissingResourceError
from .._arguments import add_address, add_proxies
from ._store import add_study

OUTCOMES = ("complete", "screened_out", "no_consent", "full", "failed_checks")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_study(parser)
    add_address(parser, 8000)
    parser.add_argument(
        "--public-url",
        metavar="URL",
        default="",
        help="the public address of the study, if the server is behind a proxy",
    )
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument(
        "--pilot", action="store_const", const="pilot", dest="mode", help="collect pilot answers"
    )
    mode.add_argument("--live", action="store_const", const="live", dest="mode", help="collect live answers")
    parser.add_argument(
        "--new-revision",
        action="store_true",
        help="continue with a definition that changed after people answered",
    )
    parser.add_argument(
        "--workers",
        type=int,
        default=1,
        metavar="N",
        help="number of server processes (default: 1); more than 1 needs PostgreSQL",
    )
    parser.add_argument(
        "--requests-per-minute",
        type=int,
        default=1200,
        metavar="N",
        help="how many requests one address may send before it has to wait (default: 1200)",
    )
    parser.add_argument(
        "--starts-per-hour",
        type=int,
        default=30,
        metavar="N",
        help="how many new participants without a signed link may come from one address (default: 30)",
    )
    parser.add_argument(
        "--signed-links",
        action="store_true",
        help="admit only people with a link that `study links` signed",
    )
    parser.add_argument(
        "--ids", metavar="FILE", default="", help="admit only the ids of this file, one per line"
    )
    parser.add_argument(
        "--without-code",
        action="append",
        choices=(*OUTCOMES, "late", "all"),
        default=[],
        help="in a live study, people with this outcome need no completion code; may be repeated",
    )
    parser.add_argument(
        "--admins",
        metavar="FILE",
        default="",
        help="a file of further administrators, with a name and a token per line, so that the log says who did what",
    )
    parser.add_argument(
        "--ahead",
        type=float,
        default=0.0,
        metavar="HOURS",
        help="pretend that it is this many hours later, to try later sessions of a pilot (default: 0)",
    )
    parser.add_argument(
        "--log",
        choices=("json",),
        default="",
        help="log each request as a line of JSON, without personal data",
    )
    add_proxies(parser, "127.0.0.1 and ::1")
    parser.add_argument(
        "--patience",
        type=float,
        default=10.0,
        metavar="SECONDS",
        help="how long to keep trying when the database does not answer (default: 10)",
    )
    parser.set_defaults(mode="")


def run(options: argparse.Namespace) -> int:
    try:
        from ...web.study.serving import StudyServeOptions, serve
    except ImportError as problem:
        raise MissingResourceError(
            f"serving a study needs {problem.name}; to install: pip install 'plainmark[study]'."
        ) from None
    serve(
        StudyServeOptions(
            folder=options.study,
            database=options.database,
            host=options.host,
            port=options.port,
            mode=options.mode or "",
            workers=options.workers,
            public_url=options.public_url,
            requests_per_minute=options.requests_per_minute,
            starts_per_hour=options.starts_per_hour,
            signed_links=options.signed_links,
            ids=options.ids,
            trusted_proxies=tuple(options.trusted_proxies or ("127.0.0.1", "::1")),
            patience=options.patience,
            new_revision=options.new_revision,
            without_codes=tuple(options.without_code),
            admins=options.admins,
            log=options.log,
            ahead=options.ahead,
        )
    )
    return 0
