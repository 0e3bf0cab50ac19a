"""plainmark evaluates text simplification.

>>> import plainmark as pm
>>> corpus = pm.Corpus(["The feline sat."], ["The cat sat."], [["The cat sat."]])
>>> round(pm.metric("sari").score(corpus).value, 2)
83.33
"""

from .data import Corpus, Rating, Ratings, Sample
from .errors import PlainmarkError
from .metric import METRICS, MeanMetric, Metric, Score, __version__, metric

__all__ = [
    "METRICS",
    "Corpus",
    "MeanMetric",
    "Metric",
    "PlainmarkError",
    "Rating",
    "Ratings",
    "Sample",
    "Score",
    "__version__",
    "metric",
]
