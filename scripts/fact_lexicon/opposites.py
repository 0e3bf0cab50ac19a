"""Antonyms, and words that negate another one by an affix."""

import re

import lemminflect

from plainmark.lexicon.forms import ADJECTIVE, ANY, FUNCTION, NOUN, VERB

from .senses import BITS, HAND, Pairs, rows, spaced
from .synonyms import is_name, pairs_of

# The beginnings of glosses of words that negate another word, and the glosses of words with -less.
DENIES = re.compile(
    r"(?:\([^)]*\) )?(?:not\b|lack|without|absence|having no|in(?:cap|ab)"
    r"|the (?:quality|state|condition|property) of (?:not|being un|being in|lack))"
)
LACKS = re.compile(r"\b(?:without|lacking|not|no|having no|deficient|free|absence|devoid|lack)\b")
# Suffixes that turn adjectives into adverbs and nouns.
ENDINGS = (
    ("", "ly"),
    ("", "ness"),
    ("e", "y"),
    ("ic", "ically"),
    ("y", "ily"),
    ("t", "ce"),
    ("t", "cy"),
    ("le", "ility"),
    ("", "ity"),
    ("e", "ity"),
)


def antonym_pairs(source, flags, based, folder, paraphrases):
    """Opposites: those of WordNet, of its adjective clusters, of PPDB and hand-written ones, and those that WordNet states."""
    opposites, direct = Pairs(), set()
    content = {word for word, bits in flags.items() if not bits & FUNCTION}
    for pos in "nvar":
        for lemma in source.net.lemmas(pos):
            word = spaced(lemma)
            for synset in source.senses(word, pos) if word in content else ():
                for target, other in source.net.related_words(synset, lemma, "!"):
                    other = spaced(other)
                    common = (
                        synset in source.common(word, pos)[:3] and target in source.common(other, pos)[:3]
                    )
                    if common and other in content:
                        opposites.add(word, other, BITS[pos], BITS[pos])
                        direct.add((min(word, other), max(word, other)))
    # An adjective is the opposite of its head's antonym if it is used instead of the head.
    for lemma in source.net.lemmas("a"):
        word = spaced(lemma)
        for synset in source.common(word, "a")[:1] if word in content else ():
            for head in source.net.related(synset, "&") if synset.satellite else ():
                name = spaced(head.words[0])
                if (
                    head not in source.common(name, "a")[:1]
                    or (min(word, name), max(word, name)) not in paraphrases
                ):
                    continue
                for target, other in source.net.related_words(head, name, "!"):
                    other = spaced(other)
                    if target in source.common(other, "a")[:1] and other in content:
                        opposites.add(word, other, ADJECTIVE, ADJECTIVE)
    for a, b in based.pairs(pairs_of(folder / "counterfitting" / "ppdb_antonyms.txt")):
        if a in content and b in content and not is_name(source, a) and not is_name(source, b):
            shared = flags[a] & flags[b] or ANY
            opposites.add(a, b, shared, shared)
    for a, b in rows("antonyms"):
        shared = flags[a] & flags[b] or ANY
        opposites.add(a, b, shared, shared)
    return opposites, direct


def denials(source, flags, direct):
    """Words that negate by an affix, each with the negated word."""
    excluded = set(HAND["not_negative"].split())
    prefix = re.compile(r"(un|in|im|il|ir|dis|non|a)-?([a-z-]{3,})")
    participles = {}
    for lemma, bits in flags.items():
        if bits & VERB and " " not in lemma:
            for tag in ("VBN", "VBG"):
                for form in lemminflect.getInflection(lemma, tag=tag):
                    participles[form] = lemma
    negated = {}
    for word, bits in flags.items():
        if " " in word or word in excluded or bits & FUNCTION:
            continue
        glosses = [s.definition for pos in "nvar" for s in source.senses(word, pos)[:2]]
        match = prefix.fullmatch(word)
        if match:
            affix, rest = match.groups()
            opposite = (min(word, rest), max(word, rest)) in direct
            same_part = flags.get(rest, 0) & bits
            says = any(DENIES.match(gloss) or f"not {rest}" in gloss for gloss in glosses)
            reversal = flags.get("un" + participles.get(rest, "?"), 0) & VERB
            if affix == "un":
                # "Unlock" and "unlocked" are about reversing an action, not about its absence.
                fits = same_part or (rest in participles and bits & ADJECTIVE)
                holds = fits and not bits & VERB and not reversal
            elif affix == "non":
                holds = same_part or rest in participles
            else:
                holds = (
                    len(rest) > 3 and (opposite or (affix != "a" and same_part and says)) and not bits & VERB
                )
            if holds:
                negated[word] = rest
        elif word.endswith("less") and bits & ADJECTIVE and any(map(LACKS.search, glosses)):
            negated[word] = word[:-4]
    negated = {
        word: rest for word, rest in negated.items() if not word.endswith("less") or flags.get(rest, 0) & NOUN
    }
    for row in HAND["negative"].strip().splitlines():
        word, rest = row.split()
        negated[word] = rest
    # Adverbs and nouns of these words: insufficiently, insufficiency.
    for word, rest in list(negated.items()):
        for ending, new in ENDINGS:
            if word.endswith(ending) and (rest.endswith(ending) or word.endswith("less")):
                cut = len(word) - len(ending)
                other = word[:cut] + new
                base = rest if word.endswith("less") else rest[: len(rest) - len(ending)] + new
                if other in flags and base in flags and other not in excluded:
                    negated.setdefault(other, base)
    return {word: rest for word, rest in negated.items() if word not in excluded}
