"""The query graph of a region of inner joins: relations, equality classes, other terms, and the size of every
subset.

Sets of relations are bit masks. Equalities form classes (a = b and b = c make a, b, c one class), so that a
redundant equality is neither evaluated twice nor counted twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ...estimation import Estimator
from ...expr import Comparison, Expr, references
from ...logical import Filter, Plan
from ...types import BOOLEAN


@dataclass(frozen=True)
class Member:
    """An expression of one relation that takes part in an equality class, with its estimated distinct
    values.
    """

    relation: int
    expr: Expr
    distinct: float


@dataclass
class EqualityClass:
    """Expressions that are all equal."""

    members: list[Member]

    def between(self, left: int, right: int) -> Expr | None:
        """The equality that joins two disjoint sets on this class, None when one of them has no member."""
        a = next((m for m in self.members if left >> m.relation & 1), None)
        b = next((m for m in self.members if right >> m.relation & 1), None)
        return None if a is None or b is None else Comparison(BOOLEAN, "=", a.expr, b.expr)

    def share(self, mask: int) -> float:
        """The selectivity of the class inside a set: 1/ndv for every relation's member but the one with the
        fewest values.
        """
        values: dict[int, float] = {}
        for member in self.members:
            if mask >> member.relation & 1:
                values[member.relation] = min(values.get(member.relation, member.distinct), member.distinct)
        result = 1.0
        for ndv in sorted(values.values(), reverse=True)[:-1]:
            result /= ndv
        return result


@dataclass
class Term:
    """Any other condition, the set of relations it reads, and its selectivity."""

    expr: Expr
    mask: int
    share: float


@dataclass
class JoinGraph:
    """A region's relations with everything that connects them."""

    relations: Sequence[Plan]
    classes: list[EqualityClass]
    terms: list[Term]
    rows: list[float]
    neighbours: list[int] = field(default_factory=list)
    _sizes: dict[int, float] = field(default_factory=dict)
    _corrections: list[tuple[int, float]] = field(default_factory=list)

    def size(self, mask: int) -> float:
        """Estimated rows of the join of a set of relations."""
        found = self._sizes.get(mask)
        if found is None:
            found = 1.0
            for index, rows in enumerate(self.rows):
                if mask >> index & 1:
                    found *= rows
            for equality in self.classes:
                found *= equality.share(mask)
            for term in self.terms:
                if term.mask & ~mask == 0:
                    found *= term.share
            for pair, factor in self._corrections:
                if pair & ~mask == 0:
                    found *= factor
            self._sizes[mask] = found
        return found

    def conditions(self, left: int, right: int) -> list[Expr]:
        """What must hold when two sets are joined: one equality a class, and the terms that only now can be
        evaluated.
        """
        result = [c for equality in self.classes if (c := equality.between(left, right)) is not None]
        both = left | right
        result.extend(
            t.expr for t in self.terms if t.mask & ~both == 0 and t.mask & ~left != 0 and t.mask & ~right != 0
        )
        return result


def build_graph(relations: Sequence[Plan], terms: Iterable[Expr], estimator: Estimator) -> JoinGraph:
    """The graph of relations (disjoint ids) and the conditions between them; each term reads two relations or
    more.
    """
    owner = {column_id: index for index, plan in enumerate(relations) for column_id in plan.ids}
    classes: list[dict[Expr, int]] = []
    others: list[Term] = []
    for term in terms:
        mask = 0
        for column_id in references(term):
            if column_id in owner:
                mask |= 1 << owner[column_id]
        sides = _equality(term, owner)
        if sides is None:
            plans = [p for i, p in enumerate(relations) if mask >> i & 1]
            others.append(Term(term, mask, estimator.selectivity((term,), *plans)))
        else:
            _unite(classes, sides)
    equality = [
        EqualityClass([Member(r, x, estimator.distinct(relations[r], x)) for x, r in found.items()])
        for found in classes
    ]
    relations = _equated(relations, equality)
    graph = JoinGraph(relations, equality, others, [max(1.0, estimator.rows(p)) for p in relations])
    graph._corrections = _composite_corrections(graph)
    graph.neighbours = _neighbours(graph)
    return graph


def _equated(relations: Sequence[Plan], classes: Sequence[EqualityClass]) -> list[Plan]:
    """The relations, filtered where one of them has several members of a class: joins check one member a side
    only.
    """
    result = list(relations)
    for found in classes:
        first: dict[int, Member] = {}
        for member in found.members:
            other = first.setdefault(member.relation, member)
            if other is not member:
                equal = Comparison(BOOLEAN, "=", other.expr, member.expr)
                result[member.relation] = Filter(result[member.relation], equal)
    return result


def _equality(term: Expr, owner: dict[int, int]) -> tuple[tuple[Expr, int], tuple[Expr, int]] | None:
    if not isinstance(term, Comparison) or term.op != "=":
        return None
    sides = []
    for side in (term.left, term.right):
        used = {owner.get(i) for i in references(side)}
        if len(used) != 1 or None in used:
            return None
        sides.append((side, next(iter(used))))
    (a, i), (b, j) = sides
    assert i is not None
    assert j is not None
    return None if i == j else ((a, i), (b, j))


def _unite(classes: list[dict[Expr, int]], sides: tuple[tuple[Expr, int], tuple[Expr, int]]) -> None:
    touched = [c for c in classes if any(expr in c for expr, _ in sides)]
    merged: dict[Expr, int] = {}
    for found in touched:
        merged.update(found)
        classes.remove(found)
    merged.update(sides)
    classes.append(merged)


def _composite_corrections(graph: JoinGraph) -> list[tuple[int, float]]:
    """Factors for pairs of relations joined by several keys: the keys' combined values never exceed either
    side's rows.

    Without this, joining on a two-column foreign key would be estimated as if its columns were independent.
    """
    result = []
    count = len(graph.relations)
    for i in range(count):
        for j in range(i + 1, count):
            pair = 1 << i | 1 << j
            shares = [s for c in graph.classes if (s := c.share(pair)) < 1.0]
            if len(shares) < 2:
                continue
            product = 1.0
            for share in shares:
                product *= share
            floor = 1.0 / max(1.0, min(graph.rows[i], graph.rows[j]))
            if product < floor:
                result.append((pair, floor / product))
    return result


def _neighbours(graph: JoinGraph) -> list[int]:
    """For each relation the set of those it is connected with; components are chained, so that a cross
    product is possible where needed.
    """
    count = len(graph.relations)
    result = [0] * count
    groups = [sorted({m.relation for m in c.members}) for c in graph.classes]
    groups += [[i for i in range(count) if t.mask >> i & 1] for t in graph.terms]
    for group in groups:
        for i in group:
            for j in group:
                if i != j:
                    result[i] |= 1 << j
    seen = 0
    previous = -1
    for start in range(count):
        if seen >> start & 1:
            continue
        if previous >= 0:
            result[start] |= 1 << previous
            result[previous] |= 1 << start
        reach, todo = 0, 1 << start
        while todo:
            bit = todo & -todo
            todo ^= bit
            reach |= bit
            todo |= result[bit.bit_length() - 1] & ~reach & ~seen
        seen |= reach
        previous = start
    return result
