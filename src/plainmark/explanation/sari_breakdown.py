"""The breakdown of SARI: add, keep and delete are a third of the score each, divided equally among the orders.

Half of the F-score of an order is attributed through precision and half through recall, to the correctly treated n-grams in
proportion to their credit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..data import Corpus
from ..metric import Floats, divide
from ..metrics.sari import SARI, Switches
from ..text import words
from .breakdown import Breakdown, Contribution, Gram, Share, break_down, count_grams, of_references


@dataclass(frozen=True)
class _Judged:
    """An n-gram under one operation: its credit towards precision and recall."""

    gram: Gram
    precision: float
    recall: float
    verdict: str


@dataclass(frozen=True)
class _Operation:
    """One operation of one order: its n-grams, and the divisors of the sums of their credit."""

    judged: list[_Judged]
    output: float
    references: float


def sari_breakdown(metric: SARI, corpus: Corpus) -> Breakdown:
    switches, sample = metric.switches, corpus[0]
    texts = [[sample.source], [sample.output], list(sample.references)]
    sides = [words(side, switches.tokenizer, lowercase=switches.lowercase) for side in texts]
    if switches.blank_token:
        sides = [[tokens or [""] for tokens in side] for side in sides]
    (source,), (output,), references = sides
    shares: list[Share] = []
    contributions: list[Contribution] = []
    orders = range(1, switches.order + 1)
    judged = [_operations(switches, source, output, references, n, sample.source.split()) for n in orders]
    for operation in ("add", "keep", "delete"):
        rows = [j[operation] for j in judged]
        precise, complete = _points(switches, operation, rows)
        for n, row, of_precision, of_recall in zip(orders, rows, precise, complete, strict=True):
            counts = [count_grams(source, n), count_grams(output, n)]
            having = Counter(g for r in references for g in count_grams(r, n))
            ratios = [
                (sum(j.precision for j in row.judged), row.output),
                (sum(j.recall for j in row.judged), row.references),
            ]
            precision, recall = (a / b if b else None for a, b in ratios)
            shares.append(Share(operation, n, precision, recall, of_precision + of_recall))
            for item in row.judged:
                points = sum(
                    total * credit / whole
                    for total, credit, (whole, _) in (
                        (of_precision, item.precision, ratios[0]),
                        (of_recall, item.recall, ratios[1]),
                    )
                    if whole
                )
                place = (counts[0][item.gram], counts[1][item.gram], having[item.gram])
                contributions.append(
                    Contribution(operation, n, " ".join(item.gram), points, *place, item.verdict)
                )
            # What 0/0 = 1 contributes in one variant belongs to no n-gram.
            free = sum(t for t, (a, _) in zip((of_precision, of_recall), ratios, strict=True) if not a)
            if free:
                note = f"nothing to {operation}: counts as 1 in this variant"
                contributions.append(Contribution(operation, n, "", free, None, None, None, note))
    return break_down(metric, corpus, "(add + keep + del) / 3", shares, contributions)


def _operations(
    switches: Switches,
    source: list[str],
    output: list[str],
    references: list[list[str]],
    n: int,
    plain: list[str],
) -> dict[str, _Operation]:
    """The n-grams of one order under each operation, as the kernel counts them (native/ngram/ngrams.cpp)."""
    copies = len(references)
    occurrences = (
        count_grams if not switches.binary else lambda tokens, n: Counter(set(count_grams(tokens, n)))
    )
    s, o = occurrences(source, n), occurrences(output, n)
    r = sum((occurrences(tokens, n) for tokens in references), Counter[Gram]())
    having = Counter(g for tokens in references for g in count_grams(tokens, n))
    judged: dict[str, list[_Judged]] = {"add": [], "keep": [], "delete": []}
    totals = {operation: [0.0, 0.0] for operation in judged}

    def add(
        operation: str,
        gram: Gram,
        good: float,
        by_output: float,
        by_references: float,
        modes: tuple[str, str],
        verdict: str,
    ) -> None:
        credit = [good, good]
        for k, (mode, whole) in enumerate(zip(modes, (by_output, by_references), strict=True)):
            totals[operation][k] += (whole > 0) if mode == "mean" else whole
            if mode == "mean":
                credit[k] = good / whole if whole else 0.0
        if by_output or (by_references and operation == "add"):
            judged[operation].append(_Judged(gram, credit[0], credit[1], verdict))

    keep_modes = (switches.keep_precision, switches.keep_recall)
    for gram in s:
        in_source, in_output, in_references = s[gram] * copies, o[gram] * copies, r[gram]
        retained, kept_by_references = min(in_source, in_output), min(in_source, in_references)
        said = (
            f"{of_references(having[gram], copies)} has it"
            if copies == 1
            else f"{of_references(having[gram], copies)} have it"
        )
        if not having[gram]:
            said = "no reference has it"
        add(
            "keep",
            gram,
            min(retained, in_references),
            retained,
            kept_by_references,
            keep_modes,
            f"kept; {said}",
        )
        deleted, deleted_by_references = max(in_source - in_output, 0), max(in_source - in_references, 0)
        good = min(deleted, deleted_by_references)
        if switches.delete_good == "difference":
            good = max(deleted - in_references, 0)
        modes = (switches.delete_average, switches.delete_average)
        add("delete", gram, good, deleted, deleted_by_references, modes, f"deleted; {said}")
    for gram in dict.fromkeys([*o, *r]):
        if gram in s:
            continue
        said = (
            f"{of_references(having[gram], copies)} {'adds' if copies == 1 else 'add'} it"
            if having[gram]
            else "no reference adds it"
        )
        good = gram in o and gram in r
        if good and switches.additions == "new" and not _is_new(gram, source, plain, n):
            good, said = False, f"{said}, but its words are in the source in this order"
        verdict = f"added; {said}" if gram in o else f"not added; {said}"
        expected = gram in r and (gram in o or switches.add_recall == "references")
        add("add", gram, float(good), float(gram in o), float(expected), ("sum", "sum"), verdict)
    return {name: _Operation(rows, *totals[name]) for name, rows in judged.items()}


def _is_new(gram: Gram, source: list[str], plain: list[str], order: int) -> bool:
    if len(source) < order or set(gram) - set(source):
        return True
    rest = iter(plain)
    return not all(token in rest for token in gram)


def _points(switches: Switches, operation: str, rows: Sequence[_Operation]) -> tuple[Floats, Floats]:
    """The points of each order that come through precision, and those that come through recall."""
    credit = np.array(
        [[sum(j.precision for j in row.judged), sum(j.recall for j in row.judged)] for row in rows]
    )
    whole = np.array([[row.output, row.references] for row in rows])
    values = divide(credit, whole, float(switches.empty_ratio))
    weight = 100 / 3 / len(rows)
    if operation == "delete" and switches.delete_score == "precision":
        return weight * values[:, 0], np.zeros(len(rows))
    means = values.mean(axis=0, keepdims=True) if switches.f_of_averages else values
    total = means.sum(axis=1)
    score = divide(2 * means.prod(axis=1), total, 0.0)
    # F = F/2 * P/P + F/2 * R/R; with averages, each order contributes its part of the average.
    halves = divide(score[:, None] * values / 2, means, 0.0)
    return weight * halves[:, 0], weight * halves[:, 1]
