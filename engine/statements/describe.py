"""DESCRIBE."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...physical.tables import MemoryTable
from ...planner.logical import Plan, Scan, walk_plan
from ...planner.statements import Describe, Query
from ...planner.types import VARCHAR
from ..outcome import Outcome, rows_outcome

if TYPE_CHECKING:
    from ..session import Session

_NAMES = ("column_name", "column_type", "null", "key", "default", "extra")


def _required(plan: Plan) -> set[int]:
    """Ids of the columns that a table in memory declares NOT NULL; columns of files and expressions are never
    declared so."""
    found: set[int] = set()
    for node in walk_plan(plan):
        if isinstance(node, Scan) and isinstance(node.table, MemoryTable):
            declared = {c.name for c in node.table.columns if not c.nullable}
            found |= {c.id for c, name in zip(node.columns, node.names, strict=True) if name in declared}
    return found


def describe(session: Session, statement: Describe, sql: str) -> Outcome:
    """One row a column of the query, as DuckDB lays it out."""
    rows = session.deep(lambda: _rows(statement.query))
    return rows_outcome(_NAMES, [VARCHAR] * len(_NAMES), rows)


def _rows(query: Query) -> list[tuple[str | None, ...]]:
    required = _required(query.plan)
    return [
        (name, str(column.type), "NO" if column.id in required else "YES", None, None, None)
        for name, column in zip(query.names, query.plan.schema, strict=True)
    ]
