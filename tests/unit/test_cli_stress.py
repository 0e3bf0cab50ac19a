"""The verbs `perturb` and `stress` as a user types them."""

import csv
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from plainmark import cli, wordnet
from plainmark.perturbations import ERRORS
from support import perturbed_texts

METRIC = '''
from dataclasses import dataclass
from plainmark import MeanMetric

@dataclass(frozen=True)
class Fragile(MeanMetric):
    """The number of words; fails on owls."""

    def values(self, corpus):
        if any("owl" in t.lower() for t in corpus.outputs):
            raise KeyError("owl")
        return [len(t.split()) for t in corpus.outputs]
'''


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "o.txt").write_text("\n".join(perturbed_texts.TEXTS) + "\n")
    (tmp_path / "s.txt").write_text("\n".join(perturbed_texts.TEXTS) + "\n")
    (tmp_path / "r.txt").write_text("\n".join(perturbed_texts.SIMPLE) + "\n")
    (tmp_path / "p.txt").write_text("\n".join(perturbed_texts.PLAIN) + "\n")
    (tmp_path / "fragile_metric.py").write_text(METRIC)

    def call(*words):
        code = cli.main([str(w) for w in words])
        out, err = capsys.readouterr()
        return code, out, err

    return call


def read_csv(path):
    return list(csv.DictReader(path.read_text().splitlines()))


FILES = ("o.txt", "-s", "s.txt", "-r", "r.txt")


@pytest.mark.wordnet
def test_perturb_prints_records(run):
    code, out, err = run("perturb", "o.txt", "--with", "negate", "--strength", "0.5", "--seed", "1")
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [r["id"] for r in rows] == ["1", "2", "3", "4", "5"]
    assert rows[0]["perturbation"] == "negate"
    assert rows[0]["realised"] == 0.5
    assert rows[4] == rows[4] | {
        "eligible": 0,
        "realised": 0.0,
        "spans": [],
        "reason": "no sentence that may be negated",
    }
    assert err == "plainmark: negate: 4 of 5 texts eligible, mean realised strength 0.66\n"
    assert run("perturb", "o.txt", "--with", "negate", "--strength", "0.5", "--seed", "1")[1] == out
    assert run("perturb", "o.txt", "--with", "negate", "--strength", "0.5", "--seed", "2")[1] != out


def test_perturb_levels_text_and_file(run, tmp_path):
    code, out, _ = run(
        "perturb", "o.txt", "--with", "delete", "--with", "reorder", "--levels", "3", "-o", "x.jsonl", "-q"
    )
    assert (code, out) == (0, "")
    rows = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text().splitlines()]
    assert len(rows) == 5 * 3 * 2
    assert [r["level"] for r in rows[:3]] == [1, 2, 3]
    _, out, _ = run("perturb", "o.txt", "--with", "reorder", "--format", "text")
    assert out.splitlines()[0].startswith("The team opened a second ward in March. Nobody knows")
    assert len(out.splitlines()) == 5


def test_perturb_reads_texts_by_that_name(run, tmp_path):
    (tmp_path / "t.jsonl").write_text('{"id": "a", "text": "It costs 5 pounds."}\n')
    _, out, _ = run("perturb", "t.jsonl", "--with", "numbers", "-q")
    assert json.loads(out)["id"] == "a"
    assert json.loads(out)["text"] != "It costs 5 pounds."


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("o.txt", "--with", "negat"), "no perturbation is called 'negat'. Did you mean 'negate'?"),
        (("o.txt", "--with", "negate", "--strength", "2"), "--strength 2: expected a number from 0 to 1."),
        (
            ("o.txt", "--with", "negate", "--strength", "nan"),
            "--strength nan: expected a number from 0 to 1.",
        ),
        (("o.txt", "--with", "negate", "--levels", "0"), "--levels 0: expected a number from 1 to 1000."),
        (("o.txt",), "the following arguments are required: --with."),
        (("none.txt", "--with", "numbers"), "none.txt: no such file."),
        (
            ("o.txt", "--with", "simplify", "--simplified", "one.txt"),
            "one.txt: 1 texts, but there are 5 texts to perturb.",
        ),
        (
            ("o.txt", "--with", "add_in_domain(pool='no.txt')"),
            "no.txt: cannot be read (No such file or directory).",
        ),
    ],
)
def test_mistakes_in_perturb(run, tmp_path, words, message):
    (tmp_path / "one.txt").write_text("A cat.\n")
    code, out, err = run("perturb", *words)
    assert code == 2
    assert out == ""
    assert err.startswith(f"plainmark: {message}")
    assert err.count("\n") == 1


