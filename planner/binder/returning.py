"""RETURNING, and tables that stand in FROM without being looked up."""

from __future__ import annotations

from sqlglot import exp

from .. import messages_changes
from ..catalog import RowsTable, Table
from ..frontend import span_of
from ..logical import Aggregate, Window, walk_plan
from ..statements import Query, Returning
from .checks import refuse_unknown
from .environment import Environment
from .expression import BindQuery


def rows_node(table: Table, alias: exp.Expr | None, like: exp.Expr | None = None) -> exp.Table:
    """A node of FROM that stands for a table, whatever the catalog has under its name."""
    node = exp.Table(this=exp.Identifier(this=table.name, quoted=True))
    if like is not None:
        node.meta.update(like.meta)
    node.meta["table"] = table
    if alias is not None:
        node.set("alias", alias)
    return node


def bind_returning(node: exp.Expr, table: Table, env: Environment, bind_query: BindQuery) -> Returning | None:
    """RETURNING, over the rows that the statement wrote or deleted."""
    returning = node.args.get("returning")
    if returning is None:
        return None
    refuse_unknown(returning, ("expressions",))
    for item in returning.expressions:
        query = item.find(exp.Query)
        if query is not None:
            raise messages_changes.subquery_in_returning(span_of(query))
    rows = RowsTable(table.name, table.columns)
    alias = target_node(node).args.get("alias")
    select = exp.Select(expressions=returning.expressions, from_=exp.From(this=rows_node(rows, alias)))
    bound = bind_query(select, Environment(env.context))
    for part in walk_plan(bound.plan):
        if isinstance(part, (Aggregate, Window)):
            raise messages_changes.aggregate_in_returning(span_of(returning.expressions[0]))
    return Returning(rows, Query(bound.plan, bound.names))


def target_node(node: exp.Expr) -> exp.Expr:
    """The table that a statement changes, with its alias."""
    return node.this.this if isinstance(node.this, exp.Schema) else node.this
