"""The texts that are perturbed: a candidate for every sample of a corpus, with the information that perturbations need.

A sample has four roles: source, candidate, a simpler version and references. The simpler version is what `simplify`
inserts; it is never one of the references that scores are computed against (`Subject.simplifying`).

A candidate is a system's output, the source itself, the oracle extract (the sentences of the source that together have the
highest ROUGE-L with the reference) or the target (the first reference). The paper uses the last two for CELLS and PLABA,
translated to another language and back, so that they are not mere copies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Literal

from .. import kernels
from ..data import Corpus
from ..datasets import REFERENCE, Dataset
from ..errors import InputError, NeedsError
from ..perturbations import TextDocument, pooled, sentence_spans
from ..perturbations._samples import SampleControl
from .translation import Translator

Candidate = Literal["auto", "output", "oracle", "source", "target"]

EXACT, BEAM = 16, 64
PROVIDERS = (
    "a simple version that is not a reference: --simplified FILE (a system's output will do), or a data set that has two "
    "(plaba, onestop_reading, asset)"
)
SOURCE_PROVIDERS = "the source texts: -s FILE, or a data set that has them"
REVERSAL_PROVIDERS = (
    "complex versions that are not the source itself: --translator, a system's outputs, or a data set with three levels "
    "(onestop_reading)"
)
DEGENERATES = (
    "Candidates are pure extracts of their sources, and no translator was given: SARI degenerates on them (an extract adds "
    "nothing, so that its part for additions is fixed), and overlap metrics favour them."
)


@dataclass(frozen=True, eq=False)
class Subject:
    """Candidate texts, as the outputs of a corpus and as documents."""

    name: str
    candidate: str
    corpus: Corpus
    documents: list[TextDocument]
    notes: tuple[str, ...] = ()
    graded: bool = False  # whether simpler versions are in between source and reference

    def digest(self) -> str:
        """A digest of every text that scores depend on."""
        total = sha256()
        for sample, document in zip(self.corpus, self.documents, strict=True):
            parts = [
                sample.id, sample.source, sample.output, *sample.references, *document.simpler, document.simplified,
                document.article,
            ]  # fmt: skip
            total.update("\x1f".join(parts).encode("utf-8", "surrogatepass") + b"\x1e")
        return total.hexdigest()[:16]

    def simplifying(self) -> Subject:
        """The subject in which no simpler version is a reference: the simpler versions are set aside, or else the last
        reference is.

        A sample with only one reference keeps it, and has no simpler version.
        """
        documents, references = [], []
        for document in self.documents:
            own = list(document.references)
            if version := " ".join(document.simplified.split()):
                others = [r for r in own if " ".join(r.split()) != version]
                if own and not others:
                    document = replace(document, simpler=(), simplified="")
                own = others or own
            elif len(own) > 1:
                document = replace(document, simplified=own.pop())
            documents.append(replace(document, references=tuple(own), pool=None))
            references.append(tuple(own))
        if self.corpus.references is None or references == [tuple(r) for r in self.corpus.references]:
            return replace(self, documents=pooled(documents))
        corpus = Corpus(
            self.corpus.sources, self.corpus.outputs, references, ids=self.corpus.ids, name=self.corpus.name
        )
        return replace(self, corpus=corpus, documents=pooled(documents))

    def reversed(self) -> Subject | None:
        """The subject with source and target exchanged, whose perturbation undoes the simplification; None if that is
        unknown.

        If the simpler versions are in between source and reference, they are inserted into the reference; else the
        candidate's sentences are inserted into the simpler version. Both are scored against the source.
        """
        if self.corpus.sources is None or self.corpus.references is None:
            return None
        if not any(any(d.simpler) or d.simplified for d in self.documents):
            return None
        documents = []
        for document, source in zip(self.documents, self.corpus.sources, strict=True):
            if self.graded:
                turned = replace(document, text=document.references[0], simpler=(), spans=None)
            else:
                turned = _turned(document)
            documents.append(replace(turned, source=document.references[0], references=(source,), pool=None))
        corpus = Corpus(
            [d.source for d in documents],
            [d.text for d in documents],
            [d.references for d in documents],
            ids=self.corpus.ids,
            name=self.corpus.name,
        )
        return Subject(f"{self.name}, reversed", self.candidate, corpus, pooled(documents))

    def changed_alike(self, control: SampleControl) -> Subject:
        """The same candidates, to be changed, with sources and references that have been changed already."""
        sources, references = self.corpus.sources, self.corpus.references
        corpus = Corpus(
            sources and [control.changed(text) for text in sources],
            self.corpus.outputs,
            references and [tuple(map(control.changed, texts)) for texts in references],
            ids=self.corpus.ids,
            name=self.corpus.name,
        )
        documents = [
            replace(d, source=control.changed(d.source), references=tuple(map(control.changed, d.references)))
            for d in self.documents
        ]
        return replace(self, name=f"{self.name}, {control.name}", corpus=corpus, documents=documents)

    def with_simplified(self, name: str, texts: Sequence[str]) -> Subject:
        """The same candidates with the simpler texts of another system."""
        if len(texts) != len(self.documents):
            raise InputError(
                f"{name}: {len(texts)} texts, but the testbed has {len(self.documents)} documents."
            )
        documents = [replace(d, simplified=t, simpler=()) for d, t in zip(self.documents, texts, strict=True)]
        return replace(self, name=f"{self.name}, {name}", documents=pooled(documents))


def from_dataset(
    data: Dataset,
    *,
    system: str = "",
    candidate: Candidate = "auto",
    translator: Translator | None = None,
    first: int | None = None,
) -> Subject:
    """The samples of a data set; if the only system is the reference itself, candidates are oracle extracts."""
    corpora = data.corpora()
    corpus = (
        next(iter(corpora.values()))
        if candidate in ("oracle", "source") and not system
        else _system(corpora, system)
    )
    if candidate == "auto":
        candidate = "oracle" if corpus.name == REFERENCE else "output"
    versions = data.simpler() if hasattr(data, "simpler") else {}
    whole = {i: v for i, v in versions.items() if isinstance(v, str)}
    corpus = corpus[:first]
    return from_corpus(
        corpus,
        name=data.spec,
        candidate=candidate,
        translator=translator,
        aligned={i: v for i, v in versions.items() if not isinstance(v, str)}
        if candidate != "output"
        else {},
        simplified=[whole.get(i, "") for i in corpus.ids] if whole else None,
        graded=bool(whole) and candidate != "output",
    )


def from_corpus(
    corpus: Corpus,
    *,
    name: str = "",
    candidate: Candidate = "auto",
    translator: Translator | None = None,
    aligned: Mapping[str, Sequence[tuple[str, str]]] | None = None,
    simplified: Sequence[str] | None = None,
    graded: bool = False,
) -> Subject:
    """The samples of a corpus. `aligned` has, by id, the source's sentences with their simpler versions.

    Without `aligned` the simpler text is `simplified`; `graded` says that it is in between source and reference.
    """
    repeated = [i for i, count in Counter(corpus.ids).items() if count > 1]
    if repeated:
        raise InputError(
            f"ids: {repeated[0]!r} occurs {Counter(corpus.ids)[repeated[0]]} times, expected each once."
        )
    if candidate in ("oracle", "source") and corpus.sources is None:
        raise NeedsError(f"candidate {candidate} needs the source texts; give them with -s FILE.")
    if candidate in ("oracle", "target") and corpus.references is None:
        raise NeedsError(f"candidate {candidate} needs references; give them with -r FILE.")
    if candidate == "target" and translator is None:
        raise NeedsError(
            "candidate target needs a translator (--translator): untranslated, it is the reference itself."
        )
    documents, exact = [], 0
    for i, sample in enumerate(corpus):
        pairs = (aligned or {}).get(sample.id, ())
        text, simpler, spans, is_exact = _candidate(
            sample.source, sample.output, sample.references, candidate, pairs
        )
        exact += is_exact
        documents.append(
            TextDocument(
                text,
                sample.id,
                source=sample.source,
                simpler=simpler,
                simplified=simplified[i] if simplified else _version(pairs),
                references=tuple(sample.references),
                spans=spans,
            )
        )
    notes: tuple[str, ...] = ()
    if candidate == "oracle":
        notes = (
            f"Oracle extracts by ROUGE-L: exact search for {exact} documents of at most {EXACT} sentences, beam search "
            f"(width {BEAM}) for {len(documents) - exact}.",
        )
    if translator is not None:
        documents = [_translated(d, translator) for d in documents]
        notes += ("Candidates were translated there and back, sentence by sentence.",)
    elif candidate != "output" and candidate != "auto":
        notes += (DEGENERATES,)
    pool = pooled(documents)
    candidates = corpus.with_outputs([d.text for d in pool], name=corpus.name)
    return Subject(
        name or corpus.name, "output" if candidate == "auto" else candidate, candidates, pool, notes, graded
    )


def _candidate(
    source: str,
    output: str,
    references: Sequence[str],
    candidate: Candidate,
    pairs: Sequence[tuple[str, str]],
) -> tuple[str, tuple[str, ...], tuple[tuple[int, int], ...] | None, bool]:
    """The text, simpler versions of its sentences if known, the sentences' spans, and whether the search was exact."""
    if candidate in ("output", "auto"):
        return output, (), None, True
    if candidate == "target":
        return references[0], (), None, True
    rows = [p for p in pairs if p[0]] if pairs else [(source[a:b], "") for a, b in sentence_spans(source)]
    sentences = [s for s, _ in rows]
    indices, exact = list(range(len(rows))), True
    if candidate == "oracle":
        parts = kernels.tokenize(sentences, "rouge", lowercase=True)
        target = kernels.tokenize([references[0]], "rouge", lowercase=True)
        best, exact = kernels.best_extract(parts, target, limit=EXACT, beam=BEAM)
        indices = (
            best.tolist() or indices
        )  # nothing in common with the reference, so the whole source is used
    text, spans = _joined([sentences[i] for i in indices])
    return text, tuple(rows[i][1] for i in indices) if pairs else (), spans, exact


