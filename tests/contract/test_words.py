"""Nothing that a user or a maintainer reads uses the project's private terms: pages, help texts, messages, docstrings, comments.

docs/style.md says what to write instead. `plainmark check` looks for further words, those of docs/house.csv, and
`make words` prints the size and the reading grade of all these texts.
"""

import pytest

from conftest import ROOT
from plainmark.cli._main import full_parser, is_group, parser_for, verbs
from support.words import (
    COMPILED,
    MESSAGES,
    MODULES,
    PACKAGE,
    PAGES,
    SCRIPTS,
    TABLE_OF_TERMS,
    TEMPLATES,
    comments,
    compiled_comments,
    docstrings,
    messages,
    page_texts,
    private_terms,
    script_texts,
    site_parts,
    terms_by_file,
)


@pytest.mark.parametrize("page", [pytest.param(p, id=str(p.relative_to(ROOT))) for p in PAGES])
def test_pages(page):
    if page.name != TABLE_OF_TERMS:
        assert private_terms(page.read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("paths", "texts"),
    [
        pytest.param(MODULES, docstrings, id="docstrings"),
        pytest.param(MODULES, comments, id="comments"),
        pytest.param(COMPILED, compiled_comments, id="comments of compiled code"),
        pytest.param(PACKAGE, messages, id="messages"),
        pytest.param(TEMPLATES, page_texts, id="web pages"),
        pytest.param(SCRIPTS, script_texts, id="scripts of web pages"),
        pytest.param(MESSAGES, lambda text: [text], id="messages of studies"),
    ],
)
def test_code(paths, texts):
    assert terms_by_file(paths, texts) == {}
    assert sum(len(list(texts(path.read_text("utf-8")))) for path in paths) > 0


def test_texts_of_code_are_read():
    code = '"""Made anew."""\n# one row\n# a system\nx = 1  # robots\n\n\ndef _f():\n    """The spine."""\n'
    assert [private_terms(text) for text in docstrings(code)] == [["anew"], ["spine"]]
    assert [term for text in comments(code) for term in private_terms(text)] == [
        "one row\na system",
        "robots",
    ]
    assert list(messages('"""Not this."""\nx = f"{n} ms a sentence."\ny = "one word"\n')) == [
        "0 ms a sentence."
    ]
    assert list(page_texts('{# no #}<p title="Made anew">Two <b>robots</b></p>')) == [
        "Two robots",
        "Made anew",
    ]
    assert script_texts('say("made anew", `two robots`, "x")') == ["made anew", "two robots"]


def test_every_page_of_the_site_is_measured():
    pages = {path for paths in site_parts().values() for path in paths}
    assert pages == set(ROOT.glob("docs/*.md"))


COMMANDS = [
    command
    for verb in verbs()
    for command in ([f"{verb} {part}" for part in verbs(verb)] if is_group(verb) else [verb])
]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_texts(command):
    parser = parser_for(command)
    assert private_terms(parser.format_help()) == []
    assert parser.description.endswith(
        (".", "?")
    )  # the first line is a sentence, also in the list of commands


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
