"""A UCCA parser: a small encoder, a score for every label of every span, and the best tree by expected gain.

The probability of a tree is the exponential of the sum of its spans' scores over that of all trees, so that the inside and
outside algorithm gives each labelled span its probability among trees that follow UCCA's rules (plainmark.ucca.grammar).
The parse is the tree that maximises the sum over its spans of probability minus a threshold, among those with the expected
number of Scenes. Weights are trained by training/ucca.
Reference: Stern, Andreas & Klein 2017, A Minimal Span-Based Neural Constituency Parser, ACL; Jiang, Li, Zhang & Zhang
2019, HLT@SUDA at SemEval-2019 Task 1: UCCA UccaGraph Parsing as Constituent Tree Parsing; Goodman 1996, Parsing Algorithms
and Metrics, ACL.
"""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import identity, kernels
from ..errors import InputError, MissingResourceError, OtherLanguageWarning
from ..identity import load_once
from ..lexicon.language import looks_english
from ..models._batches import run
from ..models._blas import one_thread
from ..models._folder import load_tokenizer, read_json
from ..models._safetensors import read_tensors
from ..models._transformer import Transformer
from ..options import Content
from . import constituency
from .grammar import SpanGrammar, SpanProbabilities
from .graph import Terminal, UccaGraph, terminals
from .remote import RemoteModel
from .sentences import join
from .words import sentences, shape

Floats = NDArray[np.float32]
Halves = NDArray[np.float16]
Ints = NDArray[np.int32]
Progress = Callable[[int, int], None]
Gains = tuple[float | None, ...]

BEST: Gains = (None,)  # the parse with the expected number of Scenes
DEFAULT = Path(__file__).with_name("model")
BATCH_TOKENS = 1024
REMEMBERED_SENTENCES = 1024  # so that many systems with the same sources need one parse
# layer of the encoder whose vectors represent the word; higher ones represent more of the sentence
WORD_LAYER = 2
# Longer sentences are parsed in pieces: the encoder takes 512 tokens, and the chart's time grows with the cube.
LONGEST_TOKENS, LONGEST_WORDS = 500, 200
_LONGEST_PIECES = 12  # longest word in characters; the rest is noise
_INSTALL = "install it with pip install 'plainmark[models]'"


def missing(name: str = "default") -> str:
    """What the parser needs that is missing, and how to get it ("needs ..."); empty if it can be loaded."""
    for package in ("onnxruntime", "tokenizers"):
        if importlib.util.find_spec(package) is None:
            return f"needs the package {package}; {_INSTALL}"
    folder = _folder(name)
    if not (folder / "model.safetensors").is_file():
        return f"needs a parser's weights, but {folder} has no model.safetensors"
    return ""


def parser(name: str = "default") -> Parser:
    """The parser of that name, loaded once: "default", or a folder that training/ucca wrote."""
    problem = missing(name)
    if problem:
        raise MissingResourceError(f"the UCCA parser {problem}.")
    return _load(_folder(name))


def _folder(name: str) -> Path:
    return DEFAULT if name == "default" else Path(name)


def digest(name: str) -> str:
    """The digest of a parser's files; empty for the default, which is part of plainmark."""
    return "" if name == "default" else identity.digest(name)


PARSER = Content(digest)  # marks options that name a parser


@load_once
def _load(folder: Path) -> Parser:
    return Parser(folder)


