"""The query graph of a region of joins: relations, equality classes, other terms, and the size of every
subset.

Sets of relations are bit masks. Equalities form classes (a = b and b = c make a, b, c one class), so that a
redundant equality is neither evaluated twice nor counted twice. Beside the relations that inner joins put
together, a region has attached ones: the right sides of SEMI, ANTI, LEFT and MARK joins. Such a join may come
at any point after the relations that its condition reads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from ...estimation import Estimator
from ...expr import Comparison, Expr, conjuncts, references
from ...logical import Filter, Join, JoinKind, Plan
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
    mask: int = 0
    _shares: dict[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for member in self.members:
            self.mask |= 1 << member.relation

    def between(self, left: int, right: int) -> Expr | None:
        """The equality that joins two disjoint sets on this class, None when one of them has no member."""
        if not (self.mask & left and self.mask & right):
            return None
        a = next(m for m in self.members if left >> m.relation & 1)
        b = next(m for m in self.members if right >> m.relation & 1)
        return Comparison(BOOLEAN, "=", a.expr, b.expr)

    def share(self, mask: int) -> float:
        """The selectivity of the class inside a set: 1/ndv for every relation's member but the one with the
        fewest values.
        """
        inside = self.mask & mask
        if inside & (inside - 1) == 0:
            return 1.0
        known = self._shares.get(inside)
        if known is not None:
            return known
        values: dict[int, float] = {}
        for member in self.members:
            if mask >> member.relation & 1:
                values[member.relation] = min(values.get(member.relation, member.distinct), member.distinct)
        result = 1.0
        for ndv in sorted(values.values(), reverse=True)[:-1]:
            result /= ndv
        self._shares[inside] = result
        return result


@dataclass
class Term:
    """Any other condition, the set of relations it reads, and its selectivity."""

    expr: Expr
    mask: int
    share: float


@dataclass
class Attached:
    """A join whose right side is one relation of the graph: the relations its condition needs on the left, by
    how much it changes the number of rows there, and whether it can be hashed.
    """

    join: Join
    needs: int
    factor: float
    hashed: bool


@dataclass
class JoinGraph:
    """A region's relations with everything that connects them. `attached` is by the number of the right
    side's relation.
    """

    relations: list[Plan]
    rows: list[float]
    classes: list[EqualityClass]
    terms: list[Term]
    attached: dict[int, Attached]
    neighbours: list[int] = field(default_factory=list)
    attached_mask: int = 0
    _sizes: dict[int, float] = field(default_factory=dict)
    _reach: dict[int, int] = field(default_factory=dict)
    _hashed: dict[int, int] = field(default_factory=dict)
    _corrections: list[tuple[int, float]] = field(default_factory=list)

    def size(self, mask: int) -> float:
        """Estimated rows of the join of a set of relations."""
        found = self._sizes.get(mask)
        if found is None:
            found = self._sizes[mask] = self._estimate(mask)
        return found

    def _estimate(self, mask: int) -> float:
        result = 1.0
        rest = mask & ~self.attached_mask
        if not rest:
            return self.rows[mask.bit_length() - 1]
        while rest:
            bit = rest & -rest
            rest ^= bit
            result *= self.rows[bit.bit_length() - 1]
        for equality in self.classes:
            result *= equality.share(mask)
        for term in self.terms:
            if term.mask & ~mask == 0:
                result *= term.share
        for pair, factor in self._corrections:
            if pair & ~mask == 0:
                result *= factor
        rest = mask & self.attached_mask
        while rest:
            bit = rest & -rest
            rest ^= bit
            result *= self.attached[bit.bit_length() - 1].factor
        return result

    def attachment(self, mask: int) -> Attached | None:
        """What the join with a set means, if it is the right side of an attached join alone."""
        return self.attached.get(mask.bit_length() - 1) if mask & (mask - 1) == 0 else None

    def reach(self, mask: int) -> int:
        """The relations outside of a set that are connected with it."""
        found = self._reach.get(mask)
        if found is None:
            found = 0
            rest = mask
            while rest:
                bit = rest & -rest
                rest ^= bit
                found |= self.neighbours[bit.bit_length() - 1]
            found = self._reach[mask] = found & ~mask
        return found

    def is_hashed(self, left: int, right: int) -> bool:
        """Whether an equality joins two sets."""
        found = self._hashed.get(left)
        if found is None:
            found = 0
            for equality in self.classes:
                if equality.mask & left:
                    found |= equality.mask
            self._hashed[left] = found
        return bool(found & right)

    def conditions(self, left: int, right: int) -> tuple[list[Expr], list[Expr]]:
        """What must hold when two sets are joined: one equality a class, and the terms that only now can be
        evaluated.
        """
        equalities = [c for found in self.classes if (c := found.between(left, right)) is not None]
        both = left | right
        ready = [t.expr for t in self.terms if not t.mask & ~both and t.mask & ~left and t.mask & ~right]
        return equalities, ready

    def local_terms(self, mask: int) -> list[Expr]:
        """Terms that read nothing but an attached relation's columns: they hold above its join."""
        return [t.expr for t in self.terms if t.mask == mask]


