"""Swap names: another person, place, organisation or substance of the same kind.

Names are found by rules (or by a spaCy pipeline), or are the terms of a table of the user's (table=FILE, columns term and
type). Each is replaced by one of the same type from another document or from the table; all mentions of a name by the same
one. With an LM the most fluent of a few candidates are kept, with NLI the one that contradicts the sentence most (KBIN,
Wright et al. 2022). Strength is the share of the mentions that were swapped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from .. import models
from ..options import Between
from . import EditPerturbation, EditPlan, Replacement, TextDocument, shuffled
from ._mentions import Mention
from ._names import entities
from ._names import missing as finder_missing
from ._resources import load_function, read_table, table_digest

_ORGANISATION = re.compile(
    r"\b(?:University|Institute|College|School|Hospital|Clinic|Centre|Center|Bank|Ministry|Department|Agency|Association|"
    r"Society|Company|Corporation|Inc|Ltd|Council|Committee|Commission|Organi[sz]ation|Foundation|Union|Party|Church|"
    r"Museum|Library|Court|Group|Team|Club|Times|Journal|Press|Service|Office|Network|Board|Trust)\b"
)
_PERSON_BEFORE = re.compile(
    r"\b(?:Mr|Mrs|Ms|Dr|Prof|Professor|Sir|Lady|President|Minister|Doctor|King|Queen|said|by)\.?\s+$"
)
_PLACE_BEFORE = re.compile(
    r"\b(?:in|at|from|near|to|across|throughout|outside|north of|south of|city of)\s+$", re.IGNORECASE
)
_PERSON_AFTER = re.compile(
    r"\s+(?:said|says|thinks|wrote|told|asked|believes|et al)\b|,\s+(?:who|a|the|an)\s"
)


@dataclass(frozen=True)
class Entities(EditPerturbation):
    """Replaces names by others of the same type."""

    table: Annotated[
        str, "a .csv, .tsv or .jsonl file with the columns term and type (default: names found by rules)"
    ] = ""
    finder: Annotated[str, "rules, or the name of a spaCy pipeline"] = "rules"
    candidates: Annotated[Annotated[int, Between(1, 100)], "how many replacements LM and NLI choose from"] = 8
    lm: Annotated[
        str, "language model that keeps the most fluent half of the candidates: ngram, smollm2, a folder"
    ] = ""
    nli: Annotated[
        str, "package.module.function(premises, hypotheses) -> probabilities of contradiction, to choose by"
    ] = ""

    criterion = "faithfulness"

    def plan(self, document: TextDocument, rng: np.random.Generator) -> EditPlan:
        mentions = self._mentions(document)
        pool = self._pool(document)
        own = {w for mention, _ in mentions for w in mention.key}
        replacements: dict[tuple[str, ...], str] = {}
        edits = []
        for mention, kind in mentions:
            draws = rng.random(self.candidates)
            if mention.key not in replacements:
                drawn = _drawn(pool.get(kind, ()), draws, own)
                replacements[mention.key] = self._choice(document, mention, drawn)
            if new := replacements[mention.key]:
                edits.append((Replacement(mention.start, mention.end, new),))
        order = shuffled(len(edits), rng)
        nothing = "no names of a type that other documents have" if mentions else "no names"
        return EditPlan([edits[i] for i in order], len(edits), "" if edits else nothing)

    def _mentions(self, document: TextDocument) -> list[tuple[Mention, str]]:
        if self.table:
            return _terms(document.text, _typed(self.table))
        known = document.pool.known if document.pool else {}
        key = (self.finder, document.text)
        if key not in known:
            mentions = entities(document.text, self.finder)
            known[key] = [(m, kind_of(document.text, m)) for m in mentions if not m.weak]
        typed: list[tuple[Mention, str]] = known[key]
        return typed

    def _pool(self, document: TextDocument) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
        """Names by type, with their words: those of the table, or of the other documents."""
        if self.table:
            return _by_type(
                [(term, kind, _words(term)) for term, kind in read_table(self.table, "term", "type")]
            )
        if document.pool is None:
            return {}
        key = ("names", self.finder)
        if key not in document.pool.known:
            rows = [(m.text, kind, m.key) for d in document.pool.documents for m, kind in self._mentions(d)]
            document.pool.known[key] = _by_type(rows)
        names: dict[str, list[tuple[str, tuple[str, ...]]]] = document.pool.known[key]
        return names

    def _choice(self, document: TextDocument, mention: Mention, drawn: Sequence[str]) -> str:
        """The first candidate drawn, or the one that the models prefer."""
        if len(drawn) < 2 or not (self.lm or self.nli):
            return drawn[0] if drawn else ""
        spans = [s for s in document.sentences if s[0] <= mention.start < s[1]] or [(0, len(document.text))]
        start, end = spans[0]
        text = document.text
        sentences = [text[start : mention.start] + name + text[mention.end : end] for name in drawn]
        order = list(range(len(drawn)))
        if self.lm:
            losses, tokens = models.language_model(self.lm).log_likelihood(sentences)
            order = [int(i) for i in np.argsort(losses / np.maximum(tokens, 1), kind="stable")]
            order = order[: (len(order) + 1) // 2] if self.nli else order
        if self.nli:
            scores = load_function(self.nli, "nli")(
                [text[start:end]] * len(order), [sentences[i] for i in order]
            )
            order.sort(key=dict(zip(order, map(float, scores), strict=True)).__getitem__, reverse=True)
        return drawn[order[0]]

    def missing(self) -> str:
        lacks = finder_missing(self.finder) if not self.table else ""
        return lacks or (models.missing(self.lm, "language model") if self.lm not in ("", "ngram") else "")

    def resources(self) -> dict[str, str]:
        return {"table of terms": table_digest(self.table, "term", "type")} if self.table else {}


def _drawn(
    names: Sequence[tuple[str, tuple[str, ...]]],
    draws: np.ndarray[tuple[int], np.dtype[np.float64]],
    own: set[str],
) -> list[str]:
    """For each draw the next name of the list that shares no word with the document's own."""
    drawn: dict[str, None] = {}
    for draw in draws:
        start = int(draw * len(names))
        for i in range(len(names)):
            name, key = names[(start + i) % len(names)]
            if not own.intersection(key):
                drawn[name] = None
                break
    return list(drawn)


