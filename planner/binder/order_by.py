"""ORDER BY: positions, aliases, expressions, ALL; DuckDB's default is ascending with NULLs last in either
direction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlglot import exp

from .. import messages_query
from ..errors import Span
from ..expr import Expr, SortKey, ref
from ..frontend import span_of, token_span
from ..logical import Plan, Sort
from .checks import refuse_unknown
from .directions import direction
from .environment import BoundQuery, Environment
from .expression import BindQuery, bind_expression
from .limit import bind_limits
from .plans import keep, project
from .scope import Relation, Scope
from .select_list import SelectList, integer_literal


@dataclass(frozen=True)
class OrderTerm:
    """One key: the position of a SELECT item, or a bound expression."""

    expr: Expr | int
    descending: bool
    nulls_first: bool
    span: Span | None = None

    def over(self, expr: Expr) -> OrderTerm:
        """The same key for a rewritten expression."""
        return replace(self, expr=expr)


def bind_order_by(node: exp.Expr | None, items: SelectList, settings: Mapping[str, Any]) -> list[OrderTerm]:
    """The keys of a SELECT's ORDER BY."""
    return _bind_terms(node, len(items), lambda term: items.term(term, "ORDER BY"), settings, items.terms)


def _bind_terms(
    node: exp.Expr | None,
    count: int,
    bind: Callable[[exp.Expr], Expr | int],
    settings: Mapping[str, Any],
    copies: Callable[[list[exp.Expr]], list[exp.Expr]] = lambda terms: terms,
) -> list[OrderTerm]:
    if node is None:
        return []
    refuse_unknown(node, ("expressions",))
    terms: list[OrderTerm] = []
    for item in node.expressions:
        term = item
        if isinstance(item, exp.Ordered):
            refuse_unknown(item, ("this", "desc", "nulls_first"))
            term = item.this
        descending, nulls_first = direction(item, settings)
        if (isinstance(term, exp.Var) and term.name.upper() == "ALL") or _is_all(term):
            terms += [OrderTerm(i, descending, nulls_first) for i in range(count)]
            continue
        if isinstance(term, (exp.Literal, exp.Boolean, exp.Null)) and integer_literal(term) is None:
            raise messages_query.constant_order(token_span(term))
        found = copies([term])
        terms += [OrderTerm(bind(part), descending, nulls_first, span_of(term)) for part in found]
    return terms


def _is_all(term: exp.Expr) -> bool:
    return isinstance(term, exp.Star) and not any(term.args.values())


def bind_output_order(
    node: exp.Expr, bound: BoundQuery, env: Environment, bind_query: BindQuery
) -> BoundQuery:
    """ORDER BY and LIMIT of a query that sees its results only (VALUES, set operations, parentheses)."""
    plan = _order_outputs(node.args.get("order"), bound, [bound.names], env, bind_query)
    return BoundQuery(bind_limits(node, plan, env, bind_query), bound.names)


def bind_set_order(
    node: exp.Expr, bound: BoundQuery, names: list[tuple[str, ...]], env: Environment, bind_query: BindQuery
) -> BoundQuery:
    """The same for a set operation: the names of any branch count, the first branch's first."""
    plan = _order_outputs(node.args.get("order"), bound, names, env, bind_query)
    return BoundQuery(bind_limits(node, plan, env, bind_query), bound.names)


def _order_outputs(
    order: exp.Expr | None,
    bound: BoundQuery,
    names: list[tuple[str, ...]],
    env: Environment,
    bind_query: BindQuery,
) -> Plan:
    if order is None:
        return bound.plan
    columns = bound.plan.schema
    positions: dict[str, int] = {}
    for branch in names:
        for position, name in enumerate(branch):
            # Of equal names of one query the last counts, of set operations the first, as in DuckDB.
            if len(names) == 1 or name.lower() not in positions:
                positions[name.lower()] = position
    scope = Scope((Relation("", bound.names, columns),), outer=env.outer)

    def bind(term: exp.Expr) -> Expr | int:
        number = integer_literal(term)
        if number is not None:
            if not 1 <= number <= len(columns):
                raise messages_query.position_out_of_range("ORDER BY", number, len(columns), token_span(term))
            return number - 1
        if isinstance(term, exp.Column) and isinstance(term.this, exp.Identifier):
            # The name of a column in any branch; `ORDER BY t.a` means the result's column a.
            position = positions.get(term.this.this.lower())
            if position is not None:
                return position
        return bind_expression(term, scope, env, bind_query, "ORDER BY")

    terms = _bind_terms(order, len(columns), bind, env.context.settings)
    extra = [t.expr for t in terms if isinstance(t.expr, Expr)]
    plan = bound.plan
    if extra:
        exprs = [*(ref(c) for c in columns), *extra]
        plan = project(env.context.ids, plan, [*bound.names, *("order",) * len(extra)], exprs)
    hidden = iter(plan.schema[len(columns) :])
    keys = []
    for term in terms:
        column = columns[term.expr] if isinstance(term.expr, int) else next(hidden)
        keys.append(SortKey(ref(column, term.span), term.descending, term.nulls_first))
    plan = Sort(plan, tuple(keys))
    return keep(plan, columns) if extra else plan
