"""Scores from metrics, files and ratings, and what is said of bad ones."""

import math

import numpy as np
import pytest

import plainmark as pm
from plainmark.errors import InputError, OptionError
from plainmark.meta import Scores
from plainmark.meta.scores import units_of

SOURCES = ["The feline sat.", "It is a rainy day.", "The feline sat."]
REFERENCES = [["The cat sat."], ["It rains today."], ["A cat sat."]]


@pytest.fixture
def corpora():
    good = pm.Corpus(SOURCES, ["The cat sat.", "It rains.", "A cat."], REFERENCES, name="good")
    return {"good": good, "copy": good.with_outputs(SOURCES, name="copy")}


def test_of_a_metric(corpora):
    scores = pm.Scores.of("sari", corpora)
    assert scores.name == "sari"
    assert scores.values["good", "1"] == pm.metric("sari").sample_scores(corpora["good"])[0]
    assert repr(scores) == "Scores('sari', 6 outputs of 2 systems)"
    assert scores.signature().startswith("sari|refs:1|")
    assert Scores("x", {}).signature() == ""


def test_parts_of_a_metric(corpora):
    added = Scores.of("sari", corpora, part="add")
    column = pm.metric("sari").part_names.index("add")
    assert added.name == "sari.add"
    assert added.values["good", "2"] == pm.metric("sari").sample_parts(corpora["good"])[1, column]
    with pytest.raises(OptionError, match="sari: no part 'more'; it has sari, add"):
        Scores.of("sari", corpora, part="more")


def test_system_scores_are_those_of_the_corpus(corpora):
    scores = Scores.of("bleu", corpora)
    found = scores.system_scores(("good", "copy"), ("1", "2", "3"), np.ones((2, 3)))
    assert found.tolist() == pytest.approx([pm.metric("bleu").score(c).value for c in corpora.values()])
    twice = np.array([[[2.0, 0, 1], [1, 1, 1]]])  # the first sample of the first system counts double
    expected = pm.metric("bleu").score(corpora["good"].subset([0, 0, 2])).value
    assert scores.system_scores(("good", "copy"), ("1", "2", "3"), twice)[0, 0] == pytest.approx(expected)
    assert "effective_order:no" in scores.signature("system")
    assert "effective_order:yes" in scores.signature("segment")


def test_system_scores_without_a_metric_are_means():
    scores = Scores("mine", {("A", "1"): 1.0, ("A", "2"): 3.0, ("B", "1"): 5.0})
    assert scores.system_scores(("A", "B"), ("1", "2"), np.ones((2, 2))).tolist() == [2, 5]
    fixed = Scores("mine", {}, totals={"A": 7.0, "B": 8.0})
    assert fixed.system_scores(("A", "B"), ("1",), np.ones((3, 2, 1))).tolist() == [[7, 8]] * 3


def test_samples_of_one_source_are_one_unit(corpora):
    assert units_of(corpora) == {"1": "1", "2": "2", "3": "1"}


def test_of_ratings():
    rows = pm.Ratings([pm.Rating("A", "1", "d", "x", 1), pm.Rating("A", "1", "d", "y", 2)])
    assert Scores.of_ratings(rows).values == {("A", "1"): 1.5}


def test_repeated_ids_are_refused():
    corpus = pm.Corpus(None, ["a", "b"], ids=["1", "1"])
    with pytest.raises(InputError, match="A: sample ids must be unique; repeated: 1"):
        Scores.of("fkgl", {"A": corpus})


def put(folder, text):
    path = folder / "mine.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_from_a_file(tmp_path):
    path = put(tmp_path, "metric,system,sample,value\nm,A,1,0.5\nn,A,1,2\nm,B,1,\nm,B,,7\n")
    m, n = Scores.read(path)
    assert (m.name, n.name) == ("m", "n")
    assert m.values["A", "1"] == 0.5
    assert math.isnan(m.values["B", "1"])
    assert m.totals == {"B": 7.0}
    assert Scores.read(put(tmp_path, "system,sample,value\nA,1,3\n"))[0].name == "score"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("system,value\nA,1\n", "mine.csv: no column sample; expected system, sample, value."),
        ("system,sample,value\n", "mine.csv: no rows, expected scores"),
        ("", "no column system, sample, value"),
        ("system,sample,value\nA,1,x\n", "mine.csv, line 2: value 'x' is not a number."),
        ("system,sample,value\nA,1,inf\n", "mine.csv, line 2: value 'inf' is not finite."),
        ("system,sample,value\nA,1\n", "line 2: not as many cells as the 3 columns."),
        ('system,sample,value\nA,1,"x"y\n', "mine.csv, line 2: not a table ("),
        (b"system,sample,value\nA,\xff,1\n", "line 2: byte 0xff is not UTF-8"),
        (
            "system,sample,value\nA,1,1\nB,1,1\nA,1,2\n",
            "1 outputs have more than one score of score (A/1 in lines 2, 4). Remove the duplicates, or take their "
            "means: duplicates=mean.",
        ),
    ],
)
def test_bad_files(tmp_path, text, message):
    with pytest.raises(InputError) as problem:
        Scores.read(put(tmp_path, text))
    assert message in str(problem.value)


def test_duplicates_may_be_averaged(tmp_path):
    (scores,) = Scores.read(put(tmp_path, "system,sample,value\nA,1,1\nA,1,2\n"), duplicates="mean")
    assert scores.values == {("A", "1"): 1.5}


