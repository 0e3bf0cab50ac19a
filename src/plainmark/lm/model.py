"""Back-off n-gram language models: trained, read from ARPA files, pruned, packed, and looked up in compiled code.

    log10 P(text) = sum over words, and the end, of log10 P(word | up to order - 1 words before, after <s>)

Words are separated by spaces; unknown words are <unk>. `log_likelihood` accepts running text instead, for the metrics
perplexity and POMME. docs/language_model.md shows how.
"""

from __future__ import annotations

import gzip
import io
import lzma
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from .. import kernels, text
from ..errors import InputError, OptionError
from ..files import open_bytes
from ..identity import load_once
from ..punkt import PLAIN
from ..writing import writing_bytes
from . import kneser_ney
from .arpa import read_arpa, write_arpa
from .spelling import SPELLING_FORM, VARIANTS, Spelling, split_spelling
from .tables import BEGIN, PLAIN_FORM, QUANTIZED_FORM, SPECIAL, Floats, Tables, pack, pack_quantized, unpack

ARPA_NAMES = (".arpa", ".arpa.gz", ".arpa.xz")
COMPACT_NAMES = (".lm", ".lm.gz", ".lm.xz")
_SENTENCE_ENDS = frozenset(".?!")
_CLOSING_MARKS = frozenset("\")'")
_FEWEST_WORDS = 10  # smallest number of different words in a running text for training


@dataclass(frozen=True)
class PerplexityResult:
    """How well a model predicts a text: 10 to the mean of -log10 P over words and ends of sentences."""

    value: float
    without_unknown: float
    words: int
    sentences: int
    unknown: int


