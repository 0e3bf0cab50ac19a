"""Whole documents: what is simplified, what stays, and what is refused."""

import re
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainmark import documents
from plainmark.cli import main
from plainmark.documents import docx
from plainmark.errors import InputError
from support.word_document import STYLES, body, paragraph, read, write

HARD = "They purchased it prior to the war."
PLAIN = "They bought it before the war."


def run(capsys, *words):
    code = main([str(w) for w in words])
    out, err = capsys.readouterr()
    return code, out, err


def texts_of(xml):
    return re.findall(r"<w:t[^>]*>([^<]*)</w:t>", xml)


def rendered(tmp_path, content, change):
    """The document.xml of a document whose paragraphs were changed by a function."""
    path = write(tmp_path / "in.docx", body(content))
    document = documents.read(str(path))
    out = tmp_path / "out.docx"
    out.write_bytes(document.render([change(t) for t in document.texts]))
    return document, read(out)


def test_a_word_document_is_simplified_paragraph_by_paragraph(tmp_path, capsys):
    content = body(
        paragraph("Purchased prior to the war", style="berschrift1")  # a heading by its style's name
        + paragraph(HARD)
        + paragraph("numerous = 3 if (a) else 4 prior to it.", style="SourceCode")
        + paragraph("Numerous towns", properties="<w:numPr/>")  # a list item that is no sentence
        + paragraph("The town purchased numerous houses.", properties="<w:numPr/>")
        + f"<w:tbl><w:tr><w:tc>{paragraph('numerous')}</w:tc></w:tr></w:tbl>"
    )
    source = write(tmp_path / "in.docx", content, word__media__a_dot_png=b"\x89PNG")
    code, out, err = run(capsys, "simplify", source, "-o", tmp_path / "out.docx")
    assert (code, out) == (0, "")
    assert err == f"plainmark: {source}: 2 of 2 paragraphs changed\n"
    written = read(tmp_path / "out.docx")
    assert texts_of(written) == [
        "Purchased prior to the war", PLAIN, "numerous = 3 if (a) else 4 prior to it.", "Numerous towns",
        "The town bought many houses.", "numerous",
    ]  # fmt: skip
    assert (
        written.replace(PLAIN, HARD).replace(
            "The town bought many houses.", "The town purchased numerous houses."
        )
        == content
    )
    with zipfile.ZipFile(tmp_path / "out.docx") as archive:
        assert archive.read("word/media/a.png") == b"\x89PNG"
        assert archive.testzip() is None


def test_changes_go_into_the_run_where_they_are_made(tmp_path):
    bold = "<w:r><w:rPr><w:b/></w:rPr><w:t>purchased</w:t></w:r>"
    _, xml = rendered(
        tmp_path,
        paragraph("They ", bold, " it prior", " to &amp; fro."),
        lambda t: t.replace("purchased", "bought").replace("prior to", "before"),
    )
    assert '<w:rPr><w:b/></w:rPr><w:t xml:space="preserve">bought</w:t>' in xml
    assert texts_of(xml) == ["They ", "bought", " it before", " &amp; fro."]


@given(
    st.lists(st.text("ab .\u00e9&<", min_size=1, max_size=12), min_size=1, max_size=5),
    st.text("ab .\u00e9&<", max_size=40),
)
def test_pieces_together_are_the_output(texts, output):
    paragraph = docx.Paragraph()
    for text in texts:
        paragraph.pieces.append(docx.TextPiece(0, fixed=False, barrier=False, text=text, at=paragraph.length))
        paragraph.add(text)
    changed = {id(piece): text for piece, text in docx._put_back(paragraph, output)}
    assert "".join(changed.get(id(p), p.text) for p in paragraph.pieces) == output


def test_text_is_added_at_the_end_and_at_the_beginning(tmp_path):
    _, xml = rendered(tmp_path, paragraph("A cat sat."), lambda t: f"So, {t} It slept <here>.")
    assert texts_of(xml) == ["So, A cat sat. It slept &lt;here&gt;."]


LINK = '<w:hyperlink r:id="x" xmlns:r="urn:r"><w:r><w:t>purchased</w:t></w:r></w:hyperlink>'
NOTE = '<w:r><w:footnoteReference w:id="1"/></w:r>'


def test_links_notes_and_breaks_keep_their_place(tmp_path):
    swap = {"purchased": "bought", "prior to": "before"}

    def change(text):
        for old, new in swap.items():
            text = text.replace(old, new)
        return text

    document, xml = rendered(tmp_path, paragraph("They ", LINK, " it."), change)
    assert document.left_alone == 1
    assert texts_of(xml) == ["They ", "purchased", " it."]
    document, xml = rendered(tmp_path, paragraph("Shut prior", NOTE, " to it."), change)
    assert document.left_alone == 1, "the note stands inside the phrase"
    document, xml = rendered(tmp_path, paragraph("They purchased it", NOTE, " prior to it."), change)
    assert document.left_alone == 0
    assert texts_of(xml) == ["They bought it", " before it."]
    tab = "<w:r><w:tab/></w:r>"
    document, xml = rendered(tmp_path, paragraph("They purchased", tab, "it."), change)
    assert document.texts == ["They purchased\tit."]
    assert texts_of(xml) == ["They bought", "it."]


