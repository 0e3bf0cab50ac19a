"""SAMSA: does each event of the source have a sentence of its own in the output, with its relation and participants?

    SAMSA     = n_out / n_inp * SAMSA_abl,   0 if n_out > n_inp
    SAMSA_abl = 1 / n_inp * sum over Scenes of (relation + mean over Participants) / 2

In percent. The n_inp Scenes of the source come from a UCCA parser, or from gold annotation (parses='FOLDER'); each goes
to one of the n_out sentences of the output by a word alignment, and its main relation and Participants count if their
minimal centres are aligned with words of that sentence (plainmark.ucca.scenes has every rule). With `repeats`, a word
that the output says again counts in that sentence too: the paper's own example, "John wrote a book. I read that book."
for "I read the book that John wrote.", has full marks only so. A source without a Scene is undefined; an empty output
scores 0. variant='easse' does as the released programs, which depart from the paper (docs/samsa.md lists how).

A gold folder has one file of UCCA's standard XML per sample, named ID.xml after the sample's id, or as many files as
samples, in the order of their numbers. Only the source is annotated, so one parse serves every system.
Reference: Sulem, Abend & Rappoport 2018, Semantic Structural Evaluation for Text Simplification, NAACL.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

import numpy as np

from .. import punkt, ucca
from ..data import Corpus
from ..errors import InputError, OptionError
from ..metric import Floats, MeanMetric
from ..models import MODEL
from ..options import FILE
from ..ucca import UccaGraph, released_samsa
from ..ucca.alignment import WordAligner, WordLinks
from ..ucca.parser import PARSER
from ..ucca.scenes import SamsaExplanation, explain
from ..ucca.words import words


@dataclass(frozen=True)
class SAMSA(MeanMetric):
    """Semantic structure kept and split well; parts: main relations and Participants kept, Scenes, sentences."""

    ablated: Annotated[bool, "SAMSA_abl: without the penalty n_out / n_inp"] = False
    variant: Annotated[
        Literal["paper", "easse"], "as the paper defines it, or as the released programs compute it"
    ] = "paper"
    parses: Annotated[
        str | None, FILE, "a folder of gold parses of the sources (UCCA XML) instead of the parser"
    ] = None
    parser: Annotated[str, PARSER, "the parser: default, or a folder that training/ucca wrote"] = "default"
    repeats: Annotated[
        bool, "a word that the output says again counts in that sentence too; else in one place only"
    ] = True
    encoder: Annotated[
        Literal["minilm", "none"], MODEL, "vectors for the word aligner; none does without"
    ] = "minilm"
    wordnet: Annotated[
        str, "the word aligner's version of WordNet; none does without, empty takes the one found"
    ] = ""
    lexicon: Annotated[
        str | None, FILE, "more synonyms for the word aligner: two words per line, separated by a tab"
    ] = None
    splitter: Annotated[
        Literal["plain", "punkt"], "sentences by the embedded parameters, or by Punkt with NLTK's"
    ] = "plain"

    family = "meaning"
    needs = frozenset({"source"})
    bounds = (0.0, 100.0)
    citation = "Sulem et al. 2018, NAACL"

    def __post_init__(self) -> None:
        super().__post_init__()
        # The signature must name what is used, not what was requested.
        object.__setattr__(self, "wordnet", self.aligner.wordnet)

    @property
    def part_names(self) -> tuple[str, ...]:
        return ("samsa", "relations", "participants", "scenes", "sentences")

    @cached_property
    def aligner(self) -> WordAligner:
        """What aligns the words of source and output."""
        return WordAligner(encoder=self.encoder, wordnet=self.wordnet, lexicon=self.lexicon)

    def spec_options(self) -> dict[str, object]:
        options = super().spec_options()
        if self.wordnet == WordAligner(encoder="none").wordnet:
            options.pop("wordnet", None)
        return options

    def signature_options(self) -> dict[str, object]:
        # Where there are parses, no parser is used.
        unused = {"parser"} if self.parses is not None else set()
        return {k: v for k, v in super().signature_options().items() if k not in unused}

    def missing(self) -> str:
        if self.splitter == "punkt" and (reason := punkt.missing()):
            return reason
        return self.aligner.missing() or ("" if self.parses is not None else ucca.missing(self.parser))

    def values(self, corpus: Corpus) -> Floats:
        return corpus.remember("output", self.identity(), lambda: self._values(corpus))

    def _values(self, corpus: Corpus) -> Floats:
        if self.variant == "easse":
            graphs, sentences = self._graphs(corpus), self._sentences(corpus)
            scores = released_samsa.scores(graphs, sentences, self.aligner, ablated=self.ablated)
            nothing = np.full(len(corpus), np.nan)
            counts = [[len(x) for x in sentences]]
            scenes = [len(g.scenes) for g in graphs]
            return np.column_stack([100 * scores, nothing, nothing, scenes, *counts])
        return np.array([self._row(e) for e in self.explain(corpus)], dtype=np.float64).reshape(-1, 5)

    def _row(self, explanation: SamsaExplanation) -> list[float]:
        scenes = explanation.scenes
        shares = [s.participants for s in scenes if s.participants == s.participants]
        return [
            100 * (explanation.ablated if self.ablated else explanation.score),
            100 * sum(s.relation for s in scenes) / len(scenes) if scenes else np.nan,
            100 * sum(shares) / len(shares) if shares else np.nan,
            len(scenes),
            len(explanation.sentences),
        ]

    def explain(self, corpus: Corpus) -> list[SamsaExplanation]:
        """For each sample, to which sentences its Scenes were assigned and what is missing from them."""
        if self.variant != "paper":
            raise OptionError(f"samsa(variant={self.variant!r}) has no explanation; variant='paper' has one.")
        self.check(corpus)
        graphs, sentences = self._graphs(corpus), self._sentences(corpus)
        pairs = [(g.words, [w for s in some for w in s]) for g, some in zip(graphs, sentences, strict=True)]
        links = self.aligner.align(pairs)
        if not self.repeats:
            links = [WordLinks(x.pairs) for x in links]
        return [explain(*sample) for sample in zip(graphs, sentences, links, strict=True)]

    def _sentences(self, corpus: Corpus) -> list[list[list[str]]]:
        """The sentences of each output as words; what has no letter or digit is no sentence."""
        splitter = punkt.PLAIN if self.splitter == "plain" else punkt.nltk()

        def build() -> list[list[list[str]]]:
            split = [[words(text[a:b]) for a, b in splitter.spans(text)] for text in corpus.outputs]
            return [[s for s in some if any(c.isalnum() for w in s for c in w)] for some in split]

        return corpus.remember("output", ("ucca sentences", splitter.name), build)

    def _graphs(self, corpus: Corpus) -> list[UccaGraph]:
        if self.parses is not None:
            folder = self.parses
            return corpus.remember(
                "source", ("ucca", "gold", folder, FILE.digest(folder)), lambda: gold(folder, corpus)
            )
        sources = corpus.texts("source")
        return corpus.remember(
            "source",
            ("ucca", self.parser, PARSER.digest(self.parser)),
            lambda: ucca.parser(self.parser)(sources),
        )


def gold(folder: str, corpus: Corpus) -> list[UccaGraph]:
    """The gold parses of a corpus's sources: by the samples' ids or, if there are as many, in the files' order."""
    if not Path(folder).is_dir():
        raise InputError(f"{folder}: not a folder; expected one with a parse (UCCA XML) of each source.")
    files = sorted(Path(folder).glob("*.xml"), key=_natural)
    by_id = {file.stem: file for file in files}
    sample_files = [by_id.get(name) for name in corpus.ids]
    if None in sample_files:
        if len(files) != len(corpus):
            lacking = corpus.ids[sample_files.index(None)]
            raise InputError(
                f"{folder}: {len(files)} .xml files for {len(corpus)} samples, and no {lacking}.xml; "
                "expected ID.xml for each sample, or as many files as samples."
            )
        sample_files = list(files)
    graphs = [ucca.read_passage(file) for file in sample_files if file is not None]
    for graph, file, source, name in zip(
        graphs, sample_files, corpus.texts("source"), corpus.ids, strict=True
    ):
        _check_words(graph, str(file), source, name)
    return graphs


