"""Tables for terminals, Markdown, LaTeX and CSV."""

from plainmark.table import Cell, Table

TABLE = Table(
    ["system", "sari ↑"],
    [[Cell("a_b|c"), Cell("9.50", 9.4999)], [Cell("日本"), Cell("40.13", 40.126, best=True)]],
    ["sari|refs:1"],
)


def test_text_lines_up():
    assert TABLE.text() == "system  sari ↑\na_b|c     9.50\n日本     40.13*\n\nsari|refs:1\n"


def test_bold_replaces_the_mark():
    assert "\x1b[1m40.13\x1b[0m" in TABLE.text(bold=True)
    assert "*" not in TABLE.text(bold=True)


def test_markdown_escapes():
    assert TABLE.markdown() == (
        "| system | sari ↑ |\n|---|---:|\n| a_b\\|c | 9.50 |\n| 日本 | **40.13** |\n\n`sari|refs:1`  \n"
    )


def test_latex_escapes():
    assert r"a\_b\textbar{}c & 9.50 \\" in TABLE.latex()
    assert r"日本 & \textbf{40.13} \\" in TABLE.latex()
    assert r"sari $\uparrow$" in TABLE.latex()


def test_latex_sets_comparisons_in_math_mode():
    table = Table(["p", "system <b>"], [[Cell("−1 > x"), Cell("<0.001", 0.0001, best=True)]])
    assert r"\textbf{$<$0.001} \\" in table.latex()
    assert r"$-$1 $>$ x" in table.latex()
    assert "system $<$b$>$" in table.latex()


def test_csv_has_full_precision():
    assert TABLE.csv() == "system,sari ↑\na_b|c,9.4999\n日本,40.126\n"


def test_no_rows():
    assert Table(["a", "b"], []).text() == "a  b\n"


def test_tsv():
    assert TABLE.csv("\t").startswith("system\tsari ↑\na_b|c\t9.4999\n")
