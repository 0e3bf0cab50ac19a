"""The editor's server: checks, facts, documents, checklists and the form; and what bad input is told."""

import csv
import io
import json
import re
import zipfile
from html.parser import HTMLParser

import pytest
from docx import Document

from plainmark.errors import InputError
from plainmark.faithfulness import facts
from plainmark.web.editor import documents, work
from plainmark.web.editor.checklist import COLUMNS, checklist
from plainmark.web.editor.form import _pieces
from plainmark.web.editor.pages import file_name
from plainmark.web.editor.requests import CheckRequest, SaveRequest, TargetsRequest
from plainmark.web.playground import jobs
from plainmark.web.playground.requests import MAX_TEXT, TextTooLongError
from support import playground
from support.attacks import ATTACKS, EVIL
from support.pdf_document import pdf
from support.word_document import body, paragraph, write

ORIGINAL = "The committee met on 5 May in Oslo. Nobody objected. It rained."
TEXT = "We will utilise the hall. It rained. The committee met on 6 May in Oslo."
WORDS = "term,use instead,never use,explain\n"


@pytest.fixture(scope="module")
def served():
    with playground.running() as one:
        yield one


@pytest.fixture
def client(served):
    with served.client() as one:
        yield one


def ask(operation, **data):
    """The status and the data of an answer."""
    result = jobs.perform(operation, json.dumps(data).encode())
    return result.status, json.loads(result.body) if result.media == "application/json" else result.body


def opened(data, name):
    """The status and the answer to a file."""
    result = jobs.perform("open", name.encode() + b"\0" + data)
    return result.status, json.loads(result.body)


def word_file(tmp_path, *paragraphs, **others):
    return write(tmp_path / "in.docx", body("".join(paragraphs)), **others).read_bytes()


# Checks.


def test_findings_have_their_place_a_rule_and_alternatives():
    status, answer = ask("check", text=TEXT)
    assert status == 200
    finding = next(f for f in answer["findings"] if TEXT[f["start"] : f["end"]] == "utilise")
    assert finding["suggestions"][0]["text"] == "use"
    assert answer["rules"][finding["rule"]]["name"]
    assert set(answer["rules"]) == {f["rule"] for f in answer["findings"]}
    assert "sentences" not in answer, "what the page does not use is not sent"


def test_targets_of_the_whole_text_are_no_marks():
    _, answer = ask(
        "check", text="Notwithstanding considerable opposition, it proceeded.", targets={"grade": 1}
    )
    assert not any(f["rule"].startswith(("PM5", "PM6")) for f in answer["findings"])
    assert answer["targets"][0]["met"] is False


def test_the_house_list_stands_for_other_rules():
    _, answer = ask("check", text="We utilise it.", words=WORDS + "utilise,employ,,\n")
    (finding,) = [f for f in answer["findings"] if f["start"] == 3]
    assert (finding["rule"][:3], finding["suggestions"][0]["text"]) == ("PM4", "employ")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (WORDS + "utilise,use,yes,\n", "word list, line 2: 'utilise' has use instead and never use"),
        (WORDS + "\x00", ""),
        ("\ud800", ""),
    ],
)
def test_a_wrong_word_list_is_told_and_left_out(words, problem):
    answer = work.check(
        CheckRequest.model_construct(text="We utilise it.", targets=TargetsRequest(), words=words)
    )
    assert problem in answer["word_problem"]
    assert "/" not in answer["word_problem"], "no path of the server"
    assert answer["findings"], "the other rules go on"


def test_a_worker_keeps_a_few_checkers():
    checkers = work.Checkers()
    requests = [CheckRequest(text="", targets=TargetsRequest(grade=grade)) for grade in range(6)]
    first = checkers.get(requests[0])
    assert checkers.get(requests[0]) is first
    for request in requests:
        checkers.get(request)
    assert len(checkers._checkers) == work._KEPT
    assert checkers.get(requests[0]) is not first


def test_after_an_edit_only_changed_sentences_are_analysed(monkeypatch):
    import plainmark.checks._checker as module

    analysed = []
    real = module.analyse
    monkeypatch.setattr(
        module, "analyse", lambda texts, **o: analysed.append(list(texts)) or real(texts, **o)
    )
    sentences = [f"The {n} people went home at {n}." for n in range(2, 40)]
    work.check(CheckRequest(text=" ".join(sentences), targets=TargetsRequest(grade=17)))
    sentences[20] = "Something else was said."
    work.check(CheckRequest(text=" ".join(sentences), targets=TargetsRequest(grade=17)))
    assert analysed[1:] == [["Something else was said."]]


