"""The picture of an alignment in a real browser."""

import pytest

import plainmark as pm
from plainmark.report import alignment

SOURCE = "The feline slept on the mat. Prices rose by 3 % in 1998. It rained. Owls hunt at night."
OUTPUT = "Owls hunt at night. The cat slept on the mat. Prices rose in 1998. They rose by 3 %. New words."


@pytest.fixture
def page_file(tmp_path):
    def write(source=SOURCE, output=OUTPUT, references=()):
        (graph,) = pm.align(source, output, references, by="jaccard")
        path = tmp_path / "graph.html"
        path.write_text(alignment.render(graph, graph.groups(), names=["<b>a</b>.txt", "b.txt"]), "utf-8")
        return path

    return write


def test_every_link_has_a_ribbon_and_lights_up(visit, page_file):
    page = visit(page_file())
    assert page.locator(".ribbons path").count() == 4
    page.locator("#s0-3").focus()
    assert page.locator("#s1-0").evaluate("e => e.classList.contains('lit')")
    assert page.locator("#s0-2").evaluate("e => e.classList.contains('deleted')")
    assert page.locator("#s1-4").evaluate("e => e.classList.contains('added')")
    assert page.locator("#s0-3").evaluate("e => e.classList.contains('moved')")


def test_ribbons_end_at_their_sentences(visit, page_file):
    page = visit(page_file(), width=700)
    box = page.locator(".ribbons").bounding_box()
    item = page.locator("#s0-0").bounding_box()
    start = page.locator(".ribbons path").first.evaluate("e => e.getPointAtLength(0).y")
    assert start == pytest.approx(item["y"] - box["y"] + 2, abs=2)


def test_three_columns_and_phone(visit, page_file):
    page = visit(page_file(references=["The cat slept. Prices rose in 1998."]), width=390, height=800)
    assert page.locator(".column").count() == 3
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_texts_are_only_texts(visit, page_file):
    attack = "<img src=x onerror=alert(1)></script><script>alert(2)</script> slept."
    page = visit(page_file(attack, attack))
    assert page.locator("img").count() == 0
    assert "<img src=x" in page.locator("#s0-0").inner_text()
    assert "<b>a</b>.txt" in page.locator("h2").first.inner_text()


@pytest.mark.parametrize("width", [1280, 375])
def test_axe_finds_nothing(visit, page_file, axe, width):
    assert axe(visit(page_file(), width=width)) == []
