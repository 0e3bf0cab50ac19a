"""Negation: removed from a sentence whose source has it too, or inserted into one without."""

from __future__ import annotations

import random
from collections.abc import Iterator

from . import Edit, article, like
from .anchors import Anchor, Pair, Word

_BE = frozenset("is are was were be been being".split())
_MODAL = frozenset("can could may might must should will would has have had".split())
_DO = {"did": "VBD", "does": "VBZ", "do": "VBP"}
_NEGATIVE = frozenset(
    """not no never none nobody nothing nor neither without cannot can't n't don't doesn't didn't isn't aren't wasn't weren't
    won't wouldn't couldn't shouldn't hasn't haven't hadn't unable fail failed fails lack lacked lacks few little hardly
    rarely unclear unknown unlikely insufficient unless""".split()
)
# The second member of each pair negates the first.
_AFFIXES = dict(
    pair.split("/")
    for pair in """able/unable acceptable/unacceptable accurate/inaccurate active/inactive adequate/inadequate agree/disagree
    appear/disappear appropriate/inappropriate available/unavailable aware/unaware certain/uncertain clear/unclear
    comfortable/uncomfortable common/uncommon complete/incomplete connected/unconnected consistent/inconsistent
    controlled/uncontrolled correct/incorrect dependent/independent direct/indirect effective/ineffective equal/unequal
    expected/unexpected fair/unfair familiar/unfamiliar happy/unhappy harmful/harmless
    healthy/unhealthy important/unimportant known/unknown legal/illegal like/unlike likely/unlikely limited/unlimited
    lucky/unlucky natural/unnatural necessary/unnecessary normal/abnormal painful/painless popular/unpopular
    possible/impossible predictable/unpredictable published/unpublished regular/irregular related/unrelated
    relevant/irrelevant reliable/unreliable safe/unsafe satisfied/dissatisfied secure/insecure significant/insignificant
    specific/nonspecific stable/unstable successful/unsuccessful sufficient/insufficient suitable/unsuitable
    treated/untreated useful/useless usual/unusual vaccinated/unvaccinated visible/invisible wanted/unwanted
    willing/unwilling""".split()
)
_OPPOSITE = _AFFIXES | {b: a for a, b in _AFFIXES.items()}
# Before these, "not" does not negate its clause.
_NOT_DENYING = frozenset("only just yet necessarily always all least to or and".split())
# Nouns that follow "no", and the replacement of "no" in the affirmed sentence.
_SOME = {
    "difference": "a",
    "differences": "",
    "effect": "an",
    "effects": "",
    "evidence": "clear",
    "benefit": "a",
} | {
    "studies": "several",
    "trials": "several",
    "data": "some",
    "information": "some",
    "improvement": "an",
    "increase": "an",
    "serious": "",
    "significant": "a",
    "reports": "",
    "cure": "a",
    "treatment": "a",
    "doubt": "some",
    "reason": "a",
    "sign": "a",
    "signs": "some",
    "symptoms": "",
    "adverse": "",
    "one": "every",
    "more": "many",
    "idea": "some",
    "plans": "",
    "money": "some",
}


def negation_out(pair: Pair, rng: random.Random) -> Iterator[Edit]:
    """did not improve -> improved; no effect -> an effect; unsafe -> safe; without -> with."""
    for anchor in pair.anchors(_negative_key, reach=5, shared=2):
        if _denials(anchor.sentence.words) > 2:
            continue
        if edit := _affirmed(pair, anchor):
            yield edit
    for anchor in pair.anchors(lambda w: w.lower if w.lower in set(_AFFIXES.values()) else None):
        yield from _affix(pair, anchor)


def negation_in(pair: Pair, rng: random.Random) -> Iterator[Edit]:
    """is effective -> is not effective; improved -> did not improve; safe -> unsafe."""
    for anchor in pair.anchors(lambda w: w.lower if w.lower in _BE | _MODAL else None, shared=2):
        words, i = anchor.sentence.words, anchor.index
        following = anchor.at(1)
        if not i or not words[i - 1].text[0].isalnum() or words[i].lower in ("be", "been", "being"):
            continue  # a question, or after a comma
        if words[i].lower in ("may", "might", "could"):
            continue  # "may be" also implies "may not be"
        if words[i - 1].lower in _MODAL or not following.isalpha() or following in _NEGATIVE | _NOT_DENYING:
            continue
        if following not in (anchor.source_at(1), anchor.source_at(2)) and words[i].lower in _BE:
            continue
        if words[i].lower in ("has", "have", "had") and not following.endswith(("ed", "en", "wn")):
            continue
        if following in ("a", "an", "the", "in", "at", "on", "that", "and", "or", "as") or any(
            _denials(s.words) for s in (anchor.sentence, anchor.other)
        ):
            continue
        after = words[i + 1]
        text = f"{words[i].text} not {after.text}".replace("can not", "cannot")
        yield Edit(
            ((words[i].start, after.end, text),), ((anchor.source.start, _end(anchor, 1)),), f"+ {text}"
        )
    for anchor in pair.anchors(lambda w: w.lower if w.lower in _AFFIXES else None):
        if not any(_denials(s.words) for s in (anchor.sentence, anchor.other)):
            yield from _affix(pair, anchor)


