"""Choosing among candidates by metrics, with written reasons.

Criteria are separated by commas and applied in order: "facts_kept >= 90, quality, samsa".

    quality                          the best; others within 1 point of it pass too, and the next criterion decides
    quality within 3                 the same with another tolerance
    facts_kept >= 90, fkgl <= 8      enough is enough: whatever reaches the bound passes; if nothing does, the nearest
    0.7*quality + 0.3*facts_kept     a weighted sum; metrics of which lower is better are subtracted

The tolerance is 1 for metrics from 0 to 100, and 0 for other metrics, for sums and for the last criterion. The source
itself is always a candidate. If candidates are equal, the source wins, and otherwise the first one. A metric that is
undefined for a candidate (a text without facts) neither helps nor harms it: it counts as the best value of the others.
"""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..data import Corpus
from ..errors import OptionError
from ..lexicon.language import looks_english
from ..metric import Metric, metric
from ..options import shorten
from ..registry import split_specs
from .candidate import Candidate

if TYPE_CHECKING:
    from .backends import Backend

DEFAULT = "facts_kept(part='precision') >= 80, quality"  # from evaluation/choices.py, the development part
SOURCE = "source"  # the origin of the unchanged text

_LOG = logging.getLogger("plainmark.simplifier")
_NUMBER = r"[-+]?\d+(?:\.\d*)?|[-+]?\.\d+"
_BOUND = re.compile(rf"(.+?)\s*(<=|>=)\s*({_NUMBER})")
_WITHIN = re.compile(rf"(.+?)\s+within\s+({_NUMBER})")
_TERM = re.compile(rf"({_NUMBER})\s*\*\s*(.+)")


@dataclass(frozen=True)
class Criterion:
    """A weighted sum of metrics, for which higher is better; values beyond `bound` are enough, and differences within
    `tolerance` do not count.
    """

    text: str
    terms: tuple[tuple[float, Metric], ...]
    tolerance: float = 0.0
    bound: float | None = None
    lower: bool = False  # whether lower is better, so that values are shown with the sign of the metric

    @classmethod
    def parse(cls, text: str, *, last: bool = False) -> Criterion:
        """Parse a criterion; the last one of several has no tolerance by default."""
        spec, tolerance, bound, relation = text.strip(), None, None, ""
        if match := _BOUND.fullmatch(spec):
            spec, relation, bound = match[1], match[2], float(match[3])
        elif match := _WITHIN.fullmatch(spec):
            spec, tolerance = match[1], float(match[2])
        terms = tuple(_term(part) for part in split_specs(spec, "+"))
        alone = terms[0][1] if len(terms) == 1 else None
        lower = alone is not None and alone.higher_is_better is False
        if relation and alone is None:
            raise OptionError(
                f"--choose {shorten(text)!r}: a bound is for one metric, not for a sum of several."
            )
        if relation and (relation == "<=") != lower:
            better, right = ("lower", "<=") if lower else ("higher", ">=")
            raise OptionError(
                f"--choose {shorten(text)!r}: {better} is better of {spec}, so expected {right}."
            )
        if tolerance is not None and tolerance < 0:
            raise OptionError(f"--choose {shorten(text)!r}: expected a tolerance of 0 or more.")
        if tolerance is None:
            percent = alone is not None and alone.bounds == (0.0, 100.0)
            tolerance = 1.0 if percent and not last and bound is None else 0.0
        return cls(text.strip(), terms, tolerance, bound, lower)

    @property
    def name(self) -> str:
        """The metric, or the sum as the user wrote it."""
        return (
            self.terms[0][1].spec
            if len(self.terms) == 1
            else " + ".join(f"{w:g}*{m.spec}" for w, m in self.terms)
        )

    def values(self, scores: dict[str, np.ndarray]) -> np.ndarray:
        """The value that counts for each candidate, higher being better; undefined terms count as the best value of the
        others.
        """
        total = np.zeros(len(next(iter(scores.values()))))
        for weight, own in self.terms:
            sign = -1.0 if own.higher_is_better is False else 1.0
            column = sign * weight * scores[own.spec]
            best = np.nanmax(column) if np.isfinite(column).any() else 0.0
            total += np.where(np.isfinite(column), column, best)
        if self.bound is not None:
            total = np.minimum(total, -self.bound if self.lower else self.bound)
        return total

    def shown(self, scores: dict[str, np.ndarray], i: int) -> str:
        """The value of a candidate for readers: "quality 62.1"."""
        value = sum(
            (1.0 if len(self.terms) == 1 or m.higher_is_better is not False else -1.0) * w * scores[m.spec][i]
            for w, m in self.terms
        )
        return f"{self.name} {value:.1f}" if math.isfinite(value) else f"{self.name} undefined"


