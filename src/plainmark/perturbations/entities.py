"""Swap names and terms: another place, person, organisation, drug, disease, gene or quantity of the same type.

They are found by rules (_terms.py), or are the terms of your table (table=FILE, columns term and type). Each is
replaced by one from another document or from the table that has the same type, number and kind of determiner, so that the
sentence stays grammatical; "a" becomes "an" where the new word requires it. All mentions of a term get the same
replacement. Among a few candidates, the one that is most fluent according to a language model is chosen, or with NLI the
one that contradicts the sentence most (KBIN, Wright et al. 2022). Strength is the share of the mentions that were swapped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from .. import models
from ..options import Between
from . import Edit, EditPerturbation, EditPlan, Replacement, TextDocument, shuffled
from ._resources import VOWEL, load_function, read_table, table_digest
from ._terms import Term, terms


@dataclass(frozen=True)
class Entities(EditPerturbation):
    """Replaces names and terms by others of the same type."""

    table: Annotated[
        str, "a .csv, .tsv or .jsonl file with the columns term and type (default: found by rules)"
    ] = ""
    candidates: Annotated[Annotated[int, Between(1, 100)], "how many replacements LM and NLI choose from"] = 8
    lm: Annotated[
        str, "language model that chooses the most fluent candidates: ngram, smollm2, a folder; none if empty"
    ] = "ngram"
    nli: Annotated[
        str, "package.module.function(premises, hypotheses) -> probabilities of contradiction, to choose by"
    ] = ""

    criterion = "faithfulness"

    def plan(self, document: TextDocument, rng: np.random.Generator) -> EditPlan:
        mentions = self._mentions(document)
        pool = self._pool(document)
        own = set(re.findall(r"\d+(?:\.\d+)?|\w+", document.text.casefold()))
        replacements: dict[tuple[str, tuple[str, ...]], str] = {}
        edits: list[Edit] = []
        for mention in mentions:
            draws = rng.random(self.candidates)
            key = (mention.text.lower(), mention.frame)
            if key not in replacements:
                drawn = _drawn(pool.get(mention.frame, ()), draws, own)
                replacements[key] = self._choice(document, mention, drawn)
            if new := replacements[key]:
                edits.append(_edit(document.text, mention, new))
        order = shuffled(len(edits), rng)
        nothing = "no names or terms of a type that other documents have" if mentions else "no names or terms"
        return EditPlan([edits[i] for i in order], len(edits), "" if edits else nothing)

    def _mentions(self, document: TextDocument) -> list[Term]:
        if self.table:
            return _listed(document.text, _typed(self.table))
        known = document.pool.known if document.pool else {}
        key = ("terms", document.text)
        if key not in known:
            known[key] = terms(document.text)
        mentions: list[Term] = known[key]
        return mentions

    def _pool(self, document: TextDocument) -> dict[tuple[str, ...], list[str]]:
        """Terms by frame: those of the table, or of the other documents."""
        if self.table:
            return _by_frame([(term, (kind,)) for term, kind in read_table(self.table, "term", "type")])
        if document.pool is None:
            return {}
        if "terms by frame" not in document.pool.known:
            rows = [(m.text, m.frame) for d in document.pool.documents for m in self._mentions(d)]
            document.pool.known["terms by frame"] = _by_frame(rows)
        pool: dict[tuple[str, ...], list[str]] = document.pool.known["terms by frame"]
        return pool

    def _choice(self, document: TextDocument, mention: Term, drawn: Sequence[str]) -> str:
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
        return models.missing(self.lm, "language model") if self.lm not in ("", "ngram") else ""

    def resources(self) -> dict[str, str]:
        return {"table of terms": table_digest(self.table, "term", "type")} if self.table else {}


def _drawn(
    names: Sequence[str], draws: np.ndarray[tuple[int], np.dtype[np.float64]], own: set[str]
) -> list[str]:
    """For each draw the next name of the list that shares no word with the document's own."""
    drawn: dict[str, None] = {}
    for draw in draws:
        start = int(draw * len(names))
        for i in range(len(names)):
            name = names[(start + i) % len(names)]
            if not own.intersection(_words(name)):
                drawn[name] = None
                break
    return list(drawn)


def _edit(text: str, mention: Term, new: str) -> Edit:
    """The swap, with the capital of the word that it replaces and the article before it."""
    if mention.text[0].isupper() and new[0].islower() and _opens_sentence(text, mention.start):
        new = new[0].upper() + new[1:]
    pieces = [Replacement(mention.start, mention.end, new)]
    article = re.search(r"\b(an?)(\s+)$", text[max(0, mention.start - 4) : mention.start], re.IGNORECASE)
    if article:
        expected = "an" if VOWEL.match(new) else "a"
        if expected != article[1].lower():
            begin = mention.start - len(article[0])
            cased = expected.capitalize() if article[1][0].isupper() else expected
            pieces.insert(0, Replacement(begin, begin + len(article[1]), cased))
    return tuple(pieces)


def _opens_sentence(text: str, place: int) -> bool:
    return not text[:place].strip() or re.search(r"[.!?:]\s+$", text[max(0, place - 4) : place]) is not None


def _words(term: str) -> tuple[str, ...]:
    """The words that a replacement must not share with the text; for a quantity, its number."""
    words = tuple(term.casefold().split())
    return words[:1] if term[0].isdigit() else words


def _by_frame(rows: Sequence[tuple[str, tuple[str, ...]]]) -> dict[tuple[str, ...], list[str]]:
    frames: dict[tuple[str, ...], dict[str, None]] = {}
    for name, frame in rows:
        # A capitalised term begins a sentence; names keep their capitals.
        plain = name[0].lower() + name[1:] if len(frame) > 1 else name
        frames.setdefault(frame, {})[plain] = None
    return {frame: list(names) for frame, names in frames.items()}


def _typed(path: str) -> dict[str, str]:
    return {term.casefold(): kind for term, kind in read_table(path, "term", "type")}


def _listed(text: str, typed: dict[str, str]) -> list[Term]:
    """The terms of a table that a text has, the longest one at each place."""
    pattern = "|".join(re.escape(t) for t in sorted(typed, key=len, reverse=True))
    return [
        Term(m.group(), m.start(), m.end(), (typed[m.group().casefold()],))
        for m in re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", text, re.IGNORECASE)
    ]
