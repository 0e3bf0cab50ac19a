"""Tables of a study's report about differences, exclusions, surveys, times, questions, subgroups and the design."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..study.analysis.analyse import Analysis, Details
from ..study.analysis.effects import Difference, Effects
from ..study.analysis.exclusions import RULES, Exclusion
from ..table import Cell, Table

DIFFERENCES = "Did conditions differ"
EXCLUDED = "Who was excluded"
EXCLUDED_PEOPLE = "Excluded participants"
SURVEYS = "Survey answers"
TIMES = "Time per page"
QUESTIONS = "Questions: difficulty and discrimination"
ITEMS = "Items: difficulty and discrimination"
SUBGROUPS = "By subgroup"
CHECKS = "Order, carry-over and randomisation"
_MOST_LISTED = 200
_MOST_GROUPS = 4  # that the summary names
_MOST_CONDITIONS = 5  # that a table gives a column each


def effect_tables(analysis: Analysis) -> list[tuple[str, Table]]:
    """The comparison of conditions and, if the database was read, who was left out of it."""
    tables = []
    if analysis.effects:
        tables.append((DIFFERENCES, difference_table(analysis)))
    if analysis.exclusion and analysis.exclusion.rules:
        tables.append((EXCLUDED, exclusion_table(analysis.exclusion)))
        if analysis.exclusion.excluded:
            tables.append((EXCLUDED_PEOPLE, excluded_people_table(analysis.exclusion)))
    return tables


def detail_tables(details: Details, conditions: Sequence[str], *, anonymous: bool) -> list[tuple[str, Table]]:
    """Everything else that was collected, as far as there is any."""
    tables = []
    if details.subgroups:
        tables.append((SUBGROUPS, subgroup_table(details)))
    if details.checks:
        tables.append((CHECKS, check_table(details)))
    if any(t.quartiles[2] > 0 for t in details.times):
        tables.append((TIMES, time_table(details)))
    if details.questions:
        tables.append((ITEMS, item_table(details, conditions, anonymous=anonymous)))
        tables.append((QUESTIONS, question_table(details, anonymous=anonymous)))
    if details.surveys:
        tables.append((SURVEYS, survey_table(details)))
    return tables


def difference_table(analysis: Analysis) -> Table:
    """Every contrast after exclusions, and below it the same without exclusions."""
    effects = analysis.effects
    assert effects is not None
    rows = [
        _difference_row(analysis, d, "" if analysis.effects_everyone is None else "kept")
        for d in effects.differences
    ]
    if analysis.effects_everyone:
        rows += [_difference_row(analysis, d, "everyone") for d in analysis.effects_everyone.differences]
    headings = [
        "contrast",
        "who",
        "right, %",
        "points",
        "odds ratio",
        "p (Holm)",
        "p (perm.)",
        "Cohen's h",
    ]
    return Table(headings, rows, _difference_notes(analysis, effects), text_columns=(0, 1))


def _difference_row(analysis: Analysis, d: Difference, who: str) -> list[Cell]:
    ratio, low, high = d.contrast.odds_ratio
    odds = "not determined" if math.isnan(ratio) else f"{ratio:.2f} [{low:.2f}, {high:.2f}]"
    return [
        Cell(f"{d.other} against {d.one}"),
        Cell(who or "all"),
        Cell(f"{d.accuracy[1]:.1f} / {d.accuracy[0]:.1f}"),
        Cell(f"{d.points:+.1f} [{d.points_interval[0]:+.1f}, {d.points_interval[1]:+.1f}]", d.points),
        Cell(odds, ratio),
        Cell(p_text(d.corrected), d.corrected, d.significant(analysis.study.definition.analysis.level)),
        Cell(p_text(d.permutation_p), d.permutation_p),
        Cell(f"{d.effect:+.2f} [{d.effect_interval[0]:+.2f}, {d.effect_interval[1]:+.2f}]", d.effect),
    ]


def _difference_notes(analysis: Analysis, effects: Effects) -> list[str]:
    model = effects.model
    persons = "reading (people are unknown)" if analysis.anonymous else "participant"
    spread = ", ".join(
        f"{persons if name == 'participant' else name} {value:.2f} ({model.levels[name]})"
        for name, value in model.deviations.items()
    )
    level = f"{analysis.study.definition.analysis.level:.0%}"
    notes = [
        f"Odds ratios of a right answer: logistic mixed model (Laplace), {model.observations:,} answers; standard deviations of"
        f" the random intercepts on the logit scale (levels): {spread}. All conditions at once: chi-square"
        f" {effects.statistic:.2f}, {effects.freedom} degrees of freedom, p {p_text(effects.p)}.",
        f"{level} intervals: Wald for odds ratios; for points and Cohen's h, percentiles of {_drawn(effects)}. p of the"
        f" mixed model is corrected for {len(effects.differences)} contrasts (Holm); the permutation test is not, and errs on the safe side where people read"
        " several conditions.",
    ]
    if analysis.effects_everyone:
        notes.append("Who: kept, after the exclusions of the definition; everyone, without them.")
    if not model.converged:
        notes.append(
            "The mixed model is not determined: a condition is always or never right. Read the permutation test."
        )
    return notes


def _drawn(effects: Effects) -> str:
    return "answers drawn from the model" if effects.units == "model" else f"resampled {effects.units}"


def exclusion_table(exclusion: Exclusion) -> Table:
    """How many participants each rule excludes."""
    rows = [
        [Cell(f"{rule}: {RULES[rule]}"), Cell(str(count), float(count)), Cell(str(alone), float(alone))]
        for rule, (count, alone) in exclusion.counts().items()
    ]
    left = (
        "everyone is analysed, as nobody is left"
        if exclusion.everyone
        else f"{len(exclusion.kept)} are analysed"
    )
    notes = [f"{len(exclusion.out)} of {len(exclusion.participants)} participants are excluded; {left}."]
    if exclusion.uncounted:
        notes.append(uncounted_text(exclusion))
    return Table(["rule", "excluded", "by this rule alone"], rows, notes)


def uncounted_text(exclusion: Exclusion) -> str:
    """Who is in no row, with or without exclusions."""
    count = exclusion.uncounted
    who = "participant whose answers are" if count == 1 else "participants whose answers are"
    return (
        f"Not among them: {count} {who} not counted at all, because they failed attention trials and were replaced"
        " (checks.on_failure) or their work was rejected."
    )


def excluded_people_table(exclusion: Exclusion) -> Table:
    """Every participant with every rule that excludes them."""
    shown = exclusion.excluded[:_MOST_LISTED]
    rows = [[Cell(e.participant), Cell(e.rule), Cell(e.detail)] for e in shown]
    more = len(exclusion.excluded) - len(shown)
    notes = [f"{more} more lines are in `plainmark study export --format participants`."] if more else []
    return Table(["participant", "rule", "detail"], rows, notes, text_columns=(0, 1, 2))


def survey_table(details: Details) -> Table:
    """One row per question and answer."""
    rows = []
    for survey in details.surveys:
        for answer, count in survey.counts:
            share = f"{100 * count / survey.answered:.0f}%" if survey.answered else "–"
            rows.append([Cell(survey.question), Cell(answer), Cell(str(count), float(count)), Cell(share)])
        if not math.isnan(survey.mean):
            middle = f"mean {survey.mean:.1f}, median {survey.median:.1f}"
            rows.append(
                [
                    Cell(survey.question),
                    Cell(middle),
                    Cell(str(survey.answered), float(survey.answered)),
                    Cell(""),
                ]
            )
    notes = ["Of those who are analysed."]
    return Table(["question", "answer", "people", "share"], rows, notes, text_columns=(0, 1))


def time_table(details: Details) -> Table:
    """Seconds per page; of trials by condition."""
    rows = []
    for t in details.times:
        low, middle, high = t.quartiles
        ratio = (
            "–"
            if math.isnan(t.ratio)
            else f"{t.ratio:.2f} [{t.ratio_interval[0]:.2f}, {t.ratio_interval[1]:.2f}]"
        )
        rows.append(
            [
                Cell(f"{t.page} {t.condition}".strip()),
                Cell(str(t.pages), float(t.pages)),
                Cell(f"{middle:.1f}", middle),
                Cell(f"{low:.1f} to {high:.1f}"),
                Cell(ratio, t.ratio),
            ]
        )
    note = "Seconds from opening a page to sending it. Ratio of geometric means against the baseline, participants resampled."
    return Table(["page", "pages", "median", "middle half", "ratio"], rows, [note])


def question_table(details: Details, *, anonymous: bool) -> Table:
    """One row per question of an item, hardest first."""
    rows = []
    for q in sorted(details.questions, key=lambda q: q.accuracy):
        shown = "–" if math.isnan(q.discrimination) else f"{q.discrimination:.2f}"
        spread = [v for v, _ in q.by_condition.values()]
        rows.append(
            [
                Cell(f"{q.item} {q.question}"),
                Cell(q.text[:100]),
                Cell(str(q.answers), float(q.answers)),
                Cell(f"{q.accuracy:.0f}", q.accuracy),
                Cell(f"{min(spread):.0f} to {max(spread):.0f}" if spread else "–"),
                Cell(shown, q.discrimination),
            ]
        )
    rest = "of the same reading" if anonymous else "of the same participant"
    negative = sum(q.discrimination < 0 for q in details.questions)
    notes = [
        f"Discrimination: correlation of a right answer with the share right of all other answers {rest}; – with fewer than"
        f" five answers. {negative} of {len(details.questions)} are negative: with few answers that is often chance; otherwise"
        " check the key and the wording."
    ]
    return Table(
        ["item and question", "text", "answers", "right, %", "by condition", "discrimination"],
        rows,
        notes,
        text_columns=(0, 1),
    )


def item_table(details: Details, conditions: Sequence[str], *, anonymous: bool) -> Table:
    """One row per item, hardest first."""
    read = {c for i in details.items for c in i.by_condition}
    conditions = [c for c in conditions if c in read]
    few = len(conditions) <= _MOST_CONDITIONS
    rows = []
    for i in sorted(details.items, key=lambda i: i.accuracy):
        known = [v for v, _ in i.by_condition.values()]
        columns = [
            Cell(f"{i.by_condition[c][0]:.0f}", i.by_condition[c][0]) if c in i.by_condition else Cell("–")
            for c in conditions
        ]
        rows.append(
            [
                Cell(i.item),
                Cell(str(i.answers), float(i.answers)),
                Cell(f"{i.accuracy:.0f}", i.accuracy),
                *(columns if few else [Cell(f"{min(known):.0f} to {max(known):.0f}" if known else "–")]),
                Cell("–" if math.isnan(i.discrimination) else f"{i.discrimination:.2f}", i.discrimination),
            ]
        )
    who = "reading" if anonymous else "participant"
    notes = [
        f"Percent right. Discrimination: correlation, over {who}s, of the share right in this item with that in all others."
    ]
    headings = [
        "item",
        "answers",
        "right, %",
        *(conditions if few else ["by condition"]),
        "discrimination",
    ]
    return Table(headings, rows, notes)


def subgroup_table(details: Details) -> Table:
    """The contrasts within each subgroup."""
    rows = []
    for group in details.subgroups:
        for one, other, points, low, high in group.differences:
            rows.append(
                [
                    Cell(f"{group.question}: {group.answer}"),
                    Cell(f"{group.people}{' (small)' if group.small else ''}", float(group.people)),
                    Cell(f"{other} against {one}"),
                    Cell(f"{group.accuracy[other][0]:.1f} against {group.accuracy[one][0]:.1f}"),
                    Cell(f"{points:+.1f} [{low:+.1f}, {high:+.1f}]", points),
                ]
            )
    small = [f"{g.question}: {g.answer}" for g in details.subgroups if g.small]
    notes = [
        "Not corrected for the number of subgroups: exploratory, unless a hypothesis of the definition names them."
    ]
    if small:
        notes.append(f"Small, too few people to conclude anything: {', '.join(small)}.")
    return Table(["subgroup", "people", "contrast", "right, %", "points"], rows, notes, text_columns=(0, 2))


def check_table(details: Details) -> Table:
    """The checks of the design."""
    rows = [
        [Cell(c.name), Cell(c.finding), Cell(p_text(c.p), c.p), Cell("look closer" if c.notable else "")]
        for c in details.checks
    ]
    notes = ["A p below 0.01 is worth a look; several checks are made."]
    return Table(["check", "finding", "p", ""], rows, notes, text_columns=(0, 1, 3))


def answers_first(analysis: Analysis) -> list[tuple[str, str]]:
    """Did conditions differ, by how much, for whom, is it enough: headings and sentences."""
    effects = analysis.effects
    if effects is None:
        return []
    level = analysis.study.definition.analysis.level
    found = [d for d in effects.differences if d.significant(level)]
    total = len(effects.differences)
    others = "contrast" if total == 1 else "contrasts"
    known = any(math.isfinite(d.contrast.p) for d in effects.differences)
    verdict = "Yes" if found else "Not significantly" if known else "That cannot be said"
    said = [
        (
            "Did conditions differ?",
            f"{verdict}: {len(found)} of {total} {others} significant after correction"
            f" (mixed model; all conditions at once p {p_text(effects.p)}).",
        )
    ]
    shown = (
        found
        or sorted(effects.differences, key=lambda d: d.contrast.p if d.contrast.p == d.contrast.p else 2)[:1]
    )
    said.append(
        (
            "By how much?",
            " ".join(_sentence(d) for d in shown[:4])
            + (f" {len(shown) - 4} more below." if len(shown) > 4 else ""),
        )
    )
    said.append(("For whom?", _for_whom(analysis, shown[:1])))
    said.append(("Is it enough?", _enough(analysis, effects.differences)))
    if analysis.exclusion and analysis.exclusion.rules:
        place = 0 if analysis.exclusion.everyone else len(said)
        said.insert(place, ("Exclusions", _exclusions(analysis, level)))
    return said


def _sentence(d: Difference) -> str:
    ratio, low, high = d.contrast.odds_ratio
    odds = "" if math.isnan(ratio) else f", odds ratio {ratio:.2f} [{low:.2f}, {high:.2f}]"
    return f"{d.other} {d.points:+.1f} points [{d.points_interval[0]:+.1f}, {d.points_interval[1]:+.1f}] against {d.one}{odds}."


def _for_whom(analysis: Analysis, shown: Sequence[Difference]) -> str:
    people = len({r.rater for r in analysis.responses})
    who = "unknown readers" if analysis.anonymous else "one person" if people == 1 else f"{people} people"
    groups = analysis.details.subgroups if analysis.details else ()
    if not groups:
        return f"For {who} as one group; the definition names no subgroups."
    within = [
        f"{group.question}: {group.answer} ({group.people}) {points:+.1f} [{low:+.1f}, {high:+.1f}]"
        for group in groups
        for one, other, points, low, high in group.differences
        if not group.small and (one, other) in {(d.one, d.other) for d in shown}
    ]
    small = sum(g.small for g in groups)
    said = f"For {who}."
    if within:
        listed = "; ".join(within[:_MOST_GROUPS])
        said += f" Points by subgroup, {shown[0].other} against {shown[0].one}: {listed}."
        said += f" {len(within) - _MOST_GROUPS} more below." if len(within) > _MOST_GROUPS else ""
    if small:
        said += f" {small} of {len(groups)} subgroups {'is' if small == 1 else 'are'} too small to conclude anything."
    return said


def _enough(analysis: Analysis, differences: Sequence[Difference]) -> str:
    matters = analysis.study.definition.analysis.smallest_difference
    unknown = [d for d in differences if not math.isfinite(d.contrast.p)]
    if unknown:
        return (
            f"Not for {len(unknown)} of {len(differences)}: the mixed model is not determined, as a condition is always or never right"
            " or there are too few answers."
        )
    wide = [d for d in differences if d.points_interval[0] < -matters or d.points_interval[1] > matters]
    unclear = [d for d in wide if not d.significant(analysis.study.definition.analysis.level)]
    if not unclear:
        return f"Yes, for differences of {matters:g} points: every contrast is significant or its interval lies within ±{matters:g}."
    return (
        f"Not for {len(unclear)} of {len(differences)}: not significant, and the interval reaches beyond ±{matters:g} points: a"
        " difference that matters is neither shown nor ruled out. plainmark study plan --power --pilot estimates how many people it takes."
    )


def _exclusions(analysis: Analysis, level: float) -> str:
    exclusion, everyone, effects = analysis.exclusion, analysis.effects_everyone, analysis.effects
    assert exclusion is not None
    assert effects is not None
    if exclusion.everyone:
        return f"The rules leave nobody of {len(exclusion.participants)}; results are of everyone."
    counted = f"{len(exclusion.out)} of {len(exclusion.participants)} participants excluded."
    lost = (
        f" {exclusion.uncounted} more are in no result: replaced, or rejected." if exclusion.uncounted else ""
    )
    if everyone is None:
        return counted + lost
    before = {(d.one, d.other): d.significant(level) for d in everyone.differences}
    changed = [
        d
        for d in effects.differences
        if before.get((d.one, d.other), d.significant(level)) != d.significant(level)
    ]
    if not changed:
        return f"{counted} With everyone the conclusions are the same.{lost}"
    names = ", ".join(f"{d.other} against {d.one}" for d in changed)
    return f"{counted} With everyone the conclusion is another one for {names}.{lost}"


def p_text(p: float) -> str:
    """A p-value for people."""
    return "–" if math.isnan(p) else "< 0.001" if p < 0.001 else f"{p:.3f}"
