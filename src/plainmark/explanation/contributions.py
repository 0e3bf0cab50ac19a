"""The contribution of every n-gram or word to the score of one sample, in points that add up to the score.

SARI    Add, keep and delete are a third each, divided equally among the orders. Half of the F-score of an order is
        attributed through precision and half through recall, to the correctly treated n-grams in proportion to their
        credit.
BLEU    A geometric mean has no parts that add up, so every order gets an equal share of the score, divided among its
        matches; the contribution of smoothing is a row of its own.
ROUGE   F1 is 2 * matches / (words of both texts), and every match has the same share. The best reference counts.
FKGL    0.39 per word and sentence and 11.8 per syllable and word, added up over words, and the constant -15.59. Words and
        syllables are those of the variant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from .. import kernels
from ..data import Corpus, Sample
from ..metric import Metric
from ..metrics._readability import words_of
from ..metrics.bleu import BLEU
from ..metrics.fkgl import FKGL
from ..metrics.rouge import MEAN, ROUGE
from ..metrics.sari import SARI
from ..text import words
from .breakdown import Breakdown, Contribution, Gram, Share, break_down, count_grams, of_references
from .sari_breakdown import sari_breakdown


def explains(metric: Metric) -> bool:
    """Whether `breakdowns` knows the metric."""
    return isinstance(metric, tuple(_EXPLAINERS))


def breakdowns(metric: Metric, corpus: Corpus) -> list[Breakdown]:
    """The breakdown of the score of every sample."""
    metric.check(corpus)
    explain = next(f for cls, f in _EXPLAINERS.items() if isinstance(metric, cls))
    return [explain(metric, corpus[i : i + 1]) for i in range(len(corpus))]


def _bleu(metric: BLEU, corpus: Corpus) -> Breakdown:
    alone, sample = metric.sample_metric(), corpus[0]
    assert isinstance(alone, BLEU)
    stats = alone.stats(corpus)[0]
    result = alone.reduce(stats)
    score, precisions = float(result[0]), result[1 : alone.order + 1]
    compared = [sample.source] if alone.against == "source" else list(sample.references)
    (output,), others = (
        words(t, alone.tokenizer, lowercase=alone.lowercase) for t in ([sample.output], compared)
    )
    totals = stats[2 + alone.order :]
    counted = [n for n in range(1, alone.order + 1) if not alone.effective_order or totals[n - 1] > 0]
    shares, contributions = [], []
    for n in counted:
        points = score / len(counted)
        shares.append(Share("match", n, float(precisions[n - 1]) / 100, None, points))
        have = [count_grams(tokens, n) for tokens in others]
        of_output, of_source = count_grams(output, n), None
        most = {g: max(c[g] for c in have) for g in of_output}
        matched = {g: min(c, most[g]) for g, c in of_output.items()}
        extra = 0.0
        if alone.smoothing == "add-k" and n > 1:
            extra = 1.0 if alone.smoothing_value is None else alone.smoothing_value
        whole = sum(matched.values()) + extra
        for gram, count in of_output.items():
            number = sum(gram in c for c in have)
            having = f"in {of_references(number, len(have))}" if number else "in no reference"
            clipped = f", but only {matched[gram]} of {count} counted" if 0 < matched[gram] < count else ""
            share = points * matched[gram] / whole if whole else 0.0
            contributions.append(
                Contribution("match", n, " ".join(gram), share, of_source, count, number, having + clipped)
            )
        owed = points * extra / whole if whole else points
        if owed:
            note = (
                f"no {n}-gram matches; smoothing ({alone.smoothing})"
                if not whole - extra
                else f"smoothing ({alone.smoothing})"
            )
            contributions.append(Contribution("smoothing", n, "", owed, None, None, None, note))
    formula = "brevity_penalty * (precision_1 * ... ) ^ (1 / orders)"
    return break_down(metric, corpus, formula, shares, contributions)


def _rouge(metric: ROUGE, corpus: Corpus) -> Breakdown:
    kinds = [replace(metric, kind=kind) for kind in MEAN] if metric.kind == "mean" else [metric]
    shares, contributions, formulas = [], [], []
    for kind in kinds:
        formula, share, rows = _rouge_kind(kind, corpus[0])
        operation = "match" if len(kinds) == 1 else f"ROUGE-{kind.kind}"
        formulas.append(formula)
        shares.append(replace(share, operation=operation, points=share.points / len(kinds)))
        contributions += [replace(c, operation=operation, points=c.points / len(kinds)) for c in rows]
    formula = formulas[0] if len(kinds) == 1 else f"the mean of {'; '.join(formulas)}"
    return break_down(metric, corpus, formula, shares, contributions)


def _rouge_kind(metric: ROUGE, sample: Sample) -> tuple[str, Share, list[Contribution]]:
    """The counted units, the score and its parts, and the contribution of every n-gram of the output."""
    mode = "porter" if metric.stemmer else "rouge"
    (output,), references = (
        kernels.words(t, mode, lowercase=True) for t in ([sample.output], list(sample.references))
    )
    order = int(metric.kind) if metric.kind.isdigit() else 1
    of_output = count_grams(output, order)
    candidates = []
    for text, tokens in zip(sample.references, references, strict=True):
        if metric.kind == "L":
            matched = _subsequence(output, tokens)
        elif metric.kind == "Lsum":
            matched = of_output & _union(sample.output, text, mode)
        else:
            matched = of_output & count_grams(tokens, order)
        sizes = [max(len(side) - order + 1, 0) for side in (output, tokens)]
        hits = matched.total()
        # the score is the number of hits divided by this
        ratios = {
            "precision": hits / sizes[0] if sizes[0] else 0.0,
            "recall": hits / sizes[1] if sizes[1] else 0.0,
        }
        total = sum(ratios.values())
        ratios["f1"] = 2 * ratios["precision"] * ratios["recall"] / total if total else 0.0
        candidates.append((ratios, matched))
    ratios, matched = max(candidates, key=lambda c: c[0]["f1"])  # the first one if several are equal
    number = next(i for i, c in enumerate(candidates) if c[1] is matched) + 1
    points = 100 * ratios[metric.part]
    place = f"reference {number}" if len(references) > 1 else "the reference"
    whole = matched.total()
    contributions = []
    for gram, count in of_output.items():
        having = sum(gram in count_grams(tokens, order) for tokens in references)
        verdict = f"matches {place}" if matched[gram] else f"no match in {place}"
        earned = points * matched[gram] / whole if whole else 0.0
        contributions.append(
            Contribution("match", order, " ".join(gram), earned, None, count, having, verdict)
        )
    what = {
        "L": "words on the longest common subsequence",
        "Lsum": "words on a longest common subsequence of two lines",
    }.get(metric.kind, f"common {order}-grams")
    share = Share("match", order, ratios["precision"], ratios["recall"], points)
    return f"{metric.part} of {what} with {place}", share, contributions


def _subsequence(output: list[str], reference: list[str]) -> Counter[Gram]:
    tokens = kernels.tokenize(
        [" ".join(output), " ".join(reference)], "space" if output and reference else "none"
    )
    left, right = np.array([0]), np.array([1])
    partners = kernels.lcs_match(tokens, tokens, left, right)
    return Counter((word,) for word, partner in zip(output, partners, strict=True) if partner >= 0)


def _union(output: str, reference: str, mode: str) -> Counter[Gram]:
    """Words of the reference that are in a longest common subsequence of its line and a line of the output."""
    lines, others = (kernels.words(text.split("\n"), mode, lowercase=True) for text in (reference, output))
    union: Counter[Gram] = Counter()
    for line in lines:
        hits: set[int] = set()
        for other in others:
            if line and other:
                tokens = kernels.tokenize([" ".join(line), " ".join(other)], "space")
                partners = kernels.lcs_match(tokens, tokens, np.array([0]), np.array([1]))
                hits.update(np.flatnonzero(partners >= 0).tolist())
        union.update((line[i],) for i in hits)
    return union


def _fkgl(metric: FKGL, corpus: Corpus) -> Breakdown:
    spoken = words_of(corpus.texts(metric.side)[0], metric.rule)
    values = metric.sample_parts(corpus)[0]
    score, total, sentences = float(values[0]), len(spoken), int(values[2])
    formula = "0.39 * words / sentences + 11.8 * syllables / words - 15.59"
    if not total:
        return break_down(metric, corpus, formula, (), ())
    contributions = []
    for (word, number), count in Counter(spoken).items():
        points = count * (0.39 / sentences + 11.8 * number / total)
        verdict = f"{number} syllable{'' if number == 1 else 's'}"
        source, output = (count, None) if metric.side == "source" else (None, count)
        contributions.append(Contribution("word", 1, word, points, source, output, None, verdict))
    contributions.append(
        Contribution("constant", 0, "", -15.59, None, None, None, "the constant of the formula")
    )
    shares = [
        Share("words per sentence", 0, None, None, 0.39 * total / sentences),
        Share("syllables per word", 0, None, None, 11.8 * sum(n for _, n in spoken) / total),
        Share("constant", 0, None, None, -15.59),
    ]
    rest = score - sum(s.points for s in shares)
    if metric.rounded or (metric.variant == "easse" and score == 0):
        step, why = (
            ("rounding", "rounding of the steps") if metric.rounded else ("floor", "a grade below 0 is 0")
        )
        contributions.append(Contribution(step, 0, "", rest, None, None, None, why))
        shares.append(Share(step, 0, None, None, rest))
    return break_down(metric, corpus, formula, shares, contributions)


_EXPLAINERS: dict[type[Metric], Callable[[Any, Corpus], Breakdown]] = {
    SARI: sari_breakdown,
    BLEU: _bleu,
    ROUGE: _rouge,
    FKGL: _fkgl,
}


def ranked(breakdown: Breakdown, operation: str) -> Iterator[Contribution]:
    """The contributions of one operation, those with most points first."""
    rows = [c for c in breakdown.contributions if c.operation == operation]
    yield from sorted(rows, key=lambda c: (-c.points, c.order))
