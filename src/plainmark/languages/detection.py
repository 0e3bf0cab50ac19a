"""Detects the language of a text by the character n-grams of its words; docs/laboratory.md says how often that is right.

    score(language) = log prior + sum over n-grams of log p(n-gram | language),   n = 1..4, "_" at both ends of a word

The probabilities come from lists of words with their frequencies (`scripts/make_language_detector.py`); scripts of only one
language need no table. A text with too few letters, or with n-grams that are unlikely in every language, is in no known
language: `detect` then returns an empty code, and nothing is refused because of it.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from .names import NAMES

BUCKETS = 2**14
ORDER = 4
SAMPLE = 3000  # number of characters used for detection
# letters; fewer than the first number give no result, and fewer than the second do not justify a refusal
ENOUGH, FIRM = 15, 25
# Correlated n-grams count several times in the sum; this divisor calibrates the probabilities.
TEMPERATURE = 8.0
# Log-probability per n-gram below which a text is in none of the languages: codes, transliterations, random letters.
LIKELY = -9.0
SURE = 0.95
# Probabilities of the language, and of its not being English, that together are enough for a refusal.
LIKELIEST, SURE_NOT = 0.75, 0.99
CLEAR = 0.7  # share of letters in the script of one language from which on a text is in that language
DIFFERENT = 4  # smallest number of words, in a script with spaces, for a refusal
FEW = 0.08  # largest share of clearly English words that other languages have, in titles and quotations

_FILE = Path(__file__).parent / "detector.npz"
_WORD = re.compile(r"[^\W\d_]+")
# Addresses, names of files, and words with digits belong to no language.
_CODE = re.compile(r"https?:|www\.|[\w.]@\w|\w[/\\]\w|[A-Za-z]\d|\d[A-Za-z]|_")
_ENGLISH = frozenset("the and that this with which were been from they their is was of an".split())
_ALSO = {"nl": {"is", "was", "of", "been"}, "de": {"was", "an"}, "fr": {"an"}, "da": {"and"}, "nb": {"and"}}
# Scripts with one language each; kana precede the characters that Japanese shares with Chinese.
_SCRIPTS = {
    "ja": re.compile("[\u3040-\u30ff]"),
    "ko": re.compile("[\u1100-\u11ff\uac00-\ud7af]"),
    "zh": re.compile("[\u3400-\u9fff]"),
    "el": re.compile("[\u0370-\u03ff\u1f00-\u1fff]"),
    "he": re.compile("[\u0590-\u05ff]"),
    "hi": re.compile("[\u0900-\u097f]"),
    "bn": re.compile("[\u0980-\u09ff]"),
    "ta": re.compile("[\u0b80-\u0bff]"),
    "th": re.compile("[\u0e00-\u0e7f]"),
}


@dataclass(frozen=True)
class Detected:
    """A language and its probability; the code is empty if no language is likely."""

    code: str
    probability: float
    letters: int

    english: float = 0.0  # share of the words that are clearly English
    as_english: float = 0.0  # the probability of English
    words: int = 0  # number of different words

    @property
    def sure(self) -> bool:
        """Whether it justifies a refusal: sentences full of foreign names are still English."""
        if not self.code or self.letters < FIRM or self.words < DIFFERENT:
            return False
        if self.code == "en":
            return self.probability >= SURE
        # It may be clear that a text is not English but unclear which of two related languages it is.
        plain = self.probability >= SURE or (
            self.probability >= LIKELIEST and self.as_english <= 1 - SURE_NOT
        )
        return plain and self.english < FEW

    @property
    def phrase(self) -> str:
        """A phrase such as "German (99 %)"; it never says 100 %."""
        return f"{NAMES[self.code]} ({min(99, int(100 * self.probability))} %)"


UNKNOWN = Detected("", 0.0, 0)


def detect(text: str) -> Detected:
    """The likeliest language of a text.

    >>> detect("Die Eulen jagen in der Nacht und schlafen am Tag.").code, detect("42").code
    ('de', '')
    """
    plain = " ".join(token for token in text[:SAMPLE].split() if not _CODE.search(token))
    words = _WORD.findall(plain)
    letters = sum(map(len, words))
    joined = "".join(words)
    counts = {code: len(script.findall(joined)) for code, script in _SCRIPTS.items()}
    if counts["ja"] > 0.05 * (counts["ja"] + counts["zh"]):
        counts = {**counts, "ja": counts["ja"] + counts["zh"], "zh": 0}
    code, count = max(counts.items(), key=lambda item: item[1])
    if count > 0.5 * letters:
        # A character of these scripts tells more than a letter, and vowel marks are not counted.
        weight = 4 if code in ("ja", "zh", "ko") else 2
        share = count / letters
        # Names in Latin letters do not change the language of a text.
        return Detected(code, 0.99 if share > CLEAR else share, weight * letters, words=DIFFERENT)
    if letters < ENOUGH:
        return UNKNOWN
    codes, table = _model()
    features = Counter(feature for word in words for feature in grams(word.lower()))
    buckets = np.fromiter(features, dtype=np.int64, count=len(features))
    times = np.fromiter(features.values(), dtype=np.float64, count=len(features))
    scores = times @ table[buckets]
    best = int(scores.argmax())
    if scores[best] / times.sum() < LIKELY:
        return Detected("", 0.0, letters)
    weights = np.exp((scores - scores[best]) / TEMPERATURE)
    code = codes[best]
    plainly_english = _ENGLISH - _ALSO.get(code, set())
    english = sum(word.lower() in plainly_english for word in words) / len(words)
    total = float(weights.sum())
    as_english = float(weights[codes.index("en")]) / total
    return Detected(code, 1 / total, letters, english, as_english, len(set(words)))


def grams(word: str) -> list[int]:
    """The buckets of a word's n-grams."""
    marked = f"_{word}_"
    return [
        crc32(marked[start : start + n].encode()) % BUCKETS
        for n in range(1, ORDER + 1)
        for start in range(len(marked) - n + 1)
        if n > 1 or marked[start] != "_"
    ]


@cache
def _model() -> tuple[list[str], NDArray[np.float64]]:
    """The languages of the table, and log-probabilities (buckets, languages)."""
    with np.load(_FILE, allow_pickle=False) as file:
        return file["codes"].tolist(), file["table"].astype(np.float64) * -float(file["step"])
