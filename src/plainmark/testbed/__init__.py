"""Stress a metric until it breaks: perturbation x strength x metric -> sensitivity.

from_dataset, from_corpus     what is perturbed: candidates of a data set or corpus
build, run, Results           the texts at every level, scored; resumable, in several processes
cards, contrast, reversal     does the metric notice, and which way does it move
consistency_table             how often a metric prefers the unharmed text of a pair
"""

from .cards import YARDSTICKS, Bin, Card, Contrast, Reversal, cards, contrast, reversal, yardstick
from .results import Results
from .runs import Case, Record, Testbed, build, run
from .subjects import Subject, from_corpus, from_dataset

__all__ = [
    "YARDSTICKS",
    "Bin",
    "Card",
    "Case",
    "Contrast",
    "Record",
    "Results",
    "Reversal",
    "Subject",
    "Testbed",
    "build",
    "cards",
    "contrast",
    "from_corpus",
    "from_dataset",
    "reversal",
    "run",
    "yardstick",
]
