"""SARI: how well an output keeps, deletes and adds n-grams, compared with source and references.

For n = 1..4 the n-grams that the output keeps, deletes and adds are compared with those that the references keep,
delete and add; SARI is the mean of the three F-scores (or, for deletion, precision). Five programs of that name differ
in half a dozen switches; all of them are options here, and a variant is a preset:

easse           EASSE's corpus_sari: counts pooled over the corpus, summed, deletion by F1. The default.
easse-delprec   the same with deletion precision.
xu2016          SARI.py of Xu et al., the mean over sentences.
hf              Hugging Face evaluate: 0/0 = 1, so that copying the source gets a perfect score for adding nothing.
agg             Agg's "modified" SARI: only additions with a new word, or in a new order, are good; NLTK words.
equation        the paper's equations as printed: an n-gram is present or absent, however often it occurs (for references:
                the share of them that have it), and F is computed from precision and recall averaged over n. The
                printed recall of additions sums over the output's n-grams, so it is 1 as soon as one addition is good: a misprint, according
                to the authors' own program. add_recall='references' corrects it.
equation-counts the equations with counts of n-grams instead of indicators, and with the corrected recall.

Reference: Xu et al. 2016, Optimizing Statistical Machine Translation for Text Simplification, TACL 4.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from typing import Annotated, Literal

import numpy as np

from .. import kernels
from ..data import Corpus, Side
from ..kernels import SARI_COLUMNS
from ..metric import Floats, Metric, Order, divide, f1
from ..text import TokenizerName, fill_blanks, grams, tokens

Variant = Literal["easse", "easse-delprec", "xu2016", "hf", "agg", "equation", "equation-counts"]


@dataclass(frozen=True)
class Switches:
    """The differences between the published programs; the defaults are EASSE's."""

    tokenizer: TokenizerName = "13a"
    lowercase: bool = True
    order: int = 4
    pooling: Literal["corpus", "sample"] = "corpus"
    binary: bool = False
    add_recall: Literal["references", "output"] = "references"
    keep_precision: Literal["sum", "mean"] = "sum"
    keep_recall: Literal["sum", "mean"] = "sum"
    delete_good: Literal["intersection", "difference"] = "intersection"
    delete_average: Literal["sum", "mean"] = "sum"
    delete_score: Literal["f1", "precision"] = "f1"
    additions: Literal["any", "new"] = "any"
    f_of_averages: bool = False
    empty_ratio: Literal[0, 1] = 0
    blank_token: bool = False


_XU = Switches(
    tokenizer="space",
    pooling="sample",
    keep_precision="mean",
    keep_recall="mean",
    delete_good="difference",
    delete_average="mean",
    delete_score="precision",
)
_EQUATION = Switches(pooling="sample", delete_score="precision", f_of_averages=True)
PRESETS: dict[str, Switches] = {
    "easse": Switches(),
    "easse-delprec": Switches(delete_score="precision"),
    "xu2016": _XU,
    "hf": replace(_XU, tokenizer="13a", keep_recall="sum", empty_ratio=1, blank_token=True),
    "agg": replace(_XU, tokenizer="nltk", additions="new"),
    "equation": replace(_EQUATION, binary=True, add_recall="output"),
    "equation-counts": _EQUATION,
}

