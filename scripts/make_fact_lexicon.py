"""Writes src/plainmark/lexicon/lexicon.npz: what English words mean to each other, for the fact ledger.

    python scripts/make_fact_lexicon.py PATH/TO/ppdb [PATH/TO/wordnet]

The folder ppdb has counterfitting/ppdb_synonyms.txt and ppdb_antonyms.txt (word pairs of PPDB), retrofitting/ppdb-xl.txt
and ppdb-1.0-xxxl-lexical.extended.synonyms.uniquepairs. WordNet 3.0 gives words, synsets, antonyms and glosses,
lemminflect inflected forms, fact_lexicon.toml beside this script what was written and judged by hand.

Of a word's senses only the commoner ones count: the first two of a part of speech, and all that have 15 % of its
occurrences in WordNet's tagged texts. PPDB's pairs must be in the counter-fitting selection, or in both others and near
each other in WordNet; pairs of terms and of siblings in WordNet are left out.
"""

import re
import sys
import tomllib
from collections import defaultdict
from functools import cache
from itertools import combinations
from pathlib import Path

import lemminflect
import numpy as np

from plainmark import kernels, lexicon, wordlists, wordnet
from plainmark.lexicon import ADJECTIVE, ADVERB, ANY, CLASSES, FUNCTION, NOUN, VERB

HAND = tomllib.loads(Path(__file__).with_suffix("").with_name("fact_lexicon.toml").read_text("utf-8"))
BITS = {"n": NOUN, "v": VERB, "a": ADJECTIVE, "r": ADVERB}
TYPES = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
WORD = re.compile(r"[a-z][a-z'-]*[a-z]")
PHRASE = re.compile(r"[a-z][a-z' -]*[a-z]")
# Numbers of WordNet's files of nouns.
ACT, ANIMAL, ARTIFACT, ATTRIBUTE, BODY, COGNITION, COMMUNICATION = 4, 5, 6, 7, 8, 9, 10
FOOD, OBJECT, PERSON, PHENOMENON, PLANT, PROCESS, SUBSTANCE, TIME = 13, 17, 18, 19, 20, 22, 27, 28
ABSTRACT = {ACT, ATTRIBUTE, COGNITION, COMMUNICATION}
# Too general to be worth saying.
EMPTY = {"entity", "physical entity", "abstraction", "abstract entity", "object", "physical object", "whole", "unit", "matter",
         "artifact", "artefact", "thing", "psychological feature", "attribute", "event", "relation", "causal agent",
         "cause", "causal agency", "act", "deed", "human action", "human activity", "instrumentality", "instrumentation",
         "be", "have", "do", "make", "get", "go", "move", "change", "state", "group", "grouping", "measure",
         "quantity", "amount", "part", "portion", "component part", "otherworld", "way", "being", "property", "happening",
         "living thing", "animate thing", "content", "cognition", "knowledge", "process", "physical process"}  # fmt: skip
NAMES = re.compile(r"[A-Z]")
# How glosses of words begin that deny another word, and what those of words with -less say.
DENIES = re.compile(
    r"(?:\([^)]*\) )?(?:not\b|lack|without|absence|having no|in(?:cap|ab)"
    r"|the (?:quality|state|condition|property) of (?:not|being un|being in|lack))"
)
LACKS = re.compile(r"\b(?:without|lacking|not|no|having no|deficient|free|absence|devoid|lack)\b")


