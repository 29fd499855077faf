"""The same relation in DuckDB, and its answers in the form that the harness gives rows."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from decimal import Context, Decimal
from typing import Any

from operators.harness import Relation, comparable
from tandemdb.planner.types import SQLType, TypeId

# The default context rounds to 28 digits.
_WIDE = Context(prec=80)


def sql_literal(type_: SQLType, value: Any) -> str:
    """A literal of DuckDB for a value in literal form."""
    if value is None:
        text = "NULL"
    elif type_.is_decimal:
        text = f"'{Decimal(value).scaleb(-type_.scale, _WIDE):f}'"
    elif type_.is_string:
        text = "'" + value.replace("'", "''") + "'"
    elif type_.id is TypeId.DATE:
        text = f"(DATE '1970-01-01' + {value})"
    elif type_.id is TypeId.TIMESTAMP:
        text = f"make_timestamp({value})"
    else:
        text = f"'{value}'"
    return f"CAST({text} AS {type_})"


def load(connection: Any, name: str, data: Relation) -> None:
    """Creates a table `name` of the relation's rows, with their number as column `row`."""
    shown = ", ".join(f'"{c.name}" {c.type}' for c in data.columns)
    connection.execute(f'CREATE OR REPLACE TABLE {name} ("row" BIGINT, {shown})')
    for start in range(0, len(data.rows), 500):
        rows = []
        for number, row in enumerate(data.rows[start : start + 500], start):
            values = [sql_literal(c.type, v) for c, v in zip(data.columns, row, strict=True)]
            rows.append(f"({number}, {', '.join(values)})")
        connection.execute(f"INSERT INTO {name} VALUES {', '.join(rows)}")


def answers(connection: Any, sql: str, types: Sequence[SQLType]) -> list[tuple[Any, ...]]:
    """The rows of a query in literal form; `types` are those the answer must have."""
    result = connection.execute(sql)
    found = [str(entry[1]) for entry in result.description]
    for kind, shown in zip(types, found, strict=True):
        assert str(kind) == shown or kind.id is TypeId.HUGEINT, (sql, str(kind), shown)
    return [tuple(_literal(t, v) for t, v in zip(types, row, strict=True)) for row in result.fetchall()]


def _literal(type_: SQLType, value: Any) -> Any:
    if value is None:
        return None
    if type_.is_decimal:
        return int(value.scaleb(type_.scale, _WIDE))
    if type_.id is TypeId.DATE:
        return (value - datetime.date(1970, 1, 1)).days
    if type_.id is TypeId.TIMESTAMP:
        return (value - datetime.datetime(1970, 1, 1)) // datetime.timedelta(microseconds=1)
    return comparable(value)
