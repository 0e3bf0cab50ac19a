"""Asking and answering questions with sequence-to-sequence models, as QuestEval does."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from . import checkpoints

LONGEST = 512
_AT_ONCE = 32


class Writer:
    """A T5 that writes one text for each given text, greedily."""

    def __init__(self, folder: Path) -> None:
        self.model, self.tokenizer = checkpoints.load(folder, "AutoModelForSeq2SeqLM")
        # What transformers took by itself in the years of these models, unless a checkpoint said otherwise.
        self.longest = self.model.generation_config.max_length or 20

    def write(self, texts: Sequence[str], token: int) -> list[tuple[str, float]]:
        """What the model writes, and the probability that it does not begin with that token."""
        import torch

        unique = list(dict.fromkeys(texts))
        found: dict[str, tuple[str, float]] = {}
        for start in range(0, len(unique), _AT_ONCE):
            some = unique[start : start + _AT_ONCE]
            given = self.tokenizer(
                some, padding=True, truncation=True, max_length=LONGEST, return_tensors="pt", verbose=False
            )
            with torch.inference_mode():
                out = self.model.generate(
                    input_ids=given["input_ids"],
                    attention_mask=given["attention_mask"],
                    max_length=self.longest,
                    num_beams=1,
                    do_sample=False,
                    output_scores=True,
                    return_dict_in_generate=True,
                )
            written = self.tokenizer.batch_decode(out.sequences, skip_special_tokens=True)
            other: Any = 1 - out.scores[0].softmax(-1)[:, token]
            found |= zip(some, zip([w.strip() for w in written], other.tolist(), strict=True), strict=True)
        return [found[t] for t in texts]


@cache
def writer(folder: Path) -> Writer:
    """The model of a folder, loaded once."""
    return Writer(folder)
