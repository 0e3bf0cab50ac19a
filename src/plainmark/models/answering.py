"""Answers questions with a span of a text, as in QAEval: an extractive model that was trained on SQuAD 2.

    answer = the span (at most 30 tokens) with the largest start + end logit, of the 20 best starts and ends
    margin = its start + end - (start + end of the first token, which mean "there is no answer")

As in qaeval 0.1.0 with transformers 3.0.2, questions are cut at 64 tokens, texts are read in windows of 384 tokens that
begin 128 apart, each span belongs to the window with most context around its start, and the lowest "no answer" of all
windows counts. Windows are padded to 384; the padding takes part in the choice of the 20 best.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..identity import load_once
from . import checkpoints
from ._batches import Floats32, Ints

WINDOW, STRIDE, QUESTION, BEST, SPAN = 384, 128, 64, 20, 30
# The program's result if no span is allowed: a word, and a sum of logits that is compared like any other.
NO_SPAN = ("empty", 0.0)


class ExtractedAnswer(NamedTuple):
    """A part of a text, and by how much it is preferred to "there is no answer"."""

    text: str
    margin: float

    @property
    def given(self) -> bool:
        return self.margin > 0


class TokenizedText(NamedTuple):
    """A text's words, its tokens, and the word of each token."""

    words: list[str]
    tokens: list[str]
    ids: Ints
    word: NDArray[np.int64]


class Answerer:
    """An extractive model with its tokeniser."""

    def __init__(self, folder: Path) -> None:
        self.model, self.tokenizer = checkpoints.load(
            folder, "AutoModelForQuestionAnswering", tokenizer_options={"do_lower_case": True}
        )

    def answer(self, tasks: Sequence[tuple[str, str]], *, padded: bool = True) -> list[ExtractedAnswer]:
        """The answer to each question in its text; an empty text has none."""
        unique = list(dict.fromkeys(tasks))
        texts = {t: self._text(t) for _, t in unique}
        asked = {q: self._question(q) for q, _ in unique}
        pieces: list[Any] = []
        for question, text in unique:
            pieces += self._windows(asked[question], texts[text].ids, padded)
        logits = iter(checkpoints.in_batches(pieces, self._logits))
        answers = {}
        for question, text in unique:
            starts = window_starts(len(texts[text].ids), len(asked[question]))
            own = [next(logits) for _ in starts]
            answers[question, text] = best_span(own, starts, len(asked[question]), texts[text])
        return [answers[task] for task in tasks]

    def _logits(self, batch: Any) -> Any:
        import torch

        ids, types, mask = batch.unbind(-1)
        out = self.model(input_ids=ids, token_type_ids=types, attention_mask=mask)
        return torch.stack([out.start_logits, out.end_logits], dim=-1)

    def _question(self, question: str) -> list[int]:
        ids: list[int] = self._encode([question])[0]
        return ids[:QUESTION]

    def _text(self, text: str) -> TokenizedText:
        # The program's list of spaces; the tokeniser handles others.
        words = [w for w in re.split("[ \t\r\n\u202f]+", text) if w]
        encoded = self._encode(words) if words else []
        ids = [i for row in encoded for i in row]
        word = np.repeat(np.arange(len(words)), [len(row) for row in encoded])
        tokens = self.tokenizer.convert_ids_to_tokens(ids)
        return TokenizedText(words, tokens, np.array(ids, dtype=np.int32), word)

    def _encode(self, texts: Sequence[str]) -> Any:
        clean = [checkpoints.encodable(t) for t in texts]
        return self.tokenizer(clean, add_special_tokens=False, verbose=False)["input_ids"]

    def _windows(self, question: list[int], ids: Ints, padded: bool) -> list[Ints]:
        """Token numbers, kinds and mask of each window, as columns."""
        cls, sep = self.tokenizer.cls_token_id, self.tokenizer.sep_token_id
        out = []
        for start in window_starts(len(ids), len(question)):
            part = ids[start : start + WINDOW - len(question) - 3]
            row = [cls, *question, sep, *part.tolist(), sep]
            length = WINDOW if padded else len(row)
            piece = np.zeros((length, 3), dtype=np.int32)
            piece[:, 0] = self.tokenizer.pad_token_id
            piece[: len(row), 0] = row
            piece[len(question) + 2 : len(row), 1] = 1
            piece[: len(row), 2] = 1
            out.append(piece)
        return out


def window_starts(tokens: int, question: int) -> list[int]:
    """The starts of the windows of a text."""
    room = WINDOW - question - 3
    count = 0 if tokens == 0 else 1 + max(0, -((room - tokens) // STRIDE))
    return [i * STRIDE for i in range(count)]


def best_span(
    logits: Sequence[Floats32], starts: Sequence[int], question: int, text: TokenizedText
) -> ExtractedAnswer:
    """The best allowed span of all windows, from logits (tokens, 2) of each."""
    if not starts:
        return ExtractedAnswer("", 0.0)
    room = WINDOW - question - 3
    ends = np.minimum(np.array(starts) + room, len(text.ids))
    place = np.arange(len(text.ids))
    left = place - np.array(starts)[:, None]
    right = ends[:, None] - 1 - place
    around = np.minimum(left, right) + 0.01 * (ends - np.array(starts))[:, None]
    widest = np.where((left >= 0) & (right >= 0), around, -np.inf).argmax(axis=0)
    shift = question + 2
    best, span = -np.inf, None
    for i, (window, start) in enumerate(zip(logits, starts, strict=True)):
        values = window.astype(np.float64)
        order = np.argsort(-values, axis=0, kind="stable")[:BEST]
        first, last = order[:, 0, None], order[None, :, 1]
        inside = [(x >= shift) & (x < shift + ends[i] - start) for x in (first, last)]
        owned = widest[np.clip(first - shift + start, 0, len(widest) - 1)] == i
        allowed = inside[0] & inside[1] & owned & (last >= first) & (last - first < SPAN)
        sums = np.where(allowed, values[first, 0] + values[last, 1], -np.inf)
        a, b = np.unravel_index(sums.argmax(), sums.shape)
        if sums[a, b] > best:
            best = float(sums[a, b])
            span = (int(order[a, 0]) - shift + start, int(order[b, 1]) - shift + start)
    none = min(float(w[0].astype(np.float64).sum()) for w in logits)
    if span is None:
        return ExtractedAnswer(NO_SPAN[0], NO_SPAN[1] - none)
    tokens = " ".join(text.tokens[span[0] : span[1] + 1]).replace(" ##", "")
    words = text.words[text.word[span[0]] : text.word[span[1]] + 1]
    return ExtractedAnswer(as_written(tokens, " ".join(words)), best - none)


def as_written(tokens: str, words: str) -> str:
    """The original text of some lower-cased tokens within these words; all of it if that is unclear."""
    from tokenizers import normalizers, pre_tokenizers

    lower = normalizers.BertNormalizer(lowercase=True).normalize_str(words)
    split = " ".join(t for t, _ in pre_tokenizers.BertPreTokenizer().pre_tokenize_str(lower))
    at = split.find(tokens)
    letters = [i for i, c in enumerate(words) if c != " "]
    length = len(tokens.replace(" ", ""))
    if at < 0 or not length or len(letters) != len(split.replace(" ", "")):
        return words
    before = len(split[:at].replace(" ", ""))
    return words[letters[before] : letters[before + length - 1] + 1]


@load_once
def answerer(folder: Path) -> Answerer:
    """The model of a folder, loaded once."""
    return Answerer(folder)
