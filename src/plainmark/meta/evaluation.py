"""All of a data set: every metric against every dimension that people rated, or on every kind of error put in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..data import Corpus, Ratings
from ..errors import InputError, NeedsError
from ..metric import Metric, Wrapper
from .agreement import Agreement, agreement
from .comparison import MetricRanking, rank_metrics
from .people import check_names, dimensions
from .preferences import Consistency, consistency, first_of_pairs, is_constructed, is_paired
from .ranking import Bin, by_length
from .scores import Scores
from .task import Task

# More raters than this are a crowd: each saw too little for a matrix of pairs.
CROWD = 40


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Metrics on one data set: a ranking for each dimension, or consistencies where pairs were made."""

    name: str
    title: str
    metrics: tuple[str, ...]
    rankings: tuple[MetricRanking, ...] = ()
    consistencies: Mapping[str, tuple[Consistency, ...]] = field(default_factory=dict)
    agreements: Mapping[str, Agreement] = field(default_factory=dict)
    lengths: Mapping[tuple[str, str], tuple[Bin, ...]] = field(default_factory=dict)  # dimension, metric
    left_out: Mapping[str, str] = field(default_factory=dict)  # metric -> why
    signatures: Mapping[str, str] = field(default_factory=dict)  # metric -> which version of it
    notes: tuple[str, ...] = ()


def score_all(
    metrics: Sequence[Metric],
    corpora: Mapping[str, Corpus],
    *,
    progress: Callable[[str, int, int], None] | None = None,
) -> tuple[list[Scores], dict[str, str]]:
    """Every metric's scores under a short name, and why some metrics have none: the data lack what they need."""
    found, left_out = [], {}
    for metric, name in zip(metrics, short_names(metrics), strict=True):
        try:
            for corpus in corpora.values():
                metric.check(corpus)
        except NeedsError as problem:
            left_out[name] = str(problem).partition(";")[0]
            continue

        def done(k: int, of: int, name: str = name) -> None:
            if progress:
                progress(name, k, of)

        found.append(Scores.of(metric, corpora, name=name, progress=done))
    return found, left_out


def short_names(metrics: Sequence[Metric]) -> list[str]:
    """The name of each metric, or its specification where a name occurs twice and for metrics made of others."""
    names = [m.name for m in metrics]
    return [m.spec if isinstance(m, Wrapper) or names.count(m.name) > 1 else m.name for m in metrics]


def evaluate(
    scores: Sequence[Scores],
    ratings: Ratings,
    *,
    task: str = "",
    only: Sequence[str] = (),
    name: str = "",
    title: str = "",
    lengths: Mapping[str, float] | None = None,
    left_out: Mapping[str, str] | None = None,
    notes: Sequence[str] = (),
    agreeing: bool = True,
    progress: Callable[[str, int, int], None] | None = None,
) -> Evaluation:
    """Scores against the ratings in all dimensions (or `only` some).

    Choices between two outputs are counted as pairs, by majority, unless the task says otherwise; pairs that were made
    by harming one output give consistencies. `lengths` (sample -> length) adds a coefficient for each bin of lengths;
    `agreeing=False` leaves out agreement, where raters are no people who judged the same things.
    """
    known = dimensions(ratings)
    if not known:
        raise InputError(f"{name or 'the data'}: there are no ratings.")
    check_names("dimensions", only, dict.fromkeys(known))
    chosen = [d for d in known if not only or d in only]
    metrics, level = tuple(s.name for s in scores), Task.parse(task).level
    base = {
        "left_out": dict(left_out or {}),
        "signatures": {s.name: s.signature(level) for s in scores if s.signature(level)},
        "notes": tuple(notes),
    }
    if is_constructed(ratings):
        found = {
            d: tuple(consistency(Task.parse(task, dimension=d), s, ratings) for s in scores) for d in chosen
        }
        return Evaluation(name, title or name, metrics, consistencies=found, **base)  # type: ignore[arg-type]
    defaults = {"coefficient": "pairwise", "raters": "majority"} if is_paired(ratings) else {}
    rankings, agreements, bins = [], {}, {}
    for d in chosen:
        one = Task.parse(task, **{**defaults, "dimension": d})

        def done(k: int, of: int, d: str = d) -> None:
            if progress:
                progress(f"{name} {d}", k, of)

        rankings.append(rank_metrics(one, scores, ratings, progress=done))
        raters = {r.rater for r in ratings if r.dimension == d}
        if agreeing and 2 <= len(raters) <= CROWD:
            # Of a choice between two, one side says all.
            agreements[d] = agreement(one, first_of_pairs(ratings) if defaults else ratings)
        if lengths and one.level == "sample":
            for s in scores:
                bins[d, s.name] = tuple(by_length(one, s, ratings, lengths))
    return Evaluation(
        name,
        title or name,
        metrics,
        rankings=tuple(rankings),
        agreements=agreements,
        lengths=bins,
        **base,  # type: ignore[arg-type]
    )


def together(evaluations: Sequence[Evaluation]) -> list[Evaluation]:
    """Several kinds of error from one collection as one evaluation."""
    out: list[Evaluation] = []
    for e in evaluations:
        same = [i for i, o in enumerate(out) if o.consistencies and e.consistencies and o.title == e.title]
        if same:
            before = out[same[0]]
            out[same[0]] = replace(
                before,
                name=e.name.partition("(")[0],
                consistencies={**before.consistencies, **e.consistencies},
            )
        else:
            out.append(e)
    return out


def source_lengths(corpora: Mapping[str, Corpus]) -> dict[str, float]:
    """Sample -> words of its source text."""
    out: dict[str, float] = {}
    for corpus in corpora.values():
        for sample, source in zip(corpus.ids, corpus.sources or [], strict=corpus.sources is not None):
            out[sample] = float(len(source.split()))
    return out
