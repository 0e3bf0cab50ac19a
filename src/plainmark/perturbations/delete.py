"""Delete sentences: information is lost. Strength is the share of deleted sentences; one always stays.

The sentences of one quotation are deleted together and count as one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from .. import text
from . import EditPerturbation, EditPlan, TextDocument, shuffled, without
from ._quotations import with_whole_quotations


@dataclass(frozen=True)
class Delete(EditPerturbation):
    """Deletes sentences, at random or the most informative ones first, until one is left."""

    order: Annotated[
        Literal["random", "salience"],
        "which are deleted first: random ones, or those with most of the document's frequent words",
    ] = "random"

    criterion = "informativeness"
    english_only = False

    def plan(self, document: TextDocument, rng: np.random.Generator) -> EditPlan:
        document = with_whole_quotations(document)
        n = len(document.sentences)
        order = shuffled(n, rng) if self.order == "random" else _by_salience(document)
        if n < 2:
            return EditPlan((), n, f"{n or 'no'} sentence{'' if n == 1 else 's'}, and one always stays")
        edits = [(without(document, i, order[-1]),) for i in order[:-1]]
        return EditPlan(edits, n, "one sentence always stays")


def _by_salience(document: TextDocument) -> list[int]:
    """Sentences by the mean frequency, in the document, of their words of four letters and more."""
    words = text.words(
        [document.sentence(i) for i in range(len(document.sentences))], "nltk-plain", lowercase=True
    )
    counts = Counter(w for sentence in words for w in sentence if len(w) > 3)

    def weight(sentence: Sequence[str]) -> float:
        held = [counts[w] for w in sentence if len(w) > 3]
        return sum(held) / len(held) if held else 0.0

    return sorted(range(len(words)), key=lambda i: (-weight(words[i]), i))
