"""One module per data set; the file name is the data set's name.

A data set has one corpus per system and human ratings of their outputs, joined by system and sample id. Its files are read
from a folder of the user, from $PLAINMARK_DATA, or from the folder to which `plainmark datasets get` downloads them; only
that command downloads anything.
"""

from __future__ import annotations

import os
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files as resource_files
from itertools import product
from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self
from urllib.parse import quote

from ..data import Corpus, Ratings
from ..errors import MissingResourceError, UnknownNameError, did_you_mean
from ..options import choices, option_types
from ..registry import Named, Registry

Level = Literal["sentence", "document"]

# The name of the only system of a set with texts only, and of outputs whose system the released file does not name.
REFERENCE, UNNAMED = "reference", "unnamed"
# The only system of a set of single texts, whose source and output are the text itself.
TEXT = "text"
# The rater if one value was released for several people, which is not (or not known to be) their mean.
AGREED = "agreed"
# Names that authors give the part that systems are tuned on.
DEVELOPMENT = ("dev", "valid", "tune", "trial")


@dataclass(frozen=True)
class Card:
    """The contents of a data set with its default options, its origin, and what users should know about it."""

    title: str
    about: str
    level: Level
    samples: int  # different sample ids
    systems: int
    licence: str
    citation: str
    ratings: int = 0
    dimensions: tuple[str, ...] = ()
    lower_is_better: tuple[str, ...] = ()  # dimensions of errors and difficulty, for which lower is better
    raters: str = "people"  # a description of raters who are not people that judged the same outputs
    also: tuple[str, ...] = ()  # other names of the set
    notes: tuple[str, ...] = ()

    @property
    def size(self) -> str:
        """The numbers, as a phrase."""
        counts = [(self.samples, "sample"), (self.systems, "system"), (self.ratings, "rating")]
        return ", ".join(f"{n:,} {noun}{'' if n == 1 else 's'}" for n, noun in counts if n)


@dataclass(frozen=True)
class Source:
    """The origin of a file of a data set, and its expected content; declared in sources.toml."""

    path: str  # relative to the data folder
    sha256: str
    size: int
    licence: str
    url: str = ""  # empty if the file cannot be downloaded directly
    archive: str = ""  # "zip" if the url is an archive that contains the file
    reason: str = ""  # the reason why it cannot be downloaded


@cache
def sources(package: str = "plainmark.datasets") -> dict[str, Source]:
    """Path -> source, for all files that a package of data sets declares in its sources.toml."""
    declared = resource_files(package) / "sources.toml"
    if not declared.is_file():
        return {}
    known = {}
    for folder, group in tomllib.loads(declared.read_text("utf-8")).items():
        for file in group["files"]:
            path, reason = f"{folder}/{file['path']}", file.get("reason", group.get("reason", ""))
            url = "" if reason else group["address"] + quote(file.get("upstream", file["path"]), safe="/+")
            known[path] = Source(
                path, file["sha256"], file["size"], group["licence"], url, file.get("archive", ""), reason
            )
    return known


@dataclass(frozen=True)
class Dataset(Named, ABC):
    """Base of all data sets."""

    card: ClassVar[Card]

    folder: Annotated[str, "a folder with the files, instead of the one they are downloaded to"] = ""

    @abstractmethod
    def files(self) -> Sequence[str]:
        """The files that are read with these options, by their names in sources.toml."""

    @abstractmethod
    def corpora(self) -> dict[str, Corpus]:
        """System -> its outputs; systems may cover different samples."""

    def ratings(self) -> Ratings:
        """Human ratings, joined to the corpora by system and sample id; empty if there are none."""
        return Ratings(())

    def sources(self) -> dict[str, Source]:
        """The sources of its files: name -> address, hash, size and licence."""
        known = sources(type(self).__module__.rpartition(".")[0])
        return {name: known[name] for name in self.files() if name in known}

    def variants(self) -> Iterator[Self]:
        """The data set with every combination of the options that list their values."""
        listed = {name: [*choices(hint)] for name, hint in option_types(type(self)).items()}
        names = [name for name, values in listed.items() if values]
        for values in product(*(listed[name] for name in names)):
            yield replace(self, **dict(zip(names, values, strict=True)))

    def missing(self) -> str:
        """The missing files and how to get them ("needs ..."); empty if the data set can be read."""
        absent = [name for name in self.files() if self.find(name) is None]
        return self._needs(absent) if absent else ""

    def _needs(self, absent: Sequence[str]) -> str:
        what = absent[0] if len(absent) == 1 else f"{absent[0]} and {len(absent) - 1} more files"
        if self.folder:
            return f"needs {what} in {self.folder}"
        known = sources(type(self).__module__.rpartition(".")[0])
        if reasons := [known[n].reason for n in absent if n in known and known[n].reason]:
            return f"needs {what} in {data_folder()}, put there by hand: {reasons[0]}"
        return f"needs {what}; get it with: plainmark datasets get {self.name} (or put it in {data_folder()})"

    def find(self, name: str) -> Path | None:
        """The path of a file of the set, if it is on this machine."""
        if self.folder:  # laid out like the downloads, or the contents of their folder
            inside = name.partition("/")[2]
            places = [Path(self.folder, name), Path(self.folder, inside or name)]
        else:
            places = [folder / name for folder in data_folders()]
        return next((place for place in places if place.is_file()), None)

    def path(self, name: str) -> str:
        """The path of a file of the set; MissingResourceError says how to get it."""
        path = self.find(name)
        if path is None:
            raise MissingResourceError(f"data set {self.name} {self._needs([name])}.")
        return str(path)


def data_folders() -> list[Path]:
    """The folders that are searched for data sets: $PLAINMARK_DATA, then the download folder."""
    own = os.environ.get("PLAINMARK_DATA")
    return [*([Path(own)] if own else []), download_folder()]


def data_folder() -> Path:
    """Where a user would put a file."""
    return data_folders()[0]


def download_folder() -> Path:
    """The folder to which `plainmark datasets get` downloads files: plainmark/data in the user's data folder."""
    base = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA")
    # According to the XDG specification, a relative path is invalid and must be ignored.
    root = Path(base) if base and Path(base).is_absolute() else Path.home() / ".local" / "share"
    return root / "plainmark" / "data"


DATASETS: Registry[Dataset] = Registry("dataset", Dataset, "plainmark.datasets")  # type: ignore[type-abstract]


def dataset(spec: str | Dataset) -> Dataset:
    """The data set with this name, name and part, or specification, or the test set in a folder.

    >>> dataset("turkcorpus(split='tune')") == dataset("turkcorpus/tune") == dataset("turkcorpus/dev")
    True
    """
    if isinstance(spec, Dataset):
        return spec
    name, slash, part = spec.partition("/")
    if slash and "(" not in spec and name.lower() in DATASETS.names():
        return _part(DATASETS.find(name), part)
    if "(" not in spec and spec.lower() not in DATASETS.names() and Path(spec).is_dir():
        from ._local import LocalFolder

        return LocalFolder(folder=spec)
    return DATASETS.parse(spec)


def _part(cls: type[Dataset], part: str) -> Dataset:
    """The data set with the option that has this value; dev is an alias of valid and tune."""
    listed = {name: [*choices(hint)] for name, hint in option_types(cls).items()}
    for value in (part, *(DEVELOPMENT if part in DEVELOPMENT else ())):
        for name, values in listed.items():
            if value in values:
                return cls(**{name: value})
    known = [str(value) for values in listed.values() for value in values]
    raise UnknownNameError(
        f"{cls.name} has no part {part!r}.{did_you_mean(part, known)} Expected one of {', '.join(known) or 'none'}."
    )
