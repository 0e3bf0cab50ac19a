"""The accuracy of the shipped encoder on texts that it was not trained on: the figures of docs/encoder-card.md.

Those of reading levels are printed by evaluation/levels.py.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from evaluation.intervals import auc
from evaluation.people import wu2025_items
from evaluation.tables import Table
from numpy.typing import NDArray

from plainmark import models
from plainmark.datasets.wu2025 import SYSTEMS
from plainmark.models import plain_encoder

from . import examples, sources

GOLDEN = Path(__file__).resolve().parents[2] / "tests" / "golden"
CASES = 300  # largest size of each set of entailment pairs and of each kind of constructed pair

Floats = NDArray[np.float64]


def evaluate(data: Path) -> None:
    """Print every table."""
    for table in (entailment, pairs, people, similarity):
        print(table(data), "\n", flush=True)


def entailment(data: Path) -> Table:
    """Held-out premises of the training sets, and other sets: entailed or not."""
    rows = []
    for name in (*sources.NLI, "sick_dev", "rte_dev"):
        items = sources.nli(data, (name,), held=True)
        if name not in sources.NLI:
            items += sources.nli(data, (name,))
        items = random.Random(3).sample(items, min(len(items), CASES))
        entailed = _answers([(i.premise, i.hypothesis) for i in items], "entailed")
        truth = np.array([i.label == 0 for i in items])
        right = np.mean((entailed > 0.5) == truth)
        rows.append(
            [
                name,
                len(items),
                f"{right:.3f}",
                f"{max(truth.mean(), 1 - truth.mean()):.3f}",
                _area(entailed, truth),
            ]
        )
    note = "a tenth of the premises of sets trained on; all of SICK and RTE, which were not"
    return Table("Entailed or not", ["set", "n", "right", "majority", "AUC"], rows, [note])


def pairs(data: Path) -> Table:
    """Constructed pairs from documents that were not trained on."""
    rng = random.Random(3)
    held = sources.sentence_pairs(data, "held")
    wiki = [
        sources.detokenised(t)
        for t, _, _ in sources.levels(data / "cefr" / "cefr-sp" / "CEFR-SP_Wikiauto_dev.txt")
    ]
    singles = [s for s in wiki if len(s.split()) >= 6]
    sets = {
        "altered": list(islice(examples.altered(data, held, singles, rng, classes=False), CASES)),
        "simpler": [e for e in examples.graded(held) if e.target != 0.5][:CASES],
        "fluency": rng.sample(examples.fluency(held, singles, rng), CASES),
    }
    rows = []
    for name, items in sets.items():
        answers = _answers([(e.source, e.output) for e in items], name)
        rows.append([name, len(items), _area(answers, np.array([e.target == 1 for e in items]))])
    return Table("Made pairs, held documents", ["question", "n", "AUC"], rows)


def people(data: Path) -> Table:
    """Human labels of altered meaning: outputs of systems (wu2025), and the hand-written pairs of the fact ledger's
    evaluation.
    """
    rows = []
    items = list(wu2025_items(data))
    groups = {
        f"wu2025, {name}": [i for i in items if name in ("all", i.system)] for name in (*SYSTEMS, "all")
    }
    cases = {
        name: [(i.source, i.output, bool(i.labels["altered"])) for i in own] for name, own in groups.items()
    }
    for path in sorted(GOLDEN.glob("facts_pairs*.jsonl")):
        written = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        cases[path.stem] = [
            (w["source"], w["output"], bool(w["distorted"])) for w in written if w["part"] == "held"
        ]
    for name, own in cases.items():
        texts = [(s, o) for s, o, _ in own]
        truth = np.array([t for _, _, t in own])
        rows.append(
            [
                name,
                len(own),
                _area(_answers(texts, "altered"), truth),
                _area(-_answers(texts, "entailed"), truth),
            ]
        )
    return Table("Altered, by people's labels: AUC", ["texts", "n", "altered", "1 - entailed"], rows)


def similarity(data: Path) -> Table:
    """Sentence vectors compared with those of minilm."""
    held = sources.sentence_pairs(data, "held")[:CASES]
    texts = [t for p in held for t in (p.source, p.output)]
    ours, theirs = plain_encoder.load().embed(texts), models.encoder("minilm").sentence_vectors(texts)
    cosines = [(v[::2] * v[1::2]).sum(axis=1) for v in (ours, theirs)]
    rows = [
        ["mean cosine to minilm's vectors", f"{(ours * theirs).sum(axis=1).mean():.4f}"],
        ["r of the cosines of pairs", f"{np.corrcoef(*cosines)[0, 1]:.4f}"],
    ]
    return Table("Sentence vectors, held documents", ["figure", "value"], rows)


def _answers(texts: Sequence[tuple[str, str]], name: str) -> Floats:
    answers = plain_encoder.load().pairs([s for s, _ in texts], [o for _, o in texts])
    return answers[name].astype(np.float64)


def _area(scores: Floats, truth: NDArray[np.bool_]) -> str:
    area, low, high = auc(scores, truth, range(len(truth)))
    return f"{area:.3f} ({low:.3f}-{high:.3f})"