def test_no_such_file(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        Scores.read(tmp_path / "none.csv")


def test_a_table_with_a_column_per_metric(tmp_path):
    text = "system,sample,note,FKGL,LENS,size ↓\nA,1,good,3,0.5,7\nA,2,bad,4,,8\n"
    fkgl, lens, size = Scores.read(put(tmp_path, text))
    assert (fkgl.name, lens.name, size.name) == ("FKGL", "LENS", "size")
    assert [s.higher_is_better for s in (fkgl, lens, size)] == [False, True, False]
    assert fkgl.values == {("A", "1"): 3, ("A", "2"): 4}
    assert math.isnan(lens.values["A", "2"])
    (only,) = Scores.read(put(tmp_path, text), columns=["LENS"], kind="published")
    assert (only.name, only.kind) == ("LENS", "published")


def test_rows_found_by_their_texts(tmp_path, corpora):
    rows = [
        "source,output,m",
        "the feline sat .,THE CAT SAT,1",
        "The feline sat.,A cat -RRB-,2",
        "Nothing,like it,3",
    ]
    rows += ["it is a rainy day,It is a rainy day.,4", "it is a rainy day,It is a rainy day,6"]
    (m,) = Scores.read(put(tmp_path, "\n".join(rows)), corpora=corpora)
    # Samples 1 and 3 have the same source, so each text stands for the one output that it is.
    assert m.values == {("good", "1"): 1, ("good", "3"): 2, ("copy", "2"): 5}
    assert m.units["3"] == "1"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("system,sample,m\nA,1,2\n", "mine.csv: none of its 1 rows is an output of the data set."),
        ("source,output,m\nx,y,2\n", "mine.csv: none of its 1 rows is an output of the data set."),
        ("sample,m\n1,2\n", "found the columns sample, m; expected system and sample, or source and output."),
        ("system,sample,note\nA,1,good\n", "mine.csv: no column has numbers; expected one for each metric."),
        ("system,sample,m\ngood,1,2\ngood,2,x\n", "mine.csv, line 3: m 'x' is not a number."),
        (
            "system,sample,m\ngood,1,2\ngood,1,3\n",
            "1 outputs have more than one score of m (good/1 in lines 2, 3)",
        ),
    ],
)
def test_bad_tables(tmp_path, corpora, text, message):
    with pytest.raises(InputError) as problem:
        Scores.read(put(tmp_path, text), corpora=corpora)
    assert message in str(problem.value)


def test_texts_need_a_data_set(tmp_path):
    with pytest.raises(InputError, match="rows are identified by their texts, which requires a data set"):
        Scores.read(put(tmp_path, "source,output,m\nx,y,2\n"))


# Of the 600 rows of Simplicity-DA all have one of our outputs, of D-WIKI's 601 rows 550. The files' own correlations are
# .448 and .574 on D-WIKI, .573 and .676 on Simplicity-DA.
PUBLISHED = {
    ("dwiki", "simplicity-overall", "d_wiki.csv", 522): {
        "LENS-SALSA": 0.466,
        "Claude(simp+src)": 0.592,
        "Word_Count": -0.349,
    },
    ("simplicity_da", "simplicity", "sda.csv", 600): {
        "LENS-SALSA": 0.573,
        "Claude(simp+src)": 0.676,
        "Word_Count": -0.030,
    },
}


@pytest.mark.parametrize(("name", "dimension", "file", "outputs"), PUBLISHED)
def test_published_scores_are_joined_by_texts(name, dimension, file, outputs, shared, data_sets):
    data = pm.dataset(name)
    path = shared / "data" / "published-scores" / file
    expected = PUBLISHED[name, dimension, file, outputs]
    published = Scores.read(path, corpora=data.corpora(), columns=list(expected))
    grades = {}
    for r in data.ratings():
        if r.dimension == dimension:
            grades.setdefault((r.system, r.sample), []).append(r.value)
    for scores in published:
        assert scores.values.keys() == grades.keys()
        assert len(grades) == outputs
        r = np.corrcoef([*scores.values.values()], [np.mean(grades[cell]) for cell in scores.values])[0, 1]
        assert r == pytest.approx(expected[scores.name], abs=5e-4)


def test_texts_are_compared_by_letters(tmp_path):
    corpora = {
        "A": pm.Corpus(["the feline ( old ) sat."], ["The cat sat."], ids=["1"]),
        "B": pm.Corpus(["The feline (old) sat."] * 2, ["A cat sat.", "The cat sat."], ids=["1", "2"]),
    }
    rows = [
        "source,simplified,human,SLE",
        "The feline -LRB- old -RRB- sat .,the cat sat .,5,1.5",
        "the feline old sat,The  cat sat!,5,2.5",
        "the feline old sat,A dog ran.,5,9",
        "another text,The cat sat.,5,9",
    ]
    (sle,) = Scores.read(put(tmp_path, "\n".join(rows)), corpora=corpora)
    assert sle.values == {("A", "1"): 2.0, ("B", "2"): 2.0}


def test_nearly_equal_texts(tmp_path):
    long = "The old grey cat sat on the mat near the door and looked at the rain that fell in the garden."
    corpora = {"A": pm.Corpus([long], [long])}
    rows = ["source,output,m", f"{long},{long.replace('grey', 'gray')},3", f"{long},{long[:70]},9"]
    (m,) = Scores.read(put(tmp_path, "\n".join(rows)), corpora=corpora)
    assert m.values == {("A", "1"): 3.0}
