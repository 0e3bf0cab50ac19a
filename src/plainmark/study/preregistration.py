"""A preregistration of a study as Markdown: design, hypotheses, exclusions, analysis, seed and hash of the definition."""

from __future__ import annotations

import datetime

from .analysis.exclusions import described
from .definition.items import key_of
from .definition.loading import Study
from .definition.pages import RecallPage
from .definition.questions import Mcq, YesNo
from .planning import plan_of
from .power import Power


def preregistration(
    study: Study, *, date: datetime.date | None, power: Power | None = None, answers: int = 0
) -> str:
    """The document; it depends on the definition, its items and the date alone, and on the simulated power if given.

    Without a date it claims to be an analysis plan and nothing more. If live `answers` exist already, it says so first.
    """
    definition = study.definition
    design, plan = definition.design, definition.analysis
    figures = plan_of(study)
    keyed = [
        q.id
        for q in definition.block_questions
        if isinstance(q, (Mcq, YesNo)) and any(key_of(q, i) for i in study.items)
    ]
    hypotheses = [f"{n}. {_line(h)}" for n, h in enumerate(plan.hypotheses, 1)]
    rules = [f"- `{name}`: {_line(sentence)}." for name, sentence in described(study)]
    contrasts = [f"- {_line(other)} against {_line(one)}" for one, other in definition.contrasts]
    lines = [
        f"# {'Preregistration' if date else 'Analysis plan'}: {_line(definition.title)}",
        "",
        *(
            [
                f"**Written after {answers:,} live answers had been stored: it registers nothing in advance.**",
                "",
            ]
            if answers
            else []
        ),
        "| | |",
        "|---|---|",
        f"| study | {definition.id} |",
        *([f"| date | {date.isoformat()} |"] if date else []),
        f"| definition and items (SHA-256) | `{study.digest}` |",
        f"| seed of all random choices | {design.seed} |",
        "",
        "The hash covers study.yaml (without its mode) and every item: `plainmark study check` prints its start, and",
        "`plainmark study report` says if answers were given to another definition.",
        "",
        "## Hypotheses",
        "",
        *(hypotheses or ["None stated: all comparisons are exploratory."]),
        "",
        "## Design",
        "",
        f"- {len(study.items)} items in {len(definition.conditions)} conditions: {', '.join(map(_line, definition.conditions))}.",
        f"- {design.kind.capitalize()} participants; each sees {definition.per_participant} items, none twice; order: {design.order}.",
        *_blocks(study),
        f"- Every item is answered in every condition by {design.replicates}"
        f" participant{'s' if design.replicates > 1 else ''}: {figures.cells} trials in {figures.blocks} booklets.",
        f"- About {figures.people} participants with {figures.drop_out:.0%} drop-outs; recruitment ends when all trials are answered.",
        f"- Questions of {'all blocks' if len(definition.blocks) > 1 else 'each trial'}:"
        f" {', '.join(q.id for q in definition.block_questions)}"
        f"{'; with a right answer: ' if keyed else ''}{', '.join(keyed)}.",
        f"- Attention trials: {len(definition.checks.attention)}.",
        *_quotas(study),
        *_sessions(study),
        "",
        "## Sample size",
        "",
        *_sample_size(power),
        "",
        "## Exclusions",
        "",
        *(["We exclude", "", *rules] if rules else ["Nobody is excluded."]),
        "",
        *_replaced(study),
        "Results are reported with and without exclusions. Late answers and answers of people whose work was rejected are"
        " kept and not counted.",
        "",
        "## Analysis",
        "",
    ]
    if keyed and len(definition.conditions) > 1:
        lines += [
            f"- Outcome: right or wrong answer to {', '.join(keyed)}.",
            f"- Logistic mixed model, maximum likelihood with the Laplace approximation; fixed: condition (baseline"
            f" {_line(definition.baseline)}); random intercepts: {', '.join(plan.random)}.",
            f"- Test: Wald, two-sided, at {1 - plan.level:.3g}, corrected for {len(definition.contrasts)} contrasts (Holm):",
            "",
            *contrasts,
            "",
            f"- Intervals: {plan.level:.0%}; percentage points by answers drawn from the fitted model (parametric bootstrap, 10,000"
            " draws, seed 0), or, if the model is not determined, by resampling"
            f" {'participants' if design.kind == 'between' else 'items'}.",
            "- Check: permutation test (2,000 permutations).",
            f"- A difference of {plan.smallest_difference:g} percentage points would matter.",
        ]
    else:
        lines.append(
            "- Means of scales and shares of preferences with intervals that resample items (10,000 resamples, seed 0)."
        )
    lines += [
        f"- Subgroups by survey answer: {', '.join(plan.subgroups) or 'none'}; fewer than {plan.smallest_group} people are called small.",
        "- Checks: order, carry-over, randomisation, drop-out by condition (between participants).",
        "",
    ]
    return "\n".join(lines)


def _blocks(study: Study) -> list[str]:
    definition = study.definition
    if len(definition.blocks) == 1:
        return []
    order = "as listed" if definition.design.block_order == "fixed" else "drawn for each participant"
    blocks = [
        f"{block.id} ({definition.size_of(block)} of {len(study.items_of(block))} items, shows {block.show}, asks"
        f" {', '.join(q.id for q in block.questions)})"
        for block in definition.blocks
    ]
    return [f"- {len(blocks)} blocks, {order}: {'; '.join(blocks)}."]


def _quotas(study: Study) -> list[str]:
    return [
        f"- At most {quota.people} participants who answered {' or '.join(quota.equals)} to {quota.question}."
        for quota in study.definition.quotas
    ]


def _replaced(study: Study) -> list[str]:
    """People whose answers count nowhere."""
    checks = study.definition.checks
    if not checks.attention or checks.on_failure != "replace":
        return []
    return [
        f"Participants who answer more than {checks.allowed_failures} of {len(checks.attention)} attention trials wrong are"
        " replaced by others. Their answers are kept and are in no result.",
        "",
    ]


def _sessions(study: Study) -> list[str]:
    lines = []
    for number, session in enumerate(study.definition.sessions, 2):
        recalls = [p for p in session.pages if isinstance(p, RecallPage)]
        asked = ", ".join(q.id for p in recalls for q in study.definition.recalled(p).questions)
        shown = "with the texts" if any(p.show == "text" for p in recalls) else "without the texts"
        lines.append(
            f"- Session {number}, {session.opens:g} to {session.closes:g} hours after the one before, asks about the same items"
            f" {shown}: {asked}. The change from session 1 is reported with intervals that resample participants."
        )
    return lines


def _sample_size(power: Power | None) -> list[str]:
    if power is None:
        return ["No power analysis is part of this document (`plainmark study preregister --power`)."]
    a = power.assumptions
    needed = power.needed["model"]
    return [
        f"For {abs(a.difference):g} points between {power.contrast[0]} and {power.contrast[1]} ({100 * a.accuracy:.0f} % right;"
        f" standard deviations on the logit scale: persons {a.person:.2f}, items {a.item:.2f}, questions {a.question:.2f}; {a.source}):",
        *(
            f"- {100 * t:.0f} % power: {f'{n.people} people [{n.low}, {n.high}]' if n else 'more people than were tried'}"
            for t, n in needed.items()
        ),
    ]


def _line(text: str) -> str:
    """Text that stays on one line and cannot begin a table cell or a heading."""
    return " ".join(text.split()).replace("|", "\\|")