class LanguageModel:
    """An immutable model; `native` is the object that decoders use.

    >>> model = LanguageModel.train(["the cat sat", "the cat slept", "a cat sat"], order=2)
    >>> model.order, len(model)
    (2, 8)
    >>> bool(model.score(["the cat sat"])[0] > model.score(["sat the cat"])[0])
    True
    """

    def __init__(self, data: bytes, name: str = "language model") -> None:
        self.name = name
        self._data = data
        try:
            self.spelling, self._body = split_spelling(data)
            if self._body.startswith(QUANTIZED_FORM):
                self.tables = unpack(self._body)
            else:
                self.native = kernels.LanguageModel(self._body)
        except (ValueError, IndexError) as problem:
            raise InputError(
                f"{name}: no language model ({problem}); make one with: plainmark lm train TEXT -o model.lm."
            ) from None

    @classmethod
    def of(
        cls,
        tables: Tables,
        *,
        bits: int = 32,
        quantized: bool = False,
        spelling: Spelling | None = None,
        name: str = "language model",
    ) -> LanguageModel:
        """The model of n-gram tables; `quantized` rounds probabilities and stores no back-offs."""
        section = b"" if spelling is None else spelling.pack()
        return cls(section + (pack_quantized(tables) if quantized else pack(tables, bits)), name)

    @classmethod
    def train(
        cls,
        lines: Iterable[str],
        *,
        order: int = 4,
        min_counts: Sequence[int] = (),
        threshold: float = 0.0,
        ngrams: int = 0,
        words: int = 0,
        min_count: int = 1,
        bits: int = 32,
        quantized: bool = False,
        progress: kneser_ney.Progress | None = None,
    ) -> LanguageModel:
        """A model of sentences with words separated by spaces, by modified Kneser-Ney; `kneser_ney.train` explains the
        options.
        """
        tables = kneser_ney.train(
            lines,
            order=order,
            min_counts=min_counts,
            threshold=threshold,
            ngrams=ngrams,
            words=words,
            min_count=min_count,
            progress=progress,
        )
        return cls.of(tables, bits=bits, quantized=quantized)

    @classmethod
    def train_on_text(
        cls,
        texts: Iterable[str],
        *,
        bits: int = 32,
        quantized: bool = False,
        min_count: int = 2,
        **options: Any,
    ) -> LanguageModel:
        """A model of running text for `log_likelihood`, with the spelling of unknown words; `options` are those of `train`.

        Texts are split into sentences and lower-case words as `log_likelihood` does. The spelling of unknown words is
        learned from words outside the vocabulary, so by default a word must occur twice to be in it.
        """
        sentences = [t[a:b] for t in texts for a, b in PLAIN.spans(t)]
        rows = [
            [VARIANTS.get(w, w) for w in row] for row in text.words(sentences, "nltk-plain", lowercase=True)
        ]
        counts = Counter(w for row in rows for w in row)
        if len(counts) < _FEWEST_WORDS:
            raise InputError(
                f"found {len(counts)} different words to train a language model on,"
                f" expected at least {_FEWEST_WORDS}."
            )
        tables = kneser_ney.train((" ".join(row) for row in rows), min_count=min_count, **options)
        unknown = {w: n for w, n in counts.items() if w not in tables.numbers}
        spelling = Spelling.of(unknown or counts)
        return cls.of(tables, bits=bits, quantized=quantized, spelling=spelling)

    @classmethod
    def load(cls, path: str | Path, *, order: int = 0) -> LanguageModel:
        """The model of a file: ARPA text or the compact form, distinguished by the first bytes, plain or packed (.gz, .xz)."""
        name = str(path)
        with open_bytes(name) as file:
            start = file.read(8)
            if start in (PLAIN_FORM, QUANTIZED_FORM, SPELLING_FORM):
                model = cls(
                    start + file.read(), name
                )  # at most the size of the file, or what it may unpack to
                if order and model.order != order:
                    raise InputError(
                        f"{name}: a language model of order {model.order}, expected order {order}."
                    )
                return model
            if start == b"mmap lm ":
                raise InputError(
                    f"{name}: a binary file of KenLM, expected the ARPA file that it was built from, or a .lm file."
                )
            rest = _Joined(start, file)
            return cls.of(read_arpa(cast(BinaryIO, rest), name, order), name=name)

    def save(self, path: str | Path) -> None:
        """Write ARPA text or the compact form, by the file's name: .arpa or .lm, and .gz or .xz after either."""
        check_name(path)
        name = str(path)
        with writing_bytes(path) as raw, _packing(raw, name) as file:
            if name.endswith(COMPACT_NAMES):
                file.write(self._data)
            else:
                with io.TextIOWrapper(file, "utf-8", "surrogatepass", newline="\n") as text:
                    write_arpa(self.tables, text)

    @property
    def order(self) -> int:
        return self.native.order

    @cached_property
    def native(self) -> kernels.LanguageModel:
        """The model in the form that compiled code looks up."""
        return kernels.LanguageModel(pack(self.tables))

    @cached_property
    def tables(self) -> Tables:
        """All n-grams as arrays."""
        return unpack(self._body)

    @property
    def data(self) -> bytes:
        """The model as the bytes of its file."""
        return self._data

    def pruned(self, threshold: float = 0.0, *, ngrams: int = 0, bits: int = 32) -> LanguageModel:
        """The model without n-grams that contribute little (Stolcke 1998)."""
        return self.of(kneser_ney.prune(self.tables, threshold, ngrams=ngrams), bits=bits, name=self.name)

    def ids(self, words: Sequence[str]) -> NDArray[np.uint32]:
        """The indices of words, 0 for unknown ones."""
        return self.native.ids(list(words))

    def score(self, texts: Sequence[str], *, sentence: bool = True) -> NDArray[np.float64]:
        """log10 P of each text with words separated by spaces; with `sentence` after <s> and with </s>."""
        logs, offsets = self.token_scores(texts, sentence=sentence)
        totals = np.concatenate([[0.0], np.cumsum(logs, dtype=np.float64)])
        sums: NDArray[np.float64] = totals[offsets[1:]] - totals[offsets[:-1]]
        return sums

    def token_scores(
        self, texts: Sequence[str], *, sentence: bool = True
    ) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """log10 P of each word, text by text, and the start of each text; with `sentence`, </s> is the last of each."""
        ids, offsets = self.native.split(list(texts))
        logs = self.native.score(ids, offsets, sentence)
        return logs, offsets + np.arange(len(offsets)) if sentence else offsets

    def perplexity(self, texts: Sequence[str]) -> PerplexityResult:
        """How well the model predicts sentences with words separated by spaces; NaN without any."""
        ids, offsets = self.native.split(list(texts))
        logs = self.native.score(ids, offsets, True).astype(np.float64)
        is_end = np.zeros(len(logs), dtype=bool)
        is_end[offsets[1:] + np.arange(len(offsets) - 1)] = True
        known = np.ones(len(logs), dtype=bool)
        known[~is_end] = ids != 0
        return PerplexityResult(
            _perplexity(logs), _perplexity(logs[known]), len(ids), len(texts), int((ids == 0).sum())
        )

    def log_likelihood(self, texts: Sequence[str]) -> tuple[Floats, Floats]:
        """Negative natural log probability of each running text, and its number of words, in double precision.

        Texts are split into sentences and lower-case words; sentence ends are not counted. Unknown words are spelt if the
        model has a spelling section.
        """
        return self.log_likelihood_of_words(text.words(list(texts), "nltk-plain", lowercase=True))

    def log_likelihood_of_words(self, texts: Sequence[Sequence[str]]) -> tuple[Floats, Floats]:
        """Variant of `log_likelihood` for texts that are lists of words."""
        lengths = np.array([len(row) for row in texts], dtype=np.int64)
        rows = np.repeat(np.arange(len(texts)), lengths)
        losses = np.bincount(rows, weights=self.losses(texts), minlength=len(texts))
        return losses.astype(np.float64), lengths.astype(np.float64)

    def losses(self, texts: Sequence[Sequence[str]]) -> Floats:
        """Negative natural log probability of each word of texts that are lists of words, text after text."""
        variants = {} if self.spelling is None else self.spelling.variants
        words = [variants.get(w, w) for row in texts for w in row]
        if not words:
            return np.zeros(0)
        lengths = np.array([len(row) for row in texts], dtype=np.int64)
        numbers = self.tables.numbers
        ids = np.array([numbers.get(w, 0) for w in words], dtype=np.int64)
        begins = _after_sentence(words)
        begins[(np.cumsum(lengths) - lengths)[lengths > 0]] = True
        stream = np.insert(ids, np.flatnonzero(begins), SPECIAL.index(BEGIN))
        logs = self.tables.log_probabilities(stream) * math.log(10)
        logs = logs[np.arange(len(ids)) + np.cumsum(begins)]
        if self.spelling is not None:
            unknown = np.flatnonzero(ids == 0)
            logs[unknown] += [self.spelling.log_probability(words[i]) for i in unknown]
        losses: Floats = -logs.astype(np.float64)
        return losses

    def __len__(self) -> int:
        """Size of the vocabulary, <unk>, <s> and </s> included."""
        return len(self.native)

    def __repr__(self) -> str:
        return f"LanguageModel({self.name!r}, order={self.order}, words={len(self)})"


