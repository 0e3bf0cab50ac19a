"""SLE, LENS, LENS-SALSA and REFeREE with tiny random checkpoints, against their formulas in plain numpy."""

import math

import numpy as np
import pytest

import plainmark as pm
from plainmark.errors import InputError, MissingResourceError
from plainmark.metrics.lens import LENS, rescaled
from plainmark.metrics.lens_salsa import LENSSALSA
from plainmark.metrics.referee import REFeREE
from plainmark.metrics.sle import SLE
from plainmark.models import checkpoints
from support import tiny_checkpoints as tiny
from support.optional import torch, transformers

SOURCES = [
    "The committee convened.",
    "Owls hunt.",
    "A very long source text that is over thirty letters",
    "x",
]
OUTPUTS = ["The group met.", "OWLS hunt.", "A text", ""]
REFERENCES = [["A group met.", "They met."], ["Owls hunt."], ["Text.", "A text.", "Long text"], ["x"]]


@pytest.fixture
def corpus():
    return pm.Corpus(SOURCES, OUTPUTS, REFERENCES)


@pytest.fixture(scope="module")
def sle(tmp_path_factory, needs_torch):
    folder = tmp_path_factory.mktemp("sle")
    tiny.classifier(folder, labels=1)
    return folder


def test_sle_is_the_regression_and_delta_its_gain(sle, corpus, monkeypatch):
    monkeypatch.setattr("plainmark.metrics.sle.LONGEST", 20)
    model = transformers.RobertaForSequenceClassification.from_pretrained(sle).eval()

    def value(text):
        with torch.inference_mode():
            return model(torch.tensor([tiny.ids_of(sle, text, 20)])).logits.item()

    outputs, sources = ([value(t) for t in side] for side in (OUTPUTS, SOURCES))
    metric = SLE(model=str(sle))
    parts = metric.sample_parts(corpus)
    assert parts[:, 1] == pytest.approx(outputs, abs=1e-5)
    assert parts[:, 2] == pytest.approx(sources, abs=1e-5)
    assert metric.sample_scores(corpus) == pytest.approx(np.subtract(outputs, sources), abs=1e-5)
    bare = SLE(part="sle", model=str(sle))
    assert bare.score(pm.Corpus(None, OUTPUTS)).value == pytest.approx(np.mean(outputs), abs=1e-5)


@pytest.mark.torch
def test_sle_refuses_a_classifier(tmp_path, corpus):
    tiny.classifier(tmp_path, labels=3)
    with pytest.raises(InputError, match="a classifier with 3 labels; expected a regression with 1"):
        SLE(model=str(tmp_path)).score(corpus)


@pytest.mark.torch
def test_sle_says_what_is_no_model(tmp_path, corpus):
    with pytest.raises(InputError, match="transformers cannot load it as AutoModelForSequenceClassification"):
        SLE(model=str(tmp_path)).score(corpus)


SCALARS = np.float32([0.3, -0.2, 0.9]).astype(float)


@pytest.mark.torch
@pytest.mark.parametrize("form", ["ckpt", "safetensors"])
def test_lens_is_its_formula(tmp_path, corpus, form):
    base, tensors, encoder = tiny.lens(tmp_path, tiny.LENS_SETTINGS, 56, form=form)

    def vector(text):
        return tiny.mixed(encoder, SCALARS, 1.5, tiny.ids_of(base, text.lower(), 30)).mean(axis=0)

    expected = []
    for source, output, references in zip(SOURCES, OUTPUTS, REFERENCES, strict=True):
        s, o = vector(source), vector(output)
        values = [
            tiny.dense(tensors, np.concatenate([s, o, r, o * r, abs(o - r), o * s, abs(o - s)]))
            for r in map(vector, references)
        ]
        expected.append(max(values))
    raw = LENS(model=str(tmp_path), encoder=base, rescale=False).sample_scores(corpus)
    assert raw == pytest.approx(100 * np.array(expected), abs=1e-3)
    assert np.ptp(raw) > 1, "the texts differ in score"
    scaled = LENS(model=str(tmp_path), encoder=base).sample_scores(corpus)
    assert scaled == pytest.approx([50 * (1 + math.erf(v / 2**0.5)) for v in expected], abs=1e-3)


