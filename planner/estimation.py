"""Cardinality estimation: rows of every plan node and statistics of its columns, derived bottom-up.

Join sizes follow the containment assumption (System R): |L| |R| / max(ndv of the keys). Estimates steer costs
only; nothing here is a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from . import logical as l
from .expr import Call, Cast, Column, ColumnRef, Comparison, Expr, Literal, conjuncts, references
from .logical import JoinKind, Plan
from .selectivity import number, selectivity
from .statistics import ColumnStats
from .types import SQLType, TypeId

_TEXT_BYTES = 20.0
_UNKNOWN_ROWS = 1000.0
# So many that joins in a recursion build on the other side, which is done once and not in every round.
_WORKING_ROWS = 100_000.0
# Rounds of a recursion that are expected.
_ROUNDS = 10.0
_LIST_BYTES = 64.0
_WIDTHS = {
    TypeId.BOOLEAN: 1.0,
    TypeId.TINYINT: 1.0,
    TypeId.UTINYINT: 1.0,
    TypeId.SMALLINT: 2.0,
    TypeId.USMALLINT: 2.0,
    TypeId.INTEGER: 4.0,
    TypeId.UINTEGER: 4.0,
    TypeId.FLOAT: 4.0,
    TypeId.DATE: 4.0,
    TypeId.HUGEINT: 16.0,
    TypeId.INTERVAL: 16.0,
    TypeId.VARCHAR: _TEXT_BYTES,
    TypeId.BLOB: _TEXT_BYTES,
    TypeId.LIST: _LIST_BYTES,
    TypeId.STRUCT: _LIST_BYTES,
    TypeId.MAP: _LIST_BYTES,
}


# Elements of a list, as nothing is known of them.
_LIST_LENGTH = 5.0


def type_width(sql_type: SQLType) -> float:
    """Estimated bytes of a value."""
    if sql_type.is_decimal:
        return 8.0 if sql_type.width <= 18 else 16.0
    return _WIDTHS.get(sql_type.id, 8.0)


class Estimator:
    """Estimates for the plans of one statement; every node is estimated once. Nodes are remembered by
    identity.
    """

    def __init__(self) -> None:
        self._rows: dict[Plan, float] = {}
        self._columns: dict[tuple[Plan, int], ColumnStats | None] = {}
        self._ctes: dict[int, Plan] = {}

    def register_cte(self, cte_id: int, definition: Plan) -> None:
        """Makes a CTE's definition known, for plans that stand inside its body."""
        self._ctes[cte_id] = definition

    def rows(self, plan: Plan) -> float:
        """Estimated output rows, at least 0."""
        found = self._rows.get(plan)
        if found is None:
            found = self._rows[plan] = max(0.0, _ROWS[type(plan)](self, plan))
        return found

    def width(self, column: Column) -> float:
        """Estimated bytes of a value of a column."""
        return type_width(column.type)

    def bytes(self, plan: Plan) -> float:
        """Estimated output bytes."""
        return self.rows(plan) * sum(self.width(c) for c in plan.schema)

    def column(self, plan: Plan, column_id: int) -> ColumnStats | None:
        """Statistics of an output column, None when nothing is known; ndv never exceeds the plan's rows."""
        key = (plan, column_id)
        if key not in self._columns:
            self._columns[key] = self._derive(plan, column_id)
        return self._columns[key]

    def distinct(self, plan: Plan, expr: Expr) -> float:
        """Estimated distinct values of an expression over the plan's rows."""
        return max(1.0, min(self._distinct(plan, expr), self.rows(plan)))

    def selectivity(self, terms: Iterable[Expr], *plans: Plan) -> float:
        """The share of rows (of pairs, with two plans) that satisfy all terms."""
        return selectivity(terms, self._lookup(*plans))

    def join_rows(self, left: Plan, right: Plan, terms: Iterable[Expr]) -> float:
        """Rows of the inner join of two plans on `terms`."""
        result = self.rows(left) * self.rows(right)
        rest: list[Expr] = []
        shares: list[float] = []
        for term in terms:
            share = self._key_share(term, left, right)
            if share is None:
                rest.append(term)
            else:
                shares.append(share)
        # Keys of one join are seldom independent: the most selective counts in full, each further one by the
        # square root of the one before.
        for power, share in enumerate(sorted(shares)):
            result *= share ** (0.5**power)
        return result * self.selectivity(rest, left, right)

    # Internals ----------------------------------------------------------------------------------------------
    def _key_share(self, term: Expr, left: Plan, right: Plan) -> float | None:
        if not isinstance(term, Comparison) or term.op not in ("=", "is not distinct from"):
            return None
        a, b = references(term.left), references(term.right)
        if a and b and a <= right.ids and b <= left.ids:
            left, right = right, left
        elif not (a and b and a <= left.ids and b <= right.ids):
            return None
        return 1.0 / max(self.distinct(left, term.left), self.distinct(right, term.right))

    def _lookup(self, *plans: Plan) -> Callable[[int], ColumnStats | None]:
        def lookup(column_id: int) -> ColumnStats | None:
            for plan in plans:
                if column_id in plan.ids:
                    return self.column(plan, column_id)
            return None

        return lookup

    def _distinct(self, plan: Plan, expr: Expr) -> float:
        while isinstance(expr, Cast):
            expr = expr.arg
        rows = self.rows(plan)
        if isinstance(expr, Literal):
            return 1.0
        if isinstance(expr, ColumnRef):
            stats = self.column(plan, expr.id) if expr.id in plan.ids else None
            return stats.ndv if stats is not None and stats.ndv is not None else max(1.0, rows * 0.1)
        used = references(expr)
        inner = [self._distinct(plan, ColumnRef(expr.type, i, "")) for i in used if i in plan.ids]
        if isinstance(expr, Call) and expr.function in ("year", "month", "day", "quarter") and inner:
            days = inner[0]
            return {"year": max(1.0, days / 365), "month": 12.0, "day": 31.0, "quarter": 4.0}[expr.function]
        if not inner:
            return 1.0
        result = 1.0
        for ndv in inner:
            result *= ndv
        return min(result, rows)

    def _derive(self, plan: Plan, column_id: int) -> ColumnStats | None:
        stats = self._source_stats(plan, column_id)
        if stats is None:
            return None
        rows = self.rows(plan)
        ndv = stats.ndv
        if ndv is not None and rows < stats.rows:
            ndv = surviving_values(ndv, stats.rows, rows)
        nulls = stats.nulls
        if nulls is not None and stats.rows:
            nulls = nulls * rows / stats.rows
        return replace(stats, rows=rows, ndv=None if ndv is None else min(ndv, max(rows, 1.0)), nulls=nulls)

    def _source_stats(self, plan: Plan, column_id: int) -> ColumnStats | None:
        match plan:
            case l.Scan():
                for column, name in zip(plan.columns, plan.names, strict=True):
                    if column.id == column_id:
                        stats = plan.table.column_stats(name)
                        return (
                            None if stats is None else _narrowed(stats, column_id, conjuncts(plan.predicate))
                        )
                return None
            case l.Filter(input=below, predicate=predicate):
                stats = self.column(below, column_id)
                return None if stats is None else _narrowed(stats, column_id, conjuncts(predicate))
            case l.Project(input=below):
                return self._of_expression(below, plan.columns, plan.exprs, column_id)
            case l.Aggregate(input=below):
                stats = self._of_expression(below, plan.group_columns, plan.groups, column_id)
                if stats is None:
                    rows = self.rows(plan)
                    return ColumnStats(rows, None, rows)
                return stats
            case l.Join():
                for side in plan.inputs:
                    if column_id in side.ids:
                        return self.column(side, column_id)
                return None
            case l.UnionAll(branches=branches, columns=columns):
                index = next(i for i, c in enumerate(columns) if c.id == column_id)
                known = [self.column(b, b.schema[index].id) for b in branches]
                ndvs = [s.ndv for s in known if s is not None and s.ndv is not None]
                return ColumnStats(self.rows(plan), None, sum(ndvs)) if len(ndvs) == len(branches) else None
            case l.SetOp(left=left, columns=columns):
                index = next(i for i, c in enumerate(columns) if c.id == column_id)
                return self.column(left, left.schema[index].id)
            case l.CteRef(cte_id=cte, columns=columns, positions=positions):
                definition = self._ctes.get(cte)
                if definition is None:
                    return None
                index = next(i for i, c in enumerate(columns) if c.id == column_id)
                return self.column(definition, definition.schema[positions[index]].id)
            case l.Cte(body=body):
                return self.column(body, column_id)
            case l.Window(input=below) | l.Unnest(input=below):
                return self.column(below, column_id) if column_id in below.ids else None
            case l.Distinct(input=below) | l.Sort(input=below) | l.Limit(input=below):
                return self.column(below, column_id)
            case _:
                return None

    def _of_expression(
        self, below: Plan, columns: tuple[Column, ...], exprs: tuple[Expr, ...], column_id: int
    ) -> ColumnStats | None:
        for column, expr in zip(columns, exprs, strict=True):
            if column.id == column_id:
                if isinstance(expr, ColumnRef) and expr.id in below.ids:
                    return self.column(below, expr.id)
                return ColumnStats(self.rows(below), None, self.distinct(below, expr), source="derived")
        return None


