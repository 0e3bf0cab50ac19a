"""jReadability: ease of a Japanese text for learners, from about 0.5 (upper advanced) to 6.5 (lower elementary).

        11.724 - 0.056 * words per sentence - 0.126 * % of kango - 0.042 * % of wago
           - 0.145 * % of verbs - 0.044 * % of particles

Words are those of MeCab with UniDic, whose dictionary gives the origin of each word, Chinese (kango) or Japanese (wago). As
in the package jreadability, punctuation marks are words too, and verbs that may be auxiliaries (pos2 非自立可能) do not count.
The counts of a corpus are added up before the formula is applied.
Reference: Lee and Hasebe 2016, Readability measurement of Japanese texts based on levelled corpora.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data import Corpus
from ..metric import Floats, Metric

_COLUMNS = ("words", "sentences", "kango", "wago", "verbs", "particles")
_ENDS = frozenset("。？！．")
_LONGEST = 10_000  # characters that MeCab receives at once


@dataclass(frozen=True)
class JReadability(Metric):
    """Ease of Japanese texts for learners, by Lee and Hasebe; parts are the counts."""

    family = "readability"
    languages = ("ja",)
    citation = "Lee & Hasebe 2016"

    @property
    def part_names(self) -> tuple[str, ...]:
        return (self.name, *_COLUMNS)

    def missing(self) -> str:
        present = find_spec("fugashi") and find_spec("unidic_lite")
        return "" if present else "needs fugashi and unidic-lite: pip install 'plainmark[jreadability]'."

    def stats(self, corpus: Corpus) -> Floats:
        self.check_installed()
        return corpus.remember("output", "jreadability", lambda: np.array([_count(t) for t in corpus.outputs], dtype=np.float64).reshape(-1, len(_COLUMNS)))  # fmt: skip

    def reduce(self, stats: Floats) -> Floats:
        words, sentences, *origins = np.moveaxis(stats, -1, 0)
        value = np.full(words.shape, np.nan)
        some = words > 0
        n = words[some]
        weights = (0.126, 0.042, 0.145, 0.044)
        shares = sum(w * 100 * count[some] / n for w, count in zip(weights, origins, strict=True))
        value[some] = 11.724 - 0.056 * n / sentences[some] - shares
        return np.concatenate([value[..., None], stats], axis=-1)

    def defined(self, stats: Floats) -> NDArray[np.bool_]:
        has_words: NDArray[np.bool_] = stats[..., 0] > 0
        return has_words


def _count(text: str) -> list[int]:
    """The counts of a text, in the order of _COLUMNS."""
    counts = [0] * len(_COLUMNS)
    ended = True
    # MeCab accepts neither a null character nor half of a surrogate pair.
    cleaned = text.encode("utf-8", "replace").decode().replace("\0", " ")
    for start in range(0, len(cleaned), _LONGEST):
        for word in _tagger()(cleaned[start : start + _LONGEST]):
            feature = word.feature
            counts[0] += 1
            counts[1] += ended
            ended = word.surface in _ENDS
            counts[2] += feature.goshu == "漢"
            counts[3] += feature.goshu == "和"
            counts[4] += feature.pos1 == "動詞" and feature.pos2 != "非自立可能"
            counts[5] += feature.pos1 == "助詞"
    return counts


@cache
def _tagger() -> Any:
    folder = import_module("unidic_lite").DICDIR
    return import_module("fugashi").Tagger(f'-d "{folder}"')