def _natural(path: Path) -> list[tuple[int, str]]:
    """Numbers in names by their size: 9.xml before 10.xml."""
    return [(int(x), "") if x.isdecimal() else (0, x) for x in re.split(r"(\d+)", path.stem)]


def _check_words(graph: UccaGraph, file: str, source: str, name: str) -> None:
    """Raise InputError unless the words are those of the source, spaces, case and kinds of quotes apart."""
    plain = _plain(source)
    at = 0
    for number, word in enumerate(graph.words, 1):
        letters = _plain(word)
        if not plain.startswith(letters, at):
            excerpt = plain[at : at + max(len(letters), 8)] or "its end"
            raise InputError(
                f"{file}: word {number} is {word[:40]!r}, but the source of sample {name} has {excerpt!r} there; "
                "expected the parse of that text."
            )
        at += len(letters)
    if at < len(plain):
        raise InputError(
            f"{file}: the parse ends before {plain[at : at + 20]!r} in the source of sample {name}; "
            "expected the parse of that text."
        )


def _plain(text: str) -> str:
    for old, new in _SPELLINGS:
        text = text.replace(old, new)
    return "".join(text.split()).lower()


# Treebank names of quotes and brackets, and typographic ones.
_SPELLINGS: Sequence[tuple[str, str]] = (
    *(("``", '"'), ("''", '"'), ("“", '"'), ("”", '"'), ("’", "'"), ("‘", "'")),
    *(("-LRB-", "("), ("-RRB-", ")"), ("-LSB-", "["), ("-RSB-", "]"), ("-LCB-", "{"), ("-RCB-", "}")),
    *(("-lrb-", "("), ("-rrb-", ")"), ("-lsb-", "["), ("-rsb-", "]"), ("-lcb-", "{"), ("-rcb-", "}")),
)
