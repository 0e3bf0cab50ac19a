"""Constraints on meaning: rules that must never be used, and words of a text that no rule may change.

A rule is rejected if it drops or adds a number, a name or a negation, replaces a word with its antonym, changes one bracket
or quotation mark of a pair, or uses a word in a form that does not fit (singular for plural, noun for verb). Words of the
text are protected by kind: numbers and dates, names, and quotations.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ... import wordnet
from ...errors import OptionError, did_you_mean
from ...perturbations._figures import numbers
from ..arrays import Flags, Reals
from ..surface import SplitText
from ._names import entities
from .table import RuleTable
from .word_facts import WordFacts

# Tokens that are not words: addresses, file names, identifiers, code between backticks, words in capitals.
_VERBATIM = re.compile(
    r"`[^`\n]+`|\b(?:https?|ftp)://\S+|\bwww\.\S+|\S+@\S+\.\w+|\b\w+_\w+\b|\b[a-z]+[A-Z]\w*\b|\b[A-Z]{2,}\b|(?<!\w)[/~]\w+/\S*"
)
_CODE = re.compile(r"\w\([^()]*\)\s*[:;{=]|[{}]|==|!=|=>|->|::|</?\w+>")  # a line of a program, not of prose
_SINGLE_QUOTES = re.compile(r"(?<!\w)(?:'(?=\S)[^'\n]{2,300}?(?<=\S)'|‘[^‘’\n]{2,300}’)(?!\w)")
PROTECTED_KINDS = ("names", "numbers", "quotes")
NEGATIONS = frozenset(
    "not n't no never none nobody nothing neither nor without cannot nowhere hardly".split()
)
_MONTHS = frozenset(
    "january february march april june july august september october november december".split()  # "may" is a verb, too
)
_NUMBER_WORDS = frozenset(
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion trillion dozen "
    "half third quarter fifth tenth".split()
)
_EMPTY = frozenset("of the a an and to it its".split())
_LIKELY = 0.5  # threshold of the probability of being part of a name
_LINKS = frozenset("of the de la and 's for & du von van del".split())
_PAIRED = (("-lrb-", "-rrb-"), ("-lsb-", "-rsb-"), ('"', '"'), ("``", "''"))


def parse_kinds(text: str) -> tuple[str, ...]:
    """The kinds that "names,numbers" lists; "none" is an empty list."""
    kinds = [part.strip().lower() for part in text.split(",") if part.strip()]
    if kinds == ["none"]:
        return ()
    for kind in kinds:
        if kind not in PROTECTED_KINDS:
            raise OptionError(
                f"cannot protect {kind!r}.{did_you_mean(kind, PROTECTED_KINDS)} Expected some of {', '.join(PROTECTED_KINDS)}, or none."
            )
    return tuple(k for k in PROTECTED_KINDS if k in kinds)


def protected(words: SplitText, kinds: Collection[str], name: Flags, risk: Reals | None = None) -> Flags:
    """Which words no rule may drop; `name` flags words that are names in any case.

    `risk` is the probability that each word is part of a name in its context, for text without capitals.
    """
    if _CODE.search(words.text):
        return np.ones(len(words.words), dtype=np.bool_)
    flags = np.zeros(len(words.words), dtype=np.bool_)
    _cover(flags, words, [m.span() for m in _VERBATIM.finditer(words.text)])
    if "numbers" in kinds:
        numeric = [any(map(str.isdigit, w)) or w in _NUMBER_WORDS or w in _MONTHS for w in words.words]
        flags |= np.array(numeric, dtype=np.bool_)
        _cover(flags, words, [(m.start, m.end) for m in numbers(words.text) if not m.weak])
    if "names" in kinds:
        flags |= name
        if risk is not None:
            flags |= _joined(words.words, flags | (risk >= _LIKELY))
        if not words.text.islower():
            _cover(
                flags,
                words,
                [(m.start, m.end) for m in entities(words.text) if not m.weak],
            )
    if "quotes" in kinds:
        flags |= _quoted(words.words)
        _cover(flags, words, [m.span() for m in _SINGLE_QUOTES.finditer(words.text)])
    return flags


def _cover(flags: Flags, words: SplitText, spans: Sequence[tuple[int, int]]) -> None:
    starts, ends = np.array(words.starts), np.array(words.ends)
    for start, end in spans:
        flags |= (starts < end) & (ends > start)


def _joined(words: Sequence[str], flags: Flags) -> Flags:
    """Also flag one or two small words between flagged ones, as in "companion of honour"."""
    out = flags.copy()
    marked = np.flatnonzero(flags)
    for a, b in pairwise(marked.tolist()):
        if 1 < b - a <= 3 and all(w in _LINKS for w in words[a + 1 : b]):
            out[a:b] = True
    return out


def _quoted(words: Sequence[str]) -> Flags:
    """The words between two quotation marks, including the marks; a mark without a partner is ignored."""
    flags = np.zeros(len(words), dtype=np.bool_)
    marks = [i for i, w in enumerate(words) if w == '"']
    for start, end in zip(marks[0::2], marks[1::2], strict=False):
        flags[start : end + 1] = True
    return flags


def allowed_rules(table: RuleTable, facts: WordFacts, antonyms: Collection[tuple[str, str]] = ()) -> Flags:
    """Which rules may be used on any text; `facts` belong to the table's words, `antonyms` are pairs of words in any order."""
    words = table.words
    fixed = (
        facts.digits
        | facts.name
        | np.array([w in _NUMBER_WORDS or w in _MONTHS for w in words], dtype=np.bool_)
    )
    negation = np.array([w in NEGATIONS or w.startswith("non-") for w in words], dtype=np.bool_)
    good = np.ones(len(table), dtype=np.bool_)
    for flags in (fixed, negation):
        good &= _totals(flags, table, "sources") == _totals(flags, table, "targets")
    good &= ~_new_word(table, fixed)
    for opening, closing in _PAIRED:
        opened, closed = ((np.array(words) == mark) for mark in (opening, closing))
        step = opened.astype(np.int64) - closed if opening != closing else opened.astype(np.int64)
        difference = _totals(step, table, "sources") - _totals(step, table, "targets")
        good &= difference % 2 == 0 if opening == closing else difference == 0
    good &= ~_drops_end(table) & ~_empties(table, facts) & ~_respells(table)
    opposite = {*antonyms, *((b, a) for a, b in antonyms)}
    if opposite:
        single = np.flatnonzero((table.sources.lengths == 1) & (table.targets.lengths == 1) & good)
        good[single] = [table.text(int(r)) not in opposite for r in single]
    return good


