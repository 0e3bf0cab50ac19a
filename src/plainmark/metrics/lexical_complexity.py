"""Lexical complexity: how rare the rarer content words of the output are, by their rank in a frequency list.

    third quartile over known content words of log(1 + rank), averaged over samples; lower is simpler

EASSE's formula with plainmark's own list, so the values differ from EASSE's. EASSE ranks 50,000 case-sensitive words of
fastText's vocabulary, which must be downloaded; plainmark ranks the 30,000 commonest lower-case words of Wikinews, which it
contains (docs/wordlists.md), and leaves out its own list of function words, not NLTK's. As in EASSE, words outside the list
do not count. A sample without any known content word is undefined, whereas EASSE gives it the largest rank.

Reference: Alva-Manchego et al. 2019, EASSE: Easier Automatic Sentence Simplification Evaluation.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from .. import kernels
from ..data import Corpus
from ..metric import Floats, MeanMetric
from ..text import TokenizerName, tokens
from ..wordlists import ranks

QUANTILE = 0.75

FUNCTION_WORDS = """
a an the this that these those each every either neither some any no none all both half few many much more most less
least several other another such same own enough
i you he she it we they me him her us them my your his its our their mine yours hers ours theirs myself yourself himself
herself itself ourselves yourselves themselves one ones someone somebody something anyone anybody anything everyone
everybody everything nobody nothing who whom whose which what whoever whatever whichever
and or but nor so yet if unless because although though while whereas since until till when whenever where wherever
whether than as
of in on at by for with from to into onto upon about above across after against along among around before behind below
beneath beside besides between beyond despite down during except inside like near off out outside over past per through
throughout toward towards under up via within without
be am is are was were been being have has had having do does did doing done will would shall should can could may might
must ought cannot
not never don't doesn't didn't isn't aren't wasn't weren't won't wouldn't can't couldn't shouldn't hasn't haven't
hadn't it's he's she's that's there's i'm you're we're they're i've you've we've they've i'll you'll he'll she'll we'll
they'll i'd you'd he'd she'd we'd they'd
there here then now how why again also just only very too even still already once
"""


@dataclass(frozen=True)
class LexicalComplexity(MeanMetric):
    """Third quartile of the log ranks of the output's content words."""

    tokenizer: Annotated[TokenizerName, "how text becomes words"] = "13a"

    family = "text"
    higher_is_better = False
    bounds = (0.0, float(np.log1p(30_000)))
    citation = "Alva-Manchego et al. 2019, EMNLP (EASSE)"
    english_only = True

    def values(self, corpus: Corpus) -> Floats:
        words = tokens(corpus, "output", self.tokenizer, lowercase=True)
        logs = log_ranks(words.hashes)
        known = ~np.isnan(logs)
        sample = np.repeat(np.arange(len(corpus)), words.lengths)[known]
        order = np.lexsort((logs[known], sample))
        counts = np.bincount(sample, minlength=len(corpus))
        return _quantiles(logs[known][order], counts, QUANTILE)


def log_ranks(hashes: NDArray[np.uint64]) -> Floats:
    """log(1 + rank) of each word, NaN for function words and for words outside the list."""
    rank = ranks(hashes)
    content = (rank >= 0) & ~np.isin(hashes, _function_words())
    return np.where(content, np.log1p(np.maximum(rank, 0)), np.nan)


@cache
def _function_words() -> NDArray[np.uint64]:
    return kernels.tokenize([FUNCTION_WORDS], "none").hashes


def _quantiles(values: Floats, counts: NDArray[np.int64], q: float) -> Floats:
    """A quantile, interpolated linearly, of each of several sorted groups; NaN for an empty group."""
    ends = np.cumsum(counts)
    place = (ends - counts) + q * (counts - 1)
    padded = np.append(values, np.nan)
    low = np.where(counts > 0, np.floor(place), len(values)).astype(np.int64)
    high = np.where(counts > 0, np.ceil(place), len(values)).astype(np.int64)
    result: Floats = padded[low] + (place - np.floor(place)) * (padded[high] - padded[low])
    return result
