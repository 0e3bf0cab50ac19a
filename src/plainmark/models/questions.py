"""Generates and answers questions with sequence-to-sequence models: QuestEval's T5, QAEval's BART.

QAEval's BART generates a question about a marked answer: "before<m>answer</m>after". Its authors' program (qaeval 0.1.0
with AllenNLP 1.1.0 and transformers 3.0.2) tokenises each part separately without the spaces around the marks, begins with
<s>, keeps 4 beams, including finished ones, by the plain sum of log probabilities, for at most 100 tokens, and skips the
decoder's second position, which was not skipped in training.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError
from ..identity import load_once
from . import archives, checkpoints
from ._batches import Ints
from ._torch import libraries

LONGEST = 512
BEAMS, STEPS = 4, 100  # values of the published model, whose archive may contain others
MARKS = ("<m>", "</m>")
_AT_ONCE = 32
_TIDY = {" .": ".", " ?": "?", " !": "!", " ,": ",", " ' ": "'"} | {
    f" {s}": s for s in ("n't", "'m", "'s", "'ve", "'re")
}


class Writer:
    """A T5 that generates one text for each given text, greedily."""

    def __init__(self, folder: Path) -> None:
        self.model, self.tokenizer = checkpoints.load(folder, "AutoModelForSeq2SeqLM")
        # Defaults of transformers at the time of these models, unless a checkpoint has other values.
        self.longest = self.model.generation_config.max_length or 20

    def write(self, texts: Sequence[str], token: int) -> list[tuple[str, float]]:
        """The generated texts, and the probability that each does not begin with that token."""
        import torch

        unique = list(dict.fromkeys(texts))
        outputs: dict[str, tuple[str, float]] = {}
        for start in range(0, len(unique), _AT_ONCE):
            some = unique[start : start + _AT_ONCE]
            inputs = self.tokenizer(
                [checkpoints.encodable(text) for text in some],
                padding=True,
                truncation=True,
                max_length=LONGEST,
                return_tensors="pt",
                verbose=False,
            )
            with torch.inference_mode():
                out = self.model.generate(
                    input_ids=inputs["input_ids"],
                    attention_mask=inputs["attention_mask"],
                    max_length=self.longest,
                    num_beams=1,
                    do_sample=False,
                    output_scores=True,
                    return_dict_in_generate=True,
                )
            written = self.tokenizer.batch_decode(out.sequences, skip_special_tokens=True)
            other: Any = 1 - out.scores[0].softmax(-1)[:, token]
            outputs |= zip(some, zip([tidy(w) for w in written], other.tolist(), strict=True), strict=True)
        return [outputs[t] for t in texts]


@load_once
def writer(folder: Path) -> Writer:
    """The model of a folder, loaded once."""
    return Writer(folder)


class Asker:
    """A BART that generates a question whose answer is marked in a text."""

    def __init__(self, place: Path, base: Path | None) -> None:
        self.model, self.tokenizer, settings = load_bart(place, base)
        self.beams, self.steps = (
            _count(settings.get(k), default, place)
            for k, default in (("beam_size", BEAMS), ("max_decoding_steps", STEPS))
        )
        # Without its row in the table, the position is skipped.
        positions = self.model.get_decoder().embed_positions
        skipped = positions.offset + 1
        rows = [*range(skipped), *range(skipped + 1, len(positions.weight)), len(positions.weight) - 1]
        positions.weight.data = positions.weight.data[rows]
        self.marks = self.tokenizer.convert_tokens_to_ids(list(MARKS))

    def ask(self, tasks: Sequence[tuple[str, int, int]]) -> list[str]:
        """A question for each text with the start and end of its answer."""
        unique = list(dict.fromkeys(tasks))
        pieces = [self._ids(*task) for task in unique]
        written = checkpoints.in_batches(pieces, self._search)  # as 32-bit floats, exact up to 16 million
        questions = {
            task: self._text(ids.astype(int).tolist()) for task, ids in zip(unique, written, strict=True)
        }
        return [questions[task] for task in tasks]

    def _ids(self, text: str, start: int, end: int) -> Ints:
        parts = [text[:start].rstrip(), text[start:end].strip(), text[end:].lstrip()]
        parts = self.tokenizer(
            [checkpoints.encodable(p) for p in parts], add_special_tokens=False, verbose=False
        )["input_ids"]
        before, answer, after = parts
        config = self.model.config
        ids = [config.bos_token_id, *before, self.marks[0], *answer, self.marks[1], *after]
        return np.array([*ids[: config.max_position_embeddings - 1], config.eos_token_id], dtype=np.int32)

    def _search(self, ids: Any) -> Any:
        """The tokens of the likeliest beam, for texts of one length."""
        import torch

        count, end = len(ids), self.model.config.eos_token_id
        encoded = self.model.get_encoder()(input_ids=ids, return_dict=True)
        encoded.last_hidden_state = encoded.last_hidden_state.repeat_interleave(self.beams, dim=0)
        last = torch.full((count * self.beams, 1), self.model.config.bos_token_id)
        ended = torch.full((1, self.model.config.vocab_size), -torch.inf)
        ended[0, end] = 0.0
        firsts = torch.arange(count)[:, None] * self.beams
        total = torch.zeros(count, self.beams)
        written = torch.empty(count * self.beams, 0, dtype=torch.int64)
        past = None
        for step in range(self.steps):
            out = self.model(
                encoder_outputs=encoded, decoder_input_ids=last, past_key_values=past, use_cache=True
            )
            likely = out.logits[:, -1].log_softmax(-1)
            if step:
                likely = torch.where(last == end, ended, likely)
            best, tokens = likely.topk(self.beams)
            sums = (total.reshape(-1, 1) + best).reshape(count, -1)
            # At the first step, all beams are equal.
            total, place = (sums if step else sums[:, : self.beams]).topk(self.beams)
            rows = (firsts + place // self.beams).reshape(-1)
            last = tokens.reshape(count, -1).gather(1, place).reshape(-1, 1)
            written = torch.cat([written[rows], last], dim=1)
            if (last == end).all():
                break
            past = out.past_key_values
            past.reorder_cache(rows)
        return written[firsts[:, 0] + total.argmax(-1)]

    def _text(self, ids: list[int]) -> str:
        while ids and ids[-1] == self.model.config.eos_token_id:
            ids.pop()
        runs: list[list[int]] = [[]]
        for token in ids:
            if token in self.marks:
                runs += [[token], []]
            else:
                runs[-1].append(token)
        decode = self.tokenizer.decode
        text = " ".join(decode(run, clean_up_tokenization_spaces=False) for run in runs if run)
        return tidy(text)


def tidy(text: str) -> str:
    """A generated text without spaces before punctuation and short forms, as in transformers at that time."""
    for spaced, plain in _TIDY.items():
        text = text.replace(spaced, plain)
    return text.strip()


def needs_base(place: Path) -> bool:
    """Whether a model's settings and tokeniser are elsewhere, because an archive has none."""
    return archives.find(place) is not None