_SIDES: tuple[Side, ...] = ("source", "output", "references")
# Numerators and denominators from which the ratios for every switch can be computed.
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
        Literal["corpus", "sample"] | None, "add counts over the corpus, or average the scores of samples"
    ] = None
    binary: Annotated[bool | None, "an n-gram is present or absent, however often it occurs"] = None
    add_recall: Annotated[
        Literal["references", "output"] | None,
        "divisor of the good additions: all that references add, or only those of the output",
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
    delete_average: Annotated[Literal["sum", "mean"] | None, "like keep_precision, for deletion"] = None
    delete_score: Annotated[Literal["f1", "precision"] | None, "what deletion contributes"] = None
    additions: Annotated[
        Literal["any", "new"] | None, "good additions: all, or those with a new token or in a new order"
    ] = None
    f_of_averages: Annotated[bool | None, "average precision and recall over n before taking F"] = None
    empty_ratio: Annotated[Literal[0, 1] | None, "what 0/0 is"] = None
    blank_token: Annotated[bool | None, "an empty text is one empty token"] = None

    family = "simplification"
    needs = frozenset({"source", "references"})
    bounds = (0.0, 100.0)
    citation = "Xu et al. 2016, TACL 4"

    def __post_init__(self) -> None:
        if preset := PRESETS.get(self.variant):
            for option, value in asdict(preset).items():
                if getattr(self, option) is None:
                    object.__setattr__(self, option, value)
        super().__post_init__()

    @cached_property
    def switches(self) -> Switches:
        """The variant's switches with the changes of the other options."""
        return Switches(**{f.name: getattr(self, f.name) for f in fields(Switches)})

    @property
    def part_names(self) -> tuple[str, ...]:
        return ("sari", "add", "keep", "del")

    def spec_options(self) -> dict[str, object]:
        preset = asdict(PRESETS[self.variant])
        changed: dict[str, object] = {k: v for k, v in asdict(self.switches).items() if v != preset[k]}
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
        if self.switches.pooling == "corpus":
            return flat
        return np.concatenate([self._parts(flat), np.ones((len(corpus), 1))], axis=1)

    def reduce(self, stats: Floats) -> Floats:
        pooled = self.switches.pooling == "corpus"
        parts = self._parts(stats) if pooled else divide(stats[..., :3], stats[..., 3:])
        return np.concatenate([parts.mean(axis=-1, keepdims=True), parts], axis=-1)

    def _ratios(self, corpus: Corpus) -> Floats:
        """Numerator and denominator of each of the six ratios: shape (n, 6, 2, order)."""
        switches = self.switches
        source, output, references = (
            grams(
                corpus,
                side,
                switches.tokenizer,
                switches.order,
                lowercase=switches.lowercase,
                counting="texts" if switches.binary else "sum",
                blank_token=switches.blank_token,
            )
            for side in _SIDES
        )
        extra = None
        if switches.additions == "new":
            # The original program searches for the addition in the source split at white space, without changing its case.
            fill = fill_blanks if switches.blank_token else lambda words: words
            extra = (
                fill(tokens(corpus, "output", switches.tokenizer, lowercase=switches.lowercase)),
                fill(tokens(corpus, "source", switches.tokenizer, lowercase=switches.lowercase)),
                tokens(corpus, "source", "none"),
            )
        counts = kernels.sari(source, output, references, np.diff(corpus.reference_offsets()), extra)
        column = {name: counts[:, :, i] for i, name in enumerate(SARI_COLUMNS)}
        return np.stack([np.stack([column[a], column[b]], axis=1) for a, b in self._columns()], axis=1)

    def _columns(self) -> list[tuple[str, str]]:
        """The columns of the kernel whose quotients are _RATIOS with these options."""
        switches = self.switches
        good = "add_good_new" if switches.additions == "new" else "add_good"
        beyond = "beyond_" if switches.delete_good == "difference" else ""
        # The n-grams that the output and the references both add are its good additions.
        expected = "add_references" if switches.add_recall == "references" else "add_good"
        columns = [(good, "add_output"), (good, expected)]
        for mode, side in ((switches.keep_precision, "output"), (switches.keep_recall, "references")):
            if mode == "sum":
                columns.append(("keep_good", f"keep_{side}"))
            else:
                columns.append((f"keep_share_of_{side}", f"keep_types_{side}"))
        for side in ("output", "references"):
            if switches.delete_average == "sum":
                columns.append(("delete_beyond" if beyond else "delete_good", f"delete_{side}"))
            else:
                columns.append((f"delete_{beyond}share_of_{side}", f"delete_types_{side}"))
        return columns

    def _parts(self, flat: Floats) -> Floats:
        """Add, keep and delete scores in percent from flattened ratios."""
        switches = self.switches
        ratios = flat.reshape(*flat.shape[:-1], len(_RATIOS), 2, -1)
        values = divide(ratios[..., 0, :], ratios[..., 1, :], float(switches.empty_ratio))
        if switches.f_of_averages:
            values = values.mean(axis=-1, keepdims=True)
        precision, recall = values[..., 0::2, :], values[..., 1::2, :]
        scores = f1(precision, recall)
        if switches.delete_score == "precision":
            scores[..., 2, :] = precision[..., 2, :]
        parts: Floats = 100 * scores.mean(axis=-1)
        return parts
