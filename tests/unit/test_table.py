"""Tables for terminals, Markdown, LaTeX and CSV."""

from plainmark.table import Cell, Table

TABLE = Table(
    ["system", "sari ↑"],
    [[Cell("a_b|c"), Cell("9.50", 9.4999)], [Cell("日本"), Cell("40.13", 40.126, best=True)]],
    signatures={"sari": "sari|refs:1"},
)


def test_text_lines_up():
    assert TABLE.text() == "system  sari ↑\na_b|c     9.50\n日本     40.13*\n\nsari|refs:1\n"


def test_bold_replaces_the_mark():
    assert "\x1b[1m40.13\x1b[0m" in TABLE.text(bold=True)
    assert "*" not in TABLE.text(bold=True)


def test_markdown_escapes():
    assert TABLE.markdown() == (
        "| system | sari ↑ |\n|---|---:|\n| a_b\\|c | 9.50 |\n| 日本 | **40.13** |\n\n"
        "sari: `sari|refs:1`  \nBold: the best of its column.  \n"
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


def test_latex_has_caption_signatures_and_notes():
    table = Table(
        ["system", "sari"],
        [[Cell("a"), Cell("1.00", 1.0, letters="ab")]],
        ["p >= 0.05"],
        titles=["System", "SARI"],
        signatures={"SARI": "sari|variant:'hf'"},
        caption="Scores & more.",
    )
    text = table.latex()
    assert r"\caption{Scores \& more.}" in text
    assert r"System & SARI \\" in text
    assert r"a & 1.00\textsuperscript{ab} \\" in text
    assert r"SARI: \texttt{sari\textbar\allowbreak{}variant:\textquotesingle{}hf\textquotesingle{}}" in text
    assert r"p $\geq$ 0.05" in text


def test_latex_breaks_wide_tables_before_groups():
    names = ["system", *(f"{kind} {n} of a metric" for kind in ("score", "part") for n in range(8))]
    row = [Cell("a"), *(Cell(str(i)) for i in range(16))]
    wide = Table(names, [row], groups=(1, 4, 9))
    panels = [block.splitlines()[2] for block in wide.latex().split(r"\sbox0")[1:]]
    assert [panel.count("&") for panel in panels] == [3, 5, 8]  # the first column is in each
    assert all(panel.startswith("system & ") for panel in panels)
    assert Table(names, [row]).latex().count(r"\sbox0") == 1
    assert Table(names[:4], [row[:4]], groups=(1,)).latex().count(r"\sbox0") == 1


def test_html_escapes_and_sets_letters_higher():
    table = Table(["<b>"], [[Cell("1 < 2", best=True, letters="a")]], ["a & b"], caption="<c>")
    assert table.html() == (
        '<table><caption>&lt;c&gt;</caption><thead><tr><th class="text">&lt;b&gt;</th></tr></thead><tbody><tr>'
        '<td class="text"><b>1 &lt; 2</b><sup>a</sup></td></tr></tbody></table>'
        "<p>Bold: the best of its column.</p><p>a &amp; b</p>"
    )


def test_a_name_that_ends_in_an_asterisk_is_not_marked():
    assert Table(["system"], [[Cell("a*")], [Cell("b")]]).text() == "system\na*\nb\n"


def test_csv_has_full_precision():
    assert TABLE.csv() == "system,sari ↑\na_b|c,9.4999\n日本,40.126\n"


def test_no_rows():
    assert Table(["a", "b"], []).text() == "a  b\n"


def test_tsv():
    assert TABLE.csv("\t").startswith("system\tsari ↑\na_b|c\t9.4999\n")
