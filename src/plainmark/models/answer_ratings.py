"""Models that rate an answer by comparison with the right one: LERC, and QuIP trained on the same data (MOCHA).

    LERC: a linear layer on BERT's first vector for "[CLS] text [SEP] question [SEP] right answer [SEP] answer [SEP]"
    QuIP: a RoBERTa regression for "question <q> right answer <r> answer <c> text"

Both use the scale of MOCHA's ratings, 1 to 5, but are not bounded by it. LERC's text is cut so that its input fits into 512
tokens, and right answer and answer are BERT's second sentence; QuIP's whole input is cut at 512. Chen et al. 2020, MOCHA;
details follow qaeval 0.1.0 and the program of QAFactEval.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..identity import load_once
from . import archives, checkpoints
from ._batches import Ints
from ._torch import libraries

Floats = NDArray[np.float64]

LONGEST = 512


class Rated(NamedTuple):
    """An answer with the texts by which it is rated."""

    text: str
    question: str
    right: str
    answer: str


class LERC:
    """The model of an AllenNLP archive; settings and tokeniser are those of its underlying BERT."""

    def __init__(self, place: Path, base: Path) -> None:
        torch, transformers = libraries(f"{place}")
        archive = archives.find(place)
        if archive is None:
            raise InputError(f"{place}: no AllenNLP archive; expected LERC's model.tar.gz.")
        settings, tensors = archives.read(archive, "lerc")
        reader = settings.get("dataset_reader")
        longest = reader.get("max_length", LONGEST) if isinstance(reader, dict) else LONGEST
        config, self.tokenizer = checkpoints.load_base(base)
        self.longest = min(int(longest), int(config.max_position_embeddings))
        model = torch.nn.Module()
        model.bert = transformers.AutoModel.from_config(config)
        model.score_layer = torch.nn.Linear(config.hidden_size, 1)
        known = {n: b for n, b in model.named_buffers() if n not in tensors}
        self.model = checkpoints.fill(model, {**known, **tensors}, archive)

    def rate(self, rows: Sequence[Rated]) -> Floats:
        """A rating for each answer."""
        columns = [[checkpoints.encodable(t) for t in column] for column in zip(*rows, strict=True)]
        encoded = [self.tokenizer(c, add_special_tokens=False, verbose=False)["input_ids"] for c in columns]
        pieces = [self._piece(*ids) for ids in zip(*encoded, strict=True)]
        values = checkpoints.in_batches(pieces, self._scores)
        return np.array(values, dtype=np.float64)

    def _piece(self, text: list[int], question: list[int], right: list[int], answer: list[int]) -> Ints:
        cls, sep = self.tokenizer.cls_token_id, self.tokenizer.sep_token_id
        rest = len(question) + len(right) + len(answer) + 5
        first = [cls, *text[: max(0, self.longest - rest)], sep, *question, sep]
        second = [*right, sep, *answer, sep]
        piece = np.array([[*first, *second], [0] * len(first) + [1] * len(second)], dtype=np.int32)
        return piece.T[: self.longest]

    def _scores(self, batch: Any) -> Any:
        ids, types = batch.unbind(-1)
        vectors = self.model.bert(input_ids=ids, token_type_ids=types).last_hidden_state
        return self.model.score_layer(vectors[:, 0])[:, 0]


class QuIP:
    """A regression model of transformers."""

    def __init__(self, folder: Path) -> None:
        self.model, self.tokenizer = checkpoints.load(folder, "AutoModelForSequenceClassification")
        if self.model.config.num_labels != 1:
            raise InputError(
                f"{folder}: a classifier with {self.model.config.num_labels} labels; expected a regression with 1."
            )

    def rate(self, rows: Sequence[Rated]) -> Floats:
        """A rating for each answer."""
        texts = [f"{r.question} <q> {r.right} <r> {r.answer} <c> {r.text}" for r in rows]
        ids = checkpoints.token_ids(self.tokenizer, texts, LONGEST)
        ratings = checkpoints.in_batches(ids, lambda batch: self.model(batch).logits[:, 0])
        return np.array(ratings, dtype=np.float64)


@load_once
def lerc(place: Path, base: Path) -> LERC:
    """The model of an archive, loaded once."""
    return LERC(place, base)


@load_once
def quip(folder: Path) -> QuIP:
    """The model of a folder, loaded once."""
    return QuIP(folder)
