"""Guo et al. 2024, APPLS: Evaluating Evaluation Metrics for Plain Language Summarization, EMNLP.

Table 1 counts the words and sentences of two data sets. The method is not described; counting runs of letters, digits and
underscores, and sentences split by NLTK's Punkt, gives every printed figure for PLABA. All 920 adaptations are counted, not
one per abstract. The released part of CELLS is too small to give the printed means. The shares of section 4.3 follow from
the counts of ratings in Table 3: ratings of at least "neutral", over those that were given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..datasets import dataset
from ..datasets.plaba import PLABA
from ..punkt import nltk
from . import Gap, Paper, PaperPart, PublishedCell, grid, missing_punkt

DATA = "plaba"
TABLE_1 = grid(
    ("n", "words", "words sd", "sentences", "sentences sd"),
    {"PLABA abstracts": "750 240 95 10 4", "PLABA adaptations": "- 244 95 12 5"},
)
# Ratings of each criterion from "strongly agree" to "strongly disagree", and the share of section 4.3 that is at least neutral.
TABLE_3 = {
    "translation": {
        "simplicity": ((12, 27, 152, 7, 0), "96"),
        "informativeness": ((188, 4, 3, 4, 0), "98"),
        "faithfulness": ((155, 6, 4, 20, 14), "83"),
        "coherence": ((30, 11, 156, 2, 0), "100"),
    },
    "simplification": {
        "simplicity": ((67, 32, 1, 0, 0), "100"),
        "informativeness": ((37, 37, 21, 5, 0), "95"),
        "faithfulness": ((38, 43, 14, 4, 1), "95"),
        "coherence": ((10, 47, 41, 2, 0), "98"),
    },
}
NEUTRAL = 3  # how many of the five answers are at least neutral


@dataclass(frozen=True)
class APPLSPaper(Paper):
    """Metrics under eleven perturbations; the texts were not released, so only counts can be recomputed."""

    id = "4-appls"
    citation = "Guo et al. 2024, APPLS: Evaluating Evaluation Metrics for Plain Language Summarization, EMNLP"
    notes = {  # noqa: RUF012
        "Section 4.3: translation/coherence %": "Table 3 has 197 of 199 ratings at least neutral, which is 99 %; why 100 is printed "
        "is not known",
        "Table 1: PLABA abstracts/n": "the released file has 749 abstracts; which one is missing is not known",
        "Table 1: PLABA adaptations/words": "of all 920 adaptations; 254 with the first of each abstract",
    }
    gaps = (
        Gap("Table 1, CELLS", "283 of the 6,311 test pairs are released"),
        Gap("Table 1, candidate summaries and GPT-simplified texts", "the texts are not released"),
        Gap(
            "Section 4.3: agreement of two annotators (kappa 0.48, Spearman 0.58)",
            "each one's ratings are not released, only their counts",
        ),
        Gap(
            "Figures 2 to 5, 12, 13 and 16",
            "the perturbed texts (round-trip translation, simplification by GPT) are not released, and curves are not printed as"
            " figures; docs/testbed-card.md has the claims that can be tested here, one by one",
        ),
        Gap("Figures 4 and 15, prompt-based scores", "GPT's answers are not released"),
        Gap(
            "Section 6, median improvements of ACL 2022 papers",
            "the survey of papers is not released; the medians are the yardsticks of `plainmark stress`",
        ),
    )

    def parts(self) -> list[PaperPart]:
        return [
            PaperPart(("Table 1",), self.table_1, (DATA,), (missing_punkt,)),
            PaperPart(("Section 4.3",), self.section_4_3),
        ]

    def section_4_3(self) -> Iterator[PublishedCell]:
        """Shares of ratings that are at least neutral, from the printed counts."""
        for task, criteria in TABLE_3.items():
            for criterion, (counts, printed) in criteria.items():
                share = 100 * sum(counts[:NEUTRAL]) / sum(counts)
                yield self.cell("Section 4.3", f"{task}/{criterion} %", printed, share)

    def table_1(self) -> Iterator[PublishedCell]:
        """Means and standard deviations of words and sentences."""
        data = dataset(DATA)
        assert isinstance(data, PLABA)
        abstracts = data.abstracts()
        texts = {
            "PLABA abstracts": [" ".join(a.sentences) for a in abstracts],
            "PLABA adaptations": [" ".join(filter(None, v)) for a in abstracts for v in a.adaptations],
        }
        splitter = nltk()
        for row, documents in texts.items():
            words = [len(re.findall(r"\w+", text)) for text in documents]
            sentences = [len(splitter.spans(text)) for text in documents]
            figures: dict[str, float] = {
                "n": float(len(documents)),
                "words": float(np.mean(words)),
                "words sd": float(np.std(words)),
                "sentences": float(np.mean(sentences)),
                "sentences sd": float(np.std(sentences)),
            }
            for column, value in figures.items():
                if printed := TABLE_1.get(f"{row}/{column}"):
                    yield self.cell("Table 1", f"{row}/{column}", printed, value)
