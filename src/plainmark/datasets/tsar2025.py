"""TSAR 2025, readability-controlled simplification: 100 paragraphs to be simplified to A2 and to B1, and 50 submissions.

A sample is a paragraph with its target level; ids are those of the task (21-a2, 21-b1). Systems are team/run. For the trial
items, for which no outputs were released, the output of the one system, 'reference', is the reference.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from ..data import Corpus
from ..errors import InputError
from ..files import json_objects
from . import REFERENCE, Card, Dataset
from ._readers import reporting_errors, text

RUNS = {
    "Archaeology": ("claude_sonnet_4", "llama_3.1_8b", "llama_3.2_1b"),
    "BU-intelPA": ("run1", "run2"),
    "Cappuccino": ("Cappuccino_TSAR2025_Submission",),
    "EasyJon": ("run_1",),
    "EhiMeNLP": ("run1", "run2", "run3"),
    "GPLSI": ("run1_llama_knowledge", "run2_llama_zs", "run3_flan_knowledge"),
    "GRIPF": tuple(
        f"tsar2025_test_simplifications_{name}_gripf"
        for name in ("ezscalar_lexical", "ezscalar_nonlexical", "saga")
    ),
    "HIT-YOU": ("run1_gemini_ensemble_4", "run2_gpt_ensemble_4", "run3_self_refine"),
    "HOPE": ("HOPE_EXPERT_run1", "HOPE_SOTA_run1", "HOPE_run1"),
    "HULAT-UC3M": ("run1_llama3-8b_reinforced-prompt", "run2_llama3-8b_slightly-reinforced-prompt"),
    "ITUNLP": ("itunlp",),
    "Know-AI": ("run1", "run2"),
    "MMU_NLP": ("mmu_tsar25_test_system_1", "mmu_tsar25_test_system2", "mmu_tsar25_test_system3"),
    "SQUREL": ("SQUREL_Run1", "SQUREL_Run2", "SQUREL_Run3"),
    "STARLING": ("starling_1_g5-best", "starling_2_g10-best", "starling_3_g5-random"),
    "Uniandes": ("run_1", "run_2", "run_3"),
    "UoL-UPF": ("uol-upf_submission1", "uol-upf_submission2", "uol-upf_submission3"),
    "oneNRC": (
        "onenrc_output_run1_gemma312b_react_notool",
        "onenrc_output_run2_qwen332b_withtoolcall",
        "onenrc_output_run3_google25flash_withtoolcall",
    ),
    "ounlp": ("test_data_output_for_First_Program", "test_data_output_for_Second_Program"),
    "taskGen": ("submit_1", "submit_2", "submit_3"),
}
SUBMISSIONS = {
    f"{team}/{run}": f"tsar2025/submissions/{team}/{run}.jsonl" for team, runs in RUNS.items() for run in runs
}
LEVELS = ("A2", "B1")


@dataclass(frozen=True)
class TSAR2025(Dataset):
    """Paragraphs with a target level and a reference at that level, and the submissions to the shared task."""

    split: Annotated[Literal["test", "trial"], "which paragraphs; only 'test' has submissions"] = "test"

    card = Card(
        title="TSAR 2025 shared task",
        about="paragraphs to be simplified to the levels A2 and B1, with references and 50 submissions",
        level="document",
        samples=200,
        systems=50,
        licence="CC BY-NC",
        citation="Alva-Manchego et al. 2025, Findings of the TSAR 2025 Shared Task on Readability-Controlled Text"
        " Simplification",
        also=("TSAR-2025", "RCTS"),
        notes=(
            "levels() gives the target level of each sample, A2 or B1: each of 100 paragraphs occurs twice.",
            "split='trial' has 40 samples of 20 paragraphs and no submissions: its one system is 'reference'.",
            "Two submissions are incomplete: UoL-UPF/uol-upf_submission2 has 160 samples, and"
            " oneNRC/onenrc_output_run2_qwen332b_withtoolcall 197.",
            "Some outputs have several lines.",
        ),
    )

    def files(self) -> tuple[str, ...]:
        return (
            f"tsar2025/tsar2025_{self.split}.jsonl",
            *(SUBMISSIONS.values() if self.split == "test" else ()),
        )

    def corpora(self) -> dict[str, Corpus]:
        items: dict[str, tuple[str, str]] = {}
        for sample, location, row in self._items():
            with reporting_errors(location):
                items[sample] = (text(row["original"]), text(row["reference"]))
        if self.split == "trial":
            return {REFERENCE: _corpus(REFERENCE, items, {i: output for i, (_, output) in items.items()})}
        return {
            system: _corpus(system, items, self._outputs(name, items)) for system, name in SUBMISSIONS.items()
        }

    def levels(self) -> dict[str, str]:
        """Sample id -> the level it is to be simplified to."""
        levels = {}
        for sample, location, row in self._items():
            with reporting_errors(location):
                levels[sample] = text(row["target_cefr"]).upper()
                if levels[sample] not in LEVELS:
                    raise ValueError(f"target_cefr {row['target_cefr']!r}, expected A2 or B1")
        return levels

    def _items(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        for location, row in json_objects(self.path(self.files()[0])):
            with reporting_errors(location):
                sample = text(row["text_id"])
            yield sample, location, row

    def _outputs(self, name: str, items: dict[str, tuple[str, str]]) -> dict[str, str]:
        """Sample id -> output, in the order of the items."""
        outputs: dict[str, str] = {}
        for location, row in json_objects(self.path(name)):
            with reporting_errors(location):
                sample, output = text(row["text_id"]), text(row["simplified"])
            if sample not in items or sample in outputs:
                problem = "is there twice" if sample in outputs else "is not an item of the task"
                raise InputError(f"{location}: text_id {sample[:20]!r} {problem}.")
            outputs[sample] = output
        return {sample: outputs[sample] for sample in items if sample in outputs}


def _corpus(system: str, items: dict[str, tuple[str, str]], outputs: dict[str, str]) -> Corpus:
    sources, references = zip(*(items[sample] for sample in outputs), strict=True)
    return Corpus(sources, [*outputs.values()], references, ids=[*outputs], name=system)
