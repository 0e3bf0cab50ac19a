"""Booklets: cells (item x arm x replicate) dealt out so that each participant gets one booklet.

A booklet never holds an item twice and, if it is not longer than there are arms, no arm twice. Cells are the edges of a
bipartite graph between items and arms, a booklet is a matching; for any q that is at least the greatest degree the edges
can be coloured with q colours (colouring.py), so
    booklets = max(ceil(cells / k), cells of one item, cells of one arm)
which is reached exactly, for whole studies and for what is left of them when participants drop out.

With several blocks a booklet has so many cells of each. Two colourings deal out a complete design: items to places in
booklets (an edge for each reading, one colour for each booklet), then arms to readings (one colour for each arm). So
    booklets = max(ceil(cells of a block / its k), cells of one item in all blocks)
again exactly. What people leave behind, and designs with missing texts, are dealt out greedily instead: no rule is broken,
and the number of booklets is not proven to be the least.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from typing import TYPE_CHECKING

import numpy as np

from .cells import BlockShape, TrialCell, cells_of_blocks
from .colouring import Colouring

if TYPE_CHECKING:
    from ..definition.models import Design

_TRIES = 20  # orders in which cells are dealt out greedily; the best counts


def plan(
    items: Sequence[str], arms: Sequence[str], design: Design, absent: Set[tuple[str, str]] = frozenset()
) -> list[list[TrialCell]]:
    """The booklets of a study with one block, in the order in which they are given out."""
    return plan_blocks(BlockShape.only(items, arms, design), design, absent)


def plan_blocks(
    shapes: Sequence[BlockShape], design: Design, absent: Set[tuple[str, str]] = frozenset()
) -> list[list[TrialCell]]:
    """The booklets of a whole study, in the order in which they are given out: balanced however many people come."""
    rng = np.random.default_rng(design.seed)
    cells = cells_of_blocks(shapes, design, absent)
    if design.kind == "between":
        booklets = []
        for arm in shapes[0].arms:
            booklets += cut_blocks([c for c in cells if c.arm == arm], shapes, rng, one_arm=True)
        return balanced([booklets[i] for i in rng.permutation(len(booklets))])
    return balanced(cut_blocks(cells, shapes, rng))


def balanced(booklets: Sequence[list[TrialCell]]) -> list[list[TrialCell]]:
    """The booklets, ordered so that the first n have items, arms and texts about as often as each other, for every n.

    Next is always a booklet whose items, arms and texts are furthest behind their share; ties keep the order.
    """
    place: dict[Hashable, int] = {}
    keys = [
        [k for c in b for k in (("item", c.block, c.item), ("arm", c.block, c.arm), (c.block, c.item, c.arm))]
        for b in booklets
    ]
    places = [[place.setdefault(k, len(place)) for k in row] for row in keys]
    none = len(place)  # pads the rows of short booklets
    width = max(map(len, places), default=0)
    rows = np.array([row + [none] * (width - len(row)) for row in places]).reshape(len(booklets), width)
    share = np.bincount(rows.ravel(), minlength=none + 1) / max(len(booklets), 1)
    share[none] = 0
    ahead = np.zeros(none + 1)
    left, order = np.arange(len(booklets)), []
    while len(left):
        nearest = int(ahead[rows[left]].sum(axis=1).argmin())
        chosen = int(left[nearest])
        ahead -= share
        np.add.at(ahead, rows[chosen], 1)
        ahead[none] = 0
        order.append(chosen)
        left = np.delete(left, nearest)
    return [booklets[i] for i in order]


def cut_blocks(
    cells: Sequence[TrialCell],
    shapes: Sequence[BlockShape],
    rng: np.random.Generator,
    *,
    one_arm: bool = False,
) -> list[list[TrialCell]]:
    """Cells dealt out into booklets; `one_arm`: they are all of one arm, which may repeat."""
    if len(shapes) == 1:
        return cut(cells, shapes[0].size, 0 if one_arm else len(shapes[0].arms), rng)
    if one_arm:
        return _deal_items(cells, shapes, rng)
    if _is_complete(cells, shapes):
        return _deal_arms(_deal_items(cells, shapes, rng), shapes, rng)
    return _packed(cells, Rules(shapes), rng)


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
    colours = Colouring(edges, count, rng).solve()
    blocks: list[list[TrialCell]] = [[] for _ in range(count)]
    for cell, colour in zip(shuffled, colours, strict=True):
        blocks[colour].append(cell)
    order = rng.permutation(count)
    return [blocks[i] for i in order if blocks[i]]


def _is_complete(cells: Iterable[TrialCell], shapes: Sequence[BlockShape]) -> bool:
    """Whether every item of a block occurs in every arm equally often."""
    counts = Counter((c.block, c.item, c.arm) for c in cells)
    items = {(c.block, c.item) for c in cells}
    arms = {s.id: s.arms for s in shapes}
    return all(len({counts[block, item, arm] for arm in arms[block]}) == 1 for block, item in items)


def _deal_items(
    cells: Sequence[TrialCell], shapes: Sequence[BlockShape], rng: np.random.Generator
) -> list[list[TrialCell]]:
    """Booklets with at most the size of each block, and no item twice; arms fall as they may."""
    if not cells:
        return []
    of_block = Counter(c.block for c in cells)
    sizes = {s.id: s.size for s in shapes}
    count = max(
        *(math.ceil(n / sizes[block]) for block, n in of_block.items()),
        *Counter(c.item for c in cells).values(),
    )
    places = {block: math.ceil(n / count) for block, n in of_block.items()}
    dealt: Counter[str] = Counter()
    edges: list[tuple[Hashable, Hashable]] = []
    shuffled = [cells[i] for i in rng.permutation(len(cells))]
    for cell in shuffled:
        edges.append((("place", cell.block, dealt[cell.block] % places[cell.block]), ("item", cell.item)))
        dealt[cell.block] += 1
    booklets: list[list[TrialCell]] = [[] for _ in range(count)]
    for cell, colour in zip(shuffled, Colouring(edges, count, rng).solve(), strict=True):
        booklets[colour].append(cell)
    order = rng.permutation(count)
    return [booklets[i] for i in order if booklets[i]]


def _deal_arms(
    booklets: Sequence[Sequence[TrialCell]], shapes: Sequence[BlockShape], rng: np.random.Generator
) -> list[list[TrialCell]]:
    """The same items in the same booklets, in other arms, so that an arm repeats in a booklet only if it must."""
    dealt: list[list[TrialCell]] = [[] for _ in booklets]
    for arms, ids in _alike(shapes).items():
        places: list[tuple[int, TrialCell]] = []
        edges: list[tuple[Hashable, Hashable]] = []
        seen: Counter[tuple[str, str]] = Counter()
        stock: dict[tuple[str, str, str], list[TrialCell]] = defaultdict(list)
        for number, booklet in enumerate(booklets):
            mine = sorted((c for c in booklet if c.block in ids), key=lambda c: ids.index(c.block))
            for place, cell in enumerate(mine):
                reading = (cell.block, cell.item)
                edges.append(
                    (
                        ("booklet", number, place // len(arms)),
                        ("item", *reading, seen[reading] // len(arms)),
                    )
                )
                seen[reading] += 1
                places.append((number, cell))
                stock[*reading, cell.arm].append(cell)
        colours = Colouring(edges, len(arms), rng).solve() if edges else []
        for (number, cell), colour in zip(places, colours, strict=True):
            dealt[number].append(stock[cell.block, cell.item, arms[colour]].pop())
    return dealt


def _alike(shapes: Sequence[BlockShape]) -> dict[tuple[str, ...], list[str]]:
    """Arms, and the blocks that have them: among these no arm should repeat."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for shape in shapes:
        groups.setdefault(shape.arms, []).append(shape.id)
    return groups


