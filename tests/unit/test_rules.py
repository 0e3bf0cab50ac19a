"""Tables of rules: look-up, files, where rules come from."""

import gzip
import logging

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainmark import kernels
from plainmark.errors import InputError
from plainmark.lm import LanguageModel
from plainmark.simplifier.rules.building import RuleSource, build_table
from plainmark.simplifier.rules.extraction import extract, extract_drops
from plainmark.simplifier.rules.features import PPDB, RULE_FEATURES, SIMPLIFICATION, rule_features
from plainmark.simplifier.rules.sources import (
    from_extracted,
    read_rule_file,
    without_harder_rules,
    write_extracted,
)
from plainmark.simplifier.rules.table import RuleTable
from plainmark.simplifier.rules.word_facts import TAGS, DifficultyLexicon, WordFacts, WordForms

MODEL = LanguageModel.train(
    ["the big house is old", "a large tree", "he helped the people", "big big the the"], order=2
)
phrases = st.lists(st.sampled_from("abcd"), min_size=1, max_size=3).map(tuple)


@given(
    st.lists(st.tuples(phrases, phrases), max_size=12),
    st.lists(st.lists(st.sampled_from("abcde"), max_size=6), max_size=3),
)
def test_all_rules_that_fit_are_found(pairs, sentences):
    table = build_table([RuleSource("x", pairs)])
    found = table.find(kernels.tokenize([" ".join(s) for s in sentences], "space"))
    got = {
        (int(s), int(a), table.text(int(r)))
        for s, a, r in zip(found.sentences, found.starts, found.rules, strict=False)
    }
    expected = {
        (i, k, (" ".join(f), " ".join(e)))
        for f, e in pairs
        if f != e
        for i, s in enumerate(sentences)
        for k in range(len(s))
        if tuple(s[k : k + len(f)]) == f
    }
    assert got == expected
    assert len(found.rules) == len(got)