@pytest.mark.parametrize(
    ("data", "status", "message"),
    [
        ({}, 422, "no 'text'; it is needed."),
        ({"text": 5}, 422, "text: found a number, expected a string"),
        ({"text": "a", "targets": {"grade": 99}}, 422, "a school grade from 0 to 30"),
        ({"text": "a", "targets": {"grade": "x"}}, 422, "a school grade from 0 to 30"),
        ({"text": "a", "targets": {"cefr": "D1"}}, 422, "one of A1, A2, B1, B2, C1, C2"),
        ({"text": "a", "targets": {"max_sentence": 0}}, 422, "1 to 1000 words per sentence"),
        ({"text": "a", "extra": 1}, 422, "extra"),
        ({"text": "a" * (MAX_TEXT + 1)}, 413, "100,000"),
    ],
)
def test_bad_questions_are_told_what_is_expected(data, status, message):
    found, answer = ask("check", **data)
    assert found == status
    assert message in answer["error"]
    assert "\n" not in answer["error"]


@pytest.mark.parametrize(
    "text", [*ATTACKS, "\ud800 lone", "\x00\x01", "\u202e" * 50, "😀" * 200, "", " \n\t"]
)
def test_any_text_can_be_checked(text):
    status, answer = ask("check", text=text)
    assert status == 200
    assert all(0 <= f["start"] < f["end"] <= len(text) for f in answer["findings"])


def test_too_much_is_refused_at_the_door(client):
    answer = client.post("/editor/check", json={"text": "a " * 2_500_000})
    assert answer.status_code == 413
    assert "at most 100,000 characters" in answer.json()["error"]


# Facts and their checklist.


def test_facts_have_places_and_groups():
    status, answer = ask("facts", source=ORIGINAL, output=TEXT)
    assert status == 200
    changed = next(e for e in answer["entries"] if e["verdict"] == "changed")
    assert (changed["before"]["text"], changed["after"]["text"], changed["red"]) == ("5 May", "6 May", True)
    for side, text in (("source", ORIGINAL), ("output", TEXT)):
        assert [text[a:b] for a, b, _ in answer[side]] == [
            s.strip() + "." for s in text.split(".") if s.strip()
        ]
    assert ask("facts", source="A bird sang. " * 600, output="It sang.")[0] == 413


ENTRIES = facts(ORIGINAL + " =cmd|' /C calc'!A0 cost 12 euros.", TEXT + " It cost 13 euros <script>.").entries


def test_a_checklist_as_csv_is_safe_in_a_spreadsheet():
    rows = list(csv.reader(io.StringIO(checklist(ENTRIES, {0}, "csv").decode("utf-8-sig"))))
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == len(ENTRIES) + 1
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row)
    assert {(row[7], row[8]) for row in rows[1:]} == {("", "")}, "who checked is left blank"
    assert [row[6] for row in rows[1:]].count("yes") == 1
    verdicts = [row[1] for row in rows[1:]]
    order = ["changed", "perhaps changed", "not in your text", "not in the original", "the same"]
    assert verdicts == sorted(verdicts, key=order.index)


def test_a_checklist_as_word_document():
    status, data = ask("checklist", source=ORIGINAL, output=TEXT, confirmed=[0, 99], format="docx")
    assert status == 200
    document = Document(io.BytesIO(data))
    assert document.paragraphs[0].text == "Facts to check"
    assert document.paragraphs[0].style.name == "Heading 1"
    rows = [[cell.text for cell in row.cells] for row in document.tables[0].rows]
    assert tuple(rows[0]) == COLUMNS
    assert rows[1][1:5] == ["changed", "number", "5 May", "6 May"] or rows[1][3:5] == ["5 May", "6 May"]
    assert {(row[7], row[8]) for row in rows[1:]} == {("", "")}
    assert [row[6] for row in rows].count("yes") == 1, "an entry that does not exist is nobody's"
    section = document.sections[0]
    assert section.page_width > section.page_height, "nine columns need a wide page"


def test_a_checklist_with_characters_that_xml_has_not():
    entries = facts("It cost 12 \x0beuros on 5 May.", "It cost 13 \ufffe\x01euros on 6 May.").entries
    assert Document(io.BytesIO(checklist(entries, (), "docx"))).tables
    assert checklist(entries, (), "html")


