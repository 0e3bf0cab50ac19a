"""The page holds the library's own numbers and every text, whatever the corpus looks like."""

import csv
import datetime
import json
import re
from dataclasses import dataclass

import numpy as np
import pytest

import plainmark as pm
from plainmark import cli
from plainmark.errors import InputError
from plainmark.metric import MeanMetric
from plainmark.report import page
from plainmark.report.samples import choose, gaps
from plainmark.significance import compare
from support.html_outline import outline

SOURCES = ["The committee convened in 1998.", "Owls are nocturnal birds.", "He purchased volumes."]
OUTPUTS = {
    "good": ["The group met in 1998.", "Owls are birds of the night.", "He bought books."],
    "copy": SOURCES,
    "gone": ["", "Owls.", "He bought."],
}
REFERENCES = [
    [r, o]
    for r, o in zip(
        ["The group met in 1998.", "Owls hunt at night.", "He bought books."], OUTPUTS["good"], strict=True
    )
]


def systems(names=("good", "copy", "gone"), references=REFERENCES, sources=SOURCES, outputs=OUTPUTS):
    first = pm.Corpus(sources, outputs[names[0]], references, name=names[0])
    return [first, *(first.with_outputs(outputs[n], name=n) for n in names[1:])]


def compared(corpora, metrics=("sari", "bleu", "ter")):
    return [compare(pm.metric(m), corpora, resamples=50) for m in metrics]


def rendered(corpora=None, metrics=("sari", "bleu", "ter"), **options):
    corpora = systems() if corpora is None else corpora
    return page.render(compared(corpora, metrics), corpora, **options)


def data_of(html):
    return json.loads(
        re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)[1]
    )


def test_structure():
    found = outline(rendered())
    assert {"summary", "scores", "plots", "pairs", "relations", "samples", "data"} <= set(found.ids)
    for tag, name, value in found.attributes:
        assert name != "style", "the policy forbids style attributes"
        assert not name.startswith("on"), "no inline handlers"
        if name in ("href", "src", "action", "srcset", "xlink:href"):
            assert (tag, value[0]) == ("a", "#"), "nothing is loaded"
    linked = {v[1:] for tag, k, v in found.attributes if (tag, k) == ("a", "href")}
    assert linked <= set(found.ids)


def test_scores_are_the_librarys():
    corpora = systems()
    comparisons = compared(corpora)
    html = page.render(comparisons, corpora)
    cells = re.findall(r'<td class="number" data-value="([^"]*)">(?:<strong>)?([^<]*)', html)
    order = comparisons[0].order()
    expected = [c.scores[i] for i in order for c in comparisons]
    assert len(cells) == 9
    for (full, shown), score in zip(cells, expected, strict=True):
        assert float(full) == pytest.approx(score.value, rel=1e-11)
        assert shown.strip() == f"{score.value:.2f}"
    for c in comparisons:
        assert c.scores[0].signature in html
        for low, high in c.intervals:
            assert f"[{low:.2f}, {high:.2f}]" in html
    found = data_of(html)
    for m, c in enumerate(comparisons):
        assert np.allclose(np.array(found["scores"][m]), c.samples, atol=5.1e-4)


def test_pairs_are_the_librarys():
    corpora = systems()
    (comparison,) = compared(corpora, ["sari"])
    pair = data_of(page.render([comparison], corpora))["pairs"][0]
    for at, (i, j) in enumerate([(0, 1), (0, 2), (1, 2)]):
        difference = comparison.samples[i] - comparison.samples[j]
        assert sum(pair["counts"][at]) == 3
        assert pair["outcomes"][at] == [
            int((difference > 0).sum()),
            int((difference == 0).sum()),
            int((difference < 0).sum()),
        ]
        value = comparison.values[i] - comparison.values[j]
        assert float(pair["differences"][at].replace("−", "-")) == pytest.approx(value, abs=0.0051)
        assert pair["significant"][at] == comparison.significant(i, j)


def test_texts_are_complete():
    found = data_of(rendered())
    assert found["sources"] == SOURCES
    assert found["outputs"] == list(OUTPUTS.values())
    assert found["references"] == REFERENCES
    assert found["words"] == [[5, 6, 3], [5, 4, 3], [0, 1, 2]]


