"""CREATE TABLE [AS] and CREATE VIEW."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from .. import messages, messages_constraints, messages_query
from ..catalog import Constraints, TableColumn
from ..frontend import span_of
from ..frontend.commands import CreateViewCommand
from ..statements import CreateTable, CreateView, Query
from ..types import INTEGER, NULL, SQLType
from .casting import cast_to
from .checks import refuse_unknown
from .constraints import ConstraintReader, refused_name
from .drop import own_name
from .environment import Environment
from .expression import BindQuery, bind_expression
from .names import expression_name
from .plans import cast_columns
from .scope import Scope, unique_names
from .table_alias import column_name
from .types import bind_type


def bind_create_table(node: exp.Create, env: Environment, bind_query: BindQuery) -> CreateTable:
    """CREATE TABLE with columns, or AS a query (whose result gives names and types; a column list renames
    them).
    """
    refuse_unknown(node, ("this", "kind", "replace", "exists", "expression", "properties"))
    _refuse_properties(node.args.get("properties"))
    target = node.this
    columns: list[exp.Expr] = []
    if isinstance(target, exp.Schema):
        refuse_unknown(target, ("this", "expressions"))
        target, columns = target.this, target.expressions
    name = own_name(target)
    exists, replace = bool(node.args.get("exists")), bool(node.args.get("replace"))
    if exists and replace:
        raise messages_constraints.replace_and_exists(span_of(target))
    query_node = node.args.get("expression")
    if query_node is None:
        if not columns:
            raise messages_query.table_without_columns(name, span_of(target))
        found, constraints = _columns(columns, name, env, bind_query)
        return CreateTable(name, found, None, exists, replace, constraints)
    bound = bind_query(query_node, env)
    # A column of nothing but NULL has no type of its own.
    types = [INTEGER if c.type == NULL else c.type for c in bound.plan.schema]
    plan = cast_columns(env.context.ids, bound.plan, types)
    given = [column_name(c) for c in columns]
    if len(given) > len(types):
        raise messages_query.too_many_column_names(name, len(given), len(types), span_of(columns[-1]))
    names = unique_names((*given, *bound.names[len(given) :]))
    described = tuple(TableColumn(n, t) for n, t in zip(names, types, strict=True))
    return CreateTable(name, described, Query(plan, names), exists, replace)


def _refuse_properties(node: exp.Expr | None) -> None:
    for item in () if node is None else node.expressions:
        if not isinstance(item, exp.TemporaryProperty):
            raise messages.unsupported("This option of CREATE TABLE is", span_of(item))


def _columns(
    nodes: list[exp.Expr], table: str, env: Environment, bind_query: BindQuery
) -> tuple[tuple[TableColumn, ...], Constraints]:
    reader = ConstraintReader(table, env, bind_query)
    columns: list[TableColumn] = []
    for node in nodes:
        if isinstance(node, exp.Identifier):
            raise messages_query.column_without_type(node.name, span_of(node))
        if not isinstance(node, exp.ColumnDef):
            reader.of_table(node)
            continue
        column = bind_column(node, env, bind_query, reader)
        if any(c.name.lower() == column.name.lower() for c in columns):
            raise messages_query.listed_twice(column.name, f'table "{table}"', span_of(node.this))
        columns.append(column)
    return reader.finish(tuple(columns))


def bind_column(
    node: exp.ColumnDef, env: Environment, bind_query: BindQuery, reader: ConstraintReader
) -> TableColumn:
    """A column's definition; `reader` takes its constraints."""
    refuse_unknown(node, ("this", "kind", "constraints", "exists"))
    name = node.this.this
    kind_node = node.args.get("kind")
    if kind_node is None:
        raise messages_query.column_without_type(name, span_of(node.this))
    kind = bind_type(kind_node, span_of(node.this))
    nullable, default = True, None
    for constraint in node.args.get("constraints") or ():
        refuse_unknown(constraint, ("this", "kind"))
        what = constraint.args["kind"]
        match what:
            case exp.NotNullColumnConstraint():
                nullable = bool(what.args.get("allow_null"))
            case exp.DefaultColumnConstraint():
                default = default_text(what.this, kind, env, bind_query)
            case _ if not reader.of_column(name, what):
                raise messages.unsupported(refused_name(what), span_of(what) or span_of(node.this))
    return TableColumn(name, kind, nullable, default)


def default_text(node: exp.Expr, kind: SQLType, env: Environment, bind_query: BindQuery) -> str:
    """The text of a default, bound once to find errors now."""
    if node.find(exp.Query):
        raise messages_constraints.subquery_in_default(span_of(node))
    cast_to(bind_expression(node, Scope(), Environment(env.context), bind_query, "DEFAULT"), kind)
    return expression_name(node)


def bind_create_view(command: CreateViewCommand, env: Environment, bind_query: BindQuery) -> CreateView:
    """CREATE VIEW: the query is bound now to find its errors, and kept as text."""
    name = own_name(command.name)
    bound = bind_query(command.query, replace(env, views=(*env.views, "")))
    aliases = tuple(c.this for c in command.columns)
    if len(aliases) > len(bound.names):
        raise messages_query.too_many_column_names(
            name, len(aliases), len(bound.names), span_of(command.columns[-1])
        )
    names = unique_names((*aliases, *bound.names[len(aliases) :]))
    columns = tuple(TableColumn(n, c.type) for n, c in zip(names, bound.plan.schema, strict=True))
    return CreateView(name, command.sql, aliases, columns, command.if_not_exists, command.or_replace)
