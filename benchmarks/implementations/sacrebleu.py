"""BLEU, chrF and TER of a corpus, and a bootstrap of BLEU from the same random numbers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import sacrebleu
from sacrebleu.significance import _bootstrap_resample

import plainmark as pm
from plainmark import significance

from ..measuring import Case
from ..texts import Texts

SEED = 12345  # sacreBLEU's own
METRICS = (
    ("BLEU", "bleu", sacrebleu.BLEU, 1795),
    ("chrF", "chrf", sacrebleu.CHRF, 718),
    ("chrF++", "chrf(word_order=2)", lambda: sacrebleu.CHRF(word_order=2), 359),
    ("TER", "ter", sacrebleu.TER, 60),
)


def cases(texts: Texts) -> Iterator[Case]:
    """Corpus scores, then resamples."""
    for task, spec, implementation, samples in METRICS:
        least = 6 if task == "TER" else 24  # seconds per sample
        yield _score(texts.corpus(samples, least=least), task, pm.metric(spec), implementation)
    yield _bootstrap(texts.corpus(359))


def _score(whole, task, metric, implementation):
    columns = list(map(list, zip(*whole.references, strict=True)))

    def ours():
        corpus = pm.Corpus(whole.sources, whole.outputs, whole.references)
        return lambda: metric.score(corpus).value

    def theirs():
        reference = implementation()
        return lambda: reference.corpus_score(whole.outputs, columns).score

    size = f"{len(whole):,} × {len(columns)} references"
    return Case(task, size, "sacreBLEU", "sacrebleu", ours, theirs, 1e-6)


def _bootstrap(whole):
    metric, reference = pm.metric("bleu"), sacrebleu.BLEU()
    columns = list(map(list, zip(*whole.references, strict=True)))
    stats, their_stats = metric.stats(whole), reference._extract_corpus_statistics(whole.outputs, columns)

    def ours():
        rng = np.random.default_rng(SEED)
        return lambda: significance.bootstrap(metric, [stats], resamples=1000, rng=rng)[0]

    def theirs():
        return lambda: [s.score for s in _bootstrap_resample(their_stats, reference, 1000)[1]]

    # sacreBLEU keeps statistics in single precision.
    return Case(
        "Bootstrap of BLEU",
        f"{len(whole)} samples, 1,000 resamples",
        "sacreBLEU",
        "sacrebleu",
        ours,
        theirs,
        1e-4,
    )
