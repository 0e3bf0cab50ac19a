"""Sentences of a text: Punkt with a small embedded set of parameters, or with NLTK's English ones on request.

A full stop ends a sentence unless the word before it is an abbreviation, an initial or a number and the text
after it does not look like the beginning of a sentence; "?" and "!" always end one, and closing quotes and
brackets belong to the sentence that they close.
Reference: Kiss & Strunk 2006, Unsupervised Multilingual Sentence Boundary Detection, Computational Linguistics 32.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from .errors import InputError, MissingResourceError

# In which positions and cases a word was seen: the flags of NLTK's ortho_context.tab.
_INNER_UPPER = 4
_FIRST_LOWER = 16
_ANY_UPPER = 2 | 4 | 8
_ANY_LOWER = 16 | 32 | 64

# Punkt's words end before white space, a mark, a run of hyphens or stops, and a comma that one of these follows.
_MARK = r"""[?!)"';}\]*:@({\[]"""
_RUN = r"-{2,}|\.{2,}|(?:\.\s){2,}\."
_END = rf"\s|$|{_MARK}|{_RUN}"
_WORD = re.compile(rf"""{_RUN}|[^\s("`{{\[:;&#*@)}}\]\-,]\S*?(?={_END}|,(?:{_END}))|\S""")
_NUMBER = re.compile(r"-?[.,]?\d[\d,.-]*\.?")
_INITIAL = re.compile(r"[^\W\d]\.")
_CANDIDATE = re.compile(rf"[.?!](?=({_MARK}|\s+(\S+)))")
_CLOSING = re.compile(r"""["')\]}]+?(?:\s+|(?=--)|$)""", re.MULTILINE)
_OTHER_SPACE = re.compile(r"[\t\n\r\x0b\x0c]")


