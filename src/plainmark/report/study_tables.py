"""The tables of a study's report, for the terminal and for the page."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..meta.coefficients import coefficient
from ..metric import Floats
from ..study.analysis.analyse import Analysis, Means
from ..study.analysis.comprehension import Comprehension, PassageStability, Support
from ..study.analysis.model_agreement import ModelAgreement
from ..study.rewriting import Rewritten
from ..table import Cell, Table
from .study_effects import detail_tables, effect_tables
from .study_sessions import session_tables

UNDERSTOOD = "What readers understood"
STABILITY = "How many passages the ranking needs"
UNANSWERED = "Questions that the text does not answer"
SUPPORT = "Support in the text"
METRICS = "Metrics and people"
MODEL = "Answered by a model"
MODEL_QUESTIONS = "Where model and people differ"
_MOST_QUESTIONS = 40


def tables(analysis: Analysis) -> list[tuple[str, Table]]:
    """Every table that the study has data for, with its heading."""
    out: list[tuple[str, Table]] = []
    read = analysis.comprehension
    out += effect_tables(analysis)
    if read:
        out.append((UNDERSTOOD, comprehension_table(read)))
        for block, understood in analysis.blocks.items():
            out.append((f"{UNDERSTOOD}: block {block}", comprehension_table(understood)))
        if analysis.stability:
            out.append((STABILITY, stability_table(analysis.stability)))
        out.append((UNANSWERED, unanswerable_table(analysis, read)))
        if analysis.support:
            out.append((SUPPORT, support_table(analysis.support)))
    if analysis.sessions:
        out += session_tables(analysis.sessions)
    scores = {
        s.id for s in analysis.study.definition.scores
    }  # what the study is about comes before what it is made of
    out += [
        (f"Rated: {m.dimension}", means_table(m))
        for m in sorted(analysis.means, key=lambda m: m.dimension not in scores)
    ]
    for dimension, won in analysis.preferences.items():
        out.append((f"Preferred: {dimension}", wins_table(won.systems, won.shares, won.pairs)))
    out += [(f"Rewritten: {r.question}", rewritten_table(r)) for r in analysis.rewritten]
    if analysis.model:
        definition = analysis.study.definition
        out.append((MODEL, model_table(analysis.model, [definition.original, *definition.references])))
        out.append((MODEL_QUESTIONS, model_question_table(analysis.model)))
    if analysis.correlations:
        out.append((METRICS, correlation_table(analysis)))
    if analysis.details:
        out += detail_tables(
            analysis.details, analysis.study.definition.conditions, anonymous=analysis.anonymous
        )
    return out


def comprehension_table(read: Comprehension) -> Table:
    """Accuracy, answerability and wrong options, best first."""
    order = sorted(range(len(read.systems)), key=lambda i: read.ranks[i])
    wrong = [o for o in read.options if o != "UA"]
    width = max(map(len, read.letters))
    rows = [
        [
            Cell(read.systems[i]),
            Cell(f"{read.answers[i]:.0f}", float(read.answers[i])),
            Cell(
                f"{with_interval(read.accuracy[i], read.accuracy_interval[i])} {read.letters[i]:{width}}",
                float(read.accuracy[i]),
                read.ranks[i] == 1,
            ),
            Cell(
                with_interval(read.answerability[i], read.answerability_interval[i]),
                float(read.answerability[i]),
                read.answerability[i] == read.answerability.max(),
            ),
            *(Cell(f"{read.shares[o][i]:.2f}", float(read.shares[o][i])) for o in wrong),
            Cell(str(read.ranks[i]), float(read.ranks[i])),
        ]
        for i in order
    ]
    notes = (
        "Percent of answers. Intervals (95%) resample passages, as answers to one passage go together; systems that share"
        " a letter do not differ significantly in accuracy (paired bootstrap over passages, Holm-corrected, p >= 0.05).",
        "B: found the place but misread it; C: took something else from the text; D: no sign of having read it."
        if wrong == ["B", "C", "D"]
        else "",
    )
    headings = ["system", "answers", "right ↑", "answerable ↑", *(o or "none" for o in wrong), "rank"]
    return Table(headings, rows, [n for n in notes if n])


def stability_table(stability: PassageStability) -> Table:
    """Agreement of rankings from subsets with the ranking from all."""
    rows = [
        [Cell(f"{size}"), Cell(_plain(m, 3), float(m)), Cell(_plain(f, 3), float(f))]
        for size, m, f in zip(stability.sizes, stability.mean, stability.fifth, strict=True)
    ]
    note = (
        f"Spearman's rho between the ranking from so many passages and the ranking from all, over {stability.runs} random subsets."
        " The 5th percentile says what an unlucky study of that size would find; accuracies averaged over subsets before"
        " ranking would hide it."
    )
    return Table(["passages", "mean rho", "5th percentile"], rows, [note])


def unanswerable_table(analysis: Analysis, read: Comprehension) -> Table:
    """Questions marked UA: how many, in how many passages, where no other system has any, and on answerable ones."""
    marked = read.unanswerable > 0
    elsewhere = bool(analysis.elsewhere)
    rows = []
    for i in np.argsort(read.unanswerable.sum(axis=1), kind="stable"):
        system = read.systems[i]
        alone = marked[i] & (marked.sum(axis=0) == 1)
        row = [
            Cell(system),
            Cell(f"{read.unanswerable[i].sum():.0f}", float(read.unanswerable[i].sum())),
            Cell(f"{marked[i].sum()}", float(marked[i].sum())),
            Cell(f"{alone.sum()}", float(alone.sum())),
        ]
        if elsewhere:
            share = analysis.elsewhere.get(system, (math.nan, 0))[0]
            row.append(Cell(_plain(share), float(share)))
        rows.append(row)
    headings = ["system", "questions", "passages", "in no other system"]
    notes = []
    if elsewhere:
        count = max((n for _, n in analysis.elsewhere.values()), default=0)
        headings.append("answerable, of those people's versions answer")
        notes.append(
            f"Last column: percent answerable of the {count} questions that readers of all versions written by people answered;"
            " divided by these questions, not by all."
        )
    return Table(headings, rows, notes)


def support_table(support: Support) -> Table:
    """How well the overlap of words predicts unanswerable questions."""
    rows = []
    for name, curve in support.curves.items():
        true, false = support.point(name)
        rows.append(
            [
                Cell(name),
                Cell(f"{curve.area:.3f}", curve.area),
                Cell(f"{true:.3f}", true),
                Cell(f"{false:.3f}", false),
            ]
        )
    marked = int(support.unanswerable.sum())
    note = (
        f"Area under the ROC curve, and the rates where their geometric mean is largest: {marked} questions marked as"
        f" unanswerable against {len(support.unanswerable) - marked} answered right, on texts that no person wrote."
    )
    return Table(["overlap with the text", "area", "true rate", "false rate"], rows, [note])


def means_table(means: Means) -> Table:
    """Means of a dimension with intervals and letters, and how far raters agree."""
    rows = [
        [
            Cell(means.systems[i]),
            Cell(
                f"{with_interval(means.values[i], means.intervals[i])} {means.letters[i]}",
                float(means.values[i]),
            ),
        ]
        for i in means.order()
    ]
    notes = [
        f"{means.ratings} ratings; each item counts once, as the mean of its raters; intervals resample items."
    ]
    if means.agreement is not None:
        agreed = means.agreement
        notes.append(
            f"Agreement of {len(agreed.raters)} raters: Krippendorff's alpha {_plain(agreed.alpha)}, mean over pairs: equal"
            f" {_plain(agreed.mean('absolute'))}, quadratic kappa {_plain(agreed.mean('kappa'))}, Spearman's rho"
            f" {_plain(agreed.mean('spearman'))}."
        )
    return Table(["system", f"{means.dimension}{' ↓' if means.lower else ''}"], rows, notes)


def wins_table(systems: Sequence[str], shares: Floats, pairs: Floats) -> Table:
    """How often the row is preferred to the column."""
    order = np.argsort(-np.nan_to_num(np.nanmean(np.where(pairs > 0, shares, np.nan), axis=1)), kind="stable")
    rows = [
        [
            Cell(systems[i]),
            *(
                Cell(
                    "·" if i == j else f"{100 * shares[i, j]:.0f}% of {pairs[i, j]:.0f}", float(shares[i, j])
                )
                for j in order
            ),
        ]
        for i in order
    ]
    return Table(
        ["preferred to →", *(systems[j] for j in order)],
        rows,
        ["Share of people who preferred the row's text when they saw both; a tie is half."],
    )


def model_table(model: ModelAgreement, humans: Sequence[str]) -> Table:
    """Percent right of people and of a model on the same questions, and how often they gave the same answer."""
    writes = any(not math.isnan(c.own_words[0]) for c in model.conditions)
    rows = []
    for c in sorted(model.conditions, key=lambda c: -c.people[0]):
        columns = [c.people, c.model, c.without_text, *([c.own_words] if writes else []), c.same]
        rows.append([Cell(c.condition), *(Cell(with_interval(v[0], np.array(v[1:])), v[0]) for v in columns)])
    headings = [
        "system",
        "people",
        "model",
        "without the text",
        *(["own words"] if writes else []),
        "same answer",
    ]
    without = "; it has no opinion without a text and guesses" if model.guesses else ""
    notes = [
        f"{model.name}, percent right; intervals (95%) resample items. Guessing gives {model.chance:.0f}%{without}. Options were shown"
        " in a random order. What the model answers right without the text, the question and its options give away.",
        "Same answer: percent of people's answers that are also the model's."
        + (
            " Own words: the option that shares most words with what the model wrote without seeing any."
            if writes
            else ""
        ),
    ]
    value, low, high = model.across_questions
    if not math.isnan(value):
        notes.append(
            f"Over {len(model.questions)} questions, the percent right of people and model correlate at {value:.2f}"
            f" [{low:.2f}, {high:.2f}] (Pearson)."
        )
    both = [(c.condition, c.people[0], c.model[0]) for c in model.conditions]
    worst = min(both, key=lambda b: b[1])[0] if both else ""
    for subset, pairs in (
        ("of all systems", both),
        ("without people's versions", [b for b in both if b[0] not in humans]),
        (f"without {worst}", [b for b in both if b[0] != worst]),
    ):
        if len(pairs) > 2:
            rho = coefficient("spearman", np.array([p[1] for p in pairs]), np.array([p[2] for p in pairs]))
            notes.append(f"Spearman's rho {subset}: {_plain(rho, 3)}.")
    return Table(headings, rows, notes)


def model_question_table(model: ModelAgreement) -> Table:
    """Questions where people and model differ most."""
    shown = sorted(model.questions, key=lambda q: (-abs(q.people - q.model), q.item, q.question))[
        :_MOST_QUESTIONS
    ]
    rows = [
        [
            Cell(f"{q.item} {q.question}"),
            Cell(str(q.answers), float(q.answers)),
            *(Cell(f"{v:.0f}", v) for v in (q.people, q.model, q.without_text)),
        ]
        for q in shown
    ]
    more = len(model.questions) - len(shown)
    notes = ["Percent right: of people's answers, and of the model's over the conditions that people read."]
    notes += (
        [f"The {len(shown)} questions with the largest difference; {more} more are left out."] if more else []
    )
    return Table(["item and question", "answers", "people", "model", "without the text"], rows, notes)


def rewritten_table(rewritten: Rewritten) -> Table:
    """Counts and means of what people wrote."""
    row = [
        Cell(f"{rewritten.rewritings}", float(rewritten.rewritings)),
        Cell(f"{rewritten.people}", float(rewritten.people)),
        Cell(f"{rewritten.sources}", float(rewritten.sources)),
        Cell(f"{rewritten.fewest}", float(rewritten.fewest)),
        Cell(f"{100 * rewritten.length:.0f}%", rewritten.length),
        Cell(f"{100 * rewritten.kept:.0f}%", rewritten.kept),
        Cell(f"{rewritten.alike}", float(rewritten.alike)),
    ]
    headings = ["rewritings", "people", "sentences", "fewest of one", "length", "words kept", "alike"]
    notes = (
        "Length and words kept in order: share of the sentence's words, mean over rewritings. Alike: the same words as another"
        " rewriting of the sentence.",
        "plainmark study export --format references writes them as a reference set.",
    )
    return Table(headings, [row], list(notes))


def correlation_table(analysis: Analysis) -> Table:
    """Metrics against what people said, systems as points."""
    rows = []
    for spec, c in analysis.correlations:
        left = max(c.without.items(), key=lambda w: abs(w[1] - c.value), default=None)
        rows.append(
            [
                Cell(spec),
                Cell(c.dimension),
                Cell(_plain(c.value, 3), float(c.value)),
                Cell(f"[{c.low:.2f}, {c.high:.2f}]" if math.isfinite(c.low) else "–"),
                Cell(f"{left[1]:.3f} without {left[0]}" if left else "–"),
                Cell(str(c.n)),
            ]
        )
    headings = ["metric", "people", "Spearman's rho", "95% interval", "most changed", "systems"]
    return Table(headings, rows, ["Versions written by people are left out."])


def with_interval(value: float, interval: Floats) -> str:
    """A value with its interval: "78.33 [72.2, 84.4]"."""
    low, high = interval
    return f"{value:.2f}" + (f" [{low:.1f}, {high:.1f}]" if math.isfinite(low) else "")


def _plain(value: float, digits: int = 2) -> str:
    return "–" if math.isnan(value) else f"{value:.{digits}f}"
