"""What English words mean to each other: base forms, synonyms, antonyms, more general words, denials and kinds of terms.

All of it is in lexicon.npz, made from WordNet 3.0, PPDB 1.0 and lists of our own by scripts/make_fact_lexicon.py, and is
read on the first look-up. Words are lower-case; phrases of several words have single spaces.

>>> from plainmark import lexicon
>>> lexicon.base("studies"), lexicon.bases("left"), lexicon.related("purchased", "bought")
('study', ('leave', 'left'), 'synonym')
>>> lexicon.negative("insufficient"), lexicon.term_class("metformin"), lexicon.direction("fell")
('sufficient', 'drug', ('amount', -1))
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import kernels
from .directions import DIRECTIONS

Relation = Literal["same", "form", "synonym", "antonym", "hypernym", "hyponym"]

FILE = Path(__file__).with_name("lexicon.npz")
# In the order of their numbers in the file; 0 is no term.
CLASSES = (
    *("", "drug", "disease", "body part", "organism", "chemical", "substance", "food"),
    *("device", "profession", "term"),
)
NOUN, VERB, ADJECTIVE, ADVERB, FUNCTION = 1, 2, 4, 8, 16
# How many steps up count as a more general word.
_NOUN_STEPS, _VERB_STEPS = 3, 1
# Words that a look-up remembers.
_MEMORY = 50_000

_Numbers = NDArray[np.uint32]

# Endings of inflected forms, what stands for them in the base form, and of which parts of speech.
_ENDINGS = (
    *(("ies", "y", NOUN | VERB), ("sses", "ss", NOUN | VERB), ("ves", "f", NOUN), ("ves", "fe", NOUN)),
    *(("men", "man", NOUN), ("es", "e", NOUN | VERB), ("s", "", NOUN | VERB), ("es", "", NOUN | VERB)),
    *(("ied", "y", VERB), ("ed", "e", VERB), ("ed", "", VERB), ("ing", "e", VERB), ("ing", "", VERB)),
    *(("ier", "y", ADJECTIVE), ("iest", "y", ADJECTIVE), ("er", "e", ADJECTIVE), ("est", "e", ADJECTIVE)),
    *(("er", "", ADJECTIVE), ("est", "", ADJECTIVE)),
)
_DOUBLED = re.compile(r"(.*[aeiouy]([bdfgklmnprtvz]))\2(ed|ing|er|est)")
# Spellings of words that the lexicon may have in another form.
_SPELLINGS = (("is", "iz"), ("our", "or"), ("ae", "e"), ("oe", "e"), ("ll", "l"), ("-", ""))
_DRUG = re.compile(
    r"\w{2,}(?:mab|pril|sartan|statin|olol|cillin|(?:on|id|pr|tr|et)azole|(?:[^r]|[^i]r)vir|oxetine|formin|gliptin"
    r"|gliflozin|glutide|tinib|ciclib|parib|xaban|gatran|cycline|floxacin|mycin|dipine|azepam|azolam|barbital|caine"
    r"|profen|coxib|triptan|setron|tidine|thiazide|semide|terol|sone|solone|sonide|glitazone|fibrate|dronate|platin"
    r"|rubicin|taxel|trexate|cept|kinra|penem|cef\w*|afil|lukast|zosin|quine|apine|idone|peridol|triptyline|ipramine"
    r"|citalopram|traline|parin|steride|conazole|fungin|nidazole|morphine|codone)"
)
_DISEASE = re.compile(
    r"\w{2,}(?:itis|itides|[^aeiou]osis|[^aeiou]oses|iasis|aemia|[^adh]emia|[^prl]oma|omas|omata|pathy|pathies|algia|penia"
    r"|plegia|rrhoea|rrhea|rrhage|megaly|trophy|uria|sclerosis|phobia|philia)"
)
_NOT_DRUG = frozenset(
    "reception concept precept intercept accept except percept cabernet april person season reason poison prison lesson "
    "bassoon apine alpine lupine supine bone stone".split()
)
_NOT_DISEASE = frozenset(
    "diploma aroma coma soma stroma chromosome empathy sympathy telepathy antipathy apathy osteopathy homeopathy "
    "naturopathy academia bohemia photosynthosis osmosis meiosis mitosis symbiosis metamorphosis hypnosis diagnosis prognosis "
    "apoptosis anastomosis homeostasis endocytosis exocytosis phagocytosis pinocytosis trophy atrophy genoma axioma "
    "anglophilia bibliophilia philosophia gnosis apotheosis euphoria regalia ".split()
)


class Lexeme(NamedTuple):
    """A word as written, with everything that the word aligner asks of it."""

    keys: tuple[str, ...]
    """The word and its base forms."""
    reach: dict[str, Relation]
    """What the word means to base forms that it is related to, except more special ones."""
    stem: str | None
    """The stem of a word that the lexicon does not have."""


def base(word: str) -> str:
    """The likeliest base form of a word: "go" for "went"."""
    return bases(word)[0]


@lru_cache(_MEMORY)
def bases(word: str) -> tuple[str, ...]:
    """The base forms of a word for all parts of speech, the likeliest first; at least one."""
    data = _lexicon()
    if word in data.forms:
        return data.forms[word]
    if word[-2:] in ("'s", "’s") and len(word) > 2:
        return bases(word[:-2])
    forms = tuple(by_rule(word, data.flag))
    if forms:
        return forms
    if " " in word:
        first, _, last = word.rpartition(" ")
        phrase = f"{first} {base(last)}"
        return (phrase if phrase in data.number else word,)
    for spelling in _respelled(word):
        if spelling in data.number or spelling in data.forms or any(by_rule(spelling, data.flag)):
            return bases(spelling)
    if "-" in word[1:-1]:
        first, _, last = word.rpartition("-")
        return (f"{first}-{base(last)}",) if last.isalpha() else (word,)
    return (_singular(word),)


@lru_cache(_MEMORY)
def synonyms(word: str) -> frozenset[str]:
    """Base forms that may stand for a word without a change of meaning, in some context; not the word itself."""
    data = _lexicon()
    keys = _keys(word)
    found = {w for n in data.numbers(keys) for w in data.synonyms(n)}
    return frozenset(found - set(keys) - antonyms(word))


@lru_cache(_MEMORY)
def hypernyms(word: str) -> frozenset[str]:
    """More general words, up to three steps for nouns ("drug" for "aspirin"), one for verbs."""
    data = _lexicon()
    keys = _keys(word)
    return frozenset({w for n in data.numbers(keys) for w in data.hypernyms(n)} - set(keys))


@lru_cache(_MEMORY)
def antonyms(word: str) -> frozenset[str]:
    """Base forms with the opposite meaning."""
    data = _lexicon()
    keys = _keys(word)
    found = {w for n in data.numbers(keys) for w in data.opposites.of(n)}
    positive = negative(word)
    return frozenset((found | {positive} if positive else found) - set(keys))


@lru_cache(_MEMORY)
def negative(word: str) -> str | None:
    """The word that a word denies by an affix: "safe" for "unsafe"; None for all others."""
    data = _lexicon()
    for key in _keys(word):
        if key in data.denials:
            return data.denials[key]
    if re.fullmatch(r"non-?[a-z]{4,}", word):
        positive = word[3:].removeprefix("-")
        known = positive in data.number or any(by_rule(positive, data.flag))
        return base(positive) if word not in data.number and (known or word[3] == "-") else None
    if word.endswith("-free") and len(word) > 7:
        return base(word[:-5])
    # A participle that is no form of a verb with un-.
    if re.fullmatch(r"un[a-z]{3,}ed", word) and word not in data.number and word not in data.forms:
        participle = word[2:]
        verb = any(data.flag(form) & VERB for form in by_rule(participle, data.flag))
        undone = any(data.flag("un" + form) & VERB for form in by_rule(participle, data.flag))
        return participle if verb and not undone else None
    return None


@lru_cache(_MEMORY)
def term_class(term: str) -> str | None:
    """The kind of a specific noun such as "drug", "disease" or "body part"; "term" for other technical nouns.

    None for words in general use and for words that no rule knows.
    """
    data = _lexicon()
    for key in _keys(term):
        number = data.number.get(key)
        if number is not None and data.classes[number]:
            return CLASSES[data.classes[number]]
    if term in data.number or term in data.forms or " " in term or len(term) < 6:
        return None
    known = any(key in data.number for key in _keys(term))
    if known:
        return None
    singular = _singular(term)
    if _DRUG.fullmatch(singular) and singular not in _NOT_DRUG:
        return "drug"
    if (_DISEASE.fullmatch(term) or _DISEASE.fullmatch(singular)) and singular not in _NOT_DISEASE:
        return "disease"
    return None


@lru_cache(_MEMORY)
def direction(word: str) -> tuple[str, int] | None:
    """The family and the sign of a word that says which way: ("amount", -1) for "fell"."""
    if word in DIRECTIONS:
        return DIRECTIONS[word]
    return next((DIRECTIONS[form] for form in bases(word) if form in DIRECTIONS), None)


@lru_cache(_MEMORY)
def lexeme(word: str) -> Lexeme:
    """What `related` needs to know of a word, remembered."""
    data = _lexicon()
    keys = _keys(word)
    reach: dict[str, Relation] = dict.fromkeys(hypernyms(word), "hypernym")
    reach.update(dict.fromkeys(synonyms(word), "synonym"))
    reach.update(dict.fromkeys(antonyms(word), "antonym"))
    reach.update(dict.fromkeys(keys, "form"))
    known = any(key in data.number for key in keys)
    return Lexeme(keys, reach, None if known or len(word) < 5 else kernels.stem(word))


def related(a: str, b: str) -> Relation | None:
    """What word `b` is to word `a`, both as written: "hypernym" means that b is the more general one."""
    if a == b:
        return "same"
    left, right = lexeme(a), lexeme(b)
    for key in right.keys:
        relation = left.reach.get(key)
        if relation is not None:
            return _settled(a, b, left, right, relation)
    for key in left.keys:
        relation = right.reach.get(key)
        if relation is not None:
            return _settled(a, b, left, right, "hyponym" if relation == "hypernym" else relation)
    if opposite_direction(a, b):
        return "antonym"
    if (left.stem or right.stem) and (left.stem or kernels.stem(a)) == (right.stem or kernels.stem(b)):
        return "form"
    return None


def relations(sources: Iterable[str], outputs: Iterable[str]) -> dict[tuple[str, str], Relation]:
    """All related pairs of two sets of words as written; far faster than asking for each pair."""
    left, right = set(sources), set(outputs)
    out: dict[tuple[str, str], Relation] = {}
    for a, b in _candidates(left, right):
        relation = related(a, b)
        if relation is not None:
            out[a, b] = relation
    return out


def opposite_direction(a: str, b: str) -> bool:
    """Whether two words say the opposite of each other in the same family: "rise" and "reduced"."""
    first, second = direction(a), direction(b)
    return first is not None and second is not None and first[0] == second[0] and first[1] == -second[1]


def by_rule(word: str, flag: Flags) -> Iterator[str]:
    """Base forms by their spelling: the word itself if it is one, then what is left without an ending."""
    seen = set()
    if flag(word):
        seen.add(word)
        yield word
        if flag(word) & FUNCTION:
            return
    doubled = _DOUBLED.fullmatch(word)
    if doubled:
        pos = VERB if doubled[3] in ("ed", "ing") else ADJECTIVE
        if flag(doubled[1]) & pos:
            seen.add(doubled[1])
            yield doubled[1]
    for ending, new, pos in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            form = word[: -len(ending)] + new
            if form not in seen and flag(form) & pos and not (ending == "s" and form.endswith("s")):
                seen.add(form)
                yield form


class Flags:
    """Parts of speech by word, 0 for words that are not listed."""

    def __init__(self, number: dict[str, int], flags: bytes) -> None:
        self._number = number
        self._flags = flags

    def __call__(self, word: str) -> int:
        number = self._number.get(word)
        return 0 if number is None else self._flags[number]


class _Table:
    """Lists of words by the number of a word, or of synsets."""

    def __init__(self, keys: _Numbers, values: _Numbers, size: int, words: list[str]) -> None:
        self._starts = np.searchsorted(keys, np.arange(size + 1)).tolist()
        self._values = values
        self._words = words

    def numbers(self, key: int) -> list[int]:
        return self._values[self._starts[key] : self._starts[key + 1]].tolist()  # type: ignore[no-any-return]

    def of(self, key: int) -> list[str]:
        return [self._words[n] for n in self.numbers(key)]


class _Lexicon:
    """The file in memory."""

    def __init__(self, path: Path) -> None:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        self.words = arrays["words"].tobytes().decode("utf-8").split("\n")
        self.number = dict(zip(self.words, range(len(self.words)), strict=True))
        self._parts = arrays["flags"].tobytes()
        self.flag = Flags(self.number, self._parts)
        self.classes = arrays["classes"].tobytes()
        rows = (line.split("\t") for line in arrays["forms"].tobytes().decode("utf-8").split("\n"))
        self.forms = {row[0]: tuple(row[1:]) for row in rows}
        rows = (line.split("\t") for line in arrays["denials"].tobytes().decode("utf-8").split("\n"))
        self.denials = {row[0]: row[1] for row in rows}
        size = len(self.words)
        # Synsets of each word, and words of each synset.
        of_words = np.repeat(np.arange(size, dtype=np.uint32), arrays["sense_counts"])
        synsets = arrays["senses"]
        count = len(arrays["parent_counts"])
        order = np.argsort(synsets, kind="stable")
        self._senses = _Table(of_words, synsets, size, self.words)
        self._members = _Table(synsets[order], of_words[order], count, self.words)
        of_synsets = np.repeat(np.arange(count, dtype=np.uint32), arrays["parent_counts"])
        self._parents = _Table(of_synsets, arrays["parents"], count, self.words)
        self._steps = arrays["steps"].tobytes()
        self._equals = _Table(*_both_ways(arrays["synonyms"]), size, self.words)
        self.opposites = _Table(*_both_ways(arrays["antonyms"]), size, self.words)

    def numbers(self, words: Iterable[str]) -> list[int]:
        return [self.number[w] for w in words if w in self.number]

    def synonyms(self, number: int) -> Iterator[str]:
        yield from self._equals.of(number)
        for synset in self._senses.numbers(number):
            yield from self._members.of(synset)

    def hypernyms(self, number: int) -> Iterator[str]:
        for synset in self._senses.numbers(number):
            level = [synset]
            for _ in range(self._steps[synset]):
                level = [parent for s in level for parent in self._parents.numbers(s)]
                for parent in level:
                    yield from self._members.of(parent)


def _candidates(left: set[str], right: set[str]) -> Iterator[tuple[str, str]]:
    """Pairs of words that may be related."""
    by_key: dict[str, list[str]] = {}
    by_direction: dict[tuple[str, int], list[str]] = {}
    for b in right:
        entry = lexeme(b)
        for key in entry.keys:
            by_key.setdefault(key, []).append(b)
        # Stems have a mark, as they are not words.
        by_key.setdefault("\0" + (entry.stem or kernels.stem(b)), []).append(b)
        way = direction(b)
        if way:
            by_direction.setdefault(way, []).append(b)
    left_keys: dict[str, list[str]] = {}
    for a in left:
        entry = lexeme(a)
        for key in entry.keys:
            left_keys.setdefault(key, []).append(a)
        for key in entry.reach.keys() & by_key.keys():
            yield from ((a, b) for b in by_key[key])
        yield from ((a, b) for b in by_key.get("\0" + (entry.stem or kernels.stem(a)), ()))
        way = direction(a)
        if way:
            yield from ((a, b) for b in by_direction.get((way[0], -way[1]), ()))
    for b in right:
        for key in lexeme(b).reach.keys() & left_keys.keys():
            yield from ((a, b) for a in left_keys[key])


def _settled(a: str, b: str, left: Lexeme, right: Lexeme, relation: Relation) -> Relation:
    """A relation, unless one of the pair's other forms says the opposite."""
    if relation in ("antonym", "form"):
        return relation
    forms = [left.reach.get(key) for key in right.keys] + [right.reach.get(key) for key in left.keys]
    if "form" in forms:
        return "form"
    if "antonym" in forms or opposite_direction(a, b):
        return "antonym"
    return "synonym" if "synonym" in forms else relation


@lru_cache(_MEMORY)
def _keys(word: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*bases(word), word)))


def _both_ways(pairs: _Numbers) -> tuple[_Numbers, _Numbers]:
    keys = np.concatenate([pairs[:, 0], pairs[:, 1]])
    order = np.argsort(keys, kind="stable")
    return keys[order], np.concatenate([pairs[:, 1], pairs[:, 0]])[order]


def _respelled(word: str) -> Iterator[str]:
    for old, new in _SPELLINGS:
        if old in word[1:]:
            yield word[0] + word[1:].replace(old, new)


def _singular(word: str) -> str:
    """A word that the lexicon does not have, without a plural ending."""
    if len(word) < 4 or not word.isalpha() or word.endswith(("ss", "us", "is")) or word[-1] != "s":
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("sses", "xes", "ches", "shes")) else word[:-1]


@cache
def _lexicon() -> _Lexicon:
    return _Lexicon(FILE)
