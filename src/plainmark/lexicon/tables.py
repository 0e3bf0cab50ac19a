"""The lexicon's file in memory; scripts/make_fact_lexicon.py documents its arrays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .forms import NOUN, SHIFT, Flags


class _Table:
    """Lists of numbers by number."""

    def __init__(self, counts: NDArray[np.uint16], values: NDArray[np.uint32]) -> None:
        # Views return Python numbers faster than arrays do.
        self._starts = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]).data
        self._values = values.data

    def __getitem__(self, key: int) -> list[int]:
        return self._values[self._starts[key] : self._starts[key + 1]].tolist()


class Tables:
    """The contents of the file, by word or by the index of a word."""

    def __init__(self, path: Path) -> None:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        self.words = arrays["words"].tobytes().decode("utf-8").split("\n")
        self.number = dict(zip(self.words, range(len(self.words)), strict=True))
        self.flag = Flags(self.number, arrays["flags"].tobytes())
        self.classes = arrays["classes"].tobytes()
        self._forms = _rows(arrays["forms"])
        self.denials = _rows(arrays["denials"])
        self._parts = arrays["parts"].tobytes()
        names = ("senses", "members", "parents", "synonyms", "antonyms")
        tables = {name: _Table(arrays[f"{name}_counts"], arrays[name]) for name in names}
        self._senses, self._members, self._parents = (tables[name] for name in names[:3])
        self._synonyms, self._antonyms = (tables[name] for name in names[3:])

    def forms(self, word: str) -> tuple[tuple[str, int], ...]:
        """The base forms of a word with irregular forms, with their parts of speech."""
        row = self._forms.get(word)
        if row is None:
            return ()
        fields = row.split("\t")
        return tuple((form, int(parts)) for form, parts in zip(fields[::2], fields[1::2], strict=True))

    def synonyms(self, number: int, parts: int) -> Iterator[str]:
        """The words of a word's synsets, and the words that were paired with it."""
        yield from self._paired(self._synonyms[number], parts)
        for synset in self._senses[number]:
            if self._parts[synset] & parts:
                yield from (self.words[n] for n in self._members[synset])

    def antonyms(self, number: int, parts: int) -> Iterator[str]:
        yield from self._paired(self._antonyms[number], parts)

    def hypernyms(self, number: int, parts: int) -> Iterator[str]:
        for synset in self._senses[number]:
            if not self._parts[synset] & parts:
                continue
            level = [synset]
            for _ in range(self._parts[synset] >> SHIFT):
                level = [parent for s in level for parent in self._parents[s]]
                for parent in level:
                    yield from (self.words[n] for n in self._members[parent])

    def is_thing(self, number: int) -> bool:
        """Whether the commonest sense of a noun is a thing, a being, a place or a state, and not an act or a thought."""
        nouns = [s for s in self._senses[number] if self._parts[s] & NOUN]
        return bool(nouns) and self._parts[nouns[0]] >> SHIFT > 1

    def _paired(self, pairs: list[int], parts: int) -> Iterator[str]:
        """The words of pairs whose first word has one of these parts of speech."""
        return (self.words[pair >> SHIFT] for pair in pairs if pair & parts)


def _rows(text: NDArray[np.uint8]) -> dict[str, str]:
    """Lines of a text by their first field."""
    lines = text.tobytes().decode("utf-8").split("\n")
    return {key: rest for key, _, rest in (line.partition("\t") for line in lines)}
