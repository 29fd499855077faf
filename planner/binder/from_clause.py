"""FROM: the sources of a query, left to right; a comma binds weaker than JOIN."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from .. import messages
from ..frontend import span_of
from ..logical import Join, JoinKind, Values
from .checks import refuse_unknown
from .environment import Environment
from .expression import BindQuery
from .joins import bind_join
from .pivots import Pivots
from .plans import project
from .samples import sampled
from .scope import Relation, Scope, unique_names
from .source import Source, lateral_environment
from .table_alias import apply_column_names
from .tables import bind_table
from .unnests import beside, bind_unnest_source
from .values import bind_values


def bind_from(node: exp.Select, env: Environment, bind_query: BindQuery) -> Source:
    """The source of a SELECT; without FROM it is one row of no columns."""
    from_ = node.args.get("from_")
    if from_ is None:
        return Source(Values((), ((),)), ())
    refuse_unknown(from_, ("this",))
    return _bind_list(from_.this, node.args.get("joins") or [], env, bind_query)


def bind_source(node: exp.Expr, env: Environment, bind_query: BindQuery) -> Source:
    """One item of FROM with what the parser has attached to it: JOINs nested in it, and after `FROM a, b
    SELECT` also the commas.
    """
    return _bind_list(node, [], env, bind_query)


def _bind_list(first: exp.Expr, joins: list[exp.Join], env: Environment, bind_query: BindQuery) -> Source:
    """Items separated by commas, each of which is a chain of joins: a comma binds weaker than JOIN."""
    groups: list[list[exp.Expr]] = [[first]]
    for join in [*(first.args.get("joins") or ()), *joins]:
        if join.meta.get("comma"):
            refuse_unknown(join, ("this",))
            groups.append([join.this])
        else:
            groups[-1].append(join)
    source: Source | None = None
    for group in groups:
        right = _bind_group(group, env, bind_query, source)
        source = right if source is None else _cross(source, right)
    assert source is not None
    return source


def _cross(left: Source, right: Source) -> Source:
    plan = beside(left.plan, right.plan, JoinKind.INNER, None)
    if plan is None:
        lateral = not right.plan.outer_references.isdisjoint(left.plan.ids)
        plan = Join(JoinKind.INNER, left.plan, right.plan, lateral=lateral)
    return Source(plan, (*left.relations, *right.relations), left.merged_with(right))


def _bind_group(
    group: list[exp.Expr], env: Environment, bind_query: BindQuery, before: Source | None
) -> Source:
    source = _bind_item(group[0], lateral_environment(env, before), bind_query)
    for join in group[1:]:
        assert isinstance(join, exp.Join)
        visible = source if before is None else _names_of(before, source)
        right = bind_source(join.this, lateral_environment(env, visible), bind_query)
        source = bind_join(join, source, right, lateral_environment(env, before), bind_query)
    return source


def _names_of(left: Source, right: Source) -> Source:
    """Both sources' names, for what may refer to them; the plan plays no role."""
    return Source(left.plan, (*left.relations, *right.relations), left.merged_with(right))


def _bind_item(node: exp.Expr, env: Environment, bind_query: BindQuery) -> Source:
    if node.args.get("pivots"):
        node = Pivots(env, bind_query, bind_source).rewritten(node)
    if (sample := node.args.get("sample")) is not None:
        whole = node.copy()
        whole.set("sample", None)
        source = _bind_item(whole, env, bind_query)
        return replace(source, plan=sampled(source.plan, sample, env.context.ids))
    match node:
        case exp.Table(this=exp.Values() as values):
            refuse_unknown(node, ("this", "alias", "joins"))
            return _derived(values, node.args.get("alias"), env, bind_query)
        case exp.Table():
            return bind_table(node, env, bind_query)
        case exp.Values():
            return _derived(node, node.args.get("alias"), env, bind_query)
        case exp.Lateral():
            refuse_unknown(node, ("this", "alias"))
            inner = node.this
            if isinstance(inner, exp.Subquery):
                refuse_unknown(inner, ("this",))
                return _derived(inner.this, node.args.get("alias"), env, bind_query)
            if isinstance(inner, exp.Unnest):
                return bind_unnest_source(inner, node.args.get("alias"), env, bind_query)
            if isinstance(inner, exp.Anonymous):
                table = exp.Table(this=inner.copy(), alias=node.args.get("alias"))
                return bind_table(table, env, bind_query)
            raise messages.unsupported("LATERAL before this is", span_of(node))
        case exp.Subquery():
            return _parenthesised(node, env, bind_query)
        case exp.Unnest():
            refuse_unknown(node, ("expressions", "alias", "offset", "joins"))
            return bind_unnest_source(node, node.args.get("alias"), env, bind_query)
        case _:
            raise messages.syntax("A table or subquery was expected here", span_of(node))


def _parenthesised(node: exp.Subquery, env: Environment, bind_query: BindQuery) -> Source:
    """`(query)`, or `(source JOIN source ...)`; with an alias the latter becomes one table."""
    inner, alias = node.this, node.args.get("alias")
    nested, ends = inner, ("with_", "alias", "joins")
    while isinstance(nested, exp.Subquery) and not any(nested.args.get(k) for k in ends):
        nested = nested.this
    # A query with an alias or joins inside the parentheses is a table there.
    is_source = isinstance(nested, exp.Subquery) and not nested.args.get("with_")
    if not is_source and not isinstance(nested, (exp.Table, exp.Lateral)):
        refuse_unknown(node, ("this", "alias", "joins", "with_", "order", "limit", "offset"))
        if any(node.args.get(k) for k in ("with_", "order", "limit", "offset")):
            raise messages.syntax("ORDER BY, LIMIT and WITH belong inside the parentheses", span_of(node))
        return _derived(inner, alias, env, bind_query)
    refuse_unknown(node, ("this", "alias", "joins"))
    aliased = isinstance(inner, exp.Table) or inner.args.get("alias") is not None
    if aliased and not inner.args.get("joins"):
        raise messages.syntax("Parentheses in FROM hold a join or a query", span_of(node))
    source = bind_source(inner, env, bind_query)
    if alias is None:
        return source
    scope = Scope(source.relations, source.merged)
    pairs = list(scope.star())
    names = apply_column_names(alias.this.this, unique_names(name for name, _ in pairs), alias)
    plan = project(env.context.ids, source.plan, names, [expr for _, expr in pairs])
    return Source(plan, (Relation(alias.this.this, names, plan.columns),))


def _derived(query: exp.Expr, alias: exp.Expr | None, env: Environment, bind_query: BindQuery) -> Source:
    """A subquery as a table."""
    if isinstance(query, exp.Values):
        refuse_unknown(query, ("expressions", "alias", "with_", "order", "limit", "offset"))
        bare = not any(query.args.get(k) for k in ("with_", "order", "limit", "offset"))
        bound = bind_values(query, env, bind_query) if bare else bind_query(query, env)
        default = "valueslist" if alias is None else ""
    else:
        bound = bind_query(query, env)
        default = "unnamed_subquery"
    name = alias.this.this if alias is not None and alias.this is not None else default
    names = apply_column_names(name, unique_names(bound.names), alias)
    return Source(bound.plan, (Relation(name, names, bound.plan.schema),))
