"""Edited texts back in their Word documents: accepted, rejected and plain, with everything else as it was."""

import re
import zipfile
from datetime import UTC, datetime
from xml.etree import ElementTree as ET

import pytest
from docx import Document
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from hypothesis import given, settings
from hypothesis import strategies as st

from plainmark.documents import prose
from plainmark.documents.differences import edits, matched
from plainmark.documents.revision import joined, read_word_text, revised_word_document, split
from plainmark.errors import InputError
from support.word_document import W, body, paragraph, write

WHEN = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
P, R = f"{{{W}}}p", f"{{{W}}}r"


def w(name):
    return f"{{{W}}}{name}"


# An accept and a reject of their own, by the rules of the standard (17.13.5), with another XML library than the product uses.


def resolved(xml, keep, drop):
    """The tree in which `keep` changes stay and `drop` changes go; a paragraph whose end goes joins the next one."""
    root = ET.fromstring(xml)
    for parent in list(root.iter()):
        children = []
        for child in parent:
            if child.tag == w(drop) and parent.tag != w("rPr"):
                continue
            if child.tag == w(keep) and parent.tag != w("rPr"):
                children += list(child)
            else:
                children.append(child)
        parent[:] = children
    for parent in list(root.iter()):
        kept, waiting = [], []
        for child in parent:
            if child.tag != P:
                assert not waiting, "the end of a paragraph can only go before another paragraph"
                kept.append(child)
                continue
            properties = child.find(w("pPr"))
            marks = properties.find(w("rPr")) if properties is not None else None
            gone = marks is not None and marks.find(w(drop)) is not None
            content = [e for e in child if e.tag != w("pPr")]
            if gone:
                waiting += content
                continue
            child[:] = [e for e in child if e.tag == w("pPr")] + waiting + content
            waiting = []
            kept.append(child)
        assert not waiting
        parent[:] = kept
    return root


def texts_of(root):
    """The texts of paragraphs that have one, with the style of each."""
    out = []
    for p in root.iter(P):
        words = "".join(
            (e.text or "") if e.tag in (w("t"), w("delText")) else {w("tab"): "\t", w("br"): "\n"}[e.tag]
            for r in p.iter(R)
            for e in r
            if e.tag in (w("t"), w("delText"), w("tab"), w("br"))
        )
        style = p.find(f"{w('pPr')}/{w('pStyle')}")
        if words.strip():
            out.append((words, style.get(w("val")) if style is not None else ""))
    return out


def part(path, name="word/document.xml"):
    with zipfile.ZipFile(path) as archive:
        return archive.read(name)


def tracked(path, text, out):
    out.write_bytes(revised_word_document(str(path), text, track=True, when=WHEN))
    return out


