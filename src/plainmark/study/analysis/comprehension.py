"""What readers understood: accuracy, answerability and misunderstandings of each system, by passage.

    accuracy        share of questions answered correctly
    answerability   1 - share of questions marked as unanswerable (UA)
    B, C, D         shares of the wrong options, from a misread critical span (B) to no reading at all (D)

Intervals resample passages, as the answers to one passage are not independent. Agrawal and Carpuat 2024.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence, Set
from dataclasses import dataclass

import numpy as np

from ...errors import InputError
from ...meta.agreement import kappa
from ...meta.coefficients import coefficients
from ...meta.detection import Roc, roc
from ...metric import Floats
from ...resampling import (
    bootstrap_weights,
    compact_letters,
    highest_first,
    paired_bootstrap,
    percentile_intervals,
    random_subsets,
)
from ..definition.items import options_of
from ..definition.loading import Study
from ..definition.questions import UNANSWERABLE, Mcq, letter
from .responses import Response

RIGHT = "right"
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
class Comprehension:
    """Every system's shares in percent, with confidence intervals, ranks and significance letters."""

    systems: tuple[str, ...]
    items: tuple[str, ...]
    options: tuple[str, ...]  # the wrong letters that occur, then UA where it is offered
    answers: Floats  # (systems,): how many
    accuracy: Floats  # (systems,)
    accuracy_interval: Floats  # (systems, 2)
    answerability: Floats
    answerability_interval: Floats
    shares: dict[str, Floats]  # B, C, D, UA -> (systems,)
    ranks: tuple[int, ...]  # by accuracy; equal accuracy, equal rank
    p_values: Floats  # (systems, systems), Holm-corrected, of accuracy
    letters: tuple[str, ...]
    right: Floats  # (systems, items): right answers
    unanswerable: Floats  # (systems, items): answers UA
    counts: Floats  # (systems, items): answers


def comprehension(
    responses: Sequence[Response],
    *,
    systems: Sequence[str] = (),
    resamples: int = 10_000,
    level: float = 0.95,
    rng: np.random.Generator | int = 0,
) -> Comprehension:
    """Analyse the responses that have a key."""
    keyed = [r for r in responses if r.key]
    systems = [s for s in systems if any(r.system == s for r in keyed)] or list(
        dict.fromkeys(r.system for r in keyed)
    )
    items = sorted({r.item for r in keyed})
    row = {s: i for i, s in enumerate(systems)}
    column = {s: i for i, s in enumerate(items)}
    shape = (len(systems), len(items))
    kinds = [*sorted({r.value for r in keyed if r.value not in (r.key, UNANSWERABLE)}), UNANSWERABLE]
    tables = {k: np.zeros(shape) for k in (RIGHT, *kinds)}
    for r in keyed:
        if r.system in row:
            tables[RIGHT if r.value == r.key else r.value][row[r.system], column[r.item]] += 1
    counts = np.sum(list(tables.values()), axis=0)
    total = counts.sum(axis=1)
    weights = bootstrap_weights(np.random.default_rng(rng), resamples, len(items))
    drawn_counts = np.maximum(weights @ counts.T, 1e-300)
    right = 100 * (weights @ tables[RIGHT].T) / drawn_counts
    answerable = 100 - 100 * (weights @ tables[UNANSWERABLE].T) / drawn_counts
    accuracy = 100 * tables[RIGHT].sum(axis=1) / total
    p_values = paired_bootstrap(right.T, accuracy)
    return Comprehension(
        systems=tuple(systems),
        items=tuple(items),
        options=tuple(kinds),
        answers=total,
        accuracy=accuracy,
        accuracy_interval=percentile_intervals(right.T, level),
        answerability=100 - 100 * tables[UNANSWERABLE].sum(axis=1) / total,
        answerability_interval=percentile_intervals(answerable.T, level),
        shares={k: 100 * tables[k].sum(axis=1) / total for k in kinds},
        ranks=ranks_of(accuracy),
        p_values=p_values,
        letters=compact_letters(p_values < 1 - level, highest_first(accuracy)),
        right=tables[RIGHT],
        unanswerable=tables[UNANSWERABLE],
        counts=counts,
    )


def ranks_of(values: Floats) -> tuple[int, ...]:
    """1 for the highest; equal values have the same rank."""
    rounded = np.round(values, 9)
    return tuple(1 + int((rounded > v).sum()) for v in rounded)


@dataclass(frozen=True, eq=False)
class PassageStability:
    """How well a ranking from fewer passages agrees with the ranking from all passages: Spearman's rho over runs."""

    sizes: tuple[int, ...]
    mean: Floats  # (sizes,)
    fifth: Floats  # 5th percentile
    runs: int
    rho: Floats  # (sizes, runs)


