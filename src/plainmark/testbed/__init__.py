"""Stress tests of metrics: perturbation x strength x metric -> sensitivity.

from_dataset, from_corpus     the candidate texts of a data set or corpus, to be perturbed
build, run, Results           the texts at every level, scored; resumable, in several processes
cards, contrast, reversal     whether the scores of a metric change, and in which direction
error_pairs, consistencies    how often a metric prefers the unperturbed text of a pair
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
from .subjects import Candidate, Subject, from_corpus, from_dataset
from .translation import translator

__all__ = [
    "YARDSTICKS",
    "Candidate",
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
    "translator",
    "yardstick",
]