def build_graph(
    relations: Sequence[Plan], attachments: Sequence[Join], terms: Iterable[Expr], estimator: Estimator
) -> JoinGraph:
    """The graph of relations (disjoint ids), of attached joins (in the order they were written) and of the
    conditions between them; a term that reads one relation only belongs to an attached one.
    """
    plans = [*relations, *(join.right for join in attachments)]
    owner = {column: index for index, plan in enumerate(plans) for column in plan.ids}
    for index, join in enumerate(attachments, len(relations)):
        if join.mark is not None:
            owner[join.mark.id] = index
    classes, others = _divide(terms, owner, len(relations))
    plans = _equated(plans, classes)
    rows = [max(1.0, estimator.rows(plan)) for plan in plans]
    graph = JoinGraph(
        plans,
        rows,
        [
            EqualityClass([Member(r, x, estimator.distinct(plans[r], x)) for x, r in found.items()])
            for found in classes
        ],
        [Term(t, m, _share(t, m, plans, estimator)) for t, m in others],
        {},
    )
    for index, join in enumerate(attachments, len(relations)):
        graph.attached[index] = _attached(join, plans, index, owner, estimator)
        graph.attached_mask |= 1 << index
    graph._corrections = _composite_corrections(graph)
    graph.neighbours = _neighbours(graph)
    return graph


def _mask(expr: Expr, owner: dict[int, int]) -> int:
    mask = 0
    for column in references(expr):
        if column in owner:
            mask |= 1 << owner[column]
    return mask


def _share(term: Expr, mask: int, plans: Sequence[Plan], estimator: Estimator) -> float:
    return estimator.selectivity((term,), *(p for i, p in enumerate(plans) if mask >> i & 1))


def _divide(
    terms: Iterable[Expr], owner: dict[int, int], count: int
) -> tuple[list[dict[Expr, int]], list[tuple[Expr, int]]]:
    """Equality classes over the first `count` relations, and all other terms with what they read."""
    classes: list[dict[Expr, int]] = []
    others: list[tuple[Expr, int]] = []
    for term in terms:
        sides = _equality(term, owner)
        if sides is None or max(sides[0][1], sides[1][1]) >= count:
            others.append((term, _mask(term, owner)))
        else:
            _unite(classes, sides)
    return classes, others


def _equality(term: Expr, owner: dict[int, int]) -> tuple[tuple[Expr, int], tuple[Expr, int]] | None:
    """The sides of an equality between two relations."""
    if not isinstance(term, Comparison) or term.op != "=":
        return None
    sides: list[tuple[Expr, int]] = []
    for side in (term.left, term.right):
        used = {owner.get(column, -1) for column in references(side)}
        if len(used) != 1 or -1 in used:
            return None
        sides.append((side, used.pop()))
    first, second = sides
    return None if first[1] == second[1] else (first, second)


def _unite(classes: list[dict[Expr, int]], sides: tuple[tuple[Expr, int], tuple[Expr, int]]) -> None:
    touched = [c for c in classes if any(expr in c for expr, _ in sides)]
    merged: dict[Expr, int] = {}
    for found in touched:
        merged.update(found)
        classes.remove(found)
    merged.update(sides)
    classes.append(merged)


