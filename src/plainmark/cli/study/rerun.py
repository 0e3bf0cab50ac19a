"""Repeat the analysis of a study's archive and compare every figure with the archived report; exit code 1 if any differs.

ARCHIVE is the zip file of `plainmark study archive`, or the folder that it was unpacked into.
"""

from __future__ import annotations

import argparse

from .._arguments import add_output, output_format, write_result


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("archive", metavar="ARCHIVE", help="a zip file, or the folder it was unpacked into")
    add_output(parser)


def run(options: argparse.Namespace) -> int:
    form = output_format(options)
    from ...api.study_archive import rerun

    repeated = rerun(options.archive)
    if form == "html":
        write_result(options, repeated.report, form)
        print(repeated.to_text(), end="")
    else:
        write_result(options, repeated.listing(), form)
    return 0 if repeated.same else 1
