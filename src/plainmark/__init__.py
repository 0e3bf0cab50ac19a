"""plainmark evaluates text simplification.

>>> import plainmark as pm
>>> corpus = pm.Corpus(["The feline sat."], ["The cat sat."], [["The cat sat."]])
>>> round(pm.metric("sari").score(corpus).value, 2)
83.33
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .data import Corpus, Rating, Ratings, Sample
from .errors import PlainmarkError
from .metric import METRICS, MeanMetric, Metric, Score, __version__, metric

if TYPE_CHECKING:
    from .adapters import Evaluator
    from .aligners import Aligner, aligner
    from .datasets import Dataset, dataset
    from .document import align
    from .meta import Scores, Task, compare_metrics, correlate
    from .perturbations import Perturbation, perturbation
    from .simplifier.model import Simplifier, load_simplifier

# Imported when they are first used, so that the bare import stays light.
_LATER = {
    "Evaluator": "adapters",
    "Aligner": "aligners",
    "aligner": "aligners",
    "align": "document",
    "Dataset": "datasets",
    "Perturbation": "perturbations",
    "perturbation": "perturbations",
    "dataset": "datasets",
    "Scores": "meta",
    "Task": "meta",
    "compare_metrics": "meta",
    "correlate": "meta",
    "Simplifier": "simplifier.model",
    "load_simplifier": "simplifier.model",
}

__all__ = [
    "METRICS",
    "Aligner",
    "Corpus",
    "Dataset",
    "Evaluator",
    "MeanMetric",
    "Metric",
    "Perturbation",
    "PlainmarkError",
    "Rating",
    "Ratings",
    "Sample",
    "Score",
    "Scores",
    "Simplifier",
    "Task",
    "__version__",
    "align",
    "aligner",
    "compare_metrics",
    "correlate",
    "dataset",
    "load_simplifier",
    "metric",
    "perturbation",
]


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(f".{_LATER[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
