"""The word aligner: one partner or none, what it knows of words, and its command."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainmark import cli, wordnet
from plainmark.errors import InputError, MissingResourceError
from plainmark.ucca import alignment, word_features
from plainmark.ucca.alignment import WordAligner, weights, word_vectors

PLAIN = WordAligner(encoder="none", wordnet="none")


def linked(aligner, a, b):
    a, b = a.split(), b.split()
    (links,) = aligner.align([(a, b)])
    return {(a[i], b[j]) for i, j in links.pairs}


@pytest.mark.parametrize(
    "aligner",
    [
        PLAIN,
        WordAligner(encoder="none"),
        pytest.param(WordAligner(wordnet="none"), marks=pytest.mark.models),
        pytest.param(WordAligner(), marks=pytest.mark.models),
    ],
    ids=lambda a: a.model,
)
def test_identity_and_inflection(aligner):
    found = linked(
        aligner, "He has purchased three old houses in Rome .", "In Rome he purchases three houses ."
    )
    assert {("He", "he"), ("houses", "houses"), ("Rome", "Rome"), ("purchased", "purchases")} <= found


@pytest.mark.models
def test_synonyms():
    pair = "They commence the work on Monday .", "They begin the work on Monday ."
    assert ("commence", "begin") in linked(WordAligner(), *pair)
    assert ("commence", "begin") in linked(WordAligner(encoder="none"), *pair)


def test_a_lexicon_of_ones_own(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("zorble\tquux\n", "utf-8")
    pair = "We zorble the boat at noon .", "We quux the boat at noon ."
    with_lexicon = WordAligner(encoder="none", wordnet="none", lexicon=str(path))
    (a,), (b,) = (list(x.probabilities([tuple(s.split() for s in pair)])) for x in (PLAIN, with_lexicon))
    assert b[1, 1] > a[1, 1]
    path.write_text("zorble quux\n", "utf-8")
    with pytest.raises(InputError, match=r"line 1: 1 columns, expected two words"):
        with_lexicon.align([(["a"], ["b"])])


def test_repeats():
    a, b = "I read the book that John wrote".split(), "John wrote a book . I read that book .".split()
    (links,) = PLAIN.align([(a, b)])
    assert sorted(j for i, j in (*links.pairs, *links.repeats) if a[i] == "book") == [3, 8]


def test_shared_partners():
    a, b = "the dog and the dog".split(), "the dog".split()
    one, many = PLAIN.align([(a, b)])[0], WordAligner("none", "none", shared=True).align([(a, b)])[0]
    assert len({j for _, j in one.pairs}) == len(one.pairs)
    assert len({i for i, _ in many.pairs}) == len(many.pairs) >= len(one.pairs)


words = st.lists(
    st.sampled_from(["the", "The", "cat", "cats", "1,000", ".", "…", "é", "\ud800", "x" * 40, "-"]),
    max_size=8,
)


@given(words, words)
def test_links_are_one_to_one_for_any_words(a, b):
    (links,) = PLAIN.align([(a, b)])
    assert len({i for i, _ in links.pairs}) == len({j for _, j in links.pairs}) == len(links.pairs)
    assert all(0 <= i < len(a) and 0 <= j < len(b) for i, j in (*links.pairs, *links.repeats))
    assert not {j for _, j in links.pairs} & {j for _, j in links.repeats}


@given(words, words)
def test_features_are_what_the_weights_are_for(a, b):
    named = word_features.features(a, b, None, word_features.WordLexicon(None, {}))
    assert all(m.shape == (len(a), len(b)) for m in named.values())
    assert len(named) == len(weights("none")[0].weights)


@given(st.integers(0, 5), st.integers(0, 6), st.integers(0, 2**32 - 1))
def test_neighbours_by_hand(n, m, seed):
    matrix = np.random.default_rng(seed).random((n, m))
    near = word_features._around("x", matrix, np.ones((n, m), bool))["x_near"]
    for i in range(n):
        for j in range(m):
            total = sum(
                matrix[k, q]
                for k in range(max(0, i - 3), min(n, i + 4))
                for q in range(max(0, j - 3), min(m, j + 4))
                if (k, q) != (i, j)
            )
            assert near[i, j] == pytest.approx(min(total, 6) / 6)
    moved = word_features.shifted(matrix, 1, -1)
    for i in range(n):
        for j in range(m):
            assert moved[i, j] == (matrix[i + 1, j - 1] if i + 1 < n and j >= 1 else 0)


def test_prefix_and_letters():
    assert word_features._prefix(["walked", "at"], ["walking", "attic"])[0, 0] == pytest.approx(4 / 7)
    assert word_features._prefix(["at"], ["attic"])[0, 0] == 0
    assert word_features._letters(["night"], ["night", "nacht"])[0].round(3).tolist() == [1, 0.5]


@pytest.mark.models
@pytest.mark.parametrize("encoder", ["minilm", "ucca"])
def test_vectors_of_words(encoder):
    vectors = word_vectors(encoder, [["unbelievably", "good"], ["good"], []])
    assert [v.shape for v in vectors] == [(2, 384), (1, 384), (0, 384)]
    assert np.allclose(np.linalg.norm(vectors[0], axis=1), 1, atol=1e-3)


def test_sentences_are_encoded_one_by_one():
    words = 'He said : " Go ! " She went ... away . No'.split()
    parts = [" ".join(s) for s in alignment._sentences(words)]
    assert parts == ['He said : " Go ! "', "She went ... away .", "No"]
    assert list(alignment._sentences([])) == []


@pytest.mark.models
def test_long_texts():
    text = ("The cat sat on the mat and looked at the moon . " * 30).split()
    (links,) = WordAligner().align([(text, text)])
    assert len(links.pairs) > 0.5 * len(text)


def test_what_is_missing_is_said(monkeypatch):
    with pytest.raises(MissingResourceError, match=r"needs WordNet 9\.9"):
        WordAligner(encoder="none", wordnet="9.9").align([])
    monkeypatch.setattr(wordnet, "find", lambda path=None: None)
    assert WordAligner(encoder="none").wordnet == "none"
    assert "needs WordNet 3.0" in WordAligner(encoder="none", wordnet="3.0").missing()


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("He bought a house.\n", "utf-8")
    (tmp_path / "b.txt").write_text("A house was bought.\n", "utf-8")

    def call(*arguments):
        code = cli.main(["align-words", "--encoder", "none", "--wordnet", "none", *arguments])
        return code, *capsys.readouterr()

    return call


def test_text(run):
    code, out, _ = run("a.txt", "b.txt")
    assert code == 0
    assert "bought  –  4 bought" in out
    assert "- He" in out
    assert "+ was" in out


def test_json(run):
    code, out, _ = run("a.txt", "b.txt", "--format", "json")
    assert code == 0
    (record,) = json.loads(out)
    assert [1, 3] in record["links"]


GOLD = {"source": "He bought a house", "target": "A house was bought", "sureAlign": "1-3 2-0 3-1"}


def test_evaluate(run, tmp_path):
    missed = {"source": "He left", "target": "Ann departed", "sureAlign": "1-1", "possibleAlign": "0-0"}
    (tmp_path / "gold.json").write_text(json.dumps([GOLD, missed]), "utf-8")
    code, out, _ = run("--evaluate", "gold.json", "--format", "json", "--threshold", "0.99")
    record = json.loads(out)
    assert code == 0
    assert record["pairs"] == 2
    assert record["different_words"]["gold"] == 1
    assert record["different_words"]["recall"] == 0
    assert "all links, macro" in run("--evaluate", "gold.json")[1]


def test_counts_by_hand():
    from plainmark.cli.align_words import Counts, Gold

    gold = Gold("1", ("a", "b", "c"), ("a", "x", "y"), frozenset({(0, 0), (1, 1)}), frozenset({(2, 2)}))
    counts = Counts()
    counts.add(gold, [(0, 0), (2, 2), (1, 2)])
    record = counts.record()
    assert record["micro"]["precision"] == 66.67  # two of three are sure or possible
    assert record["micro"]["recall"] == 50  # one of two sure ones
    assert record["different_words"] == {"precision": 50, "recall": 0, "f1": 0, "found": 2, "gold": 1}
    counts.add(Gold("2", ("a",), ("b",), frozenset(), frozenset()), [])
    assert counts.record()["macro"]["precision"] == 83.33


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[}", "gold.json, line 1: not JSON"),
        ("{}", "found dict, expected a list"),
        ('[{"source": "a"}]', 'pair 1: expected an object with texts "source", "target" and "sureAlign"'),
        (
            json.dumps([GOLD | {"sureAlign": "9-0"}]),
            "link '9-0' does not name a word of each side (4 and 4 words)",
        ),
        (json.dumps([GOLD | {"sureAlign": "a-b"}]), "link 'a-b'"),
    ],
)
def test_broken_gold(run, tmp_path, content, message):
    (tmp_path / "gold.json").write_text(content, "utf-8")
    code, _, err = run("--evaluate", "gold.json")
    assert code == 2
    assert message in err


def test_mistakes(run, tmp_path):
    assert "expected two texts" in run("a.txt")[2]
    assert "expected no other files" in run("a.txt", "--evaluate", "gold.json")[2]
    assert "expected a number from 0 to 1" in run("a.txt", "b.txt", "--threshold", "2")[2]
    (tmp_path / "b.txt").write_text("One.\nTwo.\n", "utf-8")
    assert "a.txt has 1 lines, b.txt has 2; expected the same number" in run("a.txt", "b.txt")[2]


def test_edinburgh(shared):
    """Above the figures of a plain cosine with identity; cross-validated ones are in docs/word-aligner-card.md."""
    from plainmark.cli.align_words import Counts, read_gold

    rows = list(read_gold(str(shared / "data" / "word-alignment" / "gold.train.sure.json")))[::5]
    counts = Counts()
    for row, links in zip(rows, WordAligner().align([(r.a, r.b) for r in rows]), strict=True):
        counts.add(row, links.pairs)
    assert counts.record()["macro"]["f1"] > 88.5
