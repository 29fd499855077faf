"""Lambdas: `lambda x: x + 1` as an argument of a function of lists, and list comprehensions."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from .. import messages, messages_nested
from ..coercion import common_type
from ..errors import Span
from ..expr import (
    SUBQUERIES,
    AggregateCall,
    Column,
    ColumnRef,
    Expr,
    LambdaCall,
    Literal,
    Over,
    children,
    references,
    with_children,
)
from ..frontend.spans import span_of, token_span
from ..types import BIGINT, NULL, SQLType, list_of
from .casting import cast_to, condition
from .expr_core import ExpressionBinder, binds
from .guard import reject_unknown_args

# The parts of a lambda's body that are computed outside of it.
_OUTSIDE = (ColumnRef, AggregateCall, Over)


@binds(exp.Lambda)
def _misplaced(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    raise messages_nested.bad_lambda(
        "Lambda functions can only stand in calls of functions that take one", span_of(node)
    )


def bind_lambda_call(binder: ExpressionBinder, canonical: str, node: exp.Expr) -> Expr:
    """A call of list_transform, list_filter or list_reduce."""
    args = node.expressions
    shown, at, span = node.name.lower(), token_span(node), span_of(node)
    most = 3 if canonical == "list_reduce" else 2
    if not 2 <= len(args) <= most or not isinstance(args[1], exp.Lambda):
        kinds = [a.type for a in binder.bind_all([a for a in args if not isinstance(a, exp.Lambda)])]
        raise messages.no_matching_function(shown, kinds, [f"{shown}(T[], lambda x: ...)"], at)
    held = binder.bind(args[0])
    names = [part.name for part in args[1].expressions]
    if held.type == NULL:
        return Literal(NULL, None, span=span)
    if not held.type.is_list:
        raise messages.no_matching_function(shown, [held.type], [f"{shown}(T[], lambda x: ...)"], at)
    if canonical == "list_reduce":
        start = binder.bind(args[2]) if len(args) == 3 else None
        return _reduce(binder, held, args[1], names, start, span)
    if len(names) not in (1, 2):
        raise messages_nested.bad_lambda(
            f"This lambda function takes 1 or 2 parameters, not {len(names)}", span_of(args[1])
        )
    return map_elements(binder, canonical, held, names, args[1].this, span)


def map_elements(
    binder: ExpressionBinder,
    canonical: str,
    held: Expr,
    names: Sequence[str],
    body: exp.Expr,
    span: Span | None,
) -> Expr:
    """list_transform or list_filter with a lambda of element and, if wanted, its position."""
    kinds = (held.type.element, BIGINT)[: len(names)]
    bound, columns = _body(binder, names, kinds, body)
    if canonical == "list_filter":
        bound = condition(bound, "list_filter")
    result = held.type if canonical == "list_filter" else list_of(bound.type)
    return _closed(canonical, result, (held,), bound, columns, span)


def _body(
    binder: ExpressionBinder, names: Sequence[str], kinds: Sequence[SQLType], body: exp.Expr
) -> tuple[Expr, list[Column]]:
    """The body bound with its parameters in scope, and the columns that stand for them."""
    ids = binder.context.ids
    columns = [ids.column(name, kind) for name, kind in zip(names, kinds, strict=True)]
    if len({name.lower() for name in names}) < len(names):
        raise messages_nested.bad_lambda("The parameters of a lambda have different names", span_of(body))
    before = binder.parameters
    binder.parameters = {**before, **{c.name.lower(): c for c in columns}}
    try:
        return binder.bind(body), columns
    finally:
        binder.parameters = before


def _closed(
    canonical: str,
    result: SQLType,
    args: tuple[Expr, ...],
    body: Expr,
    params: Sequence[Column],
    span: Span | None,
) -> LambdaCall:
    """The call, with everything that the body reads outside of it as an argument."""
    own = {column.id: ColumnRef(column.type, -1 - i, column.name) for i, column in enumerate(params)}
    outside: dict[Expr, ColumnRef] = {}
    done: dict[int, Expr] = {}

    def inside(part: Expr) -> Expr:
        known = done.get(id(part))
        if known is not None:
            return known
        if isinstance(part, ColumnRef) and part.id in own:
            column = own[part.id]
            found: Expr = ColumnRef(column.type, column.id, column.name, span=part.span)
        elif isinstance(part, SUBQUERIES):
            raise messages_nested.bad_lambda(
                "subqueries in lambda expressions are not supported", part.span or span
            )
        elif isinstance(part, _OUTSIDE):
            if not references(part).isdisjoint(own):
                raise messages_nested.bad_lambda(
                    "Aggregates and window functions cannot read parameters of a lambda", part.span or span
                )
            column = outside.setdefault(part, ColumnRef(part.type, -1 - len(own) - len(outside), "captured"))
            found = ColumnRef(column.type, column.id, column.name, span=part.span)
        else:
            old = children(part)
            new = tuple(inside(child) for child in old)
            found = part if all(a is b for a, b in zip(old, new, strict=True)) else with_children(part, new)
        done[id(part)] = found
        return found

    closed = inside(body)
    kinds = tuple(column.type for column in params)
    return LambdaCall(result, canonical, (*args, *outside), kinds, len(args), closed, span=span)


def _reduce(
    binder: ExpressionBinder,
    held: Expr,
    node: exp.Expr,
    names: list[str],
    start: Expr | None,
    span: Span | None,
) -> Expr:
    if len(names) not in (2, 3):
        raise messages_nested.bad_lambda(
            f"list_reduce expects a function with 2 or 3 arguments, not {len(names)}", span_of(node)
        )
    state = held.type.element if start is None else start.type
    kinds = (state, held.type.element, BIGINT)[: len(names)]
    body, columns = _body(binder, names, kinds, node.this)
    wider = common_type((state, body.type))
    if wider is not None and wider != state:
        # What comes of a step goes into the next one.
        state = wider
        if start is None:
            held = cast_to(held, list_of(state))
        else:
            start = cast_to(start, state)
        kinds = (state, held.type.element, BIGINT)[: len(names)]
        body, columns = _body(binder, names, kinds, node.this)
    args = (held,) if start is None else (held, start)
    return _closed("list_reduce", state, args, cast_to(body, state), columns, span)


def bind_comprehension(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    """`[f(x) for x in l if g(x)]`: the elements for which g is true, as f makes them."""
    reject_unknown_args(node, "this", "expression", "position", "iterator", "condition")
    span = span_of(node)
    held = binder.bind(node.args["iterator"])
    if held.type == NULL:
        held = cast_to(held, list_of(NULL))
    if not held.type.is_list:
        raise messages.no_matching_function(
            "list_apply", [held.type], ["list_apply(T[], lambda x: ...)"], span
        )
    names = [node.args["expression"].name]
    if node.args.get("position") is not None:
        names.append(node.args["position"].name)
    if node.args.get("condition") is None:
        return map_elements(binder, "list_transform", held, names, node.this, span)
    kinds = (held.type.element, BIGINT)[: len(names)]
    value, columns = _body(binder, names, kinds, node.this)
    test, others = _body(binder, names, kinds, node.args["condition"])
    from ..expr import ref, substitute
    from .expr_nested import struct  # which has lambdas
    from .fields import field_at

    mapping: dict[int, Expr] = {a.id: ref(b) for a, b in zip(others, columns, strict=True)}
    test = substitute(condition(test, "list_filter"), mapping)
    both = struct(("filter", "result"), (test, value), span)
    made = _closed("list_transform", list_of(both.type), (held,), both, columns, span)
    item = binder.context.ids.column("elem", both.type)
    kept = _closed("list_filter", made.type, (made,), field_at(ref(item), 0, span), [item], span)
    item = binder.context.ids.column("elem", both.type)
    result = field_at(ref(item), 1, span)
    return _closed("list_transform", list_of(value.type), (kept,), result, [item], span)
