"""Printed figures beside recomputed ones: when they agree, what is said when data are missing, and the command."""

import json
import math
import re

import pytest

import plainmark as pm
from plainmark import papers as module
from plainmark.cli import main
from plainmark.papers import (
    PAPERS,
    Claim,
    Figure,
    Gap,
    Paper,
    PaperPart,
    PublishedCell,
    Recomputed,
    agg,
    grid,
    papers,
    reading,
    recompute,
)
from plainmark.report import papers as report


@pytest.fixture(autouse=True)
def nothing_installed(monkeypatch, tmp_path, no_nltk_data):
    monkeypatch.setenv("PLAINMARK_DATA", str(tmp_path / "none"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "none"))


def cell(printed, ours, note="", name="row/column"):
    return PublishedCell("0-none", "Table 1", name, printed, ours, note)


@pytest.mark.parametrize(
    ("printed", "ours", "agrees", "shown"),
    [
        ("0.240", 0.2404, True, "0.240"),
        ("0.240", 0.2409, True, "0.2409"),  # cut off
        ("0.240", 0.2411, False, "0.241"),
        ("0.240", 0.2395, True, "0.2395"),  # a tie, rounded up
        ("5.9", 5.85, True, "5.85"),
        ("5.8", 5.85, True, "5.8"),
        ("-0.634", -0.6347, True, "-0.6347"),  # towards 0, as cutting does
        ("-0.634", -0.6331, False, "-0.633"),
        ("0.02", -0.016, False, "-0.02"),
        ("0.00", -0.004, True, "-0.00"),
        ("23", 22.6, True, "23"),
        ("20.50", 20.5556, False, "20.56"),
        ("20.5", 20.5556, True, "20.56"),
        ("1.0", math.nan, False, "nan"),
        ("1.0", math.inf, False, "inf"),
    ],
)
def test_as_printed(printed, ours, agrees, shown):
    found = cell(printed, ours)
    assert found.agrees is agrees
    assert found.shown == shown


def test_undefined_is_null_in_json():
    assert cell("1.0", math.nan).as_record()["ours"] is None


def test_papers_by_number_and_name():
    assert [p.id for p in papers()] == ["1-agg", "2-sari", "3-samsa", "4-appls", "5-reading"]
    for name in ("2", "sari", "2-sari", "SARI"):
        assert [p.id for p in papers([name])] == ["2-sari"]
    assert [p.id for p in papers(["5", "sari", "reading"])] == ["5-reading", "2-sari"]
    with pytest.raises(
        pm.PlainmarkError, match=r"no paper '2-sarj'\. Did you mean '2-sari'\? There are: 1-agg, "
    ):
        papers(["2-sarj"])


@pytest.mark.parametrize("name", PAPERS.names())
def test_every_paper_is_documented(name):
    paper = PAPERS.find(name)()
    assert paper.citation
    assert paper.gaps
    assert all(gap.what and gap.reason for gap in paper.gaps)
    assert not type(paper).__doc__.startswith(type(paper).__name__ + "(")


def test_a_grid_leaves_out_what_is_not_printed():
    assert grid(("a", "b"), {"x": "1.0 -", "y": "-1 2"}) == {"x/a": "1.0", "y/a": "-1", "y/b": "2"}
    with pytest.raises(ValueError, match="argument"):
        grid(("a", "b"), {"x": "1.0"})


def test_what_is_missing_is_said_once_for_each_data_set():
    found = recompute()
    said = [str(a) for a in found.absent]
    assert {c.table for c in found.cells} == {"toy SARI", "toy BLEU", "Section 4.3"}  # they need no data
    for name in ("cochrane", "dwiki", "onestopqa", "perturbed", "turkcorpus", "samsa_human", "ats_eval"):
        (line,) = [s for s in said if s.startswith(f"{name} needs ")]
        assert f"plainmark datasets get {name}" in line
    assert len([s for s in said if "Punkt" in s]) == 1
    assert len([s for s in said if "stop words" in s]) == 1
    (line,) = [s for s in said if s.startswith("perturbed")]
    assert line.endswith("left out: 1-agg Table 2")


