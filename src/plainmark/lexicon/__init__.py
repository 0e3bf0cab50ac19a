"""Relations between English words: base forms, synonyms, antonyms, hypernyms, negations by affix, and kinds of terms.

The data are in lexicon.npz, built from WordNet 3.0, PPDB 1.0 and hand-written lists by scripts/make_fact_lexicon.py, and
loaded on the first look-up. Words are lower-case; phrases of several words have single spaces.

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

from .. import kernels
from .directions import DIRECTIONS, by_prefix
from .forms import ADJECTIVE, ANY, NOUN, VERB, by_rule, respelled, singular
from .tables import Tables

Relation = Literal["same", "form", "synonym", "antonym", "hypernym", "hyponym"]

FILE = Path(__file__).with_name("lexicon.npz")
# In the order of their numbers in the file; 0 means that a word is not a term.
CLASSES = (
    *("", "drug", "disease", "body part", "organism", "chemical", "substance", "food"),
    *("device", "profession", "procedure", "term"),
)
# If forms of two words are related in several ways, the strongest relation applies.
_STRENGTH: dict[Relation, int] = {"form": 4, "antonym": 3, "synonym": 2, "hypernym": 1}
# Two words of the lexicon without a relation are forms of each other if they share a stem of this length.
_LONG_STEM = 8
# Number of words in the cache of look-ups.
_MEMORY = 50_000

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
    """A word as written, with all the data that the word aligner needs."""

    keys: tuple[str, ...]
    """The word and its base forms."""
    reach: dict[str, Relation]
    """What the word means to base forms that it is related to, except more special ones."""
    stem: str
    known: bool
    """Whether the lexicon has the word or a base form of it."""
    direction: tuple[str, int] | None
    positive: str | None
    """What the word denies, other than by -less."""


def base(word: str) -> str:
    """The likeliest base form of a word: "go" for "went"."""
    return bases(word)[0]


@lru_cache(_MEMORY)
def bases(word: str) -> tuple[str, ...]:
    """The base forms of a word for all parts of speech, the likeliest first; at least one."""
    return tuple(form for form, _ in _analyses(word))


def is_known(word: str) -> bool:
    """Whether the lexicon has a word or one of its base forms."""
    number = _lexicon().number
    return any(key in number for key in _keys(word))


@lru_cache(_MEMORY)
def is_verb(word: str) -> bool:
    """Whether a word may be a form of a verb; false for words that the lexicon does not have."""
    return is_known(word) and any(parts & VERB for _, parts in _analyses(word))


@lru_cache(_MEMORY)
def is_noun(word: str) -> bool:
    """Whether a word may be a noun and not an adjective, according to the lexicon."""
    parts = 0
    for _, some in _analyses(word):
        parts |= some
    return is_known(word) and bool(parts & NOUN) and not parts & ADJECTIVE


@lru_cache(_MEMORY)
def is_thing(word: str) -> bool:
    """Whether a word is a noun for a thing, a being, a place or a state: a boiler, a baker, a bakery, a fever."""
    data = _lexicon()
    return any(parts & NOUN and data.is_thing(number) for number, parts in _numbers(word)[:1])


@lru_cache(_MEMORY)
def synonyms(word: str) -> frozenset[str]:
    """Base forms that can replace a word in some context without a change of meaning, except the word itself."""
    data = _lexicon()
    related_words = {w for number, parts in _numbers(word) for w in data.synonyms(number, parts)}
    return frozenset(related_words - set(_keys(word)) - antonyms(word))


@lru_cache(_MEMORY)
def hypernyms(word: str) -> frozenset[str]:
    """More general words: up to three steps for things ("drug" for "aspirin"), one step for other words."""
    data = _lexicon()
    related_words = {w for number, parts in _numbers(word) for w in data.hypernyms(number, parts)}
    return frozenset(related_words - set(_keys(word)))


@lru_cache(_MEMORY)
def antonyms(word: str) -> frozenset[str]:
    """Base forms with the opposite meaning."""
    data = _lexicon()
    related_words = {w for number, parts in _numbers(word) for w in data.antonyms(number, parts)}
    positive = negative(word)
    # "Harmless" is not the opposite of "harm".
    if positive and "less" not in word:
        related_words.add(positive)
    return frozenset(related_words - set(_keys(word)))


@lru_cache(_MEMORY)
def negative(word: str) -> str | None:
    """The word that a word negates by an affix: "safe" for "unsafe"; None for all other words."""
    data = _lexicon()
    for key in _keys(word):
        if key in data.denials:
            return data.denials[key]
    if word in data.number or data.forms(word):
        return None
    if match := re.fullmatch(r"non(-?)([a-z]{4,})", word):
        return base(match[2]) if match[1] or any(by_rule(match[2], data.flag)) else None
    if word.endswith("-free") and len(word) > 7:
        return base(word[:-5])
    # A participle that is not a form of a verb with un-.
    if re.fullmatch(r"un[a-z]{3,}ed", word):
        verbs = [form for form, parts in by_rule(word[2:], data.flag) if parts & VERB]
        undone = any(data.flag("un" + form) & VERB for form in verbs)
        return word[2:] if verbs and not undone else None
    return None


@lru_cache(_MEMORY)
def term_class(term: str) -> str | None:
    """The kind of a specific noun such as "drug", "disease" or "body part"; "term" for other technical nouns.

    None for words in general use and for unknown words.
    """
    data = _lexicon()
    for key in _keys(term):
        number = data.number.get(key)
        if number is not None and data.classes[number]:
            return CLASSES[data.classes[number]]
    if " " in term or len(term) < 6 or any(key in data.number for key in _keys(term)):
        return None
    singular_term = singular(term)
    if _DRUG.fullmatch(singular_term) and singular_term not in _NOT_DRUG:
        return "drug"
    if (_DISEASE.fullmatch(term) or _DISEASE.fullmatch(singular_term)) and singular_term not in _NOT_DISEASE:
        return "disease"
    return None


@lru_cache(_MEMORY)
def direction(word: str) -> tuple[str, int] | None:
    """The family and the sign of a word that expresses a direction: ("amount", -1) for "fell"."""
    if word in DIRECTIONS:
        return DIRECTIONS[word]
    forms = bases(word)
    return next((DIRECTIONS[form] for form in forms if form in DIRECTIONS), None) or by_prefix(
        forms[0], is_known
    )


@lru_cache(_MEMORY)
def lexeme(word: str) -> Lexeme:
    """The data that `related` needs about a word, cached."""
    data = _lexicon()
    keys = _keys(word)
    reach: dict[str, Relation] = dict.fromkeys(hypernyms(word), "hypernym")
    reach.update(dict.fromkeys(synonyms(word), "synonym"))
    reach.update(dict.fromkeys(antonyms(word), "antonym"))
    reach.update(dict.fromkeys(keys, "form"))
    known = any(key in data.number for key in keys)
    positive = None if "less" in word else negative(word)
    return Lexeme(keys, reach, kernels.stem(word), known, direction(word), positive)


def related(a: str, b: str) -> Relation | None:
    """The relation of word `b` to word `a`, both as written: "hypernym" means that b is the more general one."""
    if a == b:
        return "same"
    left, right = lexeme(a), lexeme(b)
    ahead, back = _relation(left, right), _relation(right, left)
    if ahead == "form" or back == "form":
        return "form"
    # Opposites and synonyms are symmetric, unless a part of speech does not fit; negations are known for one word only.
    if (
        ahead == back == "antonym"
        or _opposed(left.direction, right.direction)
        or (left.positive is not None and left.positive in right.keys)
        or (right.positive is not None and right.positive in left.keys)
    ):
        return "antonym"
    if ahead == back == "synonym":
        return "synonym"
    if ahead == "hypernym":
        return "hypernym"
    if back == "hypernym":
        return "hyponym"
    if left.stem == right.stem and len(left.stem) >= (_LONG_STEM if left.known and right.known else 4):
        return "form"
    return None


def relations(sources: Iterable[str], outputs: Iterable[str]) -> dict[tuple[str, str], Relation]:
    """All related pairs of two sets of words as written; far faster than a call per pair."""
    left, right = set(sources), set(outputs)
    out: dict[tuple[str, str], Relation] = {}
    for a, b in _candidates(left, right):
        relation = related(a, b)
        if relation is not None:
            out[a, b] = relation
    return out


def opposite_direction(a: str, b: str) -> bool:
    """Whether two words express opposite directions in the same family: "rise" and "reduced"."""
    return _opposed(direction(a), direction(b))


def _candidates(left: set[str], right: set[str]) -> Iterator[tuple[str, str]]:
    """Pairs of words that may be related."""
    by_key: dict[str, list[str]] = {}
    by_stem: dict[str, list[str]] = {}
    by_direction: dict[tuple[str, int], list[str]] = {}
    for b in right:
        entry = lexeme(b)
        for key in entry.keys:
            by_key.setdefault(key, []).append(b)
        by_stem.setdefault(entry.stem, []).append(b)
        if entry.direction:
            by_direction.setdefault(entry.direction, []).append(b)
    left_keys: dict[str, list[str]] = {}
    for a in left:
        entry = lexeme(a)
        for key in entry.keys:
            left_keys.setdefault(key, []).append(a)
        for key in entry.reach.keys() & by_key.keys():
            yield from ((a, b) for b in by_key[key])
        yield from ((a, b) for b in by_stem.get(entry.stem, ()))
        if entry.direction:
            family, sign = entry.direction
            yield from ((a, b) for b in by_direction.get((family, -sign), ()))
    for b in right:
        for key in lexeme(b).reach.keys() & left_keys.keys():
            yield from ((a, b) for a in left_keys[key])


def _relation(a: Lexeme, b: Lexeme) -> Relation | None:
    """The strongest relation of a word to the forms of another one."""
    strongest: Relation | None = None
    for key in b.keys:
        relation = a.reach.get(key)
        if relation and (strongest is None or _STRENGTH[relation] > _STRENGTH[strongest]):
            strongest = relation
    return strongest


def _opposed(first: tuple[str, int] | None, second: tuple[str, int] | None) -> bool:
    if first is None or second is None:
        return False
    return first[0] == second[0] and first[1] == -second[1]


@lru_cache(_MEMORY)
def _analyses(word: str) -> tuple[tuple[str, int], ...]:
    """The base forms of a word, the likeliest first, with the parts of speech that they have here."""
    data = _lexicon()
    if forms := data.forms(word):
        return forms
    if word[-2:] in ("'s", "’s") and len(word) > 2:
        return _analyses(word[:-2])
    if forms := tuple(dict(by_rule(word, data.flag)).items()):
        return forms
    if " " in word:
        first, _, last = word.rpartition(" ")
        phrase = f"{first} {base(last)}"
        return ((phrase if phrase in data.number else word, ANY),)
    for spelling in respelled(word):
        if data.forms(spelling) or any(by_rule(spelling, data.flag)):
            return _analyses(spelling)
    if "-" in word[1:-1]:
        first, _, last = word.rpartition("-")
        return ((f"{first}-{base(last)}" if last.isalpha() else word, ANY),)
    return ((singular(word), ANY),)


def _numbers(word: str) -> list[tuple[int, int]]:
    """The indices of a word's base forms in the lexicon, with their parts of speech."""
    number = _lexicon().number
    forms = dict(_analyses(word))
    forms.setdefault(word, ANY)
    return [(number[form], parts) for form, parts in forms.items() if form in number]


@lru_cache(_MEMORY)
def _keys(word: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*bases(word), word)))


@cache
def _lexicon() -> Tables:
    return Tables(FILE)
