"""plainmark check: formats, exit codes, suppressions, baselines, documents and hostile files."""

import json
import tomllib
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from plainmark.cli import main
from support import word_document as word

ROOT = Path(__file__).parents[2]
TEXT = "We will purchase the land.\n\nThe form was signed by the nurse.\n"


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def write(name, text):
    Path(name).write_text(text, "utf-8")
    return name


def run(capsys, *words):
    code = main(["check", *words])
    done = capsys.readouterr()
    return code, done.out, done.err


def test_one_line_per_finding(capsys):
    code, out, err = run(capsys, write("a.txt", TEXT))
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "a.txt:1:9: PM101 hint: “purchase” has a plainer word. Try “buy”."
    assert lines[1].startswith("a.txt:3:10: PM202 hint: “was signed” is a passive.")
    assert "1 file, 2 findings, 0 limits broken" in err


def test_a_broken_limit_is_exit_code_1(capsys):
    code, out, _ = run(capsys, write("a.txt", TEXT), "--max-sentence", "4")
    assert code == 1
    assert "PM201 limit" in out


@pytest.mark.parametrize(("value", "code"), [("limit", 0), ("hint", 1), ("never", 0)])
def test_fail_on(capsys, value, code):
    assert run(capsys, write("a.txt", TEXT), "--fail-on", value)[0] == code


def test_the_grade_target_tells_what_costs_most(capsys):
    text = "We keep bees. The administration implemented considerable organisational modifications. They hum."
    code, out, _ = run(capsys, write("a.txt", text), "--grade", "3", "--select", "PM501")
    assert code == 1
    assert "PM501 limit: The text is at school grade" in out
    assert "    line 1 adds" in out


def test_select_and_ignore(capsys):
    assert "PM202" not in run(capsys, write("a.txt", TEXT), "--ignore", "PM202")[1]
    assert "PM101" not in run(capsys, "a.txt", "--select", "PM202,PM103")[1]
    code, _, err = run(capsys, "a.txt", "--select", "PM999")
    assert code == 2
    assert "no rule 'PM999'" in err


@pytest.mark.parametrize(
    ("name", "text", "left"),
    [
        ("a.md", "<!-- plainmark: ignore PM101 -->\nWe will purchase it.\n\nWe will purchase more.\n", [4]),
        ("a.md", "We will purchase it. <!-- plainmark: ignore -->\nWe will purchase more.\n", [2]),
        ("a.md", "<!-- plainmark: ignore-file PM101 -->\n\nWe will purchase it.\n", []),
        (
            "a.html",
            "<p>We will purchase it.</p><!-- plainmark: ignore PM101 -->\n<p>We will purchase more.</p>",
            [2],
        ),
        ("a.txt", "<!-- plainmark: ignore-file -->\nWe will purchase it.\n", []),
        ("a.md", "<!-- plainmark: ignore PM202 -->\nWe will purchase it.\n", [2]),
    ],
)
def test_suppressions(capsys, name, text, left):
    out = run(capsys, write(name, text), "--select", "PM101", "--format", "json")[1]
    assert [f["line"] for f in json.loads(out)[0]["findings"]] == left


def test_a_baseline_leaves_out_what_is_known(capsys):
    write("a.txt", TEXT)
    assert run(capsys, "a.txt", "--baseline", "known.json", "--update-baseline")[0] == 0
    write("a.txt", "An owl.\n\n" + TEXT + "\nWe will purchase more.\n")
    out = run(capsys, "a.txt", "--baseline", "known.json")[1]
    assert [line.split(":")[1] for line in out.splitlines()] == ["7"]


@pytest.mark.parametrize(
    "text", ["[]", "{}", "not json", '{"format": "plainmark check baseline", "findings": {"a": -1}}']
)
def test_a_broken_baseline_is_refused(capsys, text):
    write("a.txt", TEXT)
    code, out, err = run(capsys, "a.txt", "--baseline", write("known.json", text))
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1


