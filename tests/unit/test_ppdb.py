"""Lines of the Paraphrase Database and Joshua's configuration files."""

import gzip

import pytest

from plainmark.errors import InputError
from plainmark.simplifier.lattice.building import build_decoder
from plainmark.simplifier.rules.ppdb import (
    MalformedRule,
    Nonterminal,
    RuleStream,
    parse_rule,
    read_rules,
    require,
)
from plainmark.simplifier.rules.sources import read_rule_file
from plainmark.simplifier.scfg.building import build_scfg
from plainmark.simplifier.tuning.weights import JoshuaGrammar, read_configuration
from support import tiny_simplifier as tiny

ONE = "[NN] ||| cars ||| autos ||| Abstract=0 CharLogCR=0 p(e|f)=2.39 p(f|e,LHS)=1.2E-1 ||| 0-0"
TWO = "[NP] ||| [NNP,1] 's [JJ,2] legislation ||| the [JJ,2] law of [NNP,1] ||| PPDB2.0Score=3.5 ||| 0-4 2-1 3-2 ||| Equivalence"


def test_version_1():
    rule = parse_rule(ONE)
    assert (rule.lhs, rule.source, rule.target, rule.alignment) == ("NN", ("cars",), ("autos",), ((0, 0),))
    assert rule.features == {"Abstract": 0, "CharLogCR": 0, "p(e|f)": 2.39, "p(f|e,LHS)": 0.12}
    assert rule.is_lexical


def test_version_2():
    rule = parse_rule(TWO)
    assert rule.entailment == "Equivalence"
    assert rule.nonterminals == (Nonterminal("NNP", 1), Nonterminal("JJ", 2))
    assert rule.target == ("the", Nonterminal("JJ", 2), "law", "of", Nonterminal("NNP", 1))
    assert not rule.is_lexical
    assert str(rule) == TWO


@pytest.mark.parametrize(
    "line",
    [
        "[VP/S] ||| is widely accepted that ||| is known that ||| ||| ",
        "[X] ||| currently ||| ||| 1 ||| ",  # a deletion, and a feature without a name
        "[S\\NP] ||| [ ] [NP,x] ||| ( [a] ||| a=1",  # brackets that are words
        "[,] ||| [,,1] a ||| b [,,1] ||| x=1",  # marks have labels like themselves
    ],
)
def test_odd_lines_that_are_rules(line):
    rule = parse_rule(line)
    assert parse_rule(str(rule)) == rule


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[NN] ||| cars ||| autos", "3 fields"),
        ("[NN] ||| a ||| b ||| c=1 ||| 0-0 ||| E ||| more", "7 fields"),
        ("NN ||| cars ||| autos ||| a=1", "'NN' before the source"),
        ("[NN,1] ||| cars ||| autos ||| a=1", "'[NN,1]' before the source"),
        ("[NN] ||| ||| autos ||| a=1", "an empty source"),
        ("[NN] ||| [X,1] a ||| b ||| a=1", "nonterminals of source and target"),
        ("[NN] ||| [X,1] a ||| [Y,1] b ||| a=1", "nonterminals of source and target"),
        ("[NN] ||| [X,1] [X,1] ||| [X,1] [X,1] ||| a=1", "nonterminals of source and target"),
        ("[NN] ||| a ||| b ||| a=one", "'a=one' is no feature"),
        ("[NN] ||| a ||| b ||| a=nan", "'a=nan' is not finite"),
        ("[NN] ||| a ||| b ||| a=1 ||| 0-7", "'0-7' is no pair of places"),
        ("[NN] ||| a ||| b ||| a=1 ||| x", "'x' is no pair of places"),
    ],
)
def test_lines_that_are_no_rules(line, message):
    with pytest.raises(MalformedRule) as caught:
        parse_rule(line)
    assert message in str(caught.value)


def test_bad_lines_are_counted_and_the_first_shown(tmp_path):
    path = tmp_path / "ppdb.gz"
    path.write_bytes(gzip.compress(f"{ONE}\nno rule\n{TWO}\n\n[X] ||| a\n".encode() + b"\xff\xfe\n"))
    rules = read_rules(str(path))
    assert len(list(rules)) == 2
    assert (rules.read, rules.malformed) == (5, 3)
    assert rules.problems == (
        f"{path}: 3 of 5 lines are no rules and left out; {path}, line 2: 1 fields between |||, expected 4 to 6."
    )
    assert len(list(rules)) == 2  # again from the beginning


def test_only_the_rules_of_an_input():
    lines = [ONE, TWO, "[NN] ||| cats ||| pets ||| a=1"]
    assert [r.source for r in RuleStream(lines, words={"cars", "trucks"})] == [("cars",)]
    assert [r.lhs for r in RuleStream(lines, words={"'s", "legislation"})] == ["NP"]
    assert [r.source for r in RuleStream(lines, keep=lambda s: s == ("cats",))] == [("cats",)]
    assert RuleStream(lines).problems == ""


def test_a_file_without_rules_is_an_error(tmp_path):
    (tmp_path / "x.txt").write_text("one\ntwo\n")
    rules = read_rules(str(tmp_path / "x.txt"))
    found = len(list(rules))
    with pytest.raises(InputError, match="no rules among 2 lines"):
        require(rules, found)
    with pytest.raises(InputError, match="cannot be read"):
        read_rules(str(tmp_path / "none.gz"))


