"""Entities: names, terms, words inside quotation marks, and who did what to whom."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from ...tagger import FINITE, tag
from . import Edit, article, like
from .anchors import Pair, Sentence, Word
from .classes import PLACES, TERMS, TITLES

_TERM_CLASS = {member: kind for kind, members in TERMS.items() for member in members}
_NAME_CLASS = {member: kind for kind, members in PLACES.items() for member in members}
_QUOTED = re.compile(r"[\"“]([^\"“”]{8,300})[\"”]|‘([^‘’]{8,200})’(?!\w)")
_ACRONYM = re.compile(r"[A-Z]{3,6}s?")
_GENERAL = frozenset("said says told asked wrote thinks believes added explained".split())
_PHRASE = frozenset({"DT", "JJ", "NN", "NNS", "NNP"})
_CLAUSE = frozenset({"PU", "SC", "CC"})  # words that a clause follows
_OVERLAPPING = frozenset(
    frozenset(pair.split("/"))
    for pair in """infants/babies infants/children babies/children teenagers/adolescents children/adolescents
    children/teenagers adults/men adults/women students/children students/teenagers students/adolescents students/adults
    students/men students/women arthritis/osteoarthritis paracetamol/acetaminophen oestrogen/estrogen anaemia/anemia
    diarrhoea/diarrhea leukaemia/leukemia steroids/corticosteroids prednisone/prednisolone opioids/painkillers
    physiotherapy/exercise cancer/melanoma cancer/lymphoma cancer/leukemia cancer/leukaemia influenza/fever""".split()
)
_TRANSITIVE = frozenset(
    """beat defeated attacked killed sued bought replaced followed hired fired married criticised criticized accused helped
    caused causes cause treats treated prevent prevents prevented reduces reduced increases increased affects affected
    blocks produces produced improves improved controls contains attack attacks influence influences triggers
    teaches taught visited invited praised blamed""".split()
)


def quotation(pair: Pair, rng: random.Random) -> Iterator[Edit]:
    """“The results are good” -> “The results are bad”: one word inside quotation marks that both texts have."""
    vocabulary: dict[str, set[str]] = {}
    for sentence in pair.source_sentences:
        for token in tag(pair.source[sentence.words[0].start : sentence.words[-1].end]):
            if token.tag in ("JJ", "NN", "NNS") and token.text.islower() and len(token.text) > 3:
                vocabulary.setdefault(token.tag, set()).add(token.text)
    quotes = [(m.start(), m.group()) for m in _QUOTED.finditer(pair.source)]
    for match in _QUOTED.finditer(pair.output):
        spoken = match.group(1) or match.group(2)
        begin = match.start() + 1
        for token in tag(spoken):
            if token.tag not in ("JJ", "NN", "NNS") or not token.text.islower() or len(token.text) < 4:
                continue
            # The same three words are inside quotation marks in the source.
            a = spoken.rfind(" ", 0, max(0, token.start - 1)) + 1
            b = spoken.find(" ", token.end + 1)
            context = spoken[a : b if b > 0 else len(spoken)].strip(" .,;!?")
            places = [s + q.find(context) for s, q in quotes if context in q]
            if len(context.split()) < 3 or not places:
                continue
            choices = sorted(
                w for w in vocabulary.get(token.tag, ()) if w not in spoken and w[:4] != token.text[:4]
            )
            if not choices:
                continue
            new = rng.choice(choices)
            start, text = begin + token.start, new
            if fix := article(pair.output, start, new):
                start, text = fix[0], f"{fix[1]} {new}"
            at = places[0] + token.start - a
            yield Edit(
                ((start, begin + token.end, text),), ((at, at + len(token.text)),), f"{token.text} -> {new}"
            )


def name(pair: Pair, rng: random.Random) -> Iterator[Edit]:
    """Berlin -> Paris, one person for another of the same text, one abbreviation for another."""
    for anchor in pair.anchors(lambda w: w.text if w.text in _NAME_CLASS else None, shared=1):
        word = anchor.word
        if _next_to_capital(anchor.sentence.words, anchor.index):
            continue  # New Delhi, the University of Oxford Press
        members = PLACES[_NAME_CLASS[word.text]]
        known = [m for m in members if m.lower() in pair.source_words]
        fresh = [m for m in members if m not in known]
        near = [m for m in known if m.lower() not in anchor.other.lowers | anchor.sentence.lowers]
        new = rng.choice(near if near and rng.random() < 0.5 else fresh)
        yield _replace(pair, anchor.word, new, anchor.source)
    yield from _people(pair, rng)
    yield from _acronyms(pair, rng)


def term(pair: Pair, rng: random.Random) -> Iterator[Edit]:
    """metformin -> insulin, heart -> liver, children -> adults."""
    for anchor in pair.anchors(lambda w: w.lower if w.lower in _TERM_CLASS else None):
        own = anchor.word.lower
        if "-" in (anchor.at(-1), anchor.at(1)) or (own == "iron" and anchor.at(1) == "out"):
            continue
        if own in ("hand", "foot", "arm", "heart", "blood", "exercise", "hands") and anchor.source_at(
            1
        ) != anchor.at(1):
            continue  # "on the other hand", "at the heart of"
        members = TERMS[_TERM_CLASS[own]]
        taken = anchor.other.lowers | anchor.sentence.lowers
        choices = [m for m in members if m not in taken and m[:5] != own[:5] and not _overlapping(own, m)]
        known = [m for m in choices if m in pair.source_words]
        if choices:
            new = rng.choice(known if known and rng.random() < 0.5 else choices)
            yield _replace(pair, anchor.word, like(new, anchor.word.text), anchor.source)


def role(pair: Pair, rng: random.Random) -> Iterator[Edit]:
    """A rather than B -> B rather than A; from A to B -> from B to A; A causes B -> B causes A."""
    for sentence, others in pair.partners:
        for first, last, second_first, second_last in _exchangeable(sentence):
            first_part, second_part = (
                sentence.words[first : last + 1],
                sentence.words[second_first : second_last + 1],
            )
            middle = sentence.words[last + 1 : second_first]
            other = next((o for o in others if _has_in_order(o, first_part, middle, second_part)), None)
            if (
                other is None
                or first_part[0].lower in ("no", "each", "none")
                or {w.lower for w in first_part} & {w.lower for w in second_part} - {"the", "a", "an"}
            ):
                continue
            (a, b), (c, d) = (
                (first_part[0].start, first_part[-1].end),
                (second_part[0].start, second_part[-1].end),
            )
            left, right = pair.output[a:b], pair.output[c:d]
            if left[0].isupper() and first == 0:
                keeps = not _is_name(first_part[0]) or (
                    len(first_part) > 1 and first_part[1].text[0].isupper()
                )
                new_left = left if keeps else left[0].lower() + left[1:]
                right = right[0].upper() + right[1:]
            else:
                new_left = left
            stems = {first_part[0].lower, second_part[-1].lower}
            marks = [w for w in other.words if w.lower in stems]
            yield Edit(
                ((a, d, right + pair.output[b:c] + new_left),),
                ((min(w.start for w in marks), max(w.end for w in marks)),),
                f"{left} <-> {right}",
            )


def _people(pair: Pair, rng: random.Random) -> Iterator[Edit]:
    """Surnames of people: capitalised words next to a title, a first name or a verb of saying."""
    surnames = {w.text for s in pair.source_sentences for w in _persons(s)}
    for anchor in pair.anchors(lambda w: w.text if w.text in surnames else None, shared=1):
        choices = sorted(
            s for s in surnames if s.lower() not in anchor.other.lowers | anchor.sentence.lowers
        ) or ["Harrison", "Whitfield", "Moreno", "Lindqvist", "Okafor", "Petrov"]
        word = anchor.word
        if not _next_to_capital(anchor.sentence.words, anchor.index, before=False):
            yield _replace(pair, word, rng.choice(choices), anchor.source)


def _persons(sentence: Sentence) -> Iterator[Word]:
    words = sentence.words
    for i, word in enumerate(words):
        if not _is_name(word) or i == 0 or word.text in _NAME_CLASS or word.text in TITLES:
            continue
        following = words[i + 1].lower if i + 1 < len(words) else ""
        before = words[i - 1].text
        if following in _GENERAL or before in TITLES or words[i - 1].lower in _GENERAL:
            yield word


def _acronyms(pair: Pair, rng: random.Random) -> Iterator[Edit]:
    known = {w.text for s in pair.source_sentences for w in s.words if _ACRONYM.fullmatch(w.text)}
    for anchor in pair.anchors(lambda w: w.text if w.text in known else None):
        if anchor.at(-1) == "(" or "-" in (anchor.at(-1), anchor.at(1)):
            continue  # the place where it is explained
        own = anchor.word.text
        choices = sorted(
            k
            for k in known
            if k.lower() not in anchor.other.lowers | anchor.sentence.lowers
            and k.endswith("s") == own.endswith("s")
            and k[:2] != own[:2]
        )
        if choices:
            yield _replace(pair, anchor.word, rng.choice(choices), anchor.source)


def _exchangeable(sentence: Sentence) -> Iterator[tuple[int, int, int, int]]:
    """Positions of two short noun phrases whose order matters: first and last word of each."""
    words, tags = sentence.words, _tags(sentence)
    for i in range(1, len(words) - 1):
        word, end = words[i].lower, _phrase(tags, i + 1)
        if end < 0:
            continue
        if word == "to" and "from" in (words[k].lower for k in range(max(0, i - 5), i)):
            begin = _phrase_before(tags, i - 1)
            if (
                begin > 1
                and words[begin - 1].lower == "from"
                and not words[begin - 2].lower.startswith("rang")
            ):
                yield begin, i - 1, i + 1, end
        elif word in ("than", "of") and words[i - 1].lower in ("rather", "instead"):
            if (begin := _phrase_before(tags, i - 2)) >= 0:
                yield begin, i - 2, i + 1, end
        elif word in _TRANSITIVE:
            begin = _phrase_before(tags, i - 1)
            if begin >= 0 and (begin == 0 or tags[begin - 1] in _CLAUSE):
                yield begin, i - 1, i + 1, end
        elif word == "than" or (word == "by" and tags[i - 1] == "VBN"):
            yield from ((*subject, i + 1, end) for subject in _subjects(tags, i))


def _subjects(tags: list[str], before: int) -> Iterator[tuple[int, int]]:
    """First and last position of the subject of the clause at a position, as far as the tags show it."""
    for verb in range(before - 1, 0, -1):
        if tags[verb] in FINITE:
            first = _phrase_before(tags, verb - 1)
            if first >= 0 and (first == 0 or tags[first - 1] in _CLAUSE):
                yield first, verb - 1
            return


def _tags(sentence: Sentence) -> list[str]:
    """A tag for each token of the sentence."""
    text = " ".join(w.text for w in sentence.words)
    tags, at = [], 0
    tagged = {t.start: t.tag for t in tag(text)}
    for word in sentence.words:
        tags.append(tagged.get(at, "X"))
        at += len(word.text) + 1
    return tags


def _phrase(tags: list[str], first: int) -> int:
    """The last position of a noun phrase of at most four words that begins at `first` and ends properly; or -1."""
    last = first
    while last < len(tags) and last - first < 4 and tags[last] in _PHRASE:
        last += 1
    if last == first or tags[last - 1] not in ("NN", "NNS", "NNP"):
        return -1
    return last - 1 if last == len(tags) or tags[last] in ("PU", "SC", "CC", "WP") else -1


def _phrase_before(tags: list[str], last: int) -> int:
    """The first position of a noun phrase of at most four words that ends at `last`; or -1."""
    first = last
    while first >= 0 and last - first < 4 and tags[first] in _PHRASE:
        first -= 1
    return first + 1 if first < last and tags[last] in ("NN", "NNS", "NNP") else -1


def _has_in_order(other: Sentence, *parts: tuple[Word, ...]) -> bool:
    """Whether the heads of the parts occur in the source in the same order, close to each other."""
    stems = [w.stem for w in other.words]
    at = -1
    for part in parts:
        head = part[-1].stem
        following = [k for k, s in enumerate(stems) if s == head and k > at and (at < 0 or k - at < 8)]
        if not following:
            return False
        at = following[0]
    return True


def _replace(pair: Pair, word: Word, new: str, source: Word) -> Edit:
    start, text = word.start, new
    if fix := article(pair.output, start, new):
        start, text = fix[0], f"{fix[1]} {new}"
    return Edit(((start, word.end, text),), ((source.start, source.end),), f"{word.text} -> {new}")


def _next_to_capital(words: tuple[Word, ...], i: int, *, before: bool = True) -> bool:
    """Whether a neighbour is capitalised for another reason than being the first word."""
    neighbours = (i - 1, i + 1) if before else (i + 1,)
    return any(0 < k < len(words) and words[k].text[0].isupper() for k in neighbours)


def _is_name(word: Word) -> bool:
    return word.text[0].isupper() and word.text[1:].islower() and len(word.text) > 2


def _overlapping(a: str, b: str) -> bool:
    """Whether one of the two includes the other, so that exchanging them may not be wrong."""
    return frozenset((a, b)) in _OVERLAPPING
