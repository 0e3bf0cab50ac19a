"""Word classes: verbs, nouns, adjectives, adverbs and numbers of a text, tagged by spaCy or by rules (pipeline="rules").

The score is the percentage of words that are one of the first four (lexical density); the parts are numbers per text.
Reference: Mukherjee et al. 2017; Guo et al. 2024 (APPLS), "function words".
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Annotated, Any, Literal

import numpy as np

from .. import tagger
from ..data import Corpus
from ..errors import MissingResourceError
from ..metric import Floats, Metric, divide
from ..models import pipelines
from ..models.pipelines import PIPELINE
from ..punkt import PLAIN

_CLASSES = {
    "verbs": ("VERB", "AUX"),
    "nouns": ("NOUN", "PROPN"),
    "adjectives": ("ADJ",),
    "adverbs": ("ADV",),
    "numbers": ("NUM",),
}
# The same classes in the tags of the rules.
_RULES = {
    "verbs": ("VB", "VBP", "VBZ", "VBD", "VBN", "VBG", "MD", "BE", "BEN", "HV", "DO"),
    "nouns": ("NN", "NNS", "NNP"),
    "adjectives": ("JJ",),
    "adverbs": ("RB",),
    "numbers": ("CD",),
}


@dataclass(frozen=True)
class WordClasses(Metric):
    """Lexical density, and the numbers of verbs, nouns, adjectives, adverbs and numbers per text."""

    pipeline: Annotated[
        str, PIPELINE, "the tagger: a spaCy pipeline (a package's name or a folder), or rules"
    ] = "en_core_web_sm"
    side: Annotated[Literal["output", "source"], "whose texts to measure"] = "output"

    family = "text"
    higher_is_better = None
    bounds = (0.0, 100.0)
    citation = "Guo et al. 2024, APPLS"
    english_only = True

    @property
    def part_names(self) -> tuple[str, ...]:
        return ("word_classes", *_CLASSES)

    def required(self) -> frozenset[str]:
        return frozenset({"source"} if self.side == "source" else ())

    def missing(self) -> str:
        if self.pipeline == "rules":
            return tagger.missing()
        try:
            _tagger(self.pipeline)
        except MissingResourceError as problem:
            return str(problem)
        return ""

    def stats(self, corpus: Corpus) -> Floats:
        if self.pipeline == "rules":
            return np.array([_by_rules(t) for t in corpus.texts(self.side)], dtype=np.float64).reshape(-1, 7)
        rows = []
        for tagged in _tagger(self.pipeline).pipe(corpus.texts(self.side)):
            tags = [token.pos_ for token in tagged if not (token.is_punct or token.is_space)]
            rows.append([*(sum(map(tags.count, names)) for names in _CLASSES.values()), len(tags), 1])
        return np.array(rows, dtype=np.float64)

    def reduce(self, stats: Floats) -> Floats:
        density = 100 * divide(stats[..., :4].sum(axis=-1), stats[..., 5])
        per_text = divide(stats[..., :5], stats[..., 6:])
        return np.concatenate([density[..., None], per_text], axis=-1)


def _by_rules(text: str) -> list[int]:
    """The number of words of each class, of all words, and of texts (1)."""
    tags = [t.tag for a, b in PLAIN.spans(text) for t in tagger.tag(text[a:b])] if text.strip() else []
    tags = [t for t in tags if t not in ("PU", "POS")]
    return [*(sum(map(tags.count, names)) for names in _RULES.values()), len(tags), 1]


def _tagger(pipeline: str) -> Any:
    if find_spec("spacy") is None:
        raise MissingResourceError(
            f"needs spaCy and its pipeline {pipeline!r}. To install: pip install spacy; "
            f"python -m spacy download {pipeline}"
        )
    try:
        return pipelines.load(pipeline, "parser", "ner", "lemmatizer")
    except OSError:
        raise MissingResourceError(
            f"needs the spaCy pipeline {pipeline!r}. To install: python -m spacy download {pipeline}"
        ) from None
