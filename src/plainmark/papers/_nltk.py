"""What of NLTK's data papers were computed with: found on the machine, never downloaded."""

from __future__ import annotations

from pathlib import Path

from .. import punkt
from ..errors import MissingResourceError

STOP_WORDS = "corpora/stopwords/english"


def lacks_punkt() -> str:
    """What to install if Punkt's parameters are not here ("needs ..."); sentences by other rules give other figures."""
    return "" if punkt.parameters() else "needs NLTK's Punkt parameters: python -m nltk.downloader punkt_tab"


def lacks_stop_words() -> str:
    """What to install if NLTK's stop words are not here ("needs ...")."""
    return "" if _stop_word_file() else "needs NLTK's stop words: python -m nltk.downloader stopwords"


def stop_words() -> frozenset[str]:
    """NLTK's English stop words."""
    path = _stop_word_file()
    if path is None:
        raise MissingResourceError(f"stop words: {lacks_stop_words()}.")
    return frozenset(path.read_text("utf-8").split())


def _stop_word_file() -> Path | None:
    return next((path for folder in punkt.nltk_folders() if (path := folder / STOP_WORDS).is_file()), None)