class Half(Paper):
    """One table of two parts, one of which lacks something."""

    id = "0-none"
    citation = "Nobody 2000"
    gaps = (Gap("Table 9", "<b>never</b> *printed*"),)

    def parts(self):
        def first():
            yield self.cell("Table 1", "a<i>/x", "1.0", 1.0)
            yield self.cell("Table 1", "b/x", "2.0", 3.0, "a slip | a 'slip' & more")

        return [
            PaperPart(("Table 1",), first),
            PaperPart(("Table 2",), lambda: [self.cell("Table 2", "lone", "1.0", 1.0)]),
            PaperPart(
                ("Table 1",), lambda: [self.cell("Table 1", "a<i>/y", "5.0", 6.0, "a slip | a 'slip' & more")]
            ),
            PaperPart(("Table 3",), list, (), (lambda: "needs a list",)),
        ]


@pytest.fixture
def half(monkeypatch):
    monkeypatch.setattr(module, "papers", lambda names=(): [Half()])
    return recompute()


def test_cells_of_one_table_stand_together(half):
    assert [c.cell for c in half.cells] == ["a<i>/x", "b/x", "a<i>/y", "lone"]
    assert [str(a) for a in half.absent] == ["needs a list; left out: 0-none Table 3"]
    assert report.count(half) == "2 of 4 as printed; 0 differ for a known reason, 2 are open"


def test_text(half):
    assert report.text(half).splitlines() == [
        "0-none: Nobody 2000",
        "",
        "Table 1",
        "              x           y",
        "a<i>  1.0 | 1.0   5.0 | 6.0*",
        "b     2.0 | 3.0*",
        "  b/x, a<i>/y ?: a slip | a 'slip' & more",
        "",
        "Table 2",
        "      printed | ours",
        "lone       1.0 | 1.0",
        "",
        "printed | ours; * differs (in the notes: * for a known reason, ? open)",
        "2 of 4 as printed; 0 differ for a known reason, 2 are open",
        "",
        "not computed:",
        "  0-none Table 9: <b>never</b> *printed*",
    ]


def test_nothing_is_markup_by_accident(half):
    page = report.page(half)
    assert "<b>never" not in page
    assert "a&lt;i&gt;" in page
    assert "a &#39;slip&#39; &amp; more" in page
    written = report.markdown(half)
    assert "&lt;b>never&lt;/b> \\*printed\\*" in written
    assert "2 of 4 as printed; 0 differ for a known reason, 2 are open" in written


def test_what_is_open_is_counted():
    known = PublishedCell("0-none", "Table 1", "a", "1", 7.0, "a slip", explained=True)
    found = Recomputed((), (cell("1", 5.0, "probably a slip"), cell("1", 1.0), known))
    assert [c.status for c in found.cells] == ["open", "as printed", "explained"]
    assert report.count(found) == "1 of 3 as printed; 1 differ for a known reason, 1 is open"
    assert report.count(Recomputed((), (cell("1", 1.0),))) == "1 of 1 as printed"
    assert report.count(Recomputed((), ())) == "nothing could be computed"


def detailed():
    """A table of two cells: one as printed, with its interval; one of a model that is not available."""
    baseline = Figure(0.4, 0.3, 0.5, "−length")
    return [
        PublishedCell("0-none", "T", "A/x", "0.24", 0.241, interval=(0.1, 0.3), baseline=baseline),
        PublishedCell(
            "0-none",
            "T",
            "B/x",
            "0.30",
            math.nan,
            stand_in=Figure(0.2, 0.15, 0.25, "mine"),
            baseline=baseline,
        ),
    ]


def test_a_model_that_is_not_at_hand_is_not_an_open_question():
    found = Recomputed((), tuple(detailed()))
    assert [c.status for c in found.cells] == ["as printed", "not computed"]
    assert report.count(found) == "1 of 2 as printed, 1 need models or data that are not released"


def test_one_line_per_cell_where_more_is_known():
    table = report.table_of(detailed())
    assert table.headings == ["", "", "printed", "ours", "stand-in", "baseline"]  # nothing is known of ties
    assert [[c.text for c in row] for row in table.rows] == [
        ["x", "A", "0.24", "0.24 [0.10, 0.30]", "", "−length 0.40 [0.30, 0.50]"],
        ["x", "B", "0.30", "", "0.20 [0.15, 0.25]", "−length 0.40 [0.30, 0.50]"],
    ]
    assert report.stand_ins_of(detailed()) == [("B", "stand-in mine")]
    record = detailed()[1].as_record()
    assert (record["stand_in"], record["stand_in_value"], record["stand_in_low"]) == ("mine", 0.2, 0.15)
    assert record["ours"] is record["low"] is record["strict"] is None


