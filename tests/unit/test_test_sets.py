"""Test sets by name: parts, local folders, systems by name or file, baselines."""

import json

import pytest

import plainmark as pm
from plainmark import cli
from plainmark.datasets import dataset
from plainmark.errors import InputError, NeedsError, OptionError, UnknownNameError

SOURCE = ["The committee convened.", "Owls are nocturnal."]
REFERENCES = [["The group met.", "Owls wake at night."], ["The group came together.", "Owls sleep by day."]]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine" / "outputs").mkdir(parents=True)
    write(tmp_path / "mine" / "source.txt", SOURCE)
    for i, texts in enumerate(REFERENCES):
        write(tmp_path / "mine" / f"reference.{i}", texts)
    write(tmp_path / "mine" / "outputs" / "good.txt", ["The group met.", "Owls wake at night."])
    write(tmp_path / "mine" / "outputs" / "copy.txt", SOURCE)
    write(tmp_path / "own.txt", ["A group met.", "Owls wake."])
    write(tmp_path / "short.txt", ["A group met."])
    return tmp_path


def write(path, texts):
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")


def scored(capsys, *words):
    code = cli.main(["score", *words, "-q", "--format", "json"])
    out, err = capsys.readouterr()
    return {row["system"]: row for row in json.loads(out)} if code == 0 else (code, err)


def test_a_folder_has_sources_references_and_systems(folder, capsys):
    rows = scored(capsys, "-d", "mine", "-m", "sari")
    assert [*rows] == ["copy", "good"]
    expected = pm.score(
        {"good": ["The group met.", "Owls wake at night."]},
        source=SOURCE,
        references=list(zip(*REFERENCES, strict=True)),
    )
    assert rows["good"]["score"] == expected["good", "sari"].value
    assert rows["good"]["signature"].startswith("sari|refs:2|")


def test_systems_by_name_and_by_file(folder, capsys):
    rows = scored(capsys, "good", "own.txt", "renamed=copy", "again=own.txt", "-d", "mine")
    assert [*rows] == ["good", "own", "renamed", "again"]
    assert rows["own"]["score"] == rows["again"]["score"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("goood",), "goood: no such file, and no system of mine. Did you mean 'good'?"),
        (("short.txt",), "short: 1 outputs, but mine has 2 samples."),
        (("good", "-s", "own.txt"), "a data set (-d) has its own sources and references"),
        (("good", "good"), "two systems are called 'good'"),
        (("good", "--baselines", "copies"), "--baselines copies: no such baseline. Did you mean 'copy'?"),
    ],
)
def test_mistakes(folder, capsys, words, message):
    code, err = scored(capsys, *words, "-d", "mine")
    assert code == 2
    assert message in err
    assert err.count("\n") == 1


def test_a_name_that_is_also_a_file_is_refused(folder, capsys):
    write(folder / "good", SOURCE)
    code, err = scored(capsys, "good", "-d", "mine")
    assert (code, err.startswith("plainmark: good: both a system of mine and a file here; write ./good")) == (
        2,
        True,
    )
    assert [*scored(capsys, "./good", "-d", "mine")] == ["good"]


def test_baselines(folder, capsys):
    rows = scored(capsys, "good", "-d", "mine", "--baselines", "copy,references", "-m", "exact_copies,sari")
    assert [*rows] == ["good", "copy of the source", "references (leave one out)"]
    assert rows["references (leave one out)"]["signature"].startswith("sari|refs:1|")


def test_leave_one_out_takes_each_reference_in_turn(folder):
    table = pm.score(None, dataset="mine", baselines=["references"], metrics="bleu")
    outputs = [REFERENCES[0][0], REFERENCES[1][1]]  # the first of sample 1, the second of sample 2
    others = [[REFERENCES[1][0]], [REFERENCES[0][1]]]
    expected = pm.score({"x": outputs}, references=others, metrics="bleu")
    assert table["references (leave one out)", "bleu"].value == expected["x", "bleu"].value


def test_baselines_need_what_they_are_made_of():
    with pytest.raises(NeedsError, match="copy needs the source texts"):
        pm.score({"x": ["a"]}, references=[["b"]], metrics="bleu", baselines="copy")
    with pytest.raises(NeedsError, match="two references or more"):
        pm.score({"x": ["a"]}, references=[["b"]], metrics="bleu", baselines="references")
    with pytest.raises(OptionError, match="no such baseline"):
        pm.score({"x": ["a"]}, references=[["b"]], metrics="bleu", baselines="none")


