"""Adapters for other tools: evaluate's calls and modules, tables of pandas and datasets, training in transformers.

None of these tools is imported before it is used, and none needs another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .data import Corpus
from .errors import InputError, MissingResourceError
from .metric import Metric, Score, metric

if TYPE_CHECKING:
    from transformers import TrainerCallback

Spec = str | Metric
_INPUTS = ("sources", "predictions", "references")


EVALUATE_MODULE = str(Path(__file__).parent / "evaluate_module")
"""The folder for `evaluate.load(EVALUATE_MODULE, "sari")`; any specification may replace "sari"."""


class EvaluatorInputError(InputError, ValueError):
    """Texts that do not belong together; also a ValueError, which evaluate raises."""


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
        self._inputs: dict[str, list[Any]] = {}

    @property
    def inputs(self) -> tuple[str, ...]:
        """The inputs that the metrics need, under evaluate's names "sources", "predictions" and "references"."""
        needs = frozenset[str]().union(*(m.required() for m in self.metrics))
        return (
            *(["sources"] if "source" in needs else []),
            "predictions",
            *(["references"] if "references" in needs else []),
        )

    def add(self, *, prediction: Any = None, reference: Any = None, **inputs: Any) -> None:
        """Add one sample; as in evaluate, the other arguments have plural names: add(prediction=, reference=, sources=)."""
        sample = {"predictions": prediction, "references": reference, **inputs}
        self._add({name: None if value is None else [value] for name, value in sample.items()})

    def add_batch(self, *, predictions: Any = None, references: Any = None, **inputs: Any) -> None:
        """Add several samples; either all batches have sources or none has, and likewise references."""
        self._add({"predictions": predictions, "references": references, **inputs})

    def compute(self, *, predictions: Any = None, references: Any = None, **inputs: Any) -> dict[str, Any]:
        """Scores, parts, counts and signatures by name: sari, sari_keep, sari_defined, sari_samples, sari_signature.

        Added samples are discarded.
        """
        batch = {"predictions": predictions, "references": references, **inputs}
        if any(texts is not None for texts in batch.values()):
            self._add(batch)
        if not self._inputs:
            raise EvaluatorInputError("no predictions; give them to compute() or add them before.")
        columns, self._inputs = self._inputs, {}
        corpus = Corpus(columns.get("sources"), columns["predictions"], columns.get("references"))
        return named([(m, m.score(corpus)) for m in self.metrics])

    def _add(self, batch: dict[str, Any]) -> None:
        if unknown := [name for name in batch if name not in _INPUTS]:
            raise EvaluatorInputError(
                f"{', '.join(unknown)}: no such input; the inputs are {', '.join(_INPUTS)} (in add(): prediction, "
                "reference, sources)."
            )
        columns = {name: list(texts) for name, texts in batch.items() if texts is not None}
        if absent := [name for name in self.inputs if name not in columns]:
            raise EvaluatorInputError(
                f"{', '.join(absent)}: not given; {', '.join(m.name for m in self.metrics)} needs "
                f"{', '.join(self.inputs)}."
            )
        for name in _INPUTS:
            if self._inputs and (name in columns) != (name in self._inputs):
                raise EvaluatorInputError(
                    f"{name}: given with some batches and not with others, expected all or none."
                )
        try:
            Corpus(columns.get("sources"), columns["predictions"], columns.get("references"))
        except InputError as problem:
            raise EvaluatorInputError(str(problem)) from None
        for name, texts in columns.items():
            self._inputs.setdefault(name, []).extend(texts)


def named(scores: Iterable[tuple[Metric, Score]]) -> dict[str, Any]:
    """Scores, parts, counts and signatures in one dictionary; the keys of a metric with options include the options."""
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
    """The table with one more column per metric, which contains the score of every sample. `columns` are as
    in `corpus_of`.
    """
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
        raise InputError("test_set: found no sources, expected texts for the model to simplify.")
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
                arguments["metrics"].update(scores)  # so that the best checkpoint can be chosen by them

    return Callback()