def test_a_checklist_as_page_shows_texts_as_texts():
    page = checklist(facts(EVIL, " ".join(reversed(ATTACKS))).entries, (), "html").decode()
    tags = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attributes: tags.append((tag, attributes))
    parser.feed(page)
    assert not {t for t, _ in tags} & {"img", "iframe", "base", "svg", "form", "math"}
    assert not any(name.startswith("on") for _, attributes in tags for name, _ in attributes)
    assert "alert(1)</script>" not in page
    assert "Checked by" in page


# Documents in.


def test_a_word_document_is_read(tmp_path):
    status, answer = opened(word_file(tmp_path, paragraph("One."), paragraph("Two &amp; three.")), "a.docx")
    assert (status, answer["text"], answer["kind"]) == (200, "One.\n\nTwo & three.\n", "word")


def test_a_pdf_is_read():
    data = pdf(["We will uti-", "lise the hall (again)."], ["It costs 5 \u20ac."])
    status, answer = opened(data, "leaflet.PDF")
    assert status == 200
    assert answer["text"].split() == "We will utilise the hall (again). It costs 5 \u20ac.".split()
    assert answer["kind"] == "text"
    assert "without its layout" in answer["notes"][0]


@pytest.mark.parametrize(
    ("name", "data", "text", "kind"),
    [
        ("a.md", b"# A *b*\r\n\r\n- c", "# A *b*\n\n- c", "markdown"),
        ("a.txt", "caf\u00e9".encode("cp1252"), "caf\u00e9", "text"),
        ("a.txt", "\ufeffcaf\u00e9".encode("utf-16"), "caf\u00e9", "text"),
        (
            "a.html",
            b"<h1>A &amp; b</h1><script>alert(1)</script><p>c <a href='http://x/'>d</a>",
            "A & b\n\nc d\n",
            "text",
        ),
        ("no ending", b"plain", "plain", "text"),
        ("", b"plain", "plain", "text"),
    ],
)
def test_other_files_are_read(name, data, text, kind):
    status, answer = opened(data, name)
    assert (status, answer["text"].lstrip("\ufeff"), answer["kind"]) == (200, text, kind)


def bomb():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"0" * 60_000_000)
    return out.getvalue()


ENTITIES = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]><x>&b;</x>'
)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("broken.docx", b"PK\x03\x04 not a zip", "not a Word document, or a damaged one"),
        ("empty.docx", b"", "not a Word document"),
        ("old.docx", b"\xd0\xcf\x11\xe0" + b"x" * 600, "encrypted, or an old .doc file"),
        ("bomb.docx", bomb(), "unpack to 60,000,000"),
        ("picture.txt", b"\x89PNG\r\n\x1a\n\x00\x01\x02", "not a plain text"),
        ("picture.pdf", b"\x89PNG\r\n\x1a\n", "not a PDF file"),
        ("torn.pdf", pdf(["Words."])[:150], "damaged PDF file"),
        ("blank.pdf", pdf([""]), "no text in it"),
        ("long.txt", b"a" * (MAX_TEXT + 1), "found 100,001 characters, expected at most 100,000"),
        ("\x1b[31m\u202e.docx", b"x", "not a Word document"),
    ],
)
def test_bad_files_are_refused_in_one_line(name, data, message):
    status, answer = opened(data, name)
    assert status in (413, 422)
    assert message in answer["error"]
    assert "\n" not in answer["error"]
    assert "/tmp" not in answer["error"], "no path of the server"
    assert "\x1b" not in answer["error"]


def test_a_torn_word_document_is_refused_wherever_it_is_torn(tmp_path):
    data = word_file(tmp_path, paragraph("Some words to read."))
    for end in range(0, len(data), 97):
        status, answer = opened(data[:end], "torn.docx")
        assert status == 422, end
        assert answer["error"].startswith("torn.docx: ")
    for at in range(30, len(data), 211):  # one changed byte: read as it was, or refused
        assert opened(data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :], "bent.docx")[0] in (200, 422), at


def test_hostile_parts_of_word_documents(tmp_path):
    assert (
        "holds macros"
        in opened(word_file(tmp_path, paragraph("a"), word__vbaProject_dot_bin=b"x"), "m.docx")[1]["error"]
    )
    status, answer = opened(write(tmp_path / "e.docx", ENTITIES).read_bytes(), "e.docx")
    assert (status, "entities" in answer["error"]) == (422, True)
    deep = "<w:sdt>" * 600 + "</w:sdt>" * 600
    assert "inside each other" in opened(word_file(tmp_path, f"<w:p>{deep}</w:p>"), "d.docx")[1]["error"]
    status, answer = opened(word_file(tmp_path, paragraph("a"), word__footnotes_dot_xml=ENTITIES), "n.docx")
    assert (status, "entities" in answer["error"]) == (422, True), "notes are read with the same care"


