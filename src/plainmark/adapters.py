"""Adapters for other tools: evaluate's compute(), tables of pandas and datasets, training in transformers.

None of these tools is imported before it is used, and none is needed for the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .data import Corpus
from .errors import InputError, MissingResourceError
from .metric import Metric, Score, metric

if TYPE_CHECKING:
    from transformers import TrainerCallback

Spec = str | Metric


class Evaluator:
    """Metrics with the calls of Hugging Face's evaluate: add, add_batch, compute.

    >>> result = Evaluator("sari").compute(
    ...     sources=["The feline sat."], predictions=["The cat sat."], references=[["The cat sat."]]
    ... )
    >>> round(result["sari"], 2), result["sari_signature"].split("|")[0]
    (83.33, 'sari')
    """

    def __init__(self, *metrics: Spec) -> None:
        self.metrics = [metric(m) for m in metrics or ("sari",)]
        self._sources: list[str] = []
        self._outputs: list[str] = []
        self._references: list[str | Sequence[str]] = []

    def add(
        self, *, prediction: str, source: str | None = None, references: str | Sequence[str] | None = None
    ) -> None:
        """Add one sample."""
        self.add_batch(
            predictions=[prediction],
            sources=None if source is None else [source],
            references=None if references is None else [references],
        )

    def add_batch(
        self,
        *,
        predictions: Sequence[str],
        sources: Sequence[str] | None = None,
        references: Sequence[str | Sequence[str]] | None = None,
    ) -> None:
        """Add several samples; either all batches have sources or none has, and likewise references."""
        Corpus(sources, predictions, references)  # raises InputError if their lengths differ
        for name, texts, earlier in (
            ("sources", sources, self._sources),
            ("references", references, self._references),
        ):
            if self._outputs and bool(earlier) != (texts is not None):
                raise InputError(
                    f"{name}: given with some batches and not with others, expected all or none."
                )
        self._outputs += predictions
        self._sources += sources or []
        self._references += references or []

    def compute(
        self,
        *,
        predictions: Sequence[str] | None = None,
        sources: Sequence[str] | None = None,
        references: Sequence[str | Sequence[str]] | None = None,
    ) -> dict[str, Any]:
        """Scores, parts, counts and signatures by name: sari, sari_keep, sari_defined, sari_samples, sari_signature.

        Added samples are discarded.
        """
        if predictions is not None:
            self.add_batch(predictions=predictions, sources=sources, references=references)
        elif sources is not None or references is not None:
            raise InputError("sources or references without predictions; expected predictions too.")
        if not self._outputs:
            raise InputError("no predictions; give them to compute() or add them before.")
        corpus = Corpus(self._sources or None, self._outputs, self._references or None)
        self._sources, self._outputs, self._references = [], [], []
        return named([(m, m.score(corpus)) for m in self.metrics])


def named(scores: Iterable[tuple[Metric, Score]]) -> dict[str, Any]:
    """Scores, parts, counts and signatures in one dictionary; a metric with options has them in its name."""
    out: dict[str, Any] = {}
    for scorer, score in scores:
        out[scorer.spec] = score.value
        out |= {f"{scorer.spec}_{part}": value for part, value in score.parts.items()}
        out[f"{scorer.spec}_defined"], out[f"{scorer.spec}_samples"] = score.defined, score.samples
        out[f"{scorer.spec}_signature"] = score.signature
    return out


def corpus_of(
    table: Any,
    *,
    output: str = "output",
    source: str | None = "source",
    references: str | Sequence[str] | None = "references",
    id: str | None = None,  # noqa: A002 - what the column is called everywhere else
    name: str = "",
) -> Corpus:
    """A corpus from the columns of a pandas DataFrame, a datasets.Dataset or a dictionary of lists.

    `references` is one column (of texts or lists of texts) or several of texts. Columns of the default names may be missing.
    """
    columns = list(
        table.columns
        if hasattr(table, "columns")
        else table.column_names
        if hasattr(table, "column_names")
        else table
    )

    def column(label: str) -> list[Any]:
        if label not in columns:
            raise InputError(f"no column {label!r}; the table has {', '.join(map(str, columns))}.")
        return list(table[label])

    def optional(label: str | None, default: str) -> list[Any] | None:
        return None if label is None or (label == default and label not in columns) else column(label)

    if references is None or isinstance(references, str):
        refs = optional(references, "references")
    else:
        refs = list(zip(*map(column, references), strict=True))
    return Corpus(
        optional(source, "source"),
        column(output),
        refs if refs is None else [r if isinstance(r, str) else list(r) for r in refs],
        ids=None if id is None else [str(i) for i in column(id)],
        name=name,
    )


def with_scores(table: Any, metrics: Sequence[Spec], **columns: Any) -> Any:
    """The table with one more column per metric, the score of every sample. `columns` are those of `corpus_of`."""
    corpus = corpus_of(table, **columns)
    added = {m.spec: m.sample_scores(corpus) for m in map(metric, metrics)}
    if hasattr(table, "assign"):
        return table.assign(**added)
    if hasattr(table, "add_column"):
        for name, values in added.items():
            table = table.add_column(name, values.tolist())
        return table
    return {**table, **{name: values.tolist() for name, values in added.items()}}


def trainer_metrics(
    tokenizer: Any, *metrics: Spec, references: Sequence[Sequence[str]] | None = None
) -> Callable[[Any], dict[str, float]]:
    """A `compute_metrics` for transformers' Seq2SeqTrainer (with predict_with_generate and include_for_metrics=["inputs"]).

    Labels are the only reference unless all references of the evaluation set are given.
    """
    scorers = [metric(m) for m in metrics or ("sari",)]

    def texts(ids: Any) -> list[str]:
        rows = np.asarray(ids)
        rows = np.where(rows < 0, tokenizer.pad_token_id, rows)  # -100 marks tokens that do not count
        return [t.strip() for t in tokenizer.batch_decode(rows, skip_special_tokens=True)]

    def compute(prediction: Any) -> dict[str, float]:
        inputs = getattr(prediction, "inputs", None)
        labels = [[t] for t in texts(prediction.label_ids)] if references is None else references
        corpus = Corpus(None if inputs is None else texts(inputs), texts(prediction.predictions), labels)
        return {m.spec: m.score(corpus).value for m in scorers}

    return compute


def trainer_callback(
    simplify: Callable[[Any, list[str]], Sequence[str]], test_set: Corpus, *metrics: Spec
) -> TrainerCallback:
    """A callback for any transformers Trainer: after each evaluation `simplify(model, sources)` is scored and logged.

    `test_set` has the sources and references; its outputs do not matter. The callback's `history` has (step, scores).
    """
    try:
        from transformers import TrainerCallback
    except ImportError:
        raise MissingResourceError("trainer_callback needs transformers: pip install transformers.") from None
    if test_set.sources is None:
        raise InputError("test_set: no sources, which the model is to simplify.")
    sources = test_set.sources
    scorers = [metric(m) for m in metrics or ("sari",)]

    class Callback(TrainerCallback):  # type: ignore[misc]
        history: list[tuple[int, dict[str, float]]]

        def __init__(self) -> None:
            self.history = []

        def on_evaluate(self, args: Any, state: Any, control: Any, **arguments: Any) -> None:
            corpus = test_set.with_outputs(list(simplify(arguments["model"], sources)))
            scores = {f"eval_{m.spec}": m.score(corpus).value for m in scorers}
            self.history.append((state.global_step, scores))
            state.log_history.append({**scores, "step": state.global_step})
            if isinstance(arguments.get("metrics"), dict):
                arguments["metrics"].update(scores)  # so that the best checkpoint may be chosen by them

    return Callback()
