"""Check texts for plain language: hard words, long sentences, passives and more, against your own limits.

examples:
  plainmark check leaflet.md
  plainmark check leaflet.md --grade 8 --cefr B1 --max-sentence 25 --words house.csv
  plainmark check leaflet.docx --original study.docx
  plainmark check *.docx --comments checked/
  plainmark check docs/*.md --format sarif > findings.sarif
Files are .docx, .md, .html, .txt or .pdf; - is standard input. One line per finding: file:line:column, rule, message. The exit code
is 1 if a limit is broken (see --fail-on). A comment <!-- plainmark: ignore PM101 --> leaves out a rule for its line or the
paragraph after it, <!-- plainmark: ignore-file PM101 --> for the file. docs/checks.md has every rule.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import InputError, OptionError
from ..files import STANDARD_INPUT, matching
from ..languages import check_code
from ..report.findings import FORMATS, marked_page, render
from ..writing import write_bytes_atomically
from ._arguments import add_language

if TYPE_CHECKING:
    from ..api.checks import CheckedFile

FAILED = 1  # exit code
_FAIL_ON = ("limit", "hint", "never")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="texts or documents, or - for standard input"
    )
    parser.add_argument(
        "--grade", type=float, metavar="N", help="highest school grade (Flesch-Kincaid) of the text"
    )
    parser.add_argument(
        "--cefr", metavar="LEVEL", help="highest CEFR level of the text: A1, A2, B1, B2, C1 or C2"
    )
    parser.add_argument("--max-sentence", type=int, metavar="N", help="largest number of words in a sentence")
    parser.add_argument(
        "--max-passive", type=float, metavar="PERCENT", help="largest percentage of sentences with a passive"
    )
    parser.add_argument(
        "--words",
        metavar="CSV",
        help="your word list, with the columns term, use instead, never use, explain",
    )
    parser.add_argument("--original", metavar="FILE", help="the original, whose facts the text must keep")
    parser.add_argument(
        "--select", action="append", metavar="RULE", help="only these rules, such as PM101,PM202"
    )
    parser.add_argument("--ignore", action="append", metavar="RULE", help="not these rules")
    parser.add_argument("--baseline", metavar="FILE", help="leave out the findings that this file records")
    parser.add_argument("--update-baseline", action="store_true", help="record all findings in the baseline")
    parser.add_argument("--comments", metavar="FOLDER", help="write copies with the findings as comments")
    parser.add_argument(
        "--fail-on", choices=_FAIL_ON, help="what makes the exit code 1: limit (the default), hint or never"
    )
    add_language(parser)
    parser.add_argument("--format", choices=FORMATS, help="how findings are printed (default: text)")
    parser.add_argument("-q", "--quiet", action="store_true", help="no summary on standard error")


def run(options: argparse.Namespace) -> int:
    from ..api.checks import check_file, read_baseline, without_known, write_baseline
    from ..checks import Checker, Targets, WordList, select
    from ..documents import prose

    if not options.files:
        raise OptionError("no files; name texts or documents to check, or - for standard input.")
    if options.update_baseline and not options.baseline:
        raise OptionError("--update-baseline: name the file with --baseline FILE.")
    paths = [path for name in options.files for path in matching(name)]
    rules = select(_ids(options.select), _ids(options.ignore))
    targets = Targets(options.grade, options.cefr, options.max_sentence, options.max_passive)
    words = WordList.read(options.words) if options.words else None
    checker = Checker(targets, words, rules, check_code(options.language) if options.language else "")
    original = prose(options.original).text if options.original else None
    known = read_baseline(options.baseline) if options.baseline and not options.update_baseline else {}
    files = [without_known(check_file(path, checker, original), known) for path in paths]
    if options.update_baseline:
        number = write_baseline(options.baseline, files)
        _tell(options, f"{options.baseline}: {number:,} findings are known from now on")
        return 0
    if options.comments:
        _write_copies(options, files)
        _tell(options, f"{options.comments}: {_copies(len(files))} with the findings as comments")
    sys.stdout.write(render(files, rules, options.format or "text"))
    for note in dict.fromkeys(f"{file.path}: {note}" for file in files for note in file.result.notes):
        print(f"plainmark: {note}", file=sys.stderr)
    total, broken = sum(len(f.findings) for f in files), sum(len(f.broken) for f in files)
    _tell(
        options,
        f"{_number(len(files), 'file')}, {_number(total, 'finding')}, {_number(broken, 'limit')} broken",
    )
    failing = {"limit": broken, "hint": total, "never": 0}[options.fail_on or "limit"]
    return FAILED if failing else 0


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _copies(count: int) -> str:
    return "1 copy" if count == 1 else f"{count:,} copies"


def _tell(options: argparse.Namespace, line: str) -> None:
    if not options.quiet:
        print(f"plainmark: {line}", file=sys.stderr)


def _ids(texts: list[str] | None) -> list[str]:
    return [name.strip() for text in texts or () for name in text.split(",") if name.strip()]


def _write_copies(options: argparse.Namespace, files: list[CheckedFile]) -> None:
    """A copy of each document with its findings: Word comments, HTML comments, or a page for other texts."""
    from ..documents.comments import Comment, commented_text, commented_word_document, written_name

    if any(file.path == STANDARD_INPUT for file in files):
        raise OptionError("--comments: expected files, not standard input.")
    targets = [written_name(file.path, options.comments) for file in files]
    if len({t.name for t in targets}) < len(targets):
        raise OptionError("--comments: two files have the same name; check them one by one.")
    copies: list[tuple[Path, bytes]] = []
    for file, target in zip(files, targets, strict=True):
        comments = [Comment(p.finding.start, p.finding.end, p.finding.comment) for p in file.findings]
        suffix = target.suffix.lower()
        if suffix == ".docx":
            copies.append((target, commented_word_document(file.path, file.prose, comments)))
        elif suffix in (".txt", ".pdf", ".text", ""):
            page = marked_page(target.name, file.prose.text, file.findings)
            copies.append((target.with_name(target.name + ".html"), page.encode("utf-8")))
        else:
            copies.append((target, commented_text(file.prose, comments).encode("utf-8")))
    try:
        Path(options.comments).mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise InputError(
            f"--comments {options.comments}: cannot make this folder ({problem.strerror})."
        ) from None
    for target, data in copies:
        write_bytes_atomically(target, data)
