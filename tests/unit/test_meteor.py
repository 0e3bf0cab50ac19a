"""METEOR by hand, and WordNet on a database of three words."""

import pytest

import plainmark as pm
from plainmark import wordnet
from plainmark.errors import MissingResourceError


def parts(output, *references, **options):
    given = ", ".join(f"{k}={v}" for k, v in options.items())
    score = pm.metric(f"meteor({given})").score(pm.Corpus(None, [output], [list(references)]))
    return score.value, *score.parts.values()


@pytest.mark.wordnet
def test_one_chunk():
    # Three of three words, in one run: the penalty is 0.5 * (1/3)**3.
    value, precision, recall, f, penalty = parts("the cat sat", "The cat sat")
    assert (precision, recall, f) == (100, 100, 100)
    assert penalty == pytest.approx(100 * 0.5 / 27)
    assert value == pytest.approx(100 * (1 - 0.5 / 27))


@pytest.mark.wordnet
def test_stems_and_synonyms():
    assert (
        parts("cars", "car")[0] == parts("car", "auto")[0] == 50
    )  # one word is one chunk: the full penalty of a half
    # Synonyms are looked for between stems, as in NLTK, and "purchase" has the stem "purchas".
    assert parts("buy", "purchase")[0] == 0


@pytest.mark.wordnet
def test_weights():
    # One of one output word, one of two reference words.
    assert parts("a", "a b", alpha=0.0, gamma=0.0)[0] == pytest.approx(100)
    assert parts("a", "a b", alpha=1.0, gamma=0.0)[0] == pytest.approx(50)


@pytest.mark.wordnet
def test_the_best_reference_counts():
    assert parts("the cat sat", "x y", "the cat sat", "the") == parts("the cat sat", "the cat sat")


@pytest.mark.wordnet
@pytest.mark.parametrize(("output", "reference"), [("", "a"), ("a", ""), ("", ""), ("a", "b")])
def test_nothing_in_common(output, reference):
    assert parts(output, reference)[0] == 0


@pytest.mark.wordnet
def test_signature_names_wordnet():
    metric = pm.metric("meteor")
    assert metric.wordnet == wordnet.load().version
    assert f"|wordnet:{metric.wordnet}|" in metric.signature("1")


@pytest.mark.wordnet
def test_another_wordnet_is_refused():
    with pytest.raises(
        MissingResourceError, match=r"has WordNet [\d.]+, but 2.1 is requested; set WORDNET_DIR"
    ):
        pm.metric("meteor(wordnet='2.1')").score(pm.Corpus(None, ["a"], [["a"]]))


def padded(size, line):
    """A line of that many bytes; synsets are found by their offsets."""
    return line.ljust(size - 1) + "\n"


DATABASE = {
    "index.noun": "  1 licence\ncat n 1 1 @ 1 0 00000020  \nanimal n 1 0 1 0 00000120  \n",
    "index.verb": "",
    "index.adj": "hot a 1 1 ! 1 0 00000020  \ncold a 1 1 ! 1 0 00000080  \n",
    "index.adv": "",
    "data.noun": padded(20, "  1 licence")
    + padded(
        100, '00000020 05 n 02 cat 0 True_cat 0 001 @ 00000120 n 0000 | a pet; "the cat sat"; "a black cat"'
    )
    + "00000120 03 n 01 animal 0 000 | a living thing  \n",
    "data.verb": "",
    "data.adj": padded(20, "  1 licence")
    + padded(60, "00000020 00 a 01 hot(p) 0 001 ! 00000080 a 0101 | warm")
    + "00000080 00 s 01 cold 0 001 ! 00000020 a 0101 | not hot\n",
    "data.adv": "  1 WordNet 9.9 Copyright\n",
    "noun.exc": "kitties cat\n",
    "verb.exc": "",
    "adj.exc": "hotter hot\n",
    "adv.exc": "",
}


@pytest.fixture
def folder(tmp_path):
    for name, text in DATABASE.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def test_a_small_database(folder):
    small = wordnet.load(folder)
    assert small.version == "9.9"
    (cat,) = small.synsets("Kitties")  # an exception
    assert small.synsets("cats", "n") == [cat]  # a rule
    assert cat.words == ("cat", "True_cat")
    assert cat.definition == "a pet"
    assert cat.examples == ["the cat sat", "a black cat"]
    assert [s.words for s in small.hypernyms(cat)] == [("animal",)]
    assert small.synonyms("cat") == {"cat", "True_cat"}
    assert small.antonyms("hotter") == ["cold"]
    assert small.synset("a", 80).satellite
    assert small.synsets("dog") == small.synsets("cat", "v") == []
    assert list(small.lemmas("a")) == ["hot", "cold"]


def test_where_it_is_looked_for(folder, monkeypatch, tmp_path_factory):
    monkeypatch.setenv("WORDNET_DIR", str(folder))
    assert wordnet.find() == folder
    package = tmp_path_factory.mktemp("npm")
    (package / "dict").symlink_to(folder)
    assert wordnet.find(package) == package / "dict"
    monkeypatch.delenv("WORDNET_DIR")
    data = tmp_path_factory.mktemp("nltk_data")
    (data / "corpora").mkdir()
    (data / "corpora" / "wordnet").symlink_to(folder)
    monkeypatch.setenv("NLTK_DATA", str(data))
    assert wordnet.find() == data / "corpora" / "wordnet"


def test_no_wordnet(tmp_path, monkeypatch):
    with pytest.raises(MissingResourceError, match=r"no WordNet database in .*Debian package wordnet-base"):
        wordnet.load(tmp_path)
    monkeypatch.setattr(wordnet, "find", lambda path=None: None)
    metric = pm.metric("meteor")
    assert "wordnet-base" in metric.missing()
    with pytest.raises(MissingResourceError, match="no WordNet database on this machine; install"):
        metric.score(pm.Corpus(None, ["a"], [["a"]]))


def test_half_a_database(folder):
    (folder / "data.noun").unlink()
    with pytest.raises(MissingResourceError, match=r"no file data.noun; it is not a whole WordNet database"):
        wordnet.WordNet(folder).synsets("cat")
