"""Numbers kept: whether the numbers and dates of the source are those of the output.

A number is the same however it is written ("1,200", "twelve hundred"); docs/faithfulness.md lists what counts as one.
Recall falls with every number left out, precision with every number that the source does not have. Counts of different
numbers are added over the corpus; a sample without numbers is undefined. Compare Nan et al. 2021 and Zhao et al. 2020,
who find in numbers and names the commonest errors of fact in summaries.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..faithfulness import Checked, Mention, match, numbers
from ._kept import KeptMetric


@dataclass(frozen=True)
class NumbersKept(KeptMetric):
    """Numbers and dates of source and output that the other has too, in percent (F1, precision or recall)."""

    citation = "Zhao et al. 2020, Findings of EMNLP (quantity errors)"

    def find(self, text: str) -> list[Mention]:
        return numbers(text)

    def match(self, source: str, of_source: list[Mention], output: str, of_output: list[Mention]) -> Checked:
        return match("numbers", source, of_source, output, of_output)