def test_the_table_to_copy_marks_the_best():
    tables = data_of(rendered(metrics=["sari", "ter"]))["texts"]
    assert re.search(r"\| good \| \*\*[\d.]+ \[[\d.]+, [\d.]+\]\*\* <sup>a</sup> \| ", tables["markdown"])
    assert "SARI: `sari|refs:" in tables["markdown"]
    assert r"\textbf{" in tables["latex"]
    rows = list(csv.DictReader(tables["csv"].splitlines()))
    assert [(row["metric"], row["system"]) for row in rows[:1]] == [("sari", "good")]
    assert float(rows[0]["low"]) <= float(rows[0]["score"]) <= float(rows[0]["high"])
    assert rows[0]["letters"]
    assert rows[0]["signature"].startswith("sari|refs:")


def test_best_is_bold_and_arrows_say_which_way():
    html = rendered(metrics=["sari", "ter"])
    assert len(re.findall(r'<td class="number"[^>]*><strong>', html)) == 2
    assert '<span aria-label="higher is better" role="img">↑</span>' in html
    assert '<span aria-label="lower is better" role="img">↓</span>' in html


def test_title_date_and_files():
    html = rendered(title="A <b> & C", date=datetime.date(2024, 2, 9), files={"good": "out/<good>.txt"})
    assert "<h1>A &lt;b&gt; &amp; C</h1>" in html
    assert "<title>A &lt;b&gt; &amp; C</title>" in html
    assert '<time datetime="2024-02-09">9 February 2024</time>' in html
    assert "out/&lt;good&gt;.txt" in html
    assert f"plainmark {pm.__version__}" in html
    assert "3 systems on 3 samples, 2 references each, scored by SARI, BLEU and TER." in html


def test_one_system_has_no_pairs():
    found = outline(rendered(systems(["good"])))
    assert "pairs" not in found.ids
    assert "b" not in found.ids
    assert "share a letter" not in "".join(found.text)


def test_one_sample():
    one = {k: v[:1] for k, v in OUTPUTS.items()}
    html = rendered(systems(references=REFERENCES[:1], sources=SOURCES[:1], outputs=one))
    outline(html)
    assert "3 systems on 1 sample, 2 references, scored by" in html


@dataclass(frozen=True)
class Words(MeanMetric):
    """Mean length of a word; undefined without words."""

    name = "words"
    higher_is_better = None

    def values(self, corpus):
        rows = [t.split() for t in corpus.outputs]
        return np.array([np.mean([len(w) for w in row]) if row else np.nan for row in rows])


@pytest.mark.parametrize("sources", [SOURCES, None])
def test_without_references_or_sources_and_with_undefined_scores(sources):
    html = rendered(systems(references=None, sources=sources), [Words()])
    outline(html)
    found = data_of(html)
    assert found["references"] is None
    assert found["sources"] == sources
    assert found["scores"][0][2] == [None, 5, 4.5]
    assert "no references" in html
    assert "Words is undefined on 1 of 3 samples" in html
    assert '<span class="interval">defined on 2 of 3</span>' in html
    assert "Samples on which a metric is undefined do not count" in html
    rows = list(csv.DictReader(found["texts"]["csv"].splitlines()))
    assert ("2", "3") in [(row["defined"], row["samples"]) for row in rows]
    assert "2 of 3" in found["texts"]["markdown"]
    assert "defined" not in data_of(rendered(systems()))["texts"]["markdown"]
    assert "neither direction is better" in html
    assert "<strong>" not in html


def test_scores_undefined_for_every_sample():
    blank = {"a": [""] * 3, "b": [""] * 3}
    html = rendered(systems(["a", "b"], outputs=blank), [Words()])
    outline(html)
    assert "The score is undefined for every system." in html
    assert re.search(r'<td class="number" data-value="">–', html)


def test_equal_systems_and_empty_outputs():
    blank = {"a": [""] * 3, "b": [""] * 3}
    outline(rendered(systems(["a", "b"], outputs=blank)))


def test_odd_texts_survive():
    odd = ["\ud800 </script>", "🦉\u2028\x00", "مرحبا <!--"]
    html = rendered(systems(["a"], sources=odd, outputs={"a": odd[::-1]}))
    html.encode("utf-8")
    assert data_of(html)["sources"] == odd
    outline(html)