def test_sarif_has_what_the_schema_requires(capsys):
    log = json.loads(run(capsys, write("a b.txt", TEXT), "--format", "sarif")[1])
    assert log["version"] == "2.1.0"
    (done,) = log["runs"]
    rules = done["tool"]["driver"]["rules"]
    assert done["tool"]["driver"]["name"] == "plainmark"
    for result in done["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["message"]["text"]
        assert result["level"] in ("none", "note", "warning", "error")
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "a%20b.txt"
        assert place["region"]["startLine"] >= 1
        assert place["region"]["endColumn"] > place["region"]["startColumn"]


def test_github_and_junit(capsys):
    write("a.txt", TEXT)
    first = run(capsys, "a.txt", "--format", "github")[1].splitlines()[0]
    assert first.startswith("::notice file=a.txt,line=1,col=9,endLine=1,endColumn=17,title=PM101::“purchase”")
    tree = ElementTree.fromstring(run(capsys, "a.txt", "--format", "junit")[1])
    assert tree.attrib["failures"] == "2"


def test_the_configuration_is_read(capsys):
    write("plainmark.toml", '[check]\nmax_sentence = 4\nignore = ["PM202"]\nwords = "house.csv"\n')
    write("house.csv", "term,use instead,never use,explain\nland,ground,,\n")
    code, out, err = run(capsys, write("a.txt", TEXT))
    assert code == 1
    assert "PM202" not in out
    assert "PM401" in out
    assert "max_sentence, ignore, words from plainmark.toml" in err
    assert "PM201" not in run(capsys, "a.txt", "--max-sentence", "40")[1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[check]\nmax_sentense = 4\n", "unknown key 'max_sentense'"),
        ('[check]\ngrade = "eight"\n', "grade is 'eight', expected a number"),
        ("check = 3\n", "expected a section [check]"),
    ],
)
def test_a_wrong_configuration_is_refused(capsys, text, message):
    write("plainmark.toml", text)
    code, _, err = run(capsys, write("a.txt", TEXT))
    assert code == 2
    assert message in err
    assert len(err.splitlines()) == 1


def test_the_original_is_compared(capsys):
    write("original.txt", "Patients must take 5 mg of the drug daily.")
    code, out, _ = run(
        capsys, write("a.txt", "Patients must take 50 mg of the drug daily."), "--original", "original.txt"
    )
    assert code == 1
    assert "a.txt:1:20: PM601 limit: “5 mg” of the original is “50 mg” here (number)." in out


def test_word_documents_and_their_comments(capsys):
    pytest.importorskip("docx")
    content = word.body(
        word.paragraph("Title of it", style="berschrift1")
        + word.paragraph(
            "We will pur", "<w:r><w:rPr><w:b/></w:rPr><w:t>chase</w:t></w:r>", " the land &amp; more."
        )
    )
    word.write("a.docx", content)
    code, out, _ = run(capsys, "a.docx", "--comments", "out")
    assert code == 0
    assert out.startswith("a.docx:2:9: PM101")
    comments = word.read("out/a.docx", "word/comments.xml")
    assert "“purchase” has a plainer word. Try “buy”." in comments
    document = word.read("out/a.docx")
    before, _, rest = document.partition("<w:commentRangeStart")
    assert "We will " in before
    assert "pur" in rest.partition("<w:commentRangeEnd")[0]
    assert " the land &amp; more." in rest.partition("<w:commentRangeEnd")[2]
    assert run(capsys, "out/a.docx")[1].replace("out/", "") == out  # the text is what it was


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "a.md",
            "We **will** purchase it.\n",
            "We **will** purchase<!-- PM101: “purchase” has a plainer word. Try “buy”. --> it.",
        ),
        ("a.html", "<p>We will purchase &amp; sell.</p>", "<p>We will purchase<!-- PM101"),
        ("a.txt", "We will purchase it <b x>.\n", "<mark>purchase</mark>"),
    ],
)
def test_copies_of_texts(capsys, name, text, expected):
    code, _, err = run(capsys, write(name, text), "--comments", "out")
    assert code == 0
    assert "plainmark: out: 1 copy with the findings as comments\n" in err
    copy = Path("out", name if name != "a.txt" else "a.txt.html").read_text("utf-8")
    assert expected in copy
    assert "<b x>" not in copy or name != "a.txt"
    assert Path(name).read_text("utf-8") == text


def test_a_document_is_never_written_over(capsys):
    code, _, err = run(capsys, write("a.md", TEXT), "--comments", ".")
    assert code == 2
    assert "would write over a.md" in err


def bomb(path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b" " * 200_000_000)


def macros(path):
    word.write(path, word.body(word.paragraph("Text.")), word__vbaProject_dot_bin=b"x")


def entities(path):
    content = '<!DOCTYPE d [<!ENTITY e SYSTEM "file:///etc/passwd">]><w:document xmlns:w="x">&e;</w:document>'
    word.write(path, content)


