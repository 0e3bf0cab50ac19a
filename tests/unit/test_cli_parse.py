"""plainmark parse: trees, files, drawings, and scores against gold passages."""

import json
import xml.etree.ElementTree as ElementTree

import pytest

from plainmark import cli, ucca
from plainmark.ucca import rendering
from support.ucca_data import bracketed

GOLD = "(H (A John) (P came) (A home)) (U .) (H (A He) (P slept) (U .))"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "source.txt").write_text("John came home.\nHe slept & <snored>.\n")
    (tmp_path / "gold").mkdir()
    (tmp_path / "gold" / "1.xml").write_text(ucca.write_passage(bracketed(GOLD)))

    def call(*words):
        code = cli.main(["parse", *words])
        out, err = capsys.readouterr()
        return code, out, err

    return call


def test_trees_are_printed(run):
    code, out, _ = run("source.txt")
    assert code == 0
    assert "H*\n    A  John\n    P  came\n" in out


def test_json_is_printed(run):
    code, out, _ = run("source.txt", "--format", "json")
    first, second = (json.loads(line) for line in out.splitlines())
    assert code == 0
    assert first["words"] == ["John", "came", "home", "."]
    assert first["scenes"][0]["main_relations"][0]["centres"] == [[1]]
    assert second["words"][-2] == ">"


def test_files_and_drawings(run, tmp_path):
    code, out, _ = run("source.txt", "--format", "ucca-xml", "-o", "parses/", "--svg")
    assert code == 0
    assert out == "parses: 2 passages\n"
    assert sorted(p.name for p in (tmp_path / "parses").iterdir()) == [
        "0001.svg",
        "0001.xml",
        "0002.svg",
        "0002.xml",
    ]
    assert ucca.read_passage("parses/0002.xml").words[1:3] == ["slept", "&"]
    drawn = ElementTree.parse("parses/0002.svg").getroot()
    assert "<" in [t.text for t in drawn.iter("{http://www.w3.org/2000/svg}text")]
    for form, name in (("tree", "0001.txt"), ("json", "0001.json")):
        assert run("source.txt", "--format", form, "-o", "other")[0] == 0
        assert (tmp_path / "other" / name).is_file()


def test_evaluate(run):
    code, out, _ = run("--evaluate", "gold")
    assert code == 0
    assert "edges, labelled" in out
    assert "1 passages, 2 sentences" in out
    code, out, _ = run("--evaluate", "gold", "--format", "json")
    record = json.loads(out)
    assert record["sentences"] == 2
    assert record["gold_scenes_per_sentence"] == 1
    assert record["labelled_primary"]["gold"] == 7


def test_evaluate_given_parses(run, tmp_path):
    (tmp_path / "found").mkdir()
    (tmp_path / "found" / "1.xml").write_text(
        ucca.write_passage(bracketed(GOLD.replace("(A home)", "(D home)")))
    )
    code, out, _ = run("--evaluate", "gold", "--predicted", "found", "--format", "json")
    assert code == 0
    assert json.loads(out)["labelled_primary"]["matches"] == 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no texts given; expected a file, or texts on standard input."),
        (["source.txt", "--svg"], "--svg writes a file for each line; name a folder with -o."),
        (["source.txt", "--format", "ucca-xml"], "--format ucca-xml writes a file for each line"),
        (
            ["source.txt", "--format", "csv"],
            "--format csv goes with --evaluate; parses are written as tree, json",
        ),
        (["source.txt", "--predicted", "x"], "--predicted goes with --evaluate."),
        (["--evaluate", "gold", "--format", "tree"], "--format tree: expected one of table, csv,"),
        (["source.txt", "-o", "source.txt"], "source.txt: cannot make this folder (File exists)."),
        (["gone.txt"], "gone.txt"),
        (
            ["source.txt", "--parser", "nowhere"],
            "needs a parser's weights, but nowhere has no model.safetensors",
        ),
        (
            ["--evaluate", "nowhere"],
            "nowhere: not a folder; expected one with passages in UCCA's standard XML.",
        ),
        (["--evaluate", "empty"], "empty: no .xml files"),
        (["--evaluate", "broken"], "broken/a.xml, line 2: mismatched tag."),
        (["--evaluate", "mixed"], "mixed/b.xml, line 1: "),
        (["--evaluate", "bomb"], "bomb/a.xml, line 1: "),
        (["--evaluate", "gold", "source.txt"], "--evaluate takes a folder of gold passages and no texts"),
        (
            ["--evaluate", "gold", "--predicted", "other"],
            "other: no 1.xml, expected a parse of each gold passage.",
        ),
        (["--evaluate", "gold", "--predicted", "changed"], "are not the same text."),
    ],
)
def test_mistakes_are_one_line(run, tmp_path, arguments, message):
    for name in ("empty", "broken", "other", "changed", "mixed", "bomb"):
        (tmp_path / name).mkdir()
    (tmp_path / "mixed" / "a.xml").write_text(ucca.write_passage(bracketed(GOLD)))
    (tmp_path / "mixed" / "b.xml").write_text("not XML")
    entities = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 10))
    (tmp_path / "bomb" / "a.xml").write_text(
        f'<!DOCTYPE root [<!ENTITY e0 "x">{entities}]>\n<root>&e9;</root>'
    )
    (tmp_path / "broken" / "a.xml").write_text("<root>\n</rot>")
    (tmp_path / "other" / "2.xml").write_text(ucca.write_passage(bracketed(GOLD)))
    (tmp_path / "changed" / "1.xml").write_text(ucca.write_passage(bracketed("(H (P Stop))")))
    code, out, err = run(*arguments)
    assert code == 2
    assert message in err
    assert err.count("\n") == 1
    assert not out


