"""Choosing a join tree: DPccp up to a dozen relations, greedy operator ordering beyond.

DPccp: Moerkotte and Neumann, "Analysis of Two Existing and One New Dynamic Programming Algorithm for the
Generation of Optimal Bushy Join Trees without Cross Products", VLDB 2006. GOO: Fegaras, "A new heuristic for
optimizing large queries", DEXA 1998.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .graph import JoinGraph

MOST_EXACT = 12
# Relative costs a row: building a hash table is dearer than probing it.
BUILD, PROBE, OUTPUT = 2.0, 1.0, 1.0


@dataclass(frozen=True)
class Tree:
    """A join tree over the set `mask`: a leaf (one relation) or a join of `left` (probe) and `right`
    (build).
    """

    mask: int
    rows: float
    cost: float
    left: Tree | None = None
    right: Tree | None = None


def join(graph: JoinGraph, a: Tree, b: Tree) -> Tree:
    """The join of two trees, the smaller one on the build side."""
    if a.rows < b.rows:
        a, b = b, a
    mask = a.mask | b.mask
    rows = graph.size(mask)
    cost = a.cost + b.cost + PROBE * a.rows + BUILD * b.rows + OUTPUT * rows
    return Tree(mask, rows, cost, a, b)


def best_tree(graph: JoinGraph) -> Tree:
    """The cheapest tree found for all relations."""
    leaves = [Tree(1 << i, rows, 0.0) for i, rows in enumerate(graph.rows)]
    return _exact(graph, leaves) if len(leaves) <= MOST_EXACT else _greedy(graph, leaves)


def _exact(graph: JoinGraph, leaves: list[Tree]) -> Tree:
    best = {leaf.mask: leaf for leaf in leaves}
    for first, second in _csg_cmp_pairs(graph):
        a, b = best[first], best[second]
        candidate = join(graph, a, b)
        known = best.get(candidate.mask)
        if known is None or candidate.cost < known.cost:
            best[candidate.mask] = candidate
    return best[(1 << len(leaves)) - 1]


def _csg_cmp_pairs(graph: JoinGraph) -> Iterator[tuple[int, int]]:
    """Pairs of disjoint connected sets with an edge between them, each once, smaller sets before the sets
    they make.
    """
    pairs = []
    for start in range(len(graph.relations) - 1, -1, -1):
        below = (1 << (start + 1)) - 1
        for csg in _grow(graph, 1 << start, below):
            lowest = csg & -csg
            excluded = (lowest | (lowest - 1)) | csg
            reach = _neighbourhood(graph, csg) & ~excluded
            for index in _bits_descending(reach):
                seed = 1 << index
                smaller = reach & (seed - 1)
                pairs.extend((csg, cmp) for cmp in _grow(graph, seed, excluded | smaller | seed))
    pairs.sort(key=lambda pair: (pair[0] | pair[1]).bit_count())
    yield from pairs


def _grow(graph: JoinGraph, mask: int, excluded: int) -> Iterator[int]:
    """All connected sets that contain `mask` and otherwise nothing of `excluded`."""
    yield mask
    stack = [(mask, excluded)]
    while stack:
        current, forbidden = stack.pop()
        reach = _neighbourhood(graph, current) & ~forbidden
        subset = reach
        while subset:
            yield current | subset
            stack.append((current | subset, forbidden | reach))
            subset = (subset - 1) & reach


def _neighbourhood(graph: JoinGraph, mask: int) -> int:
    result = 0
    for index in _bits_descending(mask):
        result |= graph.neighbours[index]
    return result & ~mask


def _bits_descending(mask: int) -> Iterator[int]:
    while mask:
        index = mask.bit_length() - 1
        mask ^= 1 << index
        yield index


def _greedy(graph: JoinGraph, trees: list[Tree]) -> Tree:
    """Joins the pair with the smallest result until one tree is left."""
    while len(trees) > 1:
        best: tuple[float, int, int] | None = None
        for i, a in enumerate(trees):
            reach = _neighbourhood(graph, a.mask)
            for j in range(i + 1, len(trees)):
                if reach & trees[j].mask:
                    rows = graph.size(a.mask | trees[j].mask)
                    if best is None or rows < best[0]:
                        best = (rows, i, j)
        assert best is not None, "the graph is connected"
        _, i, j = best
        joined = join(graph, trees[i], trees[j])
        trees = [t for n, t in enumerate(trees) if n not in (i, j)] + [joined]
    return trees[0]
