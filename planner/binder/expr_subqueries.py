"""Subqueries inside expressions: scalar, EXISTS, IN, ANY and ALL."""

from __future__ import annotations

from sqlglot import exp

from .. import messages
from ..coercion import arg_type, common_type
from ..errors import Span
from ..expr import Column, Exists, Expr, Not, Quantified, ScalarSubquery, ref
from ..frontend.spans import span_of
from ..logical import Plan, Project
from ..types import BOOLEAN, SQLType
from .casting import cast_to
from .expr_comparisons import bind_row
from .expr_core import ExpressionBinder, binds
from .guard import reject_unknown_args

_INVERSE = {"=": "<>", "<>": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def bind_plan(binder: ExpressionBinder, node: exp.Expr) -> Plan:
    """The plan of a query in an expression, however many parentheses it has."""
    while isinstance(node, exp.Paren):
        node = node.this
    return binder.subquery(node)


@binds(exp.Subquery, exp.Select, exp.Union, exp.Except, exp.Intersect, exp.Values)
def _scalar(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    span = span_of(node)
    plan = bind_plan(binder, node)
    if len(plan.schema) != 1:
        raise messages.subquery_columns(1, len(plan.schema), span)
    return ScalarSubquery(plan.schema[0].type, plan, span=span)


def bind_array(binder: ExpressionBinder, query: exp.Expr, span: Span | None) -> Expr:
    """ARRAY(SELECT ...): the rows of one column as a list, [] for none."""
    values = exp.Anonymous(this="array_agg", expressions=[exp.PositionalColumn(this=exp.Literal.number(1))])
    nothing = exp.Is(this=values, expression=exp.Null())
    value = exp.Case(ifs=[exp.If(this=nothing, true=exp.Array())], default=values.copy())
    whole = exp.Select(expressions=[value], from_=exp.From(this=exp.Subquery(this=query.copy())))
    plan = bind_plan(binder, whole)
    return ScalarSubquery(plan.schema[0].type, plan, span=span)


@binds(exp.Exists)
def _exists(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this")
    return Exists(BOOLEAN, bind_plan(binder, node.this), span=span_of(node))


def bind_in_subquery(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    """`x IN (SELECT ...)` and `(x, y) IN (SELECT ...)`, of VALUES too."""
    reject_unknown_args(node, "this", "query", "expressions")
    query, *others = [q for q in (node.args.get("query"), *node.expressions) if q is not None]
    if others:
        raise messages.syntax("A query stands alone behind IN", span_of(node))
    return _quantified(binder, "=", node.this, query, span_of(node))


def bind_quantified(
    binder: ExpressionBinder, op: str, left: exp.Expr, right: exp.Expr, span: Span | None
) -> Expr:
    """`x op ANY (SELECT ...)`; `x op ALL (...)` is NOT (x inverse-op ANY (...))."""
    reject_unknown_args(right, "this", "expressions")
    query = right.this
    while isinstance(query, exp.Paren):
        query = query.this
    if op not in _INVERSE:
        raise messages.unsupported(f"{op.upper()} with ANY or ALL is", span)
    if isinstance(right, exp.Any):
        return _quantified(binder, op, left, query, span)
    return Not(BOOLEAN, _quantified(binder, _INVERSE[op], left, query, span), span=span)


def _quantified(
    binder: ExpressionBinder, op: str, left: exp.Expr, query: exp.Expr, span: Span | None
) -> Expr:
    row = bind_row(binder, left)
    args = (binder.bind(left),) if row is None else row
    if not isinstance(query, exp.Query | exp.Values):
        query = exp.Select(expressions=[exp.Anonymous(this="unnest", expressions=[query.copy()])])
    plan = bind_plan(binder, query)
    if len(plan.schema) != len(args):
        raise messages.subquery_columns(len(args), len(plan.schema), span_of(query) or span)
    if len(args) > 1 and op not in ("=", "<>"):
        raise messages.unsupported("Comparing the order of rows with a subquery is", span)
    kinds = []
    for arg, column in zip(args, plan.schema, strict=True):
        kind = common_type((arg_type(arg), column.type))
        if kind is None:
            raise messages.type_mismatch("compare", arg.type, column.type, span)
        kinds.append(kind)
    cast = tuple(cast_to(a, k) for a, k in zip(args, kinds, strict=True))
    return Quantified(BOOLEAN, op, cast, cast_columns(binder, plan, kinds), span=span)


def cast_columns(binder: ExpressionBinder, plan: Plan, kinds: list[SQLType]) -> Plan:
    """The plan with its columns as these types: a projection on top where one differs."""
    if all(c.type == k for c, k in zip(plan.schema, kinds, strict=True)):
        return plan
    columns: list[Column] = []
    exprs: list[Expr] = []
    for column, kind in zip(plan.schema, kinds, strict=True):
        if column.type == kind:
            columns.append(column)
            exprs.append(ref(column))
        else:
            columns.append(binder.context.ids.column(column.name, kind, column.nullable))
            exprs.append(cast_to(ref(column), kind))
    return Project(plan, tuple(columns), tuple(exprs))
