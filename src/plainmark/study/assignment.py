"""Who sees what: cells (item x arm x replicate) cut into blocks, one block per participant.

A block never holds an item twice and, if it is not longer than there are arms, no arm twice. Cells are the edges of a
bipartite graph between items and arms, a block is a matching; for any q that is at least the greatest degree the
edges can be coloured with q colours whose classes differ by at most one in size (de Werra 1971; McDiarmid 1972), so
    blocks = max(ceil(cells / k), cells of one item, cells of one arm)
which is reached exactly, for whole studies and for what is left of them when participants drop out.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from .definition.models import Design

Order = Literal["random", "latin", "fixed"]


@dataclass(frozen=True)
class TrialCell:
    """One trial that some participant must answer."""

    item: str
    arm: str
    replicate: int = 0


def cells_of(
    items: Sequence[str], arms: Sequence[str], design: Design, absent: Set[tuple[str, str]] = frozenset()
) -> list[TrialCell]:
    """All cells: every item in every arm, as often as the design says, plus the overlap."""
    cells = [TrialCell(i, a, r) for r in range(design.replicates) for i in items for a in arms]
    overlap = np.random.default_rng(design.seed).permutation(len(items))[: design.overlap]
    cells += [TrialCell(items[i], a, design.replicates) for i in sorted(overlap) for a in arms]
    return [c for c in cells if (c.item, c.arm) not in absent] if absent else cells


def plan(
    items: Sequence[str], arms: Sequence[str], design: Design, absent: Set[tuple[str, str]] = frozenset()
) -> list[list[TrialCell]]:
    """The blocks of a whole study, in the order in which they are given out: balanced however many people come."""
    rng = np.random.default_rng(design.seed)
    cells = cells_of(items, arms, design, absent)
    if design.kind == "between":
        blocks = []
        for arm in arms:
            blocks += cut([c for c in cells if c.arm == arm], design.per_participant, 0, rng)
        return balanced([blocks[i] for i in rng.permutation(len(blocks))])
    return balanced(cut(cells, design.per_participant, len(arms), rng))


def balanced(blocks: Sequence[list[TrialCell]]) -> list[list[TrialCell]]:
    """The blocks, ordered so that the first n have items, arms and texts about as often as each other, for every n.

    Next is always a block whose items, arms and texts are furthest behind their share; ties keep the order.
    """
    place: dict[Hashable, int] = {}
    keys = [[k for c in b for k in (("item", c.item), ("arm", c.arm), (c.item, c.arm))] for b in blocks]
    places = [[place.setdefault(k, len(place)) for k in row] for row in keys]
    none = len(place)  # pads the rows of short blocks
    width = max(map(len, places), default=0)
    rows = np.array([row + [none] * (width - len(row)) for row in places]).reshape(len(blocks), width)
    share = np.bincount(rows.ravel(), minlength=none + 1) / max(len(blocks), 1)
    share[none] = 0
    ahead = np.zeros(none + 1)
    left, order = np.arange(len(blocks)), []
    while len(left):
        nearest = int(ahead[rows[left]].sum(axis=1).argmin())
        chosen = int(left[nearest])
        ahead -= share
        np.add.at(ahead, rows[chosen], 1)
        ahead[none] = 0
        order.append(chosen)
        left = np.delete(left, nearest)
    return [blocks[i] for i in order]


def fewest(cells: Iterable[TrialCell], size: int, arms: int) -> int:
    """The smallest number of blocks for these cells; `arms` 0 lets arms repeat freely."""
    cells = list(cells)
    if not cells:
        return 0
    items = max(Counter(c.item for c in cells).values())
    copies = math.ceil(size / arms) if arms else len(cells)
    most = max(math.ceil(n / copies) for n in Counter(c.arm for c in cells).values())
    return max(math.ceil(len(cells) / size), items, most)


def cut(cells: Sequence[TrialCell], size: int, arms: int, rng: np.random.Generator) -> list[list[TrialCell]]:
    """Blocks of at most `size` cells, as few as possible, whose sizes differ by at most one; drawn at random.

    No block has an item twice, nor an arm more often than ceil(size / arms), which is once if size <= arms.
    `arms` 0 lets arms repeat freely.
    """
    if not cells:
        return []
    count = fewest(cells, size, arms)
    shuffled = [cells[i] for i in rng.permutation(len(cells))]
    copies = math.ceil(size / arms) if arms else len(cells)
    # An arm that may occur twice in a block is two vertices, its cells dealt out evenly.
    dealt: Counter[str] = Counter()
    edges: list[tuple[Hashable, Hashable]] = []
    for cell in shuffled:
        edges.append((("item", cell.item), ("arm", cell.arm, dealt[cell.arm] % copies)))
        dealt[cell.arm] += 1
    colours = _Colouring(edges, count, rng).solve()
    blocks: list[list[TrialCell]] = [[] for _ in range(count)]
    for cell, colour in zip(shuffled, colours, strict=True):
        blocks[colour].append(cell)
    order = rng.permutation(count)
    return [blocks[i] for i in order if blocks[i]]


class _Colouring:
    """Edge colouring of a bipartite multigraph with colour classes of equal size."""

    def __init__(
        self, edges: Sequence[tuple[Hashable, Hashable]], colours: int, rng: np.random.Generator
    ) -> None:
        self.edges, self.colours, self.rng = edges, colours, rng
        self.colour = [-1] * len(edges)
        self.at: dict[Hashable, dict[int, int]] = defaultdict(dict)  # vertex -> colour -> edge
        self.members: list[set[int]] = [set() for _ in range(colours)]
        self.target = math.ceil(len(edges) / colours)
        self.open = list(range(colours))  # classes that are not full

    def solve(self) -> list[int]:
        for edge, (u, v) in enumerate(self.edges):
            shared = self._open_to_both(u, v)
            if shared is None:
                # Free at u and at v, but not the same: swap them along the path that begins at v.
                a, b = self._free(u), self._free(v)
                self._swap(self._path(v, a, b), a, b)
                shared = a
            self._paint(edge, shared)
        self._even_out()
        return self.colour

    def _open_to_both(self, u: Hashable, v: Hashable) -> int | None:
        """A colour that neither end has, of a class with room if there is one."""
        at_u, at_v = self.at[u], self.at[v]
        start, step = int(self.rng.integers(self.colours)), 0
        while step < len(self.open):
            place = (start + step) % len(self.open)
            colour = self.open[place]
            if len(self.members[colour]) >= self.target:
                self.open[place] = self.open[-1]
                self.open.pop()
            elif colour not in at_u and colour not in at_v:
                return colour
            else:
                step += 1
        return next((c for c in range(self.colours) if c not in at_u and c not in at_v), None)

    def _free(self, vertex: Hashable) -> int:
        return next(c for c in range(self.colours) if c not in self.at[vertex])

    def _path(self, vertex: Hashable, first: int, second: int) -> list[int]:
        """The edges, alternately of two colours, that lead away from a vertex."""
        path = []
        want, other = first, second
        while (edge := self.at[vertex].get(want)) is not None:
            path.append(edge)
            u, v = self.edges[edge]
            vertex = v if vertex == u else u
            want, other = other, want
        return path

    def _swap(self, path: Sequence[int], first: int, second: int) -> None:
        new = {edge: second if self.colour[edge] == first else first for edge in path}
        for edge in path:
            self._erase(edge)
        for edge, colour in new.items():
            self._paint(edge, colour)

    def _paint(self, edge: int, colour: int) -> None:
        self.colour[edge] = colour
        self.members[colour].add(edge)
        for vertex in self.edges[edge]:
            self.at[vertex][colour] = edge

    def _erase(self, edge: int) -> None:
        colour = self.colour[edge]
        self.members[colour].discard(edge)
        for vertex in self.edges[edge]:
            del self.at[vertex][colour]

    def _even_out(self) -> None:
        """While two classes differ by two or more, a path between them has one edge more of the greater."""
        low, high = len(self.edges) // self.colours, math.ceil(len(self.edges) / self.colours)
        sizes = [len(m) for m in self.members]
        while max(sizes) > high or min(sizes) < low:
            big, small = int(np.argmax(sizes)), int(np.argmin(sizes))
            self._move_one(big, small)
            sizes[big], sizes[small] = len(self.members[big]), len(self.members[small])

    def _move_one(self, big: int, small: int) -> None:
        for edge in sorted(self.members[big]):
            for vertex in self.edges[edge]:
                if small not in self.at[vertex]:  # an end of a path
                    path = self._path(vertex, big, small)
                    if len(path) % 2:
                        self._swap(path, big, small)
                        return
        raise AssertionError("two classes of different size always have such a path")


def ordered(
    cells: Sequence[TrialCell],
    order: Order,
    *,
    number: int,
    items: Mapping[str, int],
    arms: Mapping[str, int],
    rng: np.random.Generator,
) -> list[TrialCell]:
    """The cells of block `number` in the order in which a participant sees them.

    latin: arms in the order of the definition, rotated by one in each block, so that every arm is as often first,
    second, ...; fixed: items in the order of their file.
    """
    if order == "fixed":
        return sorted(cells, key=lambda c: items[c.item])
    if order == "latin":
        return sorted(cells, key=lambda c: ((arms[c.arm] + number) % len(arms), items[c.item]))
    return [cells[i] for i in rng.permutation(len(cells))]


def repair(free: Sequence[TrialCell], size: int, arms: int, rng: np.random.Generator) -> list[TrialCell]:
    """The largest block of a smallest set of blocks of the free cells."""
    blocks = cut(free, size, arms, rng)
    return max(blocks, key=len, default=[])


def admits(length: int, size: int, *, others: int) -> bool:
    """Whether a new participant is admitted when the longest available block has that length.

    A short block waits while others work: what they leave may fill it, and filling it up asks what was answered already.
    """
    return length >= size or (length > 0 and not others)


def top_up(
    block: Sequence[TrialCell],
    answered: Mapping[tuple[str, str], int],
    size: int,
    arms: int,
    rng: np.random.Generator,
) -> list[tuple[str, str]]:
    """Items and arms that fill up a short block: those with the fewest answers, none twice.

    `answered` counts the answers to every (item, arm) that may be asked again.
    """
    copies = math.ceil(size / arms) if arms else size
    items = {c.item for c in block}
    used = Counter(c.arm for c in block)
    out: list[tuple[str, str]] = []
    pairs = sorted(answered)
    order = rng.permutation(len(pairs))
    for i in sorted(order, key=lambda i: answered[pairs[i]]):
        if len(block) + len(out) >= size:
            break
        item, arm = pairs[i]
        if item not in items and used[arm] < copies:
            out.append((item, arm))
            items.add(item)
            used[arm] += 1
    return out


@dataclass
class SimulatedStudy:
    """The result of a simulated study."""

    people: int = 0
    finished: int = 0
    answers: int = 0
    covered: int = 0
    surplus: int = 0
    seen: dict[int, list[str]] = field(default_factory=dict)  # participant -> items shown


def simulate(
    items: Sequence[str],
    arms: Sequence[str],
    design: Design,
    *,
    drop_out: float = 0.12,
    at_once: int = 20,
    absent: Set[tuple[str, str]] = frozenset(),
    rng: np.random.Generator,
) -> SimulatedStudy:
    """Participants come, `at_once` at a time; some leave after any number of answers, and their leases run out.

    Blocks, leases and repairs are those of the store, without a database or a clock.
    """
    real = set(cells_of(items, arms, design, absent))
    waiting = plan(items, arms, design, absent)
    free: dict[TrialCell, None] = {}
    done: Counter[tuple[str, str]] = Counter()
    spare: Counter[tuple[str, str]] = Counter()  # surplus answers that may still stand for a lost one
    limit = len(arms) if design.kind == "within" else 0
    out = SimulatedStudy()
    working: list[tuple[list[TrialCell], int]] = []  # cells and how many of them the person will answer

    def leave(shown: list[TrialCell], answered: int) -> None:
        for position, cell in enumerate(shown):
            pair = (cell.item, cell.arm)
            if position < answered:
                out.answers += 1
                done[pair] += 1
                if cell in real:
                    out.covered += 1
                else:
                    lost = next((c for c in free if (c.item, c.arm) == pair), None)
                    spare[pair] += lost is None
                    out.covered += lost is not None
                    free.pop(lost, None) if lost else None
            elif cell in real:
                if spare[pair]:
                    spare[pair] -= 1
                    out.covered += 1
                else:
                    free[cell] = None

    while waiting or free or working:
        block = waiting.pop(0) if waiting and len(working) < at_once else []
        if not block and len(working) < at_once:
            block = repair(list(free), design.per_participant, limit, rng)
            if not admits(len(block), design.per_participant, others=len(working)):
                block = []
        if block:
            for cell in block:
                free.pop(cell, None)
            if design.fill and len(block) < design.per_participant:
                counts = {(c.item, c.arm): done[c.item, c.arm] for c in real}
                extra = top_up(block, counts, design.per_participant, limit, rng)
                block = block + [TrialCell(i, a, design.replicates + 1 + out.people) for i, a in extra]
            leaves = rng.random() < drop_out
            answered = int(rng.integers(0, len(block))) if leaves else len(block)
            out.seen[out.people] = [c.item for c in block]
            out.people += 1
            out.finished += not leaves
            working.append((block, answered))
        else:
            leave(*working.pop(int(rng.integers(len(working)))))
    out.surplus = out.answers - out.covered
    return out