def test_rescaling_is_the_normal_distribution():
    assert rescaled(np.array([0.0, 1.0, -1.0])) == pytest.approx([0.5, 0.841345, 0.158655], abs=1e-6)


@pytest.mark.torch
def test_lens_salsa_is_its_formula(tmp_path, corpus):
    base, tensors, encoder = tiny.lens(tmp_path, tiny.SALSA_SETTINGS, 8)
    expected = []
    for source, output in zip(SOURCES, OUTPUTS, strict=True):
        o, s = (tiny.ids_of(base, t.lower(), 30) for t in (output, source))
        ids = [*o[:-1], 2, 2, *s[1:]][:32]
        expected.append(tiny.dense(tensors, tiny.mixed(encoder, SCALARS, 1.5, ids)[0]))
    metric = LENSSALSA(model=str(tmp_path), encoder=base)
    assert metric.name == "lens_salsa"
    assert metric.sample_scores(corpus) == pytest.approx(100 * np.array(expected), abs=1e-3)


@pytest.mark.torch
@pytest.mark.parametrize(
    ("line", "says"),
    [
        (
            "class_identifier: unified_metric",
            "class_identifier is 'unified_metric', expected 'regression_metric",
        ),
        ("layer: 5", "layer is 5; only 'mix' can be run"),
        ("pool: max", "pool is 'max'; only 'avg' can be run"),
        ("encoder_model: XLM-RoBERTa", "encoder_model is 'XLM-RoBERTa'; only 'RoBERTa' can be run"),
        ("layer_norm: false", "layer_norm is False; only True can be run"),
        ("activations: Swish", "activation 'Swish' is not known"),
        ("x: [", "is not YAML"),
    ],
)
def test_lens_refuses_other_models(tmp_path, corpus, line, says):
    base, *_ = tiny.lens(tmp_path, tiny.LENS_SETTINGS + line + "\n", 56)
    with pytest.raises(InputError, match=says):
        LENS(model=str(tmp_path), encoder=base).score(corpus)


@pytest.mark.torch
def test_lens_says_what_its_folder_lacks(tmp_path, corpus):
    with pytest.raises(InputError, match=r"no hparams\.yaml"):
        LENS(model=str(tmp_path)).score(corpus)
    base, tensors, _ = tiny.lens(tmp_path, tiny.LENS_SETTINGS, 56)
    file = tmp_path / "checkpoints" / "model.ckpt"
    metric = LENS(model=str(tmp_path), encoder=base)
    del tensors["estimator.ff.3.bias"]
    torch.save({"state_dict": tensors}, file)
    with pytest.raises(InputError, match=r"no weights 'estimator\.ff\.3\.bias' \(1 lacking\)"):
        metric.score(corpus)
    file.unlink()
    with pytest.raises(InputError, match=r"no checkpoints/model\.ckpt"):
        metric.score(corpus)
    assert (
        LENS(model=str(tmp_path))
        .missing()
        .startswith(
            "needs the checkpoint encoder='FacebookAI/roberta-large', which is not on this machine; "
            "`hf download FacebookAI/roberta-large` gets it"
        )
    )


class Evil:
    def __reduce__(self):
        return print, ("code from a checkpoint ran",)


@pytest.mark.torch
def test_no_code_of_a_checkpoint_runs(tmp_path, corpus, capsys):
    base, *_ = tiny.lens(tmp_path, tiny.LENS_SETTINGS, 56)
    torch.save({"state_dict": {}, "hyper_parameters": Evil()}, tmp_path / "checkpoints" / "model.ckpt")
    with pytest.raises(InputError, match="cannot be read without running code from it"):
        LENS(model=str(tmp_path), encoder=base).score(corpus)
    assert "ran" not in capsys.readouterr().out


@pytest.fixture(scope="module")
def referee(tmp_path_factory, needs_torch):
    folder = tmp_path_factory.mktemp("referee")
    return folder, *tiny.referee(folder)