@dataclass(frozen=True, eq=False)
class Punkt:
    """The parameters of Punkt's decisions; words are in lower case, numbers are "##number##"."""

    name: str
    abbreviations: frozenset[str]
    collocations: frozenset[tuple[str, str]]
    starters: frozenset[str]
    contexts: Mapping[str, int] = field(repr=False)

    @classmethod
    def read(cls, folder: Path) -> Punkt:
        """The parameters in a folder of NLTK's layout (punkt_tab/english)."""

        def rows(name: str) -> list[str]:
            return (folder / name).read_text("utf-8").removesuffix("\n").split("\n")

        try:
            contexts = (line.split("\t") for line in rows("ortho_context.tab"))
            collocations = (line.split("\t") for line in rows("collocations.tab"))
            return cls(
                "punkt",
                frozenset(rows("abbrev_types.txt")),
                frozenset((first, second) for first, second in collocations),
                frozenset(rows("sent_starters.txt")),
                {word: int(flags) for word, flags in contexts},
            )
        except (OSError, ValueError) as problem:
            raise InputError(
                f"{folder}: cannot read the Punkt parameters ({problem}); install NLTK's punkt_tab again."
            ) from None

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Start and end of each sentence."""
        pieces = self._pieces(text)
        spans = []
        shift = 0
        for i, (start, end) in enumerate(pieces):
            start += shift
            shift = 0
            if i + 1 < len(pieces):
                following, limit = pieces[i + 1]
                if closing := _CLOSING.match(text, following, limit):
                    shift = closing.end() - following
                    spans.append((start, following + len(closing.group().rstrip())))
                    continue
            if start < end:
                spans.append((start, end))
        return spans

    def _pieces(self, text: str) -> list[tuple[int, int]]:
        """Sentences before closing quotes and brackets are moved to the sentence that they close."""
        pieces = []
        start = 0
        for word, match in _candidates(text):
            if self._breaks(text, word, match):
                pieces.append((start, match.end()))
                start = match.start(2) if match[2] else match.end()
        return [*pieces, (start, len(text.rstrip()))]

    def _breaks(self, text: str, start: int, match: re.Match[str]) -> bool:
        """Whether there is a sentence end in the words from `start` to the one after the stop."""
        if match[0] != ".":
            return True
        if match[2] and text[start : match.start()].isalnum():
            words = [text[start : match.end()], *_words(match[2])]
        else:
            words = _words(text[start : match.end(1)])
        return any(map(self.separates, words, words[1:]))

    def abbreviates(self, word: str) -> bool:
        """Whether a word in lower case, its last full stop removed, is an abbreviation."""
        return word in self.abbreviations or word.rpartition("-")[2] in self.abbreviations

    def separates(self, word: str, following: str) -> bool:
        """Whether a sentence ends between two neighbouring words."""
        if word[-1] != ".":
            return word in ("?", "!")
        if word.endswith(".."):
            shortened, ending = not word.strip("."), False
        else:
            ending = self._ends_alone(word)
            shortened = not ending
        kind = _without_stop(_kind(word))
        next_kind = _kind(following)
        if self._ends_alone(following):
            next_kind = _without_stop(next_kind)
        if (kind, next_kind) in self.collocations:
            return False
        initial = _INITIAL.fullmatch(word) is not None
        if not initial and not shortened and kind != "##number##":
            return ending
        begins = self._begins(following, next_kind)
        if shortened and not initial and (begins or (following[0].isupper() and next_kind in self.starters)):
            return True
        if initial or kind == "##number##":
            if begins is False:
                return False
            if begins is None and initial and following[0].isupper():
                return ending and self.contexts.get(next_kind, 0) & _ANY_LOWER != 0
        return ending

    def _ends_alone(self, word: str) -> bool:
        """Whether a word ends a sentence, as far as this can be decided without the next word."""
        if word[-1] != "." or len(word) == 1:
            return word in (".", "?", "!")
        return word[-2] != "." and not self.abbreviates(word[:-1].lower())

    def _begins(self, word: str, kind: str) -> bool | None:
        """Whether a word begins a sentence, by its case and the cases it was seen in; None if these do not decide it."""
        if word in (";", ":", ",", ".", "!", "?"):
            return False
        seen = self.contexts.get(kind, 0)
        if word[0].isupper() and seen & _ANY_LOWER and not seen & _INNER_UPPER:
            return True
        if word[0].islower() and (seen & _ANY_UPPER or not seen & _FIRST_LOWER):
            return False
        return None


def _kind(word: str) -> str:
    return "##number##" if _NUMBER.fullmatch(word) else word.lower()


def _without_stop(kind: str) -> str:
    return kind[:-1] if len(kind) > 1 and kind[-1] == "." else kind


def _words(text: str) -> list[str]:
    if text.isalnum():
        return [text]
    return [word for line in text.split("\n") for word in _WORD.findall(line)]


def _candidates(text: str) -> Iterator[tuple[int, re.Match[str]]]:
    """Each stop that may end a sentence, with the start of the word that it ends.

    Of several stops in one word the last one counts, unless the word begins with a stop.
    """
    held: re.Match[str] | None = None
    start = stop = 0
    for match in _CANDIDATE.finditer(text):
        position = match.start()
        space = _last_space(text, stop + 1, position)
        if held and (space >= 0 or start == stop):
            yield start, held
        if space >= 0:
            start = space + 1
        held, stop = match, position
    if held:
        yield start, held


def _last_space(text: str, start: int, end: int) -> int:
    """The last ASCII white space in text[start:end], or -1."""
    last = text.rfind(" ", start, end)
    for match in _OTHER_SPACE.finditer(text, max(last, start), end):
        last = match.start()
    return last


@dataclass(frozen=True, eq=False)
class _Plain(Punkt):
    """Punkt's decisions with the embedded words, with support for curly quotes, "…" and numbered lists."""

    def spans(self, text: str) -> list[tuple[int, int]]:
        spans: list[tuple[int, int]] = []
        joined = False
        ended = 0
        for start, end in super().spans(text if text.isascii() else text.translate(_STRAIGHT)):
            start = end - len(text[start:end].lstrip())
            opens_line = not spans or "\n" in text[ended:start]
            if joined or (text[start].islower() and _GOES_ON.search(text, max(ended - 2, 0), ended)):
                start = spans.pop()[0]
            spans.append((start, end))
            joined = opens_line and _ENUMERATOR.fullmatch(text, start, end) is not None
            ended = end
        return spans

    def abbreviates(self, word: str) -> bool:
        return super().abbreviates(word) or _DOTTED.fullmatch(word) is not None