@cache
def embedded() -> LanguageModel:
    """The model that comes with the package: a pruned trigram model of English news in lower case."""
    return LanguageModel.load(Path(__file__).with_name("english.lm.xz"))


def load(path: str | Path) -> LanguageModel:
    """The model of a file, cached until the file changes."""
    return _load(Path(path).resolve())


@load_once
def _load(path: Path) -> LanguageModel:
    return LanguageModel.load(path)


def is_model_name(path: str | Path) -> bool:
    """Whether a file name is that of a language model."""
    return str(path).endswith(ARPA_NAMES + COMPACT_NAMES)


def check_name(path: str | Path) -> None:
    """Raise an error for a file name that does not determine the format, or whose folder does not exist."""
    if not is_model_name(path):
        raise OptionError(f"{path}: expected a name that ends in {', '.join(ARPA_NAMES + COMPACT_NAMES)}.")
    if not Path(path).resolve().parent.is_dir():
        raise InputError(f"{path}: cannot write here (no such folder).")


class _Joined:
    """The lines of a file whose first bytes have been read already."""

    def __init__(self, start: bytes, file: BinaryIO) -> None:
        self.start, self.file = start, file

    def __iter__(self) -> Iterator[bytes]:
        whole = self.start + self.file.readline()
        yield from whole.splitlines(keepends=True)
        yield from self.file


def _packing(raw: BinaryIO, name: str) -> AbstractContextManager[IO[bytes]]:
    """A file that compresses its contents, according to its name."""
    if name.endswith(".gz"):
        # No time and no name in the file, so that the same model always has the same bytes.
        return cast(AbstractContextManager[IO[bytes]], gzip.GzipFile("", "wb", 6, raw, mtime=0))
    return lzma.open(raw, "wb", preset=6) if name.endswith(".xz") else nullcontext(raw)


def _perplexity(logs: NDArray[np.float64]) -> float:
    return float(10 ** -logs.mean()) if len(logs) else math.nan


def _after_sentence(words: Sequence[str]) -> NDArray[np.bool_]:
    """Which words begin a sentence: those after a full stop and the closing quotes and brackets after it."""
    begins = np.zeros(len(words), dtype=bool)
    ended = False
    for i, word in enumerate(words):
        if ended and word not in _CLOSING_MARKS:
            begins[i], ended = True, False
        ended = word in _SENTENCE_ENDS or (ended and word in _CLOSING_MARKS)
    return begins