def load_bart(place: Path, base: Path | None) -> tuple[Any, Any, dict[str, Any]]:
    """The BART of an AllenNLP archive (with the base's settings) or of a folder, its tokeniser, and its decoding settings."""
    archive = archives.find(place)
    if archive is None:
        model, tokenizer = checkpoints.load(place, "AutoModelForSeq2SeqLM")
        tokenizer.add_tokens(list(MARKS))
        if model.config.model_type != "bart" or len(tokenizer) > model.config.vocab_size:
            raise InputError(
                f"{place}: a {model.config.model_type} with {model.config.vocab_size} tokens; expected a BART that "
                "knows <m> and </m>, or QAEval's model.tar.gz."
            )
        return model, tokenizer, {}
    _, transformers = libraries(f"{place}")
    assert base is not None
    settings, tensors = archives.read(archive, "question_generation")
    config, tokenizer = checkpoints.load_base(base)
    if config.model_type != "bart":
        raise InputError(f"{base}: settings of a {config.model_type}; expected those of BART (bart=...).")
    tokenizer.add_tokens(list(MARKS))
    config.vocab_size += len(MARKS)
    model = transformers.BartForConditionalGeneration(config)
    own = {k.removeprefix("bart."): v for k, v in tensors.items() if k.startswith("bart.")}
    words = own.get("model.shared.weight")
    copies = ("lm_head.weight", "model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight")
    known = {} if words is None else dict.fromkeys(copies, words)
    return checkpoints.fill(model, {**known, **own}, archive), tokenizer, settings["model"]


def _count(value: object, default: int, place: Path) -> int:
    if value is None:
        return default
    if not isinstance(value, int) or not 1 <= value <= 1000:
        raise InputError(f"{place}: asks for {str(value)[:40]} beams or steps; expected 1 to 1000.")
    return value


@load_once
def asker(place: Path, base: Path | None) -> Asker:
    """The model of an archive or a folder, loaded once."""
    return Asker(place, base)
