"""SELECT: the clauses of one query level put together.

The plan is, from the bottom: FROM, WHERE, Aggregate, HAVING, Window, QUALIFY, Project, DISTINCT, ORDER BY,
LIMIT. Expressions are bound first, clause by clause, and then rewritten over the Aggregate and the Windows if
the level turns out to have some.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from sqlglot import exp

from .. import messages
from ..expr import Expr, SortKey, ref
from ..frontend import span_of
from ..logical import Distinct, Filter, Plan, Sort
from ..messages_nested import bad_unnest
from ..messages_windows import qualify_without_window
from .aggregates import AggregateCalls, Grouping
from .checks import refuse_unknown
from .columns import Expansion, expand
from .environment import BoundQuery, Environment
from .expression import BindQuery, bind_condition
from .from_clause import bind_from
from .group_by import bind_group_by
from .grouping_sets import Groups
from .limit import bind_limits
from .named_windows import with_windows
from .order_by import OrderTerm, bind_order_by
from .plans import keep, project
from .samples import sampled
from .select_list import SelectList
from .unnests import UnnestCalls, has_unnest
from .window_calls import WindowCalls

_KNOWN = (
    "with_", "from_", "joins", "expressions", "distinct", "where", "group", "having",
    "qualify", "order", "limit", "offset", "sample",
)  # fmt: skip


def bind_select(node: exp.Select, env: Environment, bind_query: BindQuery) -> BoundQuery:
    """Binds one SELECT."""
    node = with_windows(node)
    refuse_unknown(node, _KNOWN)
    source = bind_from(node, env, bind_query)
    scope = source.scope(env.outer)
    plan = sampled(source.plan, node.args.get("sample"), env.context.ids)
    items = SelectList(node.expressions, scope, env, bind_query, has_from=node.args.get("from_") is not None)

    scope.alias = items.alias
    where = node.args.get("where")
    if where is not None:
        copies = expand(where.this, scope)
        condition = where.this if copies is None else _all_of(copies)
        plan = Filter(plan, bind_condition(condition, scope, env, bind_query, "WHERE"))

    groups = bind_group_by(node.args.get("group"), items)
    calls = AggregateCalls(env.context.ids)
    scope.calls = calls
    exprs = [items.expr(i) for i in range(len(items))]
    if groups is not None and groups.all_items:
        groups.exprs.extend(items.without_aggregates())
    having_node = node.args.get("having")
    having = None
    if having_node is not None:
        having = bind_condition(having_node.this, scope, env, bind_query, "HAVING")
        # An alias wins over a column that could only be an error here.
        known = Grouping(plan, groups or Groups(), calls)
        loose = {c.span for c in known.loose_columns(having) if c.span and items.has_alias(c.name)}
        if loose:
            scope.alias_at = frozenset(loose)
            having = bind_condition(having_node.this, scope, env, bind_query, "HAVING")
            scope.alias_at = frozenset()
    qualify_node = node.args.get("qualify")
    qualify = None
    if qualify_node is not None:
        qualify = bind_condition(qualify_node.this, scope, env, bind_query, "QUALIFY")
    on = _distinct_on(node.args.get("distinct"), items)
    order = bind_order_by(node.args.get("order"), items, env.context.settings)
    scope.calls = None

    terms = [
        *(t for t in on or () if isinstance(t, Expr)),
        *(k.expr for k in order if isinstance(k.expr, Expr)),
        *(() if qualify is None else (qualify,)),
    ]
    if groups is not None and any(map(has_unnest, groups.exprs)):
        if groups.all_items or groups.sets is not None:
            raise bad_unnest("Cannot group on an UNNEST or UNLIST clause", span_of(node.args["group"]))
        below = UnnestCalls(env.context.ids)
        groups = replace(groups, exprs=[below.rewrite(e) for e in groups.exprs])
        exprs = [below.rewrite(e, known=True) for e in exprs]
        on, order = _rewritten(on, order, lambda e: below.rewrite(e, known=True))
        plan = below.over(plan)
    if groups is not None or having is not None or calls.columns or items.has_aggregates(terms):
        grouping = Grouping(plan, groups or Groups(), calls)
        exprs = [grouping.rewrite(e) for e in exprs]
        having = having and grouping.rewrite(having)
        qualify = qualify and grouping.rewrite(qualify)
        on, order = _rewritten(on, order, grouping.rewrite)
        plan = grouping.plan()
    if having is not None:
        plan = Filter(plan, having)
    windows = WindowCalls(env.context.ids)
    exprs = [windows.rewrite(e) for e in exprs]
    if qualify is not None:
        qualify = windows.rewrite(qualify)
        if windows.is_empty:
            raise qualify_without_window(span_of(qualify_node))
    on, order = _rewritten(on, order, windows.rewrite)
    plan = windows.over(plan)
    unnests = UnnestCalls(env.context.ids)
    if qualify is not None:
        plan = Filter(plan, qualify)
    exprs = [unnests.rewrite(e) for e in exprs]
    on, order = _rewritten(on, order, unnests.rewrite)
    plan = unnests.over(plan)
    distinct = node.args.get("distinct") is not None
    plan = _project(plan, items.names, exprs, distinct, on, order, env)
    return BoundQuery(bind_limits(node, plan, env, bind_query), items.names)


def _all_of(copies: Sequence[Expansion]) -> exp.Expr:
    """A condition with COLUMNS holds for all of the columns."""
    condition: exp.Expr = exp.Paren(this=copies[0].node)
    for copy in copies[1:]:
        condition = exp.And(this=condition, expression=exp.Paren(this=copy.node))
    return condition


def _rewritten(
    on: list[Expr | int] | None, order: list[OrderTerm], rewrite: Callable[[Expr], Expr]
) -> tuple[list[Expr | int] | None, list[OrderTerm]]:
    on = None if on is None else [t if isinstance(t, int) else rewrite(t) for t in on]
    return on, [k if isinstance(k.expr, int) else k.over(rewrite(k.expr)) for k in order]


def _distinct_on(node: exp.Expr | None, items: SelectList) -> list[Expr | int] | None:
    """The terms of DISTINCT ON: positions of SELECT items or bound expressions; None without ON."""
    if node is None:
        return None
    refuse_unknown(node, ("on",))
    on = node.args.get("on")
    if on is None:
        return None
    terms = on.expressions if isinstance(on, exp.Tuple) else [on.this if isinstance(on, exp.Paren) else on]
    if not terms:
        raise messages.syntax("DISTINCT ON needs an expression", span_of(node))
    return [items.term(term, "DISTINCT ON") for term in items.terms(terms)]


def _project(
    plan: Plan,
    names: tuple[str, ...],
    exprs: list[Expr],
    distinct: bool,
    on: list[Expr | int] | None,
    order: list[OrderTerm],
    env: Environment,
) -> Plan:
    """Project, DISTINCT and ORDER BY. What the latter two need besides the SELECT list becomes hidden
    columns, dropped at the end.
    """
    places: dict[Expr, int] = {}
    for position, expr in enumerate(exprs):
        places.setdefault(expr, position)
    all_exprs = list(exprs)

    def place(term: Expr | int) -> int:
        if isinstance(term, int):
            return term
        position = places.get(term)
        if position is None:
            position = places[term] = len(all_exprs)
            all_exprs.append(term)
        return position

    on_places = None if on is None else [place(t) for t in on]
    order_places = [place(term.expr) for term in order]
    hidden = len(all_exprs) - len(exprs)
    result: Plan = project(env.context.ids, plan, [*names, *("order",) * hidden], all_exprs)
    columns = result.schema
    keys = tuple(
        SortKey(ref(columns[p], t.span), t.descending, t.nulls_first)
        for p, t in zip(order_places, order, strict=True)
    )
    if distinct:
        if on_places is not None:
            result = Distinct(result, tuple(ref(columns[p]) for p in on_places), keys)
        elif hidden:
            result = Distinct(result, tuple(ref(c) for c in columns[: len(exprs)]), keys)
        else:
            result = Distinct(result)
    if keys:
        result = Sort(result, keys)
    return keep(result, columns[: len(exprs)]) if hidden else result
