"""Words that reverse a statement: direction, modality, quantifiers, conditions; from tables of replacements."""

from __future__ import annotations

import random
from collections.abc import Iterator

from . import Edit, article, like
from .anchors import Anchor, Pair, Word

# Words on either side of a slash are opposites; words in a group on one side are near-synonyms.
_DIRECTIONS = [
    [side.split() for side in line.split("/")]
    for line in """
    increase rise / decrease fall
    increases rises / decreases falls
    increased rose / decreased reduced fell
    increasing / decreasing reducing
    higher / lower
    high / low
    greater / smaller
    larger bigger / smaller
    more / fewer less
    better / worse
    best / worst
    improve improves / worsen worsens
    improved / worsened
    before / after
    above / below
    longer / shorter
    older / younger
    earlier / later
    early / late
    positive / negative
    stronger / weaker
    strong / weak
    faster / slower
    gain / loss
    gained / lost
    won / lost
    win / lose
    maximum / minimum
    long-term / short-term
    start starts / stop stops
    started began / stopped ended
    opened / closed
    allowed / banned
    accepted / rejected
    benefit benefits / harm harms
    benefits / harms
    prevent / cause
    prevents / causes
    advantage / disadvantage
    success / failure
    slower / faster
    north / south
    northern / southern
    east / west
    eastern / western
    old / new
    large / small
    left / right
    inside / outside
    hot / cold
    day / night
    """.strip().splitlines()
]
_MODALS = {
    "may": ("will", "must"),
    "might": ("will", "must"),
    "could": ("will", "must"),
    "can": ("must",),
    "should": ("can", "may"),
    "must": ("can", "may"),
    "will": ("may", "might"),
    "suggest": ("prove",),
    "suggests": ("proves",),
    "suggested": ("proved",),
    "probably": ("certainly",),
    "possibly": ("certainly",),
    "perhaps": ("certainly",),
    "likely": ("certain",),
}
_MODAL_GROUPS = {"may": "may", "might": "may", "could": "may"}
_QUANTIFIERS = {
    "all": ("some", "few"),
    "most": ("few", "no"),
    "some": ("no", "all"),
    "many": ("few",),
    "several": ("no",),
    "few": ("many",),
    "every": ("no",),
    "always": ("sometimes", "never"),
    "often": ("rarely",),
    "usually": ("rarely", "always"),
    "sometimes": ("always",),
    "rarely": ("often",),
    "both": ("neither",),
    "majority": ("minority",),
    "half": ("all",),
}
_PHRASES = {
    ("at", "least"): "at most",
    ("at", "most"): "at least",
    ("up", "to"): "at least",
}
_CONDITIONS = {
    "if": "unless",
    "unless": "if",
    "except": "including",
    "excluding": "including",
    "until": "after",
}
_WHETHER = frozenset(
    """see know ask asked asks find out determine tell test tested examine examined assess assessed evaluate check decide
    show unclear sure even as wonder wondered whether what only or and certain learn investigate establish understand
    clear identify of to on discover uncertain imagine question ) consider wondering asking""".split()
)


def direction(pair: Pair, rng: random.Random) -> Iterator[Edit]:
    """increase -> decrease, before -> after, higher -> lower."""
    for anchor in pair.anchors(_direction_key):
        word = anchor.word.lower
        row, side = _SIDES[word]
        if any(w in s.lowers for w in _DIRECTIONS[row][1 - side] for s in (anchor.sentence, anchor.other)):
            continue  # "before and after"
        if _idiom(anchor):
            continue
        own, others = _DIRECTIONS[row][side], _DIRECTIONS[row][1 - side]
        new = others[min(own.index(word), len(others) - 1)]
        if word == "more":
            noun = anchor.at(1)
            new = "fewer" if noun.endswith("s") and not noun.endswith("ss") else "less"
        yield _word_edit(pair, anchor, new)


def modal(pair: Pair, rng: random.Random) -> Iterator[Edit]:
    """may -> must, should -> can, suggests -> proves."""

    def key(word: Word) -> str | None:
        return _MODAL_GROUPS.get(word.text, word.text) if word.text in _MODALS else None

    for anchor in pair.anchors(key):
        word, following = anchor.word.lower, anchor.at(1)
        if word == "likely" and (
            anchor.at(-1) not in ("is", "are", "was", "were") or following not in ("to", "that")
        ):
            continue
        if word == "can" and following in ("be", "not") and rng.random() < 0.5:
            continue
        if word in ("may", "might", "could", "can", "should", "must", "will") and not following.isalpha():
            continue
        if word == "could" and anchor.source.lower == "could" and "if" in anchor.other.lowers:
            continue
        choices = [m for m in _MODALS[word] if m not in anchor.other.lowers]
        if choices:
            yield _word_edit(pair, anchor, rng.choice(choices))


