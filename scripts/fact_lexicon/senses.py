"""WordNet's senses by frequency, and pairs of words."""

import re
import tomllib
from collections import defaultdict
from functools import cache
from pathlib import Path

from plainmark import wordnet
from plainmark.lexicon.forms import ADJECTIVE, ADVERB, ANY, NOUN, SHIFT, VERB

HAND = tomllib.loads(Path(__file__).with_name("hand.toml").read_text("utf-8"))
BITS = {"n": NOUN, "v": VERB, "a": ADJECTIVE, "r": ADVERB}
TYPES = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
WORD = re.compile(r"[a-z][a-z'-]*[a-z]")
NAMES = re.compile(r"[A-Z]")


class Source:
    """WordNet with additional data for the script: counts of senses, file numbers, classes of nouns."""

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
        above = set()
        for parent in self.net.hypernyms(synset):
            above |= {parent, *self.ancestors(parent)}
        return frozenset(above)


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

    def lists(self, number):
        """For each word its partners, with the parts of speech of the word itself in the low bits."""
        partners = [[] for _ in number]
        for (a, b), (parts_a, parts_b) in self.items():
            partners[number[a]].append(number[b] << SHIFT | parts_a)
            partners[number[b]].append(number[a] << SHIFT | parts_b)
        return [sorted(x) for x in partners]


def spaced(word):
    return word.lower().replace("_", " ")


def lowercase(synset):
    """The words of a synset that are not names, with spaces."""
    return [spaced(w) for w in synset.words if not NAMES.search(w)]


def rows(name):
    return [line.split(", ") for line in HAND[name].strip().splitlines()]
