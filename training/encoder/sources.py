"""The encoder's training texts, each with its licence, and the part of each that is held out for evaluation.

    CEFR-SP, Wiki-Auto part   CC BY-SA 3.0    sentences with reading levels by two raters; training file only
    MultiNLI, development     OANC and others premises and hypotheses
    SNLI, development         CC BY-SA 4.0    premises and hypotheses
    MPE                       CC BY-SA 4.0    four premises and a hypothesis
    SciTail, development      Apache-2.0      premises and hypotheses
    OneStop reading           CC BY-SA 4.0    paragraphs at three levels, by sentence
    SWiPE                     Apache-2.0, text CC BY-SA    linked sentences of Wikipedia and Simple Wikipedia
    Cochrane, CELLS           CC BY 4.0, MIT  abstracts and plain-language summaries, by sentence
    PPDB                      CC BY 3.0       synonyms and antonyms

A tenth of the premises, and the documents of buckets 2 and 3 of `evaluation.texts`, are never trained on. Sentences of the
document-level sets with ratings (D-WIKI, COCHRANE, ONESTOPQA), of TurkCorpus and of ASSET are excluded by comparing their
wording.
"""

from __future__ import annotations

import csv
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from evaluation.texts import PARTS, read

from plainmark import wordnet
from plainmark.aligners.context import ContextAligner
from plainmark.punkt import PLAIN

LABELS = ("entailment", "neutral", "contradiction", "not_entailment")
NLI = ("mnli_dev", "snli_dev", "mpe_train", "mpe_dev", "scitail_dev")
_PICTURE = re.compile(r"\s*\d+jpg\d")
_ENDING = re.compile(r"(?:ing|ed|s|ly)?$")
_DETOKENISED = (
    (re.compile(r" (n't|'s|'re|'ve|'ll|'d|'m)\b"), r"\1"),
    (re.compile(r" ([.,;:!?%)\]])"), r"\1"),
    (re.compile(r"([(\[$£]) "), r"\1"),
    (re.compile(r"`` ?| ?''"), '"'),
)


@dataclass(frozen=True)
class LabelledPair:
    """A premise, a hypothesis, and the number of its label in LABELS."""

    premise: str
    hypothesis: str
    label: int


@dataclass(frozen=True)
class SentencePair:
    """A sentence (or two) of a source and of its simplification; `faithful` if people wrote one as a simplification of the
    other.
    """

    dataset: str
    source: str
    output: str
    faithful: bool


