"""The functions of the package and the results that they return."""

import csv
import io
import json
import subprocess
import sys

import pytest

import plainmark as pm
from plainmark import bundles, cli
from plainmark.api._metrics import display_name, parse_metrics
from plainmark.result import FORMATS, Listing, Result, format_of
from plainmark.table import Cell, Table

SOURCE = ["The committee convened in 1998.", "Owls are nocturnal birds.", "He purchased volumes."]
REFERENCES = [["The group met in 1998."], ["Owls are birds that hunt at night."], ["He bought books."]]
GOOD = ["The group met in 1998.", "Owls are birds of the night.", "He bought books."]
SYSTEMS = {"good": GOOD, "copy": SOURCE}
TEST_SET = {"source": SOURCE, "references": REFERENCES}


def test_public_names_and_nothing_else():
    assert dir(pm) == sorted(pm.__all__)
    assert all(hasattr(pm, name) for name in pm.__all__)
    for name in ("score", "compare", "report", "explain", "facts", "stress", "study", "correlate"):
        assert callable(getattr(pm, name))


def test_report_and_study_are_both_packages_and_functions():
    code = (
        "import plainmark.report.page, plainmark.study as study, plainmark as pm; "
        "print(callable(pm.report), callable(pm.study), pm.study is study, hasattr(study, 'load'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True"] * 4


RECORD = ["defined", "metric", "parts", "samples", "score", "signature", "system", "warnings"]


def test_score():
    table = pm.score(SYSTEMS, **TEST_SET, metrics=["sari", pm.metric("bleu")])
    corpus = pm.Corpus(SOURCE, GOOD, REFERENCES)
    assert table["good", "sari"] == pm.metric("sari").score(corpus)
    assert table.systems == ("good", "copy")
    assert table.samples == 3
    assert str(table).splitlines()[0].split() == ["system", "sari", "↑", "bleu", "↑"]
    assert [sorted(r) for r in table.to_dict()] == [RECORD] * 4
    frame = table.to_dataframe()
    assert list(frame.columns)[:4] == ["system", "metric", "score", "defined"]
    assert frame.shape[0] == 4
    assert frame["score"][0] == table["good", "sari"].value
    assert "<table>" in table._repr_html_()


def test_a_variant_is_never_called_by_its_bare_name():
    table = pm.score(SYSTEMS, **TEST_SET, metrics="sari(variant='hf')")
    assert str(table).splitlines()[0].split() == ["system", "sari(variant='hf')", "↑"]
    assert {row["metric"] for row in table.records()} == {"sari(variant='hf')"}
    assert all("variant:hf" in row["signature"] for row in table.records())


def test_workers_score_texts_in_memory():
    one, two = (pm.score(SYSTEMS, **TEST_SET, metrics="sari,bleu", workers=n) for n in (1, 2))
    assert one.to_dict() == two.to_dict()