def _version(pairs: Sequence[tuple[str, str]]) -> str:
    """The whole simpler text of aligned sentences."""
    return " ".join(simple for _, simple in pairs if simple)


def _joined(sentences: Sequence[str]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Sentences joined into one text, and their spans in it."""
    spans = []
    start = 0
    for sentence in sentences:
        spans.append((start, start + len(sentence)))
        start += len(sentence) + 1
    return " ".join(sentences), tuple(spans)


def _turned(document: TextDocument) -> TextDocument:
    if document.simpler:
        rows = [
            (new or document.sentence(i), document.sentence(i) if new else "")
            for i, new in enumerate(document.simpler)
        ]
        text, spans = _joined([simple for simple, _ in rows])
        return replace(document, text=text, simpler=tuple(old for _, old in rows), spans=spans, pool=None)
    return replace(document, text=document.simplified, simplified=document.text, spans=None, pool=None)


def _translated(document: TextDocument, translator: Translator) -> TextDocument:
    sentences = [document.sentence(i) for i in range(len(document.sentences))]
    new = [str(s).strip() for s in translator(sentences)]
    if len(new) != len(sentences):
        raise InputError(
            f"the translator gave {len(new)} sentences for {len(sentences)}; expected one for each."
        )
    text, spans = _joined(new)
    return replace(document, text=text, spans=spans)


def _system(corpora: Mapping[str, Corpus], system: str) -> Corpus:
    if system:
        if system not in corpora:
            raise InputError(f"no system {system!r}; the data set has {', '.join(corpora)}.")
        return corpora[system]
    if len(corpora) > 1:
        raise InputError(
            f"the data set has {len(corpora)} systems; choose one with --system: {', '.join(corpora)}."
        )
    return next(iter(corpora.values()))
