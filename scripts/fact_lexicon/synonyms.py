"""Words that can replace each other: pairs of PPDB that WordNet supports, and derivationally related words."""

import re
from functools import cache

from plainmark.lexicon.forms import ANY, FUNCTION, Flags, by_rule

from .senses import BITS, WORD, lowercase, spaced

# WordNet's files of nouns for acts, attributes, thoughts and communication: siblings there may be synonyms.
ABSTRACT = {4, 7, 9, 10}


def pairs_of(path, many=False):
    """The pairs of words of a PPDB file; with `many`, the first word of a line is paired with each of the others."""
    for line in path.read_text("utf-8", errors="ignore").splitlines():
        words = line.split()
        ends = words[1:] if many else words[1:2]
        yield from ((words[0], w) for w in ends if WORD.fullmatch(words[0]) and WORD.fullmatch(w))


class Based:
    """Pairs of words as pairs of base forms."""

    def __init__(self, flags, forms):
        number = {w: i for i, w in enumerate(flags)}
        self._flag = Flags(number, bytes(flags.values()))
        self._forms = forms

    @cache  # noqa: B019
    def base(self, word):
        if word in self._forms:
            return self._forms[word][0][0]
        return next((form for form, _ in by_rule(word, self._flag)), None)

    def pairs(self, pairs):
        based = ((self.base(a), self.base(b)) for a, b in pairs)
        return {(min(a, b), max(a, b)) for a, b in based if a and b and a != b}


def add_paraphrases(equals, folder, source, based, flags, kinds):
    """Add the pairs of PPDB that other evidence supports."""
    counterfitted = based.pairs(pairs_of(folder / "counterfitting" / "ppdb_synonyms.txt"))
    lexical = based.pairs(pairs_of(folder / "ppdb-1.0-xxxl-lexical.extended.synonyms.uniquepairs"))
    larger = based.pairs(pairs_of(folder / "retrofitting" / "ppdb-xl.txt", many=True))
    near = {(a, b) for a, b in lexical & larger if close(source, a, b)}
    for a, b in (counterfitted & (lexical | larger)) | near:
        terms = (a in kinds and b in kinds) or converse(a, b)
        short = min(len(a), len(b)) < 3
        if not (
            short
            or terms
            or is_name(source, a)
            or is_name(source, b)
            or (flags[a] | flags[b]) & FUNCTION
            or siblings(source, a, b)
            or denied(a, b)
        ):
            shared = flags[a] & flags[b]
            equals.add(a, b, shared or ANY, shared or ANY)
    return lexical & larger | counterfitted


def is_name(source, word):
    """Whether a word is also a name: "china", "may"."""
    return any(word in map(spaced, s.words) and word not in lowercase(s) for s in source.senses(word, "n"))


def converse(a, b):
    """Whether two words are converse: trainer and trainee."""
    ends = {word[-2:] for word in (a, b)}
    return "ee" in ends and bool(ends & {"er", "or"}) and a[:-2] == b[:-2]


def close(source, a, b):
    """Whether words share a synset or a beginning, or are next to each other in WordNet.

    Next to each other are words a step apart, adjectives of one cluster and verbs of one kind.
    """
    known = source.count(a) > 2 and source.count(b) > 2
    if a[:5] == b[:5] and len(a) > 5 and len(b) > 5:  # "science" and "scientific"
        return True
    for pos in "nvar":
        first, second = set(source.senses(a, pos)[:5]), set(source.senses(b, pos)[:5])
        if first & second:
            return True
        first, second = set(source.common(a, pos)), set(source.common(b, pos))
        if pos == "a" and any(set(source.net.related(s, "&")) & second for s in first):
            return True
        if pos == "v" and any(set(source.net.related(s, "$")) & second for s in first):
            return True
        if pos in "nv" and known:
            parents = {p for s in first for p in source.net.hypernyms(s)}
            others = {p for s in second for p in source.net.hypernyms(s)}
            if parents & second or others & first or (pos == "v" and parents & others):
                return True
    return False


def siblings(source, a, b):
    """Whether two nouns are different members of one class: weeks and days, copper and iron."""
    first, second = source.common(a, "n"), source.common(b, "n")
    if not first or not second or set(first) & set(second):
        return False
    parents = {
        p for s in first if source.files["n", s.offset] not in ABSTRACT for p in source.net.hypernyms(s)
    }
    return any(p in parents for s in second for p in source.net.hypernyms(s))


def add_derived(equals, source, flags):
    """Add derivationally related words: decide and decision, quickly and quick, cardiac and heart."""
    for pos in "nvar":
        for lemma in source.net.lemmas(pos):
            word = spaced(lemma)
            if word not in flags or " " in word or flags[word] & FUNCTION:
                continue
            for synset in source.common(word, pos):
                for target, other in source.net.related_words(synset, lemma, "+", "\\"):
                    other = spaced(other)
                    alike = word[:4] == other[:4] and target in source.senses(other, target.pos)[:4]
                    common = (alike or target in source.common(other, target.pos)) and " " not in other
                    if common and flags.get(other, FUNCTION) < FUNCTION and not denied(word, other):
                        equals.add(word, other, BITS[pos], BITS[target.pos])


def denied(a, b):
    """Whether one of two words has a negative affix and the other does not."""
    affix = re.compile(r"^(?:un|in|im|il|ir|dis|non|mis|anti)-?(?=[a-z]{3})|less(?:ly|ness)?$|-free$")
    short, long = sorted((a, b), key=len)
    return bool(affix.search(long)) != bool(affix.search(short)) and (short[:4] in long or short[-4:] in long)
