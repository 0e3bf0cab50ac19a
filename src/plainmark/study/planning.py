"""What a study takes: booklets, participants, minutes, cost; and what its design cannot measure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from .assignment import TrialCell, cells_of_blocks, plan_blocks, simulate_blocks
from .definition.items import options_of
from .definition.loading import Study
from .definition.pages import BlockPage, RecallPage
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
    """The plan of a study: exact booklets, participants by simulating it several times, minutes from the texts."""
    design, pay, shapes = study.definition.design, study.definition.payment, study.shapes
    share = pay.drop_out if drop_out is None else min(max(drop_out, 0.0), 0.99)
    cells = cells_of_blocks(shapes, design, study.absent)
    blocks = plan_blocks(shapes, design, study.absent)
    if len(cells) <= _MAX_SIMULATED:
        simulated = [
            simulate_blocks(
                shapes,
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
        overlap=design.overlap * sum(len(s.arms) for s in shapes),
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
        warnings=tuple(_warnings(study, blocks, cells)),
    )


def estimated_minutes(study: Study) -> float:
    """Minutes per participant, in all sessions: reading at an ordinary speed, and some seconds for each question by its type."""
    definition = study.definition
    minutes = sum(definition.size_of(block) * _trial_minutes(study, block) for block in definition.blocks)
    for number in range(1, len(definition.sessions) + 2):
        for page in definition.pages_of(number):
            if isinstance(page, RecallPage):
                block = definition.recalled(page)
                reads = page.show == "text"
                minutes += definition.size_of(block) * _trial_minutes(study, block, reads=reads)
            elif not isinstance(page, BlockPage):
                answer_seconds = sum(_seconds(q) for q in questions_of(page))
                minutes += len(words(page.text)) / WORDS_PER_MINUTE + answer_seconds / 60 + 0.1
    return round(minutes, 1)


def _trial_minutes(study: Study, block: BlockPage, *, reads: bool = True) -> float:
    definition, items = study.definition, study.items_of(block)
    shown = {"text": 1, "source+text": 1, "pair": 2, "grid": len(definition.conditions)}[block.show]
    lengths = [len(words(text)) for item in items for text in item.texts.values()]
    sources = [len(words(item.source)) for item in items] if block.shows_source else [0]
    reading = shown * float(np.mean(lengths)) + float(np.mean(sources)) if reads else 0.0
    each = len(definition.conditions) if block.show == "grid" else 1
    answer_seconds = question_words = 0.0
    for q in block.questions:
        answer_seconds += _seconds(q) * (each if q.type in ("likert", "slider", "count", "rank") else 1)
        options = options_of(q, items[0]) if isinstance(q, (Mcq, Multiselect)) else []
        question_words += sum(len(words(t)) for t in [q.text or items[0].text_of(q.text_field), *options])
    return (reading + question_words) / WORDS_PER_MINUTE + answer_seconds / 60


def _seconds(question: Question) -> int:
    if isinstance(question, FreeText) and question.rewrite:
        return 90
    return _SECONDS[question.type] * (len(question.statements) if isinstance(question, Matrix) else 1)


def _conspicuous(study: Study) -> Iterator[str]:
    """Attention trials that anybody can tell from the others by their number of questions or options."""
    definition, item = study.definition, study.items[0]
    questions = sorted({len(b.questions) for b in definition.blocks})
    closed = [q for q in definition.block_questions if isinstance(q, Mcq)]
    options = sorted({len(options_of(q, item)) + bool(q.unanswerable) for q in closed})
    for number, attention in enumerate(definition.checks.attention, 1):
        asked, question = len(attention.asked), attention.question
        shown = len(question.options) + bool(question.unanswerable)
        for found, usual, name, remedy in (
            (asked, questions, "questions", "add some in others"),
            (shown, options, "options", "give it as many"),
        ):
            if usual and found not in usual:
                yield (
                    f"attention trial {number} has {found} {name if found != 1 else name[:-1]} where other trials have"
                    f" {' or '.join(map(str, usual))}, which gives it away; {remedy}."
                )


def _warnings(study: Study, booklets: Sequence[Sequence[TrialCell]], cells: Sequence[TrialCell]) -> list[str]:
    definition = study.definition
    design, warnings = definition.design, []
    blocks = len(booklets)
    counts = Counter(c.block for c in cells)
    needs = {s.id: math.ceil(counts[s.id] / s.size) for s in study.shapes}
    least = max(needs.values())
    if design.kind == "within" and blocks > least:
        warnings.append(
            f"{blocks} booklets, though {least} would hold all cells: some items or conditions have too many readings for them."
        )
    if min(needs.values()) < 0.9 * least:
        needed = ", ".join(f"{name} {n}" for name, n in needs.items())
        rest = "design.fill asks the rest again" if design.fill else "the rest see fewer items"
        warnings.append(
            f"blocks need different numbers of people ({needed}), and {rest}; per_participant of a block can even that out."
        )
    for block, shape in zip(definition.blocks, study.shapes, strict=True):
        size = sum(s.size for s in study.shapes if s.arms == shape.arms)
        if design.kind == "within" and size > len(shape.arms) > 1 and block.show != "grid":
            warnings.append(
                f"a participant sees {size} items in {len(shape.arms)} conditions: some conditions more than once."
            )
            break
    if design.replicates == 1 and not design.overlap:
        warnings.append(
            "no two participants answer the same question, so agreement cannot be measured; set design.overlap."
        )
    if not definition.checks.attention:
        warnings.append("no attention trials.")
    warnings += _conspicuous(study)
    if definition.mode == "live" and not definition.recruit.codes.complete:
        warnings.append(
            "recruit.codes.complete is empty: participants are thanked, but not sent back to the recruiter."
        )
    if definition.mode == "live" and not any(p.kind == "consent" for p in definition.pages):
        warnings.append("no consent page.")
    return warnings
