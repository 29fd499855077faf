"""Choosing a join tree: DPccp for a dozen relations, greedy operator ordering for dozens, one after the other
beyond.

DPccp: Moerkotte and Neumann, "Analysis of Two Existing and One New Dynamic Programming Algorithm for the
Generation of Optimal Bushy Join Trees without Cross Products", VLDB 2006. GOO: Fegaras, "A new heuristic for
optimizing large queries", DEXA 1998.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from ...cost import OUTPUT, join_cost
from .graph import JoinGraph

MOST_RELATIONS = 12
# Dense graphs have too many pairs of sets long before that: a dozen relations on one key have 260,000. This
# is about 50 ms.
MOST_PAIRS = 8_000
# Greedy ordering looks at every pair of trees, again after each join.
MOST_GREEDY = 64


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


def best_tree(graph: JoinGraph) -> Tree:
    """The cheapest tree found for all relations."""
    leaves = [Tree(1 << i, rows, 0.0) for i, rows in enumerate(graph.rows)]
    if len(leaves) <= MOST_RELATIONS:
        pairs = _csg_cmp_pairs(graph)
        if pairs is not None:
            return _exact(graph, leaves, pairs)
    return _greedy(graph, leaves) if len(leaves) <= MOST_GREEDY else _linear(graph, leaves)


def is_valid(graph: JoinGraph, left: int, right: int) -> bool:
    """Whether two sets can be joined: the right side of an attached join only with all that it needs, and not
    as its left.
    """
    if not (left | right) & graph.attached_mask:
        return True
    if left & graph.attached_mask and graph.attachment(left) is not None:
        return False
    attached = graph.attachment(right) if right & graph.attached_mask else None
    return attached is None or attached.needs & ~left == 0


def _cost(graph: JoinGraph, a: Tree, b: Tree, rows: float) -> float:
    """Cost of a tree that joins two; `b` may be the right side of an attached join."""
    attached = graph.attachment(b.mask) if b.mask & graph.attached_mask else None
    hashed = attached.hashed if attached is not None else graph.is_hashed(a.mask, b.mask)
    return a.cost + b.cost + join_cost(a.rows, b.rows, rows, hashed=hashed)


def _joined(graph: JoinGraph, a: Tree, b: Tree, rows: float, cost: float) -> Tree:
    """The tree, with the smaller side of an inner join on the right, where the table is built."""
    if a.rows < b.rows and graph.attachment(b.mask) is None:
        a, b = b, a
    return Tree(a.mask | b.mask, rows, cost, a, b)


def _exact(graph: JoinGraph, leaves: list[Tree], pairs: list[tuple[int, int]]) -> Tree:
    best = {leaf.mask: leaf for leaf in leaves}
    # Smaller sets before the sets they make.
    layers: list[list[tuple[int, int]]] = [[] for _ in range(len(leaves) + 1)]
    for pair in pairs:
        layers[(pair[0] | pair[1]).bit_count()].append(pair)
    for first, second in chain.from_iterable(layers):
        a, b = best.get(first), best.get(second)
        if a is None or b is None:
            continue
        if not is_valid(graph, first, second):
            if not is_valid(graph, second, first):
                continue
            a, b = b, a
        rows = graph.size(first | second)
        known = best.get(first | second)
        # A join costs what comes out of it at least.
        if known is not None and a.cost + b.cost + OUTPUT * rows >= known.cost:
            continue
        cost = _cost(graph, a, b, rows)
        if known is None or cost < known.cost:
            best[first | second] = _joined(graph, a, b, rows, cost)
    return best[(1 << len(leaves)) - 1]


def _csg_cmp_pairs(graph: JoinGraph) -> list[tuple[int, int]] | None:
    """Pairs of disjoint connected sets with an edge between them, each once; None if there are too many."""
    pairs: list[tuple[int, int]] = []
    for start in range(len(graph.relations) - 1, -1, -1):
        below = (1 << (start + 1)) - 1
        for csg in _grow(graph, 1 << start, below):
            lowest = csg & -csg
            excluded = (lowest | (lowest - 1)) | csg
            reach = graph.reach(csg) & ~excluded
            for index in _bits_descending(reach):
                seed = 1 << index
                smaller = reach & (seed - 1)
                for cmp in _grow(graph, seed, excluded | smaller | seed):
                    pairs.append((csg, cmp))
                    if len(pairs) > MOST_PAIRS:
                        return None
    return pairs


def _grow(graph: JoinGraph, mask: int, excluded: int) -> Iterator[int]:
    """All connected sets that contain `mask` and otherwise nothing of `excluded`."""
    yield mask
    stack = [(mask, excluded)]
    while stack:
        current, forbidden = stack.pop()
        reach = graph.reach(current) & ~forbidden
        subset = reach
        while subset:
            yield current | subset
            stack.append((current | subset, forbidden | reach))
            subset = (subset - 1) & reach


def _bits_descending(mask: int) -> Iterator[int]:
    while mask:
        index = mask.bit_length() - 1
        mask ^= 1 << index
        yield index


def _greedy(graph: JoinGraph, leaves: list[Tree]) -> Tree:
    """Joins the pair with the smallest result until one tree is left."""
    trees = {leaf.mask: leaf for leaf in leaves}
    # Sizes of candidate pairs; those of a pair that is gone are dropped when met.
    candidates: dict[tuple[int, int], float] = {}

    def consider(mask: int) -> None:
        reach = graph.reach(mask)
        for other in trees:
            if other != mask and reach & other:
                for left, right in ((mask, other), (other, mask)):
                    if is_valid(graph, left, right):
                        candidates[left, right] = graph.size(left | right)
                        break

    for mask in trees:
        consider(mask)
    while len(trees) > 1:
        left, right = min(candidates, key=lambda pair: (candidates[pair], pair))
        a, b = trees.pop(left), trees.pop(right)
        rows = candidates[left, right]
        made = _joined(graph, a, b, rows, _cost(graph, a, b, rows))
        gone = (left, right)
        candidates = {p: size for p, size in candidates.items() if p[0] not in gone and p[1] not in gone}
        trees[made.mask] = made
        consider(made.mask)
    (tree,) = trees.values()
    return tree


def _linear(graph: JoinGraph, leaves: list[Tree]) -> Tree:
    """Begins with the smallest relation and goes on with the smallest that is connected."""
    rest = {leaf.mask: leaf for leaf in leaves}
    start = min((t for t in leaves if graph.attachment(t.mask) is None), key=lambda t: (t.rows, t.mask))
    tree = rest.pop(start.mask)
    reach = graph.reach(tree.mask)
    while rest:
        found = [t for t in rest.values() if reach & t.mask and is_valid(graph, tree.mask, t.mask)]
        leaf = rest.pop(min(found, key=lambda t: (t.rows, t.mask)).mask)
        rows = graph.size(tree.mask | leaf.mask)
        tree = _joined(graph, tree, leaf, rows, _cost(graph, tree, leaf, rows))
        reach = (reach | graph.neighbours[leaf.mask.bit_length() - 1]) & ~tree.mask
    return tree
