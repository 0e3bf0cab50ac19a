"""Semantic structure of sentences after UCCA, for SAMSA: graphs, their files, a parser and its scores.

>>> from plainmark import ucca
>>> (graph,) = ucca.parser()(["He ran into the park."])
>>> [[graph.words[p] for p in part.positions] for part in graph.scenes[0].participants]
[['He'], ['into', 'the', 'park']]
"""

from __future__ import annotations

from . import forms
from .graph import CATEGORIES, Edge, Graph, Part, Scene, Terminal, Unit
from .parser import Parser, missing, parser
from .scoring import Agreement, Scores, evaluate, explicit_scenes
from .sentences import join, split
from .standard import parse_passage, read_folder, read_passage, write_passage

__all__ = [
    "CATEGORIES",
    "Agreement",
    "Edge",
    "Graph",
    "Parser",
    "Part",
    "Scene",
    "Scores",
    "Terminal",
    "Unit",
    "evaluate",
    "explicit_scenes",
    "forms",
    "join",
    "missing",
    "parse_passage",
    "parser",
    "read_folder",
    "read_passage",
    "split",
    "write_passage",
]
