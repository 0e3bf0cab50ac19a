"""Faithful human pairs, a source and a person's simplification of it, divided into parts by document.

plaba     an abstract and one of its adaptations; the document is the abstract's PubMed id
onestop   a paragraph at the level Advanced and its version at Intermediate or Elementary; the document is the title of
          the article, so that an article's paragraphs stay together
cochrane  the abstract of a review and its plain-language summary; the document is set and line ("val-0012", from 0)
swipe     an article of Wikipedia and its Simple Wikipedia version; the document is the pair's id
cells     the abstract of a paper and its lay summary; the document is the pair's id
asset     a sentence and one of its ten references, chosen by a hash; the document is set and line ("valid-0012", from 0)

A document belongs to one of four buckets by a hash of its name. Rules are tuned on two of them, people judge alarms on the
third, and the last one is reserved for figures that are measured once. JUDGED_ONLY are further sets of references: errors
are not injected into them, but alarms on them were judged. "asset_more" has ASSET's nine other references.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from plainmark.data import Sample
from plainmark.datasets import REFERENCE, dataset
from plainmark.datasets.asset import ASSET
from plainmark.datasets.cells import CELLS
from plainmark.datasets.cochrane_pairs import CochranePairs
from plainmark.datasets.onestop_reading import OneStopReading
from plainmark.datasets.plaba import PLABA
from plainmark.datasets.swipe import SWiPE

DATASETS = ("plaba", "onestop", "cochrane", "swipe", "cells", "asset")
JUDGED_ONLY = {  # by name: other data sets of plainmark, whose references are read
    "asset_more": ("asset(split='valid')", "asset(split='test')"),
    "turkcorpus": ("turkcorpus(split='tune')", "turkcorpus(split='test')"),
    "hsplit": ("hsplit",),
    "pwkp": ("pwkp(split='valid')", "pwkp(split='test')"),
    "dwiki": ("dwiki",),
    "cochrane_documents": ("cochrane",),
    "tsar2025": ("tsar2025(split='trial')", "tsar2025(split='test')"),
    "multicochrane": ("multicochrane",),
    "wikilarge": ("factuality",),
}
PARTS = {"development": (0, 1), "judge": (2,), "held": (3,)}
BUCKETS = 4


@dataclass(frozen=True)
class Text:
    """A source and one simplification of it."""

    dataset: str
    document: str
    variant: str  # index of the simplification of the document
    source: str
    output: str

    @property
    def key(self) -> tuple[str, str, str]:
        """The key of the pair in files of judgements."""
        return self.dataset, self.document, self.variant


def bucket(dataset: str, document: str) -> int:
    """Which of the four buckets a document belongs to."""
    return _hash(f"{dataset}:{document}") % BUCKETS


def data_folder() -> Path:
    """The folder of data sets: data/ below $PLAINMARK_SHARED, or below ../shared."""
    shared = os.environ.get("PLAINMARK_SHARED")
    return Path(shared or Path(__file__).resolve().parents[2] / "shared") / "data"


def read(data: Path, buckets: tuple[int, ...], datasets: tuple[str, ...] = DATASETS) -> list[Text]:
    """The pairs of the given buckets, in the order of the files."""
    return [
        text
        for name in datasets
        for text in (_judged_only(name, data) if name in JUDGED_ONLY else _READERS[name](data))
        if text.source.strip() and text.output.strip() and bucket(name, text.document) in buckets
    ]


def _plaba(data: Path) -> Iterator[Text]:
    for abstract in PLABA(folder=str(data)).abstracts():
        source = _joined(abstract.sentences)
        for number, adaptation in enumerate(abstract.adaptations, 1):
            yield Text("plaba", abstract.id, str(number), source, _joined(adaptation))


def _onestop(data: Path) -> Iterator[Text]:
    corpora = OneStopReading(folder=str(data)).corpora()
    articles = json.loads((data / "onestop-qa" / "onestop_qa.json").read_text("utf-8"))["data"]
    for level in ("Intermediate", "Elementary"):
        for sample in corpora[level]:
            article, paragraph = sample.id.split("/")
            title = articles[int(article) - 1]["title"]
            yield Text("onestop", title, f"{level}/{paragraph}", sample.source, sample.output)


def _cochrane(data: Path) -> Iterator[Text]:
    for split in ("val", "test"):
        corpus = CochranePairs(folder=str(data), split=split).corpora()[REFERENCE]
        for number, sample in enumerate(corpus):
            yield Text("cochrane", f"{split}-{number:04}", "summary", sample.source, sample.output)


def _swipe(data: Path) -> Iterator[Text]:
    for sample in SWiPE(folder=str(data)).corpora()[REFERENCE]:
        yield Text("swipe", sample.id, "simple", sample.source, sample.output)


def _cells(data: Path) -> Iterator[Text]:
    for sample in CELLS(folder=str(data)).corpora()[REFERENCE]:
        yield Text("cells", sample.id, "summary", sample.source, sample.output)


def _asset(data: Path) -> Iterator[Text]:
    for split in ("valid", "test"):
        corpus = next(iter(ASSET(folder=str(data), split=split).corpora().values()))
        for number, sample in enumerate(corpus):
            document = f"{split}-{number:04}"
            reference_number = _asset_reference(document, sample)
            yield Text(
                "asset", document, str(reference_number), sample.source, sample.references[reference_number]
            )


def _judged_only(name: str, data: Path) -> Iterator[Text]:
    """Every reference of every source of a data set, without repeated sources."""
    for spec in JUDGED_ONLY[name]:
        data_set = replace(dataset(spec), folder=str(data))
        split = getattr(data_set, "split", "all")
        seen: set[tuple[str, tuple[str, ...]]] = set()
        for number, sample in enumerate(next(iter(data_set.corpora().values()))):
            document = f"{split}-{number:04}"
            if (sample.source, sample.references) in seen:
                continue
            seen.add((sample.source, sample.references))
            judged = _asset_reference(document, sample) if name == "asset_more" else -1
            for variant, reference in enumerate(sample.references):
                if variant != judged:
                    yield Text(name, document, str(variant), sample.source, reference)


def _asset_reference(document: str, sample: Sample) -> int:
    """The index of ASSET's reference that is in the data set "asset"."""
    return _hash(f"asset:{document}:reference") % len(sample.references)


def _joined(sentences: tuple[str, ...]) -> str:
    return " ".join(s for s in sentences if s)


def _hash(name: str) -> int:
    return int(hashlib.sha256(name.encode()).hexdigest(), 16)


_READERS = {
    "plaba": _plaba,
    "onestop": _onestop,
    "cochrane": _cochrane,
    "swipe": _swipe,
    "cells": _cells,
    "asset": _asset,
}