class Source:
    """WordNet with what the script needs beyond look-ups: counts of senses, file numbers, classes of nouns."""

    def __init__(self, folder):
        self.net = wordnet.load(folder)
        self.counts = defaultdict(dict)
        for line in (self.net.folder / "cntlist.rev").read_text("utf-8").splitlines():
            key, sense, count = line.split()
            lemma, _, rest = key.partition("%")
            self.counts[lemma, TYPES[rest[0]]][int(sense)] = int(count)
        self.files = {}
        for pos, name in wordnet._FILES.items():
            for line in (self.net.folder / f"data.{name}").read_text("utf-8").splitlines():
                if line[0] != " ":
                    self.files[pos, int(line[:8])] = int(line[9:11])

    def count(self, lemma, pos=None):
        """Occurrences of a lemma in the tagged texts."""
        lemma = lemma.replace(" ", "_")
        return sum(sum(self.counts.get((lemma, p), {}).values()) for p in (pos or "nvar"))

    @cache  # noqa: B019
    def senses(self, lemma, pos):
        """The synsets of a lemma and part of speech, in order; none for other forms."""
        lemma = lemma.replace(" ", "_")
        if lemma not in self.net._index(pos):
            return ()
        return tuple(self.net.synset(pos, offset) for offset in self.net._offsets(lemma, pos))

    @cache  # noqa: B019
    def common(self, lemma, pos):
        """The commoner senses."""
        senses = self.senses(lemma, pos)
        counts = self.counts.get((lemma.replace(" ", "_"), pos), {})
        total, everything = sum(counts.values()), self.count(lemma)
        if everything >= 10 and total < 0.05 * everything:
            return ()
        limit = max(3, 0.15 * total)
        first = 2 if total < 20 and (counts.get(2) or not total) else 1
        return tuple(s for i, s in enumerate(senses, 1) if i <= first or counts.get(i, 0) >= limit)

    @cache  # noqa: B019
    def ancestors(self, synset):
        """All more general synsets."""
        found = set()
        for parent in self.net.hypernyms(synset):
            found |= {parent, *self.ancestors(parent)}
        return frozenset(found)


class Pairs(dict):
    """Unordered pairs of words, with the parts of speech in which each word is meant."""

    def add(self, a, b, parts_a=ANY, parts_b=ANY):
        if a > b:
            a, b, parts_a, parts_b = b, a, parts_b, parts_a
        if a != b:
            old = self.get((a, b), (0, 0))
            self[a, b] = (old[0] | parts_a, old[1] | parts_b)

    def remove(self, pairs):
        for a, b in pairs:
            self.pop((min(a, b), max(a, b)), None)

    def rows(self, number):
        return np.array(
            sorted((number[a], number[b], *parts) for (a, b), parts in self.items()), dtype=np.uint32
        )


def spaced(word):
    return word.lower().replace("_", " ")


def lowercase(synset):
    """The words of a synset that are not names, with spaces."""
    return [spaced(w) for w in synset.words if not NAMES.search(w)]


def rows(name):
    return [line.split(", ") for line in HAND[name].strip().splitlines()]


def word_ranks(words):
    """Frequency ranks of words; 10 ** 6 for phrases and words that are not listed."""
    single = [w for w in words if " " not in w]
    hashes = [int(kernels.tokenize([w], "none").hashes[0]) for w in single]
    ranks = wordlists.ranks(np.array(hashes, dtype=np.uint64)).tolist()
    return defaultdict(lambda: 10**6, {w: r for w, r in zip(single, ranks, strict=True) if r >= 0})


