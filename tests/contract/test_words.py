"""Nothing that a user or a maintainer reads uses the project's private terms: pages, help texts, docstrings, comments.

docs/style.md says what to write instead. `plainmark check` looks for further words, those of docs/house.csv.
"""

import ast
import io
import re
import tokenize

import pytest

from conftest import ROOT
from plainmark.cli._main import full_parser, is_group, parser_for, verbs

UNIT = "system|sample|sentence|item|line|metric|text|document|word|subject|reference|dimension|person|row|key"
TERMS = rf"""
    anew|not to be had|whose they are|explains nothing|foretells?|spine|unharmed|texts harmed|within-sample
    (?:computes?|computed) again|(?:made|worded|trained|written) again from scratch
    (?:goes|go) along with (?:people|ratings)|(?:goes|go) against people|words in their place|can be killed
    peers?(?!-)|(?:same|open|only|plug-in|field's) doors?|doors? (?:that|of) plug-ins?|robots
    stands? in for|at hand|(?:metric|number|score)s? (?:may|should|can) (?:I|you|one) believe|you believe in
    (?:one|a|two|three|few|many|each|\d|JSON) (?:rows?|lines?|files?|objects?|values?|scores?|numbers?|words?|ms|seconds?) an? (?:{UNIT})
    systems that share a letter do not differ(?! significantly| at)
"""
PRIVATE = re.compile(
    rf"\b(?:{'|'.join(TERMS.split(chr(10))[1:-1])})\b|^#+ Mind$|^\| mind \|".replace("    ", "").replace(
        " ", r"[ \n]"
    ),
    re.IGNORECASE | re.MULTILINE,
)
PAGES = sorted(
    [*ROOT.glob("*.md"), ROOT / "tests" / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("deploy/*.md")]
)
TABLE_OF_TERMS = "style.md"  # which lists them
FOLDERS = ("src/plainmark", "benchmarks", "evaluation", "scripts", "training")
MODULES = sorted(path for folder in FOLDERS for path in ROOT.glob(f"{folder}/**/*.py"))
COMPILED = sorted([*ROOT.glob("native/**/*.cpp"), *ROOT.glob("native/**/*.hpp")])


def private_terms(text):
    return [match[0] for match in PRIVATE.finditer(text)]


@pytest.mark.parametrize("page", [pytest.param(p, id=str(p.relative_to(ROOT))) for p in PAGES])
def test_pages(page):
    if page.name != TABLE_OF_TERMS:
        assert private_terms(page.read_text("utf-8")) == []


def docstrings(tree):
    """The docstrings of a module and of all its classes, methods and functions."""
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    return filter(None, (ast.get_docstring(node) for node in ast.walk(tree) if isinstance(node, documented)))


def comments(code):
    """The comments of a Python module; adjacent lines are one text."""
    last, lines = 0, []
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.COMMENT:
            if lines and token.start[0] > last + 1:
                yield "\n".join(lines)
                lines = []
            last = token.start[0]
            lines.append(token.string.lstrip("#: "))
    yield "\n".join(lines)


def terms_by_file(paths, texts):
    return {
        str(path.relative_to(ROOT)): terms
        for path in paths
        if (terms := [term for text in texts(path.read_text("utf-8")) for term in private_terms(text)])
    }


def test_docstrings():
    assert terms_by_file(MODULES, lambda code: docstrings(ast.parse(code))) == {}


def test_comments():
    assert terms_by_file(MODULES, comments) == {}


def test_comments_of_compiled_code():
    assert terms_by_file(COMPILED, lambda code: re.findall(r"//(.*)", code)) == {}


def test_comments_and_docstrings_are_read():
    code = '"""Made anew."""\n# one row\n# a system\nx = 1  # robots\n\n\ndef _f():\n    """The spine."""\n'
    assert [private_terms(text) for text in docstrings(ast.parse(code))] == [["anew"], ["spine"]]
    assert [term for text in comments(code) for term in private_terms(text)] == [
        "one row\na system",
        "robots",
    ]


COMMANDS = [
    command
    for verb in verbs()
    for command in ([f"{verb} {part}" for part in verbs(verb)] if is_group(verb) else [verb])
]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_texts(command):
    assert private_terms(parser_for(command).format_help()) == []


def test_help_of_all_commands():
    assert private_terms(full_parser().format_help()) == []


def test_private_terms_are_found_across_lines_and_in_any_case():
    text = "Made Anew, with one row a\nsystem.\n\n## Mind\n\nSystems that share a letter do not differ."
    found = ["Anew", "one row a\nsystem", "## Mind", "Systems that share a letter do not differ"]
    assert private_terms(text) == found
    assert (
        private_terms(
            "Mind the peer-reviewed rows.\nSystems that share a letter do not differ significantly."
        )
        == []
    )
