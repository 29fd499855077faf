"""Runs logical plans, bound or optimised, straight from their definitions: rows are dicts, joins are nested
loops.

It evaluates correlated subqueries the way SQL defines them, once an outer row, so that a bound plan and what
the
optimizer makes of it can be compared before any operator exists. Values have the form of literals (see
expr.Literal).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cmp_to_key
from typing import Any

from tandemdb.planner import expr as e
from tandemdb.planner import logical as p
from tandemdb.planner.optimizer.folding.calls import fold_call
from tandemdb.planner.optimizer.folding.casts import fold_cast
from tandemdb.planner.optimizer.folding.comparisons import holds
from tandemdb.planner.optimizer.folding.values import UNKNOWN, compare
from window_interpreter import Partition

Row = dict[int, Any]
Data = Mapping[str, Sequence[tuple[Any, ...]]]


class MoreThanOneRow(Exception):
    """A scalar subquery had two rows."""


def run(plan: p.Plan, data: Data) -> list[tuple[Any, ...]]:
    """The rows of a plan over tables of Python values, by table name."""
    rows = _Interpreter(data).rows(plan, {})
    return [tuple(row[c.id] for c in plan.schema) for row in rows]


class _Interpreter:
    def __init__(self, data: Data) -> None:
        self.data = data
        self.ctes: dict[int, tuple[p.Plan, list[Row]]] = {}

    # Plans --------------------------------------------------------------------------------------------------
    def rows(self, plan: p.Plan, outer: Row) -> list[Row]:
        return getattr(self, "_" + type(plan).__name__.lower())(plan, outer)

    def _scan(self, plan: p.Scan, outer: Row) -> list[Row]:
        places = [[c.name for c in plan.table.columns].index(n) for n in plan.names]
        rows = [
            {c.id: values[i] for c, i in zip(plan.columns, places, strict=True)}
            for values in self.data[plan.table.name]
        ]
        return self._where(rows, plan.predicate, outer)

    def _where(self, rows: Iterable[Row], predicate: e.Expr | None, outer: Row) -> list[Row]:
        if predicate is None:
            return list(rows)
        return [row for row in rows if self.value(predicate, {**outer, **row}) is True]

    def _values(self, plan: p.Values, outer: Row) -> list[Row]:
        return [
            {c.id: self.value(v, outer) for c, v in zip(plan.columns, row, strict=True)} for row in plan.rows
        ]

    def _filter(self, plan: p.Filter, outer: Row) -> list[Row]:
        return self._where(self.rows(plan.input, outer), plan.predicate, outer)

    def _project(self, plan: p.Project, outer: Row) -> list[Row]:
        return [
            {c.id: self.value(v, {**outer, **row}) for c, v in zip(plan.columns, plan.exprs, strict=True)}
            for row in self.rows(plan.input, outer)
        ]

    def _join(self, plan: p.Join, outer: Row) -> list[Row]:
        kind = plan.kind
        if kind in (p.JoinKind.RIGHT, p.JoinKind.RIGHT_SEMI, p.JoinKind.RIGHT_ANTI):
            swapped = {p.JoinKind.RIGHT: "LEFT", p.JoinKind.RIGHT_SEMI: "SEMI", p.JoinKind.RIGHT_ANTI: "ANTI"}
            flipped = p.JoinKind[swapped[kind]]
            return self._join(p.Join(flipped, plan.right, plan.left, plan.condition), outer)
        nulls = dict.fromkeys(plan.right.ids)
        right = None if plan.lateral else self.rows(plan.right, outer)
        matched_right: set[int] = set()
        found: list[Row] = []
        for left in self.rows(plan.left, outer):
            candidates = self.rows(plan.right, {**outer, **left}) if right is None else right
            pairs = [
                (i, {**left, **row})
                for i, row in enumerate(candidates)
                if plan.condition is None or self.value(plan.condition, {**outer, **left, **row}) is True
            ]
            matched_right.update(i for i, _ in pairs)
            if kind is p.JoinKind.SEMI:
                found += [left] if pairs else []
            elif kind is p.JoinKind.ANTI:
                found += [] if pairs else [left]
            elif kind is p.JoinKind.MARK:
                assert plan.mark is not None
                marks = [_and(self.value(t, {**outer, **row}) for t in plan.mark_terms) for _, row in pairs]
                found.append({**left, plan.mark.id: _or(marks)})
            else:
                if kind is p.JoinKind.SINGLE and len(pairs) > 1:
                    raise MoreThanOneRow
                found += [row for _, row in pairs]
                if not pairs and kind is not p.JoinKind.INNER:
                    found.append({**left, **nulls})
        if kind is p.JoinKind.FULL:
            assert right is not None
            blank = dict.fromkeys(plan.left.ids)
            found += [{**blank, **row} for i, row in enumerate(right) if i not in matched_right]
        return found

    def _aggregate(self, plan: p.Aggregate, outer: Row) -> list[Row]:
        groups: dict[tuple[Any, ...], list[Row]] = {}
        if not plan.groups:
            groups[()] = []
        for row in self.rows(plan.input, outer):
            env = {**outer, **row}
            groups.setdefault(tuple(self.value(g, env) for g in plan.groups), []).append(env)
        return [
            {
                **{c.id: k for c, k in zip(plan.group_columns, key, strict=True)},
                **{c.id: self._call(f, members) for c, f in zip(plan.call_columns, plan.calls, strict=True)},
            }
            for key, members in groups.items()
        ]

    def _call(self, call: e.Expr, rows: list[Row]) -> Any:
        assert isinstance(call, e.AggregateCall)
        if call.filter is not None:
            rows = [row for row in rows if self.value(call.filter, row) is True]
        if call.order_by:
            rows = self._sorted(rows, call.order_by, {})
        if call.function == "count_star":
            return len(rows)
        values = [tuple(self.value(a, row) for a in call.args) for row in rows]
        if call.function in ("first", "last"):
            return (values[0] if call.function == "first" else values[-1])[0] if values else None
        values = [v for v in values if None not in v]
        if call.distinct:
            values = list(dict.fromkeys(values))
        return _AGGREGATES[call.function]([v[0] for v in values])

    def _distinct(self, plan: p.Distinct, outer: Row) -> list[Row]:
        rows = self.rows(plan.input, outer)
        if plan.order:
            rows = self._sorted(rows, plan.order, outer)
        kept: dict[tuple[Any, ...], Row] = {}
        for row in rows:
            key = tuple(self.value(v, {**outer, **row}) for v in plan.on) if plan.on else tuple(row.values())
            kept.setdefault(key, row)
        return list(kept.values())

    def _window(self, plan: p.Window, outer: Row) -> list[Row]:
        rows = [dict(row) for row in self.rows(plan.input, outer)]

        def value(expr: e.Expr, row: Row) -> Any:
            return self.value(expr, {**outer, **row})

        partitions: dict[tuple[Any, ...], list[Row]] = {}
        for row in rows:
            partitions.setdefault(tuple(value(x, row) for x in plan.partition), []).append(row)
        for members in partitions.values():
            ordered = self._sorted(members, plan.order, outer)
            keys = [tuple(value(k.expr, row) for k in plan.order) for row in ordered]
            partition = Partition(ordered, keys, value)
            found = [partition.call(call, self._call) for call in plan.calls]
            for column, values in zip(plan.call_columns, found, strict=True):
                for row, result in zip(ordered, values, strict=True):
                    row[column.id] = result
        return rows

    def _sort(self, plan: p.Sort, outer: Row) -> list[Row]:
        return self._sorted(self.rows(plan.input, outer), plan.keys, outer)

    def _sorted(self, rows: list[Row], keys: Sequence[e.SortKey], outer: Row) -> list[Row]:
        for key in reversed(keys):
            kind = key.expr.type

            def order(a: Any, b: Any, key: e.SortKey = key, kind: Any = kind) -> int:
                left, right = a[0], b[0]
                if left is None or right is None:
                    if left is right:
                        return 0
                    return (-1 if left is None else 1) * (1 if key.nulls_first else -1)
                result = compare(left, right, kind)
                assert result is not None
                return -result if key.descending else result

            pairs = [(self.value(key.expr, {**outer, **row}), row) for row in rows]
            rows = [row for _, row in sorted(pairs, key=cmp_to_key(order))]
        return rows

    def _limit(self, plan: p.Limit, outer: Row) -> list[Row]:
        rows = self.rows(plan.input, outer)
        if plan.keys:
            rows = self._sorted(rows, plan.keys, outer)
        limit, offset = (
            self.value(n, outer) if isinstance(n, e.Expr) else n for n in (plan.limit, plan.offset)
        )
        rows = rows[offset or 0 :]
        return rows if limit is None else rows[:limit]

    def _unionall(self, plan: p.UnionAll, outer: Row) -> list[Row]:
        return [
            {c.id: row[s.id] for c, s in zip(plan.columns, branch.schema, strict=True)}
            for branch in plan.branches
            for row in self.rows(branch, outer)
        ]

    def _setop(self, plan: p.SetOp, outer: Row) -> list[Row]:
        left, right = (
            [tuple(row[c.id] for c in side.schema) for row in self.rows(side, outer)]
            for side in (plan.left, plan.right)
        )
        found: list[tuple[Any, ...]] = []
        for row in left:
            if plan.kind == "intersect":
                keep = row in right
            else:
                keep = row not in right
            if plan.all and row in right:
                right.remove(row)
            if keep and (plan.all or row not in found):
                found.append(row)
        return [dict(zip((c.id for c in plan.columns), row, strict=True)) for row in found]

    def _cte(self, plan: p.Cte, outer: Row) -> list[Row]:
        self.ctes[plan.cte_id] = (plan.definition, self.rows(plan.definition, outer))
        return self.rows(plan.body, outer)

    def _cteref(self, plan: p.CteRef, outer: Row) -> list[Row]:
        definition, rows = self.ctes[plan.cte_id]
        ids = [c.id for c in definition.schema]
        return [
            {c.id: row[ids[i]] for c, i in zip(plan.columns, plan.positions, strict=True)} for row in rows
        ]

    # Expressions --------------------------------------------------------------------------------------------
    def value(self, expr: e.Expr, env: Row) -> Any:
        match expr:
            case e.ColumnRef(id=column):
                return env[column]
            case e.Literal(value=value):
                return value
            case e.Call():
                return self._function(expr, [self.value(a, env) for a in expr.args])
            case e.Cast(arg=arg):
                result = fold_cast(self.value(arg, env), arg.type, expr.type)
                assert result is not UNKNOWN, expr
                return result
            case e.Comparison(op=op, left=left, right=right):
                return _compared(op, self.value(left, env), self.value(right, env), left.type)
            case e.And(args=args):
                return _and(self.value(a, env) for a in args)
            case e.Or(args=args):
                return _or(self.value(a, env) for a in args)
            case e.Not(arg=arg):
                return _not(self.value(arg, env))
            case e.IsNull(arg=arg):
                return self.value(arg, env) is None
            case e.InList(arg=arg, items=items):
                left = self.value(arg, env)
                return _or([_compared("=", left, self.value(i, env), arg.type) for i in items])
            case e.Case(branches=branches, default=default):
                for condition, value in branches:
                    if self.value(condition, env) is True:
                        return self.value(value, env)
                return self.value(default, env)
            case e.Coalesce(args=args):
                return next((v for a in args if (v := self.value(a, env)) is not None), None)
            case _:
                return self._subquery(expr, env)

    def _function(self, call: e.Call, values: list[Any]) -> Any:
        if None in values:
            return None
        literals = tuple(e.Literal(a.type, v) for a, v in zip(call.args, values, strict=True))
        folded = fold_call(e.Call(call.type, call.function, literals))
        assert isinstance(folded, e.Literal), call
        return folded.value

    def _subquery(self, expr: e.Expr, env: Row) -> Any:
        assert isinstance(expr, e.SUBQUERIES), expr
        rows = self.rows(expr.plan, env)
        if isinstance(expr, e.Exists):
            return bool(rows)
        columns = expr.plan.schema
        if isinstance(expr, e.ScalarSubquery):
            if len(rows) > 1:
                raise MoreThanOneRow
            return rows[0][columns[0].id] if rows else None
        assert isinstance(expr, e.Quantified)
        args = [self.value(a, env) for a in expr.args]
        combine = _or if expr.op == "<>" else _and
        return _or(
            [
                combine(_compared(expr.op, a, row[c.id], c.type) for a, c in zip(args, columns, strict=True))
                for row in rows
            ]
        )


def _compared(op: str, left: Any, right: Any, kind: Any) -> bool | None:
    if op in ("is distinct from", "is not distinct from"):
        same = left is right if left is None or right is None else compare(left, right, kind) == 0
        return same == (op == "is not distinct from")
    if left is None or right is None:
        return None
    order = compare(left, right, kind)
    assert order is not None
    return holds(op, order)


def _and(values: Iterable[bool | None]) -> bool | None:
    known = list(values)
    return False if False in known else None if None in known else True


def _or(values: Iterable[bool | None]) -> bool | None:
    known = list(values)
    return True if True in known else None if None in known else False


def _not(value: bool | None) -> bool | None:
    return None if value is None else not value


_AGGREGATES: dict[str, Callable[[list[Any]], Any]] = {
    "count": len,
    "sum": lambda v: sum(v) if v else None,
    "min": lambda v: min(v, default=None),
    "max": lambda v: max(v, default=None),
    "bool_or": lambda v: any(v) if v else None,
    "bool_and": lambda v: all(v) if v else None,
    "any_value": lambda v: v[0] if v else None,
    "count_if": sum,
    "avg": lambda v: sum(v) / len(v) if v else None,
}