def test_nothing_that_a_document_refers_to_is_opened(tmp_path, monkeypatch):
    import socket

    def refuse(*_, **__):
        raise AssertionError("a document opened a connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    relations = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate" '
        'Target="http://127.0.0.1:9/template.dotm" TargetMode="External"/>'
        '<Relationship Id="r2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" '
        'Target="file:///etc/passwd" TargetMode="External"/></Relationships>'
    )
    field = (
        "<w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText>DDEAUTO c:\\\\x</w:instrText></w:r>"
    )
    data = word_file(
        tmp_path, paragraph("We utilise it.", field), word___rels__document_dot_xml_dot_rels=relations
    )
    status, answer = opened(data, "a.docx")
    assert (status, answer["text"]) == (200, "We utilise it.\n")
    saved = saved_as("We use it.", "tracked", document=data)
    with zipfile.ZipFile(io.BytesIO(saved)) as archive:
        assert archive.read("word/_rels/document.xml.rels").decode() == relations, "kept, not followed"
    action = "/OpenAction << /S /URI /URI (http://127.0.0.1:9/) >>"
    assert opened(pdf(["Words."], action=action), "a.pdf")[0] == 200
    page = b"<p>a</p><img src='http://127.0.0.1:9/x'><link rel=stylesheet href='http://127.0.0.1:9/x'>"
    assert opened(page, "a.html")[1]["text"] == "a\n"


def test_a_lying_ending_is_found_out(tmp_path):
    data = word_file(tmp_path, paragraph("One."))
    assert opened(data, "a.txt")[0] == 422
    assert opened(data, "a.pdf")[0] == 422
    assert opened(b"plain words", "a.docx")[0] == 422
    assert opened(pdf(["Words."]), "a.docx")[0] == 422


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("check", "text/plain"),
        ("check", "multipart/form-data"),
        ("facts", ""),
        ("open", "application/json"),
        ("save", "text/plain"),
    ],
)
def test_lying_content_types_are_refused(client, path, kind):
    answer = client.post(f"/editor/{path}", content=b'{"text": "a"}', headers={"content-type": kind})
    assert answer.status_code == 415
    assert "error" in answer.json()


def test_open_over_http(client, tmp_path):
    data = word_file(tmp_path, paragraph("One."))
    answer = client.post("/editor/open", files={"file": ("../../x.docx", data, "image/png")})
    assert (answer.status_code, answer.json()["text"]) == (200, "One.\n"), (
        "the content decides, not the declared type"
    )
    assert answer.headers["cache-control"] == "no-store"
    assert client.post("/editor/open", files={"other": ("a.txt", b"x")}).status_code == 422
    assert client.post("/editor/open", files={"file": ("a.txt", b"x" * 5_000_000)}).status_code == 413


# Documents out.


def saved_as(text, form, *, document=b"", name="", kind="text", **more):
    asked = json.dumps({"text": text, "format": form, "name": name, "kind": kind, **more}).encode()
    result = jobs.perform("save", asked + (b"\0" + document if document else b""))
    assert result.status == 200, result.body
    return result.body


def test_a_new_word_document():
    document = Document(io.BytesIO(saved_as("One\ntwo.\n\nThree \x00\ud800.", "docx")))
    assert [p.text for p in document.paragraphs] == ["One\ntwo.", "Three \ufffd\ufffd."]


MARKDOWN = """# Your *visit*

Come **early**, or [call](https://example.org) us.
It helps.

- bring `this`
- bring that
  1. first
  2. then

| Day | Dose |
|---|---|
| Monday | two |

> We care.

    code
"""


def test_markdown_becomes_a_word_document():
    document = Document(io.BytesIO(saved_as(MARKDOWN, "docx", kind="markdown")))
    rows = [(p.style.name, p.text) for p in document.paragraphs]
    assert rows == [
        ("Heading 1", "Your visit"),
        ("Normal", "Come early, or call us. It helps."),
        ("List Bullet", "bring this"),
        ("List Bullet", "bring that"),
        ("List Number", "first"),
        ("List Number", "then"),
        ("Quote", "We care."),
        ("Normal", "code"),
    ]
    assert [r.text for r in document.paragraphs[1].runs if r.bold] == ["early"]
    assert [[c.text for c in r.cells] for r in document.tables[0].rows] == [
        ["Day", "Dose"],
        ["Monday", "two"],
    ]


