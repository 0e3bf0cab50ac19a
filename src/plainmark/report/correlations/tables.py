"""Tables and records of correlations with human ratings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...meta.comparison import MetricRanking
from ...meta.correlation import Correlation
from ...meta.evaluation import Evaluation
from ...table import Cell, Table, csv_text
from ..formatting import number, p_short, p_text, signed
from .findings import best_baseline, findings

COEFFICIENTS = {
    "pearson": "Pearson's r",
    "spearman": "Spearman's rho",
    "kendall": "Kendall's tau-b",
    "pairwise": "Kendall-like tau",
}


def caption(evaluation: Evaluation) -> str:
    """The caption of a data set's table: its coefficient, and the data that it was computed from."""
    if not evaluation.rankings:
        return f"{evaluation.title}: percent of pairs in which the unperturbed text scores higher"
    r = evaluation.rankings[0]
    c = r.correlations[0]
    name = COEFFICIENTS[r.task.coefficient]
    if r.task.partial:
        name = f"partial {name} (controlling for {', '.join(r.task.partial)})"
    systems = f"{c.systems} systems" if c.systems != 1 else "unnamed systems"
    texts = f"{r.joined.units:,} source texts"
    scope = {
        "system": f"of {c.systems} systems (means over {texts})",
        "item-means": f"of {texts} (means over {systems})",
        "item": f"over the systems of each item, mean of {c.n} items",
    }.get(
        r.task.level,
        f"of {c.n} {'pairs' if r.task.coefficient == 'pairwise' else 'outputs'}, {systems}, {texts}",
    )
    return f"{evaluation.title}: {name} {scope}"


def correlation_table(evaluation: Evaluation) -> Table:
    """Coefficients with intervals and letters: metrics by dimensions."""
    rankings = evaluation.rankings
    rows = []
    width = [max(map(len, r.letters), default=0) for r in rankings]
    for k in range(len(evaluation.metrics)):
        cells = []
        for r, w in zip(rankings, width, strict=True):
            c = r.correlations[k]
            best = len(evaluation.metrics) > 1 and k == r.order()[0] and math.isfinite(c.value)
            letters = f" {r.letters[k]:{w}}" if len(evaluation.metrics) > 1 else ""
            cells.append(Cell(f"{value_text(c)}{letters}", _plain(c.value), best))
        rows.append([Cell(labelled(evaluation, k)), *cells])
    rows += [[Cell(metric), *(Cell("–") for _ in rankings)] for metric in evaluation.left_out]
    return Table(["metric", *(r.dimension or "rating" for r in rankings)], rows, table_notes(evaluation))


def leave_out_table(evaluation: Evaluation) -> Table | None:
    """The coefficient without the system that changes it most; None if there is only one system."""
    rankings = evaluation.rankings
    if not any(c.without for r in rankings for c in r.correlations):
        return None
    rows = []
    for k, metric in enumerate(evaluation.metrics):
        cells = []
        for r in rankings:
            c = r.correlations[k]
            left = c.without.get(c.most_influential, math.nan)
            cells.append(
                Cell(
                    f"{number(left, 3)} without {c.most_influential}" if c.most_influential else "–",
                    _plain(left),
                )
            )
        rows.append([Cell(metric), *cells])
    alone = []
    for r in rankings:
        values = {s: v for s, v in r.correlations[0].system_identity.items() if math.isfinite(v)}
        system, value = max(values.items(), key=lambda item: abs(item[1]), default=("", math.nan))
        alone.append(Cell(f"{number(value, 3)} {system}" if system else "–"))
    if any(c.text != "–" for c in alone):
        rows.append([Cell("system-identity baseline"), *alone])
    return Table(["one system left out", *(r.dimension or "rating" for r in rankings)], rows)


def rivals_table(evaluation: Evaluation) -> Table | None:
    """Williams's test of every metric against published scores and the best baseline; None without them."""
    rows = []
    for k, metric in enumerate(evaluation.metrics):
        if evaluation.kind(metric) != "metric":
            continue
        published = [j for j, m in enumerate(evaluation.metrics) if evaluation.kind(m) == "published"]
        for j in published:
            cells = [_williams(r, k, j) for r in evaluation.rankings]
            rows.append([Cell(metric), Cell(evaluation.metrics[j]), *cells])
        cells = [_williams(r, k, best_baseline(r), named=True) for r in evaluation.rankings]
        rows.append([Cell(metric), Cell("best baseline"), *cells])
    if all(cell.value is None for row in rows for cell in row[2:]):
        return None
    notes = [
        "difference of the coefficients (positive: the first correlates better) and p of Williams's test, two-sided, "
        "uncorrected, for independent outputs"
    ]
    headings = ["metric", "against", *(r.dimension or "rating" for r in evaluation.rankings)]
    return Table(headings, rows, notes, text_columns=(0, 1))


def _williams(r: MetricRanking, k: int, j: int | None, *, named: bool = False) -> Cell:
    if j is None or not math.isfinite(r.williams[k, j]):
        return Cell("–")
    p = float(r.williams[k, j])
    text = f"{signed(r.difference(k, j), 3)}, {p_text(p)}"
    return Cell(f"{text} ({r.correlations[j].metric})" if named else text, p)


