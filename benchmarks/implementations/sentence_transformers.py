"""Sentence vectors from the same MiniLM weights: plainmark runs them with onnxruntime, sentence-transformers with torch."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from sentence_transformers import SentenceTransformer

from plainmark import models

from ..measuring import Case
from ..texts import Texts
from .bert_score import NOT_COUNTED


def cases(texts: Texts) -> Iterator[Case]:
    """Vectors of sources."""
    torch.set_num_threads(1)
    sentences = texts.corpus(240).texts("source")
    encoder = models.encoder("minilm")
    reference = SentenceTransformer(str(models.find("minilm").path), device="cpu")

    def ours():
        encoder.memory = models.MemoryCache()

        def work():
            with models.using(threads=1):
                return encoder.sentence_vectors(sentences)

        return work

    yield Case(
        "Sentence vectors",
        f"{len(sentences)} sentences",
        "sentence-transformers",
        "sentence-transformers",
        ours,
        lambda: lambda: reference.encode(sentences, show_progress_bar=False),
        1e-5,
        NOT_COUNTED,
    )
