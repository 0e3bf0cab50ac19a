"""ROUGE of every sample, the best of its references, with and without the stemmer."""

from __future__ import annotations

from collections.abc import Iterator

from rouge_score.rouge_scorer import RougeScorer

import plainmark as pm

from ..measuring import Case
from ..texts import Texts


def cases(texts: Texts) -> Iterator[Case]:
    """Four kinds, two ways."""
    whole = texts.corpus(120, least=12)
    for kind in ("1", "2", "L", "Lsum"):
        for stemmer in (False, True):
            yield _case(whole, kind, stemmer)


def _case(whole, kind, stemmer):
    metric = pm.metric(f"rouge(kind='{kind}', stemmer={stemmer})")
    key = f"rouge{kind}"
    scorer = RougeScorer([key], use_stemmer=stemmer)

    def ours():
        corpus = pm.Corpus(whole.sources, whole.outputs, whole.references)
        return lambda: metric.sample_scores(corpus)

    def theirs():
        return lambda: [
            100 * max(scorer.score(r, s.output)[key].fmeasure for r in s.references) for s in whole
        ]

    size = f"{len(whole):,} × {len(whole.references[0])} references"
    name = f"ROUGE-{kind}{', stemmed' if stemmer else ''}"
    return Case(name, size, "rouge-score", "rouge-score", ours, theirs, 1e-6)
