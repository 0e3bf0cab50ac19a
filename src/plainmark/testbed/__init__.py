"""Stress a metric until it breaks: perturbation x strength x metric -> sensitivity.

from_dataset, from_corpus     what is perturbed: candidates of a data set or corpus
build, run, Results           the texts at every level, scored; resumable, in several processes
cards, contrast, reversal     does the metric notice, and which way does it move
error_pairs, consistencies    how often a metric prefers the unharmed text of a pair
"""

from .consistency import ErrorPairs, consistencies, error_pairs, released_pairs
from .results import Results
from .runs import Case, Record, Testbed, build, run
from .sensitivity import (
    YARDSTICKS,
    Contrast,
    Reversal,
    SensitivityCard,
    StrengthBin,
    cards,
    contrast,
    reversal,
    yardstick,
)
from .subjects import Subject, from_corpus, from_dataset

__all__ = [
    "YARDSTICKS",
    "Case",
    "Contrast",
    "ErrorPairs",
    "Record",
    "Results",
    "Reversal",
    "SensitivityCard",
    "StrengthBin",
    "Subject",
    "Testbed",
    "build",
    "cards",
    "consistencies",
    "contrast",
    "error_pairs",
    "from_corpus",
    "from_dataset",
    "released_pairs",
    "reversal",
    "run",
    "yardstick",
]
