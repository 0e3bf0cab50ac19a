"""The semantic structure of sentences according to UCCA, for SAMSA: graphs, their files, a parser and its scores.

>>> from plainmark import ucca
>>> (graph,) = ucca.parser()(["He ran into the park."])
>>> [[graph.words[p] for p in part.positions] for part in graph.scenes[0].participants]
[['He'], ['into', 'the', 'park']]
"""

from __future__ import annotations

from . import rendering
from .graph import CATEGORIES, Edge, Scene, SceneUnit, Terminal, UccaGraph, Unit
from .parser import Parser, missing, parser
from .passage_xml import parse_passage, read_folder, read_passage, write_passage
from .scoring import MatchCounts, ParseScores, evaluate, explicit_scenes
from .sentences import join, split

__all__ = [
    "CATEGORIES",
    "Edge",
    "MatchCounts",
    "ParseScores",
    "Parser",
    "Scene",
    "SceneUnit",
    "Terminal",
    "UccaGraph",
    "Unit",
    "evaluate",
    "explicit_scenes",
    "join",
    "missing",
    "parse_passage",
    "parser",
    "read_folder",
    "read_passage",
    "rendering",
    "split",
    "write_passage",
]