def bias_table(evaluations: Sequence[Evaluation]) -> Table | None:
    """Whether pairwise judges make the same choice when the outputs are exchanged; None without such judges."""
    biases = {(e.title, name): b for e in evaluations for name, b in e.biases.items()}
    if not biases:
        return None
    rows = [
        [
            Cell(name),
            Cell(title),
            Cell(f"{b.pairs:,}", b.pairs),
            Cell(f"{number(100 * b.consistency, 1)} %", _plain(b.consistency)),
            Cell(
                f"{number(100 * b.first, 1)} % [{number(100 * b.low, 1)}, {number(100 * b.high, 1)}]",
                _plain(b.first),
            ),
            Cell(p_short(b.p), _plain(b.p)),
        ]
        for (title, name), b in biases.items()
    ]
    headings = ["judge", "data set", "pairs", "same answer in both orders", "first position wins", "p"]
    notes = [
        "p: sign test of pairs in which the first position won twice against those in which the second did"
    ]
    return Table(headings, rows, notes, text_columns=(0, 1))


def consistency_table(evaluations: Sequence[Evaluation]) -> Table | None:
    """Consistency on every kind of error, ties shown."""
    errors = [(e, d) for e in evaluations for d in e.consistencies]
    if not errors:
        return None
    metrics = list(dict.fromkeys(m for e, _ in errors for m in e.metrics))
    columns = []
    for e, d in errors:
        by_metric = {c.metric: c for c in e.consistencies[d]}
        top = max((c.strict for c in by_metric.values()), default=math.nan)
        columns.append(
            {
                m: Cell(
                    f"{number(c.released, 1)}"
                    + (
                        f" ({number(c.strict, 1)}, {c.ties} tie{'' if c.ties == 1 else 's'})"
                        if c.ties
                        else ""
                    ),
                    _plain(c.strict),
                    c.strict == top and len(metrics) > 1,
                )
                for m, c in by_metric.items()
            }
        )
    rows = [[Cell(m), *(column.get(m, Cell("–")) for column in columns)] for m in metrics]
    notes = [
        "percent of pairs in which the unperturbed text does not score lower, as in released programs; in brackets the "
        "percentage in which it scores higher, where there are ties"
    ]
    return Table(["consistency", *(d for _, d in errors)], rows, notes)


def table_notes(evaluation: Evaluation) -> list[str]:
    """How intervals, letters and ties are defined, and what is undefined or left out."""
    notes = []
    for r in evaluation.rankings[:1]:
        c = next((c for c in r.correlations if math.isfinite(c.value)), r.correlations[0])
        notes.append(f"[{r.task.confidence:.0%} interval: {c.method}]")
        if len(evaluation.metrics) > 1:
            units = {"item": "source texts", "system": "systems", "both": "single outputs"}[r.task.unit]
            notes.append(
                f"metrics that share a letter do not differ significantly (permutation test over {units}, Holm-corrected, "
                f"p >= {1 - r.task.confidence:.2g})"
            )
    ties = [
        f"{c.metric} {c.tied_scores:,}"
        for r in evaluation.rankings[:1]
        for c in r.correlations
        if c.tied_scores
    ]
    if ties:
        notes.append(f"ties (pairs of outputs with equal scores): {', '.join(ties)}")
    undefined = [
        f"{c.metric}, {c.dimension}: {c.reason}"
        for r in evaluation.rankings
        for c in r.correlations
        if c.reason
    ]
    notes += [f"undefined: {u}" for u in undefined]
    notes += [f"left out: {reason}" for reason in evaluation.left_out.values()]
    return notes


def signatures(evaluations: Sequence[Evaluation]) -> list[str]:
    """The signatures of all metrics."""
    return list(dict.fromkeys(s for e in evaluations for s in e.signatures.values()))


def value_text(c: Correlation) -> str:
    """A coefficient and its interval."""
    if not math.isfinite(c.value):
        return "–"
    interval = f" [{number(c.low)}, {number(c.high)}]" if math.isfinite(c.low) else ""
    return f"{number(c.value, 3)}{interval}"


def tables(evaluations: Sequence[Evaluation]) -> list[tuple[str, Table]]:
    """All tables with their captions."""
    out = []
    for e in evaluations:
        if e.rankings:
            out.append((caption(e), correlation_table(e)))
            out += [("", table) for table in (rivals_table(e), leave_out_table(e)) if table]
    biases = bias_table(evaluations)
    if biases:
        out.append(("Pairwise judges: both orders", biases))
    consistency = consistency_table(evaluations)
    if consistency:
        out.append(("Consistency under errors", consistency))
    return out


def text(evaluations: Sequence[Evaluation], *, bold: bool = False) -> str:
    """All tables, findings and signatures for a terminal."""
    parts = [f"{head}\n{t.text(bold=bold)}" if head else t.text(bold=bold) for head, t in tables(evaluations)]
    sentences = "\n".join(_wrapped(f"{head}. {sentence}") for head, sentence in findings(evaluations))
    signed = signatures(evaluations)
    return "\n".join([*parts, sentences, *(["", *signed] if signed else [])]) + "\n"


