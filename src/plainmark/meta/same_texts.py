"""Outputs of a data set identified by their texts, for tables that have texts but no ids.

Only Latin letters and digits of texts are compared, because releases of the same texts differ in tokens, brackets, case and
damaged characters. A text that equals no output of its source is matched with an output that is nearly equal, if there is
one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher

from ..data import Corpus
from .scores import Cell

NEARLY_EQUAL = 0.98  # twice the number of common letters, divided by the number of all letters
_BRACKET = re.compile(r"-[lr][rsc]b-")  # brackets as written in treebanks
_OTHER = re.compile("[^a-z0-9]+")


class OutputsByText:
    """The outputs of corpora, indexed by the letters of their sources and outputs."""

    def __init__(self, corpora: Mapping[str, Corpus]) -> None:
        self._sources: dict[str, dict[str, list[Cell]]] = {}
        for system, corpus in corpora.items():
            for sample in corpus:
                outputs = self._sources.setdefault(_letters(sample.source), {})
                outputs.setdefault(_letters(sample.output), []).append((system, sample.id))

    def find(self, source: str, output: str) -> list[Cell]:
        """The outputs with these texts; none if there are no such texts."""
        known = _nearest(_letters(source), self._sources)
        if known is None:
            return []
        outputs = self._sources[known]
        same = _nearest(_letters(output), outputs)
        return [] if same is None else outputs[same]


def _letters(text: str) -> str:
    lower = text.lower()
    return _OTHER.sub("", _BRACKET.sub("", lower)) or re.sub(r"\W", "", text.casefold())


def _nearest(text: str, known: Mapping[str, object]) -> str | None:
    """The text itself if it is known, else the most similar one that is nearly equal."""
    if text in known:
        return text
    best = max(_similar(text, known), default=None)
    return None if best is None else best[1]


def _similar(text: str, known: Iterable[str]) -> Iterable[tuple[float, str]]:
    for other in known:
        matcher = SequenceMatcher(None, text, other, autojunk=False)
        # Two cheap upper bounds are checked first.
        if min(matcher.real_quick_ratio(), matcher.quick_ratio()) >= NEARLY_EQUAL:
            ratio = matcher.ratio()
            if ratio >= NEARLY_EQUAL:
                yield ratio, other
