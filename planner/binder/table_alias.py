"""AS alias(column, ...) in FROM and WITH."""

from __future__ import annotations

from sqlglot import exp

from .. import messages, messages_query
from ..frontend import span_of
from .checks import refuse_unknown


def apply_column_names(
    table: str, names: tuple[str, ...], alias: exp.Expr | None, *, alias_columns_only: bool = False
) -> tuple[str, ...]:
    """The column names of a table after its alias' column list: the first ones are replaced. With
    `alias_columns_only` (a CTE's list)
    surplus names are ignored, as in DuckDB; elsewhere they are a BinderError."""
    if alias is None:
        return names
    refuse_unknown(alias, ("this", "columns"))
    given = [column_name(c) for c in alias.args.get("columns") or ()]
    if len(given) > len(names):
        if not alias_columns_only:
            raise messages_query.too_many_column_names(table, len(given), len(names), span_of(alias))
        given = given[: len(names)]
    return (*given, *names[len(given) :])


def column_name(node: exp.Expr) -> str:
    """The name in a column list."""
    if not isinstance(node, exp.Identifier):
        raise messages.unsupported("A type in a list of column names is", span_of(node))
    return node.this
