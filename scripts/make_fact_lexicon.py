"""Writes src/plainmark/lexicon/lexicon.npz: relations between English words, for the fact ledger.

    python scripts/make_fact_lexicon.py PATH/TO/ppdb [PATH/TO/wordnet]

The folder ppdb has counterfitting/ppdb_synonyms.txt and ppdb_antonyms.txt (word pairs of PPDB), retrofitting/ppdb-xl.txt
and ppdb-1.0-xxxl-lexical.extended.synonyms.uniquepairs. WordNet 3.0 gives words, synsets, antonyms and glosses,
lemminflect inflected forms, fact_lexicon/hand.toml has hand-written and judged entries.

Only the commoner senses of a word count: the first two of a part of speech, and all that have 15 % of its
occurrences in WordNet's tagged texts. PPDB's pairs must be in the counter-fitting selection, or in both others and near
each other in WordNet; pairs of terms and of siblings in WordNet are left out.
"""

import sys
from itertools import combinations
from pathlib import Path

import numpy as np
from fact_lexicon.opposites import antonym_pairs, denials
from fact_lexicon.senses import BITS, HAND, Pairs, Source, rows, spaced
from fact_lexicon.synonyms import Based, add_derived, add_paraphrases
from fact_lexicon.vocabulary import Classes, inflected_forms, vocabulary

from plainmark import lexicon
from plainmark.lexicon import CLASSES
from plainmark.lexicon.forms import ADJECTIVE, ANY, FUNCTION, SHIFT

# WordNet's files of nouns for animals, artifacts, bodies, food, places, objects, people, plants, states and substances.
THINGS = {5, 6, 8, 13, 15, 17, 18, 20, 26, 27}
# too general to be useful
EMPTY = {"entity", "physical entity", "abstraction", "abstract entity", "object", "physical object", "whole", "unit", "matter",
         "artifact", "artefact", "thing", "psychological feature", "attribute", "event", "relation", "causal agent",
         "cause", "causal agency", "act", "deed", "human action", "human activity", "instrumentality", "instrumentation",
         "be", "have", "do", "make", "get", "go", "move", "change", "state", "group", "grouping", "measure",
         "quantity", "amount", "part", "portion", "component part", "otherworld", "way", "being", "property", "happening",
         "living thing", "animate thing", "content", "cognition", "knowledge", "process", "physical process"}  # fmt: skip


def build(ppdb, folder=None):
    """The arrays of the file."""
    source = Source(folder)
    flags, kinds, _ = vocabulary(source, Classes(source))
    flags = {word: flags[word] for word in sorted(flags)}
    forms = inflected_forms(source, flags)
    based = Based(flags, forms)
    equals = Pairs()
    paraphrases = add_paraphrases(equals, ppdb, source, based, flags, kinds)
    add_derived(equals, source, flags)
    opposites, direct = antonym_pairs(source, flags, based, ppdb, paraphrases)
    negative = denials(source, flags, direct)
    for word, rest in negative.items():
        if rest in flags and word in flags and "less" not in word:
            shared = flags[word] & flags[rest] or ANY
            opposites.add(word, rest, shared, shared)
        if word.endswith("less") and word[:-4] + "ful" in flags:
            opposites.add(word, word[:-4] + "ful", ADJECTIVE, ADJECTIVE)
    opposites.remove(line.split() for line in HAND["not_antonyms"].strip().splitlines())
    equals.remove(line.split() for line in HAND["not_synonyms"].strip().splitlines())
    for row in rows("synonyms"):
        for a, b in combinations(row, 2):
            shared = flags[a] & flags[b] or ANY
            equals.add(a, b, shared, shared)
    equals.remove(list(opposites))
    number = {word: i for i, word in enumerate(flags)}
    senses, parents, parts = synset_tables(source, flags)
    members = [[] for _ in parents]
    for i, synsets in enumerate(senses):
        for synset in synsets:
            members[synset].append(i)
    irregular = ("\t".join([w, *(f"{form}\t{parts}" for form, parts in forms[w])]) for w in sorted(forms))
    return {
        "words": blob("\n".join(number)),
        "flags": np.array(list(flags.values()), dtype=np.uint8),
        "classes": np.array([CLASSES.index(kinds.get(w, "")) for w in number], dtype=np.uint8),
        "forms": blob("\n".join(irregular)),
        "denials": blob("\n".join(f"{w}\t{negative[w]}" for w in sorted(negative))),
        "parts": np.array(parts, dtype=np.uint8),
        **table("senses", senses),
        **table("members", members),
        **table("parents", parents),
        **table("synonyms", equals.lists(number)),
        **table("antonyms", opposites.lists(number)),
    }


def synset_tables(source, flags):
    """The common synsets of each word, the parents of each synset, and the part of speech of each synset.

    The part of speech comes with the number of steps to more general words: three for things, one for all others.
    """
    senses = [common_synsets(source, word, bits) for word, bits in flags.items()]
    needed = {s for own in senses for s in own}
    level = set(needed)
    for _ in range(3):
        level = {p for s in level for p in source.net.hypernyms(s)}
        needed |= level
    ids = {s: i for i, s in enumerate(sorted(needed, key=lambda s: (s.pos, s.offset)))}
    parents = []
    for synset in ids:
        above = [p for p in source.net.hypernyms(synset) if useful(p)]
        if synset.satellite:
            above = source.net.related(synset, "&")
        parents.append([ids[p] for p in above if p in ids])
    return (
        [[ids[s] for s in own] for own in senses],
        parents,
        [BITS[s.pos] | steps(source, s) << SHIFT for s in ids],
    )


def steps(source, synset):
    return 3 if synset.pos == "n" and source.files["n", synset.offset] in THINGS else 1


def common_synsets(source, word, bits):
    """At most three or four synsets per part of speech; for function words only that of a common adverb."""
    if bits & FUNCTION:
        return source.common(word, "r")[:1] if source.count(word, "r") > 20 else ()
    return [
        s for pos in "nvar" if bits & BITS[pos] for s in source.common(word, pos)[: 3 if pos in "nv" else 4]
    ]


def useful(synset):
    return not any(spaced(w) in EMPTY for w in synset.words[:2])


def table(name, lists):
    """Lists as two arrays: their lengths, and all elements concatenated."""
    return {
        f"{name}_counts": np.array([len(x) for x in lists], dtype=np.uint16),
        name: np.array([n for x in lists for n in x], dtype=np.uint32),
    }


def blob(text):
    return np.frombuffer(text.encode("utf-8"), dtype=np.uint8)


if __name__ == "__main__":
    arrays = build(Path(sys.argv[1]), *sys.argv[2:3])
    np.savez_compressed(lexicon.FILE, **arrays)
    print(*(f"{name} {len(array)}" for name, array in arrays.items()), sep="\n")
    print(f"{lexicon.FILE}: {lexicon.FILE.stat().st_size:,} bytes")
