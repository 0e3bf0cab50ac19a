"""BERTScore with the same MiniLM weights: plainmark runs them with onnxruntime, bert-score with torch."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import bert_score
import torch

import plainmark as pm
from plainmark import models

from ..measuring import Case
from ..texts import Texts

LAYER = 6
NOT_COUNTED = "not counted"  # valgrind would take hours


def cases(texts: Texts) -> Iterator[Case]:
    """F1 of every sample."""
    torch.set_num_threads(1)
    whole = texts.corpus(120, references=1)
    metric = pm.metric(f"bertscore(layer={LAYER}, long='truncate')")
    encoder = models.encoder("minilm")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reference = bert_score.BERTScorer(
            model_type=str(models.find("minilm").path), num_layers=LAYER, device="cpu", nthreads=0
        )

    def ours():
        encoder.memory = models.MemoryCache()
        corpus = pm.Corpus(whole.sources, whole.outputs, whole.references)

        def work():
            with models.using(threads=1):
                return metric.sample_scores(corpus)

        return work

    def theirs():
        references = [r[0] for r in whole.references]
        return lambda: 100 * reference.score(whole.outputs, references)[2].numpy()

    yield Case(
        "BERTScore",
        f"{len(whole)} × 1 reference",
        "bert-score",
        "bert-score",
        ours,
        theirs,
        1e-3,
        NOT_COUNTED,
    )
