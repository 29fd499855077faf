"""Binding one expression of a query: the expression binder with this query's scope, subqueries and
aggregates.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from sqlglot import exp

from ..expr import Expr
from .aggregates import accepts_aggregates, settle
from .casting import condition
from .environment import BoundQuery, Environment
from .expr_literals import literal
from .expressions import ExpressionBinder
from .scope import Scope

# Clauses that are evaluated after grouping and before rows are put together.
_WINDOW_CLAUSES = frozenset({"SELECT", "QUALIFY", "ORDER BY", "DISTINCT ON"})

BindQuery: TypeAlias = Callable[[exp.Expr, Environment], BoundQuery]


def bind_expression(
    node: exp.Expr, scope: Scope, env: Environment, bind_query: BindQuery, clause: str
) -> Expr:
    """The bound expression. Aggregates of this level stay in it as AggregateCall where the scope takes some;
    those of outer levels have
    become references to the outer Aggregate."""
    if type(node) is exp.Literal:
        return literal(node)
    inside = env.inside(scope)
    binder = ExpressionBinder(
        env.context,
        scope,
        lambda query: bind_query(query, inside).plan,
        clause=clause,
        allow_aggregates=accepts_aggregates(scope),
        allow_windows=scope.calls is not None and clause in _WINDOW_CLAUSES,
    )
    before, scope.clause = scope.clause, clause
    try:
        return settle(binder.bind(node), scope)
    finally:
        scope.clause = before


def bind_condition(
    node: exp.Expr, scope: Scope, env: Environment, bind_query: BindQuery, clause: str
) -> Expr:
    """The bound expression as a condition: BOOLEAN, or cast to it."""
    return condition(bind_expression(node, scope, env, bind_query, clause), clause)
