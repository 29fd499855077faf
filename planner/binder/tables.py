"""Named tables in FROM: CTEs, stored tables, views, paths and table functions."""

from __future__ import annotations

import posixpath
from typing import Any

from sqlglot import exp

from .. import messages, messages_query
from ..catalog import Table, View
from ..errors import Span, SqlError
from ..frontend import parse_stored, span_of, token_span
from ..functions.refused import is_refused_table_function
from ..logical import Scan
from ..messages_from import circular_reference
from .checks import refuse_unknown
from .constants import constant_argument
from .cte import read_cte
from .environment import Environment, RecursionBinding, SelfReference
from .expression import BindQuery
from .recursion import is_whole_of_recursion, read_recursion
from .relocate import relocate
from .scope import Relation, unique_names
from .source import Source
from .table_alias import apply_column_names
from .unnests import SERIES, bind_series

_KNOWN = ("this", "db", "catalog", "alias", "joins")
_DEFAULT_QUALIFIERS = ("memory", "main")
# Table functions whose single column is called like the table's alias.
_ALIAS_NAMES_COLUMN = frozenset({"range", "generate_series", "unnest", "repeat"})


def bind_table(node: exp.Table, env: Environment, bind_query: BindQuery) -> Source:
    """A table by name, or a table function."""
    refuse_unknown(node, _KNOWN)
    if isinstance(node.this, exp.Anonymous):
        return _table_function(node, env, bind_query)
    if not isinstance(node.this, exp.Identifier):
        raise messages.unsupported("This kind of table is", span_of(node))
    alias = node.args.get("alias")
    if (stored := node.meta.get("table")) is not None:
        given = stored.name if alias is None or alias.this is None else alias.this.this
        return _scan(stored, given, alias, () if given != stored.name else _DEFAULT_QUALIFIERS, env)
    parts = table_name(node)
    span = _name_span(node)
    given = alias.this.this if alias is not None and alias.this is not None else None
    cte = env.ctes.get(parts[-1].lower()) if len(parts) == 1 or is_whole_of_recursion(parts, env) else None
    if isinstance(cte, SelfReference):
        if env.context.catalog.lookup(parts) is None:
            raise circular_reference(cte.name, span)
        cte = None
    if cte is not None:
        if isinstance(cte, RecursionBinding):
            plan, relation = read_recursion(cte, given or cte.name, env, whole=len(parts) > 1)
        else:
            plan, relation = read_cte(cte, given or cte.name, env)
        names = apply_column_names(relation.alias, relation.names, alias)
        return Source(plan, (Relation(relation.alias, names, relation.columns),))
    catalog = env.context.catalog
    entry = catalog.lookup(parts)
    if isinstance(entry, View):
        return _view(entry, given, alias, span, env, bind_query)
    if entry is None and len(parts) == 1:
        try:
            entry = catalog.open_path(parts[0])
        except SqlError as error:
            error.span = error.span or span
            raise
        if entry is not None:
            return _scan(entry, given or _file_alias(parts[0]), alias, (), env)
    if entry is None:
        candidates = [*(c.name for c in env.ctes.values()), *catalog.names()]
        raise messages_query.unknown_table(".".join(parts), candidates, span)
    qualifiers = () if given else (parts[:-1] or _DEFAULT_QUALIFIERS)
    if len(qualifiers) == 1:
        qualifiers = (_DEFAULT_QUALIFIERS[0], *qualifiers)
    return _scan(entry, given or entry.name, alias, qualifiers, env)


def _file_alias(path: str) -> str:
    """What a file in FROM is called: its name without folder and ending; of several, the whole text."""
    if any(c in path for c in "*?["):
        return path
    return posixpath.splitext(posixpath.basename(path.rstrip("/")))[0] or path


