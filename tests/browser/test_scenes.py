"""The page of `plainmark explain samsa` in a real browser."""

import pytest

from plainmark.report import scenes
from plainmark.ucca.alignment import WordLinks
from plainmark.ucca.scenes import explain
from support.ucca_data import bracketed

WROTE = "(H (A I) (P read) (A (E the) (C=book book) (E (R that) (A John) (P wrote) (A*book)))) (U .)"
OUTPUT = [["John", "wrote", "."], ["I", "read", "the", "book", "."]]
LINKS = WordLinks(((0, 3), (1, 4), (2, 5), (3, 6), (5, 0), (6, 1), (7, 7)))


@pytest.fixture
def page_file(tmp_path):
    found = explain(bracketed(WROTE), OUTPUT, LINKS)
    path = tmp_path / "page.html"
    long = "samsa|" + "x" * 200
    path.write_text(scenes.render([found, found], names=["1", "2"], signature=long), "utf-8")
    return path


def test_ribbons_lead_from_scenes_to_their_sentences(visit, page_file):
    page = visit(page_file)
    assert page.locator(".ribbons path").count() == 4
    page.locator('li[data-to="n1-0"]').focus()
    assert page.locator("#n1-0").evaluate("e => e.classList.contains('lit')")
    assert not page.locator("#n0-0").evaluate("e => e.classList.contains('lit')")
    assert page.locator(".parts .lost").first.inner_text() == "participant: book (shared), missing"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_phone(visit, page_file, scheme):
    page = visit(page_file, width=390, height=800, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("width", [1280, 375])
def test_axe_finds_nothing(visit, page_file, axe, width):
    assert axe(visit(page_file, width=width)) == []
