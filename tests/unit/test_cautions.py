"""What is said about texts before their scores are trusted, and what is not."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plainmark as pm
from plainmark.cautions import Observed, cautions, lines_about, observe
from plainmark.cli import main

SOURCES = [
    "The feline sat on the mat in the hall.",
    "About 95 species are currently accepted.",
    "He left, at noon.",
]
OUTPUTS = ["The cat sat on the mat.", "About 95 species are known.", "He left."]
REFERENCES = [["The cat sat on a mat."], ["There are 95 known species."], ["He left."]]
GERMAN = [
    "Die Eulen jagen in der Nacht.",
    "Sie fressen kleine Tiere und Insekten.",
    "Das ist nicht immer so.",
]


def lines(outputs=OUTPUTS, sources=SOURCES, references=REFERENCES, metrics=("sari",)):
    table = pm.score({"x": outputs}, source=sources, references=references, metrics=list(metrics))
    return lines_about(table.cautions, "x")


def test_nothing_to_say():
    assert lines(metrics=["sari", "fkgl"]) == []


@pytest.mark.parametrize(
    ("texts", "line"),
    [
        ({"outputs": ["", "A cat.", " "]}, "x: 2 of 3 outputs are empty (samples 1, 3)."),
        ({"outputs": ["A cat sat.", "", "B."]}, "x: 1 of 3 outputs is empty (sample 2)."),
        ({"outputs": [*SOURCES[:2], "He left."]}, "x: 2 of 3 outputs are copies of the source."),
        (
            {"references": [["The cat sat on a mat."], ["species"], ["He left."]]},
            "1 of 3 references have fewer than 3 words, which is less than a sentence; are they aligned with the sources?",
        ),
        (
            {"outputs": [o.lower() for o in OUTPUTS]},
            "x: the outputs are in lower case, the sources and references are not; many metrics count that as changes.",
        ),
        (
            {"outputs": [o.replace(".", " .") for o in OUTPUTS]},
            "x: the outputs are tokenised (spaces before punctuation), the sources and references are not; many metrics"
            " count that as changes.",
        ),
        (
            {"sources": [s.lower() for s in SOURCES]},
            "x: the sources are in lower case, the outputs are not; many metrics count that as changes.",
        ),
        (
            {"metrics": ["numbers_kept"]},
            "numbers_kept: undefined for 2 of 3 samples of x, which do not count.",
        ),
    ],
)
def test_lines(texts, line):
    assert lines(**texts) == [line]


def test_german_for_a_metric_of_any_language_is_fine():
    assert lines(outputs=GERMAN, sources=GERMAN[::-1], references=[[g] for g in GERMAN]) == []


def test_a_short_reference_of_a_short_source_is_fine():
    assert lines(sources=["He left."], outputs=["He went."], references=[["Gone."]]) == []


TEXT = st.sampled_from(["", "a b .", "A b.", "the cat sat on the mat", "The cat , too .", "x"])


@given(st.lists(st.tuples(TEXT, TEXT, TEXT), min_size=2, max_size=8), st.data())
def test_blocks_add_up(rows, data):
    sources, outputs, references = map(list, zip(*rows, strict=True))
    corpus = pm.Corpus(sources, outputs, [[r] for r in references])
    cut = data.draw(st.integers(1, len(rows) - 1))
    total = observe(corpus[:cut], language=False) + observe(corpus[cut:], language=False)
    whole = observe(corpus, language=False)
    assert total == Observed(**{**vars(whole), "blocks": 2})


def test_many_names_are_cut_short():
    seen = {f"s{i}": observe(pm.Corpus(None, GERMAN, None)) for i in range(8)}
    (line,) = cautions(seen, {}, [pm.metric("fkgl")])[""]
    assert line.startswith("s0, s1, s2, s3, s4 and 3 more: the outputs do not look like English")


@pytest.mark.parametrize("run", [pm.score, pm.compare])
def test_the_baseline_that_copies_is_no_surprise(run):
    result = run({"x": OUTPUTS}, source=SOURCES, references=REFERENCES, metrics="sari", baselines="copy")
    assert not result.cautions


def test_the_report_shows_them():
    outputs = {"<b>mute</b>": ["", "Owls hunt at night."]}
    sources = ["The committee convened yesterday in Paris.", "Owls are nocturnal hunters of mice."]
    page = pm.report(outputs, source=sources, metrics="compression", resamples=10).to_html()
    assert "Before you trust these scores" in page
    assert "Empty outputs" not in page  # said once
    assert "<li>&lt;b&gt;mute&lt;/b&gt;: 1 of 2 outputs is empty (sample 1).</li>" in page
    quiet = pm.report(
        {"a": outputs["<b>mute</b>"][1:]}, source=sources[1:], metrics="compression", resamples=10
    )
    assert "Before you trust" not in quiet.to_html()


def test_commands_say_it_on_standard_error_and_in_json(tmp_path, capsys):
    for name, texts in {
        "source": SOURCES,
        "out": [*SOURCES[:2], ""],
        "ref": [r[0] for r in REFERENCES],
    }.items():
        (tmp_path / name).write_text("\n".join(texts) + "\n", encoding="utf-8")
    arguments = [
        str(tmp_path / "out"),
        "-s",
        str(tmp_path / "source"),
        "-r",
        str(tmp_path / "ref"),
        "--format",
        "json",
    ]
    expected = ["out: 1 of 3 outputs is empty (sample 3).", "out: 2 of 3 outputs are copies of the source."]
    for command in (["score"], ["compare", "--resamples", "20"]):
        assert main([*command, *arguments]) == 0
        printed = capsys.readouterr()
        assert [r["warnings"] for r in json.loads(printed.out)] == [expected]
        assert printed.err.splitlines()[-2:] == [f"plainmark: warning: {line}" for line in expected]
        assert main([*command, *arguments, "-q"]) == 0
        assert "warning" not in capsys.readouterr().err


@pytest.mark.data
def test_only_what_is_true_is_said_of_the_shared_systems(asset, outputs):
    """Of eight published systems on ASSET, one has three empty outputs; nothing else is unusual."""
    names = ["ACCESS", "DMASS-DCSS", "Dress-Ls", "EditNTS", "Hybrid", "PBMT-R", "SBMT-SARI", "UNTS"]
    seen = {name: observe(asset.with_outputs(outputs(name))) for name in names}
    assert cautions(seen, {}, [pm.metric("fkgl")]) == {
        "UNTS": ["UNTS: 3 of 359 outputs are empty (samples 55, 199, 302)."]
    }
