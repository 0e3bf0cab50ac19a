"""What a study takes: blocks, participants, minutes, cost; and what its design cannot measure."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .assignment import cells_of, plan, simulate
from .definition.items import options_of
from .definition.loading import Study
from .definition.questions import FreeText, Matrix, Mcq, Multiselect, Question
from .pages import questions_of
from .rewriting import words

WORDS_PER_MINUTE = 200  # of silent reading in English, on the slow side (Brysbaert 2019: 238)
_SECONDS = {
    "mcq": 12,
    "multiselect": 15,
    "matrix": 6,  # each statement
    "spans": 60,
    "likert": 6,
    "slider": 8,
    "count": 10,
    "pairwise": 10,
    "rank": 6,
    "yesno": 5,
    "text": 40,
}
_MAX_SIMULATED = 3000  # cells; for more, the number of participants is estimated, not simulated


@dataclass(frozen=True)
class Plan:
    """The figures of a plan."""

    cells: int
    overlap: int
    blocks: int
    smallest_block: int
    largest_block: int
    people: int
    most_people: int
    runs: int
    surplus: float
    drop_out: float
    minutes: float
    cost: float
    warnings: tuple[str, ...]


def plan_of(study: Study, *, drop_out: float | None = None, runs: int = 20) -> Plan:
    """The plan of a study: exact blocks, participants by simulating it several times, minutes from the texts."""
    design, pay = study.definition.design, study.definition.payment
    share = pay.drop_out if drop_out is None else min(max(drop_out, 0.0), 0.99)
    items, arms = [i.id for i in study.items], [a.id for a in study.arms]
    cells = cells_of(items, arms, design, study.absent)
    blocks = plan(items, arms, design, study.absent)
    if len(cells) <= _MAX_SIMULATED:
        simulated = [
            simulate(
                items,
                arms,
                design,
                drop_out=share,
                absent=study.absent,
                rng=np.random.default_rng([design.seed, run]),
            )
            for run in range(runs)
        ]
        people, most = math.ceil(sum(s.people for s in simulated) / runs), max(s.people for s in simulated)
        surplus = sum(s.surplus for s in simulated) / runs
        finished = sum(s.finished for s in simulated) / runs
    else:
        # Someone who leaves has answered half of their block on average.
        people = most = math.ceil(len(blocks) / (1 - share / 2))
        surplus, runs, finished = 0.0, 0, people * (1 - share)
    minutes = pay.minutes or estimated_minutes(study)
    return Plan(
        cells=len(cells),
        overlap=design.overlap * len(arms),
        blocks=len(blocks),
        smallest_block=min(map(len, blocks)),
        largest_block=max(map(len, blocks)),
        people=people,
        most_people=most,
        runs=runs,
        surplus=surplus,
        drop_out=share,
        minutes=minutes,
        cost=finished * minutes / 60 * pay.per_hour * (1 + pay.fee),
        warnings=tuple(_warnings(study, len(blocks), len(cells))),
    )


def estimated_minutes(study: Study) -> float:
    """Minutes per participant: reading at an ordinary speed, and some seconds for each question by its type."""
    definition = study.definition
    block = definition.block
    shown = {"text": 1, "source+text": 1, "pair": 2, "grid": len(definition.conditions)}[block.show]
    lengths = [len(words(text)) for item in study.items for text in item.texts.values()]
    sources = [len(words(item.source)) for item in study.items] if definition.shows_source else [0]
    reading = shown * float(np.mean(lengths)) + float(np.mean(sources))
    each = len(definition.conditions) if block.show == "grid" else 1
    item = study.items[0]
    answer_seconds = question_words = 0.0
    for q in block.questions:
        answer_seconds += _seconds(q) * (each if q.type in ("likert", "slider", "count", "rank") else 1)
        options = options_of(q, item) if isinstance(q, (Mcq, Multiselect)) else []
        question_words += sum(len(words(t)) for t in [q.text or item.text_of(q.text_field), *options])
    trial = (reading + question_words) / WORDS_PER_MINUTE + answer_seconds / 60
    rest = 0.0
    for page in definition.pages:
        if page is not block:
            rest += (
                len(words(page.text)) / WORDS_PER_MINUTE
                + sum(_seconds(q) for q in questions_of(page)) / 60
                + 0.1
            )
    return round(trial * definition.design.per_participant + rest, 1)


def _seconds(question: Question) -> int:
    if isinstance(question, FreeText) and question.rewrite:
        return 90
    return _SECONDS[question.type] * (len(question.statements) if isinstance(question, Matrix) else 1)


def _warnings(study: Study, blocks: int, cells: int) -> list[str]:
    definition = study.definition
    design, warnings = definition.design, []
    arms = len(study.arms)
    least = math.ceil(cells / design.per_participant)
    if design.kind == "within" and blocks > least:
        warnings.append(
            f"{blocks} blocks, though {least} would hold all cells: the overlap has too few items for them."
        )
    if design.kind == "within" and design.per_participant > arms > 1 and definition.block.show != "grid":
        warnings.append(
            f"a participant sees {design.per_participant} items in {arms} conditions: some conditions more than once."
        )
    if design.replicates == 1 and not design.overlap:
        warnings.append(
            "no two participants answer the same question, so agreement cannot be measured; set design.overlap."
        )
    if not definition.checks.attention:
        warnings.append("no attention trials.")
    if definition.mode == "live" and not definition.recruit.codes.complete:
        warnings.append(
            "recruit.codes.complete is empty: participants are thanked, but not sent back to the recruiter."
        )
    if definition.mode == "live" and not any(p.kind == "consent" for p in definition.pages):
        warnings.append("no consent page.")
    return warnings
