"""The texts that are perturbed: a candidate for every sample of a corpus, with what perturbations need to know about it.

A candidate is a system's output, the source itself, or the oracle extract: the sentences of the source that together have
the highest ROUGE-L with the reference, optionally back-translated, so that it is not a mere extract.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Literal

from .. import kernels
from ..data import Corpus
from ..datasets import REFERENCE, Dataset
from ..errors import InputError, NeedsError
from ..perturbations import TextDocument, pooled, sentence_spans

Candidate = Literal["auto", "output", "oracle", "source"]
Translator = Callable[[list[str]], Sequence[str]]

EXACT, BEAM = 16, 64
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

    def reversed(self) -> Subject | None:
        """The subject with source and target exchanged, whose perturbation undoes the simplification; None if that is unknown."""
        if self.corpus.sources is None or self.corpus.references is None:
            return None
        if not any(d.simpler or d.simplified for d in self.documents):
            return None
        documents = [_turned(d) for d in self.documents]
        targets = [references[0] for references in self.corpus.references]
        corpus = Corpus(
            targets,
            [d.text for d in documents],
            [[s] for s in self.corpus.sources],
            ids=self.corpus.ids,
            name=self.corpus.name,
        )
        return Subject(f"{self.name}, reversed", self.candidate, corpus, pooled(documents))

    def with_simplified(self, name: str, texts: Sequence[str]) -> Subject:
        """The same candidates with the simpler texts of another system."""
        if len(texts) != len(self.documents):
            raise InputError(
                f"{name}: {len(texts)} texts, but the testbed has {len(self.documents)} documents."
            )
        documents = [replace(d, simplified=t, simpler=()) for d, t in zip(self.documents, texts, strict=True)]
        return replace(self, name=f"{self.name}, {name}", documents=pooled(documents))

    def first(self, n: int) -> Subject:
        """The first n documents."""
        documents = [replace(d, pool=None) for d in self.documents[:n]]
        return replace(self, corpus=self.corpus[:n], documents=pooled(documents))


def from_dataset(
    data: Dataset, *, system: str = "", candidate: Candidate = "auto", translator: Translator | None = None
) -> Subject:
    """The samples of a data set; where the only system is the reference itself, candidates are oracle extracts."""
    corpora = data.corpora()
    corpus = _system(corpora, system)
    if candidate == "auto":
        candidate = "oracle" if corpus.name == REFERENCE else "output"
    aligned = data.aligned() if hasattr(data, "aligned") and candidate != "output" else {}
    return from_corpus(corpus, name=data.spec, candidate=candidate, translator=translator, aligned=aligned)


def from_corpus(
    corpus: Corpus,
    *,
    name: str = "",
    candidate: Candidate = "auto",
    translator: Translator | None = None,
    aligned: Mapping[str, Sequence[tuple[str, str]]] | None = None,
    simplified: Sequence[str] | None = None,
) -> Subject:
    """The samples of a corpus. `aligned` has, by id, the source's sentences with their simpler versions.

    Without `aligned` the simpler text is `simplified`, or else the first reference.
    """
    repeated = [i for i, count in Counter(corpus.ids).items() if count > 1]
    if repeated:
        raise InputError(
            f"ids: {repeated[0]!r} occurs {Counter(corpus.ids)[repeated[0]]} times, expected each once."
        )
    if candidate in ("oracle", "source") and corpus.sources is None:
        raise NeedsError(f"candidate {candidate} needs the source texts; give them with -s FILE.")
    if candidate == "oracle" and corpus.references is None:
        raise NeedsError("candidate oracle needs references; give them with -r FILE.")
    simpler_texts = simplified if simplified is not None else [r[0] for r in corpus.references or ()]
    documents, exact = [], 0
    for i, sample in enumerate(corpus):
        text, simpler, spans, is_exact = _candidate(
            sample.source, sample.output, sample.references, candidate, (aligned or {}).get(sample.id)
        )
        exact += is_exact
        documents.append(
            TextDocument(
                text,
                sample.id,
                source=sample.source,
                simpler=simpler,
                simplified=simpler_texts[i] if simpler_texts and not simpler else "",
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
        name or corpus.name, "output" if candidate == "auto" else candidate, candidates, pool, notes
    )


def _candidate(
    source: str,
    output: str,
    references: Sequence[str],
    candidate: Candidate,
    pairs: Sequence[tuple[str, str]] | None,
) -> tuple[str, tuple[str, ...], tuple[tuple[int, int], ...] | None, bool]:
    """The text, simpler versions of its sentences if known, the sentences' spans, and whether the search was exact."""
    if candidate in ("output", "auto"):
        return output, (), None, True
    rows = [p for p in pairs if p[0]] if pairs else [(source[a:b], "") for a, b in sentence_spans(source)]
    sentences = [s for s, _ in rows]
    indices, exact = list(range(len(rows))), True
    if candidate == "oracle":
        parts = kernels.tokenize(sentences, "rouge", lowercase=True)
        target = kernels.tokenize([references[0]], "rouge", lowercase=True)
        best, exact = kernels.best_extract(parts, target, limit=EXACT, beam=BEAM)
        indices = best.tolist() or indices  # nothing in common with the reference: the whole source
    text, spans = _joined([sentences[i] for i in indices])
    return text, tuple(rows[i][1] for i in indices) if pairs else (), spans, exact


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
