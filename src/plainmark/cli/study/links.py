"""Create signed links, one for each participant, for a study that is served with --signed-links.

IDS is a file with one id per line. A link proves that you created it for this id, so nobody can take part under the id without the
link. Links are signed with the study's key (.study-key or PLAINMARK_STUDY_KEY), or with PLAINMARK_LINK_KEY if that is set.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ...errors import MissingResourceError
from ...result import Listing
from ...table import Cell, Table
from .._arguments import add_output, output_format, write_result
from ._store import add_database, add_folder, add_mode, now

if TYPE_CHECKING:
    from ...study.definition.loading import Study


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_folder(parser)
    parser.add_argument("ids", metavar="IDS", help="a file with one id per line")
    parser.add_argument(
        "--public-url",
        metavar="URL",
        default="http://127.0.0.1:8000",
        help="the public address of the study (default: http://127.0.0.1:8000)",
    )
    parser.add_argument(
        "--due", action="store_true", help="create links only for people who may begin a later session now"
    )
    add_database(parser)
    add_mode(parser)
    add_output(parser)


def run(options: argparse.Namespace) -> int:
    form = output_format(options)
    try:
        from ...web.study.serving import signed_link
        from ...web.study.settings import StudySettings, read_ids
    except ImportError as problem:
        raise MissingResourceError(
            f"links need {problem.name}; to install: pip install 'plainmark[study]'."
        ) from None
    from ...study import load
    from ...study.keys import study_key

    study = load(options.study)
    study = study.in_mode(options.mode) if options.mode else study
    settings = StudySettings(options.public_url.rstrip("/"))
    key = study_key(study.folder)
    listed = sorted(read_ids(options.ids))
    if options.due:
        listed = _due(study, options.database, listed)
    links = [(i, signed_link(study, settings, key, i)) for i in listed]
    table = Table(["id", "link"], [[Cell(external), Cell(link)] for external, link in links])
    data = [{"id": external, "link": link} for external, link in links]
    text = "".join(f"{external}\t{link}\n" for external, link in links)
    write_result(options, Listing.of(table, data=data, text=text), form)
    return 0


def _due(study: Study, database: str, ids: list[str]) -> list[str]:
    """Those for whom a later session is open and not begun; an invitation reminds them of it."""
    from ...study import open_store
    from ...study.store import monitoring

    with open_store(study, database, create=False) as store:
        people = monitoring.participant_list(store, now())
        waiting = {p.id for p in people if p.due}
        return [i for i in ids if store.id_of(i) in waiting]
