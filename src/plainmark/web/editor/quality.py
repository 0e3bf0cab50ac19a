"""What lowers the score: what each sentence and word of a text does to the metric quality and its parts, a few at a time.

One request leaves out as many sentences and words as a job may take time for, and says where the next one begins.
"""

from __future__ import annotations

import warnings
from typing import Any

from ...data import Corpus
from ...errors import InputError
from ...explanation.scores import score
from ...lexicon.language import looks, looks_english
from ...metric import Metric, metric
from ...metrics._quality_explanation import Piece, Span, pieces, spans
from ...metrics.quality import has_words
from ...report.quality import SHOWN, effect_words, shade
from ..playground.cost import quality_seconds, quality_texts
from ..playground.requests import TextTooLongError
from .requests import MAX_QUALITY_SECONDS, QualityRequest


def explain_quality(request: QualityRequest) -> dict[str, Any]:
    """The scores of a text, and the effects of the next sentences and words; `next` is None after the last."""
    _check_texts(request)
    characters = len(request.source) + len(request.output)
    parts = _parts(request.output, characters)
    scorer, note = _scorer()
    corpus = Corpus([request.source], [request.output])
    chosen = parts[request.done : request.done + quality_texts(characters)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a piece of an English text need not look English
        explained = score(corpus, scorer)
        rows = scorer.sample_parts(corpus)[0]
        effects = pieces(scorer, corpus, rows, chosen)
    columns = {part: scorer.part_names.index(part) for part in SHOWN}
    done = request.done + len(chosen)
    return {
        "signature": explained.signature,
        "about": f"{explained.meaning} {explained.caution}",
        "notes": [*note, *_length_note(parts)],
        "scores": {part: float(rows[column]) for part, column in columns.items()},
        "shaded": "word" if any(kind == "word" for kind, *_ in parts) else "sentence",
        "pieces": [_record(piece, columns) for piece in effects],
        "total": len(parts),
        "next": done if done < len(parts) else None,
    }


def _check_texts(request: QualityRequest) -> None:
    for name, text in (("The original", request.source), ("Your text", request.output)):
        if not has_words(text):
            raise InputError(
                f"{name} has no words. The score compares a text with its original: both are needed."
            )
        if not looks_english(text):
            raise InputError(
                f"{name} {looks(text)}. The score is fitted to English and says nothing of other languages."
            )


def _scorer() -> tuple[Metric, list[str]]:
    """The metric, without its encoder where that cannot run, and a note that says so."""
    scorer = metric("quality")
    if reason := scorer.missing():
        return metric("quality(encoder='none')"), [
            f"Computed from wording and facts alone: the encoder {reason}."
        ]
    return scorer, []


def _parts(output: str, characters: int) -> list[Span]:
    """What is left out in turn: sentences and words, or sentences alone where words would take too long."""
    parts = spans(output)
    if quality_seconds(characters, len(parts)) > MAX_QUALITY_SECONDS:
        parts = [part for part in parts if part[0] == "sentence"]
    seconds = quality_seconds(characters, len(parts))
    if seconds > MAX_QUALITY_SECONDS:
        raise TextTooLongError(
            f"To leave out each of {len(parts)} sentences in turn would take about {seconds:.0f} s, expected at most "
            f"{MAX_QUALITY_SECONDS:.0f} s. Take a part of both texts; `plainmark explain quality` takes texts of any length."
        )
    return parts


def _length_note(parts: list[Span]) -> list[str]:
    if any(kind == "word" for kind, *_ in parts):
        return []
    return ["The texts are long: only sentences are left out in turn, not single words."]


def _record(piece: Piece, columns: dict[str, int]) -> dict[str, Any]:
    """A piece with its effect on each part: points, shade, and words for it."""
    effects = {part: piece.effects[column] for part, column in columns.items()}
    return {
        "kind": piece.kind,
        "start": piece.start,
        "end": piece.end,
        "effects": {
            part: {"points": round(effect, 2), "shade": shade(effect), "words": effect_words(effect, part)}
            for part, effect in effects.items()
        },
    }
