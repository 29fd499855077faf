"""Aggregates inside expressions: DISTINCT, FILTER, ORDER BY and WITHIN GROUP."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from .. import messages
from ..expr import AggregateCall, Expr, Literal, SortKey
from ..frontend.spans import span_of, token_span
from ..functions import AGGREGATES, ALWAYS_DISTINCT, AggregateFunction, find_aggregate
from ..types import BIGINT
from .calls import resolve_call, with_constants
from .casting import cast_all
from .directions import direction
from .expr_core import ExpressionBinder, binds
from .grouping_sets import GROUPING
from .guard import reject_unknown_args

_MOST_GROUPINGS = 63  # a bit each
_QUANTILES = frozenset({"quantile_disc", "quantile_cont", "approx_quantile"})
_ORDERED_SETS = {"percentile_cont": "quantile_cont", "percentile_disc": "quantile_disc", "mode": "mode"}


@binds(exp.Filter)
def _filter(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this", "expression")
    inner = node.this
    where = node.args["expression"]
    reject_unknown_args(where, "this")
    condition = where.this
    if isinstance(inner, exp.WithinGroup):
        return _bind_within_group(binder, inner, condition)
    name = str(inner.this).lower() if isinstance(inner, exp.Anonymous) else ""
    function = find_aggregate(name)
    if function is None:
        if not isinstance(inner, exp.Anonymous):
            raise messages.unsupported("FILTER of this is", span_of(node))
        binder.bind(inner)  # an unknown function is the better error
        raise messages.not_an_aggregate(name, "FILTER", token_span(inner))
    from .quantile_lists import bind_aggregates  # which are aggregates

    return bind_aggregates(binder, function, inner, condition)


@binds(exp.IgnoreNulls, exp.RespectNulls)
def _ignore_nulls(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    raise messages.unsupported("IGNORE NULLS and RESPECT NULLS are", span_of(node))


@binds(exp.WithinGroup)
def _within_group(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    return _bind_within_group(binder, node, None)


def _bind_within_group(binder: ExpressionBinder, node: exp.Expr, condition: exp.Expr | None) -> Expr:
    """`percentile_cont(0.5) WITHIN GROUP (ORDER BY x)` is quantile_cont(x, 0.5)."""
    reject_unknown_args(node, "this", "expression")
    call, order = node.this, node.args["expression"]
    name = str(call.this).lower() if isinstance(call, exp.Anonymous) else ""
    reject_unknown_args(order, "expressions")
    keys = order.expressions
    for key in keys:
        reject_unknown_args(key, "this", "desc", "nulls_first")
    if name not in _ORDERED_SETS or len(keys) != 1:
        raise messages.unsupported("WITHIN GROUP of this is", span_of(node))
    function = AGGREGATES[_ORDERED_SETS[name]]
    value = keys[0].this.copy()
    if function.order_sensitive:
        value = exp.Order(this=value, expressions=[keys[0].copy()])
    elif keys[0].args.get("desc"):
        raise messages.unsupported("WITHIN GROUP in descending order is", span_of(keys[0]) or span_of(node))
    rewritten = call.copy()
    rewritten.set("expressions", [value, *rewritten.expressions])
    return bind_aggregate(binder, function, rewritten, condition)


def bind_aggregate(
    binder: ExpressionBinder,
    function: AggregateFunction,
    node: exp.Expr,
    condition: exp.Expr | None,
    *,
    over: bool = False,
) -> AggregateCall:
    """The AggregateCall of a call `node` with the FILTER `condition`; with `over` its rows are those of a
    window, so that aggregates may stand in it. Raises SqlError where aggregates are not allowed, inside
    another aggregate, and for arguments that do not fit."""
    reject_unknown_args(node, "this", "expressions")
    shown, at = str(node.this).lower(), token_span(node)
    if not over and binder.inside_aggregate is not None:
        raise messages.nested_aggregate(shown, at)
    if not over and not binder.allow_aggregates:
        raise messages.aggregate_not_allowed(shown, binder.clause, at)
    arg_nodes, distinct, order_nodes = call_parts(node)
    if function.name == "count" and (not arg_nodes or isinstance(arg_nodes[0], exp.Star)):
        if distinct or len(arg_nodes) > 1 or order_nodes:
            raise messages.bad_argument(shown, "* stands alone", at)
        if arg_nodes:
            reject_unknown_args(arg_nodes[0])
        function, arg_nodes = AGGREGATES["count_star"], []
    binder.inside_aggregate = None if over else shown
    try:
        args = binder.bind_all(arg_nodes)
        where = None if condition is None else binder.bind_condition(condition, "FILTER")
        keys = tuple(sort_key(binder, key) for key in order_nodes)
    finally:
        binder.inside_aggregate = None
    span = span_of(node)
    bound = resolve_call(shown, function.overloads, args, span)
    cast = with_constants(function, shown, cast_all(args, bound.args))
    _check_fraction(function, shown, cast)
    if distinct and any(key.expr not in (*args, *cast) for key in keys):
        raise messages.bad_argument(shown, "with DISTINCT, ORDER BY takes only the arguments", at)
    distinct = (distinct or shown in ALWAYS_DISTINCT) and function.distinct_matters
    if not function.order_sensitive:
        keys = ()
    return AggregateCall(bound.result, function.name, cast, distinct, where, keys, span=span)


def bind_grouping(binder: ExpressionBinder, node: exp.Expr) -> AggregateCall:
    """GROUPING(a, b): it may stand where aggregates may."""
    reject_unknown_args(node, "this", "expressions")
    shown, at = str(node.this).lower(), token_span(node)
    if binder.inside_aggregate is not None:
        raise messages.nested_aggregate(shown, at)
    if not binder.allow_aggregates:
        raise messages.aggregate_not_allowed(shown, binder.clause, at)
    args = binder.bind_all(node.expressions)
    if not args or len(args) > _MOST_GROUPINGS:
        raise messages.wrong_argument_count(shown, f"1 to {_MOST_GROUPINGS} arguments", len(args), at)
    return AggregateCall(BIGINT, GROUPING, args, span=span_of(node))


def call_parts(node: exp.Expr) -> tuple[list[exp.Expr], bool, list[exp.Expr]]:
    """Arguments, whether DISTINCT stands before them, and the keys of ORDER BY after them."""
    args = list(node.expressions)
    keys: list[exp.Expr] = []
    if args and isinstance(args[-1], exp.Order):
        order = args.pop()
        reject_unknown_args(order, "this", "expressions")
        keys = order.expressions
        if order.this is not None:
            args.append(order.this)
    if args and isinstance(args[0], exp.Distinct):
        reject_unknown_args(args[0], "expressions")
        return [*args[0].expressions, *args[1:]], True, keys
    return args, False, keys


def sort_key(binder: ExpressionBinder, node: exp.Expr) -> SortKey:
    """A key of ORDER BY inside an aggregate or a window; NULLs come last unless said otherwise."""
    key = node
    if isinstance(node, exp.Ordered):
        reject_unknown_args(node, "this", "desc", "nulls_first")
        key = node.this
    return SortKey(binder.bind(key), *direction(node, binder.context.settings))


def _check_fraction(function: AggregateFunction, shown: str, args: Sequence[Expr]) -> None:
    if function.name not in _QUANTILES:
        return
    fraction = args[1]
    assert isinstance(fraction, Literal)
    if fraction.value is None or not 0 <= fraction.value <= 1:
        raise messages.bad_argument(shown, "the fraction is a number from 0 to 1", fraction.span)
