"""Which metric may I believe? Metrics against people's ratings.

Task, correlate, compare_metrics, rank_metrics     a metric's coefficient, two metrics, all of them with letters
agreement                                          raters against each other
consistency, preferences, wins                     pairs of outputs of which one is better
rank_systems, rank_stability, by_length, roc       orders of systems, lengths of sources, telling kinds apart
"""

from .agreement import Agreement, agreement, kappa, krippendorff, mean_over_pairs
from .comparison import MetricComparison, MetricRanking, compare_metrics, rank_metrics, williams
from .correlation import Correlation, correlate
from .detection import Roc, roc
from .people import combine, dimensions, people
from .preferences import Consistency, consistency, is_constructed, is_paired, preferences, wins
from .ranking import Bin, Stability, SystemRanking, by_length, rank_stability, rank_systems
from .scores import Scores
from .task import Task

__all__ = [
    "Agreement",
    "Bin",
    "Consistency",
    "Correlation",
    "MetricComparison",
    "MetricRanking",
    "Roc",
    "Scores",
    "Stability",
    "SystemRanking",
    "Task",
    "agreement",
    "by_length",
    "combine",
    "compare_metrics",
    "consistency",
    "correlate",
    "dimensions",
    "is_constructed",
    "is_paired",
    "kappa",
    "krippendorff",
    "mean_over_pairs",
    "people",
    "preferences",
    "rank_metrics",
    "rank_stability",
    "rank_systems",
    "roc",
    "williams",
    "wins",
]