def test_referee_is_the_last_head(referee, corpus):
    folder, model, head = referee
    known = {t: i for i, t in enumerate([*tiny.MARKS, *tiny.LETTERS])}
    expected = []
    for source, output in zip(SOURCES, OUTPUTS, strict=True):
        s, o = ([known[c] for c in "".join(t.split())] for t in (source, output))
        with torch.inference_mode():
            expected.append(head(model(torch.tensor([[0, *s, 2, *o, 2]]))[0][:, 0]).item())
    metric = REFeREE(model=str(folder), encoder=str(folder / "encoder"))
    assert metric.sample_scores(corpus) == pytest.approx(expected, abs=1e-4)


def test_referee_says_what_its_folder_lacks(referee, tmp_path, corpus):
    encoder = str(referee[0] / "encoder")
    with pytest.raises(InputError, match=r"no pretrained\.bin"):
        REFeREE(model=str(tmp_path), encoder=encoder).score(corpus)
    torch.save({"model_state_dict": {"x": torch.zeros(1)}}, tmp_path / "pretrained.bin")
    with pytest.raises(InputError, match="no linear heads"):
        REFeREE(model=str(tmp_path), encoder=encoder).score(corpus)
    assert "i-need-sleep/referee links to it" in REFeREE().missing()


def level(tensors, vectors):
    """Weights whose hidden states are known: each layer's last normalisation gives one vector to every token."""
    ends = [
        name.removesuffix(".weight")
        for name in tensors
        if name.endswith("LayerNorm.weight") and "attention" not in name
    ]
    for name, vector in zip(ends, vectors, strict=True):
        tensors[f"{name}.weight"] = torch.zeros(8)
        tensors[f"{name}.bias"] = torch.tensor(vector)
    return tensors


A, B, C = ([float(sign) for sign in signs] for signs in ([1, -1] * 4, [1, 1, -1, -1] * 2, [-1, 1] * 4))


def test_sle_by_hand(sle, tmp_path):
    # Last layer C; dense = identity, so tanh(1) and -tanh(1) in turn; out = 2 * (the ones of units 1 and 3) + 0.5.
    model = transformers.RobertaForSequenceClassification.from_pretrained(sle)
    tensors = level(dict(model.state_dict()), [A, B, C])
    tensors["classifier.dense.weight"], tensors["classifier.dense.bias"] = torch.eye(8), torch.zeros(8)
    tensors["classifier.out_proj.weight"] = torch.tensor([[0.0, 2, 0, 2, 0, 0, 0, 0]])
    tensors["classifier.out_proj.bias"] = torch.tensor([0.5])
    model.load_state_dict(tensors)
    model.save_pretrained(tmp_path)
    tiny.tokenizer(tmp_path)
    corpus = pm.Corpus(["One text."], ["Another."])
    parts = SLE(model=str(tmp_path)).sample_parts(corpus)[0]
    assert parts.tolist() == pytest.approx([0, 4 * 0.761594 + 0.5, 4 * 0.761594 + 0.5], abs=1e-5)


def by_hand(folder, settings, inputs, first):
    """Layers A, B, C with shares 1/2, 1/4, 1/4 and gamma 4: 2A + B + C = (2, 0, 0, -2) twice; one unit of the head."""
    base, tensors, _ = tiny.lens(folder, settings, inputs)
    encoder = {
        k.removeprefix("encoder.model."): v for k, v in tensors.items() if k.startswith("encoder.model.")
    }
    tensors |= {f"encoder.model.{k}": v for k, v in level(encoder, [A, B, C]).items()}
    for i, share in enumerate((0.5, 0.25, 0.25)):
        tensors[f"layerwise_attention.scalar_parameters.{i}"] = torch.tensor([math.log(share)])
    tensors["layerwise_attention.gamma"] = torch.tensor([4.0])
    tensors["estimator.ff.0.weight"] = torch.zeros(6, inputs)
    tensors["estimator.ff.0.weight"][0] = torch.tensor(first)
    tensors["estimator.ff.0.bias"] = torch.zeros(6)
    tensors["estimator.ff.3.weight"] = torch.tensor([[2.0, 0, 0, 0, 0, 0]])
    tensors["estimator.ff.3.bias"] = torch.tensor([-1.0])
    torch.save({"state_dict": tensors}, folder / "checkpoints" / "model.ckpt")
    return {"model": str(folder), "encoder": base}


