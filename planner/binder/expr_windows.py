"""Calls with OVER: window functions and aggregates, their arguments and what surrounds them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlglot import exp

from .. import messages
from .. import messages_windows as windows
from ..errors import Span
from ..expr import AggregateCall, Expr, Over, SortKey, WindowCall
from ..frontend.spans import span_of, token_span
from ..functions import (
    OVER_NAMES,
    REFUSED,
    AggregateFunction,
    WindowFunction,
    find_aggregate,
    find_scalar,
    find_window,
    function_names,
)
from .calls import resolve_call
from .casting import cast_all
from .expr_aggregates import bind_aggregate, call_parts, sort_key
from .expr_core import ExpressionBinder, binds
from .frames import bind_frame
from .guard import reject_unknown_args

_NULLS = {exp.IgnoreNulls: "IGNORE NULLS", exp.RespectNulls: "RESPECT NULLS"}


@binds(exp.Window)
def _window(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this", "partition_by", "order", "spec", "over")
    span = span_of(node)
    if binder.inside_aggregate is not None:
        raise windows.nested("an aggregate", span)
    if binder.inside_window:
        raise windows.nested("another window function", span)
    if not binder.allow_windows:
        raise windows.not_allowed(binder.clause, span)
    binder.inside_window = True
    try:
        call = _call(binder, node.this)
        partition = binder.bind_all(node.args.get("partition_by") or ())
        frame, order = bind_frame(binder, node.args.get("spec"), _order(binder, node.args.get("order")))
    finally:
        binder.inside_window = False
    return Over(call.type, replace(call, frame=frame), partition, order, span=span)


def _order(binder: ExpressionBinder, node: exp.Expr | None) -> tuple[SortKey, ...]:
    if node is None:
        return ()
    reject_unknown_args(node, "expressions")
    for key in node.expressions:
        term = key.this if isinstance(key, exp.Ordered) else key
        if isinstance(term, exp.Var) and term.name.upper() == "ALL":
            raise windows.order_all(token_span(term) or span_of(node))
    return tuple(sort_key(binder, key) for key in node.expressions)


def _call(binder: ExpressionBinder, node: Any) -> WindowCall:
    """The call before OVER, still without its frame."""
    condition = None
    if isinstance(node, exp.Filter):
        reject_unknown_args(node, "this", "expression")
        reject_unknown_args(node.args["expression"], "this")
        node, condition = node.this, node.args["expression"].this
    if (
        isinstance(node, exp.Dot)
        and isinstance(node.this, exp.Identifier)
        and node.this.name.lower() == "main"
    ):
        node = node.args["expression"]
    if type(node) in _NULLS:
        words = _NULLS[type(node)]
        raise messages.syntax(f"{words} stands inside the parentheses of the call", span_of(node))
    if not isinstance(node, exp.Anonymous):
        raise messages.unsupported("OVER after this is", span_of(node))
    node, nulls = _without_nulls(node)
    name, at = str(node.this).lower(), token_span(node)
    name = OVER_NAMES.get(name, name)
    aggregate = find_aggregate(name)
    if aggregate is not None:
        if nulls is not None:
            raise windows.ignore_nulls_of_aggregate(name, at)
        return _of_aggregate(binder, aggregate, node, condition)
    function = find_window(name)
    if function is None:
        raise _no_window_function(binder, name, at)
    if condition is not None:
        raise windows.not_for_function("FILTER", name, at)
    if nulls is not None and not function.takes_ignore_nulls:
        raise windows.not_for_function(_NULLS[nulls], name, at)
    return _of_function(binder, function, node, nulls is exp.IgnoreNulls)


def _no_window_function(binder: ExpressionBinder, name: str, at: Span | None) -> Exception:
    if find_scalar(name) is not None or name in binder.context.functions:
        return messages.not_an_aggregate(name, "OVER", at)
    if name in REFUSED:
        return messages.unsupported_function(name, at, REFUSED[name])
    return messages.unknown_function(name, function_names(), at)


def _without_nulls(node: Any) -> tuple[Any, type[exp.Expr] | None]:
    """The call without IGNORE or RESPECT NULLS after its last argument, and which of them stood there."""
    args = node.expressions
    kind = type(args[-1]) if args else None
    if kind is None or kind not in _NULLS:
        return node, None
    bare = node.copy()
    last = bare.expressions[-1]
    bare.set("expressions", [*bare.expressions[:-1], last.this])
    return bare, kind


def _of_function(
    binder: ExpressionBinder, function: WindowFunction, node: Any, ignore_nulls: bool
) -> WindowCall:
    reject_unknown_args(node, "this", "expressions")
    shown, at = str(node.this).lower(), token_span(node)
    nodes, distinct, order = call_parts(node)
    if distinct:
        raise windows.not_for_function("DISTINCT", shown, at)
    if order:
        raise messages.unsupported("ORDER BY among the arguments of window functions is", at)
    args = binder.bind_all(nodes)
    bound = resolve_call(shown, function.overloads, args, span_of(node))
    cast = cast_all(args, bound.args)
    return WindowCall(bound.result, function.name, cast, ignore_nulls=ignore_nulls, span=span_of(node))


def _of_aggregate(
    binder: ExpressionBinder, function: AggregateFunction, node: Any, condition: exp.Expr | None
) -> WindowCall:
    at = token_span(node)
    bound: AggregateCall = bind_aggregate(binder, function, node, condition, over=True)
    if bound.order_by:
        raise messages.unsupported("ORDER BY among the arguments of aggregates over windows is", at)
    return WindowCall(
        bound.type,
        bound.function,
        bound.args,
        filter=bound.filter,
        distinct=bound.distinct,
        span=bound.span,
    )
