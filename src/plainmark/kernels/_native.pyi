from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

_Hashes: TypeAlias = NDArray[np.uint64]
_Offsets: TypeAlias = NDArray[np.int64]
_Counts: TypeAlias = NDArray[np.uint32]
_Symbols: TypeAlias = NDArray[np.int32]

SOURCE: str

def tokenize(texts: list[str], mode: int, lowercase: bool, /) -> tuple[_Hashes, _Offsets]: ...
def words(texts: list[str], mode: int, lowercase: bool, /) -> list[list[str]]: ...
def stem(word: str, /) -> str: ...
def treebank(sentences: list[str], /) -> list[str]: ...
def ngrams(
    tokens: _Hashes, texts: _Offsets, groups: _Offsets, order: int, counting: int, /
) -> tuple[_Hashes, _Counts, _Offsets]: ...
def overlap(
    a_keys: _Hashes,
    a_counts: _Counts,
    a_offsets: _Offsets,
    b_keys: _Hashes,
    b_counts: _Counts,
    b_offsets: _Offsets,
    left: _Offsets,
    right: _Offsets,
    order: int,
    /,
) -> NDArray[np.float64]: ...
def sari(
    source_keys: _Hashes,
    source_counts: _Counts,
    source_offsets: _Offsets,
    output_keys: _Hashes,
    output_counts: _Counts,
    output_offsets: _Offsets,
    reference_keys: _Hashes,
    reference_counts: _Counts,
    reference_offsets: _Offsets,
    n_references: _Offsets,
    order: int,
    tokens: tuple[_Hashes, _Offsets, _Hashes, _Offsets, _Hashes, _Offsets] | None,
    /,
) -> NDArray[np.float64]: ...
def measure(
    kind: int,
    a: _Hashes,
    a_offsets: _Offsets,
    b: _Hashes,
    b_offsets: _Offsets,
    left: _Offsets,
    right: _Offsets,
    /,
) -> NDArray[np.int64]: ...
def rank_correlation(
    kind: int, x: _Offsets, y: _Offsets, weights: NDArray[np.float64], /
) -> NDArray[np.float64]: ...
def lcs_match(
    a: _Hashes, a_offsets: _Offsets, b: _Hashes, b_offsets: _Offsets, left: _Offsets, right: _Offsets, /
) -> NDArray[np.int32]: ...
def meteor(
    a: _Offsets,
    a_offsets: _Offsets,
    b: _Offsets,
    b_offsets: _Offsets,
    left: _Offsets,
    right: _Offsets,
    stems: _Offsets,
    synonym_offsets: _Offsets,
    synonyms: _Offsets,
    /,
) -> NDArray[np.int64]: ...
def operations(
    a: _Hashes,
    a_offsets: _Offsets,
    b: _Hashes,
    b_offsets: _Offsets,
    left: _Offsets,
    right: _Offsets,
    marks: _Hashes,
    /,
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.int32], NDArray[np.int32]]: ...
def count_words(
    texts: list[str],
    rule: int,
    syllables: _Hashes,
    syllable_starts: _Offsets,
    familiar: _Hashes,
    familiar_starts: _Offsets,
    /,
) -> tuple[NDArray[np.int64], list[str]]: ...
def syllables(words: list[str], slots: _Hashes, starts: _Offsets, /) -> NDArray[np.int64]: ...
def best_extract(
    tokens: _Hashes, sentences: _Offsets, target: _Hashes, limit: int, beam: int, /
) -> tuple[NDArray[np.int64], bool]: ...
def span_marginals(
    scores: NDArray[np.float64], n: int, states: int, root: int, joins: NDArray[np.int64], /
) -> NDArray[np.float64]: ...
def best_tree(
    scores: NDArray[np.float64], n: int, states: int, root: int, joins: NDArray[np.int64], /
) -> NDArray[np.int64]: ...
def span_vectors(
    first: NDArray[np.float32],
    last: NDArray[np.float32],
    total: NDArray[np.float32],
    width: NDArray[np.float32],
    scale: NDArray[np.float32],
    shift: NDArray[np.float32],
    n: int,
    /,
) -> NDArray[np.float32]: ...

class LanguageModel:
    """A back-off n-gram model; raises ValueError for bytes that are none."""

    def __init__(self, data: bytes, /) -> None: ...
    @property
    def order(self) -> int: ...
    def __len__(self) -> int: ...
    def ids(self, words: list[str], /) -> NDArray[np.uint32]: ...
    def split(self, texts: list[str], /) -> tuple[NDArray[np.uint32], _Offsets]: ...
    def score(self, ids: NDArray[np.uint32], offsets: _Offsets, sentence: bool, /) -> NDArray[np.float32]: ...

def best_paths(
    model: LanguageModel,
    lm_weight: float,
    lengths: _Offsets,
    edges: _Offsets,
    starts: NDArray[np.int32],
    ends: NDArray[np.int32],
    scores: NDArray[np.float64],
    targets: _Offsets,
    words: NDArray[np.int32],
    lm_words: NDArray[np.uint32],
    beam: int,
    threshold: float,
    paths: int,
    threads: int,
    /,
) -> tuple[_Offsets, NDArray[np.float64], NDArray[np.float64], _Offsets, _Offsets]: ...
def context_gains(
    model: LanguageModel,
    lengths: _Offsets,
    edges: _Offsets,
    starts: NDArray[np.int32],
    ends: NDArray[np.int32],
    scores: NDArray[np.float64],
    targets: _Offsets,
    words: NDArray[np.int32],
    lm_words: NDArray[np.uint32],
    sources: NDArray[np.int32],
    offsets: _Offsets,
    /,
) -> NDArray[np.float32]: ...

class Grammar:
    """Rules by their sources (native/decode/scfg.hpp says what the arrays hold); raises ValueError if they are no rules."""

    def __init__(
        self,
        lhs: _Symbols,
        sources: _Symbols,
        source_offsets: _Offsets,
        targets: _Symbols,
        target_offsets: _Offsets,
        words: int,
        labels: int,
        /,
    ) -> None: ...
    def __len__(self) -> int: ...

def decode_scfg(
    grammar: Grammar,
    model: LanguageModel | None,
    lm_words: NDArray[np.uint32],
    rule_scores: NDArray[np.float64],
    words: _Symbols,
    sentences: _Offsets,
    copy_scores: NDArray[np.float64],
    copy_labels: _Symbols,
    label_offsets: _Offsets,
    lm_weight: float,
    glue: float,
    span_limit: int,
    pop_limit: int,
    unary_limit: int,
    nbest: int,
    unique: bool,
    /,
) -> tuple[
    _Offsets,
    NDArray[np.float64],
    NDArray[np.float64],
    _Symbols,
    _Symbols,
    _Symbols,
    _Offsets,
    _Symbols,
    _Offsets,
    _Symbols,
    _Symbols,
]: ...

ENCODER_LEVEL: int

class EightBitEncoder:
    """A BERT in eight-bit arithmetic (native/encoder/eight_bits.hpp); raises ValueError if the numbers are no such encoder."""

    def __init__(
        self,
        size: int,
        wide: int,
        heads: int,
        layers: int,
        words: int,
        positions: int,
        matrices: NDArray[np.int8],
        scales: NDArray[np.float32],
        floats: NDArray[np.float32],
        epsilon: float,
        /,
    ) -> None: ...
    def hidden(
        self, ids: NDArray[np.int32], tokens: int, layer: int, level: int, /
    ) -> NDArray[np.float32]: ...
