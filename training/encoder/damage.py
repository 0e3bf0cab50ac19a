"""Sentences changed in ways that keep the meaning (a paraphrase) or break the grammar (damage)."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from plainmark.perturbations._injection import like

_SMALL = frozenset(
    "a an the of to in on at by for with from is are was were has have had and that it".split()
)
_VERB_FORMS = {
    "is": ("are", "be"),
    "are": ("is", "be"),
    "was": ("were", "been"),
    "were": ("was", "been"),
    "has": ("have", "having"),
    "have": ("has", "having"),
    "they": ("them",),
    "he": ("him",),
    "she": ("her",),
    "their": ("there",),
    "its": ("it",),
    "a": ("an", "the a"),
    "the": ("the the", "a the"),
    "of": ("of of", "to"),
    "to": ("for to", "at"),
    "in": ("on in", "of"),
}

Words = list[str]


def paraphrase(text: str, synonyms: Mapping[str, Sequence[str]], rng: random.Random, most: int = 3) -> str:
    """At most `most` words replaced with synonyms."""
    words = text.split()
    places = [i for i, w in enumerate(words) if _bare(w).lower() in synonyms]
    for i in rng.sample(places, min(len(places), rng.randint(1, most))):
        bare = _bare(words[i])
        words[i] = words[i].replace(bare, like(rng.choice(synonyms[bare.lower()]), bare))
    return " ".join(words)


def damage(text: str, rng: random.Random) -> str:
    """One to three grammatical errors."""
    words = text.split()
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        words = rng.choice(_FAULTS)(words, rng)
    damaged = " ".join(words)
    return damaged if damaged != text and damaged else " ".join(_swapped(text.split(), rng))


def _dropped(words: Words, rng: random.Random) -> Words:
    places = [i for i, w in enumerate(words) if w.lower() in _SMALL] or list(range(len(words)))
    i = rng.choice(places)
    return words[:i] + words[i + 1 :]


def _dropped_any(words: Words, rng: random.Random) -> Words:
    i = rng.randrange(len(words))
    return words[:i] + words[i + rng.choice((1, 1, 2)) :] or words


def _swapped(words: Words, rng: random.Random) -> Words:
    if len(words) < 3:
        return words[::-1]
    i = rng.randrange(len(words) - 1)
    return [*words[:i], words[i + 1], words[i], *words[i + 2 :]]


def _repeated(words: Words, rng: random.Random) -> Words:
    i, size = rng.randrange(len(words)), rng.choice((1, 2, 3))
    return words[: i + size] + words[i : i + size] + words[i + size :]


def _cut(words: Words, rng: random.Random) -> Words:
    return words[: max(2, rng.randrange(len(words) // 2, len(words) + 1) - 1)]


def _wrong_form(words: Words, rng: random.Random) -> Words:
    places = [i for i, w in enumerate(words) if w.lower() in _VERB_FORMS]
    if places:
        i = rng.choice(places)
        return [*words[:i], like(rng.choice(_VERB_FORMS[words[i].lower()]), words[i]), *words[i + 1 :]]
    return _wrong_ending(words, rng)


def _wrong_ending(words: Words, rng: random.Random) -> Words:
    places = [i for i, w in enumerate(words) if len(w) > 4 and w.isalpha() and w.islower()]
    if not places:
        return _swapped(words, rng)
    i = rng.choice(places)
    word = words[i]
    for ending in ("ing", "ed", "s"):
        if word.endswith(ending):
            return [*words[:i], word[: -len(ending)], *words[i + 1 :]]
    return [*words[:i], word + rng.choice(("s", "ing", "ed")), *words[i + 1 :]]


def _moved(words: Words, rng: random.Random) -> Words:
    if len(words) < 6:
        return _swapped(words, rng)
    i, size = rng.randrange(len(words) - 3), rng.choice((2, 3))
    piece, rest = words[i : i + size], words[:i] + words[i + size :]
    j = rng.randrange(len(rest))
    return rest[:j] + piece + rest[j:]


_FAULTS: tuple[Callable[[Words, random.Random], Words], ...] = (
    _dropped,
    _dropped_any,
    _swapped,
    _repeated,
    _cut,
    _wrong_form,
    _wrong_ending,
    _moved,
)


def _bare(word: str) -> str:
    return word.strip(".,;:!?\"'()[]")
