"""Comparisons, IS, BETWEEN and IN over lists."""

from __future__ import annotations

from functools import reduce

from sqlglot import exp

from .. import messages
from ..coercion import arg_type, can_cast, comparison_type, settled
from ..errors import Span
from ..expr import And, Call, Case, Comparison, Expr, InList, IsNull, Literal
from ..frontend.spans import span_of
from ..types import BOOLEAN, struct_of
from .casting import cast_to, comparable, condition
from .expr_core import ExpressionBinder, binds, joined_span
from .guard import reject_unknown_args
from .nested_calls import contains
from .rows import Row, any_row, compare_rows

OPERATORS: dict[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.NullSafeEQ: "is not distinct from",
    exp.NullSafeNEQ: "is distinct from",
}


def compare(op: str, left: Expr, right: Expr, span: Span | None = None) -> Expr:
    """`left op right` over bound sides, cast to the type in which they are compared."""
    span = span or joined_span(left, right)
    a, b = comparable(op, left, right, span)
    return Comparison(BOOLEAN, op, a, b, span=span)


def bind_row(binder: ExpressionBinder, node: exp.Expr) -> Row | None:
    """The fields of a row value `(a, b)` or `row(a, b)`; None for other expressions."""
    while isinstance(node, exp.Paren):
        node = node.this
    called_row = isinstance(node, exp.Anonymous) and node.name.lower() == "row"
    if not (isinstance(node, exp.Tuple) or called_row):
        return None
    reject_unknown_args(node, "this" if called_row else "expressions", "expressions")
    return binder.bind_all(node.expressions)


@binds(*OPERATORS)
def _comparison(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this", "expression")
    left_node, right_node = node.this, node.args["expression"]
    op = OPERATORS[type(node)]
    for side in (left_node, right_node):
        if type(side) in OPERATORS and not op.startswith("is"):
            raise messages.syntax(
                "Comparisons cannot be chained", span_of(node), "Combine them with AND, or use parentheses."
            )
    if isinstance(right_node, exp.Any | exp.All):
        from .expr_subqueries import bind_quantified

        return bind_quantified(binder, op, left_node, right_node, span_of(node))
    left_row, right_row = bind_row(binder, left_node), bind_row(binder, right_node)
    if left_row is not None and right_row is not None:
        return compare_rows(op, left_row, right_row, span_of(node))
    left, right = (
        binder.bind(side) if row is None else row_value(row, span_of(side))
        for side, row in ((left_node, left_row), (right_node, right_row))
    )
    if (left_row is None) != (right_row is None) and not (left.type.is_struct and right.type.is_struct):
        raise messages.row_size(len(left_row or (1,)), len(right_row or (1,)), span_of(node))
    return compare(op, left, right)


@binds(exp.Tuple)
def _tuple(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "expressions")
    return row_value(binder.bind_all(node.expressions), span_of(node))


def row_value(fields: Row, span: Span | None) -> Expr:
    """A STRUCT whose fields have no names."""
    kind = struct_of(*(("", field.type) for field in fields))
    return Call(kind, "struct_pack", tuple(fields), span=span)


@binds(exp.Is)
def _is(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this", "expression")
    arg = binder.bind(node.this)
    what = node.args["expression"]
    span = span_of(node)
    if isinstance(what, exp.Null | exp.Boolean):
        reject_unknown_args(what, "this")
    if isinstance(what, exp.Null):
        return IsNull(BOOLEAN, arg, span=span)
    if isinstance(what, exp.Boolean):
        wanted = Literal(BOOLEAN, bool(what.this), span=span_of(what))
        return Comparison(BOOLEAN, "is not distinct from", condition(arg, "IS"), wanted, span=span)
    raise messages.unsupported("IS with this on its right is", span_of(what) or span)


@binds(exp.Between)
def _between(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this", "low", "high")
    span = span_of(node)
    args = [binder.bind(n) for n in (node.this, node.args["low"], node.args["high"])]
    kinds = [arg_type(a) for a in args]
    target = reduce(lambda a, b: None if a is None else comparison_type("<", a, b), kinds[1:], kinds[0])
    if target is None:
        raise messages.type_mismatch("compare", args[0].type, args[1].type, span)
    kind = settled(target)
    value, low, high = (cast_to(a, kind) for a in args)
    terms = (
        Comparison(BOOLEAN, ">=", value, low, span=span),
        Comparison(BOOLEAN, "<=", value, high, span=span),
    )
    return And(BOOLEAN, terms, span=span)


@binds(exp.In)
def _in(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    if node.args.get("query") or isinstance((node.expressions or [None])[0], exp.Values):
        from .expr_subqueries import bind_in_subquery

        return bind_in_subquery(binder, node)
    span = span_of(node)
    if node.args.get("field") is not None:
        reject_unknown_args(node, "this", "field")
        return contains(binder.bind(node.args["field"]), binder.bind(node.this), span)
    reject_unknown_args(node, "this", "expressions")
    row = bind_row(binder, node.this)
    if not node.expressions:
        return _in_nothing(None if row is not None else binder.bind(node.this), span)
    if row is not None:
        rows = [bind_row(binder, item) for item in node.expressions]
        if any(r is None for r in rows):
            raise messages.row_size(len(row), 1, span)
        return any_row(row, [r for r in rows if r is not None], span)
    arg = binder.bind(node.this)
    return in_list(arg, binder.bind_all(node.expressions), span)


def _in_nothing(arg: Expr | None, span: Span | None) -> Expr:
    """`arg IN ()`: false, NULL for NULL; false for a row (None here)."""
    if arg is None:
        return Literal(BOOLEAN, False, span=span)
    unknown = (IsNull(BOOLEAN, arg, span=arg.span), Literal(BOOLEAN, None))
    return Case(BOOLEAN, (unknown,), Literal(BOOLEAN, False), span=span)


def in_list(arg: Expr, items: tuple[Expr, ...], span: Span | None) -> Expr:
    """`arg IN (items)`, all cast to one type; a single item is an equality. Raises BinderError where the
    types do not mix."""
    if len(items) == 1:
        return compare("=", arg, items[0], span)
    target = arg_type(arg)
    for item in items:
        merged = comparison_type("=", target, arg_type(item))
        if merged is None or not (can_cast(item.type, merged) and can_cast(arg.type, merged)):
            raise messages.type_mismatch("compare", arg.type, item.type, item.span or span)
        target = merged
    kind = settled(target)
    cast = tuple(cast_to(e, kind) for e in (arg, *items))
    return InList(BOOLEAN, cast[0], cast[1:], span=span)
