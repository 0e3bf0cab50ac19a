"""Nine readability formulas of every text, as in textstat; it caches the words that it has seen."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import plainmark as pm

from ..measuring import Case
from ..texts import Texts

with warnings.catch_warnings():
    # textstat and Pyphen leave files open, pkg_resources is old.
    warnings.simplefilter("ignore")
    from textstat import textstat

    textstat.difficult_words("reads the list")

FORMULAS = {
    "fkgl": "flesch_kincaid_grade",
    "flesch": "flesch_reading_ease",
    "ari": "automated_readability_index",
    "coleman_liau": "coleman_liau_index",
    "smog": "smog_index",
    "gunning_fog": "gunning_fog",
    "dale_chall": "dale_chall_readability_score",
    "spache": "spache_readability",
    "linsear": "linsear_write_formula",
}


def cases(texts: Texts) -> Iterator[Case]:
    """The best known formula alone, then all of them."""
    yield _case(texts.corpus(3590).outputs, ["fkgl"], "FKGL")
    # SMOG is undefined below three sentences; textstat returns 0 there.
    outputs = texts.corpus(1436, least=160).outputs
    documents = [" ".join(outputs[i : i + 4]) for i in range(0, len(outputs) - 3, 4)]
    yield _case(documents, list(FORMULAS), "All nine formulas")


def _case(outputs, names, task):
    metrics = [pm.metric(f"{name}(variant='textstat', rounded=True)") for name in names]

    def ours():
        corpus = pm.Corpus(None, outputs)
        return lambda: [m.sample_scores(corpus) for m in metrics]

    def theirs():
        # It caches whole texts, too; a second call with the same text would take no time.
        textstat._cache_clear()
        return lambda: [[getattr(textstat, FORMULAS[name])(text) for text in outputs] for name in names]

    return Case(task, f"{len(outputs):,} texts", "textstat", "textstat", ours, theirs, 1e-9)