def surviving_values(ndv: float, rows: float, kept: float) -> float:
    """Distinct values left when `kept` of `rows` rows are chosen at random: each value with rows/ndv rows is
    missed with (1 - kept/rows)^(rows/ndv).
    """
    if rows <= 0 or ndv <= 0:
        return 0.0
    share = min(1.0, kept / rows)
    return max(min(1.0, kept), ndv * (1.0 - (1.0 - share) ** (rows / ndv)))


def _narrowed(stats: ColumnStats, column_id: int, terms: tuple[Expr, ...]) -> ColumnStats:
    """Bounds and distinct values after the terms that compare the column with constants."""
    low, high, ndv = stats.low, stats.high, stats.ndv
    for term in terms:
        if not isinstance(term, Comparison):
            continue
        column, literal, op = term.left, term.right, term.op
        if isinstance(column, Literal):
            column, literal, op = literal, column, {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(op, op)
        if not isinstance(column, ColumnRef) or column.id != column_id or not isinstance(literal, Literal):
            continue
        value: Any = literal.value
        if op == "=":
            low = high = value
            ndv = 1.0
        elif number(value) is not None and number(low) is not None and number(high) is not None:
            if op in (">", ">="):
                low = max(low, value)
            elif op in ("<", "<="):
                high = min(high, value)
    return replace(stats, low=low, high=high, ndv=ndv)


# Rows of each node type -------------------------------------------------------------------------------------
def _scan_rows(e: Estimator, plan: l.Scan) -> float:
    rows = plan.table.stats().rows
    if plan.predicate is None:
        return rows
    places = {c.id: n for c, n in zip(plan.columns, plan.names, strict=True)}
    share = selectivity(
        conjuncts(plan.predicate), lambda i: plan.table.column_stats(places[i]) if i in places else None
    )
    return max(rows * share, min(rows, 1.0))


def _filter_rows(e: Estimator, plan: l.Filter) -> float:
    rows = e.rows(plan.input)
    return max(rows * e.selectivity(conjuncts(plan.predicate), plan.input), min(rows, 1.0))


def _group_rows(e: Estimator, below: Plan, groups: Iterable[Expr]) -> float:
    """Groups: the largest key's values in full, each further key damped, as keys are often dependent."""
    rows = e.rows(below)
    result = 1.0
    for power, ndv in enumerate(sorted((e.distinct(below, g) for g in groups), reverse=True)):
        result *= ndv ** (0.75**power)
    return min(result, rows)


def _aggregate_rows(e: Estimator, plan: l.Aggregate) -> float:
    return _group_rows(e, plan.input, plan.groups) if plan.groups else 1.0


def _distinct_rows(e: Estimator, plan: l.Distinct) -> float:
    keys = plan.on or tuple(ColumnRef(c.type, c.id, c.name) for c in plan.schema)
    return _group_rows(e, plan.input, keys)


def _limit_rows(e: Estimator, plan: l.Limit) -> float:
    rows = e.rows(plan.input)
    return min(rows, float(plan.limit)) if isinstance(plan.limit, int) else rows


def _join_rows(e: Estimator, plan: l.Join) -> float:
    left, right = e.rows(plan.left), e.rows(plan.right)
    if plan.kind in (JoinKind.MARK, JoinKind.SINGLE):
        return left
    inner = e.join_rows(plan.left, plan.right, conjuncts(plan.condition))
    match plan.kind:
        case JoinKind.LEFT:
            return max(inner, left)
        case JoinKind.RIGHT:
            return max(inner, right)
        case JoinKind.FULL:
            return max(inner, left, right)
        case JoinKind.SEMI:
            return left * _match_share(e, plan, plan.left, plan.right)
        case JoinKind.ANTI:
            return max(left * (1.0 - _match_share(e, plan, plan.left, plan.right)), 0.1 * left)
        case JoinKind.RIGHT_SEMI:
            return right * _match_share(e, plan, plan.right, plan.left)
        case JoinKind.RIGHT_ANTI:
            return max(right * (1.0 - _match_share(e, plan, plan.right, plan.left)), 0.1 * right)
        case _:
            return inner


def _match_share(e: Estimator, plan: l.Join, kept: Plan, other: Plan) -> float:
    """The share of `kept` rows with a partner: of its key values those that the other side has."""
    share = 1.0
    for term in conjuncts(plan.condition):
        if isinstance(term, Comparison) and term.op in ("=", "is not distinct from"):
            mine, theirs = term.left, term.right
            if not references(mine) <= kept.ids:
                mine, theirs = theirs, mine
            if references(mine) <= kept.ids and references(theirs) <= other.ids:
                share = min(share, e.distinct(other, theirs) / e.distinct(kept, mine))
                continue
        share *= 0.5
    return min(1.0, share)


def _cte_rows(e: Estimator, plan: l.Cte) -> float:
    e.register_cte(plan.cte_id, plan.definition)
    return e.rows(plan.body)


def _cte_ref_rows(e: Estimator, plan: l.CteRef) -> float:
    definition = e._ctes.get(plan.cte_id)
    return _UNKNOWN_ROWS if definition is None else e.rows(definition)


_ROWS: dict[type[Plan], Callable[[Estimator, Any], float]] = {
    l.Scan: _scan_rows,
    l.Values: lambda e, plan: float(len(plan.rows)),
    l.Filter: _filter_rows,
    l.Project: lambda e, plan: e.rows(plan.input),
    l.Join: _join_rows,
    l.Aggregate: _aggregate_rows,
    l.Distinct: _distinct_rows,
    l.Sort: lambda e, plan: e.rows(plan.input),
    l.Window: lambda e, plan: e.rows(plan.input),
    l.Unnest: lambda e, plan: _LIST_LENGTH * e.rows(plan.input),
    l.Limit: _limit_rows,
    l.UnionAll: lambda e, plan: sum(e.rows(b) for b in plan.branches),
    l.SetOp: lambda e, plan: e.rows(plan.left),
    l.Cte: _cte_rows,
    l.CteRef: _cte_ref_rows,
    l.Recursion: lambda e, plan: e.rows(plan.anchor) * _ROUNDS,
    l.WorkingRef: lambda e, plan: _WORKING_ROWS,
}