def table_name(node: exp.Table) -> tuple[str, ...]:
    """[catalog.][schema.]name as written."""
    parts = (node.args.get("catalog"), node.args.get("db"), node.this)
    given = [p for p in parts if p is not None]
    if not all(isinstance(p, exp.Identifier) for p in given):
        raise messages.syntax("A table name was expected here", span_of(node))
    return tuple(p.this for p in given)


def _name_span(node: exp.Table) -> Span | None:
    span = span_of(node.this)
    for part in (node.args.get("db"), node.args.get("catalog")):
        if part is not None and span is not None:
            span = span.join(span_of(part))
    return span


def _scan(
    table: Table,
    name: str,
    alias: exp.Expr | None,
    qualifiers: tuple[str, ...],
    env: Environment,
    own_column_name: bool = False,
) -> Source:
    stored = tuple(c.name for c in table.columns)
    ids = env.context.ids
    columns = tuple(ids.column(c.name, c.type, c.nullable) for c in table.columns)
    names = apply_column_names(name, unique_names(stored), alias)
    synonym = None
    if own_column_name and len(stored) == 1 and alias is not None and not alias.args.get("columns"):
        names, synonym = (name,), stored[0]
    return Source(Scan(table, columns, stored, name), (Relation(name, names, columns, qualifiers, synonym),))


def _table_function(node: exp.Table, env: Environment, bind_query: BindQuery) -> Source:
    call = node.this
    name = call.this if isinstance(call.this, str) else call.this.this
    span = token_span(call)
    if node.args.get("db") is not None:
        raise messages.unsupported("A schema before a table function is", span)
    refuse_unknown(call, ("this", "expressions"))
    catalog = env.context.catalog
    known = catalog.table_functions()
    if name.lower() not in known and is_refused_table_function(name.lower()):
        raise messages.unsupported(f'Table function "{name}" is', span)
    if name.lower() in SERIES and (series := bind_series(node, name, env, bind_query)) is not None:
        return series
    args: list[Any] = []
    named: dict[str, Any] = {}
    for arg in call.expressions:
        key = None
        if isinstance(arg, (exp.PropertyEQ, exp.Kwarg)) or (
            isinstance(arg, exp.EQ) and isinstance(arg.this, exp.Column) and len(arg.this.parts) == 1
        ):
            key, arg = arg.this.name.lower(), arg.expression
        value = constant_argument(arg, name, env, bind_query)
        if key is None:
            args.append(value)
        else:
            named[key] = value
    try:
        table = catalog.table_function(name.lower(), args, named)
    except SqlError as error:
        error.span = error.span or span
        raise
    if table is None:
        raise messages_query.unknown_table_function(name, known, span)
    alias = node.args.get("alias")
    given = alias.this.this if alias is not None and alias.this is not None else None
    return _scan(table, given or name, alias, (), env, name.lower() in _ALIAS_NAMES_COLUMN)


def _view(
    view: View,
    given: str | None,
    alias: exp.Expr | None,
    span: Span | None,
    env: Environment,
    bind_query: BindQuery,
) -> Source:
    """A view's query, bound as if it stood alone; errors inside show the view's text."""
    key = view.name.lower()
    if key in env.views:
        raise messages_query.recursive_view(view.name, span)
    inside = Environment(env.context, views=(*env.views, key))
    try:
        parsed = parse_stored(view.sql)
        assert isinstance(parsed.ast, exp.Expr)
        bound = bind_query(parsed.ast, inside)
    except SqlError as error:
        if error.sql is not None and error.sql != view.sql:
            raise
        raise messages_query.in_view(view.name, error, view.sql) from error
    names = unique_names((*view.aliases, *bound.names[len(view.aliases) :]))
    name = given or view.name
    names = apply_column_names(name, names, alias)
    qualifiers = () if given else _DEFAULT_QUALIFIERS
    # Inside another view the outer one moves all places.
    plan = bound.plan if env.views else relocate(bound.plan, span)
    return Source(plan, (Relation(name, names, plan.schema, qualifiers),))
