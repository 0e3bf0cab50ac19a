"""Languages other than English, one folder per language with all rules that counting needs.

    rules.toml       its name, abbreviations, apostrophes, numbers and months, and its readability formulas
    syllables.py     count(word), by spelling
    exceptions.txt   words whose syllables the spelling does not show        } written by
    ranks.bin        hashes of its commonest words, by frequency   } scripts/make_language_tables.py

CONTRIBUTING.md says how to add one. English has its own rules in compiled code (plainmark.syllables).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from .. import kernels
from ..errors import LanguageError, MissingResourceError, did_you_mean
from .names import NAMES

FOLDER = Path(__file__).parent
PIECES = ("rules.toml", "syllables.py", "exceptions.txt", "ranks.bin")
LANGUAGES = ("en", *sorted(p.name for p in FOLDER.iterdir() if len(p.name) == 2 and p.is_dir()))

# Written without spaces between words: words need a tokeniser of their own, and formulas based on syllables do not apply.
UNSPACED = ("ja", "th", "zh")

if TYPE_CHECKING:
    LanguageCode = str
    SplitCode = str
else:
    LanguageCode = Literal[LANGUAGES]  # languages that are counted in full
    SplitCode = Literal[
        (*LANGUAGES, "ja", "zh")
    ]  # languages with rules for sentences, and a tokeniser for words

COMMON = 1000  # number of common words that a reader is expected to know
LONG = 6  # letters; a longer word is long for LIX and the Wiener Sachtextformel
# The columns that `count_words` returns for every text.
COLUMNS = (
    "words", "sentences", "syllables", "letters", "letters_squared", "monosyllables", "polysyllables", "four_syllables",
    "long_words", "familiar", "paragraphs",
)  # fmt: skip


@dataclass(frozen=True)
class Language:
    """The rules of one language, read from its folder."""

    code: str
    folder: Path
    rules: Mapping[str, Any] = field(repr=False)

    @property
    def name(self) -> str:
        """Its name in English."""
        return str(self.rules["name"])

    @cached_property
    def abbreviations(self) -> frozenset[str]:
        """Abbreviations, in lower case and without the period, after which a sentence continues."""
        return frozenset(str(self.rules["abbreviations"]).lower().split())

    def sentences(self, text: str) -> list[str]:
        """The sentences of a text."""
        from .sentences import split

        return split(text, self)

    def words(self, text: str) -> list[str]:
        """The words of a text: runs of letters and digits, hyphens inside, cut after the apostrophes of articles."""
        return self._word.findall(text.replace("’", "'"))

    def tokens(self, text: str) -> list[str]:
        """The words of a text and its marks, each mark a token; nothing but white space is lost."""
        return self._token.findall(text.replace("’", "'"))

    def stems(self, words: Sequence[str]) -> list[str]:
        """The Snowball stem of each word, in lower case."""
        stem = snowball(str(self.rules["snowball"]))
        return [stem(word.lower()) for word in words]

    def syllables(self, word: str) -> int:
        """The syllables of a word; an abbreviation or a number without vowels has one."""
        return self._counted(word.lower())

    def count_words(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """Counts of each text, shape (texts, len(COLUMNS))."""
        return np.array([self._count(text) for text in texts], dtype=np.int64).reshape(-1, len(COLUMNS))

    def ranks(self, words: Sequence[str]) -> NDArray[np.int64]:
        """The frequency rank of each word, from 0; -1 for words that are not listed."""
        hashes = kernels.tokenize([word.lower() for word in words], "space").hashes
        listed, order = self._ranked
        place = np.minimum(np.searchsorted(listed, hashes), len(listed) - 1)
        return np.where(listed[place] == hashes, order[place], -1)

    def _count(self, text: str) -> list[int]:
        words = self.words(text)
        if not words:
            return [0] * len(COLUMNS)
        syllables = [self.syllables(word) for word in words]
        letters = [sum(map(str.isalpha, word)) for word in words]
        ranks = self.ranks(words)
        return [
            len(words),
            max(1, len(self.sentences(text))),
            sum(syllables),
            sum(letters),
            sum(n * n for n in letters),
            sum(n == 1 for n in syllables),
            sum(n >= 3 for n in syllables),
            sum(n >= 4 for n in syllables),
            sum(n > LONG for n in letters),
            int(((ranks >= 0) & (ranks < COMMON)).sum()),
            len([part for part in re.split(r"\n\s*\n", text) if part.strip()]),
        ]

    @cached_property
    def _word(self) -> re.Pattern[str]:
        elided = self.rules["elided"]
        clitic = rf"(?:{'|'.join(elided)})'|" if elided else ""
        return re.compile(rf"(?i:\b(?:{clitic}\d+(?:[.,]\d+)+|[^\W_]+(?:['-][^\W_]+)*))")

    @cached_property
    def _token(self) -> re.Pattern[str]:
        return re.compile(rf"{self._word.pattern}|[^\w\s]|_+")

    @cached_property
    def _counted(self) -> _Syllables:
        return _Syllables(self)

    @cached_property
    def _ranked(self) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        by_rank = np.fromfile(self.folder / "ranks.bin", dtype="<u8").astype(np.uint64)
        order = np.argsort(by_rank)
        return by_rank[order], order.astype(np.int64)


class _Syllables(dict[str, int]):
    """Syllables by word, computed once; the exceptions are included from the start."""

    def __init__(self, language: Language) -> None:
        self._count: Callable[[str], int] = import_module(f"{__name__}.{language.code}.syllables").count
        for line in (language.folder / "exceptions.txt").read_text("utf-8").splitlines():
            if line and not line.startswith("#"):
                number, *words = line.split()
                self.update(dict.fromkeys(words, int(number)))

    def __call__(self, word: str) -> int:
        if word not in self:
            parts = re.split(r"['-]", word)
            if len(parts) > 1:
                return sum(self(part) for part in parts if part) or 1
            if len(self) > 500_000:  # texts with unlimited different words must not fill the memory
                return max(1, self._count(word))
            self[word] = max(1, self._count(word))
        return self[word]


NO_SNOWBALL = "needs snowballstemmer: pip install 'plainmark[stemmers]'."


def has_snowball() -> bool:
    """Whether the stemmers are installed."""
    return find_spec("snowballstemmer") is not None


@cache
def snowball(name: str) -> Callable[[str], str]:
    """The Snowball stemmer with this name, with a cache of stems."""
    if not has_snowball():
        raise MissingResourceError(f"stemming {NO_SNOWBALL}")
    stemmer: Any = import_module("snowballstemmer").stemmer(name)
    return lru_cache(maxsize=100_000)(stemmer.stemWord)


def split_sentences(text: str, code: str) -> list[str]:
    """The sentences of a text in a language with rules, or in one that is written without spaces (UNSPACED).

    >>> split_sentences("今日は雨です。「寒い。」と彼は言った。", "ja")
    ['今日は雨です。', '「寒い。」と彼は言った。']
    """
    if code in UNSPACED:
        from .sentences import split_unspaced

        return split_unspaced(text)
    return language(code).sentences(text)


@cache
def language(code: str) -> Language:
    """The language of a code; LanguageError names the known ones, or the files that a folder lacks."""
    if code == "en" or code not in LANGUAGES:
        raise LanguageError(
            f"language {code[:40]!r}: no rules for it; expected one of {', '.join(LANGUAGES[1:])}."
        )
    return load(FOLDER / code)


def load(folder: Path) -> Language:
    """The language of a folder."""
    if missing := [piece for piece in PIECES if not (folder / piece).is_file()]:
        raise LanguageError(
            f"{folder}: lacks {', '.join(missing)}; a language has {', '.join(PIECES)}, see CONTRIBUTING.md."
        )
    try:
        rules = tomllib.loads((folder / "rules.toml").read_text("utf-8"))
    except tomllib.TOMLDecodeError as problem:
        raise LanguageError(f"{folder / 'rules.toml'}: not TOML ({problem}).") from None
    if absent := [
        key
        for key in ("name", "snowball", "abbreviations", "elided", "formulas", "numbers")
        if key not in rules
    ]:
        raise LanguageError(f"{folder / 'rules.toml'}: lacks {', '.join(absent)}.")
    return Language(folder.name, folder, rules)


def check_code(code: str) -> str:
    """A code from the user, in lower case; "de-AT" is "de". LanguageError if it is unknown."""
    short = code.strip().lower().replace("_", "-").partition("-")[0]
    if short in NAMES:
        return short
    by_name = {name.lower(): known for known, name in NAMES.items()}
    if short in by_name:
        return by_name[short]
    raise LanguageError(
        f"language {code[:40]!r}: no such code.{did_you_mean(code, by_name)} Counted in full: {', '.join(LANGUAGES)}; "
        f"known by name: {', '.join(sorted(set(NAMES) - set(LANGUAGES)))}."
    )


def english_name(code: str) -> str:
    """The name of a language in English."""
    return NAMES.get(code, code)


def formulas(code: str) -> tuple[str, ...]:
    """The readability formulas that were made for a language."""
    return tuple(language(code).rules["formulas"]) if code in LANGUAGES[1:] else ()


__all__ = [
    "COLUMNS",
    "LANGUAGES",
    "NO_SNOWBALL",
    "UNSPACED",
    "Language",
    "LanguageCode",
    "SplitCode",
    "check_code",
    "english_name",
    "formulas",
    "has_snowball",
    "language",
    "load",
    "split_sentences",
]
