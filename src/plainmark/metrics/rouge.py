"""ROUGE: recall, precision and F1 of common n-grams, or of longest common subsequences; as rouge-score 0.1.2.

    kind 1, 2, ...   n-grams, each counted as often as both sides have it
    kind L           longest common subsequence of the whole texts
    kind mean        the mean of 1, 2 and L, as Guo et al. 2024 (APPLS) report it
    kind Lsum        for each line of the reference, the union of its longest common subsequences with the output's lines

With several references, the one with the best F1 counts for each sample. As in rouge-score, an empty text scores 0.
rouge-score keeps only the letters a to z. In other languages, words are split by the rules of the language, with elided
articles removed, and stems are Snowball's; Japanese and Chinese use the tokenisers of sacreBLEU, without stems.
Reference: Lin 2004, ROUGE: A Package for Automatic Evaluation of Summaries.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from .. import kernels, text
from ..data import Corpus, Side
from ..kernels import Ints, Tokens
from ..languages import LANGUAGES, NO_SNOWBALL, SplitCode, has_snowball, language
from ..metric import Floats, MeanMetric, divide, f1

MEAN: tuple[Literal["1", "2", "L"], ...] = ("1", "2", "L")
_PARTS = ("f1", "precision", "recall")


@dataclass(frozen=True)
class ROUGE(MeanMetric):
    """ROUGE-1, -2, -L, -Lsum as rouge-score computes them, in percent; parts are F1, precision and recall."""

    kind: Annotated[
        Literal["1", "2", "3", "4", "5", "6", "7", "8", "9", "L", "Lsum", "mean"],
        "n-grams of this order, the longest common subsequence (L), that of lines (Lsum), or the mean of 1, 2 and L",
    ] = "L"
    stemmer: Annotated[
        bool, "compare stems of words of four letters and more: Porter's, or Snowball's in other languages"
    ] = False
    part: Annotated[Literal["f1", "precision", "recall"], "which of them is the score"] = "f1"
    language: Annotated[SplitCode, "the language of the texts, which decides words and Snowball stems"] = "en"

    family = "similarity"
    needs = frozenset({"references"})
    bounds = (0.0, 100.0)
    citation = "Lin 2004, Text Summarization Branches Out"

    @property
    def part_names(self) -> tuple[str, ...]:
        return ("rouge", *_PARTS)

    def missing(self) -> str:
        if self.language != "en" and self.stemmer and not has_snowball():
            return NO_SNOWBALL
        return text.missing(text.TOKENIZERS.get(self.language))

    @property
    def _mode(self) -> str:
        return ("porter" if self.stemmer else "rouge") + (":" + self.language) * (self.language != "en")

    def _tokens(self, corpus: Corpus, side: Side) -> Tokens:
        return corpus.remember(side, ("rouge", self._mode), lambda: self._cut(corpus.texts(side)))

    def _cut(self, texts: list[str]) -> Tokens:
        """The words of each text in lower case, or their stems."""
        if self.language == "en":
            return kernels.tokenize(texts, self._mode, lowercase=True)
        rows = text.words(texts, text.TOKENIZERS.get(self.language, self.language), lowercase=True)
        words = [[word for word in row if any(map(str.isalnum, word))] for row in rows]
        if self.stemmer and self.language in LANGUAGES:
            stems = language(self.language).stems
            words = [[s if len(w) > 3 else w for w, s in zip(row, stems(row), strict=True)] for row in words]
        return kernels.tokenize([" ".join(row) for row in words], "none")

    def values(self, corpus: Corpus) -> Floats:
        if self.kind == "mean":
            kinds = [replace(self, kind=kind).values(corpus) for kind in MEAN]
            return np.asarray(np.mean(kinds, axis=0))
        offsets = corpus.reference_offsets()
        sample = np.repeat(np.arange(len(corpus), dtype=np.int64), np.diff(offsets))
        hits, output, reference = self._counts(corpus, sample)
        precision, recall = divide(hits, output, 0.0), divide(hits, reference, 0.0)
        parts = np.stack([f1(precision, recall), precision, recall], axis=1)
        # The best F1 of each sample, the first if several are equal.
        order = np.lexsort((np.arange(len(sample)), -parts[:, 0], sample))
        best = 100 * parts[order[offsets[:-1]]]
        return np.concatenate([best[:, [_PARTS.index(self.part)]], best], axis=1)

    def _counts(self, corpus: Corpus, sample: Ints) -> tuple[Floats, Floats, Floats]:
        """The size of the overlap of each reference with the output of its sample, and the sizes of both."""
        output = self._tokens(corpus, "output")
        reference = self._tokens(corpus, "references")
        every = np.arange(len(sample), dtype=np.int64)
        order = int(self.kind) if self.kind.isdigit() else 1
        sizes = [np.maximum(n - order + 1, 0.0) for n in (output.lengths[sample], reference.lengths)]
        if self.kind == "L":
            return kernels.lcs(output, reference, sample, every).astype(np.float64), sizes[0], sizes[1]
        if self.kind == "Lsum":
            reference = self._union(corpus, sample)
        grams = kernels.ngrams(output, order), kernels.ngrams(reference, order)
        return kernels.overlap(*grams, sample, every)[:, -1], sizes[0], sizes[1]

    def _union(self, corpus: Corpus, sample: Ints) -> Tokens:
        """The tokens of each reference that are in a longest common subsequence of its line and a line of the output."""
        output, output_lines = self._lines(corpus, "output")
        reference, reference_lines = self._lines(corpus, "references")
        # Every line of a reference is compared with every line of the output of its sample.
        owner = np.repeat(sample, np.diff(reference_lines))
        partners = np.diff(output_lines)[owner]
        left = np.repeat(np.arange(len(owner), dtype=np.int64), partners)
        right = output_lines[owner][left] + _count_up(partners)
        matched = kernels.lcs_match(reference, output, left, right) >= 0
        lengths = reference.lengths[left]
        position = np.repeat(reference.offsets[left], lengths) + _count_up(lengths)
        hit = np.zeros(len(reference.hashes), dtype=bool)
        hit[position[matched]] = True
        hits_before = np.concatenate([[0], np.cumsum(hit)])
        return Tokens(reference.hashes[hit], hits_before[reference.offsets[reference_lines]].astype(np.int64))

    def _lines(self, corpus: Corpus, side: Side) -> tuple[Tokens, Ints]:
        """The tokens of every line of a side, and the index of each text's first line."""

        def split() -> tuple[Tokens, Ints]:
            lines = [t.split("\n") for t in corpus.texts(side)]
            ends = np.cumsum([0, *map(len, lines)], dtype=np.int64)
            flat = [line for row in lines for line in row]
            return self._cut(flat), ends

        return corpus.remember(side, ("lines", self._mode), split)


def _count_up(lengths: Ints) -> Ints:
    """0, 1, ..., n - 1 for each n, concatenated."""
    ends = np.cumsum(lengths)
    return np.arange(ends[-1] if len(ends) else 0, dtype=np.int64) - np.repeat(ends - lengths, lengths)
