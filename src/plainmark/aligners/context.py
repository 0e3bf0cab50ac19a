"""Context: learned from sentence links, with features of competitors, neighbours and the order of all sentences.

First, a logistic regression uses the similarities of two sentences (words, stems, letters, numbers, names, lengths,
positions) and compares the pair with the others of its row and column. A hidden Markov model of the order of sentences
updates its probabilities (_order.py). Then boosted trees decide with the features of both: whether the neighbours are
linked, what is in the gap between them, whether the adjacent sentence has the same source. docs/document.md has the card,
training/context_aligner.py the training.

Long texts are split at sentences that certainly correspond, and aligned piece by piece (_pieces.py).

References: links from Laban et al. 2023, SWiPE, and Attal et al. 2023, PLABA; context after Jiang et al. 2020.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from ..identity import digest, join_digests
from ..models import MODEL
from ..trees import Trees
from . import Aligner, Floats
from ._evidence import features
from ._order import order_features
from ._pieces import cut
from .embedding import Embedding, cosine

WEIGHTS = Path(__file__).with_name("context.json")

# Similarities of words and letters that the trees use again.
SEEN_AGAIN = (
    "weighted_jaccard", "covered_a", "covered_b", "characters", "numbers", "names", "length", "distance",
    "stems", "stems_covered_a", "stems_covered_b", "stems_shared", "letters", "letters_covered_a", "letters_covered_b",
    "echo_before", "echo_after",
)  # fmt: skip
_WORTH_A_LOOK = 0.003  # probability from which on the trees decide


@dataclass(frozen=True)
class ContextAligner(Aligner):
    """Learned from sentence links, with features of competitors and neighbours of each pair; the default."""

    encoder: Annotated[
        Literal["none", "minilm"], MODEL, "a sentence encoder as further evidence; none needs no model"
    ] = "none"

    citation = "Laban et al. 2023, SWiPE; Attal et al. 2023, PLABA; Jiang et al. 2020, ACL"
    doubtful = 0.05

    def contents(self) -> dict[str, str]:
        # The weights come with plainmark but change between versions, so signatures and caches must distinguish them.
        return {"encoder": join_digests([*super().contents().values(), digest(WEIGHTS)])}

    def missing(self) -> str:
        if self.encoder == "none" or not (reason := Embedding(self.encoder).missing()):
            return ""
        return f"{reason}, or use context(encoder='none')"

    def prepare(self, sentences: Sequence[str]) -> None:
        if self.encoder != "none":
            Embedding(self.encoder).prepare(sentences)

    def similarity(self, a: list[str], b: list[str]) -> Floats:
        model = _models()[self.encoder]
        out = np.zeros((len(a), len(b)))
        for rows, columns in cut(a, b):
            part_a, part_b = a[rows], b[columns]
            vectors = None if self.encoder == "none" else cosine(self.encoder, part_a, part_b)
            np.maximum(
                out[rows, columns], model.probabilities(part_a, part_b, vectors), out=out[rows, columns]
            )
        return out


@dataclass(frozen=True, eq=False)
class Model:
    """A regression on single pairs, and the trees that use their order."""

    weights: dict[str, float]
    bias: float
    trees: Trees

    def probabilities(self, a: list[str], b: list[str], cosines: Floats | None = None) -> Floats:
        """The probability that each sentence of b says what each sentence of a says; neither text is empty."""
        score = np.full((len(a), len(b)), self.bias)
        seen: dict[str, Floats] = {}
        for name, values in features(a, b, cosines):
            score += self.weights[name] * values
            if name in SEEN_AGAIN:
                seen[name] = values
        first = sigmoid(score)
        candidates, x, _ = second_look(first, seen)
        first[candidates] = sigmoid(self.trees.scores(x))
        return first


def second_look(first: Floats, seen: dict[str, Floats]) -> tuple[NDArray[np.bool_], Floats, list[str]]:
    """The pairs that the trees decide, and their features and the features' names."""
    columns = dict(order_features(first)) | {name: seen[name] for name in SEEN_AGAIN}
    lowest = np.log(_WORTH_A_LOOK / (1 - _WORTH_A_LOOK))
    candidates = np.any([columns[name] > lowest for name in ("first", "forward", "backward")], axis=0)
    return candidates, np.stack([v[candidates] for v in columns.values()], axis=1), list(columns)


def sigmoid(score: Floats) -> Floats:
    """The probability for log-odds."""
    result: Floats = 1 / (1 + np.exp(-np.clip(score, -500, 500)))
    return result


@cache
def _models() -> dict[str, Model]:
    """The shipped weights for each encoder."""
    contents = json.loads(WEIGHTS.read_text("utf-8"))["models"]
    return {name: read_model(part) for name, part in contents.items()}


def read_model(contents: dict[str, dict[str, list[float]]]) -> Model:
    """A model from the contents of the file of weights."""
    weights = dict(zip(contents["first"]["names"], contents["first"]["weights"], strict=True))
    return Model(weights, float(contents["first"]["bias"]), Trees.read(contents["second"]))  # type: ignore[arg-type]