def test_tracked_changes_are_left_alone(tmp_path):
    path = write(tmp_path / "in.docx", body(paragraph(HARD, f"<w:ins>{paragraph('x')}</w:ins>")))
    assert HARD not in documents.read(str(path)).texts


def refused(path):
    with pytest.raises(InputError) as error:
        documents.read(str(path))
    return str(error.value)


def test_hostile_documents_are_refused(tmp_path, capsys):
    bomb = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]><x>&b;</x>'
    message = refused(write(tmp_path / "a.docx", bomb))
    assert message.endswith(
        "word/document.xml: holds a document type with entities, which no Word document has; it is refused."
    )
    message = refused(write(tmp_path / "b.docx", body(""), word__big_dot_xml="0" * 30_000_000))
    assert re.search(
        r"b\.docx: [\d,]+ bytes that unpack to 30,[\d,]+, expected at most 8,388,608; .*--limits ratio=N",
        message,
    )
    message = refused(write(tmp_path / "c.docx", body(""), word__vbaProject_dot_bin=b"x"))
    assert "holds macros (vbaProject.bin); save it as .docx without macros" in message
    (tmp_path / "d.docx").write_bytes(b"\xd0\xcf\x11\xe0" + b"x" * 600)
    assert "encrypted, or an old .doc file" in refused(tmp_path / "d.docx")
    (tmp_path / "e.docx").write_bytes(b"not a zip")
    assert "not a Word document" in refused(tmp_path / "e.docx")
    assert "not XML" in refused(write(tmp_path / "f.docx", "<w:document"))
    assert "more than 500 elements inside each other" in refused(
        write(tmp_path / "g.docx", body("<w:x>" * 600 + "</w:x>" * 600))
    )
    with zipfile.ZipFile(tmp_path / "h.docx", "w") as archive:
        archive.writestr("word/styles.xml", STYLES)
    assert "no word/document.xml in it" in refused(tmp_path / "h.docx")
    assert "UTF-16" in refused(write(tmp_path / "i.docx", "<x/>".encode("utf-16")))
    assert "its encoding is 'iso-8859-1'" in refused(
        write(tmp_path / "j.docx", '<?xml version="1.0" encoding="iso-8859-1"?><x/>')
    )
    code, out, err = run(capsys, "simplify", tmp_path / "a.docx", "-o", tmp_path / "out.docx")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert not (tmp_path / "out.docx").exists()


def test_a_damaged_member_is_told(tmp_path):
    path = write(tmp_path / "a.docx", body(paragraph(HARD * 50)))
    data = bytearray(path.read_bytes())
    data[data.index(b"word/document.xml") + 40] ^= 0xFF
    path.write_bytes(data)
    assert "not a Word document, or a damaged one" in refused(path)


def test_what_to_write_must_be_named_and_of_the_same_kind(tmp_path, capsys):
    path = write(tmp_path / "a.docx", body(paragraph(HARD)))
    for words, message in (
        ((path,), "name the document to write with -o, such as -o simple.docx"),
        ((path, "-o", tmp_path / "a.txt"), "expected a name that ends in .docx"),
        ((path, path, "-o", tmp_path / "b.docx"), "expected one document at a time"),
        (
            (tmp_path / "a.pdf", "-o", tmp_path / "b.pdf"),
            "cannot simplify a .pdf file; expected .docx, .md or plain text",
        ),
        ((tmp_path / "none.docx", "-o", tmp_path / "b.docx"), "none.docx: cannot be read"),
    ):
        code, _, err = run(capsys, "simplify", *words)
        assert code == 2
        assert message in err


def test_explanations_of_a_document_go_to_standard_output(tmp_path, capsys):
    path = write(tmp_path / "a.docx", body(paragraph(HARD) + paragraph("Owls hunt.")))
    code, out, _ = run(capsys, "simplify", path, "-o", tmp_path / "b.docx", "--explain")
    assert code == 0
    assert out.splitlines()[0] == PLAIN
    assert "prior to -> before" in out
    assert "Owls" not in out


MARKDOWN = """---
title: Purchased prior to
---
# Numerous towns purchased

They purchased it prior to the war.
They said `prior to` and [purchased](http://x.org/purchased) it.

Numerous towns
--------------

- The town purchased numerous houses.
- numerous

> They purchased it prior to the war.

    numerous = purchased

```
They purchased it prior to the war.
```

| numerous | purchased |
|---|---|

1. They purchased it prior to the war.
Die alte Mühle wurde vor dem Krieg von der Stadt gekauft.
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_markdown_keeps_its_lines(tmp_path, capsys, caplog, end):
    path = tmp_path / "a.md"
    path.write_bytes(MARKDOWN.replace("\n", end).encode())
    code, out, _ = run(capsys, "simplify", path, "-o", tmp_path / "b.md", "--caution", 0.5)
    assert (code, out) == (0, "")
    written = (tmp_path / "b.md").read_bytes().decode()
    assert written.count(end) == MARKDOWN.count("\n")
    written = written.replace(end, "\n")
    expected = MARKDOWN.replace("\nThey purchased it prior to the war.\nThey said", f"\n{PLAIN}\nThey said")
    expected = expected.replace("- The town purchased numerous houses.", "- The town bought many houses.")
    assert written == expected.replace("1. They purchased it prior to the war.", f"1. {PLAIN}")
    assert caplog.text.count("do not look like English") == 1