class Classes:
    """The kinds of nouns that name something specific."""

    def __init__(self, source):
        self.source = source
        root = lambda word, n: source.senses(word, "n")[n - 1]  # noqa: E731
        self.roots = [
            ("drug", {root("drug", 1), root("vaccine", 1), root("hormone", 1), root("vitamin", 1)}),
            ("disease", {root("ill_health", 1), root("disorder", 1), root("injury", 1), root("symptom", 1), root("tumor", 1)}),
            ("chemical", {root("chemical_element", 1), root("compound", 2), root("chemical", 1), root("protein", 1)}),
            ("device", {root("device", 1), root("equipment", 1), root("vehicle", 1), root("weapon", 1)}),
            ("profession", {root("professional", 1), root("worker", 1), root("expert", 1), root("scientist", 1)}),
        ]  # fmt: skip
        self.generic = set(HAND["generic"].split()) | {"human being", "body part", "infectious disease"}

    def of(self, lemma, rank):
        """The class of a noun, or an empty string."""
        senses = self.source.senses(lemma, "n")
        if not senses or lemma in self.generic:
            return ""
        noun, total = self.source.count(lemma, "n"), self.source.count(lemma)
        if (total and noun < 0.6 * total) or (not total and any(self.source.senses(lemma, p) for p in "va")):
            return ""
        first = senses[0]
        counts = self.source.counts.get((lemma.replace(" ", "_"), "n"), {})
        if len(senses) > 1 and noun and counts.get(1, 0) < 0.5 * noun:
            return ""
        file = self.source.files["n", first.offset]
        above = {first, *self.source.ancestors(first)}
        label = next((name for name, tops in self.roots if above & tops), "")
        if label in ("drug", "disease", "chemical"):
            return label if rank > 600 else ""
        if file == BODY:
            return "body part"
        if file in (ANIMAL, PLANT):
            return "organism"
        if label:
            return label if rank > 4000 else ""
        if file in (SUBSTANCE, FOOD):
            return {SUBSTANCE: "substance", FOOD: "food"}[file] if rank > 2500 else ""
        if file in (ARTIFACT, PHENOMENON, PROCESS, OBJECT, COGNITION):
            return "term" if rank > 12000 and (file != COGNITION or discipline(above)) else ""
        return ""


def discipline(synsets):
    return any("discipline" in s.words for s in synsets)


def vocabulary(source, classes):
    """The words of the lexicon, with their parts of speech, and the class of each."""
    flags = defaultdict(int)
    kinds = {}
    lemmas = {pos: [spaced(w) for w in source.net.lemmas(pos)] for pos in "nvar"}
    ranks = word_ranks({w for pos in "nvar" for w in lemmas[pos]})
    for pos in "nvar":
        for lemma in lemmas[pos]:
            if not PHRASE.fullmatch(lemma):
                continue
            synsets = source.senses(lemma, pos)
            named = not any(lemma in lowercase(s) for s in synsets)
            kind = classes.of(lemma, ranks[lemma]) if pos == "n" else ""
            if " " in lemma:
                words = lemma.count(" ") + 1
                joined = any(
                    other != lemma and (" " not in other or ranks[other] < 10**6 or source.count(other))
                    for s in source.common(lemma, pos)
                    for other in lowercase(s)
                )
                medical = kind in ("drug", "disease", "body part") and words <= 3
                joined = joined and words <= 3 and source.files[pos, synsets[0].offset] not in (ANIMAL, PLANT)
                if not medical and (named or not (joined or source.count(lemma) > 2)):
                    continue
            elif named and kind not in ("drug", "disease"):
                continue
            flags[lemma] |= BITS[pos]
            if kind:
                kinds[lemma] = kind
    for word in HAND["function_words"].split():
        flags[word] |= FUNCTION
        kinds.pop(word, None)
    for name in ("synonyms", "antonyms"):
        for row in rows(name):
            for word in row:
                flags[word] |= 0
    for row in HAND["negative"].strip().splitlines():
        for word in row.split():
            flags[word] |= 0
    return dict(flags), kinds, ranks


