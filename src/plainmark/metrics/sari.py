"""SARI: how well an output keeps, deletes and adds n-grams, judged by source and references.

For n = 1..4 the n-grams that the output keeps, deletes and adds are compared with those that the references keep,
delete and add; SARI is the mean of the three F-scores (or, for deletion, precision). Five programs of that name differ
in half a dozen switches; all of them are options here, and a variant is a preset:

easse           EASSE's corpus_sari: counts pooled over the corpus, summed, deletion by F1. The default.
easse-delprec   the same with deletion precision.
xu2016          SARI.py of Xu et al., the mean over sentences.
hf              Hugging Face evaluate: 0/0 = 1, so that copying the source earns full marks for adding nothing.
agg             Agg's "modified" SARI: only additions with a new word, or in a new order, are good; NLTK words.
equation        Eq. 7 as printed: precision and recall averaged over n first, F of the averages.

Reference: Xu et al. 2016, Optimizing Statistical Machine Translation for Text Simplification, TACL 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from .. import kernels
from ..data import Corpus
from ..kernels import SARI_COLUMNS
from ..metric import Floats, Metric, Order, divide, f1
from ..text import TokenizerName, fill_blanks, grams, tokens

Variant = Literal["easse", "easse-delprec", "xu2016", "hf", "agg", "equation"]

_EASSE: dict[str, object] = {
    "tokenizer": "13a",
    "lowercase": True,
    "order": 4,
    "pooling": "corpus",
    "keep_precision": "sum",
    "keep_recall": "sum",
    "delete_good": "intersection",
    "delete_average": "sum",
    "delete_score": "f1",
    "additions": "any",
    "f_of_averages": False,
    "empty_ratio": 0,
    "blank_token": False,
}
_XU = _EASSE | {
    "tokenizer": "space",
    "pooling": "sample",
    "keep_precision": "mean",
    "keep_recall": "mean",
    "delete_good": "difference",
    "delete_average": "mean",
    "delete_score": "precision",
}
PRESETS: dict[str, dict[str, object]] = {
    "easse": _EASSE,
    "easse-delprec": _EASSE | {"delete_score": "precision"},
    "xu2016": _XU,
    "hf": _XU | {"tokenizer": "13a", "keep_recall": "sum", "empty_ratio": 1, "blank_token": True},
    "agg": _XU | {"tokenizer": "nltk", "additions": "new"},
    "equation": _EASSE | {"pooling": "sample", "delete_score": "precision", "f_of_averages": True},
}

# Numerators and denominators that every switch can be computed from.
_RATIOS = (
    "add_precision",
    "add_recall",
    "keep_precision",
    "keep_recall",
    "delete_precision",
    "delete_recall",
)


@dataclass(frozen=True)
class SARI(Metric):
    """SARI in all its published versions; parts are add, keep and del."""

    variant: Annotated[Variant, "a published version, that is, a preset of the options below"] = "easse"
    tokenizer: Annotated[TokenizerName | None, "how text becomes tokens"] = None
    lowercase: Annotated[bool | None, "ignore case"] = None
    order: Annotated[Order | None, "longest n-gram"] = None
    pooling: Annotated[
        Literal["corpus", "sample"] | None, "add counts over the corpus, or average samples' scores"
    ] = None
    keep_precision: Annotated[
        Literal["sum", "mean"] | None,
        "kept n-grams: shares of the summed counts, or mean of each n-gram's share",
    ] = None
    keep_recall: Annotated[Literal["sum", "mean"] | None, "the same for recall"] = None
    delete_good: Annotated[
        Literal["intersection", "difference"] | None,
        "well deleted: deleted by both, or deleted more often than the references have it",
    ] = None
    delete_average: Annotated[Literal["sum", "mean"] | None, "as keep_precision, for deletion"] = None
    delete_score: Annotated[Literal["f1", "precision"] | None, "what deletion contributes"] = None
    additions: Annotated[
        Literal["any", "new"] | None, "good additions: all, or those with a new token or in a new order"
    ] = None
    f_of_averages: Annotated[bool | None, "average precision and recall over n before taking F"] = None
    empty_ratio: Annotated[Literal[0, 1] | None, "what 0/0 is"] = None
    blank_token: Annotated[bool | None, "an empty text is one empty token"] = None

    needs = frozenset({"source", "references"})
    bounds = (0.0, 100.0)
    citation = "Xu et al. 2016, TACL 4"

    def __post_init__(self) -> None:
        for option, value in PRESETS.get(self.variant, {}).items():
            if getattr(self, option) is None:
                object.__setattr__(self, option, value)
        super().__post_init__()

    @property
    def part_names(self) -> tuple[str, ...]:
        return ("sari", "add", "keep", "del")

    def spec_options(self) -> dict[str, object]:
        preset = PRESETS[self.variant]
        changed: dict[str, object] = {k: getattr(self, k) for k in preset if getattr(self, k) != preset[k]}
        return changed if self.variant == "easse" else {"variant": self.variant} | changed

    def signature_options(self) -> dict[str, object]:
        shown = {
            "variant": self.variant,
            "tokenizer": self.tokenizer,
            "lowercase": self.lowercase,
            "order": self.order,
        }
        return shown | {k: v for k, v in self.spec_options().items() if k not in shown}

    def stats(self, corpus: Corpus) -> Floats:
        ratios = self._ratios(corpus)
        flat = ratios.reshape(len(corpus), -1)
        if self.pooling == "corpus":
            return flat
        return np.concatenate([self._parts(flat), np.ones((len(corpus), 1))], axis=1)

    def reduce(self, stats: Floats) -> Floats:
        parts = self._parts(stats) if self.pooling == "corpus" else divide(stats[..., :3], stats[..., 3:])
        return np.concatenate([parts.mean(axis=-1, keepdims=True), parts], axis=-1)

    def _ratios(self, corpus: Corpus) -> Floats:
        """Numerator and denominator of each of the six ratios: shape (n, 6, 2, order)."""
        assert self.tokenizer is not None
        assert self.lowercase is not None
        assert self.order is not None
        assert self.blank_token is not None
        how = {"lowercase": self.lowercase, "blank_token": self.blank_token}
        source = grams(corpus, "source", self.tokenizer, self.order, **how)
        output = grams(corpus, "output", self.tokenizer, self.order, **how)
        references = grams(corpus, "references", self.tokenizer, self.order, **how)
        extra = None
        if self.additions == "new":
            # The original program looks for the addition in the source split at white space, its case unchanged.
            fill = fill_blanks if self.blank_token else lambda words: words
            extra = (
                fill(tokens(corpus, "output", self.tokenizer, lowercase=self.lowercase)),
                fill(tokens(corpus, "source", self.tokenizer, lowercase=self.lowercase)),
                tokens(corpus, "source", "none"),
            )
        counts = kernels.sari(source, output, references, np.diff(corpus.reference_offsets()), extra)
        column = {name: counts[:, :, i] for i, name in enumerate(SARI_COLUMNS)}
        return np.stack([np.stack([column[a], column[b]], axis=1) for a, b in self._columns()], axis=1)

    def _columns(self) -> list[tuple[str, str]]:
        """The columns of the kernel whose quotients are _RATIOS under these options."""
        good = "add_good_new" if self.additions == "new" else "add_good"
        beyond = "beyond_" if self.delete_good == "difference" else ""
        columns = [(good, "add_output"), (good, "add_references")]
        for mode, side in ((self.keep_precision, "output"), (self.keep_recall, "references")):
            if mode == "sum":
                columns.append(("keep_good", f"keep_{side}"))
            else:
                columns.append((f"keep_share_of_{side}", f"keep_types_{side}"))
        for side in ("output", "references"):
            if self.delete_average == "sum":
                columns.append(("delete_beyond" if beyond else "delete_good", f"delete_{side}"))
            else:
                columns.append((f"delete_{beyond}share_of_{side}", f"delete_types_{side}"))
        return columns

    def _parts(self, flat: Floats) -> Floats:
        """Add, keep and delete scores in percent from flattened ratios."""
        assert self.empty_ratio is not None
        ratios = flat.reshape(*flat.shape[:-1], len(_RATIOS), 2, -1)
        values = divide(ratios[..., 0, :], ratios[..., 1, :], float(self.empty_ratio))
        if self.f_of_averages:
            values = values.mean(axis=-1, keepdims=True)
        precision, recall = values[..., 0::2, :], values[..., 1::2, :]
        scores = f1(precision, recall)
        if self.delete_score == "precision":
            scores[..., 2, :] = precision[..., 2, :]
        parts: Floats = 100 * scores.mean(axis=-1)
        return parts