@pytest.mark.parametrize(
    ("name", "make", "message"),
    [
        ("a.docx", lambda p: Path(p).write_bytes(b"PK\3\4 broken"), "not a Word document, or a damaged one"),
        ("a.docx", bomb, "unpack to 200,000,000"),
        ("a.docx", macros, "holds macros"),
        ("a.docx", entities, "document type with entities"),
        ("a.pdf", lambda p: Path(p).write_bytes(b"%PDF-1.7 nothing"), "damaged PDF file"),
        ("a.pdf", lambda p: Path(p).write_bytes(b"no"), "not a PDF file"),
        ("a.txt", lambda p: Path(p).write_bytes(b"\x89PNG\r\n\x1a\n\0\0"), "is not UTF-8"),
        ("a.txt", lambda p: Path(p).write_bytes(b"abc\0def"), "a binary file"),
        ("a.md", lambda p: Path(p).write_bytes("é".encode("utf-16")), "UTF-16"),
        ("a.xyz", lambda p: Path(p).write_text("x"), "cannot read a .xyz file"),
        ("none.txt", lambda p: None, "cannot be read"),
    ],
)  # fmt: skip
def test_hostile_files_are_one_line_and_exit_code_2(capsys, name, make, message):
    if name.endswith(".pdf"):
        pytest.importorskip("pypdf")
    make(name)
    code, out, err = run(capsys, name)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1


def test_markup_keeps_its_places(capsys):
    text = "---\ntitle: purchase\n---\n# We will *purchase* it\n\n- See [we will purchase it](purchase.md) `purchase`.\n\n```\npurchase\n```\n\n| We will purchase it | x |\n|---|---|\n"
    out = run(capsys, write("a.md", text), "--select", "PM101")[1]
    assert [line.split(":")[1:3] for line in out.splitlines()] == [["4", "12"], ["6", "16"], ["12", "11"]]


def test_link_texts(capsys):
    text = '<p>For more, <a href="x">click here</a> or <a href="y">our prices</a>.</p>'
    out = run(capsys, write("a.html", text), "--select", "PM301")[1]
    assert out.splitlines() == [
        "a.html:1:26: PM301 hint: The link text “click here” does not say where it leads."
    ]


PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "tests/README.md", "docs/*.md")
GUIDES = (
    *PAGES[:-1],
    *(
        f"docs/{name}.md"
        for name in ("index", "tutorial", "how-to-*", "example-*", "glossary", "style", "design")
    ),
    *(f"docs/{name}.md" for name in ("significance", "signatures", "differences", "coming-from", "report")),
    *(
        f"docs/{name}.md"
        for name in ("explain", "editor", "checks", "playground", "meta", "datasets", "formats")
    ),
    *(f"docs/{name}.md" for name in ("corpus", "metric", "api", "command-line", "faithfulness", "document")),
)


def test_the_repository_meets_its_own_limits(capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    code, out, err = run(capsys, *PAGES)
    assert code == 0, out + err


def test_no_sentence_of_a_guide_has_more_than_40_words(capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    code, out, err = run(capsys, *GUIDES, "--select", "PM201", "--max-sentence", "40")
    assert code == 0, out + err


BROKEN = {
    "PM102": "They left prior to the meeting.",
    "PM105": "The board conducted an investigation of the fire.",
    "PM203": "Side effects are not uncommon.",
    "PM301": "To apply for a permit, [click here](permit.md).",
    "PM302": "The trial had forty-two patients.",
    "PM401": "The files are made anew.",
    "PM402": "This metric explains nothing.",
    "PM501": "Methodological heterogeneity necessitates comprehensive recalibration.",
    "PM503": "The form was signed. The fee was paid. We left.",
}


@pytest.mark.parametrize("rule", BROKEN)
def test_the_limits_of_the_repository_can_fail(capsys, monkeypatch, tmp_path, rule):
    page = tmp_path / "page.md"
    page.write_text(BROKEN[rule], "utf-8")
    monkeypatch.chdir(ROOT)
    code, out, _ = run(capsys, str(page))
    assert code == 1
    assert f" {rule} " in out


def test_every_rule_of_the_repository_has_a_page_that_breaks_it():
    settings = tomllib.loads((ROOT / "plainmark.toml").read_text("utf-8"))["check"]
    assert settings["select"] == list(BROKEN)


def test_the_limits_of_the_repository_are_near_its_hardest_pages(capsys, monkeypatch):
    settings = tomllib.loads((ROOT / "plainmark.toml").read_text("utf-8"))["check"]
    monkeypatch.chdir(ROOT)
    measures = [page["measures"] for page in json.loads(run(capsys, *PAGES, "--format", "json")[1])]
    assert len(measures) > 60
    assert 0 <= settings["grade"] - max(m["grade"] for m in measures) < 1.5
    assert 0 <= settings["max_passive"] - max(m["passive"] for m in measures) < 15
