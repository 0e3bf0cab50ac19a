"""Nothing that a user or a maintainer reads uses the project's private terms: pages, help texts and public docstrings.

docs/style.md says what to write instead. `plainmark check` looks for further words, those of docs/house.csv.
"""

import ast
import re

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
# To be reworded together with these pages.
MODULES = sorted(p for p in ROOT.glob("src/plainmark/**/*.py") if p.name == "__init__.py" or p.name[0] != "_")


def private_terms(text):
    return [match[0] for match in PRIVATE.finditer(text)]


@pytest.mark.parametrize("page", [pytest.param(p, id=str(p.relative_to(ROOT))) for p in PAGES])
def test_pages(page):
    if page.name != TABLE_OF_TERMS:
        assert private_terms(page.read_text("utf-8")) == []


def docstrings(path):
    """The docstrings of a module and of its public classes, methods and functions, with their names."""
    waiting = [ast.parse(path.read_text("utf-8"))]
    while waiting:
        node = waiting.pop()
        text = ast.get_docstring(node)
        if text:
            yield getattr(node, "name", path.stem), text
        waiting += [
            child
            for child in ast.iter_child_nodes(node)
            if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            and child.name[0] != "_"
        ]


def test_docstrings():
    found = {
        f"{path.relative_to(ROOT)}: {name}": terms
        for path in MODULES
        for name, text in docstrings(path)
        if (terms := private_terms(text))
    }
    assert found == {}


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
