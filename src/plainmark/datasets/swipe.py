"""SWiPE: 482 pairs of a Wikipedia article and its Simple Wikipedia version, with edits that annotators grouped and categorised.

The output of the one system, 'reference', is the simple version, which is its reference too. edits() gives the grouped
edits, links() the sentences that belong together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..data import Corpus
from ..errors import InputError
from ..files import json_objects, read_json
from . import REFERENCE, Card, Dataset
from ._readers import reporting_errors, text

FILE, LINKS = "swipe/swipe_val.json", "swipe/links_val.jsonl"


@dataclass(frozen=True)
class EditGroup:
    """Edits that annotators grouped, and the category they assigned."""

    category: str
    edits: tuple[int, ...]  # indices in the pair's sequence of edits
    deleted: tuple[str, ...]
    inserted: tuple[str, ...]


@dataclass(frozen=True)
class LinkedSentences:
    """The sentences of a pair, and the links between them (source, output, 'aligned' or 'partial')."""

    source: tuple[str, ...]
    output: tuple[str, ...]
    links: tuple[tuple[int, int, str], ...]


@dataclass(frozen=True)
class SWiPE(Dataset):
    """Articles of Wikipedia with simple versions, and edits grouped by people."""

    card = Card(
        title="SWiPE",
        about="articles of Wikipedia with their Simple Wikipedia versions, edits grouped and named by people",
        level="document",
        samples=482,
        systems=1,
        licence="Apache-2.0; the articles are Wikipedia's, CC BY-SA",
        citation="Laban et al. 2023, SWiPE: A Dataset for Document-Level Simplification of Wikipedia Pages",
        notes=(
            "The validation part. edits() returns 3,877 groups of edits in 19 categories.",
            "links() returns sentence links of 349 pairs, derived from the groups; their file is not part of the release.",
        ),
    )

    def files(self) -> tuple[str, ...]:
        return (FILE,)

    def corpora(self) -> dict[str, Corpus]:
        sources, outputs, ids = [], [], []
        for location, pair in self._pairs():
            with reporting_errors(location):
                sources.append(text(pair["r_content"]))
                outputs.append(text(pair["s_content"]))
                ids.append(text(pair["_id"]))
        return {REFERENCE: Corpus(sources, outputs, outputs, ids=ids, name=REFERENCE)}

    def edits(self) -> dict[str, list[EditGroup]]:
        """Sample id -> the groups of edits."""
        groups = {}
        for location, pair in self._pairs():
            with reporting_errors(location):
                groups[text(pair["_id"])] = [_group(g, pair["edits"]) for g in pair["annotations"]]
        return groups

    def links(self) -> dict[str, LinkedSentences]:
        """Sample id -> sentences and links; MissingResourceError if the derived file is missing."""
        linked = {}
        for location, row in json_objects(self.path(LINKS)):
            with reporting_errors(location):
                links = tuple((int(a), int(b), text(kind)) for a, b, kind in row["links"])
                linked[text(row["id"])] = LinkedSentences(tuple(row["complex"]), tuple(row["simple"]), links)
        return linked

    def _pairs(self) -> list[tuple[str, dict[str, Any]]]:
        path = self.path(FILE)
        pairs = read_json(path)
        if not isinstance(pairs, list) or not all(isinstance(pair, dict) for pair in pairs):
            raise InputError(f"{path}: expected a list of pairs.")
        return [(f"{path}, pair {k}", pair) for k, pair in enumerate(pairs, 1)]


def _group(group: dict[str, Any], edits: list[dict[str, str]]) -> EditGroup:
    own = [edits[k] for k in group["opis"]]
    return EditGroup(
        text(group["category"]),
        tuple(group["opis"]),
        tuple(edit["delete"] for edit in own if "delete" in edit),
        tuple(edit["insert"] for edit in own if "insert" in edit),
    )
