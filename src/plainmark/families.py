"""Families of metrics: the purpose of each kind of metric, and what it must not be used for.

A metric names its family in the class attribute `family`; metrics of other packages may use "other".
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Family:
    """What the metrics of one kind have in common."""

    title: str
    use_for: str
    not_for: str


FAMILIES = {
    "simplification": Family(
        "Simplification against source and references",
        "ranking systems on a test set with several references, beside a baseline that copies the input",
        "single sentences, test sets with one reference, or claims about meaning: a changed number costs one n-gram",
    ),
    "similarity": Family(
        "Similarity to references",
        "checking that outputs are close to what people wrote; comparing with papers that report them",
        "ranking simplification systems: copying the input ranks first or nearly so, because references stay close to it",
    ),
    "meaning": Family(
        "Meaning and facts kept",
        "finding outputs that lose or change something: sort the samples by them and read the worst",
        "simplicity: a copy of the source gets a perfect score from most of them; and none of them proves that a text is right",
    ),
    "readability": Family(
        "Readability formulas",
        "describing the level of running text of a hundred words or more, source and output side by side",
        "single sentences, quality, or understanding: short words in any order read well, and shorter sentences lower the"
        " grade whatever they say",
    ),
    "fluency": Family(
        "Fluency by language models",
        "spotting broken text; comparing outputs of the same length and domain",
        "meaning or simplicity; numbers of different models or domains cannot be compared",
    ),
    "learned": Family(
        "Learned metrics and judges",
        "a second opinion where people's ratings of similar texts exist; check it with `plainmark correlate`",
        "texts unlike those it was trained on, or as the only evidence: the reasons for a score are not known",
    ),
    "change": Family(
        "What was changed",
        "describing how much a system copies, deletes, adds and splits; explaining the other scores",
        "quality: neither more nor less change is better by itself",
    ),
    "text": Family(
        "Description of the text",
        "describing words and sentences of outputs, beside the same numbers for sources and references",
        "quality: neither direction is better by itself",
    ),
    "wrapper": Family(
        "Wrappers around another metric",
        "documents (`agg`), and means over samples instead of corpus scores (`mean`)",
        "comparison with scores of the wrapped metric: they are different numbers, with signatures of their own",
    ),
    "other": Family(
        "Other",
        "the purpose that the metric's author describes",
        "any other purpose, unless you have compared it with human ratings (`plainmark correlate`)",
    ),
}


def family_key(name: str) -> str:
    """The key of a metric's family; one that is not known is "other".

    >>> family_key("readability"), family_key("mine")
    ('readability', 'other')
    """
    return name if name in FAMILIES else "other"


__all__ = ["FAMILIES", "Family", "family_key"]
