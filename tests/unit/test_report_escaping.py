"""No text becomes markup: every page with hostile names and texts, and the rules that templates and modules follow."""

import ast
import re
from pathlib import Path

import pytest

from plainmark import explanation
from plainmark.report import explanation as explanation_page
from plainmark.report import html
from plainmark.table import Cell, Table
from support.hostile_pages import ATTACK, PAGES, TEXT, stress_page
from support.html_outline import Outline

REPORT = Path(html.__file__).parent


def inert(text):
    """The outline of a page in which only the page's own scripts are markup."""
    text.encode("utf-8")
    found = Outline()
    found.feed(text)
    assert not found.open, "tags nest"
    assert found.tags.count("script") == 2
    assert "img" not in found.tags
    assert not [name for _, name, _ in found.attributes if name.startswith("on") or name in ("src", "style")]
    links = [value for tag, name, value in found.attributes if name == "href"]
    assert all(link.startswith("#") for link in links)
    return found


@pytest.mark.parametrize("render", PAGES)
def test_hostile_texts_stay_texts(render):
    found = inert(render())
    assert "alert(1)" in "".join(found.text), "and they are shown"


def test_hostile_texts_stay_texts_in_a_stress_test(tmp_path):
    inert(stress_page(tmp_path))


def test_sections_of_an_explanation_are_inert_too():
    text = explanation_page.sections(explanation.compare(TEXT, ATTACK))
    assert "<script" not in text
    assert "<img" not in text


def test_every_template_escapes():
    assert html.environment().autoescape is True
    for path in (REPORT / "templates").glob("*.html"):
        text = path.read_text("utf-8")
        html.environment().get_template(path.name)
        assert "autoescape" not in text
        if path.name != "base.html":  # style, scripts and embedded data
            assert not re.search(r"\|\s*safe", text), path.name


def test_undefined_values_are_errors():
    from jinja2 import UndefinedError

    with pytest.raises(UndefinedError, match="lede"):
        html.page("tuning.html", title="T")


@pytest.mark.parametrize(
    "path", sorted({*REPORT.rglob("*.py"), *Path(explanation.__file__).parent.glob("*.py")})
)
def test_modules_hold_no_markup(path):
    if path.name == "table.py":  # writes HTML, Markdown, LaTeX and CSV by itself
        return
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert not re.search(r"</?[a-z]+[ >/]", node.value), f"{path.name}, line {node.lineno}"


@pytest.mark.parametrize(("value", "sortable"), [(1.5, True), (None, False)])
def test_tables_escape_names_and_sort_by_values(value, sortable):
    rows = [
        [Cell("a<b>"), Cell("1.50", value, True), Cell("–", None)],
        [Cell("c"), Cell("x & y", "x"), Cell("")],
    ]
    page = html.table(Table(["name", "first <i>", "second"], rows, ["a <note>", "another"]))
    assert "a&lt;b&gt;" in page
    assert "first &lt;i&gt;" in page
    assert "a &lt;note&gt;" in page
    assert "<strong>1.50</strong>" in page
    assert ("<button" in page) == sortable
    assert ('data-value="1.5"' in page) == sortable
