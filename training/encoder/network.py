"""The network: MiniLM, pooled vectors, and one linear head per question.

A text is read as [CLS] text [SEP] and a pair as [CLS] source [SEP] output [SEP]. A text's vector is the mean over its
tokens, as in the initial checkpoint; its level is also predicted from the first token. A pair's vector is a layer over the
first token and the means over both sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import AutoModel, AutoTokenizer

# Heads of pairs, with their number of outputs.
PAIR_HEADS = {"entailment": 3, "altered": 1, "simpler": 1, "fluency": 1}
LEVELS = 6
FROZEN = 2  # number of frozen layers
LONGEST = 128  # largest length of a training example in tokens


class Network(nn.Module):
    """The encoder and its heads."""

    def __init__(self, start: Path) -> None:
        super().__init__()
        # Training on less than one pass over the data needs no dropout, and attention is faster without it.
        self.encoder: Any = AutoModel.from_pretrained(
            str(start), hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0
        )
        self.tokenizer: Any = AutoTokenizer.from_pretrained(str(start))
        size = self.encoder.config.hidden_size
        # The lowest layers represent words in a way that suits every task; freezing them saves a third of the time.
        for module in (self.encoder.embeddings, *self.encoder.encoder.layer[:FROZEN]):
            module.requires_grad_(False)
        self.level_layer = nn.Linear(2 * size, size)
        self.level = nn.Linear(size, LEVELS)
        self.pair_layer = nn.Linear(3 * size, size)
        self.heads = nn.ModuleDict({name: nn.Linear(size, n) for name, n in PAIR_HEADS.items()})

    def texts(self, texts: Sequence[str]) -> tuple[Tensor, Tensor]:
        """The vector of the first token of each text, and the mean over its tokens."""
        hidden, ids = self._hidden([self._ids(t) for t in texts])
        return hidden[:, 0], _mean(hidden, (ids != 0).float())

    def levels(self, texts: Sequence[str]) -> Tensor:
        """Logits of the levels A1 to C2."""
        state = torch.cat(self.texts(texts), dim=1)
        return self.level(torch.tanh(self.level_layer(state)))

    def pooled(self, sources: Sequence[str], outputs: Sequence[str]) -> Tensor:
        """One vector per pair."""
        # A side that is too long loses its end, so that the other one is still read.
        sides = [(self._ids(s)[:-1], self._ids(o)[1:-1]) for s, o in zip(sources, outputs, strict=True)]
        end = self.tokenizer.sep_token_id
        room = LONGEST // 2 - 2
        cut = [(s[: room + 1], o[:room]) for s, o in sides]
        hidden, ids = self._hidden([[*s, end, *o, end] for s, o in cut])
        places = torch.arange(ids.shape[1])
        first = torch.tensor([[len(s)] for s, _ in cut])
        last = torch.tensor([[len(s) + len(o) + 1] for s, o in cut])
        of_source = (places > 0) & (places < first)
        of_output = (places > first) & (places < last)
        state = torch.cat(
            [hidden[:, 0], _mean(hidden, of_source.float()), _mean(hidden, of_output.float())], dim=1
        )
        return torch.tanh(self.pair_layer(state))

    def head(self, name: str, pooled: Tensor) -> Tensor:
        """Logits of a question about pairs."""
        return self.heads[name](pooled)

    def _ids(self, text: str) -> list[int]:
        return self.tokenizer(text, truncation=True, max_length=LONGEST)["input_ids"]

    def _hidden(self, rows: list[list[int]]) -> tuple[Tensor, Tensor]:
        longest = max(map(len, rows))
        ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.training):
            hidden = self.encoder(ids, attention_mask=(ids != 0).long()).last_hidden_state
        return hidden.float(), ids


def _mean(hidden: Tensor, mask: Tensor) -> Tensor:
    return (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True).clamp(min=1)
