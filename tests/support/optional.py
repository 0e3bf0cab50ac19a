"""Packages that only some tests of a file need, and that the core test run does without."""

from importlib import import_module
from types import ModuleType


def optional(name: str) -> ModuleType | None:
    """A module, or None if its package is not installed; tests that use it carry the marker `torch`."""
    try:
        return import_module(name)
    except ModuleNotFoundError:
        return None


torch = optional("torch")
transformers = optional("transformers")
