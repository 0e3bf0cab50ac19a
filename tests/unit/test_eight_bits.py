"""The encoder in eight-bit arithmetic: its slow twin, the same bits everywhere, and folders that are no such model."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainmark import models
from plainmark.errors import InputError
from plainmark.kernels import ENCODER_LEVEL, EightBitEncoder
from plainmark.models import plain_encoder
from plainmark.models._eight_bits import ARITHMETIC, EightBitBackend, supported
from plainmark.models._folder import read_json
from plainmark.models._locate import KNOWN
from plainmark.models._safetensors import read_stored, read_tensors
from plainmark.models._transformer import Transformer

SIZE, WIDE, HEADS, LAYERS, WORDS, POSITIONS = 128, 256, 2, 2, 20, 40


def random_numbers(seed=0):
    """Matrices, scales and floats of a small encoder, in the order that EightBitEncoder reads."""
    rng = np.random.default_rng(seed)
    rows = WORDS + LAYERS * (5 * SIZE + WIDE)
    matrices = WORDS * SIZE + LAYERS * (4 * SIZE * SIZE + 2 * SIZE * WIDE)
    floats = (POSITIONS + 2) * SIZE + LAYERS * (9 * SIZE + WIDE)
    return (
        rng.integers(-127, 128, matrices).astype(np.int8),
        rng.uniform(0.0005, 0.002, rows).astype(np.float32),
        rng.normal(0.1, 0.5, floats).astype(np.float32),
    )


class Twin:
    """The same in 64-bit floats, one step after the other."""

    def __init__(self, matrices, scales, floats):
        self.matrices, self.scales, self.floats = matrices, scales, floats

    def hidden(self, ids, layers):
        taken = {"matrices": 0, "scales": 0, "floats": 0}

        def take(kind, n):
            start = taken[kind]
            taken[kind] += n
            return getattr(self, kind)[start : start + n].astype(float)

        def normalise(x):
            scale, shift = take("floats", SIZE), take("floats", SIZE)
            deviation = np.sqrt(x.var(axis=-1, keepdims=True) + 1e-12)
            return (x - x.mean(axis=-1, keepdims=True)) / deviation * scale + shift

        def multiply(x, results, inputs):
            matrix = take("matrices", results * inputs).reshape(results, inputs)
            scale, bias = take("scales", results), take("floats", results)
            out = 0
            for k in range(0, inputs, 128):
                peak = np.abs(x[:, k : k + 128]).max(axis=1, keepdims=True)
                out = out + peak / 127 * (np.rint(127 * x[:, k : k + 128] / peak) @ matrix[:, k : k + 128].T)
            return out * scale + bias

        def softmax(x):
            powers = np.exp(x - x.max(axis=-1, keepdims=True))
            return powers / powers.sum(axis=-1, keepdims=True)

        words = take("matrices", WORDS * SIZE).reshape(WORDS, SIZE) * take("scales", WORDS)[:, None]
        x = normalise(words[ids] + take("floats", POSITIONS * SIZE).reshape(POSITIONS, SIZE)[: len(ids)])
        for _ in range(layers):
            query, key, value = (
                multiply(x, 3 * SIZE, SIZE).reshape(len(ids), 3, HEADS, -1).transpose(1, 2, 0, 3)
            )
            shares = softmax(query @ key.transpose(0, 2, 1) / np.sqrt(SIZE / HEADS))
            mixed = multiply((shares @ value).transpose(1, 0, 2).reshape(len(ids), SIZE), SIZE, SIZE)
            x = normalise(x + mixed)
            wide = multiply(x, WIDE, SIZE)
            wide = wide * (1 + np.vectorize(math.erf)(wide / math.sqrt(2))) / 2
            x = normalise(x + multiply(wide, SIZE, WIDE))
        return x


def encoder(numbers):
    return EightBitEncoder(SIZE, WIDE, HEADS, LAYERS, WORDS, POSITIONS, *numbers, 1e-12)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.integers(0, WORDS - 1), min_size=1, max_size=POSITIONS),
    st.integers(0, LAYERS),
    st.integers(0, 99),
)
def test_vectors_are_those_of_the_slow_twin(ids, layer, seed):
    numbers = random_numbers(seed)
    vectors = encoder(numbers).hidden(np.array(ids, np.int32), len(ids), layer, ENCODER_LEVEL)
    twin = Twin(*numbers).hidden(ids, layer)
    # One number that is rounded the other way moves a result by its share of 1/127 of the peak.
    np.testing.assert_allclose(vectors.reshape(len(ids), SIZE), twin, atol=0.02 if layer else 1e-5)


def test_most_vectors_are_those_of_the_twin_to_six_digits():
    numbers = random_numbers()
    ids = np.arange(POSITIONS, dtype=np.int32) % WORDS
    vectors = encoder(numbers).hidden(ids, POSITIONS, 1, ENCODER_LEVEL).reshape(POSITIONS, SIZE)
    difference = np.abs(vectors - Twin(*numbers).hidden(ids, 1)).max(axis=1)
    assert np.median(difference) < 1e-5


@settings(max_examples=25, deadline=None)
@given(st.integers(1, POSITIONS), st.integers(1, 20), st.integers(0, 2**32 - 1))
def test_every_instruction_set_gives_the_same_bits(tokens, texts, seed):
    ids = np.random.default_rng(seed).integers(0, WORDS, tokens * texts).astype(np.int32)
    small = encoder(random_numbers())
    portable = small.hidden(ids, tokens, LAYERS, 0)
    for level in range(1, ENCODER_LEVEL + 1):
        assert (small.hidden(ids, tokens, LAYERS, level) == portable).all()
    alone = [small.hidden(own, tokens, LAYERS, ENCODER_LEVEL) for own in ids.reshape(texts, tokens)]
    assert (np.concatenate(alone) == portable).all()


def test_the_shipped_encoder_is_near_its_weights_in_floats():
    folder = models.find("plain").path
    config = read_json(folder / "config.json")
    exact, eight = Transformer(config, read_tensors(folder)), EightBitBackend(config, read_stored(folder))
    (ids,) = models.encoder("plain").token_ids(
        ["The committee, which convened in 1998, promulgated three regulations concerning maritime commerce."]
    )
    for layer in (0, 3, 6):
        a, b = exact.hidden(ids[None], layer)[0], eight.hidden(ids[None], layer)[0]
        cosine = (a * b).sum(axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
        assert cosine.min() > (0.998 if layer else 0.999999)


def test_the_arithmetic_is_part_of_the_digest():
    known = KNOWN["plain"]
    assert known.arithmetic == ARITHMETIC
    assert supported(read_json(models.find("plain").path / "config.json"))
    assert known.digest != known.sha256[:10]
    assert KNOWN["minilm"].digest == KNOWN["minilm"].sha256[:10]
    assert KNOWN["reader"].base == plain_encoder.NAME


def test_other_weights_are_refused():
    folder = models.find("plain").path
    config, tensors = read_json(folder / "config.json"), read_stored(folder)
    name = "encoder.layer.2.output.dense.weight"
    with pytest.raises(InputError, match=r"matrices of other types; expected int8"):
        EightBitBackend(config, tensors | {name: tensors[name].astype(np.float32)})
    with pytest.raises(InputError, match=r"no tensor 'encoder.layer.2.output.dense.weight'"):
        EightBitBackend(config, {k: v for k, v in tensors.items() if k != name})


def test_wrong_calls_say_what_is_wrong():
    numbers = random_numbers()
    small = encoder(numbers)
    with pytest.raises(ValueError, match="no whole number of texts"):
        small.hidden(np.zeros(5, np.int32), 2, 1, 0)
    with pytest.raises(IndexError, match="ids has an index outside"):
        small.hidden(np.full(2, WORDS, np.int32), 2, 1, 0)
    with pytest.raises(ValueError, match="matrices has"):
        EightBitEncoder(SIZE, WIDE, HEADS, LAYERS, WORDS + 1, POSITIONS, *numbers, 1e-12)
    with pytest.raises(ValueError, match="multiples of 128"):
        EightBitEncoder(SIZE + 1, WIDE, 1, LAYERS, WORDS, POSITIONS, *numbers, 1e-12)
