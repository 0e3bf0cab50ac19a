"""Guo et al. 2024, APPLS: Evaluating Evaluation Metrics for Plain Language Summarization, EMNLP."""

from __future__ import annotations

from dataclasses import dataclass

from . import Gap, Paper, PaperPart


@dataclass(frozen=True)
class APPLSPaper(Paper):
    """Metrics under eleven perturbations; its texts were not released, so that no figure can be recomputed."""

    id = "4-appls"
    citation = "Guo et al. 2024, APPLS: Evaluating Evaluation Metrics for Plain Language Summarization, EMNLP"
    gaps = (
        Gap(
            "Table 1",
            "the 6,311 test pairs of CELLS are not released in full, and how words were counted is not said",
        ),
        Gap("Table 3 and the other counts of ratings", "the ratings are not released"),
        Gap(
            "Figures 2 to 5 and all sensitivities",
            "the perturbed texts (round-trip translation, simplification by GPT) are not released, and the scores need"
            " models that are not either",
        ),
        Gap("Prompt-based scores", "GPT's answers are not released"),
    )

    def parts(self) -> list[PaperPart]:
        return []
