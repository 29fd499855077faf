"""LIMIT and OFFSET: constants, or expressions without columns that are known before the query runs."""

from __future__ import annotations

from sqlglot import exp

from .. import messages, messages_query
from ..coercion import IntegerLiteral
from ..expr import Expr, Literal
from ..frontend import span_of
from ..logical import Limit, Plan
from ..types import BIGINT, TypeId
from .casting import cast_to
from .checks import refuse_unknown
from .environment import Environment
from .expression import BindQuery, bind_expression
from .scope import Scope


def bind_limits(node: exp.Expr, plan: Plan, env: Environment, bind_query: BindQuery) -> Plan:
    """The plan under its LIMIT and OFFSET, if `node` has them."""
    limit_node, offset_node = node.args.get("limit"), node.args.get("offset")
    if limit_node is None and offset_node is None:
        return plan
    limit: int | Expr | None = None
    offset: int | Expr | None = None
    if limit_node is not None:
        if isinstance(limit_node, exp.Fetch):
            raise messages.unsupported("FETCH FIRST is", span_of(limit_node))
        refuse_unknown(limit_node, ("expression",))
        limit = _bind(limit_node.expression, "LIMIT", env, bind_query)
    if offset_node is not None:
        refuse_unknown(offset_node, ("expression",))
        offset = _bind(offset_node.expression, "OFFSET", env, bind_query)
    return Limit(plan, limit, 0 if offset is None else offset)


def _bind(node: exp.Expr, clause: str, env: Environment, bind_query: BindQuery) -> int | Expr | None:
    """The number of rows; None for NULL and ALL."""
    if isinstance(node, (exp.Column, exp.Var)) and node.name.upper() == "ALL":
        return None
    expr = bind_expression(
        node, Scope(), Environment(env.context, env.ctes, None, env.views), bind_query, clause
    )
    if isinstance(expr, Literal) and expr.value is None:
        return None
    if not (expr.type.is_numeric or expr.type.id in (TypeId.VARCHAR, TypeId.BOOLEAN, TypeId.NULL)):
        raise messages_query.limit_type(clause, expr.type, expr.span or span_of(node))
    # A number beyond 64 bits stays a cast, which fails with its text.
    if isinstance(expr, Literal) and expr.type.is_integer and IntegerLiteral(expr.value).fits(BIGINT):
        if expr.value < 0:
            raise messages_query.negative_limit(clause, span_of(node))
        return expr.value
    return cast_to(expr, BIGINT)
