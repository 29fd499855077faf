"""DESCRIBE."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...planner.statements import Describe
from ...planner.types import VARCHAR
from ..outcome import Outcome, rows_outcome
from .registry import executes

if TYPE_CHECKING:
    from ..session import Session

_NAMES = ("column_name", "column_type", "null", "key", "default", "extra")


@executes(Describe)
def describe(session: Session, statement: Describe, sql: str) -> Outcome:
    """One row a column of the query, as DuckDB lays it out."""
    query = statement.query
    rows = [
        (name, str(column.type), "YES" if column.nullable else "NO", None, None, None)
        for name, column in zip(query.names, query.plan.schema, strict=True)
    ]
    return rows_outcome(_NAMES, [VARCHAR] * len(_NAMES), rows)
