"""UPDATE, DELETE and TRUNCATE: queries over the table and the numbers of its rows."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from .. import messages, messages_changes
from ..catalog import StoredTable
from ..expr import Column, Expr, ref
from ..frontend import span_of
from ..frontend.commands import TruncateCommand
from ..logical import Filter, Plan, Project
from ..statements import Delete, Query, Update
from .casting import cast_to
from .checks import refuse_unknown
from .constraints import with_checks
from .cte import bind_with, wrap_ctes
from .defaults import default_of, is_default
from .drop import own_name
from .environment import Environment
from .expression import BindQuery, bind_condition, bind_expression
from .from_clause import bind_from
from .index import stored_table
from .plans import keep, project
from .returning import bind_returning, rows_node
from .scope import Scope
from .source import Source


def bind_update(node: exp.Update, env: Environment, bind_query: BindQuery) -> Update:
    """UPDATE table [AS alias] SET column = value, ... [FROM ...] [WHERE ...] [RETURNING ...]."""
    refuse_unknown(node, ("this", "expressions", "from_", "where", "with_", "returning"))
    table = _target(node.this, env)
    inner, ctes = env, []
    if node.args.get("with_") is not None:
        inner, ctes = bind_with(node, env, bind_query)
    from_ = node.args.get("from_")
    others = [] if from_ is None else [from_.this]
    source = _source(node.this, table, others, inner, bind_query)
    scope = source.scope(env.outer)
    plan = _filtered(node, source.plan, scope, inner, bind_query)
    places, exprs = bind_assignments(node.expressions, table, scope, inner, bind_query)
    plan = wrap_ctes(changed_rows(plan, source, table, places, exprs, env, bind_query), ctes)
    query = Query(plan, tuple(c.name for c in plan.schema))
    returning = bind_returning(node, table, env, bind_query)
    return Update(table, query, tuple(places), table.constraints.checks, returning)


def changed_rows(
    plan: Plan,
    source: Source,
    table: StoredTable,
    places: Sequence[int],
    exprs: Sequence[Expr],
    env: Environment,
    bind_query: BindQuery,
) -> Plan:
    """What `Update.query` yields, from the rows to change: `source` names their columns, the target first."""
    *old, number = source.relations[0].columns
    new: list[Expr] = [ref(c) for c in old]
    for place, value in zip(places, exprs, strict=True):
        new[place] = value
    names = [c.name for c in table.columns]
    ids = env.context.ids
    made = project(ids, plan, [number.name, *names], [ref(number), *new])
    checks = table.constraints.checks
    whole = with_checks(made, table.name, checks, env, bind_query, lambda p: p.schema[1:])
    first, *columns = whole.schema
    wanted = [first, *(columns[i] for i in places), *columns[len(old) :]]
    if len({c.id for c in wanted}) < len(wanted):
        # SET a = b gives the column b twice where b is set as well: each needs an id of its own.
        fresh = tuple(Column(ids.fresh(), c.name, c.type, c.nullable) for c in wanted)
        return Project(whole, fresh, tuple(map(ref, wanted)))
    return keep(whole, wanted)


def bind_assignments(
    nodes: Sequence[exp.Expr], table: StoredTable, scope: Scope, env: Environment, bind_query: BindQuery
) -> tuple[list[int], list[Expr]]:
    """The columns that SET names, by place, and their new values in the columns' types."""
    index = {c.name.lower(): i for i, c in enumerate(table.columns)}
    places: list[int] = []
    exprs: list[Expr] = []
    for target, value in _pairs(nodes):
        if not isinstance(target, exp.Column) or len(target.parts) > 1:
            raise messages_changes.qualified_target(span_of(target))
        place = index.get(target.name.lower())
        if place is None:
            known = [c.name for c in table.columns]
            raise messages_changes.unknown_target(target.name, known, span_of(target))
        column = table.columns[place]
        if place in places:
            raise messages_changes.assigned_twice(column.name, span_of(target))
        places.append(place)
        if is_default(value):
            exprs.append(default_of(column, env, bind_query))
        else:
            exprs.append(cast_to(bind_expression(value, scope, env, bind_query, "UPDATE"), column.type))
    return places, exprs


def _pairs(nodes: Sequence[exp.Expr]) -> list[tuple[exp.Expr, exp.Expr]]:
    """(column, value) of each assignment; `(a, b) = (1, 2)` is two."""
    pairs: list[tuple[exp.Expr, exp.Expr]] = []
    for node in nodes:
        if not isinstance(node, exp.EQ):
            raise messages.syntax("An assignment was expected here", span_of(node))
        target, value = node.this, node.expression
        if not isinstance(target, (exp.Tuple, exp.Paren)):
            pairs.append((target, value))
            continue
        targets = target.expressions if isinstance(target, exp.Tuple) else [target.this]
        if isinstance(value, (exp.Tuple, exp.Paren)):
            values = value.expressions if isinstance(value, exp.Tuple) else [value.this]
        else:
            values = [value]
        if len(values) != len(targets):
            raise messages_changes.assigned_values(len(targets), len(values), span_of(value))
        pairs.extend(zip(targets, values, strict=True))
    return pairs


def bind_delete(node: exp.Delete, env: Environment, bind_query: BindQuery) -> Delete:
    """DELETE FROM table [AS alias] [USING ...] [WHERE ...] [RETURNING ...]."""
    refuse_unknown(node, ("this", "using", "where", "with_", "returning"))
    table = _target(node.this, env)
    inner, ctes = env, []
    if node.args.get("with_") is not None:
        inner, ctes = bind_with(node, env, bind_query)
    source = _source(node.this, table, node.args.get("using") or [], inner, bind_query)
    plan = _filtered(node, source.plan, source.scope(env.outer), inner, bind_query)
    number = source.relations[0].columns[-1]
    query = Query(wrap_ctes(keep(plan, [number]), ctes), (number.name,))
    return Delete(table, query, bind_returning(node, table, env, bind_query))


def bind_truncate(node: TruncateCommand, env: Environment) -> Delete:
    """TRUNCATE [TABLE] name."""
    return Delete(_target(node.table, env), None)


def _target(node: exp.Expr, env: Environment) -> StoredTable:
    if not isinstance(node, exp.Table) or not isinstance(node.this, exp.Identifier):
        raise messages.syntax("A table name was expected here", span_of(node))
    bare = node.copy()
    bare.set("alias", None)
    bare.set("joins", None)
    return stored_table(own_name(bare), env, span_of(node.this))


def _source(
    target: exp.Expr,
    table: StoredTable,
    others: Sequence[exp.Expr],
    env: Environment,
    bind_query: BindQuery,
) -> Source:
    """The target with the numbers of its rows, and behind a comma each what FROM or USING names."""
    select = exp.Select(from_=exp.From(this=rows_node(table.numbered(), target.args.get("alias"), target)))
    joins = []
    for other in others:
        # The parser attaches what stands behind the first item of FROM, joins and commas, to that item.
        first = other.copy()
        behind = first.args.get("joins") or []
        first.set("joins", None)
        join = exp.Join(this=first)
        join.meta["comma"] = True
        joins += [join, *behind]
    select.set("joins", joins)
    return bind_from(select, env, bind_query)


def _filtered(node: exp.Expr, plan: Plan, scope: Scope, env: Environment, bind_query: BindQuery) -> Plan:
    where = node.args.get("where")
    if where is None:
        return plan
    return Filter(plan, bind_condition(where.this, scope, env, bind_query, "WHERE"))
