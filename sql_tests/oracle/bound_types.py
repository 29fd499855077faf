"""Expressions over one table of every type: what our binder makes of them and what DuckDB says their type
is."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any, cast

import duckdb
from sqlglot import exp
from tandemdb.planner import messages
from tandemdb.planner.binder.expressions import ExpressionBinder
from tandemdb.planner.errors import Span, SqlError
from tandemdb.planner.expr import Column, Expr, ref
from tandemdb.planner.frontend.dialect import DIALECT
from tandemdb.planner.logical import ColumnIds, Plan, Values
from tandemdb.planner.statements import BindContext
from tandemdb.planner.types import SQLType, TypeId, decimal

# Column names and types of the table `t`.
COLUMNS: dict[str, str] = {
    "b": "BOOLEAN",
    "i8": "TINYINT",
    "i16": "SMALLINT",
    "i": "INTEGER",
    "l": "BIGINT",
    "h": "HUGEINT",
    "u8": "UTINYINT",
    "u16": "USMALLINT",
    "u32": "UINTEGER",
    "u64": "UBIGINT",
    "f": "FLOAT",
    "d": "DOUBLE",
    "p": "DECIMAL(4,1)",
    "q": "DECIMAL(15,2)",
    "w": "DECIMAL(38,10)",
    "w0": "DECIMAL(38,0)",
    "s": "VARCHAR",
    "bl": "BLOB",
    "dt": "DATE",
    "tm": "TIME",
    "ts": "TIMESTAMP",
    "tss": "TIMESTAMP_S",
    "tsms": "TIMESTAMP_MS",
    "tsn": "TIMESTAMP_NS",
    "tz": "TIMESTAMP WITH TIME ZONE",
    "iv": "INTERVAL",
}


def type_named(name: str) -> SQLType:
    """The SQL type of DuckDB's name of it."""
    if name.startswith("DECIMAL("):
        width, scale = name[8:-1].split(",")
        return decimal(int(width), int(scale))
    return SQLType(TypeId(name))


COLUMN_TYPES = {name: type_named(type_) for name, type_ in COLUMNS.items()}


class TableScope:
    """The columns of `t`, with or without its name."""

    def __init__(self) -> None:
        self.ids = ColumnIds()
        self.columns: dict[str, Column] = {n: self.ids.column(n, t) for n, t in COLUMN_TYPES.items()}

    def resolve(self, parts: tuple[str, ...], span: Span | None) -> Expr:
        column = self.columns.get(parts[-1].lower())
        if column is None or parts[:-1] not in ((), ("t",)):
            raise messages.unknown_column(".".join(parts), self.columns, span)
        return ref(column, span)


def parse_expression(text: str) -> exp.Expr:
    """The syntax tree of an expression."""
    (tree,) = DIALECT.parse(f"SELECT {text}")
    assert tree is not None
    (expression,) = tree.expressions
    return expression


def bind_text(text: str, parameters: Any = (), *, clause: str = "SELECT", aggregates: bool = True) -> Expr:
    """The bound expression of a text. Raises SqlError."""
    return bind_tree(parse_expression(text), parameters, clause=clause, aggregates=aggregates)


def bind_tree(
    tree: exp.Expr, parameters: Any = (), *, clause: str = "SELECT", aggregates: bool = True
) -> Expr:
    """The bound expression. A subquery `(SELECT a, b)` is a row of those expressions. Raises SqlError."""
    scope = TableScope()
    context = BindContext(cast(Any, SimpleNamespace()), parameters=parameters, ids=scope.ids)

    def subquery(node: exp.Expr) -> Plan:
        while isinstance(node, exp.Subquery):
            node = node.this
        exprs = binder.bind_all(node.expressions)
        columns = tuple(scope.ids.column(f"c{n}", e.type) for n, e in enumerate(exprs))
        return Values(columns, (exprs,))

    binder = ExpressionBinder(
        context, scope, subquery, clause=clause, allow_aggregates=aggregates, allow_windows=aggregates
    )
    return binder.bind(tree)


def our_type(text: str) -> str:
    """Our type of an expression, or 'error'."""
    try:
        return str(bind_text(text).type)
    except SqlError:
        return "error"


@lru_cache(maxsize=1)
def _oracle() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config={"threads": 1})
    connection.execute(f"CREATE TABLE t ({', '.join(f'{n} {t}' for n, t in COLUMNS.items())})")
    return connection


def duckdb_type(text: str) -> str:
    """DuckDB's type of an expression over the empty table, or 'error'."""
    try:
        return str(_oracle().sql(f"SELECT {text} FROM t").types[0])
    except duckdb.Error:
        return "error"
