"""List whom the recruiter should pay: accept, reject with the reason, or return.

IDS is the recruiter's list: one id per line, or its CSV file with a column "Participant id". Without it, people are listed by the
study's own ids. --reject and --accept decide about one person, to whom the recruiter gives the reason.
"""

from __future__ import annotations

import argparse

from ...errors import OptionError, StoreError
from ...result import Listing
from ...table import Cell, Table
from .._arguments import add_output, output_format, write_result
from ._store import actor, add_mode, add_study, now, opened


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_study(parser)
    add_mode(parser)
    parser.add_argument("ids", metavar="IDS", nargs="?", help="the recruiter's list of ids")
    parser.add_argument(
        "--reject", metavar="ID", default="", help="reject this person's work; needs --reason"
    )
    parser.add_argument("--accept", metavar="ID", default="", help="accept this person's work")
    parser.add_argument("--reason", metavar="TEXT", default="", help="why this person's work is rejected")
    parser.add_argument(
        "--session", type=int, default=1, metavar="N", help="the session that is paid for (default: 1)"
    )
    add_output(parser)


def run(options: argparse.Namespace) -> int:
    form = output_format(options)
    if options.reject and not options.reason.strip():
        raise OptionError("--reject needs --reason: the recruiter has to tell the person why.")
    _, store = opened(options)
    with store:
        from ...study.store import admin_actions
        from ...study.store.payments import for_recruiter, payments, read_recruiters_list

        for person, accepted in ((options.reject, False), (options.accept, True)):
            if person:
                lines = [p for p in payments(store, now()) if p.id in (store.id_of(person), person.lower())]
                if not lines:
                    raise StoreError("no such participant in this study, under this study's key.")
                admin_actions.review(
                    store, lines[0].number, accepted, now(), reason=options.reason.strip(), actor=actor()
                )
        listed = (
            for_recruiter(store, read_recruiters_list(options.ids), now(), options.session)
            if options.ids
            else payments(store, now(), options.session)
        )
        store.note("payment list", f"{len(listed)} people", now(), actor=actor())
    names = ["participant", "id", "decision", "reason", "minutes"]
    rows = [
        [
            *(Cell(getattr(p, n)) for n in names[:4]),
            Cell("" if p.minutes is None else f"{p.minutes:g}", p.minutes),
        ]
        for p in listed
    ]
    data = [{n: getattr(p, n) for n in names} for p in listed]
    write_result(options, Listing.of(Table(names, rows), data=data), form, f"{len(listed)} people")
    return 0
