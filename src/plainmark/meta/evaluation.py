"""Evaluate several metrics on one data set: every rated dimension, or every type of inserted error."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..data import Corpus, Ratings
from ..errors import InputError, LanguageError, NeedsError
from ..languages.choice import choose
from ..metric import Metric, Wrapper, metric
from .agreement import Agreement, agreement
from .comparison import MetricRanking, rank_metrics
from .preferences import Consistency, PositionBias, consistency, first_of_pairs, is_constructed, is_paired
from .ranking import LengthBin, by_length
from .ratings import check_names, dimensions
from .scores import Kind, Scores
from .task import Task

# The baselines for metrics: word count, share of the source's words that are copied, similarity to the source.
BASELINES = ("length", "copied", "levenshtein")

# With more raters than this, each rated too few outputs for pairwise agreement.
MAX_RATERS = 40


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Metrics on one data set: a ranking for each dimension, or consistencies for constructed pairs."""

    name: str
    title: str
    metrics: tuple[str, ...]
    rankings: tuple[MetricRanking, ...] = ()
    consistencies: Mapping[str, tuple[Consistency, ...]] = field(default_factory=dict)
    agreements: Mapping[str, Agreement] = field(default_factory=dict)
    lengths: Mapping[tuple[str, str], tuple[LengthBin, ...]] = field(
        default_factory=dict
    )  # dimension, metric
    left_out: Mapping[str, str] = field(default_factory=dict)  # metric -> reason
    signatures: Mapping[str, str] = field(default_factory=dict)  # metric -> signature
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    biases: Mapping[str, PositionBias] = field(default_factory=dict)  # names of pairwise judges
    notes: tuple[str, ...] = ()

    def kind(self, metric: str) -> Kind:
        """Whether a row is a metric, published scores or a baseline."""
        return self.kinds.get(metric, "metric")


def score_all(
    metrics: Sequence[Metric],
    corpora: Mapping[str, Corpus],
    *,
    kind: Kind = "metric",
    language: str = "",
    progress: Callable[[str, int, int], None] | None = None,
) -> tuple[list[Scores], dict[str, str]]:
    """The scores of every metric under a short name, and the inputs that other metrics need and the data lack."""
    scores, left_out = [], {}
    for corpus in corpora.values():
        corpus.language = language or corpus.language
    spoken = choose(list(corpora.values()))
    for scorer, name in zip(metrics, short_names(metrics), strict=True):
        try:
            scorer = scorer.in_language(spoken)
            for corpus in corpora.values():
                scorer.check(corpus)
        except LanguageError as problem:
            left_out[name] = str(problem).rstrip(".")
            continue
        except NeedsError as problem:
            left_out[name] = str(problem).partition(";")[0]
            continue

        def done(k: int, total: int, name: str = name) -> None:
            if progress:
                progress(name, k, total)

        scores.append(Scores.of(scorer, corpora, name=name, kind=kind, progress=done))
    return scores, left_out


def baselines(corpora: Mapping[str, Corpus], known: Sequence[Scores] = ()) -> list[Scores]:
    """The scores of the baselines that the data allow, except those that are already known."""
    names = {s.name for s in known}
    spoken = choose(list(corpora.values()))
    absent = [metric(b) for b in BASELINES if b not in names]
    # Words of Japanese need an extra; without it, a baseline is left out.
    return score_all([m for m in absent if not m.in_language(spoken).missing()], corpora, kind="baseline")[0]


def short_names(metrics: Sequence[Metric]) -> list[str]:
    """The name of each metric, or its specification for wrappers and for names that occur twice."""
    names = [m.name for m in metrics]
    return [m.spec if isinstance(m, Wrapper) or names.count(m.name) > 1 else m.name for m in metrics]


def evaluate(
    scores: Sequence[Scores],
    ratings: Ratings,
    *,
    task: str = "",
    only: Sequence[str] = (),
    lower_is_better: Sequence[str] = (),
    controls: Sequence[Scores] = (),
    name: str = "",
    title: str = "",
    lengths: Mapping[str, float] | None = None,
    left_out: Mapping[str, str] | None = None,
    notes: Sequence[str] = (),
    with_agreement: bool = True,
    progress: Callable[[str, int, int], None] | None = None,
) -> Evaluation:
    """Correlate scores with the ratings in all dimensions (or `only` some).

    Preferences between two outputs are counted as pairs, by majority, unless the task says otherwise; constructed pairs
    give consistencies. `lower_is_better` names dimensions of errors and difficulty. `lengths` (sample -> length) adds a
    coefficient for each bin of source length. `with_agreement=False` omits agreement, for raters who did not judge the same
    outputs. `controls` are scores that the task controls for and that have no row of their own.
    """
    known = dimensions(ratings)
    if not known:
        raise InputError(f"{name or 'the data'}: there are no ratings.")
    check_names("dimensions", only, dict.fromkeys(known))
    rated = [d for d in known if not only or d in only]
    metrics, level = tuple(s.name for s in scores), Task.parse(task).level
    base = {
        "left_out": dict(left_out or {}),
        "signatures": {s.name: s.signature(level) for s in scores if s.signature(level)},
        "kinds": {s.name: s.kind for s in scores},
        "notes": tuple(notes),
    }
    if is_constructed(ratings):
        consistencies = {
            d: tuple(consistency(Task.parse(task, dimension=d), s, ratings) for s in scores) for d in rated
        }
        return Evaluation(name, title or name, metrics, consistencies=consistencies, **base)  # type: ignore[arg-type]
    paired = is_paired(ratings)
    rankings, agreements, bins = [], {}, {}
    for d in rated:
        of_dimension = dimension_task(task, ratings, d, lower_is_better, paired=paired)

        def done(k: int, total: int, d: str = d) -> None:
            if progress:
                progress(f"{name} {d}", k, total)

        rankings.append(rank_metrics(of_dimension, scores, ratings, controls=controls, progress=done))
        raters = {r.rater for r in ratings if r.dimension == d}
        if with_agreement and 2 <= len(raters) <= MAX_RATERS:
            # In a preference, one side determines the other.
            agreements[d] = agreement(of_dimension, first_of_pairs(ratings) if paired else ratings)
        if lengths and of_dimension.level == "segment":
            for s in scores:
                bins[d, s.name] = tuple(
                    by_length(of_dimension, s, ratings, lengths, controls=[*controls, *scores])
                )
    return Evaluation(
        name,
        title or name,
        metrics,
        rankings=tuple(rankings),
        agreements=agreements,
        lengths=bins,
        **base,  # type: ignore[arg-type]
    )


def dimension_task(
    task: str,
    ratings: Ratings,
    dimension: str,
    lower_is_better: Sequence[str] = (),
    *,
    paired: bool | None = None,
) -> Task:
    """The task of one dimension: preferences are counted as pairs, by majority, unless the task says otherwise."""
    defaults = {"dimension": dimension, "better": "lower" if dimension in lower_is_better else "higher"}
    if is_paired(ratings) if paired is None else paired:
        defaults |= {"coefficient": "pairwise", "raters": "majority"}
    return Task.parse(task, **defaults)


def merge_error_types(evaluations: Sequence[Evaluation]) -> list[Evaluation]:
    """Merge the evaluations of several error types of one collection."""
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
    """Sample -> number of words of its source text."""
    out: dict[str, float] = {}
    for corpus in corpora.values():
        for sample, source in zip(corpus.ids, corpus.sources or [], strict=corpus.sources is not None):
            out[sample] = float(len(source.split()))
    return out
