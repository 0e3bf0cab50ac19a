"""SAMSA: whether each event of the source has a sentence of its own in the output, with its relation and participants.

    SAMSA     = n_out / n_inp * SAMSA_abl,   0 if n_out > n_inp
    SAMSA_abl = 1 / n_inp * sum over Scenes of (relation + mean over Participants) / 2

In percent. The n_inp Scenes of the source come from a UCCA parser, or from gold annotation (parses='FOLDER'); each goes
to one of the n_out sentences of the output by a word alignment, and its main relation and Participants count if their
minimal centres are aligned with words of that sentence (plainmark.ucca.scenes has every rule). With `repeats`, a word that
the output repeats counts in that sentence too; only then does the paper's own example, "John wrote a book. I read that
book." for "I read the book that John wrote.", get a perfect score. A source without a Scene is undefined; an empty output
scores 0. variant='easse' follows the released programs, which differ from the paper (docs/samsa.md lists how).
variant='plus' uses the mean over five parses, the best matching, events named by nouns, resolved pronouns, and groups of
aligned sentences for documents; each is an option of its own.

A gold folder has one file of UCCA's standard XML per sample, named ID.xml after the sample's id, or as many files as there
are samples, in the order of their numbers. Only the source is annotated, so one parse serves every system.
Reference: Sulem, Abend & Rappoport 2018, Semantic Structural Evaluation for Text Simplification, NAACL.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Literal

import numpy as np

from .. import punkt, ucca
from ..aligners.context import ContextAligner
from ..data import Corpus
from ..document import SentenceGraph
from ..errors import InputError, OptionError
from ..metric import Floats, MeanMetric
from ..options import FILE
from ..ucca import UccaGraph, nominal, pronouns, released_samsa
from ..ucca.alignment import VECTORS, WordAligner, WordLinks
from ..ucca.parser import BEST, PARSER
from ..ucca.scenes import SamsaExplanation, explain
from ..ucca.words import sentences as source_sentences
from ..ucca.words import words

Block = tuple[Collection[int], Sequence[int]]


SWITCHES = ("expected", "optimal", "nominal", "pronouns", "grouped")
# Five readings from few Scenes to many, by the bonus of a Scene in addition to its probability. Chosen on held-out
# training passages, where they have 3.0 to 3.55 Scenes per sentence, and gold parses 3.45; none is the parser's best.
GAINS = (-0.4, 0.0, 0.3, 0.37, 0.39)


@dataclass(frozen=True)
class SAMSA(MeanMetric):
    """Semantic structure kept and split well; parts: main relations and Participants kept, Scenes, sentences."""

    ablated: Annotated[bool, "SAMSA_abl: without the penalty n_out / n_inp"] = False
    variant: Annotated[
        Literal["paper", "easse", "plus"],
        "as the paper defines it, as the released programs compute it, or with all switches below",
    ] = "paper"
    expected: Annotated[
        bool | None, "the mean over five parses, from few Scenes to many; on in variant plus"
    ] = None
    optimal: Annotated[
        bool | None,
        "assign all Scenes to sentences jointly, so that most is kept, not one by one; on in variant plus",
    ] = None
    nominal: Annotated[bool | None, "nouns can evoke Scenes too (needs WordNet); on in variant plus"] = None
    pronouns: Annotated[
        bool | None, "a pronoun stands for words of the sentence before; on in variant plus"
    ] = None
    grouped: Annotated[
        bool | None, "documents by groups of aligned sentences, each with its own Scenes; on in variant plus"
    ] = None
    parses: Annotated[
        str | None, FILE, "a folder of gold parses of the sources (UCCA XML) instead of the parser"
    ] = None
    parser: Annotated[str, PARSER, "the parser: default, or a folder that training/ucca wrote"] = "default"
    repeats: Annotated[
        bool, "a word that the output says again counts in that sentence too; else in one place only"
    ] = True
    encoder: Annotated[
        Literal["minilm", "ucca", "none"],
        VECTORS,
        "vectors for the word aligner; ucca uses the parser's encoder, which is faster, none uses no vectors",
    ] = "minilm"
    wordnet: Annotated[
        str, "the word aligner's version of WordNet; none uses no WordNet, empty uses the installed one"
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
    english_only = True

    def __post_init__(self) -> None:
        super().__post_init__()
        # The signature must name the versions in use, not the requested ones.
        object.__setattr__(self, "wordnet", self.aligner.wordnet)
        for name, value in self._defaults().items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, value)
        on = [name for name in SWITCHES if getattr(self, name)]
        if self.variant == "easse" and on:
            raise OptionError(f"samsa(variant='easse') has no option {on[0]}; variant='paper' has it.")
        if self.nominal and self.wordnet == "none":
            raise OptionError(
                "samsa(nominal=True) finds the nouns in WordNet, but wordnet is 'none'; use nominal=False."
            )

    def _defaults(self) -> dict[str, bool]:
        """The values of the switches that are not given."""
        plus = self.variant == "plus"
        return dict.fromkeys(SWITCHES, plus) | {"nominal": plus and self.wordnet != "none"}

    @property
    def part_names(self) -> tuple[str, ...]:
        return ("samsa", "relations", "participants", "scenes", "sentences")

    @cached_property
    def aligner(self) -> WordAligner:
        """The aligner for the words of source and output."""
        return WordAligner(encoder=self.encoder, wordnet=self.wordnet, lexicon=self.lexicon)

    def spec_options(self) -> dict[str, object]:
        options = super().spec_options()
        if self.wordnet == WordAligner(encoder="none").wordnet:
            options.pop("wordnet", None)
        return {k: v for k, v in options.items() if k not in SWITCHES or v != self._defaults()[k]}

    def signature_options(self) -> dict[str, object]:
        # With gold parses, no parser is used.
        unused = {"parser"} if self.parses is not None else set()
        if self.variant == "easse" or not any(getattr(self, name) for name in SWITCHES):
            unused |= set(SWITCHES)
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
        """For each sample, the sentences to which its Scenes were assigned, and what is missing from them."""
        if self.variant == "easse":
            raise OptionError("samsa(variant='easse') has no explanation; variant='paper' has one.")
        self.check(corpus)
        readings, sentences = self._readings(corpus), self._sentences(corpus)
        links = self._links(corpus, readings, sentences)
        if not self.repeats:
            links = [WordLinks(x.pairs) for x in links]
        blocks = self._blocks(corpus, readings, sentences)
        return [self._explain(*sample) for sample in zip(readings, sentences, links, blocks, strict=True)]

    def _explain(
        self,
        readings: Sequence[UccaGraph],
        sentences: Sequence[Sequence[str]],
        links: WordLinks,
        blocks: Sequence[Block],
    ) -> SamsaExplanation:
        """The middle reading's explanation, with all readings if there are several."""
        by_graph: dict[int, SamsaExplanation] = {}
        for graph in readings:
            if id(graph) not in by_graph:
                scenes = nominal.scenes(graph) if self.nominal else graph.scenes
                by_graph[id(graph)] = explain(
                    graph,
                    sentences,
                    pronouns.resolved(scenes, sentences, links) if self.pronouns else links,
                    scenes=scenes,
                    matching="optimal" if self.optimal else "greedy",
                    blocks=blocks,
                )
        explanations = tuple(by_graph[id(graph)] for graph in readings)
        middle = explanations[len(readings) // 2]
        return replace(middle, readings=explanations) if len(explanations) > 1 else middle

    def _links(
        self,
        corpus: Corpus,
        readings: Sequence[Sequence[UccaGraph]],
        sentences: Sequence[Sequence[Sequence[str]]],
    ) -> list[WordLinks]:
        """The alignment of each source with its output, the same for all variants."""
        pairs = [
            (graphs[0].words, [w for s in some for w in s])
            for graphs, some in zip(readings, sentences, strict=True)
        ]
        digest = FILE.digest(self.parses) if self.parses is not None else ""
        key = ("word links", self.aligner.identity(), self.splitter, digest)
        return corpus.remember("output", key, lambda: self.aligner.align(pairs))

    def _blocks(
        self,
        corpus: Corpus,
        readings: Sequence[Sequence[UccaGraph]],
        sentences: Sequence[Sequence[Sequence[str]]],
    ) -> list[list[Block]]:
        """For each source of several sentences: the words of its aligned sentences, and the output sentences they belong
        to.
        """
        blocks: list[list[Block]] = [[] for _ in readings]
        if not self.grouped:
            return blocks
        ends = [np.cumsum([0, *map(len, source_sentences(text))]).tolist() for text in corpus.texts("source")]
        several = [
            k
            for k, (own, graphs) in enumerate(zip(ends, readings, strict=True))
            if len(own) > 2 and own[-1] == len(graphs[0].terminals) and sentences[k]
        ]
        sides = [
            (
                [" ".join(readings[k][0].words[a:b]) for a, b in pairwise(ends[k])],
                list(map(" ".join, sentences[k])),
            )
            for k in several
        ]
        for k, (source, output), similar in zip(
            several, sides, ContextAligner().align_many(sides), strict=True
        ):
            nothing = np.zeros((len(source), 0))
            groups = SentenceGraph(tuple(source), tuple(output), (), similar, nothing).groups()
            blocks[k] = [
                ({w for i in g.source for w in range(ends[k][i], ends[k][i + 1])}, g.output) for g in groups
            ]
        return blocks

    def _sentences(self, corpus: Corpus) -> list[list[list[str]]]:
        """The sentences of each output as words; a sentence without a letter or digit does not count."""
        splitter = punkt.PLAIN if self.splitter == "plain" else punkt.nltk()

        def build() -> list[list[list[str]]]:
            split = [[words(text[a:b]) for a, b in splitter.spans(text)] for text in corpus.outputs]
            return [[s for s in some if any(c.isalnum() for w in s for c in w)] for some in split]

        return corpus.remember("output", ("ucca sentences", splitter.name), build)

    def _graphs(self, corpus: Corpus) -> list[UccaGraph]:
        return [graph for graph, *_ in self._readings(corpus)]

    def _readings(self, corpus: Corpus) -> list[tuple[UccaGraph, ...]]:
        """The parses of each source: one, or five with more and more Scenes."""
        if self.parses is not None:
            folder = self.parses
            return corpus.remember(
                "source",
                ("ucca", "gold", folder, FILE.digest(folder)),
                lambda: [(g,) for g in gold(folder, corpus)],
            )
        sources = corpus.texts("source")
        gains = GAINS if self.expected else BEST
        return corpus.remember(
            "source",
            ("ucca", self.parser, PARSER.digest(self.parser), gains),
            lambda: self._parser().readings(sources, gains),
        )

    def _parser(self) -> ucca.Parser:
        parser = ucca.parser(self.parser)
        parser.keeps_vectors |= self.encoder == "ucca"
        return parser


def gold(folder: str, corpus: Corpus) -> list[UccaGraph]:
    """The gold parses of a corpus's sources, by the samples' ids, or by the order of the files if there are as many."""
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
    """A sort key by which numbers in names are ordered by size: 9.xml before 10.xml."""
    return [(int(x), "") if x.isdecimal() else (0, x) for x in re.split(r"(\d+)", path.stem)]


def _check_words(graph: UccaGraph, file: str, source: str, name: str) -> None:
    """Raise InputError unless the words are those of the source; spaces, case and kinds of quotes may differ."""
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


# Treebank's names of quotes and brackets, and typographic ones.
_SPELLINGS: Sequence[tuple[str, str]] = (
    *(("``", '"'), ("''", '"'), ("“", '"'), ("”", '"'), ("’", "'"), ("‘", "'")),
    *(("-LRB-", "("), ("-RRB-", ")"), ("-LSB-", "["), ("-RSB-", "]"), ("-LCB-", "{"), ("-RCB-", "}")),
    *(("-lrb-", "("), ("-rrb-", ")"), ("-lsb-", "["), ("-rsb-", "]"), ("-lcb-", "{"), ("-rcb-", "}")),
)
