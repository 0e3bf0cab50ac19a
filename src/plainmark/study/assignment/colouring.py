"""Edge colouring of bipartite graphs: for any number of colours that is at least the greatest degree there is one.

Its classes differ by at most one in size (de Werra 1971; McDiarmid 1972).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Sequence

import numpy as np


class Colouring:
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