def leaflet(path):
    """A document with a heading, formats, a list, a table, a note, a link, a picture-like run, a header and sections."""
    document = Document()
    document.add_heading("Your operation", 1)
    p = document.add_paragraph("We will utilise the theatre ")
    p.add_run("prior to").bold = True
    p.add_run(" noon.")
    link = OxmlElement("w:hyperlink")
    link.set(
        qn("r:id"), document.part.relate_to("https://example.org/x", "http://x/hyperlink", is_external=True)
    )
    run = OxmlElement("w:r")
    run.append(OxmlElement("w:t"))
    run[0].text = "our page"
    link.append(run)
    p = document.add_paragraph("See ")
    p._p.append(link)
    p.add_run(" for more.")
    document.add_paragraph("Bring numerous things", style="List Bullet")
    document.add_paragraph("Bring a friend", style="List Bullet")
    table = document.add_table(2, 2, style="Table Grid")
    for cell, words in zip(
        (c for r in table.rows for c in r.cells),
        ("Day", "Dose", "Monday", "Two tablets twice daily"),
        strict=True,
    ):
        cell.text = words
    p = document.add_paragraph("You may subsequently go home")
    note = OxmlElement("w:footnoteReference")
    note.set(qn("w:id"), "2")
    p.runs[0]._r.append(note)  # in one run with the words
    p.add_run(".\nThen rest.")
    document.sections[0].header.paragraphs[0].text = "Riverside clinic leaflet"
    document.save(path)
    with zipfile.ZipFile(path) as archive:
        files = {i: archive.read(i) for i in archive.infolist()}
    notes = (
        f'<w:footnotes xmlns:w="{W}"><w:footnote w:type="separator" w:id="0"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>'
        '<w:footnote w:id="2"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t>Unless a nurse advises otherwise.</w:t></w:r></w:p>'
        "</w:footnote></w:footnotes>"
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for info, data in files.items():
            archive.writestr(info, data)
        archive.writestr("word/footnotes.xml", notes)
    return path


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    return leaflet(tmp_path_factory.mktemp("documents") / "leaflet.docx")


EDITED = """Your operation

We will use the theatre before noon.

See our page for more details.

Bring many things

Bring a book

Bring a friend

Day

Dose

Monday

Two tablets two times each day

You may then go home.
Then rest well.

Call us if it hurts.

Unless a nurse tells you not to.

Riverside clinic page
"""


def test_the_text_to_edit_has_lists_tables_notes_and_headers(source):
    text = joined(read_word_text(str(source)))
    assert split(text) == [
        "Your operation", "We will utilise the theatre prior to noon.", "See our page for more.", "Bring numerous things",
        "Bring a friend", "Day", "Dose", "Monday", "Two tablets twice daily", "You may subsequently go home.\nThen rest.",
        "Unless a nurse advises otherwise.", "Riverside clinic leaflet",
    ]  # fmt: skip
    rows = read_word_text(str(source))
    assert [r.heading for r in rows[:2]] == [1, 0]
    assert [r.item for r in rows[3:6]] == [True, True, False]


def test_nothing_changes_without_an_edit(source, tmp_path):
    text = joined(read_word_text(str(source)))
    for track in (False, True):
        (tmp_path / "out.docx").write_bytes(revised_word_document(str(source), text, track=track))
        with zipfile.ZipFile(source) as a, zipfile.ZipFile(tmp_path / "out.docx") as b:
            assert {n: a.read(n) for n in a.namelist()} == {n: b.read(n) for n in b.namelist()}


def test_tracked_changes_can_be_accepted_and_rejected(source, tmp_path):
    out = tracked(source, EDITED, tmp_path / "out.docx")
    for name in ("word/document.xml", "word/footnotes.xml", "word/header1.xml"):
        was = texts_of(ET.fromstring(part(source, name)))
        assert texts_of(resolved(part(out, name), "del", "ins")) == was, (
            "rejected, it is the document as it was"
        )
    accepted = [
        t
        for n in ("document", "footnotes", "header1")
        for t, _ in texts_of(resolved(part(out, f"word/{n}.xml"), "ins", "del"))
    ]
    assert accepted == split(EDITED)
    styles = dict(texts_of(resolved(part(out), "ins", "del")))
    assert styles["Bring a book"] == "ListBullet", "a new item is an item of the list"


def test_changes_name_their_author_and_date_and_are_well_formed(source, tmp_path):
    out = tracked(source, EDITED, tmp_path / "out.docx")
    ids = []
    for name in ("word/document.xml", "word/footnotes.xml", "word/header1.xml"):
        root = ET.fromstring(part(out, name))
        parents = {child: parent for parent in root.iter() for child in parent}
        changes = [e for e in root.iter() if e.tag in (w("ins"), w("del"))]
        assert changes
        for e in changes:
            assert (e.get(w("author")), e.get(w("date"))) == ("plainmark", "2026-03-01T09:30:00Z")
            ids.append(e.get(w("id")))
            assert parents[e].tag in (P, w("hyperlink"), w("rPr")), "where the schema has them"
            if parents[e].tag == w("rPr"):
                assert parents[e][0] is e or parents[e][1] is e, "marks of a paragraph's end come first"
                assert len(e) == 0
            else:
                assert {c.tag for c in e} == {R}
        for run in root.iter(R):
            inside = parents[run].tag == w("del")
            assert all((c.tag == w("delText")) == inside for c in run if c.tag in (w("t"), w("delText")))
            assert [c.tag for c in run].index(w("rPr")) == 0 if run.find(w("rPr")) is not None else True
        for properties in root.iter(w("pPr")):
            names = [c.tag for c in properties]
            if w("rPr") in names:
                assert set(names[names.index(w("rPr")) + 1 :]) <= {w("sectPr"), w("pPrChange")}
    assert len(ids) == len(set(ids))
    document = Document(out)  # python-docx reads it
    assert document.paragraphs[0].text == "Your operation"


def test_changes_take_the_format_around_them(source, tmp_path):
    xml = part(tracked(source, EDITED, tmp_path / "out.docx")).decode()
    assert re.search(r"<w:rPr><w:b/></w:rPr><w:delText[^>]*>prior to<", xml)
    assert re.search(r'<w:ins [^>]*><w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">before<', xml)


def test_without_tracking_the_text_is_as_edited_and_the_rest_stays(source, tmp_path):
    out = tmp_path / "out.docx"
    out.write_bytes(revised_word_document(str(source), EDITED))
    assert joined(read_word_text(str(out))) == EDITED
    xml = part(out).decode()
    assert "<w:ins" not in xml
    assert "<w:del" not in xml
    assert xml.count("footnoteReference") == 1
    assert xml.count("<w:hyperlink") == 1
    assert xml.count("<w:tbl>") == 1
    with zipfile.ZipFile(source) as a, zipfile.ZipFile(out) as b:
        changed = {n for n in a.namelist() if a.read(n) != b.read(n)}
        assert a.namelist() == b.namelist()
    assert changed == {"word/document.xml", "word/footnotes.xml", "word/header1.xml"}
    document = Document(out)
    assert [c.text for r in document.tables[0].rows for c in r.cells][-1] == "Two tablets two times each day"
    assert document.paragraphs[2].hyperlinks[0].address == "https://example.org/x"
    assert document.paragraphs[2].hyperlinks[0].text == "our page"


def test_paragraphs_go_but_cells_pictures_and_sections_stay(tmp_path):
    document = Document()
    for words in ("One stays.", "Two goes away.", "Three ends a section."):
        document.add_paragraph(words)
    document.add_section()
    document.add_paragraph("Four holds a picture.").runs[0]._r.append(OxmlElement("w:drawing"))
    table = document.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "Left cell", "Right cell"
    document.add_paragraph("Five goes away.")
    path = tmp_path / "in.docx"
    document.save(path)
    text = "One stays.\n\nLeft cell\n"
    out = tmp_path / "out.docx"
    out.write_bytes(revised_word_document(str(path), text))
    saved = Document(out)
    assert [p.text for p in saved.paragraphs if p.text] == ["One stays."]
    assert len(saved.sections) == 2
    assert "w:drawing" in part(out).decode()
    assert [c.text for c in saved.tables[0].rows[0].cells] == ["Left cell", ""]
    xml = part(tracked(path, text, out))
    assert [t for t, _ in texts_of(resolved(xml, "ins", "del"))] == ["One stays.", "Left cell"]
    assert texts_of(resolved(xml, "del", "ins")) == texts_of(ET.fromstring(part(path)))


def test_changes_of_others_stay(tmp_path):
    other = 'w:id="7" w:author="Someone" w:date="2020-01-01T00:00:00Z"'
    content = paragraph(
        "They ",
        f"<w:del {other}><w:r><w:delText>bought</w:delText><w:br/></w:r></w:del>",
        f"<w:ins {other.replace('7', '8')}><w:r><w:t>purchased two</w:t></w:r></w:ins>",
        f"<w:moveFrom {other.replace('7', '9')}><w:r><w:t>moved</w:t></w:r></w:moveFrom>",
        " things.",
    )
    path = write(tmp_path / "in.docx", body(content))
    assert joined(read_word_text(str(path))) == "They purchased two things.\n"
    assert prose(str(path)).text.strip() == "They purchased two things."
    xml = part(tracked(path, "They got two things.\n", tmp_path / "out.docx")).decode()
    assert f"<w:ins {other.replace('7', '8')}>" in xml
    assert "moved" in xml
    assert "bought" in xml
    assert not {'w:id="7" w:author="plainmark', 'w:id="8" w:author="plainmark'} & set(
        re.findall(r'w:id="\d+" w:author="\w+', xml)
    )
    assert joined(read_word_text(str(tmp_path / "out.docx"))) == "They got two things.\n"


def test_a_text_box_is_shown_once_and_changed_in_both_copies(tmp_path):
    mc = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    box = f"<w:txbxContent>{paragraph('Please endeavour to rest.')}</w:txbxContent>"
    content = paragraph(
        "Outside.",
        f'<w:r><x:AlternateContent xmlns:x="{mc}"><x:Choice Requires="wps">{box}</x:Choice>'
        f"<x:Fallback>{box}</x:Fallback></x:AlternateContent></w:r>",
    )
    path = write(tmp_path / "in.docx", body(content))
    assert joined(read_word_text(str(path))) == "Please endeavour to rest.\n\nOutside.\n"
    assert prose(str(path)).text.count("endeavour") == 1
    out = tmp_path / "out.docx"
    out.write_bytes(revised_word_document(str(path), "Please try to rest.\n\nOutside.\n"))
    assert part(out).decode().count("try") == 2
    assert "endeavour" not in part(out).decode()


def test_a_document_of_pictures_takes_a_text(tmp_path):
    path = write(tmp_path / "in.docx", body(paragraph("<w:r><w:drawing/></w:r>")))
    assert joined(read_word_text(str(path))) == "\n"
    out = tmp_path / "out.docx"
    out.write_bytes(revised_word_document(str(path), "New words.\n\nMore.\n"))
    assert joined(read_word_text(str(out))) == "New words.\n\nMore.\n"
    with pytest.raises(InputError, match="no paragraph in it"):
        revised_word_document(str(write(tmp_path / "none.docx", body(""))), "New words.")


TEXTS = st.lists(
    st.lists(st.sampled_from("a bb ccc dog. it, \u00e9t\u00e9 <x> &".split()), min_size=1, max_size=6).map(
        " ".join
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=60, deadline=None)
@given(TEXTS, TEXTS, st.booleans())
def test_any_edit_can_be_accepted_and_rejected(tmp_path_factory, old, new, bold):
    from xml.sax.saxutils import escape

    folder = tmp_path_factory.mktemp("any")
    rows = []
    for text in old:  # some words are runs of their own
        first, _, rest = text.partition(" ")
        mark = f"<w:r><w:rPr><w:b/></w:rPr><w:t>{escape(first)}</w:t></w:r>"
        rows.append(paragraph(mark, escape(f" {rest}")) if bold and rest else paragraph(escape(text)))
    path = write(folder / "in.docx", body("".join(rows)))
    shown = split(joined(read_word_text(str(path))))
    edited = "\n\n".join(new)
    xml = part(tracked(path, edited, folder / "out.docx"))
    readable = [t for t in old if any(map(str.isalnum, t))]
    assert shown == readable
    accepted = [t.strip() for t, _ in texts_of(resolved(xml, "ins", "del")) if any(map(str.isalnum, t))]
    assert accepted == [t for t in new if any(map(str.isalnum, t))]
    assert texts_of(resolved(xml, "del", "ins")) == texts_of(ET.fromstring(part(path)))
    plain = folder / "plain.docx"
    plain.write_bytes(revised_word_document(str(path), edited))
    assert joined(read_word_text(str(plain))).split() == [x for t in accepted for x in t.split()]


@given(st.text("ab .\n", max_size=30), st.text("ab .\n", max_size=30))
def test_edits_make_the_new_text(old, new):
    text = old
    for start, end, words in reversed(edits(old, new)):
        text = text[:start] + words + text[end:]
    assert text == new


@given(st.lists(st.sampled_from("abcd"), max_size=8), st.lists(st.sampled_from("abcd"), max_size=8))
def test_every_paragraph_is_matched_once_and_in_order(old, new):
    pairs = matched(old, new)
    assert [i for i, _ in pairs if i is not None] == list(range(len(old)))
    assert [j for _, j in pairs if j is not None] == list(range(len(new)))


def test_large_texts_are_compared_in_bounded_time(tmp_path):
    old, new = "a b " * 12_000, "b a " * 12_000
    assert len(edits(old, new)) >= 1
    assert len(matched(["a", "b"] * 8000, ["b", "c"] * 8000)) >= 16_000
