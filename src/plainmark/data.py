"""The data of an evaluation: a sample, a corpus (one system on one test set) and human ratings."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal, TypeVar, overload

import numpy as np

from .errors import InputError
from .files import table_rows

T = TypeVar("T")
Side = Literal["source", "output", "references"]

# Statistics are added block by block, so that one process, several, or a stream give bit-identical sums.
BLOCK = 8192

# Limit of the cache of prepared texts, which makes a second system cost only its outputs.
REMEMBERED_BYTES = 256 * 2**20


@dataclass(frozen=True)
class Sample:
    """One text, its simplification, and the reference simplifications of the same text."""

    source: str
    output: str
    references: tuple[str, ...] = ()
    id: str = ""


class Corpus(Sequence[Sample]):
    """One system's outputs on one test set.

    >>> corpus = Corpus(["The feline sat."], ["The cat sat."], [["The cat sat.", "A cat sat."]])
    >>> corpus[0].output
    'The cat sat.'

    References belong to the sample: ``references[i]`` are those of sample i (a single string counts as one).
    The `language` of the outputs is a code such as "de"; if it is missing, metrics detect it in the texts.
    """

    def __init__(
        self,
        sources: Sequence[str] | None,
        outputs: Sequence[str],
        references: Sequence[str | Sequence[str]] | None = None,
        *,
        ids: Sequence[str] | None = None,
        name: str = "",
        language: str = "",
    ) -> None:
        self.outputs: list[str] = _texts(outputs, "outputs")
        n = len(self.outputs)
        self.sources: list[str] | None = None if sources is None else _texts(sources, "sources", n)
        self.references: list[tuple[str, ...]] | None = None
        if references is not None:
            self.references = _references(references, n) or None
        if ids is not None and len(ids) != n:
            raise InputError(f"ids: {len(ids)} given, but there are {n} outputs.")
        self.ids: list[str] = [str(i + 1) for i in range(n)] if ids is None else list(ids)
        self.name = name
        self.language = language
        self._shared: dict[Hashable, Any] = {}
        self._own: dict[Hashable, Any] = {}

    @classmethod
    def read(
        cls,
        *,
        output: Any,
        source: Any = None,
        references: Sequence[Any] = (),
        fields: Mapping[str, str] | None = None,
    ) -> Corpus:
        """Read a corpus from files; see plainmark.reading for the formats."""
        from .reading import read_corpus

        return read_corpus(output=output, source=source, references=references, fields=fields)

    def __len__(self) -> int:
        return len(self.outputs)

    @overload
    def __getitem__(self, index: int) -> Sample: ...
    @overload
    def __getitem__(self, index: slice) -> Corpus: ...
    def __getitem__(self, index: int | slice) -> Sample | Corpus:
        if isinstance(index, slice):
            return self.subset(range(*index.indices(len(self))))
        return Sample(
            self.sources[index] if self.sources is not None else "",
            self.outputs[index],
            self.references[index] if self.references is not None else (),
            self.ids[index],
        )

    def __repr__(self) -> str:
        name = f"{self.name!r}, " if self.name else ""
        source = "" if self.sources is not None else ", no sources"
        return f"Corpus({name}{len(self)} samples{source}, references: {self.reference_count})"

    @property
    def reference_count(self) -> str:
        """The number of references per sample, as signatures show it: "8", "1-3", or "0"."""
        if self.references is None:
            return "0"
        sizes = {len(r) for r in self.references}
        low, high = min(sizes), max(sizes)
        return str(low) if low == high else f"{low}-{high}"

    def texts(self, side: Side) -> list[str]:
        """All texts of a side; references follow each other, sample by sample."""
        if side == "output":
            return self.outputs
        if side == "source":
            if self.sources is None:
                raise InputError("the corpus has no sources.")
            return self.sources
        if self.references is None:
            raise InputError("the corpus has no references.")
        return list(chain.from_iterable(self.references))

    def reference_offsets(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """The index in texts("references") of each sample's first reference, followed by the total."""

        def count() -> np.ndarray[tuple[int], np.dtype[np.int64]]:
            sizes = [len(r) for r in self.references or [()] * len(self)]
            return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64)

        return self.remember("references", "offsets", count)

    def with_outputs(self, outputs: Sequence[str], *, name: str = "") -> Corpus:
        """Another system on the same test set, which shares the prepared sources and references."""
        texts = _texts(outputs, "outputs")
        if len(texts) != len(self):
            raise InputError(f"outputs: {len(texts)} given, but the test set has {len(self)} samples.")
        other = Corpus.__new__(Corpus)
        other.outputs = texts
        other.sources, other.references, other.ids = self.sources, self.references, self.ids
        other.name, other.language = name, self.language
        other._shared, other._own = self._shared, {}
        return other

    def subset(self, indices: Iterable[int]) -> Corpus:
        """The samples at these indices, in this order."""
        positions = list(indices)
        return Corpus(
            None if self.sources is None else [self.sources[i] for i in positions],
            [self.outputs[i] for i in positions],
            None if self.references is None else [self.references[i] for i in positions],
            ids=[self.ids[i] for i in positions],
            name=self.name,
            language=self.language,
        )

    def blocks(self) -> Iterator[Corpus]:
        """The corpus in pieces of at most BLOCK samples."""
        if len(self) <= BLOCK:
            yield self
        else:
            for start in range(0, len(self), BLOCK):
                yield self[start : start + BLOCK]

    def remember(self, side: Side, key: Hashable, build: Callable[[], T]) -> T:
        """The result of `build` for a side, cached so that other metrics and other systems need not repeat it."""
        results = self._own if side == "output" else self._shared
        if (side, key) in results:
            result: T = results[side, key]
            return result
        built = build()
        size = getattr(built, "nbytes", 0)
        if results.get("bytes", 0) + size <= REMEMBERED_BYTES:
            results["bytes"] = results.get("bytes", 0) + size
            results[side, key] = built
        return built