def rank_stability(
    whole_study: Comprehension,
    *,
    sizes: Sequence[int] = (),
    runs: int = 1000,
    rng: np.random.Generator | int = 0,
) -> PassageStability:
    """Rank the systems on random subsets of passages, drawn without replacement, and compare each run with the whole.

    Averaging the accuracy of all runs first, as Figure 2 of the paper does, hides how much single studies differ.
    """
    n = len(whole_study.items)
    sizes = tuple(sizes) or tuple(k for k in range(10, n + 1, 10)) or (n,)
    rng = np.random.default_rng(rng)
    out = np.full((len(sizes), runs), np.nan)
    for i, size in enumerate(sizes):
        subsets = random_subsets(rng, runs, n, min(size, n))
        counts = subsets @ whole_study.counts.T
        # A system without an answer in a subset cannot be ranked there; such runs are NaN and not counted.
        with np.errstate(invalid="ignore", divide="ignore"):
            accuracy = (subsets @ whole_study.right.T) / counts
        whole = np.broadcast_to(whole_study.accuracy, accuracy.shape)
        usable = np.isfinite(accuracy).all(axis=1)
        if usable.any():
            out[i, usable] = coefficients(
                "spearman", np.round(accuracy[usable], 9), np.round(whole[usable], 9)
            )
    with np.errstate(invalid="ignore"):
        defined = [row[np.isfinite(row)] for row in out]
    mean = np.array([d.mean() if len(d) else math.nan for d in defined])
    fifth = np.array([np.percentile(d, 5) if len(d) else math.nan for d in defined])
    return PassageStability(sizes, mean, fifth, runs, out)


def answerable_elsewhere(
    responses: Sequence[Response], humans: Sequence[str], system: str
) -> tuple[float, int]:
    """Of the questions that no reader of the human versions marked UA, the percentage that readers of this system did not.

    Counted over these questions, not over all (the paper divides by all 180: KIS 53.3 for 38.2).
    """
    answered: dict[tuple[str, str], set[str]] = {}
    unanswerable: set[tuple[str, str]] = set()
    for r in responses:
        if r.system in humans and r.key:
            answered.setdefault((r.item, r.question), set()).add(r.system)
            if r.value == UNANSWERABLE:
                unanswerable.add((r.item, r.question))
    answerable = {q for q, seen in answered.items() if seen >= set(humans)} - unanswerable
    mine = [r for r in responses if r.system == system and (r.item, r.question) in answerable]
    if not mine:
        return math.nan, 0
    return 100 * sum(r.value != UNANSWERABLE for r in mine) / len(mine), len(answerable)


@dataclass(frozen=True)
class AnswerAgreement:
    """Two people on the same question about the same text."""

    pairs: int
    choice: float  # share of equal answers
    kappa_choice: float  # over all options
    kappa_right: float  # right or wrong


def answer_agreement(responses: Sequence[Response]) -> AnswerAgreement:
    """Cohen's kappa of the first two people who answered the same question about the same text."""
    by_question: dict[tuple[str, str, str], list[Response]] = {}
    for r in responses:
        if r.key:
            by_question.setdefault((r.system, r.item, r.question), []).append(r)
    pairs = [v[:2] for v in by_question.values() if len(v) > 1]
    if not pairs:
        return AnswerAgreement(0, math.nan, math.nan, math.nan)
    codes = {v: float(i) for i, v in enumerate(sorted({r.value for p in pairs for r in p}))}
    a, b = (np.array([codes[p[k].value] for p in pairs]) for k in (0, 1))
    right = [np.array([float(p[k].value == p[k].key) for p in pairs]) for k in (0, 1)]
    return AnswerAgreement(
        len(pairs), float((a == b).mean()), kappa(a, b, "none"), kappa(right[0], right[1], "none")
    )


@dataclass(frozen=True, eq=False)
class Support:
    """Support of every question and answer, and the ROC curves that separate UA from correct answers."""

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
    """The share of the different needed words that the passage contains; 0 if none are needed."""
    different = set(needed)
    return len(different & passage) / len(different) if different else 0.0


def support(
    study: Study,
    responses: Sequence[Response],
    *,
    without: Sequence[str] = (),
    stop_words: Set[str] = STOP_WORDS,
) -> Support:
    """Support(Q) and Support(A): the share of the words of the question, or of its correct answer, that the text contains.

    Stop words are left out. Little support should mean that readers mark the question as unanswerable (Agrawal and Carpuat
    2024, Figure 4). Compared are questions marked UA with those answered correctly, on texts of all systems but `without`.
    """
    questions = {q.id: q for q in study.definition.block_questions if isinstance(q, Mcq)}
    passages: dict[tuple[str, str], set[str]] = {}
    rows = []
    for r in responses:
        if (
            not r.key
            or r.system in without
            or r.question not in questions
            or r.value not in (r.key, UNANSWERABLE)
        ):
            continue
        item, question = study.item(r.item), questions[r.question]
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
            "support needs questions marked as unanswerable and questions answered correctly; found only one kind."
        )
    q, a = np.array([r[0] for r in rows]), np.array([r[1] for r in rows])
    scores = {"Support(Q)": q, "Support(A)": a, "Support(A) x Support(Q)": a * q}
    return Support(q, a, marked.astype(np.float64), {name: roc(-v, marked) for name, v in scores.items()})
