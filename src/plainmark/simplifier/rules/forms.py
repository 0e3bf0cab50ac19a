"""The forms that words can have (plural, past tense, ...), as bits: words that share none do not fit the same place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from ...errors import MissingResourceError

TAGS = ("NN", "NNS", "VB", "VBP", "VBZ", "VBD", "VBN", "VBG", "JJ", "JJR", "JJS", "RB", "RBR", "RBS")
_CLASSES = {"NOUN": TAGS[:2], "VERB": TAGS[2:8], "ADJ": TAGS[8:11], "ADV": TAGS[11:]}


@dataclass(frozen=True, eq=False)
class Forms:
    """The tags of TAGS that each word may have, one bit each; 0 for words of other classes and unknown ones."""

    bits: NDArray[np.uint16]

    @classmethod
    def of(cls, words: Sequence[str]) -> Forms:
        """The forms of words in lower case, by lemminflect's lists."""
        if find_spec("lemminflect") is None:
            raise MissingResourceError(
                "rules need the forms of English words; pip install 'plainmark[testbeds]'"
            )
        return cls(np.array([_bits(w) for w in words], dtype=np.uint16))


def inflections(lemma: str, part: str) -> dict[str, tuple[str, ...]]:
    """The forms of a word by their tags; lemminflect lists the participle of irregular verbs only."""
    from lemminflect import getAllInflections

    found: dict[str, tuple[str, ...]] = getAllInflections(lemma, part)
    if part == "VERB" and "VBD" in found and "VBN" not in found:
        found["VBN"] = found["VBD"]
    return found


def _bits(word: str) -> int:
    from lemminflect import getAllLemmas

    if not word.isascii() or not word.replace("-", "").isalpha():
        return 0
    bits = 0
    for part, lemmas in getAllLemmas(word).items():
        for lemma in lemmas if part in _CLASSES else ():
            inflected = inflections(lemma, part)
            for tag in _CLASSES[part]:
                if word in inflected.get(tag, ()):
                    bits |= 1 << TAGS.index(tag)
    if bits & 1 << TAGS.index("VB"):
        bits |= 1 << TAGS.index("VBP")
    return bits
