"""SARI as in most programs: Counters of joined n-grams after sacreBLEU's tokeniser. EASSE cannot be installed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

import plainmark as pm

from ..measuring import Case
from ..texts import Texts


def cases(texts: Texts) -> Iterator[Case]:
    """SARI."""
    whole = texts.corpus(1795)
    size = f"{len(whole):,} × {len(whole.references[0])} references"
    metric = pm.metric("sari")

    def ours():
        corpus = pm.Corpus(whole.sources, whole.outputs, whole.references)
        return lambda: metric.score(corpus).value

    yield Case("SARI", size, "plain Python", "sacrebleu", ours, lambda: lambda: sari(whole), 1e-6)


def sari(corpus):
    """SARI from sums over the corpus."""
    tokenize = Tokenizer13a()

    def grams(text):
        words = tokenize(text.lower()).split()
        return [Counter(" ".join(words[i : i + n]) for i in range(len(words) - n + 1)) for n in range(1, 5)]

    total = np.zeros((4, 9))
    for sample in corpus:
        source, output = grams(sample.source), grams(sample.output)
        references = [grams(r) for r in sample.references]
        k = len(references)
        for n in range(4):
            r = sum((g[n] for g in references), Counter())
            s = Counter({g: c * k for g, c in source[n].items()})
            o = Counter({g: c * k for g, c in output[n].items()})
            added = set(o) - set(s)
            keep, deleted = s & o, s - o
            kept_r, deleted_r = s & r, s - r
            total[n] += [
                len(added & set(r)), len(added), len(set(r) - set(s)),
                sum((keep & kept_r).values()), sum(keep.values()), sum(kept_r.values()),
                sum((deleted & deleted_r).values()), sum(deleted.values()), sum(deleted_r.values()),
            ]  # fmt: skip
    good, p, r = total[:, 0::3], total[:, 1::3], total[:, 2::3]
    return 100 * (2 * good / np.maximum(p + r, 1)).mean()
