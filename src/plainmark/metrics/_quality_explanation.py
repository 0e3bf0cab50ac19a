"""What raises and lowers the quality of an output: each sentence and each word left out in turn.

The effect of a piece is the score with it less the score without it, for quality and each of its parts: a negative effect
says that the output would score higher without the piece. A piece that is left out leaves a hole, so the effects on
fluency are those of a text that lacks the words, and effects do not add up to the score.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..data import Corpus
from ..document import sentence_spans
from ..metric import Floats, Metric
from ..result import finite

LONGEST = 80  # words; of a longer output only the sentences are explained
_WORD = re.compile(r"\w+(?:['’.,-]\w+)*")

Span = tuple[str, int, int]  # "sentence" or "word", and where it begins and ends


@dataclass(frozen=True)
class Piece:
    """A sentence or a word of the output, its place, and its effect on quality and each part."""

    kind: str
    text: str
    start: int
    end: int
    effects: tuple[float, ...]


@dataclass(frozen=True)
class QualityExplanation:
    """The score of a sample with its parts, and its pieces in the order of the text, sentences first."""

    parts: tuple[str, ...]
    scores: tuple[float, ...]
    pieces: tuple[Piece, ...]

    def record(self) -> dict[str, Any]:
        """The explanation as JSON has it."""
        return {
            "scores": self._named(self.scores),
            "pieces": [
                {"kind": p.kind, "text": p.text, "start": p.start, "end": p.end}
                | {"effects": self._named(p.effects)}
                for p in self.pieces
            ],
        }

    def _named(self, values: Sequence[float]) -> dict[str, float | None]:
        return {part: finite(value) for part, value in zip(self.parts, values, strict=True)}


def explain(metric: Metric, corpus: Corpus) -> list[QualityExplanation]:
    """The explanation of each sample, one pass over its output with every piece left out."""
    scores = metric.sample_parts(corpus)
    return [_explain(metric, corpus[i : i + 1], row) for i, row in enumerate(scores)]


def _explain(metric: Metric, sample: Corpus, scores: Floats) -> QualityExplanation:
    (output,) = sample.outputs
    return QualityExplanation(
        metric.part_names, tuple(map(float, scores)), pieces(metric, sample, scores, spans(output))
    )


def spans(output: str) -> list[Span]:
    """The pieces that are left out in turn: sentences, then the words of an output that is not too long."""
    words = [m.span() for m in _WORD.finditer(output)]
    return [
        *(("sentence", *span) for span in _sentences(output)),
        *(("word", *span) for span in words if len(words) <= LONGEST),
    ]


def pieces(metric: Metric, sample: Corpus, scores: Floats, chosen: Sequence[Span]) -> tuple[Piece, ...]:
    """The effects of the chosen pieces of a corpus of one sample, whose scores are known."""
    if not (n := len(chosen)):
        return ()
    (output,) = sample.outputs
    without = [f"{output[:a].rstrip()} {output[b:].lstrip()}".strip() for _, a, b in chosen]
    references = None if sample.references is None else list(sample.references) * n
    rows = metric.sample_parts(Corpus(sample.texts("source") * n, without, references))
    return tuple(
        Piece(kind, output[a:b], a, b, tuple(map(float, scores - row)))
        for (kind, a, b), row in zip(chosen, rows, strict=True)
    )


def _sentences(text: str) -> Sequence[tuple[int, int]]:
    """The sentences of a text that has several; the only one has nothing to be compared with."""
    spans = sentence_spans(text)
    return spans if len(spans) > 1 else ()
