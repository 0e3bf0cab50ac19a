"""BERT: the published cross-encoder, which reads both sentences together and predicts whether they are aligned.

Give the folder of the downloaded model (a BERT classifier whose class 0 is "aligned") or its name on the hub. The more
complex sentence comes first: the model was trained that way and is not symmetric. Needs torch and transformers.
Reference: Jiang et al. 2020, Neural CRF Model for Sentence Alignment in Text Simplification.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from ..errors import InputError
from ..identity import load_once
from ..models import MODEL
from . import Aligner, Floats

INSTALL = "pip install 'plainmark[torch]'"


@dataclass(frozen=True)
class BERT(Aligner):
    """Probability of "aligned" from a BERT classifier of sentence pairs."""

    model: Annotated[str, MODEL, "a folder or a name on the hub"] = ""
    max_tokens: Annotated[int, "longer pairs are cut"] = 128
    batch: Annotated[int, "pairs at a time"] = 64

    citation = "Jiang et al. 2020, ACL"

    def missing(self) -> str:
        absent = [p for p in ("torch", "transformers") if find_spec(p) is None]
        if absent:
            return f"needs {' and '.join(absent)}. To install: {INSTALL}"
        if not self.model:
            return "needs a model: bert(model='FOLDER'), the published sentence aligner or another classifier of pairs"
        return ""

    def similarity(self, a: list[str], b: list[str]) -> Floats:
        import torch

        tokenizer, model = _load(Path(self.model) if Path(self.model).is_dir() else self.model)
        pairs = [(x, y) for x in a for y in b]
        out = []
        with torch.no_grad():
            for start in range(0, len(pairs), self.batch):
                first, second = zip(*pairs[start : start + self.batch], strict=True)
                inputs = tokenizer(
                    list(first),
                    list(second),
                    padding=True,
                    truncation=True,
                    max_length=self.max_tokens,
                    return_tensors="pt",
                )
                out.append(torch.softmax(model(**inputs).logits, dim=-1)[:, 0].numpy())
        return np.concatenate(out).astype(np.float64).reshape(len(a), len(b))


@load_once
def _load(name: str | Path) -> tuple[Any, Any]:
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(name)
        model = AutoModelForSequenceClassification.from_pretrained(name, use_safetensors=None)
    except (OSError, ValueError) as problem:
        raise InputError(
            f"{name}: no BERT classifier of sentence pairs ({str(problem).splitlines()[0]})."
        ) from None
    return tokenizer, model.eval()
