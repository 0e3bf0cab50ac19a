"""Documents: which sentences of source, output and reference belong together.

A graph joins a source sentence with the output and reference sentences that an aligner finds more similar than a
threshold; its connected components are the groups that metrics score one by one (metrics/agg.py) and that reports show.
Reference: Agg, document-level simplification metrics by aggregation; Jiang et al. 2020 for the aligner it used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from .aligners import Aligner, Floats, aligner
from .punkt import PLAIN, Punkt

Protocol = Literal["paper", "released"]
Restriction = Literal["none", "best-source", "best-output"]
Ablation = Literal["none", "best-source", "best-output"]
Change = Literal["kept", "rewritten", "split", "merged", "regrouped", "perhaps rewritten", "deleted", "added"]
_MOST_CANDIDATES = 3


@dataclass(frozen=True)
class Group:
    """Sentences that are aligned with each other, as indices into source, output and reference."""

    source: tuple[int, ...]
    output: tuple[int, ...]
    reference: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class SentenceGraph:
    """Sentences of a source, an output and perhaps a reference, with their similarities to those of the source."""

    source: tuple[str, ...]
    output: tuple[str, ...]
    reference: tuple[str, ...]
    to_output: Floats  # (source, output)
    to_reference: Floats  # (source, reference)
    doubtful: float = np.inf  # lowest similarity at which a sentence without a partner may still have one

    def groups(
        self, *, threshold: float = 0.5, protocol: Protocol = "paper", restriction: Restriction = "none"
    ) -> list[Group]:
        """The connected components, in the order of the texts.

        Protocol "paper" returns every component; "released" follows the published program, which joins
        consecutive lone sentences of a side and drops groups that have reference sentences only.
        """
        m, n = len(self.source), len(self.output)
        links = [
            *_links(self.to_output, threshold, restriction, m),
            *_links(self.to_reference, threshold, restriction, m + n),
        ]
        components = _components(m + n + len(self.reference), links)
        if protocol == "released":
            components = _join_lone(components, [0, m, m + n, m + n + len(self.reference)])
        groups = [
            Group(
                tuple(i for i in c if i < m),
                tuple(i - m for i in c if m <= i < m + n),
                tuple(i - m - n for i in c if i >= m + n),
            )
            for c in components
        ]
        return [g for g in groups if protocol == "paper" or g.source or g.output]

    def units(self, ablation: Ablation) -> list[Group]:
        """One group per source sentence with its best output sentence, or per output sentence with its best
        source sentence.

        The reference sentence is the best for the source sentence. There is neither a threshold nor a graph,
        so a sentence may be in several groups or in none. If a text has no sentence, everything is one group.
        """
        m, n, r = len(self.source), len(self.output), len(self.reference)
        if not m or not n:
            return [Group(tuple(range(m)), tuple(range(n)), tuple(range(r)))] if m or n or r else []
        if ablation == "best-output":
            pairs = list(enumerate(self.to_output.argmax(axis=1).tolist()))
        else:
            pairs = [(i, j) for j, i in enumerate(self.to_output.argmax(axis=0).tolist())]
        best = self.to_reference.argmax(axis=1) if r else None
        return [Group((i,), (j,), () if best is None else (int(best[i]),)) for i, j in pairs]

    def texts(self, group: Group) -> tuple[str, str, str]:
        """The group's sentences of source, output and reference, joined."""
        return (
            " ".join(self.source[i] for i in group.source),
            " ".join(self.output[i] for i in group.output),
            " ".join(self.reference[i] for i in group.reference),
        )

    def change(self, group: Group) -> Change:
        """What became of the source sentences of a group in the output."""
        before, after = len(group.source), len(group.output)
        if not before or not after:
            return "perhaps rewritten" if self.candidates(group) else "added" if after else "deleted"
        if before == after == 1:
            same = self.source[group.source[0]] == self.output[group.output[0]]
            return "kept" if same else "rewritten"
        return "split" if before == 1 else "merged" if after == 1 else "regrouped"

    def candidates(self, group: Group) -> tuple[int, ...]:
        """For each sentence without a partner, the sentences of the other text that may say the same, the
        likeliest first.
        """
        if bool(group.source) == bool(group.output):
            return ()
        rows = self.to_output[list(group.source)] if group.source else self.to_output.T[list(group.output)]
        best = rows.max(axis=0, initial=0.0)
        likely = np.flatnonzero(best >= self.doubtful)
        return tuple(likely[np.argsort(-best[likely], kind="stable")][:_MOST_CANDIDATES].tolist())

    def moved(self, groups: Sequence[Group]) -> list[bool]:
        """Whether each group has another place in the output than in the source, that is, is not in the
        longest run in order.
        """
        both = [i for i, g in enumerate(groups) if g.source and g.output]
        places = [groups[i].output[0] for i in sorted(both, key=lambda i: groups[i].source[0])]
        in_order = _longest_increasing(places)
        return [bool(g.source and g.output) and g.output[0] not in in_order for g in groups]