def _term(text: str) -> tuple[float, Metric]:
    match = _TERM.fullmatch(text)
    weight, spec = (float(match[1]), match[2]) if match else (1.0, text)
    if weight <= 0:
        raise OptionError(f"--choose {shorten(text)!r}: expected a weight above 0.")
    parsed = metric(spec.strip().lower() if spec.strip().isidentifier() else spec.strip())
    if "references" in parsed.required():
        raise OptionError(
            f"--choose: {parsed.spec} needs references, which do not exist for a text to be simplified."
        )
    if parsed.higher_is_better is None:
        raise OptionError(f"--choose: {parsed.spec} describes a text; neither direction is better.")
    return weight, parsed


def parse_criteria(text: str) -> list[Criterion]:
    """The criteria in order; this machine must be able to compute every metric."""
    parts = list(split_specs(text or DEFAULT))
    if not all(parts):
        raise OptionError(
            f"--choose {shorten(text)!r}: expected metrics separated by commas, such as {DEFAULT!r}."
        )
    criteria = [Criterion.parse(part, last=k == len(parts)) for k, part in enumerate(parts, 1)]
    for criterion in criteria:
        for _, own in criterion.terms:
            own.check_installed()
    return criteria


@dataclass(frozen=True)
class Choice:
    """A text and its candidates, the chosen one first and the others in the order in which they would be chosen.

    `scores` and `reasons` belong to the candidates; both are empty if nothing was compared.
    """

    source: str
    candidates: tuple[Candidate, ...]
    scores: tuple[dict[str, float], ...] = ()
    reasons: tuple[str, ...] = ()

    @property
    def output(self) -> str:
        """The chosen candidate's text."""
        return self.candidates[0].output

    @property
    def reason(self) -> str:
        """The reason for the choice, in words."""
        return self.reasons[0] if self.reasons else ""

    @property
    def rejected(self) -> tuple[tuple[Candidate, str], ...]:
        """The other candidates, each with the reason."""
        return tuple(zip(self.candidates[1:], self.reasons[1:], strict=False))

    def to_dict(self) -> dict[str, Any]:
        """The result as a dictionary for JSON; undefined scores are null."""
        records = []
        for k, candidate in enumerate(self.candidates):
            record = candidate.to_dict()
            if self.reasons:
                record |= {"origin": candidate.origin, "chosen": k == 0, "reason": self.reasons[k]}
                record["scores"] = {n: v if math.isfinite(v) else None for n, v in self.scores[k].items()}
            records.append(record)
        note = self.candidates[0].note
        return {"source": self.source, "output": self.output, "candidates": records} | (
            {"note": note} if note else {}
        )


def simplify(texts: Sequence[str], backends: Sequence[Backend], choose: str = "") -> list[Choice]:
    """The best candidate of each text from some backends; see `Backend.simplify`.

    If metrics choose, texts that do not look like English and empty texts are left alone.
    """
    for backend in backends:
        backend.check_installed()
    if len(backends) == 1 and backends[0].ranked and not choose:
        proposals = backends[0].propose(texts)
        return [
            Choice(text, tuple(own) or (Candidate(text, origin=SOURCE),))
            for text, own in zip(texts, proposals, strict=True)
        ]
    criteria = parse_criteria(choose)
    foreign = other_languages(texts)
    alone = {text for text in texts if not text.strip()} | foreign
    pools: list[list[Candidate]] = [[] for _ in texts]
    for backend in backends:
        asked = [i for i, text in enumerate(texts) if backend.by_place or text not in alone]
        for i, own in zip(asked, backend.propose([texts[i] for i in asked]), strict=True):
            pools[i] += own if texts[i] not in alone else ()
    return [
        replace(choice, reasons=("it does not look like English",)) if choice.source in foreign else choice
        for choice in choose_all(texts, pools, criteria)
    ]


def other_languages(texts: Sequence[str]) -> set[str]:
    """The texts that do not look like English, which are left alone; they are logged once."""
    foreign = {text: None for text in texts if not looks_english(text)}
    if foreign:
        first = next(iter(foreign))[:40]
        _LOG.warning(
            "texts that do not look like English are left alone (%d), such as %r.", len(foreign), first
        )
    return set(foreign)


