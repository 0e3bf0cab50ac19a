"""WordNet's database files: synsets of words, their glosses and relations, and base forms of words.

Files are read lazily: an index on the first look-up of its part of speech, a synset when it is needed.
Reference: Fellbaum 1998, WordNet: An Electronic Lexical Database; the file formats are those of wndb(5) and morphy(7).
"""

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Literal, NamedTuple

from .errors import MissingResourceError
from .punkt import nltk_folders

Pos = Literal["n", "v", "a", "r"]

_FILES: dict[Pos, str] = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}

# Endings that are replaced to find base forms; adverbs have none.
_DETACHMENTS: dict[Pos, tuple[tuple[str, str], ...]] = {
    "n": (
        ("s", ""),
        ("ses", "s"),
        ("ves", "f"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    "v": (
        ("s", ""),
        ("ies", "y"),
        ("es", "e"),
        ("es", ""),
        ("ed", "e"),
        ("ed", ""),
        ("ing", "e"),
        ("ing", ""),
    ),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}

_REMEMBERED_WORDS = 1 << 18

# A word and its entry in the index; the lines of the licence at the head begin with a space.
_ENTRY = re.compile(r"^(\S+) (.+)$", re.MULTILINE)


class Pointer(NamedTuple):
    """A relation to another synset; `source` and `target` are the numbers of the words it connects, or 0 for
    all of them.
    """

    symbol: str
    pos: Pos
    offset: int
    source: int
    target: int


@dataclass(frozen=True)
class Synset:
    """Words that share a meaning; `satellite` adjectives cluster around a head ("&" points to it)."""

    pos: Pos
    offset: int
    words: tuple[str, ...] = field(compare=False)
    gloss: str = field(compare=False, repr=False)
    relations: str = field(
        compare=False, repr=False
    )  # pointers as in the file, with spaces around each field
    satellite: bool = field(compare=False, repr=False)

    @cached_property
    def pointers(self) -> tuple[Pointer, ...]:
        """The relations to other synsets."""
        fields = self.relations.split()
        rows = zip(*(fields[k::4] for k in range(4)), strict=True)
        return tuple(
            Pointer(symbol, _file_pos(p), int(offset), int(ends[:2], 16), int(ends[2:], 16))
            for symbol, offset, p, ends in rows
        )

    def pointers_with(self, symbols: tuple[str, ...]) -> tuple[Pointer, ...]:
        """The relations with one of these symbols."""
        if not any(f" {symbol} " in self.relations for symbol in symbols):
            return ()  # without parsing the others
        return tuple([p for p in self.pointers if p.symbol in symbols])

    @property
    def definition(self) -> str:
        """The gloss up to its first example."""
        return re.split(r'[;:,]?\s+"', self.gloss, maxsplit=1)[0]

    @property
    def examples(self) -> list[str]:
        """The quoted examples of the gloss."""
        return re.findall(r'"([^"]*)"', self.gloss)


class WordNet:
    """The WordNet in a folder of index.*, data.* and *.exc files.

    Words are looked up in lower case; spaces in them count as the underscores of the files.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._indexes: dict[Pos, dict[str, str]] = {}
        self._exceptions: dict[Pos, dict[str, list[str]]] = {}
        self._data: dict[Pos, mmap.mmap] = {}
        self._synsets: dict[tuple[Pos, int], Synset] = {}
        self._synonyms: dict[str, frozenset[str]] = {}
        self._base_forms: dict[tuple[str, Pos], tuple[str, ...]] = {}

    def __repr__(self) -> str:
        return f"WordNet({str(self.folder)!r})"

    @cached_property
    def version(self) -> str:
        """The version in the licence at the head of the files, such as "3.0"."""
        with (self.folder / "data.adv").open(encoding="utf-8") as file:
            match = re.search(r"WordNet (\d[\d.]*\d) ", file.read(2000))
        return match[1] if match else "unknown"

    def synsets(self, word: str, pos: Pos | None = None) -> list[Synset]:
        """The synsets of a word and of its base forms, the most frequent sense of each form first."""
        return [
            self.synset(p, offset)
            for p in _parts(pos)
            for form in self.base_forms(word, p)
            for offset in self._offsets(form, p)
        ]

    def base_forms(self, word: str, pos: Pos) -> tuple[str, ...]:
        """The word itself and its base forms, as far as the database has them."""
        key = (word, pos)
        if key not in self._base_forms:
            plain = word.lower().replace(" ", "_")
            forms = self._exception_lists(pos).get(plain)
            if forms is None:
                forms = [plain[: -len(end)] + new for end, new in _DETACHMENTS[pos] if plain.endswith(end)]
            index = self._index(pos)
            if (
                len(self._base_forms) >= _REMEMBERED_WORDS
            ):  # the number of words that are in no dictionary is unlimited
                self._base_forms.clear()
            self._base_forms[key] = tuple(f for f in dict.fromkeys([plain, *forms]) if f in index)
        return self._base_forms[key]

    def synset(self, pos: Pos, offset: int) -> Synset:
        """The synset at an offset of a data file."""
        key = (pos, offset)
        if key not in self._synsets:
            data = self._data_file(pos)
            line = data[offset : data.find(b"\n", offset)].decode("utf-8")
            self._synsets[key] = _parse(line, pos)
        return self._synsets[key]

    def synonyms(self, word: str) -> frozenset[str]:
        """All words of all synsets of a word."""
        if word not in self._synonyms:
            self._synonyms[word] = frozenset(w for synset in self.synsets(word) for w in synset.words)
        return self._synonyms[word]

    def related(self, synset: Synset, *symbols: str) -> list[Synset]:
        """The synsets that pointers with these symbols lead to from the synset as a whole."""
        return [self.synset(p.pos, p.offset) for p in synset.pointers_with(symbols) if p.source == 0]

    def hypernyms(self, synset: Synset) -> list[Synset]:
        """The directly more general synsets."""
        return self.related(synset, "@", "@i")

    def hyponyms(self, synset: Synset) -> list[Synset]:
        """The directly more specific synsets."""
        return self.related(synset, "~", "~i")

    def related_words(self, synset: Synset, word: str, *symbols: str) -> list[tuple[Synset, str]]:
        """The words that pointers lead to from one word of a synset: "!" to its antonyms, "+" to derived words."""
        related: list[tuple[Synset, str]] = []
        if not (pointers := synset.pointers_with(symbols)):
            return related
        plain = word.lower().replace(" ", "_")
        numbers = [i for i, w in enumerate(synset.words, 1) if w.lower() == plain]
        for pointer in pointers:
            if pointer.source in numbers:
                target = self.synset(pointer.pos, pointer.offset)
                related.append((target, target.words[pointer.target - 1]))
        return related

    def antonyms(self, word: str, pos: Pos | None = None) -> list[str]:
        """The direct antonyms of a word and of its base forms, each once."""
        antonyms = [
            antonym
            for p in _parts(pos)
            for form in self.base_forms(word, p)
            for offset in self._offsets(form, p)
            for _, antonym in self.related_words(self.synset(p, offset), form, "!")
        ]
        return list(dict.fromkeys(antonyms))

    def lemmas(self, pos: Pos) -> Iterator[str]:
        """Every word of a part of speech, in lower case."""
        return iter(self._index(pos))

    def _offsets(self, form: str, pos: Pos) -> list[int]:
        fields = self._index(pos)[form].split()
        return [int(f) for f in fields[-int(fields[1]) :]]

    def _index(self, pos: Pos) -> dict[str, str]:
        if pos not in self._indexes:
            self._indexes[pos] = dict(_ENTRY.findall(self._read(f"index.{_FILES[pos]}")))
        return self._indexes[pos]

    def _exception_lists(self, pos: Pos) -> dict[str, list[str]]:
        if pos not in self._exceptions:
            rows = [line.split() for line in self._read(f"{_FILES[pos]}.exc").split("\n")]
            self._exceptions[pos] = {row[0]: row[1:] for row in rows if row}
        return self._exceptions[pos]

    def _data_file(self, pos: Pos) -> mmap.mmap:
        if pos not in self._data:
            with self._path(f"data.{_FILES[pos]}").open("rb") as file:
                self._data[pos] = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return self._data[pos]

    def _read(self, name: str) -> str:
        return self._path(name).read_text("utf-8")

    def _path(self, name: str) -> Path:
        path = self.folder / name
        if not path.is_file():
            raise MissingResourceError(f"{self.folder}: no file {name}; it is not a whole WordNet database.")
        return path


def find(path: str | Path | None = None) -> Path | None:
    """The folder of a WordNet database: the given one, or the first on this machine."""
    if path is not None:
        return _database(Path(path))
    variables = [
        os.environ[name] for name in ("WORDNET_DIR", "WNSEARCHDIR", "WNHOME") if os.environ.get(name)
    ]
    places = [
        *map(Path, variables),
        *(f / "corpora" / "wordnet" for f in nltk_folders()),
        Path("/usr/share/wordnet"),
    ]
    return next((folder for place in places if (folder := _database(place))), None)


def load(path: str | Path | None = None) -> WordNet:
    """The WordNet in the given folder, or the one on this machine."""
    folder = find(path)
    if folder is None:
        raise MissingResourceError(missing(path))
    return _open(folder)


def missing(path: str | Path | None = None) -> str:
    """The message for a missing WordNet."""
    location = "on this machine" if path is None else f"in {path}"
    return f"no WordNet database {location}; install the Debian package wordnet-base, or set WORDNET_DIR to its folder."


_open = cache(WordNet)


def _database(folder: Path) -> Path | None:
    """The folder itself or its dict/, whichever has the files."""
    return next((f for f in (folder, folder / "dict") if (f / "index.noun").is_file()), None)


def _parts(pos: Pos | None) -> tuple[Pos, ...]:
    return tuple(_FILES) if pos is None else (pos,)


def _parse(line: str, pos: Pos) -> Synset:
    """A line of a data file: offset, file, type, words, pointers, verb frames, gloss."""
    head, _, gloss = line.partition(" | ")
    fields = head.split()
    count = int(fields[3], 16)
    # The position of an adjective may be marked on the word: galore(ip).
    words = tuple(w.partition("(")[0] for w in fields[4 : 4 + 2 * count : 2])
    start = 5 + 2 * count
    relations = " ".join(["", *fields[start : start + 4 * int(fields[start - 1])], ""])
    return Synset(pos, int(fields[0]), words, gloss.strip(), relations, fields[2] == "s")


def _file_pos(letter: str) -> Pos:
    return "a" if letter == "s" else letter  # type: ignore[return-value]
