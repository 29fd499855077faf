"""Which columns are never NULL, from declarations, exact statistics and the predicates below a node."""

from __future__ import annotations

from ..expr import (
    And,
    Call,
    Case,
    Cast,
    Coalesce,
    ColumnRef,
    Comparison,
    Exists,
    Expr,
    InList,
    IsNull,
    Literal,
    Not,
    Or,
)
from ..functions import AGGREGATES
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
    Scan,
    SetOp,
    Sort,
    UnionAll,
    Unnest,
    Window,
)
from .properties import null_rejected

# Functions that are NULL only where an argument is (others may give NULL for, say, a string that does not
# match).
_TOTAL = frozenset(
    "+ - * neg || substring year month day quarter abs upper lower length "
    "like like_escape ilike ilike_escape contains starts_with ends_with".split()
)


def never_null(plan: Plan, column: int) -> bool:
    """Whether output column `column` of `plan` is provably never NULL."""
    cache: dict[int, bool] = plan.__dict__.setdefault("_never_null", {})
    known = cache.get(column)
    if known is None:
        known = cache[column] = _never_null(plan, column)
    return known


def _never_null(plan: Plan, column: int) -> bool:
    match plan:
        case Scan(columns=columns, predicate=predicate):
            if predicate is not None and column in null_rejected(predicate):
                return True
            index = next(i for i, c in enumerate(columns) if c.id == column)
            if not columns[index].nullable:
                return True
            stats = plan.table.column_stats(plan.names[index])
            return stats is not None and stats.exact and stats.nulls == 0
        case Filter(input=source, predicate=predicate):
            return column in null_rejected(predicate) or never_null(source, column)
        case Project(input=source, columns=columns, exprs=exprs):
            return all(
                expression_never_null(e, source)
                for c, e in zip(columns, exprs, strict=True)
                if c.id == column
            )
        case Join():
            return _never_null_join(plan, column)
        case Aggregate(input=source, group_columns=groups, call_columns=calls):
            for c, e in zip(groups, plan.groups, strict=True):
                if c.id == column:
                    return expression_never_null(e, source)
            for c, call in zip(calls, plan.calls, strict=True):
                if c.id == column:
                    function = AGGREGATES.get(call.function)
                    return function is not None and function.empty is not None
            return False
        case Distinct(input=source) | Sort(input=source) | Limit(input=source):
            return never_null(source, column)
        case Unnest(input=source):
            return column in source.ids and never_null(source, column)
        case Window(input=source, call_columns=calls):
            known = next((c for c in calls if c.id == column), None)
            return never_null(source, column) if known is None else not known.nullable
        case Cte(body=body):
            return never_null(body, column)
        case UnionAll(branches=branches, columns=columns):
            index = next(i for i, c in enumerate(columns) if c.id == column)
            return all(never_null(b, b.schema[index].id) for b in branches)
        case SetOp(left=left, columns=columns):
            index = next(i for i, c in enumerate(columns) if c.id == column)
            return never_null(left, left.schema[index].id)
        case _:
            return any(c.id == column and not c.nullable for c in plan.schema)


def _never_null_join(join: Join, column: int) -> bool:
    kind = join.kind
    if kind is JoinKind.MARK and join.mark is not None and column == join.mark.id:
        return not join.mark.nullable
    on_left = column in join.left.ids
    if kind in (JoinKind.FULL, *((JoinKind.RIGHT,) if on_left else (JoinKind.LEFT, JoinKind.SINGLE))):
        return False
    if kind in (JoinKind.INNER, JoinKind.SEMI, JoinKind.RIGHT_SEMI):
        if join.condition is not None and column in null_rejected(join.condition):
            return True
    return never_null(join.left if on_left else join.right, column)


def expression_never_null(expr: Expr, *plans: Plan) -> bool:
    """Whether an expression over the rows of one or more plans is provably never NULL."""
    match expr:
        case ColumnRef(id=column):
            return any(column in plan.ids and never_null(plan, column) for plan in plans)
        case Literal(value=value):
            return value is not None
        case IsNull() | Exists() | Comparison(op="is distinct from" | "is not distinct from"):
            return True
        case Comparison(left=left, right=right):
            return expression_never_null(left, *plans) and expression_never_null(right, *plans)
        case And(args=args) | Or(args=args):
            return all(expression_never_null(a, *plans) for a in args)
        case Not(arg=arg) | Cast(arg=arg, safe=False):
            return expression_never_null(arg, *plans)
        case InList(arg=arg, items=items):
            return all(expression_never_null(a, *plans) for a in (arg, *items))
        case Coalesce(args=args):
            return any(expression_never_null(a, *plans) for a in args)
        case Case(branches=branches, default=default):
            return all(expression_never_null(a, *plans) for a in (default, *(v for _, v in branches)))
        case Call(function=function, args=args):
            return function in _TOTAL and all(expression_never_null(a, *plans) for a in args)
        case _:
            return False
