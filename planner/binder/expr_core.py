"""The expression binder: dispatch over syntax nodes.

Handlers are registered by syntax node in the expr_*.py files beside this one; `expressions.py` loads them
all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from ..errors import Span, SqlError
from ..expr import Column, Expr, ref
from ..frontend.spans import span_of
from ..statements import BindContext
from .casting import condition
from .fields import fields_along
from .guard import unsupported_construct
from .protocols import Scope, SubqueryBinder


class ExpressionBinder:
    """Binds expressions of one clause of a query.

    `clause` names it in errors; `allow_aggregates` and `allow_windows` say what may stand in it. Aggregates
    and window functions are left inside the bound tree as AggregateCall and Over nodes: the query binder
    takes them out.
    """

    def __init__(
        self,
        context: BindContext,
        scope: Scope,
        subquery: SubqueryBinder,
        *,
        clause: str = "SELECT",
        allow_aggregates: bool = True,
        allow_windows: bool = False,
    ) -> None:
        self.context = context
        self.scope = scope
        self.subquery = subquery
        self.clause = clause
        self.allow_aggregates = allow_aggregates
        self.allow_windows = allow_windows
        self.inside_aggregate: str | None = None
        self.inside_window = False
        # Parameters of the lambdas around, by lower-case name.
        self.parameters: dict[str, Column] = {}

    def bind(self, node: exp.Expr) -> Expr:
        """The typed expression of a syntax node, casts inserted. Raises SqlError with a position."""
        self.context.poll()
        handler = HANDLERS.get(type(node))
        try:
            if handler is None:
                raise unsupported_construct(node)
            return handler(self, node)
        except SqlError as error:
            if error.span is None:
                error.span = span_of(node)
            raise

    def parameter(self, names: tuple[str, ...], span: Span | None) -> Expr | None:
        """The parameter of a lambda around that a name means, or a field of it; None where it means none."""
        column = self.parameters.get(names[0].lower())
        if column is None:
            return None
        return fields_along(ref(column, span), names[1:], span)

    def bind_all(self, nodes: Sequence[exp.Expr]) -> tuple[Expr, ...]:
        """Each node bound."""
        return tuple(self.bind(n) for n in nodes)

    def bind_condition(self, node: exp.Expr, clause: str) -> Expr:
        """A node bound as a BOOLEAN; `clause` is for the error, e.g. 'WHERE'."""
        return condition(self.bind(node), clause)


Handler = Callable[[ExpressionBinder, exp.Expr], Expr]
HANDLERS: dict[type[exp.Expr], Handler] = {}


def binds(*kinds: type[exp.Expr]) -> Callable[[Handler], Handler]:
    """Registers a handler for kinds of syntax nodes."""

    def register(handler: Handler) -> Handler:
        for kind in kinds:
            assert kind not in HANDLERS, kind
            HANDLERS[kind] = handler
        return handler

    return register


def joined_span(*exprs: Expr) -> Span | None:
    """The smallest span over bound expressions."""
    result: Span | None = None
    for expr in exprs:
        if expr.span is not None:
            result = expr.span.join(result)
    return result
