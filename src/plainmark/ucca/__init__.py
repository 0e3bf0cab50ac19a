"""Semantic structure of sentences after UCCA, for SAMSA: graphs, their files, a parser and its scores."""

from __future__ import annotations

from .graph import CATEGORIES, Edge, Graph, Part, Scene, Terminal, Unit
from .sentences import split
from .standard import parse_passage, read_passage, write_passage

__all__ = [
    "CATEGORIES",
    "Edge",
    "Graph",
    "Part",
    "Scene",
    "Terminal",
    "Unit",
    "parse_passage",
    "read_passage",
    "split",
    "write_passage",
]
