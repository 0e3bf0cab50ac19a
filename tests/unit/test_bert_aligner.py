"""The cross-encoder aligner, on a tiny classifier of pairs with random weights."""

import sys

import numpy as np
import pytest

import plainmark as pm
from support import tiny_checkpoints as tiny
from support.optional import torch, transformers

A = ["The cat sat.", "Prices rose."]
B = ["A cat.", "Rain fell.", "Up"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, needs_torch):
    path = tmp_path_factory.mktemp("aligner")
    tiny.classifier(path, labels=2)
    return path


def test_class_0_is_aligned_and_the_complex_sentence_comes_first(folder):
    found = pm.aligner(f"bert(model={str(folder)!r}, batch=4)").align(A, B)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    for i, a in enumerate(A):
        for j, b in enumerate(B):
            with torch.no_grad():
                logits = model(**tokenizer(a, b, return_tensors="pt")).logits[0].numpy()
            expected = np.exp(logits[0]) / np.exp(logits).sum()
            assert found[i, j] == pytest.approx(expected, abs=1e-6)
    turned = pm.aligner(f"bert(model={str(folder)!r})").align(B, A)
    assert not np.allclose(found, turned.T)


def test_it_serves_agg(folder):
    corpus = pm.Corpus(["The cat sat. Prices rose."], ["A cat."], [["A cat sat."]])
    assert np.isfinite(pm.metric(f"agg(sari, aligner=bert(model={str(folder)!r}))").score(corpus).value)


@pytest.mark.torch
def test_what_is_not_there_is_said(tmp_path, monkeypatch):
    with pytest.raises(pm.PlainmarkError, match="aligner bert needs a model"):
        pm.aligner("bert").align(A, B)
    with pytest.raises(pm.PlainmarkError, match="no BERT classifier of sentence pairs"):
        pm.aligner(f"bert(model={str(tmp_path)!r})").align(A, B)
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setattr("plainmark.aligners.bert.find_spec", lambda name: None)
    with pytest.raises(pm.PlainmarkError, match=r"needs torch and transformers\. To install"):
        pm.aligner(f"bert(model={str(tmp_path)!r})").align(A, B)
