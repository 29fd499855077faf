"""The invariants of a logical plan, checked after every rule that changed something.

A node that was found right is marked, because nodes are immutable: only what a rule built is looked at again.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..expr import (
    SUBQUERIES,
    AggregateCall,
    And,
    Case,
    Coalesce,
    Column,
    ColumnRef,
    Comparison,
    Expr,
    InList,
    Not,
    Or,
    WindowCall,
    children,
)
from ..logical import (
    Aggregate,
    Cte,
    CteRef,
    Filter,
    Join,
    JoinKind,
    Plan,
    Project,
    Recursion,
    Scan,
    SetOp,
    UnionAll,
    Unnest,
    Values,
    Window,
    WorkingRef,
)
from ..types import BOOLEAN, SQLType


class InvalidPlan(AssertionError):
    """A rule broke a plan; the message names the rule and what is wrong."""


def verify(before: Plan, after: Plan, rule: str) -> None:
    """Checks that `after` is a valid plan with the output of `before`; InvalidPlan names `rule`."""
    problem = _schema_problem(before.schema, after.schema) or plan_problem(after)
    if problem:
        raise InvalidPlan(f"rule {rule}: {problem}")


def plan_problem(plan: Plan) -> str | None:
    """What is wrong with a whole plan, None if nothing."""
    problem = _problem(plan, {})
    if problem is None and plan.outer_references:
        missing = sorted(plan.outer_references)
        return f"column references {missing} are produced nowhere"
    return problem


def _schema_problem(before: tuple[Column, ...], after: tuple[Column, ...]) -> str | None:
    if len(before) != len(after):
        return f"{len(before)} output columns became {len(after)}"
    for old, new in zip(before, after, strict=True):
        if (old.id, old.name, old.type) != (new.id, new.name, new.type):
            return f"output column {old.name} ({old.id}, {old.type}) became {new.name} ({new.id}, {new.type})"
    return None


def _problem(plan: Plan, ctes: dict[int, Plan]) -> str | None:
    if plan.__dict__.get("_verified"):
        return None
    if isinstance(plan, Cte):
        ctes[plan.cte_id] = plan.definition
    if isinstance(plan, Recursion):
        ctes[plan.cte_id] = plan
    for child in plan.inputs:
        problem = _problem(child, ctes)
        if problem:
            return problem
    problem = _node_problem(plan, ctes)
    if problem is None:
        types = {c.id: c.type for child in plan.inputs for c in child.schema}
        if isinstance(plan, Scan):
            types = {c.id: c.type for c in plan.columns}
        problem = _expressions_problem(plan.expressions, types)
    if problem:
        return f"{type(plan).__name__}: {problem}"
    # A reference to a CTE is right only under its definition, so nodes above it must be looked at again where
    # they move.
    if not isinstance(plan, (CteRef, WorkingRef)) and all(
        child.__dict__.get("_verified") for child in plan.inputs
    ):
        plan.__dict__["_verified"] = True
    return None


def _node_problem(plan: Plan, ctes: dict[int, Plan]) -> str | None:
    match plan:
        case Scan(columns=columns, names=names):
            return _lengths(columns, names) or _distinct_ids(columns)
        case Values(columns=columns, rows=rows):
            for row in rows:
                problem = _lengths(columns, row) or _types(columns, row)
                if problem:
                    return problem
            return _distinct_ids(columns)
        case Filter(predicate=predicate):
            return _boolean(predicate)
        case Project(columns=columns, exprs=exprs):
            return _lengths(columns, exprs) or _types(columns, exprs) or _redefined(columns, exprs)
        case Join():
            return _join_problem(plan)
        case Aggregate(group_columns=groups, call_columns=calls):
            if not all(isinstance(call, AggregateCall) for call in plan.calls):
                return "a call is not an aggregate"
            return (
                _lengths(groups, plan.groups)
                or _lengths(calls, plan.calls)
                or _types(groups, plan.groups)
                or _types(calls, plan.calls)
                or _distinct_ids((*groups, *calls))
            )
        case Window(call_columns=calls):
            if not all(isinstance(call, WindowCall) for call in plan.calls):
                return "a call is not one over a window"
            return _lengths(calls, plan.calls) or _types(calls, plan.calls) or _distinct_ids(calls)
        case Unnest(lists=lists, columns=columns):
            if not all(e.type.is_list for e in lists):
                return "what is unnested is not a list"
            return _lengths(columns, lists) or _distinct_ids(plan.made)
        case UnionAll(branches=branches, columns=columns):
            return _branches(branches, columns)
        case SetOp(left=left, right=right, columns=columns):
            return _branches((left, right), columns)
        case Recursion(columns=columns):
            if any(c.id not in plan.anchor.ids for c in plan.anchor_columns):
                return "the anchor lacks a column"
            if any(c.id not in plan.step.ids for c in plan.step_columns):
                return "the step lacks a column"
            parts = (plan.anchor_columns, plan.step_columns)
            problem = next(
                (p for part in parts if (p := _lengths(columns, part) or _types(columns, part))), None
            )
            return problem or _distinct_ids(columns)
        case (
            CteRef(cte_id=cte_id, columns=columns, positions=positions)
            | WorkingRef(cte_id=cte_id, columns=columns, positions=positions)
        ):
            if cte_id not in ctes:
                return f"the definition of {plan.name} is not above"
            schema = ctes[cte_id].schema
            if any(position >= len(schema) for position in positions):
                return f"{plan.name} has too few columns"
            return _lengths(columns, positions) or _types(columns, [schema[p] for p in positions])
        case _:
            return None


def _join_problem(join: Join) -> str | None:
    shared = join.left.ids & join.right.ids
    if shared:
        return f"both inputs produce columns {sorted(shared)}"
    if (join.kind is JoinKind.MARK) != (join.mark is not None):
        return "the mark column is missing or too many"
    if join.mark_terms and join.kind is not JoinKind.MARK:
        return f"{join.kind.value} with mark terms"
    for term in join.expressions:
        problem = _boolean(term)
        if problem:
            return problem
    return None


def _branches(branches: Iterable[Plan], columns: tuple[Column, ...]) -> str | None:
    for branch in branches:
        problem = _lengths(columns, branch.schema) or _types(columns, branch.schema)
        if problem:
            return problem
    return _distinct_ids(columns)


def _lengths(left: object, right: object) -> str | None:
    sizes = len(left), len(right)  # type: ignore[arg-type]
    return None if sizes[0] == sizes[1] else f"{sizes[0]} columns and {sizes[1]} values"


def _types(columns: Iterable[Column], values: Iterable[Expr | Column]) -> str | None:
    for column, value in zip(columns, values, strict=True):
        if column.type != value.type:
            return f"column {column.name} is {column.type}, its value {value.type}"
    return None


def _distinct_ids(columns: tuple[Column, ...]) -> str | None:
    ids = [c.id for c in columns]
    return None if len(set(ids)) == len(ids) else f"column ids {ids} repeat"


def _redefined(columns: tuple[Column, ...], exprs: tuple[Expr, ...]) -> str | None:
    """One id with two different values."""
    seen: dict[int, Expr] = {}
    for column, expr in zip(columns, exprs, strict=True):
        if seen.setdefault(column.id, expr) != expr:
            return f"column {column.name} ({column.id}) has two values"
    return None


def _boolean(expr: Expr) -> str | None:
    return None if expr.type == BOOLEAN else f"a condition has type {expr.type}"


def _expressions_problem(exprs: Iterable[Expr], types: dict[int, SQLType]) -> str | None:
    for expr in exprs:
        problem = _expression_problem(expr)
        if problem:
            return problem
        for column, kind in _column_types(expr).items():
            if types.get(column, kind) != kind:
                return f"column {column} is {types[column]}, read as {kind}"
    return None


def _column_types(expr: Expr) -> dict[int, SQLType]:
    cached = expr.__dict__.get("_column_types")
    if cached is None:
        cached = {}
        if isinstance(expr, ColumnRef):
            cached[expr.id] = expr.type
        for child in children(expr):
            cached.update(_column_types(child))
        expr.__dict__["_column_types"] = cached
    return cached


def _expression_problem(expr: Expr) -> str | None:
    if expr.__dict__.get("_verified"):
        return None
    parts = children(expr)
    for part in parts:
        problem = _expression_problem(part)
        if problem:
            return problem
    problem = _typing_problem(expr)
    if problem is None and not isinstance(expr, SUBQUERIES):
        expr.__dict__["_verified"] = True
    return problem


def _typing_problem(expr: Expr) -> str | None:
    match expr:
        case Comparison(op=op, left=left, right=right) if left.type != right.type:
            return f"{left.type} {op} {right.type}"
        case InList(arg=arg, items=items) if any(item.type != arg.type for item in items):
            return f"{arg.type} IN a list of other types"
        case And(args=args) | Or(args=args):
            if len(args) < 2:
                return f"{type(expr).__name__} of {len(args)} terms"
            return next((p for a in args if (p := _boolean(a))), None)
        case Not(arg=arg):
            return _boolean(arg)
        case Case(branches=branches, default=default):
            if any(value.type != expr.type for _, value in branches) or default.type != expr.type:
                return "CASE branches of different types"
            return next((p for condition, _ in branches if (p := _boolean(condition))), None)
        case Coalesce(args=args) if any(a.type != expr.type for a in args):
            return "COALESCE of different types"
        case _:
            return None
