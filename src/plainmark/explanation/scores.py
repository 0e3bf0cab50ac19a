"""Scores of one text with an explanation: the meaning of a number, its limits, and the reason if it is missing."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from functools import lru_cache

from ..data import Corpus
from ..errors import PlainmarkError
from ..metric import Metric, metric

ALONE = ("facts_kept", "numbers_kept", "negation_kept", "entities_kept", "compression", "self_bleu")
WITH_REFERENCES = ("sari", "bleu")

# The meaning of a score, and its limits.
_MEANING: dict[str, tuple[str, str]] = {
    "sari": (
        "Rewards adding, keeping and deleting the same words as the references, from 0 to 100.",
        "It knows only the words of your references: another good wording scores low, and wrong numbers hardly count.",
    ),
    "bleu": (
        "How many word sequences the text shares with the references, from 0 to 100.",
        "It says little about simplicity: copying the original often scores high.",
    ),
    "facts_kept": (
        "The share of facts (numbers, names, negations and so on) that both texts state.",
        "A fact that was left out on purpose lowers it too, and some rewordings are taken for changes.",
    ),
    "numbers_kept": (
        "The share of numbers and dates that both texts have.",
        "A number that was left out on purpose lowers it too.",
    ),
    "negation_kept": (
        "The share of negations that both texts have.",
        "Negations are found by rules: one in quite different words may be missed.",
    ),
    "entities_kept": (
        "The share of names that both texts have.",
        "Names are runs of capitalised words; a name replaced by “he” counts as left out.",
    ),
    "compression": (
        "Characters of the simplified text over those of the original; below 1 it is shorter.",
        "It is a description: neither a short nor a long text is good in itself.",
    ),
    "self_bleu": (
        "How much of the original's wording remains; 100 is a copy.",
        "It is a description: a low value may be a rewriting or a different text.",
    ),
    "quality": (
        "An estimate of how people would rate the simplification, by a model fitted to ratings, from 0 to 100; 40 to 80 is usual for a sentence.",
        "A copy of a sentence scores about 40, and long texts score lower than sentences. The estimate agrees with people only roughly; read its parts.",
    ),
    "cefr": (
        "The reading level, from 1 (A1) to 6 (C2), as a small model estimates it.",
        "It judges each sentence alone, and knows encyclopaedias better than dialogue.",
    ),
    "entailment": (
        "How well the original supports the simplified sentences, from 0 to 100, as estimated by a small model.",
        "It misses many changes of meaning: a high value is no proof that nothing was made up.",
    ),
    "samsa": (
        "Whether each event of the original has a sentence of its own, with who does what.",
        "It trusts a parser, which errs, and does not look at the choice of words.",
    ),
}
_UNDEFINED = {
    "facts_kept": "neither text has a fact that the rules find",
    "numbers_kept": "neither text has a number",
    "negation_kept": "neither text has a negation",
    "entities_kept": "neither text has a name that the rules find",
}


@dataclass(frozen=True)
class ExplainedScore:
    """A score with its signature, its meaning and its limits, or the reason why it is missing."""

    metric: str
    value: float | None
    parts: dict[str, float | None]
    signature: str
    higher_is_better: bool | None
    meaning: str
    caution: str
    reason: str = ""


def score(corpus: Corpus, spec: str | Metric) -> ExplainedScore:
    """One metric's score of a corpus of one text, explained; a score that cannot be computed has a reason instead."""
    scorer = _metric(spec) if isinstance(spec, str) else spec
    meaning, caution = _MEANING.get(scorer.name, ((type(scorer).__doc__ or "").partition("\n")[0], ""))
    about = (scorer.signature(str(len(corpus[0].references))), scorer.higher_is_better, meaning, caution)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = scorer.score(corpus)
    except PlainmarkError as problem:
        return ExplainedScore(scorer.spec, None, {}, *about, reason=" ".join(str(problem).split()))
    parts = {k: v if math.isfinite(v) else None for k, v in result.parts.items()}
    if not math.isfinite(result.value):
        return ExplainedScore(
            scorer.spec, None, parts, *about, reason=_UNDEFINED.get(scorer.name, "undefined for these texts")
        )
    return ExplainedScore(scorer.spec, result.value, parts, *about)


@lru_cache(128)
def _metric(spec: str) -> Metric:
    return metric(spec)
