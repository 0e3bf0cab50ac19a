"""Documents that people simplified, whole and with sentences left out, cut off or taken from elsewhere.

They teach how much of a source is left. A document is a source with its own text or a person's version of it, and
copies that say less of it or something else.
`share` is how much of the unchanged text is left in the copy, less half of what does not belong there.
"""

import random
from typing import NamedTuple

import numpy as np
from evaluation.texts import PARTS, read

from plainmark.data import Corpus
from plainmark.punkt import split_sentences

from .quality_items import beginning, evaluated_sources

DOCUMENTS = 13  # of each data set
WORDS = 50, 80, 420  # of a version at least, of a source at least and at most
FEWEST = 4  # sentences
KEPT = {"person": (0.75, 0.5, 0.25), "source": (0.6, 0.3)}  # shares of the sentences that are left


class Damaged(NamedTuple):
    """Copies of documents, the share of each that is left, and which of them are copies of one text."""

    corpus: Corpus
    share: np.ndarray
    group: np.ndarray


def damaged_documents(data, seed=3) -> Damaged:
    """Damaged and undamaged copies of documents."""
    rng = random.Random(seed)
    sources, outputs, shares, groups = [], [], [], []
    for documents in _documents(data, rng):
        for text in documents:
            other = split_sentences(rng.choice([d for d in documents if d is not text]).output)
            for base, whole in (("source", text.source), ("person", text.output)):
                sentences = split_sentences(whole)
                if len(sentences) < FEWEST:
                    continue
                for copy, share in _copies(sentences, base, other, rng):
                    sources.append(text.source)
                    outputs.append(" ".join(copy))
                    shares.append(share)
                    groups.append(f"{text.dataset}/{text.document}/{base}")
    return Damaged(Corpus(sources, outputs), np.array(shares), np.array(groups))


def _documents(data, rng):
    """Documents of the part for development by data set, without the sources that nothing may be fitted to."""
    evaluated = evaluated_sources(data)
    version, shortest, longest = WORDS
    sets = {}
    for t in read(data, PARTS["development"]):
        fits = len(t.output.split()) >= version and shortest <= len(t.source.split()) <= longest
        if fits and beginning(t.source) not in evaluated:
            sets.setdefault(t.dataset, {}).setdefault(t.document, t)
    for documents in sets.values():
        shuffled = list(documents.values())
        rng.shuffle(shuffled)
        yield shuffled[:DOCUMENTS]


def _copies(sentences, base, other, rng):
    """(sentences, share that is left) of each copy."""
    n = len(sentences)
    for share in KEPT[base]:
        kept = sorted(rng.sample(range(n), max(1, round(share * n))))
        yield [sentences[i] for i in kept], len(kept) / n
    if base == "source":
        return
    yield sentences, 1.0
    yield sentences[: n // 2], (n // 2) / n
    added, strange = list(sentences), other[: max(1, n // 4)]
    for sentence in strange:
        added.insert(rng.randrange(len(added) + 1), sentence)
    yield added, 1 - 0.5 * len(strange) / n
    replaced = list(sentences)
    places = rng.sample(range(n), max(1, n // 2))
    for i in places:
        replaced[i] = rng.choice(other)
    yield replaced, 1 - len(places) / n
