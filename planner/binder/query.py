"""A query of any form: SELECT, set operation, VALUES, parentheses, each with its WITH."""

from __future__ import annotations

from sqlglot import exp

from .. import messages
from ..frontend import span_of
from .checks import refuse_unknown
from .cte import bind_with, wrap_ctes
from .environment import BoundQuery, Environment
from .macros import expand_macros
from .order_by import bind_output_order
from .select import bind_select
from .set_ops import bind_set_operation
from .summarize import bind_summarize
from .values import bind_values


def bind_query(node: exp.Expr, env: Environment) -> BoundQuery:
    """Binds a query in `env`. Raises SqlError with the position in the statement's text."""
    node = expand_macros(node, env.context.macros)
    if node.args.get("with_") is None:
        return _bind_body(node, env)
    inner, ctes = bind_with(node, env, bind_query)
    bound = _bind_body(node, inner)
    return BoundQuery(wrap_ctes(bound.plan, ctes), bound.names)


def _bind_body(node: exp.Expr, env: Environment) -> BoundQuery:
    match node:
        case exp.Select():
            return bind_select(node, env, bind_query)
        case exp.SetOperation():
            return bind_set_operation(node, env, bind_query)
        case exp.Values():
            refuse_unknown(node, ("expressions", "with_", "order", "limit", "offset"))
            return bind_output_order(node, bind_values(node, env, bind_query), env, bind_query)
        case exp.Subquery():
            refuse_unknown(node, ("this", "with_", "order", "limit", "offset"))
            return bind_output_order(node, bind_query(node.this, env), env, bind_query)
        case exp.Summarize():
            return bind_summarize(node, env, bind_query)
        case exp.Table():
            # `(t)` where a query may stand: FROM-first syntax needs the word FROM.
            raise messages.syntax("A query was expected here", span_of(node))
        case _:
            raise messages.syntax("A query was expected here", span_of(node))
