"""Keys and row counts that hold whatever the data: from grouping, DISTINCT, LIMIT 1 and joins on keys."""

from __future__ import annotations

from ..expr import ColumnRef, Comparison, Expr, Literal, conjuncts, references
from ..logical import (
    Aggregate,
    Cte,
    Distinct,
    Filter,
    Join,
    JoinKind,
    Limit,
    Plan,
    Project,
    SetOp,
    Sort,
    Values,
    Window,
)

Key = frozenset[int]
# More keys than this never helped; a bound keeps products of joins small.
_MOST_KEYS = 6


def keys(plan: Plan) -> tuple[Key, ...]:
    """Sets of output columns in which no two rows agree (NULL agreeing with NULL). The empty set says: at
    most one row.
    """
    cached = plan.__dict__.get("_keys")
    if cached is None:
        cached = plan.__dict__["_keys"] = _smallest(_keys(plan))
    return cached


def _smallest(found: tuple[Key, ...]) -> tuple[Key, ...]:
    kept: list[Key] = []
    for key in sorted(set(found), key=lambda k: (len(k), sorted(k))):
        if not any(other <= key for other in kept):
            kept.append(key)
    return tuple(kept[:_MOST_KEYS])


def _keys(plan: Plan) -> tuple[Key, ...]:
    match plan:
        case Values(rows=rows):
            return (frozenset(),) if len(rows) <= 1 else ()
        case Aggregate(group_columns=groups):
            return (frozenset(c.id for c in groups),)
        case Distinct(input=source, on=on):
            if not on:
                return (*keys(source), source.ids)
            if all(isinstance(e, ColumnRef) for e in on):
                return (*keys(source), frozenset(e.id for e in on if isinstance(e, ColumnRef)))
            return keys(source)
        case Filter(input=source, predicate=predicate):
            fixed = _fixed_columns(predicate)
            return tuple(key - fixed for key in keys(source))
        case Sort(input=source) | Window(input=source):
            return keys(source)
        case Limit(input=source, limit=limit):
            return (frozenset(),) if limit in (0, 1) else keys(source)
        case Cte(body=body):
            return keys(body)
        case Project(input=source, columns=columns, exprs=exprs):
            names = {e.id: c.id for c, e in zip(columns, exprs, strict=True) if isinstance(e, ColumnRef)}
            return tuple(
                frozenset(names[i] for i in key) for key in keys(source) if all(i in names for i in key)
            )
        case SetOp(all=False, columns=columns):
            return (frozenset(c.id for c in columns),)
        case Join():
            return _join_keys(plan)
        case _:
            return ()


def _fixed_columns(predicate: Expr) -> frozenset[int]:
    """Columns that a conjunction holds to one value."""
    fixed = set()
    for term in conjuncts(predicate):
        if isinstance(term, Comparison) and term.op in ("=", "is not distinct from"):
            if isinstance(term.left, ColumnRef) and isinstance(term.right, Literal):
                fixed.add(term.left.id)
    return frozenset(fixed)


def _join_keys(join: Join) -> tuple[Key, ...]:
    kind = join.kind
    if kind in (JoinKind.SEMI, JoinKind.ANTI, JoinKind.MARK):
        return keys(join.left)
    if kind in (JoinKind.RIGHT_SEMI, JoinKind.RIGHT_ANTI):
        return keys(join.right)
    if kind is JoinKind.SINGLE:
        return keys(join.left)
    found: list[Key] = []
    if kind in (JoinKind.INNER, JoinKind.LEFT) and matches_at_most_one(join.right, join.condition, join.left):
        found += keys(join.left)
    if kind in (JoinKind.INNER, JoinKind.RIGHT) and matches_at_most_one(
        join.left, join.condition, join.right
    ):
        found += keys(join.right)
    if kind is not JoinKind.FULL:
        found += [a | b for a in keys(join.left) for b in keys(join.right)]
    return tuple(found)


def matches_at_most_one(inner: Plan, condition: Expr | None, outer: Plan) -> bool:
    """Whether a row of `outer` meets at most one row of `inner` under a join condition: its equalities cover
    a key of `inner`.
    """
    candidates = keys(inner)
    if not candidates:
        return False
    equal = set()
    for term in conjuncts(condition):
        if isinstance(term, Comparison) and term.op in ("=", "is not distinct from"):
            for side, other in ((term.left, term.right), (term.right, term.left)):
                if isinstance(side, ColumnRef) and side.id in inner.ids and _reads_only(other, outer):
                    equal.add(side.id)
    return any(key <= equal for key in candidates)


def _reads_only(expr: Expr, plan: Plan) -> bool:
    return references(expr) <= plan.ids


def at_most_one_row(plan: Plan) -> bool:
    """Whether a plan never has two rows."""
    return frozenset() in keys(plan)


def exactly_one_row(plan: Plan) -> bool:
    """Whether a plan always has one row."""
    match plan:
        case Values(rows=rows):
            return len(rows) == 1
        case Aggregate(group_columns=groups):
            return not groups
        case Project(input=source) | Sort(input=source) | Window(input=source):
            return exactly_one_row(source)
        case Cte(body=body):
            return exactly_one_row(body)
        case Join(kind=JoinKind.INNER, condition=None, left=left, right=right):
            return exactly_one_row(left) and exactly_one_row(right)
        case Join(kind=JoinKind.LEFT | JoinKind.SINGLE, left=left, right=right):
            return exactly_one_row(left) and at_most_one_row(right)
        case Join(kind=JoinKind.MARK, left=left):
            return exactly_one_row(left)
        case _:
            return False