@dataclass(frozen=True)
class Rating:
    """One rater's value for one sample of one system in one dimension."""

    system: str
    sample: str
    dimension: str
    rater: str
    value: float


class Ratings(Sequence[Rating]):
    """Human judgements in long form: (system, sample, dimension, rater) -> value."""

    def __init__(self, ratings: Iterable[Rating]) -> None:
        self._ratings = tuple(ratings)

    def __len__(self) -> int:
        return len(self._ratings)

    @overload
    def __getitem__(self, index: int) -> Rating: ...
    @overload
    def __getitem__(self, index: slice) -> Ratings: ...
    def __getitem__(self, index: int | slice) -> Rating | Ratings:
        if isinstance(index, slice):
            return Ratings(self._ratings[index])
        return self._ratings[index]

    def __repr__(self) -> str:
        dimensions = sorted({r.dimension for r in self})
        return f"Ratings({len(self)} values; dimensions: {', '.join(dimensions) or 'none'})"

    @classmethod
    def read(cls, path: str) -> Ratings:
        """Read a CSV file with the columns system, sample, dimension, rater and value."""
        out = []
        for place, row in table_rows(str(path), ("system", "sample", "dimension", "rater", "value")):
            try:
                value = float(row["value"])
            except ValueError:
                raise InputError(f"{place}: value {row['value']!r} is not a number.") from None
            out.append(Rating(row["system"], row["sample"], row["dimension"], row["rater"], value))
        return cls(out)


def _texts(texts: Sequence[str], what: str, expected: int | None = None) -> list[str]:
    if isinstance(texts, str):
        raise InputError(f"{what}: found one string, expected a list of strings. Put it in a list: [{what}].")
    out = _as_list(texts, what, "a list of strings")
    if expected is not None and len(out) != expected:
        raise InputError(f"{what}: {len(out)} given, but there are {expected} outputs.")
    for i, text in enumerate(out):
        if not isinstance(text, str):
            raise InputError(f"{what}[{i}]: found {type(text).__name__}, expected a string.")
    return out


def _references(references: Sequence[str | Sequence[str]], n: int) -> list[tuple[str, ...]]:
    expected = "a list with the references of each sample"
    if isinstance(references, str):
        raise InputError(f"references: found one string, expected {expected}.")
    values = _as_list(references, "references", expected)
    rows = [
        (row,) if isinstance(row, str) else tuple(_as_list(row, f"references[{i}]", "a list of strings"))
        for i, row in enumerate(values)
    ]
    if rows and len(rows) != n:
        if all(not isinstance(row, str) and len(row) == n for row in values):
            raise InputError(
                f"references look transposed: found {len(rows)} lists of {n}, expected {n} lists, one per "
                "sample. Use list(zip(*references))."
            )
        raise InputError(
            f"references: {len(rows)} given, but there are {n} outputs; expected one list per sample."
        )
    for i, row in enumerate(rows):
        if not row:
            raise InputError(f"references[{i}]: empty, expected at least one reference.")
        for text in row:
            if not isinstance(text, str):
                raise InputError(f"references[{i}]: found {type(text).__name__}, expected strings.")
    return rows


def _as_list(values: Any, what: str, expected: str) -> list[Any]:
    try:
        return list(values)
    except TypeError:
        raise InputError(f"{what}: found {type(values).__name__}, expected {expected}.") from None
