"""Whether a text is English."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable

from ..errors import OtherLanguageWarning
from . import is_known

_SAMPLE = 20_000  # characters that tell the language of a text
_WORDS = re.compile(r"[^\W\d_]+")
_ENGLISH = frozenset(
    "the of and to in is are was were for with that this by from it as be have has not or an at on".split()
)
_FOREIGN = frozenset(
    "le la les des et est dans pour une que qui du au ne pas sur avec sont der das und ist nicht ein eine dem von zu mit auf "
    "im für el los las del por con para una y es se su il che di è un gli della het een en van niet zijn och att det som på "
    "av og til er ikke os um não uma com".split()
)


def looks_english(text: str) -> bool:
    """Whether a text is English: by its short words, and by how many of its words are known; two words tell nothing.

    >>> looks_english("The owls hunt at night."), looks_english("Die Eulen jagen in der Nacht."), looks_english("")
    (True, False, True)
    """
    found = _WORDS.findall(text[:_SAMPLE])
    words = [w.lower() for w in found]
    if len(words) < 3:
        return all(w.isascii() for w in words)
    english, foreign = (sum(w in short for w in words) for short in (_ENGLISH, _FOREIGN))
    capital = [False, *(w[0].isupper() and not w.isupper() for w in found), False]
    # Names of several words tell nothing.
    told = [w for k, w in enumerate(words, 1) if not (capital[k] and (capital[k - 1] or capital[k + 1]))]
    known = sum(w in _ENGLISH or is_known(w) for w in told)
    return known >= 0.4 * len(told) and foreign <= max(english, 0.05 * len(words))


def warn_unless_english(texts: Iterable[str], name: str) -> None:
    """Warn about texts that do not look like English: what `name` says of them means little."""
    foreign = [text for text in dict.fromkeys(texts) if not looks_english(text)]
    if foreign:
        warnings.warn(
            f"{name} knows English only, and {len(foreign)} of the texts do not look like English "
            f"({foreign[0][:40]!r}); its values for them mean little.",
            OtherLanguageWarning,
            stacklevel=3,
        )
