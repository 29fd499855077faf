"""Quantiles at several fractions at once: `quantile_cont(x, [0.25, 0.5])` is a list of quantiles."""

from __future__ import annotations

from sqlglot import exp

from ..expr import Case, Expr, IsNull, Literal
from ..frontend.spans import span_of
from ..functions import AggregateFunction
from ..types import BOOLEAN
from .expr_aggregates import bind_aggregate
from .expr_core import ExpressionBinder

_QUANTILES = frozenset({"quantile_disc", "quantile_cont"})


def bind_aggregates(
    binder: ExpressionBinder, function: AggregateFunction, node: exp.Expr, condition: exp.Expr | None
) -> Expr:
    """The value of a call of an aggregate: an AggregateCall, or a list of them. Raises as bind_aggregate."""
    args = node.expressions
    fractions = args[1] if function.name in _QUANTILES and len(args) == 2 else None
    if not isinstance(fractions, exp.Array) or not fractions.expressions:
        return bind_aggregate(binder, function, node, condition)
    from .nested_calls import list_value

    found: list[Expr] = []
    for fraction in fractions.expressions:
        single = node.copy()
        single.set("expressions", [args[0].copy(), fraction.copy()])
        found.append(bind_aggregate(binder, function, single, condition))
    values = list_value(found, span_of(node))
    nothing = (IsNull(BOOLEAN, found[0]), Literal(values.type, None))
    return Case(values.type, (nothing,), values, span=span_of(node))