def sentences(text: str, *, lines: bool = True, splitter: Punkt = PLAIN) -> tuple[str, ...]:
    """The sentences of a document; with `lines`, a line end is also the end of a sentence."""
    shown = text if lines else text.replace("\n", " ")
    return tuple(shown[start:end] for start, end in sentence_spans(text, lines=lines, splitter=splitter))


def sentence_spans(text: str, *, lines: bool = True, splitter: Punkt = PLAIN) -> list[tuple[int, int]]:
    """Start and end of each sentence of a document."""
    spans = []
    offset = 0
    for part in text.split("\n") if lines else [text.replace("\n", " ")]:
        spans += [(offset + a, offset + b) for a, b in splitter.spans(part) if part[a:b].strip()]
        offset += len(part) + 1
    return spans


def align(
    source: str, output: str, references: str | Sequence[str] = (), *, by: str | Aligner = "context"
) -> list[SentenceGraph]:
    """The sentence graphs of a document and its simplification, one per reference (or one without).

    >>> graph, = align("Cats sleep. Dogs bark loudly.", "Dogs bark.", by="jaccard")
    >>> [graph.change(group) for group in graph.groups()]
    ['deleted', 'rewritten']
    """
    texts = [references] if isinstance(references, str) else list(references)
    return graphs([(source, output, texts)], aligner(by))[0]


def graphs(
    documents: Iterable[tuple[str, str, Sequence[str]]],
    by: Aligner,
    *,
    lines: bool = True,
    splitter: Punkt = PLAIN,
    progress: Callable[[int, int], None] | None = None,
) -> list[list[SentenceGraph]]:
    """The graphs of many documents (source, output, references); the aligner sees all sentences first."""
    cut = partial(sentences, lines=lines, splitter=splitter)
    split = [(cut(s), cut(o), [cut(r) for r in refs]) for s, o, refs in documents]
    pairs = [(s, other) for s, o, refs in split for other in (o, *refs)]
    matrices = iter(by.align_many(pairs, progress))
    out = []
    for source, output, references in split:
        to_output = next(matrices)
        if references:
            out.append(
                [SentenceGraph(source, output, r, to_output, next(matrices), by.doubtful) for r in references]
            )
        else:
            nothing = np.zeros((len(source), 0))
            out.append([SentenceGraph(source, output, (), to_output, nothing, by.doubtful)])
    return out


def _links(similar: Floats, threshold: float, restriction: Restriction, offset: int) -> list[tuple[int, int]]:
    """Pairs above the threshold; with a restriction, only pairs that are each the best of their row or column."""
    linked = similar > threshold
    if similar.size and restriction == "best-source":
        linked &= similar == similar.max(axis=0, keepdims=True)
    elif similar.size and restriction == "best-output":
        linked &= similar == similar.max(axis=1, keepdims=True)
    return [(int(i), int(j) + offset) for i, j in np.argwhere(linked)]


def _components(n: int, links: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Connected components, each sorted, ordered by their first member."""
    parent = list(range(n))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for i, j in links:
        a, b = root(i), root(j)
        parent[max(a, b)] = min(a, b)
    members: dict[int, list[int]] = {}
    for i in range(n):
        members.setdefault(root(i), []).append(i)
    return list(members.values())


def _join_lone(components: Sequence[Sequence[int]], sides: Sequence[int]) -> list[list[int]]:
    """Join sentences that are alone and consecutive on one side; `sides` has the start of each side."""
    joined: list[list[int]] = []
    for i in sorted(c[0] for c in components if len(c) == 1):
        if joined and joined[-1][-1] == i - 1 and i not in sides:
            joined[-1].append(i)
        else:
            joined.append([i])
    return [*(list(c) for c in components if len(c) > 1), *joined]


def _longest_increasing(values: Sequence[int]) -> set[int]:
    """One longest increasing subsequence of different numbers, as a set."""
    tails: list[int] = []  # indices; tails[k] ends the best run of length k + 1
    previous: dict[int, int] = {}
    for i, value in enumerate(values):
        low, high = 0, len(tails)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if values[tails[middle]] < value else (low, middle)
        if low:
            previous[i] = tails[low - 1]
        tails[low : low + 1] = [i]
    run = set()
    index = tails[-1] if tails else None
    while index is not None:
        run.add(values[index])
        index = previous.get(index)
    return run
