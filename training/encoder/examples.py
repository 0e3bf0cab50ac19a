"""Training examples of each task, built once from the sources; the same seed gives the same examples."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plainmark.perturbations._injection import like
from plainmark.perturbations._injection.anchors import Pair
from plainmark.perturbations._injection.kinds import ERRORS

from . import sources
from .damage import damage, paraphrase

LEVELS = 6
LONGEST_WORDS = 36  # largest length of each side of a pair in tokens

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Example:
    """A text or a pair with its target: a class, a probability or probabilities of levels."""

    source: str
    output: str
    target: int | float | tuple[float, ...]


def entailment(data: Path, *, held: bool = False) -> list[Example]:
    """Whether the source supports the output: the index of one of sources.LABELS."""
    return [
        Example(p.premise, p.hypothesis, p.label) for p in sources.nli(data, held=held) if _short(p.premise)
    ]


def level(data: Path) -> list[Example]:
    """Sentences, once as written and once tokenised, with the share of raters that chose each level."""
    examples = []
    for text, first, second in sources.levels(data / "cefr" / "cefr-sp" / "CEFR-SP_Wikiauto_train.txt"):
        shares = tuple(((first == i) + (second == i)) / 2 for i in range(1, LEVELS + 1))
        examples += [Example(t, "", shares) for t in (text, sources.detokenised(text))]
    return examples


def graded(pairs: Sequence[sources.SentencePair]) -> list[Example]:
    """Whether the output is simpler than the source: 1, 0 in the opposite case, and a half for copies."""
    examples = []
    for i, p in enumerate(pairs):
        if p.source != p.output and _short(p.source):
            examples += [Example(p.source, p.output, 1.0), Example(p.output, p.source, 0.0)]
            if i % 10 == 0:
                examples.append(Example(p.source, p.source, 0.5))
    return examples


def altered(
    data: Path,
    pairs: Sequence[sources.SentencePair],
    singles: Sequence[str],
    rng: random.Random,
    *,
    classes: bool = True,
) -> Iterator[Example]:
    """Whether the output says something that the source does not: injected errors and faithful rewording, an endless
    stream.
    """
    synonyms, antonyms = (sources.word_pairs(data, name) for name in ("synonyms", "antonyms"))
    faithful = [(p.source, p.output) for p in pairs if p.faithful and _short(p.source)]
    wholes = [s for s in [*singles, *(p.source for p in pairs)] if _short(s)]
    opposed = [e for e in entailment(data) if e.target in (0, 2)]
    kinds = {"faithful": 30, "paraphrase": 35, "copy": 12, "opposed": 20 * classes, "unrelated": 3}
    others = [output for _, output in faithful]
    while True:
        kind = rng.choices(list(kinds), list(kinds.values()))[0]
        if kind == "opposed":
            e = rng.choice(opposed)
            yield Example(e.source, e.output, float(e.target == 2))
            continue
        if kind == "unrelated":
            yield Example(rng.choice(wholes), rng.choice(others), 1.0)
            continue
        source, output = rng.choice(faithful) if kind == "faithful" else (rng.choice(wholes),) * 2
        if kind == "paraphrase":
            output = paraphrase(source, synonyms, rng)
        wrong = next(_wrong(source, output, rng.sample(others, min(len(others), 12)), antonyms, rng), None)
        if wrong is not None:
            yield Example(source, output, 0.0)
            yield Example(source, wrong, 1.0)


def fluency(
    pairs: Sequence[sources.SentencePair], singles: Sequence[str], rng: random.Random
) -> list[Example]:
    """Whether the output is well formed: 1, or 0 after damage; the source is well formed."""
    base = [(p.source, p.output) for p in pairs if _short(p.source)]
    base += [(s, s) for s in singles]
    return [e for s, o in base for e in (Example(s, o, 1.0), Example(s, damage(o, rng), 0.0))]


def similarity(pairs: Sequence[sources.SentencePair], singles: Sequence[str], data: Path) -> list[str]:
    """Sentences whose vectors should not change."""
    texts = [t for p in pairs for t in (p.source, p.output)] + list(singles)
    texts += [t for p in sources.nli(data) for t in (p.premise, p.hypothesis)]
    return [t for t in dict.fromkeys(texts) if _short(t)]


def _wrong(
    source: str, output: str, others: list[str], antonyms: dict[str, list[str]], rng: random.Random
) -> Iterator[str]:
    """The output with one error, by several methods."""
    for kind in rng.sample(list(ERRORS), 8):
        edits = list(ERRORS[kind](Pair(source, output, others), rng))
        if edits:
            yield rng.choice(edits).apply(output)[0]
    words = output.split()
    places = [i for i, w in enumerate(words) if w.lower() in antonyms]
    if places:
        i = rng.choice(places)
        words[i] = like(rng.choice(antonyms[words[i].lower()]), words[i])
        yield " ".join(words)


def _short(text: str) -> bool:
    return len(text.split()) <= LONGEST_WORDS
