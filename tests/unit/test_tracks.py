"""Shared tasks: track files, submissions checked line by line, ranks and clusters."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import plainmark as pm
from plainmark import tracks
from plainmark.api.leaderboards import SubmissionError, leaderboard
from plainmark.cli import main
from plainmark.errors import InputError, OptionError
from plainmark.tracks.leaderboard import _clusters, _overall
from support.requirements import ROOT, SHARED

EXAMPLE = ROOT / "examples" / "track"
ITEMS = tracks.load("example").items()


def write(path: Path, rows) -> str:
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def rows(**changed):
    return [{"id": item.id, "output": changed.get(f"id{item.id}", item.references[0])} for item in ITEMS]


def test_the_example_is_scored_and_ranked(capsys):
    result = leaderboard(str(EXAMPLE / "*.jsonl"), "example", resamples=200)
    entries = result.leaderboard.entries
    assert {e.submission.name for e in entries} == {"careful", "hasty", "copy"}
    assert entries[-1].submission.name == "copy"
    by_name = {e.submission.name: e for e in entries}
    corpus = by_name["careful"].submission.corpus(ITEMS)
    assert by_name["careful"].scores[0] == pm.metric("sari").score(corpus)
    for entry in entries:
        low, high = entry.ranks
        assert low <= entry.rank <= high
    record = json.loads(result.to_json())
    assert [c["key"] for c in record["columns"]] == ["overall", "sari", "fkgl", "facts"]
    assert [c["sorting"] for c in record["columns"]] == ["asc", "desc", "asc", "desc"]
    assert {s["column_key"] for s in record["submissions"][0]["scores"]} == {
        "overall",
        "sari",
        "fkgl",
        "facts",
    }
    assert main(["score", str(EXAMPLE / "*.jsonl"), "--track", "example", "-q"]) == 0
    assert "not corrected for the number of pairs" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: r[:3] + r[4:], "1 of 5 items is missing, line 4 is the last: 4."),
        (lambda r: [*r, r[1]], "line 6: the id '2' occurs twice, first in line 2."),
        (lambda r: [*r, {"id": "9", "output": "x"}], "line 6: the id '9' is not an item of the task."),
        (
            lambda r: [r[1], r[0], *r[2:]],
            "line 2: the id '1' is out of order; expected the order of the items.",
        ),
        (lambda r: [*r[:4], {"id": "5", "output": " "}], "line 5: the text of '5' is empty."),
        (lambda r: [*r[:4], {"id": 5, "output": "x"}], "line 5: no text in the field 'id'."),
        (lambda r: [*r[:4], {"id": "5", "text": "x"}], "line 5: no text in the field 'output'."),
        (lambda r: [*r[:4], "{nonsense"], "line 5: not"),
    ],
)
def test_a_submission_with_a_problem_is_named_and_nothing_is_scored(tmp_path, capsys, change, message):
    good, bad = write(tmp_path / "good.jsonl", rows()), write(tmp_path / "bad.jsonl", change(rows()))
    page = tmp_path / "board.json"
    assert main(["score", good, bad, "--track", "example", "-o", str(page), "-q"]) == 2
    said = capsys.readouterr().err
    assert "1 of 2 submissions cannot be scored as they are" in said
    assert message in said
    assert "bad.jsonl" in said
    assert not page.exists()
    assert main(["score", good, bad, "--track", "example", "-o", str(page), "-q", "--partial"]) == 3
    first, second = json.loads(page.read_text("utf-8"))["submissions"]
    assert (first["name"], first["rank"]) == ("good", 1)
    assert (second["name"], second["rank"], second["cluster"]) == ("bad", None, None)
    assert message in second["problems"][-1] or message in second["problems"][0]


def test_a_submission_without_a_single_output_is_listed(tmp_path, capsys):
    good, bad = write(tmp_path / "good.jsonl", rows()), write(tmp_path / "bad.jsonl", [])
    assert main(["score", good, bad, "--track", "example", "-q", "--partial"]) == 3
    said = capsys.readouterr().out
    assert "5 of 5 items are missing: 1, 2, 3, 4, 5." in said
    assert [line.split()[:2] for line in said.splitlines()[1:3]] == [["good", "1"], ["bad", "–"]]


def test_options_that_a_track_does_not_have(tmp_path, capsys):
    good = write(tmp_path / "good.jsonl", rows())
    for words, message in (
        (["-d", "asset"], "--track already sets --dataset; leave it out."),
        (["--workers", "2"], "--track has no --workers; leave it out."),
        (["--baselines", "copy"], "--track has no --baselines; leave it out."),
    ):
        assert main(["score", good, "--track", "example", *words]) == 2
        assert message in capsys.readouterr().err


def test_hostile_names_and_texts_are_escaped(tmp_path):
    path = write(tmp_path / "<img src=x onerror=alert(1)>.jsonl", rows(id1="<script>alert(2)</script>"))
    page = leaderboard(path, "example", resamples=20).to_html()
    assert "<img src=x" not in page
    assert "&lt;img src=x" in page


TRACK = """
name = "levels"
[data]
items = "items.jsonl"
[ranking]
rule = "metric"
by = "a2"
[[metrics]]
key = "a2"
metric = "fkgl"
where = {level = "A2"}
[[metrics]]
key = "other"
metric = "surely_not_registered(target='B1')"
[[metrics]]
key = "outside"
external = "another program."
"""


def test_metrics_on_some_items_and_metrics_that_are_not_there(tmp_path):
    items = [{"id": "1", "source": "A b.", "level": "A2"}, {"id": "2", "source": "A b.", "level": "B1"}]
    write(tmp_path / "items.jsonl", items)
    (tmp_path / "track.toml").write_text(TRACK, encoding="utf-8")
    outputs = {
        "easy": ("Cats sit.", "Incomprehensible terminology."),
        "hard": ("Incomprehensible.", "Cats sit."),
    }
    paths = [
        write(tmp_path / f"{name}.jsonl", [{"id": str(i), "output": t} for i, t in enumerate(texts, 1)])
        for name, texts in outputs.items()
    ]
    result = leaderboard(paths, str(tmp_path / "track.toml"), resamples=50)
    first = result.leaderboard.entries[0]
    assert first.submission.name == "easy"
    assert first.scores[0].value == pm.metric("fkgl").score(pm.Corpus(None, ["Cats sit."], None)).value
    assert first.scores[1:] == (None, None)
    missing = json.loads(result.to_json())["not_available"]
    assert missing["outside"] == "another program."
    assert "no metric is called 'surely_not_registered'" in missing["other"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "levels"', "name = 3", "name is 3, expected a text"),
        ('rule = "metric"', 'rule = "best"', "ranking rule 'best', expected one of scaled, metric"),
        ('by = "a2"', 'by = "b9"', "ranking by 'b9', expected the key of a metric"),
        ('key = "other"', 'key = "a2"', "two metrics have the key 'a2'"),
        ('metric = "fkgl"', 'metric = "fkgl(side=3)"', "metric 1: fkgl: option side=3 is not allowed"),
        ('metric = "fkgl"', 'metrik = "fkgl"', "metric 1: expected metric = "),
        ('items = "items.jsonl"', 'items = "i"\nitem = "j"', "there is no key 'item'"),
        ("[ranking]", "[ranking", "not TOML"),
        ('where = {level = "A2"}', "weight = -1", "weight -1, expected a number of at least 0"),
    ],
)
def test_a_track_file_with_a_mistake(tmp_path, old, new, message):
    assert old in TRACK
    path = tmp_path / "track.toml"
    path.write_text(TRACK.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        tracks.load(str(path))


def test_unknown_tracks_and_options(capsys):
    with pytest.raises(OptionError, match="Did you mean 'tsar2025'"):
        tracks.load("tsar2026")
    assert main(["score", "x.jsonl", "--track", "example", "-m", "sari"]) == 2
    assert "--track already sets --metric" in capsys.readouterr().err
    assert main(["score", "x.jsonl", "--partial"]) == 2
    assert "--partial: only with --track." in capsys.readouterr().err


@pytest.mark.parametrize("name", tracks.names())
def test_the_tracks_of_the_package_load(name):
    track = tracks.load(name)
    assert track.name == name
    assert any(m.weight for m in track.metrics)


def test_scaling_by_hand():
    """SARI 10, 20, 40 (higher is better) and FKGL 2, 4, 3: scaled to 1..3, weights 1, 1 and 0.5."""
    track = tracks.load("example")
    values = np.array([[10.0, 2.0, 50.0], [20.0, 4.0, 50.0], [40.0, 3.0, 50.0]])
    overall = _overall(track, track.metrics, values[..., None])[:, 0]
    sari, fkgl = [3, 1 + 2 * 2 / 3, 1], [1, 3, 2]
    expected = [(s + f + 0.5) / 2.5 for s, f in zip(sari, fkgl, strict=True)]
    np.testing.assert_allclose(overall, expected)


def test_clusters_end_where_everyone_differs():
    rng = np.random.default_rng(0)
    overall = np.array([1.0, 1.1, 5.0, 5.1])
    draws = overall[:, None] + rng.normal(0, 0.3, (4, 500))
    assert _clusters(overall, draws, [0, 1, 2, 3]) == [1, 1, 2, 2]
    assert _clusters(overall, overall[:, None] + rng.normal(0, 9, (4, 500)), [0, 1, 2, 3]) == [1, 1, 1, 1]


@pytest.mark.data
def test_the_submissions_to_tsar_2025(monkeypatch):
    """Two of fifty are not complete; runs of one name are told apart by their teams."""
    monkeypatch.setenv("PLAINMARK_DATA", str(SHARED / "data"))
    pattern = str(SHARED / "data" / "tsar2025" / "submissions" / "*" / "*.jsonl")
    with pytest.raises(SubmissionError, match="2 of 50 submissions cannot be scored") as error:
        leaderboard(pattern, "tsar2025")
    first, second = error.value.problems
    assert "uol-upf_submission2.jsonl: 40 of 200 items are missing, line 160 is the last: 101-a2," in first
    assert second.endswith("3 of 200 items are missing, line 197 is the last: 118-b1, 119-b1, 120-b1.")

    track = tracks.load("tsar2025")
    quick = replace(track, metrics=tuple(m for m in track.metrics if m.key in ("sari", "fkgl")))
    quick = replace(quick, metrics=tuple(replace(m, weight=1.0) for m in quick.metrics))
    board = leaderboard(pattern, quick, partial=True, resamples=20).leaderboard
    assert len(board.entries) == 50
    assert {"EhiMeNLP/run1", "BU-intelPA/run1", "HIT-YOU/run3_self_refine"} <= {
        e.submission.name for e in board.entries
    }
    assert [e.rank for e in board.entries[-2:]] == [None, None]


def test_blank_lines_and_settings_for_other_runs_do_not_matter(tmp_path, monkeypatch, capsys):
    write(tmp_path / "mine.jsonl", [*rows(), "", " "])
    (tmp_path / "plainmark.toml").write_text('metrics = ["bleu"]\nsource = "nowhere.txt"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["score", "mine.jsonl", "--track", "example"]) == 0
    assert "SARI" in capsys.readouterr().out
