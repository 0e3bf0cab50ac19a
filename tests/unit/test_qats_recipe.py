"""The recipe of docs/samsa.md for rated sentence pairs of one's own, on a made-up table laid out as QATS's are."""

import csv
import re
from pathlib import Path

from plainmark import cli

PAGE = Path(__file__).parents[2] / "docs" / "samsa.md"
ROWS = (
    ("The cat that slept ran .", "The cat slept . It ran .", "good", "good", "good", "good"),
    ("He commenced work on Monday .", "He began work on Monday .", "good", "good", "good", "good"),
    ("She read the book that John wrote .", "She read .", "good", "bad", "good", "bad"),
    ("Dogs bark at night .", "Dogs bark at night .", "good", "good", "bad", "ok"),
    ("Tom sang while Ann slept .", "Tom sang Ann .", "bad", "bad", "ok", "bad"),
)


def test_texts_and_labels_of_a_table_become_scores_and_ratings(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with Path("qats.tsv").open("w", encoding="utf-8", newline="") as table:
        writer = csv.writer(table, delimiter="\t")
        writer.writerow(["Original", "Simplified", "Grammaticality", "Meaning", "Simplicity", "Overall"])
        writer.writerows(ROWS)
    (recipe,) = re.findall(r"```python\n(import csv\n.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    exec(compile(recipe, "docs/samsa.md", "exec"), {})
    fields = ["--fields", "source=Original,output=Simplified"]
    assert (
        cli.main(["score", "qats=qats.tsv", *fields, "-m", "levenshtein", "--per-sample", "scores.csv"]) == 0
    )
    capsys.readouterr()
    options = ["--scores", "scores.csv", "--ratings", "ratings.csv", "--format", "csv"]
    assert cli.main(["correlate", *options]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert {row["dimension"] for row in rows} == {"Grammaticality", "Meaning", "Simplicity", "Overall"}
    with Path("ratings.csv").open(encoding="utf-8", newline="") as ratings:
        assert [r["value"] for r in csv.DictReader(ratings)][8:12] == ["2", "0", "2", "0"]