def test_the_original_weights(shared):
    folder = shared / "data" / "ppdb" / "tacl2016_config"
    found = read_configuration(str(folder / "joshua_STAR_tune30it_TACL2016.config"))
    assert len(found.weights) == 46  # 33 + 9 features, glue, language model, words, unknown words
    assert found.weights["CharLogCR"] == 7.097383287718715
    assert found.weights["SourceTerminalsButNoTarget"] == 6.155014758732219e-4
    assert found.weights["p(e|f,LHS)"] == 0.11454294676315607
    assert found.lm_weight == pytest.approx(1)
    assert (found.pop_limit, found.span_limit, found.nbest, found.unique) == (100, 20, 300, True)
    assert (found.goal, found.default_nonterminal, found.lm_order) == ("GOAL", "X", 5)
    assert [(g.owner, g.span_limit) for g in found.grammars] == [("pt", 20), ("pit", 20), ("glue", -1)]
    start = read_configuration(str(folder / "params.txt"))
    assert set(start.weights) == set(found.weights)
    assert start.weights["GigaLMDiff"] == 1
    assert start.settings["normalization"] == "absval 1 lm_0"
    template = read_configuration(str(folder / "joshua.config"))
    assert template.pop_limit == 100


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# nothing\n", "no weights"),
        ("a 1\nwhat is this?\n", "line 2: found 'what is this\\?', expected name = value"),
        ("a nan\n", "line 1: weight nan, expected a finite number"),
        ("a 1.2.3\n", "line 1: weight 1.2.3, expected a finite number"),
        ("a 1\ntm = thrax pt\n", "line 2: found tm = thrax pt, expected tm = TYPE OWNER SPAN FILE"),
        ("a 1\nlm = kenlm\n", "line 2: found lm = kenlm, expected lm = TYPE ORDER"),
        ("a 1\npop-limit = many\n", "pop-limit = many, expected a whole number"),
    ],
)
def test_mistakes_in_configurations(tmp_path, text, message):
    (tmp_path / "j.config").write_text(text)
    with pytest.raises(InputError, match=message):
        read_configuration(str(tmp_path / "j.config"))


def test_defaults_and_grammars(tmp_path):
    (tmp_path / "j.config").write_text("lm_0 -1e-2\ntm = thrax pt 12 g.gz\n")
    found = read_configuration(str(tmp_path / "j.config"))
    assert found.grammars == (JoshuaGrammar("thrax", "pt", 12, "g.gz"),)
    assert (found.weights, found.span_limit, found.nbest) == ({"lm_0": -0.01}, 12, 300)


VERSION_2 = (
    "[NN] ||| {} ||| {} ||| PPDB2.0Score={} PPDB1.0Score=3.1 -logp(LHS|e1)=0.1 -logp(e1|e2)=2.5 -logp(e2|e1)=1.5 "
    "-logp(e2|e1,LHS)=1.25 Equivalence=0.6 Exclusion=0.0001 Lex(e1|e2)=63 MVLSASim=NA AGigaSim=0.5 ||| 0-0 ||| Equivalence\n"
)


def test_features_of_version_2_are_in_the_lattice(tmp_path):
    """Probabilities have the names of version 1, what is new has its own, and NA is no number but no mistake."""
    path = tmp_path / "ppdb-2.0.txt"
    path.write_text(VERSION_2.format("car", "auto", 5.25) + VERSION_2.format("car", "house", 1.5), "utf-8")
    rules = read_rules(str(path))
    assert next(iter(rules)).features["p(f|e)"] == 2.5
    source = read_rule_file(str(path))
    assert len(source.pairs) == 2
    row = dict(zip(source.names, source.features[source.pairs.index((("car",), ("auto",)))], strict=True))
    assert {n: row[n] for n in ("p(LHS|f)", "p(f|e)", "p(e|f)", "p(e|f,LHS)", "Lex(f|e)")} == pytest.approx(
        {"p(LHS|f)": 0.1, "p(f|e)": 2.5, "p(e|f)": 1.5, "p(e|f,LHS)": 1.25, "Lex(f|e)": 63}
    )
    assert (row["PPDB2.0Score"], row["Equivalence"]) == pytest.approx((5.25, 0.6))
    assert "MVLSASim" not in row
    decoder = build_decoder([source], [], tiny.language_model())
    assert {"PPDB2.0Score", "PPDB1.0Score", "Equivalence", "Exclusion"} < set(decoder.names)
    one = build_decoder([source], [], tiny.language_model(), most=1)
    assert [one.table.text(r)[1] for r in range(len(one.table))] == ["auto"]  # the better score


def test_rules_that_change_the_meaning_are_left_out(tmp_path):
    rows = [
        ("safe", "unsafe", "Exclusion"),
        ("animal", "dog", "ReverseEntailment"),
        ("dog", "animal", "ForwardEntailment"),
    ]
    path = tmp_path / "ppdb.txt"
    path.write_text(
        "".join(f"[X] ||| {f} ||| {e} ||| p(e|f)=1 ||| 0-0 ||| {label}\n" for f, e, label in rows), "utf-8"
    )
    assert [r.changes_meaning for r in read_rules(str(path))] == [True, True, False]
    assert read_rule_file(str(path)).pairs == [(("dog",), ("animal",))]
    grammar = build_scfg([str(path)], tiny.language_model()).grammar
    assert {grammar.text(rule) for rule in range(len(grammar))} <= {("dog", "animal")}