@pytest.mark.torch
def test_lens_by_hand(tmp_path):
    # Of (s, o, r, o*r, |o-r|, o*s, |o-s|), 0.25 of o*r's first unit (4) and -0.25 of r's first (2): tanh(1 - 0.5).
    first = [0.0] * 56
    first[16], first[24] = -0.25, 0.25
    options = by_hand(tmp_path, tiny.LENS_SETTINGS, 56, first)
    corpus = pm.Corpus(["One text."], ["Another."], [["A third.", "And more."]])
    z = 2 * 0.462117 - 1
    assert LENS(**options, rescale=False).sample_scores(corpus) == pytest.approx([100 * z], abs=1e-3)
    # The normal distribution function at -0.0758 is 0.4698.
    assert LENS(**options).sample_scores(corpus) == pytest.approx([46.98], abs=0.005)


@pytest.mark.torch
def test_lens_salsa_by_hand(tmp_path):
    # The first vector is (2, 0, 0, -2, ...): tanh(2 / 4 + 2 / 4) = tanh(1).
    options = by_hand(tmp_path, tiny.SALSA_SETTINGS, 8, [0.25, 1, 1, -0.25, 0, 0, 0, 0])
    corpus = pm.Corpus(["One text."], ["Another."])
    assert LENSSALSA(**options).sample_scores(corpus) == pytest.approx([100 * (2 * 0.761594 - 1)], abs=1e-3)


def test_referee_by_hand(referee, tmp_path):
    # The last layer gives C = (-1, 1, ...): 3 * 1 - 0.5 * -1 + 0.25 by the 13th head, whatever the others say.
    folder, model, _ = referee
    tensors = {f"deberta.{k}": v for k, v in model.state_dict().items()}
    ends = [n for n in tensors if n.endswith("output.LayerNorm.weight") and "attention" not in n]
    tensors[ends[-1]] = torch.zeros(8)
    tensors[ends[-1].replace("weight", "bias")] = torch.tensor(C)
    for i in range(13):
        tensors[f"linear_out.{i}.weight"] = torch.tensor([[-0.5, 3.0, 0, 0, 0, 0, 0, 0]]) * (i == 12)
        tensors[f"linear_out.{i}.bias"] = torch.tensor([0.25])
    torch.save({"model_state_dict": tensors}, tmp_path / "pretrained.bin")
    metric = REFeREE(model=str(tmp_path), encoder=str(folder / "encoder"))
    assert metric.sample_scores(pm.Corpus(["One."], ["Two."])) == pytest.approx([3.75], abs=1e-5)


@pytest.mark.torch
@pytest.mark.parametrize("metric", [SLE(), LENS(), LENSSALSA(), REFeREE()], ids=lambda m: m.name)
def test_absent_checkpoints_are_named(metric, corpus, monkeypatch):
    monkeypatch.setattr(checkpoints, "locate", lambda name: None)
    assert metric.missing().startswith("needs the checkpoint model=")
    with pytest.raises(MissingResourceError, match="not on this machine"):
        metric.score(corpus)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert metric.missing() == "needs torch and transformers; pip install 'plainmark[torch]'"


@pytest.mark.parametrize("text", ["\ud800", "\x00", "مرحبا", "x" * 5000, " "], ids=repr)
def test_odd_texts(sle, text):
    assert len(SLE(model=str(sle)).sample_scores(pm.Corpus([text], [text]))) == 1


@pytest.mark.torch
def test_weights_that_are_none(tmp_path):
    torch.save([1, 2], tmp_path / "a.bin")
    with pytest.raises(InputError, match="found list, expected tensors"):
        checkpoints.read_weights(tmp_path / "a.bin")
    with pytest.raises(InputError, match="no such file"):
        checkpoints.read_weights(tmp_path / "none.bin")


def test_names_on_the_hub():
    assert checkpoints._is_hub_name("owner/some-model_1.0")
    assert not any(map(checkpoints._is_hub_name, ["roberta-large", "a/b/c", "/x", "x/", "../x", ""]))