def choose_all(
    texts: Sequence[str], pools: Sequence[Sequence[Candidate]], criteria: Sequence[Criterion]
) -> list[Choice]:
    """For each text, the choice among its candidates and the text itself; metrics score all texts together."""
    unique = [_unique(text, pool) for text, pool in zip(texts, pools, strict=True)]
    rows = [
        (i, k)
        for i, pool in enumerate(unique)
        for k, candidate in enumerate(pool)
        if len(pool) > 1 and not candidate.problem
    ]
    metrics = list(dict.fromkeys(m for c in criteria for _, m in c.terms))
    columns: dict[str, np.ndarray] = {m.spec: np.zeros(0) for m in metrics}
    if rows:
        # Texts in other languages have no candidates here, unless the user insists on English.
        corpus = Corpus([texts[i] for i, _ in rows], [unique[i][k].output for i, k in rows], language="en")
        columns = {m.spec: m.sample_scores(corpus) for m in metrics}
    owner = np.array([i for i, _ in rows], dtype=int)
    starts = np.searchsorted(owner, np.arange(len(texts) + 1))
    return [
        choose_columns(text, pool, criteria, {n: c[starts[i] : starts[i + 1]] for n, c in columns.items()})
        for i, (text, pool) in enumerate(zip(texts, unique, strict=True))
    ]


def _unique(text: str, pool: Sequence[Candidate]) -> list[Candidate]:
    """The text and its different candidates; equal candidates are merged, with the names of all their origins."""
    out = {text: Candidate(text, origin=SOURCE)}
    for candidate in pool:
        if not candidate.output.strip() and not candidate.problem:
            candidate = replace(candidate, problem="it is empty")
        first = out.setdefault(candidate.output, candidate)
        if candidate.origin not in first.origin.split(", "):
            out[candidate.output] = replace(first, origin=f"{first.origin}, {candidate.origin}")
    return list(out.values())


def choose_columns(
    text: str, pool: Sequence[Candidate], criteria: Sequence[Criterion], scores: dict[str, np.ndarray]
) -> Choice:
    """The choice among candidates, the source first; each metric has a column with the score of every usable candidate."""
    if len(pool) == 1:
        return Choice(text, tuple(pool), ({},), ("there is no other candidate",))
    usable = [k for k, candidate in enumerate(pool) if not candidate.problem]
    unusable = [candidate for candidate in pool if candidate.problem]
    values = [criterion.values(scores) for criterion in criteria]
    left = list(range(len(usable)))
    order: list[int] = []
    reasons: list[str] = []
    while left:
        winner, why = _best(left, criteria, values, scores)
        reasons.append(why if not order else _lost(winner, order[0], criteria, values, scores))
        order.append(winner)
        left.remove(winner)
    return Choice(
        text,
        (*(pool[usable[k]] for k in order), *unusable),
        (*({n: float(c[k]) for n, c in scores.items()} for k in order), *({} for _ in unusable)),
        (*reasons, *(candidate.problem for candidate in unusable)),
    )


def _best(
    left: Sequence[int],
    criteria: Sequence[Criterion],
    values: Sequence[np.ndarray],
    scores: dict[str, np.ndarray],
) -> tuple[int, str]:
    """The remaining candidate after all criteria have been applied, and the criterion that decided."""
    names = []
    for criterion, column in zip(criteria, values, strict=True):
        best = max(column[k] for k in left)
        passed = [k for k in left if column[k] >= best - criterion.tolerance - 1e-9]
        if len(passed) < len(left):
            names.append(criterion)
        left = passed
    winner = left[0]
    if not names:
        return winner, "no criterion tells the candidates apart"
    decided = names[-1]
    said = decided.shown(scores, winner)
    if decided.bound is not None:
        column = values[criteria.index(decided)]
        reached = column[winner] >= (-decided.bound if decided.lower else decided.bound)
        end = f"is {'at most' if decided.lower else 'at least'} {decided.bound:g}"
        return winner, f"{said} {end if reached else f'is nearest to {decided.bound:g}, which none reaches'}"
    return winner, f"{said} is the {'lowest' if decided.lower else 'highest'}" + (
        f" of those that pass {', '.join(c.text for c in names[:-1])}" if len(names) > 1 else ""
    )


def _lost(
    loser: int,
    winner: int,
    criteria: Sequence[Criterion],
    values: Sequence[np.ndarray],
    scores: dict[str, np.ndarray],
) -> str:
    """Why a candidate was not chosen: the first criterion by which the chosen one is better by more than the tolerance."""
    for criterion, column in zip(criteria, values, strict=True):
        best = column[winner]
        if column[loser] < best - criterion.tolerance - 1e-9:
            if criterion.bound is not None:
                relation = "above" if criterion.lower else "below"
                return f"{criterion.shown(scores, loser)} is {relation} {criterion.bound:g}"
            best_value = criterion.shown(scores, winner).removeprefix(f"{criterion.name} ")
            return f"{criterion.shown(scores, loser)}; the chosen one has {best_value}"
    return "no better than the chosen one"
