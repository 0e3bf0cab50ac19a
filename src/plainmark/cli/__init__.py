"""The command line: one module per verb, imported only when it is used."""

from ._main import is_group, main, parser_for, verbs

__all__ = ["is_group", "main", "parser_for", "verbs"]