def test_hostile_names_are_escaped():
    name = '"><img src=x onerror=alert(1)>'
    html = rendered(systems([name, "b"], outputs={name: OUTPUTS["good"], "b": SOURCES}), files={name: name})
    assert "<img" not in html
    outline(html)


def test_mismatched_arguments_are_named():
    corpora = systems()
    with pytest.raises(InputError, match="at least one metric and one system"):
        page.render([], corpora)
    with pytest.raises(
        InputError, match="sari: compared 3 systems on 3 samples, but 2 corpora of 3 samples are given"
    ):
        page.render(compared(corpora, ["sari"]), corpora[:2])
    with pytest.raises(InputError, match="limit: 0 given, expected at least 1 sample"):
        page.render(compared(corpora, ["sari"]), corpora, limit=0)


def large(n=400):
    rng = np.random.default_rng(1)
    words = np.array(
        ["a", "few", "plain", "words", "that", "are", "put", "in", "any", "order", "to", "make", "a", "text"]
    )
    texts = [[" ".join(rng.choice(words, rng.integers(3, 9))) for _ in range(n)] for _ in range(4)]
    first = pm.Corpus(texts[0], texts[1], texts[2], name="A")
    return [first, first.with_outputs(texts[3], name="B")]


def test_a_large_corpus_carries_the_most_telling_samples_and_says_so():
    corpora = large()
    comparisons = compared(corpora, ["sari", "ter"])
    html = page.render(comparisons, corpora, limit=100)
    found = data_of(html)
    assert len(found["ids"]) == 100
    assert "This page shows 100 of the 400 samples" in html
    carried = {int(i) - 1 for i in found["ids"]}
    for c in comparisons:
        for scores in c.samples:
            assert int(scores.argmin()) in carried
            assert int(scores.argmax()) in carried
        assert int(gaps(c.samples).argmax()) in carried
    assert len(found["drawn"]) >= 50
    assert max(found["drawn"]) < 100
    assert sum(found["pairs"][0]["counts"][0]) == 400, "distributions use all samples"
    assert "This page shows" not in page.render(comparisons, corpora, limit=400)


def test_the_choice_is_exact_in_size_fair_and_repeatable():
    comparisons = compared(large(), ["sari"])
    chosen, random = choose(comparisons, 100, np.random.default_rng(3))
    assert len(chosen) == 100
    assert set(random) <= set(chosen)
    again, _ = choose(comparisons, 100, np.random.default_rng(3))
    assert (chosen == again).all()


def test_gaps_ignore_undefined_scores():
    samples = np.array([[1, np.nan, np.nan, 4], [3, 2, np.nan, 1]])
    assert gaps(samples).tolist() == [2, 0, 0, 3]


def test_rendering_twice_gives_the_same_bytes():
    day = datetime.date(2024, 1, 1)
    corpora = large(60)
    comparisons = compared(corpora, ["sari"])
    assert page.render(comparisons, corpora, date=day, limit=30) == page.render(
        comparisons, corpora, date=day, limit=30
    )


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, lines in {**OUTPUTS, "s": SOURCES, "r": [r[0] for r in REFERENCES]}.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n", "utf-8")
    return tmp_path


def test_the_command_writes_one_file_and_says_what(files, capsys):
    before = set(files.iterdir())
    code = cli.main(
        ["report", "good", "copy", "-s", "s", "-r", "r", "-m", "sari", "--title", "T", "-o", "out.html", "-q"]
    )
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    assert re.fullmatch(r"out\.html: 3 samples, 2 systems, 0\.1 MB\n", out)
    assert {p.name for p in set(files.iterdir()) - before} == {"out.html"}
    html = (files / "out.html").read_text("utf-8")
    assert "<h1>T</h1>" in html
    for name in ("good", "copy", "s", "r"):
        assert f"<code>{name}</code>" in html


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["good", "-m", "sari"], "plainmark: sari needs the source texts"),
        (["good", "-s", "s", "-r", "r", "-o", "no/where.html"], "no/where.html: cannot write here"),
        (["good", "-s", "s", "-r", "r", "--samples", "0"], "limit: 0 given, expected at least 1 sample"),
        (["nothing"], "plainmark: nothing: no such file."),
    ],
)
def test_mistakes_are_one_line_and_leave_no_file(files, capsys, words, message):
    before = set(files.iterdir())
    assert cli.main(["report", *words]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1
    assert set(files.iterdir()) == before
