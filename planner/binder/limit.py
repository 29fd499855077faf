"""LIMIT and OFFSET: constants, or expressions without columns that are known before the query runs."""

from __future__ import annotations

from sqlglot import exp

from .. import messages, messages_query
from ..coercion import IntegerLiteral
from ..expr import And, Comparison, Expr, Literal, WindowCall, ref
from ..frontend import span_of
from ..logical import Filter, Limit, Plan, Window
from ..optimizer.folding.simplify import simplify
from ..types import BIGINT, BOOLEAN, DOUBLE, TypeId
from .calls import call
from .casting import cast_to
from .checks import refuse_unknown
from .environment import Environment
from .expression import BindQuery, bind_expression
from .plans import keep
from .scope import Scope


def bind_limits(node: exp.Expr, plan: Plan, env: Environment, bind_query: BindQuery) -> Plan:
    """The plan under its LIMIT and OFFSET, if `node` has them."""
    limit_node, offset_node = node.args.get("limit"), node.args.get("offset")
    if limit_node is None and offset_node is None:
        return plan
    limit: int | Expr | None = None
    offset: int | Expr | None = None
    if offset_node is not None:
        refuse_unknown(offset_node, ("expression",))
        offset = _bind(offset_node.expression, "OFFSET", env, bind_query)
    if isinstance(limit_node, exp.Fetch):
        limit = _fetched(limit_node, env, bind_query)
    elif limit_node is not None:
        refuse_unknown(limit_node, ("expression", "limit_options"))
        if _options(limit_node, "percent"):
            return _share(plan, limit_node.expression, offset or 0, env, bind_query)
        limit = _bind(limit_node.expression, "LIMIT", env, bind_query)
    return Limit(plan, limit, 0 if offset is None else offset)


def _options(node: exp.Expr, *known: str) -> bool:
    """Whether an option of LIMIT or FETCH is set that is known there. Raises UnsupportedError for others."""
    options = node.args.get("limit_options")
    given = [] if options is None else [name for name, value in options.args.items() if value]
    for name in given:
        if name not in known:
            raise messages.unsupported(f"{name.upper().replace('_', ' ')} is", span_of(node))
    return bool(given)


def _fetched(node: exp.Expr, env: Environment, bind_query: BindQuery) -> int | Expr | None:
    """FETCH FIRST n ROWS ONLY: one row where n is left out."""
    refuse_unknown(node, ("direction", "count", "limit_options"))
    _options(node, "rows")
    count = node.args.get("count")
    return 1 if count is None else _bind(count, "FETCH", env, bind_query)


def _share(plan: Plan, node: exp.Expr, offset: int | Expr, env: Environment, bind_query: BindQuery) -> Plan:
    """LIMIT n%: of all rows so many, rounded down, after the OFFSET."""
    expr = _alone(node, "LIMIT", env, bind_query)
    share = simplify(cast_to(expr, DOUBLE))
    if isinstance(share, Literal) and share.value is None:
        return Limit(plan, None, offset)
    if isinstance(share, Literal) and not 0 <= share.value <= 100:
        raise messages_query.wrong_percentage(span_of(node))
    ids = env.context.ids
    number = ids.column("row_number", BIGINT, nullable=False)
    count = ids.column("count_star", BIGINT, nullable=False)
    calls = (WindowCall(BIGINT, "row_number", ()), WindowCall(BIGINT, "count_star", ()))
    counted = Window(plan, (), (), (number, count), calls)
    part = call("/", (call("*", (cast_to(ref(count), DOUBLE), share)), Literal(DOUBLE, 100.0)))
    first = offset if isinstance(offset, Expr) else Literal(BIGINT, offset)
    last = call("+", (first, cast_to(call("floor", (part,)), BIGINT)))
    after = Comparison(BOOLEAN, ">", ref(number), first)
    before = Comparison(BOOLEAN, "<=", ref(number), cast_to(last, BIGINT))
    return keep(Filter(counted, And(BOOLEAN, (after, before))), plan.schema)


def _alone(node: exp.Expr, clause: str, env: Environment, bind_query: BindQuery) -> Expr:
    """The bound expression, which sees no columns, those of outer queries neither."""
    alone = Environment(env.context, env.ctes, None, env.views)
    return bind_expression(node, Scope(), alone, bind_query, clause)


def _bind(node: exp.Expr, clause: str, env: Environment, bind_query: BindQuery) -> int | Expr | None:
    """The number of rows; None for NULL and ALL."""
    if isinstance(node, (exp.Column, exp.Var)) and node.name.upper() == "ALL":
        return None
    expr = _alone(node, clause, env, bind_query)
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
