"""A language model that compares two outputs of one source, in both orders.

Models tend to prefer what they read first (or last), so every pair is judged twice, with the outputs exchanged. A pair is
consistent if the same output wins both times. Position bias shows in the inconsistent pairs: without it, as many choose
the first version twice as the second (sign test). An output's score is the share of its comparisons that it won, a tie
counting half; it compares outputs of one source only, so item level and pairwise coefficients suit it.

Reference: Wang et al. 2024, Large Language Models are not Fair Evaluators, ACL.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from ..asking import VERSION, built_in_prompt
from ..data import Corpus
from ..errors import InputError, OptionError
from ..judge import Reply, RetryError, Usage
from ..metric import Floats, Metric, metric
from ..metrics.judge import Judge
from .preferences import PositionBias, position_bias
from .scores import Cell, Scores, units_of

QUESTIONS = {
    "simplicity": "Which version is simpler, that is, easier to understand?",
    "fluency": "Which version reads better, as correct and natural language?",
    "meaning": "Which version says more truly what the text says, without leaving out what matters or adding to it?",
}
_ANSWER = re.compile(r"\W*(?:version\s+)?(a|b|tie)\b\W*", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class PairwiseJudgement:
    """Pairs of outputs and the verdicts of a judge: 1 if the first of the pair won, 0 if the second did."""

    name: str
    pairs: tuple[tuple[Cell, Cell], ...]
    forward: Floats  # the first of the pair shown first; .5 for a tie, NaN without an answer
    backward: Floats  # the first of the pair shown second
    units: Mapping[str, str] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    reasons: Mapping[int, str] = field(default_factory=dict)  # pair -> the reason why it has no answer

    def position_bias(self, confidence: float = 0.95) -> PositionBias:
        """Consistency and position bias of the judge."""
        return position_bias(self.forward, self.backward, confidence)

    def scores(self) -> Scores:
        """The share of comparisons that each output won, both orders counted."""
        won: dict[Cell, list[float]] = {}
        for (a, b), forward, backward in zip(self.pairs, self.forward, self.backward, strict=True):
            share = (forward + backward) / 2
            if math.isfinite(share):
                won.setdefault(a, []).append(share)
                won.setdefault(b, []).append(1 - share)
        return Scores(
            self.name, {cell: float(np.mean(shares)) for cell, shares in won.items()}, units=self.units
        )


def judge_pairs(
    judge: str | Metric, corpora: Mapping[str, Corpus], *, most: int = 0, seed: int = 0
) -> PairwiseJudgement:
    """Let a judge compare pairs of different outputs of one source, in both orders.

    `most` limits the pairs of each source, which are then drawn at random.
    """
    model = metric(judge)
    if not isinstance(model, Judge):
        raise OptionError(
            f"pairwise: found {model.name}, expected a judge such as judge(url='…', model='…')."
        )
    if model.dimension not in QUESTIONS or model.prompt != VERSION:
        raise OptionError(
            f"pairwise: a judge compares by {', '.join(QUESTIONS)} with built-in prompts; found "
            f"dimension={model.dimension!r}, prompt={model.prompt!r}."
        )
    outputs, sources, units = _outputs(corpora)
    pairs = _pairs(outputs, units, most, np.random.default_rng(seed))
    if not pairs:
        raise InputError("pairwise: no source has two different outputs to compare.")
    template = built_in_prompt("pairwise").replace("{question}", QUESTIONS[model.dimension])

    def prompt(source: str, first: str, second: str) -> str:
        texts = {"{source}": source, "{first}": first, "{second}": second}
        return re.sub(r"\{(?:source|first|second)\}", lambda m: texts[m[0]], template)

    forward = [prompt(sources[a], outputs[a], outputs[b]) for a, b in pairs]
    backward = [prompt(sources[a], outputs[b], outputs[a]) for a, b in pairs]
    answers, failed, usage = model.ask_all(
        [*forward, *backward],
        lambda endpoint, text: endpoint.ask(
            text, _read_answer, temperature=0.0, max_tokens=model.max_tokens or 0
        ),
    )
    reasons = {
        i: failed[text]
        for i, asked in enumerate(zip(forward, backward, strict=True))
        for text in asked
        if text in failed
    }
    return PairwiseJudgement(
        f"{model.model} (pairwise)",
        tuple(pairs),
        np.array([answers.get(p, math.nan) for p in forward]),
        np.array([1 - answers[p] if p in answers else math.nan for p in backward]),
        units_of(corpora),
        usage,
        reasons,
    )


def _outputs(
    corpora: Mapping[str, Corpus],
) -> tuple[dict[Cell, str], dict[Cell, str], dict[Cell, str]]:
    """Every output, its source, and the first sample with that source text."""
    units = units_of(corpora)
    samples = [((system, sample.id), sample) for system, corpus in corpora.items() for sample in corpus]
    return (
        {cell: sample.output for cell, sample in samples},
        {cell: sample.source for cell, sample in samples},
        {cell: units.get(sample.id, sample.id) for cell, sample in samples},
    )


def _pairs(
    outputs: Mapping[Cell, str], units: Mapping[Cell, str], most: int, rng: np.random.Generator
) -> list[tuple[Cell, Cell]]:
    by_unit: dict[str, list[Cell]] = {}
    for cell, unit in units.items():
        by_unit.setdefault(unit, []).append(cell)
    out: list[tuple[Cell, Cell]] = []
    for cells in by_unit.values():
        pairs = [(a, b) for a, b in combinations(cells, 2) if outputs[a] != outputs[b]]
        if most and len(pairs) > most:
            pairs = [pairs[i] for i in sorted(rng.choice(len(pairs), most, replace=False))]
        out += pairs
    return out


def _read_answer(reply: Reply) -> float:
    match = _ANSWER.fullmatch(reply.text)
    if match is None:
        raise RetryError("the reply is not A, B or tie")
    return {"a": 1.0, "b": 0.0, "tie": 0.5}[match[1].lower()]
