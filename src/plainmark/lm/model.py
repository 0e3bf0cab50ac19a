"""Back-off n-gram language models: trained, read from ARPA files, pruned, packed, and looked up in compiled code.

    log10 P(text) = sum over words, and the end, of log10 P(word | up to order - 1 words before, after <s>)

Words are what is between spaces; those that the model lacks are <unk>. docs/language_model.md shows how.
"""

from __future__ import annotations

import gzip
import io
import lzma
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from .. import kernels
from ..errors import InputError, OptionError
from ..files import open_bytes
from ..writing import writing_bytes
from . import kneser_ney
from .arpa import read_arpa, write_arpa
from .tables import Tables, pack, unpack

# No model is larger; what claims to be is not unpacked.
LARGEST = 2**33
_ARPA = (".arpa", ".arpa.gz", ".arpa.xz")
_BINARY = (".lm", ".lm.gz", ".lm.xz")


@dataclass(frozen=True)
class Perplexity:
    """How well a model knows a text: 10 to the mean of -log10 P over words and ends of sentences."""

    value: float
    without_unknown: float
    words: int
    sentences: int
    unknown: int


class LanguageModel:
    """A model that does not change; `native` is what the decoders take.

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
            self.native = kernels.LanguageModel(data)
        except ValueError as problem:
            raise InputError(
                f"{name}: no language model ({problem}); make one with: plainmark lm train TEXT -o model.lm."
            ) from None

    @classmethod
    def of(cls, tables: Tables, *, bits: int = 32, name: str = "language model") -> LanguageModel:
        """The model of n-gram tables."""
        return cls(pack(tables, bits), name)

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
        progress: kneser_ney.Progress | None = None,
    ) -> LanguageModel:
        """A model of sentences of words between spaces, by modified Kneser-Ney; `kneser_ney.train` says what options do."""
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
        return cls.of(tables, bits=bits)

    @classmethod
    def load(cls, path: str | Path, *, order: int = 0) -> LanguageModel:
        """The model of a file: ARPA text or our own form, which its first bytes tell, plain or packed (.gz, .xz)."""
        name = str(path)
        with open_bytes(name) as file:
            start = file.read(8)
            if start == b"plainlm1":
                data = start + file.read(LARGEST)
                if len(data) >= LARGEST:
                    raise InputError(f"{name}: larger than any language model.")
                model = cls(data, name)
                if order and model.order != order:
                    raise InputError(
                        f"{name}: a language model of order {model.order}, expected order {order}."
                    )
                return model
            if start == b"mmap lm ":
                raise InputError(
                    f"{name}: a binary file of KenLM's, expected the ARPA file that it was made from, or a .lm file."
                )
            rest = _Joined(start, file)
            return cls.of(read_arpa(cast(BinaryIO, rest), name, order), name=name)

    def save(self, path: str | Path) -> None:
        """Write ARPA text or our own form, by the file's name: .arpa, .lm, and .gz or .xz after either."""
        check_name(path)
        name = str(path)
        with writing_bytes(path) as raw, _packing(raw, name) as file:
            if name.endswith(_BINARY):
                file.write(self._data)
            else:
                with io.TextIOWrapper(file, "utf-8", "surrogatepass", newline="\n") as text:
                    write_arpa(self.tables, text)

    @property
    def order(self) -> int:
        return self.native.order

    @cached_property
    def tables(self) -> Tables:
        """All n-grams as arrays."""
        return unpack(self._data)

    @property
    def data(self) -> bytes:
        """The model as bytes, as its file holds them."""
        return self._data

    def pruned(self, threshold: float = 0.0, *, ngrams: int = 0, bits: int = 32) -> LanguageModel:
        """The model without n-grams that matter little (Stolcke 1998)."""
        return self.of(kneser_ney.prune(self.tables, threshold, ngrams=ngrams), bits=bits, name=self.name)

    def ids(self, words: Sequence[str]) -> NDArray[np.uint32]:
        """The words' numbers, 0 for unknown ones."""
        return self.native.ids(list(words))

    def score(self, texts: Sequence[str], *, sentence: bool = True) -> NDArray[np.float64]:
        """log10 P of each text of words between spaces; with `sentence` after <s> and with </s>."""
        logs, offsets = self.token_scores(texts, sentence=sentence)
        totals = np.concatenate([[0.0], np.cumsum(logs, dtype=np.float64)])
        sums: NDArray[np.float64] = totals[offsets[1:]] - totals[offsets[:-1]]
        return sums

    def token_scores(
        self, texts: Sequence[str], *, sentence: bool = True
    ) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """log10 P of each word, text after text, and where each text begins; with `sentence` </s> is the last of each."""
        ids, offsets = self.native.split(list(texts))
        logs = self.native.score(ids, offsets, sentence)
        return logs, offsets + np.arange(len(offsets)) if sentence else offsets

    def perplexity(self, texts: Sequence[str]) -> Perplexity:
        """How well the model knows sentences of words between spaces; NaN without any."""
        ids, offsets = self.native.split(list(texts))
        logs = self.native.score(ids, offsets, True).astype(np.float64)
        is_end = np.zeros(len(logs), dtype=bool)
        is_end[offsets[1:] + np.arange(len(offsets) - 1)] = True
        known = np.ones(len(logs), dtype=bool)
        known[~is_end] = ids != 0
        return Perplexity(
            _perplexity(logs), _perplexity(logs[known]), len(ids), len(texts), int((ids == 0).sum())
        )

    def __len__(self) -> int:
        """Size of the vocabulary, <unk>, <s> and </s> included."""
        return len(self.native)

    def __repr__(self) -> str:
        return f"LanguageModel({self.name!r}, order={self.order}, words={len(self)})"


def check_name(path: str | Path) -> None:
    """Refuse a file name that does not say which form to write, or whose folder is not there."""
    if not str(path).endswith(_ARPA + _BINARY):
        raise OptionError(f"{path}: expected a name that ends in {', '.join(_ARPA + _BINARY)}.")
    if not Path(path).resolve().parent.is_dir():
        raise InputError(f"{path}: cannot write here (no such folder).")


class _Joined:
    """The lines of a file whose first bytes were read already."""

    def __init__(self, start: bytes, file: BinaryIO) -> None:
        self.start, self.file = start, file

    def __iter__(self) -> Iterator[bytes]:
        whole = self.start + self.file.readline()
        yield from whole.splitlines(keepends=True)
        yield from self.file


def _packing(raw: BinaryIO, name: str) -> AbstractContextManager[IO[bytes]]:
    """What packs bytes on their way to a file, as its name asks."""
    if name.endswith(".gz"):
        # No time and no name in the file: the same model is the same bytes.
        return cast(AbstractContextManager[IO[bytes]], gzip.GzipFile("", "wb", 6, raw, mtime=0))
    return lzma.open(raw, "wb", preset=6) if name.endswith(".xz") else nullcontext(raw)


def _perplexity(logs: NDArray[np.float64]) -> float:
    return float(10 ** -logs.mean()) if len(logs) else math.nan