def test_conclusions_stand_below_the_tables(monkeypatch):
    class Concluding(Half):
        """A paper with a conclusion that does not hold."""

        def claims(self, cells):
            return [Claim("All <cats> sleep.", False, f"{len(cells)} cells say otherwise.")]

    monkeypatch.setattr(module, "papers", lambda names=(): [Concluding()])
    found = recompute()
    assert "does not hold: All <cats> sleep. 4 cells say otherwise." in report.text(found)
    assert "- **Does not hold**: All &lt;cats> sleep." in report.markdown(found)
    assert "All &lt;cats&gt; sleep." in report.page(found)


@pytest.mark.parametrize(
    ("printed", "possible"),
    [
        ("91.0", False),
        ("91.7", True),
        ("11.6", True),
        ("15.6", False),
        ("100.0", True),
        ("0.0", True),
        ("98.6", False),
    ],
)
def test_shares_of_sixty_pairs(printed, possible):
    """A share may be rounded (91.7) or cut off (11.6)."""
    assert (agg.not_a_share(printed) == "") is possible


def test_thirteen_cells_of_table_2_are_no_shares():
    slips = [cell for cell, printed in agg.TABLE_2.items() if agg.not_a_share(printed)]
    assert len(agg.TABLE_2) == 96
    assert len(slips) == 13


def test_what_stands_in_for_an_absent_model(monkeypatch):
    plain, full = agg.AggPaper(), agg.AggPaper(stand_ins=True)
    monkeypatch.setattr(type(pm.metric("bertscore")), "missing", lambda self: "")
    assert plain._spec("BERTScore") == ""  # a model: on request only
    assert full._spec("BERTScore") == "bertscore(model='plain')"
    assert plain._spec("Agg-SARI") == "agg(sari(variant='agg'), protocol='released', splitter='punkt')"
    assert "ablation='best-output'" in plain._spec("Agg-SARI", "best output")
    assert plain._spec("Agg-SARI", "SentenceBERT") == ""
    assert full._spec("Agg-LENS", "best source") == ""  # would say nothing of LENS
    monkeypatch.setattr(type(pm.metric("bertscore")), "missing", lambda self: "needs a model")
    assert full._spec("BERTScore") == ""


def bertscore_cells(whole, aggregated):
    rows = {"BERTScore": whole, "Agg-BERTScore": aggregated}
    return [
        PublishedCell("1-agg", "Table 1", f"{row}/{column}", "0.1", math.nan, stand_in=Figure(v, name="mine"))
        for row, values in rows.items()
        for column, v in zip(agg.COLUMNS[1:4], values, strict=True)
    ]


@pytest.mark.parametrize(
    ("aggregated", "holds", "count"), [((0.4, 0.3, 0.6), True, "3 of 3"), ((0.2, 0.3, 0.5), False, "1 of 3")]
)
def test_whether_aggregation_raises_bertscore(aggregated, holds, count):
    (claim,) = agg.claims(bertscore_cells((0.3, 0.2, 0.5), aggregated))
    assert claim.holds is holds
    assert claim.evidence.endswith(f"higher in {count}.")
    assert "0.300 / 0.200 / 0.500 for whole texts" in claim.evidence


def test_ties_decide_whether_disorder_is_detected():
    strict = Figure(26.7, name="41 ties")
    cells = [
        PublishedCell("1-agg", "Table 2", "BLEU/peturb_coherence_v2/coherence", "91.0", 95.0, strict=strict)
    ]
    (claim,) = agg.claims(cells)
    assert claim.verdict == "does not hold"
    assert claim.evidence.endswith("BLEU 91.0 printed, 26.7 strictly (41 ties)")


def test_every_cell_of_the_agg_paper_is_there():
    tables = (agg.TABLE_1, agg.TABLE_2, agg.TABLE_3, agg.TABLE_4, agg.TABLE_5)
    assert [len(t) for t in tables] == [96, 96, 27, 27, 6]


@pytest.mark.parametrize("name", PAPERS.names())
def test_what_counts_as_explained_has_a_reason(name):
    paper = PAPERS.find(name)()
    for key in paper.explained:
        assert not re.search(
            "not explained|not known|not said|probably", paper.notes.get(key, "see the part")
        )


class Needy(Paper):
    """A paper whose table needs a package."""

    id = "0-needy"
    citation = "Nobody 2001"

    def parts(self):
        def table():
            import no_such_package

            yield no_such_package

        return [PaperPart(("Table 1",), table), PaperPart(("Table 2",), lambda: [cell("1", 1.0)])]


