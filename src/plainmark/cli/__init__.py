"""The command line: one module per verb, imported only when it is used."""

from ._main import main, parser_for, verbs

__all__ = ["main", "parser_for", "verbs"]
