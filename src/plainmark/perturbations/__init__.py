"""One module per perturbation; the file name is the perturbation's name.

A perturbation degrades (or improves) a text by a known amount. Strength ranges from 0 (no change) to 1 (all eligible
places); edits are planned once and applied in a fixed order, so that a stronger level contains every weaker one. The
realised strength is recorded beside the requested one. A text with nothing to perturb is not eligible.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from ..languages.choice import require_english
from ..punkt import PLAIN
from ..registry import Named, Registry

Criterion = Literal["informativeness", "simplification", "coherence", "faithfulness", "fluency"]

# Largest difference between the realised and the requested strength that needs no reason in the record.
TOLERANCE = 0.05


class Span(NamedTuple):
    """A changed span: characters of the perturbed text, and those of the original that they replace."""

    start: int
    end: int
    was_start: int
    was_end: int


class Replacement(NamedTuple):
    """A span of the original text and its replacement."""

    start: int
    end: int
    new: str


Edit = tuple[Replacement, ...]  # replacements that are applied together, such as both words of a swap


@dataclass(frozen=True)
class Perturbed:
    """A perturbed text; `realised` and `eligible` are 0 if no change was possible, and `reason` says why."""

    text: str
    realised: float
    eligible: int
    spans: tuple[Span, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class EditPlan:
    """Edits in the order of application; strength 1 means that all `units` of them are applied."""

    edits: Sequence[Edit]
    units: int
    reason: str = ""  # the reason why there are fewer edits than units


@dataclass(frozen=True, eq=False)
class TextDocument:
    """A text, and the information that a perturbation may use."""

    text: str
    id: str = ""
    source: str = ""
    simpler: tuple[str, ...] = ()  # for each sentence its simpler version, or ""
    simplified: str = ""  # the whole simpler text, to be aligned unless `simpler` is known
    references: tuple[
        str, ...
    ] = ()  # the texts that it is scored against; no perturbation inserts a sentence of these
    article: str = ""  # documents with the same name are parts of one text
    spans: tuple[tuple[int, int], ...] | None = None  # of the sentences, if they are known
    pool: DocumentPool | None = None  # the documents that this one belongs to

    @cached_property
    def sentences(self) -> list[tuple[int, int]]:
        """Spans of the sentences; they are the same on every machine, with or without NLTK data."""
        return sentence_spans(self.text) if self.spans is None else list(self.spans)

    def sentence(self, i: int) -> str:
        """Sentence i."""
        start, end = self.sentences[i]
        return self.text[start:end]

    def leaks(self, text: str) -> bool:
        """Whether a sentence of this text occurs in a reference, word for word, but not in the document."""
        if not self.references:
            return False
        for start, end in sentence_spans(text):
            words = _words(text[start:end])
            if words not in self._own and any(words in reference for reference in self._targets):
                return True
        return False

    @cached_property
    def _own(self) -> str:
        return _words(self.text)

    @cached_property
    def _targets(self) -> list[str]:
        return [_words(reference) for reference in self.references]


class DocumentPool:
    """All documents of a testbed, from which perturbations take sentences and names of other documents."""

    def __init__(self, documents: Sequence[TextDocument]) -> None:
        self.documents = list(documents)
        self.known: dict[Any, Any] = {}  # cache of what perturbations extract from the documents

    @cached_property
    def sentences(self) -> list[tuple[str, int]]:
        """Every sentence with the index of its document."""
        return [(d.sentence(i), n) for n, d in enumerate(self.documents) for i in range(len(d.sentences))]

    def foreign(self, i: int, document: TextDocument) -> str:
        """Sentence i if it is from another document and another article, else an empty string."""
        sentence, owner = self.sentences[i]
        return "" if akin(document, self.documents[owner]) else sentence

    @cached_property
    def articles(self) -> dict[str, list[TextDocument]]:
        """The documents of each article."""
        articles: dict[str, list[TextDocument]] = {}
        for d in self.documents:
            if d.article:
                articles.setdefault(d.article, []).append(d)
        return articles


def _words(text: str) -> str:
    """The words of a text in lower case, with a space before and after each word."""
    words = " ".join(re.findall(r"\w+", text.casefold()))
    return f" {words} "


def pooled(documents: Sequence[TextDocument]) -> list[TextDocument]:
    """The documents, each linked to a pool of all of them."""
    pool = DocumentPool(())
    linked = []
    for d in documents:
        held = {f: getattr(d, f) for f in d.__dataclass_fields__} | {"pool": pool}
        linked.append(TextDocument(**held))
    pool.documents = linked
    return linked


def akin(a: TextDocument, b: TextDocument) -> bool:
    """Whether two documents are the same, or parts of one article."""
    return a is b or a.text == b.text or (bool(a.id) and a.id == b.id) or (a.article == b.article != "")


@dataclass(frozen=True)
class Perturbation(Named, ABC):
    """Base of all perturbations; options are the fields of the frozen dataclass."""

    criterion: ClassVar[Criterion]
    effect: ClassVar[int] = -1  # the effect on the quality of the text: -1 worse, 0 none, 1 better
    citation: ClassVar[str] = "Guo et al. 2024, APPLS"
    english_only: ClassVar[bool] = True  # whether its rules or word lists are for English

    @abstractmethod
    def levels(
        self, text: str | TextDocument, strengths: Sequence[float], rng: np.random.Generator
    ) -> list[Perturbed]:
        """The text at each strength; every level contains the weaker ones."""

    def apply(self, text: str | TextDocument, strength: float, rng: np.random.Generator) -> Perturbed:
        """The text at one strength; with the same generator state, texts at different strengths are nested."""
        return self.levels(text, [strength], rng)[0]

    def missing(self) -> str:
        """What the perturbation needs that is missing, and how to get it ("needs ..."); empty if it can run."""
        return ""

    def resources(self) -> dict[str, str]:
        """What the texts depend on besides the options: name -> version or hash."""
        return {}


@dataclass(frozen=True)
class EditPerturbation(Perturbation):
    """A perturbation that is a list of independent edits, of which a share is applied."""

    @abstractmethod
    def plan(self, document: TextDocument, rng: np.random.Generator) -> EditPlan:
        """All edits in the order of application; the number of random draws must depend on the text only."""

    def levels(
        self, text: str | TextDocument, strengths: Sequence[float], rng: np.random.Generator
    ) -> list[Perturbed]:
        document = as_document(text)
        plan = self.plan(document, rng)
        rendered: dict[int, tuple[str, tuple[Span, ...]]] = {}
        out = []
        for strength in strengths:
            requested = steps(strength, plan.units)
            k = min(requested, len(plan.edits))
            if k not in rendered:
                rendered[k] = render(document.text, plan.edits[:k])
            realised = k / plan.units if plan.units else 0.0
            reason = shortfall(
                strength, realised, plan.units, plan.reason if requested > k or not plan.edits else ""
            )
            out.append(Perturbed(rendered[k][0], realised, len(plan.edits), rendered[k][1], reason))
        return out


PERTURBATIONS: Registry[Perturbation] = Registry("perturbation", Perturbation, "plainmark.perturbations")  # type: ignore[type-abstract]

# The eleven of APPLS, by criterion, and the six errors of Maddela and Alva-Manchego.
APPLS = (
    "delete", "add_out_of_domain", "add_in_domain", "add_definitions", "simplify", "reorder", "numbers", "entities",
    "verb_synonyms", "verb_antonyms", "negate",
)  # fmt: skip
# Not in the papers: errors of the fact ledger's evaluation, clauses and pronouns; controls of reading level, length and
# order.
FACTS = (
    *(
        f"injected_fact(kind='{kind}')"
        for kind in (
            "value", "borrowed value", "unit", "exchanged", "negation out", "negation in", "direction", "modal",
            "quantifier", "condition", "quotation", "name", "term", "role", "added reason", "added event",
            "added sentence", "added number",
        )
    ),
    "add_clause",
    "omit_clause",
    "wrong_pronoun",
)  # fmt: skip
CONTROLS = (
    "split_sentences", "join_sentences", "double_samples", "halve_samples", "reverse_samples", "repeat_sentences",
    "reorder",
)  # fmt: skip
ERRORS = (
    "error_deletion", "error_in_document", "error_out_document", "error_grammar", "error_coherence", "error_copy",
)  # fmt: skip


def check_language(perturbations: Sequence[Perturbation], texts: Sequence[str], given: str = "") -> None:
    """Raise LanguageError if texts are clearly in another language and one of the perturbations is for English."""
    names = [p.name for p in perturbations if p.english_only]
    if names:
        shown = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
        require_english(f"{shown} {'is' if len(names) == 1 else 'are'}", texts, given)


def perturbation(spec: str | Perturbation) -> Perturbation:
    """The perturbation of a name or a specification.

    >>> delete = perturbation("delete")
    >>> delete.apply("One cat. Two dogs. Three owls. Four bees.", 0.5, generator(1, delete, "a")).text
    'One cat. Two dogs.'
    """
    return spec if isinstance(spec, Perturbation) else PERTURBATIONS.parse(spec)


def generator(seed: int, perturbation: Perturbation | str, sample: str) -> np.random.Generator:
    """A generator of random numbers that depends only on seed, perturbation and sample id, on every machine."""
    name = perturbation if isinstance(perturbation, str) else perturbation.spec
    digest = sha256("\x1f".join([str(seed), name, sample]).encode("utf-8", "surrogatepass")).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest[:16], "little")))


def shuffled(n: int, rng: np.random.Generator) -> list[int]:
    """0 ... n - 1 in random order, from raw numbers of the generator, whose stream numpy keeps stable."""
    return [int(i) for i in np.argsort(rng.random(n), kind="stable")]


def pick(n: int, rng: np.random.Generator) -> int:
    """A number from 0 to n - 1."""
    return min(int(rng.random() * n), n - 1)


def steps(strength: float, units: int) -> int:
    """The number of units that a strength requests, rounded half up."""
    return min(max(math.floor(strength * units + 0.5), 0), units)


def shortfall(strength: float, realised: float, units: int, reason: str) -> str:
    """The reason why the realised strength differs from the requested one; empty if it does not."""
    if reason and (not units or abs(strength - realised) > 1e-9):
        return reason if strength > 0 or not units else ""
    if abs(strength - realised) > TOLERANCE:
        return f"strength goes in steps of {1 / units:.2f} here"
    return ""


def as_document(text: str | TextDocument) -> TextDocument:
    """A text as a document without further information."""
    return text if isinstance(text, TextDocument) else TextDocument(text)


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Spans of the sentences of a text; a sentence also ends at a line break."""
    spans = []
    start = 0
    for line in text.split("\n"):
        for a, b in PLAIN.spans(line) if line.strip() else ():
            bare = line[a:b].strip()
            if bare:
                first = a + len(line[a:b]) - len(line[a:b].lstrip())
                spans.append((start + first, start + first + len(bare)))
        start += len(line) + 1
    return spans