def nli(data: Path, names: tuple[str, ...] = NLI, *, held: bool = False) -> list[LabelledPair]:
    """Premises and hypotheses; a tenth of the premises is held out."""
    pairs = []
    for name in names:
        with (data / "nli" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                premise = ". ".join(p.strip() for p in _PICTURE.split(row["premise"]) if p.strip())
                if row["label"] in LABELS and row["hypothesis"].strip() and is_held(premise) == held:
                    pairs.append(LabelledPair(premise, row["hypothesis"].strip(), LABELS.index(row["label"])))
    return pairs


def levels(path: Path) -> list[tuple[str, int, int]]:
    """Sentences with the levels 1 to 6 from two raters."""
    rows = [line.rstrip("\n").split("\t") for line in path.read_text("utf-8").splitlines() if line.strip()]
    return [(text, int(first), int(second)) for text, first, second in rows]


@cache
def sentence_pairs(data: Path, part: str = "development") -> list[SentencePair]:
    """Sentences of faithful human simplifications with what they simplify."""
    excluded = _rated_sentences(data)
    texts = read(data, PARTS[part], ("onestop", "cochrane", "cells"))
    documents = {t.document for t in read(data, PARTS[part], ("swipe",))}
    pairs = list(_swipe_pairs(data, documents))
    sides = [(sentences(t.source), sentences(t.output)) for t in texts]
    for text, (source, output), matrix in zip(texts, sides, ContextAligner().align_many(sides), strict=True):
        for j, sentence in enumerate(output):
            partners = np.flatnonzero(matrix[:, j] > 0.6)
            if 0 < len(partners) <= 2:
                joined = " ".join(source[i] for i in partners)
                pairs.append(SentencePair(text.dataset, joined, sentence, text.dataset == "onestop"))
    return [p for p in pairs if not (_forms(p.source) | _forms(p.output)) & excluded]


def single_sentences(data: Path) -> list[str]:
    """Sentences of encyclopaedias and of abstracts, from which pairs are constructed."""
    wiki = [detokenised(t) for t, _, _ in levels(data / "cefr" / "cefr-sp" / "CEFR-SP_Wikiauto_train.txt")]
    abstracts = read(data, PARTS["development"], ("cochrane", "cells"))
    excluded = _rated_sentences(data)
    medical = [s for t in abstracts for s in sentences(t.source)[:6]]
    return [
        s for s in dict.fromkeys(wiki + medical) if 6 <= len(s.split()) <= 28 and not _forms(s) & excluded
    ]


def word_pairs(data: Path, name: str) -> dict[str, list[str]]:
    """PPDB's synonyms or antonyms of words with the same inflection; synonyms only if WordNet agrees."""
    table = defaultdict(set)
    for line in (data / "ppdb" / "counterfitting" / f"ppdb_{name}.txt").read_text("utf-8").splitlines():
        words = line.split()
        if len(words) != 2 or words[0] == words[1] or not all(w.isalpha() and len(w) > 3 for w in words):
            continue
        alike = _ENDING.search(words[0])[0] == _ENDING.search(words[1])[0]
        if alike and (name == "antonyms" or _synsets(words[0]) & _synsets(words[1])):
            table[words[0]].add(words[1])
            table[words[1]].add(words[0])
    return {word: sorted(others) for word, others in table.items()}


def sentences(text: str) -> list[str]:
    """The sentences of a text."""
    return [text[a:b] for a, b in PLAIN.spans(text)]


def detokenised(text: str) -> str:
    """A tokenised sentence without the tokenisation."""
    for pattern, replacement in _DETOKENISED:
        text = pattern.sub(replacement, text)
    return text


def is_held(name: str) -> bool:
    """Whether a text belongs to the tenth that is held out for evaluation."""
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % 10 == 0


@cache
def _synsets(word: str) -> frozenset[tuple[str, int]]:
    """The most frequent meanings of a word in WordNet: the first two for each part of speech."""
    net = wordnet.load()
    return frozenset((s.pos, s.offset) for pos in ("n", "v", "a", "r") for s in net.synsets(word, pos)[:2])


def _swipe_pairs(data: Path, documents: set[str]) -> Iterator[SentencePair]:
    for line in (data / "swipe" / "links_val.jsonl").read_text("utf-8").splitlines():
        article = json.loads(line)
        if article["id"] not in documents:
            continue
        partners = defaultdict(list)
        for i, j, kind in article["links"]:
            partners[j].append((i, kind))
        for j, links in partners.items():
            source = " ".join(article["complex"][i] for i, _ in sorted(links))
            faithful = all(kind == "aligned" for _, kind in links)
            yield SentencePair("swipe", source, article["simple"][j], faithful)


@cache
def _rated_sentences(data: Path) -> frozenset[str]:
    """Sentences of the texts with ratings that metrics are correlated with; only the texts are read."""
    texts = []
    for name in ("dwiki_final", "cochrance_lj", "qa"):
        path = data / "doc-meta" / f"{name}.jsonl"
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            texts += [row.get("original", ""), *row.get("references", [])]
    for folder, pattern in (("asset", "*.orig"), ("turkcorpus", "*.norm"), ("turkcorpus-detok", "*.orig")):
        for path in sorted((data / folder).glob(pattern)):
            texts += path.read_text("utf-8").splitlines()
    return frozenset(form for text in texts if isinstance(text, str) for form in _forms(text))


def _forms(text: str) -> frozenset[str]:
    """Each sentence without capitals, spaces and marks, if it is long enough to be distinctive."""
    forms = ("".join(c for c in s.lower() if c.isalnum()) for s in sentences(text))
    return frozenset(form for form in forms if len(form) >= 40)
