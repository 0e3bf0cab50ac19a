"""WordNet and METEOR: the same as NLTK 3.9.1's on the same database."""

import random
import warnings

import nltk
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from nltk.translate.meteor_score import meteor_score

import plainmark as pm
from plainmark import kernels, wordnet


@pytest.fixture(scope="module")
def nltk_wordnet(nltk_data, tmp_path_factory):
    """NLTK's reader on our database: it wants two more files than Debian has, but not what is in them."""
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    data = tmp_path_factory.mktemp("nltk_data")
    folder = data / "corpora" / "wordnet"
    folder.mkdir(parents=True)
    for path in wordnet.load().folder.iterdir():
        if path.is_file():
            (folder / path.name).symlink_to(path)
    (folder / "lexnames").write_text("".join(f"{i:02}\tfile{i}\t1\n" for i in range(45)), "utf-8")
    (folder / "index.sense").write_text("", "utf-8")
    nltk.data.path.append(str(data))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The multilingual functions are not available")
        return WordNetCorpusReader(str(folder), None)


def test_synsets_and_relations(nltk_wordnet):
    ours = wordnet.load()
    rng = random.Random(1)
    words = [w for pos in "nvar" for w in rng.sample(sorted(ours.lemmas(pos)), 500)]
    words += [w + end for w in rng.sample(words, 300) for end in ("s", "es", "ed", "ing", "er")]
    words += ["ran", "better", "men", "axes", "Dogs", "", "notaword"]

    def offsets(synsets):
        return sorted((s.pos().replace("s", "a"), s.offset()) for s in synsets)

    for word in words:
        theirs = nltk_wordnet.synsets(word)
        found = ours.synsets(word)
        assert [(s.pos, s.offset, s.words) for s in found] == [
            (s.pos().replace("s", "a"), s.offset(), tuple(s.lemma_names())) for s in theirs
        ]
        for a, b in zip(found, theirs, strict=True):
            assert a.examples == b.examples()
            assert a.satellite == (b.pos() == "s")
            assert sorted((s.pos, s.offset) for s in ours.hypernyms(a)) == offsets(
                b.hypernyms() + b.instance_hypernyms()
            )
            assert sorted((s.pos, s.offset) for s in ours.hyponyms(a)) == offsets(
                b.hyponyms() + b.instance_hyponyms()
            )
            for lemma in b.lemmas():
                antonyms = sorted(lemma.antonyms(), key=lambda m: (m.synset().offset(), m.name()))
                related = ours.related_words(a, lemma.name(), "!")
                assert sorted((s.offset, w) for s, w in related) == [
                    (m.synset().offset(), m.name()) for m in antonyms
                ]


def peer(corpus, tokenize, database, **options):
    return [
        100
        * meteor_score([tokenize(r) for r in s.references], tokenize(s.output), wordnet=database, **options)
        for s in corpus
    ]


def test_asset(asset, outputs, nltk_wordnet):
    corpus = asset.with_outputs(outputs("ACCESS"))[:100]
    scores = pm.metric("meteor(tokenizer='nltk')").sample_scores(corpus)
    np.testing.assert_allclose(scores, peer(corpus, nltk.word_tokenize, nltk_wordnet), atol=1e-10)


@pytest.mark.parametrize("options", [{"alpha": 0.5, "beta": 1.0, "gamma": 0.2}, {"beta": 0.5}])
def test_options(asset, outputs, nltk_wordnet, options):
    corpus = asset.with_outputs(outputs("Hybrid"))[:30]
    metric = pm.metric(f"meteor(tokenizer='nltk', {', '.join(f'{k}={v}' for k, v in options.items())})")
    expected = peer(corpus, nltk.word_tokenize, nltk_wordnet, **options)
    np.testing.assert_allclose(metric.sample_scores(corpus), expected, atol=1e-10)


WORDS = [
    "the",
    "a",
    "big",
    "large",
    "great",
    "car",
    "cars",
    "automobile",
    "buy",
    "bought",
    "purchasing",
    "Ran",
    "running",
    ".",
    "ÉTÉ",
    "été",
    "naïveté",
    "a_b",
    "�",
]
TEXT = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)


@given(st.lists(st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=3)), min_size=1, max_size=4))
@settings(max_examples=300, deadline=None)
def test_generated(nltk_wordnet, pairs):
    """Text that is tokenized already, few words, so that many alignments compete."""
    corpus = pm.Corpus(None, [o for o, _ in pairs], [r for _, r in pairs], language="en")
    scores = pm.metric("meteor(tokenizer='none')").sample_scores(corpus)
    np.testing.assert_allclose(scores, peer(corpus, str.split, nltk_wordnet), atol=1e-10)


@given(st.text("éßaeiouylstdñ", max_size=8), st.sampled_from(["", "s", "ed", "ing", "ies", "ness", "ll"]))
@settings(max_examples=500, deadline=None)
def test_stems_of_foreign_words(start, end):
    assert kernels.stem(start + end) == PorterStemmer().stem(start + end)
