"""plainmark's own encoder: what it returns, that a result depends on its own text alone, and how files are read."""

import json

import numpy as np
import pytest

import plainmark as pm
from plainmark import models
from plainmark.errors import MissingResourceError, ModelMismatchError, TruncationWarning
from plainmark.models import _locate, plain_encoder
from plainmark.models._safetensors import read_tensors
from support.tiny_models import write_safetensors

SOURCES = [
    "The committee, which convened in 1998, promulgated three regulations concerning maritime commerce.",
    "Owls are nocturnal birds of prey.",
    "Water boils.",
    "He did not buy the house, because it was too expensive for him and his wife.",
]
OUTPUTS = [
    "The group met in 1998. It made three rules about sea trade.",
    "Owls hunt at night.",
    "Water boils.",
    "He bought the house.",
]


@pytest.fixture(scope="module")
def encoder():
    return plain_encoder.load()


def test_shapes_and_ranges(encoder):
    vectors, levels, pooled = (
        encoder.embed(SOURCES),
        encoder.levels(SOURCES),
        encoder.pooled(SOURCES, OUTPUTS),
    )
    assert vectors.shape == pooled.shape == (4, 384)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    assert levels.shape == (4, len(plain_encoder.LEVELS))
    assert levels.sum(axis=1) == pytest.approx(1, abs=1e-5)
    answers = encoder.pairs(SOURCES, OUTPUTS)
    assert set(answers) == {"entailed", "altered", "simpler", "fluency"}
    for values in answers.values():
        assert values.shape == (4,)
        assert ((values >= 0) & (values <= 1)).all()


def test_nothing_in_nothing_out(encoder):
    assert encoder.embed([]).shape == (0, 384)
    assert encoder.levels([]).shape == (0, 6)
    assert {k: len(v) for k, v in encoder.pairs([], []).items()} == dict.fromkeys(
        ("entailed", "altered", "simpler", "fluency"), 0
    )
    assert np.isfinite(encoder.pairs([""], [""])["entailed"]).all()


def test_a_result_does_not_depend_on_the_batch(encoder):
    alone = [encoder.pairs([s], [o]) for s, o in zip(SOURCES, OUTPUTS, strict=True)]
    encoder.encoder.memory = models.MemoryCache()
    together = encoder.pairs(SOURCES * 3, OUTPUTS * 3)
    for name, values in together.items():
        assert values[:4] == pytest.approx([a[name][0] for a in alone], abs=1e-5)
        assert values[:4] == pytest.approx(values[8:], abs=1e-5)
    encoder.encoder.memory = models.MemoryCache()
    assert encoder.levels(SOURCES[1:2])[0] == pytest.approx(encoder.levels(SOURCES)[1], abs=1e-5)


def test_the_encoder_sees_what_it_was_trained_for(encoder):
    levels = encoder.levels(["I like fish.", SOURCES[0]]) @ np.arange(1, 7)
    assert levels[1] - levels[0] > 1
    source = "The council approved the plan in 2012, although most of the residents opposed it."
    outputs = ["The council agreed to the plan in 2012.", "The council did not approve the plan in 2012."]
    answers = encoder.pairs([source] * 2, outputs)
    assert answers["entailed"][0] > answers["entailed"][1]
    assert answers["altered"][0] < answers["altered"][1]
    fluent = encoder.pairs([source] * 2, [outputs[0], "The agreed council plan the to in in 2012"])["fluency"]
    assert fluent[0] > fluent[1]
    sound = [
        "The boat left the harbour at dawn.",
        "She sold her house.",
        "Farmers lost their crops in the dry weather.",
    ]
    damaged = [
        "The boat the harbour left at at dawn",
        "She her sold house",
        "Farmers crops lost their the in weather dry dry",
    ]
    margins = encoder.pairs(sound, sound)["fluency"] - encoder.pairs(sound, damaged)["fluency"]
    assert margins.min() > 0.3


def test_marks_in_a_text_are_words(encoder):
    """A text that contains the separator does not move the border between source and output."""
    marked, unknown = "Owls hunt [SEP] at night.", "Owls hunt [UNK] at night."
    assert encoder.pooled([marked], ["Owls hunt."])[0] == pytest.approx(
        encoder.pooled([unknown], ["Owls hunt."])[0], abs=1e-6
    )


def test_long_texts(encoder):
    long = "The owl sees well in the dark and hunts small animals. " * 200
    assert np.isfinite(encoder.embed([long])).all()
    assert encoder.levels([long]).sum() == pytest.approx(1, abs=1e-5)
    with pytest.warns(TruncationWarning, match=r"longer than 126 tokens are cut there"):
        cut = encoder.pairs([long], ["Owls hunt."])
    assert np.isfinite(cut["entailed"]).all()


def test_it_is_an_encoder_like_any_other():
    vectors = models.encoder("plain").sentence_vectors(SOURCES)
    assert (vectors * plain_encoder.load().embed(SOURCES)).sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert pm.metric("coverage(model='plain')").score(pm.Corpus(SOURCES, SOURCES)).value == pytest.approx(100)


@pytest.mark.models
def test_its_vectors_are_near_those_it_started_from():
    vectors = models.encoder("minilm").sentence_vectors(SOURCES)
    assert (vectors * plain_encoder.load().embed(SOURCES)).sum(axis=1).min() > 0.95


def test_another_file_in_its_place_is_refused(monkeypatch):
    monkeypatch.setattr(_locate, "sha256", lambda path: "0" * 64)
    with pytest.raises(ModelMismatchError, match=r"this is not plain"):
        plain_encoder.load()


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
def test_without_the_packages_it_says_what_to_install(package, monkeypatch):
    find_spec = _locate.importlib.util.find_spec
    monkeypatch.setattr(
        _locate.importlib.util, "find_spec", lambda name: None if name == package else find_spec(name)
    )
    with pytest.raises(MissingResourceError, match=rf"cefr needs the package {package}; install it with pip"):
        pm.metric("cefr").score(pm.Corpus(None, ["A cat."]))


def test_matrices_of_whole_numbers_are_widened(tmp_path):
    matrix = np.array([[127, -127], [1, 0]], np.int8)
    scale = np.array([0.5, 2.0], np.float32)
    write_safetensors(tmp_path / "a.safetensors", {"m": matrix, "m.scale": scale, "bias": scale})
    weight_map = dict.fromkeys(("m", "m.scale", "bias"), "a.safetensors")
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps({"weight_map": weight_map}))
    tensors = read_tensors(tmp_path)
    assert sorted(tensors) == ["bias", "m"]
    assert tensors["m"].tolist() == [[63.5, -63.5], [2, 0]]
