"""Meta-evaluation: how well metrics correlate with human ratings.

Task, correlate, compare_metrics, rank_metrics     one metric's coefficient, two metrics, all metrics with letters
agreement                                          agreement among raters
consistency, preferences, wins                     pairs of outputs, one of which is better
position_bias                                      answers to pairs that were shown in both orders
rank_systems, rank_stability, by_length, roc       rankings of systems, lengths of sources, separating two classes
"""

from .agreement import Agreement, agreement, kappa, krippendorff, mean_over_pairs
from .comparison import MetricComparison, MetricRanking, compare_metrics, rank_metrics, williams
from .correlation import Correlation, correlate
from .detection import Roc, roc
from .preferences import (
    Consistency,
    PositionBias,
    consistency,
    is_constructed,
    is_paired,
    position_bias,
    preferences,
    wins,
)
from .ranking import LengthBin, RankStability, SystemRanking, by_length, rank_stability, rank_systems
from .ratings import aggregate_ratings, combine, dimensions
from .scores import Scores
from .task import Task

__all__ = [
    "Agreement",
    "Consistency",
    "Correlation",
    "LengthBin",
    "MetricComparison",
    "MetricRanking",
    "PositionBias",
    "RankStability",
    "Roc",
    "Scores",
    "SystemRanking",
    "Task",
    "aggregate_ratings",
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
    "position_bias",
    "preferences",
    "rank_metrics",
    "rank_stability",
    "rank_systems",
    "roc",
    "williams",
    "wins",
]
