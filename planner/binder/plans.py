"""Small builders of plan nodes that keep the rules of logical.py: ids and nullability."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ..errors import Span
from ..expr import (
    AggregateCall,
    And,
    Call,
    Case,
    Cast,
    Coalesce,
    Column,
    ColumnRef,
    Comparison,
    Exists,
    Expr,
    InList,
    IsNull,
    Literal,
    Not,
    Or,
    ref,
)
from ..logical import ColumnIds, Plan, Project
from ..types import SQLType
from .casting import cast_to

# Functions whose result is NULL only for a NULL argument.
_STRICT = frozenset({"+", "-", "*", "neg", "||"})
_COUNTS = frozenset({"count", "count_star"})


def not_null_ids(plan: Plan) -> frozenset[int]:
    """Ids of the output columns that are never NULL."""
    return frozenset(c.id for c in plan.schema if not c.nullable)


def is_nullable(expr: Expr, never: frozenset[int]) -> bool:
    """Whether a value may be NULL, given the columns that are `never` NULL. True when in doubt."""
    known: dict[int, bool] = {}

    def ask(part: Expr) -> bool:
        # A part may stand in many places: see `walk`.
        answer = known.get(id(part))
        if answer is None:
            answer = known[id(part)] = _may_be_null(part, never, ask)
        return answer

    return _may_be_null(expr, never, ask)


def _may_be_null(expr: Expr, never: frozenset[int], ask: Callable[[Expr], bool]) -> bool:
    match expr:
        case ColumnRef(id=id_):
            return id_ not in never
        case Literal(value=value):
            return value is None
        case IsNull() | Exists():
            return False
        case Comparison(op="is distinct from" | "is not distinct from"):
            return False
        case Comparison(left=left, right=right):
            return ask(left) or ask(right)
        case And(args=args) | Or(args=args):
            return any(ask(a) for a in args)
        case Not(arg=arg) | Cast(arg=arg, safe=False):
            return ask(arg)
        case InList(arg=arg, items=items):
            return ask(arg) or any(ask(i) for i in items)
        case Coalesce(args=args):
            return all(ask(a) for a in args)
        case Case(branches=branches, default=default):
            return ask(default) or any(ask(v) for _, v in branches)
        case Call(function=function, args=args) if function in _STRICT:
            return any(ask(a) for a in args)
        case AggregateCall(function=function):
            return function not in _COUNTS
        case _:
            return True


def output_column(
    ids: ColumnIds, name: str, expr: Expr, never: frozenset[int], present: frozenset[int]
) -> Column:
    """The output column of a projected expression: a plain reference to one of the `present` columns keeps
    its id. An outer column
    gets a new one: side by side with the outer plan, one id would stand for two columns."""
    nullable = is_nullable(expr, never)
    if isinstance(expr, ColumnRef) and expr.id in present:
        return Column(expr.id, name, expr.type, nullable)
    return ids.column(name, expr.type, nullable)


def project(ids: ColumnIds, input_: Plan, names: Sequence[str], exprs: Sequence[Expr]) -> Project:
    """Project of `exprs` under `names`."""
    never = not_null_ids(input_)
    columns = tuple(output_column(ids, n, e, never, input_.ids) for n, e in zip(names, exprs, strict=True))
    return Project(input_, columns, tuple(exprs))


def keep(input_: Plan, columns: Iterable[Column]) -> Plan:
    """Project to some of the input's columns; the input itself where nothing changes."""
    wanted = tuple(columns)
    if wanted == input_.schema:
        return input_
    return Project(input_, wanted, tuple(ref(c) for c in wanted))


def cast_columns(ids: ColumnIds, plan: Plan, targets: Sequence[SQLType], span: Span | None = None) -> Plan:
    """The plan with its columns cast to `targets`, position by position; `span` is the place of the query.
    Raises BinderError where a
    column has no such cast."""
    if all(c.type == t for c, t in zip(plan.schema, targets, strict=True)):
        return plan
    names = [c.name for c in plan.schema]
    exprs = [cast_to(ref(c, span), t) for c, t in zip(plan.schema, targets, strict=True)]
    return project(ids, plan, names, exprs)