def kind_of(text: str, mention: Mention) -> str:
    """A coarse type by rules: initials, organisation, person, place, or a name of one or several words."""
    name = mention.text
    before, after = text[max(0, mention.start - 24) : mention.start], text[mention.end : mention.end + 20]
    if sum(c.isupper() for c in name) > 1 and " " not in name:
        return "initials"
    if _ORGANISATION.search(name):
        return "organisation"
    if _PERSON_BEFORE.search(before) or _PERSON_AFTER.match(after):
        return "person"
    if _PLACE_BEFORE.search(before):
        return "place"
    return "name" if " " not in name else "names"


def _words(term: str) -> tuple[str, ...]:
    return tuple(term.casefold().split())


def _by_type(
    rows: Sequence[tuple[str, str, tuple[str, ...]]],
) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    types: dict[str, dict[str, tuple[str, ...]]] = {}
    for name, kind, key in rows:
        types.setdefault(kind, {})[name] = key
    return {kind: list(names.items()) for kind, names in types.items()}


def _typed(path: str) -> dict[str, str]:
    return {term.casefold(): kind for term, kind in read_table(path, "term", "type")}


def _terms(text: str, typed: dict[str, str]) -> list[tuple[Mention, str]]:
    """The terms of a table that a text has, the longest one at each place."""
    pattern = "|".join(re.escape(t) for t in sorted(typed, key=len, reverse=True))
    return [
        (Mention(m.group(), m.start(), m.end(), _words(m.group())), typed[m.group().casefold()])
        for m in re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", text, re.IGNORECASE)
    ]
