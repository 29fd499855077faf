"""CREATE [UNIQUE] INDEX name ON table (expressions)."""

from __future__ import annotations

from sqlglot import exp

from .. import messages, messages_catalog, messages_query
from ..catalog import StoredTable, Table, View
from ..errors import Span
from ..frontend import span_of
from ..statements import CreateIndex
from .checks import refuse_unknown
from .constraints import key_columns, row_scope
from .drop import own_name
from .environment import Environment
from .expression import BindQuery, bind_expression


def bind_create_index(node: exp.Create, env: Environment, bind_query: BindQuery) -> CreateIndex:
    """A unique index is a key of its table. Others change no result: their expressions are bound to find
    errors, and their names are kept.
    """
    refuse_unknown(node, ("this", "kind", "unique", "exists"))
    index = node.this
    refuse_unknown(index, ("this", "table", "params"))
    params = index.args["params"]
    refuse_unknown(params, ("columns", "using"))
    name = index.this.name
    target = index.args["table"]
    table = stored_table(own_name(target), env, span_of(target))
    ids = env.context.ids
    scope = row_scope(table.name, tuple(ids.column(c.name, c.type) for c in table.columns))
    listed = [item.this if isinstance(item, exp.Ordered) else item for item in params.args["columns"]]
    for item in listed:
        bind_expression(item, scope, env, bind_query, "CREATE INDEX")
    key = None
    if node.args.get("unique"):
        bare = [item.this if isinstance(item, exp.Paren) else item for item in listed]
        for item in bare:
            if not isinstance(item, exp.Column):
                raise messages.unsupported("A unique index on an expression is", span_of(item))
        key = key_columns(table.name, tuple(c.name for c in bare), table.columns, span_of(target))
    return CreateIndex(name, table.name, key, bool(node.args.get("exists")))


def stored_table(name: str, env: Environment, span: Span | None) -> StoredTable:
    """The table in memory of a name. Raises errors for views, files and unknown names."""
    table: Table | View | None = env.context.catalog.lookup((name,))
    if table is None:
        raise messages_query.unknown_table(name, env.context.catalog.names(), span)
    if isinstance(table, View):
        raise messages_query.not_a_table(name, "view", span)
    if not isinstance(table, StoredTable):
        raise messages_catalog.lake_is_read_only(name)
    return table
