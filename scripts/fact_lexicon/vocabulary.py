"""The words of the lexicon: parts of speech, kinds of terms and inflected forms."""

import re
from collections import defaultdict

import lemminflect
import numpy as np

from plainmark import kernels, wordlists
from plainmark.lexicon.forms import ANY, FUNCTION, NOUN, Flags, by_rule

from .senses import BITS, HAND, WORD, lowercase, rows, spaced

PHRASE = re.compile(r"[a-z][a-z' -]*[a-z]")
# Numbers of WordNet's files of nouns.
ANIMAL, ARTIFACT, BODY, COGNITION, FOOD, OBJECT = 5, 6, 8, 9, 13, 17
PHENOMENON, PLANT, PROCESS, SUBSTANCE = 19, 20, 22, 27


class Classes:
    """The classes of nouns that name something specific."""

    def __init__(self, source):
        self.source = source
        root = lambda word, n: source.senses(word, "n")[n - 1]  # noqa: E731
        self.roots = [
            ("drug", {root("drug", 1), root("vaccine", 1), root("hormone", 1), root("vitamin", 1)}),
            ("disease", {root("ill_health", 1), root("disorder", 1), root("injury", 1), root("symptom", 1), root("tumor", 1)}),
            ("chemical", {root("chemical_element", 1), root("compound", 2), root("chemical", 1), root("protein", 1)}),
            ("device", {root("device", 1), root("equipment", 1), root("vehicle", 1), root("weapon", 1)}),
            ("procedure", {root("medical_procedure", 1), root("operation", 6), root("therapy", 1)}),
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
        if label in ("drug", "disease", "chemical", "procedure"):
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


def word_ranks(words):
    """Frequency ranks of words; 10 ** 6 for phrases and words that are not listed."""
    single = [w for w in words if " " not in w]
    hashes = [int(kernels.tokenize([w], "none").hashes[0]) for w in single]
    ranks = wordlists.ranks(np.array(hashes, dtype=np.uint64)).tolist()
    return defaultdict(lambda: 10**6, {w: r for w, r in zip(single, ranks, strict=True) if r >= 0})


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
    for name, words in HAND["terms"].items():
        for word in words.split():
            flags[word] |= NOUN
            kinds[word] = name
    for name in ("synonyms", "antonyms"):
        for row in rows(name):
            for word in row:
                flags[word] |= 0
    for row in HAND["negative"].strip().splitlines():
        for word in row.split():
            flags[word] |= 0
    return dict(flags), kinds, ranks


def inflected_forms(source, flags):
    """Irregular words with their base forms, the likeliest first."""
    number = {w: i for i, w in enumerate(flags)}
    flag = Flags(number, bytes(flags.values()))
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
        rule = [word for word, _ in by_rule(form, flag)]
        if rule[:1] != best[:1] or not set(best) <= set(rule):
            table[form] = best
    return {
        form: [(word, parts[form, word] or flags.get(word, 0) & 15 or ANY) for word in words]
        for form, words in table.items()
    }
