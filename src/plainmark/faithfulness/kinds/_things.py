"""Everyday things that were replaced by another one: "mend the roof" for "mend the boiler", income tax for inheritance tax.

For single sentences only. A thing is a noun that names something concrete and has no counterpart in the other text. Another
one has replaced it if the words around both agree, or if each is the only one of its sentence; it must be neither a synonym
nor a more general or more specific word, and must not be explained. The noun before a head that both texts have is compared
in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ... import lexicon
from ..alignment import Pair
from ..passage import Passage, Word
from . import Mention
from ._slot import Slots
from ._spelling import rank
from ._view import is_certain

_DETERMINERS = frozenset(
    "a an the his her its their our my your this that these those some any no each every of in on at by for from with into "
    "onto under over near and or two three four five six seven eight nine ten 's ’s".split()
)
_EXPLAINING = frozenset("that which who whose where called used ( – — - known made named".split())
# Nouns that may replace very many others.
_GENERAL = frozenset(
    "thing place area part point side group member piece space site spot region zone centre center hole surface building "
    "structure material stuff equipment facility person people man body line ground field unit".split()
)
_BEFORE_VERBS = frozenset(
    "to not n't n’t can could may might must shall should will would who that which".split()
)
_RARE = 25_000  # rank from which on a word is likely to be explained
_FAR = 3
_UNLIKE = ("antonym", "replaced")


def replaced_things(pair: Pair, taken: set[tuple[int, int]]) -> Iterator[tuple[Mention, Mention, str]]:
    """Things of a single sentence and their replacements, with the pattern; `taken` has words that are terms (side, word)."""
    if not is_certain(pair):
        return
    sides = [
        [m for m in _things(pair, side) if (side, m.first) not in taken and _is_loose(pair, side, m.first)]
        for side in (0, 1)
    ]
    before, after = sides
    slots = Slots(pair, before, after)
    scored = []
    for a in before:
        for b in after:
            if not _differ(pair, a.first, b.first) or _is_explained(pair, a.first, b.first):
                continue
            slot = slots.slot(a, b)
            if slot.strict:
                scored.append((slot.score, slot.near, -a.first, -b.first, a, b, "thing"))
            elif _is_lay(a, b):
                continue
            elif slot.loose or (len(before) == len(after) == 1 and _same_edge(pair, a.first, b.first)):
                scored.append((slot.score, slot.near, -a.first, -b.first, a, b, "thing in doubt"))
    used: set[int] = set()
    for *_, a, b, pattern in sorted(scored, key=lambda row: row[:4], reverse=True):
        if id(a) not in used and id(b) not in used:
            used |= {id(a), id(b)}
            yield a, b, pattern
    yield from _modifiers(pair, taken)


def _things(pair: Pair, side: int) -> Iterator[Mention]:
    """The things of a text: heads of noun groups, in lower case."""
    passage = pair.output if side else pair.source
    words = passage.words
    for i, word in enumerate(words):
        if word.content and word.text.islower() and _is_concrete(word.lower) and _is_head(passage, i):
            yield Mention(word.start, word.end, i, i, ("thing", word.base), weak=True)


def _is_concrete(word: str) -> bool:
    """Whether a word names something specific that is not an act or a thought."""
    return lexicon.is_thing(word) and lexicon.base(word) not in _GENERAL


def _is_head(passage: Passage, i: int) -> bool:
    """Whether a word ends a group of nouns that a determiner or a preposition opens."""
    words = passage.words
    following = words[i + 1] if i + 1 < len(words) else None
    if (
        following is not None
        and following.sentence == words[i].sentence
        and (following.text == "-" or (following.content and lexicon.is_noun(following.lower)))
    ):
        return False
    low = passage.first_word[words[i].sentence]
    for k in range(i - 1, max(low, i - 1 - _FAR) - 1, -1):
        if words[k].lower in _DETERMINERS:
            return True
        if not words[k].content:
            break
    return words[i].lower != words[i].base and i > low and words[i - 1].content  # "return faulty shoes"


def _is_loose(pair: Pair, side: int, index: int) -> bool:
    """Whether a word has no counterpart."""
    link = pair.linked(side, index)
    return link is None or link.relation in _UNLIKE


def _differ(pair: Pair, i: int, j: int) -> bool:
    """Whether two nouns cannot replace each other, nor one replace a word next to the other."""
    first, second = pair.source.words[i], pair.output.words[j]
    if _akin(first.lower, second.lower) or _akin(_phrase(pair.source, i), _phrase(pair.output, j)):
        return False
    return not any(
        _akin(first.lower, pair.output.words[k].lower) for k in _group(pair.output, j)
    ) and not any(_akin(second.lower, pair.source.words[k].lower) for k in _group(pair.source, i))


def _phrase(passage: Passage, i: int) -> str:
    """A noun with the content word directly before it: "smoke alarm"."""
    words = passage.words
    if i and words[i - 1].content and words[i - 1].sentence == words[i].sentence:
        return f"{words[i - 1].lower} {words[i].base}"
    return words[i].lower


def _akin(a: str, b: str) -> bool:
    if lexicon.related(a, b) not in (None, "antonym"):
        return True
    base_a, base_b = lexicon.base(a), lexicon.base(b)
    if min(len(base_a), len(base_b)) > _FAR and (base_a in base_b or base_b in base_a):
        return True
    if not lexicon.synonyms(a).isdisjoint(lexicon.synonyms(b)):
        return True
    # A flute is a musical instrument, and so an instrument.
    return _is_kind_of(a, base_b) or _is_kind_of(b, base_a)


def _is_kind_of(word: str, general: str) -> bool:
    return any(name.split()[-1] == general for name in lexicon.hypernyms(word))


def _group(passage: Passage, i: int) -> list[int]:
    """The content words around a noun in its group."""
    return [k for k, _ in passage.near(i, 2)]


def _is_lay(a: Mention, b: Mention) -> bool:
    """Whether a rare word was replaced by a common one, as is usual in simplification."""
    return rank(str(a.value[1])) > _RARE > rank(str(b.value[1]))


def _is_explained(pair: Pair, i: int, j: int) -> bool:
    """Whether words around the thing of the output explain it: "ownership papers" for "deeds"."""
    if any(w.lower in _EXPLAINING for w in pair.output.words[j + 1 : j + 3]):
        return True
    return bool(_modifying(pair, 1, j)) and not _modifying(pair, 0, i)


def _same_edge(pair: Pair, i: int, j: int) -> bool:
    """Whether both texts begin or both end with the noun."""
    for step in (1, -1):
        rest = (p.words[k + step :: step] for p, k in ((pair.source, i), (pair.output, j)) if k or step > 0)
        if not any(w.content for words in rest for w in words):
            return True
    return False


def _modifiers(pair: Pair, taken: set[tuple[int, int]]) -> Iterator[tuple[Mention, Mention, str]]:
    """Unrelated nouns before the same head."""
    for link in pair.after.values():
        if link.relation not in ("same", "form") or not lexicon.is_noun(pair.source.words[link.i].lower):
            continue
        before, after = _modifying(pair, 0, link.i), _modifying(pair, 1, link.j)
        if not before or not after or (0, before[-1]) in taken or (1, after[-1]) in taken:
            continue
        if not _has_noun(pair.source, before) or not _has_noun(pair.output, after):
            continue
        if not any(
            _akin(pair.source.words[i].lower, pair.output.words[j].lower) for i in before for j in after
        ):
            yield _mention(pair.source, before), _mention(pair.output, after), "modifier"


def _modifying(pair: Pair, side: int, head: int) -> list[int]:
    """The words right before a noun that have no counterpart."""
    passage = pair.output if side else pair.source
    words = passage.words
    low = passage.first_word[words[head].sentence]
    i = head
    while (
        i > low
        and words[i - 1].content
        and words[i - 1].text.islower()
        and head - i < _FAR
        and _is_loose(pair, side, i - 1)
    ):
        i -= 1
    if i < head and i > low and lexicon.is_verb(words[i].lower) and _is_light(words[i - 1]):
        return []  # "does not release membership data"
    hyphen = any(words[k].text in "-–" for k in (i - 1, head + 1) if low <= k < len(words))
    return [] if hyphen else list(range(i, head))


def _is_light(word: Word) -> bool:
    """Whether a verb is likely to follow a word."""
    return word.lower in _BEFORE_VERBS or word.lower.endswith("ly")


def _has_noun(passage: Passage, group: Sequence[int]) -> bool:
    words = [passage.words[k] for k in group]
    return any(lexicon.is_noun(w.lower) and rank(w.base) < _RARE for w in words)


def _mention(passage: Passage, group: Sequence[int]) -> Mention:
    first, last = passage.words[group[0]], passage.words[group[-1]]
    return Mention(first.start, last.end, group[0], group[-1], ("thing", last.base), weak=True)
