"""Does the text hold what a question needs? Support(Q), Support(A), and how well they tell unanswerable questions.

    Support(Q) = share of the question's words that the text has, stop words left out
    Support(A) = the same of the right answer's words
Little support should mean that readers mark the question as unanswerable (Agrawal and Carpuat 2024, Figure 4). Compared
are questions marked UA with those answered right, on texts that no person wrote.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass

import numpy as np

from ...errors import InputError
from ...meta.detection import Roc, roc
from ...metric import Floats
from ..definition.loading import Study, options_of
from ..definition.questions import UNANSWERABLE, Mcq, letter
from .responses import Response

_WORD = re.compile(r"\w+(?:['’]\w+)*")

# Words of English that carry grammar rather than content.
STOP_WORDS = frozenset(
    "a about above after again against all also although am an and any are as at be because been before being below "
    "between both but by can could did do does doing done down during each either else ever every few for from further "
    "had has have having he her here hers herself him himself his how however i if in into is it its itself just may me "
    "might mine more most much must my myself neither no nor not now of off on once one only or other our ours ourselves "
    "out over own per quite rather s shall she should since so some such t than that the their theirs them themselves "
    "then there therefore these they this those though through thus to too under until up upon us very was we were what "
    "when where whether which while who whom whose why will with within without would yet you your yours yourself "
    "yourselves".split()
)


@dataclass(frozen=True, eq=False)
class Support:
    """Support of every question and answer, and the curves by which they tell UA from right answers."""

    question: Floats
    answer: Floats
    unanswerable: Floats  # 1 where the reader marked UA
    curves: dict[str, Roc]  # Support(Q), Support(A), and their product

    def point(self, name: str) -> tuple[float, float]:
        """True and false rate where their geometric mean (sensitivity x specificity) is largest."""
        curve = self.curves[name]
        best = int(np.argmax(curve.true_rate * (1 - curve.false_rate)))
        return float(curve.true_rate[best]), float(curve.false_rate[best])


def words(text: str) -> list[str]:
    """Words in lower case, without punctuation."""
    return [w.replace("’", "'") for w in _WORD.findall(text.lower())]


def overlap(needed: Sequence[str], passage: Set[str]) -> float:
    """The share of different needed words that the passage has; 0 if none are needed."""
    wanted = set(needed)
    return len(wanted & passage) / len(wanted) if wanted else 0.0


def support(
    study: Study, found: Sequence[Response], *, without: Sequence[str] = (), stop_words: Set[str] = STOP_WORDS
) -> Support:
    """Support in the texts of all systems but those `without`."""
    asked = {q.id: q for q in study.definition.block.questions if isinstance(q, Mcq)}
    passages: dict[tuple[str, str], set[str]] = {}
    rows = []
    for r in found:
        if (
            not r.key
            or r.system in without
            or r.question not in asked
            or r.value not in (r.key, UNANSWERABLE)
        ):
            continue
        item, question = study.item(r.item), asked[r.question]
        place = (r.item, r.system)
        if place not in passages:
            passages[place] = set(words(item.texts[r.system]))
        options = options_of(question, item)
        right = options[[letter(i) for i in range(len(options))].index(r.key)]
        text = question.text or item.text_of(question.text_field)
        rows.append(
            (
                *(
                    overlap([w for w in words(t) if w not in stop_words], passages[place])
                    for t in (text, right)
                ),
                r.value == UNANSWERABLE,
            )
        )
    marked = np.array([r[2] for r in rows], dtype=bool)
    if not len(rows) or marked.all() or not marked.any():
        raise InputError(
            "support needs questions marked as unanswerable and questions answered right; found only one kind."
        )
    q, a = np.array([r[0] for r in rows]), np.array([r[1] for r in rows])
    scores = {"Support(Q)": q, "Support(A)": a, "Support(A) x Support(Q)": a * q}
    return Support(q, a, marked.astype(np.float64), {name: roc(-v, marked) for name, v in scores.items()})
