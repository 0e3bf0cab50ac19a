"""Perplexity: how unexpected each token of a text is for a language model, averaged over all tokens of the corpus.

    perplexity = exp(- sum of log P(token | those before it) / number of tokens)

The tokens of the embedded model "ngram" are words: it is a small trigram model of news in lower case that needs no
installation and knows little grammar. A model of your own texts (plainmark lm train TEXTS --running-text -o NAME.lm.xz)
also uses words. "smollm2" (SmolLM2-135M-Instruct) and model folders use their own tokens. Perplexities of different models,
or of texts that are split into different tokens, are not comparable; bits per character are slightly more comparable.
scale='log' gives the natural logarithm, the loss per token, which APPLS plots. A text without tokens is undefined.
Reference: Jelinek et al. 1977, Perplexity: a measure of the difficulty of speech recognition tasks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from .. import models
from ..data import Corpus
from ..metric import Floats, Metric, divide
from ..models import MODEL


@dataclass(frozen=True)
class Perplexity(Metric):
    """Perplexity of the texts under a language model; parts are bits per character and the number of tokens."""

    model: Annotated[
        str,
        MODEL,
        "ngram (embedded), smollm2, an n-gram file NAME.lm.xz, a folder, a package or a name on the hub",
    ] = "ngram"
    side: Annotated[Literal["output", "source"], "whose texts to measure"] = "output"
    scale: Annotated[Literal["log"] | None, "log: the natural logarithm of the perplexity"] = None

    family = "fluency"
    higher_is_better = False
    bounds = (0.0, np.inf)
    citation = "Jelinek et al. 1977, JASA 62"

    @property
    def part_names(self) -> tuple[str, ...]:
        return ("perplexity", "bits_per_character", "tokens")

    def required(self) -> frozenset[str]:
        return frozenset({"source"} if self.side == "source" else ())

    def missing(self) -> str:
        return "" if self.model == "ngram" else models.missing(self.model, "language model")

    def spoken(self) -> tuple[str, ...]:
        return models.languages_of(self.model)

    def stats(self, corpus: Corpus) -> Floats:
        texts = corpus.texts(self.side)

        def build() -> Floats:
            losses, tokens = models.language_model(self.model).log_likelihood(texts)
            return np.column_stack([losses, tokens, [len(t.strip()) for t in texts]]).astype(np.float64)

        return corpus.remember(self.side, self.identity(), build)

    def reduce(self, stats: Floats) -> Floats:
        losses, tokens, characters = np.moveaxis(stats, -1, 0)
        perplexity = divide(losses, tokens)
        if self.scale is None:
            with np.errstate(over="ignore"):  # one word of thousands of letters exceeds the range of numbers
                perplexity = np.exp(perplexity)
        return np.stack([perplexity, divide(losses, characters) / np.log(2), tokens], axis=-1)
