"""SELECT."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...planner.statements import Query
from ..outcome import Outcome

if TYPE_CHECKING:
    from ..session import Session


def execute_query(session: Session, statement: Query, sql: str) -> Outcome:
    """Starts the query; rows are made while they are fetched."""
    return session.run(statement, sql)
