"""Write the data dictionary of a study: every column of its exports, every question and what its answers mean.

It is Markdown for people, or JSON for programs (-o codebook.json).
"""

from __future__ import annotations

import argparse

from ...study import load
from .._arguments import add_output, output_format
from ._store import add_folder

FORMATS = ("markdown", "json")
SUFFIXES = {".md": "markdown", ".json": "json"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_folder(parser)
    add_output(parser, FORMATS)


def run(options: argparse.Namespace) -> int:
    form = output_format(options, FORMATS, SUFFIXES)
    study = load(options.study)
    from ...study import codebook
    from ...writing import write_atomically

    text = codebook.as_json(study) if form == "json" else codebook.as_markdown(study)
    if options.output is None:
        print(text, end="")
        return 0
    write_atomically(options.output, text)
    print(f"{options.output}: {len(codebook.ANSWERS) + len(codebook.PARTICIPANTS)} columns")
    return 0
