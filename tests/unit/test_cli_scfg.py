"""tune, simplify and rules rank with synchronous grammars, and what either decoder makes of bad input."""

import gzip
import json
import re
import subprocess
import sys
import time

import numpy as np
import pytest

from plainmark.cli import main
from plainmark.errors import InputError
from plainmark.lm import LanguageModel
from plainmark.simplifier.model import Simplifier, load_simplifier
from plainmark.simplifier.scfg import decoder as scfg_decoder
from plainmark.simplifier.scfg.grammar import Grammar
from plainmark.simplifier.surface import split_at_spaces
from plainmark.simplifier.tuning.weights import JoshuaConfiguration
from support import tiny_simplifier as tiny

# PPDB 1.0 has five fields, 2.0 six; circles of unary rules, and a line that is no rule.
LINES = [
    "[VBD] ||| assisted ||| helped ||| p(e|f)=0.5 AGigaSim=0.8 ||| 0-0",
    "[VBD] ||| purchased ||| bought ||| p(e|f)=0.4 AGigaSim=0.9 ||| 0-0 ||| Equivalence",
    "[JJ] ||| numerous ||| many ||| p(e|f)=0.5 AGigaSim=0.8 ||| 0-0 ||| Equivalence",
    "[JJ] ||| large ||| big ||| p(e|f)=0.5 AGigaSim=0.8 ||| 0-0",
    "[NN] ||| residence ||| home ||| p(e|f)=0.6 AGigaSim=0.7 ||| 0-0",
    "this is no rule",
    "[NP] ||| [NNP,1] 's population ||| the people of [NNP,1] ||| p(e|f)=0.7 ||| ",
    "[NP] ||| a [JJ,1] [NN,2] ||| one [NN,2] that is [JJ,1] ||| p(e|f)=3 ||| ",
    "[X] ||| [NP,1] ||| [NP,1] ||| p(e|f)=0 ||| ",
    "[NP] ||| [X,1] ||| [X,1] ||| p(e|f)=0 ||| ",
]


def run(capsys, *words):
    capsys.readouterr()
    code = main([str(w) for w in words])
    out = capsys.readouterr()
    return code, out.out, out.err


