"""Vectors: those of torch, the same bits whatever the batch, any layer, long texts, threads, progress."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import ROOT, lines
from plainmark import models
from plainmark.errors import InputError, OptionError, TruncationWarning
from plainmark.models import MemoryCache, _batches
from plainmark.models._transformer import distance_buckets
from support import tiny_models

GOLDEN = json.loads((ROOT / "tests" / "golden" / "models.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def minilm():
    return models.encoder("minilm")


@pytest.fixture
def tiny(tmp_path):
    return models.encoder(str(tiny_models.write(tmp_path / "bert", "bert")))


def test_sentence_vectors_are_those_of_torch(minilm):
    expected = np.array(GOLDEN["vectors"])
    found = minilm.sentence_vectors(GOLDEN["sentences"])
    np.testing.assert_allclose(found, expected, atol=1e-6)
    assert ((found * expected).sum(1) > 0.99999).all()


@pytest.mark.parametrize("family", ["bert", "roberta", "distilbert", "mpnet"])
def test_every_layer_of_every_family_is_that_of_transformers(tmp_path, family):
    encoder = models.encoder(str(tiny_models.write(tmp_path / family, family)))
    assert (encoder.layers, encoder.size) == (tiny_models.LAYERS, tiny_models.SIZE)
    for text, layers in zip(tiny_models.TEXTS, GOLDEN["tiny"][family], strict=True):
        for layer, expected in enumerate(layers):
            (found,) = encoder.token_vectors([text], layer=layer)
            np.testing.assert_allclose(found.vectors[:, :3].ravel(), expected, atol=2e-6)


def test_prefixes_and_old_names_of_weights_are_understood(tmp_path, tiny):
    folder = tiny_models.write(tmp_path / "old", "bert")
    tensors = models._safetensors.read_tensors(folder)
    renamed = {
        "bert."
        + n.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): v
        for n, v in tensors.items()
    }
    tiny_models.write_safetensors(folder / "model.safetensors", {n: np.array(v) for n, v in renamed.items()})
    old = models.encoder(str(folder))
    assert (old.sentence_vectors(tiny_models.TEXTS) == tiny.sentence_vectors(tiny_models.TEXTS)).all()


def test_a_text_has_the_same_bits_alone_in_company_and_on_any_number_of_threads(minilm, shared):
    texts = lines("asset/asset.test.orig")[:60]
    minilm.memory = MemoryCache()
    together = minilm.sentence_vectors(texts)
    tokens = minilm.token_vectors(texts, layer=3)
    for i in (0, 17, 59):
        minilm.memory = MemoryCache()
        assert (minilm.sentence_vectors([texts[i]])[0] == together[i]).all()
        assert (minilm.token_vectors([texts[i]], layer=3)[0].vectors == tokens[i].vectors).all()
    for threads in (1, 3):
        minilm.memory = MemoryCache()
        with models.using(threads=threads):
            assert (minilm.sentence_vectors(texts) == together).all()


def test_tokens_and_marks(minilm):
    (found,) = minilm.token_vectors(["Unaffable owls."])
    assert found.ids.tolist()[0] == 101
    assert found.ids.tolist()[-1] == 102
    assert found.marks.tolist() == [True] + [False] * (len(found) - 2) + [True]
    assert found.vectors.shape == (len(found), 384)
    assert minilm.token_ids(["Unaffable owls."])[0].tolist() == found.ids.tolist()
    (empty,) = minilm.token_vectors([" \n"])
    assert empty.marks.all()


def test_repeated_and_odd_texts(minilm):
    found = minilm.sentence_vectors(["a", "", "a", "\ud800", "\x00", "x" * 3000])
    assert (found[0] == found[2]).all()
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-6)
    assert minilm.sentence_vectors([]).shape == (0, 384)
    assert minilm.token_vectors([]) == []


def test_a_long_text_is_read_in_pieces(tiny):
    words = (tiny_models.WORDS * 8)[:130]
    room = tiny_models.LONGEST - 2
    (found,) = tiny.token_vectors([" ".join(words)])
    assert int((~found.marks).sum()) == 130
    assert found.marks.sum() == 2 * 4  # 130 words in four pieces of 33 or 32, not 38 + 38 + 38 + 16
    short = [len(p) for p in np.split(found.ids, np.flatnonzero(found.marks)[1::2][:-1] + 1)]
    assert short == [35, 35, 34, 34]
    assert max(short) <= room + 2
    pieces = [" ".join(words[i:j]) for i, j in ((0, 33), (33, 66), (66, 98), (98, 130))]
    alone = np.concatenate([t.vectors for t in tiny.token_vectors(pieces)])
    assert (alone == found.vectors).all()
    total = sum(t.vectors.sum(0) for t in tiny.token_vectors(pieces))
    np.testing.assert_allclose(
        tiny.sentence_vectors([" ".join(words)])[0], total / np.linalg.norm(total), atol=1e-6
    )


def test_cutting_a_long_text_is_said(tiny):
    words = (tiny_models.WORDS * 8)[:130]
    with pytest.warns(
        TruncationWarning, match=r"longer than the 40 tokens .* are cut there; long='split' keeps all"
    ):
        (found,) = tiny.token_vectors([" ".join(words)], long="truncate")
    assert found.marks.sum() == 2
    (kept,) = tiny.token_vectors([" ".join(words[:38])])
    assert (found.vectors == kept.vectors).all()


def test_a_layer_that_is_not_there(tiny):
    with pytest.raises(OptionError, match="no layer 4; expected 0 to 3"):
        tiny.token_vectors(["a"], layer=4)


def test_progress_counts_to_the_end(tiny):
    seen = []
    tiny.memory = MemoryCache()
    with models.using(progress=lambda done, total: seen.append((done, total))):
        tiny.sentence_vectors(tiny_models.TEXTS)
    assert seen[-1] == (4, 4)
    assert [d for d, _ in seen] == sorted(d for d, _ in seen)


def test_a_vocabulary_file_serves_where_there_is_no_tokenizer_json(tmp_path, minilm):
    folder = tmp_path / "words"
    folder.mkdir()
    for path in minilm.folder.iterdir():
        if path.is_file() and path.name != "tokenizer.json":
            (folder / path.name).symlink_to(path)
    other = models.encoder(str(folder))
    texts = ["Naïve café, don't!", "The committee convened in 1998."]
    assert [i.tolist() for i in other.token_ids(texts)] == [i.tolist() for i in minilm.token_ids(texts)]


@given(st.lists(st.integers(1, 40), max_size=60), st.integers(1, 100))
def test_batches_hold_every_piece_once_and_one_length_each(lengths, room):
    batches = _batches._batches(lengths, room)
    assert sorted(i for b in batches for i in b) == list(range(len(lengths)))
    for batch in batches:
        assert len({lengths[i] for i in batch}) == 1
        assert len(batch) == 1 or len(batch) * lengths[batch[0]] <= room


def test_distances_near_are_exact_and_far_share_a_bucket():
    # T5's scheme with 32 buckets: 16 to a side, 8 of them exact, the rest logarithmic up to 128.
    found = distance_buckets(np.array([0, -1, -7, -8, -127, -500, 1, 7, 8, 128]), 32)
    assert found.tolist() == [0, 1, 7, 8, 15, 15, 17, 23, 24, 31]


def test_weights_of_another_shape_are_named(tmp_path):
    folder = tiny_models.write(tmp_path / "bert", "bert")
    tensors = {n: np.array(v) for n, v in models._safetensors.read_tensors(folder).items()}
    del tensors["encoder.layer.2.output.dense.bias"]
    tiny_models.write_safetensors(folder / "model.safetensors", tensors)
    with pytest.raises(InputError, match=r"no tensor 'encoder.layer.2.output.dense.bias'"):
        models.encoder(str(folder)).sentence_vectors(["a"])
