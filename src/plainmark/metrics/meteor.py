"""METEOR: words matched by form, stem or synonym; a weighted mean of precision and recall, with a penalty for scattered
matches.

    F = P * R / (alpha * P + (1 - alpha) * R)      METEOR = F * (1 - gamma * (chunks / matches) ** beta)

The same numbers (in percent) as NLTK 3.9.1, which looks up synonyms of stems, not of words. With several references, the
one with the best score counts; without a match the score is 0.
Reference: Lavie & Agarwal 2007, METEOR: An Automatic Metric for MT Evaluation with High Levels of Correlation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from .. import kernels, wordnet
from ..data import Corpus, Side
from ..errors import MissingResourceError
from ..kernels import Ints
from ..metric import Floats, MeanMetric, divide
from ..text import words


@dataclass(frozen=True)
class METEOR(MeanMetric):
    """METEOR as NLTK computes it; parts are precision, recall, their mean F and the penalty for scattering."""

    tokenizer: Annotated[
        Literal["nltk-plain", "nltk", "none"],
        "NLTK's words, with sentences split by the embedded splitter or by NLTK's Punkt, or text that is already tokenized (none)",
    ] = "nltk-plain"
    alpha: Annotated[float, "weight of precision against recall"] = 0.9
    beta: Annotated[float, "how steeply the penalty rises with scattering"] = 3.0
    gamma: Annotated[float, "the highest penalty"] = 0.5
    wordnet: Annotated[str, "the version of WordNet that must be used (default: the installed one)"] = ""

    family = "similarity"
    needs = frozenset({"references"})
    bounds = (0.0, 100.0)
    citation = "Lavie & Agarwal 2007, WMT"
    english_only = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.wordnet and not self.missing():
            object.__setattr__(self, "wordnet", wordnet.load().version)

    def missing(self) -> str:
        return super().missing() or ("" if wordnet.find() else f"needs WordNet: {wordnet.missing()}")

    @property
    def part_names(self) -> tuple[str, ...]:
        return ("meteor", "precision", "recall", "f", "penalty")

    def values(self, corpus: Corpus) -> Floats:
        offsets = corpus.reference_offsets()
        sample = np.repeat(np.arange(len(corpus), dtype=np.int64), np.diff(offsets))
        counts, n_output, n_reference = self._align(corpus, sample)
        matches, chunks = counts.astype(np.float64).T
        precision, recall = divide(matches, n_output, 0.0), divide(matches, n_reference, 0.0)
        f = divide(precision * recall, self.alpha * precision + (1 - self.alpha) * recall, 0.0)
        penalty = self.gamma * divide(chunks, matches, 0.0) ** self.beta
        parts = np.stack([(1 - penalty) * f, precision, recall, f, penalty], axis=1)
        order = np.lexsort((np.arange(len(sample)), -parts[:, 0], sample))
        return 100 * parts[order[offsets[:-1]]]

    def _align(self, corpus: Corpus, sample: Ints) -> tuple[Ints, Floats, Floats]:
        """Matches and chunks of each reference with the output of its sample, and the lengths of both."""
        outputs, references = self._texts(corpus, "output"), self._texts(corpus, "references")
        output, reference = kernels.tokenize(outputs, "none"), kernels.tokenize(references, "none")
        # Word types are numbered in the order of their hashes.
        _, types = np.unique(np.concatenate([output.hashes, reference.hashes]), return_inverse=True)
        in_output, in_reference = np.split(types.astype(np.int64), [len(output.hashes)])
        vocabulary = list({word for text in (*outputs, *references) for word in text.split()})
        order = np.argsort(kernels.tokenize(vocabulary, "none").hashes)
        stems, synonyms = self._lexicon([vocabulary[i] for i in order], np.unique(in_output))
        every = np.arange(len(sample), dtype=np.int64)
        counts = kernels.meteor(
            (in_output, output.offsets), (in_reference, reference.offsets), sample, every, stems, synonyms
        )
        return counts, output.lengths[sample].astype(np.float64), reference.lengths.astype(np.float64)

    def _texts(self, corpus: Corpus, side: Side) -> list[str]:
        """The texts of a side in lower case, with words separated by spaces."""

        def build() -> list[str]:
            return [" ".join(row).lower() for row in words(corpus.texts(side), self.tokenizer)]

        return corpus.remember(side, ("spaced", self.tokenizer), build)

    def _lexicon(self, vocabulary: list[str], asked: Ints) -> tuple[Ints, tuple[Ints, Ints]]:
        """The stem of each word type and, for the requested types, the stems of the synonyms of their stems."""
        database = wordnet.load()
        if self.wordnet and database.version != self.wordnet:
            raise MissingResourceError(
                f"meteor: {database.folder} has WordNet {database.version}, but {self.wordnet} is requested;"
                " set WORDNET_DIR to its folder."
            )
        numbers: dict[str, int] = {}
        stems = [numbers.setdefault(stem, len(numbers)) for stem in map(kernels.stem, vocabulary)]
        selected = {stems[i] for i in asked}
        synonyms = [
            [numbers[s] for s in database.synonyms(stem) & numbers.keys() if "_" not in s]
            if number in selected
            else []
            for stem, number in numbers.items()
        ]
        offsets = np.cumsum([0, *map(len, synonyms)], dtype=np.int64)
        flat = [number for row in synonyms for number in row]
        return np.array(stems, dtype=np.int64), (offsets, np.array(flat, dtype=np.int64))