def test_the_command_prints_what_the_function_returns(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    files = {"good.txt": GOOD, "copy.txt": SOURCE, "s": SOURCE, "r": [r[0] for r in REFERENCES]}
    for name, texts in files.items():
        (tmp_path / name).write_text("\n".join(texts) + "\n")
    inputs = ["good.txt", "copy.txt", "-s", "s", "-r", "r", "-m", "sari,fkgl"]
    options = {"source": "s", "references": ["r"], "metrics": "sari,fkgl"}
    results = {
        "score": pm.score(["good.txt", "copy.txt"], **options),
        "compare": pm.compare(["good.txt", "copy.txt"], **options, resamples=50),
    }
    for form in FORMATS:
        for command, result in results.items():
            more = ["--resamples", "50"] if command == "compare" else []
            assert cli.main([command, *inputs, *more, "--format", form]) == 0
            assert capsys.readouterr().out == result.render(form)
    page = pm.report(["good.txt", "copy.txt"], **options, resamples=50, title="T")
    assert cli.main(["report", *inputs, "--resamples", "50", "--title", "T", "-o", "r.html"]) == 0
    assert (tmp_path / "r.html").read_text("utf-8") == page.to_html()


def test_compare():
    result = pm.compare(SYSTEMS, **TEST_SET, metrics="sari,bleu", resamples=100)
    assert [c.metric.spec for c in result.comparisons] == ["sari", "bleu"]
    assert len(result.tables()) == 3
    frame = result.to_dataframe()
    assert {"low", "high", "letters", "p.good", "p.copy", "signature"} <= set(frame.columns)
    assert r"\begin{tabular}" in result.to_latex()
    assert "<0" not in result.to_latex()


def test_explain():
    result = pm.explain("samsa(encoder='none', wordnet='none')", ["He left."], source=["He left at noon."])
    assert [row["sample"] for row in result.records()] == ["1"]
    assert result.to_dict()[0]["scenes"]
    assert str(result).startswith("sample 1: SAMSA")
    assert result.to_html().startswith("<!DOCTYPE html>")
    with pytest.raises(pm.PlainmarkError, match="chrf has no explanation"):
        pm.explain("chrf", ["x"], source=["x"])
    with pytest.raises(pm.PlainmarkError, match="found 2 systems, expected the outputs of one"):
        pm.explain("samsa", {"a": ["x"], "b": ["x"]}, source=["x"])


def test_stress():
    texts = [f"The group met in {year}. It had ten members." for year in range(1990, 1998)]
    result = pm.stress(texts, references=texts, metrics="bleu", perturbations=["delete"], levels=2)
    folder = result.folder
    assert folder.is_dir()
    assert result.to_dataframe()["verdict"].tolist() == ["detects (8 documents)"]
    assert "perturbation" in str(result)
    assert "<html" in result.to_html()
    del result
    assert not folder.exists()  # what nobody named a folder for is removed
    errors = pm.stress(
        texts, references=texts, metrics="bleu", testbed="errors", perturbations=["error_grammar"]
    )
    assert errors.records()[0]["pairs"] == 8
    with pytest.raises(pm.PlainmarkError, match="expected either a data set"):
        pm.stress(metrics="bleu")


def test_correlate_has_the_methods_of_a_result():
    ratings = pm.Ratings(
        [pm.Rating("s", str(i), "simplicity", "r", float(v)) for i, v in enumerate((1, 3, 2, 5, 4, 6), 1)]
    )
    corpora = {"s": pm.Corpus(None, [f"{'word ' * i}end." for i in range(1, 7)], name="s")}
    result = pm.correlate("level=segment coefficient=pearson", "fkgl", ratings, corpora=corpora)
    assert isinstance(result, Result)
    assert result.to_dict()[0]["value"] == result.value
    assert "pearson" in result.to_latex()
    assert result.to_dataframe().shape[0] == 1


RESULT = Listing.of(
    Table(["a", "b"], [[Cell("x"), Cell("<0.01", 0.001, best=True)], [Cell("y"), Cell("–")]], ["n"])
)


def test_formats():
    assert RESULT.render("table") == "a      b\nx  <0.01*\ny      –\n\nn\n"
    assert list(csv.reader(io.StringIO(RESULT.render("csv")))) == [["a", "b"], ["x", "0.001"], ["y", "–"]]
    assert RESULT.render("tsv").splitlines()[1] == "x\t0.001"
    assert json.loads(RESULT.render("json")) == [{"a": "x", "b": 0.001}, {"a": "y", "b": "–"}]
    assert "| x | **&lt;0.01** |" in RESULT.render("markdown")
    assert r"x & \textbf{$<$0.01} \\" in RESULT.render("latex")
    page = RESULT.render("html")
    assert page.startswith("<!doctype html>")
    assert "<b>&lt;0.01</b>" in page
    with pytest.raises(pm.PlainmarkError, match="no format 'xml'; expected one of table, csv"):
        RESULT.render("xml")


def test_save(tmp_path):
    for suffix, start in ((".tex", "% n"), (".MD", "| a"), (".csv", "a,b")):
        RESULT.save(tmp_path / f"x{suffix}")
        assert (tmp_path / f"x{suffix}").read_text("utf-8").startswith(start)
    RESULT.save(tmp_path / "x.dat", "json")
    with pytest.raises(pm.PlainmarkError, match=r"x\.dat: the name does not tell the format"):
        format_of(tmp_path / "x.dat")


def test_data_frames_say_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(pm.PlainmarkError, match="pip install pandas"):
        RESULT.to_dataframe()


def test_bundles_stand_for_their_metrics():
    table = pm.score(
        {"out": ["A cat sat."]}, source=["A feline sat."], references=[["A cat sat."]], metrics="@easse"
    )
    assert [m.spec for m in table.metrics] == ["sari", "bleu(lowercase=True)", "fkgl(variant='easse')"]


def test_every_bundle_reads():
    for name in bundles.BUNDLES:
        assert len(parse_metrics(f"@{name}")) == len(bundles.BUNDLES[name].specs)


def test_an_unknown_bundle_names_the_others():
    with pytest.raises(pm.errors.UnknownNameError, match=r"no bundle '@esse'\. Did you mean 'easse'"):
        parse_metrics("@esse")


def test_many_systems_are_numbered_in_tables_of_p_values():
    outputs = {f"system {k}": GOOD[:k] + SOURCE[k:] for k in range(4)} | {
        f"again {k}": GOOD for k in range(4)
    }
    result = pm.compare(outputs, **TEST_SET, metrics="bleu", resamples=20)
    _, pairs = result.tables()[1]
    assert pairs.headings == ["p (bleu)", *"12345678"]
    assert sorted(row[0].text.partition(" ")[2] for row in pairs.rows) == sorted(outputs)
    few = pm.compare(SYSTEMS, **TEST_SET, metrics="bleu", resamples=20)
    assert few.tables()[1][1].headings[1:] == ["good", "copy"]


def test_layout_of_scores():
    table = pm.score(SYSTEMS, **TEST_SET, metrics="sari,fkgl(variant='easse')")
    ((_, printed),) = table.with_layout(digits=1, parts=True).tables()
    assert printed.titles == (
        "System", "SARI ↑", "add", "keep", "del", "FKGL (easse) ↓", "words", "sentences", "syllables",
    )  # fmt: skip
    assert printed.rows[0][1].text == f"{table['good', 'sari'].value:.1f}"
    ((_, long),) = table.with_layout(long=True).tables()
    assert [(row[0].text, row[1].text) for row in long.rows] == [
        ("good", "sari"),
        ("copy", "sari"),
        ("good", "fkgl(variant='easse')"),
        ("copy", "fkgl(variant='easse')"),
    ]
    assert long.rows[0][-1].text == table["good", "sari"].signature
    with pytest.raises(pm.errors.OptionError, match="digits"):
        table.with_layout(digits=13)


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("sari", "SARI"),
        ("sari(variant='hf')", "SARI (hf)"),
        ("bleu(lowercase=True)", "BLEU (lowercase)"),
        ("mean(fkgl(variant='textstat', rounded=True))", "mean FKGL (textstat, rounded)"),
        ("agg(sari, aligner='context')", "agg SARI"),
    ],
)
def test_display_names(spec, name):
    assert display_name(pm.metric(spec)).startswith(name)


def test_comparison_csv_has_intervals_letters_parts_and_signature():
    result = pm.compare(SYSTEMS, **TEST_SET, metrics="sari(variant='hf')", resamples=20)
    rows = list(csv.DictReader(io.StringIO(result.to_csv())))
    assert rows[0]["metric"] == "sari(variant='hf')"
    assert rows[0]["signature"].startswith("sari|refs:1|variant:hf")
    assert float(rows[0]["low"]) <= float(rows[0]["score"]) <= float(rows[0]["high"])
    assert rows[0]["letters"]
    assert {"parts.add", "parts.keep", "parts.del"} <= set(rows[0])
