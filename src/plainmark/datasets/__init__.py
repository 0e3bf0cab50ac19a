"""One module per data set; the file name is the data set's name.

A data set gives a corpus for each system and people's ratings of their outputs, joined by system and sample id. Its files
are found in a folder of the user's own, under $PLAINMARK_DATA, or where `plainmark datasets get` puts them; nothing is
downloaded until that is asked for.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self

from ..data import Corpus, Ratings
from ..errors import MissingResourceError
from ..options import choices, option_types
from ..registry import Named, Registry
from ._sources import Source, sources

Level = Literal["sentence", "document"]

# The name of the only system of a set with texts alone, and of outputs whose system is not in the released file.
REFERENCE, UNNAMED = "reference", "unnamed"


@dataclass(frozen=True)
class Card:
    """What a data set holds with its default options, where it comes from, and what to know before it is used."""

    title: str
    about: str
    level: Level
    samples: int  # different sample ids
    systems: int
    licence: str
    citation: str
    ratings: int = 0
    dimensions: tuple[str, ...] = ()
    raters: str = "people"  # what raters are, where they are not people who judged the same things
    also: tuple[str, ...] = ()  # other names it goes by
    notes: tuple[str, ...] = ()

    @property
    def size(self) -> str:
        """The numbers as a phrase."""
        counts = [(self.samples, "sample"), (self.systems, "system"), (self.ratings, "rating")]
        return ", ".join(f"{n:,} {noun}{'' if n == 1 else 's'}" for n, noun in counts if n)


@dataclass(frozen=True)
class Dataset(Named, ABC):
    """Base of all data sets."""

    card: ClassVar[Card]

    folder: Annotated[str, "a folder with the files, instead of the one they are downloaded to"] = ""

    @abstractmethod
    def files(self) -> Sequence[str]:
        """The files it reads with these options, under the names that sources.toml gives them."""

    @abstractmethod
    def corpora(self) -> dict[str, Corpus]:
        """System -> its outputs; systems may cover different samples."""

    def ratings(self) -> Ratings:
        """People's judgements, joined to the corpora by system and sample id; empty if there are none."""
        return Ratings(())

    def sources(self) -> dict[str, Source]:
        """Where its files come from: name -> address, hash, size and licence."""
        known = sources(type(self).__module__.rpartition(".")[0])
        return {name: known[name] for name in self.files() if name in known}

    def variants(self) -> Iterator[Self]:
        """The data set with every combination of the options that have a list of values."""
        listed = {name: [*choices(hint)] for name, hint in option_types(type(self)).items()}
        names = [name for name, values in listed.items() if values]
        for values in product(*(listed[name] for name in names)):
            yield replace(self, **dict(zip(names, values, strict=True)))

    def missing(self) -> str:
        """Which files are not here and how to get them ("needs ..."); empty if it can be read."""
        absent = [name for name in self.files() if self.find(name) is None]
        return self._lacks(absent) if absent else ""

    def _lacks(self, absent: Sequence[str]) -> str:
        what = absent[0] if len(absent) == 1 else f"{absent[0]} and {len(absent) - 1} more files"
        if self.folder:
            return f"needs {what} in {self.folder}"
        known = sources(type(self).__module__.rpartition(".")[0])
        if reasons := [known[n].reason for n in absent if n in known and known[n].reason]:
            return f"needs {what} in {data_folder()}, put there by hand: {reasons[0]}"
        return f"needs {what}; get it with: plainmark datasets get {self.name} (or put it in {data_folder()})"

    def find(self, name: str) -> Path | None:
        """A file of the set, if it is here."""
        if self.folder:  # laid out as the downloads are, or the inside of their own folder
            inside = name.partition("/")[2]
            places = [Path(self.folder, name), Path(self.folder, inside or name)]
        else:
            places = [folder / name for folder in data_folders()]
        return next((place for place in places if place.is_file()), None)

    def path(self, name: str) -> str:
        """A file of the set; MissingResourceError says how to get it."""
        found = self.find(name)
        if found is None:
            raise MissingResourceError(f"data set {self.name} {self._lacks([name])}.")
        return str(found)


def data_folders() -> list[Path]:
    """Where data sets are looked for: $PLAINMARK_DATA, then the folder of downloads."""
    own = os.environ.get("PLAINMARK_DATA")
    return [*([Path(own)] if own else []), download_folder()]


def data_folder() -> Path:
    """Where a user would put a file."""
    return data_folders()[0]


def download_folder() -> Path:
    """Where `plainmark datasets get` puts files: plainmark/data in the user's folder of data."""
    base = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA")
    # The XDG specification: a relative path is invalid and is not to be used.
    root = Path(base) if base and Path(base).is_absolute() else Path.home() / ".local" / "share"
    return root / "plainmark" / "data"


DATASETS: Registry[Dataset] = Registry("dataset", Dataset, "plainmark.datasets")  # type: ignore[type-abstract]


def dataset(spec: str | Dataset) -> Dataset:
    """The data set of a name or a specification.

    >>> dataset("turkcorpus(split='tune')").card.title
    'TurkCorpus'
    """
    return spec if isinstance(spec, Dataset) else DATASETS.parse(spec)
