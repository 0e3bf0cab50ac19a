"""Features of word pairs for the word aligner: forms, WordNet, letters, vectors, positions, neighbours, competitors."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from .. import kernels, wordnet
from ..aligners._overlap import dice
from ..errors import InputError
from ..files import open_text

Floats = NDArray[np.float64]

_NUMBER = re.compile(r"[\d.,:]*\d[\d.,:]*")
_NUMERALS = frozenset(
    "one two three four five six seven eight nine ten eleven twelve hundred thousand million billion"
    " first second third".split()
)
# Closed classes, whose words are aligned by their context.
_FUNCTION = frozenset(
    "a an the this that these those of to in on at by for with from into out up down over under about after before"
    " between through during against as than and or but nor so if while when where because although which who whom"
    " whose it its he she they them his her their him i you we us me my your our there here is are was were be been"
    " being am do does did have has had will would shall should can could may might must not n't no 's also then".split()
)
_NEAR = 3  # number of words to either side


class WordLexicon:
    """Context-independent knowledge about words: forms, synonyms, derivations, hypernyms, antonyms."""

    def __init__(self, database: wordnet.WordNet | None, pairs: dict[str, set[str]]) -> None:
        self.database = database
        self.pairs = pairs
        self._known: dict[tuple[str, str], frozenset[str]] = {}

    def lookup(self, kind: str, words: Sequence[str]) -> list[frozenset[str]]:
        """The forms, synonyms, derived words or hypernyms of each word."""
        make: Callable[[str], frozenset[str]] = getattr(self, f"_{kind}")
        for word in words:
            if (kind, word) not in self._known:
                self._known[kind, word] = make(word)
        return [self._known[kind, word] for word in words]

    def _forms(self, word: str) -> frozenset[str]:
        forms = {word, f"{kernels.stem(word)}~"}  # a stem is not a word
        if self.database is not None:
            forms.update(f for pos in _POS for f in self.database.base_forms(word, pos))
        return frozenset(forms)

    def _synonyms(self, word: str) -> frozenset[str]:
        synonyms = set(self.pairs.get(word, ()))
        if self.database is not None:
            synonyms.update(w.lower() for w in self.database.synonyms(word))
        return frozenset(synonyms)

    def _derived(self, word: str) -> frozenset[str]:
        if self.database is None:
            return frozenset()
        return frozenset(
            other.lower()
            for pos in _POS
            for form in self.database.base_forms(word, pos)
            for synset in self.database.synsets(form, pos)
            for _, other in self.database.related_words(synset, form, "+", "\\")
        )

    def _antonyms(self, word: str) -> frozenset[str]:
        return frozenset(w.lower() for w in self.database.antonyms(word)) if self.database else frozenset()

    def _hypernyms(self, word: str) -> frozenset[str]:
        if self.database is None:
            return frozenset()
        return frozenset(
            w.lower()
            for synset in self.database.synsets(word)[:6]
            for above in self.database.hypernyms(synset)
            for w in above.words
        )


_POS: tuple[wordnet.Pos, ...] = ("n", "v", "a", "r")


def read_lexicon(path: str | None) -> dict[str, set[str]]:
    """Words and their synonyms, in both directions, from a file of pairs."""
    synonyms: dict[str, set[str]] = {}
    if path is None:
        return synonyms
    with open_text(path) as lines:
        for number, line in enumerate(lines, 1):
            words = line.lower().rstrip("\r\n").split("\t")
            if len(words) != 2:
                raise InputError(
                    f"{path}, line {number}: {len(words)} columns, expected two words with a tab between."
                )
            synonyms.setdefault(words[0], set()).add(words[1])
            synonyms.setdefault(words[1], set()).add(words[0])
    return synonyms


def features(
    a: Sequence[str], b: Sequence[str], cosine: Floats | None, lexicon: WordLexicon
) -> dict[str, Floats]:
    """The features of every pair of words for the first regression: names and matrices (len(a), len(b))."""
    low_a, low_b = [w.lower() for w in a], [w.lower() for w in b]
    same = _equal(low_a, low_b)
    other = 1 - same
    forms, synonyms, derived, above, against = (
        (lexicon.lookup(kind, low_a), lexicon.lookup(kind, low_b))
        for kind in ("forms", "synonyms", "derived", "hypernyms", "antonyms")
    )
    columns = {"same": same, "same_case": _equal(a, b), "form": _common(*forms) * other}
    for name, (of_a, of_b) in (
        ("synonym", synonyms),
        ("derived", derived),
        ("hypernym", above),
        ("antonym", against),
    ):
        columns[name] = np.maximum(_common(of_a, forms[1]), _common(forms[0], of_b)) * other
    columns["common_synonym"] = _common(*synonyms) * other
    columns["letters"] = _letters(low_a, low_b) * other
    columns["prefix"] = _prefix(low_a, low_b) * other
    kinds_a, kinds_b = _kinds(a), _kinds(b)
    for kind in kinds_a:
        x, y = kinds_a[kind][:, None], kinds_b[kind][None, :]
        columns[f"{kind}_both"], columns[f"{kind}_one"] = (
            (x & y).astype(np.float64),
            (x != y).astype(np.float64),
        )
        columns[f"{kind}_same"] = columns[f"{kind}_both"] * same
    place_a, place_b = ((np.arange(len(w)) + 0.5) / max(len(w), 1) for w in (a, b))
    columns["distance"] = np.abs(place_a[:, None] - place_b[None, :])
    columns["distance_same"] = columns["distance"] * same
    content_a, content_b = (~(k["mark"] | k["function"]) for k in (kinds_a, kinds_b))
    inner = content_a[:, None] & content_b[None, :]
    by_word = np.maximum.reduce([same, columns["form"], 0.7 * columns["synonym"]])
    columns |= _around("words", by_word, inner)
    for axis, name in ((1, "row"), (0, "column")):
        rivals = same.sum(axis=axis, keepdims=True) - same
        columns[f"same_in_{name}"] = np.minimum(rivals, 3)
    if cosine is None:
        likeness = by_word + 0.3 * columns["letters"] - 0.3 * columns["distance"]
    else:
        columns["cosine"], columns["cosine_other"] = cosine, cosine * other
        for kind in kinds_a:
            columns[f"cosine_{kind}"] = columns["cosine_other"] * columns[f"{kind}_both"]
        columns |= _rivalry("cosine", cosine)
        likeness = cosine + 0.3 * same
        columns |= _around("cosines", np.maximum(likeness, 0), inner)
    return columns | _rivalry("likeness", likeness)


def _kinds(words: Sequence[str]) -> dict[str, NDArray[np.bool_]]:
    low = [w.lower() for w in words]
    return {
        "mark": np.array([not any(c.isalnum() for c in w) for w in words], bool),
        "function": np.array([w in _FUNCTION for w in low], bool),
        "number": np.array([bool(_NUMBER.fullmatch(w)) or w in _NUMERALS for w in low], bool),
        "capital": np.array([w[:1].isupper() for w in words], bool),
    }


def neighbourhood(chances: Floats) -> list[Floats]:
    """Additional features for the second regression: probabilities of the pair, its competitors and nearby pairs."""
    columns = [chances, np.log(chances + 1e-4), *_rivalry("", chances).values()]
    best = (chances.max(axis=axis, keepdims=True, initial=0) for axis in (0, 1))
    columns += [np.broadcast_to(values, chances.shape) for values in best]
    band = np.zeros_like(chances)
    for di in range(-_NEAR, _NEAR + 1):
        for dj in range(max(di - 1, -_NEAR), min(di + 1, _NEAR) + 1):
            if di or dj:
                moved = shifted(chances, di, dj)
                band += moved
                if max(abs(di), abs(dj)) == 1 or abs(di) == abs(dj) == 2:
                    columns.append(moved)
    for di, dj in ((1, -1), (-1, 1)):
        columns.append(shifted(chances, di, dj))
    return [*columns, band]


def shifted(matrix: Floats, down: int, right: int) -> Floats:
    """The matrix whose element (i, j) is element (i + down, j + right) of the given one, 0 outside."""
    n, m = matrix.shape
    out = np.zeros_like(matrix)
    i0, i1, j0, j1 = max(0, -down), min(n, n - down), max(0, -right), min(m, m - right)
    if i0 < i1 and j0 < j1:
        out[i0:i1, j0:j1] = matrix[i0 + down : i1 + down, j0 + right : j1 + right]
    return out


def _around(name: str, matrix: Floats, inner: NDArray[np.bool_]) -> dict[str, Floats]:
    """Similarity of the neighbouring words, and of nearby content words."""
    n, m = matrix.shape
    sums = np.zeros((n + 1, m + 1))
    sums[1:, 1:] = (matrix * inner).cumsum(axis=0).cumsum(axis=1)
    i0, i1 = np.maximum(np.arange(n) - _NEAR, 0), np.minimum(np.arange(n) + _NEAR + 1, n)
    j0, j1 = np.maximum(np.arange(m) - _NEAR, 0), np.minimum(np.arange(m) + _NEAR + 1, m)
    window = sums[np.ix_(i1, j1)] - sums[np.ix_(i0, j1)] - sums[np.ix_(i1, j0)] + sums[np.ix_(i0, j0)]
    return {
        f"{name}_before": shifted(matrix, -1, -1),
        f"{name}_after": shifted(matrix, 1, 1),
        f"{name}_two_before": shifted(matrix, -2, -2),
        f"{name}_two_after": shifted(matrix, 2, 2),
        f"{name}_near": np.minimum(window - matrix * inner, 6) / 6,
    }


def _rivalry(name: str, matrix: Floats) -> dict[str, Floats]:
    """Margin of a pair over the best other pair of its row and column, and whether it is the best of both."""
    columns: dict[str, Floats] = {}
    best = np.ones_like(matrix)
    for axis, side in ((1, "row"), (0, "column")):
        size = matrix.shape[axis]
        if not matrix.size:
            columns[f"{name}_margin_{side}"] = matrix
            continue
        top = np.sort(matrix, axis=axis)
        first = top.take([-1], axis=axis)
        second = top.take([-2], axis=axis) if size > 1 else np.zeros_like(first)
        columns[f"{name}_margin_{side}"] = matrix - np.where(matrix == first, second, first)
        best *= matrix == first
    return columns | {f"{name}_best": best}


def _equal(a: Sequence[str], b: Sequence[str]) -> Floats:
    numbers: dict[str, int] = {}
    x, y = (np.array([numbers.setdefault(w, len(numbers)) for w in side], dtype=np.int64) for side in (a, b))
    result: Floats = (x[:, None] == y[None, :]).astype(np.float64)
    return result


def _common(a: Sequence[frozenset[str]], b: Sequence[frozenset[str]]) -> Floats:
    """1 where two sets have an element in common."""
    columns: dict[str, list[int]] = {}
    for j, elements in enumerate(b):
        for element in elements:
            columns.setdefault(element, []).append(j)
    out = np.zeros((len(a), len(b)))
    for i, elements in enumerate(a):
        for element in elements & columns.keys():
            out[i, columns[element]] = 1
    return out


def _letters(a: Sequence[str], b: Sequence[str]) -> Floats:
    """Dice's coefficient of the letter bigrams of two words."""
    grams = [kernels.ngrams(kernels.tokenize([f" {w} " for w in side], "all-char"), 2) for side in (a, b)]
    return dice(*grams)


def _prefix(a: Sequence[str], b: Sequence[str], shortest: int = 3, longest: int = 16) -> Floats:
    """The share of common initial letters of two words, 0 for fewer than three letters."""
    codes = [
        np.array([[ord(c) for c in w[:longest].ljust(longest, "\0")] for w in side], dtype=np.int64).reshape(
            len(side), longest
        )
        for side in (a, b)
    ]
    equal = (codes[0][:, None] == codes[1][None, :]) & (codes[0] != 0)[:, None]
    count = np.logical_and.accumulate(equal, axis=2).sum(axis=2)
    size = np.maximum(np.array([len(w) for w in a])[:, None], np.array([len(w) for w in b])[None, :])
    result: Floats = np.where(count >= shortest, count / np.maximum(size, 1), 0.0)
    return result