def test_a_folder_without_systems(folder, capsys):
    for path in (folder / "mine" / "outputs").iterdir():
        path.unlink()
    assert scored(capsys, "-d", "mine") == (
        2,
        "plainmark: mine has texts, but no systems; name files with outputs, or use --baselines copy.\n",
    )
    assert [*scored(capsys, "-d", "mine", "--baselines", "copy")] == ["copy of the source"]


def test_rated_sets_whose_systems_cannot_stand_in_one_table(data_sets, capsys):
    code, err = scored(capsys, "-d", "deplain", "-m", "flesch")
    assert (code, err.count("\n")) == (2, 1)
    assert err.endswith("use --baselines copy. plainmark correlate -d deplain uses its ratings.\n")
    code, err = scored(capsys, "-d", "jades", "-m", "chrf")
    assert (code, err) == (
        2,
        "plainmark: the systems of jades have different sources; name one of BART, EditNTS, Reference."
        " plainmark correlate -d jades uses its ratings.\n",
    )
    assert [*scored(capsys, "EditNTS", "-d", "jades", "-m", "chrf", "--baselines", "copy")] == [
        "EditNTS",
        "copy of the source",
    ]


def test_a_folder_with_two_sources(folder):
    write(folder / "mine" / "other.orig", SOURCE)
    with pytest.raises(InputError, match=r"mine: found other\.orig, source\.txt, expected one file"):
        dataset("mine").corpora()


@pytest.mark.parametrize(
    ("short", "spec"),
    [
        ("asset/valid", "asset(split='valid')"),
        ("asset/dev", "asset(split='valid')"),
        ("turkcorpus/dev", "turkcorpus(split='tune')"),
        ("turkcorpus/tok", "turkcorpus(tokens='tok')"),
        ("cefr_sp/dev", "cefr_sp(split='dev')"),
    ],
)
def test_parts_by_name(short, spec):
    assert dataset(short) == dataset(spec)


def test_a_part_that_is_not_there():
    with pytest.raises(UnknownNameError, match=r"asset has no part 'vald'\. Did you mean 'valid'\?"):
        dataset("asset/vald")


def test_compare_and_report_take_data_sets(folder, capsys):
    assert (
        cli.main(["compare", "-d", "mine", "--resamples", "50", "-q", "-m", "bleu", "--format", "csv"]) == 0
    )
    assert "letters" in capsys.readouterr().out.splitlines()[0]
    assert cli.main(["report", "-d", "mine", "--resamples", "50", "-q", "-o", "r.html"]) == 0
    assert "2 samples, 2 systems" in capsys.readouterr().out


def test_what_easse_gives_for_the_eight_systems(data_sets, golden):
    table = pm.score(None, dataset="asset", metrics="@easse")
    peers, grades = golden("sari_bleu_peers")["values"]["asset"], golden("easse_fkgl")["values"]
    assert len(table.systems) == 8
    for system in table.systems:
        assert table[system, "sari"].value == pytest.approx(peers[system]["easse"], abs=1e-9)
        assert table[system, "bleu(lowercase=True)"].value == pytest.approx(
            peers[system]["bleu_lc"], abs=1e-9
        )
        grade = table[system, "fkgl(variant='easse')"].value
        assert grade == pytest.approx(grades[f"outputs/{system}"][3], abs=1e-9)


def test_systems_with_missing_outputs_are_named(data_sets):
    with pytest.warns(pm.errors.IncompleteSystemWarning, match=r"uol-upf_submission2 \(160\)"):
        table = pm.score(None, dataset="tsar2025", metrics="compression")
    assert len(table.systems) == 48
    alone = pm.score(["UoL-UPF/uol-upf_submission2"], dataset="tsar2025", metrics="compression")
    assert alone.samples == 160
    with pytest.raises(InputError, match="160 outputs, but tsar2025 has 200 samples"):
        pm.score(["EasyJon/run_1", "UoL-UPF/uol-upf_submission2"], dataset="tsar2025", metrics="compression")
