"""Converts text to the words that a model processes, and back to text with the input's casing and spacing.

Words are those of the Penn Treebank in lower case, with brackets written -lrb- and -rrb-. Unchanged text is copied from the
input, character by character; new words have the casing of those they replace, and the spacing of English.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Protocol

_BRACKETS = {"(": "-lrb-", ")": "-rrb-", "[": "-lsb-", "]": "-rsb-", "{": "-lcb-", "}": "-rcb-"}
_PLAIN = {word: mark for mark, word in _BRACKETS.items()}
_QUOTES = {"“": '"', "”": '"', "``": '"', "''": '"', "’": "'", "‘": "'"}
_ABBREVIATIONS = (
    "mr|mrs|ms|dr|prof|st|jr|sr|gen|col|capt|lt|sgt|rev|hon|gov|sen|rep|mt|ft|no|vs|etc|inc|ltd|co|corp|bros|"
    "jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec|approx|ca|cf|dept|est|fig|vol"
)
_WORD = re.compile(
    r"""
      (?:[^\W\d_]\.){2,}                                   # u.s., e.g.
    | (?:ABBREVIATIONS)\.(?=\s+[^\s])                                 # mr. smith, but not at the end of the text
    | \b[^\W\d_]\.(?=\s+[A-Z])                             # j. smith
    | ['’](?:s|re|ve|ll|d|m)\b
    | n['’]t\b
    | -[lr][rsc]b-                                         # brackets of text that was split before
    | ``|''|\.{2,}|--+
    | \d+(?:[.,:]\d+)*(?:st|nd|rd|th|s|%(?=\w))?(?:[-–/]\w+)*
    | [^\W_]+?(?=n['’]t\b)
    | [^\W_]+(?:(?:[-‐‑&./@_]|['’](?!(?:s|re|ve|ll|d|m)\b))[^\W_]+)*
    | \S
    """.replace("ABBREVIATIONS", _ABBREVIATIONS),
    re.VERBOSE | re.IGNORECASE,
)
_SPACED = re.compile(r"\S+")
_CLITIC = re.compile(r"(?:'(?:s|re|ve|ll|d|m)?|n't)$")
_OPENING = frozenset("([{$£€#“‘")
_CLOSING = frozenset(")]}.,;:!?%”’…")
# Words before which "a" becomes "an", by their letters; only common exceptions are listed.
_VOWEL = re.compile(r"[aeiou]|hour|honest|honou?r|heir", re.IGNORECASE)
_CONSONANT = re.compile(r"(?:uni(?!n|m)|use|usu|uti|eu|one\b|once|ubiq|ura|uk\b|us\b)", re.IGNORECASE)


@dataclass(frozen=True)
class SplitText:
    """A text, its words in the form that the model knows, and their offsets."""

    text: str
    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]


def split(text: str) -> SplitText:
    """The words of a text.

    >>> split("It isn't (yet) 1,000 km.").words
    ('it', 'is', "n't", '-lrb-', 'yet', '-rrb-', '1,000', 'km', '.')
    """
    return _split_by(_WORD, text)


def split_at_spaces(text: str) -> SplitText:
    """The words of a text that is already tokenised: the pieces between spaces."""
    return _split_by(_SPACED, text)


def _split_by(pattern: re.Pattern[str], text: str) -> SplitText:
    spans = [m.span() for m in pattern.finditer(text)]
    words = tuple([_model_word(text[a:b]) for a, b in spans])
    return SplitText(text, words, tuple([a for a, _ in spans]), tuple([b for _, b in spans]))


@lru_cache(1 << 16)
def _model_word(word: str) -> str:
    lower = word.lower()
    lower = _BRACKETS.get(lower, lower)
    return _QUOTES.get(lower, lower.replace("’", "'"))


class Replacement(Protocol):
    """Words start..end of the source become the words of `target`."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def target(self) -> str: ...


@dataclass(frozen=True)
class OutputPiece:
    """Source words start..end become these words; equal words mean no change."""

    start: int
    end: int
    words: tuple[str, ...]
    places: tuple[int, ...] = ()  # for moved words: the index of the source word of each, or -1
    names: frozenset[int] = frozenset()  # source words that keep their capital wherever they are moved


def pieces_of(source: SplitText, rewrites: Sequence[Replacement]) -> list[OutputPiece]:
    """The source with some of its words replaced, from left to right."""
    pieces: list[OutputPiece] = []
    at = 0
    for r in rewrites:
        pieces += [OutputPiece(i, i + 1, source.words[i : i + 1]) for i in range(at, r.start)]
        pieces.append(OutputPiece(r.start, r.end, tuple(r.target.split())))
        at = r.end
    return pieces + [OutputPiece(i, i + 1, source.words[i : i + 1]) for i in range(at, len(source.words))]


def join(source: SplitText, pieces: Sequence[OutputPiece], *, tokenized: bool = False) -> str:
    """The text after rewriting: pieces cover the source words in order."""
    if tokenized:
        return _joined_at_spaces(source, pieces)
    parts: list[tuple[str, str]] = []  # each word and the space before it
    removed = False
    for piece in pieces:
        old = source.words[piece.start : piece.end]
        if piece.words == old:
            for i in range(piece.start, piece.end):
                gap = source.text[source.ends[i - 1] if i else 0 : source.starts[i]]
                parts.append((source.text[source.starts[i] : source.ends[i]], gap))
                if (
                    removed
                ):  # after a deletion, the space before this word is the one before the deleted words
                    parts[-1] = (parts[-1][0], _space(parts[-2][0] if len(parts) > 1 else "", parts[-1][0]))
                    removed = False
            continue
        for k, word in enumerate(_cased(source, piece)):
            before = source.text[
                source.ends[piece.start - 1] if piece.start else 0 : source.starts[piece.start]
            ]
            joined = _CLITIC.match(old[0]) is not None or old[0] in _CLOSING
            copied = (
                k == 0 and not removed and not joined and not _CLITIC.match(word) and word not in _CLOSING
            )
            if k and piece.places and piece.places[k] == piece.places[k - 1] + 1 > 0:
                i = piece.places[k]  # these two were adjacent before
                parts.append((word, source.text[source.ends[i - 1] : source.starts[i]]))
                continue
            parts.append((word, before if copied else _space(parts[-1][0] if parts else "", word)))
        removed = not piece.words
    tail = source.text[source.ends[-1] :] if source.ends else source.text
    text = "".join(space + word for word, space in _with_articles(source, parts)) + tail
    return _with_capital(text, source)


def _joined_at_spaces(source: SplitText, pieces: Sequence[OutputPiece]) -> str:
    out: list[str] = []
    for piece in pieces:
        if piece.words == source.words[piece.start : piece.end]:
            out.extend(source.text[source.starts[i] : source.ends[i]] for i in range(piece.start, piece.end))
        else:
            out.extend(_moved(source, piece, piece.words))
    parts = [(word, " " if k else "") for k, word in enumerate(out)]
    return "".join(space + word for word, space in _with_articles(source, parts))


def _cased(source: SplitText, piece: OutputPiece) -> list[str]:
    """The new words: words of the source keep their spelling, and the first one gets the capital of the replaced word."""
    spelled = {
        source.words[i]: source.text[source.starts[i] : source.ends[i]] for i in range(piece.start, piece.end)
    }
    words = _moved(source, piece, [spelled.get(w, _PLAIN.get(w, w)) for w in piece.words])
    first = source.text[source.starts[piece.start] : source.ends[piece.start]]
    named = piece.start > 0 and piece.start in piece.names  # its capital is its own
    opens = first[:1].isupper() and _opens(source, piece.start) and not named
    if words and opens and (piece.words[0] not in spelled or words[0].islower()):
        words[0] = words[0][:1].upper() + words[0][1:]
    return words


def _moved(source: SplitText, piece: OutputPiece, words: Sequence[str]) -> list[str]:
    """Moved words in the source's spelling; a word that no longer begins the sentence loses its capital."""
    out = list(words)
    opener = source.words[piece.start] if _opens(source, piece.start) else None
    for k, i in enumerate(piece.places):
        if i >= 0:
            out[k] = source.text[source.starts[i] : source.ends[i]]
        opened = piece.words[k] == opener and piece.start not in piece.names
        if k and opened and i in (-1, piece.start) and (len(out[k]) == 1 or out[k][1:].islower()):
            out[k] = out[k].lower()
    return out


def _opens(source: SplitText, i: int) -> bool:
    return i == 0 or source.words[i - 1] in (".", "!", "?", '"', ":")


def _space(before: str, word: str) -> str:
    glued = not before or before[-1] in _OPENING or word in _CLOSING or _CLITIC.match(word) is not None
    return "" if glued else " "


def _with_articles(source: SplitText, parts: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Words and the spaces before them, in which a/an agrees with a word that was inserted after it."""
    known = set(zip(source.words, source.words[1:], strict=False))
    out = list(parts)
    for i, ((article, space), (following, _)) in enumerate(pairwise(parts)):
        lower = article.lower()
        after = following.lower()
        if (
            lower not in ("a", "an")
            or after in ("a", "an")
            or (lower, after) in known
            or not after[:1].isalpha()
        ):
            continue
        vowel = _VOWEL.match(following) is not None and _CONSONANT.match(following) is None
        right = "an" if vowel else "a"
        if right != lower:
            out[i] = (article[:1] + right[1:], space)
    return out


def _with_capital(text: str, source: SplitText) -> str:
    """The text beginning with a capital if the input did."""
    letters = [c for c in source.text if c.isalpha()]
    if not letters or not letters[0].isupper():
        return text
    for i, c in enumerate(text):
        if c.isalpha():
            return text[:i] + c.upper() + text[i + 1 :]
    return text
