"""The effect of each word of an output on quality and its parts, as a page and as a section of a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..data import Corpus
from ..metrics._quality_explanation import Piece, QualityExplanation
from ..metrics.quality import Quality
from ..significance import Comparison
from . import html

SHOWN = ("quality", "meaning", "fluency", "simplicity")
WORST = 3  # outputs shown per system in a report
STRONG, WEAK = 3.0, 1.0  # effect, in points, from which on a piece is shaded


def legend() -> str:
    """What the shades mean, as HTML."""
    return html.fragment("quality_legend.html")


def shade(effect: float) -> str:
    """How a piece with this effect is shaded: "", lowers, raises, or much of either."""
    if not abs(effect) >= WEAK:  # NaN too
        return ""
    return ("much " if abs(effect) >= STRONG else "") + _verb(effect)


def effect_words(effect: float, part: str) -> str:
    """What a piece does to a part.

    >>> effect_words(-2.34, "meaning")
    'lowers meaning by 2.3'
    """
    return f"{_verb(effect)} {part} by {abs(effect):.1f}"


def _verb(effect: float) -> str:
    return "lowers" if effect < 0 else "raises"


@dataclass(frozen=True)
class ShadedRun:
    """A piece of the output, its shade ("", lowers, raises, or much of either), and its effect in words."""

    text: str
    kind: str = ""
    effect: str = ""


@dataclass(frozen=True)
class ShadedPart:
    """The output, shaded for one part of quality."""

    name: str
    score: str
    runs: Sequence[ShadedRun]


@dataclass(frozen=True)
class ShownOutput:
    """An output with its source, shaded for each part, and the sentences that change the score."""

    name: str
    source: str
    parts: Sequence[ShadedPart]


def render(
    explanations: Sequence[QualityExplanation], corpus: Corpus, *, names: Sequence[str], signature: str
) -> str:
    """The page as text."""
    return html.page(
        "quality.html",
        title="What raises and lowers quality",
        styles=("page.css", "quality.css"),
        data={},
        signature=signature,
        outputs=[
            shown(explanation, sample.source or "", sample.output, name)
            for explanation, sample, name in zip(explanations, corpus, names, strict=True)
        ],
    )


def worst(comparisons: Sequence[Comparison], corpora: Sequence[Corpus]) -> list[ShownOutput]:
    """The outputs of each system with the lowest quality, if quality is one of the metrics."""
    columns = [(c, c.metric) for c in comparisons if isinstance(c.metric, Quality)]
    if not columns:
        return []
    comparison, metric = columns[0]
    out = []
    for system, scores, corpus in zip(comparison.systems, comparison.samples, corpora, strict=True):
        lowest = np.argsort(scores, kind="stable")[: min(WORST, int(np.isfinite(scores).sum()))]
        selected = corpus.subset(lowest)
        for explanation, sample in zip(metric.explain(selected), selected, strict=True):
            out.append(
                shown(explanation, sample.source or "", sample.output, f"{system}, sample {sample.id}")
            )
    return out


def shown(explanation: QualityExplanation, source: str, output: str, name: str) -> ShownOutput:
    """One output, shaded by word; a long one, for which there are no effects of words, by sentence."""
    kind = "word" if any(p.kind == "word" for p in explanation.pieces) else "sentence"
    pieces = [p for p in explanation.pieces if p.kind == kind]
    parts = []
    for part in SHOWN:
        column = explanation.parts.index(part)
        score = explanation.scores[column]
        parts.append(
            ShadedPart(
                part, "–" if score != score else f"{score:.0f}", list(_runs(output, pieces, column, part))
            )
        )
    return ShownOutput(name, source, parts)


def _runs(output: str, pieces: Sequence[Piece], column: int, part: str) -> Iterator[ShadedRun]:
    done = 0
    for piece in pieces:
        effect = piece.effects[column]
        if kind := shade(effect):
            if piece.start > done:
                yield ShadedRun(output[done : piece.start])
            yield ShadedRun(piece.text, kind, effect_words(effect, part))
            done = piece.end
    if done < len(output):
        yield ShadedRun(output[done:])