def _negative_key(word: Word) -> str | None:
    if word.lower.endswith("n't") or word.lower in ("not", "cannot"):
        return "not"
    return word.lower if word.lower in ("no", "without", "never", "none") else None


def _affirmed(pair: Pair, anchor: Anchor) -> Edit | None:
    """The clause of a negation, affirmed."""
    words, i, word = anchor.sentence.words, anchor.index, anchor.word
    if i + 1 >= len(words) or anchor.at(1) in _NOT_DENYING:
        return None
    before, after = anchor.at(-1), words[i + 1]
    if not after.text[0].isalpha() or "not" in anchor.source_at(1) or before == "or":
        return None
    if before == "why":
        return None
    start, end, new = word.start, after.end, ""
    if word.lower == "not" and before in _BE | _MODAL:
        start, new = words[i - 1].start, f"{words[i - 1].text} {after.text}"
    elif word.lower == "not" and before in _DO:
        start = words[i - 1].start
        new = like(_inflected(after.lower, _DO[before]), words[i - 1].text)
    elif word.lower in ("don't", "doesn't", "didn't"):
        new = like(_inflected(after.lower, _DO[word.lower.removesuffix("n't")]), word.text)
    elif word.lower == "cannot":
        new = f"{like('can', word.text)} {after.text}"
    elif word.lower.endswith("n't") and word.lower not in ("can't", "won't", "n't"):
        new = f"{word.text[:-3]} {after.text}"
    elif word.lower in ("can't", "won't"):
        new = f"{like({'c': 'can', 'w': 'will'}[word.lower[0]], word.text)} {after.text}"
    elif word.lower == "without":
        new = f"{like('with', word.text)} {after.text}"
        if after.lower.endswith("ing"):
            return None
    elif word.lower == "never":
        new = f"{like('always', word.text)} {after.text}"
    elif word.lower == "none" and after.lower == "of":
        new = f"{like('all', word.text)} of"
    elif word.lower == "no" and after.lower in _SOME and before not in ("with", "or"):
        some = _SOME[after.lower]
        noun = anchor.at(2)
        if after.lower == "significant" and noun.endswith("s"):
            some = ""
        new = like(f"{some} {after.text}".strip(), word.text)
    if not new:
        return None
    return Edit(((start, end, new),), (_source_span(anchor),), f"{pair.output[start:end]} -> {new}")


def _affix(pair: Pair, anchor: Anchor) -> Iterator[Edit]:
    word = anchor.word
    if anchor.index and (word.lower in ("like", "unlike") or word.text[0].isupper()):
        return
    if anchor.at(-1) in ("not", "more", "most", "less", "very", "as") and word.lower in _AFFIXES:
        return
    if (
        word.lower in ("common", "direct", "specific", "possible", "limited", "controlled")
        and anchor.at(-1) not in _BE
    ):
        return  # "the common cold", "a randomised controlled trial"
    if _OPPOSITE[word.lower] in anchor.other.lowers | anchor.sentence.lowers:
        return
    new = like(_OPPOSITE[word.lower], word.text)
    replacements = [(word.start, word.end, new)]
    if fix := article(pair.output, word.start, new):
        replacements = [(fix[0], word.end, f"{fix[1]} {new}")]
    yield Edit(tuple(replacements), ((anchor.source.start, anchor.source.end),), f"{word.text} -> {new}")


def _inflected(verb: str, tag: str) -> str:
    if tag == "VBP":
        return verb
    if verb in ("have", "do"):
        return {"have": {"VBD": "had", "VBZ": "has"}, "do": {"VBD": "did", "VBZ": "does"}}[verb][tag]
    if verb.endswith("ly"):
        return ""  # "did not significantly improve"
    from lemminflect import getInflection

    forms = getInflection(verb, tag, inflect_oov=False)
    return forms[0] if forms else ""


def _denials(words: tuple[Word, ...]) -> int:
    return sum(w.lower in _NEGATIVE or w.lower.endswith("n't") for w in words)


def _source_span(anchor: Anchor) -> tuple[int, int]:
    words, j = anchor.other.words, anchor.place
    return words[max(0, j - 1)].start, _end(anchor, 1)


def _end(anchor: Anchor, offset: int) -> int:
    words = anchor.other.words
    return words[min(len(words) - 1, anchor.place + offset)].end
