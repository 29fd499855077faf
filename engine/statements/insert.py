"""INSERT."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...planner import messages_catalog as messages
from ...planner.expr import Column
from ...planner.statements import Insert
from ..outcome import Outcome
from ..table_memory import keep
from .checked import checked
from .returning import ended

if TYPE_CHECKING:
    from ..session import Session


def insert(
    session: Session, statement: Insert, sql: str, start: Callable[[], Outcome] | None = None
) -> Outcome:
    """Appends the query's rows, all or nothing; the table's next version holds them. `start` starts the
    query if it has been planned.
    """
    table = session.catalog.snapshot.tables.get(statement.table.lower())
    if table is None:
        raise messages.lake_is_read_only(statement.table)
    schema = tuple(Column(i, c.name, c.type) for i, c in enumerate(table.columns))
    rows = start() if start is not None else session.run(statement.query, sql)
    batches, held = keep(session.memory, table.name, checked(table, rows, schema, statement.checks))
    session.check()
    session.catalog.append(table, batches, held)
    count = sum(b.num_rows for b in batches)
    return ended(session, "insert", count, statement.returning, batches, sql)
