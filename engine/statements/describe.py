"""DESCRIBE."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...physical.tables import MemoryTable
from ...planner.catalog import TableColumn, constraints_of
from ...planner.logical import Plan, Scan, walk_plan
from ...planner.statements import Describe, Query
from ...planner.types import VARCHAR
from ..outcome import Outcome, rows_outcome

if TYPE_CHECKING:
    from ..session import Session

_NAMES = ("column_name", "column_type", "null", "key", "default", "extra")


def _declared(plan: Plan) -> dict[int, tuple[TableColumn, str | None]]:
    """By a column's id its table's column, and PRI or UNI where it is one of a key. Expressions and columns
    of files have none.
    """
    found: dict[int, tuple[TableColumn, str | None]] = {}
    for node in walk_plan(plan):
        if isinstance(node, Scan) and isinstance(node.table, MemoryTable):
            keys = [k for k in constraints_of(node.table).keys if k.index is None]
            of_key = {name: "UNI" for key in keys for name in key.columns}
            of_key |= {name: "PRI" for key in keys if key.primary for name in key.columns}
            columns = {c.name: c for c in node.table.columns}
            for column, name in zip(node.columns, node.names, strict=True):
                found[column.id] = columns[name], of_key.get(name)
    return found


def describe(session: Session, statement: Describe, sql: str) -> Outcome:
    """One row a column of the query, as DuckDB lays it out."""
    rows = session.deep(lambda: _rows(statement.query))
    return rows_outcome(_NAMES, [VARCHAR] * len(_NAMES), rows)


def _rows(query: Query) -> list[tuple[str | None, ...]]:
    declared = _declared(query.plan)
    rows = []
    for name, column in zip(query.names, query.plan.schema, strict=True):
        known, key = declared.get(column.id, (None, None))
        nullable = "NO" if known is not None and not known.nullable else "YES"
        default = None if known is None else known.default
        rows.append((name, str(column.type), nullable, key, default, None))
    return rows
