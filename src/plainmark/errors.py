"""Errors and warnings; every message says what was found, what was expected and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class PlainmarkError(Exception):
    """Base of all errors that a user can fix; the command line prints one line and exits with 2."""


class InputError(PlainmarkError):
    """A file or a list has the wrong shape, encoding or content."""


class OptionError(PlainmarkError):
    """An option does not exist or has a value that is not allowed."""


class UnknownNameError(PlainmarkError):
    """No metric, aligner, ... of that name is registered."""


class NeedsError(PlainmarkError):
    """A metric needs sources or references that the corpus does not have."""


class LanguageError(PlainmarkError):
    """A metric is not for the language of the texts, or the language is unknown."""


class MissingResourceError(PlainmarkError):
    """An optional package or a file outside the package is needed; the message says how to get it."""


class ModelMismatchError(PlainmarkError):
    """A model's file is not the one that its name stands for."""


class EngineError(PlainmarkError):
    """Worker processes ended, or a cluster was lost, more often than the limit for retries."""


class DefinitionError(InputError):
    """A study's definition or its items are invalid; the message gives the line and the key."""


class StoreError(PlainmarkError):
    """A study's database cannot carry out a request."""


class StoreUnavailableError(StoreError):
    """The database was unavailable for longer than the store waits; nothing was acknowledged."""


class StoreFullError(StoreError):
    """The disk of the database is full; nothing was acknowledged."""


class StoreInUseError(StoreError):
    """Another server already works on this database file."""


class RevisionError(StoreError):
    """The definition changed after participants had answered."""


class TruncationWarning(UserWarning):
    """Texts were longer than a model accepts, and were truncated."""


class OtherLanguageWarning(UserWarning):
    """Text does not seem to be in the language that a model was trained on."""


class EmptyGrammarWarning(UserWarning):
    """A simplifier has no rules, so that it changes nothing."""


class PluginWarning(UserWarning):
    """Another package's metric, aligner, ... cannot be loaded; it is left out."""


class IncompleteSystemWarning(UserWarning):
    """A system of a data set was left out, because it has no output for some samples."""


class UndefinedWarning(UserWarning):
    """Some samples have no score; the message says how many, and why for the first."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint such as " Did you mean 'sari'?", or nothing."""
    names = {name.lower(): name for name in known}
    close = get_close_matches(word[:80].lower(), names, n=1, cutoff=0.6)
    return f" Did you mean {names[close[0]]!r}?" if close else ""
