"""Replace sentences with simpler versions: the text gets better, and a metric of simplification should show it.

Versions come from aligned data, if the aligner agrees (some data are misaligned), or from aligning the text with a simpler
one; sentences that may have another partner (the aligner's third state) are left out. A version that is in a reference of
the same sample is never used, because a metric would be rewarded for recognising its reference. Strength is the share of
replaced sentences among those with a simpler version; sentences that the simpler text omits stay.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ..aligners import Aligner, Floats
from ..aligners.context import ContextAligner
from ..document import Group, SentenceGraph
from . import Edit, EditPerturbation, EditPlan, Replacement, TextDocument, sentence_spans, shuffled

NO_VERSION = "no simpler version besides the references"


@dataclass(frozen=True)
class Simplify(EditPerturbation):
    """Replaces sentences with their simpler versions, one by one, at random."""

    aligner: Annotated[Aligner, "what finds the simpler version where the data do not say"] = ContextAligner()  # noqa: RUF009
    threshold: Annotated[float, "similarity above which sentences belong together"] = 0.5

    criterion = "simplification"
    effect = 1

    def plan(self, document: TextDocument, rng: np.random.Generator) -> EditPlan:
        versions = self._aligned(document) if document.simpler else self._by_alignment(document)
        edits = [edit for edit in versions if not any(document.leaks(piece.new) for piece in edit)]
        order = shuffled(len(edits), rng)
        if edits:
            return EditPlan([edits[i] for i in order], len(edits))
        if versions:
            return EditPlan((), 0, "every simpler version is a sentence of a reference")
        known = document.simpler or document.simplified
        return EditPlan((), 0, "no sentence has another, simpler version" if known else NO_VERSION)

    def _aligned(self, document: TextDocument) -> list[Edit]:
        """Versions given by the data, if the aligner agrees and more than a heading changes."""
        rows = [i for i, new in enumerate(document.simpler) if new]
        if not rows:
            return []
        sentences = tuple(document.sentence(i) for i in range(len(document.sentences)))
        similarity = self.aligner.align(sentences, tuple(document.simpler[i] for i in rows))
        return [
            (Replacement(*document.sentences[i], document.simpler[i]),)
            for column, i in enumerate(rows)
            if similarity[i, column] >= self.threshold and _bare(document.simpler[i]) != _bare(sentences[i])
        ]

    def _by_alignment(self, document: TextDocument) -> list[Edit]:
        if not document.simplified:
            return []
        sentences = tuple(document.sentence(i) for i in range(len(document.sentences)))
        simpler = tuple(document.simplified[a:b] for a, b in sentence_spans(document.simplified))
        similarity = self.aligner.align(sentences, simpler)
        graph = SentenceGraph(sentences, simpler, (), similarity, np.zeros((len(sentences), 0)))
        edits: list[Edit] = []
        for group in graph.groups(threshold=self.threshold):
            if not group.source or not group.output or graph.change(group) == "kept":
                continue
            if self._has_rival(similarity, group):
                continue
            # The first sentence of the group is replaced by all simpler ones; the others are removed with the space after
            # them.
            new = " ".join(simpler[j] for j in group.output)
            if _bare(new) == _bare(" ".join(sentences[i] for i in group.source)):
                continue
            first, *rest = group.source
            pieces = [Replacement(*document.sentences[first], new)]
            pieces += [_gone(document, i) for i in rest]
            edits.append(tuple(pieces))
        return edits

    def _has_rival(self, similarity: Floats, group: Group) -> bool:
        """Whether a sentence outside the group may belong to it."""
        beyond = similarity.copy()
        beyond[np.ix_(group.source, group.output)] = 0.0
        rows, columns = beyond[list(group.source)], beyond[:, list(group.output)]
        return bool(max(rows.max(initial=0.0), columns.max(initial=0.0)) >= self.aligner.doubtful)

    def missing(self) -> str:
        return self.aligner.missing()


def _bare(sentence: str) -> list[str]:
    """The words of a sentence without its heading ("Conclusions: ...")."""
    plain = unicodedata.normalize("NFKC", sentence).casefold()
    return re.findall(r"\w+", re.sub(r"^[a-z][\w ]{2,30}:\s", "", plain))


def _gone(document: TextDocument, i: int) -> Replacement:
    """The removal of sentence i, which is not the first, with the space before it."""
    return Replacement(document.sentences[i - 1][1], document.sentences[i][1], "")
