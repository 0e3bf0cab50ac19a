"""Tokens, n-grams and sentences of a corpus, computed once and shared by all metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np

from . import kernels, punkt, segmentation, treebank
from .data import Corpus, Side
from .kernels import Grams, Tokens
from .languages import LANGUAGES, language, split_sentences
from .options import Content

# The tokenisers that sacreBLEU takes for these languages; for all others, 13a. Codes of languages are tokenisers too: their words,
# cut after elided articles (l' homme), and marks.
TOKENIZERS = {"ja": "ja-mecab", "ko": "ko-mecab", "zh": "zh"}

# Tokenisers that split words at spaces, and so find only one word in a text without any.
AT_SPACES = ("13a", "intl", "nltk", "nltk-plain")

NAMES = (
    *(
        "13a",
        "intl",
        "char",
        "none",
        "space",
        "zh",
        "ja-mecab",
        "ko-mecab",
        "flores101",
        "flores200",
        "spBLEU-1K",
        "spm",
    ),
    *("nltk", "nltk-plain", *LANGUAGES[1:]),
)

if TYPE_CHECKING:
    TokenizerName = str
else:
    TokenizerName = Annotated[Literal[NAMES], Content(segmentation.digest)]


def missing(tokenizer: str | None) -> str:
    """What a tokeniser needs that this machine lacks ("needs ..."), and what to use instead; empty if nothing
    is missing.
    """
    if tokenizer in segmentation.NAMES:
        return segmentation.missing(tokenizer)
    if tokenizer != "nltk" or not (reason := punkt.missing()):
        return ""
    return f"{reason}, or use tokenizer='nltk-plain', which splits sentences by embedded parameters"


def tokens(corpus: Corpus, side: Side, tokenizer: str, *, lowercase: bool = False) -> Tokens:
    """The tokens of all texts of one side of a corpus."""
    key = ("tokens", tokenizer, lowercase)
    return corpus.remember(side, key, lambda: tokenize(corpus.texts(side), tokenizer, lowercase=lowercase))


def grams(
    corpus: Corpus,
    side: Side,
    tokenizer: str,
    order: int,
    *,
    lowercase: bool = False,
    counting: kernels.Counting = "sum",
    blank_token: bool = False,
) -> Grams:
    """The n-grams of one side, per sample; `counting` says how those of several references are combined."""

    def build() -> Grams:
        words = tokenize(corpus.texts(side), tokenizer, lowercase=lowercase)
        if blank_token:
            words = fill_blanks(words)
        groups = corpus.reference_offsets() if side == "references" else None
        return kernels.ngrams(words, order, groups, counting=counting)

    return corpus.remember(side, ("grams", tokenizer, order, lowercase, counting, blank_token), build)


def sentence_counts(corpus: Corpus, side: Side, code: str) -> kernels.Ints:
    """The number of sentences of each text of a side, by the rules of a language."""

    def count() -> kernels.Ints:
        return np.array([len(split_sentences(t, code)) for t in corpus.texts(side)], dtype=np.int64)

    return corpus.remember(side, ("sentences", code), count)


def tokenize(texts: list[str], tokenizer: str, *, lowercase: bool = False) -> Tokens:
    """Hashes of the tokens of each text."""
    if (split := _spaced(texts, tokenizer, lowercase)) is not None:
        return kernels.tokenize(split, "none")
    return kernels.tokenize(texts, tokenizer, lowercase=lowercase)


def words(texts: list[str], tokenizer: str, *, lowercase: bool = False) -> list[list[str]]:
    """The tokens of each text as strings."""
    if (split := _spaced(texts, tokenizer, lowercase)) is not None:
        return [text.split() for text in split]
    return kernels.words(texts, tokenizer, lowercase=lowercase)


def spaced(texts: list[str], tokenizer: str, *, lowercase: bool = False) -> list[str]:
    """Each text as its tokens joined by single spaces, or unchanged ("raw")."""
    if tokenizer == "raw":
        return [t.lower() for t in texts] if lowercase else texts
    return [" ".join(row) for row in words(texts, tokenizer, lowercase=lowercase)]


def _spaced(texts: list[str], tokenizer: str, lowercase: bool) -> list[str] | None:
    """The tokens joined by white space, for tokenisers that are not compiled code."""
    if tokenizer not in ("nltk", "nltk-plain", *segmentation.NAMES, *LANGUAGES[1:]):
        return None
    texts = [t.lower() for t in texts] if lowercase else texts
    if tokenizer in LANGUAGES:
        return [" ".join(language(tokenizer).tokens(t)) for t in texts]
    if tokenizer in segmentation.NAMES:
        return segmentation.spaced(texts, tokenizer)
    return treebank.spaced(texts, punkt.PLAIN if tokenizer == "nltk-plain" else punkt.nltk())


def fill_blanks(words: Tokens) -> Tokens:
    """Give a text without tokens one empty token, like splitting "" at spaces."""
    blank = np.flatnonzero(words.lengths == 0)
    if len(blank) == 0:
        return words
    hashes = np.insert(words.hashes, words.offsets[blank], kernels.tokenize([""], "space").hashes[0])
    grown = words.lengths + (words.lengths == 0)
    return Tokens(hashes, np.concatenate([[0], np.cumsum(grown)]).astype(np.int64))