# Each character is replaced by one character, so that offsets stay valid.
_STRAIGHT = str.maketrans("”»’…", '""\'.')
_ENUMERATOR = re.compile(r"\(?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{2,4})\.")
# After these a small letter continues the sentence: "Why?" he asked.
_GOES_ON = re.compile(r"""…$|[?!…]["'”’»]$""")
_DOTTED = re.compile(r"[^\W\d](?:\.[^\W\d])+")

_ABBREVIATIONS = """
    mr mrs ms mx messrs dr drs prof rev revd hon fr sr jr st mt ft gen col lt capt cpt cmdr cdr sgt maj adm gov sen
    rep reps pres supt insp det atty asst assoc dept univ inst
    jan feb apr jun jul aug sep sept oct nov dec tue tues thu thur thurs fri
    ave blvd rd hwy sq
    co corp inc ltd bros plc llc cie mfg intl natl govt
    al approx cf ed eds esp est etc ibid incl resp viz vs v e.g i.e eg ie op.cit
    ph.d m.sc b.sc d.phil m.phil ll.b ll.m
    ala ariz calif colo conn fla ga kan ky mich minn mont neb nev okla ore penn tenn tex va vt wash wis wyo
    yr yrs hr hrs lb lbs oz tbsp tsp sp spp subsp
"""
# Abbreviations only before a number: "no. 5", but "He said no."
_BEFORE_NUMBERS = (
    "no nos fig figs eq eqs eqn vol vols p pp pg ch chap sec art tab ref refs ver para ser pt ca b c d r"
)
_BEGINNINGS = """
    a about above according additionally after afterwards again all almost along already also although among an and
    another any are as at because before both but by can could despite did do does due during each either even every
    everyone few finally first following for from furthermore had has have he hence her here his how however i if in
    indeed instead is it its later like many meanwhile more moreover most much my neither nevertheless no nobody none
    nonetheless nor not nothing now of often on once one only or other others our over people perhaps rather results
    second several she should similarly since so some somebody someone something sometimes still such than that the
    their them then there therefore these they this those though three through thus to today together two under unlike
    until up was we were what when where whereas whether which while who whose why will with within without would yet
    you your
"""


PLAIN: Punkt = _Plain(
    "plain",
    frozenset(_ABBREVIATIONS.split()),
    frozenset((word, "##number##") for word in _BEFORE_NUMBERS.split()),
    frozenset(),
    dict.fromkeys(_BEGINNINGS.split(), _ANY_LOWER & ~_FIRST_LOWER),
)


def nltk_folders() -> list[Path]:
    """Folders that may have NLTK data on this machine; they are read, never downloaded."""
    folders = [Path(part) for part in os.environ.get("NLTK_DATA", "").split(os.pathsep) if part]
    if own := os.environ.get("PLAINMARK_DATA"):  # beside the data sets
        folders.append(Path(own) / "nltk_data")
    with suppress(RuntimeError):  # some containers have no home
        folders.append(Path.home() / "nltk_data")
    usual = ("/usr/share/nltk_data", "/usr/local/share/nltk_data", f"{sys.prefix}/nltk_data")
    return [*folders, *map(Path, usual)]


@cache
def parameters() -> Punkt | None:
    """NLTK's English parameters if they are on this machine; the search is done once."""
    for folder in nltk_folders():
        if (english := folder / "tokenizers" / "punkt_tab" / "english").is_dir():
            return Punkt.read(english)
    return None


def missing() -> str:
    """How to install NLTK's parameters if they are not on this machine ("needs ..."); else empty."""
    return "" if parameters() else "needs NLTK's Punkt parameters: python -m nltk.downloader punkt_tab"


def nltk() -> Punkt:
    """NLTK's English parameters; MissingResourceError if this machine lacks them."""
    if (loaded := parameters()) is None:
        raise MissingResourceError(f"punkt {missing()}.")
    return loaded


def split_sentences(text: str, parameters: Punkt = PLAIN) -> list[str]:
    """The sentences of a text, by the embedded parameters unless others are given: the same on every machine."""
    return [text[start:end] for start, end in parameters.spans(text)]