def test_markdown_becomes_a_page_without_anything_active():
    page = saved_as(MARKDOWN, "html", kind="markdown", name="<b>").decode()
    assert "<h1>Your <em>visit</em></h1>" in page
    assert '<a href="https://example.org">call</a>' in page
    assert "<title>&lt;b&gt;</title>" in page
    for attack in [
        *ATTACKS,
        "[x](javascript:alert(1))",
        "![x](data:text/html,<script>)",
        "<javascript:alert(1)>",
    ]:
        for kind in ("markdown", "text"):
            page = saved_as(attack, "html", kind=kind).decode()
            assert not re.search(
                r"<(script|img [^>]*onerror|svg|iframe|base|form|details|math)", page.partition("<body>")[2]
            )
            assert not re.search(r'(href|src)="(javascript|data)', page)


def test_the_text_of_a_word_document_becomes_markdown(tmp_path):
    document = Document()
    document.add_heading("Your visit", 2)
    document.add_paragraph("Bring *this* and #that.\nAnd [more].")
    document.add_paragraph("First", style="List Bullet")
    document.add_paragraph("Second", style="List Bullet")
    table = document.add_table(2, 2)
    for cell, words in zip((c for r in table.rows for c in r.cells), ("Day", "Dose", "", "a|b"), strict=True):
        cell.text = words
    document.add_paragraph("1. is not a list")
    out = io.BytesIO()
    document.save(out)
    text = opened(out.getvalue(), "a.docx")[1]["text"]
    edited = text.replace("First", "The first").replace("Second", "Second\n\nA new one")
    assert saved_as(edited, "md", document=out.getvalue(), kind="word").decode() == (
        "## Your visit\n\nBring \\*this\\* and #that.\\\nAnd \\[more\\].\n\n- The first\n- Second\n\nA new one\n\n"
        "| Day | Dose |\n| --- | --- |\n|  | a\\|b |\n\n1\\. is not a list\n"
    )
    page = saved_as(edited, "html", document=out.getvalue(), kind="word").decode()
    assert "<td>a|b</td>" in page
    assert "<li>The first</li>" in page
    assert "<p>1. is not a list</p>" in page
    assert saved_as(edited, "txt", document=out.getvalue(), kind="word").decode() == edited


def test_suggestions_become_comments(tmp_path):
    data = word_file(tmp_path, paragraph("We will utilise the hall."), paragraph("They like it."))
    for document in (b"", data):
        saved = saved_as(
            "We will utilise the hall.\n\nThey adore it.",
            "comments",
            document=document,
            words=WORDS + "adore,love,,\n",
        )
        comments = list(Document(io.BytesIO(saved)).comments)
        assert any("Try “use”" in c.text for c in comments)
        assert any("love" in c.text for c in comments)
        assert {c.author for c in comments} == {"plainmark"}


def test_tracked_changes_need_a_document():
    status, answer = ask("save", text="a", format="tracked")
    assert (status, answer["error"]) == (
        422,
        "tracked changes need the Word document that the text was opened from; open it first.",
    )


@pytest.mark.parametrize("document", [b"not a zip", bomb(), pdf(["x"])])
def test_a_bad_document_is_refused_when_saving_too(document):
    result = jobs.perform("save", b'{"text": "a", "format": "docx", "name": "my letter"}\0' + document)
    assert result.status == 422
    assert json.loads(result.body)["error"].startswith("my letter: ")


def test_save_over_http(client, tmp_path):
    data = word_file(tmp_path, paragraph("We utilise it."))
    asked = json.dumps({"text": "We use it.", "format": "tracked", "name": '../a";\r\nb', "kind": "word"})
    answer = client.post("/editor/save", data={"request": asked}, files={"file": ("x", data)})
    assert answer.status_code == 200
    assert answer.headers["content-disposition"] == 'attachment; filename="a-b.docx"'
    assert "sandbox" in answer.headers["content-security-policy"]
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert b"<w:ins " in archive.read("word/document.xml")
    answer = client.post("/editor/save", json={"text": "<script>alert(1)</script>", "format": "html"})
    assert (answer.headers["content-disposition"], answer.headers["content-type"]) == (
        'attachment; filename="text.html"',
        "text/html; charset=utf-8",
    )
    assert client.post("/editor/save", data={"request": "{"}, files={"file": ("x", data)}).status_code == 400
    assert client.post("/editor/save", json={"text": "a", "format": "exe"}).status_code == 422