def inflected_forms(source, flags):
    """Words with their base forms, the likeliest first, where the rules do not find them."""
    number = {w: i for i, w in enumerate(flags)}
    flag = lexicon.Flags(number, bytes(flags.values()))
    weights = defaultdict(lambda: defaultdict(float))
    parts = defaultdict(int)
    tags = {"n": "NOUN", "v": "VERB", "a": "ADJ"}
    for pos, upos in tags.items():
        for lemma, bits in flags.items():
            if not bits & BITS[pos] or bits & FUNCTION or not WORD.fullmatch(lemma):
                continue
            weight = 0.3 * source.count(lemma, pos) + 0.1
            for forms in lemminflect.getAllInflections(lemma, upos=upos).values():
                for form in forms:
                    if form != lemma and WORD.fullmatch(form):
                        weights[form][lemma] = max(weights[form][lemma], weight)
                        parts[form, lemma] |= BITS[pos]
        for form, lemmas in source.net._exception_lists(pos).items():
            for lemma in lemmas:
                lemma = spaced(lemma)
                if flags.get(lemma, 0) & BITS[pos] and " " not in lemma and WORD.fullmatch(form):
                    weights[form][lemma] = max(weights[form][lemma], 0.3 * source.count(lemma, pos) + 0.1)
                    parts[form, lemma] |= BITS[pos]
    table = {"worse": ["bad", "worse"], "worst": ["bad", "worst"], "better": ["good", "better", "well"],
             "best": ["good", "best", "well"], "further": ["further", "far"], "elder": ["elder", "old"],
             "an": ["an"], "n't": ["not"], "data": ["data", "datum"], "people": ["people", "person"], "persons": ["person"],
             "is": ["be"], "are": ["be"], "was": ["be"], "were": ["be"], "been": ["be"], "being": ["be", "being"],
             "am": ["be"], "has": ["have"], "had": ["have"], "having": ["have"], "does": ["do"], "did": ["do"],
             "done": ["do"], "doing": ["do"], "means": ["mean", "means"]}  # fmt: skip
    for form in sorted(weights):
        if form in table or flags.get(form, 0) & FUNCTION:
            continue
        own = source.count(form) + 0.05 if flags.get(form) else 0
        scored = dict(weights[form])
        if own:
            scored[form] = own
        best = sorted(scored, key=lambda w: (-scored[w], w))
        top = scored[best[0]]
        best = [w for w in best if scored[w] >= 0.02 * top or w == form][:3]
        rule = [word for word, _ in lexicon.by_rule(form, flag)]
        if rule[:1] != best[:1] or not set(best) <= set(rule):
            table[form] = best
    return {
        form: [(word, parts[form, word] or flags.get(word, 0) & 15 or ANY) for word in words]
        for form, words in table.items()
    }


def pairs_of(path, many=False):
    """The pairs of words of a PPDB file; with `many`, the first word of a line goes with each of the others."""
    for line in path.read_text("utf-8", errors="ignore").splitlines():
        words = line.split()
        ends = words[1:] if many else words[1:2]
        yield from ((words[0], w) for w in ends if WORD.fullmatch(words[0]) and WORD.fullmatch(w))


class Based:
    """Pairs of words as pairs of base forms."""

    def __init__(self, flags, forms):
        number = {w: i for i, w in enumerate(flags)}
        self._flag = lexicon.Flags(number, bytes(flags.values()))
        self._forms = forms

    @cache  # noqa: B019
    def base(self, word):
        if word in self._forms:
            return self._forms[word][0][0]
        return next((form for form, _ in lexicon.by_rule(word, self._flag)), None)

    def pairs(self, pairs):
        based = ((self.base(a), self.base(b)) for a, b in pairs)
        return {(min(a, b), max(a, b)) for a, b in based if a and b and a != b}


def add_paraphrases(equals, folder, source, based, flags, kinds):
    """Add the pairs of PPDB that other evidence supports."""
    chosen = based.pairs(pairs_of(folder / "counterfitting" / "ppdb_synonyms.txt"))
    lexical = based.pairs(pairs_of(folder / "ppdb-1.0-xxxl-lexical.extended.synonyms.uniquepairs"))
    larger = based.pairs(pairs_of(folder / "retrofitting" / "ppdb-xl.txt", many=True))
    near = {(a, b) for a, b in lexical & larger if close(source, a, b)}
    for a, b in (chosen & (lexical | larger)) | near:
        terms = a in kinds and b in kinds
        short = min(len(a), len(b)) < 3
        if not (short or terms or (flags[a] | flags[b]) & FUNCTION or siblings(source, a, b) or denied(a, b)):
            shared = flags[a] & flags[b]
            equals.add(a, b, shared or ANY, shared or ANY)
    return lexical & larger | chosen


