"""Agreement with human error labels on sentence pairs: areas under the ROC curve, compared with other measures.

wu2025      outputs of three systems: labelled "Altered Meaning" or "Hallucination" against labelled "No error" alone
factuality  references and outputs of systems on WikiLarge: levels 0 to 2 of insertion, deletion and substitution;
            gibberish (-1) is left out
Intervals resample the source sentences, each with all its outputs. If the weights of the risk were fitted on these
labels, its figures here are not those of unseen sentences; the program that fits them reports cross-validated ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import plainmark as pm
from plainmark.datasets.factuality import KINDS, Factuality
from plainmark.datasets.wu2025 import SYSTEMS, Wu2025
from plainmark.meta.coefficients import coefficient

from . import ledgers
from .intervals import auc
from .tables import Table

# Metrics of similarity to the source, and the sign with which they are larger if more was altered.
BASELINES = {
    "BERTScore recall (minilm)": ("bertscore(part='recall', against='source')", -1),
    "BERTScore F1 (minilm)": ("bertscore(against='source')", -1),
    "coverage (minilm)": ("coverage", -1),
    "Levenshtein similarity": ("levenshtein", -1),
    "length ratio": ("compression", -1),
}


@dataclass(frozen=True)
class Item:
    """A sentence pair with its human labels."""

    system: str
    source: str
    output: str
    labels: dict[str, int]


def wu2025(data: Path, facts: ledgers.Facts) -> Table:
    """AUC for altered meaning or hallucination, by system and for all of them."""
    items = list(wu2025_items(data))
    scores = _scores(items, facts)
    groups = (*SYSTEMS, "all")
    rows = []
    for name, values in scores.items():
        row: list[Any] = [name]
        for system in groups:
            own = [k for k, item in enumerate(items) if system in ("all", item.system)]
            row.append(_interval(values[own], [items[k] for k in own], "altered", 1))
        rows.append(row)
    counts = [
        f"{system} {sum(i.labels['altered'] for i in items if i.system == system)} of {sum(i.system == system for i in items)}"
        for system in SYSTEMS
    ]
    return Table(
        "wu2025: AUC for altered meaning or hallucination against no error",
        ["measure", *groups],
        rows,
        [f"altered: {', '.join(counts)}"],
    )


def factuality(data: Path, facts: ledgers.Facts) -> Table:
    """AUC for substitution and insertion of level 1 or more, and Spearman's rank correlation with the level."""
    items = factuality_items(data)
    scores = _scores(items, facts)
    rows = []
    for name, values in scores.items():
        row: list[Any] = [name]
        for label in KINDS:
            own = [k for k, item in enumerate(items) if item.labels.get(label, -1) >= 0]
            selected = [items[k] for k in own]
            row.append(_interval(values[own], selected, label, 1))
            levels = np.array([item.labels[label] for item in selected], float)
            row.append(round(coefficient("spearman", values[own], levels), 3))
        rows.append(row)
    counts = [
        f"{label} {sum(i.labels.get(label, -1) >= 1 for i in items)} of {sum(i.labels.get(label, -1) >= 0 for i in items)}"
        for label in KINDS
    ]
    columns = [c for label in KINDS for c in (f"{label.capitalize()} >= 1", "Spearman")]
    return Table(
        "factuality: AUC, and Spearman with the level", ["measure", *columns], rows, [", ".join(counts)]
    )


def wu2025_items(data: Path) -> Iterator[Item]:
    """Outputs with altered or invented meaning, and those without any error; other errors are left out."""
    labelled = Wu2025(folder=str(data))
    corpora = labelled.corpora()
    for system, samples in labelled.errors().items():
        pairs = {sample.id: sample for sample in corpora[system]}
        for sample, errors in samples.items():
            altered = any(e.category.startswith(("Altered Meaning", "Hallucination")) for e in errors)
            if altered or not errors:
                pair = pairs[sample]
                yield Item(system, pair.source, pair.output, {"altered": int(altered)})


def factuality_items(data: Path) -> list[Item]:
    """The sentence pairs with all their levels, without gibberish and empty outputs."""
    labelled = Factuality(folder=str(data))
    labels = labelled.labels()
    return [
        Item(system, sample.source, sample.output, labels[system][sample.id])
        for system, corpus in labelled.corpora().items()
        for sample in corpus
        if min(labels[system][sample.id].values()) >= 0 and sample.output.strip()
    ]


def _scores(items: Sequence[Item], facts: ledgers.Facts) -> dict[str, np.ndarray]:
    """The ledger's measures of each item, and those of the baselines that can run here."""
    compared = [facts(item.source, item.output) for item in items]
    scores = {
        "risk": np.array([ledger.risk for ledger in compared], float),
        "red": np.array([len(ledgers.red(ledger)) for ledger in compared], float),
        "red + check": np.array([len(ledgers.red(x)) + len(ledgers.check(x)) for x in compared], float),
    }
    corpus = pm.Corpus([i.source for i in items], [i.output for i in items], [[i.source] for i in items])
    for name, (spec, sign) in BASELINES.items():
        metric = pm.metric(spec)
        if not metric.missing():
            scores[name] = sign * np.asarray(metric.sample_scores(corpus), float)
    return scores


def _interval(values: np.ndarray, items: Sequence[Item], label: str, level: int) -> str:
    positive = [item.labels[label] >= level for item in items]
    area, low, high = auc(values, positive, [item.source.lower() for item in items])
    return f"{area:.3f} ({low:.3f}-{high:.3f})"