def test_no_wordnet_says_what_to_install(run, monkeypatch):
    monkeypatch.setattr(wordnet, "find", lambda path=None: None)
    for words in (("perturb", "o.txt", "--with", "negate"), ("stress", *FILES)):
        code, _, err = run(*words)
        assert code == 2
        assert "needs " in err
        assert "install the Debian package wordnet-base" in err


def test_stress_table_and_files(run, tmp_path):
    words = (
        "stress",
        *FILES,
        "-m",
        "sari",
        "-m",
        "bleu",
        "--only",
        "delete,numbers",
        "--only",
        "simplify",
        "--simplified",
        "p.txt",
    )
    code, out, err = run(*words, "--levels", "4", "-o", "x.html")
    assert (code, err) == (0, "")
    assert out == "x.html: the report; texts and scores are in x.testbed\n"
    # Again: nothing is scored twice, and the same comes out.
    code, out, err = run(*words, "--levels", "4", "--folder", "x.testbed")
    assert (code, err) == (0, "")
    assert out.splitlines()[0].split() == ["perturbation", "sari", "bleu"]
    assert (
        "simplify, reversed is not testable here: every simpler version is a sentence of a reference; needs"
        in out
    )
    assert "documents)" in out
    for name in ("x.csv", "x.tex", "x.json"):
        assert run(*words, "--levels", "4", "-o", name)[0] == 0
    first = json.loads((tmp_path / "x.json").read_text())[0]
    assert list(first)[:6] == ["metric", "perturbation", "verdict", "change", "slope", "documents"]
    assert "refs:1" in first["signature"]
    assert len(json.loads((tmp_path / "x.json").read_text())) == 2 * 4
    rows = read_csv(tmp_path / "x.csv")
    assert len(rows) == 2 * 4
    assert rows[0]["metric"] == "sari"
    assert {r["perturbation"] for r in rows} == {"delete", "numbers", "simplify", "simplify, reversed"}
    assert float(rows[4]["slope"]) < 0
    assert r"\begin{tabular}" in (tmp_path / "x.tex").read_text()
    page = (tmp_path / "x.html").read_text()
    assert page.count('<section id="m') == 2
    assert "median improvement over a baseline that papers" in page


def test_stress_without_a_file_leaves_nothing(run, tmp_path):
    before = set(tmp_path.iterdir())
    code, out, _ = run("stress", *FILES, "-m", "bleu", "--with", "delete", "--first", "3", "--seed", "5")
    assert code == 0
    assert "delete" in out
    assert set(tmp_path.iterdir()) == before


def test_a_metric_of_ones_own_that_fails_here_and_there(run, tmp_path):
    words = ("stress", *FILES, "-m", "fragile_metric.Fragile", "--with", "delete", "-o")
    assert run(*words, "x.html")[0] == 0
    assert run(*words, "x.csv")[0] == 0
    assert read_csv(tmp_path / "x.csv")[0]["verdict"].startswith(("detects (", "ignores ("))
    assert int(read_csv(tmp_path / "x.csv")[0]["failures"]) > 0
    assert (
        "scores are undefined because the metric failed, first with: KeyError"
        in (tmp_path / "x.html").read_text()
    )


def test_several_simplifications_are_several_curves(run, tmp_path):
    (tmp_path / "second.txt").write_text("\n".join(t.upper() for t in perturbed_texts.PLAIN) + "\n")
    _, out, _ = run(
        "stress",
        *FILES,
        "-m",
        "bleu",
        "--with",
        "simplify",
        "--simplified",
        "p.txt",
        "--simplified",
        "second.txt",
    )
    names = [line.split("  ")[0] for line in out.splitlines()[1:4]]
    assert names == ["simplify", "simplify, second", "simplify, reversed"]


def test_without_another_simple_version_simplify_is_not_testable(run):
    code, out, _ = run("stress", *FILES, "-m", "bleu", "--only", "simplify")
    assert code == 0
    assert out.splitlines()[1].split() == ["simplify", "not", "testable", "here"]
    assert "no simpler version besides the references; needs a simple version that is not a reference" in out


def test_first_counts_documents_with_a_file_of_all_versions(run, tmp_path):
    words = (
        "stress",
        *FILES,
        "-m",
        "bleu",
        "--only",
        "delete,simplify",
        "--simplified",
        "p.txt",
        "--first",
        "3",
    )
    assert run(*words, "-o", "x.html")[0] == 0
    assert "3 documents, " in (tmp_path / "x.html").read_text()


@pytest.mark.wordnet
def test_features(run, tmp_path):
    code, _, _ = run(
        "stress",
        *FILES,
        "-m",
        "bleu",
        "--only",
        "simplify",
        "--simplified",
        "p.txt",
        "--features",
        "-o",
        "x.html",
        "--seed",
        "1",
    )
    assert code == 0
    page = (tmp_path / "x.html").read_text()
    assert "Lexical features" in page
    for name in ("sentence length", "familiarity", "verbs", "adjectives"):
        assert name in page