def test_a_table_comes_back_from_its_file(tmp_path):
    extracted = extract([["the", "large", "house"]], [[["the", "big", "house"]]])
    table = build_table([from_extracted("set", extracted), RuleSource("ppdb", [(("house",), ("home",))])])
    table = rule_features(
        table, WordFacts.of(table.words, MODEL, DifficultyLexicon.empty()), MODEL, WordForms.of(table.words)
    )
    table.save(tmp_path / "rules.npz")
    back = RuleTable.load(tmp_path / "rules.npz")
    assert back.words == table.words
    assert [back.text(r) for r in range(len(back))] == [table.text(r) for r in range(len(table))]
    assert back.origins == table.origins
    np.testing.assert_array_equal(back.keys, table.keys)
    np.testing.assert_allclose(back.features, table.features, rtol=1e-3)
    np.testing.assert_array_equal(back.evidence.sentences, table.evidence.sentences)
    whole = (tmp_path / "rules.npz").read_bytes()
    for damaged in (b"", b"rubbish", whole[: len(whole) // 2]):
        (tmp_path / "bad.npz").write_bytes(damaged)
        with pytest.raises(InputError, match="not a table of rules"):
            RuleTable.load(tmp_path / "bad.npz")
    with pytest.raises(InputError, match="cannot read a table of rules"):
        RuleTable.load(tmp_path / "none.npz")


def test_features_have_their_names():
    assert len(PPDB) == 33
    assert len(SIMPLIFICATION) == 9
    table = build_table([RuleSource("x", [(("magnificent",), ("big",)), (("old", "house"), ())])])
    facts = WordFacts.of(table.words, MODEL, DifficultyLexicon.empty())
    table = rule_features(table, facts, MODEL, WordForms.of(table.words))
    assert table.names == RULE_FEATURES
    rows = {table.text(r): dict(zip(table.names, table.features[r], strict=False)) for r in range(len(table))}
    simple = rows["magnificent", "big"]
    assert simple["CharCountDiff"] == 3 - 11
    assert simple["SourceMaxWordSyl"] == 4
    assert simple["MaxWordSylDiff"] == 1 - 4
    assert simple["MaxDiffWordLenDiff"] == 0
    assert simple["HardWordDiff"] == -1
    assert simple["FormsShared"] == 1  # both can be adjectives
    assert simple["p(e|f)"] == 0
    gone = rows["old house", ""]
    assert (gone["Deletion"], gone["Dropped"], gone["WordCountDiff"], gone["RarestDiff"]) == (1, 2, -2, 0)


def features_of(pairs, **options):
    table = build_table([RuleSource("x", [(tuple(f.split()), tuple(e.split())) for f, e in pairs])])
    facts = WordFacts.of(table.words, MODEL, DifficultyLexicon.empty(), **options)
    table = rule_features(table, facts, MODEL)
    return {table.text(r): dict(zip(table.names, table.features[r], strict=True)) for r in range(len(table))}


def test_differences_are_those_of_the_target_minus_the_source():
    """The sign of the authors' first weights: -0.5 for syllables, letters and hard words rewards what is simpler."""
    names = ("MaxWordSylDiff", "MaxDiffWordSylDiff", "MaxDiffWordLenDiff", "HardWordDiff")
    values = features_of([("magnificent", "big"), ("big", "magnificent")])
    simpler, harder = values["magnificent", "big"], values["big", "magnificent"]
    assert [simpler[n] for n in names] == [-3, 0, 0, -1]  # the two in the middle count what is harder
    assert [harder[n] for n in names] == [3, 3, 8, 1]
    assert simpler["MaxWordSylDiff"] == simpler["TargetMaxWordSyl"] - simpler["SourceMaxWordSyl"]


def test_changed_words_alone_count_where_the_name_says_so():
    """A population of people: "population" (4 syllables) stays, "numerous" (3) becomes "many" (2)."""
    rule = ("numerous population", "many population")
    values = features_of([rule])[rule]
    assert (values["SourceMaxWordSyl"], values["TargetMaxWordSyl"], values["MaxWordSylDiff"]) == (4, 4, 0)
    assert (values["MaxDiffWordSylDiff"], values["MaxDiffWordLenDiff"]) == (0, 0)
    assert values["HardWordDiff"] == 0.5 - 1  # shares of the words on each side
    back = ("many population", "numerous population")
    values = features_of([back])[back]
    assert (values["MaxDiffWordSylDiff"], values["MaxDiffWordLenDiff"]) == (3 - 2, 8 - 4)


def test_words_beyond_a_list_of_common_words_are_hard():
    rules = [("gala", "population"), ("population", "gala .")]
    values = features_of(rules, common_words={"population"})
    assert values["gala", "population"]["HardWordDiff"] == -1  # short, but not in the list
    assert values["population", "gala ."]["HardWordDiff"] == 0.5  # a mark is never hard


def test_phrases_are_scored_by_the_language_model():
    rule = ("large house", "big house")
    values = features_of([rule])[rule]
    source, target = MODEL.score([*rule], sentence=False)
    assert values["SourceGigaLM"] == pytest.approx(source, abs=1e-5)
    assert values["TargetGigaLM"] == pytest.approx(target, abs=1e-5)
    assert values["GigaLMDiff"] == pytest.approx(target - source, abs=1e-5)
    assert target > sum(MODEL.score(["big", "house"], sentence=False))  # a pair that the model has seen
    gone = features_of([("old house", "")])["old house", ""]
    assert gone["GigaLMDiff"] == 0


def test_forms_tell_what_fits_a_place():
    bits = dict(
        zip(
            ("houses", "helped", "quickly", "123"),
            WordForms.of(["houses", "helped", "quickly", "123"]).bits,
            strict=False,
        )
    )
    assert bits["houses"] >> TAGS.index("NNS") & 1
    assert not bits["houses"] >> TAGS.index("NN") & 1
    assert bits["helped"] >> TAGS.index("VBD") & 1
    assert bits["quickly"] == 1 << TAGS.index("RB")
    assert bits["123"] == 0


def test_extraction_takes_what_stands_between_shared_words():
    found = extract([["he", "sought", "to", "help"]], [[["he", "tried", "to", "help"], ["he", "to", "help"]]])
    rules = dict(zip(zip(found.sources, found.targets, strict=False), found.totals.tolist(), strict=False))
    assert rules == {(("sought",), ("tried",)): 0.5, (("sought",), ()): 0.5}
    drops = extract_drops([["he", "left"]], [[["he", "went"]]])
    shares = dict(zip(zip(drops.sources, drops.targets, strict=False), drops.totals.tolist(), strict=False))
    assert shares[("he",), ("<dropped>",)] == 0
    assert shares[("left",), ("<dropped>",)] == 1


def test_extracted_rules_come_back_from_their_file(tmp_path):
    found = extract(
        [["he", "sought", "help"], ["they", "sought", "it"]], [[["he", "tried", "help"]], [["they", "it"]]]
    )
    path = tmp_path / "extracted.tsv"
    with path.open("w", encoding="utf-8") as file:
        write_extracted(file, found, "tune")
    back = read_rule_file(str(path))
    assert back.origin == "tune"
    assert list(back.pairs) == list(zip(found.sources, found.targets, strict=False))
    np.testing.assert_array_equal(back.extracted.sentences, found.sentences)
    np.testing.assert_allclose(back.extracted.totals, found.totals, rtol=1e-3)
    one, other = build_table([back]), build_table([from_extracted("tune", found)])
    np.testing.assert_array_equal(one.source_counts, other.source_counts)


def test_bad_lines_are_counted_and_the_first_is_shown(tmp_path, caplog):
    caplog.set_level(logging.WARNING, "plainmark")
    pairs = tmp_path / "pairs.txt"
    pairs.write_text("large\tbig\nlonely\nold ancient aged\nalone\n", "utf-8")
    found = read_rule_file(str(pairs))
    assert len(found.pairs) == 6
    assert "2 of 4 lines are no pairs" in caplog.text
    assert "line 2 is 'lonely'" in caplog.text
    grammar = tmp_path / "ppdb.gz"
    lines = [
        "[JJ] ||| large ||| big ||| AGigaSim=0.5 ||| 0-0",
        "[JJ] ||| broken",
        "[NP] ||| the [NN,1] ||| a [NN,1] ||| ||| 0-0",
    ]
    grammar.write_bytes(gzip.compress("\n".join(lines).encode()))
    found = read_rule_file(str(grammar))
    assert list(found.pairs) == [(("large",), ("big",))]
    assert found.features[0, found.names.index("AGigaSim")] == 0.5
    assert "1 of 3 line is no rule" in caplog.text
    assert "1 rules with nonterminals" in caplog.text
    tsv = tmp_path / "x.tsv"
    tsv.write_text("# plainmark rules 1 set=x\na\tb\t1\t2\tff:1\nnonsense\na\tc\t1\t1\tzz:1\n", "utf-8")
    assert list(read_rule_file(str(tsv)).pairs) == [(("a",), ("b",))]
    assert "2 lines are no rules and left out; the first: line 3 is 'nonsense'" in caplog.text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty, expected rules"),
        ("alone\n", "no pairs of words among 1 lines"),
        ("# plainmark rules 1 set=x\n", "no rules in it"),
        ("[NP] ||| the [NN,1] ||| a [NN,1] ||| ||| 0-0\n", "no rule without nonterminals"),
    ],
)
def test_files_without_rules_say_so(tmp_path, text, message):
    path = tmp_path / "rules"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=message):
        read_rule_file(str(path))


def test_rules_that_make_harder_or_do_not_fit_are_dropped():
    model = LanguageModel.train(["big " * 50, "large " * 20, "sesquipedalian", "houses house the"], order=2)
    source = RuleSource(
        "ppdb", [(("large",), ("big",)), (("large",), ("houses",)), (("large",), ("unheard-of",))]
    )
    kept = without_harder_rules(source, model, DifficultyLexicon.empty())
    assert (("large",), ("big",)) in kept.pairs
    assert (("large",), ("houses",)) not in kept.pairs  # a plural noun for an adjective
