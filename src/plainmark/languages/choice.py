"""The language of texts to be scored: the given one, that of the corpus, or the detected one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ..data import Corpus, Side
from ..errors import LanguageError
from .detection import UNKNOWN, Detected, detect
from .names import NAMES

TEXTS = 100  # texts of a corpus that are used for detection


@dataclass(frozen=True)
class Choice:
    """A language and how it was chosen; the code is empty if nothing determines it."""

    code: str = ""
    origin: Literal["given", "corpus", "detected", ""] = ""
    detected: Detected = UNKNOWN

    @property
    def subject(self) -> str:
        """The subject of error messages: "this looks German (99 %)"."""
        if self.origin == "detected":
            return f"this looks {self.detected.phrase}"
        return f"the texts are {NAMES.get(self.code, self.code)}"

    @property
    def note(self) -> str:
        """The notice about a language other than English: "language: German (detected, 99 %)"."""
        if self.code in ("", "en"):
            return ""
        if self.origin == "detected":
            return f"language: {self.detected.phrase.replace('(', '(detected, ')}"
        return f"language: {NAMES.get(self.code, self.code)} ({'given' if self.origin == 'given' else 'of the data set'})"


def choose(corpora: Sequence[Corpus], given: str = "", side: Side = "output") -> Choice:
    """The language of one side of these corpora; empty if systems seem to be in different languages."""
    if given:
        return Choice(given, "given")
    if code := next((corpus.language for corpus in corpora if corpus.language), ""):
        return Choice(code, "corpus")
    detections = [detected for corpus in corpora if (detected := detect_corpus(corpus, side)).sure]
    if detections and len({detected.code for detected in detections}) == 1:
        return Choice(detections[0].code, "detected", detections[0])
    return Choice()


def require_english(what: str, texts: Sequence[str], given: str = "") -> None:
    """Raise LanguageError if texts are clearly, or are said to be, in another language; `what` is for English only."""
    choice = choose([Corpus(None, list(texts))], given)
    if choice.code not in ("", "en"):
        insist = " Use --language en to insist." if choice.origin == "detected" else ""
        raise LanguageError(f"{what} for English; {choice.subject}.{insist}")


def detect_corpus(corpus: Corpus, side: Side = "output") -> Detected:
    """The language of one side of a corpus, by its first texts."""
    return corpus.remember(side, "language", lambda: detect("\n".join(corpus.texts(side)[:TEXTS])))