def inputs(folder, **changes):
    """The arguments of tune, some of them changed."""
    given = {
        "--rules": folder / "grammar.gz",
        "--lm": folder / "lm.arpa.gz",
        "--train": folder / "tune.jsonl",
    }
    return [x for pair in (given | changes).items() for x in pair] + ["--tokenized"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with input files and the model that `plainmark tune` made of them."""
    folder = tmp_path_factory.mktemp("scfg")
    tiny.write_inputs(folder)
    (folder / "grammar.gz").write_bytes(gzip.compress("\n".join(LINES).encode()))
    assert main(["tune", *map(str, inputs(folder)), "--rounds", "4", "-o", str(folder / "model")]) == 0
    return folder


def reweighted(made, folder, weights):
    """The model with other weights."""
    folder.mkdir()
    for path in (made / "model").iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    record = json.loads((folder / "model.json").read_text("utf-8"))
    (folder / "model.json").write_text(json.dumps(record | {"weights": weights}), "utf-8")
    return folder


def test_rules_with_nonterminals_choose_their_decoder(made, tmp_path, capsys):
    code, out, err = run(capsys, "tune", *inputs(made), "--rounds", 1, "-o", tmp_path / "a")
    assert code == 0
    assert "grammar.gz has rules with nonterminals: --decoder scfg" in out
    assert "1 of 10 line is no rule and left out" in err
    assert "line 6: 1 fields between |||, expected 4 to 6." in err
    record = json.loads((tmp_path / "a" / "model.json").read_text("utf-8"))
    assert record["decoder"] == "scfg"
    assert {"p(e|f)", "AGigaSim", "MaxWordSylDiff", "GigaLMDiff", "glue", "lm"} <= set(record["weights"])
    changed = {"--rules": made / "pairs.txt"}
    code, out, _ = run(capsys, "tune", *inputs(made, **changed), "--rounds", 1, "-o", tmp_path / "b")
    assert code == 0
    assert json.loads((tmp_path / "b" / "model.json").read_text("utf-8"))["decoder"] == "lattice"
    code, _, err = run(
        capsys, "tune", *inputs(made), "--decoder", "lattice", "--rounds", 1, "-o", tmp_path / "c"
    )
    assert code == 0
    assert "4 rules with nonterminals are left out" in err


def test_a_tuned_grammar_simplifies_and_says_why(made, tmp_path, capsys):
    text = tmp_path / "text.txt"
    text.write_text(
        "The old teacher assisted numerous people.\n\nHis friend (Anna) purchased 12 dogs.\n", "utf-8"
    )
    code, out, _ = run(capsys, "simplify", text, "--model", made / "model", "--explain")
    assert code == 0
    lines = out.splitlines()
    assert [x for x in lines if not x.startswith("    ")] == [
        "The old teacher helped many people.",
        "",
        "His friend (Anna) bought 12 dogs.",
    ]
    assert any(re.match(r"    assisted -> helped   \+\d+\.\d\d  from ppdb  \(\w+", x) for x in lines)
    page = (made / "model" / "tuning.html").read_text("utf-8")
    assert "Objective by round" in page
    assert "style=" not in page


def test_what_is_moved_keeps_case_and_spaces(made, tmp_path, capsys):
    model = reweighted(made, tmp_path / "model", {"words": 2.0, "lm": 0.01, "AGigaSim": 0.5})
    text = tmp_path / "text.txt"
    text.write_text(
        "France's population (of 2009) grew.\n"
        "We know that Japan's population is old, and a large residence, too.\n"
        'They said "a large residence" there.\n'
        "A large residence was purchased.\n",
        "utf-8",
    )
    code, out, _ = run(capsys, "simplify", text, "--model", model, "--explain")
    assert code == 0
    assert [x for x in out.splitlines() if not x.startswith("    ")] == [
        "The people of France (of 2009) grew.",
        "We know that the people of Japan is old, and one home that is big, too.",
        'They said "a large residence" there.',
        "One home that is big was bought.",
    ]
    assert "by [NNP,1] 's population -> the people of [NNP,1]" in out
    assert "by a [JJ,1] [NN,2] -> one [NN,2] that is [JJ,1]" in out
    _, out, _ = run(capsys, "simplify", text, "--model", model, "--protect", "none")
    assert out.splitlines()[2] == 'They said "one home that is big" there.'
    text.write_text("In Rome , Anna 's population is a large residence\n", "utf-8")
    _, out, _ = run(capsys, "simplify", text, "--model", model, "--tokenized")
    assert out == "In Rome , the people of Anna is one home that is big\n"


def test_rules_that_are_not_used_still_say_what_a_word_is(made, tmp_path, capsys):
    # The constraints refuse this rule, which replaces a word by a number.
    lines = [*LINES, "[NN] ||| dog ||| 7 ||| p(e|f)=0.1 |||"]
    (tmp_path / "grammar").write_text("\n".join(lines), "utf-8")
    weights = tmp_path / "model.json"
    weights.write_text(json.dumps({"weights": {"words": 2.0, "lm": 0.01}}), "utf-8")
    changed = {"--rules": tmp_path / "grammar", "--weights": weights, "--rounds": 0}
    assert run(capsys, "tune", *inputs(made, **changed), "-o", tmp_path / "model")[0] == 0
    (tmp_path / "text.txt").write_text("It is a large dog.\n", "utf-8")
    _, out, _ = run(capsys, "simplify", tmp_path / "text.txt", "--model", tmp_path / "model")
    assert re.fullmatch(r"It is one dog that is (large|big)\.\n", out)


def test_protected_words_stay_whatever_the_weights(made, tmp_path, capsys):
    model = reweighted(made, tmp_path / "model", {"AGigaSim": 5.0})
    text = tmp_path / "text.txt"
    text.write_text('He "purchased" 3 Large Residence buildings, numerous ones.\n', "utf-8")
    _, out, _ = run(capsys, "simplify", text, "--model", model)
    assert '"purchased" 3' in out
    assert "many ones" in out


def test_rules_are_ranked(made, capsys):
    code, out, _ = run(capsys, "rules", "rank", "numerous", "unheard-of", "--model", made / "model")
    assert code == 0
    first, second = out.split("\n\n")
    words = [line.split()[0] for line in first.splitlines() if line.strip()]
    assert words.index("many") < words.index("numerous", 1)
    assert "unheard-of" in second


@pytest.mark.parametrize(
    ("method", "objective"),
    [
        ("joshua", "sari"),
        ("hopkins-may", "sari"),
        ("expected", "bleu"),
        ("joshua", "fkgl"),
        ("expected", "fkgl"),
    ],
)
def test_every_method_and_metric_drives_it(made, tmp_path, capsys, method, objective):
    code, out, _ = run(
        capsys, "tune", *inputs(made), "--method", method, "--objective", objective, "--rounds", 3,
        "--threads", 2, "-o", tmp_path / "model",
    )  # fmt: skip
    assert code == 0
    scores = [float(x) for x in re.findall(r"held out (-?[\d.]+), unchanged", out)]
    assert max(scores) >= scores[0]
    if objective == "sari":
        assert scores[-1] > scores[0] + 10


def test_threads_change_nothing(made, tmp_path):
    texts = [" ".join(s) for s in tiny.SENTENCES]
    model = load_simplifier(made / "model")
    assert (
        model.simplify(texts, threads=3) == model.simplify(texts) == [model.simplify([t])[0] for t in texts]
    )


def test_a_large_grammar_is_filtered_to_the_text(made, monkeypatch):
    texts = [" ".join(s) for s in tiny.SENTENCES[::7]]
    model = load_simplifier(made / "model")
    whole = model.simplify(texts)
    monkeypatch.setattr(scfg_decoder, "WHOLE", 0)
    assert model.simplify(texts) == whole


def test_a_grammar_can_be_kept_for_some_texts_only(made, tmp_path, capsys):
    (tmp_path / "text.txt").write_text("It is numerous .\n", "utf-8")
    (tmp_path / "tune.jsonl").write_text(
        '{"source": "a large dog", "references": ["a big dog"]}\n' * 3, "utf-8"
    )
    changed = {"--train": tmp_path / "tune.jsonl", "--for": tmp_path / "text.txt"}
    code, _, _ = run(capsys, "tune", *inputs(made, **changed), "--rounds", 1, "-o", tmp_path / "model")
    assert code == 0
    grammar = load_simplifier(tmp_path / "model").decoder.grammar
    assert {grammar.text(k)[0] for k in range(len(grammar))} == {
        "numerous", "large", "a [JJ,1] [NN,2]", "[NP,1]", "[X,1]",
    }  # fmt: skip
    changed = {"--rules": made / "pairs.txt", "--for": tmp_path / "text.txt"}
    code, _, err = run(capsys, "tune", *inputs(made, **changed), "-o", tmp_path / "other")
    assert code == 2
    assert "--for is for synchronous grammars" in err


# The weights of the original simplifier.


def test_weights_of_the_original_have_our_names():
    given = {
        "lm_0": 1.0, "p(e|f)": -0.6, "Identity": 0.5, "Lexical": -0.25, "Monotonic": 2.0, "PhrasePenalty": -3.0,
        "SourceWords": 1.5, "TargetWords": 1.0, "tm_glue_0": 1.2, "WordPenalty": 0.4, "OOVPenalty": -1.5,
    }  # fmt: skip
    found = JoshuaConfiguration(given).decoder_weights()
    assert found["copies"] == pytest.approx(0.5 - 0.25 + 2 - 3 + 1.5 + 1)
    assert found["words"] == pytest.approx(-0.4 * 0.4342945)
    assert (found["lm"], found["glue"], found["p(e|f)"]) == (1.0, 1.2, -0.6)
    assert not {"lm_0", "tm_glue_0", "WordPenalty", "OOVPenalty"} & set(found)


def test_weights_are_taken_as_they_are(made, tmp_path, capsys):
    (tmp_path / "joshua.config").write_text("pop-limit = 100\nlm_0 1.0\nIdentity 9\n", "utf-8")
    weights = ["--weights", tmp_path / "joshua.config", "--rounds", 0]
    code, out, _ = run(capsys, "tune", *inputs(made), *weights, "-o", tmp_path / "model")
    assert code == 0
    assert "unchanged 100%" in out
    assert "round 2" not in out
    found = load_simplifier(tmp_path / "model").weights
    assert (found["Identity"], found["lm"], found["copies"]) == (9.0, 1.0, 9.0)
    weights = ["--weights", made / "model" / "model.json", "--rounds", 0]
    code, out, _ = run(capsys, "tune", *inputs(made), *weights, "-o", tmp_path / "again")
    assert code == 0
    assert load_simplifier(tmp_path / "again").weights == load_simplifier(made / "model").weights


def test_the_original_weights_prefer_simpler_words(made, shared, tmp_path, capsys):
    path = shared / "data" / "ppdb" / "tacl2016_config" / "joshua_STAR_tune30it_TACL2016.config"
    code, out, _ = run(
        capsys, "tune", *inputs(made), "--weights", path, "--rounds", 0, "-o", tmp_path / "model"
    )
    assert code == 0
    text = tmp_path / "text.txt"
    text.write_text("the man purchased numerous books .\n", "utf-8")
    _, out, _ = run(capsys, "simplify", text, "--model", tmp_path / "model", "--tokenized")
    assert out == "the man bought many books .\n"


# Bad input, for both decoders.

BOTH = pytest.mark.parametrize("decoder", ["lattice", "scfg"])


@BOTH
@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("--rules", b"", "empty, expected rules"),
        ("--rules", b"\n\n", "empty, expected rules"),
        ("--rules", b"[X] ||| a\n[X |||\n", "among 2 lines"),
        ("--rules", b"[X] ||| in 1999 ||| in 2000 ||| |||\n", "meets the constraints"),
        ("--rules", gzip.compress(b"[X] ||| a ||| b ||| |||\n", mtime=0)[:20], "rules"),
        ("--lm", b"", "no line \\data\\, expected an ARPA language model"),
        ("--lm", b"plainlm1 rubbish", "no language model"),
        ("--lm", b"mmap lm http://kheafield.com/code format version 5", "a binary file of KenLM"),
        ("--lm", b"\\data\\\nngram 1=2\n\n\\1-grams:\n-1\ta\n", "the file ends 1 1-grams too early"),
        ("--lm", b"\\data\\\n" + b"".join(b"ngram %d=1\n" % n for n in range(1, 8)) + b"\n", "order"),
        ("--weights", b"", "no weights"),
        ("--weights", b'{"weights": {"lm": NaN}}', "no weights"),
        ("--weights", b"lm_0 nan\n", "expected a finite number"),
    ],
)
def test_what_cannot_be_used_is_one_line(made, tmp_path, capsys, decoder, name, content, message):
    path = tmp_path / ("rules.gz" if content[:1] == b"\x1f" else "file")
    path.write_bytes(content)
    code, _, err = run(
        capsys, "tune", *inputs(made, **{name: path}), "--decoder", decoder, "-o", tmp_path / "model"
    )
    assert code == 2
    assert message in err.splitlines()[-1]
    assert not (tmp_path / "model" / "model.json").exists()


@BOTH
def test_lines_that_are_no_rules_are_counted_and_the_others_used(made, tmp_path, capsys, decoder):
    path = tmp_path / "grammar"
    bad = ["", "[X] ||| large ||| big ||| p=inf |||", "[X] ||| [X,1] ||| [Y,1] ||| |||", "\udcff |||"]
    bad += ["[X] ||| " + " ".join(f"[X,{k}]" for k in range(1, 8)) + " ||| [X,1] ||| |||"]
    path.write_bytes("\n".join([*LINES[:5], *bad]).encode("utf-8", "surrogateescape"))
    code, _, err = run(
        capsys, "tune", *inputs(made, **{"--rules": path}), "--decoder", decoder, "--rounds", 1,
        "-o", tmp_path / "model",
    )  # fmt: skip
    assert code == 0
    assert "4 of 9 lines are no rules and left out" in err
    assert "line 7: 'p=inf' is not finite" in err
    assert len(load_simplifier(tmp_path / "model").decoder) == 5


def test_rules_in_circles_end(made, tmp_path, capsys):
    path = tmp_path / "grammar"
    circles = ["[X] ||| [X,1] ||| very [X,1] ||| p=1 |||", "[A] ||| [X,1] ||| [X,1] ||| p=1 |||"]
    path.write_text("\n".join([*circles, "[X] ||| [A,1] ||| [A,1] ||| p=1 |||", *LINES[:3]]), "utf-8")
    code, _, _ = run(
        capsys, "tune", *inputs(made, **{"--rules": path}), "--rounds", 2, "-o", tmp_path / "model"
    )
    assert code == 0
    record = json.loads((tmp_path / "model" / "model.json").read_text("utf-8"))
    changed = record | {"weights": {"p": 9.0, "words": 1.0}}
    (tmp_path / "model" / "model.json").write_text(json.dumps(changed), "utf-8")
    (tmp_path / "text.txt").write_text("it is good\n", "utf-8")
    code, out, _ = run(
        capsys, "simplify", tmp_path / "text.txt", "--model", tmp_path / "model", "--tokenized"
    )
    assert code == 0
    assert out.count("very") == 9  # three on each word, then the limit


@BOTH
def test_a_long_sentence_takes_bounded_time(made, tmp_path, capsys, decoder):
    long = " ".join((" ".join(w for s in tiny.SENTENCES for w in s)).split()[:300])
    (tmp_path / "tune.jsonl").write_text(
        "".join(json.dumps({"source": s, "references": [s]}) + "\n" for s in (long, "a large dog", long)),
        "utf-8",
    )
    (tmp_path / "text.txt").write_text(f"{long}\n", "utf-8")
    began = time.process_time()
    code, _, _ = run(
        capsys, "tune", *inputs(made, **{"--train": tmp_path / "tune.jsonl"}), "--decoder", decoder,
        "--rounds", 2, "-o", tmp_path / "model",
    )  # fmt: skip
    assert code == 0
    code, out, _ = run(capsys, "simplify", tmp_path / "text.txt", "--model", tmp_path / "model")
    assert code == 0
    assert len(out.split()) > 100
    assert time.process_time() - began < 60  # about 1 s


def test_a_sentence_without_end_is_refused_by_number(made, tmp_path, capsys):
    (tmp_path / "text.txt").write_text("fine .\n" + "large " * 2001 + "\n", "utf-8")
    code, _, err = run(
        capsys, "simplify", tmp_path / "text.txt", "--model", made / "model", "-o", tmp_path / "out"
    )
    assert code == 2
    assert "sentence 2 has 2,001 words, expected at most 2,000" in err
    assert not (tmp_path / "out").exists()


@BOTH
def test_a_killed_run_goes_on_and_ends_the_same(made, tmp_path, decoder):
    words = [*map(str, inputs(made)), "--decoder", decoder, "--rounds", "4", "--method", "joshua", "-o"]
    assert main(["tune", *words, str(tmp_path / "whole")]) == 0
    command = [sys.executable, "-u", "-m", "plainmark", "tune", *words, str(tmp_path / "killed")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        for line in process.stdout:
            if line.startswith("round 2"):
                process.kill()
    assert not (tmp_path / "killed" / "model.json").exists()
    assert (tmp_path / "killed" / "tuning.json").exists()
    assert main(["tune", *words, str(tmp_path / "killed")]) == 0
    whole, killed = (
        json.loads((tmp_path / n / "model.json").read_text("utf-8")) for n in ("whole", "killed")
    )
    assert killed["weights"] == whole["weights"]
    states = [(tmp_path / n / "tuning.json").read_text("utf-8") for n in ("whole", "killed")]
    assert states[0] == states[1]


def test_rules_that_remember_sentences_are_for_the_lattice(made, tmp_path, capsys):
    run(capsys, "rules", "extract", made / "tune.jsonl", "--tokenized", "-o", tmp_path / "extracted.tsv")
    more = ["--rules", tmp_path / "extracted.tsv"]
    code, _, err = run(capsys, "tune", *inputs(made), *more, "--decoder", "scfg", "-o", tmp_path / "model")
    assert code == 2
    assert "extracted rules are for the lattice only" in err
    code, _, err = run(capsys, "tune", *inputs(made), *more, "--rounds", 1, "-o", tmp_path / "model")
    assert code == 0
    assert json.loads((tmp_path / "model" / "model.json").read_text("utf-8"))["decoder"] == "lattice"


def test_rounds_below_one_need_weights(made, tmp_path, capsys):
    code, _, err = run(capsys, "tune", *inputs(made), "--rounds", 0, "-o", tmp_path / "model")
    assert code == 2
    assert "expected 1 or more; 0 needs --weights" in err


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("grammar.npz", b"rubbish", "not a grammar"),
        ("words.npz", b"rubbish", "not what a simplifier needs"),
        ("lm.lm.xz", b"rubbish", "lm.lm.xz"),
        ("model.json", b"{}", "not what a simplifier needs"),
        ("model.json", {"decoder": "other"}, "not what a simplifier needs"),
        ("model.json", {"weights": {"lm": float("nan")}}, "not what a simplifier needs"),
        ("model.json", {"search": {"pop_limit": -1}}, "not what a simplifier needs"),
        ("model.json", {"search": {"beam": 1}}, "not what a simplifier needs"),
    ],
)
def test_damaged_models_say_so(made, tmp_path, name, content, message):
    folder = reweighted(made, tmp_path / "model", {"lm": 1.0})
    if isinstance(content, dict):
        record = json.loads((folder / "model.json").read_text("utf-8"))
        content = json.dumps(record | content).encode()
    (folder / name).write_bytes(content)
    with pytest.raises(InputError, match=message):
        load_simplifier(folder)


@pytest.mark.parametrize(
    "changes",
    [
        {"sources": lambda a: a + 1000},
        {"sources": lambda a: a - 1000},
        {"targets": lambda a: np.where(a < 0, -7, a)},
        {"lhs": lambda a: a + 100},
        {"source_lengths": lambda a: a + 1},
        {"target_lengths": lambda a: a[:-1]},
        {"features": lambda a: a[:, :-1]},
        {"features": lambda a: a * np.nan},
        {"labels": lambda a: a[2:]},
        {"origin": lambda a: a + 9},
        {"format": lambda a: a + 1},
        {"tagged": lambda a: a + 1000},
        {"tagged": lambda a: a[:, :1]},
    ],
)
def test_arrays_that_do_not_fit_are_no_grammar(made, tmp_path, changes):
    with np.load(made / "model" / "grammar.npz") as held:
        arrays = {n: held[n] for n in held.files}
    np.savez(tmp_path / "grammar.npz", **arrays)
    assert len(Grammar.load(tmp_path / "grammar.npz")) > 5
    np.savez(tmp_path / "grammar.npz", **arrays | {n: change(arrays[n]) for n, change in changes.items()})
    with pytest.raises(InputError, match=r"not a grammar|the grammar cannot be used"):
        _ = Grammar.load(tmp_path / "grammar.npz").native


def test_a_language_model_of_another_order_is_taken(made, tmp_path, capsys):
    folder = reweighted(made, tmp_path / "model", load_simplifier(made / "model").weights)
    (folder / "lm.lm.xz").unlink()
    LanguageModel.train([" ".join(s) for s in tiny.SENTENCES], order=2).save(folder / "lm.lm.xz")
    text = tmp_path / "text.txt"
    text.write_text("The man assisted numerous people.\n", "utf-8")
    code, out, _ = run(capsys, "simplify", text, "--model", folder)
    assert code == 0
    assert "helped" in out


@pytest.mark.parametrize("seed", range(4))
def test_what_is_explained_adds_up_to_the_score(made, seed):
    """The parts of all rewrites are the decoder's score of an output minus that of leaving every word as it is."""
    model = load_simplifier(made / "model")
    rng = np.random.default_rng(seed)
    weights = {name: float(rng.normal()) for name in model.decoder.names}
    weights |= {"glue": -0.7, "copies": 0.3, "words": -0.2, "unknown": -0.9, "lm": 0.8, "PhrasePenalty": 1.5}
    other = Simplifier(model.decoder, weights, about=model.about)
    texts = [
        "the man assisted numerous xyzzy people .",
        "a large dog purchased Peru 's population .",
        "a large residence",
    ]
    split = [split_at_spaces(text) for text in texts]
    nbest = other.decoder.prepare_texts(split, other.protect).decode(weights, paths=8)
    unchanged_rules = nested = 0
    for k, text in enumerate(split):
        words = text.words
        own = {"words": len(words), "glue": len(words), "copies": len(words)}
        own |= {"unknown": int((model.decoder.model.ids(words) == 0).sum())}
        own |= {"lm": float(model.decoder.model.score([" ".join(words)])[0])}
        leaving = sum(weights[name] * value for name, value in own.items())
        for hypothesis in range(nbest.offsets[k], nbest.offsets[k + 1]):
            derivation = nbest.derivation(hypothesis, text, weights)
            score = derivation.unchanged + sum(r.score for r in derivation.rewrites)
            assert leaving + score == pytest.approx(nbest.nbest.scores[hypothesis], abs=1e-3)
            for rewrite in derivation.rewrites:
                assert sum(value for _, value in rewrite.reasons) == pytest.approx(rewrite.score, abs=1e-6)
            unchanged_rules += derivation.unchanged != 0
            nested += any(r.rule for r in derivation.rewrites)
    assert unchanged_rules or nested


def test_leaving_a_phrase_is_scored_among_its_rules(made, tmp_path, capsys):
    """Copying "numerous" is worth the weights of copies, glue and words; the column rule is without the language model."""
    weights = {"AGigaSim": 2.0, "copies": 0.5, "glue": 0.25, "words": 0.125, "lm": 1.0}
    folder = reweighted(made, tmp_path / "other", weights)
    code, out, _ = run(capsys, "rules", "rank", "numerous", "--model", folder, "--format", "json")
    assert code == 0
    rows = {row["target"]: row for row in json.loads(out)}
    assert rows["numerous"]["score"] == rows["numerous"]["rule"] == pytest.approx(0.875)
    assert rows["many"]["rule"] == pytest.approx(2 * 0.8 + 0.25 + 0.125, abs=1e-3)
    assert rows["many"]["score"] != pytest.approx(rows["many"]["rule"])


def test_several_candidates_of_a_grammar(made, tmp_path, capsys):
    text = tmp_path / "text.txt"
    text.write_text("the man purchased numerous old books .\na woman assisted the child .\n", "utf-8")
    options = ("--model", made / "model", "--tokenized")
    best = run(capsys, "simplify", text, *options)[1].splitlines()
    code, out, _ = run(capsys, "simplify", text, *options, "--n-best", 3, "--format", "json")
    assert code == 0
    rows = [json.loads(line) for line in out.splitlines()]
    assert [row["output"] for row in rows] == [row["candidates"][0]["output"] for row in rows] == best
    for row in rows:
        assert len({c["output"] for c in row["candidates"]}) == len(row["candidates"]) > 1
