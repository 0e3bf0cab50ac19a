"""plainmark evaluates text simplification.

>>> import plainmark as pm
>>> corpus = pm.Corpus(["The feline sat."], ["The cat sat."], [["The cat sat."]])
>>> round(pm.metric("sari").score(corpus).value, 2)
83.33
>>> round(pm.score("examples/careful.txt", source="examples/source.txt",
...                references="examples/reference.*")["careful", "sari"].value, 2)  # doctest: +SKIP
69.31
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from .data import Corpus, Rating, Ratings, Sample
from .errors import PlainmarkError
from .metric import METRICS, MeanMetric, Metric, Score, __version__, metric

if TYPE_CHECKING:
    from .adapters import Evaluator
    from .aligners import Aligner, aligner
    from .api.comparison import compare, report
    from .api.explanations import explain
    from .api.facts import facts
    from .api.leaderboards import leaderboard
    from .api.scores import score
    from .api.stress_test import stress
    from .api.study_report import study
    from .datasets import Dataset, dataset
    from .document import align
    from .meta import Scores, Task, compare_metrics, correlate
    from .perturbations import Perturbation, perturbation
    from .result import Result
    from .simplifier.backends import simplifier
    from .simplifier.model import Simplifier, load_simplifier

# imported on first use, so that a bare import stays light
_LATER = {
    "Evaluator": "adapters",
    "Aligner": "aligners",
    "aligner": "aligners",
    "align": "document",
    "Dataset": "datasets",
    "Perturbation": "perturbations",
    "perturbation": "perturbations",
    "dataset": "datasets",
    "Result": "result",
    "Scores": "meta",
    "Task": "meta",
    "compare": "api.comparison",
    "compare_metrics": "meta",
    "correlate": "meta",
    "explain": "api.explanations",
    "facts": "api.facts",
    "leaderboard": "api.leaderboards",
    "load_simplifier": "simplifier.model",
    "score": "api.scores",
    "Simplifier": "simplifier.model",
    "stress": "api.stress_test",
}
# subpackages that can be called: the call is passed to the function of the same name
_CALLABLE = {
    "report": "api.comparison",
    "simplifier": "simplifier.backends",
    "study": "api.study_report",
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
    "Result",
    "Sample",
    "Score",
    "Scores",
    "Simplifier",
    "Task",
    "__version__",
    "align",
    "aligner",
    "compare",
    "compare_metrics",
    "correlate",
    "dataset",
    "explain",
    "facts",
    "leaderboard",
    "load_simplifier",
    "metric",
    "perturbation",
    "report",
    "score",
    "simplifier",
    "stress",
    "study",
]


def __getattr__(name: str) -> Any:
    if name in _CALLABLE:
        return import_module(f".{name}", __name__)
    if name in _LATER:
        return getattr(import_module(f".{_LATER[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__


class _CallableModule(ModuleType):
    """A subpackage that can be called like the function of the same name."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        name = self.__name__.rpartition(".")[2]
        function = getattr(import_module(f".{_CALLABLE[name]}", __package__), name)
        return function(*arguments, **options)


class _Package(ModuleType):
    """This package, which makes subpackages such as `report` callable when they are imported."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _CALLABLE and isinstance(value, ModuleType):
            value.__class__ = _CallableModule
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