def render(text: str, edits: Sequence[Edit]) -> tuple[str, tuple[Span, ...]]:
    """The text after the edits, and the changed spans; replacements at one place keep the order of the edits."""
    pieces = sorted(
        ((piece, order) for order, edit in enumerate(edits) for piece in edit),
        key=lambda p: (p[0].start, p[0].end, p[1]),
    )
    out: list[str] = []
    spans = []
    position = length = 0
    for piece, _ in pieces:
        unchanged = text[position : piece.start]
        out += [unchanged, piece.new]
        length += len(unchanged)
        spans.append(Span(length, length + len(piece.new), piece.start, piece.end))
        length += len(piece.new)
        position = piece.end
    return "".join([*out, text[position:]]), tuple(spans)


def without(document: TextDocument, i: int, stays: int) -> Replacement:
    """Remove sentence i with the space that would be left over; sentence `stays` is never removed."""
    spans = document.sentences
    if i < stays:
        return Replacement(spans[i][0], spans[i + 1][0], "")
    return Replacement(spans[i - 1][1], spans[i][1], "")


def insertion(document: TextDocument, gap: int, sentence: str) -> Replacement:
    """Insert a sentence before sentence `gap`, or at the end of the text."""
    spans = document.sentences
    if gap < len(spans):
        place = spans[gap][0]
        return Replacement(place, place, f"{sentence} ")
    place = spans[-1][1] if spans else len(document.text)
    return Replacement(place, place, f" {sentence}")
