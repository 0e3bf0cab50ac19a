"""Whether a text is English: decided by the language detector if it is certain, else by the words of the text."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ..errors import OtherLanguageWarning
from ..languages.detection import UNKNOWN, Detected, detect
from . import is_known

_SAMPLE = 20_000  # characters used for detection
_PLAIN = 0.2  # share of short English words that is sufficient on its own
_WORDS = re.compile(r"[^\W\d_]+")
_ENGLISH = frozenset(
    "the of and to in is are was were for with that this by from it as be have has not or an at on".split()
)
_FOREIGN = frozenset(
    "le la les des et est dans pour une que qui du au ne pas sur avec sont der das und ist nicht ein eine dem von zu mit auf "
    "im für el los las del por con para una y es se su il che di è un gli della het een en van niet zijn och att det som på "
    "av og til er ikke os um não uma com".split()
)
_INSISTED: ContextVar[bool] = ContextVar("insisted", default=False)


@contextmanager
def insisting_on_english() -> Iterator[None]:
    """A context in which every text counts as English, because the user said so."""
    before = _INSISTED.set(True)
    try:
        yield
    finally:
        _INSISTED.reset(before)


def looks_english(text: str) -> bool:
    """Whether a text is English, or said to be; two words are not enough to decide.

    >>> looks_english("The owls hunt at night."), looks_english("Die Eulen jagen in der Nacht."), looks_english("")
    (True, False, True)
    """
    if _INSISTED.get():
        return True
    matches = _WORDS.findall(text[:_SAMPLE])
    words = [w.lower() for w in matches]
    if len(words) < 3:
        return all(w.isascii() for w in words)
    english, foreign = (sum(w in short for w in words) for short in (_ENGLISH, _FOREIGN))
    if not foreign and english > _PLAIN * len(words):
        return True
    if (detected := detect(text)).sure:
        return detected.code == "en"
    capital = [False, *(w[0].isupper() and not w.isupper() for w in matches), False]
    # Names of several words are no evidence.
    told = [w for k, w in enumerate(words, 1) if not (capital[k] and (capital[k - 1] or capital[k + 1]))]
    known = sum(w in _ENGLISH or is_known(w) for w in told)
    return known >= 0.4 * len(told) and foreign <= max(english, 0.05 * len(words))


def other_language(text: str) -> Detected | None:
    """The language of a text that does not look English (UNKNOWN if it is unclear); None if it looks English."""
    if looks_english(text):
        return None
    detected = detect(text)
    return detected if detected.sure and detected.code != "en" else UNKNOWN


def looks(text: str) -> str:
    """A description of a text that does not look English, for messages: "looks German (99 %)"."""
    detected = other_language(text) or UNKNOWN
    return f"looks {detected.phrase}" if detected.code else "does not look like English"


def warn_unless_english(texts: Iterable[str], name: str) -> None:
    """Warn about texts that do not look English: the values of `name` for them mean little."""
    foreign = [text for text in dict.fromkeys(texts) if not looks_english(text)]
    if foreign:
        warnings.warn(
            f"{name} knows English only, and {len(foreign)} of the texts do not look like English "
            f"({foreign[0][:40]!r}); its values for them mean little.",
            OtherLanguageWarning,
            stacklevel=3,
        )
