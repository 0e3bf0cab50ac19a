"""Familiarity, connectives, word classes and specificity."""

import sys
import types
from importlib.machinery import ModuleSpec

import pytest

import plainmark as pm
from plainmark import identity
from plainmark.errors import MissingResourceError
from plainmark.metrics import specificity
from plainmark.models import pipelines

CORPUS = pm.Corpus(["Because it rained, he left."], ["It rained and so he left. However, cats purr."])


def test_familiarity_by_hand():
    corpus = pm.Corpus(None, ["The police said no.", "Zymurgy flourished!", ""])
    metric = pm.metric("familiarity")
    scores = metric.sample_scores(corpus)
    assert scores[0] == 100
    assert scores[1] == 0
    assert scores[2] != scores[2]  # undefined
    assert metric.score(corpus).value == pytest.approx(100 * 4 / 6)


def test_connectives_by_hand():
    # and, so, however: three of nine
    score = pm.metric("connectives").score(CORPUS)
    assert score.value == 3
    assert score.parts["percent"] == pytest.approx(100 * 3 / 9)
    assert pm.metric("connectives(side='source')").score(CORPUS).value == 1
    two = pm.Corpus(None, [CORPUS.outputs[0], "None here."])
    assert pm.metric("connectives").score(two).value == 1.5


class Token:
    def __init__(self, text, pos):
        self.pos_ = pos
        self.is_punct = pos == "PUNCT"
        self.is_space = False


class Tagger:
    """Tags as the words themselves say: "dogs/NOUN"."""

    def pipe(self, texts):
        return [[Token(*word.split("/")) for word in text.split()] for text in texts]


@pytest.fixture
def fake_spacy(monkeypatch):
    def load(pipeline, exclude):
        if pipeline != "en_core_web_sm":
            raise OSError(pipeline)
        return Tagger()

    module = types.ModuleType("spacy")
    module.load = load
    module.__spec__ = ModuleSpec("spacy", None)
    monkeypatch.setitem(sys.modules, "spacy", module)
    pipelines._load.cache_clear()
    yield
    pipelines._load.cache_clear()


def test_word_classes_count_tags(fake_spacy):
    text = "two/NUM big/ADJ dogs/NOUN were/AUX barking/VERB loudly/ADV at/ADP Rex/PROPN ./PUNCT"
    score = pm.metric("word_classes").score(pm.Corpus(None, [text, "dogs/NOUN bark/VERB"]))
    assert score.value == pytest.approx(100 * 8 / 10)  # six and two of eight and two words
    assert score.parts == {"verbs": 1.5, "nouns": 1.5, "adjectives": 0.5, "adverbs": 0.5, "numbers": 0.5}


def test_word_classes_say_which_pipeline_is_missing(fake_spacy):
    metric = pm.metric("word_classes(pipeline='en_other')")
    expected = (
        "^word_classes needs the spaCy pipeline 'en_other'. To install: python -m spacy download en_other$"
    )
    with pytest.raises(MissingResourceError, match=expected):
        metric.score(CORPUS)


def test_word_classes_say_that_spacy_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", None)
    pipelines._load.cache_clear()
    expected = "^word_classes needs spaCy and its pipeline 'en_core_web_sm'. To install: pip install spacy; "
    with pytest.raises(MissingResourceError, match=expected):
        pm.metric("word_classes").score(CORPUS)


class EntryPoint:
    name = "characters"
    dist = types.SimpleNamespace(name="counting", version="2.0")

    def load(self):
        return lambda texts: [len(text) / 100 for text in texts]


def test_specificity_uses_an_installed_predictor(monkeypatch):
    monkeypatch.setattr(specificity, "entry_points", lambda group: [EntryPoint()])
    corpus = pm.Corpus(None, ["x" * 20, "x" * 40])
    metric = pm.metric("specificity")
    assert metric.score(corpus).value == pytest.approx(0.3)
    digest = identity.short_digest("counting 2.0")
    assert metric.signature() == f"specificity|predictor:characters#{digest}|side:output|v:{pm.__version__}"
    assert pm.metric("specificity(predictor='other')").missing() == (
        "needs the predictor 'other'; installed are: characters"
    )


def test_specificity_says_what_to_install(monkeypatch):
    monkeypatch.setattr(specificity, "entry_points", lambda group: [])
    expected = "^specificity needs a predictor, and no installed package has one. Install a package with an entry point"
    with pytest.raises(MissingResourceError, match=expected):
        pm.metric("specificity").score(CORPUS)