def wordnet_antonyms(words: Sequence[str]) -> set[tuple[str, str]]:
    """Pairs of words and their antonyms in WordNet; empty if WordNet is not installed."""
    if wordnet.find() is None:
        return set()
    net = wordnet.load()
    return {(w, a.lower().replace("_", " ")) for w in words if w.isalpha() for a in net.antonyms(w)}


def _totals(values: NDArray[np.generic], table: RuleTable, side: str) -> NDArray[np.int64]:
    phrases = getattr(table, side)
    before = np.concatenate([[0], np.cumsum(values[phrases.ids].astype(np.int64))])
    result: NDArray[np.int64] = before[phrases.offsets[1:]] - before[phrases.offsets[:-1]]
    return result


def _new_word(table: RuleTable, flags: Flags) -> Flags:
    """Rules whose target has a flagged word that the source lacks."""
    out = np.zeros(len(table), dtype=np.bool_)
    rows = np.flatnonzero(_totals(flags, table, "targets") > 0)
    for r in rows.tolist():
        f = set(table.sources.ids[table.sources.offsets[r] : table.sources.offsets[r + 1]].tolist())
        e = table.targets.ids[table.targets.offsets[r] : table.targets.offsets[r + 1]]
        out[r] = any(flags[w] and w not in f for w in e.tolist())
    return out


def _empties(table: RuleTable, facts: WordFacts) -> Flags:
    """Rules that replace a content word with a function word ("northern" with "of", in PPDB)."""
    empty = np.array([w in _EMPTY for w in table.words], dtype=np.bool_)
    single = np.flatnonzero((table.sources.lengths == 1) & (table.targets.lengths == 1))
    a, b = (p.ids[p.offsets[:-1][single]] for p in (table.sources, table.targets))
    out = np.zeros(len(table), dtype=np.bool_)
    out[single] = empty[b] & ~facts.common[a] & facts.alphabetic[a]
    return out


def _respells(table: RuleTable) -> Flags:
    """Rules that only change spaces, such as "u.s." to "u. s."."""
    rows = np.flatnonzero(table.sources.lengths != table.targets.lengths)
    out = np.zeros(len(table), dtype=np.bool_)
    for r in rows.tolist():
        source, target = table.text(r)
        out[r] = source.replace(" ", "") == target.replace(" ", "")
    return out


def _drops_end(table: RuleTable) -> Flags:
    """Rules that drop the full stop, or keep only marks."""
    stop = np.array([w in (".", "?", "!") for w in table.words], dtype=np.bool_)
    return _totals(stop, table, "sources") > _totals(stop, table, "targets")