def markdown(evaluations: Sequence[Evaluation]) -> str:
    """All tables, findings and signatures as Markdown."""
    parts = [f"### {head}\n\n{t.markdown()}" if head else t.markdown() for head, t in tables(evaluations)]
    sentences = "\n".join(f"- **{head}.** {sentence}" for head, sentence in findings(evaluations))
    signed = [f"`{s}`  " for s in signatures(evaluations)]
    return "\n".join([*parts, sentences, *(["", *signed] if signed else [])]) + "\n"


def latex(evaluations: Sequence[Evaluation]) -> str:
    """The tables as LaTeX; captions and findings are comments."""
    parts = [f"% {head}\n{t.latex()}" if head else t.latex() for head, t in tables(evaluations)]
    comments = [f"% {head}. {sentence}" for head, sentence in findings(evaluations)]
    return "\n".join([*parts, *comments, *(f"% {s}" for s in signatures(evaluations))]) + "\n"


def as_csv(evaluations: Sequence[Evaluation]) -> str:
    """One row for each data set, dimension and metric, in full precision."""
    rows = [{k: v for k, v in row.items() if not isinstance(v, (dict, list))} for row in records(evaluations)]
    columns = list(dict.fromkeys(k for row in rows for k in row))
    return csv_text([columns, *(["" if row.get(k) is None else row[k] for k in columns] for row in rows)])


def records(evaluations: Sequence[Evaluation]) -> list[dict[str, Any]]:
    """All values as plain data; undefined is None."""
    out: list[dict[str, Any]] = []
    for e in evaluations:
        for r in e.rankings:
            out += [_record(e, r, k) for k in range(len(r.correlations))]
        for row in e.consistencies.values():
            out += [
                {
                    "dataset": e.name,
                    "dimension": c.dimension,
                    "metric": c.metric,
                    "signature": e.signatures.get(c.metric, ""),
                    "measure": "consistency",
                    "released": _plain(c.released),
                    "strict": _plain(c.strict),
                    "low": _plain(c.low),
                    "high": _plain(c.high),
                    "p": _plain(c.p),
                    "n": c.pairs,
                    "right": c.right,
                    "ties": c.ties,
                    "wrong": c.wrong,
                }
                for c in row
            ]
        out += [
            {"dataset": e.name, "metric": metric, "measure": "left out", "reason": reason}
            for metric, reason in e.left_out.items()
        ]
    return out


def _record(e: Evaluation, r: MetricRanking, k: int) -> dict[str, Any]:
    c = r.correlations[k]
    agreement = e.agreements.get(r.dimension)
    return {
        "dataset": e.name,
        "dimension": c.dimension,
        "metric": c.metric,
        "kind": e.kind(c.metric),
        "signature": e.signatures.get(c.metric, ""),
        "measure": r.task.coefficient,
        "task": r.task.spec,
        "value": _plain(c.value),
        "low": _plain(c.low),
        "high": _plain(c.high),
        "p": _plain(c.p),
        "p_one_sided": _plain(c.p_one_sided),
        "n": c.n,
        "units": c.units,
        "systems": c.systems,
        "method": c.method,
        "letters": r.letters[k] if len(r.correlations) > 1 else "",
        "rank_low": r.rank_interval(k)[0] or None,
        "rank_high": r.rank_interval(k)[1] or None,
        "tied_scores": c.tied_scores,
        "tied_ratings": c.tied_ratings,
        "changed_most_without": c.most_influential,
        "value_without_it": _plain(c.without.get(c.most_influential, math.nan)),
        "raters_alpha": None if agreement is None else _plain(agreement.alpha),
        "unscored": len(c.unscored),
        "reason": c.reason,
        "without": {s: _plain(v) for s, v in c.without.items()},
        "system_identity": {s: _plain(v) for s, v in c.system_identity.items()},
        "p_against": {o.metric: _plain(r.p_values[k, j]) for j, o in enumerate(r.correlations) if j != k},
        "p_williams_against": {
            o.metric: _plain(r.williams[k, j]) for j, o in enumerate(r.correlations) if j != k
        },
        "by_length": [
            {"from": b.low, "to": b.high, "samples": b.samples, "value": _plain(b.value)}
            for b in e.lengths.get((r.dimension, c.metric), ())
        ],
    }


def labelled(evaluation: Evaluation, k: int) -> str:
    """The label of a row, with a mark if lower is better, and with its kind if it is not a computed metric."""
    metric, rankings = evaluation.metrics[k], evaluation.rankings
    kind = evaluation.kind(metric)
    lower = rankings and rankings[0].correlations[k].higher_is_better is False
    return f"{metric}{' ↓' if lower else ''}{'' if kind == 'metric' else f' ({kind})'}"


def _plain(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _wrapped(sentence: str, width: int = 100) -> str:
    import textwrap

    return "\n".join(
        textwrap.wrap(sentence, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    )
