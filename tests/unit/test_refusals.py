"""Nothing prints an English number for a text in another language: metrics, perturbations, parser, checks, ledger."""

import pytest

import plainmark as pm
from plainmark.cli._main import main
from plainmark.errors import LanguageError
from plainmark.languages.choice import choose
from plainmark.languages.detection import detect
from plainmark.metric import METRICS
from plainmark.perturbations import PERTURBATIONS

GERMAN = [
    "Die Bundesregierung hat gestern ein neues Gesetz beschlossen, das die Steuern senken soll.",
    "Es gilt ab dem kommenden Jahr für alle Menschen, die weniger als 30.000 Euro verdienen.",
]
# What can be said of any text: counts of characters and words, n-grams, edits. Everything else refuses or has German rules.
ANY = {
    "additions", "bleu", "chrf", "compression", "copied", "deletions", "exact_copies", "ibleu", "judge", "length", "levenshtein",
    "sari", "self_bleu", "ter", "word_operations", "mean",
}  # fmt: skip
OWN = {
    "amstad", "wstf", "flesch", "lix", "rix", "familiarity", "sentence_length", "paragraph_length", "rouge", "dsari",
    "sentence_splits", "facts_kept", "numbers_kept",
}  # fmt: skip


@pytest.mark.parametrize("name", METRICS.names())
def test_metrics_are_for_german_or_for_any_language_or_refuse(name):
    metric = METRICS.find(name)()
    corpus = pm.Corpus(GERMAN, GERMAN, GERMAN)
    if name in ANY:
        assert metric.in_language(choose([corpus])).spoken() == ()
        return
    if name in OWN:
        assert metric.in_language(choose([corpus])).spoken() == ("de",)
        return
    with pytest.raises(LanguageError, match=rf"^{name} is for .*; this looks German \(99 %\)\."):
        metric.in_language(choose([corpus]))


@pytest.fixture
def german(tmp_path):
    path = tmp_path / "german.txt"
    path.write_text("\n".join(GERMAN) + "\n", "utf-8")
    return str(path)


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "FILE", "-m", "fkgl"],
        ["score", "FILE", "-s", "FILE", "-m", "quality"],
        ["compare", "a=FILE", "b=FILE", "-m", "smog"],
        ["report", "FILE", "-s", "FILE", "-m", "samsa", "-o", "OUT.html"],
        ["explain", "fkgl", "FILE"],
        ["explain", "samsa", "FILE", "-s", "FILE"],
        ["parse", "FILE"],
        ["perturb", "FILE", "--with", "negate"],
        ["perturb", "FILE", "--with", "delete", "--with", "numbers"],
        ["stress", "FILE", "-r", "FILE", "-m", "bleu", "--only", "verb_synonyms"],
        ["stress", "FILE", "-r", "FILE", "-m", "bleu", "--testbed", "errors"],
    ],
)
def test_commands_refuse_in_one_line(arguments, german, tmp_path, capsys):
    given = [a.replace("FILE", german).replace("OUT", str(tmp_path / "out")) for a in arguments]
    assert main(given) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "for English; this looks German (99 %)." in err
    assert not (tmp_path / "out.html").exists()


def test_what_any_language_allows_runs(german, capsys):
    assert main(["perturb", german, "--with", "delete", "-q"]) == 0
    assert main(["check", german]) == 0
    assert "The text looks German (99 %): grade, CEFR level" in capsys.readouterr().err
    assert main(["facts", german, german]) == 0
    out = capsys.readouterr().out
    assert "The texts are German, and only numbers have rules there. Not checked: name" in out
    assert "is not estimated" in out


def test_every_perturbation_says_whether_it_is_for_english():
    free = {name for name in PERTURBATIONS.names() if not PERTURBATIONS.find(name).english_only}
    assert free == {
        "delete", "reorder", "add_in_domain", "double_samples", "halve_samples", "reverse_samples", "repeat_sentences",
        "error_deletion", "error_in_document",
    }  # fmt: skip


@pytest.mark.parametrize("text", ["Haus", "Privet, kak dela?", "OK", "12", "", "Das Haus ist rot."])
def test_short_and_transliterated_texts_are_not_refused(text):
    assert not detect(text).sure
    assert pm.metric("fkgl").score(pm.Corpus(None, [text])).samples == 1


def test_an_unknown_code_names_those_there_are(german, capsys):
    for command in (
        ["perturb", german, "--with", "negate"],
        ["parse", german],
        ["check", german],
        ["facts", german, german],
    ):
        assert main([*command, "--language", "xx"]) == 2
        err = capsys.readouterr().err
        assert "no such code" in err
        assert "Counted in full: en, de, es, fr, it, nl, pt, ru" in err