class Rules:
    """What a booklet may hold: so many cells of each block, no item twice, and each arm as seldom as possible."""

    def __init__(self, shapes: Sequence[BlockShape], *, one_arm: bool = False) -> None:
        self.sizes = {s.id: s.size for s in shapes}
        self.size = sum(self.sizes.values())
        self._group = {s.id: s.arms for s in shapes}
        self._copies = {
            arms: self.size if one_arm else math.ceil(sum(self.sizes[i] for i in ids) / len(arms))
            for arms, ids in _alike(shapes).items()
        }

    def admits(self, booklet: Sequence[TrialCell], cell: TrialCell) -> bool:
        """Whether a cell may be added to a booklet."""
        group = self._group[cell.block]
        same_block = same_arm = 0
        for other in booklet:
            if other.item == cell.item:
                return False
            same_block += other.block == cell.block
            same_arm += other.arm == cell.arm and self._group[other.block] == group
        return same_block < self.sizes[cell.block] and same_arm < self._copies[group]


def _packed(
    cells: Sequence[TrialCell], rules: Rules, rng: np.random.Generator, tries: int = _TRIES
) -> list[list[TrialCell]]:
    """Booklets that are filled one after the other, those cells first of which most are left; the best of several tries."""
    best: list[list[TrialCell]] = []
    for _ in range(max(1, min(tries, 20_000 // max(len(cells), 1)))):
        left = dict.fromkeys(cells)
        booklets = []
        while left:
            booklet = _fullest(list(left), rules, rng)
            booklets.append(booklet)
            for cell in booklet:
                del left[cell]
        if not best or len(booklets) < len(best):
            best = booklets
    order = rng.permutation(len(best))
    return [best[i] for i in order]


def _fullest(cells: Sequence[TrialCell], rules: Rules, rng: np.random.Generator) -> list[TrialCell]:
    """A booklet of these cells: those of the items and arms of which most are left come first."""
    items, arms = Counter(c.item for c in cells), Counter(c.arm for c in cells)
    drawn = rng.random(len(cells)).tolist()
    most_left = sorted(
        range(len(cells)), key=lambda i: (-items[cells[i].item], -arms[cells[i].arm], drawn[i])
    )
    booklet: list[TrialCell] = []
    for i in most_left:
        if len(booklet) == rules.size:
            break
        if rules.admits(booklet, cells[i]):
            booklet.append(cells[i])
    return booklet


def repair_blocks(
    free: Sequence[TrialCell],
    shapes: Sequence[BlockShape],
    rng: np.random.Generator,
    *,
    one_arm: bool = False,
) -> list[TrialCell]:
    """A booklet of the free cells that is as long as possible."""
    if len(shapes) == 1:
        return repair(free, shapes[0].size, 0 if one_arm else len(shapes[0].arms), rng)
    rules = Rules(shapes, one_arm=one_arm)
    return max((_fullest(free, rules, rng) for _ in range(_TRIES)), key=len) if free else []


def repair(free: Sequence[TrialCell], size: int, arms: int, rng: np.random.Generator) -> list[TrialCell]:
    """The largest booklet of a smallest set of booklets of the free cells."""
    booklets = cut(free, size, arms, rng)
    return max(booklets, key=len, default=[])


def admits(length: int, size: int, *, others: int) -> bool:
    """Whether a new participant is admitted when the longest available booklet has that length.

    A short booklet waits while others work: what they leave may fill it, and filling it up asks what was answered already.
    """
    return length >= size or (length > 0 and not others)


def top_up(
    booklet: Sequence[TrialCell],
    answered: Mapping[tuple[str, str, str], int],
    shapes: Sequence[BlockShape],
    rng: np.random.Generator,
    *,
    one_arm: bool = False,
) -> list[tuple[str, str, str]]:
    """Blocks, items and arms that fill up a short booklet: those with the fewest answers, none twice.

    `answered` counts the answers to every (block, item, arm) that may be asked again.
    """
    rules = Rules(shapes, one_arm=one_arm)
    filled = list(booklet)
    triples = sorted(answered)
    order = rng.permutation(len(triples))
    for i in sorted(order, key=lambda i: answered[triples[i]]):
        if len(filled) >= rules.size:
            break
        block, item, arm = triples[i]
        cell = TrialCell(item, arm, -1, block)
        if rules.admits(filled, cell):
            filled.append(cell)
    return [(c.block, c.item, c.arm) for c in filled[len(booklet) :]]
