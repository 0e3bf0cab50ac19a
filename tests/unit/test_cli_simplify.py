"""simplify, tune and rules at the command line, with good and bad input."""

import gzip
import json
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

import plainmark as pm
from plainmark.cli import main
from plainmark.errors import InputError, UnknownNameError
from plainmark.lexicon.language import looks_english
from plainmark.simplifier.model import load_simplifier
from plainmark.simplifier.surface import split_at_spaces
from support import tiny_simplifier as tiny


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A folder with a model that `plainmark tune` made, and its input files."""
    folder = tmp_path_factory.mktemp("tune")
    tiny.write_inputs(folder)
    code = main(
        ["rules", "extract", str(folder / "tune.jsonl"), "--tokenized", "-o", str(folder / "extracted.tsv")]
    )
    assert code == 0
    arguments = [
        "--rules",
        folder / "pairs.txt",
        "--rules",
        folder / "extracted.tsv",
        "--lm",
        folder / "lm.arpa.gz",
    ]
    arguments += ["--train", folder / "tune.jsonl", "--tokenized", "--rounds", "3", "-o", folder / "model"]
    assert main(["tune", *map(str, arguments)]) == 0
    return folder


def run(capsys, *words, stdin=None):
    capsys.readouterr()
    code = main([str(w) for w in words])
    out = capsys.readouterr()
    return code, out.out, out.err


def test_english_can_be_insisted_on(tmp_path, capsys, caplog):
    text = tmp_path / "text.txt"
    text.write_text("Les commandants utilise numerous methods approximately de la ville.\n", "utf-8")
    code, out, _ = run(capsys, "simplify", text)
    assert (code, out) == (0, text.read_text("utf-8"))
    caplog.clear()
    for words in ((), ("--choose", "quality", "-q"), ("--grade", "3", "-q")):
        code, out, _ = run(capsys, "simplify", text, "--language", "en", *words)
        assert (code, out) == (0, "Les commandants use many methods about de la ville.\n")
    assert not caplog.text
    assert not looks_english(text.read_text("utf-8"))  # what was insisted on is over


def test_other_languages_are_refused_in_one_line(tmp_path, capsys):
    text = tmp_path / "text.txt"
    text.write_text("Owls hunt at night.\n", "utf-8")
    assert run(capsys, "simplify", text, "--language", "de", "-o", tmp_path / "out.txt") == (
        2,
        "",
        "plainmark: the simplifier is for English; the texts are German.\n",
    )
    assert not (tmp_path / "out.txt").exists()
    code, _, err = run(capsys, "simplify", text, "--language", "xx")
    assert (code, err.count("\n")) == (2, 1)
    assert err.startswith("plainmark: language 'xx': no such code.")


def test_a_tuned_model_simplifies(model, tmp_path, capsys):
    text = tmp_path / "text.txt"
    text.write_text(
        "The old teacher assisted numerous people.\n\nHis friend (Anna) purchased 12 dogs.\n", "utf-8"
    )
    code, out, _ = run(capsys, "simplify", text, "--model", model / "model")
    assert code == 0
    assert out == "The old teacher helped many people.\n\nHis friend (Anna) bought 12 dogs.\n"
    code, out, _ = run(
        capsys, "simplify", text, "--model", model / "model", "--explain", "-o", tmp_path / "out.txt"
    )
    assert out == ""
    explained = (tmp_path / "out.txt").read_text("utf-8").splitlines()
    assert explained[0] == "The old teacher helped many people."
    assert re.match(
        r"    assisted( numerous)? -> helped( many)?   \+\d+\.\d\d  from .*extracted  \(\w+ [+-]",
        explained[1],
    )
    assert not list(tmp_path.glob(".*.part"))


def test_split_text_stays_split(model, tmp_path, capsys):
    text = tmp_path / "text.txt"
    text.write_text("a woman assisted numerous people .\n", "utf-8")
    _, out, _ = run(capsys, "simplify", text, "--model", model / "model", "--tokenized")
    assert out == "a woman helped many people .\n"


def test_protected_words_stay(model, tmp_path, capsys):
    text = tmp_path / "text.txt"
    text.write_text('He "assisted" the large residence.\n', "utf-8")
    _, out, _ = run(capsys, "simplify", text, "--model", model / "model")
    assert '"assisted"' in out
    _, out, _ = run(capsys, "simplify", text, "--model", model / "model", "--protect", "names,numbers")
    assert '"helped"' in out
    code, _, err = run(capsys, "simplify", text, "--protect", "dates")
    assert code == 2
    assert err.startswith("plainmark: cannot protect 'dates'.")


def test_the_model_page_and_card_are_written(model):
    page = (model / "model" / "tuning.html").read_text("utf-8")
    assert "Content-Security-Policy" in page
    assert "style=" not in page
    assert "Round" in page
    record = json.loads((model / "model" / "model.json").read_text("utf-8"))
    assert record["about"]["objective"] == "sari(tokenizer='none')"
    assert (model / "model" / "README.md").read_text("utf-8").startswith("# A simplifier")


def test_rules_are_ranked(model, capsys):
    code, out, _ = run(capsys, "rules", "rank", "numerous", "unheard-of", "--model", model / "model")
    assert code == 0
    first, second = out.split("\n\n")
    words = [line.split()[0] for line in first.splitlines() if line.strip()]
    assert words.index("many") < words.index("abundant")
    assert "numerous" in words
    assert "unheard-of" in second


def test_extracted_rules_can_be_printed(model, capsys):
    _, out, _ = run(capsys, "rules", "extract", model / "tune.jsonl", "--tokenized", "--name", "my set")
    lines = out.splitlines()
    assert lines[0] == "# plainmark rules 1 set=myset"
    assert any(line.startswith("assisted\thelped\t") for line in lines)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"\xff\xfe", "looks like UTF-16"),
        (b"abc\x80", "is not UTF-8"),
    ],
)
def test_binary_input_is_refused(model, tmp_path, capsys, text, message):
    path = tmp_path / "text.bin"
    path.write_bytes(text)
    code, _, err = run(capsys, "simplify", path, "--model", model / "model", "-o", tmp_path / "out")
    assert code == 2
    assert message in err
    assert err.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_empty_and_strange_input(model, tmp_path, capsys):
    path = tmp_path / "text.txt"
    path.write_text("", "utf-8")
    assert run(capsys, "simplify", path, "--model", model / "model")[:2] == (0, "")
    strange = (
        "\t \n<script>alert(1)</script>\n\x00\x01 \U0001f600 e\u0301\n"
        + "large " * 300
        + "\n"
        + "x" * 100_000
        + "\n"
    )
    path.write_text(strange, "utf-8")
    code, out, _ = run(capsys, "simplify", path, "--model", model / "model")
    assert code == 0
    assert out.count("\n") == strange.count("\n")
    assert "<script>alert(1)</script>" in out


def test_missing_and_damaged_models_say_so(model, tmp_path, capsys):
    code, _, err = run(capsys, "simplify", model / "tune.jsonl", "--model", tmp_path)
    assert (code, err.count("\n")) == (2, 1)
    assert "no simplifier" in err
    with pytest.raises(UnknownNameError, match="no simplifier 'nope'"):
        pm.load_simplifier("nope")
    for name, content, message in [
        ("model.json", "{}", "not what a simplifier needs"),
        ("rules.npz", "rubbish", "not a table of rules"),
        ("words.npz", "rubbish", "not what a simplifier needs"),
        ("lm.lm.xz", "rubbish", "lm.lm.xz"),
    ]:
        folder = tmp_path / name
        folder.mkdir()
        for path in (model / "model").iterdir():
            (folder / path.name).write_bytes(path.read_bytes())
        (folder / name).write_text(content, "utf-8")
        with pytest.raises(InputError, match=message):
            load_simplifier(folder)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"--rules": "empty"}, "empty, expected rules"),
        ({"--lm": "empty"}, "empty"),
        ({"--train": "empty"}, "expected JSON lines"),
        ({"--train": "broken"}, "line 2: not JSON"),
        ({"--train": "lacking"}, "no texts in the field references"),
        ({"--objective": "nosuch"}, "nosuch"),
        ({"--rounds": "0"}, "expected 1 or more"),
        ({"--threads": "0"}, "expected 1 to 256"),
    ],
)
def test_what_tune_cannot_use_is_told_before_anything_is_written(model, tmp_path, capsys, change, message):
    (tmp_path / "empty").write_text("", "utf-8")
    (tmp_path / "broken").write_text('{"source": "a b", "references": ["a"]}\n{\n', "utf-8")
    (tmp_path / "lacking").write_text('{"source": "a b"}\n', "utf-8")
    given = {"--rules": model / "pairs.txt", "--lm": model / "lm.arpa.gz", "--train": model / "tune.jsonl"}
    given |= {k: tmp_path / v if k in given else v for k, v in change.items()}
    words = [x for pair in given.items() for x in pair]
    code, _, err = run(capsys, "tune", *words, "-o", tmp_path / "model")
    assert code == 2
    assert message in err.splitlines()[-1]
    assert not (tmp_path / "model" / "model.json").exists()


def test_an_arpa_file_that_is_broken_is_told(model, tmp_path, capsys):
    (tmp_path / "lm.arpa.gz").write_bytes(gzip.compress(b"\\data\\\nngram 1=2\n\n\\1-grams:\n-1\ta\n"))
    code, _, err = run(
        capsys, "tune", "--rules", model / "pairs.txt", "--lm", tmp_path / "lm.arpa.gz",
        "--train", model / "tune.jsonl", "-o", tmp_path / "model",
    )  # fmt: skip
    assert code == 2
    assert "lm.arpa.gz" in err


def test_a_text_does_not_depend_on_those_beside_it(model):
    made = load_simplifier(model / "model")
    texts = [" ".join(s) for s in tiny.SENTENCES] + [
        "",
        "large",
        "A large, numerous (residence) purchased it",
    ]
    together = made.simplify(texts)
    assert [t.output for t in together] == [made(t) for t in texts]
    assert [t.output for t in made.simplify(texts, threads=3)] == [t.output for t in together]
    assert made.simplify(texts) == together


@pytest.mark.wordnet
def test_sentences_are_split_before_words_are_replaced(model, tmp_path, capsys):
    text = tmp_path / "text.txt"
    text.write_text("The old teacher assisted numerous people, but the harbour froze (again).\n", "utf-8")
    code, out, _ = run(capsys, "simplify", text, "--model", model / "model", "--split", "--explain")
    assert code == 0
    assert out.splitlines()[0] == "The old teacher helped many people. But the harbour froze (again)."
    assert out.splitlines()[1].endswith('clauses: two clauses joined by "but"')
    names = "default, parentheses"
    code, out, _ = run(capsys, "simplify", text, "--model", model / "model", "--split", "--operations", names)
    assert out == "The old teacher helped many people. But the harbour froze.\n"
    code, _, err = run(capsys, "simplify", text, "--split", "--operations", "relativ")
    assert code == 2
    assert "no operation is called 'relativ'" in err
    code, _, err = run(capsys, "simplify", text, "--operations", "relative")
    assert code == 2
    assert "--operations without --split" in err
    code, out, _ = run(capsys, "simplify", text, "--model", model / "model", "--split", "--format", "json")
    record = json.loads(out)
    assert record["source"] == text.read_text("utf-8").strip()
    assert [o["name"] for o in record["operations"]] == ["clauses"]


@pytest.fixture
def formal(tmp_path):
    """A text for the default model."""
    path = tmp_path / "formal.txt"
    path.write_text("The firm purchased numerous houses prior to the war.\nNothing here.\n", "utf-8")
    return path


def test_caution_says_how_sure_a_rewrite_must_be(formal, model, capsys):
    code, out, _ = run(capsys, "simplify", formal, "--caution", 0.5)
    assert code == 0
    assert out == "The firm bought many houses before the war.\nNothing here.\n"
    assert run(capsys, "simplify", formal, "--caution", 1)[1] == formal.read_text("utf-8")
    code, out, err = run(capsys, "simplify", formal, "--caution", 1.5)
    assert (code, out) == (2, "")
    assert "option caution=1.5 is not allowed; expected a number from 0 to 1." in err
    code, _, err = run(capsys, "simplify", formal, "--caution", 0.5, "--model", model / "model")
    assert code == 2
    assert "does not estimate whether a rewrite is right" in err


def test_what_is_explained_adds_up(formal, capsys):
    _, out, _ = run(capsys, "simplify", formal, "--explain")
    lines = [line for line in out.splitlines() if line.startswith("    ")]
    assert len(lines) == 3
    for line in lines:
        score = float(re.search(r"   ([+-]\d+\.\d\d)  right with 0\.\d\d  from plain  \(", line)[1])
        parts = [float(value) for value in re.findall(r"\w+ ([+-]\d+\.\d\d)[,)]", line)]
        assert sum(parts) == pytest.approx(score, abs=0.005 * (len(parts) + 1))


def test_scores_of_a_lattice_are_the_sum_of_what_is_explained(model):
    """The decoder's score of each output, beside that of leaving every word as it is."""
    tuned = pm.load_simplifier(model / "model")
    decoder, weights = tuned.decoder, tuned.weights
    texts = [split_at_spaces(t) for t in ("the old teacher assisted numerous people .", "a large dog .")]
    hypotheses = decoder.prepare_texts(texts, tuned.protect).decode(weights, paths=5)
    vector = np.array([weights.get(name, 0.0) for name in decoder.names])
    scores = hypotheses.features().astype(np.float64) @ vector
    for k, text in enumerate(texts):
        leaving = weights["lm"] * float(decoder.model.score([" ".join(text.words)])[0])
        for hypothesis in range(hypotheses.offsets[k], hypotheses.offsets[k + 1]):
            rewrites = hypotheses.derivation(hypothesis, text, weights).rewrites
            assert leaving + sum(r.score for r in rewrites) == pytest.approx(scores[hypothesis], abs=1e-3)