def test_a_missing_package_stops_nothing(monkeypatch):
    monkeypatch.setattr(module, "papers", lambda names=(): [Needy()])
    found = recompute()
    assert len(found.cells) == 1
    assert [str(a) for a in found.absent] == [
        "needs something that is not installed (No module named 'no_such_package'); left out: 0-needy Table 1"
    ]


def test_command(capsys):
    assert main(["papers", "sari"]) == 0
    out, err = capsys.readouterr()
    assert "0.7594 | 0.5890*" in out
    assert "4 of 6 as printed; 2 differ for a known reason, 0 are open" in out
    assert "2-sari Table 7: correlations with the human judgements" in out
    assert "plainmark: turkcorpus needs turkcorpus/" in err


def test_json_is_only_the_list(capsys):
    assert main(["papers", "sari", "--format", "json"]) == 0
    cells = json.loads(capsys.readouterr().out)
    assert [*cells[0]][:8] == ["paper", "table", "cell", "published", "ours", "agrees", "status", "note"]
    figures = [
        f"{name}{end}"
        for name in ("stand_in", "strict", "baseline")
        for end in ("", "_value", "_low", "_high")
    ]
    assert [*cells[0]][8:] == ["low", "high", *figures]
    assert cells[1]["published"] == 0.7594
    assert cells[1]["agrees"] is False


def test_nothing_computed_is_an_error(capsys, tmp_path):
    assert main(["papers", "agg"]) == 2
    assert "nothing could be computed" in capsys.readouterr().out
    assert main(["papers", "agg", "-o", str(tmp_path / "a.md")]) == 2
    assert not list(tmp_path.iterdir())
    assert main(["papers", "agg", "--format", "json"]) == 2
    assert main(["papers", "samsa"]) == 2


def test_shares_of_ratings_follow_from_their_counts():
    """Section 4.3 of APPLS needs no data: 191 of 198 ratings of simplicity are at least neutral, 96.5 %, printed as 96."""
    cells = {c.cell: c for c in recompute(["appls"]).cells if c.table == "Section 4.3"}
    assert len(cells) == 8
    assert cells["translation/simplicity %"].ours == pytest.approx(100 * 191 / 198)
    assert cells["translation/simplicity %"].is_truncated
    assert [c for c in cells if cells[c].status != "as printed"] == ["translation/coherence %"]


@pytest.mark.parametrize("ending", [".html", ".csv", ".md", ".tex", ".txt", ".json"])
def test_files(tmp_path, capsys, ending):
    path = tmp_path / f"cells{ending}"
    assert main(["papers", "sari", "-o", str(path)]) == 0
    assert "0.5890" in path.read_text("utf-8") or "0.589" in path.read_text("utf-8")
    assert capsys.readouterr().out == f"{path}: 4 of 6 as printed; 2 differ for a known reason, 0 are open\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nope"], "no paper 'nope'. There are: 1-agg, 2-sari, 3-samsa, 4-appls, 5-reading."),
        (
            ["-o", "x.pdf"],
            "x.pdf: the name does not tell the format; expected it to end in .txt, .csv, .tsv, .json, .md, .tex, .html, or --format.",
        ),
    ],
)
def test_mistakes_are_one_line(capsys, words, message):
    assert main(["papers", *words]) == 2
    assert capsys.readouterr().err == f"plainmark: {message}\n"


@pytest.mark.parametrize("options", ["no list", "[1, 2", "7", "None", "(" * 300])
def test_options_that_cannot_be_read(tmp_path, options):
    path = tmp_path / "answers.csv"
    columns = [f"all_options_{k}" for k in (1, 2, 3)]
    path.write_text(f'{",".join(columns)}\n"{options}","[]","[]"\n', "utf-8")
    with pytest.raises(
        pm.PlainmarkError, match=r"answers\.csv, line 2: all_options_1 is not a list of options"
    ):
        reading._options(str(path))


def test_wide_tables_are_turned_round():
    figures = [cell("1.0", 1.0, name=f"row/column {k:02d}") for k in range(20)]
    table = report.table_of(figures)
    assert table.headings == ["", "row"]
    assert len(table.rows) == 20
    assert report.table_of(figures[:4]).headings == ["", *(f"column {k:02d}" for k in range(4))]