def test_names_of_files_are_harmless():
    assert file_name("../../etc/passwd") == "etc-passwd"
    assert file_name("...") == "text"
    assert file_name(None) == "None"
    assert len(file_name("x" * 500)) == 60


def test_saving_without_python_docx(monkeypatch):
    monkeypatch.setattr(documents, "find_spec", lambda name: None)
    assert documents.formats() == ("md", "html", "txt")


# The form.


def test_the_form_is_answered(client):
    answer = client.post(
        "/", data={"text": TEXT, "original": ORIGINAL, "grade": "2", "words": WORDS + "hall,,yes,\n"}
    )
    assert answer.status_code == 200
    assert '<mark class="mark hint">utilise</mark>' in answer.text
    assert "<b>5 May</b> → <b>6 May</b>" in answer.text
    assert "at most 2" in answer.text
    assert "never to use" in answer.text


def test_files_of_the_form(client, tmp_path):
    data = word_file(tmp_path, paragraph("We will utilise the hall."))
    answer = client.post(
        "/", files={"text_file": ("a.docx", data), "original_file": ("b.pdf", pdf(["The hall."]))}
    )
    assert "We will utilise the hall.\n</textarea>" in answer.text
    assert "The hall.\n</textarea>" in answer.text
    answer = client.post("/", data={"text": "Kept."}, files={"text_file": ("a.docx", b"x")})
    assert answer.status_code == 422
    assert "a.docx: not a Word document" in answer.text
    assert "Kept." in answer.text, "what was typed is not lost"


@pytest.mark.parametrize(
    ("data", "status", "message"),
    [
        ({"text": "a", "grade": "ten"}, 422, "School grade is &#39;ten&#39;, expected a number."),
        ({"text": "a", "grade": "-4"}, 422, "a school grade from 0 to 30"),
        ({"text": "a", "cefr": "X"}, 422, "one of A1"),
        ({"text": "a" * (MAX_TEXT + 1)}, 413, "Your text has 100,001 characters, expected at most 100,000."),
        ({"original": "a" * (MAX_TEXT + 1)}, 413, "The original has 100,001 characters"),
    ],
)
def test_a_wrong_form_is_shown_again(client, data, status, message):
    answer = client.post("/", data=data)
    assert answer.status_code == status
    assert message in answer.text


def test_the_form_shows_texts_as_texts(client):
    data = dict.fromkeys(("text", "original", "words", "name"), EVIL)
    answer = client.post("/", data=data | {"grade": ATTACKS[1]})
    for page in (answer.text, client.post("/", data=data).text):
        assert "<script>alert" not in page
        assert "onerror=alert(2)>" not in page.replace("&#34;", '"').replace(
            '"><img src=x onerror=alert(2)&gt;', ""
        )
        assert "{{ 7 * 7 }}" in page, "templates are not evaluated"
    assert client.post("/", content=b"x", headers={"content-type": "text/plain"}).status_code == 415


def test_marks_may_stand_inside_each_other():
    cards = [
        {"number": 1, "start": 0, "end": 9, "severity": "hint"},
        {"number": 2, "start": 3, "end": 5, "severity": "limit"},
        {"number": 3, "start": 4, "end": 9, "severity": "hint"},
    ]
    pieces = _pieces("abcdefghi jkl", cards)
    assert "".join(p.text for p in pieces) == "abcdefghi jkl"
    assert [(p.text, p.cards) for p in pieces if p.cards] == [("e", (2,)), ("fghi", (1, 3))]
    assert pieces[-1].severity == ""


def test_the_page_lets_only_its_own_styles_through(client):
    one, other = (client.get("/").headers["content-security-policy"] for _ in range(2))
    assert one != other, "a number that is used once"
    assert "unsafe" not in one
    assert "script-src 'self'" in one


def test_read_words_names_no_file_of_the_server():
    with pytest.raises(InputError) as error:
        work.read_words(WORDS + "a,b,yes,")
    assert str(error.value).startswith("word list, line 2")


def test_long_documents_are_refused_by_their_text():
    with pytest.raises(TextTooLongError, match="big"):
        documents.open_document(b"a" * (MAX_TEXT + 1), "big.txt")


def test_requests_know_their_suffix():
    assert [SaveRequest(text="", format=f).suffix for f in ("docx", "tracked", "comments", "md")] == [
        "docx"
    ] * 3 + ["md"]