def close(source, a, b):
    """Whether common senses of two words are the same, next to each other or in one cluster; or any senses are the same."""
    for pos in "nvar":
        first, second = set(source.senses(a, pos)[:5]), set(source.senses(b, pos)[:5])
        if first & second:
            return True
        first, second = set(source.common(a, pos)), set(source.common(b, pos))
        if pos == "a":
            around = {t for s in first for t in source.net.related(s, "&")}
            if around & second:
                return True
        if pos == "v" and any(
            set(source.net.hypernyms(s)) & second or t in source.net.related(s, "$")
            for s, t in [(s, t) for s in first for t in second] + [(t, s) for s in first for t in second]
        ):
            return True
    return False


def siblings(source, a, b):
    """Whether two nouns are of one kind without being the same: weeks and days, copper and iron."""
    first, second = source.common(a, "n"), source.common(b, "n")
    if not first or not second or set(first) & set(second):
        return False
    parents = {
        p for s in first if source.files["n", s.offset] not in ABSTRACT for p in source.net.hypernyms(s)
    }
    return any(p in parents for s in second for p in source.net.hypernyms(s))


def add_derived(equals, source, flags):
    """Add words of one family: decide and decision, quickly and quick, cardiac and heart."""
    for pos in "nvar":
        for lemma in source.net.lemmas(pos):
            word = spaced(lemma)
            if word not in flags or " " in word or flags[word] & FUNCTION:
                continue
            for synset in source.common(word, pos):
                for target, other in source.net.related_words(synset, lemma, "+", "\\"):
                    other = spaced(other)
                    common = target in source.common(other, target.pos) and " " not in other
                    if common and flags.get(other, FUNCTION) < FUNCTION and not denied(word, other):
                        equals.add(word, other, BITS[pos], BITS[target.pos])


def denied(a, b):
    """Whether one of two words has an affix that denies and the other has not."""
    affix = re.compile(r"(?:un|in|im|il|ir|dis|non|mis|anti)-?(?=[a-z]{3})|less(?:ly|ness)?$|-free$")
    short, long = sorted((a, b), key=len)
    return bool(affix.search(long)) != bool(affix.search(short)) and (short[:4] in long or short[-4:] in long)


def antonym_pairs(source, flags, based, folder, paraphrases):
    """Opposites: those of WordNet, of its clusters of adjectives, of PPDB and by hand; and those that WordNet states."""
    found, direct = Pairs(), set()
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
                        found.add(word, other, BITS[pos], BITS[pos])
                        direct.add((min(word, other), max(word, other)))
    # An adjective is the opposite of its head's antonym if people use it for the head.
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
                        found.add(word, other, ADJECTIVE, ADJECTIVE)
    for a, b in based.pairs(pairs_of(folder / "counterfitting" / "ppdb_antonyms.txt")):
        if a in content and b in content:
            shared = flags[a] & flags[b] or ANY
            found.add(a, b, shared, shared)
    for a, b in rows("antonyms"):
        found.add(a, b)
    return found, direct


def denials(source, flags, direct):
    """Words that deny by an affix, each with the word that they deny."""
    excluded = set(HAND["not_negative"].split())
    prefix = re.compile(r"(un|in|im|il|ir|dis|non|a)-?([a-z-]{3,})")
    participles = {}
    for lemma, bits in flags.items():
        if bits & VERB and " " not in lemma:
            for tag in ("VBN", "VBG"):
                for form in lemminflect.getInflection(lemma, tag=tag):
                    participles[form] = lemma
    found = {}
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
                # "Unlock" and "unlocked" are about what was done, not about what was not done.
                fits = same_part or (rest in participles and bits & ADJECTIVE)
                holds = fits and not bits & VERB and not reversal
            elif affix == "non":
                holds = same_part or rest in participles
            else:
                holds = (
                    len(rest) > 3 and (opposite or (affix != "a" and same_part and says)) and not bits & VERB
                )
            if holds:
                found[word] = rest
        elif word.endswith("less") and bits & ADJECTIVE and flags.get(word[:-4], 0) & NOUN:
            if any(LACKS.search(gloss) for gloss in glosses):
                found[word] = word[:-4]
    for row in HAND["negative"].strip().splitlines():
        word, rest = row.split()
        found[word] = rest
    # Adverbs and nouns of what was found: insufficiently, insufficiency.
    for word, rest in list(found.items()):
        for ending, new in (
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
        ):
            if word.endswith(ending) and (rest.endswith(ending) or word.endswith("less")):
                cut = len(word) - len(ending)
                other = word[:cut] + new
                base = rest if word.endswith("less") else rest[: len(rest) - len(ending)] + new
                if other in flags and base in flags and other not in excluded:
                    found.setdefault(other, base)
    return {word: rest for word, rest in found.items() if word not in excluded}