def _equated(plans: list[Plan], classes: Sequence[dict[Expr, int]]) -> list[Plan]:
    """The relations, filtered where one of them has several members of a class: joins check one member a side
    only.
    """
    result = list(plans)
    for found in classes:
        first: dict[int, Expr] = {}
        for expr, relation in found.items():
            other = first.setdefault(relation, expr)
            if other is not expr:
                result[relation] = Filter(result[relation], Comparison(BOOLEAN, "=", other, expr))
    return result


def _attached(
    join: Join, plans: Sequence[Plan], index: int, owner: dict[int, int], estimator: Estimator
) -> Attached:
    needs = 0
    for expr in join.expressions:
        needs |= _mask(expr, owner)
    needs &= ~(1 << index)
    sides = [plans[i] for i in range(len(plans)) if needs >> i & 1]
    hashed = any(
        isinstance(t, Comparison) and t.op in ("=", "is not distinct from") and _crosses(t, join.right.ids)
        for t in (*conjuncts(join.condition), *join.mark_terms)
    )
    # The share of rows with a partner depends on the relation that is compared; others only multiply both
    # sides.
    factor = 1.0
    if len(sides) == 1 and join.kind is not JoinKind.MARK:
        before = max(1.0, estimator.rows(sides[0]))
        factor = estimator.rows(Join(join.kind, sides[0], join.right, join.condition)) / before
    elif join.kind in (JoinKind.SEMI, JoinKind.ANTI):
        factor = 0.5
    return Attached(join, needs, factor, hashed)


def _crosses(term: Comparison, right: frozenset[int]) -> bool:
    """Whether one side reads the right relation alone and the other something else alone."""
    a, b = references(term.left), references(term.right)
    return bool(a and b) and ((a <= right and b.isdisjoint(right)) or (b <= right and a.isdisjoint(right)))


def _composite_corrections(graph: JoinGraph) -> list[tuple[int, float]]:
    """Factors for pairs of relations joined by several keys: the keys' combined values never exceed either
    side's rows.

    Without this, joining on a two-column foreign key would be estimated as if its columns were independent.
    """
    pairs: Counter[int] = Counter()
    for found in graph.classes:
        members = [1 << i for i in range(found.mask.bit_length()) if found.mask >> i & 1]
        pairs.update(a | b for a, b in combinations(members, 2))
    result = []
    for pair, classes in sorted(pairs.items()):
        if classes < 2:
            continue
        product = 1.0
        for found in graph.classes:
            product *= found.share(pair)
        fewest = min(graph.rows[i] for i in range(pair.bit_length()) if pair >> i & 1)
        if product < 1.0 / fewest:
            result.append((pair, 1.0 / fewest / product))
    return result


def _neighbours(graph: JoinGraph) -> list[int]:
    """For each relation the set of those it is connected with. Where conditions leave parts apart, they are
    chained, so that a cross product is possible.
    """
    count = len(graph.relations)
    inner = count - len(graph.attached)
    result = [0] * count
    groups = [c.mask for c in graph.classes] + [t.mask for t in graph.terms]
    for mask in groups:
        _connect(result, mask & ~graph.attached_mask)
    reached = 0
    previous = -1
    for start in range(inner):
        if reached >> start & 1:
            continue
        if previous >= 0:
            _connect(result, 1 << start | 1 << previous)
        todo = 1 << start
        while todo:
            bit = todo & -todo
            reached |= bit
            todo = (todo | result[bit.bit_length() - 1]) & ~reached
        previous = start
    for index, found in graph.attached.items():
        # One that needs nothing may come anywhere.
        for other in range(count):
            if (found.needs or (1 << inner) - 1) >> other & 1:
                _connect(result, 1 << index | 1 << other)
    return result


def _connect(neighbours: list[int], mask: int) -> None:
    rest = mask
    while rest:
        bit = rest & -rest
        rest ^= bit
        neighbours[bit.bit_length() - 1] |= mask & ~bit