def quantifier(pair: Pair, rng: random.Random) -> Iterator[Edit]:
    """all -> some, many -> few, at least -> at most."""
    for anchor in pair.anchors(lambda w: w.lower if w.lower in _QUANTIFIERS else None):
        if new := _other_quantifier(anchor, rng):
            yield _word_edit(pair, anchor, new)
    for anchor in pair.anchors(lambda w: w.lower if w.lower in ("least", "to", "most") else None, shared=1):
        phrase = (anchor.at(-1), anchor.word.lower)
        following = anchor.at(1)
        if phrase not in _PHRASES or anchor.source_at(-1) != phrase[0] or not following[:1].isalnum():
            continue
        if not (following[0].isdigit() or following in "one two three four five six ten half".split()):
            continue
        first = anchor.sentence.words[anchor.index - 1]
        new = like(_PHRASES[phrase], first.text)
        source = anchor.other.words[anchor.place - 1]
        yield Edit(
            ((first.start, anchor.word.end, new),),
            ((source.start, anchor.source.end),),
            f"{' '.join(phrase)} -> {new}",
        )


def condition(pair: Pair, rng: random.Random) -> Iterator[Edit]:
    """if -> unless, except -> including."""
    for anchor in pair.anchors(lambda w: w.lower if w.lower in _CONDITIONS else None, reach=7, shared=1):
        word = anchor.word.lower
        if word == "if" and (
            anchor.at(-1) in _WHETHER
            or anchor.source_at(-1) in _WHETHER
            or anchor.at(1) in ("not", "any", "possible")
            or {"would", "could", "whether"} & anchor.sentence.lowers
        ):
            continue
        end, new = anchor.word.end, _CONDITIONS[word]
        if word == "except":
            if anchor.at(1) == "for":
                end = anchor.sentence.words[anchor.index + 1].end
            elif anchor.at(1) in ("in", "when", "that", "to", "where"):
                continue
        if word == "until" and (anchor.at(-1) in ("up", "not", "or") or anchor.at(1) == "after"):
            continue
        yield Edit(
            ((anchor.word.start, end, like(new, anchor.word.text)),),
            ((anchor.source.start, anchor.source.end),),
            f"{word} -> {new}",
        )


# Words that are opposites in one sense only, and the words next to them in other senses.
_AMBIGUOUS = frozenset("left right rose fall falls cause causes day start lost old won".split())
_NOT_BEFORE = frozenset("the a an of and years year months human common to".split())
_NOT_AFTER = frozenset("of to - side and behind ,".split())
_AFTER = frozenset("look looked looking named soon day shortly".split())
# Words that mean little without the next one, which must be the same in both texts.
_LOOSE = frozenset("early late old new small large strong left right".split())
# After these, a word of quantity is part of an expression: at all, every few minutes, the most common.
_NOT_QUANTIFYING = frozenset(
    "at after above the not a in and or so how as too very - every of last past next first".split()
)
_SIDES = {
    word: (k, side)
    for k, row in reversed(list(enumerate(_DIRECTIONS)))
    for side in (0, 1)
    for word in row[side]
}


def _direction_key(word: Word) -> str | None:
    if word.lower not in _SIDES:
        return None
    row, side = _SIDES[word.lower]
    return f"{row}/{side}"


def _idiom(anchor: Anchor) -> bool:
    """Whether the word is part of a fixed expression or a name without an opposite."""
    word, before, after = anchor.word.lower, anchor.at(-1), anchor.at(1)
    if not after or "-" in (before, after) or {before, after} & {"before", "after"}:
        return True
    if anchor.word.text[0].isupper() and anchor.index:
        return True  # New York
    if before == "and" and anchor.at(-2) == word:
        return True  # more and more
    if word in ("more", "less", "fewer"):
        return after in ("and", "or", "about", "recently")
    if word == "after":
        return before in _AFTER or after in ("all", ",", ".")
    if word == "lower":
        return before in ("to", "then", "can", "may", "and")  # the verb
    if word in ("high", "higher"):
        return after in ("school", "education", "street", "court")
    if word in _AMBIGUOUS and (before in _NOT_BEFORE or after in _NOT_AFTER):
        return True
    return word in _LOOSE and anchor.source_at(1) != after


def _other_quantifier(anchor: Anchor, rng: random.Random) -> str:
    """A quantifier that can replace another one grammatically; empty if there is none."""
    word, before, after = anchor.word.lower, anchor.at(-1), anchor.at(1)
    plural = after.endswith("s") or after in ("of", "people", "patients", "women", "men", "children", "the")
    if before in _NOT_QUANTIFYING and not (word == "majority" and before in ("the", "a")):
        return ""
    if word in ("all", "most", "some", "many", "several", "few", "every", "both") and not after.isalpha():
        return ""
    if word == "every" and after in ("few", "other", "one", "day", "year"):
        return ""
    if word == "all" and after == "the":
        return "few of"
    if word in ("all", "many", "few", "several", "both") and (not plural or after == "the"):
        return ""
    if word == "both" and ("and" in anchor.sentence.lowers or after != "of"):
        return ""
    if word == "most" and not plural:
        return ""
    if word == "half" and after != "of":
        return ""
    choices = list(_QUANTIFIERS[word])
    if after == "of":
        choices = [{"no": "none"}.get(c, c) for c in choices]
    elif word == "some" and not plural:
        choices = ["no"]
    choices = [c for c in choices if c not in anchor.other.lowers]
    return rng.choice(choices) if choices else ""


def _word_edit(pair: Pair, anchor: Anchor, new: str) -> Edit:
    word = anchor.word
    start, text = word.start, like(new, word.text)
    if fix := article(pair.output, start, text):
        start, text = fix[0], f"{fix[1]} {text}"
    return Edit(
        ((start, word.end, text),), ((anchor.source.start, anchor.source.end),), f"{word.text} -> {new}"
    )