@pytest.mark.wordnet
def test_errors(run, tmp_path):
    words = ("stress", "--testbed", "errors", *FILES, "-m", "bleu,sari", "--seed", "1")
    code, out, _ = run(*words)
    assert code == 0
    assert run(*words, "-o", "e.html") == (0, "e.html: the report\n", "")
    assert run(*words, "-o", "e.csv") == (0, "e.csv: csv\n", "")
    assert out.splitlines()[0].split() == ["metric", *ERRORS]
    assert "strictly (number of ties)" in out
    rows = read_csv(tmp_path / "e.csv")
    assert len(rows) == 12
    assert all(int(r["right"]) + int(r["ties"]) + int(r["wrong"]) == int(r["pairs"]) for r in rows)
    assert "texts left out" in out  # a single sentence cannot lose one
    assert "Does the metric prefer the unperturbed text?" in (tmp_path / "e.html").read_text()
    released = run(
        "stress", "--testbed", "errors", *FILES, "-m", "bleu", "--variant", "released", "--seed", "1"
    )[1]
    assert released.splitlines()[1] != out.splitlines()[1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "expected either a data set (-d NAME) or a file with outputs."),
        (("o.txt", "-m", "sari", "--with", "delete"), "sari needs the source texts"),
        ((*FILES, "-m", "sarii"), "no metric is called 'sarii'. Did you mean 'sari'?"),
        ((*FILES, "--with", "delet"), "no perturbation is called 'delet'. Did you mean 'delete'?"),
        ((*FILES, "--first", "0"), "--first 0: expected at least 1."),
        ((*FILES, "--levels", "0"), "levels: 0 given, expected at least 1."),
        ((*FILES, "--workers", "0", "--with", "delete"), "workers: 0 given, expected at least 1."),
        (
            (*FILES, "--translator", "nowhere.f", "--with", "delete"),
            "--translator='nowhere.f': cannot import it",
        ),
        (("o.txt", "--candidate", "oracle", "--with", "delete"), "candidate oracle needs the source texts"),
        ((*FILES, "--judge", "sari"), "--judge sari: expected judge(model="),
        (
            (*FILES, "--testbed", "errors", "--judge", "judge(model='m', url='http://127.0.0.1:1/v1')"),
            "--judge belongs to",
        ),
        (("-d", "nothing"), "no dataset is called 'nothing'"),
    ],
)
def test_mistakes_in_stress(run, words, message):
    code, _, err = run("stress", *words)
    assert code == 2
    assert err.startswith(f"plainmark: {message}")
    assert err.count("\n") == 1


def test_list(run):
    _, out, _ = run("list", "perturbations")
    assert "negate" in out
    _, out, _ = run("list", "perturbations", "entities")
    assert "columns term and type" in " ".join(out.split())
    assert len(json.loads(run("list", "perturbations", "--format", "json")[1])) == 27


SCORES = "Informativeness: {0}\nSimplification: 70\nCoherence: 60\nFaithfulness: 50\nOverall: {0}\n"


class Handler(BaseHTTPRequestHandler):
    """A judge that likes long summaries."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked = body["messages"][-1]["content"]
        length = min(len(asked.rpartition("Summary:")[2]) // 20, 100)
        text = SCORES.format(length) if "Overall: number" in asked else str(length)
        reply = {"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]}
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(reply).encode())

    def log_message(self, *args):
        pass


def test_prompt_settings_through_the_judge(run, tmp_path, monkeypatch):
    monkeypatch.setenv("PLAINMARK_API_KEY", "none")
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        code, out, _ = run(
            "stress", *FILES, "-m", "bleu", "--with", "delete", "--levels", "3", "--seed", "1", "--first", "3",
            "--seeds", "1", "--judge", f"judge(model='m', url={url!r})", "-o", "x.html", "-q",
        )  # fmt: skip
        assert code == 0
        code, out, _ = run(
            "stress", *FILES, "-m", "bleu", "--with", "delete", "--levels", "3", "--seed", "1", "--first", "3",
            "--seeds", "1", "--judge", f"judge(model='m', url={url!r})", "--folder", "x.testbed", "-q",
        )  # fmt: skip
        server.shutdown()
        thread.join()
    assert code == 0
    heading = out.splitlines()[0]
    for name in ("judge a: coherence", "judge a: faithfulness", "judge b: overall", "judge c: overall"):
        assert name in heading
    page = (tmp_path / "x.html").read_text()
    assert "What the judge says, criterion by criterion" in page
    for setting in "abc":
        assert f"delete, setting {setting}" in page