ODD = [
    "the old farmer who lived near the river sold his small house to a young family , and " * 17
    + ".",  # 307 words
    "No verb at all",
    "... - !",
    "",
    "Stop!",
]


def test_odd_lines_have_a_parse_each(run, tmp_path):
    (tmp_path / "odd.txt").write_text("\n".join(ODD) + "\n")
    code, out, err = run("odd.txt", "--format", "json", "-q")
    assert (code, err) == (0, "")
    long, no_verb, marks, empty, stop = (json.loads(line) for line in out.splitlines())
    assert len(long["words"]) == 307
    assert len(long["scenes"]) > 17
    assert no_verb["words"] == ["No", "verb", "at", "all"]
    assert marks["scenes"] == empty["scenes"] == empty["words"] == []
    assert stop["words"] == ["Stop", "!"]


@pytest.mark.filterwarnings("always:the UCCA parser knows")
@pytest.mark.parametrize(
    "lines",
    [
        [
            "Der Hund schläft unter dem Tisch, und die Katze frisst nicht.",
            "Das ist nicht der Hund und die Katze.",
        ],
        ["狗在桌子下面睡觉。", "猫不吃东西。"],
    ],
)
def test_another_language_is_refused_in_one_line(run, tmp_path, lines, monkeypatch):
    monkeypatch.setattr(ucca.parser(), "_warned", False)
    (tmp_path / "other.txt").write_text("\n".join(lines) + "\n", "utf-8")
    code, _, err = run("other.txt", "-q")
    assert code == 2
    assert err.startswith("plainmark: the UCCA parser is for English; this looks ")
    assert err.endswith(" (99 %). Use --language en to insist.\n")
    assert err.count("\n") == 1
    code, _, err = run("other.txt", "-q", "--language", "en")
    assert code == 0
    assert err == "plainmark: the UCCA parser knows English only; parses of other languages mean little.\n"


def test_a_passage_of_5_mb(tmp_path):
    """Reading takes time in proportion to the size of the file."""
    words = 6_200
    text = " ".join(f"(H (A he{i}) (P ran))" for i in range(words))
    path = tmp_path / "long.xml"
    path.write_text(ucca.write_passage(bracketed(text)))
    assert path.stat().st_size > 5_000_000
    graph = ucca.read_passage(path)
    assert len(graph.words) == 2 * words
    assert len(graph.scenes) == words


def test_a_tree_by_hand():
    graph = bracketed("(H (A=j John Smith) (P came)) (L and) (H (A*j) (P left) (A-)) (U .)")
    assert rendering.tree(graph) == (
        "test\n  H*\n    A  John Smith\n    P  came\n  L  and\n  H*\n    A  [John Smith]\n    A  -\n    P  left\n  U  ."
    )


def test_drawings_hold_any_text():
    graph = bracketed("(H (A <script>) (P a&b\x01) (A=x 犬) (A*x) (A-))")
    root = ElementTree.fromstring(rendering.svg(graph))
    found = [t.text for t in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "<script>" in found
    assert "a&b\ufffd" in found
    assert [c.get("class") for c in root.iter("{http://www.w3.org/2000/svg}circle")].count("scene") == 1
    assert len(list(root.iter("{http://www.w3.org/2000/svg}path"))) == 1
    ElementTree.fromstring(rendering.svg(bracketed("")))