def synset_tables(source, flags, number):
    """The common synsets of each word, and the parents of each synset."""
    ids = {}
    senses = []
    for word in number:
        own = []
        for pos in "nvar":
            for synset in source.common(word, pos)[: 3 if pos in "nv" else 4]:
                if word in lowercase(synset) or " " in word or not flags[word] & FUNCTION:
                    if flags[word] & BITS[pos]:
                        own.append(synset)
        if flags[word] & FUNCTION:
            own = [
                s
                for s in own
                if s.pos == "r" and s in source.common(word, "r")[:1] and source.count(word, "r") > 20
            ]
        senses.append(own)
    # Names of general kinds only; single words that stand alone in a synset without parents are dropped below.
    needed = {s for own in senses for s in own}
    level = set(needed)
    for _ in range(3):
        level = {p for s in level for p in source.net.hypernyms(s)}
        needed |= level
    for synset in sorted(needed, key=lambda s: (s.pos, s.offset)):
        ids[synset] = len(ids)
    parents = []
    for synset in ids:
        above = [ids[p] for p in source.net.hypernyms(synset) if p in ids and useful(p)]
        if synset.pos == "a" and synset.satellite:
            above = [ids[p] for p in source.net.related(synset, "&") if p in ids]
        parents.append(above)
    return [[ids[s] for s in own] for own in senses], parents, [BITS[s.pos] for s in ids]


def useful(synset):
    return not any(spaced(w) in EMPTY for w in synset.words[:2])


def flat(lists):
    return np.array([len(x) for x in lists], dtype=np.uint8), np.array(
        [n for x in lists for n in x], dtype=np.uint32
    )


def blob(text):
    return np.frombuffer(text.encode("utf-8"), dtype=np.uint8)


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
            equals.add(a, b)
    equals.remove(list(opposites))
    number = {word: i for i, word in enumerate(flags)}
    senses, parents, parts = synset_tables(source, flags, number)
    sense_counts, sense_ids = flat(senses)
    parent_counts, parent_ids = flat(parents)
    return {
        "words": blob("\n".join(number)),
        "flags": np.array(list(flags.values()), dtype=np.uint8),
        "classes": np.array([CLASSES.index(kinds.get(w, "")) for w in number], dtype=np.uint8),
        "forms": blob(
            "\n".join(
                "\t".join([w, *(f"{form}\t{parts}" for form, parts in forms[w])]) for w in sorted(forms)
            )
        ),
        "denials": blob("\n".join(f"{w}\t{negative[w]}" for w in sorted(negative))),
        "sense_counts": sense_counts,
        "senses": sense_ids,
        "parent_counts": parent_counts,
        "parents": parent_ids,
        "parts": np.array(parts, dtype=np.uint8),
        "synonyms": equals.rows(number),
        "antonyms": opposites.rows(number),
    }


if __name__ == "__main__":
    arrays = build(Path(sys.argv[1]), *sys.argv[2:3])
    np.savez_compressed(lexicon.FILE, **arrays)
    print(*(f"{name} {len(array)}" for name, array in arrays.items()), sep="\n")
    print(f"{lexicon.FILE}: {lexicon.FILE.stat().st_size:,} bytes")