class Parser:
    """A loaded parser, created and cached by plainmark.ucca.parser."""

    def __init__(self, folder: Path) -> None:
        config = read_json(folder / "config.json", required=True)
        tensors = dequantised(read_tensors(folder))
        self.facts: dict[str, Any] = config.get("plainmark", {})
        self.labels: list[str] = self.facts.get("labels", [])
        try:
            self.threshold = float(self.facts["threshold"])
            self.head = {k.removeprefix("spans."): v for k, v in tensors.items() if k.startswith("spans.")}
            ready = self.head["out.weight"].shape[0] == len(self.labels)
        except (KeyError, TypeError, ValueError):
            ready = False
        if not ready:
            raise InputError(f"{folder}: not a UCCA parser; expected a folder that training/ucca wrote.")
        # All parts of a span's score in one product: of its first and last words, the words around it, and its mean.
        self._projections = np.concatenate([self.head[f"proj.{k}.weight"].T for k in range(5)], axis=1)
        self.grammar = SpanGrammar(self.labels, self.facts.get("balance"))
        known = folder / "remote.json"
        self.remote = RemoteModel.read(known) if known.is_file() else None
        self.encoder = Transformer(config, {k: v for k, v in tensors.items() if not k.startswith("spans.")})
        self.tokenizer = load_tokenizer(folder)
        self.first, self.last = self.tokenizer.encode("").ids
        self._known: dict[str, tuple[int, ...]] = {}
        self._memory: dict[tuple[Gains, tuple[str, ...]], tuple[UccaGraph, ...]] = {}
        self.keeps_vectors = False  # vectors of words, for word_vectors
        self._vectors: dict[tuple[str, ...], Halves] = {}
        self._warned = False

    def __call__(
        self, texts: Sequence[str | Sequence[str]], *, progress: Progress | None = None
    ) -> list[UccaGraph]:
        """Parse texts; a list of words is one sentence, a string is split into sentences and words."""
        return [graph for (graph,) in self.readings(texts, BEST, progress=progress)]

    def readings(
        self,
        texts: Sequence[str | Sequence[str]],
        gains: Sequence[float | None],
        *,
        progress: Progress | None = None,
    ) -> list[tuple[UccaGraph, ...]]:
        """For each text, a parse for every gain: the higher the gain, the more uncertain Scenes the parse has.

        The value of a Scene is its probability plus the gain; None is the parse with the expected number of Scenes.
        """
        split = [sentences(text) if isinstance(text, str) else [list(text)] for text in texts]
        self._warn_of_other_languages([[word for s in text for word in s] for text in split])
        parsed = self._parsed({tuple(s): None for text in split for s in text}, tuple(gains), progress)
        out = []
        for number, text in enumerate(split, 1):
            readings = list(zip(*(parsed[tuple(s)] for s in text), strict=True)) or [()] * len(gains)
            joined: dict[tuple[int, ...], UccaGraph] = {}
            for reading in readings:  # several gains often have the same graphs
                key = tuple(map(id, reading))
                joined[key] = joined.get(key) or join(reading, str(number))
            out.append(tuple(joined[tuple(map(id, reading))] for reading in readings))
        return out

    def _parsed(
        self, sentences: Collection[tuple[str, ...]], gains: Gains, progress: Progress | None
    ) -> dict[tuple[str, ...], tuple[UccaGraph, ...]]:
        """The graphs of each sentence; those of earlier calls come from a cache."""
        known = {s: self._memory[gains, s] for s in sentences if (gains, s) in self._memory}
        missing = [s for s in sentences if s not in known]
        marked = [terminals(s, constituency.punctuation(s)) for s in missing]
        known |= zip(missing, self._parse(marked, gains, progress), strict=True)
        remembered = self._memory | {(gains, s): graphs for s, graphs in known.items()}
        self._memory = dict(list(remembered.items())[-REMEMBERED_SENTENCES:])
        return known

    def parse(
        self, sentences: Sequence[Sequence[Terminal]], *, progress: Progress | None = None
    ) -> list[UccaGraph]:
        """Parse sentences whose terminals are marked as words or punctuation."""
        return [graph for (graph,) in self._parse(sentences, BEST, progress)]

    def _parse(
        self, sentences: Sequence[Sequence[Terminal]], gains: Gains, progress: Progress | None
    ) -> list[tuple[UccaGraph, ...]]:
        """The graphs of each sentence for every gain; equal ones are the same object."""
        spans: list[list[constituency.Spans]] = [[{} for _ in gains] for _ in sentences]
        with one_thread():
            for number, offset, scores in self._scores(sentences, progress):
                chances = self.grammar.chances(scores)
                for own, gain in zip(spans[number], gains, strict=True):
                    own |= _moved(self._tree(chances, gain), offset)
        out = []
        for sentence, trees in zip(sentences, spans, strict=True):
            graphs: list[UccaGraph] = []
            for k, tree in enumerate(trees):
                same = next((n for n in range(k) if trees[n] == tree), None)
                graphs += [graphs[same]] if same is not None else self._graphs([sentence], [tree])
            out.append(tuple(graphs))
        return out

    def _graphs(
        self, sentences: Sequence[Sequence[Terminal]], spans: Sequence[constituency.Spans]
    ) -> list[UccaGraph]:
        graphs = [constituency.graph(tuple(s), _chart(s), x) for s, x in zip(sentences, spans, strict=True)]
        return [self.remote.add(g) for g in graphs] if self.remote else graphs

    def _scores(
        self, sentences: Sequence[Sequence[Terminal]], progress: Progress | None = None
    ) -> Iterator[tuple[int, int, Floats]]:
        """For each piece of a sentence: the sentence's index, the number of words before the piece, the span scores."""
        pieces: list[tuple[int, int, tuple[str, ...], list[int]]] = []
        for number, sentence in enumerate(sentences):
            offset = 0
            for start, words in self._pieces([t.text for t in sentence]):
                chart = _chart(sentence[start : start + len(words)])
                if chart:
                    pieces.append((number, offset, words, chart))
                    offset += len(chart)
        layers = (WORD_LAYER, self.encoder.layers) if self.keeps_vectors else (self.encoder.layers,)
        for done, (i, hidden) in enumerate(self._encoded([words for _, _, words, _ in pieces], *layers), 1):
            number, offset, words, chart = pieces[i]
            if len(layers) > 1:
                self._remember(words, hidden[:, : self.encoder.size])
            last = hidden[:, -self.encoder.size :]
            yield number, offset, self.span_scores(self._word_vectors(last, words), chart)
            if progress is not None:
                progress(done, len(pieces))

    def word_vectors(self, texts: Sequence[Sequence[str]]) -> list[Floats]:
        """Vectors of length 1 of the words of each text, after a low layer.

        With `keeps_vectors`, those of recently parsed sentences come from a cache.
        """
        split = [[words for _, words in self._pieces(text)] for text in texts]
        known = {words: self._vectors[words] for text in split for words in text if words in self._vectors}
        missing = [words for words in dict.fromkeys(w for text in split for w in text) if words not in known]
        for i, hidden in self._encoded(missing, WORD_LAYER):
            known[missing[i]] = self._remember(missing[i], hidden)
        nothing = np.zeros((0, self.encoder.size), np.float32)
        return [np.concatenate([nothing, *(known[words] for words in text)]) for text in split]

    def _remember(self, words: tuple[str, ...], hidden: Floats) -> Halves:
        """The words' vectors, rounded to 16 bits; rounded even if they are not cached."""
        sums, _ = self._sums(hidden, words)
        norms = np.linalg.norm(sums, axis=1, keepdims=True)
        vectors: Halves = (sums / np.maximum(norms, 1e-12)).astype(np.float16)
        while len(self._vectors) >= REMEMBERED_SENTENCES:
            self._vectors.pop(next(iter(self._vectors)), None)
        self._vectors[words] = vectors
        return vectors

    def _pieces(self, words: Sequence[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
        """The pieces that are encoded at once, usually sentences, and their starts."""
        for start, end in _parts(words, [len(self._ids(w)) for w in words]):
            yield start, tuple(words[start:end])

    def _encoded(self, pieces: Sequence[Sequence[str]], *layers: int) -> Iterator[tuple[int, Floats]]:
        """The index of each piece and its tokens' vectors after these layers, the longest pieces first."""
        tokens = [
            np.array([self.first, *(x for word in piece for x in self._ids(word)), self.last], dtype=np.int32)
            for piece in pieces
        ]
        return run(tokens, lambda ids: self.encoder.hidden(ids, *layers), BATCH_TOKENS)

    def _ids(self, word: str) -> tuple[int, ...]:
        ids = self._known.get(word)
        if ids is None:
            clean = word.encode("utf-8", "replace").decode()
            pieces = self.tokenizer.encode(clean, add_special_tokens=False).ids[:_LONGEST_PIECES]
            ids = self._known[word] = tuple(pieces) or (self.tokenizer.token_to_id("[UNK]"),)
        return ids

    def _word_vectors(self, vectors: Floats, words: Sequence[str]) -> Floats:
        """The mean over the tokens of each word plus the embedding of its shape."""
        sums, sizes = self._sums(vectors, words)
        written = self.head["shape.weight"][[shape(w) for w in words]]
        return np.asarray(sums / sizes[:, None] + written, dtype=np.float32)

    def _sums(self, vectors: Floats, words: Sequence[str]) -> tuple[Floats, NDArray[np.int64]]:
        """The sum over the tokens of each word, and their number."""
        sizes = np.array([len(self._ids(w)) for w in words])
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        return np.add.reduceat(vectors[1:-1], starts, axis=0), sizes

    def span_scores(self, words: Floats, chart: Sequence[int]) -> Floats:
        """Scores of all labels of all spans (first word, last word) of the chart: shape (words, words, labels)."""
        head, n = self.head, len(chart)
        edges = head["edge"]
        around = np.concatenate([edges[:1], words, edges[1:]])
        at = np.array(chart) + 1
        inner, ending, before, after, middle = np.split(around @ self._projections, 5, axis=1)
        first = inner[at] + head["proj.0.bias"] + before[at - 1]
        last = ending[at] + after[at + 1]
        total = np.zeros((n + 1, first.shape[1]), np.float32)
        np.cumsum(middle[at], axis=0, out=total[1:])
        scores = np.full((n, n, len(self.labels)), -np.inf, np.float32)
        width = head["width.weight"][width_bucket(np.arange(n))]
        hidden = kernels.span_vectors(first, last, total, width, head["norm.weight"], head["norm.bias"])
        scores[np.triu_indices(n)] = hidden @ head["out.weight"].T + head["out.bias"]
        return scores

    def decode(self, scores: Floats, offset: int = 0) -> constituency.Spans:
        """The labelled spans of the best tree; word indices begin at `offset`."""
        return _moved(self._tree(self.grammar.chances(scores), None), offset)

    def _tree(self, chances: SpanProbabilities, gain: float | None) -> constituency.Spans:
        if gain is None:
            return chances.best(self.threshold, round(chances.scenes))
        return chances.tree(self.threshold, gain)

    def _warn_of_other_languages(self, texts: Sequence[Sequence[str]]) -> None:
        """Warn once about a text that is not English."""
        if not self._warned and not all(looks_english(" ".join(words)) for words in texts):
            self._warned = True
            warnings.warn(
                "the UCCA parser knows English only; parses of other languages mean little.",
                OtherLanguageWarning,
                stacklevel=3,
            )


def width_bucket(width: NDArray[np.int64]) -> NDArray[np.int64]:
    """The buckets of widths: one each up to 12 words, then four per doubling."""
    far = 12 + np.maximum(4 * np.log2(np.maximum(width, 1).astype(np.float32) / 12 + np.float32(1e-6)), 0)
    return np.minimum(np.where(width < 12, width, far.astype(np.int64)), BUCKETS - 1)


BUCKETS = 24


def dequantised(tensors: dict[str, Any]) -> dict[str, Any]:
    """Tensors in 32-bit floats; integers in NAME are multiplied by NAME.scale, row by row."""
    return {
        name: values.astype(np.float32) * tensors[f"{name}.scale"][:, None]
        if f"{name}.scale" in tensors
        else np.asarray(values, dtype=np.float32)
        for name, values in tensors.items()
        if not name.endswith(".scale")
    }


def _moved(spans: constituency.Spans, offset: int) -> constituency.Spans:
    return {(i + offset, j + offset): label for (i, j), label in spans.items()}


def _chart(sentence: Sequence[Terminal]) -> list[int]:
    return [i for i, t in enumerate(sentence) if not t.punctuation]


def _parts(words: Sequence[str], sizes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The starts and ends of the pieces of a sentence; one piece unless it is very long."""
    start = 0
    while start < len(words):
        end, tokens = start, 0
        while end < len(words) and end - start < LONGEST_WORDS and tokens + sizes[end] <= LONGEST_TOKENS:
            tokens += sizes[end]
            end += 1
        if end < len(words):  # not in the middle of a phrase, if a mark is nearby
            marks = [k + 1 for k in range((start + end) // 2, end) if words[k] in ",;:.!?"]
            end = marks[-1] if marks else end
        yield start, end
        start = end
