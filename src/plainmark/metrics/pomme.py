"""POMME: how much less expected a text is for an in-domain language model than for a general one; plain language is less
expected.

    POMME = z(ln perplexity, in-domain model) - z(ln perplexity, general model)

z is standardised over a pool of texts, the sources and references of the domain. Technical text has a low perplexity under
the model of the domain and a high one under the general model; for plain text it is the reverse, so that higher is plainer.
The in-domain model is a name or an n-gram file (plainmark lm train TEXTS --running-text -o NAME.lm.xz); the pool is a file
with one text per line. A text without words is undefined. The standard deviation is that of a sample; variant='released'
divides by n, not n - 1, as the released program does. Reference: the programs of Guo et al. 2024 (APPLS).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import numpy as np

from .. import models
from ..data import Corpus
from ..errors import InputError
from ..identity import load_once
from ..metric import Floats, MeanMetric, divide
from ..models import MODEL
from ..options import FILE
from ..reading import read_corpus


@dataclass(frozen=True)
class POMME(MeanMetric):
    """Difference of the standardised log perplexities of an in-domain and a general language model."""

    domain: Annotated[str, MODEL, "the in-domain model: an n-gram file NAME.lm.xz, a folder, or a name"] = ""
    pool: Annotated[
        str, FILE, "a file with the texts to standardise by, sources and references, one per line"
    ] = ""
    general: Annotated[str, MODEL, "the general model: ngram (embedded), smollm2, a folder, NAME.lm.xz"] = (
        "ngram"
    )
    variant: Annotated[
        Literal["released"] | None,
        "released: the standard deviation of a population, as the released program",
    ] = None

    family = "fluency"
    citation = "Guo et al. 2024, EMNLP (APPLS), in its programs"

    @property
    def part_names(self) -> tuple[str, ...]:
        return ("pomme", "domain", "general")

    def missing(self) -> str:
        if not self.domain or not self.pool:
            return "needs a model of the domain and texts to standardise by: pomme(domain='NAME.lm.xz', pool='FILE')"
        for name in (self.domain, self.general):
            if name != "ngram" and (reason := models.missing(name, "language model")):
                return reason
        return "" if Path(self.pool).exists() else f"needs the file {self.pool}, which does not exist"

    def spoken(self) -> tuple[str, ...]:
        return models.languages_of(self.general) or models.languages_of(self.domain)

    def values(self, corpus: Corpus) -> Floats:
        z = []
        for name in (self.domain, self.general):
            mean, spread = _scale(name, MODEL.digest(name), Path(self.pool), 0 if self.variant else 1)
            z.append((log_perplexity(name, corpus.outputs) - mean) / spread)
        return np.stack([z[0] - z[1], *z], axis=1)


def log_perplexity(model: str, texts: list[str]) -> Floats:
    """Negative log probability per token; NaN if there are no tokens."""
    losses, tokens = models.language_model(model).log_likelihood(texts)
    return divide(np.asarray(losses, dtype=np.float64), np.asarray(tokens, dtype=np.float64))


@load_once
def _scale(model: str, digest: str, pool: Path, ddof: int) -> tuple[float, float]:
    """Mean and standard deviation over the pool, by the model with this digest; `ddof` is subtracted from the number of
    texts.
    """
    logs = log_perplexity(model, read_corpus(output=pool).outputs)
    logs = logs[np.isfinite(logs)]
    spread = float(logs.std(ddof=ddof)) if len(logs) > 1 else math.nan
    if not spread > 0:
        raise InputError(f"{pool}: expected at least two different texts to standardise by.")
    return float(logs.mean()), spread