def test_a_model_tuned_to_a_metric_says_what_that_is_worth(model, tmp_path):
    """At every run on standard error, and in JSON with every text; the default has nothing to say."""
    text = tmp_path / "text.txt"
    text.write_text("The man assisted numerous people.\n", "utf-8")
    command = [sys.executable, "-m", "plainmark", "simplify", str(text), "--format", "json"]
    done = subprocess.run(
        [*command, "--model", str(model / "model")], capture_output=True, text=True, check=True
    )
    assert done.stderr.count("tuned to SARI, which does not measure truth") == done.stderr.count("\n") == 1
    assert "SARI, which does not measure truth" in json.loads(done.stdout)["note"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert "note" not in json.loads(done.stdout)


def test_a_model_tuned_to_a_metric_says_so_once_in_python(model, tmp_path, caplog):
    folder = tmp_path / "copied"
    shutil.copytree(model / "model", folder)
    for _ in range(2):
        assert (
            pm.load_simplifier(folder)
            .simplify(["The man."])[0]
            .note.startswith("this model was tuned to SARI")
        )
    assert [record.message.count("SARI, which does not measure truth") for record in caplog.records] == [1]


def test_several_candidates_are_numbered(formal, capsys):
    _, out, _ = run(capsys, "simplify", formal, "--n-best", 3)
    rows = [line.split("\t") for line in out.splitlines()]
    assert [row[0] for row in rows] == ["1", "1", "1", "2"]
    assert rows[0][2] == "The firm bought many houses before the war."
    assert rows[3][1:] == ["0.00", "Nothing here."]
    assert float(rows[0][1]) >= float(rows[1][1]) >= float(rows[2][1])
    assert run(capsys, "simplify", formal, "--n-best", 0)[0] == 2


def test_json_has_candidates_and_parts(formal, capsys):
    _, out, _ = run(capsys, "simplify", formal, "--n-best", 2, "--format", "json")
    first, second = map(json.loads, out.splitlines())
    assert (
        first["output"] == first["candidates"][0]["output"] == "The firm bought many houses before the war."
    )
    assert [r["target"] for r in first["candidates"][0]["rewrites"]] == ["bought", "many", "before"]
    for rewrite in first["candidates"][0]["rewrites"]:
        assert sum(rewrite["parts"].values()) == pytest.approx(rewrite["score"], abs=1e-4)
        assert 0.5 <= rewrite["probability"] <= 1
    assert second["candidates"] == [{"output": "Nothing here.", "score": 0, "rewrites": [], "taken_back": []}]
